//! The checks of text generation: a language model that keeps its past in variables. Vision-language pipelines use some of
//! them, too.

use super::check::{Check, Place};
use super::demand::{demands, dim, is_open, matters, one_too_many, tensor};
use super::generation;
use super::loader::{Levels, Loader};
use crate::diagnostic::Direction::{Input, Output};
use crate::diagnostic::Severity::{Error, Off, Warning};
use crate::diagnostic::{Diagnostic, Rule};
use crate::ops::Action;
use crate::recipe::{self, GENAI_INPUT, GENAI_LOGITS, GENAI_PAGED_ATTENTION, GENAI_STATELESS, Port};
use crate::types::ElementType::{F32, I64};

const MODEL: &str = "openvino_model";

/// The levels of demands of openvino.genai; optimum-intel takes the tensors that it finds.
const GENAI: Levels = Levels::genai(Error);
/// The levels of demands of attention without pages, to which openvino.genai falls back where pages do not work.
const WITHOUT_PAGES: Levels = Levels { optimum: Error, ..Levels::genai(Warning) };

/// The inputs of language models that openvino.genai sets in one pipeline or another.
const INPUTS: [&str; 9] = [
    "input_ids",
    "inputs_embeds",
    "attention_mask",
    "position_ids",
    "beam_idx",
    "token_type_ids",
    "per_layer_inputs",
    "visual_pos_masks",
    "deepstack_visual_embeds",
];

pub(super) fn check(check: &mut Check) {
    let model = [
        tensor(MODEL, Input, "input_ids", Some(I64), Some(2), GENAI).open(WITHOUT_PAGES, &[]),
        tensor(MODEL, Input, "attention_mask", None, None, Levels { genai: Off, ovms: Off, ..WITHOUT_PAGES })
            .open(WITHOUT_PAGES, &[]),
        tensor(MODEL, Input, "position_ids", Some(I64), Some(2), GENAI).optional(),
        tensor(MODEL, Output, "logits", Some(F32), Some(3), GENAI).absent(Levels::loaders(Error)),
    ];
    demands(check, &model);
    surplus(check, MODEL, "input_ids");
    requirements(check, MODEL);
    let logits = check.port(MODEL, Output, "logits").and_then(|port| dim(port.fact.as_ref()?, 2)?.length());
    generation::check(check, logits);
}

/// Reports an input that openvino.genai does not set. With attention in pages, masks are dropped, and what only they take.
pub(super) fn surplus(check: &mut Check, name: &str, first: &str) {
    let Some(member) = check.member(name) else { return };
    let view = &member.view;
    // Without one of these, another tensor may stand for it.
    if [first, "position_ids", "beam_idx"].iter().any(|name| view.input(name).is_none()) {
        return;
    }
    let is_known = |port: &Port| INPUTS.iter().any(|name| port.is(name));
    let mut all = view.inputs.iter().filter(|port| !is_known(port) && is_open(port));
    if let Some(port) = all.find(|port| matters(view, port, true)) {
        let (index, finding) = (member.index, one_too_many(member, Input, port));
        check.report(GENAI, Place::Member(index), finding);
    }
}

/// Applies the recipe for a language model. Its findings are as severe as the attention that the loader chooses: with pages,
/// it looks at neither the mask nor `beam_idx`.
pub(super) fn requirements(check: &mut Check, name: &str) {
    let (takes_genai, is_npu) =
        (check.loaders.iter().any(|loader| *loader != Loader::Optimum), check.loaders.contains(&Loader::GenaiNpu));
    let Some(member) = check.member(name).filter(|_| takes_genai) else { return };
    let index = member.index;
    let found = recipe::of_language_model(member.view.model, is_npu);
    let has_state = !member.view.states(Action::Reads).is_empty();
    let has = |rule: &Rule| found.iter().any(|finding| finding.rule == rule);
    let has_pages = !is_npu && !has(&GENAI_PAGED_ATTENTION);
    let is_alone = !has_pages && (has(&GENAI_STATELESS) || has(&GENAI_INPUT));
    let known: Vec<_> = check.found.iter().filter(|(place, _)| *place == Place::Member(index)).collect();
    let is_said = |finding: &Diagnostic| {
        finding.rule == &GENAI_LOGITS
            || finding.rule == &GENAI_INPUT
                && finding.layer.is_some()
                && known.iter().any(|(_, known)| known.layer == finding.layer)
    };
    let found: Vec<Diagnostic> = found.iter().filter(|finding| !is_said(finding)).cloned().collect();
    for finding in found {
        let severity = match finding.rule {
            rule if rule == &GENAI_PAGED_ATTENTION && has_state => {
                Levels { genai: if is_alone { Error } else { Warning }, ..GENAI }
            }
            rule if rule == &GENAI_STATELESS || rule == &GENAI_INPUT => {
                let bad = is_npu || !has_pages || rule == &GENAI_STATELESS && !has_state;
                Levels::genai(if bad { Error } else { Warning })
            }
            _ => Levels::genai(finding.severity),
        };
        check.report(Levels { optimum: Off, ..severity }, Place::Member(index), finding);
    }
}
