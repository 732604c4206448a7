//! The provenance of a tensor's type and shape: the dimensions, elements and attributes that each dimension depends on,
//! back to the inputs and the bytes of constants.
//!
//! No operation states its dependencies. They are found by experiment: a layer is inferred again with one factor (a dimension,
//! an element, the rank or the type of an input) unknown, and the answer depends on the factor if it changes. The output of
//! `Concat([2], [3])` becomes unknown without either length, so it depends on both. Where inputs agree, as in
//! `Add([8], [8])`, the answer survives the loss of either factor. Then the answer is explained by every factor that suffices
//! alone.

mod basis;
mod bisect;
mod follow;
mod pins;
mod probe;

pub(crate) use pins::pins;

use crate::analysis::Model;
use crate::diagnostic::{Text, WeightsRange};
use crate::domain::{self, Names};
use crate::query::inspect::{Input, inputs, read_attributes};
use crate::query::names::{Place, Tensor};
use crate::query::stops::{Stop, Stops, stop_at};
use crate::text::words;
use crate::types::{Dim, Fact};
use follow::Follower;
pub use follow::{SingleStep, SingleSteps, Source};
use serde::{Serialize, Serializer};
use std::fmt;

/// Maximum number of elements to show per value.
const VALUES: usize = 16;

/// Maximum number of sources per answer.
const SHOWN: usize = 16;

/// A property of a tensor that can be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "aspect", content = "index", rename_all = "lowercase")]
pub enum Aspect {
    /// The size of a dimension.
    Dim(usize),
    /// An element, by its index in row-major order.
    Element(usize),
    /// The number of dimensions.
    Rank,
    /// The element type.
    Type,
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dim(axis) => write!(f, "dim {axis}"),
            Self::Element(index) => write!(f, "[{index}]"),
            Self::Rank => f.write_str("rank"),
            Self::Type => f.write_str("type"),
        }
    }
}

words! {
    /// The origin of an aspect of a tensor, as JSON names it.
    pub enum How {
        /// An attribute of a Parameter.
        Parameter = "parameter",
        /// An attribute or the bytes of a constant.
        Constant = "constant",
        /// A computation from all reasons in `from` and the attributes.
        Computed = "computed",
        /// Several sources that agree: each reason in `from` alone determines the aspect.
        Agreed = "agreed",
        /// The bodies of the layer; the reasons in `from` lie there.
        Body = "body",
        /// The operation itself: the aspect is the same for every layer of this type.
        Fixed = "fixed",
        /// Elements that are known only at run time.
        Data = "data",
        /// The configuration, for an operation that ovlint does not model.
        Stated = "stated",
        /// The declaration in the file, as inference gives nothing.
        Assumed = "declared",
        /// No origin: no port declares it, or the declaration is for other input shapes.
        Unknown = "unknown",
        /// An origin that is explained where it first occurs.
        Above = "above",
        /// An origin beyond the maximum depth or number of reasons.
        Deeper = "deeper",
    }
}

/// The explanation of one aspect of a tensor: its origin and the reasons that it depends on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// The tensor: `layer`, `layer:output` where the layer has several, `loop/body/layer` in bodies.
    pub tensor: String,
    /// The explained aspect.
    #[serde(flatten)]
    pub aspect: Aspect,
    /// The answer, in the notation of facts.
    pub value: String,
    /// The expression of a dynamic dimension: `past + seq`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<String>,
    /// The origin of the answer.
    pub how: How,
    /// The layer; for constants and Parameters, with the line of its `<data>`.
    pub layer: Producer,
    /// The layers between the consumer and this one that pass the answer on unchanged, nearest to the consumer first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
    /// The relevant attributes of the layer, as texts.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "with_names")]
    pub attributes: Vec<(String, String)>,
    /// The formula that gives the answer: `1 + 256 = 257`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arithmetic: Option<String>,
    /// The file and line of the configuration that states the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated: Option<String>,
    /// The bytes of an element in the weights file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<WeightsRange>,
    /// The reasons that the answer depends on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<Reason>,
}

/// The layer that produces a tensor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Producer {
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its line, counted from 1.
    pub line: u32,
}

fn with_names<S: Serializer>(attributes: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Attribute<'a> {
        name: &'a str,
        value: &'a str,
    }
    serializer.collect_seq(attributes.iter().map(|(name, value)| Attribute { name, value }))
}

/// The explanation of a tensor's type and shape.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Why {
    /// The tensor.
    pub tensor: String,
    /// Its layer.
    pub layer: Producer,
    /// Its inferred fact.
    #[serde(flatten)]
    pub fact: Fact,
    /// The dimensions of inputs and states that its dimensions are expressed by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) symbols: Vec<domain::Input>,
    /// The only dimension to explain, if one was requested.
    #[serde(skip)]
    pub only: Option<usize>,
    /// The fault of its layer, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The layers and constants that prevent its inference.
    #[serde(skip_serializing_if = "Stops::is_empty")]
    pub stops: Stops,
    /// One reason per dimension, or one for an unknown rank; then one for the element type.
    pub reasons: Vec<Reason>,
    /// Set unless a limit of depth, reasons or work cut the explanation short.
    #[serde(rename = "complete")]
    pub is_complete: bool,
}

impl Why {
    /// Adds expressions in terms of input dimensions to dynamic dimensions.
    #[must_use]
    pub fn expressed(mut self, model: &Model) -> Self {
        if !self.reasons.iter().any(Reason::is_open) {
            return self;
        }
        let Ok(symbolic) = model.symbolic() else { return self };
        if let Some(names) = symbolic.names() {
            let dims = self.reasons.iter_mut().filter_map(|reason| reason.express(&symbolic, &names));
            self.symbols = names.inputs_of(&dims.collect::<Vec<_>>());
        }
        self
    }
}

impl Reason {
    fn is_open(&self) -> bool {
        matches!(self.aspect, Aspect::Dim(_)) && self.value.parse::<i64>().is_err()
            || self.from.iter().any(Self::is_open)
    }

    /// Adds expressions; returns the dimension with symbols, if it is dynamic.
    fn express(&mut self, symbolic: &Model, names: &Names) -> Option<Dim> {
        for reason in &mut self.from {
            reason.express(symbolic, names);
        }
        let (Aspect::Dim(axis), Ok(tensor)) = (self.aspect, Tensor::find(symbolic, &self.tensor)) else { return None };
        // A body may run several times, with other dimensions each time, so no single expression is right.
        let facts = symbolic.facts().filter(|_| tensor.path.is_empty())?;
        let dim = facts.output(tensor.output)?.shape.dim(axis);
        self.symbolic = names.open_dim(dim).map(|text| text.to_string());
        self.symbolic.is_some().then_some(dim)
    }
}

/// The fault of a layer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Failure {
    /// The reason, in the words of `ovlint check`.
    pub reason: Text,
    /// The rule that the layer breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// Set if its outputs are taken from the declared ports; otherwise they are inferred despite the error.
    #[serde(skip)]
    pub is_assumed: bool,
    /// The attributes in the file that its operation reads, as texts.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "with_names")]
    pub attributes: Vec<(String, String)>,
    /// Its inputs.
    pub inputs: Vec<Input>,
    /// The dimensions and elements each of which is necessary for the fault, with their origins.
    pub pins: Vec<Reason>,
}

/// Explains the type and shape of a tensor. `depth` limits the layers on a path, not counting those that pass values on.
///
/// `None` if the model was not read, or inference has no fact of the tensor.
pub fn why(model: &Model, tensor: &Tensor, depth: usize) -> Option<Why> {
    explained(model, tensor, None, depth)
}

/// Explains one dimension of a tensor.
pub fn why_dim(model: &Model, tensor: &Tensor, axis: usize, depth: usize) -> Option<Why> {
    explained(model, tensor, Some(axis), depth)
}

fn explained(model: &Model, tensor: &Tensor, only: Option<usize>, depth: usize) -> Option<Why> {
    let (net, facts) = (model.net()?, model.facts()?);
    let mut why = Follower::new(model, depth).why(&net.graph, facts, tensor, only)?;
    let place = Place::of(model, &tensor.path, tensor.output.layer)?;
    if let Some(Stop { reason, rule, is_assumed, .. }) = stop_at(model, &place) {
        let inputs = inputs(model, &place, VALUES);
        let pins = pins(model, place.graph, place.facts, place.layer, tensor);
        let attributes = read_attributes(model, &place);
        why.failure = Some(Failure { reason, rule, is_assumed, attributes, inputs, pins });
    } else if why.fact.assumed {
        why.stops = Stops::of(model).behind(&place);
    }
    Some(why)
}
