//! Outputs, lists and values beyond all use: what inference would have to make or work out.

use super::{each, edge, net, result, rules, rules_within};
use crate::graph_notation::graph;
use crate::ir_builder::{Ir, Output};
use ovlint::internal::ir::LayerId;
use ovlint::internal::types::Fact;
use ovlint::internal::{Limits, Model, Options, Weights};
use std::collections::BTreeMap;

/// A Reshape of an input to the shape that `target` is.
fn reshape_to(ir: Ir, target: Output) -> BTreeMap<&'static str, usize> {
    let (xml, weights) = reshaped(ir, target);
    rules(xml, weights)
}

fn reshaped(mut ir: Ir, target: Output) -> (Vec<u8>, Vec<u8>) {
    let data = ir.parameter("f32", "?,?");
    let reshape = ir.layer("Reshape", "opset1", "<data special_zero=\"false\"/>", &[data, target], 1);
    ir.layer("Result", "opset1", "", &[reshape], 0);
    ir.finish()
}

#[test]
fn outputs_by_the_billion_are_refused() {
    for count in ["4000000000", "9223372036854775807", "18446744073709551615"] {
        let mut ir = Ir::default();
        let (data, axis) = (ir.parameter("f32", "?,6"), ir.constant("i64", &[], &[0.0]));
        let split = ir.layer("Split", "opset1", &format!("<data num_splits=\"{count}\"/>"), &[data, axis], 1);
        ir.layer("Result", "opset1", "", &[split], 0);
        let (xml, weights) = ir.finish();
        let found = rules(xml, weights);
        assert!(found.contains_key("limit-exceeded") || found.contains_key("attribute-value"), "{found:?}");
    }
}

#[test]
fn outputs_by_the_thousand_are_kept_up_to_a_limit() {
    let mut ir = Ir::default();
    let (data, axis) = (ir.parameter("f32", "?,6"), ir.constant("i64", &[], &[0.0]));
    for i in 0..200 {
        ir.layer("Split", "opset1", &format!("<data num_splits=\"{}\"/>", 60_000 - i), &[data, axis], 1);
    }
    let (xml, weights) = ir.finish();
    assert_eq!(rules(xml, weights)["limit-exceeded"], 1);
}

#[test]
fn layers_that_repeat_are_kept_once() {
    let mut ir = Ir::default();
    let (data, axis) = (ir.parameter("f32", "?,6"), ir.constant("i64", &[], &[0.0]));
    for _ in 0..200 {
        ir.layer("Split", "opset1", "<data num_splits=\"60000\"/>", &[data, axis], 1);
    }
    let (xml, weights) = ir.finish();
    assert!(!rules(xml, weights).contains_key("limit-exceeded"));
}

#[test]
fn lists_of_lengths_are_not_taken_for_ranks() {
    let cases = [
        ("VariadicSplit", "opset1", "", 3),
        ("Reshape", "opset1", "<data special_zero=\"false\"/>", 2),
        ("Broadcast", "opset3", "<data mode=\"numpy\"/>", 2),
        ("Tile", "opset1", "", 2),
        ("Unsqueeze", "opset1", "", 2),
        ("Transpose", "opset1", "", 2),
        ("Slice", "opset8", "", 4),
        ("StridedSlice", "opset1", "<data begin_mask=\"\" end_mask=\"\"/>", 4),
        ("RandomUniform", "opset8", "<data output_type=\"f32\"/>", 3),
        ("AdaptiveAvgPool", "opset8", "", 2),
        ("Interpolate", "opset11", "<data mode=\"nearest\" shape_calculation_mode=\"sizes\"/>", 2),
        ("BatchToSpace", "opset2", "", 4),
        ("DFT", "opset7", "", 2),
    ];
    for (ty, version, attributes, inputs) in cases {
        for length in ["1000000000000", "60000"] {
            let mut ir = Ir::default();
            let (data, list) = (ir.parameter("f32", "..."), ir.parameter("i64", length));
            let taken: Vec<Output> = std::iter::once(data).chain(std::iter::repeat_n(list, inputs - 1)).collect();
            let out = ir.layer(ty, version, attributes, &taken, 1);
            ir.layer("Result", "opset1", "", &[out], 0);
            let (xml, weights) = ir.finish();
            rules(xml, weights);
        }
    }
}

#[test]
fn lists_are_taken_for_as_many_dimensions_as_there_may_be() {
    let rank = |most| {
        let mut ir = Ir::default();
        let (data, target) = (ir.parameter("f32", "1"), ir.parameter("i64", "300"));
        let wide = ir.layer("Broadcast", "opset3", "<data mode=\"bidirectional\"/>", &[data, target], 1);
        ir.layer("Result", "opset1", "", &[wide], 0);
        let (xml, weights) = ir.finish();
        let mut options = Options::default();
        options.limits.rank = most;
        let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &options).unwrap();
        model.facts().unwrap().outputs(LayerId::new(2))[0].rank()
    };
    assert_eq!([299, 300].map(rank), [None, Some(300)]);
}

#[test]
fn values_without_end_stay_unknown() {
    for count in [5e7, 1e12] {
        let mut ir = Ir::default();
        let numbers = [0.0, count, 1.0].map(|number| ir.constant("i64", &[], &[number]));
        let range = ir.layer("Range", "opset4", "<data output_type=\"i64\"/>", &numbers, 1);
        assert!(reshape_to(ir, range)["limit-exceeded"] > 0);

        let mut ir = Ir::default();
        let (one, shape) = (ir.constant("i64", &[], &[1.0]), ir.constant("i64", &[1], &[count]));
        let broadcast = ir.layer("Broadcast", "opset3", "<data mode=\"numpy\"/>", &[one, shape], 1);
        assert!(reshape_to(ir, broadcast)["limit-exceeded"] > 0);

        let mut ir = Ir::default();
        let (one, repeats) = (ir.constant("i64", &[1], &[1.0]), ir.constant("i64", &[1], &[count]));
        let tile = ir.layer("Tile", "opset1", "", &[one, repeats], 1);
        assert!(reshape_to(ir, tile)["limit-exceeded"] > 0);
    }
    let mut ir = Ir::default();
    let mut list = ir.constant("i64", &[1], &[1.0]);
    for _ in 0..100 {
        list = ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &[list, list], 1);
    }
    assert!(reshape_to(ir, list).contains_key("limit-exceeded"));
}

#[test]
fn values_are_worked_out_up_to_a_limit() {
    let mut ir = Ir::default();
    let mut list = ir.constant("i64", &[1], &[1.0]);
    for _ in 0..16 {
        list = ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &[list, list], 1);
    }
    for _ in 0..40 {
        list = ir.layer("Add", "opset1", "", &[list, list], 1);
    }
    let axis = ir.constant("i64", &[1], &[0.0]);
    let sum = ir.layer("ReduceSum", "opset1", "<data keep_dims=\"true\"/>", &[list, axis], 1);
    let (xml, weights) = reshaped(ir, sum);
    let mut limits = Limits::default();
    limits.inferred = 1 << 21;
    assert_eq!(rules_within(limits, xml, weights)["limit-exceeded"], 1);
}

#[test]
fn constants_too_large_to_be_read_leave_shapes_verified() {
    let graph = graph(
        "m = MatMul-1(f32[1,8], f32[8,1] = 1 2 3 4 5 6 7 8) {transpose_a=false transpose_b=false}; \
         n = Convert-1(m) {destination_type=i64}; r = Reshape-1(n, i64[1] = 1) {special_zero=false}; \
         Broadcast-3(f32[] = 1, r) {mode=numpy}",
        1,
    );
    let mut options = Options::default();
    options.limits.value_elements = 4;
    let weights = Weights::in_memory(graph.weights);
    let model = Model::from_bytes("m.xml", graph.xml.into_bytes(), weights, &options).unwrap();
    let (net, facts) = model.net().zip(model.facts()).unwrap();
    let outputs = net.graph.entries().flat_map(|(layer, _)| facts.outputs(layer));
    assert_eq!(outputs.filter(|fact| fact.assumed).collect::<Vec<_>>(), Vec::<&Fact>::new());
}

#[test]
fn strings_that_share_their_bytes_are_looked_at_up_to_a_limit() {
    let count = 1_000_000;
    let mut blob = i32::to_le_bytes(count).to_vec();
    blob.resize(usize::try_from(count + 2).unwrap() * 4, 0);
    let layer = |id: usize| {
        format!(
            "<layer id='{id}' name='s' type='Const' version='opset1'><data element_type='string' shape='{count}' \
             offset='0' size='{}'/><output><port id='0' precision='STRING'/></output></layer>{}",
            blob.len(),
            result(id + 1)
        )
    };
    let layers = each(500, |i| layer(2 * i));
    let edges = each(500, |i| edge(2 * i, 0, 2 * i + 1, 0));
    assert!(rules(net(&layers, &edges), blob).keys().all(|rule| *rule == "declared-dynamic"));
}
