//! What an operation is: names, inputs, attributes and pure functions, all of it static data.

mod attr;
mod eval;
mod macs;

pub use attr::{Attr, Kind, Missing};
pub use eval::{Bounding, Eval, Mover, NOWHERE, ZERO};
pub use macs::Macs;
pub(super) use macs::{filtered, recurrent};

use super::context::InferCtx;
use super::fault::Fault;
use super::rules::SHAPE_CONFLICT;
use crate::diagnostic::Rule;
use crate::types::{Fact, TypeSet, Value};

/// The outputs of an operation, or what is wrong.
pub type Inferred = Result<Vec<Fact>, Fault>;

/// One revision of an operation.
#[derive(Debug, Clone, Copy)]
pub struct OpSpec {
    /// The type as a layer writes it: `ReLU`, `Split`. Layers match it in any case.
    pub name: &'static str,
    /// The opset that brought this revision.
    pub opset: u8,
    /// The inputs, in order; at most the last one is variadic.
    pub inputs: &'static [Input],
    /// The attributes that OpenVINO reads.
    pub attrs: &'static [Attr],
    /// The number of outputs.
    pub outputs: Outputs,
    /// What it does, where the rest of the program treats it specially.
    pub action: Action,
    /// Works out type and shape of every output.
    pub infer: fn(&InferCtx) -> Inferred,
    /// Works out the elements of the outputs.
    pub eval: Eval,
    /// How much it multiplies.
    pub macs: Macs,
    /// The rule that lengths break which do not fit; `None` if `infer` does not record every demand that it has on them.
    pub demands: Option<&'static Rule>,
    /// Whether OpenVINO, where it works the operation out, reads both inputs in the type of the first.
    pub reads_as_one: bool,
    /// Whether OpenVINO reads it with a constant without elements in a file without weights.
    pub needs_no_bytes: bool,
}

impl OpSpec {
    /// A revision without inputs and attributes, with one output whose elements are not worked out.
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
            needs_no_bytes: false,
        }
    }

    /// What the operation expects at input `i`.
    pub fn input(&self, i: usize) -> Option<&'static Input> {
        self.inputs.get(i).or_else(|| self.inputs.last().filter(|input| input.variadic))
    }

    /// Whether all that decides shapes is known of input `i`.
    pub(crate) fn is_known(&self, i: usize, fact: &Fact) -> bool {
        let is_read = self.input(i).is_some_and(|input| input.reads_value);
        fact.shape.is_static() && !fact.assumed && fact.value.as_deref().map_or(!is_read, Value::is_exact)
    }

    /// Whether the demands on input `i` are recorded where this is what is known of it.
    pub(crate) fn follows(&self, i: usize, fact: &Fact) -> bool {
        let is_read = self.input(i).is_some_and(|input| input.reads_value && !input.is_followed);
        let is_known = fact.value.as_deref().map_or(!is_read, Value::is_exact);
        self.demands.is_some() && fact.rank().is_some() && (is_known || !is_read)
    }

    /// What the operation does with bodies, if it has some.
    pub fn with_bodies(&self) -> Option<WithBodies> {
        match self.outputs {
            Outputs::FromBodies(what) => Some(what),
            _ => None,
        }
    }
}

/// How many outputs an operation has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outputs {
    /// This many.
    Exactly(usize),
    /// As many as this attribute says.
    FromAttr(&'static str),
    /// As many as `infer` gives.
    Inferred,
    /// As many as the bodies of the layer produce; the driver infers the bodies, and the outputs with them.
    FromBodies(WithBodies),
}

/// What an operation does with its bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithBodies {
    /// Runs one of two, as a condition says.
    If,
    /// Runs one again and again.
    Loop,
    /// Runs one for every slice of its inputs.
    TensorIterator,
}

/// What an operation does, as far as anything but its shapes and elements depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Nothing that matters elsewhere.
    Other,
    /// Splits its data into parts; does nothing if there is one.
    Splits,
    /// Cuts a part out of its data.
    Slices,
    /// Joins its inputs; does nothing with one.
    Joins,
    /// Picks elements of its data by index.
    Gathers,
    /// Gives the elements another shape; does nothing if it is the same.
    Reshapes,
    /// Repeats elements; does nothing if the shape stays.
    Repeats,
    /// Permutes the axes in the order that input 1 gives; does nothing if that is the order they have.
    Permutes,
    /// Converts elements to another type; does nothing if it is the same.
    Converts,
    /// Multiplies its inputs, element by element.
    Multiplies,
    /// Subtracts one input from the other, element by element.
    Subtracts,
    /// Maps numbers of a range to some levels.
    Quantizes,
    /// Reads a variable.
    Reads,
    /// Writes a variable.
    Writes,
}

/// When OpenVINO reads the constant at an input while it infers shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// It leaves it alone.
    Never,
    /// Where it knows the rank of the first input.
    IfRanked,
    /// Wherever there is a constant.
    Always,
}

/// Whether OpenVINO looks at a constant of type dynamic at an input whose value decides shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Untyped {
    /// It does.
    Looked,
    /// It does not.
    Passed,
    /// It does unless the mode is numpy.
    PassedByNumpy,
    /// It does where it knows the rank of the data, the axis and the lengths.
    PassedUnlessSplit,
}

/// One input of an operation.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent claims, each with a constructor of its own")]
#[must_use]
pub struct Input {
    /// The name in the operation's specification.
    pub name: &'static str,
    /// The element types accepted; `dynamic` is always accepted.
    pub types: TypeSet,
    /// The ranks accepted; empty for all.
    pub ranks: &'static [usize],
    /// Whether the layer may leave it out.
    pub optional: bool,
    /// Whether any number of further inputs like this may follow.
    pub variadic: bool,
    /// Whether its value, not only its shape, decides the output shapes.
    pub reads_value: bool,
    /// When OpenVINO reads a constant there while it infers shapes, which it can do in some types only.
    pub reading: Reading,
    /// Whether OpenVINO looks at a constant of type dynamic.
    pub untyped: Untyped,
    /// Whether the demands on its elements are recorded as well as those on lengths.
    pub is_followed: bool,
    /// Whether OpenVINO takes its bounds for those of lengths, and refuses what may be below 0.
    pub is_length: bool,
    /// The rule that a refused element type breaks.
    pub is_index: bool,
    /// Whether OpenVINO refuses it while its element type is not known.
    pub needs_type: bool,
}

impl Input {
    /// An input of any type.
    pub const fn any(name: &'static str) -> Self {
        Self {
            name,
            types: TypeSet::ANY,
            ranks: &[],
            optional: false,
            variadic: false,
            reads_value: false,
            reading: Reading::Never,
            untyped: Untyped::Looked,
            is_followed: false,
            is_length: false,
            is_index: false,
            needs_type: false,
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

    /// Of these types instead.
    pub const fn types(self, types: TypeSet) -> Self {
        Self { types, ..self }
    }

    /// Of one of these ranks.
    pub const fn ranks(self, ranks: &'static [usize]) -> Self {
        Self { ranks, ..self }
    }

    /// That a layer may leave out.
    pub const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    /// That may be repeated.
    pub const fn variadic(self) -> Self {
        Self { variadic: true, ..self }
    }

    /// Whose element type must be known while a file is read.
    pub const fn typed(self) -> Self {
        Self { needs_type: true, ..self }
    }

    /// Whose value decides the output shapes.
    pub const fn reads_value(self) -> Self {
        Self { reads_value: true, ..self }
    }

    /// Whose value decides the output shapes, and in some types is beyond what OpenVINO reads.
    pub const fn read(self) -> Self {
        Self { reads_value: true, reading: Reading::Always, ..self }
    }

    /// Whose elements may be unknown while all demands on them are recorded.
    pub const fn followed(self) -> Self {
        Self { is_followed: true, ..self }
    }

    /// Whose bounds OpenVINO takes for those of lengths.
    pub const fn lengths(self) -> Self {
        Self { is_length: true, ..self }
    }

    /// Whose value OpenVINO leaves alone while it infers shapes.
    pub const fn unread(self) -> Self {
        Self { reading: Reading::Never, ..self }
    }

    /// At which OpenVINO looks at a constant of type dynamic in these cases.
    pub const fn untyped(self, untyped: Untyped) -> Self {
        Self { untyped, ..self }
    }

    /// Whose value OpenVINO reads only where it knows the rank of the first input.
    pub const fn if_ranked(self) -> Self {
        Self { reading: Reading::IfRanked, ..self }
    }
}
