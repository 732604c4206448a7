//! The recipe for openvino.genai on the NPU: the same language model, with 4-bit weights.

use super::genai::{GENAI_INPUT, GENAI_LOGITS, GENAI_MODEL, GENAI_STATE_NAME, GENAI_STATELESS, language_model};
use super::view::View;
use super::{Recipe, Row, doubt};
use crate::diagnostic::{Rule, Sink};
use crate::ir::{Layer, LayerId};
use crate::lint::shapes::DYNAMIC_INPUT_FOR_DEVICE;
use crate::ops::Action;
use crate::ops::devices::Device;
use crate::types::{ElementType, Release, Targets, release};
use std::collections::HashMap;

pub(crate) static NPU_LLM_WEIGHTS: Rule = doubt(
    "npu-llm-weights",
    "weights are not compressed as documented for language models on the NPU",
    "Checked with `--for genai --device npu` only. The documentation of 2025.3 to 2026.3 says that language models must be \
     exported with weights of 4 bits (i4 or nf4) that are symmetric, without zero points, and have one scale for each channel or \
     for groups of 128; nf4 only for each channel. That of 2024.4 to 2024.6 prefers symmetric weights of type i4. `--target \
     RELEASE` chooses the page; for releases before 2024.4 there is none. The embedding and the MatMul that makes the logits may have \
     more bits. u4 from which one 8 is subtracted counts as i4. \
     In openvino issue 34450, \
     asymmetric weights in groups fail on the NPU, and those by channel work.\n\n\
     Export the model with `optimum-cli export openvino --weight-format int4 --sym --ratio 1.0 --group-size 128`, or \
     with a group size of -1 for whole channels.\n\n\
     Documented in `inference-with-genai-on-npu.rst` of OpenVINO 00d69bc5 (release 2026.3) and `genai-guide-npu.rst` of 2024.4 to \
     2024.6, read on 2026-11-23.",
);

pub(super) static RECIPE: Recipe = Recipe {
    name: "genai",
    device: Some(Device::Npu),
    summary: "a language model for openvino.genai on the NPU",
    date: "2026-11-23",
    reads_file: false,
    settles: &[&DYNAMIC_INPUT_FOR_DEVICE],
    rows: &[
        Row { rule: &GENAI_MODEL, source: "as above" },
        Row {
            rule: &GENAI_STATELESS,
            source: "as above; [llm_compiled_model.cpp](https://github.com/openvinotoolkit/openvino/pull/27651) of the NPU plugin calls it",
        },
        Row { rule: &GENAI_INPUT, source: "as above" },
        Row { rule: &GENAI_LOGITS, source: "as above" },
        Row { rule: &GENAI_STATE_NAME, source: "as above" },
        Row {
            rule: &NPU_LLM_WEIGHTS,
            source: "documented: [inference-with-genai-on-npu.rst](https://github.com/openvinotoolkit/openvino/blob/00d69bc522942112e7fa8293a860f9c55ec6cd0b/docs/articles_en/openvino-workflow-generative/inference-with-genai/inference-with-genai-on-npu.rst), release 2026.3",
        },
    ],
    check: |view, sink| language_model(view, sink, weights),
};

/// A page about language models on the NPU, in the words of some releases.
struct Page {
    /// The first release with these words.
    first: Release,
    /// The releases whose page was read.
    releases: &'static str,
    verb: &'static str,
    types: &'static [ElementType],
    /// The types, for messages.
    names: &'static str,
}

/// The pages, newest first.
const PAGES: [Page; 2] = [
    Page {
        first: release(2025, 3),
        releases: "2025.3 to 2026.3",
        verb: "asks for",
        types: &[ElementType::I4, ElementType::Nf4],
        names: "i4 or nf4",
    },
    Page {
        first: release(2024, 4),
        releases: "2024.4 to 2024.6",
        verb: "prefers",
        types: &[ElementType::I4],
        names: "i4",
    },
];

/// The documented group size.
const GROUP: i64 = 128;

/// The number that u4 stores for 0 in symmetric weights.
const MIDDLE: u8 = 8;

/// The maximum number of layers from a constant to the `MatMul` that takes it.
const STEPS: usize = 6;

/// A constant that is the weights of a `MatMul` or may be: one of 4 bits that is decompressed, or one of more bits.
struct Compressed<'a> {
    layer: &'a Layer,
    ty: ElementType,
    /// Set if zero points are subtracted.
    is_asymmetric: bool,
    /// Set for u4 with the middle as its only zero point, which is i4 by another name.
    is_shifted: bool,
    /// The number of elements per scale; `None` for one scale per channel.
    group: Option<i64>,
}

impl Compressed<'_> {
    fn scheme(&self) -> String {
        let zero = if self.is_asymmetric { ", with zero points" } else { "" };
        match self.group {
            _ if self.ty.bits() > 4 => self.ty.to_string(),
            Some(group) => format!("{} in groups of {group}{zero}", self.ty),
            None => format!("{} by channel{zero}", self.ty),
        }
    }

    /// Returns the alternative that a page documents, if this is another scheme.
    fn wanted(&self, page: &Page) -> Option<&'static str> {
        match self.group {
            _ if self.ty.bits() > 4 => Some("symmetric weights of 4 bits"),
            _ if self.is_asymmetric => Some("symmetric weights"),
            _ if !self.is_shifted && !page.types.contains(&self.ty) => Some(page.names),
            Some(_) if self.ty == ElementType::Nf4 => Some("nf4 by channel"),
            Some(group) if group != GROUP => Some("groups of 128, or whole channels"),
            _ => None,
        }
    }
}

/// Reports every undocumented scheme once, at its first weights.
fn weights(view: &View, sink: &mut Sink) {
    let target = view.model.targets().map(Targets::oldest);
    let Some(page) = PAGES.iter().find(|page| target.is_none_or(|target| page.first <= target)) else { return };
    let of = target.map(|_| format!(" of {}", page.releases)).unwrap_or_default();
    let last = last_product(view);
    let mut found: Vec<(Compressed, usize)> = Vec::new();
    let mut indices: HashMap<String, usize> = HashMap::new();
    let all = view
        .layers()
        .filter_map(|(index, layer)| compressed(view, index, layer).or_else(|| uncompressed(view, index, layer, last)));
    for weights in all.filter(|weights| weights.wanted(page).is_some()) {
        let slot = *indices.entry(weights.scheme()).or_insert(found.len());
        match found.get_mut(slot) {
            Some((_, count)) => *count += 1,
            None => found.push((weights, 1)),
        }
    }
    for (weights, count) in found {
        let (scheme, wanted) = (weights.scheme(), weights.wanted(page).unwrap_or_default());
        let message = format!("weights are {scheme}; the documentation{of} for the NPU {} {wanted}", page.verb);
        let finding = view.about(&NPU_LLM_WEIGHTS, weights.layer, weights.layer.tag, message);
        let what = if weights.ty.bits() > 4 { "constants are like this" } else { "constants are compressed like this" };
        sink.report(if count > 1 { finding.note(format!("{count} {what}")) } else { finding });
    }
}

/// Recognises a 4-bit constant that is decompressed: converted and scaled.
fn compressed<'a>(view: &View<'a>, index: LayerId, layer: &'a Layer) -> Option<Compressed<'a>> {
    let constant = view.graph().constant(layer).filter(|constant| constant.ty.bits() == 4)?;
    let wide = only_consumer(view, index).filter(|(_, layer)| view.has_action(layer, Action::Converts))?;
    let mut scaled = only_consumer(view, wide.0)?;
    if view.producer(scaled.1, 0)?.0 != wide.0 {
        return None; // Zero points and scales may have 4 bits as well.
    }
    let has_zero = view.has_action(scaled.1, Action::Subtracts);
    let is_shifted = has_zero && constant.ty == ElementType::U4 && is_middle(view, scaled.1);
    if has_zero {
        scaled = only_consumer(view, scaled.0)?;
    }
    if !view.has_action(scaled.1, Action::Multiplies) {
        return None;
    }
    // With groups, the weights have an additional axis for them, which a Reshape removes.
    let is_grouped = only_consumer(view, scaled.0).is_some_and(|(_, layer)| view.has_action(layer, Action::Reshapes));
    let group = constant.lengths.last().copied().filter(|_| is_grouped);
    Some(Compressed { layer, ty: constant.ty, is_asymmetric: has_zero && !is_shifted, is_shifted, group })
}

/// Whether a Subtract takes away the middle from all weights.
fn is_middle(view: &View, subtract: &Layer) -> bool {
    let mut from = view.producer(subtract, 1);
    if let Some((_, convert)) = from.filter(|(_, layer)| view.has_action(layer, Action::Converts)) {
        from = view.producer(convert, 0);
    }
    let constant = from.and_then(|(_, layer)| view.graph().constant(layer));
    let one = constant.filter(|constant| constant.elements() == Some(1) && [4, 8].contains(&constant.ty.bits()));
    let byte = one.and_then(|constant| view.model.weights().read(constant.offset, 1));
    byte.is_some_and(|byte| byte.first().is_some_and(|byte| byte & 0x0F == MIDDLE))
}

/// Recognises weights of more than 4 bits: a matrix that becomes an input of a `MatMul` other than the last one.
fn uncompressed<'a>(
    view: &View<'a>,
    index: LayerId,
    layer: &'a Layer,
    last: Option<LayerId>,
) -> Option<Compressed<'a>> {
    const PASSES: [Action; 5] =
        [Action::Converts, Action::Subtracts, Action::Multiplies, Action::Reshapes, Action::Permutes];
    let constant = view.graph().constant(layer).filter(|constant| constant.ty.bits() > 4)?;
    if constant.lengths.iter().filter(|length| **length > 1).count() < 2 {
        return None;
    }
    let mut at = index;
    for _ in 0..STEPS {
        let (next, taker) = only_consumer(view, at)?;
        if view.is(taker, "MatMul", &[]) {
            let (is_asymmetric, is_shifted, group) = (false, false, None);
            let weights = Compressed { layer, ty: constant.ty, is_asymmetric, is_shifted, group };
            return (Some(next) != last).then_some(weights);
        }
        let is_first = view.producer(taker, 0)?.0 == at;
        if !is_first || !PASSES.iter().any(|action| view.has_action(taker, *action)) {
            return None;
        }
        at = next;
    }
    None
}

/// The `MatMul` that makes the logits, whose weights may have more bits.
fn last_product(view: &View) -> Option<LayerId> {
    let mut at = view.outputs.iter().find(|port| port.is("logits"))?.layer;
    for _ in 0..STEPS {
        let (id, layer) = view.producer(at, 0)?;
        if view.is(layer, "MatMul", &[]) {
            return Some(id);
        }
        at = layer;
    }
    None
}

/// Returns the consumer of a layer, if it has exactly one.
fn only_consumer<'a>(view: &View<'a>, index: LayerId) -> Option<(LayerId, &'a Layer)> {
    let mut all = view.graph().dag.neighbors(index.node());
    let only = all.next().filter(|_| all.next().is_none())?;
    Some((LayerId::from(only), view.graph().layer(LayerId::from(only))?))
}
