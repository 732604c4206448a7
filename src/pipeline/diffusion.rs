//! The checks of diffusion pipelines, which make pictures from texts: text encoders, a unet or transformer, and a decoder of
//! latents, each in a folder of its own.

use super::check::{Check, Place, called, elsewhere, with};
use super::companion::integer;
use super::demand::{Demand, Link, Which, at_most, demands, differ, dim, links, only, span, tensor};
use super::folder::{CONFIG, INDEX};
use super::latents::{self, DECODER, UNET};
use super::loader::{Levels, Loader};
use super::rules::{PIPELINE_LINK, PIPELINE_TENSOR};
use super::stated::{contradicted, explained};
use super::{schedulers, special, values};
use crate::diagnostic::Direction::{Input, Output};
use crate::diagnostic::Severity::Error;
use crate::types::ElementType::{F32, I64};
use crate::types::{Dim, bare_fact};
use serde_json::Value;

const GENAI: Levels = Levels::genai(Error);
const ALL: Levels = Levels::all(Error);

/// The texts that a unet or transformer takes.
const HIDDEN: &str = "encoder_hidden_states";
const TRANSFORMER: &str = "transformer/openvino_model";
const ENCODERS: [(&str, &str, &str); 3] = [
    ("text_encoder", "text_encoder/openvino_model", "tokenizer/openvino_tokenizer"),
    ("text_encoder_2", "text_encoder_2/openvino_model", "tokenizer_2/openvino_tokenizer"),
    ("text_encoder_3", "text_encoder_3/openvino_model", "tokenizer_3/openvino_tokenizer"),
];

const DETOKENIZERS: [&str; 3] =
    ["tokenizer/openvino_detokenizer", "tokenizer_2/openvino_detokenizer", "tokenizer_3/openvino_detokenizer"];

/// The classes of `model_index.json` that openvino.genai 2026.4 has a pipeline for.
const CLASSES: [&str; 14] = [
    "StableDiffusionPipeline",
    "LatentConsistencyModelPipeline",
    "StableDiffusionXLPipeline",
    "StableDiffusion3Pipeline",
    "FluxPipeline",
    "Flux2KleinPipeline",
    "FluxFillPipeline",
    "FluxInpaintPipeline",
    "StableDiffusionInpaintPipeline",
    "StableDiffusionXLInpaintPipeline",
    "StableDiffusion3InpaintPipeline",
    "LTXPipeline",
    "QwenImagePipeline",
    "ZImagePipeline",
];

/// Those among them whose latents have a dimension more, for time.
const WITH_TIME: [&str; 2] = ["LTXPipeline", "QwenImagePipeline"];

/// The parts of a pipeline and their classes, by the beginning of the class of the pipeline.
const PARTS: [(&str, &[(&str, &str)]); 5] = [
    (
        "StableDiffusionXL",
        &[("text_encoder", CLIP), ("text_encoder_2", PROJECTED), ("unet", "UNet2DConditionModel"), ("vae", KL)],
    ),
    (
        "StableDiffusion3",
        &[
            ("text_encoder", PROJECTED),
            ("text_encoder_2", PROJECTED),
            ("transformer", "SD3Transformer2DModel"),
            ("vae", KL),
        ],
    ),
    ("StableDiffusion", &[("text_encoder", CLIP), ("unet", "UNet2DConditionModel"), ("vae", KL)]),
    ("LatentConsistencyModel", &[("text_encoder", CLIP), ("unet", "UNet2DConditionModel"), ("vae", KL)]),
    (
        "FluxPipeline",
        &[
            ("text_encoder", CLIP),
            ("text_encoder_2", "T5EncoderModel"),
            ("transformer", "FluxTransformer2DModel"),
            ("vae", KL),
        ],
    ),
];
const CLIP: &str = "CLIPTextModel";
const PROJECTED: &str = "CLIPTextModelWithProjection";
const KL: &str = "AutoencoderKL";

const DEMANDS: [Demand; 4] = [
    tensor(UNET, Input, "sample", Some(F32), Some(4), GENAI),
    tensor(UNET, Input, "timestep", Some(I64), Some(1), GENAI),
    tensor(UNET, Input, HIDDEN, Some(F32), Some(3), GENAI),
    tensor(UNET, Output, "", Some(F32), Some(4), GENAI),
];
const LATENTS: [Demand; 2] =
    [tensor(DECODER, Input, "", Some(F32), Some(4), GENAI), tensor(DECODER, Output, "", Some(F32), Some(4), GENAI)];

pub(super) fn check(check: &mut Check) {
    parts(check);
    classes(check);
    values::types(check, &values::DIFFUSION);
    demands(check, &DEMANDS);
    let class = check.value(INDEX, "_class_name").unwrap_or_default();
    let class = class.as_str().unwrap_or_default();
    if !WITH_TIME.contains(&class) {
        demands(check, &LATENTS);
    }
    surplus(check, class);
    encoders(check);
    latents::check(check);
    batches(check);
}

/// Whether `model_index.json` names a part.
fn has_part(check: &mut Check, part: &str) -> bool {
    let value = check.value(INDEX, part);
    value.is_some_and(|value| value.get(1).is_some_and(|class| !class.is_null()))
}

/// Reports parts that `model_index.json` names and the folder lacks.
fn parts(check: &mut Check) {
    let named: Vec<&str> = ["unet", "transformer"].into_iter().filter(|part| has_part(check, part)).collect();
    if named.is_empty() {
        let message = "`model_index.json` names neither a `unet` nor a `transformer`".to_owned();
        check.about_value(Levels::loaders(Error), INDEX, "unet", message);
    }
    for part in named {
        model(check, &format!("{part}/openvino_model"), part);
        config(check, part);
    }
    for (part, member, tokenizer) in ENCODERS {
        if has_part(check, part) {
            model(check, member, part);
            config(check, part);
            check.needs(GENAI, tokenizer, "text cannot be encoded without it");
        }
    }
    if has_part(check, "vae") {
        model(check, DECODER, "vae");
        config(check, "vae_decoder");
    }
}

fn model(check: &mut Check, member: &str, part: &str) {
    let levels = if check.folder.is_orphan(member) { ALL } else { Levels::loaders(Error) };
    if !check.has(member) {
        check.missing(levels, &format!("{member}.xml"), &format!("`model_index.json` names the part `{part}`"));
    }
}

fn config(check: &mut Check, part: &str) {
    let name = format!("{part}/{CONFIG}");
    if check.companion(&name).is_none() {
        check.missing(GENAI, &name, "openvino.genai reads it");
    }
}

/// Reports classes that openvino.genai does not have.
fn classes(check: &mut Check) {
    for (file, known) in [(INDEX, &CLASSES[..]), (schedulers::FILE, &schedulers::ALL[..])] {
        let Some(companion) = check.companion(file) else {
            check.missing(GENAI, file, "openvino.genai reads it");
            continue;
        };
        match companion.text_of("_class_name").map(str::to_owned) {
            Some(class) if known.contains(&class.as_str()) && file == INDEX => part_classes(check, &class),
            Some(class) if known.contains(&class.as_str()) => schedulers::check(check, &class),
            Some(class) => {
                let message = format!("openvino.genai 2026.4 does not know the class `{class}`");
                check.about_value(GENAI, file, "_class_name", message);
            }
            None if companion.lacks("_class_name") => {
                check.about_value(GENAI, file, "_class_name", "the file has no `_class_name`".to_owned());
            }
            None => {}
        }
    }
}

/// Reports inputs that openvino.genai does not set, and outputs too many.
fn surplus(check: &mut Check, class: &str) {
    let set = ["sample", "timestep", "encoder_hidden_states", "timestep_cond", "text_embeds", "time_ids"];
    only(check, GENAI, UNET, Input, &set, 3);
    for (part, side) in [(UNET, Output), (DECODER, Input), (DECODER, Output)] {
        at_most(check, GENAI, part, side, 1);
    }
    // Other classes have other text encoders.
    if !parts_of(class).is_empty() {
        at_most(check, GENAI, ENCODERS[0].1, Input, 1);
    }
    let condition = check.value("unet/config.json", "time_cond_proj_dim");
    if condition.is_some_and(|length| length.is_boolean() || integer(&length).is_some_and(|length| length >= 0)) {
        demands(check, &[tensor(UNET, Input, "timestep_cond", None, None, GENAI)]);
    }
}

/// The parts of a class of pipelines.
fn parts_of(pipeline: &str) -> &'static [(&'static str, &'static str)] {
    PARTS.iter().find(|(start, _)| pipeline.starts_with(start)).map_or(&[], |(_, parts)| parts)
}

/// Reports parts of other classes than the pipeline takes.
fn part_classes(check: &mut Check, pipeline: &str) {
    for (part, wanted) in parts_of(pipeline) {
        let value = check.value(INDEX, part);
        let message = match value.as_ref().and_then(|value| value.get(1)).and_then(Value::as_str) {
            Some(class) if class == *wanted => continue,
            Some(class) => format!("`{part}` is of the class `{class}`, and `{pipeline}` takes `{wanted}`"),
            None => format!("`{part}` names no class, and `{pipeline}` takes `{wanted}`"),
        };
        check.about_value(GENAI, INDEX, part, message);
    }
}

/// Compares what the text encoders give with what the unet or transformer takes.
fn encoders(check: &mut Check) {
    for ((_, encoder, tokenizer), detokenizer) in ENCODERS.into_iter().zip(DETOKENIZERS) {
        types(check, tokenizer, encoder);
        if check.has(tokenizer) {
            special::pair(check, tokenizer, detokenizer, false);
            let any = |name| tensor(tokenizer, Output, name, None, None, GENAI);
            demands(check, &[any("input_ids"), any("attention_mask")]);
        }
    }
    lengths(check);
    let last: &[isize] = &[-1];
    let hidden = Which::Named(HIDDEN);
    let (first, second, third) = (ENCODERS[0].1, ENCODERS[1].1, ENCODERS[2].1);
    if check.has(second) && check.has(UNET) {
        sum(check, [first, second]);
        let pooled = Which::Named("text_embeds");
        links(check, &[Link { from: (second, pooled), to: (UNET, pooled), axes: last, levels: ALL }]);
        if check.port(UNET, Input, "text_embeds").is_some() {
            demands(check, &[tensor(second, Output, "", Some(F32), Some(2), GENAI)]);
        }
    } else if check.has(UNET) && !has_part(check, ENCODERS[1].0) {
        links(check, &[Link { from: (first, Which::At(0)), to: (UNET, hidden), axes: last, levels: ALL }]);
    } else if !check.has(UNET) {
        let from = if check.has(third) { third } else { second };
        links(check, &[Link { from: (from, Which::At(0)), to: (TRANSFORMER, hidden), axes: last, levels: ALL }]);
    }
}

/// Compares the element types of the tokens that a tokenizer gives and a text encoder takes.
fn types(check: &mut Check, tokenizer: &str, encoder: &str) {
    let Some((from, to)) = check.member(tokenizer).zip(check.member(encoder)) else { return };
    let Some((output, input)) = Which::Named("input_ids").of(&from.view.outputs).zip(to.view.inputs.first()) else {
        return;
    };
    let (Some(gives), Some(takes)) = (&output.fact, &input.fact) else { return };
    if gives.ty != takes.ty {
        let message = format!("{} takes {}, and {} gives {}", called(encoder), takes.ty, called(tokenizer), gives.ty);
        let finding = to.view.about(&PIPELINE_TENSOR, input.layer, input.layer.tag, message);
        let note = elsewhere(from, output.layer.tag, format!("`input_ids` is {}", bare_fact(gives)));
        let index = to.index;
        check.report(GENAI, Place::Member(index), with(finding, note));
    }
}

/// Compares the number of tokens that openvino.genai encodes with that of the unet.
fn lengths(check: &mut Check) {
    let file = "text_encoder/config.json";
    let Some(tokens) = check.value(file, "max_position_embeddings").as_ref().and_then(integer) else { return };
    let Some(member) = check.member(UNET) else { return };
    let Some(port) = Which::Named(HIDDEN).of(&member.view.inputs) else { return };
    let Some(wanted) = port.fact.as_ref().and_then(|fact| dim(fact, 1)) else { return };
    if differ(Some(wanted), Some(Dim::exact(tokens))) {
        let note =
            elsewhere(member, span(&member.view, Input, port), format!("`encoder_hidden_states` takes {wanted}"));
        let message = format!("`max_position_embeddings` is {tokens}, and the unet takes {wanted} tokens");
        let Some(companion) = check.companion(file) else { return };
        let finding = companion.about(&PIPELINE_LINK, "max_position_embeddings", message);
        check.report(GENAI, Place::Companion(file.to_owned()), with(finding, note));
    }
}

/// Compares the sum of what two text encoders give with what the unet takes.
fn sum(check: &mut Check, encoders: [&'static str; 2]) {
    const OUTPUT: &str = "last_hidden_state";
    let width = |name: &str| dim(check.port(name, Output, OUTPUT)?.fact.as_ref()?, -1);
    let (Some(first), Some(second)) = (width(encoders[0]), width(encoders[1])) else { return };
    let takes = check.port(UNET, Input, HIDDEN).and_then(|port| dim(port.fact.as_ref()?, -1));
    let Some(wanted) = takes.filter(|wanted| differ(Some(*wanted), Some(first.plus(second)))) else { return };
    let unet_is_wrong = contradicted(check, (UNET, HIDDEN), -1, wanted);
    let wrong = [(encoders[0], first), (encoders[1], second)].into_iter().find_map(|(encoder, size)| {
        let wrong = contradicted(check, (encoder, OUTPUT), -1, size).filter(|_| unet_is_wrong.is_none())?;
        Some((encoder, wrong))
    });
    let root = wrong.as_ref().map_or(UNET, |(encoder, _)| *encoder);
    let message = format!(
        "`{HIDDEN}` of unet has size {wanted} in its last dimension, but {} and {} output sizes {first} and {second}",
        called(encoders[0]),
        called(encoders[1])
    );
    let ends = [(encoders[0], Output, OUTPUT), (encoders[1], Output, OUTPUT), (UNET, Input, HIDDEN)];
    let (mut finding, mut others) = (None, Vec::new());
    for (name, side, tensor) in ends {
        let (Some(member), Some(port)) = (check.member(name), check.port(name, side, tensor)) else { return };
        let place = span(&member.view, side, port);
        if name == root {
            finding = Some((member.index, member.view.about(&PIPELINE_LINK, port.layer, place, message.clone())));
        } else {
            let shape = port.fact.as_ref().map(bare_fact).unwrap_or_default();
            others.push(elsewhere(member, place, format!("`{tensor}` is {shape}")));
        }
    }
    let Some((index, finding)) = finding else { return };
    let finding = others.into_iter().fold(finding, with);
    let finding = match wrong.map(|(_, wrong)| wrong).or(unet_is_wrong) {
        Some(wrong) => explained(finding, wrong),
        None => finding.help("export all three from the same checkpoint"),
    };
    check.report(ALL, Place::Member(index), finding);
}

/// Reports models for one text at a time: guidance runs two, the text and the empty one.
fn batches(check: &mut Check) {
    if check.value("unet/config.json", "time_cond_proj_dim").is_some() || check.loaders.contains(&Loader::GenaiNpu) {
        return;
    }
    for (member, name) in [(UNET, "sample"), (ENCODERS[0].1, "input_ids")] {
        let Some(model) = check.member(member).filter(|_| check.has(UNET)) else { continue };
        let Some(port) = model.view.input(name) else { continue };
        if port.fact.as_ref().and_then(|fact| dim(fact, 0)?.length()) != Some(1) {
            continue;
        }
        let message = format!("input `{name}` of {} is for one text at a time, and guidance runs two", called(member));
        let place = model.view.names_span(port);
        let finding = model.view.about(&PIPELINE_TENSOR, port.layer, place, message);
        let index = model.index;
        check.report(GENAI, Place::Member(index), finding.note("`guidance_scale` is above 1 by default"));
    }
}
