//! Weights of bf16 that are labelled f16.

use super::census::Census;
use crate::diagnostic::{Rule, Severity};
use crate::ir::Constant;
use crate::lint::rules::weights_rule;
use crate::types::ElementType;

pub(crate) static MISREAD_WEIGHTS: Rule = weights_rule(
    "misread-weights",
    "an f16 constant looks like bf16 data",
    "Checked with `--deep` only, which reads all weights. An exporter that copies the bytes of bf16 into a constant \
     of f16 makes 1.0 into 1.875, and 0.01 into 1.03: the model runs, and its results mean nothing.\n\n\
     Weights are small numbers around 0; hardly any of them have a magnitude between 1/4 and 2. When such numbers are \
     stored as bf16 and read as f16, nearly all of them do. So a constant is reported if it has at least 256 numbers other \
     than 0, at least 99 % of them lie in this range, and both signs are common. Compare it with the checkpoint, and \
     convert the numbers instead of their bytes.",
)
.accepted(Severity::Warning)
.opt_in();

/// The minimum number of elements other than 0 that allows a verdict.
const ENOUGH: u64 = 256;

pub(super) fn finding(constant: &Constant, census: &Census) -> Option<(&'static Rule, String)> {
    let (nonzero, near) = (census.nonzero(), census.near_one);
    let are_near = nonzero >= ENOUGH && near >= nonzero - nonzero / 100;
    let are_mixed = census.negatives > nonzero / 5 && census.negatives < nonzero - nonzero / 5;
    let what = || {
        format!(
            "is f16, but {near} of its {nonzero} nonzero numbers lie between 1/4 and 2 in magnitude, as if its bytes were bf16"
        )
    };
    (constant.ty == ElementType::F16 && are_near && are_mixed).then(|| (&MISREAD_WEIGHTS, what()))
}
