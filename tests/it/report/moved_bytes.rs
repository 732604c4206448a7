//! What is said of bytes beside those that a constant reads.

use crate::graph_notation::graph;
use ovlint::internal::{Model, Options, Weights};

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
    assert_eq!(notes_on_offsets(10), ["what stands 8 bytes before its offset makes sense as `split_lengths`"]);
    assert_eq!(notes_on_offsets(3), [""; 0], "the lengths 3 and 2 do not add up to 12");
}
