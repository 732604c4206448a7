//! The kinds of values that openvino.genai takes in JSON files, by file and key, and the check of values against them.

use super::check::{Check, Place, UNREADABLE};
use super::companion::{called, integer};
use super::folder::CONFIG;
use super::loader::Levels;
use super::rules::PIPELINE_CONFIG;
use super::special;
use crate::diagnostic::Hint;
use serde_json::Value;

pub(super) const GENERATION: &str = "generation_config.json";
pub(super) const PREPROCESSOR: &str = "preprocessor_config.json";

/// The kind of a value. A list in the place of one value is skipped, and so is one value in the place of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A number that is no boolean: an integer of 64 bits.
    Integer,
    /// An integer; a list is refused.
    Alone,
    /// An integer of at least so much.
    AtLeast(i64),
    /// A number, or a boolean for 0 and 1.
    Number,
    Boolean,
    Text,
    /// A list of integers.
    Integers,
    /// An integer, or a list of these.
    IntegerOrList,
    /// A list of numbers.
    Numbers,
    /// A number, or a list of at least 3.
    Colours,
    /// A list of texts.
    Texts,
    /// A list of pairs of integers.
    Pairs,
    /// An object whose values are integers.
    IntegersByName,
}
use Wanted::{
    Alone, AtLeast, Boolean, Colours, Integer, IntegerOrList, Integers, IntegersByName, Number, Numbers, Pairs, Text,
    Texts,
};

/// A JSON file, the kind of some of its values, and their keys with a blank between; `a.b` stands for b in a.
pub(super) type Row = (&'static str, Wanted, &'static str);

/// The values that every pipeline reads that writes texts.
pub(super) const TEXT: [Row; 7] = [
    (CONFIG, Integer, "eos_token_id bos_token_id pad_token_id"),
    (GENERATION, IntegerOrList, "eos_token_id"),
    (
        GENERATION,
        Integer,
        "max_new_tokens max_length min_new_tokens logprobs num_beams num_beam_groups num_return_sequences \
         no_repeat_ngram_size top_k max_ngram_size branching_factor tree_depth",
    ),
    (
        GENERATION,
        Number,
        "repetition_penalty frequency_penalty presence_penalty diversity_penalty length_penalty temperature \
         top_p min_p assistant_confidence_threshold",
    ),
    (GENERATION, Boolean, "do_sample ignore_eos include_stop_str_in_output echo"),
    (GENERATION, Texts, "stop_strings"),
    (GENERATION, Alone, "num_assistant_tokens"),
];

/// The tokens that a tokenizer reads.
pub(super) const TOKENS: [Row; 1] = [TEXT[0]];

/// The values that Whisper reads besides.
pub(super) const WHISPER: [Row; 9] = [
    (CONFIG, Integer, "max_source_positions"),
    (GENERATION, Boolean, "is_multilingual"),
    (GENERATION, Integers, "suppress_tokens begin_suppress_tokens"),
    (
        GENERATION,
        Integer,
        "decoder_start_token_id pad_token_id no_timestamps_token_id max_initial_timestamp_index \
         prev_sot_token_id",
    ),
    (GENERATION, IntegersByName, "lang_to_id"),
    (GENERATION, Pairs, "alignment_heads"),
    (PREPROCESSOR, Integer, "feature_size chunk_length n_samples nb_max_frames"),
    // The filters end at 8 kHz.
    (PREPROCESSOR, AtLeast(16_000), "sampling_rate"),
    (PREPROCESSOR, AtLeast(1), "hop_length n_fft"),
];
/// The values that a multilingual Whisper reads besides.
pub(super) const TASKS: [Row; 1] = [(GENERATION, Integer, "task_to_id.transcribe task_to_id.translate")];

/// The values that a text embedding reads.
pub(super) const EMBEDDING: [Row; 1] = [(CONFIG, Integer, "max_position_embeddings")];
/// The values that a reranker reads, and every pipeline that goes by the type of the model.
pub(super) const CLASSIFICATION: [Row; 1] = [(CONFIG, Text, "model_type")];

/// The values that vision-language models read.
pub(super) const VISUAL: [Row; 9] = [
    (CONFIG, Integer, "hidden_size query_num vision_config.window_size"),
    (CONFIG, Integer, "vision_config.tokens_per_second vision_config.num_position_embeddings"),
    (CONFIG, AtLeast(1), "vision_config.patch_size"),
    (CONFIG, Number, "scale_emb"),
    (CONFIG, Boolean, "use_image_id"),
    (CONFIG, Numbers, "image_newline"),
    (
        PREPROCESSOR,
        Integer,
        "image_size patch_size scale_resolution max_slice_nums crop_size.height crop_size.width \
         size.shortest_edge size.height size.width min_pixels max_pixels temporal_patch_size merge_size",
    ),
    (PREPROCESSOR, Colours, "image_mean image_std norm_mean norm_std"),
    (PREPROCESSOR, Pairs, "image_grid_pinpoints"),
];

const SCHEDULER: &str = "scheduler/scheduler_config.json";
/// The values that diffusion pipelines read.
pub(super) const DIFFUSION: [Row; 10] = [
    ("unet/config.json", Integer, "in_channels sample_size"),
    ("unet/config.json", Number, "time_cond_proj_dim"),
    ("transformer/config.json", Integer, "in_channels"),
    ("text_encoder/config.json", Integer, "max_position_embeddings num_hidden_layers"),
    ("vae_decoder/config.json", Integer, "in_channels latent_channels out_channels"),
    ("vae_decoder/config.json", Number, "scaling_factor shift_factor"),
    ("vae_decoder/config.json", Integers, "block_out_channels"),
    ("tokenizer/config.json", Integer, "eos_token_id bos_token_id pad_token_id"),
    (SCHEDULER, AtLeast(1), "num_train_timesteps"),
    (SCHEDULER, Text, "_class_name"),
];
/// The values that schedulers read which take the noise away by betas.
pub(super) const BETAS: [Row; 3] = [
    (SCHEDULER, Number, "beta_start beta_end"),
    (SCHEDULER, Integer, "steps_offset"),
    (SCHEDULER, Numbers, "trained_betas"),
];

/// Reports values of another kind than their reader takes.
pub(super) fn types(check: &mut Check, rows: &[Row]) {
    for row in rows {
        types_for(check, UNREADABLE, row);
    }
}

/// Reports values of another kind than the reader of a row takes, with these levels.
pub(super) fn types_for(check: &mut Check, levels: Levels, (file, wanted, keys): &Row) {
    for key in keys.split(' ') {
        let Some(value) = check.value(file, key) else { continue };
        let what = match (wanted.fault(&value), wanted) {
            (Some(what), _) => format!("{what}, wanted {}", wanted.name()),
            (None, AtLeast(least)) if integer(&value).is_some_and(|number| number < *least) => {
                format!("is {value}, wanted at least {least}")
            }
            _ => continue,
        };
        let help = correction(check, file, key, *wanted, &value);
        let Some(companion) = check.companion(file) else { return };
        let mut finding = companion.about(&PIPELINE_CONFIG, key, format!("`{key}` {what}"));
        finding.help.extend(help.map(Hint::from));
        check.report(levels, Place::Companion((*file).to_owned()), finding);
    }
}

/// The value to write in place of a faulty one: the same without quotes, that of another file with the same key, or the id of
/// the token that it names.
fn correction(check: &mut Check, file: &str, key: &str, wanted: Wanted, value: &Value) -> Option<String> {
    /// The maximum number of bytes of a value that is shown.
    const SHORT: usize = 60;
    let fits = |value: &Value| {
        wanted.fault(value).is_none() && !matches!(wanted, AtLeast(least) if integer(value) < Some(least))
    };
    let write = |value: &Value, source: &str| {
        let text = value.to_string();
        (text.len() <= SHORT).then(|| format!("write `{text}`{source}"))
    };
    let unquoted = |value: &Value| serde_json::from_str(value.as_str()?).ok();
    let own = match value {
        Value::Array(all) => Some(all.iter().map(|one| unquoted(one).unwrap_or_else(|| one.clone())).collect()),
        one => unquoted(one),
    };
    if let Some(own) = own.filter(fits) {
        return write(&own, " without quotes");
    }
    if !key.ends_with("_token_id") || ![CONFIG, GENERATION].contains(&file) {
        return None;
    }
    let other = if file == CONFIG { GENERATION } else { CONFIG };
    if let Some(other_value) = check.value(other, key).filter(fits) {
        return write(&other_value, &format!(", as {other} does"));
    }
    let id = special::id_of(check, value.as_str()?)?;
    Some(format!("write `{id}`, the id of this token in {}", special::SETTINGS))
}

impl Wanted {
    fn name(self) -> &'static str {
        match self {
            Integer | Alone | AtLeast(_) | Number => "a number",
            Boolean => "a boolean",
            Text => "a string",
            Integers | Numbers => "a list of numbers",
            IntegerOrList => "a number or a list of numbers",
            Colours => "a list of 3 numbers",
            Texts => "a list of strings",
            Pairs => "a list of pairs of numbers",
            IntegersByName => "an object of numbers",
        }
    }

    /// The fault of a value, as the end of a sentence; `None` if its reader takes or skips it.
    fn fault(self, value: &Value) -> Option<String> {
        let number = |value: &Value| value.is_number() || value.is_boolean();
        let pair =
            |value: &Value| value.as_array().is_some_and(|all| all.len() > 1 && all.iter().all(Value::is_number));
        // The first element that is not taken.
        let odd = |takes: &dyn Fn(&Value) -> bool| value.as_array()?.iter().find(|one| !takes(one));
        let (takes, odd) = match self {
            Integer | AtLeast(_) => (value.is_number() || value.is_array(), None),
            Alone => (value.is_number(), None),
            Number => (number(value) || value.is_array(), None),
            Boolean => (value.is_boolean() || value.is_array(), None),
            Text => (value.is_string() || value.is_array(), None),
            IntegerOrList => (value.is_number() || value.is_array(), odd(&Value::is_number)),
            Integers => (true, odd(&Value::is_number)),
            Numbers => (true, odd(&number)),
            Texts => (true, odd(&Value::is_string)),
            Pairs => (true, odd(&pair)),
            Colours if value.as_array().is_some_and(|all| all.len() < 3) => {
                return Some(format!("has {} elements", value.as_array().map_or(0, Vec::len)));
            }
            Colours => (value.is_number() || value.is_array(), odd(&number)),
            IntegersByName => (
                value.is_object() || value.is_array(),
                value.as_object().and_then(|all| all.values().find(|one| !one.is_number())),
            ),
        };
        if !takes {
            return Some(format!("is {}", shown(value)));
        }
        odd.map(|one| format!("contains {}", shown(one)))
    }
}

/// A value that is not of the kind wanted, for messages.
fn shown(value: &Value) -> String {
    /// The maximum number of characters of a string.
    const MOST: usize = 40;
    match value {
        Value::String(text) if text.chars().count() > MOST => {
            format!("the string \"{}...\"", text.chars().take(MOST).collect::<String>())
        }
        Value::String(text) => format!("the string \"{text}\""),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        other => called(other).to_owned(),
    }
}
