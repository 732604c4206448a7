//! The checks of vision-language pipelines: a language model that takes embeddings, and models that embed texts and
//! pictures.

use super::check::{Check, Place};
use super::companion::integer;
use super::demand::{Demand, Link, Which, at_most, demands, dim, links, only, tensor};
use super::folder::{CONFIG, TOKENIZER};
use super::generation;
use super::language;
use super::loader::Levels;
use super::rules::{PIPELINE_CONFIG, PIPELINE_LINK, PIPELINE_TENSOR};
use super::values::{self, PREPROCESSOR, types, types_for};
use crate::analysis::InputShapes;
use crate::diagnostic::Direction::{Input, Output};
use crate::diagnostic::Severity::Error;
use crate::text::{did_you_mean, nearest};
use crate::types::ElementType::{F32, I64};
use crate::types::PartialShape;
use std::path::PathBuf;

const LANGUAGE: &str = "openvino_language_model";
const TEXT: &str = "openvino_text_embeddings_model";
const VISION: &str = "openvino_vision_embeddings_model";

const GENAI: Levels = Levels::genai(Error);

const DEMANDS: [Demand; 4] = [
    tensor(LANGUAGE, Input, "inputs_embeds", Some(F32), Some(3), GENAI),
    tensor(LANGUAGE, Output, "logits", Some(F32), Some(3), GENAI),
    tensor(TEXT, Input, "", Some(I64), Some(2), GENAI),
    tensor(TEXT, Output, "", Some(F32), Some(3), GENAI),
];

/// Further demands of the family of `llava`.
const BY_NAME: [Demand; 3] = [
    tensor(VISION, Input, "pixel_values", Some(F32), Some(4), GENAI),
    tensor(VISION, Output, "", Some(F32), None, GENAI),
    tensor(LANGUAGE, Input, "position_ids", Some(I64), Some(2), GENAI).optional(),
];

/// A family of models, by the `model_type` of `config.json`.
struct Family {
    types: &'static [&'static str],
    /// Further models that openvino.genai loads.
    parts: &'static [&'static str],
    /// The model whose output goes into the language model.
    last: &'static str,
    /// The input of the vision model that openvino.genai sets by name; empty if it goes by the order.
    pixels: &'static str,
}

static FAMILIES: [Family; 9] = [
    Family {
        types: &["llava", "llava_next", "gemma3", "internvl_chat"],
        parts: &[],
        last: VISION,
        pixels: "pixel_values",
    },
    Family { types: &["llava-qwen2"], parts: &[], last: VISION, pixels: "images" },
    Family {
        types: &["minicpmv", "minicpmo"],
        parts: &["openvino_resampler_model"],
        last: "openvino_resampler_model",
        pixels: "pixel_values",
    },
    Family {
        types: &["llava_next_video"],
        parts: &["openvino_multi_modal_projector_model", "openvino_vision_resampler_model"],
        last: "openvino_multi_modal_projector_model",
        pixels: "pixel_values",
    },
    Family {
        types: &["phi3_v"],
        parts: &["openvino_vision_projection_model"],
        last: "openvino_vision_projection_model",
        pixels: "",
    },
    Family {
        types: &["phi4mm"],
        parts: &["openvino_vision_projection_model"],
        last: "openvino_vision_projection_model",
        pixels: "pixel_values",
    },
    Family {
        types: &["qwen2_vl", "qwen2_5_vl"],
        parts: &["openvino_vision_embeddings_merger_model"],
        last: "openvino_vision_embeddings_merger_model",
        pixels: "hidden_states",
    },
    Family {
        types: &["qwen3_vl", "qwen3_5", "qwen3_5_moe"],
        parts: &["openvino_vision_embeddings_merger_model", "openvino_vision_embeddings_pos_model"],
        last: "openvino_vision_embeddings_merger_model",
        pixels: "hidden_states",
    },
    Family {
        types: &["gemma3n"],
        parts: &["openvino_text_embeddings_per_layer_model"],
        last: VISION,
        pixels: "pixel_values",
    },
];

/// Types that openvino.genai 2026.4 knows, and whose parts depend on more than the type.
const OTHERS: [&str; 5] = ["gemma4", "gemma4_unified", "qwen3_omni", "qwen3_omni_moe", "videochat_flash_qwen"];

pub(super) fn check(check: &mut Check) {
    check.needs(Levels::loaders(Error), LANGUAGE, "it writes the texts");
    check.needs(Levels::loaders(Error), TEXT, "it embeds the tokens of the text");
    check.needs(Levels::loaders(Error), VISION, "it embeds the pictures");
    demands(check, &DEMANDS);
    at_most(check, GENAI, TEXT, Input, 1);
    at_most(check, GENAI, TEXT, Output, 1);
    language::surplus(check, LANGUAGE, "inputs_embeds");
    language::requirements(check, LANGUAGE);
    template(check);
    let embeds = (LANGUAGE, Which::Named("inputs_embeds"));
    links(check, &[Link { from: (TEXT, Which::At(0)), to: embeds, axes: &[-1], levels: Levels::all(Error) }]);
    if let Some(family) = family(check) {
        family.parts.iter().for_each(|part| check.needs(GENAI, part, "models of this `model_type` need it"));
        links(
            check,
            &[Link { from: (family.last, Which::At(0)), to: embeds, axes: &[-1], levels: Levels::all(Error) }],
        );
        if !family.pixels.is_empty() {
            demands(check, &[tensor(VISION, Input, family.pixels, Some(F32), None, GENAI)]);
            one_picture(check, family.pixels);
            picture_size(check);
        }
        if family.types.contains(&"llava") {
            demands(check, &BY_NAME);
            only(check, GENAI, VISION, Input, &["pixel_values"], 1);
            at_most(check, GENAI, VISION, Output, 1);
        }
    }
    check.companion("video_preprocessor_config.json"); // Reported if it does not parse.
    if check.companion(PREPROCESSOR).is_none() {
        check.missing(GENAI, PREPROCESSOR, "without it, pictures get a size that the model may not take");
    }
    for row in &values::VISUAL {
        types_for(check, GENAI, row);
    }
    let logits = check.port(LANGUAGE, Output, "logits").and_then(|port| dim(port.fact.as_ref()?, 2)?.length());
    generation::check(check, logits);
}

/// Reports a pipeline without a template of chats, by which openvino.genai writes prompts with pictures.
fn template(check: &mut Check) {
    const KEY: &str = "chat_template";
    const TEMPLATE: &str = "chat_template.jinja";
    let Some(tokenizer) = check.member(TOKENIZER) else { return };
    let own = tokenizer.note(KEY).or_else(|| tokenizer.note("chat_template.default"));
    // On a server, the size is not known; the file counts as not empty.
    let size = |file: PathBuf| std::fs::metadata(file).map_or(1, |file| file.len());
    let size = check.folder.has(TEMPLATE).then(|| size(check.folder.file(TEMPLATE)));
    let mut in_json = || {
        ["chat_template.json", "processor_config.json", "tokenizer_config.json"].into_iter().any(|file| {
            let file = check.companion(file);
            file.is_some_and(|file| file.is_broken || file.get(KEY).is_some())
        })
    };
    // The first of these that is there counts, even if it is empty.
    let has = match (own, size) {
        (Some(text), _) => !text.is_empty(),
        (None, Some(size)) => size > 0,
        (None, None) => in_json(),
    };
    if !has {
        let why = "openvino.genai writes the prompt by it, and neither the tokenizer nor another file has one";
        check.missing(GENAI, TEMPLATE, why);
    }
}

/// Reports a vision model whose input `pixel_values` takes a fixed number of pictures other than 1.
fn one_picture(check: &mut Check, pixels: &str) {
    let Some(member) = check.member(VISION) else { return };
    let Some(port) = member.view.input(pixels).filter(|port| port.is("pixel_values")) else { return };
    let Some(count) = port.fact.as_ref().and_then(|fact| dim(fact, 0)?.length()).filter(|count| *count != 1) else {
        return;
    };
    let message = format!("input `{pixels}` of vision embeddings takes {count} pictures at a time, wanted 1");
    let finding = member.view.about(&PIPELINE_TENSOR, port.layer, member.view.names_span(port), message);
    let index = member.index;
    check.report(GENAI, Place::Member(index), finding);
}

/// Reports a size of pictures that the vision model of `LLaVA` does not take.
fn picture_size(check: &mut Check) {
    /// The length of both sides that openvino.genai takes by default.
    const USUAL: i64 = 336;
    if check.config("model_type").is_none_or(|ty| ty != "llava") || check.companion(PREPROCESSOR).is_none() {
        return;
    }
    let crop = check.value(PREPROCESSOR, "crop_size").unwrap_or_default();
    let side = |name: &str| crop.get(name).and_then(integer).unwrap_or(USUAL);
    let (height, width) = (side("height"), side("width"));
    let Some(model) = check.member(VISION).map(|member| member.view.model).filter(|model| !model.has_errors()) else {
        return;
    };
    let shape = PartialShape::exact(&[1, 3, height, width]);
    let reshaped = model.reshaped(InputShapes::of([("pixel_values".to_owned(), shape)]));
    if reshaped.is_ok_and(|reshaped| reshaped.has_errors()) {
        let message = format!("pictures are cut to {height} x {width}, which vision embeddings does not take");
        let Some(file) = check.companion(PREPROCESSOR) else { return };
        let finding =
            file.about(&PIPELINE_LINK, "crop_size", message).note("`ovlint inputs` shows which sizes it takes");
        check.report(GENAI, Place::Companion(PREPROCESSOR.to_owned()), finding);
    }
}

/// Returns the family of the models; reports one that openvino.genai does not know.
fn family(check: &mut Check) -> Option<&'static Family> {
    let Some(file) = check.companion(CONFIG) else {
        check.missing(GENAI, CONFIG, "openvino.genai learns the kind of the model from its `model_type`");
        return None;
    };
    let Some(ty) = file.text_of("model_type").map(str::to_owned) else {
        types(check, &values::CLASSIFICATION);
        return None;
    };
    let family = FAMILIES.iter().find(|family| family.types.contains(&ty.as_str()));
    if family.is_none() && !OTHERS.contains(&ty.as_str()) {
        let near = did_you_mean(nearest(&ty, known()));
        let message = format!("openvino.genai 2026.4 does not know vision-language models of the type `{ty}`{near}");
        let finding = file.about(&PIPELINE_CONFIG, "model_type", message);
        check.report(GENAI, Place::Companion(CONFIG.to_owned()), finding.note(format!("it knows {}", listed())));
    }
    family
}

/// The types that openvino.genai knows.
fn known() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|family| family.types).chain(&OTHERS).copied()
}

/// The types that openvino.genai knows, as text.
pub(super) fn listed() -> String {
    known().collect::<Vec<_>>().join(", ")
}
