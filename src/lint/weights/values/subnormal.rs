//! Numbers too small for weights.

use super::census::Census;
use crate::diagnostic::{Rule, Severity};
use crate::ir::Constant;
use crate::lint::rules::weights_rule;
use crate::types::ElementType;

pub(crate) static SUBNORMAL_WEIGHTS: Rule = weights_rule(
    "subnormal-weights",
    "most numbers of a constant are subnormal",
    "Checked with `--deep` only, which reads all weights. Subnormal numbers lie between 0 and the smallest number that \
     a type represents with full precision: 1.2e-38 in f32 and bf16, 2.2e-308 in f64. Training does not produce them, \
     and CPUs are many times slower with them.\n\n\
     Where most of a constant is subnormal, its bytes are usually those of another type, such as integers read as \
     f32. Constants of f16 are left alone: numbers below 6.1e-5 are subnormal there, and scales are often that small.",
)
.accepted(Severity::Warning)
.opt_in();

/// The minimum number of subnormals that is reported: fewer may be an accident.
const SOME: u64 = 16;

pub(super) fn finding(constant: &Constant, census: &Census) -> Option<(&'static Rule, String)> {
    let (subnormal, nonzero) = (census.subnormals, census.nonzero());
    let is_most = constant.ty != ElementType::F16 && subnormal >= SOME && subnormal > nonzero / 2;
    let what = || format!("of {} has {subnormal} subnormal numbers among its {nonzero} nonzero ones", constant.ty);
    is_most.then(|| (&SUBNORMAL_WEIGHTS, what()))
}
