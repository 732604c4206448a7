//! An example of each operation: inputs and attributes, from which the outputs are inferred when it is shown.

use super::apply::{Call, Extent, Texts};
use super::spec::OpSpec;
use crate::limits::Limits;
use crate::types::Fact;

/// Operations with inputs and attributes that each of them takes. A revision that does not take those of one row has another.
#[rustfmt::skip]
const EXAMPLES: &[(&str, &str, &str)] = &[
    ("HSigmoid HSwish Mish Sigmoid SoftPlus SoftSign Elu Exp Gelu LogSoftmax ReLU SoftMax Swish Abs Acos Acosh Asin Asinh Atan \
      Atanh Ceiling Cos Cosh Erf ErfInv Floor Log Negative Round Sign Sin Sinh Sqrt Tan Tanh IsFinite IsInf IsNaN Result \
      Identity NonZero ShapeOf", "f32[2,3]", ""),
    ("Clamp", "f32[2,3]", "min=0 max=6"),
    ("Elu", "f32[2,3]", "alpha=1"),
    ("ShapeOf NonZero", "f32[2,3]", "output_type=i64"),
    ("HardSigmoid Selu", "f32[2,3]; f32[]; f32[]", ""),
    ("PReLU", "f32[1,8,4,4]; f32[8]", ""),
    ("Add Divide FloorMod Maximum Minimum Mod Multiply Power SquaredDifference Subtract Equal Greater GreaterEqual Less LessEqual \
      NotEqual", "f32[2,3,4]; f32[3,1]", ""),
    ("BitwiseAnd BitwiseOr BitwiseXor BitwiseLeftShift BitwiseRightShift", "i32[2,3]; i32[3]", ""),
    ("BitwiseNot", "i32[2,3]", ""),
    ("LogicalAnd LogicalOr LogicalXor Xor", "boolean[2,3]; boolean[3]", ""),
    ("LogicalNot", "boolean[2,3]", ""),
    ("CumSum", "f32[2,3]; i64[] = 1", ""),
    ("Bucketize", "f32[2,3]; f32[5]", "output_type=i64"),
    ("Select", "boolean[2,1]; f32[2,3]; f32[3]", ""),
    ("Convolution", "f32[1,3,224,224]; f32[64,3,7,7]", "strides=2,2 dilations=1,1 pads_begin=3,3 pads_end=3,3"),
    ("BinaryConvolution", "f32[1,3,224,224]; u1[64,3,7,7]",
        "strides=2,2 dilations=1,1 pads_begin=3,3 pads_end=3,3 mode=xnor-popcount pad_value=0"),
    ("ConvolutionBackpropData", "f32[1,20,24,24]; f32[20,10,3,3]", "strides=2,2 dilations=1,1 pads_begin=1,1 pads_end=1,1"),
    ("GroupConvolution", "f32[1,12,224,224]; f32[4,1,3,5,5]", "strides=1,1 dilations=1,1 pads_begin=2,2 pads_end=2,2"),
    ("GroupConvolutionBackpropData", "f32[1,20,24,24]; f32[4,5,2,3,3]", "strides=1,1 dilations=1,1 pads_begin=1,1 pads_end=1,1"),
    ("DeformableConvolution", "f32[1,4,24,24]; f32[1,50,20,20]; f32[64,4,5,5]",
        "strides=1,1 dilations=1,1 pads_begin=0,0 pads_end=0,0 group=1 deformable_group=1"),
    ("DeformablePSROIPooling", "f32[1,392,38,63]; f32[300,5]; f32[300,2,7,7]", "output_dim=8 group_size=7"),
    ("DetectionOutput", "f32[1,60]; f32[1,165]; f32[1,1,60]", "num_classes=11 keep_top_k=50 normalized=true variance_encoded_in_target=true"),
    ("DetectionOutput", "f32[1,60]; f32[1,165]; f32[1,1,60]", "keep_top_k=50 normalized=true variance_encoded_in_target=true"),
    ("ExperimentalDetectronDetectionOutput", "f32[1000,4]; f32[1000,324]; f32[1000,81]; f32[1,3]",
        "num_classes=81 score_threshold=0.05 nms_threshold=0.5 post_nms_count=2000 max_detections_per_image=100"),
    ("ExperimentalDetectronGenerateProposalsSingleImage", "f32[3]; f32[201600,4]; f32[12,200,336]; f32[3,200,336]", "post_nms_count=1000"),
    ("ExperimentalDetectronPriorGridGenerator", "f32[3,4]; f32[1,256,25,42]; f32[1,3,800,1344]", "flatten=true"),
    ("ExperimentalDetectronROIFeatureExtractor", "f32[1000,4]; f32[1,256,200,336]; f32[1,256,100,168]",
        "output_size=7 sampling_ratio=2 pyramid_scales=4,8"),
    ("ExperimentalDetectronTopKROIs", "f32[5000,4]; f32[5000]", "max_rois=1000"),
    ("GenerateProposals", "f32[8,3]; f32[50,84,3,4]; f32[8,12,50,84]; f32[8,3,50,84]",
        "min_size=0 nms_threshold=0.7 pre_nms_count=1000 post_nms_count=100"),
    ("MatrixNms MulticlassNms", "f32[2,1000,4]; f32[2,5,1000]", "nms_top_k=10"),
    ("NMSRotated", "f32[2,1000,5]; f32[2,5,1000]; i64[] = 10; f32[]; f32[]", ""),
    ("NonMaxSuppression", "f32[1,1000,4]; f32[1,5,1000]; i64[] = 10; f32[]; f32[]", ""),
    ("PriorBox", "i64[2] = 24,42; i64[2]", "min_size=16 max_size=38 aspect_ratio=2 flip=true"),
    ("PriorBoxClustered", "i64[2] = 2,3; i64[2]", "width=1,2 height=3,4"),
    ("Proposal", "f32[1,18,34,62]; f32[1,36,34,62]; f32[3]",
        "base_size=16 pre_nms_topn=6000 post_nms_topn=300 nms_thresh=0.7 feat_stride=16 min_size=16 ratio=0.5,1,2 scale=8,16,32"),
    ("PSROIPooling", "f32[1,392,38,63]; f32[300,5]", "output_dim=8 group_size=7 spatial_scale=0.0625 mode=average"),
    ("RegionYolo", "f32[1,255,26,26]", "anchors=10,14,23,27,37,58 axis=1 end_axis=3 coords=4 classes=80 num=6 do_softmax=false mask=0,1,2"),
    ("ReorgYolo", "f32[1,64,26,26]", "stride=2"),
    ("ROIAlign ROIAlignRotated", "f32[1,256,200,200]; f32[1000,4]; i64[1000]", "pooled_h=7 pooled_w=7 sampling_ratio=2 spatial_scale=0.0625 mode=avg"),
    ("ROIAlignRotated", "f32[1,256,200,200]; f32[1000,5]; i64[1000]", "pooled_h=7 pooled_w=7 sampling_ratio=2 spatial_scale=0.0625"),
    ("ROIPooling", "f32[1,256,14,14]; f32[150,5]", "pooled_h=6 pooled_w=6 spatial_scale=0.0625"),
    ("Eye", "i64[] = 3; i64[] = 4; i64[] = 0", "output_type=f32"),
    ("Multinomial", "f32[2,5]; i64[] = 3", "convert_type=i64 with_replacement=true log_probs=false"),
    ("RandomUniform", "i64[2] = 2,3; f32[] = 0; f32[] = 1", "output_type=f32"),
    ("Range", "i64[] = 2; i64[] = 23; i64[] = 3", ""),
    ("Range", "i64[] = 2; i64[] = 23; i64[] = 3", "output_type=i64"),
    ("BGRtoNV12 RGBtoNV12", "u8[1,480,640,3]", ""),
    ("NV12toBGR NV12toRGB", "u8[1,480,640,1]; u8[1,240,320,2]", ""),
    ("I420toBGR I420toRGB", "u8[1,480,640,1]; u8[1,240,320,1]; u8[1,240,320,1]", ""),
    ("Col2Im", "f32[1,12,16]; i64[2] = 5,5; i64[2] = 2,2", "strides=1,1 dilations=1,1 pads_begin=0,0 pads_end=0,0"),
    ("ExtractImagePatches", "f32[1,3,10,10]", "sizes=3,3 strides=5,5 rates=1,1 auto_pad=valid"),
    ("GridSample", "f32[1,3,100,100]; f32[1,10,20,2]", ""),
    ("Interpolate", "f32[1,3,24,32]; i64[2] = 48,64", "axes=2,3 mode=linear"),
    ("Interpolate", "f32[1,3,24,32]; i64[2] = 48,64; f32[2] = 2,2; i64[2] = 2,3", "mode=linear_onnx shape_calculation_mode=sizes"),
    ("Interpolate", "f32[1,3,24,32]; i64[2] = 48,64; i64[2] = 2,3", "mode=linear_onnx shape_calculation_mode=sizes"),
    ("Assign ReadValue", "f32[1,0,64]", "variable_id=past"),
    ("ReadValue", "f32[1,0,64]", "variable_id=past variable_type=f32 variable_shape=1,?,64"),
    ("Const", "", "element_type=f32 shape=2,3 offset=0 size=24"),
    ("Parameter", "", "element_type=f32 shape=1,3,?,?"),
    ("Einsum", "f32[2,3,4]; f32[2,4,5]", "equation=bij,bjk->bik"),
    ("GroupedMatMul", "f32[10,4]; f32[3,5,4]; i32[3]", ""),
    ("Inverse", "f32[2,3,3]", ""),
    ("MatMul", "f32[1,128,768]; f32[3072,768]", "transpose_a=false transpose_b=true"),
    ("BatchToSpace", "f32[48,3,3,1,3]; i64[5] = 1,2,4,3,1; i64[5] = 0,0,1,0,0; i64[5] = 0,0,1,0,0", ""),
    ("SpaceToBatch", "f32[2,6,10,3,3]; i64[5] = 1,2,4,3,1; i64[5] = 0,0,1,0,0; i64[5] = 0,0,1,0,0", ""),
    ("Broadcast", "f32[16,1,1]; i64[4] = 1,16,50,50", ""),
    ("Broadcast", "f32[16,1,1]; i64[4] = 1,16,50,50; i64[1] = 0", ""),
    ("Concat", "f32[1,8,32]; f32[1,16,32]", "axis=1"),
    ("DepthToSpace", "f32[1,28,2,3]", "block_size=2 mode=blocks_first"),
    ("SpaceToDepth", "f32[1,7,4,6]", "block_size=2 mode=blocks_first"),
    ("Gather", "f32[32000,768]; i64[1,128]; i64[] = 0", ""),
    ("GatherElements", "f32[2,3]; i64[2,5]", "axis=1"),
    ("GatherND", "f32[2,3,4]; i64[5,2]", ""),
    ("GatherTree", "f32[7,2,3]; f32[7,2,3]; f32[2]; f32[]", ""),
    ("Pad", "f32[1,3,8,8]; i64[4] = 0,0,1,1; i64[4] = 0,0,1,1; f32[] = 0", "pad_mode=constant"),
    ("Reverse", "f32[2,3]; i64[1] = 1", "mode=index"),
    ("ReverseSequence", "f32[3,10,100]; i64[3]", "batch_axis=0 seq_axis=1"),
    ("Roll", "f32[3,10,100]; i64[2]; i64[2] = 0,1", ""),
    ("ScatterElementsUpdate", "f32[3,10]; i64[3,2]; f32[3,2]; i64[] = 1", ""),
    ("ScatterNDUpdate", "f32[10,4]; i64[3,1]; f32[3,4]", ""),
    ("ScatterUpdate", "f32[10,4]; i64[3]; f32[3,4]; i64[] = 0", ""),
    ("ShuffleChannels", "f32[1,12,8,8]", "axis=1 group=3"),
    ("Slice", "f32[1,128,768]; i64[1] = -1; i64[1] = 9223372036854775807; i64[1] = 1; i64[1] = 1", ""),
    ("SliceScatter", "f32[3,10]; f32[3,4]; i64[1] = 2; i64[1] = 6; i64[1] = 1; i64[1] = 1", ""),
    ("Split", "f32[6,12]; i64[] = 1", "num_splits=3"),
    ("StridedSlice", "f32[1,128,768]; i64[2] = 0,-1; i64[2] = 0,0; i64[2] = 1,1",
        "begin_mask=1,0 end_mask=1,1 new_axis_mask=0,0 shrink_axis_mask=0,1 ellipsis_mask=0,0"),
    ("Tile", "f32[2,3]; i64[2] = 1,4", ""),
    ("Transpose", "f32[1,3,224,224]; i64[4] = 0,2,3,1", ""),
    ("Unique", "f32[2,3]", ""),
    ("VariadicSplit", "f32[6,12]; i64[] = 1; i64[3] = 2,-1,4", ""),
    ("BatchNormInference", "f32[1,8,4,4]; f32[8]; f32[8]; f32[8]; f32[8]", "epsilon=0.001"),
    ("BatchNormInference", "f32[8]; f32[8]; f32[1,8,4,4]; f32[8]; f32[8]", "epsilon=0.001"),
    ("GRN", "f32[1,8,4,4]", "bias=0.001"),
    ("GroupNormalization", "f32[1,8,4,4]; f32[8]; f32[8]", "num_groups=4 epsilon=0.00001"),
    ("LRN", "f32[1,8,4,4]; i64[1] = 1", "alpha=0.0001 beta=0.75 bias=1 size=5"),
    ("MVN", "f32[1,8,4,4]", "eps=0.000001 across_channels=false normalize_variance=true"),
    ("MVN", "f32[1,8,4,4]; i64[2] = 2,3", "eps=0.000001 normalize_variance=true eps_mode=inside_sqrt"),
    ("NormalizeL2", "f32[1,8,4,4]; i64[1] = 1", "eps=0.000001 eps_mode=add"),
    ("AdaptiveAvgPool AdaptiveMaxPool", "f32[1,8,9,9]; i64[2] = 3,2", ""),
    ("AvgPool MaxPool", "f32[1,64,112,112]", "kernel=3,3 strides=2,2 pads_begin=1,1 pads_end=1,1"),
    ("AvgPool", "f32[1,64,112,112]", "kernel=3,3 strides=2,2 pads_begin=1,1 pads_end=1,1 dilations=1,1"),
    ("FakeConvert", "f32[2,3]; f32[3]", "destination_type=f8e4m3"),
    ("FakeQuantize", "f32[1,64,56,56]; f32[]; f32[]; f32[]; f32[]", "levels=256"),
    ("ReduceL1 ReduceL2 ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum", "f32[6,12,10,24]; i64[2] = 2,3", "keep_dims=true"),
    ("ReduceLogicalAnd ReduceLogicalOr", "boolean[6,12,10,24]; i64[2] = 2,3", "keep_dims=true"),
    ("CTCGreedyDecoder", "f32[20,8,128]; f32[20,8]", "ctc_merge_repeated=true"),
    ("CTCGreedyDecoderSeqLen", "f32[8,20,128]; i32[8]", ""),
    ("CTCLoss", "f32[8,20,128]; i32[8]; i32[8,20]; i32[8]", ""),
    ("GRUCell", "f32[1,16]; f32[1,128]; f32[384,16]; f32[384,128]; f32[384]", "hidden_size=128"),
    ("GRUSequence", "f32[2,7,16]; f32[2,1,128]; i32[2]; f32[1,384,16]; f32[1,384,128]; f32[1,384]",
        "direction=forward hidden_size=128 activations=sigmoid,tanh"),
    ("LSTMCell", "f32[1,16]; f32[1,128]; f32[1,128]; f32[512,16]; f32[512,128]; f32[512]", "hidden_size=128"),
    ("LSTMSequence", "f32[2,7,16]; f32[2,1,128]; f32[2,1,128]; i32[2]; f32[1,512,16]; f32[1,512,128]; f32[1,512]",
        "direction=forward hidden_size=128 activations=sigmoid,tanh,tanh"),
    ("OneHot", "i64[2,3]; i64[] = 5; f32[] = 1; f32[] = 0", "axis=-1"),
    ("RNNCell", "f32[1,16]; f32[1,128]; f32[128,16]; f32[128,128]; f32[128]", "hidden_size=128"),
    ("RNNSequence", "f32[2,7,16]; f32[2,1,128]; i32[2]; f32[1,128,16]; f32[1,128,128]; f32[1,128]",
        "direction=forward hidden_size=128 activations=tanh"),
    ("ScaledDotProductAttention", "f32[1,32,7,128]; f32[1,32,9,128]; f32[1,32,9,128]", "causal=false"),
    ("Reshape", "f32[2,5,5,24]; i64[3] = 0,-1,4", "special_zero=true"),
    ("Squeeze", "f32[1,3,1,2]; i64[1] = 0", ""),
    ("Unsqueeze", "f32[3,2]; i64[1] = 0", ""),
    ("DFT IDFT", "f32[2,320,320,2]; i64[2] = 1,2", ""),
    ("RDFT", "f32[2,320,320]; i64[2] = 1,2", ""),
    ("IRDFT", "f32[2,320,161,2]; i64[2] = 1,2", ""),
    ("STFT", "f32[2,48]; f32[16]; i64[] = 16; i64[] = 4", "transpose_frames=false"),
    ("ISTFT", "f32[2,9,9,2]; f32[16]; i64[] = 16; i64[] = 4", "center=false normalized=false"),
    ("SearchSorted", "f32[2,7]; f32[2,3]", ""),
    ("TopK", "f32[1,1000]; i64[] = 5", "axis=-1 mode=max sort=value index_element_type=i64"),
    ("EmbeddingBagOffsets EmbeddingBagOffsetsSum", "f32[5,2]; i32[4]; i32[3]; i32[] = 0", ""),
    ("EmbeddingBagPacked EmbeddingBagPackedSum", "f32[5,2]; i32[3,2]", ""),
    ("EmbeddingSegmentsSum", "f32[5,2]; i32[4]; i32[4]; i32[] = 3", ""),
    ("SegmentMax", "f32[5,2]; i32[5] = 0,0,2,3,3", "fill_mode=ZERO"),
    ("SparseFillEmptyRows", "f32[4]; i32[2] = 5,6; i32[4,2] = 0,0,1,1,3,3,4,4; f32[]", ""),
    ("StringTensorPack", "i32[2,3]; i32[2,3]; u8[100]", ""),
    ("StringTensorUnpack", "string[2,3]", ""),
    ("Convert", "f16[2,3]", "destination_type=f32"),
    ("ConvertLike", "f16[2,3]; i32[5]", ""),
    ("ConvertPromoteTypes", "f16[2,3]; i32[5]", "promote_unsafe=true"),
];

/// One layer of an operation, with the outputs that it has.
pub struct Example {
    /// The inputs.
    pub inputs: Vec<Fact>,
    /// The attributes.
    pub attrs: Texts<'static>,
    /// The inferred outputs.
    pub outputs: Vec<Fact>,
}

impl OpSpec {
    /// Returns an example; `None` for operations with bodies.
    pub fn example(&'static self) -> Option<Example> {
        let own = |names: &str| names.split_ascii_whitespace().any(|name| name == self.name);
        EXAMPLES.iter().filter(|row| own(row.0)).find_map(|(_, inputs, attrs)| self.try_example(inputs, attrs))
    }

    fn try_example(&'static self, inputs: &str, attrs: &'static str) -> Option<Example> {
        let inputs: Vec<Fact> = inputs.split_terminator(';').map(str::parse).collect::<Result<_, _>>().ok()?;
        let attrs = attrs.split_ascii_whitespace().filter_map(|attr| attr.split_once('='));
        let attrs: Texts = attrs.map(|(name, text)| (name.into(), text.into())).collect();
        let facts: Vec<&Fact> = inputs.iter().collect();
        let call = Call {
            spec: self,
            inputs: &facts,
            attrs: &attrs,
            declared_outputs: None,
            wants_values: true,
            extent: Extent::Full,
        };
        let result = call.apply(&Limits::default());
        let outputs = result.outputs.filter(|_| result.faults.is_empty() && self.knows(&attrs))?;
        Some(Example { inputs, attrs, outputs })
    }

    /// Whether all of these are attributes of this revision.
    fn knows(&self, attrs: &Texts) -> bool {
        attrs.iter().all(|(name, _)| self.attrs.iter().any(|attr| attr.name == *name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{Outputs, find, operations};

    #[test]
    fn every_operation_without_bodies_has_an_example() {
        let lacking = operations().filter(|spec| spec.example().is_none());
        let lacking: Vec<_> = lacking.filter(|spec| !matches!(spec.outputs, Outputs::FromBodies(_))).collect();
        let why = |spec: &&'static OpSpec| format!("{}-{}", spec.name, spec.opset);
        assert!(lacking.is_empty(), "{:?}", lacking.iter().map(why).collect::<Vec<_>>());
        for name in EXAMPLES.iter().flat_map(|row| row.0.split_ascii_whitespace()) {
            assert!(operations().any(|spec| spec.name == name), "{name}");
        }
    }

    #[test]
    fn outputs_are_inferred() {
        let outputs = |name, opset| {
            let example = find(name, opset).and_then(OpSpec::example).unwrap();
            example.outputs.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(outputs("Split", 1), ["f32[6,4]", "f32[6,4]", "f32[6,4]"]);
        assert_eq!(outputs("VariadicSplit", 1), ["f32[6,2]", "f32[6,6]", "f32[6,4]"]);
        assert_eq!(outputs("Convolution", 1), ["f32[1,64,112,112]"]);
        assert_eq!(outputs("MatMul", 1), ["f32[1,128,3072]"]);
        for opset in [1, 4, 11] {
            assert_eq!(outputs("Interpolate", opset), ["f32[1,3,48,64]"]);
        }
    }
}
