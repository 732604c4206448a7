//! The settings of a pipeline that writes text: those that openvino.genai refuses, and the tokens that end a text.

use super::check::{Check, Place};
use super::companion::integer;
use super::loader::Levels;
use super::rules::PIPELINE_TOKEN;
use super::values::{GENERATION, TEXT, types};
use crate::diagnostic::Severity::{Error, Warning};
use serde_json::Value;

/// The severity of tokens outside of the logits, which openvino.genai does not check.
pub(super) const OUTSIDE_OF_LOGITS: Levels = Levels::all(Warning);

/// 2^63, the first number above those of `i64`; openvino.genai reads tokens from there on as negative numbers.
const I64_END: f64 = 9_223_372_036_854_775_808.0;

/// Checks the settings of a pipeline that writes text, and the tokens that end a text against the number of logits.
pub(super) fn check(check: &mut Check, logits: Option<i64>) {
    types(check, &TEXT);
    settings(check, false);
    if let Some(count) = logits {
        stops(check, GENERATION, count);
    }
}

/// Reports settings that the first call of `generate` refuses, some of them only for Whisper or only for other pipelines.
pub(super) fn settings(check: &mut Check, is_whisper: bool) {
    let Some(file) = check.companion(GENERATION) else { return };
    let number = |key: &str| file.get(key).and_then(Value::as_f64);
    let or = |key, usual| number(key).unwrap_or(usual);
    let is = |key| file.get(key) == Some(&Value::Bool(true));
    let (samples, beams, drafts) = (is("do_sample"), or("num_beams", 1.0), or("num_assistant_tokens", 0.0));
    let (groups, diversity) = (or("num_beam_groups", 1.0), or("diversity_penalty", 0.0));
    let (returned, confidence) = (or("num_return_sequences", 1.0), or("assistant_confidence_threshold", 0.0));
    let (depth, searches) = (or("tree_depth", 0.0), beams > 1.0);
    let is_zero = |number: f64| number.abs() < f64::EPSILON;
    let by_beams = format!(" with {beams} beams");
    let mut refused: Vec<(&str, String)> = Vec::new();
    // Adds a refused setting unless `holds`; its value is `usual` if the file does not set it.
    let mut wants = |key: &'static str, usual: f64, holds: bool, when: &str, wanted: &str| {
        if !holds {
            refused.push((key, format!("is {}{when}, wanted {wanted}", or(key, usual))));
        }
    };
    wants("num_return_sequences", 1.0, !is_zero(returned), "", "at least 1");
    if is_whisper {
        wants("num_return_sequences", 1.0, (0.0..2.0).contains(&returned), " for Whisper", "1");
        wants("num_assistant_tokens", 0.0, drafts <= 0.0, " for Whisper", "0");
        wants("assistant_confidence_threshold", 0.0, confidence <= 0.0, " for Whisper", "0");
    } else {
        wants("max_length", 1.0, !is_zero(or("max_length", 1.0)), "", "more than the tokens of the prompt");
        let alone = " without `num_assistant_tokens`, and the first call never ends";
        wants("assistant_confidence_threshold", 0.0, confidence <= 0.0 || drafts > 0.0, alone, "0");
    }
    if !is_whisper && !searches && !samples {
        wants("num_return_sequences", 1.0, (0.0..2.0).contains(&returned), " with neither `do_sample` nor beams", "1");
    }
    for key in ["presence_penalty", "frequency_penalty"] {
        let penalty = or(key, 0.0);
        wants(key, 0.0, searches || (-2.0..=2.0).contains(&penalty), "", "-2 to 2");
        wants(key, 0.0, !searches || is_zero(penalty), &by_beams, "0");
    }
    let penalty = or("repetition_penalty", 1.0);
    wants("repetition_penalty", 1.0, searches || penalty > 0.0, "", "more than 0");
    wants("repetition_penalty", 1.0, !searches || is_zero(penalty - 1.0), &by_beams, "1");
    if searches {
        wants("num_return_sequences", 1.0, (0.0..=beams).contains(&returned), &by_beams, "no more than beams");
        wants("no_repeat_ngram_size", 1.0, !is_zero(or("no_repeat_ngram_size", 1.0)), &by_beams, "more than 0");
        let in_groups = format!("a multiple of `num_beam_groups`, which is {groups}");
        wants("num_beams", 1.0, groups < 1.0 || is_zero(beams % groups), "", &in_groups);
        if groups > 1.0 {
            wants("diversity_penalty", 0.0, !is_zero(diversity), " with groups of beams", "another number than 0");
        } else {
            wants("diversity_penalty", 0.0, is_zero(diversity), " with one group of beams", "0");
        }
        wants("num_assistant_tokens", 0.0, drafts <= 0.0, &by_beams, "0");
    }
    if samples {
        wants("temperature", 1.0, or("temperature", 1.0) > 0.0, " with `do_sample`", "more than 0");
        let (top, least) = (or("top_p", 1.0), or("min_p", 0.0));
        wants("top_p", 1.0, top > 0.0 && top <= 1.0, " with `do_sample`", "more than 0 and at most 1");
        wants("min_p", 0.0, (0.0..1.0).contains(&least), " with `do_sample`", "at least 0 and less than 1");
    }
    if depth > 0.0 {
        wants("tree_depth", 0.0, drafts >= depth, "", "at most `num_assistant_tokens`");
        wants("branching_factor", 1.0, !is_zero(or("branching_factor", 1.0)), " with `tree_depth`", "more than 0");
    }
    if drafts > 0.0 {
        wants("assistant_confidence_threshold", 0.0, confidence <= 0.0, " with `num_assistant_tokens`", "0");
        wants("num_return_sequences", 1.0, is_whisper || returned < 2.0, " with `num_assistant_tokens`", "1");
    }
    let ngram = or("max_ngram_size", 0.0);
    wants("max_ngram_size", 0.0, !is_zero(drafts) || is_zero(ngram), " without `num_assistant_tokens`", "0");
    if let Some(most) = number("max_new_tokens") {
        let wanted = format!("at most `max_new_tokens`, which is {most}");
        wants("min_new_tokens", 0.0, or("min_new_tokens", 0.0) <= most, "", &wanted);
    }
    if searches && samples {
        refused.push(("do_sample", format!("is true with {beams} beams, wanted false")));
    }
    let ends = file.get("eos_token_id");
    let listed = ends.and_then(Value::as_array);
    let negative = listed.and_then(|all| all.iter().filter_map(integer).find(|id| *id < 0));
    refused.extend(negative.map(|id| ("eos_token_id", format!("lists {id}, wanted ids of at least 0"))));
    let alone = ends.filter(|id| id.as_f64().is_some_and(|id| !(-1.0..I64_END).contains(&id)));
    refused.extend(alone.map(|id| ("eos_token_id", format!("is {id}, wanted an id of at least 0"))));
    for (key, what) in refused {
        check.about_value(Levels::genai(Error), GENERATION, key, format!("`{key}` {what}"));
    }
}

/// Reports a token that is to end a text but lies outside of the logits, so that it never does.
pub(super) fn stops(check: &mut Check, name: &str, count: i64) {
    let Some(value) = check.value(name, "eos_token_id") else { return };
    let ids = value.as_array().map_or(std::slice::from_ref(&value), Vec::as_slice);
    let is_outside =
        |id: &&Value| integer(id).is_some_and(|id| id >= count) && id.as_f64().is_some_and(|id| id < I64_END);
    let Some(id) = ids.iter().find(is_outside) else { return };
    let Some(file) = check.companion(name) else { return };
    let message = format!(
        "`eos_token_id` is {id}, but the model outputs logits for {count} tokens only, so this token can never end a text"
    );
    let finding = file.about(&PIPELINE_TOKEN, "eos_token_id", message);
    check.report(OUTSIDE_OF_LOGITS, Place::Companion(name.to_owned()), finding);
}
