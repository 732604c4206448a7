//! The attention layers that the runtime can replace by paged attention: their key and value are each a Concat of the past,
//! read from a variable, and the present.

use crate::ir::{Layer, LayerId, OutputRef, Port};
use crate::recipe::pattern::Pattern::{self, Any, Keep, Layer as Of, Or};
use crate::recipe::view::View;
use crate::types::Fact;

const READ: Pattern = Of("ReadValue", &[], &[Any]);
const SELECTED: Pattern = Of("Gather", &[8], &[READ, Any, Any]);
const PAST: Pattern = Or(&[SELECTED, Of("Transpose", &[1], &[SELECTED, Any])]);
const JOINED: Pattern = Of("Concat", &[1], &[PAST, Keep]);
const WHOLE: Pattern = Or(&[JOINED, Of("VariadicSplit", &[1], &[JOINED, Any, Any])]);

// The repetition of heads in grouped-query attention; the shape may be built from slices.
const CUT_WHOLE: Pattern =
    Of("StridedSlice", &[1], &[Of("StridedSlice", &[1], &[WHOLE, Any, Any, Any]), Any, Any, Any]);
const WIDER: Pattern = Of("Unsqueeze", &[1], &[Or(&[WHOLE, CUT_WHOLE]), Any]);
const CUT_WIDER: Pattern =
    Of("StridedSlice", &[1], &[Of("StridedSlice", &[1], &[WIDER, Any, Any, Any]), Any, Any, Any]);
const REPEATED: Pattern = Of("Broadcast", &[3], &[Or(&[WIDER, CUT_WIDER]), Any]);
const SHAPED: Pattern = Or(&[REPEATED, Of("Reshape", &[1], &[REPEATED, Any])]);

const BARE: Pattern =
    Or(&[WHOLE, SHAPED, Of("Transpose", &[1], &[Or(&[WHOLE, SHAPED]), Any]), Of("Reshape", &[1], &[WHOLE, Any])]);
const TAKEN: Pattern = Or(&[BARE, Of("FakeConvert", &[13], &[BARE, Any]), Of("FakeConvert", &[13], &[BARE, Any, Any])]);

/// The indices of key, value, mask, scale and sink among the inputs.
const KEY: usize = 1;
const VALUE: usize = 2;
const MASK: usize = 3;
const SCALE: usize = 4;
const SINK: usize = 5;

/// The layers that may lie between an attention and the Concat of past and present.
const SHAPING: [&str; 6] = ["FakeConvert", "Transpose", "Reshape", "Broadcast", "StridedSlice", "VariadicSplit"];
const UNSQUEEZE: &str = "Unsqueeze";
/// The maximum number of such layers in a row.
const STEPS: usize = 16;

/// Whether a layer is an attention.
pub(crate) fn is(view: &View, layer: &Layer) -> bool {
    view.is(layer, "ScaledDotProductAttention", &[13])
}

/// Returns the producers that feed the paged attention that replaces the layer; `None` if the layer cannot be replaced.
pub(super) fn paged(view: &View, layer: &Layer) -> Option<Vec<LayerId>> {
    let ports = view.graph().inputs(layer);
    let rank = |at: usize| view.fact(layer, at).and_then(Fact::rank);
    let is_scale = |at: usize| {
        rank(at) == Some(0) || view.fact(layer, at).is_some_and(|fact| fact.shape.lengths().as_deref() == Some(&[1]))
    };
    let is_sink = |at: usize| rank(at) == Some(4) && view.fact(layer, at).is_some_and(|fact| fact.shape.is_static());
    let fits = match ports.len() {
        4 => true,
        5 => is_scale(SCALE),
        6 => is_scale(SCALE) && is_sink(SINK),
        _ => false,
    };
    let mut kept: Vec<OutputRef> = Vec::new();
    let source = |at: usize| ports.get(at).and_then(Port::source);
    let is_paged = fits && [KEY, VALUE].into_iter().all(|at| TAKEN.matches(view, source(at), &mut kept));
    kept.extend([0, SCALE, SINK].into_iter().filter_map(source));
    is_paged.then(|| kept.into_iter().map(|from| from.layer).collect())
}

/// Returns the reason why a layer cannot be replaced, and the index of the input that causes it.
pub(super) fn obstacle(view: &View, layer: &Layer) -> (usize, String) {
    let count = view.graph().inputs(layer).len();
    if count <= MASK {
        return (0, format!("has {count} inputs, wanted a mask as the fourth"));
    }
    let source = |at: usize| view.graph().inputs(layer).get(at).and_then(Port::source);
    for (at, what) in [(KEY, "key"), (VALUE, "value")] {
        if !TAKEN.matches(view, source(at), &mut Vec::new()) {
            return (
                at,
                format!(
                    "needs a {what} that is a Concat of past (from a variable) and present, but {}",
                    describe_found(view, layer, at)
                ),
            );
        }
    }
    (SCALE, "has a scale or a sink of another shape".to_owned())
}

/// Returns the variables that contain the past of a replaceable attention layer.
pub(super) fn variables(view: &View, layer: &Layer) -> Vec<String> {
    let variable = |at| {
        let joined = producer_before_shaping(view, layer, at, |_| true)?;
        Some(view.variable(view.producer(past_of_concat(view, joined)?, 0)?.1))
    };
    [KEY, VALUE].into_iter().filter_map(variable).collect()
}

/// Returns the producer of the first input of a Concat, or of the Transpose there.
fn past_of_concat<'a>(view: &View<'a>, joined: &Layer) -> Option<&'a Layer> {
    let past = view.producer(joined, 0)?.1;
    if view.is(past, "Transpose", &[1]) { Some(view.producer(past, 0)?.1) } else { Some(past) }
}

/// Describes the layers found at an input instead of a Concat of past and present.
fn describe_found(view: &View, layer: &Layer, at: usize) -> String {
    let Some(joined) = producer_before_shaping(view, layer, at, |_| true) else { return "nothing feeds it".to_owned() };
    if !view.is(joined, "Concat", &[1]) {
        return format!("{} is no Concat", view.called(joined));
    }
    let Some(past) = past_of_concat(view, joined) else { return format!("nothing feeds {}", view.called(joined)) };
    if !view.is(past, "Gather", &[8]) {
        return format!(
            "{} starts with {}, not with a Gather (opset8) of a ReadValue",
            view.called(joined),
            view.called(past)
        );
    }
    let Some((_, read)) = view.producer(past, 0) else { return format!("nothing feeds {}", view.called(past)) };
    if !view.is(read, "ReadValue", &[]) {
        return format!("{} selects from {}, not from a ReadValue", view.called(past), view.called(read));
    }
    if view.graph().inputs(read).is_empty() {
        return format!("{} has no initial value", view.called(read));
    }
    format!("{} is shaped in another way than the runtime knows", view.called(joined))
}

/// Follows the producers of an input upwards through layers that only reshape or repeat elements. Returns the first other
/// layer, or the first one that `passes` rejects.
fn producer_before_shaping<'a>(
    view: &View<'a>,
    layer: &Layer,
    at: usize,
    mut passes: impl FnMut(&Layer) -> bool,
) -> Option<&'a Layer> {
    let mut here = view.producer(layer, at)?.1;
    for _ in 0..STEPS {
        let shapes = view.is(here, UNSQUEEZE, &[]) || SHAPING.iter().any(|ty| view.is(here, ty, &[]));
        if !shapes || !passes(here) {
            return Some(here);
        }
        here = view.producer(here, 0)?.1;
    }
    Some(here)
}

/// Returns the dimension that must be static but is dynamic: the head size or the number of heads.
pub(super) fn dynamic(view: &View, layer: &Layer) -> Option<(usize, &'static str)> {
    for (at, what) in [(KEY, "the size of a head of the key"), (VALUE, "the size of a head of the value")] {
        if !is_exact(view, layer, at, 1) {
            return Some((at, what));
        }
    }
    for (at, what) in [(KEY, "the number of heads of the key"), (VALUE, "the number of heads of the value")] {
        // Repeated heads are not checked: the dimension at the input is that after the repetition.
        let mut is_repeated = false;
        producer_before_shaping(view, layer, at, |passed| {
            is_repeated |= view.is(passed, UNSQUEEZE, &[]);
            true
        });
        if !is_repeated && !is_exact(view, layer, at, 3) {
            return Some((at, what));
        }
    }
    None
}

/// Whether a dimension of an input is known; `from_end` is 1 for the last one.
fn is_exact(view: &View, layer: &Layer, at: usize, from_end: usize) -> bool {
    let dims = view.fact(layer, at).and_then(|fact| fact.shape.dims());
    dims.is_some_and(|dims| dims.len().checked_sub(from_end).is_some_and(|axis| dims[axis].is_exact()))
}
