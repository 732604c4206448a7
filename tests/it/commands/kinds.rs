//! The kinds of models that `ovlint info` recognises, and variables from which beam search does not select.

use crate::ir_builder::{Ir, Output};
use crate::program::{code, ovlint, utf8};
use serde_json::{Value, json};
use std::fs;

/// A model with the tensor names of some of its layers.
type Named = (Ir, Vec<(Output, &'static str)>);

/// The kind that `info` prints as JSON, its line, and the number of findings of `state-without-beams`.
fn kind((ir, names): Named) -> (Value, String, usize) {
    let folder = tempfile::tempdir().unwrap();
    let (xml, weights) = ir.finish();
    let mut xml = String::from_utf8(xml).unwrap();
    for (Output(layer, _), name) in names {
        let start = xml.find(&format!("<layer id=\"{layer}\"")).unwrap();
        let port = start + xml[start..].find("precision=\"UNSPECIFIED\"").unwrap();
        xml.insert_str(port, &format!("names=\"{name}\" "));
    }
    fs::write(folder.path().join("m.xml"), xml).unwrap();
    fs::write(folder.path().join("m.bin"), weights).unwrap();
    let run = |arguments: &[&str]| {
        let out = ovlint(folder.path(), arguments.iter().copied());
        assert_eq!((code(&out), utf8(&out.stderr)), (0, String::new()));
        utf8(&out.stdout)
    };
    let page: Value = serde_json::from_str(&run(&["info", "m.xml", "--format", "json"])).unwrap();
    let text = run(&["info", "m.xml"]);
    let line = text.lines().find_map(|line| line.strip_prefix("  is          ")).unwrap_or_default().to_owned();
    let found = run(&["check", "m.xml", "--format", "concise"]);
    (page["models"][0]["is"].clone(), line, found.matches("[state-without-beams]").count())
}

fn layer(ir: &mut Ir, ty: &str, data: &str, inputs: &[Output]) -> Output {
    let version = match ty {
        "Gather" | "Slice" => "opset8",
        "ReadValue" | "Assign" => "opset6",
        "ShapeOf" | "Broadcast" => "opset3",
        _ => "opset1",
    };
    let data = if data.is_empty() { String::new() } else { format!("<data {data}/>") };
    ir.layer(ty, version, &data, inputs, usize::from(ty != "Assign"))
}

/// The ways in which a model treats its variable.
#[derive(PartialEq)]
enum Past {
    /// `beam_idx` selects from it.
    Selected,
    /// It is written as it is read.
    Kept,
    /// It has no batch axis.
    Static,
    Left,
}

/// A language model with a variable; without `beam_idx` if it has no such name.
fn language_model(past: &Past, beam: &'static str) -> Named {
    let mut ir = Ir::default();
    let (ids, beams) = (ir.parameter("i64", "?,?"), ir.parameter("i32", "?"));
    let (zero, one) = (ir.constant("i64", &[], &[0.0]), ir.constant("i64", &[1], &[0.0]));
    let table = ir.constant("f32", &[8, 2], &[1.0; 16]);
    let data = layer(&mut ir, "Gather", "", &[table, ids, zero]);
    let shape = layer(&mut ir, "ShapeOf", "output_type=\"i64\"", &[ids]);
    let batch = layer(&mut ir, "Gather", "", &[shape, one, zero]);
    let sizes = ir.constant("i64", &[2], &[1.0, 2.0]);
    let batch = if *past == Past::Static { ir.constant("i64", &[1], &[1.0]) } else { batch };
    let shape = layer(&mut ir, "Concat", "axis=\"0\"", &[batch, sizes]);
    let empty = ir.constant("f32", &[], &[0.0]);
    let start = layer(&mut ir, "Broadcast", "mode=\"numpy\"", &[empty, shape]);
    let batch = if *past == Past::Static { "1" } else { "?" };
    let variable = format!("variable_id=\"past\" variable_type=\"f32\" variable_shape=\"{batch},1,2\"");
    let read = layer(&mut ir, "ReadValue", &variable, &[start]);
    let selected = if *past == Past::Selected { layer(&mut ir, "Gather", "", &[read, beams, zero]) } else { read };
    let axis = ir.constant("i64", &[1], &[1.0]);
    let mean = layer(&mut ir, "ReduceMean", "keep_dims=\"true\"", &[data, axis]);
    let axes = ir.constant("i64", &[1], &[0.0]);
    let same =
        if *past == Past::Static { layer(&mut ir, "ReduceMean", "keep_dims=\"true\"", &[mean, axes]) } else { mean };
    let next = layer(&mut ir, "Add", "auto_broadcast=\"numpy\"", &[selected, same]);
    layer(&mut ir, "Assign", "variable_id=\"past\"", &[if *past == Past::Kept { read } else { next }]);
    let logits = layer(&mut ir, "Add", "auto_broadcast=\"numpy\"", &[data, next]);
    ir.result(logits);
    (ir, vec![(ids, "input_ids"), (beams, beam), (logits, "logits")])
}

#[test]
fn beam_search_reorders_what_differs_between_beams() {
    let state = |reordered: usize| json!({"kind": "language-model", "state": {"attention_layers": 0, "variables": 1, "reordered": reordered}});
    let plain = "language model with state: 1 variable".to_owned();
    let of = |past| kind(language_model(&past, "beam_idx"));
    assert_eq!(of(Past::Selected), (state(1), format!("{plain} reordered by beam_idx"), 0));
    assert_eq!(of(Past::Kept), (state(0), plain.clone(), 0));
    assert_eq!(of(Past::Static), (state(0), plain.clone(), 0));
    assert_eq!(of(Past::Left), (state(0), plain.clone(), 1));
    assert_eq!(kind(language_model(&Past::Left, "other")), (state(0), plain, 0));
}

#[test]
fn a_decoder_reads_what_an_encoder_gives() {
    let (mut ir, mut names) = language_model(&Past::Selected, "beam_idx");
    let encoded = ir.parameter("f32", "?,?,2");
    ir.result(encoded);
    names.push((encoded, "encoder_hidden_states"));
    assert_eq!(kind((ir, names)).1, "decoder with state: 1 variable reordered by beam_idx");
}

/// A model of an input and a layer, with its tensor names.
fn simple(shape: &str, ty: &str, data: &str, [input, output]: [&'static str; 2]) -> Named {
    let mut ir = Ir::default();
    let from = ir.parameter("f32", shape);
    let to = layer(&mut ir, ty, data, &[from]);
    ir.result(to);
    (ir, vec![(from, input), (to, output)])
}

#[test]
fn classifiers_and_encoders_are_known_by_their_outputs() {
    let soft = |output| kind(simple("1,1000", "SoftMax", "axis=\"1\"", ["x", output]));
    assert_eq!(soft("y"), (json!({"kind": "classifier", "classes": 1000}), "classifier: 1,000 classes".to_owned(), 0));
    assert_eq!(kind(simple("1,10", "Sigmoid", "", ["x", "y"])).0, Value::Null);
    let relu = |shape, output| kind(simple(shape, "ReLU", "", ["pixel_values", output]));
    assert_eq!(relu("?,1", "logits").1, "classifier: 1 class");
    assert_eq!(relu("?,?", "logits").1, "classifier");
    let encoder = json!({"kind": "encoder", "features": 32});
    assert_eq!(relu("?,7,32", "last_hidden_state"), (encoder, "encoder: 32 features".to_owned(), 0));
    for (shape, output) in [("1,1000", "y"), ("?,7,32", "logits"), ("1,32,2,2", "last_hidden_state")] {
        assert_eq!(relu(shape, output), (Value::Null, String::new(), 0), "{shape} {output}");
    }
}

#[test]
fn texts_go_into_tokenizers_and_come_out_of_detokenizers() {
    let mut ir = Ir::default();
    let (text, ids) = (ir.parameter("string", "?"), ir.parameter("i64", "?,?"));
    ir.result(ids);
    assert_eq!(kind((ir, vec![(text, "text"), (ids, "input_ids")])).1, "tokenizer");
    let mut ir = Ir::default();
    let [begins, ends, letters] = [("i32", "?"), ("i32", "?"), ("u8", "?")].map(|(ty, shape)| ir.parameter(ty, shape));
    let text = ir.layer("StringTensorPack", "opset15", "", &[begins, ends, letters], 1);
    ir.result(text);
    assert_eq!(kind((ir, Vec::new())).1, "detokenizer");
}

#[test]
fn a_yolo_head_joins_boxes_and_the_scores_of_classes() {
    let head = |coordinates: usize, extra: bool| {
        let mut ir = Ir::default();
        let boxes = ir.parameter("f32", &format!("1,{coordinates},84"));
        let scores = ir.parameter("f32", "1,80,84");
        let scores = layer(&mut ir, "Sigmoid", "", &[scores]);
        let masks = ir.parameter("f32", "1,32,84");
        let parts = [boxes, scores, masks];
        let all = layer(&mut ir, "Concat", "axis=\"1\"", &parts[..2 + usize::from(extra)]);
        ir.result(all);
        kind((ir, Vec::new()))
    };
    let detector = (json!({"kind": "detector", "classes": 80}), "detector: 80 classes".to_owned(), 0);
    assert_eq!(head(4, false), detector);
    assert_eq!(head(4, true), detector);
    assert_eq!(head(5, false).0, Value::Null);
}

#[test]
fn boxes_with_scores_make_a_detector() {
    let outputs = |names: [&'static str; 2]| {
        let mut ir = Ir::default();
        let all = [ir.parameter("f32", "1,7,4"), ir.parameter("f32", "1,7,3")];
        let outputs = all.map(|data| layer(&mut ir, "ReLU", "", &[data]));
        for data in outputs {
            ir.result(data);
        }
        kind((ir, outputs.into_iter().zip(names).collect())).1
    };
    assert_eq!(outputs(["pred_boxes", "logits"]), "detector");
    assert_eq!(outputs(["boxes", "scores"]), "detector");
    assert_eq!(outputs(["boxes", "masks"]), "");
}
