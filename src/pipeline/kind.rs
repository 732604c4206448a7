//! The kinds of pipelines, and how a folder shows which one it is.

use super::check::{Check, Place};
use super::folder::{CONFIG, DETOKENIZER, INDEX, TOKENIZER};
use super::loader::{Levels, Loader};
use super::rules::PIPELINE_CONFIG;
use super::{diffusion, language, text, visual, whisper};
use crate::diagnostic::Direction::{Input, Output};
use crate::diagnostic::Severity;
use crate::query::card::{TextTask, text_task};
use serde_json::Value;

/// A kind of pipeline.
#[derive(Debug)]
pub struct Kind {
    /// The name, as in "my-model is a text generation pipeline".
    pub name: &'static str,
    /// The loaders that have a class for it.
    pub(super) loaders: &'static [Loader],
    /// The models that write text, so that they need a detokenizer.
    pub(super) writes_text: bool,
    pub(super) check: fn(&mut Check),
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

const ALL: &[Loader] = &[Loader::Genai, Loader::GenaiNpu, Loader::Optimum, Loader::Ovms];

pub(super) static GENERATION: Kind =
    Kind { name: "text generation", loaders: ALL, writes_text: true, check: language::check };
pub(super) static EMBEDDING: Kind =
    Kind { name: "text embedding", loaders: ALL, writes_text: false, check: text::embedding };
pub(super) static CLASSIFICATION: Kind =
    Kind { name: "text classification or reranking", loaders: ALL, writes_text: false, check: text::classification };
pub(super) static WHISPER: Kind = Kind { name: "Whisper", loaders: ALL, writes_text: true, check: whisper::check };
pub(super) static DIFFUSION: Kind =
    Kind { name: "diffusion", loaders: ALL, writes_text: false, check: diffusion::check };
pub(super) static VISUAL: Kind =
    Kind { name: "vision-language", loaders: ALL, writes_text: true, check: visual::check };
pub(super) static SEQ2SEQ: Kind =
    Kind { name: "sequence-to-sequence", loaders: &[Loader::Optimum], writes_text: false, check: text::seq2seq };
/// Models that speak, or that understand speech otherwise than Whisper. openvino.genai loads them, and nothing is known of what
/// it demands.
pub(super) static SPEECH: Kind = Kind { name: "speech", loaders: ALL, writes_text: false, check: |_| {} };
/// Models that a configuration links.
pub(super) static CONFIGURED: Kind = Kind { name: "configured", loaders: ALL, writes_text: false, check: |_| {} };
/// A model with a tokenizer that openvino.genai has no class for.
pub(super) static OTHER: Kind = Kind { name: "text", loaders: &[Loader::Optimum], writes_text: false, check: |_| {} };

const ENCODER: &str = "openvino_encoder_model";
const DECODER: &str = "openvino_decoder_model";
pub(super) const MODEL: &str = "openvino_model";
const LANGUAGE: &str = "openvino_language_model";

impl Kind {
    /// Recognises the kind of a folder; `None` if its files belong to no pipeline.
    pub(super) fn of(check: &mut Check) -> Option<&'static Self> {
        if check.companion(INDEX).is_some_and(|index| index.text_of("_class_name").is_some()) {
            return Some(&DIFFUSION);
        }
        if is_speech(check) {
            return Some(&SPEECH);
        }
        let is_there = |check: &Check, name: &str| check.has(name) || check.folder.is_orphan(name);
        // With tokens as input it is a language model, which openvino.genai finds by this name as well.
        if is_there(check, LANGUAGE) && check.port(LANGUAGE, Input, "input_ids").is_none() {
            return Some(&VISUAL);
        }
        if is_there(check, ENCODER) || is_there(check, DECODER) {
            return Some(encoder_decoder(check));
        }
        if is_there(check, MODEL) {
            return single(check);
        }
        // With the files of a pipeline whose model is missing, a loader fails.
        let has_pair = check.has(TOKENIZER) || check.has(DETOKENIZER);
        let lacks_model = !check.loaders.is_empty() && has_pair && !check.has(LANGUAGE);
        architecture(check).filter(|_| lacks_model).as_deref().and_then(by_architecture)
    }
}

/// Whether `config.json` names a model of speech that openvino.genai loads.
fn is_speech(check: &mut Check) -> bool {
    const TYPES: [&str; 2] = ["qwen3_asr", "fun_asr"];
    let is_type = check.config("model_type").is_some_and(|ty| TYPES.iter().any(|name| ty == *name));
    is_type || architecture(check).is_some_and(|name| name == "SpeechT5ForTextToSpeech" || name.contains("Kokoro"))
}

fn encoder_decoder(check: &mut Check) -> &'static Kind {
    let takes_sound = check.port(ENCODER, Input, "input_features").is_some();
    let is_whisper = check.config("model_type").is_some_and(|ty| ty == "whisper")
        || architecture(check).is_some_and(|name| name.starts_with("WhisperFor"));
    if takes_sound || is_whisper { &WHISPER } else { &SEQ2SEQ }
}

/// The kind of a folder with one model: a language model by its state, others by the architecture that `config.json` names, or
/// else by the tensors.
fn single(check: &mut Check) -> Option<&'static Kind> {
    let has_state = check.member(MODEL).is_some() && !check.is_stateless(MODEL);
    let rank = |side, name: &str| check.port(MODEL, side, name).map(|port| port.fact.as_ref()?.rank());
    let is_text = rank(Input, "input_ids").is_some() || check.has(TOKENIZER) || check.has(DETOKENIZER);
    let has_logits = rank(Output, "logits").flatten().is_some();
    let by_graph = match text_task(rank, has_state, is_text) {
        Some(TextTask::Generates) => return Some(&GENERATION),
        Some(TextTask::Classifies) => Some(&CLASSIFICATION),
        Some(TextTask::Embeds) => Some(&EMBEDDING),
        None => None,
    };
    let architecture = architecture(check);
    let by_name = architecture.as_deref().and_then(by_architecture);
    // `CLIPModel` and its like compare pictures with texts.
    let takes_pictures = check.port(MODEL, Input, "pixel_values").is_some();
    let by_name = by_name.filter(|kind| *kind != &EMBEDDING || !takes_pictures);
    let other = is_text.then_some(&OTHER);
    // Embeddings and rerankers may come from language models, whose architecture `config.json` then names.
    let by_name = by_name.filter(|kind| is_text && (*kind != &GENERATION || by_graph.is_none()));
    // Without any name, an encoder with one output is taken for an embedding.
    let by_ports = || by_ports(check).filter(|_| architecture.is_none() && !has_logits);
    by_name.or(by_graph).or_else(by_ports).or(other)
}

/// The kind that a folder without recognisable tensors is by the number of its outputs and the names of its inputs.
fn by_ports(check: &Check) -> Option<&'static Kind> {
    let view = &check.member(MODEL)?.view;
    let [output] = view.outputs.as_slice() else { return None };
    let takes_types = check.port(MODEL, Input, "token_type_ids").is_some();
    match output.fact.as_ref()?.rank() {
        Some(3) if takes_types && check.has(TOKENIZER) => Some(&EMBEDDING),
        _ => None,
    }
}

/// The first architecture that `config.json` names.
pub(super) fn architecture(check: &mut Check) -> Option<String> {
    let all = check.config("architectures")?;
    all.get(0).and_then(Value::as_str).map(str::to_owned)
}

fn by_architecture(name: &str) -> Option<&'static Kind> {
    /// Architectures that end like an embedding and are none.
    const NO_EMBEDDING: [&str; 3] = ["CLIPTextModel", "InternVLChatModel", "UNet2DConditionModel"];
    match name {
        name if name.ends_with("ForCausalLM") || name.ends_with("LMHeadModel") => Some(&GENERATION),
        name if name.ends_with("ForSequenceClassification") => Some(&CLASSIFICATION),
        name if NO_EMBEDDING.contains(&name) || name.ends_with("Transformer2DModel") => None,
        name if name.ends_with("Model") => Some(&EMBEDDING),
        _ => None,
    }
}

/// Reports a configuration without the type of the model, from which loaders learn what to load.
pub(super) fn model_type(check: &mut Check, kind: &Kind) {
    const KEY: &str = "model_type";
    if kind == &DIFFUSION || !check.companion(CONFIG).is_some_and(|file| file.lacks(KEY)) {
        return;
    }
    let is_visual = kind == &VISUAL;
    let genai = if is_visual { Severity::Error } else { Severity::Off };
    let levels = Levels { genai, ovms: genai, ..Levels::loaders(Severity::Error) };
    let named = architecture(check);
    let Some(file) = check.companion(CONFIG) else { return };
    let wanted = if is_visual { format!("one of {}", visual::listed()) } else { "a type such as `llama`".to_owned() };
    let mut finding = file.about(&PIPELINE_CONFIG, KEY, format!("the file has no `{KEY}`, wanted {wanted}"));
    finding.notes.extend(named.map(|name| format!("`architectures` is `{name}`").into()));
    check.report(levels, Place::Companion(CONFIG.to_owned()), finding);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_tell_the_kind() {
        for (name, kind) in [
            ("LlamaForCausalLM", Some(&GENERATION)),
            ("GPT2LMHeadModel", Some(&GENERATION)),
            ("XLMRobertaForSequenceClassification", Some(&CLASSIFICATION)),
            ("GPT2Model", Some(&EMBEDDING)),
            ("CLIPTextModel", None),
            ("ElectraForMaskedLM", None),
        ] {
            assert!(by_architecture(name) == kind, "{name}");
        }
    }
}
