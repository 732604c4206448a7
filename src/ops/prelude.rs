//! The names that most operations use.

pub(super) use super::rules::*;
pub(super) use super::spec::unranked;
pub(super) use super::{
    Action, At, Attr, Bounding, Checked, Eval, Fault, InferCtx, Inferred, Input, Kind, Macs, Mover, OpSpec, Outputs,
};
pub(super) use crate::diagnostic::{Runtime, Severity};
pub(super) use crate::types::{Bounds, Dim, ElementType, Fact, Interval, PartialShape, TypeSet, Value};
