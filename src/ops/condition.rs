//! Operations that choose.

mod select;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[&select::SELECT_1];
