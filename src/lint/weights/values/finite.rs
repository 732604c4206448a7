//! NaN and infinity among the weights.

use super::census::Census;
use crate::diagnostic::{Rule, Severity};
use crate::ir::Constant;
use crate::lint::rules::weights_rule;

pub(crate) static NON_FINITE_WEIGHTS: Rule = weights_rule(
    "non-finite-weights",
    "a constant holds NaN or infinity",
    "Checked with `--deep` only, which reads all weights. One NaN among the weights makes every result NaN sooner \
     or later. Usually the training diverged, a conversion to f16 overflowed, or the `.bin` belongs to another \
     `.xml`.\n\n\
     Infinity is sometimes intended: attention masks and initial values of a maximum hold -Inf, so a constant that \
     contains only 0 and infinities of one sign is not reported.",
)
.accepted(Severity::Warning)
.opt_in();

pub(super) fn finding(_: &Constant, census: &Census) -> Option<(&'static Rule, String)> {
    let (nan, infinite, first) = (census.nan, census.infinite(), census.first?);
    let has_one_sign = census.positive_infinities == 0 || census.negative_infinities == 0;
    if nan == 0 && has_one_sign && census.nonzero() == infinite {
        return None; // An attention mask, or the initial value of a maximum.
    }
    let counts = match (nan, infinite) {
        (nan, 0) => format!("{nan} NaN"),
        (0, infinite) => format!("{infinite} Inf"),
        (nan, infinite) => format!("{nan} NaN and {infinite} Inf"),
    };
    let what = format!("holds {counts} among {} elements, the first at index {first}", census.elements);
    Some((&NON_FINITE_WEIGHTS, what))
}
