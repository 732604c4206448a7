//! Pipelines of one model without state: embeddings, classification and reranking, and encoders with decoders.

use super::check::{Check, Place, called};
use super::demand::{Demand, ENCODED, demands, links, span, tensor};
use super::folder::TOKENIZER;
use super::generation;
use super::loader::Levels;
use super::rules::PIPELINE_TENSOR;
use crate::diagnostic::Direction::{self, Input, Output};
use crate::diagnostic::Severity::{Error, Off};
use crate::types::ElementType::{F32, I64};

const MODEL: &str = "openvino_model";
/// The levels of demands of openvino.genai alone: the model server takes any output of rank 3, and optimum-intel its own names.
const GENAI: Levels = Levels { ovms: Off, ..Levels::genai(Error) };

/// The tensor that tells the tokens of a query from those of a document.
const KINDS: &str = "token_type_ids";

const INPUTS: [Demand; 3] = [
    tensor(MODEL, Input, "input_ids", Some(I64), Some(2), GENAI).open(GENAI, &[]),
    tensor(MODEL, Input, "attention_mask", Some(I64), Some(2), GENAI).open(GENAI, &[]),
    tensor(MODEL, Input, KINDS, Some(I64), Some(2), GENAI).open(GENAI, &[]).optional(),
];

/// Checks a text embedding.
pub(super) fn embedding(check: &mut Check) {
    generation::types(check, &generation::EMBEDDING);
    demands(check, &INPUTS);
    demands(check, &[tensor(MODEL, Output, "last_hidden_state", Some(F32), Some(3), GENAI)]);
    only(check, Input, &["input_ids", "attention_mask", "token_type_ids"]);
    only(check, Output, &["last_hidden_state"]);
}

/// Checks a classifier, which openvino.genai takes as a reranker.
pub(super) fn classification(check: &mut Check) {
    generation::types(check, &generation::CLASSIFICATION);
    demands(check, &INPUTS);
    demands(check, &[tensor(MODEL, Output, "logits", Some(F32), Some(2), GENAI)]);
    only(check, Output, &["logits"]);
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

/// Reports inputs that nobody sets, or outputs too many.
fn only(check: &mut Check, side: Direction, names: &[&str]) {
    let Some(member) = check.member(MODEL) else { return };
    let view = &member.view;
    let ports = view.ports(side);
    // A tensor that is missing may be one of the others.
    if names.iter().take(if side == Input { 2 } else { 1 }).any(|name| !ports.iter().any(|port| port.is(name))) {
        return;
    }
    let surplus = ports.iter().find(|port| !names.iter().any(|name| port.is(name)));
    let Some(port) = surplus else { return };
    let what =
        if side == Input { "openvino.genai does not set it" } else { "openvino.genai takes models with one output" };
    let message = format!("{side} {} of {} is one too many: {what}", view.name(port), called(member.name));
    let finding = view.about(&PIPELINE_TENSOR, port.layer, span(view, side, port), message);
    let index = member.index;
    check.report(GENAI, Place::Member(index), finding);
}
