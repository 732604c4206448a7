//! Operations that no opset holds: internal ones of OpenVINO, which it does not read from files, and those of extension
//! libraries.

use super::Meaning;
use super::revisions::revisions_of;
use crate::text::nearest;
use crate::types::{Release, release};

/// The meaning of type `name` and a `version` that is not an opset.
pub(super) fn meaning(name: &str, version: &str) -> Meaning {
    // `Constant` is the class name of the type `Const`.
    let is_standard = name.eq_ignore_ascii_case("Constant") || revisions_of(name).next().is_some();
    let listed = INTERNAL.iter().any(|(label, types)| *label == version && is_among(name, types));
    match version {
        _ if listed => Meaning::Internal,
        "extension" if first_tokenizers(name).is_some() => Meaning::Extension { library: Some("openvino_tokenizers") },
        _ if OWN_LABELS.contains(&version) && !is_standard => Meaning::Internal,
        _ if version.starts_with("type_relaxed_opset") && is_standard => Meaning::Internal,
        _ if is_library(version) && !is_standard => Meaning::Extension { library: None },
        _ => Meaning::UnknownOpset,
    }
}

/// Whether a label may belong to an extension library, and is not a misspelt opset.
fn is_library(version: &str) -> bool {
    let label = version.to_ascii_lowercase();
    let known = ["extension", "experimental"].iter().chain(OWN_LABELS);
    let is_misspelt = known.into_iter().any(|known| *known != version && known.to_ascii_lowercase() == label)
        || label.trim().starts_with("opset")
        || nearest(&label, ["opset1", "opset10"]).is_some();
    (1..=LABEL).contains(&label.len()) && label.bytes().any(|byte| byte.is_ascii_alphabetic()) && !is_misspelt
}

/// Limit for the characters of a library label; no known library has a longer one.
const LABEL: usize = 100;

/// Labels that only the passes, plugins and frontends of OpenVINO use.
const OWN_LABELS: &[&str] = &["SnippetsOpset", "cpu_plugin_opset", "ie_internal_opset", "util"];

/// Internal operations, by label.
const INTERNAL: &[(&str, &str)] = &[
    ("", "GroupedMatMulCompressed"),
    ("SnippetsOpset", "Subgraph"),
    ("cpu_plugin_opset", "PowerStatic ScaledDotProductAttentionWithKVCache SwishCPU"),
    (
        "extension",
        "GatedDeltaNet GatherMatmul GatherMatmulCompressed PaKVReorder PagedAttentionExtension PagedCausalConv1D \
         PagedGatedDeltaNet PagedSelectiveSSM RMSNorm SelectiveSSM",
    ),
    (
        "ie_internal_opset",
        "AUGRUCell AUGRUSequence DynamicQuantize FullyConnected FullyConnectedCompressed FullyConnectedQuantized \
         FullyConnectedQuantizedLegacy GLU GatherCompressed GenerateProposalsIEInternal GroupQueryAttention LoraSubgraph \
         MOE MOECompressed MulticlassNmsIEInternal NonMaxSuppressionIEInternal RMS RoPE VLSDPA",
    ),
];

/// The operations of `openvino_tokenizers`, by its first release with them: measured on 2026-11-29 in the libraries of 2023.3 to
/// 2026.3.
const TOKENIZERS: &[(Release, &str)] = &[
    (
        release(2023, 3),
        "BPETokenizer BytesToChars CaseFold CharsToBytes CombineSegments NormalizeUnicode RaggedTensorPack \
         RaggedTensorUnpack RaggedToDense RegexNormalization RegexSplit SentencepieceDetokenizer \
         SentencepieceStreamDetokenizer SentencepieceTokenizer StringTensorPack StringTensorUnpack VocabDecoder \
         WordpieceTokenizer",
    ),
    (release(2024, 1), "EqualStr FuzeRagged RaggedToRagged RaggedToSparse TrieTokenizer VocabEncoder"),
    (release(2024, 2), "StringToHashBucket"),
    (release(2024, 3), "ByteFallback"),
    (release(2024, 4), "UTF8Validate"),
    (release(2024, 5), "CharsMapNormalization SpecialTokensSplit"),
    (release(2025, 1), "UnigramTokenizer"),
    (release(2025, 2), "Truncate"),
    (release(2026, 2), "NumericToString"),
    (release(2026, 3), "ContribStringJoin ContribStringSplit"),
];

/// The first release of `openvino_tokenizers` with an operation; `None` if it is not of this library.
pub(crate) fn first_tokenizers(name: &str) -> Option<Release> {
    TOKENIZERS.iter().find(|(_, types)| is_among(name, types)).map(|(first, _)| *first)
}

fn is_among(name: &str, words: &str) -> bool {
    words.split(' ').any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_listed_in_order() {
        let lists = || INTERNAL.iter().map(|(_, types)| *types).chain(TOKENIZERS.iter().map(|(_, types)| *types));
        assert!(INTERNAL.is_sorted() && TOKENIZERS.is_sorted() && lists().all(|types| types.split(' ').is_sorted()));
        // All that were observed, together with relaxed operations and those that a frontend could not convert.
        assert_eq!(lists().flat_map(|types| types.split(' ')).count() + 2, 70);
    }

    #[test]
    fn labels_name_the_origin_of_an_operation() {
        let library = |name| match meaning(name, "extension") {
            Meaning::Extension { library } => library,
            other => panic!("{other:?}"),
        };
        assert_eq!(library("BPETokenizer"), Some("openvino_tokenizers"));
        // opset15 and the library both have an operation of this name.
        assert_eq!(library("StringTensorPack"), Some("openvino_tokenizers"));
        assert_eq!(library("MyLayer"), None);
        for version in ["my_ops", "nvidia", "com.example.ops"] {
            assert!(matches!(meaning("MyLayer", version), Meaning::Extension { library: None }), "{version}");
        }
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
            ("RMS", "Opset 1"),
            ("RMS", "opest1"),
            ("RMS", "17"),
            ("ReLU", "my_ops"),
        ] {
            assert!(matches!(meaning(name, version), Meaning::UnknownOpset), "{name} {version}");
        }
    }
}
