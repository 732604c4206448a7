//! What is said of bytes beside those that a constant reads.

use crate::graph_notation::graph;
use crate::ir_builder::Ir;
use ovlint::internal::{Model, Options, Weights};
use std::collections::BTreeSet;

/// The notes about other offsets, for split lengths that follow this number in the weights.
fn notes_on_offsets(number: i64) -> Vec<String> {
    let text = format!(
        "axis = i64[] = 1; n = i64[1] = {number}; lengths = i64[2] = 2 -2; VariadicSplit-1(f32[3,12], axis, lengths)"
    );
    let graph = graph(&text, 2);
    let weights = Weights::in_memory(graph.weights);
    let model = Model::from_bytes("m.xml", graph.xml.into_bytes(), weights, &Options::default()).unwrap();
    let finding = model.findings().iter().find(|finding| finding.rule.name == "input-value").unwrap();
    crate::notes(finding).into_iter().filter(|note| note.contains("offset")).collect()
}

#[test]
fn bytes_make_sense_where_the_layer_accepts_them() {
    assert_eq!(
        notes_on_offsets(10),
        ["the value 8 bytes before the offset in the file would be a plausible `split_lengths`"]
    );
    assert_eq!(notes_on_offsets(3), [""; 0], "the lengths 3 and 2 do not add up to 12");
}

#[test]
fn bytes_that_two_constants_share_are_elsewhere_if_the_size_says_so() {
    let mut ir = Ir::default();
    let matrix = ir.constant("f32", &[24, 4], &[0.25; 96]);
    for _ in 0..2 {
        let shape = ir.constant("i64", &[3], &[3.0, 4.0, 8.0]);
        let cut = ir.layer("Reshape", "opset1", "<data special_zero=\"false\"/>", &[matrix, shape], 1);
        ir.result(cut);
    }
    let last = ir.constant("f32", &[4], &[0.25; 4]);
    ir.result(last);
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap().replace("offset=\"408\"", "offset=\"384\"");
    let notes = |lost: usize, added: usize| {
        let mut weights = weights.clone();
        weights.drain(100..100 + lost);
        weights.resize(weights.len() + added, 0);
        let weights = Weights::in_memory(weights);
        let model = Model::from_bytes("m.xml", xml.clone().into_bytes(), weights, &Options::default()).unwrap();
        let notes: BTreeSet<String> = model.findings().iter().flat_map(crate::notes).collect();
        notes.into_iter().filter(|note| note.contains("offset")).collect::<Vec<_>>()
    };
    assert_eq!(notes(0, 0), [""; 0]);
    assert_eq!(notes(4, 0), ["the value 4 bytes before the offset in the file would be a plausible `shape`"]);
    assert_eq!(notes(4, 4), [""; 0]);
}
