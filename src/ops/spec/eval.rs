//! The evaluation of output elements, here and in OpenVINO.

use crate::ops::InferCtx;
use crate::types::{Fact, Function, Value};

/// The evaluation of output elements. One kernel serves constant folding, bounds and the executor.
#[derive(Debug, Clone, Copy)]
pub enum Eval {
    /// No evaluation.
    None,
    /// Output 0 has the elements of input 0 in the same order.
    Copy(Bounding),
    /// Every output element is an element of an input; the function returns the mover of an output.
    ///
    /// Needs the values only of the inputs marked `reads_value`; the elements of the others are moved.
    Move(Bounding, for<'a> fn(&'a InferCtx, usize) -> Option<Mover<'a>>),
    /// The elements follow from the shapes of the inputs alone; the facts are the inferred outputs.
    Shape(fn(&InferCtx, &[Fact]) -> Option<Vec<Value>>),
    /// The elements are computed from the bounds of the input elements; the facts are the inferred outputs.
    Compute(Bounding, fn(&InferCtx, &[Fact]) -> Option<Vec<Value>>),
    /// Every output element is this function of the element of input 0 at the same index.
    Function(Function),
}

impl Eval {
    /// The bound evaluation of OpenVINO, if the output elements depend on input elements.
    pub fn bounding(&self) -> Option<Bounding> {
        match self {
            Self::None | Self::Shape(_) => None,
            Self::Function(_) => Some(Bounding::Constants),
            Self::Copy(bounding) | Self::Move(bounding, _) | Self::Compute(bounding, _) => Some(*bounding),
        }
    }
}

/// The bounds of output elements that OpenVINO evaluates while it reads a file.
#[derive(Debug, Clone, Copy)]
pub enum Bounding {
    /// None, not even of constants.
    Never,
    /// The elements, if all inputs are constant.
    Constants,
    /// Moves bounds with their elements, even if some elements have none.
    Moved,
    /// As `Moved`, unless this holds for the layer.
    MovedUnless(fn(&InferCtx) -> bool),
    /// As `Moved`, but OpenVINO does not trace bounds back through the operation.
    Updated,
    /// Selects elements of two inputs if the condition at input 0 is constant.
    Chosen,
    /// Computes bounds of elements that have both, and traces the others back to the inputs.
    Combined,
    /// Computes bounds of elements that have both.
    Between,
    /// As `Between`, but OpenVINO does not trace bounds back through the operation.
    Compared,
    /// Applies the operation to both bounds, which is correct only if all elements are 0 or more.
    Rising,
    /// As `Rising`, but never correct: only exact elements are.
    Mistaken,
}

/// A map from the row-major index of an output element to an input and the index of its element.
pub type Mover<'a> = Box<dyn Fn(usize) -> (usize, usize) + Send + Sync + 'a>;

/// The result of a mover for an element that is 0.
pub const ZERO: (usize, usize) = (usize::MAX, 0);

/// The result of a mover for an element that is unknown, as its index is outside the data.
pub const NOWHERE: (usize, usize) = (usize::MAX, 1);
