//! The values in JSON files: their kinds, tokens, and settings that exclude each other.

use super::check::{Check, Place, UNREADABLE};
use super::companion::{called, integer};
use super::loader::Levels;
use super::rules::PIPELINE_TOKEN;
use crate::diagnostic::Severity::{Error, Warning};
use serde_json::Value;

const GENERATION: &str = "generation_config.json";

/// Ids outside of the logits: nothing checks them.
pub(super) const OUTSIDE_OF_LOGITS: Levels = Levels::all(Warning);

/// The kind of value that a loader takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Number,
    /// A number of at least so much.
    AtLeast(i64),
    /// A number, or a list of numbers.
    Numbers,
    /// A list of numbers with at least so many elements.
    List(usize),
    Boolean,
    Text,
}

/// A value in a JSON file, and its kind.
pub(super) type Row = (&'static str, &'static str, Wanted);

/// The values that every pipeline that writes text reads.
pub(super) const TEXT: [Row; 11] = [
    ("config.json", "eos_token_id", Wanted::Numbers),
    ("config.json", "bos_token_id", Wanted::Numbers),
    ("config.json", "pad_token_id", Wanted::Numbers),
    (GENERATION, "eos_token_id", Wanted::Numbers),
    (GENERATION, "max_new_tokens", Wanted::Number),
    (GENERATION, "max_length", Wanted::Number),
    (GENERATION, "num_beams", Wanted::Number),
    (GENERATION, "temperature", Wanted::Number),
    (GENERATION, "top_p", Wanted::Number),
    (GENERATION, "repetition_penalty", Wanted::Number),
    (GENERATION, "do_sample", Wanted::Boolean),
];

/// The values that Whisper reads besides.
pub(super) const WHISPER: [Row; 4] = [
    (GENERATION, "is_multilingual", Wanted::Boolean),
    (GENERATION, "suppress_tokens", Wanted::List(0)),
    (GENERATION, "begin_suppress_tokens", Wanted::List(0)),
    (GENERATION, "no_timestamps_token_id", Wanted::Number),
];

/// The values by which Whisper makes features of a sound.
pub(super) const FEATURES: [Row; 5] = [
    ("preprocessor_config.json", "feature_size", Wanted::Number),
    ("preprocessor_config.json", "nb_max_frames", Wanted::Number),
    // The filters end at 8 kHz.
    ("preprocessor_config.json", "sampling_rate", Wanted::AtLeast(16_000)),
    ("preprocessor_config.json", "hop_length", Wanted::AtLeast(1)),
    ("preprocessor_config.json", "n_fft", Wanted::AtLeast(1)),
];

/// The values that a text embedding reads.
pub(super) const EMBEDDING: [Row; 1] = [("config.json", "max_position_embeddings", Wanted::Number)];
/// The values that a reranker reads.
pub(super) const CLASSIFICATION: [Row; 1] = [("config.json", "model_type", Wanted::Text)];

/// Reports values of another kind than the loader takes.
pub(super) fn types(check: &mut Check, rows: &[Row]) {
    for (file, key, wanted) in rows {
        let Some(value) = check.value(file, key) else { continue };
        let is_number = |value: &Value| value.is_number() || value.is_boolean();
        let (fits, named) = match wanted {
            Wanted::Number | Wanted::AtLeast(_) => (is_number(&value), "a number"),
            Wanted::Numbers => (
                value.as_array().map_or(is_number(&value), |all| all.iter().all(is_number)),
                "a number or a list of numbers",
            ),
            Wanted::List(least) => (
                value.as_array().is_some_and(|all| all.len() >= *least && all.iter().all(is_number)),
                "a list of numbers",
            ),
            Wanted::Boolean => (value.is_boolean(), "a boolean"),
            Wanted::Text => (value.is_string(), "a string"),
        };
        if let (true, Wanted::AtLeast(least), Some(number)) = (fits, wanted, integer(&value))
            && number < *least
        {
            check.about_value(UNREADABLE, file, key, format!("`{key}` is {value}, wanted at least {least}"));
        }
        if fits {
            continue;
        }
        let found = match (wanted, &value) {
            (Wanted::List(least), Value::Array(all)) if all.len() < *least => {
                format!("has {} elements, wanted {least}", all.len())
            }
            (_, Value::Array(_)) => format!("is not only of numbers, wanted {named}"),
            _ => format!("is {}, wanted {named}", called(&value)),
        };
        check.about_value(UNREADABLE, file, key, format!("`{key}` {found}"));
    }
}

/// Checks the settings of a pipeline that writes text, and its tokens against the number of logits.
pub(super) fn check(check: &mut Check, logits: Option<i64>) {
    types(check, &TEXT);
    settings(check);
    if let Some(count) = logits {
        stops(check, GENERATION, count);
    }
}

/// Reports settings that the first call of `generate` refuses.
fn settings(check: &mut Check) {
    let Some(file) = check.companion(GENERATION) else { return };
    let number = |key: &str| file.get(key).and_then(Value::as_f64);
    let or = |key, usual| number(key).unwrap_or(usual);
    let samples = file.get("do_sample") == Some(&Value::Bool(true));
    let (beams, penalty) = (or("num_beams", 1.0), or("repetition_penalty", 1.0));
    let groups = or("num_beam_groups", 1.0);
    let differs = |a: f64, b: f64| (a - b).abs() > f64::EPSILON;
    let mut refused: Vec<(&str, String)> = Vec::new();
    if or("num_return_sequences", 1.0) > 1.0 && beams <= 1.0 && !samples {
        refused.push(("num_return_sequences", "is more than 1 with neither `do_sample` nor beams".to_owned()));
    }
    if beams > 1.0 && differs(penalty, 1.0) {
        refused.push(("repetition_penalty", format!("is {penalty} with {beams} beams, wanted 1")));
    }
    if beams > 1.0 && samples {
        refused.push(("do_sample", format!("is true with {beams} beams, wanted false")));
    }
    if beams > 1.0 && groups >= 1.0 && differs(beams % groups, 0.0) {
        refused.push(("num_beams", format!("is {beams}, wanted a multiple of `num_beam_groups`, which is {groups}")));
    }
    if samples && or("temperature", 1.0) <= 0.0 {
        refused.push(("temperature", format!("is {} with `do_sample`, wanted more than 0", or("temperature", 1.0))));
    }
    let top = or("top_p", 1.0);
    if samples && !(top > 0.0 && top <= 1.0) {
        refused.push(("top_p", format!("is {top} with `do_sample`, wanted more than 0 and at most 1")));
    }
    if penalty <= 0.0 {
        refused.push(("repetition_penalty", format!("is {penalty}, wanted more than 0")));
    }
    if let (Some(least), Some(most)) = (number("min_new_tokens"), number("max_new_tokens"))
        && least > most
    {
        refused.push(("min_new_tokens", format!("is {least}, `max_new_tokens` is {most}")));
    }
    let listed = file.get("eos_token_id").and_then(Value::as_array);
    let negative = listed.and_then(|all| all.iter().filter_map(integer).find(|id| *id < 0));
    refused.extend(negative.map(|id| ("eos_token_id", format!("lists {id}, wanted ids of at least 0"))));
    for (key, what) in refused {
        check.about_value(Levels::genai(Error), GENERATION, key, format!("`{key}` {what}"));
    }
}

/// Reports tokens that end a text and lie outside of the logits, so that it never ends.
pub(super) fn stops(check: &mut Check, name: &str, count: i64) {
    let Some(value) = check.value(name, "eos_token_id") else { return };
    let ids = value.as_array().map_or(std::slice::from_ref(&value), Vec::as_slice);
    let Some(id) = ids.iter().find(|id| integer(id).is_some_and(|id| id >= count)) else { return };
    let Some(file) = check.companion(name) else { return };
    let message =
        format!("`eos_token_id` is {id}, the model gives logits of {count} tokens: the text never ends by it");
    let finding = file.about(&PIPELINE_TOKEN, "eos_token_id", message);
    check.report(OUTSIDE_OF_LOGITS, Place::Companion(name.to_owned()), finding);
}
