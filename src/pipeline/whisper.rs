//! The checks of speech recognition by Whisper: an encoder of sound and a decoder with state.

use super::check::{Check, Place, elsewhere};
use super::companion::integer;
use super::demand::{Demand, ENCODED, Which, demands, differ, dim, links, only, tensor};
use super::embedding::rows;
use super::generation;
use super::loader::Levels;
use super::rules::{PIPELINE_CONFIG, PIPELINE_LINK, PIPELINE_TOKEN};
use super::values::{self, GENERATION, PREPROCESSOR, types};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::Direction::{Input, Output};
use crate::diagnostic::Severity::{Error, Off, Warning};
use crate::source::Span;
use crate::types::Dim;
use crate::types::ElementType::{F32, I32, I64};
use serde_json::Value;

const ENCODER: &str = "openvino_encoder_model";
const DECODER: &str = "openvino_decoder_model";

const GENAI: Levels = Levels::genai(Error);

const DEMANDS: [Demand; 6] = [
    tensor(ENCODER, Input, "input_features", Some(F32), Some(3), GENAI).open(GENAI, &[1, 2]),
    tensor(ENCODER, Output, "last_hidden_state", Some(F32), Some(3), GENAI),
    tensor(DECODER, Input, "encoder_hidden_states", Some(F32), Some(3), GENAI).open(GENAI, &[1, 2]),
    tensor(DECODER, Input, "input_ids", Some(I64), Some(2), GENAI).open(GENAI, &[]),
    tensor(DECODER, Input, "beam_idx", Some(I32), Some(1), GENAI),
    tensor(DECODER, Output, "logits", Some(F32), Some(3), GENAI),
];

/// The features of a sound that `feature_extractor.hpp` takes by default.
const MELS: i64 = 80;
const FRAMES: i64 = 3000;

pub(super) fn check(check: &mut Check) {
    check.needs(Levels::loaders(Error), ENCODER, "Whisper needs it");
    check.needs(Levels::loaders(Error), DECODER, "Whisper needs it");
    demands(check, &DEMANDS);
    only(check, GENAI, ENCODER, Input, &["input_features"], 1);
    only(check, GENAI, DECODER, Input, &["input_ids", "encoder_hidden_states", "beam_idx", "cache_position"], 3);
    links(check, &[ENCODED]);
    features(check);
    types(check, &values::TEXT);
    types(check, &values::WHISPER);
    generation::settings(check, true);
    languages(check);
    tokens(check);
}

/// Compares the features that the preprocessor makes with those that the encoder takes.
fn features(check: &mut Check) {
    let is_there = check.companion(PREPROCESSOR).is_some();
    let levels = Levels { any: if is_there { Error } else { Off }, optimum: Warning, ..Levels::all(Error) };
    for (key, usual, axis, what) in [("feature_size", MELS, 1, "mel bands"), ("nb_max_frames", FRAMES, 2, "frames")] {
        let value = check.value(PREPROCESSOR, key);
        let made = value.as_ref().and_then(integer).unwrap_or(usual);
        let Some(member) = check.member(ENCODER) else { return };
        let Some(port) = Which::Named("input_features").of(&member.view.inputs) else { return };
        let Some(wanted) = port.fact.as_ref().and_then(|fact| dim(fact, axis)) else { continue };
        if !differ(Some(wanted), Some(Dim::exact(made))) {
            continue;
        }
        let place = member.view.names_span(port);
        let note = elsewhere(member, place, format!("`input_features` takes {wanted} {what}"));
        let (place, finding) = match check.companion(PREPROCESSOR) {
            Some(file) if value.is_some() => {
                let message = format!("`{key}` is {made}, but the encoder takes {wanted} {what}");
                (Place::Companion(PREPROCESSOR.to_owned()), file.about(&PIPELINE_LINK, key, message))
            }
            _ => {
                let message = format!(
                    "the encoder takes {wanted} {what}, and without `{key}` in {PREPROCESSOR} there are {made}"
                );
                (Place::Folder, Diagnostic::new(&PIPELINE_LINK, Span::default(), message))
            }
        };
        check.report(levels, place, super::check::with(finding, note));
    }
}

/// Checks that a multilingual model knows its languages.
fn languages(check: &mut Check) {
    let Some(file) = check.companion(GENERATION) else {
        let why = "without it, openvino.genai takes the model for a multilingual one without languages";
        let finding =
            Diagnostic::new(&PIPELINE_CONFIG, Span::default(), format!("the folder has no `{GENERATION}`: {why}"));
        check.report(GENAI, Place::Folder, finding);
        return;
    };
    if file.is_broken {
        return;
    }
    let is_multilingual = file.get("is_multilingual").is_none_or(|value| value == &Value::Bool(true));
    let languages = file.get("lang_to_id");
    let is_empty = match languages {
        None | Some(Value::Array(_)) => true,
        Some(Value::Object(all)) => all.is_empty(),
        Some(_) => false,
    };
    if is_multilingual {
        types(check, &values::TASKS);
    }
    if is_multilingual && is_empty {
        let message = "the model is multilingual, and `lang_to_id` names no language".to_owned();
        check.about_value(GENAI, GENERATION, "lang_to_id", message);
    }
}

/// Checks that the tokens that are set or suppressed are among the logits, and that those which start a text can be embedded.
fn tokens(check: &mut Check) {
    // A token without a row is embedded as another one, or as zeros.
    if let Some(rows) = check.member(DECODER).and_then(|member| rows(&member.view)) {
        let has = format!("the embedding of the decoder has only {rows} rows");
        outside(check, Levels::all(Warning), &["decoder_start_token_id", "task_to_id"], rows, &has);
    }
    let Some(count) = check.port(DECODER, Output, "logits").and_then(|port| dim(port.fact.as_ref()?, 2)?.length())
    else {
        return;
    };
    // The memory around the logits is written.
    let levels = Levels { any: Warning, ..Levels::genai(Error) };
    let keys = ["suppress_tokens", "begin_suppress_tokens", "lang_to_id", "no_timestamps_token_id"];
    outside(check, levels, &keys, count, &format!("the decoder gives logits of {count} tokens"));
    generation::stops(check, GENERATION, count);
}

/// Reports keys with a token that is not below a number.
fn outside(check: &mut Check, levels: Levels, keys: &[&str], count: i64, has: &str) {
    for key in keys {
        let Some(value) = check.value(GENERATION, key) else { continue };
        let ids: Vec<i64> = match &value {
            Value::Array(all) => all.iter().filter_map(integer).collect(),
            Value::Object(all) => all.values().filter_map(integer).collect(),
            one => integer(one).into_iter().collect(),
        };
        let Some(id) = ids.into_iter().find(|id| *id < 0 || *id >= count) else { continue };
        let Some(file) = check.companion(GENERATION) else { return };
        let message = format!("`{key}` has token {id}, {has}");
        let finding = file.about(&PIPELINE_TOKEN, key, message);
        check.report(levels, Place::Companion(GENERATION.to_owned()), finding);
    }
}
