//! How the elements of outputs follow from those of inputs, here and in OpenVINO.

use crate::ops::InferCtx;
use crate::types::{Fact, Function, Value};

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
    /// Every output element is this function of the element of input 0 in its place.
    Function(Function),
}

impl Eval {
    /// What OpenVINO works out of the elements of outputs, where that takes elements of inputs.
    pub fn bounding(&self) -> Option<Bounding> {
        match self {
            Self::None | Self::Shape(_) => None,
            Self::Function(_) => Some(Bounding::Constants),
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

/// Maps the index of an output element, in row-major order, to an input and the index of the element to take from it.
pub type Mover<'a> = Box<dyn Fn(usize) -> (usize, usize) + Send + Sync + 'a>;

/// What a mover takes where no input has the element: a 0 of the output's type.
pub const ZERO: (usize, usize) = (usize::MAX, 0);

/// What a mover takes where an index lies outside the data: the result is not known.
pub const NOWHERE: (usize, usize) = (usize::MAX, 1);
