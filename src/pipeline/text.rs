//! The checks of pipelines that embed, classify or rerank texts, and of encoders with decoders of texts.

use super::check::{Check, Place, called};
use super::demand::{Demand, ENCODED, demands, links, only, tensor};
use super::folder::TOKENIZER;
use super::loader::Levels;
use super::rules::{PIPELINE_TENSOR, PIPELINE_TOKEN};
use super::values::{self, types};
use crate::diagnostic::Direction::{Input, Output};
use crate::diagnostic::Severity::{Error, Off};
use crate::types::ElementType::{F32, I64};
use serde_json::Value;

const MODEL: &str = "openvino_model";
/// The levels of demands of openvino.genai alone: the model server takes any output of rank 3, and optimum-intel its own names.
const GENAI: Levels = Levels { ovms: Off, ..Levels::genai(Error) };

/// The tensor that distinguishes the tokens of a query from those of a document.
const KINDS: &str = "token_type_ids";

const INPUTS: [Demand; 3] = [
    tensor(MODEL, Input, "input_ids", Some(I64), Some(2), GENAI).open(GENAI, &[]),
    tensor(MODEL, Input, "attention_mask", Some(I64), Some(2), GENAI).open(GENAI, &[]),
    tensor(MODEL, Input, KINDS, Some(I64), Some(2), GENAI).open(GENAI, &[]).optional(),
];

/// Checks a text embedding.
pub(super) fn embedding(check: &mut Check) {
    types(check, &values::EMBEDDING);
    demands(check, &INPUTS);
    demands(check, &[tensor(MODEL, Output, "last_hidden_state", Some(F32), Some(3), GENAI)]);
    only(check, GENAI, MODEL, Input, &["input_ids", "attention_mask", KINDS], 2);
    only(check, GENAI, MODEL, Output, &["last_hidden_state"], 1);
}

/// Checks a classifier, which openvino.genai takes as a reranker.
pub(super) fn classification(check: &mut Check) {
    types(check, &values::CLASSIFICATION);
    demands(check, &INPUTS);
    demands(check, &[tensor(MODEL, Output, "logits", Some(F32), Some(2), GENAI)]);
    only(check, GENAI, MODEL, Input, &["input_ids", "attention_mask", KINDS, "position_ids", "beam_idx"], 2);
    only(check, GENAI, MODEL, Output, &["logits"], 1);
    pairs(check);
    // Pairs of a query and a document: the kind of each token is passed on if the tokenizer gives it.
    let gives = check.port(TOKENIZER, Output, KINDS).is_some();
    let takes = check.port(MODEL, Input, KINDS).is_some();
    let (giver, taker) = (("tokenizer", "gives"), ("model", "takes"));
    let ((who, does), lacking, side) = match (gives, takes) {
        (true, false) => (giver, MODEL, Input),
        (false, true) => (taker, TOKENIZER, Output),
        _ => return,
    };
    let Some(member) = check.member(lacking) else { return };
    let message = format!("the {who} {does} `{KINDS}`, and no {side} of the {} has this name", called(lacking));
    let finding = member.view.about_model(&PIPELINE_TENSOR, message).note(member.view.listed(side));
    let index = member.index;
    check.report(GENAI, Place::Member(index), finding);
}

/// Checks an encoder with a decoder of text.
pub(super) fn seq2seq(check: &mut Check) {
    let optimum = Levels { genai: Off, ovms: Off, ..Levels::loaders(Error) };
    let (encoder, decoder) = ("openvino_encoder_model", "openvino_decoder_model");
    check.needs(optimum, encoder, "the decoder takes what it gives");
    check.needs(optimum, decoder, "the encoder feeds it");
    demands(
        check,
        &[
            tensor(encoder, Output, "last_hidden_state", None, None, optimum),
            tensor(decoder, Output, "logits", None, None, optimum),
            tensor(decoder, Input, "encoder_hidden_states", None, None, optimum),
        ],
    );
    links(check, &[ENCODED]);
}

/// Reports a tokenizer that openvino.genai cannot change into one that takes pairs of a query and a document.
fn pairs(check: &mut Check) {
    const TEMPLATE: &str = "processed_post_processor_template";
    if check.config("model_type").is_some_and(|ty| ty == "qwen3") {
        return;
    }
    let Some(member) = check.member(TOKENIZER).filter(|member| member.view.inputs.len() == 1) else { return };
    let template = member.note(TEMPLATE);
    let parsed = template.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let what = match (template, parsed) {
        (None, _) => "is missing",
        (_, None) => "is not valid JSON",
        (_, Some(template)) if template.get("pair").is_none() => "has no `pair`",
        _ => return,
    };
    let message = format!("`{TEMPLATE}` of the tokenizer {what}: a query and a document are not encoded together");
    let finding = member.view.about_model(&PIPELINE_TOKEN, message);
    let finding = finding.help("convert the tokenizer again, with openvino_tokenizers 2025.3 or newer");
    let index = member.index;
    check.report(GENAI, Place::Member(index), finding);
}
