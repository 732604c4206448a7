//! Why a tensor has its type and shape: which lengths, elements and attributes every dimension depends on, back to the
//! inputs and the bytes of constants.
//!
//! No operation says so itself. A layer is inferred again with one factor at a time unknown; what changes the answer is
//! what it depends on. Where nothing does alone, as with inputs that agree, what alone suffices is.

mod basis;
mod bisect;
mod follow;
mod pins;
mod probe;

pub(crate) use pins::pins;

use crate::analysis::Model;
use crate::diagnostic::WeightsRange;
use crate::domain::Names;
use crate::query::inspect::{Input, inputs};
use crate::query::names::{Place, Tensor};
use crate::query::stops::{Stop, Stops, stop_at};
use crate::types::Fact;
use follow::Follower;
pub use follow::{SingleStep, SingleSteps, Source};
use std::fmt;

/// Elements of a value that are shown.
const VALUES: usize = 16;

/// What one answer is said to depend on, at the most.
const SHOWN: usize = 16;

/// What is asked of a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// The length of a dimension.
    Dim(usize),
    /// An element, by its place in row-major order.
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

/// How an aspect of a tensor comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// An attribute of a Parameter says so.
    Parameter,
    /// An attribute or the bytes of a constant say so.
    Constant,
    /// It follows from all of `from` and the attributes.
    Computed,
    /// Every one of `from` says so alone.
    Agreed,
    /// It follows from bodies; `from` is in them.
    Body,
    /// It is always so for the operation.
    Fixed,
    /// It depends on elements that are known only at run time.
    Data,
    /// A user states it of an operation that has no model here.
    Stated,
    /// The file declares it, and nothing else is known.
    Assumed,
    /// Nothing says so: no port declares it, or what it declares holds for other input shapes.
    Unknown,
    /// It is explained where it occurs first.
    Above,
    /// It was not followed further.
    Deeper,
}

impl How {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parameter => "parameter",
            Self::Constant => "constant",
            Self::Computed => "computed",
            Self::Agreed => "agreed",
            Self::Body => "body",
            Self::Fixed => "fixed",
            Self::Data => "data",
            Self::Stated => "stated",
            Self::Assumed => "assumed",
            Self::Unknown => "unknown",
            Self::Above => "above",
            Self::Deeper => "deeper",
        }
    }
}

/// One aspect of one tensor, and what it depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// The tensor: `layer`, `layer:output` where the layer has several, `loop/body/layer` in bodies.
    pub tensor: String,
    /// What is asked of it.
    pub aspect: Aspect,
    /// The answer, in the notation of facts.
    pub value: String,
    /// What a dimension equals that is not exact: `past + seq`.
    pub symbolic: Option<String>,
    /// The type of the layer.
    pub ty: String,
    /// The line of the layer, counted from 1; of its `<data>` for constants and Parameters.
    pub line: u32,
    /// The layers between the one that asked and this one, which pass the answer on as it is; nearest to the asker first.
    pub through: Vec<String>,
    /// How it comes about.
    pub how: How,
    /// The attributes of the layer that matter, as texts.
    pub attributes: Vec<(String, String)>,
    /// The calculation that gives it: `1 + 256 = 257`.
    pub arithmetic: Option<String>,
    /// Where a user states it: a file and a line.
    pub stated: Option<String>,
    /// The bytes of an element in the weights file.
    pub weights: Option<WeightsRange>,
    /// What it depends on.
    pub from: Vec<Reason>,
}

/// Why a tensor has its type and shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// The tensor.
    pub tensor: String,
    /// The type of its layer.
    pub ty: String,
    /// The line of its layer, counted from 1.
    pub line: u32,
    /// What is known of it.
    pub fact: Fact,
    /// The dimension that was asked for alone.
    pub only: Option<usize>,
    /// One reason per dimension, or one for an unknown rank; then one for the element type.
    pub reasons: Vec<Reason>,
    /// What is wrong with its layer, and what that takes.
    pub failure: Option<Failure>,
    /// What keeps it from being inferred.
    pub stops: Stops,
    /// Whether not everything was followed, because there was too much of it or it lies too deep.
    pub is_cut: bool,
}

impl Why {
    /// The same with dimensions expressed by those of the inputs, where one is not exact.
    #[must_use]
    pub fn expressed(mut self, model: &Model) -> Self {
        if !self.reasons.iter().any(Reason::is_open) {
            return self;
        }
        let Ok(symbolic) = model.symbolic() else { return self };
        if let Some(names) = symbolic.names() {
            self.reasons.iter_mut().for_each(|reason| reason.express(&symbolic, &names));
        }
        self
    }
}

impl Reason {
    fn is_open(&self) -> bool {
        matches!(self.aspect, Aspect::Dim(_)) && self.value.parse::<i64>().is_err()
            || self.from.iter().any(Self::is_open)
    }

    fn express(&mut self, symbolic: &Model, names: &Names) {
        self.from.iter_mut().for_each(|reason| reason.express(symbolic, names));
        let (Aspect::Dim(axis), Ok(tensor)) = (self.aspect, Tensor::find(symbolic, &self.tensor)) else { return };
        // Bodies may run again and again, with other lengths.
        if let Some(fact) =
            symbolic.facts().filter(|_| tensor.path.is_empty()).and_then(|all| all.output(tensor.output))
        {
            self.symbolic = names.open_dim(fact.shape.dim(axis));
        }
    }
}

/// What is wrong with a layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The layer and what is wrong with it.
    pub stop: Stop,
    /// What it takes.
    pub inputs: Vec<Input>,
    /// The lengths and elements without each of which nothing would be wrong, from the constants and inputs they come.
    pub pins: Vec<Reason>,
}

/// Why the tensor has its type and shape, followed over up to `depth` steps that change something.
///
/// `None` if the model was not read, or nothing is known of the tensor.
pub fn why(model: &Model, tensor: &Tensor, depth: usize) -> Option<Why> {
    explained(model, tensor, None, depth)
}

/// The same of one dimension.
pub fn why_dim(model: &Model, tensor: &Tensor, axis: usize, depth: usize) -> Option<Why> {
    explained(model, tensor, Some(axis), depth)
}

fn explained(model: &Model, tensor: &Tensor, only: Option<usize>, depth: usize) -> Option<Why> {
    let (net, facts) = (model.net()?, model.facts()?);
    let mut why = Follower::new(model, depth).why(&net.graph, facts, tensor, only)?;
    let place = Place::of(model, &tensor.path, tensor.output.layer)?;
    if let Some(stop) = stop_at(model, &place) {
        let inputs = inputs(model, &place, VALUES);
        let pins = pins(model, place.graph, place.facts, place.layer, tensor);
        why.failure = Some(Failure { stop, inputs, pins });
    } else if why.fact.assumed {
        why.stops = Stops::of(model).behind(&place);
    }
    Some(why)
}
