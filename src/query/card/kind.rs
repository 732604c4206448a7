//! The kind of a model, where its graph shows it.

use crate::analysis::Model;
use crate::diagnostic::Direction::{self, Input, Output};
use crate::ir::{LayerId, Role};
use crate::lint::heads::{ends_in_classes, length, yolo_classes};
use crate::lint::state::beams::selected;
use crate::ops::Action;
use crate::query::{End, ends, of_role};
use crate::types::ElementType;
use serde::Serialize;

/// The kind of a model, with the numbers that go with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Kind {
    /// The kind.
    pub kind: Name,
    /// The number of classes of a detector or classifier, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<i64>,
    /// The number of features of each element of an encoder, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<i64>,
    /// The state of a language model or decoder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
}

/// The kinds that a graph can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the kinds are called what they are")]
pub enum Name {
    Tokenizer,
    Detokenizer,
    LanguageModel,
    /// A language model that also reads what an encoder gives.
    Decoder,
    Detector,
    Classifier,
    Encoder,
}

/// The state of a language model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct State {
    /// The number of layers that compute attention.
    pub attention_layers: usize,
    /// The number of variables.
    pub variables: usize,
    /// The number of variables from which the input `beam_idx` selects.
    pub reordered: usize,
}

/// The task of a model of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextTask {
    Generates,
    Classifies,
    Embeds,
}

/// Returns the task of a model by the ranks of its tensors, which `rank` returns by name: `None` if there is no such tensor.
pub(crate) fn text_task(
    rank: impl Fn(Direction, &str) -> Option<Option<usize>>,
    has_state: bool,
    is_text: bool,
) -> Option<TextTask> {
    if has_state && is_text || rank(Input, "beam_idx").is_some() {
        return Some(TextTask::Generates);
    }
    match (rank(Output, "logits").flatten(), rank(Output, "last_hidden_state").flatten()) {
        (Some(2), _) if is_text => Some(TextTask::Classifies),
        (None, Some(3)) if is_text => Some(TextTask::Embeds),
        _ => None,
    }
}

/// Returns the kind of a model; `None` if its graph does not show it.
pub(super) fn kind(model: &Model) -> Option<Kind> {
    let (graph, facts) = (&model.net()?.graph, model.facts()?);
    let (inputs, outputs) = (ends(model, Input), ends(model, Output));
    let of = |kind| Kind { kind, classes: None, features: None, state: None };
    let port = |side, name: &str| {
        let all = if side == Input { &inputs } else { &outputs };
        all.iter().find(|end| end.tensors.iter().any(|tensor| tensor == name))
    };
    let rank = |side, name: &str| port(side, name).map(|end| end.fact.as_ref()?.shape.rank());
    let is_string = |end: &End| end.fact.as_ref().is_some_and(|fact| fact.ty == ElementType::String);
    let fact = |name| port(Output, name)?.fact.as_ref();
    if inputs.iter().any(is_string) && rank(Output, "input_ids").is_some() {
        return Some(of(Name::Tokenizer));
    }
    if outputs.iter().any(is_string) && !inputs.iter().any(is_string) {
        return Some(of(Name::Detokenizer));
    }
    let of_action = |action| graph.entries().filter(move |(_, layer)| graph.kind(layer).action() == action);
    let built = |action| of_action(action).filter(|(id, _)| facts.is_reachable(*id)).count();
    let variables = built(Action::Reads);
    let (ids, encoded) = (rank(Input, "input_ids"), rank(Input, "encoder_hidden_states"));
    let is_text = ids.is_some() || rank(Input, "inputs_embeds").is_some();
    let task = text_task(rank, variables > 0, is_text);
    if task == Some(TextTask::Generates) {
        let is_read = |id: &LayerId| graph.layer(*id).is_some_and(|layer| graph.kind(layer).action() == Action::Reads);
        let selected = selected(graph, facts, model.source()).unwrap_or_default();
        let reordered = selected.iter().filter(|id| is_read(id)).count();
        let state = State { attention_layers: built(Action::Attends), variables, reordered };
        let kind = if encoded.is_some() { Name::Decoder } else { Name::LanguageModel };
        let is_certain = is_text && variables > 0 && rank(Output, "logits").is_some();
        return is_certain.then(|| Kind { state: Some(state), ..of(kind) });
    }
    let mut results = of_role(model, Role::Result);
    if let Some(classes) = results.find_map(|result| yolo_classes(graph, facts, result)) {
        return Some(Kind { classes: Some(classes), ..of(Name::Detector) });
    }
    let gives = |names: &[&str]| names.iter().any(|name| rank(Output, name).is_some());
    let detects = model.layers().any(|visit| visit.kind().action() == Action::Detects);
    if detects || gives(&["boxes", "pred_boxes"]) && gives(&["scores", "logits"]) {
        return Some(of(Name::Detector));
    }
    let only = outputs.first().filter(|_| outputs.len() == 1).and_then(|end| end.fact.as_ref());
    let classes = only.filter(|fact| fact.shape.rank() == Some(2));
    let has_classes = || of_role(model, Role::Result).any(|result| ends_in_classes(graph, result));
    let logits = fact("logits").filter(|fact| fact.shape.rank() == Some(2));
    if let Some(fact) = logits.or(classes.filter(|_| has_classes())) {
        return Some(Kind { classes: length(fact, 1), ..of(Name::Classifier) });
    }
    let hidden = fact("last_hidden_state").filter(|_| encoded.is_none() && rank(Output, "logits").is_none());
    let hidden = hidden.filter(|fact| fact.shape.rank() == Some(3))?;
    Some(Kind { features: length(hidden, 2), ..of(Name::Encoder) })
}
