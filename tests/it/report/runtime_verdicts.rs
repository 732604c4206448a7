//! What is said of what OpenVINO does with a file.

use crate::graph_notation::graph;
use crate::ir_builder::{Ir, Output};
use crate::program::show_openvino;
use ovlint::internal::diagnostic::{Runtime, Severity};
use ovlint::internal::policy::{Profile, Selection};
use ovlint::internal::{Model, Options, Weights};

#[test]
fn strides_below_0_are_not_said_to_be_rejected() {
    for (strides, runtime) in [("-2,2", Runtime::Unknown), ("0,2", Runtime::Rejects)] {
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
        assert_eq!(finding.message, format!("`strides=\"{strides}\"` of MaxPool must be at least 1").into());
        assert_eq!((finding.severity, finding.runtime), (Severity::Error, runtime));
        let is_told = crate::notes(finding).iter().any(|note| note.contains("for one near 2^64"));
        assert_eq!(is_told, runtime == Runtime::Unknown);
    }
}

/// What OpenVINO 2026.4.1 compiled of constants of type dynamic, and what it did not.
#[test]
fn constants_without_a_type_are_not_computed_with() {
    let found = |layers: &str| {
        let model = graph(&layers.replace('@', "f32[2,3] = 1 1 1 1 1 1"), 1);
        let (before, constant) = model.xml.split_once("type=\"Const\"").unwrap();
        let xml = format!("{before}type=\"Const\"{}", constant.replacen("\"f32\"", "\"dynamic\"", 1));
        let weights = Weights::in_memory(model.weights);
        let model = Model::from_bytes("m.xml", xml.into(), weights, &Options::default()).unwrap();
        let found = model.findings().iter().filter(|one| one.rule.name == "input-type").map(|one| one.runtime);
        found.collect::<Vec<_>>()
    };
    for compiled in ["ShapeOf-1(@)", "Reshape-1(@, i64[1] = 6) {special_zero=false}", "Unsqueeze-1(@, i64[1] = 0)"] {
        assert_eq!(found(compiled), [], "{compiled}");
    }
    for other in [
        "ReLU-1(@)",
        "Convert-1(@) {destination_type=f32}",
        "Concat-1(@) {axis=0}",
        "Add-1(@, f32[3] = 1 1 1)",
        "s = ReLU-1(@); ShapeOf-1(s)",
        "Transpose-1(@, i64[2] = 1 0)",
    ] {
        assert_eq!(found(other), [Runtime::Unknown], "{other}");
    }
}

#[test]
fn the_type_of_a_constant_with_a_short_last_block_counts() {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "3");
    let short = ir.layer("Const", "opset1", "<data element_type=\"u3\" shape=\"3\" offset=\"0\" size=\"2\"/>", &[], 1);
    let sum = ir.layer("Add", "opset1", "", &[data, short], 1);
    ir.layer("Result", "opset1", "", &[sum], 0);
    let (xml, _) = ir.finish();
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(vec![0; 2]), &Options::default()).unwrap();
    let verdict = |rule| model.findings().iter().find(|one| one.rule.name == rule).map(|one| one.runtime);
    // The root has the verdict of its consequence; alone, it is accepted.
    assert_eq!(verdict("const-size-mismatch"), Some(Runtime::Rejects));
    assert_eq!(verdict("type-conflict"), Some(Runtime::Rejects));
}

/// What OpenVINO 2026.4.1 does with each of these, and whether it may do so only when it runs the model. `OVLINT_VERDICTS=DIR`
/// writes them there, to be shown to OpenVINO.
#[test]
#[expect(clippy::too_many_lines, reason = "a row for each case")]
fn what_openvino_does_is_what_it_was_seen_to_do() {
    use Runtime::{Accepts, MayNotCompile, NotCompiled, Rejects, Unknown};
    let rows = [
        ("AdaptiveAvgPool-8(f32[1,2,5,6], i64[2] = -1 3)", Accepts, false),
        ("n = Subtract-1(i64[2] = 3 3, i64[] = 4); AdaptiveAvgPool-8(f32[1,2,5,6], n)", Rejects, false),
        ("Interpolate-4(f32[1,2,5,6], i64[2] = -5 3, f32[2] = 1 1, i64[2] = 2 3) {mode=nearest}", Accepts, false),
        ("DFT-7(f32[5,6,2], i64[2] = 0 1, i64[2] = -5 3)", Accepts, false),
        ("I420toBGR-8(u8[1,4,4,1], u8[1,2,2,1])", Rejects, false),
        ("Broadcast-1(f32[3,4,5], i64[2]) {mode=numpy}", Unknown, false),
        (
            "DetectionOutput-1(f32[..6,28], f32[7,35..38], f32[..5,2,28]) {num_classes=5 keep_top_k=100 normalized=true \
             code_type=caffe.PriorBoxParameter.CENTER_SIZE nms_threshold=0.5}",
            Unknown,
            false,
        ),
        (
            "DetectionOutput-1(f32[6,28], f32[7,35..38], f32[..5,2,28]) {num_classes=5 keep_top_k=100 normalized=true \
             code_type=caffe.PriorBoxParameter.CENTER_SIZE nms_threshold=0.5}",
            Rejects,
            false,
        ),
        ("PriorBox-1(i32[3], i32[2] = 8 8) {min_size=4 aspect_ratio=2 offset=0.5 variance=0.1}", Unknown, false),
        (
            "PSROIPooling-1(f16[1,?,8,4], f16[...]) {group_size=2 spatial_scale=0.5 mode=bilinear spatial_bins_x=1 \
             spatial_bins_y=2}",
            Unknown,
            false,
        ),
        (
            "PSROIPooling-1(f16[1,4,8,4], f16[2,5]) {group_size=2 spatial_scale=0.5 mode=bilinear spatial_bins_x=1 \
             spatial_bins_y=2}",
            Rejects,
            false,
        ),
        ("c = Concat-1(i64[1] = 17) {axis=0}; Unique-10(u16[1,1] = 0, c) {sorted=false}", Unknown, false),
        (
            "s = ShapeOf-3(f32[...]) {output_type=i64}; g = Gather-8(s, i64[2] = 0 1, i64[] = 0); Broadcast-3(f32[1], g, \
             i64[1] = 5) {mode=explicit}",
            Unknown,
            false,
        ),
        ("s = ShapeOf-3(f32[?,5]) {output_type=i32}; a = Add-1(s, i32[2] = 1 -7); Tile-1(f32[3,3], a)", Rejects, false),
        (
            "Col2Im-15(f32[1,12,15], i64[2] = 5 5, i64[2] = 2 2) {strides=1,1 dilations=1,1 pads_begin=1,2,3 pads_end=0,0}",
            Unknown,
            false,
        ),
        (
            "PSROIPooling-1(f32[1,18,6,6], f32[2,5]) {output_dim=2 group_size=-7 spatial_scale=0.5 mode=average \
             spatial_bins_x=2 spatial_bins_y=1}",
            Unknown,
            false,
        ),
        (
            "GroupConvolution-1(f32[2,1,7,2], f32[1,1,1,1,3..4]) {strides=1,1 pads_begin=0,0 pads_end=0,0 dilations=1,1}",
            Unknown,
            false,
        ),
        ("Reshape-1(f16[32768,32768,32768,32768], i64[2] = 180 -1) {special_zero=false}", Unknown, false),
        (
            "Col2Im-15(f32[?,?,?], i64[2] = 5 5, i64[2] = -9223372036854775807 1) {strides=1,1 dilations=1,1 pads_begin=0,0 \
             pads_end=0,0}",
            Unknown,
            false,
        ),
        (
            "n = Convert-1(i16[2] = 6 -100) {destination_type=i32}; Col2Im-15(f32[...], n, i32[2]) {strides=2,2 \
             dilations=2,2 pads_begin=1,0 pads_end=0,1}",
            Unknown,
            true,
        ),
        (
            "n = Convert-1(i16[2] = 6 -100) {destination_type=i32}; Col2Im-15(f32[?,?], n, i32[2]) {strides=2,2 \
             dilations=2,2 pads_begin=1,0 pads_end=0,1}",
            Rejects,
            false,
        ),
        (
            "DetectionOutput-8(f32[1,18..22], f32[..3,..10], f32[1,1..,..20]) {keep_top_k=-1 normalized=false \
             variance_encoded_in_target=true}",
            Unknown,
            false,
        ),
        ("VariadicSplit-1(f32[2,3], i64[] = 1, dynamic[1] = 3)", Rejects, false),
        (
            "s = ShapeOf-1(f32[?]); m = FloorMod-1(s, i64[] = 1); VariadicSplit-1(f32[2,3], m, dynamic[1] = 2)",
            Unknown,
            false,
        ),
        ("s = Squeeze-1(f4e2m1[1] = 1, i64[] = 0); Range-4(i64[] = 0, i64[] = 5, s) {output_type=i64}", Unknown, false),
        ("s = Reshape-1(f8e4m3[1,1] = 1, i64[1] = 1); Squeeze-1(f32[4,1,3], s)", Unknown, false),
        ("Gather-8(f32[?,3], i64[2] = 0 1, i64[] = 5)", Rejects, false),
        ("DFT-7(f32[?,?,2], i64[1] = 100)", Rejects, false),
        ("Interpolate-11(f32[1,1,2,4], f32[1]) {mode=linear_onnx shape_calculation_mode=scales}", Unknown, true),
        ("n = Negative-1(i64[2] = 8 -1); DFT-7(f32[5,6,2], i64[2] = 0 1, n)", Accepts, false),
        (
            "Convolution-1(f32[1,3,7,..3], f32[4,3,3,11]) {strides=1,1 pads_begin=0,0 pads_end=0,0 dilations=1,1}",
            Unknown,
            false,
        ),
        ("MatMul-1(f32[?,3], f32[4,?])", Rejects, false),
        ("HardSigmoid-1(f32[?], f32[], f32[?])", Unknown, true),
        (
            "DeformableConvolution-1(f16[1,4,7,7], f16[1,18,4,5], f16[6,2,3,3]) {strides=2,1 dilations=1,2 pads_begin=-2,1 \
             pads_end=1,1 auto_pad=explicit group=2 deformable_group=1}",
            Unknown,
            false,
        ),
        (
            "Col2Im-15(i16[?,?,?], i32[2] = 4 3, i32[2] = 3 3) {strides=1,1 dilations=9,9 pads_begin=0,0 pads_end=0,0}",
            Unknown,
            true,
        ),
        (
            "s = Slice-8(i64[2] = 6 8, i64[1] = 0, u64[1] = 18446744073709551615, i64[1] = 1, i64[1] = 0); Reshape-1(f32[6], s)",
            Unknown,
            true,
        ),
        ("Maximum-1(f32[2,0], f32[2,1]) {auto_broadcast=pdpd}", Rejects, false),
        ("Reshape-1(f32[15], i64[3] = 4935301757432507572 5892098394512068134 -1) {special_zero=true}", Unknown, false),
        ("ReorgYolo-2(f32[1,4,4,4]) {stride=-1}", Rejects, false),
        ("ReorgYolo-2(f32[1,4,4,4]) {stride=0,-1}", Accepts, false),
        ("ReorgYolo-2(f32[...]) {stride=-1}", Unknown, false),
        ("I420toBGR-8(u8[1,4,4,1], u8[...])", Unknown, false),
        ("Broadcast-3(f32[3], i64[1] = 3, i64[1] = 0) {mode=numpy}", Rejects, false),
        ("Broadcast-3(f32[3], i64[1] = 3, i64[...]) {mode=numpy}", Unknown, false),
        ("Unique-10(f32[3] = 1 2 2, f32[] = 0)", Accepts, false),
        ("Unique-10(f32[3], f32[] = 0)", Rejects, false),
        ("Gather-8(f32[3,4], i64[2,2], i64[] = 0) {batch_dims=1}", Rejects, false),
        ("SpaceToBatch-2(f32[4,4], i64[2] = 1 2, i64[2] = 0 -2, i64[2] = 0 0)", Accepts, false),
        ("n = Negative-1(i64[2] = 0 1); SpaceToBatch-2(f32[4,4], i64[2] = 1 2, n, i64[2] = 0 0)", Accepts, false),
        ("n = Negative-1(i64[2] = 0 1); BatchToSpace-2(f32[4,4], i64[2] = 1 2, n, i64[2] = 0 0)", Rejects, false),
        ("SparseFillEmptyRows-16(f32[1], i64[2] = 1 3, i64[1,2] = 1 0, f32[])", Rejects, false),
        ("SpaceToBatch-2(f32[4,4], i64[2] = 1 -2, i64[2] = 0 0, i64[2] = 0 0)", Rejects, false),
        ("TopK-3(f32[2,4], i64[] = -5) {axis=1 mode=max sort=value}", Rejects, false),
        ("Reverse-1(f32[2,3], i64[1] = -3) {mode=index}", Accepts, false),
        ("Reverse-1(f32[2,3], i64[1] = 2) {mode=index}", Rejects, false),
        ("LRN-1(f32[3,4], i64[1] = -3) {alpha=1 beta=1 bias=1 size=1}", NotCompiled, false),
        ("LRN-1(f32[3,4], i64[1] = 2) {alpha=1 beta=1 bias=1 size=1}", Rejects, false),
        ("Reshape-1(f32[2,3,4], i64[2] = 0 13) {special_zero=true}", Accepts, false),
        ("Reshape-1(f32[2,3,4], i64[2] = 0 13) {special_zero=false}", Rejects, false),
        ("Reshape-1(f32[2..5,3], i64[2] = 100 3) {special_zero=false}", Unknown, true),
        ("Reshape-1(f32[?], i64[1] = 9223372036854775807) {special_zero=false}", Unknown, false),
        (
            "s = ShapeOf-1(f32[?,2]); m = Mod-1(s, i64[] = 1); a = Add-1(m, i64[2] = -5 3); AdaptiveAvgPool-8(f32[1,2,5,6], a)",
            Unknown,
            true,
        ),
        ("MVN-6(f32[2,3,4], i64[1] = 3) {eps=1 eps_mode=inside_sqrt normalize_variance=true}", NotCompiled, false),
        // The last 32 bits are -1.
        (
            "MVN-6(f32[2,3,4], i64[1] = 4323521617268310015) {eps=1 eps_mode=inside_sqrt normalize_variance=true}",
            MayNotCompile,
            false,
        ),
        (
            "c = Convert-1(i32[2] = 3 3) {destination_type=dynamic}; Reshape-1(f32[2..9,3], c) {special_zero=false}",
            Unknown,
            false,
        ),
        (
            "s = ShapeOf-3(f32[2..9,3]) {output_type=i32}; g = Gather-8(s, u1[1] = 1, i64[] = 0); \
             c = Convert-1(i32[1] = 3) {destination_type=dynamic}; m = Multiply-1(g, c); \
             Reshape-1(f32[2..9,3], m) {special_zero=false}",
            Unknown,
            false,
        ),
        ("Reshape-1(f32[?], i32[2] = 0 2147483647) {special_zero=true}", Unknown, false),
        ("c = Convert-1(f8e4m3[2] = 1 1) {destination_type=i64}; Broadcast-3(f32[5], c) {mode=numpy}", Unknown, true),
        ("c = Negative-1(u8[1] = 100); Split-1(f32[6], Squeeze-1(c)) {num_splits=1}", Unknown, true),
        ("c = Negative-1(i64[] = 100); Split-1(f32[6], c) {num_splits=1}", Rejects, false),
        ("m = Multiply-1(i64[1] = 1, i64[1] = -9223372036854775808); Tile-1(f32[3], m)", Rejects, false),
        ("Convolution-1(f32[3], f32[3,4,5]) {}", Unknown, true),
        (
            "s = ShapeOf-1(f32[3,4]); g = Gather-1(s, i64[1] = 0, f16[] = 0); Broadcast-3(f32[] = 1, g) {mode=numpy}",
            Unknown,
            false,
        ),
        ("Transpose-1(f32[2,3,4,5], nf4[4] = 0 0 0 0)", Unknown, false),
        ("Transpose-1(f32[2,3,4,5], u4[4] = 0 0 0 0)", Rejects, false),
        ("GroupConvolution-1(f32[3], f32[3,4,5,6]) {}", Unknown, true),
        ("Convolution-1(f32[3,4], f32[3,4,5]) {}", Rejects, false),
        ("Broadcast-3(f32[3], i64[2], dynamic[1] = 0) {mode=explicit}", Unknown, false),
        ("d = Divide-1(i64[1] = 4, i64[1] = 0); Broadcast-3(f32[] = 1, d) {mode=numpy}", Rejects, false),
        ("s = ShapeOf-1(f32[?]); d = Divide-1(s, i64[1] = 0); Broadcast-3(f32[] = 1, d) {mode=numpy}", Rejects, false),
        ("d = FloorMod-1(i64[1] = 4, i64[1] = 0); Broadcast-3(f32[] = 1, d) {mode=numpy}", Unknown, false),
        ("s = ShapeOf-1(f32[3..5]); d = Mod-1(s, i64[1] = 0); Broadcast-3(f32[] = 1, d) {mode=numpy}", Unknown, false),
        ("Slice-8(f32[10], i64[1] = 0, i64[1] = 5, i64[1] = 0)", Rejects, false),
        ("Transpose-1(f32[2,3], i64[2] = 0 0)", Rejects, false),
        ("Transpose-1(f32[...], i64[2] = 0 0)", Unknown, true),
        (
            "ROIAlign-3(f32[...], f32[5,4], i32[]) {pooled_h=2 pooled_w=2 sampling_ratio=0 spatial_scale=1 mode=avg}",
            Rejects,
            false,
        ),
        ("Squeeze-1(f32[1,2], i64[2,2])", Rejects, false),
        ("Squeeze-1(f32[1,2], i64[?,?])", Unknown, true),
        ("Slice-8(f32[...], i64[], i64[1], i64[1])", Unknown, true),
        ("Slice-8(f32[?,?], i64[], i64[1], i64[1])", Rejects, false),
        ("Concat-1(f64[1], f64[...]) {axis=-7}", Rejects, false),
        ("ScatterUpdate-3(f32[], i64[...], f32[...], i64[] = 5)", Unknown, true),
        ("Reshape-1(f32[...], i64[3] = 8 5 -100) {special_zero=false}", Rejects, false),
        ("LSTMCell-4(f32[?,?], f32[?,?], f32[?,?], f32[?,?], f32[20,5], f32[4]) {hidden_size=5}", Rejects, false),
        ("LSTMCell-4(f32[?,?], f32[?,?], f32[?,?], f32[?,?], f32[20,?], f32[4]) {hidden_size=5}", Unknown, true),
        ("DepthToSpace-1(f32[?,?,?,?]) {block_size=-1 mode=blocks_first}", Rejects, false),
        ("DepthToSpace-1(f32[...]) {block_size=-1 mode=blocks_first}", Unknown, false),
        ("MulticlassNms-8(f32[...], f32[...]) {keep_top_k=-7}", Rejects, false),
        ("Pad-1(f32[?,1,6], i64[2] = 0 1, i64[3] = 0 0 3)", Rejects, false),
        ("GatherND-8(f32[?,?], i64[2,3]) {batch_dims=0}", Rejects, false),
        ("Select-1(boolean[...], f32[2], f32[3]) {auto_broadcast=numpy}", Rejects, false),
        ("ISTFT-16(f32[...], f32[16], i64[] = 16, i64[] = 0)", Rejects, false),
        ("FakeQuantize-1(f32[1,1,2], f32[...], f32[4,1,1,4], f32[], f32[])", Unknown, true),
        ("FakeQuantize-1(f32[?,?,?,?], f32[1,1,2], f32[4,1,1,4], f32[], f32[])", Rejects, false),
        ("ExperimentalDetectronTopKROIs-6(f32[9,4], f32[9]) {max_rois=-1}", Accepts, false),
        ("Gather-8(f32[3,4], i64[2], i64[2..5,2..5]) {batch_dims=0}", Unknown, true),
        ("Gather-8(f32[2,3], i64[...], i64[]) {batch_dims=3}", Unknown, false),
        (
            "DeformableConvolution-8(f32[...], f32[2,2,5,5], f32[...], f32[3,1,5,5]) {strides=1,1 dilations=1,1 pads_begin=0,0 pads_end=0,0 auto_pad=explicit group=1 deformable_group=1}",
            Unknown,
            true,
        ),
        (
            "DeformableConvolution-8(f32[2,4,5,5], f32[2,2,5,5], f32[4,4,1,1], f32[3,1,5,5]) {strides=1,1 dilations=1,1 pads_begin=0,0 pads_end=0,0 auto_pad=explicit group=1 deformable_group=1}",
            Rejects,
            false,
        ),
        ("STFT-15(f32[1], f32[...], i64[] = 2, i64[]) {transpose_frames=false}", Unknown, true),
        ("STFT-15(f32[?,1], f32[...], i64[] = 2, i64[] = 1) {transpose_frames=false}", Rejects, false),
        ("STFT-15(f32[?], f32[3], i64[] = 2, i64[]) {transpose_frames=false}", Unknown, true),
        (
            "ScatterElementsUpdate-12(f32[2,3], i64[1,2], f32[1,2], i64[2] = 0 0) {reduction=max use_init_val=false}",
            Accepts,
            false,
        ),
        (
            "ScatterElementsUpdate-12(f32[...], i64[1,2], f32[...], i64[2]) {reduction=max use_init_val=false}",
            Accepts,
            false,
        ),
        ("ScatterElementsUpdate-3(f32[], i64[...], f32[1], i64[1] = 0)", Unknown, true),
        ("GatherND-8(f32[?], i64[4,2..5]) {batch_dims=0}", Unknown, true),
        ("GatherND-8(f32[?], i64[4,2]) {batch_dims=0}", Rejects, false),
        ("SliceScatter-15(f32[4,6], f32[4,5], i64[1] = 13, i64[1], i64[1] = 1, i64[1] = 1)", Unknown, true),
        ("SliceScatter-15(f32[4,6], f32[4,5], i64[1] = 13, i64[1] = 5, i64[1] = 1, i64[1] = 1)", Rejects, false),
        ("VariadicSplit-1(f32[7], i64[], i64[2] = 4 4)", Unknown, false),
        ("VariadicSplit-1(f32[7], i64[] = 0, i64[2] = 4 4)", Rejects, false),
        ("Split-1(f32[7], i64[]) {num_splits=2}", Unknown, false),
        (
            "g = Gather-8(ShapeOf-3(f32[?,?,?]) {output_type=i64}, i64[] = -1, i64[] = 0) {batch_dims=0}; \
             a = Subtract-1(g, i64[] = 5) {auto_broadcast=numpy}; VariadicSplit-1(f32[7], a, i64[2] = 4 4)",
            Unknown,
            true,
        ),
        (
            "g = Gather-8(ShapeOf-3(f32[?,?,?]) {output_type=i64}, i64[] = -1, i64[] = 0) {batch_dims=0}; \
             a = Subtract-1(g, i64[] = 5) {auto_broadcast=numpy}; Split-1(f32[7], a) {num_splits=2}",
            Unknown,
            true,
        ),
        ("Einsum-7(f32[4,4], f32[...], f32[4]) {equation=a...,b...,cd->...abcd}", Unknown, true),
        ("Einsum-7(f32[3], f32[...], f32[4]) {equation=a,b,cd->abcd}", Rejects, false),
        (
            "DeformableConvolution-8(f32[...], f32[...], f32[...], f32[?,3,?,?]) {strides=1,1 dilations=1,1 pads_begin=0,0 pads_end=0,0 auto_pad=explicit group=1 deformable_group=2}",
            Rejects,
            false,
        ),
        (
            "DetectionOutput-8(f32[...], f32[...], f32[...], f32[2,7], f32[...]) {background_label_id=0 top_k=5 variance_encoded_in_target=true keep_top_k=-1 code_type=caffe.PriorBoxParameter.CORNER share_location=true nms_threshold=0.4 normalized=true}",
            Rejects,
            false,
        ),
        ("ISTFT-16(f32[...], f32[17], i64[] = 16, i64[] = 4) {center=false normalized=false}", Rejects, false),
        (
            "s = ShapeOf-3(f32[]) {output_type=i64}; g = Gather-8(s, i64[] = 0, i64[] = 0) {batch_dims=0}; \
             a = Subtract-1(g, i64[] = 4) {auto_broadcast=numpy}; Split-1(f32[?,?], a) {num_splits=1}",
            Rejects,
            false,
        ),
        (
            "GenerateProposals-9(f32[8,3], f32[...], f32[...], f32[7,3,5,8]) {min_size=0 nms_threshold=0.7 pre_nms_count=9 post_nms_count=9}",
            Unknown,
            true,
        ),
        (
            "GenerateProposals-9(f32[8,3], f32[...], f32[7,12,5,8], f32[?,3,5,8]) {min_size=0 nms_threshold=0.7 pre_nms_count=9 post_nms_count=9}",
            Rejects,
            false,
        ),
        (
            "DetectionOutput-8(f32[...], f32[2,12], f32[...], f32[...], f32[3,16]) {background_label_id=0 top_k=5 variance_encoded_in_target=true keep_top_k=-1 code_type=caffe.PriorBoxParameter.CORNER share_location=true nms_threshold=0.4 normalized=true}",
            Unknown,
            true,
        ),
        (
            "DetectionOutput-8(f32[2,16], f32[...], f32[...], f32[...], f32[3,16]) {background_label_id=0 top_k=5 variance_encoded_in_target=true keep_top_k=-1 code_type=caffe.PriorBoxParameter.CORNER share_location=true nms_threshold=0.4 normalized=true}",
            Rejects,
            false,
        ),
        (
            "DetectionOutput-8(f32[...], f32[...], f32[3,1,16], f32[2,8], f32[2,16]) {background_label_id=0 top_k=5 variance_encoded_in_target=true keep_top_k=-1 code_type=caffe.PriorBoxParameter.CORNER share_location=true nms_threshold=0.4 normalized=true}",
            Unknown,
            true,
        ),
        (
            "DetectionOutput-8(f32[...], f32[2,12], f32[3,1,16]) {background_label_id=0 top_k=5 variance_encoded_in_target=true keep_top_k=-1 code_type=caffe.PriorBoxParameter.CORNER share_location=true nms_threshold=0.4 normalized=true}",
            Rejects,
            false,
        ),
        (
            "DetectionOutput-8(f32[2,16], f32[2,7], f32[...]) {background_label_id=0 top_k=5 variance_encoded_in_target=true keep_top_k=-1 code_type=caffe.PriorBoxParameter.CORNER share_location=true nms_threshold=0.4 normalized=true}",
            Unknown,
            true,
        ),
        (
            "DetectionOutput-8(f32[...], f32[2,7], f32[1,1,16]) {background_label_id=0 top_k=5 variance_encoded_in_target=true keep_top_k=-1 code_type=caffe.PriorBoxParameter.CORNER share_location=true nms_threshold=0.4 normalized=true}",
            Rejects,
            false,
        ),
        (
            "DeformableConvolution-8(f32[?,?,?,?], f32[1,12,9,7], f32[1,4,3,1], f32[1,6,9,11]) {strides=1,1 dilations=1,1 pads_begin=1,1 pads_end=1,0 auto_pad=explicit group=1 deformable_group=2}",
            Unknown,
            true,
        ),
        ("FakeConvert-13(f32[4,4], f32[?,?], f32[4,7]) {destination_type=f8e5m2}", Unknown, true),
        ("FakeConvert-13(f32[4,4], f32[4,7], f32[4,?]) {destination_type=f8e5m2}", Rejects, false),
        ("ScatterNDUpdate-15(f32[?], i64[2..5], f32[]) {reduction=none}", Unknown, true),
        ("Gather-8(f32[], i64[...], i64[] = 0) {batch_dims=0}", Unknown, true),
        ("Gather-8(f32[], i64[?], i64[] = 0) {batch_dims=0}", Rejects, false),
        ("MatMul-1(f32[], f32[...]) {transpose_a=false transpose_b=false}", Unknown, true),
        ("ISTFT-16(f32[...], f32[16], i64[] = 16, i64[] = 4, i64[2]) {center=false normalized=false}", Unknown, true),
        (
            "ISTFT-16(f32[9,?,2], f32[16], i64[] = 16, i64[] = 4, i64[2]) {center=false normalized=false}",
            Rejects,
            false,
        ),
        (
            "StridedSlice-1(f32[?], i64[2..5], i64[1], i64[1]) {begin_mask=0 end_mask=0 new_axis_mask=0 shrink_axis_mask=0 ellipsis_mask=0}",
            Unknown,
            true,
        ),
        (
            "StridedSlice-1(f32[?], i64[1], i64[1], i64[2]) {begin_mask=0 end_mask=0 new_axis_mask=0 shrink_axis_mask=0 ellipsis_mask=0}",
            Unknown,
            true,
        ),
        (
            "StridedSlice-1(f32[?], i64[1], i64[1], i64[2] = 1 1) {begin_mask=0 end_mask=0 new_axis_mask=0 shrink_axis_mask=0 ellipsis_mask=0}",
            Rejects,
            false,
        ),
        ("Broadcast-3(f32[6..8], i64[1] = 5) {mode=numpy}", Unknown, true),
        ("Broadcast-3(f32[6..8], i64[1] = 5) {mode=bidirectional}", Rejects, false),
        (
            "GenerateProposals-9(f32[8,3], f32[5,8,3,4], f32[8,13,5,8], f32[...]) {min_size=0 nms_threshold=0.7 pre_nms_count=9 post_nms_count=9}",
            Unknown,
            true,
        ),
        (
            "GenerateProposals-9(f32[8,3], f32[5,8,?,4], f32[8,13,5,8], f32[8,3,5,8]) {min_size=0 nms_threshold=0.7 pre_nms_count=9 post_nms_count=9}",
            Rejects,
            false,
        ),
        (
            "GenerateProposals-9(f32[8,3], f32[5,8,3,4], f32[7,12,5,8], f32[...]) {min_size=0 nms_threshold=0.7 pre_nms_count=9 post_nms_count=9}",
            Unknown,
            true,
        ),
        (
            "GenerateProposals-9(f32[8,3], f32[5,8,3,4], f32[7,12,5,8], f32[7,?,5,8]) {min_size=0 nms_threshold=0.7 pre_nms_count=9 post_nms_count=9}",
            Rejects,
            false,
        ),
        ("Gather-8(f32[2,3], i64[2,3,4,5], i64[]) {batch_dims=3}", Rejects, false),
        ("HardSigmoid-1(f32[3], f32[2..5], f32[] = 1)", Unknown, true),
        ("HardSigmoid-1(f32[3], f32[2], f32[] = 1)", Rejects, false),
        ("Pad-12(f32[2,3,4,5], i64[1], i64[4], f32[] = 0) {pad_mode=constant}", Unknown, true),
        ("Split-1(f32[6,12], i64[] = 1) {num_splits=100000}", Rejects, false),
        (
            "b = Convert-1(i64[] = 1) {destination_type=boolean}; VariadicSplit-1(f32[6,12], b, i64[1] = 12)",
            Rejects,
            false,
        ),
        ("Add-1(f32[1,1], f32[5,2..8]) {auto_broadcast=pdpd}", Rejects, false),
        ("Add-1(f32[1,1], f32[2..8,2..8]) {auto_broadcast=pdpd}", Accepts, false),
        (
            "AvgPool-16(f32[1,3,8,8]) {strides=1,1 pads_begin=0,0 pads_end=0,0 kernel=2,2 rounding_type=floor \
             exclude-pad=true auto_pad=explicit}",
            NotCompiled,
            false,
        ),
        ("Range-4(i64[] = 1, i64[] = 3, i64[] = 1)", NotCompiled, false),
        ("Range-4(i64[] = 1, i64[] = 3, i64[] = 1) {output_type=dynamic}", NotCompiled, false),
        ("r = Range-4(i64[] = 1, i64[] = 3, i64[] = 1); Broadcast-3(f32[] = 1, r) {mode=numpy}", Unknown, false),
        ("Range-4(i64[] = 1, i64[], i64[] = 1)", Unknown, false),
        // Only the shape of the Convert is wanted.
        ("c = Convert-1(f32[2]); ShapeOf-3(c) {output_type=i64}", MayNotCompile, false),
        (
            "AvgPool-1(f32[1,3,9,8]) {kernel=\"2,2\" strides=\"2,2\" pads_begin=\"2,0\" pads_end=\"0,0\" exclude-pad=true}",
            Rejects,
            false,
        ),
        (
            "AvgPool-1(f32[1,3,?,8]) {kernel=\"2,2\" strides=\"2,2\" pads_begin=\"2,0\" pads_end=\"0,0\" exclude-pad=true}",
            Unknown,
            false,
        ),
        ("SoftMax-1(f32[2,3]) {axis=-2}", Rejects, false),
        ("SoftMax-1(f32[...]) {axis=-2}", Unknown, false),
        ("GatherND-8(f32[2,3], i64[...]) {batch_dims=-1}", Rejects, false),
        ("GatherND-8(f32[...], i64[...]) {batch_dims=-1}", Unknown, false),
        ("SpaceToBatch-2(f32[2,6,3], i64[2] = 1 1, i64[2] = 0 0, i64[2] = 0 0)", Unknown, false),
        ("SpaceToBatch-2(f32[2,6,3], i64[2] = 1 1, i64[3] = 0 0 0, i64[3] = 0 0 0)", Rejects, false),
        ("BatchToSpace-2(f32[2,6,3], i64[2] = 1 1, i64[2] = 0 0, i64[2] = 0 0)", Rejects, false),
        ("RNNCell-1(f32[4,4], f32[4,4], f32[4,..3], f32[4,4], f32[4]) {hidden_size=4}", MayNotCompile, false),
        ("RNNCell-1(f32[4,4], f32[4,4], f32[4,3], f32[4,4], f32[4]) {hidden_size=4}", NotCompiled, false),
        ("c = Convert-1(u8[2,3]); m = Multiply-1(c, f32[] = 1); MatMul-1(f32[2,2], m) {}", NotCompiled, false),
        (
            "c = Convert-1(u8[2,3] = 1 2 3 4 5 6); m = Multiply-1(c, f32[] = 1); MatMul-1(f32[2,2], m) {}",
            MayNotCompile,
            false,
        ),
        ("s = ShapeOf-1(f32[...]); c = Convert-1(s); Reshape-1(f32[2], c) {special_zero=true}", Unknown, false),
        // Of exact numbers, OpenVINO evaluates what it cannot bound.
        ("s = ShapeOf-1(f32[4]); m = FloorMod-1(s, i64[1] = 3); n = Negative-1(m); Tile-1(f32[3], n)", Rejects, false),
        ("m = Sign-1(i64[1] = -5); Broadcast-3(f32[1], m) {mode=bidirectional}", Rejects, false),
        ("SpaceToBatch-2(f32[2,6], i64[2] = 1 0, i64[2] = 0 0, i64[2] = 0 0)", Rejects, false),
        ("SpaceToBatch-2(f32[2,6], i64[2] = 0 1, i64[2] = 0 0, i64[2] = 0 0)", Unknown, false),
        ("Eye-9(i64[] = 1, i64[] = 1, i64[] = 0)", NotCompiled, false),
        ("Convert-1(f32[2])", NotCompiled, false),
        ("c = Convert-1(i64[2]); Reshape-1(f32[3,2], c) {special_zero=false}", Unknown, false),
        ("c = Convert-1(i64[2] = 2 3); Reshape-1(f32[3,2], c) {special_zero=false}", Unknown, false),
        (
            "c = Convert-1(i64[1] = 1); l = Less-1(c, i64[1] = 5) {auto_broadcast=numpy}; i = Convert-1(l) {destination_type=i64}; GatherElements-6(f32[3], i) {axis=0}",
            Unknown,
            false,
        ),
        ("s = ShapeOf-1(f32[2,?]); c = Convert-1(s); Broadcast-3(f32[] = 1, c) {mode=numpy}", Unknown, false),
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
            Unknown,
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
        (
            "Col2Im-15(f32[1,12,16], i64[2] = 5 5, i64[2] = 2 2) {strides=0,1 dilations=1,1 pads_begin=0,0 pads_end=0,0}",
            Rejects,
            false,
        ),
        (
            "Col2Im-15(f32[1,12,16], i64[2], i64[2] = 2 2) {strides=0,1 dilations=1,1 pads_begin=0,0 pads_end=0,0}",
            Unknown,
            false,
        ),
        (
            "ConvolutionBackpropData-1(f32[1,4,6,8], f32[4,1,3,2]) {strides=1,3 dilations=1,1 pads_begin=100,0 \
             pads_end=0,1 auto_pad=explicit output_padding=1,1}",
            Unknown,
            false,
        ),
        (
            "ConvolutionBackpropData-1(f32[1,3,5,5], f32[3,4,2,2], i64[?]) {strides=1,1 dilations=1,1 pads_begin=0,0 \
             pads_end=0,0 auto_pad=same_upper output_padding=0,0}",
            Rejects,
            false,
        ),
        (
            "ConvolutionBackpropData-1(f32[1,3,5,5], f32[3,4,2,2], i64[...]) {strides=1,1 dilations=1,1 pads_begin=0,0 \
             pads_end=0,0 auto_pad=same_upper output_padding=0,0}",
            Unknown,
            false,
        ),
        (
            "Interpolate-1(f32[1,2,5,6], i64[] = 3) {axes=2,3 mode=nearest align_corners=false antialias=false}",
            Unknown,
            false,
        ),
        (
            "Interpolate-1(f32[1,2,5,6], i64[1] = 3) {axes=2,3 mode=nearest align_corners=false antialias=false}",
            Unknown,
            false,
        ),
        // Ranks and the value at fault suffice, unless a list is of unknown length or values are worked out.
        (
            "n = ShapeOf-3(f32[?,2]) {output_type=i64}; g = Gather-8(n, i64[1] = 0, i64[] = 0); \
             Concat-1(g, i64[1] = 3) {axis=2}",
            Rejects,
            false,
        ),
        ("Gather-8(f32[?,2], i64[?], i64[2] = 0 1)", Rejects, false),
        ("GatherElements-6(f32[?,2], i64[1,2,2]) {axis=0}", Rejects, false),
        ("Reshape-1(f32[?,3,2,2], i64[1,2] = 1 12) {special_zero=false}", Rejects, false),
        ("Reshape-1(f32[?,64], i64[2] = -2 3) {special_zero=false}", Rejects, false),
        ("Slice-8(f32[..10,1], i64[1] = 0, i64[1] = 5, i64[1] = 0, i64[1] = 0)", Rejects, false),
        ("Add-1(f32[2305843009213693952,1], f32[3,?]) {auto_broadcast=none}", Rejects, false),
        ("Maximum-1(f32[?], f32[?,2]) {auto_broadcast=pdpd}", Rejects, false),
        ("Transpose-1(f32[?,?], i64[3])", Rejects, false),
        ("c = Concat-1(i64[1], i64[1] = 1) {axis=0}; Transpose-1(f32[], c)", Rejects, false),
        ("c = Concat-1(i64[1], i64[1] = 1) {axis=0}; Transpose-1(f32[?,3,4], c)", Rejects, false),
        (
            "s = ShapeOf-3(f32[?,2]); g = Gather-8(s, i64[] = 0, i64[] = 0) {batch_dims=0}; \
             Reshape-1(g, i64[1] = 0) {special_zero=true}",
            Rejects,
            false,
        ),
        ("Einsum-7(f32[2,3], f32[...]) {equation=ij,jk,kl->il}", Rejects, false),
        ("Einsum-7(f32[2,3], f32[3,4]) {equation=ij,jk,->ik}", Rejects, false),
        ("Range-4(f32[2], f32[...], f32[]) {output_type=f32}", Rejects, false),
        ("Pad-1(f32[?], i64[3..], i64[1] = 0, f32[]) {pad_mode=constant}", Unknown, true),
        ("Squeeze-1(f32[?,?], u64[?,?])", Unknown, true),
        ("VariadicSplit-1(f32[?,5], i64[] = 1, i64[3,?])", Unknown, true),
        (
            "c = Convert-1(i64[] = 1) {destination_type=f4e2m1}; VariadicSplit-1(f32[6,12], c, i64[2] = -1 -1)",
            Unknown,
            true,
        ),
        ("OneHot-1(i64[?], i64[] = 3, f32[?], f32[]) {axis=0}", Unknown, true),
    ];
    for (index, (text, runtime, is_late)) in rows.into_iter().enumerate() {
        let graph = graph(text, 1);
        let name = format!("{index:03}.{}", runtime.name());
        show_openvino("OVLINT_VERDICTS", &name, graph.xml.as_bytes(), &graph.weights);
        let (xml, weights) = (graph.xml.into_bytes(), Weights::in_memory(graph.weights));
        let model = Model::from_bytes("m.xml", xml, weights, &Options::default()).unwrap();
        let errors: Vec<_> = model.findings().iter().filter(|one| one.severity == Severity::Error).collect();
        assert_eq!(errors.iter().map(|one| one.runtime).collect::<Vec<_>>(), [runtime], "{text}: {errors:?}");
        let is_told = crate::notes(errors[0])
            .iter()
            .any(|note| note == "OpenVINO 2026.4 reads this file, but compile_model fails");
        assert_eq!(is_told, runtime == NotCompiled, "{text}");
        let is_told = crate::notes(errors[0]).iter().any(|note| note.contains("at the latest when it runs"));
        assert_eq!(is_told, is_late, "{text}");
        let reads = crate::notes(errors[0])
            .iter()
            .any(|note| note.starts_with("OpenVINO reads -1 as any length") || note.contains("less than -1 as 0"));
        assert_eq!(reads, runtime == Accepts && errors[0].message.shown().contains("0 or more"), "{text}");
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
fn what_is_computed_in_less_than_a_byte_may_be_rejected() {
    let runtime = |ty: &str| {
        let axes = format!("c = Concat-1({ty}[1] = 1, {ty}[1] = 0) {{axis=0}};");
        let graph = graph(&format!("{axes} ReduceMin-1(f32[2,3], c) {{keep_dims=true}}"), 1);
        let (xml, weights) = (graph.xml.into_bytes(), Weights::in_memory(graph.weights));
        let model = Model::from_bytes("m.xml", xml, weights, &Options::default()).unwrap();
        model.findings().iter().find(|one| one.rule.name == "index-type").map(|one| one.runtime)
    };
    assert_eq!(["i4", "u1", "i8"].map(runtime), [Some(Runtime::Unknown), Some(Runtime::Unknown), None]);
}

#[test]
fn what_openvino_rejects_is_found_behind_what_it_accepts() {
    use Runtime::{Accepts, Rejects, Unknown};
    let open = verdicts("SparseFillEmptyRows-16(f32[1], i64[2] = 1 -1, i64[1,2] = 1 0, f32[])");
    assert_eq!(open.0, [("input-value", Accepts), ("input-value", Unknown)]);
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
    use Runtime::{Rejects, Unknown};
    let read = "r = ReadValue-6(f32[2,3]) {variable_id=a variable_type=f32 variable_shape=\"2,?\"};";
    let apart = format!("{read} a = Assign-6(f32[5,3]) {{variable_id=a}}; r");
    assert_eq!(verdicts(&apart), (vec![("shape-conflict", Unknown)], vec!["shape-conflict"]));
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

/// Measured over all operations with optional inputs: six may be read without an edge to the last of them.
#[test]
fn an_optional_input_with_a_port_wants_an_edge() {
    let port = |id: u32| format!("<port id='{id}' precision='I64'><dim>2</dim></port>");
    let without_edge = |ty: &str, version: &str, inputs: u32, data: &str| {
        let parameter = |id: u32| {
            format!(
                "<layer id='{id}' name='p{id}' type='Parameter' version='opset1'><data shape='2' element_type='i64'/>\
                 <output>{}</output></layer>",
                port(0)
            )
        };
        let ports: String = (0..inputs).map(port).collect();
        let layers: String = (0..inputs - 1).map(parameter).collect();
        let layers = format!(
            "{layers}<layer id='8' name='l' type='{ty}' version='{version}'>{data}<input>{ports}</input><output>{}\
             </output></layer><layer id='9' name='r' type='Result' version='opset1'><input>{}</input></layer>",
            port(9),
            port(0)
        );
        let edge = |id: u32| format!("<edge from-layer='{id}' from-port='0' to-layer='8' to-port='{id}'/>");
        let edges: String = (0..inputs - 1).map(edge).collect();
        let last = "<edge from-layer='8' from-port='9' to-layer='9' to-port='0'/>";
        runtime_of("input-not-connected", 11, &layers, &format!("{edges}{last}"))
    };
    assert_eq!(without_edge("Squeeze", "opset1", 2, ""), Runtime::Rejects);
    assert_eq!(without_edge("Unique", "opset10", 2, ""), Runtime::Rejects);
    assert_eq!(without_edge("Pad", "opset1", 4, "<data pad_mode='constant'/>"), Runtime::Unknown);
    assert_eq!(without_edge("StridedSlice", "opset1", 4, "<data begin_mask='' end_mask=''/>"), Runtime::Unknown);
}

/// Measured in all operations: a Result counts its inputs, and others of IR version 10 may not.
#[test]
fn a_result_of_version_10_has_one_input() {
    let port = |id: u32| format!("<port id='{id}' precision='FP32'><dim>2</dim></port>");
    let layers = format!(
        "<layer id='0' name='x' type='Parameter' version='opset1'><data shape='2' element_type='f32'/><output>{0}</output>\
         </layer><layer id='1' name='r' type='Result' version='opset1'><input>{0}{1}</input></layer>",
        port(0),
        port(1)
    );
    let edge = |port: u32| format!("<edge from-layer='0' from-port='0' to-layer='1' to-port='{port}'/>");
    let found = |edges: &str| runtime_of("wrong-input-count", 10, &layers, edges);
    assert_eq!(found(&(edge(0) + &edge(1))), Runtime::Rejects);
    assert_eq!(found(&edge(0)), Runtime::Accepts);
}

#[test]
fn the_greatest_number_is_no_bound() {
    let repeats = "s = ShapeOf-3(f32[?,5]) {output_type=i32}; a = Add-1(s, i32[2] = 1 2147483647)";
    assert_eq!(verdicts(&format!("{repeats}; Tile-1(f32[3,3], a)")).0, [("input-value", Runtime::Unknown)]);
}

#[test]
fn all_layers_that_an_edge_without_a_source_leads_to_count() {
    let layer = |id: u32, ty: &str, input: u32, output: Option<u32>| {
        let port = |id: u32| format!("<port id='{id}' precision='FP32'><dim>2</dim></port>");
        let output = output.map(|id| format!("<output>{}</output>", port(id))).unwrap_or_default();
        format!(
            "<layer id='{id}' name='{ty}{input}' type='{ty}' version='opset1'><input>{}</input>{output}</layer>",
            port(input)
        )
    };
    let parameter = "<layer id='0' name='p' type='Parameter' version='opset1'><data shape='2' element_type='f32'/><output>\
                     <port id='0' precision='FP32'><dim>2</dim></port></output></layer>";
    let verdict = |targets: &[u32]| {
        // What the first ReLU gave is missed by the second, which leads nowhere, and by a Result.
        let rest = [layer(1, "ReLU", 0, Some(1)), layer(2, "ReLU", 0, Some(1)), layer(4, "Result", 0, None)].concat();
        let layers = format!("{parameter}{rest}{}", layer(1, "Result", 7, None).replace("id='7'", "id='0'"));
        let edges =
            targets.iter().map(|to| format!("<edge from-layer='1' from-port='1' to-layer='{to}' to-port='0'/>"));
        let edges = edges.collect::<String>() + "<edge from-layer='0' from-port='0' to-layer='1' to-port='0'/>";
        runtime_of("duplicate-layer-id", 11, &layers, &edges)
    };
    assert_eq!([verdict(&[2, 4]), verdict(&[4])], [Runtime::Rejects, Runtime::Rejects]);
}

#[test]
fn a_lost_result_is_rejected_where_the_other_gets_no_edge_or_two() {
    assert_eq!(lost_layer(&[(0, 5)]), Runtime::Accepts);
    assert_eq!(lost_layer(&[(0, 5), (1, 6)]), Runtime::Accepts, "no layer has id 6");
    assert_eq!(lost_layer(&[(0, 5), (1, 5)]), Runtime::Rejects);
    assert_eq!(lost_layer(&[(0, 6), (1, 7)]), Runtime::Rejects);
}

/// OpenVINO builds the layer that keeps the id twice. In version 10 no two inputs may have one name.
#[test]
fn a_parameter_with_the_id_of_another_is_rejected_in_version_10() {
    let verdict = |version, lost: &str, name: &str| {
        let layer = |ty: &str, name: &str| {
            format!(
                "<layer id='1' name='{name}' type='{ty}' version='opset1'><data shape='2' element_type='f32' offset='0' \
                 size='8'/><output><port id='0' precision='FP32'><dim>2</dim></port></output></layer>"
            )
        };
        let result = "<layer id='3' name='r' type='Result' version='opset1'><input><port id='0' precision='FP32'>\
                      <dim>2</dim></port></input></layer>";
        let layers = [&layer(lost, "a"), &layer("Parameter", name), result].concat();
        let edge = "<edge from-layer='1' from-port='0' to-layer='3' to-port='0'/>";
        runtime_of("duplicate-layer-id", version, &layers, edge)
    };
    assert_eq!(verdict(10, "Parameter", "b"), Runtime::Rejects);
    assert_eq!(verdict(10, "Parameter", "a"), Runtime::Rejects);
    assert_eq!(verdict(11, "Parameter", "b"), Runtime::Accepts);
    // The ids of two kinds of layers.
    assert_eq!(verdict(10, "Const", "b"), Runtime::Unknown);
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

/// What is said of a `PriorBox` of this version with inputs of these kinds and types.
fn boxes(version: u8, kinds: [char; 2], types: [&str; 2]) -> Option<Runtime> {
    let mut ir = Ir::default();
    let inputs = [0, 1].map(|i| match kinds[i] {
        'c' => ir.constant(types[i], &[2], &[2.0, 2.0]),
        'p' => ir.parameter(types[i], "2"),
        kind @ ('v' | 'n') => {
            let constant = match kind {
                'v' => ir.constant("u64", &[2], &[2.0, 2.0]),
                _ => ir.constant_of_bytes("nf4", &[2], &[0xff]),
            };
            ir.layer("Convert", "opset1", &format!("<data destination_type=\"{}\"/>", types[i]), &[constant], 1)
        }
        shape => {
            let input = ir.parameter("f32", if shape == 's' { "2,2" } else { "?,2" });
            ir.layer("ShapeOf", "opset3", &format!("<data output_type=\"{}\"/>", types[i]), &[input], 1)
        }
    });
    let boxes = ir.layer("PriorBox", "opset8", "<data min_size=\"1\" variance=\"0.1\"/>", &inputs, 1);
    ir.result(boxes);
    let (xml, weights) = ir.finish();
    let text = String::from_utf8_lossy(&xml).replacen("version=\"11\"", &format!("version=\"{version}\""), 1);
    let model =
        Model::from_bytes("m.xml", text.into_bytes(), Weights::in_memory(weights), &Options::default()).unwrap();
    let mut findings = model.findings().iter().filter(|finding| finding.rule.name == "type-conflict");
    let found = findings.next().map(|finding| finding.runtime);
    assert!(findings.next().is_none());
    found
}

#[test]
fn constant_sizes_of_prior_boxes_have_types_of_equally_many_bits() {
    use Runtime::{NotCompiled, Rejects, Unknown};
    for kinds in [['c', 'c'], ['c', 'v'], ['v', 'c']] {
        for types in [["i64", "i32"], ["i32", "i64"], ["i8", "i4"], ["u16", "u8"]] {
            assert_eq!([10, 11].map(|version| boxes(version, kinds, types)), [Some(Rejects), Some(NotCompiled)]);
        }
    }
    for kinds in [['c', 's'], ['s', 'v'], ['s', 's']] {
        assert_eq!([10, 11].map(|version| boxes(version, kinds, ["i64", "i32"])), [Some(NotCompiled); 2]);
    }
    assert_eq!([10, 11].map(|version| boxes(version, ['c', 'c'], ["i4", "i32"])), [Some(Unknown); 2], "i4 is misread");
    assert_eq!([10, 11].map(|version| boxes(version, ['c', 'n'], ["i64", "i32"])), [Some(NotCompiled); 2]);
    let allowed = [
        (['c', 'c'], ["i64", "i64"]),
        (['c', 'c'], ["i64", "u64"]),
        (['c', 'c'], ["u8", "i8"]),
        (['c', 'c'], ["u4", "i8"]),
        (['p', 'c'], ["i64", "i32"]),
        (['c', 'p'], ["i64", "i32"]),
        (['c', 'd'], ["i64", "i32"]),
        (['d', 'd'], ["i64", "i32"]),
    ];
    for (kinds, types) in allowed {
        assert_eq!([10, 11].map(|version| boxes(version, kinds, types)), [None; 2], "{kinds:?} {types:?}");
    }
}

/// A net of version 11 with a part that works, and these layers and edges beside it.
fn beside_what_works(layers: &str, edges: &str) -> Model {
    let port = |id: u32| format!("<port id='{id}' precision='FP32'><dim>6</dim><dim>12</dim></port>");
    let xml = format!(
        "<net name='m' version='11'><layers>\
         <layer id='0' name='x' type='Parameter' version='opset1'><data shape='6,12' element_type='f32'/>\
         <output>{0}</output></layer>\
         <layer id='1' name='y' type='ReLU' version='opset1'><input>{0}</input><output>{1}</output></layer>\
         <layer id='2' name='z' type='Result' version='opset1'><input>{0}</input></layer>{layers}</layers><edges>\
         <edge from-layer='0' from-port='0' to-layer='1' to-port='0'/>\
         <edge from-layer='1' from-port='1' to-layer='2' to-port='0'/>{edges}</edges></net>",
        port(0),
        port(1)
    );
    let weights = Weights::in_memory(vec![1, 0, 0, 0, 0, 0, 0, 0]);
    Model::from_bytes("m.xml", xml.into_bytes(), weights, &Options::default()).unwrap()
}

/// Whether any finding says that OpenVINO rejects the file, and whether there is an error or a warning.
fn promise(model: &Model) -> (bool, bool) {
    let speaks = |finding: &ovlint::internal::diagnostic::Diagnostic| finding.severity > Severity::Info;
    (model.findings().iter().any(|one| one.runtime == Runtime::Rejects), model.findings().iter().any(speaks))
}

/// A Split that OpenVINO refuses if it builds it, and the layer 12, to which its first output leads.
fn leads_to(layer: &str, to_layer: u32, to_port: u32) -> bool {
    let outputs: String = (2..7).fold(String::new(), |all, id| all + &format!("<port id='{id}' precision='FP32'/>"));
    let layers = format!(
        "<layer id='10' name='axis' type='Const' version='opset1'>\
         <data element_type='i64' shape='' offset='0' size='8'/><output><port id='0' precision='I64'/></output></layer>\
         <layer id='11' name='split' type='Split' version='opset1'><data num_splits='5'/><input>\
         <port id='0' precision='FP32'/><port id='1' precision='I64'/></input><output>{outputs}</output></layer>{layer}"
    );
    let edges = format!(
        "<edge from-layer='0' from-port='0' to-layer='11' to-port='0'/>\
         <edge from-layer='10' from-port='0' to-layer='11' to-port='1'/>\
         <edge from-layer='11' from-port='2' to-layer='{to_layer}' to-port='{to_port}'/>"
    );
    let (rejects, speaks) = promise(&beside_what_works(&layers, &edges));
    assert!(speaks, "{layer}");
    rejects
}

#[test]
fn a_file_is_rejected_for_what_leads_to_a_result_an_assign_or_a_parameter() {
    let layer = |ty: &str, data: &str, output: &str| {
        format!(
            "<layer id='12' name='end' type='{ty}' version='opset6'>{data}<input><port id='0' precision='FP32'/></input>\
             {output}</layer>"
        )
    };
    let output = "<output><port id='1' precision='FP32'/></output>";
    assert!(leads_to(&layer("Result", "", ""), 12, 0));
    assert!(leads_to(&layer("Assign", "<data variable_id='a'/>", ""), 12, 0));
    assert!(leads_to(&layer("Parameter", "<data shape='6,12' element_type='f32'/>", output), 12, 0));
    assert!(!leads_to(&layer("ReLU", "", output), 12, 0));
    assert!(!leads_to(&layer("ReLU", "", output), 12, 5), "no layer that is built lacks the port");
    assert!(!leads_to(&layer("result", "", ""), 12, 0));
    assert!(!leads_to(&layer("Resul", "", ""), 12, 0));
    assert!(!leads_to("", 99, 0), "no such layer");
}

/// OpenVINO 2026.4.1 creates the Softmax before it looks for layer 99.
#[test]
fn what_leads_to_a_result_through_a_missing_layer_is_built() {
    let port = |id: u32| format!("<port id='{id}' precision='FP32'><dim>6</dim><dim>12</dim></port>");
    let layers = format!(
        "<layer id='11' name='bad' type='SoftMax' version='opset1'><data axis='9'/><input>{0}</input>\
         <output>{1}</output></layer>\
         <layer id='12' name='end' type='Result' version='opset1'><input>{0}</input></layer>",
        port(0),
        port(1)
    );
    let verdict = |end: &str| {
        let edges = format!(
            "<edge from-layer='0' from-port='0' to-layer='11' to-port='0'/>\
             <edge from-layer='11' from-port='1' to-layer='99' to-port='0'/>{end}"
        );
        let model = beside_what_works(&layers, &edges);
        let about = |one: &&ovlint::internal::diagnostic::Diagnostic| one.rule.name == "axis-range";
        model.findings().iter().find(about).unwrap().runtime
    };
    assert_eq!(verdict("<edge from-layer='99' from-port='0' to-layer='12' to-port='0'/>"), Runtime::Rejects);
    assert_eq!(verdict(""), Runtime::Accepts);
}

#[test]
fn ids_ports_and_edges_count_in_every_layer_and_the_rest_in_those_that_are_built() {
    let relu = "<layer id='5' name='dead' type='ReLU' version='opset1'><input><port id='0' precision='FP32'><dim>6</dim></port>\
                </input><output><port id='1' precision='FP32'><dim>6</dim></port></output></layer>";
    let constant = "<layer id='5' name='dead' type='Const' version='opset1'><data element_type='i64' shape='' offset='0' \
                    size='8'/><output><port id='0' precision='I64'/></output></layer>";
    for (layer, from, to, rejects) in [
        (relu, "id='5' ", "", true),
        (relu, "id='5'", "id='x'", true),
        (relu, "type='ReLU' ", "", true),
        (relu, " version='opset1'", "", true),
        (relu, "<dim>6</dim>", "<dim>-2</dim>", true),
        (relu, "id='1' precision='FP32'", "id='1' precision='F32'", true),
        (relu, "id='1' precision='FP32'", "id='1'", true),
        (relu, "<port id='0' ", "<port ", true),
        (relu, "id='5'", "id='1'", false),
        (relu, "<port id='1'", "<port id='0'", false),
        (relu, "opset1", "opset99", false),
        (relu, "ReLU", "ReLUU", false),
        (constant, " size='8'", "", false),
        (constant, "offset='0'", "offset='-1'", false),
        (constant, "element_type='i64'", "element_type='zz'", false),
        (constant, "size='8'", "size='4'", false),
        (constant, "offset='0'", "offset='800'", false),
    ] {
        let model = beside_what_works(&layer.replacen(from, to, 1), "");
        assert_eq!(promise(&model), (rejects, true), "{from} -> {to}: {:?}", model.findings());
    }
    let relu_and = |edge: &str| promise(&beside_what_works(relu, edge)).0;
    assert!(!relu_and("<edge from-layer='99' from-port='0' to-layer='5' to-port='0'/>"));
    assert!(relu_and("<edge from-layer='99' from-port='0' to-layer='1' to-port='0'/>"));
    assert!(!relu_and("<edge from-layer='0' from-port='7' to-layer='5' to-port='0'/>"));
    assert!(relu_and("<edge from-layer='0' from-port='0' to-layer='5'/>"));
}

#[test]
fn a_shape_that_openvino_reads_is_not_said_to_be_rejected() {
    for (shape, rejects) in [
        ("--1", false),
        ("6,--1", false),
        ("1-1", false),
        ("15-", false),
        ("5..2", false),
        ("3..--4", false),
        ("+3", true),
        ("- 1", true),
        ("3x", true),
        ("a,b", true),
    ] {
        let layer = format!(
            "<layer id='5' name='p' type='Parameter' version='opset1'><data shape='{shape}' element_type='f32'/>\
             <output><port id='0' precision='FP32'><dim>6</dim></port></output></layer>"
        );
        assert_eq!(promise(&beside_what_works(&layer, "")), (rejects, true), "{shape}");
    }
}

#[test]
fn a_const_with_its_value_in_the_text_is_read() {
    let layer = "<layer id='5' name='c' type='Const' version='opset1'><data element_type='i64' shape='' offset='0' value='4'/>\
                 <output><port id='0' precision='I64'/></output></layer>\
                 <layer id='6' name='r' type='Result' version='opset1'><input><port id='0' precision='I64'/></input></layer>";
    let edge = "<edge from-layer='5' from-port='0' to-layer='6' to-port='0'/>";
    assert_eq!(promise(&beside_what_works(layer, edge)), (false, true));
    assert_eq!(promise(&beside_what_works(&layer.replace(" value='4'", ""), edge)), (true, true));
}

/// The notes about OpenVINO of the only error of a sample.
fn said_of(sample: &str) -> Vec<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ir-samples/bad").join(sample).join("model.xml");
    let model = Model::open(&path, &Options::default()).unwrap();
    let errors: Vec<_> = model.findings().iter().filter(|one| one.severity == Severity::Error).collect();
    assert_eq!(errors.len(), 1, "{sample}");
    crate::notes(errors[0]).iter().filter(|note| note.starts_with("OpenVINO ")).cloned().collect()
}

#[test]
fn openvino_is_quoted_where_its_message_is_known() {
    let rejects = "OpenVINO 2026.4 rejects this file";
    let quote = "OpenVINO says: \"Split layer split with id: 2 has incorrect input with index 2!\"";
    assert_eq!(said_of("input-connected-twice/same"), [rejects, quote]);
    assert_eq!(said_of("shape-conflict"), ["OpenVINO 2026.4 rejects this file and calls the layer `Add_<n>`"]);
    assert_eq!(said_of("duplicate-layer-id/lost").last().unwrap(), rejects);
}

/// The quotes of OpenVINO about layers and edges beside a model that works.
fn quotes_of(layers: &str, edges: &str) -> Vec<String> {
    let model = beside_what_works(layers, edges);
    assert!(model.findings().iter().any(|finding| finding.runtime == Runtime::Rejects), "{edges}");
    let notes = model.findings().iter().flat_map(crate::notes);
    notes.filter(|note| note.starts_with("OpenVINO says") || note.contains("calls the layer")).collect()
}

/// Of the others, OpenVINO says `Attempt to access node 5 that not in graph`, `is inconsistent!`.
#[test]
fn a_second_edge_is_quoted_only_where_openvino_meets_nothing_before() {
    let layer = |id: u32, ty: &str, version: &str| {
        format!(
            "<layer id='{id}' name='l{id}' type='{ty}' version='{version}'><input><port id='0' precision='FP32'/></input>\
             <output><port id='1' precision='FP32'/></output></layer>"
        )
    };
    let relu = |id: u32| layer(id, "ReLU", "opset1");
    let result =
        "<layer id='9' name='r' type='Result' version='opset1'><input><port id='0' precision='FP32'/></input></layer>";
    let edge = |from: u32, to: u32| {
        format!("<edge from-layer='{from}' from-port='{}' to-layer='{to}' to-port='0'/>", u32::from(from != 0))
    };
    let layers = [relu(5), relu(6), result.to_owned()].concat();
    let chain = [edge(0, 5), edge(5, 6), edge(6, 9)].concat();
    let said = ["OpenVINO says: \"ReLU layer l6 with id: 6 has incorrect input with index 1!\""];
    assert_eq!(quotes_of(&layers, &(chain.clone() + &edge(0, 6))), said);
    assert_eq!(quotes_of(&layers, &(chain.clone() + &edge(1, 6))), said);
    let layers = [relu(5), relu(6), relu(7), result.to_owned()].concat();
    assert_eq!(quotes_of(&layers, &(chain.clone() + &edge(0, 6))), [""; 0], "another finding casts doubt");
    for (from, to) in [(6, 6), (6, 5), (7, 6), (7, 9)] {
        let edges = chain.clone() + &edge(from, to);
        assert_eq!(quotes_of(&layers, &edges), [""; 0], "{from} to {to}");
    }

    let layers = [layer(5, "Blur", "mine"), layer(6, "Identity", "mine"), result.to_owned()].concat();
    assert_eq!(quotes_of(&layers, &chain), [""; 0], "two layers of an unknown opset");
}

#[test]
fn lengths_from_outside_of_data_may_be_rejected_where_they_do_not_fit() {
    let mut ir = Ir::default();
    let (data, sizes) = (ir.parameter("f32", "2,3"), ir.parameter("f32", "7,5"));
    let shape = ir.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[sizes], 1);
    let (outside, axis) = (ir.constant("i64", &[2], &[5.0, 0.0]), ir.constant("i64", &[], &[0.0]));
    let lengths = ir.layer("Gather", "opset8", "<data batch_dims=\"0\"/>", &[shape, outside, axis], 1);
    let reshaped = ir.layer("Reshape", "opset1", "<data special_zero=\"false\"/>", &[data, lengths], 1);
    ir.result(reshaped);
    let (xml, weights) = ir.finish();
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
    let conflict = model.findings().iter().find(|finding| finding.rule.name == "shape-conflict").unwrap();
    assert_eq!(conflict.runtime, Runtime::Unknown);
}

/// The verdict on a Gather with more axes in a batch than are before its axis, a 0 that a Convert makes.
fn along_converted(ty: &str) -> Option<Runtime> {
    let mut ir = Ir::default();
    let (data, indices) = (ir.parameter("f32", "3,4"), ir.parameter("i64", "3,4"));
    let axis = ir.constant_of_bytes(ty, &[], &[0]);
    let axis = ir.layer("Convert", "opset1", "<data destination_type=\"i64\"/>", &[axis], 1);
    let gather = ir.layer("Gather", "opset8", "<data batch_dims=\"1\"/>", &[data, indices, axis], 1);
    ir.result(gather);
    let (xml, weights) = ir.finish();
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
    model.findings().iter().find(|finding| finding.severity == Severity::Error).map(|finding| finding.runtime)
}

/// OpenVINO does not convert the last of these types.
#[test]
fn an_axis_that_is_converted_may_not_be_known() {
    for ty in ["u8", "f4e2m1"] {
        assert_eq!(along_converted(ty), Some(Runtime::Unknown));
    }
}

/// The verdict on lengths 2 and 3 of a dimension of 6 that a Convert of a Const gives, with an `<rt_info>` in both.
fn of_lengths(constant: &str, convert: &str) -> Runtime {
    let mut ir = Ir::default();
    let (data, axis) = (ir.parameter("f32", "6"), ir.constant("i64", &[], &[0.0]));
    let lengths = ir.constant("i32", &[2], &[2.0, 3.0]);
    let lengths = ir.layer("Convert", "opset1", &format!("<data destination_type=\"i64\"/>{convert}"), &[lengths], 1);
    let split = ir.layer("VariadicSplit", "opset1", "", &[data, axis, lengths], 2);
    ir.result(split);
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap();
    let data = "<data element_type=\"i32\"";
    assert_eq!(xml.matches(data).count(), 1, "{xml}");
    let xml = xml.replace(data, &format!("{constant}{data}"));
    let model = Model::from_bytes("m.xml", xml.into_bytes(), Weights::in_memory(weights), &Options::default()).unwrap();
    let finding = model.findings().iter().find(|finding| finding.rule.name == "split-lengths-sum").unwrap();
    finding.runtime
}

/// OpenVINO 2026.4.1 reads the files with the first mark: what it marks as compressed weights, it does not evaluate.
#[test]
fn lengths_of_compressed_weights_are_not_read() {
    let mark = |text: &str| format!("<rt_info><attribute {text}/></rt_info>");
    let compressed = mark("name=\"decompression\" version=\"0\"");
    assert_eq!(of_lengths("", &compressed), Runtime::Unknown);
    assert_eq!(of_lengths(&compressed, ""), Runtime::Unknown);
    assert_eq!(of_lengths("", ""), Runtime::Rejects);
    for other in ["name=\"decompression\"", "name=\"decompression\" version=\"1\"", "name=\"precise\" version=\"0\""] {
        assert_eq!(of_lengths("", &mark(other)), Runtime::Rejects, "{other}");
    }
}

/// The quotes of OpenVINO about a pooling to sizes below 0 and a division by 0 with these types of constants, and another
/// layer.
fn quotes_beside(below: bool, add: impl Fn(&mut Ir)) -> Vec<String> {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "1,2,5");
    let one = ir.constant("i64", &[1], &[1.0]);
    let size = if below {
        let shape = ir.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[data], 1);
        let (outside, axis) = (ir.constant("i64", &[1], &[5.0]), ir.constant("i64", &[], &[0.0]));
        let size = ir.layer("Gather", "opset8", "<data batch_dims=\"0\"/>", &[shape, outside, axis], 1);
        ir.layer("Subtract", "opset1", "", &[size, one], 1)
    } else {
        let zero = ir.constant("i64", &[1], &[0.0]);
        ir.layer("Divide", "opset1", "", &[one, zero], 1)
    };
    let pool = ir.layer("AdaptiveAvgPool", "opset8", "", &[data, size], 1);
    ir.result(pool);
    add(&mut ir);
    let (xml, weights) = ir.finish();
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
    let notes = model.findings().iter().flat_map(crate::notes);
    notes.filter(|note| note.starts_with("OpenVINO says") || note.contains("calls the layer")).collect()
}

#[test]
fn what_openvino_works_out_is_quoted_where_nothing_else_is_odd() {
    let said = ["integer division by zero", "Value for partial shape evaluation can't be lower than zero."];
    for (below, said) in [false, true].into_iter().zip(said) {
        assert_eq!(quotes_beside(below, |_| {}), [format!("OpenVINO says: \"{said}\"")]);
        let odd = quotes_beside(below, |ir| {
            let constant = ir.constant_of_bytes("nf4", &[1], &[1; 8]);
            ir.result(constant);
        });
        assert_eq!(odd, [""; 0]);
        let refused = quotes_beside(below, |ir| {
            let data = ir.parameter("f32", "2");
            let layer = ir.layer("ReLU", "mine", "", &[data], 1);
            ir.result(layer);
        });
        assert!(!refused.contains(&format!("OpenVINO says: \"{said}\"")), "{refused:?}");
    }
}

/// The last note of a conflict of shapes in an Add, beside what `other` adds to the model.
fn said_beside(other: impl FnOnce(&mut Ir) -> Output) -> String {
    let mut ir = Ir::default();
    let (one, two) = (ir.parameter("f32", "2"), ir.parameter("f32", "3"));
    let sum = ir.layer("Add", "opset1", "", &[one, two], 1);
    ir.result(sum);
    let other = other(&mut ir);
    ir.result(other);
    let (xml, weights) = ir.finish();
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
    let conflict = model.findings().iter().find(|finding| finding.rule.name == "shape-conflict").unwrap();
    crate::notes(conflict).last().unwrap().clone()
}

#[test]
fn openvino_is_not_quoted_beside_what_it_may_reject_first() {
    let (rejects, calls) =
        ("OpenVINO 2026.4 rejects this file", "OpenVINO 2026.4 rejects this file and calls the layer `Add_<n>`");
    // OpenVINO may refuse the attributes of a `Constant`, as a shape with bounds.
    let unknown = |ir: &mut Ir| ir.layer("Constant", "opset1", "<data shape=\"..4\" element_type=\"f32\"/>", &[], 1);
    assert_eq!(said_beside(unknown), rejects);
    // It reads bytes that no axis was written to.
    let axis_in = |ty: &'static str| {
        move |ir: &mut Ir| {
            let (data, axis) = (ir.parameter("f32", "2"), ir.constant("i64", &[], &[0.0]));
            let axis = ir.layer("Convert", "opset1", &format!("<data destination_type=\"{ty}\"/>"), &[axis], 1);
            ir.layer("Split", "opset1", "<data num_splits=\"1\"/>", &[data, axis], 1)
        }
    };
    assert_eq!(said_beside(axis_in("i32")), calls);
    assert_eq!(said_beside(axis_in("i4")), rejects);
    // A length that wraps around takes no bytes.
    let huge = |ir: &mut Ir| {
        let data = "<data element_type=\"i32\" shape=\"2305843009213693952\" offset=\"0\" size=\"0\"/>";
        ir.layer("Const", "opset1", data, &[], 1)
    };
    assert_eq!(said_beside(huge), rejects);
}

/// What is said of OpenVINO about a Const of this type, shape and size.
fn said_of_constant(ty: &str, shape: &str, size: u64) -> Vec<String> {
    let layers = format!(
        "<layer id='0' name='c' type='Const' version='opset1'><data element_type='{ty}' shape='{shape}' offset='0' \
         size='{size}'/><output><port id='0' precision='U6'/></output></layer><layer id='1' name='r' type='Result' version='opset1'>\
         <input><port id='0'/></input></layer>"
    );
    let edges = "<edge from-layer='0' from-port='0' to-layer='1' to-port='0'/>";
    let xml = format!("<net name='m' version='11'><layers>{layers}</layers><edges>{edges}</edges></net>");
    let weights = Weights::in_memory(vec![0; 64]);
    let model = Model::from_bytes("m.xml", xml.into_bytes(), weights, &Options::default()).unwrap();
    let finding = model.findings().iter().find(|finding| finding.rule.name == "const-size-mismatch").unwrap();
    crate::notes(finding).iter().filter(|note| note.starts_with("OpenVINO ")).cloned().collect()
}

#[test]
fn openvino_counts_the_bits_of_constants_and_then_their_blocks() {
    let said = said_of_constant("u6", "6", 3);
    let quote = "OpenVINO says: \"Attribute and shape size are inconsistent for Const op!3, 5, 6\"";
    assert_eq!(said, ["OpenVINO 2026.4 rejects this file", quote]);
    // The bits of the largest length wrap around.
    for ty in ["u4", "u6", "nf4"] {
        assert!(said_of_constant(ty, "9223372036854775807", 8).iter().all(|said| !said.contains("rejects")), "{ty}");
    }
}

#[test]
fn openvino_is_not_quoted_beside_a_limit() {
    let huge = |ir: &mut Ir| {
        let (data, axis) = (ir.parameter("f32", "2"), ir.constant("i64", &[], &[0.0]));
        ir.layer("Split", "opset1", "<data num_splits=\"9223372036854775807\"/>", &[data, axis], 1)
    };
    assert_eq!(said_beside(huge), "OpenVINO 2026.4 rejects this file");
}

#[test]
fn what_openvino_does_not_build_may_lack_parts() {
    let port = "<port id='0' precision='FP32'><dim>2</dim></port>";
    let layer = |id: u32, ty: &str, rest: &str| {
        format!("<layer id='{id}' name='l{id}' type='{ty}' version='opset1'>{rest}</layer>")
    };
    let parameter = layer(0, "Parameter", &format!("<data shape='2' element_type='f32'/><output>{port}</output>"));
    let relu = layer(1, "ReLU", &format!("<input>{port}</input><output>{port}</output>"));
    let result = layer(2, "Result", &format!("<input>{port}</input>"));
    assert_eq!(runtime_of("missing-element", 11, &[&*parameter, &*relu].concat(), ""), Runtime::Unknown);
    assert_eq!(runtime_of("missing-element", 11, &[&*parameter, &*result].concat(), ""), Runtime::Rejects);
    let edge = "<edge from-layer='0' from-port='0' to-layer='2' to-port='0'/>";
    let without_data = |rest: &str| {
        let lacking = layer(3, "Parameter", rest);
        runtime_of("missing-attribute", 11, &[&*parameter, &*result, &*lacking].concat(), edge)
    };
    assert_eq!(without_data(&format!("<output>{port}</output>")), Runtime::Rejects);
    assert_eq!(without_data(""), Runtime::Unknown);
}

#[test]
fn lengths_that_wrap_around_meet_no_check_of_the_operation() {
    let said = |text: &str| {
        let graph = graph(text, 1);
        let model =
            Model::from_bytes("m.xml", graph.xml.into_bytes(), Weights::in_memory(graph.weights), &Options::default())
                .unwrap();
        let notes = model.findings().iter().flat_map(crate::notes);
        notes.filter(|note| note.starts_with("OpenVINO 2026.4 rejects")).collect::<Vec<_>>()
    };
    let (rejects, calls) = ("OpenVINO 2026.4 rejects this file", " and calls the layer");
    let depth = |block: &str| said(&format!("DepthToSpace-1(f32[1,24,3,2]) {{mode=blocks_first block_size={block}}}"));
    assert_eq!(depth("5"), [format!("{rejects}{calls} `DepthToSpace_<n>`")]);
    assert_eq!(depth("9223372036854775807"), [rejects]);
    let add = |length: u8, axis: &str| {
        said(&format!(
            "Add-1(f32[2,3], f32[{length}]) {{auto_broadcast=pdpd auto_broadcast.auto_broadcast_axis={axis}}}"
        ))
    };
    assert_eq!(add(5, "0"), [format!("{rejects}{calls} `Add_<n>`")]);
    let far = said(
        "Add-1(f32[2,3,3,2], f32[2]) {auto_broadcast=pdpd auto_broadcast.auto_broadcast_axis=9223372036854775807}",
    );
    assert_eq!(far, [rejects]);
}

#[test]
fn a_result_in_lower_case_may_have_outputs() {
    let port = |id| format!("<port id='{id}' precision='FP32'><dim>2</dim></port>");
    let layers = format!(
        "<layer id='0' name='x' type='Parameter' version='opset1'><data shape='2' element_type='f32'/><output>{}</output>\
         </layer><layer id='1' name='r' type='result' version='opset1'><input>{}</input><output>{}</output></layer>\
         <layer id='2' name='s' type='Result' version='opset1'><input>{}</input></layer>",
        port(0),
        port(0),
        port(1),
        port(0)
    );
    let edges = "<edge from-layer='0' from-port='0' to-layer='1' to-port='0'/>\
                 <edge from-layer='1' from-port='1' to-layer='2' to-port='0'/>";
    assert_eq!(runtime_of("wrong-output-count", 11, &layers, edges), Runtime::Unknown);
}

/// OpenVINO looks up a dimension that does not exist, and names no layer.
#[test]
fn a_broadcast_to_more_dimensions_with_pdpd_is_not_named() {
    for (mode, said) in [("numpy", " and calls the layer `Broadcast_<n>`"), ("pdpd", "")] {
        let mut ir = Ir::default();
        let data = ir.parameter("f32", if mode == "numpy" { "2,3,4" } else { "2" });
        let target = ir.constant("i64", &[2], &[2.0, 3.0]);
        let layer = ir.layer("Broadcast", "opset3", &format!("<data mode=\"{mode}\"/>"), &[data, target], 1);
        ir.result(layer);
        let (xml, weights) = ir.finish();
        let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
        let notes = model.findings().iter().flat_map(crate::notes);
        let verdicts: Vec<String> = notes.filter(|note| note.starts_with("OpenVINO 2026.4 rejects")).collect();
        assert_eq!(verdicts, [format!("OpenVINO 2026.4 rejects this file{said}")]);
    }
}

#[test]
fn a_layer_to_which_a_second_edge_leads_back_is_built() {
    let layers = "<layer id='5' name='relu' type='ReLU' version='opset1'><input><port id='0' precision='FP32'/></input>\
                  <output><port id='1' precision='FP32'/></output></layer>\
                  <layer id='6' name='r' type='Result' version='opset1'><input><port id='0' precision='FP32'/></input></layer>";
    let edge = |from: u32| {
        format!("<edge from-layer='{from}' from-port='{}' to-layer='6' to-port='0'/>", u32::from(from != 0))
    };
    for edges in [edge(0) + &edge(5), edge(5) + &edge(0)] {
        let model = beside_what_works(layers, &edges);
        let finding = model.findings().iter().find(|finding| finding.rule.name == "input-not-connected").unwrap();
        assert_eq!(finding.severity, Severity::Error, "{edges}");
    }
}

/// The verdict on a pooling of `f32[3,1,4]` with these pads, which lead to a Result.
fn pooling_is_rejected(attributes: &str, begin: i64, end: i64) -> bool {
    let ty = if attributes.contains("exclude-pad") { "AvgPool" } else { "MaxPool" };
    let layers = format!(
        "<layer id='5' name='p' type='Parameter' version='opset1'><data shape='3,1,4' element_type='f32'/><output>\
         <port id='0' precision='FP32'><dim>3</dim><dim>1</dim><dim>4</dim></port></output></layer>\
         <layer id='6' name='pool' type='{ty}' version='opset1'><data kernel='2' strides='1' pads_begin='{begin}' \
         pads_end='{end}' rounding_type='floor' {attributes}/><input><port id='0' precision='FP32'/></input><output>\
         <port id='1' precision='FP32'/></output></layer>\
         <layer id='7' name='r' type='Result' version='opset1'><input><port id='0' precision='FP32'/></input></layer>"
    );
    let edges = "<edge from-layer='5' from-port='0' to-layer='6' to-port='0'/>\
                 <edge from-layer='6' from-port='1' to-layer='7' to-port='0'/>";
    let (rejects, speaks) = promise(&beside_what_works(&layers, edges));
    assert!(speaks, "{begin}, {end}");
    rejects
}

/// Measured with pads of -9 to 11 and kernels of 1 to 3.
#[test]
fn negative_pads_of_a_pooling_are_said_to_be_rejected_only_where_openvino_sees_them() {
    for (begin, end, rejects) in [(-7, 1, false), (-1, -1, false), (-1, 0, true), (4, -5, true), (-9, 0, false)] {
        assert_eq!(pooling_is_rejected("", begin, end), rejects, "{begin}, {end}");
        assert_eq!(pooling_is_rejected("exclude-pad='false'", begin, end), rejects, "{begin}, {end}");
        assert!(pooling_is_rejected("exclude-pad='true'", begin, end), "{begin}, {end}");
    }
}

/// A layer whose id a Result takes, with an edge from it to a `ReLU` that leads to layer `end`.
fn taken_by_a_result(end: u32) -> bool {
    let relu = |id: u32, name: &str| {
        format!(
            "<layer id='{id}' name='{name}' type='ReLU' version='opset1'><input><port id='0' precision='FP32'/></input>\
             <output><port id='1' precision='FP32'/></output></layer>"
        )
    };
    let result = |id: u32, name: &str| {
        format!(
            "<layer id='{id}' name='{name}' type='Result' version='opset1'><input><port id='0' precision='FP32'/></input>\
             </layer>"
        )
    };
    let layers = [relu(5, "lost"), relu(6, "after"), result(7, "last"), result(5, "kept")].concat();
    let edges = format!(
        "<edge from-layer='0' from-port='0' to-layer='5' to-port='0'/>\
         <edge from-layer='5' from-port='1' to-layer='6' to-port='0'/>\
         <edge from-layer='1' from-port='1' to-layer='7' to-port='0'/>\
         <edge from-layer='6' from-port='1' to-layer='{end}' to-port='0'/>"
    );
    let edges = if end == 7 {
        edges.replace("<edge from-layer='1' from-port='1' to-layer='7' to-port='0'/>", "")
    } else {
        edges
    };
    promise(&beside_what_works(&layers, &edges)).0
}

#[test]
fn a_layer_whose_id_a_result_takes_is_missed_only_by_layers_that_are_built() {
    assert!(taken_by_a_result(7), "the ReLU leads to a Result, and gets nothing");
    assert!(!taken_by_a_result(99), "nothing reads the ReLU");
}

/// A Loop of this IR version with two outputs of which a Result takes the one of this number, and without a condition.
fn without_a_condition(taken: usize) -> Runtime {
    let mut ir = Ir::default();
    let (trips, runs) = (ir.constant("i64", &[], &[10.0]), ir.constant("boolean", &[], &[1.0]));
    let state = ir.parameter("f32", "2");
    let mut body = ir.body();
    let inner = body.parameter("f32", "2");
    let next = body.layer("Relu", "opset1", "", &[inner], 1);
    body.result(next);
    let body = ir.close("body", body);
    let map = "<port_map><input external_port_id=\"2\" internal_layer_id=\"0\"/>\
               <output external_port_id=\"3\" internal_layer_id=\"2\"/>\
               <output external_port_id=\"4\" internal_layer_id=\"2\" axis=\"0\"/></port_map><back_edges/>";
    let host = ir.layer("Loop", "opset5", &format!("{map}{body}"), &[trips, runs, state], 2);
    ir.result(Output(host.0, taken));
    of_rule("bad-port-map", ir)
}

/// The verdict of the only finding of a rule.
fn of_rule(rule: &str, ir: Ir) -> Runtime {
    let (xml, weights) = ir.finish();
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
    let found: Vec<_> = model.findings().iter().filter(|finding| finding.rule.name == rule).collect();
    assert_eq!(found.len(), 1, "{:?}", model.findings());
    found[0].runtime
}

#[test]
fn of_a_loop_without_a_condition_openvino_makes_the_first_output_alone() {
    assert_eq!(without_a_condition(0), Runtime::NotCompiled);
    assert_eq!(without_a_condition(1), Runtime::Rejects);
}

/// An If with this condition whose `<then_body>` takes an input that the layer does not have.
fn with_a_wrong_input(condition: fn(&mut Ir) -> Output) -> Runtime {
    let mut ir = Ir::default();
    let (condition, data) = (condition(&mut ir), ir.parameter("f32", "2"));
    let mut branch = || {
        let mut body = ir.body();
        let inner = body.parameter("f32", "2");
        body.result(inner);
        body
    };
    let (then, other) = (branch(), branch());
    let bodies = [ir.close("then_body", then), ir.close("else_body", other)].concat();
    let map = |branch: &str, input: usize| {
        format!(
            "<{branch}_port_map><input external_port_id=\"{input}\" internal_layer_id=\"0\"/>\
             <output external_port_id=\"2\" internal_layer_id=\"1\"/></{branch}_port_map>"
        )
    };
    let parts = [map("then", 9), map("else", 1), bodies].concat();
    let host = ir.layer("If", "opset8", &parts, &[condition, data], 1);
    ir.result(host);
    of_rule("bad-port-map", ir)
}

#[test]
fn a_branch_that_a_constant_condition_does_not_take_may_be_read() {
    assert_eq!(with_a_wrong_input(|ir| ir.parameter("boolean", "")), Runtime::Rejects);
    assert_eq!(with_a_wrong_input(|ir| ir.constant("boolean", &[], &[0.0])), Runtime::Unknown);
}

#[test]
fn an_if_without_outputs_may_be_read_in_version_10() {
    let branch = |name: &str| {
        format!(
            "<{name}_body><layers><layer id='0' name='p' type='Parameter' version='opset1'>\
             <data shape='2' element_type='f32'/><output><port id='0' precision='FP32'><dim>2</dim></port></output></layer>\
             <layer id='1' name='r' type='Result' version='opset1'><input><port id='0' precision='FP32'><dim>2</dim></port>\
             </input></layer></layers><edges><edge from-layer='0' from-port='0' to-layer='1' to-port='0'/></edges></{name}_body>"
        )
    };
    let input = "<input external_port_id='1' internal_layer_id='0'/>";
    let layers = format!(
        "<layer id='0' name='c' type='Parameter' version='opset1'><data shape='' element_type='boolean'/>\
         <output><port id='0' precision='BOOL'/></output></layer>\
         <layer id='1' name='x' type='Parameter' version='opset1'><data shape='2' element_type='f32'/>\
         <output><port id='0' precision='FP32'><dim>2</dim></port></output></layer>\
         <layer id='2' name='i' type='If' version='opset8'><then_port_map>{input}</then_port_map>\
         <else_port_map>{input}<output external_port_id='2' internal_layer_id='1'/></else_port_map>\
         <input><port id='0' precision='BOOL'/><port id='1' precision='FP32'><dim>2</dim></port></input>\
         <output><port id='2' precision='FP32'><dim>2</dim></port></output>{}{}</layer>\
         <layer id='3' name='r' type='Result' version='opset1'><input><port id='0' precision='FP32'><dim>2</dim></port></input>\
         </layer>",
        branch("then"),
        branch("else")
    );
    let edges = "<edge from-layer='0' from-port='0' to-layer='2' to-port='0'/>\
                 <edge from-layer='1' from-port='0' to-layer='2' to-port='1'/>\
                 <edge from-layer='2' from-port='2' to-layer='3' to-port='0'/>";
    assert_eq!(runtime_of("wrong-output-count", 10, &layers, edges), Runtime::Unknown);
    assert_eq!(runtime_of("wrong-output-count", 11, &layers, edges), Runtime::Rejects);
}

#[test]
fn a_loop_that_misses_an_edge_may_have_inputs_that_no_entry_maps() {
    let mut ir = Ir::default();
    let (data, other) = (ir.parameter("f32", "2"), ir.parameter("f32", "2"));
    let mut body = ir.body();
    let inner = body.parameter("f32", "2");
    body.result(inner);
    let body = ir.close("body", body);
    let map = "<port_map><input external_port_id=\"0\" internal_layer_id=\"0\"/>\
               <output external_port_id=\"2\" internal_layer_id=\"1\"/></port_map><back_edges/>";
    let host = ir.layer("TensorIterator", "opset1", &format!("{map}{body}"), &[data, other], 1);
    ir.result(host);
    let (xml, _) = ir.finish();
    let text = String::from_utf8(xml).unwrap();
    let edge = format!("<edge from-layer=\"{}\" from-port=\"0\" to-layer=\"{}\" to-port=\"1\"/>", other.0, host.0);
    assert!(text.contains(&edge));
    let verdict = |text: &str| {
        let model =
            Model::from_bytes("m.xml", text.into(), Weights::in_memory(Vec::new()), &Options::default()).unwrap();
        model.findings().iter().find(|one| one.rule.name == "bad-port-map").map(|one| one.runtime)
    };
    assert_eq!(verdict(&text), Some(Runtime::Rejects));
    assert_eq!(verdict(&text.replace(&edge, "")), Some(Runtime::Unknown));
}

#[test]
fn an_edge_to_nowhere_that_an_optional_input_may_miss_is_not_promised_to_be_rejected() {
    let swish = |optional: &str| {
        let layers = format!(
            "<layer id='5' name='beta' type='Parameter' version='opset1'><data shape='' element_type='f32'/>\
             <output><port id='0' precision='FP32'/></output></layer>\
             <layer id='6' name='s' type='{optional}' version='opset4'><input><port id='0' precision='FP32'><dim>6</dim>\
             <dim>12</dim></port><port id='1' precision='FP32'/></input><output><port id='2' precision='FP32'><dim>6</dim>\
             <dim>12</dim></port></output></layer><layer id='7' name='r' type='Result' version='opset1'><input>\
             <port id='0' precision='FP32'><dim>6</dim><dim>12</dim></port></input></layer>"
        );
        let edges = "<edge from-layer='1' from-port='1' to-layer='6' to-port='0'/>\
                     <edge from-layer='5' from-port='0' to-layer='99' to-port='1'/>\
                     <edge from-layer='6' from-port='2' to-layer='7' to-port='0'/>";
        let model = beside_what_works(&layers, edges);
        model.findings().iter().find(|one| one.rule.name == "edge-unknown-layer").unwrap().runtime
    };
    assert_eq!(swish("Swish"), Runtime::Unknown);
    assert_eq!(swish("PRelu"), Runtime::Rejects);
}

#[test]
fn shapes_far_below_0_and_what_follows_from_shapes_that_are_not_read_are_not_promised_to_be_rejected() {
    let constant = |ty: &str, shape: &str| {
        let layers = format!(
            "<layer id='0' name='c' type='Const' version='opset1'><data element_type='{ty}' shape='{shape}' offset='0' \
             size='0'/><output><port id='0' precision='FP32'/></output></layer>\
             <layer id='1' name='r' type='Result' version='opset1'><input><port id='0' precision='FP32'/></input></layer>"
        );
        runtime_of("attribute-value", 11, &layers, "<edge from-layer='0' from-port='0' to-layer='1' to-port='0'/>")
    };
    assert_eq!(constant("f32", "-9223372036854775808"), Runtime::Unknown);
    assert_eq!(constant("f32", "-2"), Runtime::Rejects);
    assert_eq!(constant("f32", "0,-2"), Runtime::Unknown);
    assert_eq!(constant("u6", "-2"), Runtime::Unknown);
    assert_eq!(constant("string", "-2"), Runtime::Unknown);
    // OpenVINO reads a constant of type dynamic and of this shape, but does not compile what reads it.
    for shape in ["-1", "2,-1"] {
        assert_eq!(constant("dynamic", shape), Runtime::Unknown);
    }
    let broadcast = |shape: &str| {
        let layers = format!(
            "<layer id='0' name='x' type='Parameter' version='opset1'><data shape='{shape}' element_type='f32'/>\
             <output><port id='0' precision='FP32'><dim>3</dim></port></output></layer>\
             <layer id='1' name='y' type='Parameter' version='opset1'><data shape='2' element_type='f32'/>\
             <output><port id='0' precision='FP32'><dim>2</dim></port></output></layer>\
             <layer id='2' name='a' type='Add' version='opset1'><input><port id='0' precision='FP32'><dim>3</dim></port>\
             <port id='1' precision='FP32'><dim>2</dim></port></input><output><port id='2' precision='FP32'><dim>3</dim>\
             </port></output></layer>\
             <layer id='3' name='r' type='Result' version='opset1'><input><port id='0' precision='FP32'><dim>3</dim></port>\
             </input></layer>"
        );
        let edges = "<edge from-layer='0' from-port='0' to-layer='2' to-port='0'/>\
                     <edge from-layer='1' from-port='0' to-layer='2' to-port='1'/>\
                     <edge from-layer='2' from-port='2' to-layer='3' to-port='0'/>";
        runtime_of("shape-conflict", 11, &layers, edges)
    };
    assert_eq!(broadcast("3"), Runtime::Rejects);
    assert_eq!(broadcast("9223372036854775807"), Runtime::Unknown);
    // OpenVINO reads this shape, so the type is that of the Parameter, and not what its port declares.
    let ceiling = |ty: &str, shape: &str| {
        let layers = format!(
            "<layer id='0' name='x' type='Parameter' version='opset1'><data shape='{shape}' element_type='{ty}'/>\
             <output><port id='0' precision='STRING'><dim>3</dim></port></output></layer>\
             <layer id='1' name='c' type='Ceiling' version='opset1'><input><port id='0' precision='STRING'><dim>3</dim>\
             </port></input><output><port id='1' precision='STRING'><dim>3</dim></port></output></layer>\
             <layer id='2' name='r' type='Result' version='opset1'><input><port id='0' precision='STRING'><dim>3</dim>\
             </port></input></layer>"
        );
        let edges = "<edge from-layer='0' from-port='0' to-layer='1' to-port='0'/>\
                     <edge from-layer='1' from-port='1' to-layer='2' to-port='0'/>";
        runtime_of("input-type", 11, &layers, edges)
    };
    assert_eq!(ceiling("string", "3"), Runtime::Rejects);
    assert_eq!(ceiling("f32", "9223372036854775807"), Runtime::Unknown);
}

#[test]
fn constants_that_make_no_sense_are_rejected_if_what_follows_from_them_is() {
    let absurd = |version: &str, name: &str, declared: &str| {
        let mut ir = Ir::default();
        let data = ir.parameter("f32", "1");
        for number in [4_575_657_222_473_777_152_i64, 4_611_686_018_427_387_000] {
            let target = ir.constant_of_bytes("i64", &[1], &number.to_le_bytes());
            let layer = ir.layer(name, version, declared, &[data, target], 1);
            ir.result(layer);
        }
        let (xml, weights) = ir.finish();
        let xml = String::from_utf8(xml).unwrap().replace(
            "<port id=\"2\" precision=\"UNSPECIFIED\"/>",
            "<port id=\"2\" precision=\"FP32\"><dim>7</dim></port>",
        );
        let model = Model::from_bytes("m.xml", xml.into(), Weights::in_memory(weights), &Options::default()).unwrap();
        let found = model.findings().iter().find(|one| one.rule.name == "suspicious-shape-constant");
        found.map(|one| one.runtime)
    };
    assert_eq!(absurd("opset3", "Broadcast", "<data mode=\"numpy\"/>"), Some(Runtime::Accepts));
    assert_eq!(absurd("opset1", "Squeeze", ""), Some(Runtime::Rejects));
}

/// Whether a model is reported whose weights are empty and in which this operation takes a constant without elements.
fn lacks_a_byte(name: &str, version: &str, data: &str, shape: &str) -> bool {
    let mut ir = Ir::default();
    let input = ir.parameter("f32", shape);
    let constant = ir.constant_of_bytes("i64", &[0], &[]);
    let layer = ir.layer(name, version, data, &[input, constant], 1);
    ir.result(layer);
    let text = String::from_utf8_lossy(&ir.finish().0).replacen("size=\"1\"", "size=\"0\"", 1);
    let weights = Weights::in_memory(Vec::new());
    let model = Model::from_bytes("m.xml", text.into_bytes(), weights, &Options::default()).unwrap();
    model.findings().iter().any(|finding| finding.rule.name == "weights-truncated")
}

#[test]
fn a_constant_without_elements_needs_a_byte_where_openvino_fails_without() {
    for special in ["true", "false"] {
        let data = format!("<data special_zero=\"{special}\"/>");
        assert!(!lacks_a_byte("Reshape", "opset1", &data, "1"));
    }
    let mvn = "<data eps=\"1\" normalize_variance=\"true\" eps_mode=\"inside_sqrt\"/>";
    assert!(!lacks_a_byte("MVN", "opset6", mvn, "1,2"));
    assert!(lacks_a_byte("Squeeze", "opset1", "", "1,2"));
    assert!(lacks_a_byte("ReduceSum", "opset1", "<data keep_dims=\"true\"/>", "1,2"));
}

/// OpenVINO 2026.4.1 creates a Parameter in other letters only if something reads it.
#[test]
fn a_parameter_in_lower_case_that_nothing_reads_is_not_built() {
    for (ty, found) in [("Parameter", vec![Runtime::Rejects]), ("parameter", vec![])] {
        let layer = format!(
            "<layer id='7' name='q' type='{ty}' version='opset1'><output><port id='0' precision='FP32'/></output></layer>"
        );
        let model = beside_what_works(&layer, "");
        let rejects = model.findings().iter().filter(|finding| finding.runtime == Runtime::Rejects);
        assert_eq!(rejects.map(|finding| finding.runtime).collect::<Vec<_>>(), found, "{:?}", model.findings());
        let is_input = model.findings().iter().any(|finding| finding.rule.name == "unused-parameter");
        assert_eq!(is_input, ty == "Parameter", "{:?}", model.findings());
    }
}
