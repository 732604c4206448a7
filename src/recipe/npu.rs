//! The recipe for openvino.genai on the NPU: the same language model, with 4-bit weights.

use super::genai::{GENAI_INPUT, GENAI_LOGITS, GENAI_MODEL, GENAI_STATE_NAME, GENAI_STATELESS, language_model};
use super::view::View;
use super::{Recipe, Row, doubt};
use crate::diagnostic::{Rule, Sink};
use crate::ir::{Layer, LayerId};
use crate::lint::shapes::DYNAMIC_INPUT_FOR_DEVICE;
use crate::ops::Action;
use crate::ops::devices::Device;
use crate::types::ElementType;
use std::collections::HashMap;

pub(crate) static NPU_LLM_WEIGHTS: Rule = doubt(
    "npu-llm-weights",
    "weights are not compressed as documented for language models on the NPU",
    "Checked with `--for genai --device npu` only. The documentation lists weights of 4 bits (i4 or nf4) that are symmetric, without \
     zero points, and have one scale for each channel or for groups of 128; nf4 only for each channel. Asymmetric \
     weights in groups are outside of that.\n\n\
     Export the model with `optimum-cli export openvino --weight-format int4 --sym --ratio 1.0 --group-size 128`, or \
     with a group size of -1 for whole channels.\n\n\
     Documented in `inference-with-genai-on-npu.rst` of OpenVINO 00d69bc5 (release 2026.3), read on 2026-11-23.",
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

/// The documented group size.
const GROUP: i64 = 128;

/// A 4-bit constant with its decompression.
struct Compressed<'a> {
    layer: &'a Layer,
    ty: ElementType,
    /// Set if zero points are subtracted.
    is_asymmetric: bool,
    /// The number of elements per scale; `None` for one scale per channel.
    group: Option<i64>,
}

impl Compressed<'_> {
    fn scheme(&self) -> String {
        let zero = if self.is_asymmetric { ", with zero points" } else { "" };
        match self.group {
            Some(group) => format!("{} in groups of {group}{zero}", self.ty),
            None => format!("{} by channel{zero}", self.ty),
        }
    }

    /// Returns the documented alternative, if this is another scheme.
    fn wanted(&self) -> Option<&'static str> {
        match self.group {
            _ if self.is_asymmetric => Some("symmetric weights"),
            _ if ![ElementType::I4, ElementType::Nf4].contains(&self.ty) => Some("i4 or nf4"),
            Some(_) if self.ty == ElementType::Nf4 => Some("nf4 by channel"),
            Some(group) if group != GROUP => Some("groups of 128, or whole channels"),
            _ => None,
        }
    }
}

/// Reports every undocumented scheme once, at its first weights.
fn weights(view: &View, sink: &mut Sink) {
    let mut found: Vec<(Compressed, usize)> = Vec::new();
    let mut indices: HashMap<String, usize> = HashMap::new();
    for weights in view.layers().filter_map(|(index, layer)| compressed(view, index, layer)) {
        if weights.wanted().is_none() {
            continue;
        }
        let slot = *indices.entry(weights.scheme()).or_insert(found.len());
        match found.get_mut(slot) {
            Some((_, count)) => *count += 1,
            None => found.push((weights, 1)),
        }
    }
    for (weights, count) in found {
        let (scheme, wanted) = (weights.scheme(), weights.wanted().unwrap_or_default());
        let message = format!("weights are {scheme}; the documentation for the NPU asks for {wanted}");
        let finding = view.about(&NPU_LLM_WEIGHTS, weights.layer, weights.layer.tag, message);
        sink.report(if count > 1 {
            finding.note(format!("{count} constants are compressed like this"))
        } else {
            finding
        });
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
    let is_asymmetric = view.is(scaled.1, "Subtract", &[]);
    if is_asymmetric {
        scaled = only_consumer(view, scaled.0)?;
    }
    if !view.is(scaled.1, "Multiply", &[]) {
        return None;
    }
    // With groups, the weights have an additional axis for them, which a Reshape removes.
    let is_grouped = only_consumer(view, scaled.0).is_some_and(|(_, layer)| view.has_action(layer, Action::Reshapes));
    let group = constant.lengths.last().copied().filter(|_| is_grouped);
    Some(Compressed { layer, ty: constant.ty, is_asymmetric, group })
}

/// Returns the consumer of a layer, if it has exactly one.
fn only_consumer<'a>(view: &View<'a>, index: LayerId) -> Option<(LayerId, &'a Layer)> {
    let mut all = view.graph().dag.neighbors(index.node());
    let only = all.next().filter(|_| all.next().is_none())?;
    Some((LayerId::from(only), view.graph().layer(LayerId::from(only))?))
}
