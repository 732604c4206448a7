//! The specifications of operations as data, for `ovlint explain OPERATION` and `ovlint generate operations`.

mod text;

pub use text::text;

use crate::ops::devices::{Device, Lack};
use crate::ops::{Attr, CATEGORIES, Input, Kind, Meaning, Missing, OpSpec, Outputs};
use crate::types::{ElementType, Release, TypeSet};
use serde::Serialize;

/// Operations as data.
#[derive(Serialize)]
pub struct Operations {
    operations: Vec<Operation>,
}

impl Operations {
    /// Returns every revision of every operation.
    pub fn all() -> Self {
        let by_category = CATEGORIES.iter().flat_map(|category| category.operations.iter().copied());
        Self { operations: by_category.map(operation).collect() }
    }

    /// Returns these revisions.
    pub fn of(revisions: &[&'static OpSpec]) -> Self {
        Self { operations: revisions.iter().copied().map(operation).collect() }
    }
}

/// One revision of an operation.
#[derive(Serialize)]
struct Operation {
    name: &'static str,
    opset: u8,
    last_opset: u8,
    since: Option<String>,
    category: &'static str,
    summary: &'static str,
    inputs: Vec<Port>,
    attributes: Vec<Attribute>,
    outputs: Produced,
    not_on: Vec<NotOn>,
    url: String,
}

#[derive(Serialize)]
struct Port {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    types: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    ranks: &'static [usize],
    optional: bool,
    variadic: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    decides: Option<&'static str>,
}

#[derive(Serialize)]
struct Attribute {
    name: &'static str,
    #[serde(flatten)]
    accepted: Accepted,
    without: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<&'static str>,
}

/// The texts that an attribute may have.
#[derive(Serialize)]
struct Accepted {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<i64>,
    #[serde(skip_serializing_if = "<[&str]>::is_empty")]
    values: &'static [&'static str],
}

#[derive(Serialize)]
struct Produced {
    decided_by: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attribute: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<&'static str>,
}

/// A device that does not run an operation.
#[derive(Serialize)]
struct NotOn {
    device: String,
    /// The last release that was measured without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    /// The types for which OpenVINO replaces it by an operation that the device has.
    #[serde(skip_serializing_if = "<[&str]>::is_empty")]
    except: &'static [&'static str],
}

fn operation(spec: &'static OpSpec) -> Operation {
    Operation {
        name: spec.name,
        opset: spec.opset,
        last_opset: spec.last(),
        since: Release::of_operation(spec.name, spec.opset, spec.opset).map(|first| first.to_string()),
        category: spec.category(),
        summary: spec.summary(),
        inputs: spec.inputs.iter().map(port).collect(),
        attributes: spec.attrs.iter().map(attribute).collect(),
        outputs: outputs(spec),
        not_on: not_on(spec),
        url: spec.page(),
    }
}

fn port(input: &'static Input) -> Port {
    let names = || input.types.iter().filter(|ty| *ty != ElementType::Dynamic).map(ElementType::name).collect();
    Port {
        name: input.name,
        types: (input.types != TypeSet::ANY).then(names),
        ranks: input.ranks,
        optional: input.optional,
        variadic: input.variadic,
        decides: input.reads_value.then_some("shape"),
    }
}

fn attribute(attr: &'static Attr) -> Attribute {
    let without = match attr.missing {
        Missing::Default(_) => "default",
        Missing::Refused => "refused",
        Missing::Accepted { .. } => "accepted",
        Missing::NotCompiled(_) => "not compiled",
    };
    Attribute { name: attr.name, accepted: accepted(attr.kind), without, default: attr.missing.text() }
}

fn accepted(kind: Kind) -> Accepted {
    let above = |min| Some(min).filter(|min| *min != i64::MIN);
    let below = |max| Some(max).filter(|max| *max != i64::MAX);
    let (kind, min, max, values): (_, _, _, &[_]) = match kind {
        Kind::Int(min, max) => ("int", above(min), below(max), &[]),
        Kind::Int32(min) => ("int", above(min.into()).filter(|_| min != i32::MIN), None, &[]),
        Kind::Float => ("float", None, None, &[]),
        Kind::Flag => ("bool", None, None, &[]),
        Kind::Text => ("text", None, None, &[]),
        Kind::Choice(words) => ("choice", None, None, words),
        Kind::Word(words) => ("word", None, None, words),
        Kind::Ints(min, max) => ("ints", above(min), below(max), &[]),
        Kind::Unsigned => ("ints", Some(0), None, &[]),
        Kind::Floats => ("floats", None, None, &[]),
        Kind::Texts => ("texts", None, None, &[]),
        Kind::Type => ("type", None, None, &[]),
        Kind::Shape => ("shape", None, None, &[]),
    };
    Accepted { kind, min, max, values }
}

fn outputs(spec: &OpSpec) -> Produced {
    let (decided_by, count, attribute) = match spec.outputs {
        Outputs::Exactly(count) => ("operation", Some(count), None),
        Outputs::FromAttr(name) => ("attribute", None, Some(name)),
        Outputs::Inferred => ("inference", None, None),
        Outputs::FromBodies(_) => ("bodies", None, None),
    };
    Produced { decided_by, count, attribute, names: spec.output_names().collect() }
}

fn not_on(spec: &'static OpSpec) -> Vec<NotOn> {
    let oldest = Release::all().next();
    let lacks = |device: Device, ty| device.lacks(&Meaning::Modelled(spec), oldest, ty);
    let devices = [Device::Gpu, Device::Npu].into_iter().filter_map(|device| {
        let until = match lacks(device, None)? {
            Lack::Measured(release) => Some(release.to_string()),
            Lack::NotImported | Lack::Library(_) => None,
        };
        let runs_booleans = lacks(device, Some(ElementType::Boolean)).is_none();
        Some(NotOn { device: device.to_string(), until, except: if runs_booleans { &["boolean"] } else { &[] } })
    });
    devices.collect()
}
