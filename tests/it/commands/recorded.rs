//! Records of NNCF and Model API in a file that the graph contradicts.

use super::card::{compressed, layer, multiplied};
use crate::ir_builder::Ir;
use ovlint::internal::{Model, Options, Weights};

/// The findings of two rules about a model with these entries of `<rt_info>`.
fn found(ir: Ir, rt_info: &str) -> Vec<String> {
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap().replace("</net>", &format!("<rt_info>{rt_info}</rt_info></net>"));
    let model = Model::from_bytes("m.xml", xml.into(), Weights::in_memory(weights), &Options::default()).unwrap();
    let of_rules = |name: &str| ["compression-mismatch", "model-info"].contains(&name);
    let found = model.findings().iter().filter(|finding| of_rules(finding.rule.name));
    found.map(|finding| finding.message.shown().to_owned()).collect()
}

/// Entries of a section.
fn entries(all: &[(&str, &str)]) -> String {
    let entry = |(key, value): &(&str, &str)| format!("<{key} value=\"{value}\"/>");
    all.iter().map(entry).collect::<Vec<_>>().concat()
}

/// The findings about weights of a type in groups of 2 or by channel, with what NNCF records.
fn weights(ty: &str, groups: bool, record: &[(&str, &str)]) -> Vec<String> {
    let (bytes, is_asymmetric) = (if ty == "u8" || ty == "i8" { 16 } else { 8 }, ty.starts_with('u'));
    let zero: &[u8] = if is_asymmetric { &[0x88; 4] } else { &[] };
    let ir = multiplied(|ir| compressed(ir, ty, &vec![1; bytes], is_asymmetric.then_some(zero), groups));
    found(ir, &format!("<nncf><weight_compression>{}</weight_compression></nncf>", entries(record)))
}

#[test]
fn weights_of_another_type_contradict_the_mode() {
    let mode = |ty: &str, mode: &str| weights(ty, true, &[("mode", mode), ("group_size", "2")]);
    for (ty, own) in [("u4", "int4_asym"), ("i4", "int4_sym"), ("nf4", "nf4"), ("f4e2m1", "mxfp4"), ("f4e2m1", "nvfp4")]
    {
        assert_eq!(mode(ty, own), [""; 0], "{own}");
    }
    assert_eq!(mode("i4", "int4_asym"), ["`mode` is int4_asym, but no constant is u4"]);
    assert_eq!(mode("u4", "int8_sym"), ["`mode` is int8_sym, but no constant is i8"]);
    assert_eq!(mode("u4", "mxfp4"), ["`mode` is mxfp4, but no constant is f4e2m1"]);
    // Older releases of NNCF wrote symmetric weights as u4 minus 8.
    assert_eq!(mode("u4", "int4_sym"), [""; 0]);
    for codebook in ["cb4", "codebook", "adaptive_codebook", "of the future"] {
        assert_eq!(mode("u4", codebook), [""; 0], "{codebook}");
    }
}

#[test]
fn all_weights_may_have_the_form_of_the_backup() {
    let record =
        |ratio, backup| [("mode", "int4_asym"), ("group_size", "2"), ("ratio", ratio), ("backup_mode", backup)];
    assert_eq!(weights("u8", false, &record("0.4", "int8_asym")), [""; 0]);
    assert_eq!(weights("f16", false, &record("0.4", "none")), [""; 0]);
    // The last layer always has the form of the backup.
    assert_eq!(weights("u8", false, &record("1.0", "int8_asym")), [""; 0]);
    let mut ir = Ir::default();
    let mut data = ir.parameter("f32", "?,4");
    for _ in 0..2 {
        let weight = compressed(&mut ir, "i8", &[1; 16], None, false);
        data = layer(&mut ir, "MatMul", "transpose_a=\"false\" transpose_b=\"true\"", &[data, weight]);
    }
    ir.result(data);
    let record = format!("<nncf><weight_compression>{}</weight_compression></nncf>", entries(&record("1", "int8_sym")));
    assert_eq!(found(ir, &record), ["`mode` is int4_asym, but no constant is u4"]);
    let fake = [("mode", "int4_asym"), ("compression_format", "fake_quantize_with_lora")];
    assert_eq!(weights("f16", false, &fake), [""; 0]);
}

#[test]
fn weights_in_other_groups_contradict_the_group_size() {
    let of = |groups, size| weights("i4", groups, &[("mode", "int4_sym"), ("group_size", size)]);
    assert_eq!((of(true, "2"), of(false, "-1")), (vec![], vec![]));
    assert_eq!(of(true, "128"), ["`group_size` is 128, but the i4 weights have groups of 2"]);
    assert_eq!(of(true, "-1"), ["`group_size` is -1, but the i4 weights have groups of 2"]);
    assert_eq!(of(false, "128"), ["`group_size` is 128, but the i4 weights have a scale for each channel"]);
    let adjusted = "{'group_size_fallback_mode': 'adjust'}";
    let record = [("mode", "int4_sym"), ("group_size", "128"), ("advanced_parameters", adjusted)];
    assert_eq!(weights("i4", true, &record), [""; 0]);
}

#[test]
fn a_quantized_model_has_something_quantized() {
    let record = "<nncf><quantization><preset value=\"mixed\"/></quantization></nncf>";
    let message = "NNCF quantized the model, but it has no FakeQuantize and no weights of 8 bits";
    assert_eq!(found(multiplied(|ir| ir.constant("f32", &[4, 4], &[1.0; 16])), record), [message]);
    assert_eq!(found(multiplied(|ir| compressed(ir, "i8", &[1; 16], None, false)), record), [""; 0]);
    let quantized = multiplied(|ir| {
        let bounds = [0.0, 1.0, 0.0, 1.0].map(|bound| ir.constant("f32", &[], &[bound]));
        let weight = ir.constant("f32", &[4, 4], &[1.0; 16]);
        let levels = "levels=\"256\" auto_broadcast=\"numpy\"";
        layer(ir, "FakeQuantize", levels, &[weight, bounds[0], bounds[1], bounds[2], bounds[3]])
    });
    assert_eq!(found(quantized, record), [""; 0]);
}

/// The findings about a classifier of 4 classes.
fn classifier(record: &[(&str, &str)]) -> Vec<String> {
    let ir = multiplied(|ir| ir.constant("f32", &[4, 4], &[1.0; 16]));
    let record = [&[("model_type", "Classification")], record].concat();
    found(ir, &format!("<model_info>{}</model_info>", entries(&record)))
}

#[test]
fn labels_are_as_many_as_classes() {
    let labels = |labels| classifier(&[("labels", labels)]);
    assert_eq!((labels("a b c d"), labels("a b c"), labels("")), (vec![], vec![], vec![]));
    assert_eq!(labels("a b"), ["`labels` has 2 labels, but the model has 4 classes"]);
    assert_eq!(labels("a b c d e"), ["`labels` has 5 labels, but the model has 4 classes"]);
    assert_eq!(classifier(&[("labels", "a b"), ("hierarchical", "True")]), [""; 0]);
    let yolo = |labels: &str| {
        let mut ir = Ir::default();
        let (boxes, scores) = (ir.parameter("f32", "1,4,84"), ir.parameter("f32", "1,3,84"));
        let scores = layer(&mut ir, "Sigmoid", "", &[scores]);
        let head = layer(&mut ir, "Concat", "axis=\"1\"", &[boxes, scores]);
        ir.result(head);
        found(ir, &format!("<model_info><model_type value=\"YOLO\"/><labels value=\"{labels}\"/></model_info>"))
    };
    assert_eq!(yolo("a b c"), [""; 0]);
    assert_eq!(yolo("a b"), ["`labels` has 2 labels, but the model has 3 classes"]);
}

#[test]
fn numbers_are_those_that_python_reads() {
    let good = [("pad_value", "114"), ("topk", " 5 "), ("confidence_threshold", "1e-3"), ("orig_width", "None")];
    assert_eq!(classifier(&good), [""; 0]);
    assert_eq!(classifier(&[("pad_value", "114.0")]), ["`pad_value` is `114.0`, wanted a whole number"]);
    assert_eq!(classifier(&[("confidence_threshold", "0,5")]), ["`confidence_threshold` is `0,5`, wanted a number"]);
    // The wrapper of another type reads it, or none does.
    assert_eq!(classifier(&[("iou_threshold", "high")]), [""; 0]);
    let other = "<model_info><model_type value=\"mine\"/><pad_value value=\"x\"/></model_info>";
    assert_eq!(found(multiplied(|ir| ir.constant("f32", &[4, 4], &[1.0; 16])), other), [""; 0]);
}
