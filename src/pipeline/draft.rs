//! The checks of a draft for speculative decoding (`--draft`): a second, smaller language model drafts what the first one
//! checks, token by token.

use super::check::{Check, Place, called, with};
use super::demand::dim;
use super::folder::{CONFIG, DETOKENIZER, TOKENIZER};
use super::loader::{Levels, Loader};
use super::rules::{PIPELINE_LINK, PIPELINE_TOKEN};
use super::tokenizers::{named_token, vocabulary};
use crate::diagnostic::Direction::Output;
use crate::diagnostic::Severity::{Error, Info, Off};
use crate::diagnostic::{Diagnostic, Elsewhere};
use crate::source::Span;

const MODEL: &str = "openvino_model";
/// A draft is for openvino.genai, whether that is named or not.
const GENAI: Levels = Levels { optimum: Off, ..Levels::all(Error) };

/// Checks a draft against the pipeline that it drafts for; the findings are about the draft.
pub(super) fn check(draft: &mut Check, main: &mut Check) {
    draft.needs(GENAI, MODEL, "openvino.genai drafts with it");
    draft.needs(GENAI, TOKENIZER, "openvino.genai compares it with that of the main model");
    for key in ["eos_token_id", "bos_token_id", "pad_token_id"] {
        let (own, other) = (named_token(draft, key), named_token(main, key));
        let (Some(own), Some(other)) = (own, other) else { continue };
        if own != other {
            let message = format!("`{key}` of the draft is {own}, that of the main model {other}");
            let finding = Diagnostic::new(&PIPELINE_TOKEN, Span::default(), message);
            draft.report(GENAI, Place::Companion(CONFIG.to_owned()), finding);
        }
    }
    for name in [TOKENIZER, DETOKENIZER] {
        let (Some(own), Some(other)) = (draft.member(name), main.member(name)) else { continue };
        let (Some(tokens), Some(others)) = (vocabulary(&own.view), vocabulary(&other.view)) else { continue };
        if tokens != others {
            let message =
                format!("the {} of the draft knows {tokens} tokens, that of the main model {others}", called(name));
            let finding = own.view.about_model(&PIPELINE_TOKEN, message).help("draft with a model of the same family");
            let index = own.index;
            draft.report(GENAI, Place::Member(index), finding);
            return;
        }
    }
    logits(draft, main);
}

/// Compares the numbers of logits, which only the NPU demands to be equal.
fn logits(draft: &mut Check, main: &Check) {
    let count = |check: &Check| dim(check.port(MODEL, Output, "logits")?.fact.as_ref()?, 2)?.length();
    let (Some(own), Some(other)) = (count(draft), count(main)) else { return };
    let (Some(member), Some(them)) = (draft.member(MODEL), main.member(MODEL)) else { return };
    if own == other {
        return;
    }
    let message = format!("the draft outputs logits for {own} tokens, but the main model for {other}");
    let elsewhere = Elsewhere {
        path: them.view.model.source().path().to_owned(),
        place: None,
        message: format!("logits of {other}").into(),
    };
    let finding = with(member.view.about_model(&PIPELINE_LINK, message), elsewhere);
    let is_npu = draft.loaders.contains(&Loader::GenaiNpu);
    let (index, genai) = (member.index, if is_npu { Error } else { Info });
    draft.report(Levels { any: Info, genai, optimum: Off, ovms: Off }, Place::Member(index), finding);
}
