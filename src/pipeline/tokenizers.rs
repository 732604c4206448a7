//! The pair of tokenizer and detokenizer: its operations, tensors, vocabulary, and the token that ends a text.

use super::check::{Check, Place, called};
use super::companion::integer;
use super::demand::{Demand, demands, dim, tensor};
use super::folder::{CONFIG, DETOKENIZER, TOKENIZER};
use super::kind::{CLASSIFICATION, EMBEDDING, GENERATION, Kind, VISUAL};
use super::loader::Levels;
use super::rules::{PIPELINE_CONFIG, PIPELINE_TENSOR, PIPELINE_TOKEN};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::Direction::{self, Input, Output};
use crate::diagnostic::Severity::{Error, Off, Warning};
use crate::ir::{Role, values};
use crate::recipe::View;
use crate::source::Span;
use crate::types::ElementType::{I32, I64, String, U8};
use serde_json::Value;

/// The operations of `openvino_tokenizers` 2026.4, as a tokenizer or detokenizer names them.
const OPERATIONS: [&str; 31] = [
    "BPETokenizer",
    "ByteFallback",
    "BytesToChars",
    "CaseFold",
    "CharsMapNormalization",
    "CharsToBytes",
    "CombineSegments",
    "ContribStringJoin",
    "ContribStringSplit",
    "EqualStr",
    "FuzeRagged",
    "NormalizeUnicode",
    "NumericToString",
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
];

/// Whether the library of tokenizers has an operation of this type.
pub(super) fn is_operation(ty: &str) -> bool {
    OPERATIONS.contains(&ty) || ty == "WordpieceTokenizer"
}

/// Whether a member is a tokenizer or a detokenizer.
pub(super) fn is_pair(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    [TOKENIZER, DETOKENIZER].contains(&last)
}

const GENAI: Levels = Levels::genai(Error);

const TOKENIZED: [Demand; 2] = [
    tensor(TOKENIZER, Output, "input_ids", Some(I64), Some(2), GENAI),
    tensor(TOKENIZER, Output, "attention_mask", None, None, GENAI),
];
const DETOKENIZED: [Demand; 2] = [
    tensor(DETOKENIZER, Input, "", Some(I64), Some(2), GENAI),
    tensor(DETOKENIZER, Output, "", Some(String), Some(1), GENAI),
];

/// Checks the pair that lies beside the models of a pipeline.
pub(super) fn check(check: &mut Check, kind: &Kind) {
    let is_generation = [&GENERATION, &VISUAL].contains(&kind);
    let encodes = is_generation || [&EMBEDDING, &CLASSIFICATION].contains(&kind);
    if encodes {
        let levels = if kind == &GENERATION { Levels { genai: Warning, ..GENAI } } else { GENAI };
        check.needs(levels, TOKENIZER, "texts are not encoded without it");
        demands(check, &TOKENIZED);
    }
    if kind.writes_text {
        if check.has(TOKENIZER) {
            check.needs(GENAI, DETOKENIZER, "tokens are not decoded without it");
        }
        demands(check, &DETOKENIZED);
        single(check, Input);
        single(check, Output);
    }
    if is_generation {
        end_token(check);
        let model = if kind == &GENERATION { "openvino_model" } else { "openvino_language_model" };
        vocabularies(check, model);
    }
}

/// Reports a detokenizer with several inputs or outputs.
fn single(check: &mut Check, side: Direction) {
    let Some(member) = check.member(DETOKENIZER) else { return };
    let count = member.view.ports(side).len();
    if count > 1 {
        let message = format!("the detokenizer has {count} {side}s, wanted 1");
        let finding = member.view.about_model(&PIPELINE_TENSOR, message).note(member.view.listed(side));
        let index = member.index;
        check.report(GENAI, Place::Member(index), finding);
    }
}

/// The id of a special token as openvino.genai reads it: the tokenizer's own comes before that of `config.json`.
pub(super) fn named_token(check: &mut Check, key: &str) -> Option<i64> {
    let own = check.member(TOKENIZER).and_then(|member| {
        let model = member.view.model;
        let mut all = model.net()?.notes.iter().flat_map(|note| values(model.source(), *note));
        all.find_map(|(name, value)| value.trim().parse().ok().filter(|_| name.ends_with(key)))
    });
    own.or_else(|| check.config(key).as_ref().and_then(integer))
}

/// Reports a pipeline that does not know which token ends a text.
fn end_token(check: &mut Check) {
    let names_one = |value: Option<Value>| match value {
        Some(Value::Array(all)) => !all.is_empty(),
        Some(Value::Number(id)) => id.as_i64().is_none_or(|id| id >= 0),
        other => other.is_some(),
    };
    let in_files =
        [("generation_config.json", "eos_token_id"), (CONFIG, "eos_token_id"), ("tokenizer_config.json", "eos_token")];
    let may_name = |check: &mut Check, file| check.companion(file).is_some_and(|file| file.is_broken);
    let is_named = in_files.into_iter().any(|(file, key)| names_one(check.value(file, key)) || may_name(check, file));
    let is_in_pair = [TOKENIZER, DETOKENIZER].into_iter().any(|name| {
        let model = check.member(name).map(|member| member.view.model);
        let notes = model.and_then(|model| Some((model, model.net()?)));
        notes.is_some_and(|(model, net)| {
            let mut keys = net.notes.iter().flat_map(|note| values(model.source(), *note));
            keys.any(|(key, _)| key.ends_with("eos_token_id"))
        })
    });
    if !is_named && !is_in_pair && check.has(TOKENIZER) {
        let message = "no file of the folder names an `eos_token_id` of at least 0, the token that ends a text";
        let finding = Diagnostic::new(&PIPELINE_CONFIG, Span::default(), message)
            .help("write it to generation_config.json, as the tokenizer of the checkpoint has it");
        check.report(GENAI, Place::Folder, finding);
    }
}

/// Compares the vocabularies of the pair with each other and with the logits of the model.
fn vocabularies(check: &mut Check, model: &str) {
    let levels = Levels { optimum: Off, ..Levels::all(Warning) };
    let size = |check: &Check, name: &str| check.member(name).and_then(|member| vocabulary(&member.view));
    let logits = check.port(model, Output, "logits").and_then(|port| dim(port.fact.as_ref()?, 2)?.length());
    let (encoded, decoded) = (size(check, TOKENIZER), size(check, DETOKENIZER));
    for (name, tokens) in [(TOKENIZER, encoded), (DETOKENIZER, decoded)] {
        let (Some(tokens), Some(logits)) = (tokens, logits) else { continue };
        // Logits are padded, and some tokens of a vocabulary are for other models: a few more are usual.
        if tokens > logits.saturating_add(logits / 100) {
            let message = format!("the {} knows {tokens} tokens, the model gives logits of {logits}", called(name));
            about(check, levels, name, message);
            return;
        }
    }
    if let (Some(encoded), Some(decoded)) = (encoded, decoded)
        && encoded != decoded
    {
        let message = format!("the detokenizer knows {decoded} tokens, the tokenizer {encoded}");
        about(check, levels, DETOKENIZER, message);
    }
}

fn about(check: &mut Check, levels: Levels, name: &str, message: std::string::String) {
    let Some(member) = check.member(name) else { return };
    let finding = member.view.about_model(&PIPELINE_TOKEN, message).help("export it from the checkpoint of the model");
    let index = member.index;
    check.report(levels, Place::Member(index), finding);
}

/// Returns the number of tokens: a vocabulary is three constants, where each token begins, where it ends, and all characters.
pub(super) fn vocabulary(view: &View) -> Option<i64> {
    const TYPES: [&str; 4] = ["VocabDecoder", "BPETokenizer", "WordpieceTokenizer", "VocabEncoder"];
    let graph = view.graph();
    let (_, layer) = view.layers().find(|(_, layer)| TYPES.contains(&graph.kind(layer).ty.as_ref()))?;
    let constant = |at: usize, ty| {
        let is_constant = graph.kind(view.producer(layer, at)?.1).role == Role::Const;
        let fact = view.fact(layer, at).filter(|fact| is_constant && fact.ty == ty)?;
        dim(fact, 0)?.length()
    };
    (0..graph.inputs(layer).len()).find_map(|at| {
        let begins = constant(at, I32)?;
        (constant(at + 1, I32) == Some(begins) && constant(at + 2, U8).is_some()).then_some(begins)
    })
}
