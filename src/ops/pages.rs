//! The pages of the specification.
//!
//! Read on 2026-11-23 in OpenVINO's documentation
//! (<https://github.com/openvinotoolkit/openvino/tree/master/docs/articles_en/documentation/openvino-ir-format/operation-sets/operation-specs>).

use super::CATEGORIES;
use super::spec::OpSpec;

/// The folder of the pages.
const FOLDER: &str = "https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs";

/// Revisions whose page is not called after category, name and opset.
#[rustfmt::skip]
const PAGES: &[(&str, u8, &str)] = &[
    ("HSigmoid", 5, "activation/hsigmoid-5"),
    ("HSwish", 4, "activation/hswish-4"),
    ("LogSoftmax", 5, "activation/log-soft-max-5"),
    ("PReLU", 1, "activation/prelu-1"),
    ("ReLU", 1, "activation/relu-1"),
    ("SoftMax", 1, "activation/softmax-1"),
    ("SoftMax", 8, "activation/softmax-8"),
    ("SoftPlus", 4, "activation/softplus-4"),
    ("SoftSign", 9, "activation/softsign-9"),
    ("Acosh", 4, "arithmetic/acosh-3"),
    ("Asinh", 4, "arithmetic/asinh-3"),
    ("Atanh", 4, "arithmetic/atanh-3"),
    ("CumSum", 3, "arithmetic/cumsum-3"),
    ("ErfInv", 17, "arithmetic/erfinv-17"),
    ("FloorMod", 1, "arithmetic/floormod-1"),
    ("IsFinite", 10, "comparison/isfinite-10"),
    ("IsInf", 10, "comparison/isinf-10"),
    ("IsNaN", 10, "comparison/isnan-10"),
    ("LessEqual", 1, "comparison/lessequal-1"),
    ("NotEqual", 1, "comparison/notequal-1"),
    ("NonZero", 3, "condition/nonzero-3"),
    ("DetectionOutput", 1, "detection/detectionoutput-1"),
    ("DetectionOutput", 8, "detection/detectionoutput-8"),
    ("ExperimentalDetectronTopKROIs", 6, "sort/experimental-detectron-top-krois-6"),
    ("MatrixNms", 8, "sort/matrix-non-max-suppression-8"),
    ("MulticlassNms", 8, "sort/multiclass-non-max-suppression-8"),
    ("MulticlassNms", 9, "sort/multiclass-non-max-suppression-9"),
    ("NMSRotated", 13, "sort/nms-rotated-13"),
    ("NonMaxSuppression", 1, "sort/non-max-suppression-1"),
    ("NonMaxSuppression", 3, "sort/non-max-suppression-3"),
    ("NonMaxSuppression", 4, "sort/non-max-suppression-4"),
    ("NonMaxSuppression", 5, "sort/no-max-suppression-5"),
    ("NonMaxSuppression", 9, "sort/non-max-suppression-9"),
    ("ReorgYolo", 2, "detection/reorg-yolo-1"),
    ("ROIPooling", 2, "detection/roi-pooling-1"),
    ("BGRtoNV12", 17, "image/bgr-to-nv12-17"),
    ("Col2Im", 15, "movement/col2im-15"),
    ("ExtractImagePatches", 3, "movement/extract-image-patches-3"),
    ("I420toBGR", 8, "image/i420-to-bgr-8"),
    ("I420toRGB", 8, "image/i420-to-rgb-8"),
    ("NV12toBGR", 8, "image/nv12-to-bgr-8"),
    ("NV12toRGB", 8, "image/nv12-to-rgb-8"),
    ("RGBtoNV12", 17, "image/rgb-to-nv12-17"),
    ("Const", 1, "infrastructure/constant-1"),
    ("Identity", 16, "activation/identity-16"),
    ("Xor", 1, "logical/logical-xor-1"),
    ("GroupedMatMul", 17, "matrix/grouped-matmul-17"),
    ("MatMul", 1, "matrix/matmul-1"),
    ("ScatterNDUpdate", 4, "movement/scatter-nd-update-3"),
    ("MVN", 2, "normalization/mvn-1"),
    ("LSTMCell", 4, "sequence/lstm-cell-1"),
    ("RNNCell", 1, "sequence/rnn-cell-3"),
    ("ScaledDotProductAttention", 13, "sequence/scaled-dot-product-attention"),
    ("SegmentMax", 16, "arithmetic/segment-max-16"),
    ("SparseFillEmptyRows", 16, "sparse/fill-empty-rows-16"),
    ("StringTensorPack", 15, "type/string-tensor-pack-15"),
    ("StringTensorUnpack", 15, "type/string-tensor-unpack-15"),
];

impl OpSpec {
    /// The category: a folder of OpenVINO's operation specifications, for most operations.
    pub fn category(&self) -> &'static str {
        let has = |spec: &&OpSpec| (spec.name, spec.opset) == (self.name, self.opset);
        CATEGORIES.iter().find(|category| category.operations.iter().any(has)).map_or("", |category| category.name)
    }

    /// The URL of the page of the specification.
    pub fn page(&self) -> String {
        match PAGES.iter().find(|row| (row.0, row.1) == (self.name, self.opset)) {
            Some((.., page)) => format!("{FOLDER}/{page}.html"),
            None => format!("{FOLDER}/{}/{}-{}.html", self.category(), kebab(self.name), self.opset),
        }
    }
}

/// Returns a name in small letters, with a hyphen before each word.
fn kebab(name: &str) -> String {
    let mut text = String::new();
    let mut before = None;
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let starts_word = letters.peek().is_some_and(char::is_ascii_lowercase);
        let is_small = |before: char| before.is_ascii_lowercase();
        if letter.is_ascii_uppercase() && before.is_some_and(|before| is_small(before) || starts_word) {
            text.push('-');
        }
        text.push(letter.to_ascii_lowercase());
        before = Some(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{find, operations};

    #[test]
    fn pages_are_called_after_the_operation_or_listed() {
        let page = |name, opset| find(name, opset).unwrap().page().strip_prefix(FOLDER).unwrap().to_owned();
        assert_eq!(page("Split", 1), "/movement/split-1.html");
        assert_eq!(page("GatherND", 8), "/movement/gather-nd-8.html");
        assert_eq!(page("ReduceL2", 4), "/reduction/reduce-l2-4.html");
        assert_eq!(page("CTCGreedyDecoderSeqLen", 6), "/sequence/ctc-greedy-decoder-seq-len-6.html");
        assert_eq!(page("NonMaxSuppression", 5), "/sort/no-max-suppression-5.html");
        for (name, opset, _) in PAGES {
            assert!(operations().any(|spec| (spec.name, spec.opset) == (*name, *opset)), "{name} {opset}");
        }
    }
}
