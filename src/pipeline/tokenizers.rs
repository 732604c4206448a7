//! The checks of the tokenizer and the detokenizer beside the models of a pipeline: their tensors, their vocabularies, and
//! the token that ends a text.

use super::check::{Check, Place, called};
use super::companion::integer;
use super::demand::{demands, dim, tensor};
use super::embedding::rows;
use super::folder::{CONFIG, DETOKENIZER, TOKENIZER};
use super::kind::{DIFFUSION, GENERATION, Kind, SPEECH, VISUAL, WHISPER};
use super::loader::{Levels, Loader};
use super::rules::{PIPELINE_CONFIG, PIPELINE_TOKEN};
use super::special;
use super::values::{self, TOKENS, types};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::Direction::Output;
use crate::diagnostic::Severity::{Error, Off, Warning};
use crate::ir::Role;
use crate::recipe::View;
use crate::source::Span;
use crate::types::ElementType::{self, I32, I64, U8};
use serde_json::Value;

/// Whether a member is a tokenizer or a detokenizer.
pub(super) fn is_pair(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    [TOKENIZER, DETOKENIZER].contains(&last)
}

const GENAI: Levels = Levels::genai(Error);

/// The key of the token that ends a text.
const END: &str = "eos_token_id";

/// Checks the pair that lies beside the models of a pipeline.
pub(super) fn check(check: &mut Check, kind: &Kind) {
    if [&DIFFUSION, &SPEECH].contains(&kind) || !kind.loaders.contains(&Loader::Genai) {
        return;
    }
    let is_generation = [&GENERATION, &VISUAL].contains(&kind);
    if kind != &WHISPER {
        let levels = if kind == &GENERATION { Levels { genai: Warning, ..GENAI } } else { GENAI };
        check.needs(levels, TOKENIZER, "text cannot be encoded without it");
        // A language model makes the mask itself.
        let mask = (!is_generation).then_some(I64);
        encoded(check, TOKENIZER, mask, Some(2));
    }
    if kind.writes_text && (check.has(TOKENIZER) || kind == &WHISPER) {
        check.needs(GENAI, DETOKENIZER, "tokens cannot be decoded without it");
    }
    types(check, &TOKENS);
    special::pair(check, TOKENIZER, DETOKENIZER, kind.writes_text);
    if kind.writes_text {
        end_token(check);
    }
    let embedding = if kind == &VISUAL { "openvino_text_embeddings_model" } else { "openvino_model" };
    if kind != &WHISPER {
        added_tokens(check, embedding);
    }
    if is_generation {
        let model = if kind == &GENERATION { "openvino_model" } else { "openvino_language_model" };
        vocabularies(check, model);
    }
}

/// Checks the tensors that a tokenizer gives.
pub(super) fn encoded(check: &mut Check, tokenizer: &'static str, mask: Option<ElementType>, rank: Option<usize>) {
    demands(
        check,
        &[
            tensor(tokenizer, Output, "input_ids", Some(I64), rank, GENAI),
            tensor(tokenizer, Output, "attention_mask", mask, None, GENAI),
        ],
    );
}

/// The id of a special token as openvino.genai reads it: the tokenizer's own comes before that of `config.json`.
pub(super) fn named_token(check: &mut Check, key: &str) -> Option<i64> {
    let own = check.member(TOKENIZER).and_then(|member| member.note(key)?.trim().parse().ok());
    own.or_else(|| check.config(key).as_ref().and_then(integer))
}

/// Reports a pipeline that does not know which token ends a text.
fn end_token(check: &mut Check) {
    let is_id = |value: &Value| integer(value).is_none_or(|id| id >= 0);
    let names_one =
        |value: Option<Value>| value.is_some_and(|value| value.as_array().map_or(is_id(&value), |all| !all.is_empty()));
    let mut is_named = names_one(check.value(values::GENERATION, END))
        // A list in this file is skipped.
        || check.config(END).is_some_and(|value| !value.is_array() && is_id(&value))
        || check.member(TOKENIZER).is_some_and(|member| member.note(END).is_some());
    is_named |= special::names_end(check);
    for file in [values::GENERATION, CONFIG, "tokenizer_config.json"] {
        is_named |= check.companion(file).is_some_and(|file| file.is_broken);
    }
    if !is_named {
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
            let message =
                format!("the {} knows {tokens} tokens, but the model outputs logits for {logits}", called(name));
            about(check, levels, name, message);
            return;
        }
    }
    if let (Some(encoded), Some(decoded)) = (encoded, decoded)
        && encoded != decoded
    {
        let message = format!("the detokenizer knows {decoded} tokens, but the tokenizer knows {encoded}");
        about(check, levels, DETOKENIZER, message);
    }
}

/// Reports a token that the tokenizer adds to every text and that the embedding of tokens has no row for.
fn added_tokens(check: &mut Check, embedding: &str) {
    let template = check.member(TOKENIZER).and_then(|member| member.note("processed_post_processor_template"));
    let template = template.and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let ids = template.as_ref().and_then(|template| template.get("single")?.get("ids")?.as_array());
    let Some((ids, rows)) = ids.zip(check.member(embedding).and_then(|member| rows(&member.view))) else { return };
    let Some(id) = ids.iter().filter_map(Value::as_i64).find(|id| *id >= rows) else { return };
    let name = called(embedding);
    let message =
        format!("the tokenizer adds token {id} to every text, but the embedding of the {name} has only {rows} rows");
    about(check, Levels::all(Warning), TOKENIZER, message);
}

fn about(check: &mut Check, levels: Levels, name: &str, message: String) {
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
