//! Filters and matrices that were never trained.

use super::{Found, Values, constant_at};
use crate::diagnostic::{Rule, Severity};
use crate::ir::Layer;
use crate::lint::Checked;
use crate::lint::rules::weights_rule;
use crate::ops::Macs;

pub(crate) static UNIFORM_WEIGHTS: Rule = weights_rule(
    "uniform-weights",
    "all weights of a layer are the same number",
    "Checked with `--deep` only, which reads all weights. A convolution or matrix multiplication whose weights (64 or \
     more) are all the same number has learned nothing: the layer was never initialised, or an export put another \
     constant in the place of its weights.\n\n\
     Weights of 0 are left alone: layers are pruned on purpose, and models are shared without their weights.",
)
.accepted(Severity::Warning)
.opt_in();

/// The minimum number of elements that allows a verdict.
const ENOUGH: u64 = 64;

pub(super) fn finding<'a>(checked: &'a Checked, layer: &Layer, values: &Values) -> Found<'a> {
    let graph = checked.scope.graph;
    let kind = graph.kind(layer);
    kind.spec().filter(|spec| matches!(spec.macs, Macs::Of(_)))?;
    let (stored, constant) = constant_at(graph, layer, 1)?;
    let census = values.of(constant)?;
    let is_untrained = census.is_uniform() && census.zeros == 0 && census.elements >= ENOUGH;
    let what = || format!("holds the weights of a {}, and all {} values are the same", kind.ty, census.elements);
    is_untrained.then(|| (&UNIFORM_WEIGHTS, stored, what()))
}
