//! The modules of the library, for the command, the tests, the benchmarks and the fuzzers of this repository.
//!
//! Nothing here belongs to the public API: every item may change or be removed in any release.

pub use crate::analysis::*;
pub use crate::ir::{Weights, WeightsOption};
pub use crate::limits::Limits;
pub use crate::ops::devices::Device;
pub use crate::query::why::why;

macro_rules! modules {
    ($($module:ident),*) => { $(pub mod $module { pub use crate::$module::*; })* };
}

modules!(
    atomic, cut, diagnostic, edit, exec, fix, infer, input, ir, limits, ops, panics, pipeline, policy, query, recipe,
    reduce, remote, report, search, source, text, types
);
