//! Operations that no opset holds: those of OpenVINO's own, which it loads from no file, and those of extension libraries.

use super::{Meaning, revisions};

/// What type `name` of `version`, which is not an opset, means all the same.
pub(super) fn meaning(name: &str, version: &str) -> Meaning {
    // `Constant` is the name of the class that layers write as `Const`.
    let is_standard = name.eq_ignore_ascii_case("Constant") || !revisions::revisions_of(name).is_empty();
    let listed = INTERNAL.iter().any(|(label, types)| *label == version && types.contains(&name));
    match version {
        _ if listed => Meaning::Internal,
        "extension" if TOKENIZERS.contains(&name) => Meaning::Extension { library: Some("openvino_tokenizers") },
        "extension" if !is_standard => Meaning::Extension { library: None },
        _ if OWN_LABELS.contains(&version) && !is_standard => Meaning::Internal,
        _ if version.starts_with("type_relaxed_opset") && is_standard => Meaning::Internal,
        _ => Meaning::UnknownOpset,
    }
}

/// Labels that only OpenVINO's own passes, plugins and frontends write.
const OWN_LABELS: &[&str] = &["SnippetsOpset", "cpu_plugin_opset", "ie_internal_opset", "util"];

/// Internal operations, by label.
const INTERNAL: &[(&str, &[&str])] = &[
    ("", &["GroupedMatMulCompressed"]),
    ("SnippetsOpset", &["Subgraph"]),
    ("cpu_plugin_opset", &["PowerStatic", "ScaledDotProductAttentionWithKVCache", "SwishCPU"]),
    (
        "extension",
        &[
            "GatedDeltaNet",
            "GatherMatmul",
            "GatherMatmulCompressed",
            "PaKVReorder",
            "PagedAttentionExtension",
            "PagedCausalConv1D",
            "PagedGatedDeltaNet",
            "PagedSelectiveSSM",
            "RMSNorm",
            "SelectiveSSM",
        ],
    ),
    (
        "ie_internal_opset",
        &[
            "AUGRUCell",
            "AUGRUSequence",
            "DynamicQuantize",
            "FullyConnected",
            "FullyConnectedCompressed",
            "FullyConnectedQuantized",
            "FullyConnectedQuantizedLegacy",
            "GLU",
            "GatherCompressed",
            "GenerateProposalsIEInternal",
            "GroupQueryAttention",
            "LoraSubgraph",
            "MOE",
            "MOECompressed",
            "MulticlassNmsIEInternal",
            "NonMaxSuppressionIEInternal",
            "RMS",
            "RoPE",
            "VLSDPA",
        ],
    ),
];

/// The operations of the library that turns text into tokens and back.
const TOKENIZERS: &[&str] = &[
    "BPETokenizer",
    "ByteFallback",
    "BytesToChars",
    "CaseFold",
    "CharsMapNormalization",
    "CharsToBytes",
    "CombineSegments",
    "EqualStr",
    "FuzeRagged",
    "NormalizeUnicode",
    "RaggedTensorPack",
    "RaggedTensorUnpack",
    "RaggedToDense",
    "RaggedToRagged",
    "RaggedToSparse",
    "RegexNormalization",
    "RegexSplit",
    "SentencepieceDetokenizer",
    "SentencepieceStreamDetokenizer",
    "SentencepieceTokenizer",
    "SpecialTokensSplit",
    "StringTensorPack",
    "StringTensorUnpack",
    "StringToHashBucket",
    "TrieTokenizer",
    "Truncate",
    "UTF8Validate",
    "UnigramTokenizer",
    "VocabDecoder",
    "VocabEncoder",
    "WordpieceTokenizer",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_listed_in_order() {
        assert!(TOKENIZERS.is_sorted() && INTERNAL.is_sorted() && INTERNAL.iter().all(|(_, types)| types.is_sorted()));
        // With relaxed operations and those that a frontend could not convert, all that were seen.
        assert_eq!(INTERNAL.iter().map(|(_, types)| types.len()).sum::<usize>() + TOKENIZERS.len() + 2, 67);
    }

    #[test]
    fn labels_tell_whose_an_operation_is() {
        let library = |name| match meaning(name, "extension") {
            Meaning::Extension { library } => library,
            other => panic!("{other:?}"),
        };
        assert_eq!(library("BPETokenizer"), Some("openvino_tokenizers"));
        // opset15 holds operations of this name; the library has its own.
        assert_eq!(library("StringTensorPack"), Some("openvino_tokenizers"));
        assert_eq!(library("MyLayer"), None);
        for (name, version) in [
            ("RMS", "ie_internal_opset"),
            ("PagedAttentionExtension", "extension"),
            ("GroupedMatMulCompressed", ""),
            ("Convolution", "type_relaxed_opset1"),
            ("aten::foo", "util"),
            ("NotSeenYet", "cpu_plugin_opset"),
        ] {
            assert!(matches!(meaning(name, version), Meaning::Internal), "{name} {version}");
        }
        for (name, version) in [
            ("ReLU", "extension"),
            ("ReLU", "ie_internal_opset"),
            ("Constant", "extension"),
            ("RMS", ""),
            ("RMS", "opset99"),
            ("RMS", "Extension"),
        ] {
            assert!(matches!(meaning(name, version), Meaning::UnknownOpset), "{name} {version}");
        }
    }
}
