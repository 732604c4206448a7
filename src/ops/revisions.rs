//! The operations of every opset, as OpenVINO 2026.4.1 registers them.

/// One revision of an operation and the opsets that hold it.
#[derive(Debug, Clone, Copy)]
pub struct Revision {
    /// The type as a layer writes it.
    pub name: &'static str,
    /// The first opset that holds it.
    pub opset: u8,
    /// Bit `n` is set if opset `n` holds it.
    opsets: u32,
}

impl Revision {
    /// Whether opset `opset` holds this revision.
    pub fn is_in(&self, opset: u8) -> bool {
        opset < 32 && self.opsets & (1 << opset) != 0
    }

    /// The last opset that holds this revision.
    pub fn last(&self) -> u8 {
        self.opsets.checked_ilog2().and_then(|last| u8::try_from(last).ok()).unwrap_or(0)
    }
}

/// The newest known opset.
pub const NEWEST: u8 = 17;

/// The type that OpenVINO looks up for the type of a layer: it renames four.
pub(crate) fn renamed(ty: &str) -> &str {
    match ty {
        "Const" => "Constant",
        "PReLU" => "PRelu",
        "ReLU" => "Relu",
        "SoftMax" => "Softmax",
        ty => ty,
    }
}

/// The revisions of `name`, oldest first; the name is matched in any case.
pub fn revisions_of(name: &str) -> &'static [Revision] {
    let folded = |revision: &Revision| revision.name.bytes().map(|b| b.to_ascii_lowercase()).cmp(lower(name));
    let start = REVISIONS.partition_point(|revision| folded(revision).is_lt());
    let rest = REVISIONS.get(start..).unwrap_or_default();
    let count = rest.iter().take_while(|revision| revision.name.eq_ignore_ascii_case(name)).count();
    rest.get(..count).unwrap_or_default()
}

fn lower(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().map(|b| b.to_ascii_lowercase())
}

const fn row(name: &'static str, opset: u8, opsets: u32) -> Revision {
    Revision { name, opset, opsets }
}

/// The opsets from `first` to `last`.
const fn span(first: u8, last: u8) -> u32 {
    (1 << (last + 1)) - (1 << first)
}

/// Every revision, sorted by name in lower case, then by opset.
#[rustfmt::skip]
pub static REVISIONS: &[Revision] = &[
    row("Abs", 1, span(1, 16)),
    row("Acos", 1, span(1, 16)),
    row("Acosh", 4, span(4, 16)),
    row("AdaptiveAvgPool", 8, span(8, 16)),
    row("AdaptiveMaxPool", 8, span(8, 16)),
    row("Add", 1, span(1, 16)),
    row("Asin", 1, span(1, 16)),
    row("Asinh", 4, span(4, 16)),
    row("Assign", 3, span(3, 5)),
    row("Assign", 6, span(6, 16)),
    row("Atan", 1, span(1, 16)),
    row("Atanh", 4, span(4, 16)),
    row("AvgPool", 1, span(1, 13)),
    row("AvgPool", 14, span(14, 15)),
    row("AvgPool", 16, span(16, 16)),
    row("BatchNormInference", 1, span(1, 4)),
    row("BatchNormInference", 5, span(5, 16)),
    row("BatchToSpace", 2, span(2, 16)),
    row("BGRtoNV12", 17, span(17, 17)),
    row("BinaryConvolution", 1, span(1, 16)),
    row("BitwiseAnd", 13, span(13, 16)),
    row("BitwiseLeftShift", 15, span(15, 16)),
    row("BitwiseNot", 13, span(13, 16)),
    row("BitwiseOr", 13, span(13, 16)),
    row("BitwiseRightShift", 15, span(15, 16)),
    row("BitwiseXor", 13, span(13, 16)),
    row("Broadcast", 1, span(1, 2)),
    row("Broadcast", 3, span(3, 16)),
    row("Bucketize", 3, span(3, 16)),
    row("Ceiling", 1, span(1, 16)),
    row("Clamp", 1, span(1, 16)),
    row("Col2Im", 15, span(15, 16)),
    row("Concat", 1, span(1, 16)),
    row("Const", 1, span(1, 16)),
    row("Convert", 1, span(1, 17)),
    row("ConvertLike", 1, span(1, 16)),
    row("ConvertPromoteTypes", 14, span(14, 16)),
    row("Convolution", 1, span(1, 16)),
    row("ConvolutionBackpropData", 1, span(1, 16)),
    row("Cos", 1, span(1, 16)),
    row("Cosh", 1, span(1, 16)),
    row("CTCGreedyDecoder", 1, span(1, 16)),
    row("CTCGreedyDecoderSeqLen", 6, span(6, 16)),
    row("CTCLoss", 4, span(4, 16)),
    row("CumSum", 3, span(3, 16)),
    row("DeformableConvolution", 1, span(1, 7)),
    row("DeformableConvolution", 8, span(8, 16)),
    row("DeformablePSROIPooling", 1, span(1, 16)),
    row("DepthToSpace", 1, span(1, 16)),
    row("DetectionOutput", 1, span(1, 7)),
    row("DetectionOutput", 8, span(8, 16)),
    row("DFT", 7, span(7, 16)),
    row("Divide", 1, span(1, 16)),
    row("Einsum", 7, span(7, 16)),
    row("Elu", 1, span(1, 16)),
    row("EmbeddingBagOffsets", 15, span(15, 16)),
    row("EmbeddingBagOffsetsSum", 3, span(3, 16)),
    row("EmbeddingBagPacked", 15, span(15, 16)),
    row("EmbeddingBagPackedSum", 3, span(3, 16)),
    row("EmbeddingSegmentsSum", 3, span(3, 16)),
    row("Equal", 1, span(1, 16)),
    row("Erf", 1, span(1, 16)),
    row("ErfInv", 17, span(17, 17)),
    row("Exp", 1, span(1, 16)),
    row("ExperimentalDetectronDetectionOutput", 6, span(6, 16)),
    row("ExperimentalDetectronGenerateProposalsSingleImage", 6, span(6, 16)),
    row("ExperimentalDetectronPriorGridGenerator", 6, span(6, 16)),
    row("ExperimentalDetectronROIFeatureExtractor", 6, span(6, 16)),
    row("ExperimentalDetectronTopKROIs", 6, span(6, 16)),
    row("ExtractImagePatches", 3, span(3, 16)),
    row("Eye", 9, span(9, 16)),
    row("FakeConvert", 13, span(13, 16)),
    row("FakeQuantize", 1, span(1, 16)),
    row("Floor", 1, span(1, 16)),
    row("FloorMod", 1, span(1, 16)),
    row("Gather", 1, span(1, 6)),
    row("Gather", 7, span(7, 7)),
    row("Gather", 8, span(8, 16)),
    row("GatherElements", 6, span(6, 16)),
    row("GatherND", 5, span(5, 7)),
    row("GatherND", 8, span(8, 16)),
    row("GatherTree", 1, span(1, 16)),
    row("Gelu", 2, span(2, 6)),
    row("Gelu", 7, span(7, 16)),
    row("GenerateProposals", 9, span(9, 16)),
    row("Greater", 1, span(1, 16)),
    row("GreaterEqual", 1, span(1, 16)),
    row("GridSample", 9, span(9, 16)),
    row("GRN", 1, span(1, 16)),
    row("GroupConvolution", 1, span(1, 16)),
    row("GroupConvolutionBackpropData", 1, span(1, 16)),
    row("GroupedMatMul", 17, span(17, 17)),
    row("GroupNormalization", 12, span(12, 16)),
    row("GRUCell", 3, span(3, 16)),
    row("GRUSequence", 5, span(5, 16)),
    row("HardSigmoid", 1, span(1, 16)),
    row("HSigmoid", 5, span(5, 16)),
    row("HSwish", 4, span(4, 16)),
    row("I420toBGR", 8, span(8, 16)),
    row("I420toRGB", 8, span(8, 16)),
    row("Identity", 16, span(16, 16)),
    row("IDFT", 7, span(7, 16)),
    row("If", 8, span(8, 16)),
    row("Interpolate", 1, span(1, 3)),
    row("Interpolate", 4, span(4, 10)),
    row("Interpolate", 11, span(11, 16)),
    row("Inverse", 14, span(14, 16)),
    row("IRDFT", 9, span(9, 16)),
    row("IsFinite", 10, span(10, 16)),
    row("IsInf", 10, span(10, 16)),
    row("IsNaN", 10, span(10, 16)),
    row("ISTFT", 16, span(16, 16)),
    row("Less", 1, span(1, 16)),
    row("LessEqual", 1, span(1, 16)),
    row("Log", 1, span(1, 16)),
    row("LogicalAnd", 1, span(1, 16)),
    row("LogicalNot", 1, span(1, 16)),
    row("LogicalOr", 1, span(1, 16)),
    row("LogicalXor", 1, span(1, 16)),
    row("LogSoftmax", 5, span(5, 16)),
    row("Loop", 5, span(5, 16)),
    row("LRN", 1, span(1, 16)),
    row("LSTMCell", 1, span(1, 3)),
    row("LSTMCell", 4, span(4, 16)),
    row("LSTMSequence", 5, span(5, 16)),
    row("MatMul", 1, span(1, 16)),
    row("MatrixNms", 8, span(8, 16)),
    row("Maximum", 1, span(1, 16)),
    row("MaxPool", 1, span(1, 7)),
    row("MaxPool", 8, span(8, 13)),
    row("MaxPool", 14, span(14, 16)),
    row("Minimum", 1, span(1, 16)),
    row("Mish", 4, span(4, 16)),
    row("Mod", 1, span(1, 16)),
    row("MulticlassNms", 8, span(8, 8)),
    row("MulticlassNms", 9, span(9, 16)),
    row("Multinomial", 13, span(13, 16)),
    row("Multiply", 1, span(1, 16)),
    row("MVN", 2, span(2, 5)),
    row("MVN", 6, span(6, 16)),
    row("Negative", 1, span(1, 16)),
    row("NMSRotated", 13, span(13, 16)),
    row("NonMaxSuppression", 1, span(1, 2)),
    row("NonMaxSuppression", 3, span(3, 3)),
    row("NonMaxSuppression", 4, span(4, 4)),
    row("NonMaxSuppression", 5, span(5, 8)),
    row("NonMaxSuppression", 9, span(9, 16)),
    row("NonZero", 3, span(3, 16)),
    row("NormalizeL2", 1, span(1, 16)),
    row("NotEqual", 1, span(1, 16)),
    row("NV12toBGR", 8, span(8, 16)),
    row("NV12toRGB", 8, span(8, 16)),
    row("OneHot", 1, span(1, 15)),
    row("OneHot", 16, span(16, 16)),
    row("Pad", 1, span(1, 11)),
    row("Pad", 12, span(12, 16)),
    row("Parameter", 1, span(1, 17)),
    row("Power", 1, span(1, 16)),
    row("PReLU", 1, span(1, 16)),
    row("PriorBox", 1, span(1, 7)),
    row("PriorBox", 8, span(8, 16)),
    row("PriorBoxClustered", 1, span(1, 16)),
    row("Proposal", 1, span(1, 3)),
    row("Proposal", 4, span(4, 16)),
    row("PSROIPooling", 1, span(1, 16)),
    row("RandomUniform", 8, span(8, 16)),
    row("Range", 1, span(1, 3)),
    row("Range", 4, span(4, 16)),
    row("RDFT", 9, span(9, 16)),
    row("ReadValue", 3, span(3, 5)),
    row("ReadValue", 6, span(6, 16)),
    row("ReduceL1", 4, span(4, 16)),
    row("ReduceL2", 4, span(4, 16)),
    row("ReduceLogicalAnd", 1, span(1, 16)),
    row("ReduceLogicalOr", 1, span(1, 16)),
    row("ReduceMax", 1, span(1, 16)),
    row("ReduceMean", 1, span(1, 16)),
    row("ReduceMin", 1, span(1, 16)),
    row("ReduceProd", 1, span(1, 16)),
    row("ReduceSum", 1, span(1, 16)),
    row("RegionYolo", 1, span(1, 16)),
    row("ReLU", 1, span(1, 16)),
    row("ReorgYolo", 2, span(2, 16)),
    row("Reshape", 1, span(1, 16)),
    row("Result", 1, span(1, 16)),
    row("Reverse", 1, span(1, 1)),
    row("ReverseSequence", 1, span(1, 16)),
    row("RGBtoNV12", 17, span(17, 17)),
    row("RNNCell", 1, span(1, 1) | span(3, 16)),
    row("RNNSequence", 5, span(5, 16)),
    row("ROIAlign", 3, span(3, 8)),
    row("ROIAlign", 9, span(9, 16)),
    row("ROIAlignRotated", 15, span(15, 16)),
    row("ROIPooling", 2, span(2, 16)),
    row("Roll", 7, span(7, 16)),
    row("Round", 5, span(5, 16)),
    row("ScaledDotProductAttention", 13, span(13, 16)),
    row("ScatterElementsUpdate", 3, span(3, 11)),
    row("ScatterElementsUpdate", 12, span(12, 16)),
    row("ScatterNDUpdate", 4, span(4, 14)),
    row("ScatterNDUpdate", 15, span(15, 16)),
    row("ScatterUpdate", 3, span(3, 16)),
    row("SearchSorted", 15, span(15, 16)),
    row("SegmentMax", 16, span(16, 16)),
    row("Select", 1, span(1, 16)),
    row("Selu", 1, span(1, 16)),
    row("ShapeOf", 1, span(1, 2)),
    row("ShapeOf", 3, span(3, 17)),
    row("ShuffleChannels", 1, span(1, 1) | span(3, 16)),
    row("Sigmoid", 1, span(1, 16)),
    row("Sign", 1, span(1, 16)),
    row("Sin", 1, span(1, 16)),
    row("Sinh", 1, span(1, 16)),
    row("Slice", 8, span(8, 16)),
    row("SliceScatter", 15, span(15, 16)),
    row("SoftMax", 1, span(1, 7)),
    row("SoftMax", 8, span(8, 16)),
    row("SoftPlus", 4, span(4, 16)),
    row("SoftSign", 9, span(9, 16)),
    row("SpaceToBatch", 2, span(2, 16)),
    row("SpaceToDepth", 1, span(1, 16)),
    row("SparseFillEmptyRows", 16, span(16, 16)),
    row("Split", 1, span(1, 16)),
    row("Sqrt", 1, span(1, 16)),
    row("SquaredDifference", 1, span(1, 16)),
    row("Squeeze", 1, span(1, 14)),
    row("Squeeze", 15, span(15, 16)),
    row("STFT", 15, span(15, 16)),
    row("StridedSlice", 1, span(1, 16)),
    row("StringTensorPack", 15, span(15, 16)),
    row("StringTensorUnpack", 15, span(15, 16)),
    row("Subtract", 1, span(1, 16)),
    row("Swish", 4, span(4, 16)),
    row("Tan", 1, span(1, 16)),
    row("Tanh", 1, span(1, 16)),
    row("TensorIterator", 1, span(1, 16)),
    row("Tile", 1, span(1, 16)),
    row("TopK", 1, span(1, 2)),
    row("TopK", 3, span(3, 10)),
    row("TopK", 11, span(11, 16)),
    row("Transpose", 1, span(1, 16)),
    row("Unique", 10, span(10, 16)),
    row("Unsqueeze", 1, span(1, 16)),
    row("VariadicSplit", 1, span(1, 16)),
    row("Xor", 1, span(1, 1)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_are_found_in_any_case() {
        let opsets = |name: &str| revisions_of(name).iter().map(|r| (r.opset, r.last())).collect::<Vec<_>>();
        assert_eq!(opsets("split"), [(1, 16)]);
        assert_eq!(opsets("GATHER"), [(1, 6), (7, 7), (8, 16)]);
        assert_eq!(opsets("Rectify"), []);
        assert!(REVISIONS.iter().all(|r| revisions_of(r.name).iter().any(|found| found.opset == r.opset)));
    }
}
