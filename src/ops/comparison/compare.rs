//! `Equal`, `NotEqual`, `Less`, `LessEqual`, `Greater` and `GreaterEqual`.
//!
//! - Spec: `comparison/equal-1` and the like
//! - Shape: the broadcast of both shapes by `auto_broadcast`; boolean.
//! - Errors: `type-conflict`, as all types can be compared, but only with themselves; `shape-conflict`.
//! - Differs from OpenVINO: bounds that do not overlap determine the result of all six; in OpenVINO, only of `Equal`.

use crate::ops::prelude::*;
use crate::ops::shared::broadcast;
use crate::ops::shared::elementwise::{BINARY, compare};

pub(super) static EQUAL_1: OpSpec = OpSpec {
    name: "Equal",
    inputs: &[Input::any("a"), Input::any("b")],
    infer,
    eval: Eval::Compute(Bounding::Compared, |cx, outputs| compare(cx, outputs, equal, equal)),
    ..BINARY
};

pub(super) static NOT_EQUAL_1: OpSpec = OpSpec {
    name: "NotEqual",
    eval: Eval::Compute(Bounding::Constants, |cx, outputs| {
        compare(cx, outputs, |a, b| not(equal(a, b)), |a, b| not(equal(a, b)))
    }),
    ..EQUAL_1
};

pub(super) static LESS_1: OpSpec = OpSpec {
    name: "Less",
    eval: Eval::Compute(Bounding::Constants, |cx, outputs| compare(cx, outputs, less, less)),
    ..EQUAL_1
};

pub(super) static GREATER_1: OpSpec = OpSpec {
    name: "Greater",
    eval: Eval::Compute(Bounding::Constants, |cx, outputs| compare(cx, outputs, |a, b| less(b, a), |a, b| less(b, a))),
    ..EQUAL_1
};

pub(super) static LESS_EQUAL_1: OpSpec = OpSpec {
    name: "LessEqual",
    eval: Eval::Compute(Bounding::Constants, |cx, outputs| compare(cx, outputs, less_equal, less_equal)),
    ..EQUAL_1
};

pub(super) static GREATER_EQUAL_1: OpSpec = OpSpec {
    name: "GreaterEqual",
    eval: Eval::Compute(Bounding::Constants, |cx, outputs| {
        compare(cx, outputs, |a, b| less_equal(b, a), |a, b| less_equal(b, a))
    }),
    ..EQUAL_1
};

fn infer(cx: &InferCtx) -> Inferred {
    agreed_type(cx, &[0, 1])?;
    Ok(vec![Fact::new(ElementType::Boolean, broadcast::inputs(cx, 0, 1)?)])
}

/// Returns `Some(true)` if the numbers are always equal, `Some(false)` if never. NaN does not equal itself.
fn equal<T: PartialOrd + Copy>(a: Bounds<T>, b: Bounds<T>) -> Option<bool> {
    let always = a.lower == b.upper && a.upper == b.lower;
    let never = a.upper < b.lower || b.upper < a.lower || is_nan(a) || is_nan(b);
    decided(always, never)
}

fn less<T: PartialOrd + Copy>(a: Bounds<T>, b: Bounds<T>) -> Option<bool> {
    decided(a.upper < b.lower, a.lower >= b.upper || is_nan(a) || is_nan(b))
}

fn less_equal<T: PartialOrd + Copy>(a: Bounds<T>, b: Bounds<T>) -> Option<bool> {
    decided(a.upper <= b.lower, a.lower > b.upper || is_nan(a) || is_nan(b))
}

#[allow(clippy::eq_op, reason = "a number that differs from itself is NaN")]
fn is_nan<T: PartialOrd + Copy>(a: Bounds<T>) -> bool {
    a.lower != a.lower
}

fn decided(always: bool, never: bool) -> Option<bool> {
    if always { Some(true) } else { never.then_some(false) }
}

fn not(result: Option<bool>) -> Option<bool> {
    result.map(|result| !result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        for name in ["Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"] {
            op(name, 1, ["f32[2,1,?]", "f32[3,1]"]).gives(["boolean[2,3,?]"]);
            op(name, 1, ["string[2]", "string[...]"]).gives(["boolean[...]"]);
            op(name, 1, ["boolean[2..3]", "dynamic[1]"]).gives(["boolean[2..3]"]);
            op(name, 1, ["i64[2]", "i64[] = 2"]).gives(["boolean[2]"]);
        }
    }

    #[test]
    fn values() {
        let compare = |name, a, b| op(name, 1, [a, b]);
        compare("Equal", "i64[4] = 7,6,2..5,7..", "i64[] = 7").gives(["boolean[4] = 1,0,0,0..1"]);
        compare("NotEqual", "i64[4] = 7,6,2..5,7..", "i64[] = 7").gives(["boolean[4] = 0,1,1,0..1"]);
        compare("Less", "i64[4] = 7,6,2..9,8..", "i64[] = 7").gives(["boolean[4] = 0,1,0..1,0"]);
        compare("LessEqual", "i64[4] = 7,6,2..9,8..", "i64[] = 7").gives(["boolean[4] = 1,1,0..1,0"]);
        compare("Greater", "i64[4] = 7,6,2..9,8..", "i64[] = 7").gives(["boolean[4] = 0,0,0..1,1"]);
        compare("GreaterEqual", "i64[4] = 7,6,2..9,8..", "i64[] = 7").gives(["boolean[4] = 1,0,0..1,1"]);
        compare("Less", "f32[3] = 0.5,1.5,NaN", "f32[3] = 1,1..2,1").gives(["boolean[3] = 1,0..1,0"]);
        compare("NotEqual", "f32[1] = NaN", "f32[1] = NaN").gives(["boolean[1] = 1"]);
        compare("Equal", "boolean[2] = 0,1", "boolean[] = 1").gives(["boolean[2] = 0,1"]);
        compare("Greater", "i64[1] = 1..", "i64[1] = 0").gives(["boolean[1] = 1"]);
    }

    #[test]
    fn errors() {
        op("Equal", 1, ["f32[2]", "i32[2]"]).fails("type-conflict", "`b` is i32, `a` is f32");
        op("Less", 1, ["f32[2]", "f32[3]"])
            .fails("shape-conflict", "shapes [2] and [3] do not broadcast: 2 meets 3 at axis -1");
    }

    #[test]
    fn answers_hold_for_every_number() {
        let bounds = || (0..4_i64).flat_map(|lower| (lower..4).map(move |upper| Bounds::between(lower, upper)));
        for (a, b) in bounds().flat_map(|a| bounds().map(move |b| (a, b))) {
            for (x, y) in (a.lower..=a.upper).flat_map(|x| (b.lower..=b.upper).map(move |y| (x, y))) {
                assert!(equal(a, b).is_none_or(|all| all == (x == y)));
                assert!(less(a, b).is_none_or(|all| all == (x < y)));
                assert!(less_equal(a, b).is_none_or(|all| all == (x <= y)));
            }
        }
    }
}
