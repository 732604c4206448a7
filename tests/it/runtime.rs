//! What is said of what OpenVINO does with a file.

use crate::build::Ir;
use crate::recipe::graph;
use ovlint::diagnostic::{Runtime, Severity};
use ovlint::{Model, Options, Weights};

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
        let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default());
        let finding = model.findings().iter().find(|finding| finding.rule.name == "attribute-value").unwrap();
        assert_eq!(finding.message, format!("`strides=\"{strides}\"` of MaxPool must be at least 1"));
        assert_eq!((finding.severity, finding.runtime), (Severity::Error, runtime));
        let is_told = finding.notes.iter().any(|note| note.contains("for one near 2^64"));
        assert_eq!(is_told, runtime == Runtime::Accepts);
    }
}

/// What OpenVINO 2026.4.1 does with each of these, and whether it may do so only when it runs the model.
#[test]
fn what_openvino_does_is_what_it_was_seen_to_do() {
    use Runtime::{Accepts, Misleads, Rejects};
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
        ("LRN-1(f32[3,4], i64[1] = -3) {alpha=1 beta=1 bias=1 size=1}", Accepts, false),
        ("LRN-1(f32[3,4], i64[1] = 2) {alpha=1 beta=1 bias=1 size=1}", Rejects, false),
        ("Reshape-1(f32[2,3,4], i64[2] = 0 13) {special_zero=true}", Accepts, false),
        ("Reshape-1(f32[2,3,4], i64[2] = 0 13) {special_zero=false}", Rejects, false),
        ("Reshape-1(f32[2..5,3], i64[2] = 100 3) {special_zero=false}", Rejects, true),
        ("d = Divide-1(i64[1] = 4, i64[1] = 0); Broadcast-3(f32[] = 1, d) {mode=numpy}", Misleads, false),
        ("s = ShapeOf-1(f32[?]); d = Divide-1(s, i64[1] = 0); Broadcast-3(f32[] = 1, d) {mode=numpy}", Misleads, false),
        ("d = FloorMod-1(i64[1] = 4, i64[1] = 0); Broadcast-3(f32[] = 1, d) {mode=numpy}", Accepts, false),
        ("Slice-8(f32[10], i64[1] = 0, i64[1] = 5, i64[1] = 0)", Rejects, false),
        ("Transpose-1(f32[2,3], i64[2] = 0 0)", Rejects, false),
        ("Transpose-1(f32[...], i64[2] = 0 0)", Rejects, true),
        ("ExperimentalDetectronTopKROIs-6(f32[9,4], f32[9]) {max_rois=-1}", Accepts, false),
        ("Gather-8(f32[3,4], i64[2], i64[2..5,2..5]) {batch_dims=0}", Rejects, true),
        ("HardSigmoid-1(f32[3], f32[2..5], f32[] = 1)", Rejects, true),
        ("HardSigmoid-1(f32[3], f32[2], f32[] = 1)", Rejects, false),
        ("Pad-12(f32[2,3,4,5], i64[1], i64[4], f32[] = 0) {pad_mode=constant}", Rejects, true),
    ];
    for (text, runtime, is_late) in rows {
        let graph = graph(text, 1);
        let (xml, weights) = (graph.xml.into_bytes(), Weights::in_memory(graph.weights));
        let model = Model::from_bytes("m.xml", xml, weights, &Options::default());
        let errors: Vec<_> = model.findings().iter().filter(|one| one.severity == Severity::Error).collect();
        assert_eq!(errors.iter().map(|one| one.runtime).collect::<Vec<_>>(), [runtime], "{text}: {errors:?}");
        let is_told = errors[0].notes.iter().any(|note| note.contains("at the latest when it runs"));
        assert_eq!(is_told, is_late, "{text}");
        let reads = errors[0]
            .notes
            .iter()
            .any(|note| note.starts_with("OpenVINO reads -1 as any length") || note.contains("less than -1 as 0"));
        assert_eq!(reads, runtime == Accepts && errors[0].message.contains("0 or more"), "{text}");
    }
}
