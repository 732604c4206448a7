//! Obstacles to paged attention, into which openvino.genai converts the attention layers of a language model.

use super::attention;
use super::names::missing;
use crate::arrange::Fill;
use crate::diagnostic::{Rule, Sink};
use crate::ir::{Layer, LayerId, OutputRef, Role, find_attribute};
use crate::ops::Action;
use crate::recipe::pattern::Pattern::{self, Any, Either, Keep, Layer as Of, Or};
use crate::recipe::recipe_rule;
use crate::recipe::view::View;
use std::collections::BTreeSet;

pub(crate) static GENAI_PAGED_ATTENTION: Rule = recipe_rule(
    "genai-paged-attention",
    "attention cannot be paged",
    "Checked with `--for genai` only, and not with `--device npu`. On CPU and GPU, `LLMPipeline` and \
     `ContinuousBatchingPipeline` of openvino.genai and \
     OpenVINO Model Server replace each ScaledDotProductAttention by one that keeps its past in pages, with the \
     transformation `SDPAToPagedAttention`. It needs an input `input_ids` or `inputs_embeds`, a variable, and an \
     attention whose key and value are each a Concat of the past (a Gather of a ReadValue with an initial value) and \
     the present, with a mask. Then it removes the inputs `attention_mask` and `beam_idx`, and throws \"Model references \
     undeclared parameters\" if something still needs them: usually an attention layer that it did not recognize. Numbers and \
     sizes of heads must be static.\n\n\
     `LLMPipeline` then warns and falls back to attention without pages, which is slower for long prompts; the others \
     do not load the model.\n\n\
     Export the model with `optimum-cli export openvino --task text-generation-with-past`, which keeps its state; an \
     attention implemented by \
     hand or with `attn_implementation=\"eager\"` has no ScaledDotProductAttention.\n\n\
     The finding is an error if and only if `paged_attention_transformation` of OpenVINO 2026.4.1 throws, as measured on \
     2026-11-23. \
     If variables belong to convolutions or state-space layers, only the inputs and the attention layers of the model are \
     checked.",
);

const RULE: &Rule = &GENAI_PAGED_ATTENTION;

// The lengths of the past and of the whole sequence, which the runtime replaces by inputs of its own.
const READ: Pattern = Of("ReadValue", &[6], &[Any]);
const SELECTED: Pattern = Of("Gather", &[8], &[READ, Any, Any]);
const PAST_LENGTH: Pattern = Of("Gather", &[8], &[Of("ShapeOf", &[3], &[SELECTED]), Any, Any]);
const WHOLE: Pattern = Of("Concat", &[1], &[SELECTED, Any]);
const WHOLE_LENGTH: Pattern = Of("Gather", &[8], &[Of("ShapeOf", &[3], &[WHOLE]), Of("Const", &[], &[]), Any]);

// Learned position embeddings, added to token embeddings; the match keeps the positions.
const TOKENS: Pattern = Of("Gather", &[8], &[Any, Any, Any]);
const SHIFTED: Pattern = Of("Convert", &[1], &[Either("Add", &[1], &[Keep, Of("Const", &[], &[])])]);
const POSITIONS: Pattern =
    Either("Add", &[1], &[Or(&[TOKENS, Of("MatMul", &[1], &[TOKENS, Any])]), Of("Gather", &[8], &[Any, SHIFTED, Any])]);

pub(super) fn check(view: &View, sink: &mut Sink) {
    if view.states(Action::Reads).is_empty() && view.states(Action::Writes).is_empty() {
        let finding = view.about_model(RULE, "the model has no variables, so it does not keep its KV cache");
        sink.report(
            finding.help("export a stateful model: `optimum-cli export openvino --task text-generation-with-past`"),
        );
    }
    if !view.layers().any(|(_, layer)| attention::is(view, layer)) {
        let finding = view.about_model(RULE, "the model has no ScaledDotProductAttention");
        sink.report(finding.help("export the model with `attn_implementation=\"sdpa\"`, the default"));
    }
    if view.input("input_ids").is_none() && view.input("inputs_embeds").is_none() {
        sink.report(missing(view, RULE, "`input_ids` or `inputs_embeds`"));
    }
    if sink.has(RULE) || !view.model.is_checked_in_full() {
        return; // The other checks need a replaced graph, and dimensions that depend on the weights.
    }
    if !view.states(Action::Reads).iter().any(|state| is_linear(view, state.layer)) {
        Replaced::of(view, sink).leftovers(sink);
    }
}

/// Whether a variable has the shape of the state of a convolution or a state-space model: rank 3 or 4 with one dynamic
/// dimension, the batch. With rank 4, no dimension may be 0, because a cache that grows starts with 0.
fn is_linear(view: &View, read: &Layer) -> bool {
    let Some(dims) = view.fact(read, 0).and_then(|fact| fact.shape.dims()) else { return false };
    let is_open = dims.iter().filter(|dim| !dim.is_exact()).count() == 1;
    is_open && (dims.len() == 3 || dims.len() == 4 && dims.iter().all(|dim| dim.length() != Some(0)))
}

/// The graph after attention layers, lengths and positions are replaced.
struct Replaced<'a, 'v> {
    view: &'v View<'a>,
    /// The producers of each layer after the replacement; `None` if they are unchanged.
    taken: Vec<Option<Vec<LayerId>>>,
    /// The variables that paged attention replaces.
    paged: BTreeSet<String>,
}

impl<'a, 'v> Replaced<'a, 'v> {
    fn of(view: &'v View<'a>, sink: &mut Sink) -> Self {
        let (mut taken, mut variables) = (vec![None; view.graph().layers.len()], BTreeSet::new());
        for (index, layer) in view.layers() {
            if attention::is(view, layer) {
                let Some(paged) = attention::paged(view, layer) else { continue };
                if let Some((at, what)) = attention::dynamic(view, layer) {
                    let message = format!("{what} is dynamic, wanted a number");
                    let shape = view.fact(layer, at).map(|fact| format!("{}", fact.shape));
                    sink.report(view.about_input(RULE, layer, at, message).primary(shape.unwrap_or_default()));
                }
                taken[index.index()] = Some(paged);
                variables.extend(attention::variables(view, layer));
            } else if is_past_length(view, index, layer) {
                taken[index.index()] = Some(Vec::new());
            } else if let Some(is_length) = is_whole_length(view, index, layer) {
                taken[index.index()] = Some(Vec::new());
                if !is_length {
                    let message = format!("{} asks for a length that is not static", view.called(layer));
                    let wanted = "only the axis along which past and present are joined may be dynamic";
                    sink.report(view.about(RULE, layer, layer.tag, message).note(wanted));
                }
            }
            let mut kept = Vec::new();
            if POSITIONS.matches(view, Some(output(index)), &mut kept) {
                for from in kept {
                    taken[from.layer.index()] = Some(Vec::new());
                }
            }
        }
        Self { view, taken, paged: variables }
    }

    fn sources(&self, index: LayerId, layer: &Layer) -> Vec<LayerId> {
        match self.taken.get(index.index()) {
            Some(Some(taken)) => taken.clone(),
            _ => self.view.producers(layer).collect(),
        }
    }

    /// Returns the layers from which a Result, or an Assign of a remaining variable, can be reached.
    fn alive(&self) -> BTreeSet<LayerId> {
        let (view, graph) = (self.view, self.view.graph());
        let is_end = |layer: &Layer| match graph.kind(layer).role {
            Role::Result => true,
            Role::Assign => !self.paged.contains(&view.variable(layer)),
            _ => false,
        };
        let mut open: Vec<LayerId> = view.layers().filter(|(_, layer)| is_end(layer)).map(|(index, _)| index).collect();
        let mut alive: BTreeSet<LayerId> = open.iter().copied().into_set();
        while let Some(index) = open.pop() {
            let Some(layer) = graph.layer(index) else { continue };
            open.extend(self.sources(index, layer).into_iter().filter(|from| alive.insert(*from)));
        }
        alive
    }

    /// Reports layers that still need removed inputs.
    fn leftovers(&self, sink: &mut Sink) {
        let (view, alive) = (self.view, self.alive());
        let input = |name| Some((name, view.input(name)?.index)).filter(|(_, input)| alive.contains(input));
        let removed: Vec<(&str, LayerId)> = ["attention_mask", "beam_idx"].into_iter().filter_map(input).collect();
        if removed.is_empty() {
            return;
        }
        // Marks the layers that depend on a removed input; producers come before consumers.
        let mut needs = vec![false; view.graph().layers.len()];
        for &index in view.facts.order() {
            let Some(layer) = view.graph().layer(index).filter(|_| alive.contains(&index)) else { continue };
            needs[index.index()] = removed.iter().any(|(_, input)| *input == index)
                || self.sources(index, layer).iter().any(|from| needs.get(from.index()) == Some(&true));
        }
        let names: Vec<String> = removed.iter().map(|(name, _)| format!("`{name}`")).collect();
        let note = format!("the runtime would remove {}, which this layer needs", names.join(" and "));
        let alive_layers = || view.layers().filter(|(index, _)| alive.contains(index));
        let mut is_explained = false;
        for (index, layer) in alive_layers().filter(|(_, layer)| attention::is(view, layer)) {
            if self.taken[index.index()].is_none() && needs[index.index()] {
                let (at, why) = attention::obstacle(view, layer);
                let message = format!("{} {why}", view.called(layer));
                sink.report(view.about_input(RULE, layer, at, message).note(note.clone()));
                is_explained = true;
            }
        }
        if is_explained {
            return;
        }
        for (index, layer) in alive_layers() {
            for (name, input) in &removed {
                if self.sources(index, layer).contains(input) {
                    let message = format!("{} needs `{name}` apart from attention", view.called(layer));
                    let note = format!("the runtime removes `{name}`, and the model is then incomplete");
                    sink.report(view.about(RULE, layer, layer.tag, message).note(note));
                }
            }
        }
    }
}

fn output(index: LayerId) -> OutputRef {
    OutputRef { layer: index, output: 0 }
}

/// Whether a layer extracts dimensions, at known indices, of the value that a Gather selects from a variable.
fn is_past_length(view: &View, index: LayerId, layer: &Layer) -> bool {
    PAST_LENGTH.matches(view, Some(output(index)), &mut Vec::new()) && indices(view, layer).is_some()
}

/// Returns whether the length of past and present that a layer extracts can be replaced; `None` if it extracts none.
fn is_whole_length(view: &View, index: LayerId, layer: &Layer) -> Option<bool> {
    if !WHOLE_LENGTH.matches(view, Some(output(index)), &mut Vec::new()) {
        return None;
    }
    let (_, shape) = view.producer(layer, 0)?;
    let (_, whole) = view.producer(shape, 0)?;
    let lengths = &view.fact(shape, 0)?.shape;
    let rank = i64::try_from(lengths.rank()?).ok()?;
    let [asked] = indices(view, layer)?[..] else { return None };
    let asked = if asked < 0 { asked + rank } else { asked };
    let axis = find_attribute(view.model.source(), whole.data, "axis")?;
    let axis: i64 = std::str::from_utf8(view.model.source().slice(axis.value)).ok()?.trim().parse().ok()?;
    // The runtime makes a negative axis non-negative only if every dimension is static.
    let axis = if axis < 0 && lengths.is_static() { axis + rank } else { axis };
    let is_known = usize::try_from(asked).is_ok_and(|asked| lengths.dim(asked).is_exact());
    Some(asked == axis || is_known)
}

/// Returns the indices of a Gather, if known.
fn indices(view: &View, layer: &Layer) -> Option<Vec<i64>> {
    Some(view.fact(layer, 1)?.value.as_ref()?.exact_integers()?.to_vec())
}
