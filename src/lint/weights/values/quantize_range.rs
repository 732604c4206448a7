//! The check for inverted ranges of `FakeQuantize`, whose lower end is above the upper one.

use super::{Found, Values, constant_at};
use crate::diagnostic::{Rule, Severity};
use crate::ir::{Constant, Layer};
use crate::lint::Checked;
use crate::lint::rules::weights_rule;
use crate::ops::Action;
use crate::text::plural;
use crate::types::codec::{float::float, word};

pub(crate) static INVERTED_RANGE: Rule = weights_rule(
    "inverted-range",
    "FakeQuantize has a range that ends below its start",
    "Checked with `--deep` only, which reads all weights. FakeQuantize maps the range from `input_low` to `input_high` \
     to a number of levels. If `input_low` is the larger one, every number lies outside the range, and the output has \
     at most two values. Usually the two inputs were swapped, or the ranges belong to another layer.",
)
.accepted(Severity::Warning)
.opt_in();

/// The maximum number of bounds that are compared.
const BOUNDS: u64 = 1 << 20;

pub(super) fn finding<'a>(checked: &'a Checked, layer: &Layer, _: &Values) -> Found<'a> {
    let graph = checked.scope.graph;
    if graph.kind(layer).action() != Action::Quantizes {
        return None;
    }
    let ((stored, low), (_, high)) = (constant_at(graph, layer, 1)?, constant_at(graph, layer, 2)?);
    let (lows, highs) = (numbers(checked, low)?, numbers(checked, high)?);
    // Ranges that broadcast in another way are rare.
    let at = |all: &[f64], i: usize| if all.len() == 1 { all.first().copied() } else { all.get(i).copied() };
    let count = lows.len().max(highs.len());
    let inverted = |i: &usize| at(&lows, *i).zip(at(&highs, *i)).is_some_and(|(low, high)| low > high);
    let first = (0..count).find(inverted)?;
    let (low, high) = (at(&lows, first)?, at(&highs, first)?);
    let number = (0..count).filter(inverted).count();
    let what = format!(
        "exceeds `input_high` in {number} of {count} range{s}: `input_low` is {low} and `input_high` is {high} at index {first}",
        s = plural(count)
    );
    Some((&INVERTED_RANGE, stored, what))
}

fn numbers(checked: &Checked, constant: &Constant) -> Option<Vec<f64>> {
    let is_float = super::census::is_counted(constant.ty) && constant.elements()? <= BOUNDS;
    let size = constant.bytes_needed().filter(|need| is_float && *need <= constant.size)?;
    let bytes = checked.scope.weights.read(constant.offset, usize::try_from(size).ok()?)?;
    let width = constant.ty.bits() as usize / 8;
    Some(bytes.chunks_exact(width).map(|one| float(constant.ty, word(one))).collect())
}
