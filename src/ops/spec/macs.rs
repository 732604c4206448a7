//! How much an operation multiplies.

use crate::ops::context::InferCtx;
use crate::types::{Dim, Fact};

/// How often one run of an operation multiplies two numbers and adds the product to a sum: its MACs.
#[derive(Debug, Clone, Copy)]
pub enum Macs {
    /// Never, or too seldom to matter.
    None,
    /// Often, but how often is not worked out.
    Uncounted,
    /// As often as the products of lengths add up to that this gives.
    Of(Count),
}

/// Products of lengths, each as its factors, from the inputs and the outputs of a layer; `None` where ranks are unknown.
pub(crate) type Count = fn(&InferCtx, &[Fact]) -> Option<Vec<Vec<Dim>>>;

/// The lengths of a tensor, and of filters without the first `skipped`: every element of the tensor meets so many elements of
/// the filters.
pub(in crate::ops) fn filtered(tensor: &Fact, filters: &Fact, skipped: usize) -> Option<Vec<Vec<Dim>>> {
    let filters = filters.shape.dims()?.get(skipped..)?;
    Some(vec![[tensor.shape.dims()?, filters].concat()])
}

/// A layer that multiplies its input by `weights` and its state by the weights behind them, in as many `steps`.
pub(in crate::ops) fn recurrent(cx: &InferCtx, steps: &[Dim], weights: usize) -> Option<Vec<Vec<Dim>>> {
    let product = |i: usize| Some([steps, cx.input(i).shape.dims()?].concat());
    Some(vec![product(weights)?, product(weights + 1)?])
}
