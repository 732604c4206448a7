//! The names that most operations and the code that they share import.

pub(in crate::ops) use crate::diagnostic::{Runtime, Severity};
pub(in crate::ops) use crate::ops::rules::*;
pub(in crate::ops) use crate::ops::spec::unranked;
pub(in crate::ops) use crate::ops::{
    Action, At, Attr, Bounding, Checked, Eval, Fault, InferCtx, Inferred, Input, Kind, Macs, Mover, OpSpec, Outputs,
};
pub(in crate::ops) use crate::text::{counted, plural};
pub(in crate::ops) use crate::types::symbol::demand;
pub(in crate::ops) use crate::types::{
    Bounds, Dim, ElementType, Fact, Interval, PartialShape, TypeSet, Value, release,
};
