//! The check that a language model has the inputs, outputs and variables that openvino.genai looks up by name, with the
//! types that it sets.

use crate::diagnostic::{Diagnostic, Direction, Rule, Sink};
use crate::ops::Action;
use crate::recipe::view::{Port, View};
use crate::recipe::{doubt, recipe_rule};
use crate::types::ElementType;

pub(crate) static GENAI_MODEL: Rule = recipe_rule(
    "genai-model",
    "the model is not a language model that openvino.genai can run",
    "Checked with `--for genai` only. No input has a name that `LLMPipeline` sets, and the model has no \
     variables, as in an encoder of images or a detector, or the model takes strings, as a tokenizer does. The other checks for language models are skipped, \
     because all of these checks would fail.\n\n\
     Pass the file that contains the language model, usually `openvino_model.xml` or `openvino_language_model.xml`, or omit \
     `--for` for other files: in the configuration, `[[per-file]]` can set `for` for certain files only.\n\n\
     If the `config.json` of a folder names an architecture for which openvino.genai has no pipeline, such as \
     `ViTForImageClassification`, the finding names it. optimum-intel loads these models.\n\n\
     This is an error, because both `stateful_to_stateless_transformation` and `paged_attention_transformation` of OpenVINO \
     2026.4.1 throw, as measured on 2026-11-23.",
);

pub(crate) static GENAI_INPUT: Rule = doubt(
    "genai-input",
    "an input that openvino.genai does not know, or a missing one",
    "Checked with `--for genai` only. `LLMPipeline` sets the inputs `input_ids`, \
     `attention_mask` and `position_ids` (i64) and `beam_idx` (i32) by the names of their tensors, and requires 3 or 4 \
     inputs: all of these, with or without `position_ids`. The language model of a `VLMPipeline` takes \
     `inputs_embeds` instead of `input_ids`, and may have `token_type_ids`, `visual_pos_masks`, \
     `deepstack_visual_embeds` and `per_layer_inputs`. No pipeline sets any other input.\n\n\
     Give the tensors these names when you export the model, and remove inputs that are not needed.\n\n\
     Source: `pipeline_stateful.cpp`, `lm_encoding.cpp` and `utils.cpp` of openvino.genai da1db864 of 2026-08-21.",
);

pub(crate) static GENAI_LOGITS: Rule = doubt(
    "genai-logits",
    "no output is called `logits`",
    "Checked with `--for genai` only. `LLMPipeline` takes the scores of the next token from the \
     output whose tensor is called `logits`.\n\n\
     Name the tensor `logits` when you export the model.\n\n\
     Source: `lm_encoding.cpp` of openvino.genai da1db864 of 2026-08-21.",
);

pub(crate) static GENAI_STATE_NAME: Rule = doubt(
    "genai-state-name",
    "the name of a variable does not mark it as the KV cache of an attention layer",
    "Checked with `--for genai` only. When the variables become inputs and outputs, the names of \
     the variables determine their names and order: `past_key_values.0.keypresent.0.key` becomes \
     `past_key_values.0.key` and `present.0.key`. Names with `value`, and names such as \
     `cache_params.past.key.0cache_params.present.key.0`, follow the same pattern. Other variables become `input_restored.NAME` and \
     `output_restored.NAME`, in the order of the file. Code that looks for `past_key_values` does not find them.\n\n\
     Export the model with optimum-intel, which names variables like this.\n\n\
     Measured with `stateful_to_stateless_transformation` of OpenVINO 2026.4.1 on 2026-11-23.",
);

/// The inputs that a text pipeline sets, with their types.
const TEXT: [(&str, Option<ElementType>); 4] = [
    ("input_ids", Some(ElementType::I64)),
    ("attention_mask", Some(ElementType::I64)),
    ("position_ids", Some(ElementType::I64)),
    ("beam_idx", Some(ElementType::I32)),
];

/// The further inputs that a pipeline for images and text sets.
const EMBEDDED: [(&str, Option<ElementType>); 5] = [
    ("inputs_embeds", None),
    ("token_type_ids", None),
    ("visual_pos_masks", None),
    ("deepstack_visual_embeds", None),
    ("per_layer_inputs", None),
];

/// Whether the model is a language model; reports it if not.
pub(super) fn is_language_model(view: &View, sink: &mut Sink) -> bool {
    let set = set(view);
    let is_text = |input: &Port| input.fact.as_ref().is_some_and(|fact| fact.ty == ElementType::String);
    let takes_texts = view.inputs.iter().any(is_text);
    let is_one = !takes_texts
        && (!view.states(Action::Reads).is_empty()
            || view.inputs.iter().any(|input| known_input(&set, input).is_some()));
    if !is_one {
        let why = if takes_texts {
            "it takes texts, as a tokenizer does"
        } else {
            "it has no variables and no input that `LLMPipeline` sets"
        };
        let message = format!("openvino.genai cannot run this as a language model: {why}");
        let finding = view.about_model(&GENAI_MODEL, message).note(view.listed(Direction::Input));
        sink.report(finding.help("pass the file with the language model, or omit `--for`"));
    }
    is_one
}

/// Returns the inputs that a pipeline sets, with their types.
fn set(view: &View) -> Vec<(&'static str, Option<ElementType>)> {
    let is_embedded = view.input("inputs_embeds").is_some();
    TEXT.into_iter().chain(EMBEDDED.into_iter().filter(|_| is_embedded)).collect()
}

/// Returns the entry of this input, if a pipeline sets it.
fn known_input(
    set: &[(&'static str, Option<ElementType>)],
    input: &Port,
) -> Option<(&'static str, Option<ElementType>)> {
    set.iter().find(|(name, _)| input.is(name)).copied()
}

/// Creates the finding that no input has this name. It labels unknown inputs, because one of them may be the missing one.
pub(super) fn missing(view: &View, rule: &'static Rule, name: &str) -> Diagnostic {
    let mut finding = view.about_model(rule, format!("no input has the tensor name {name}"));
    let set = set(view);
    for input in view.inputs.iter().filter(|input| known_input(&set, input).is_none()) {
        finding = finding.label(view.names_span(input), "openvino.genai does not know this input");
    }
    finding.note(view.listed(Direction::Input))
}

/// Reports inputs that no pipeline sets, inputs of a wrong type, and a missing mask.
pub(super) fn inputs(view: &View, sink: &mut Sink) {
    let has = |name| view.input(name).is_some();
    let has_mask = has("attention_mask");
    // If a name is missing, an unknown input may be that one, so unknown inputs are then not reported.
    let is_complete = has_mask && has("beam_idx") && (has("input_ids") || has("inputs_embeds"));
    if !has_mask {
        sink.report(missing(view, &GENAI_INPUT, "`attention_mask`"));
    }
    let set = set(view);
    for input in &view.inputs {
        let Some((name, wanted)) = known_input(&set, input) else {
            if is_complete {
                let message = format!("openvino.genai does not set input {}", view.name(input));
                sink.report(view.about(&GENAI_INPUT, input.layer, view.names_span(input), message));
            }
            continue;
        };
        let found = input.fact.as_ref().map(|fact| fact.ty).filter(|found| *found != ElementType::Dynamic);
        if let (Some(found), Some(wanted)) = (found, wanted)
            && found != wanted
        {
            let message = format!("input `{name}` is {found}; openvino.genai sets {wanted}");
            sink.report(view.about(&GENAI_INPUT, input.layer, input.layer.tag, message));
        }
    }
}

/// Reports that no output has the name that pipelines read.
pub(super) fn logits(view: &View, sink: &mut Sink) {
    if !view.outputs.iter().any(|output| output.is("logits")) {
        let finding = view.about_model(&GENAI_LOGITS, "no output has the tensor name `logits`");
        sink.report(finding.note(view.listed(Direction::Output)));
    }
}

/// Reports all variables with names that the runtime does not understand, at the first one.
pub(super) fn states(view: &View, sink: &mut Sink) {
    let mut others = view.states(Action::Reads).into_iter().filter(|state| !is_known(&state.variable));
    let Some(first) = others.next() else { return };
    let message = format!(
        "the name of variable `{}` does not follow the pattern of `past_key_values.0.keypresent.0.key`",
        first.variable
    );
    let finding = view.about(&GENAI_STATE_NAME, first.layer, first.layer.tag, message);
    let all = 1 + others.count();
    sink.report(if all > 1 {
        finding.note(format!("{all} variables in total have names that do not follow this pattern"))
    } else {
        finding
    });
}

/// Whether the runtime can derive from the name which past a variable contains.
fn is_known(variable: &str) -> bool {
    is_optimum(variable) || is_lfm2(variable)
}

/// Whether the name is like `past_key_values.0.keypresent.0.key`, with the same number and kind in both halves.
fn is_optimum(variable: &str) -> bool {
    let halves = variable.strip_prefix("past_key_values.").and_then(|rest| rest.split_once("present."));
    halves.is_some_and(|(past, present)| {
        let parts = past.split_once('.');
        past == present && parts.is_some_and(|(n, kind)| is_number(n) && ["key", "value"].contains(&kind))
    })
}

/// Whether the name is like `cache_params.past.conv.0cache_params.present.conv.0`, of a model that has not only attention
/// layers.
pub(super) fn is_lfm2(variable: &str) -> bool {
    let halves = variable.strip_prefix("cache_params.past.").and_then(|rest| rest.split_once("cache_params.present."));
    let is_half = |half: &str| {
        half.split_once('.').is_some_and(|(kind, n)| is_number(n) && ["key", "value", "conv", "ssm"].contains(&kind))
    };
    halves.is_some_and(|(past, present)| is_half(past) && is_half(present))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_known_by_their_names() {
        for (name, known) in [
            ("past_key_values.0.keypresent.0.key", true),
            ("past_key_values.31.valuepresent.31.value", true),
            ("past_key_values.0.keypresent.1.key", false),
            ("past_key_values.0.keypresent.0.value", false),
            ("past_key_values.0.decoder.keypresent.0.decoder.key", false),
            ("past_key_values.0.key", false),
            ("cache_params.past.conv.3cache_params.present.conv.3", true),
            ("cache_params.past.state.3cache_params.present.state.3", false),
            ("", false),
        ] {
            assert_eq!(is_known(name), known, "{name}");
        }
    }
}
