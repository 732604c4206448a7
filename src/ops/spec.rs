//! Specifications of operations as static data: names, inputs, attributes and pure functions.

mod attr;
mod dated;
mod eval;
mod macs;
mod reading;

pub use attr::{Attr, Checked, Dated, Kind, Missing};
pub use dated::{LateCheck, Recent};
pub use eval::{Bounding, Eval, Mover, NOWHERE, ZERO};
pub use macs::Macs;
pub(super) use macs::{filtered, recurrent};
pub use reading::{Reading, Untyped};

use super::context::InferCtx;
use super::fault::Fault;
use super::rules::SHAPE_CONFLICT;
use crate::diagnostic::Rule;
use crate::types::{ElementType, Fact, PartialShape, Release, TypeSet, Value};

/// The outputs of an operation, or its fault.
pub type Inferred = Result<Vec<Fact>, Fault>;

/// An output of this type and of unknown rank.
pub(super) fn unranked(ty: ElementType) -> Inferred {
    Ok(vec![Fact::new(ty, PartialShape::UNKNOWN)])
}

/// One revision of an operation.
#[derive(Debug, Clone, Copy)]
pub struct OpSpec {
    /// The type as layers write it: `ReLU`, `Split`. OpenVINO ignores the case.
    pub name: &'static str,
    /// The opset that introduced this revision.
    pub opset: u8,
    /// The inputs, in order; at most the last one is variadic.
    pub inputs: &'static [Input],
    /// The attributes that OpenVINO reads.
    pub attrs: &'static [Attr],
    /// The number of outputs.
    pub outputs: Outputs,
    /// The action of the operation, if other modules treat it specially.
    pub action: Action,
    /// Infers type and shape of every output.
    pub infer: fn(&InferCtx) -> Inferred,
    /// Evaluates the elements of the outputs.
    pub eval: Eval,
    /// The number of multiply-accumulate operations.
    pub macs: Macs,
    /// The rule for lengths that violate a demand; `None` if `infer` does not record all of its demands.
    pub demands: Option<&'static Rule>,
    /// Whether OpenVINO, when it folds the operation, reads both inputs in the type of the first.
    pub reads_as_one: bool,
    /// The rule whose checks OpenVINO makes only once it knows all dimensions; those of the input, if it is about a rank.
    pub defers: Option<&'static Rule>,
    /// The rules that OpenVINO checks only once it knows the ranks of all inputs. `INPUT_RANK` waits only for that of the
    /// first.
    pub waits: &'static [&'static Rule],
    /// The uses of it that only later releases read.
    pub recent: &'static [Recent],
    /// Checks of its inputs that earlier releases do not make.
    pub late_check: Option<LateCheck>,
    /// Whether OpenVINO reads it in a file without weights if its constant has no elements.
    pub needs_no_bytes: bool,
}

impl OpSpec {
    /// A revision without inputs and attributes, with one output and without evaluation.
    pub const fn new(name: &'static str, opset: u8, infer: fn(&InferCtx) -> Inferred) -> Self {
        Self {
            name,
            opset,
            inputs: &[],
            attrs: &[],
            outputs: Outputs::Exactly(1),
            action: Action::Other,
            infer,
            eval: Eval::None,
            macs: Macs::None,
            demands: Some(&SHAPE_CONFLICT),
            reads_as_one: false,
            defers: None,
            waits: &[],
            recent: &[],
            late_check: None,
            needs_no_bytes: false,
        }
    }

    /// The specification of input `i`.
    pub fn input(&self, i: usize) -> Option<&'static Input> {
        self.inputs.get(i).or_else(|| self.inputs.last().filter(|input| input.variadic))
    }

    /// Whether everything about input `i` that decides output shapes is known.
    pub(crate) fn is_known(&self, i: usize, fact: &Fact) -> bool {
        let is_read = self.input(i).is_some_and(|input| input.reads_value);
        fact.shape.is_static() && !fact.assumed && (!is_read || fact.value.as_deref().is_some_and(Value::is_exact))
    }

    /// Whether `infer` records all demands on input `i` if this is its fact.
    pub(crate) fn follows(&self, i: usize, fact: &Fact) -> bool {
        let is_read = self.input(i).is_some_and(|input| input.reads_value && !input.is_followed);
        let is_known = fact.value.as_deref().map_or(!is_read, Value::is_exact);
        self.demands.is_some() && fact.rank().is_some() && (is_known || !is_read)
    }

    /// The kind of operation with bodies, if it has any.
    pub fn with_bodies(&self) -> Option<WithBodies> {
        match self.outputs {
            Outputs::FromBodies(what) => Some(what),
            _ => None,
        }
    }
}

/// The number of outputs of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outputs {
    /// A fixed number.
    Exactly(usize),
    /// The value of this attribute.
    FromAttr(&'static str),
    /// The number that `infer` returns.
    Inferred,
    /// The number that the bodies of the layer give; the inference pass infers the bodies and thereby the outputs.
    FromBodies(WithBodies),
}

/// The kinds of operations with bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithBodies {
    /// Runs one of two bodies, depending on a condition.
    If,
    /// Runs a body repeatedly.
    Loop,
    /// Runs a body for every slice of its inputs.
    TensorIterator,
}

/// The action of an operation, as far as other modules depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Nothing that other modules depend on.
    Other,
    /// Splits its data into parts; a no-op for one part.
    Splits,
    /// Takes a slice of its data.
    Slices,
    /// Concatenates its inputs; a no-op for one input.
    Joins,
    /// Picks elements of its data by index.
    Gathers,
    /// Changes the shape and keeps the elements; a no-op for the same shape.
    Reshapes,
    /// Repeats elements; a no-op for the same shape.
    Repeats,
    /// Permutes the axes by input 1; a no-op for the identity.
    Permutes,
    /// Converts elements to another type; a no-op for the same type.
    Converts,
    /// Multiplies its inputs elementwise.
    Multiplies,
    /// Divides its inputs elementwise.
    Divides,
    /// Subtracts its inputs elementwise.
    Subtracts,
    /// Quantizes numbers to levels.
    Quantizes,
    /// Selects elements of its data or replaces them by a bound, so that numbers of few levels stay so.
    Selects,
    /// Computes attention over keys (input 1) and values (input 2).
    Attends,
    /// Resizes its data along axes.
    Resizes,
    /// Turns its data into probabilities.
    Scores,
    /// Finds objects, or selects among boxes.
    Detects,
    /// Reads a variable.
    Reads,
    /// Writes a variable.
    Writes,
}

/// One input of an operation.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent claims, each with a constructor of its own")]
#[must_use]
pub struct Input {
    /// The name in the operation's specification.
    pub name: &'static str,
    /// The accepted element types; `dynamic` is always accepted.
    pub types: TypeSet,
    /// The first release that rejects strings, if strings are not accepted and it is not the first that has them.
    pub rejects_strings: Option<Release>,
    /// The accepted ranks; empty for all.
    pub ranks: &'static [usize],
    /// Whether a layer may omit it.
    pub optional: bool,
    /// Whether OpenVINO may read a layer of IR version 11 in which its port has no edge.
    pub skippable: bool,
    /// Whether any number of further inputs like this may follow.
    pub variadic: bool,
    /// Whether its value, not only its shape, decides the output shapes.
    pub reads_value: bool,
    /// The condition under which OpenVINO reads a constant there during shape inference. It cannot read all types.
    pub reading: Reading,
    /// The condition under which OpenVINO reads a constant of type dynamic.
    pub untyped: Untyped,
    /// Whether `infer` also records its demands on the elements, not only on the lengths.
    pub is_followed: bool,
    /// Whether OpenVINO uses its bounds as lengths, and rejects those that may be negative.
    pub is_length: bool,
    /// Whether it holds indices, so that a wrong element type is `index-type` instead of `input-type`.
    pub is_index: bool,
    /// Whether OpenVINO rejects an unknown element type.
    pub needs_type: bool,
    /// Whether OpenVINO reads some layers in which this input, the first one, has rank 1, although `ranks` excludes it.
    pub passes_rank_1: bool,
}

impl Input {
    /// An input of any type.
    pub const fn any(name: &'static str) -> Self {
        Self {
            name,
            types: TypeSet::ANY,
            rejects_strings: None,
            ranks: &[],
            optional: false,
            skippable: false,
            variadic: false,
            reads_value: false,
            reading: Reading::Never,
            untyped: Untyped::Read,
            is_followed: false,
            is_length: false,
            is_index: false,
            needs_type: false,
            passes_rank_1: false,
        }
    }

    /// An input of these types.
    pub const fn of(name: &'static str, types: TypeSet) -> Self {
        Self { types, ..Self::any(name) }
    }

    /// An input whose integer value decides the output shapes: an axis, lengths, a target shape.
    pub const fn index(name: &'static str) -> Self {
        Self {
            types: TypeSet::INTEGRAL,
            reads_value: true,
            reading: Reading::Always,
            is_index: true,
            ..Self::any(name)
        }
    }

    /// Sets the accepted types.
    pub const fn types(self, types: TypeSet) -> Self {
        Self { types, ..self }
    }

    /// Sets the first release that rejects strings.
    pub const fn rejects_strings(self, first: Release) -> Self {
        Self { rejects_strings: Some(first), ..self }
    }

    /// Sets the accepted ranks.
    pub const fn ranks(self, ranks: &'static [usize]) -> Self {
        Self { ranks, ..self }
    }

    /// Leaves the verdict on wrong ranks open if the input, the first one, has rank 1: OpenVINO reads some such layers.
    pub const fn passing_rank_1(self) -> Self {
        Self { passes_rank_1: true, ..self }
    }

    /// Makes the input optional.
    pub const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    /// Makes the input optional, even if it has a port.
    pub const fn skippable(self) -> Self {
        Self { optional: true, skippable: true, ..self }
    }

    /// Makes the input variadic.
    pub const fn variadic(self) -> Self {
        Self { variadic: true, ..self }
    }

    /// Requires a known element type.
    pub const fn typed(self) -> Self {
        Self { needs_type: true, ..self }
    }

    /// Marks an input whose value decides the output shapes.
    pub const fn reads_value(self) -> Self {
        Self { reads_value: true, ..self }
    }

    /// Marks an input whose value decides the output shapes and which OpenVINO cannot read in some types.
    pub const fn read(self) -> Self {
        Self { reads_value: true, reading: Reading::Always, ..self }
    }

    /// Marks an input for which `infer` records all demands even if elements are unknown.
    pub const fn followed(self) -> Self {
        Self { is_followed: true, ..self }
    }

    /// Marks an input whose bounds OpenVINO uses as lengths.
    pub const fn lengths(self) -> Self {
        Self { is_length: true, ..self }
    }

    /// Marks an input whose value OpenVINO does not read during shape inference.
    pub const fn unread(self) -> Self {
        Self { reading: Reading::Never, ..self }
    }

    /// Marks an input whose elements OpenVINO decodes, of any type.
    pub const fn decoded(self) -> Self {
        Self { reading: Reading::Decoded, ..self }
    }

    /// Sets the condition under which OpenVINO reads a constant of type dynamic.
    pub const fn untyped(self, untyped: Untyped) -> Self {
        Self { untyped, ..self }
    }

    /// Marks an input whose value OpenVINO reads only if it knows the rank of the first input.
    pub const fn if_ranked(self) -> Self {
        Self { reading: Reading::IfRanked, ..self }
    }
}
