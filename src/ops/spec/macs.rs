//! The multiply-accumulate operations (MACs) of a layer, which `ovlint cost` adds up.

use crate::ops::context::InferCtx;
use crate::types::{Dim, Fact};

/// The multiply-accumulate operations (MACs) of one run.
#[derive(Debug, Clone, Copy)]
pub enum Macs {
    /// None, or too few to matter.
    None,
    /// Many, but ovlint does not count them.
    Uncounted,
    /// The sum of the products of lengths that this returns.
    Of(Count),
}

/// A function from the inputs and outputs of a layer to products of lengths, each as its factors; `None` if ranks are
/// unknown.
pub(crate) type Count = fn(&InferCtx, &[Fact]) -> Option<Vec<Vec<Dim>>>;

/// The product of all lengths of a tensor and those of the filters after the first `skipped`: every element of the tensor
/// needs that many elements of the filters.
pub(in crate::ops) fn filtered(tensor: &Fact, filters: &Fact, skipped: usize) -> Option<Vec<Vec<Dim>>> {
    let filters = filters.shape.dims()?.get(skipped..)?;
    Some(vec![[tensor.shape.dims()?, filters].concat()])
}

/// The products of a recurrent layer: in each of its `steps`, it multiplies the data by input `weights` and the state by the
/// next input.
pub(in crate::ops) fn recurrent(cx: &InferCtx, steps: &[Dim], weights: usize) -> Option<Vec<Vec<Dim>>> {
    let product = |i: usize| Some([steps, cx.input(i).shape.dims()?].concat());
    Some(vec![product(weights)?, product(weights + 1)?])
}
