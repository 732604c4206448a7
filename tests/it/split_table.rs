//! Split and `VariadicSplit` as OpenVINO 2026.4.1 infers them: 187 measured rows, through XML and weights.

use crate::build::{Ir, Output};
use ovlint::{Model, Options, Weights};
use serde_json::Value as Json;

/// Rows in which this tool is tighter or stricter on purpose: the place in the table, what it gives, why.
const DIFFERENT: &[(usize, &str, &str)] = &[
    (47, "f32[6,3..4] x3", "a lower bound is rounded up: 7 does not divide by 3, 9 does"),
    (48, "f32[6,1..2] x3", "a lower bound is rounded up"),
    (50, "f32[6,1..] x3", "a lower bound is rounded up"),
    (51, "f32[6,3..] x3", "a lower bound is rounded up"),
    (52, "error split-not-divisible", "neither 7 nor 8 divides by 3"),
    (54, "f32[6,1] x3", "a lower bound is rounded up"),
    (57, "f32[6,..1] x41", "OpenVINO divides in float32: 41 / 41 is 0"),
    (58, "f32[6,1..2] x41", "OpenVINO divides in float32: 82 / 41 is 1"),
    (59, "f32[6,..1] x47", "OpenVINO divides in float32: 47 / 47 is 0"),
    (61, "f32[6,..16777217]", "OpenVINO divides in float32"),
    (62, "f32[6,..2147483647]", "OpenVINO divides in float32"),
    (75, "error wrong-output-count", "1 output is declared, 3x makes 3"),
    (89, "error wrong-output-count", "2 outputs are declared, there are 3"),
    (97, "error split-lengths-overrun", "5 + 8 exceed 12"),
    (98, "error split-lengths-overrun", "6 + 8 exceed 12"),
    (99, "error split-lengths-overrun", "12 + 100 exceed 12"),
    (169, "f32[6,3]; f32[6,2..6]", "5..9 less 3 is 2..6"),
    (170, "error split-lengths-sum", "70 is none of 5..9"),
    (171, "error split-lengths-sum", "2 is none of 5..9"),
    (176, "error input-value", "two -1 and a -5 fit no input"),
    (182, "error wrong-output-count", "2 outputs are declared, there are 3"),
];

#[test]
fn every_row_holds() {
    let text = std::fs::read_to_string("tests/data/split_table.json").unwrap();
    let rows: Vec<Json> = serde_json::from_str(&text).unwrap();
    assert_eq!(rows.len(), 187);
    let mut wrong = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let found = infer(row);
        let want = match DIFFERENT.iter().find(|(place, ..)| *place == i) {
            Some((_, want, _)) => (*want).to_owned(),
            None => match row["result"].as_array() {
                Some(outputs) => join(outputs.iter().map(|output| output.as_str().unwrap().to_owned())),
                None => "error".to_owned(),
            },
        };
        let agrees = if want == "error" { found.starts_with("error") } else { found == want };
        if !agrees {
            wrong.push(format!("{i}: {row}\n   want {want}\n   got  {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// The outputs consumed, or `error` with the rules broken.
fn infer(row: &Json) -> String {
    let text = |key: &str| row[key].as_str().unwrap();
    let mut ir = Ir::default();
    let data = input(&mut ir, text("data"));
    let axis = input(&mut ir, text("axis"));
    let outputs = usize::try_from(row["consumed_outputs"].as_u64().unwrap()).unwrap();
    let split = match text("third").split_once('=').unwrap() {
        ("num_splits", "None") => ir.layer("Split", "opset1", "<data/>", &[data, axis], outputs),
        ("num_splits", parts) => {
            ir.layer("Split", "opset1", &format!("<data num_splits=\"{parts}\"/>"), &[data, axis], outputs)
        }
        (_, lengths) => {
            let lengths = input(&mut ir, lengths);
            ir.layer("VariadicSplit", "opset1", "", &[data, axis, lengths], outputs)
        }
    };
    for output in 0..outputs {
        ir.result(Output(split.0, output));
    }
    let (xml, weights) = ir.finish();
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default());
    let errors: Vec<&str> = model
        .findings()
        .iter()
        .filter(|f| f.severity == ovlint::diagnostic::Severity::Error)
        .map(|f| f.rule.name)
        .collect();
    if !errors.is_empty() {
        return format!("error {}", errors.join(","));
    }
    let facts = model.facts().unwrap().outputs(u32::try_from(split.0).unwrap());
    assert!(facts.iter().all(|fact| !fact.assumed), "nothing is assumed in {row}");
    join(facts.iter().take(outputs).map(|fact| format!("{}{}", fact.ty, fact.shape)))
}

/// The texts in a row; `a x3` where all are the same.
fn join(outputs: impl Iterator<Item = String>) -> String {
    let outputs: Vec<String> = outputs.collect();
    match &outputs[..] {
        [first, _, ..] if outputs.iter().all(|output| output == first) => format!("{first} x{}", outputs.len()),
        _ => outputs.join("; "),
    }
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
