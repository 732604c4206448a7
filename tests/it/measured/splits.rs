//! Split and `VariadicSplit` as OpenVINO 2026.4.1 infers them: 187 measured rows, through XML and weights.

use super::measurement::{Measurement, assert_agreement, text_of};
use crate::ir_builder::{Ir, Output, infer};
use serde_json::Value as Json;

/// Every row.
pub(crate) fn measurements() -> Vec<Measurement> {
    let text = std::fs::read_to_string("tests/data/split_table.json").unwrap();
    let rows: Vec<Json> = serde_json::from_str(&text).unwrap();
    assert_eq!(rows.len(), 187);
    rows.iter().map(measurement).collect()
}

#[test]
fn every_row_holds() {
    assert_agreement(&measurements());
}

fn measurement(row: &Json) -> Measurement {
    let text = |key: &str| row[key].as_str().unwrap();
    let mut ir = Ir::default();
    let data = input(&mut ir, text("data"));
    let axis = input(&mut ir, text("axis"));
    let outputs = usize::try_from(row["consumed_outputs"].as_u64().unwrap()).unwrap();
    let (operation, data, inputs) = match text("third").split_once('=').unwrap() {
        ("num_splits", "None") => ("Split", "<data/>".to_owned(), vec![data, axis]),
        ("num_splits", parts) => ("Split", format!("<data num_splits=\"{parts}\"/>"), vec![data, axis]),
        (_, lengths) => {
            let lengths = input(&mut ir, lengths);
            ("VariadicSplit", String::new(), vec![data, axis, lengths])
        }
    };
    let split = ir.layer(operation, "opset1", &data, &inputs, outputs);
    for output in 0..outputs {
        ir.result(Output(split.0, output));
    }
    let (xml, weights) = ir.finish();
    let wanted = row["result"].as_array().map_or("error".to_owned(), |outputs| {
        text_of(outputs.iter().map(|output| output.as_str().unwrap().to_owned()))
    });
    let situation = format!("{} along {}, {}, {outputs} outputs", text("data"), text("axis"), text("third"));
    let found = infer(xml, weights, split.0);
    // The least that is known of a Split is known exactly.
    Measurement { exactly: true, ..Measurement::new(operation, &situation, &wanted, &found) }
}

/// Adds what a cell of the table describes.
fn input(ir: &mut Ir, text: &str) -> Output {
    let shape_of = |ir: &mut Ir, shape: &str| {
        let data = ir.parameter("f32", shape);
        ir.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[data], 1)
    };
    if let Some(rest) = text.strip_prefix("Gather(ShapeOf([") {
        let shape = shape_of(ir, rest.split_once(']').unwrap().0);
        let (index, axis) = (ir.constant("i64", &[], &[0.0]), ir.constant("i64", &[], &[0.0]));
        return ir.layer("Gather", "opset8", "", &[shape, index, axis], 1);
    }
    if let Some(rest) = text.strip_prefix("ShapeOf([") {
        return shape_of(ir, rest.split_once(']').unwrap().0);
    }
    match text {
        "Add(const 0,const 1)" => {
            let (a, b) = (ir.constant("i64", &[], &[0.0]), ir.constant("i64", &[], &[1.0]));
            return ir.layer("Add", "opset1", "", &[a, b], 1);
        }
        "Convert(const i32 1 -> i64)" => {
            let one = ir.constant("i32", &[], &[1.0]);
            return ir.layer("Convert", "opset1", "<data destination_type=\"i64\"/>", &[one], 1);
        }
        "Squeeze(const [1])" => {
            let one = ir.constant("i64", &[1], &[1.0]);
            return ir.layer("Squeeze", "opset1", "", &[one], 1);
        }
        "Concat([3],[-1])" => {
            let (a, b) = (ir.constant("i64", &[1], &[3.0]), ir.constant("i64", &[1], &[-1.0]));
            return ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &[a, b], 1);
        }
        _ => {}
    }
    let mut words = text.splitn(3, ' ');
    let (ty, kind, rest) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
    if kind == "param" {
        return ir.parameter(ty, rest.trim_matches(['[', ']']));
    }
    let (value, shape) = rest.split_once(" shape").unwrap();
    let list = |text: &str| -> Vec<f64> {
        text.split(|c: char| "[], ".contains(c)).filter(|n| !n.is_empty()).map(|n| n.parse().unwrap()).collect()
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "lengths of a test")]
    let lengths: Vec<usize> = list(shape).iter().map(|length| *length as usize).collect();
    ir.constant(ty, &lengths, &list(value))
}
