//! The provenance of a tensor's shape, as JSON.

use crate::query::inspect::Input;
use crate::query::stops::Stops;
use crate::query::why::{Aspect, Reason, Why};
use crate::text::path_text;
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Document<'a> {
    schema_version: &'static str,
    path: String,
    tensor: &'a str,
    layer: Layer<'a>,
    #[serde(rename = "type")]
    ty: &'static str,
    shape: String,
    assumed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failed<'a>>,
    #[serde(skip_serializing_if = "Stops::is_empty")]
    stops: &'a Stops,
    reasons: Vec<Record<'a>>,
    complete: bool,
}

/// The reason why the layer cannot be inferred.
#[derive(Serialize)]
struct Failed<'a> {
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    inputs: &'a [Input],
    /// The inputs whose change could make the layer fit.
    pins: Vec<Record<'a>>,
}

#[derive(Serialize)]
struct Layer<'a> {
    #[serde(rename = "type")]
    ty: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct Record<'a> {
    tensor: &'a str,
    aspect: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    value: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbolic: Option<&'a str>,
    how: &'static str,
    layer: Layer<'a>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    through: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attributes: Vec<Attribute<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arithmetic: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stated: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Bytes>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    from: Vec<Record<'a>>,
}

#[derive(Serialize)]
struct Attribute<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct Bytes {
    offset: u64,
    size: u64,
}

/// Returns the answer as one line of JSON.
pub fn json(why: &Why, model: &Path) -> serde_json::Result<String> {
    crate::report::findings::json::text(&Document {
        schema_version: crate::report::findings::json::SCHEMA_VERSION,
        path: path_text(model),
        tensor: &why.tensor,
        layer: Layer { ty: &why.ty, line: why.line },
        ty: why.fact.ty.name(),
        shape: why.fact.shape.to_string(),
        assumed: why.fact.assumed,
        failure: why.failure.as_ref().map(|failure| Failed {
            reason: failure.stop.reason.shown(),
            rule: failure.stop.rule,
            inputs: &failure.inputs,
            pins: failure.pins.iter().map(record).collect(),
        }),
        stops: &why.stops,
        reasons: why.reasons.iter().map(record).collect(),
        complete: !why.is_cut,
    })
}

fn record(reason: &Reason) -> Record<'_> {
    let (aspect, index) = match reason.aspect {
        Aspect::Dim(axis) => ("dim", Some(axis)),
        Aspect::Element(index) => ("element", Some(index)),
        Aspect::Rank => ("rank", None),
        Aspect::Type => ("type", None),
    };
    let range = reason.weights.as_ref();
    Record {
        tensor: &reason.tensor,
        aspect,
        index,
        value: &reason.value,
        symbolic: reason.symbolic.as_deref(),
        how: reason.how.name(),
        layer: Layer { ty: &reason.ty, line: reason.line },
        through: &reason.through,
        attributes: reason.attributes.iter().map(|(name, value)| Attribute { name, value }).collect(),
        arithmetic: reason.arithmetic.as_deref(),
        stated: reason.stated.as_deref(),
        weights: range.map(|range| Bytes { offset: range.offset, size: range.size }),
        from: reason.from.iter().map(record).collect(),
    }
}
