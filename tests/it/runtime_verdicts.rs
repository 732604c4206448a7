//! What is said of what OpenVINO does with a file.

use crate::graph_notation::graph;
use crate::ir_builder::Ir;
use ovlint::internal::diagnostic::{Runtime, Severity};
use ovlint::internal::policy::{Profile, Selection};
use ovlint::internal::{Model, Options, Weights};

#[test]
fn strides_below_0_are_not_said_to_be_rejected() {
    for (strides, runtime) in [("-2,2", Runtime::Accepts), ("0,2", Runtime::Rejects)] {
        let mut ir = Ir::default();
        let data = ir.parameter("f32", "1,3,8,8");
        let attributes = format!(
            "<data strides=\"{strides}\" pads_begin=\"0,0\" pads_end=\"0,0\" kernel=\"2,2\" rounding_type=\"floor\" \
             auto_pad=\"explicit\"/>"
        );
        let pool = ir.layer("MaxPool", "opset1", &attributes, &[data], 1);
        ir.layer("Result", "opset1", "", &[pool], 0);
        let (xml, weights) = ir.finish();
        let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
        let finding = model.findings().iter().find(|finding| finding.rule.name == "attribute-value").unwrap();
        assert_eq!(finding.message, format!("`strides=\"{strides}\"` of MaxPool must be at least 1"));
        assert_eq!((finding.severity, finding.runtime), (Severity::Error, runtime));
        let is_told = finding.notes.iter().any(|note| note.contains("for one near 2^64"));
        assert_eq!(is_told, runtime == Runtime::Accepts);
    }
}

/// What OpenVINO 2026.4.1 does with each of these, and whether it may do so only when it runs the model.
#[test]
#[expect(clippy::too_many_lines, reason = "a row for each case")]
fn what_openvino_does_is_what_it_was_seen_to_do() {
    use Runtime::{Accepts, Misleads, NotCompiled, Rejects, Unknown};
    let rows = [
        ("AdaptiveAvgPool-8(f32[1,2,5,6], i64[2] = -1 3)", Accepts, false),
        ("n = Subtract-1(i64[2] = 3 3, i64[] = 4); AdaptiveAvgPool-8(f32[1,2,5,6], n)", Misleads, false),
        ("Interpolate-4(f32[1,2,5,6], i64[2] = -5 3, f32[2] = 1 1, i64[2] = 2 3) {mode=nearest}", Accepts, false),
        ("DFT-7(f32[5,6,2], i64[2] = 0 1, i64[2] = -5 3)", Accepts, false),
        ("SpaceToBatch-2(f32[4,4], i64[2] = 1 2, i64[2] = 0 -2, i64[2] = 0 0)", Accepts, false),
        ("SpaceToBatch-2(f32[4,4], i64[2] = 1 -2, i64[2] = 0 0, i64[2] = 0 0)", Rejects, false),
        ("TopK-3(f32[2,4], i64[] = -5) {axis=1 mode=max sort=value}", Rejects, false),
        ("Reverse-1(f32[2,3], i64[1] = -3) {mode=index}", Accepts, false),
        ("Reverse-1(f32[2,3], i64[1] = 2) {mode=index}", Rejects, false),
        ("LRN-1(f32[3,4], i64[1] = -3) {alpha=1 beta=1 bias=1 size=1}", NotCompiled, false),
        ("LRN-1(f32[3,4], i64[1] = 2) {alpha=1 beta=1 bias=1 size=1}", Rejects, false),
        ("Reshape-1(f32[2,3,4], i64[2] = 0 13) {special_zero=true}", Accepts, false),
        ("Reshape-1(f32[2,3,4], i64[2] = 0 13) {special_zero=false}", Rejects, false),
        ("Reshape-1(f32[2..5,3], i64[2] = 100 3) {special_zero=false}", Unknown, true),
        ("d = Divide-1(i64[1] = 4, i64[1] = 0); Broadcast-3(f32[] = 1, d) {mode=numpy}", Misleads, false),
        ("s = ShapeOf-1(f32[?]); d = Divide-1(s, i64[1] = 0); Broadcast-3(f32[] = 1, d) {mode=numpy}", Misleads, false),
        ("d = FloorMod-1(i64[1] = 4, i64[1] = 0); Broadcast-3(f32[] = 1, d) {mode=numpy}", Accepts, false),
        ("Slice-8(f32[10], i64[1] = 0, i64[1] = 5, i64[1] = 0)", Rejects, false),
        ("Transpose-1(f32[2,3], i64[2] = 0 0)", Rejects, false),
        ("Transpose-1(f32[...], i64[2] = 0 0)", Unknown, true),
        ("ExperimentalDetectronTopKROIs-6(f32[9,4], f32[9]) {max_rois=-1}", Accepts, false),
        ("Gather-8(f32[3,4], i64[2], i64[2..5,2..5]) {batch_dims=0}", Unknown, true),
        ("HardSigmoid-1(f32[3], f32[2..5], f32[] = 1)", Unknown, true),
        ("HardSigmoid-1(f32[3], f32[2], f32[] = 1)", Rejects, false),
        ("Pad-12(f32[2,3,4,5], i64[1], i64[4], f32[] = 0) {pad_mode=constant}", Unknown, true),
        ("Split-1(f32[6,12], i64[] = 1) {num_splits=100000}", Rejects, false),
        (
            "b = Convert-1(i64[] = 1) {destination_type=boolean}; VariadicSplit-1(f32[6,12], b, i64[1] = 12)",
            Rejects,
            false,
        ),
        ("Add-1(f32[1,1], f32[5,2..8]) {auto_broadcast=pdpd}", Unknown, true),
        ("Add-1(f32[1,1], f32[2..8,2..8]) {auto_broadcast=pdpd}", Accepts, false),
        (
            "AvgPool-16(f32[1,3,8,8]) {strides=1,1 pads_begin=0,0 pads_end=0,0 kernel=2,2 rounding_type=floor \
             exclude-pad=true auto_pad=explicit}",
            NotCompiled,
            false,
        ),
        ("Range-4(i64[] = 1, i64[] = 3, i64[] = 1)", NotCompiled, false),
        ("Range-4(i64[] = 1, i64[] = 3, i64[] = 1) {output_type=dynamic}", NotCompiled, false),
        ("r = Range-4(i64[] = 1, i64[] = 3, i64[] = 1); Broadcast-3(f32[] = 1, r) {mode=numpy}", Misleads, false),
        ("Eye-9(i64[] = 1, i64[] = 1, i64[] = 0)", NotCompiled, false),
        ("Convert-1(f32[2])", NotCompiled, false),
        ("c = Convert-1(i64[2]); Reshape-1(f32[3,2], c) {special_zero=false}", NotCompiled, false),
        ("c = Convert-1(i64[2] = 2 3); Reshape-1(f32[3,2], c) {special_zero=false}", Misleads, false),
        ("s = ShapeOf-1(f32[2,?]); c = Convert-1(s); Broadcast-3(f32[] = 1, c) {mode=numpy}", Misleads, false),
        (
            "s = ShapeOf-1(f32[2,3]); c = Convert-1(s); Add-1(c, i64[2] = 1 1) {auto_broadcast=numpy}",
            NotCompiled,
            false,
        ),
        ("Gather-8(f32[3,4], i64[], i64[] = 0) {batch_dims=-1}", Rejects, false),
        ("Gather-8(f32[3,4], i64[2], i64[] = 1) {batch_dims=-2}", Accepts, false),
        ("Gather-8(f32[3,4], i64[2], i64[] = 1) {batch_dims=-3}", Rejects, false),
        ("MVN-6(f32[2,3], i64[1] = 7) {normalize_variance=true eps=1e-5 eps_mode=inside_sqrt}", NotCompiled, false),
        ("PriorBox-1(i64[2] = 3 3, i64[2] = 5 5) {min_size=4 variance=0.1,0.1}", NotCompiled, false),
        ("Proposal-1(f32[2,24,2,5], f32[2,48,2,5], f32[3]) {post_nms_topn=1 framework=caffe}", NotCompiled, false),
        (
            "GRUCell-3(f32[2,1], f32[2,1], f32[3,1] = 1 1 1, f32[3,1] = 1 1 1, f32[3] = 1 1 1) {hidden_size=7}",
            NotCompiled,
            false,
        ),
        (
            "GRUCell-3(f32[2,1], f32[2,1], f32[3,1] = 1 1 1, f32[3,1] = 1 1 1, f32[3] = 1 1 1) {clip=0}",
            NotCompiled,
            false,
        ),
        ("RNNCell-1(f32[2,3], f32[2,5], f32[5,7], f32[5,5], f32[5]) {hidden_size=5}", NotCompiled, false),
        (
            "MaxPool-1(f32[1,3,8,8]) {strides=-1 pads_begin=0,0 pads_end=0,0 kernel=2,2 rounding_type=floor}",
            Rejects,
            false,
        ),
        (
            "Col2Im-15(f32[1,12,16], i64[2] = 5 5, i64[2] = 2 2) {strides=1 dilations=1,1 pads_begin=0,0 pads_end=0,0}",
            Misleads,
            false,
        ),
        (
            "Col2Im-15(f32[1,12,?], i64[2] = 5 5, i64[2] = 2 2) {strides=1 dilations=1,1 pads_begin=0,0 pads_end=0,0}",
            Accepts,
            false,
        ),
        (
            "Col2Im-15(f32[1,12,16], i64[2] = -5 5, i64[2] = 2 2) {strides=1,1 dilations=1,1 pads_begin=0,0 pads_end=0,0}",
            Rejects,
            false,
        ),
    ];
    for (text, runtime, is_late) in rows {
        let graph = graph(text, 1);
        let (xml, weights) = (graph.xml.into_bytes(), Weights::in_memory(graph.weights));
        let model = Model::from_bytes("m.xml", xml, weights, &Options::default()).unwrap();
        let errors: Vec<_> = model.findings().iter().filter(|one| one.severity == Severity::Error).collect();
        assert_eq!(errors.iter().map(|one| one.runtime).collect::<Vec<_>>(), [runtime], "{text}: {errors:?}");
        let is_told = errors[0].notes.iter().any(|note| note == "OpenVINO reads this file; compile_model fails");
        assert_eq!(is_told, runtime == NotCompiled, "{text}");
        let is_told = errors[0].notes.iter().any(|note| note.contains("at the latest when it runs"));
        assert_eq!(is_told, is_late, "{text}");
        let reads = errors[0]
            .notes
            .iter()
            .any(|note| note.starts_with("OpenVINO reads -1 as any length") || note.contains("less than -1 as 0"));
        assert_eq!(reads, runtime == Accepts && errors[0].message.contains("0 or more"), "{text}");
    }
}

/// The rules of the errors that are found, with what OpenVINO does, and those that are left by `--profile runtime`.
fn verdicts(text: &str) -> (Vec<(&'static str, Runtime)>, Vec<&'static str>) {
    let graph = graph(text, 1);
    let (xml, weights) = (graph.xml.into_bytes(), Weights::in_memory(graph.weights));
    let model = Model::from_bytes("m.xml", xml, weights, &Options::default()).unwrap();
    let errors = model.findings().iter().filter(|one| one.severity == Severity::Error).cloned().collect::<Vec<_>>();
    let runtime = Selection { profile: Profile::Runtime, ..Selection::default() };
    let left = runtime.apply(errors.clone());
    let told = errors.iter().map(|one| (one.rule.name, one.runtime)).collect();
    (told, left.iter().filter(|one| one.consequence_of.is_none()).map(|one| one.rule.name).collect())
}

#[test]
fn what_openvino_rejects_is_found_behind_what_it_accepts() {
    use Runtime::{Accepts, Rejects};
    let conflict = |runtime| ("shape-conflict", runtime);
    let reshape = "r = Reshape-1(f32[2,3,4], i64[3] = 0 0 5) {special_zero=true};";
    let product = |of: &str| format!("{reshape} MatMul-1(r, {of}) {{transpose_a=false transpose_b=false}}");
    assert_eq!(
        verdicts(&product("f32[4,2]")),
        (vec![conflict(Rejects), conflict(Rejects)], vec!["shape-conflict"]),
        "the MatMul takes 5 columns"
    );
    assert_eq!(verdicts(&product("f32[5,2]")), (vec![conflict(Accepts)], vec![]));
    let range = "r = Range-4(i64[] = 1, i64[] = 3, i64[] = 1); Add-1(r, i64[3]) {auto_broadcast=numpy}";
    let both = vec![("missing-attribute", Rejects), conflict(Rejects)];
    assert_eq!(verdicts(range), (both, vec!["missing-attribute"]));
}

#[test]
fn layers_that_are_not_built_are_not_compiled() {
    let text = "d = Convert-1(f32[2]); ReLU-1(f32[2])";
    assert_eq!(verdicts(text), (vec![], vec![]));
}

#[test]
fn an_assign_that_depends_on_its_variable_is_looked_at_when_the_file_is_read() {
    use Runtime::{NotCompiled, Rejects};
    let read = "r = ReadValue-6(f32[2,3]) {variable_id=a variable_type=f32 variable_shape=\"2,?\"};";
    let apart = format!("{read} a = Assign-6(f32[5,3]) {{variable_id=a}}; r");
    assert_eq!(verdicts(&apart), (vec![("shape-conflict", NotCompiled)], vec!["shape-conflict"]));
    let chained = format!("{read} c = Concat-1(r, f32[3,3]) {{axis=0}}; a = Assign-6(c) {{variable_id=a}}; r");
    assert_eq!(verdicts(&chained), (vec![("shape-conflict", Rejects)], vec!["shape-conflict"]));
}

/// What is said of a layer whose id a later one has, by what these edges lead to.
fn lost_layer(edges: &[(u32, u32)]) -> Runtime {
    let parameter = |id: u32| {
        format!(
            "<layer id='{id}' name='p{id}' type='Parameter' version='opset1'><data shape='2' element_type='f32'/>\
             <output><port id='0' precision='FP32'><dim>2</dim></port></output></layer>"
        )
    };
    let result = |i: u32| {
        format!(
            "<layer id='5' name='r{i}' type='Result' version='opset1'><input><port id='0' precision='FP32'><dim>2</dim>\
             </port></input></layer>"
        )
    };
    let edge =
        |(from, to): &(u32, u32)| format!("<edge from-layer='{from}' from-port='0' to-layer='{to}' to-port='0'/>");
    let layers = [parameter(0), parameter(1), result(0), result(1)].concat();
    runtime_of("duplicate-layer-id", 11, &layers, &edges.iter().map(edge).collect::<String>())
}

/// The verdict of the finding of a rule in a net of these layers and edges.
fn runtime_of(rule: &str, version: u8, layers: &str, edges: &str) -> Runtime {
    let xml = format!("<net name='m' version='{version}'><layers>{layers}</layers><edges>{edges}</edges></net>");
    let weights = Weights::in_memory(Vec::new());
    let model = Model::from_bytes("m.xml", xml.into_bytes(), weights, &Options::default()).unwrap();
    model.findings().iter().find(|finding| finding.rule.name == rule).unwrap().runtime
}

#[test]
fn a_lost_result_is_rejected_where_the_other_gets_no_edge_or_two() {
    assert_eq!(lost_layer(&[(0, 5)]), Runtime::Accepts);
    assert_eq!(lost_layer(&[(0, 5), (1, 6)]), Runtime::Accepts, "no layer has id 6");
    assert_eq!(lost_layer(&[(0, 5), (1, 5)]), Runtime::Misleads);
    assert_eq!(lost_layer(&[(0, 6), (1, 7)]), Runtime::Misleads);
}

#[test]
fn a_port_too_many_is_accepted_in_version_10_alone() {
    let layers = "<layer id='0' name='x' type='Parameter' version='opset1'><data shape='2' element_type='f32'/>\
                  <output><port id='0' precision='FP32'><dim>2</dim></port></output></layer>\
                  <layer id='1' name='r' type='Result' version='opset1'><input><port id='0' precision='FP32'><dim>2</dim>\
                  </port><port id='1' precision='FP32'><dim>2</dim></port></input></layer>";
    let [first, second] =
        [0, 1].map(|port| format!("<edge from-layer='0' from-port='0' to-layer='1' to-port='{port}'/>"));
    let verdict = |version: u8, edges: &str| runtime_of("wrong-input-count", version, layers, edges);
    assert_eq!(verdict(10, &first), Runtime::Accepts);
    assert_ne!(verdict(11, &first), Runtime::Accepts);
    assert_ne!(verdict(10, &(first + &second)), Runtime::Accepts);
}
