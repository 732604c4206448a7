//! `LogicalAnd`, `LogicalOr`, `LogicalXor`, and `Xor`, its name in opset1.
//!
//! - Spec: `logical/logical-and-1` and the like
//! - Shape: the broadcast of both shapes by `auto_broadcast`; boolean.
//! - Errors: `input-type` unless both inputs are boolean; `shape-conflict`.
//! - Differs from OpenVINO: one boolean decides if it can, in OpenVINO both must be known.

use crate::ops::prelude::*;
use crate::ops::shared::broadcast;
use crate::ops::shared::elementwise::{BINARY, compare};

const FLAG: TypeSet = TypeSet::of(&[ElementType::Boolean]);

pub(super) static LOGICAL_AND_1: OpSpec = OpSpec {
    name: "LogicalAnd",
    inputs: &[Input::of("a", FLAG), Input::of("b", FLAG)],
    infer: |cx| Ok(vec![Fact::new(ElementType::Boolean, broadcast::inputs(cx, 0, 1)?)]),
    eval: Eval::Compute(Bounding::Constants, |cx, outputs| compare(cx, outputs, and, |_, _| None)),
    ..BINARY
};

pub(super) static LOGICAL_OR_1: OpSpec = OpSpec {
    name: "LogicalOr",
    eval: Eval::Compute(Bounding::Constants, |cx, outputs| compare(cx, outputs, or, |_, _| None)),
    ..LOGICAL_AND_1
};

pub(super) static LOGICAL_XOR_1: OpSpec = OpSpec {
    name: "LogicalXor",
    eval: Eval::Compute(Bounding::Constants, |cx, outputs| {
        compare(cx, outputs, |a, b| Some(known(a)? != known(b)?), |_, _| None)
    }),
    ..LOGICAL_AND_1
};

pub(super) static XOR_1: OpSpec = OpSpec { name: "Xor", ..LOGICAL_XOR_1 };

/// The boolean, if it is known.
fn known(flag: Bounds<i128>) -> Option<bool> {
    (flag.lower == flag.upper).then_some(flag.lower != 0)
}

fn and(a: Bounds<i128>, b: Bounds<i128>) -> Option<bool> {
    match (known(a), known(b)) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(a: Bounds<i128>, b: Bounds<i128>) -> Option<bool> {
    match (known(a), known(b)) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        for name in ["LogicalAnd", "LogicalOr", "LogicalXor", "Xor"] {
            op(name, 1, ["boolean[2,1,?]", "boolean[3,1]"]).gives(["boolean[2,3,?]"]);
            op(name, 1, ["dynamic[2..3]", "boolean[...]"]).gives(["boolean[...]"]);
        }
    }

    #[test]
    fn values() {
        let connect = |name, b| op(name, 1, ["boolean[4] = 0,0,1,0..1", b]);
        connect("LogicalAnd", "boolean[4] = 0,0..1,1,0").gives(["boolean[4] = 0,0,1,0"]);
        connect("LogicalOr", "boolean[4] = 0,0..1,0..1,1").gives(["boolean[4] = 0,0..1,1,1"]);
        connect("LogicalXor", "boolean[4] = 0,1,1,1").gives(["boolean[4] = 0,1,0,0..1"]);
        connect("Xor", "boolean[] = 1").gives(["boolean[4] = 1,1,0,0..1"]);
        op("LogicalAnd", 1, ["boolean[2]", "boolean[2] = 0,1"]).gives(["boolean[2] = 0,0..1"]);
    }

    #[test]
    fn errors() {
        op("LogicalAnd", 1, ["boolean[2]", "u8[2]"])
            .fails("input-type", "LogicalAnd does not accept u8 at input 1 `b`");
        op("LogicalOr", 1, ["boolean[2]", "boolean[3]"])
            .fails("shape-conflict", "shapes [2] and [3] do not broadcast: 2 meets 3 at axis -1");
    }
}
