//! What an operation is: names, inputs, attributes and pure functions, all of it static data.

use super::context::InferCtx;
use super::fault::Fault;
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
}

impl OpSpec {
    /// What the operation expects at input `i`.
    pub fn input(&self, i: usize) -> Option<&'static Input> {
        self.inputs.get(i).or_else(|| self.inputs.last().filter(|input| input.variadic))
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
    /// Reads a variable.
    Reads,
    /// Writes a variable.
    Writes,
}

/// How an operation's elements follow from those of its inputs. One kernel serves folding, bounds and the executor.
#[derive(Debug, Clone, Copy)]
pub enum Eval {
    /// They are not worked out.
    None,
    /// Output 0 has the elements of input 0 in the same order.
    Copy(Bounding),
    /// Every output element is an element of an input; the function returns the mover of an output.
    ///
    /// Needs the values only of the inputs marked `reads_value`; the elements of the others are moved.
    Move(Bounding, for<'a> fn(&'a InferCtx, usize) -> Option<Mover<'a>>),
    /// The elements follow from the shapes of the inputs alone; the facts given are the outputs inferred.
    Shape(fn(&InferCtx, &[Fact]) -> Option<Vec<Value>>),
    /// The elements are computed from the bounds of the inputs' elements; the facts given are the outputs inferred.
    Compute(Bounding, fn(&InferCtx, &[Fact]) -> Option<Vec<Value>>),
}

impl Eval {
    /// What OpenVINO works out of the elements of outputs, where that takes elements of inputs.
    pub fn bounding(&self) -> Option<Bounding> {
        match self {
            Self::None | Self::Shape(_) => None,
            Self::Copy(bounding) | Self::Move(bounding, _) | Self::Compute(bounding, _) => Some(*bounding),
        }
    }
}

/// What OpenVINO works out of the elements of an output while it reads a file, from the bounds of the inputs' elements.
#[derive(Debug, Clone, Copy)]
pub enum Bounding {
    /// Nothing, even of constants.
    Never,
    /// The elements, if all inputs are constant.
    Constants,
    /// Moves bounds with their elements, also where some elements have none.
    Moved,
    /// The same, unless this holds of a layer.
    MovedUnless(fn(&InferCtx) -> bool),
    /// Moves bounds with their elements, but does not follow them back from an input that it wants to bound.
    Updated,
    /// Takes one of two inputs for every element, if the condition at input 0 is constant.
    Chosen,
    /// Computes with the bounds of elements that have two, and follows those that have not.
    Combined,
    /// Computes with the bounds of elements that have two.
    Between,
    /// The same, but does not follow bounds back from an input.
    Compared,
    /// Takes what becomes of two bounds for bounds, which is right from 0 on.
    Rising,
    /// The same, and never right: only elements that are known are sure.
    Mistaken,
}

/// Tells for the index of an output element, in row-major order, which input and which of its elements to take.
pub type Mover<'a> = Box<dyn Fn(usize) -> (usize, usize) + Send + Sync + 'a>;

/// What a mover takes where no input has the element: a 0 of the output's type.
pub const ZERO: (usize, usize) = (usize::MAX, 0);

/// What a mover takes where an index lies outside the data: the result is not known.
pub const NOWHERE: (usize, usize) = (usize::MAX, 1);

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

/// One input of an operation.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent claims, each with a constructor of its own")]
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
    #[must_use]
    pub const fn types(self, types: TypeSet) -> Self {
        Self { types, ..self }
    }

    /// Of one of these ranks.
    #[must_use]
    pub const fn ranks(self, ranks: &'static [usize]) -> Self {
        Self { ranks, ..self }
    }

    /// That a layer may leave out.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    /// That may be repeated.
    #[must_use]
    pub const fn variadic(self) -> Self {
        Self { variadic: true, ..self }
    }

    /// Whose element type must be known while a file is read.
    #[must_use]
    pub const fn typed(self) -> Self {
        Self { needs_type: true, ..self }
    }

    /// Whose value decides the output shapes.
    #[must_use]
    pub const fn reads_value(self) -> Self {
        Self { reads_value: true, ..self }
    }

    /// Whose value decides the output shapes, and in some types is beyond what OpenVINO reads.
    #[must_use]
    pub const fn read(self) -> Self {
        Self { reads_value: true, reading: Reading::Always, ..self }
    }

    /// Whose bounds OpenVINO takes for those of lengths.
    #[must_use]
    pub const fn lengths(self) -> Self {
        Self { is_length: true, ..self }
    }

    /// Whose value OpenVINO leaves alone while it infers shapes.
    #[must_use]
    pub const fn unread(self) -> Self {
        Self { reading: Reading::Never, ..self }
    }

    /// Whose value OpenVINO reads only where it knows the rank of the first input.
    #[must_use]
    pub const fn if_ranked(self) -> Self {
        Self { reading: Reading::IfRanked, ..self }
    }
}

/// One attribute of an operation.
#[derive(Debug, Clone, Copy)]
pub struct Attr {
    /// The name in `<data>`.
    pub name: &'static str,
    /// What its text must be.
    pub kind: Kind,
    /// What OpenVINO does without it.
    pub missing: Missing,
    /// Whether OpenVINO keeps it unsigned and reads a number below 0 as a huge one.
    pub is_unsigned: bool,
}

impl Attr {
    /// An attribute that every layer needs.
    pub const fn required(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, missing: Missing::Refused, is_unsigned: false }
    }

    /// An attribute without which OpenVINO reads a layer as `read`, and does not compile it.
    pub const fn compiled(name: &'static str, kind: Kind, read: &'static str) -> Self {
        Self { name, kind, missing: Missing::NotCompiled(read), is_unsigned: false }
    }

    /// An attribute whose absence means `default`.
    pub const fn optional(name: &'static str, kind: Kind, default: &'static str) -> Self {
        Self { name, kind, missing: Missing::Default(default), is_unsigned: false }
    }

    /// That every layer needs, though OpenVINO takes one without it for something.
    #[must_use]
    pub const fn expected(self, note: &'static str) -> Self {
        let text = match self.missing.text() {
            Some(text) => text,
            None => "",
        };
        Self { missing: Missing::Accepted { text, note }, ..self }
    }

    /// That OpenVINO keeps unsigned, and reads a number below 0 as a huge one.
    #[must_use]
    pub const fn unsigned(self) -> Self {
        Self { is_unsigned: true, ..self }
    }
}

/// What OpenVINO does with a layer that lacks an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// It takes this text instead.
    Default(&'static str),
    /// It refuses to read the file.
    Refused,
    /// It takes this text instead, although every layer needs the attribute.
    Accepted {
        /// The text.
        text: &'static str,
        /// What follows from that.
        note: &'static str,
    },
    /// It takes this text while it reads the file, and does not compile it.
    NotCompiled(&'static str),
}

impl Missing {
    /// The text that stands for the attribute.
    pub const fn text(self) -> Option<&'static str> {
        match self {
            Self::Default(text) | Self::Accepted { text, .. } | Self::NotCompiled(text) => Some(text),
            Self::Refused => None,
        }
    }
}

/// What the text of an attribute must be. Numbers are read as OpenVINO reads them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An integer from `min` to `max`.
    Int(i64, i64),
    /// A floating-point number.
    Float,
    /// `true`, `1`, `false` or `0` in any case; other text means the default.
    Flag,
    /// Any text.
    Text,
    /// One of these words in any case.
    Choice(&'static [&'static str]),
    /// One of these words in this case; OpenVINO reads any other, and compiles none.
    Word(&'static [&'static str]),
    /// A comma list of integers, each from `min` to `max`.
    Ints(i64, i64),
    /// A comma list of integers that OpenVINO reads without a sign: it refuses even `-0`.
    Unsigned,
    /// A comma list of floating-point numbers.
    Floats,
    /// A comma list of words.
    Texts,
    /// An element type.
    Type,
    /// A partial shape.
    Shape,
}

impl Kind {
    /// Any integer.
    pub const INT: Self = Self::Int(i64::MIN, i64::MAX);
    /// An integer that OpenVINO keeps unsigned.
    pub const COUNT: Self = Self::Int(0, i64::MAX);
    /// A list of any integers.
    pub const INTS: Self = Self::Ints(i64::MIN, i64::MAX);
    /// A list of integers that OpenVINO keeps unsigned.
    pub const COUNTS: Self = Self::Ints(0, i64::MAX);
    /// How numpy-like operations broadcast.
    pub const BROADCAST: Self = Self::Choice(&["numpy", "none", "pdpd", "explicit"]);

    /// An integer from `min` on.
    pub const fn from(min: i64) -> Self {
        Self::Int(min, i64::MAX)
    }
}
