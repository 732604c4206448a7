//! `ovlint cost`: weights, multiplications, memory.

use crate::graph_notation::graph;
use crate::ir_builder::{Ir, Output};
use crate::program::{code, ovlint, root, utf8};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A layer that multiplies, but how often is not worked out.
pub(crate) const UNCOUNTED: &str = "Einsum-7(f32[2,3], f32[3,4]) {equation=ab,bc->ac}";

fn run(folder: &Path, arguments: &[&str]) -> String {
    let out = ovlint(folder, [&["cost"], arguments].concat());
    assert_eq!((code(&out), utf8(&out.stderr)), (0, String::new()));
    utf8(&out.stdout)
}

/// The cost of a graph in one line.
pub(crate) fn cost(text: &str) -> Value {
    let graph = graph(text, 1);
    cost_of(&graph.xml, &graph.weights)
}

fn cost_of(xml: &str, weights: &[u8]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.xml"), xml).unwrap();
    fs::write(folder.path().join("m.bin"), weights).unwrap();
    serde_json::from_str(&run(folder.path(), &["m.xml", "--format", "json"])).unwrap()
}

fn assert_macs(text: &str, wanted: &str) {
    assert_eq!(cost(text)["macs"]["total"]["expr"], wanted, "{text}");
}

#[test]
fn convolutions_multiply_the_filters_at_every_position() {
    assert_macs(
        "Convolution-1(f32[2,3,9,8], f32[16,3,3,3]) {strides=1,1 pads_begin=0,0 pads_end=0,0 dilations=1,1}",
        "36288",
    );
    assert_macs(
        "GroupConvolution-1(f32[1,4,9,8], f32[2,8,2,3,3]) {strides=1,1 pads_begin=0,0 pads_end=0,0 dilations=1,1}",
        "12096",
    );
    assert_macs(
        "ConvolutionBackpropData-1(f32[1,4,5,5], f32[4,6,2,2]) {strides=2,2 pads_begin=0,0 pads_end=0,0 dilations=1,1}",
        "2400",
    );
    assert_macs(
        "GroupConvolutionBackpropData-1(f32[1,4,5,5], f32[2,2,3,2,2]) {strides=2,2 pads_begin=0,0 pads_end=0,0 dilations=1,1}",
        "1200",
    );
}

#[test]
fn matrices_multiply_rows_by_columns() {
    assert_macs("MatMul-1(f32[5,2,3], f32[3,4])", "120");
    assert_macs("MatMul-1(f32[3], f32[3])", "3");
    assert_macs("MatMul-1(f32[3,2], f32[4,3]) {transpose_a=true transpose_b=true}", "24");
    assert_macs("MatMul-1(f32[?,?,64], f32[64,32])", "2048*batch*seq");
    assert_macs("ScaledDotProductAttention-13(f32[1,2,3,8], f32[1,2,5,8], f32[1,2,5,4]) {causal=false}", "360");
}

#[test]
fn recurrent_layers_multiply_inputs_and_states_by_their_weights() {
    let sequence = "f32[2,7,16], f32[2,1,8], i32[2], f32[1,24,16], f32[1,24,8], f32[1,24]";
    assert_macs(&format!("GRUSequence-5({sequence}) {{hidden_size=8 direction=forward}}*2"), "8064");
    assert_macs("RNNCell-1(f32[2,16], f32[2,8], f32[8,16], f32[8,8], f32[8]) {hidden_size=8}", "384");
    let lstm = "f32[2,16], f32[2,8], f32[2,8], f32[32,16], f32[32,8], f32[32]";
    assert_macs(&format!("LSTMCell-4({lstm}) {{hidden_size=8}}*2"), "1536");
}

#[test]
fn what_is_not_counted_is_said() {
    let cost = cost(UNCOUNTED);
    assert_eq!(cost["macs"]["total"]["value"], 0);
    assert_eq!(cost["macs"]["uncounted"], serde_json::json!([{ "type": "Einsum", "layers": 1 }]));
}

#[test]
fn weights_that_share_bytes_count_once() {
    let mut ir = Ir::default();
    let a = ir.constant("f32", &[2], &[1.0, 2.0]);
    let parameter = ir.parameter("f32", "2");
    let sum = ir.layer("Add", "opset1", "<data auto_broadcast=\"numpy\"/>", &[parameter, a], 1);
    let data = "<data element_type=\"f32\" shape=\"1\" offset=\"0\" size=\"4\"/>";
    let part = ir.layer("Const", "opset1", data, &[], 1);
    let again = ir.layer("Const", "opset1", "<data element_type=\"f32\" shape=\"2\" offset=\"0\" size=\"8\"/>", &[], 1);
    let sum = ir.layer("Add", "opset1", "<data auto_broadcast=\"numpy\"/>", &[sum, part], 1);
    let sum = ir.layer("Add", "opset1", "<data auto_broadcast=\"numpy\"/>", &[sum, again], 1);
    ir.result(sum);
    let (xml, weights) = ir.finish();
    let cost = cost_of(&String::from_utf8(xml).unwrap(), &weights);
    let wanted = serde_json::json!([{ "type": "f32", "constants": 3, "elements": 3, "bytes": 12 }]);
    assert_eq!(cost["weights"], wanted, "a part is counted on its own, the same bytes are not");
}

/// Numbers that look random, the same in every run.
fn below(seed: &mut u64, bound: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*seed >> 33).unwrap() % bound
}

/// What is made of random tensors, layer by layer: the tensors that each reads and, of those that take memory, the bytes.
struct Made {
    reads: Vec<usize>,
    bytes: usize,
    is_input: bool,
    is_output: bool,
}

/// A graph of Concats of vectors, with its tensors.
fn random_graph(seed: &mut u64) -> (String, Vec<u8>, Vec<Made>) {
    let (mut ir, mut made, mut outputs): (Ir, Vec<Made>, Vec<Output>) = (Ir::default(), Vec::new(), Vec::new());
    let mut lengths = Vec::new();
    for _ in 0..=below(seed, 3) {
        let length = 1 + below(seed, 50);
        outputs.push(ir.parameter("f32", &length.to_string()));
        lengths.push(length);
        made.push(Made { reads: Vec::new(), bytes: 4 * length, is_input: true, is_output: false });
    }
    for _ in 0..3 + below(seed, 20) {
        let count = 1 + below(seed, 3);
        let reads: Vec<usize> = (0..count).map(|_| below(seed, outputs.len())).collect();
        let inputs: Vec<Output> = reads.iter().map(|place| outputs[*place]).collect();
        outputs.push(ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &inputs, 1));
        let length = reads.iter().map(|place| lengths[*place]).sum();
        lengths.push(length);
        made.push(Made { reads, bytes: 4 * length, is_input: false, is_output: false });
    }
    for (place, output) in outputs.iter().enumerate() {
        let is_read = made.iter().any(|one| one.reads.contains(&place));
        if !is_read || below(seed, 8) == 0 {
            ir.result(*output);
            made[place].is_output = true;
        }
    }
    let (xml, weights) = ir.finish();
    (String::from_utf8(xml).unwrap(), weights, made)
}

#[test]
fn memory_in_use_is_what_counting_at_every_step_gives() {
    let mut seed = 7;
    for round in 0..50 {
        let (xml, weights, made) = random_graph(&mut seed);
        let is_kept = |place: usize, step: usize| {
            let one = &made[place];
            let is_there = one.is_input || place <= step;
            let is_read = made.iter().enumerate().any(|(reader, other)| reader >= step && other.reads.contains(&place));
            is_there && (is_read || one.is_output || place == step)
        };
        let used = |step| (0..made.len()).filter(|place| is_kept(*place, step)).map(|place| made[place].bytes).sum();
        let peak: usize = (0..made.len()).map(used).max().unwrap();
        let cost = cost_of(&xml, &weights);
        assert_eq!(cost["tensors"]["peak"]["value"], peak, "round {round}\n{xml}");
        let largest = made.iter().map(|one| one.bytes).max().unwrap();
        assert_eq!(cost["tensors"]["largest"]["value"], largest, "round {round}");
    }
}

#[test]
fn other_shapes_and_constants_take_no_memory() {
    let cost = cost(
        "a = Add-1(f32[2,3], Multiply-1(f32[2,3] = 1 2 3 4 5 6, f32[1] = 2)); Reshape-1(a, i64[1] = 6) {special_zero=false}",
    );
    assert_eq!(cost["tensors"]["peak"]["value"], 48);
}

#[test]
fn numbers_of_a_dynamic_model_are_functions_of_its_lengths() {
    insta::assert_snapshot!("cost.attention", run(&root(), &["models/attention.xml"]));
}

/// The cost of a TensorIterator with a product in its body.
pub(crate) fn cost_of_a_body() -> Value {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "4,2,3");
    let mut body = ir.body();
    let (part, filters) = (body.parameter("f32", "..."), body.parameter("f32", "3,5"));
    let product = body.layer("MatMul", "opset1", "<data/>", &[part, filters], 1);
    let end = body.result(product);
    let body = ir.close("body", body);
    let map = format!(
        "<port_map><input external_port_id=\"0\" internal_layer_id=\"{}\" axis=\"0\"/><input external_port_id=\"1\" \
         internal_layer_id=\"{}\"/><output external_port_id=\"2\" internal_layer_id=\"{end}\" axis=\"0\"/></port_map>",
        part.0, filters.0
    );
    let filters = ir.constant("f32", &[3, 5], &[1.0; 15]);
    let host = ir.layer("TensorIterator", "opset1", &(map + &body), &[data, filters], 1);
    ir.result(host);
    let (xml, weights) = ir.finish();
    cost_of(&String::from_utf8(xml).unwrap(), &weights)
}

#[test]
fn bodies_are_counted_for_one_run() {
    let cost = cost_of_a_body();
    assert_eq!(cost["macs"]["total"]["value"], 0);
    assert_eq!(cost["bodies"][0]["body"], "TensorIterator_2/body");
    assert_eq!(cost["bodies"][0]["macs"]["total"]["value"], 30);
}

#[test]
fn people_see_no_made_up_names_of_lengths_that_data_decides() {
    let graph = graph(
        "x = f32[4,?]; n = NonZero-3(x) {output_type=i64}; m = Abs-1(n); MatMul-1(m, i64[2,4] = 1 1 1 1 1 1 1 1) {transpose_a=true}",
        1,
    );
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.xml"), &graph.xml).unwrap();
    fs::write(folder.path().join("m.bin"), &graph.weights).unwrap();
    let text = run(folder.path(), &["m.xml"]);
    assert!(text.contains("not counted  MatMul (1 layer)"), "{text}");
    assert!(text.contains("largest      16*seq bytes, at `Parameter_0` (Parameter, "), "{text}");
    let unknown = "not counted  3 layers, whose sizes are unknown: `NonZero_1` (NonZero, line 4) and 2 more layers\n";
    assert!(text.contains(unknown), "{text}");
    let json: Value = serde_json::from_str(&run(folder.path(), &["m.xml", "--format", "json"])).unwrap();
    assert_eq!(json["macs"]["total"]["expr"], "8*u1_0_1");
    assert_eq!(json["tensors"]["unknown"], Value::Array(Vec::new()));
}

#[test]
fn sizes_of_states_are_set_by_name() {
    let model = "models/kv_cache.xml";
    let run_with = |sizes| ovlint(&root(), ["cost", model, "--set", sizes]);
    for (sizes, wanted) in [
        ("past=1024", "  1 variable  65,536*batch bytes\npeak memory and largest: the layer"),
        ("past=1..8", "  1 variable  64*batch*past bytes"),
        ("batch=2,past=1024,d2=1", "  1 variable  131,072 bytes (128.0 KiB)\nassumes"),
    ] {
        let text = utf8(&run_with(sizes).stdout);
        assert!(text.contains(wanted), "{sizes}: {text}");
    }
    for (sizes, wanted) in
        [("batch=1,beam_idx_batch=2", "`beam_idx_batch` is given two sizes"), ("pas=1", "did you mean `past`?")]
    {
        let out = run_with(sizes);
        assert!(code(&out) == 2 && utf8(&out.stderr).contains(wanted), "{sizes}: {}", utf8(&out.stderr));
    }
    // Without sizes, a model that works for none has a cost.
    assert!(run(&root(), &["bad/contradictory-dimensions/model.xml"]).starts_with("weights\n"));
    let out = ovlint(&root(), ["cost", "models/feature_pyramid.xml", "--set", "width=650"]);
    let wanted =
        "the model does not work for these sizes because of `neck.cat3` (Concat, line 296); see `ovlint inputs`";
    assert!(utf8(&out.stderr).contains(wanted), "{}", utf8(&out.stderr));
}
