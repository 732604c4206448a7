//! The recipe for openvino.genai: a language model that keeps its past (the KV cache) in variables.

mod attention;
mod names;
mod paged_attention;
mod stateless;

pub(crate) use attention::is as is_attention;
pub(crate) use names::{GENAI_INPUT, GENAI_LOGITS, GENAI_MODEL, GENAI_STATE_NAME};
pub(crate) use paged_attention::GENAI_PAGED_ATTENTION;
pub(crate) use stateless::GENAI_STATELESS;

use super::view::View;
use super::{Recipe, Row};
use crate::diagnostic::Sink;

pub(super) static RECIPE: Recipe = Recipe {
    name: "genai",
    device: None,
    summary: "a language model for openvino.genai on CPU or GPU",
    date: "2026-11-23",
    reads_file: false,
    settles: &[],
    rows: &[
        Row { rule: &GENAI_MODEL, source: "measured: both of the following" },
        Row {
            rule: &GENAI_STATELESS,
            source: "measured: `stateful_to_stateless_transformation` of `openvino._offline_transformations`, 2026.4.1",
        },
        Row {
            rule: &GENAI_PAGED_ATTENTION,
            source: "measured: `paged_attention_transformation` of `openvino._offline_transformations`, 2026.4.1",
        },
        Row {
            rule: &GENAI_INPUT,
            source: "[pipeline_stateful.cpp](https://github.com/openvinotoolkit/openvino.genai/blob/da1db864d2bc1a265e9a036f5b57ef13f0e86c2c/src/cpp/src/llm/pipeline_stateful.cpp#L413), [lm_encoding.cpp](https://github.com/openvinotoolkit/openvino.genai/blob/da1db864d2bc1a265e9a036f5b57ef13f0e86c2c/src/cpp/src/lm_encoding.cpp#L157) and [utils.cpp](https://github.com/openvinotoolkit/openvino.genai/blob/da1db864d2bc1a265e9a036f5b57ef13f0e86c2c/src/cpp/src/utils.cpp#L163), 2026-08-21",
        },
        Row {
            rule: &GENAI_LOGITS,
            source: "[lm_encoding.cpp](https://github.com/openvinotoolkit/openvino.genai/blob/da1db864d2bc1a265e9a036f5b57ef13f0e86c2c/src/cpp/src/lm_encoding.cpp#L187), 2026-08-21",
        },
        Row {
            rule: &GENAI_STATE_NAME,
            source: "measured: the names of the inputs that `stateful_to_stateless_transformation` makes, 2026.4.1",
        },
    ],
    check: |view, sink| language_model(view, sink, paged_attention::check),
};

/// Checks the requirements of all devices, then those of the device with `more`.
pub(super) fn language_model(view: &View, sink: &mut Sink, more: fn(&View, &mut Sink)) {
    if !names::is_language_model(view, sink) {
        return;
    }
    stateless::check(view, sink);
    names::inputs(view, sink);
    names::logits(view, sink);
    names::states(view, sink);
    more(view, sink);
}
