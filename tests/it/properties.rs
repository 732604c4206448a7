//! What holds for the elements of every operation that works them out: values fit the shapes inferred, exact inputs give
//! exact outputs or none, and intervals around the inputs give intervals around the outputs.
//!
//! `OVLINT_CASES=5000 cargo test properties` looks further.

use ovlint::limits::Limits;
use ovlint::ops::apply::Call;
use ovlint::ops::spec::{Eval, OpSpec};
use ovlint::ops::{find, operations};
use ovlint::types::{Bounds, ElementType, Elements, Fact, PartialShape, Value};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::borrow::Cow;

/// An operation and inputs for it.
///
/// `T[2,3]` is a tensor of random elements, of one of the types; `i64[3] in -2..1` one of random elements between these;
/// everything else is a fact as it is written.
struct Row {
    name: &'static str,
    opset: u8,
    types: &'static [&'static str],
    inputs: &'static [&'static str],
    attrs: &'static [(&'static str, &'static str)],
}

const fn row(
    name: &'static str,
    opset: u8,
    types: &'static [&'static str],
    inputs: &'static [&'static str],
    attrs: &'static [(&'static str, &'static str)],
) -> Row {
    Row { name, opset, types, inputs, attrs }
}

const FLOATS: &[&str] = &["f32", "f16", "bf16", "f64"];
const WHOLE: &[&str] = &["i64", "i32", "u8", "i8", "u16", "u32", "u64"];
const NUMBERS: &[&str] = &["i64", "f32", "i32", "u8", "i8", "f16", "f64", "bf16", "u32"];
const EVERY: &[&str] = &["i64", "f32", "i32", "boolean", "u8", "f16"];
const FLAGS: &[&str] = &["boolean"];
const PAIR: &[&str] = &["T[2,3]", "T[3]"];
const ONE: &[&str] = &["T[2,3]"];

/// Functions whose last digit depends on the library, and which are therefore known between bounds only.
const ROUGH: &[&str] = &[
    "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cos", "Cosh", "Exp", "Log", "Power", "Sin", "Sinh", "Tan",
    "Tanh",
];

/// Operations on one tensor, or on two that are broadcast, and the types they take.
const ELEMENTWISE: &[(&[&str], &[&str], &[&str])] = &[
    (&["Abs", "Ceiling", "Floor", "Negative", "Sign"], NUMBERS, ONE),
    (&["Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cos", "Cosh", "Exp", "Log", "Sin", "Sinh"], NUMBERS, ONE),
    (&["Sqrt", "Tan", "Tanh", "ReLU", "Identity", "NonZero", "ShapeOf"], NUMBERS, ONE),
    (&["Round", "IsFinite", "IsInf", "IsNaN"], FLOATS, ONE),
    (&["BitwiseNot"], WHOLE, ONE),
    (&["LogicalNot"], FLAGS, ONE),
    (&["Add", "Subtract", "Multiply", "Divide", "Maximum", "Minimum"], NUMBERS, PAIR),
    (&["FloorMod", "Mod", "Power", "SquaredDifference"], NUMBERS, PAIR),
    (&["Equal", "NotEqual", "Greater", "GreaterEqual", "Less", "LessEqual"], NUMBERS, PAIR),
    (&["BitwiseAnd", "BitwiseOr", "BitwiseXor"], WHOLE, PAIR),
    (&["BitwiseLeftShift", "BitwiseRightShift"], WHOLE, &["T[2,3]", "T[3]"]),
    (&["LogicalAnd", "LogicalOr", "LogicalXor", "Xor"], FLAGS, PAIR),
];

/// Reductions and the types they take.
const REDUCTIONS: &[(&[&str], &[&str])] = &[
    (&["ReduceL1", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum"], NUMBERS),
    (&["ReduceLogicalAnd", "ReduceLogicalOr"], FLAGS),
];

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row("Assign", 3, EVERY, ONE, &[]),
    row("Assign", 6, EVERY, ONE, &[("variable_id", "v")]),
    row("BatchToSpace", 2, EVERY, &["T[4,2,2]", "i64[3] = 1,2,2", "i64[3] = 0,0,1", "i64[3] = 0,1,0"], &[]),
    row("Broadcast", 1, EVERY, &["T[3,1]", "i64[3] = 2,3,2"], &[]),
    row("Broadcast", 3, EVERY, &["T[3,1]", "i64[2] = 1,2"], &[("mode", "bidirectional")]),
    row("Broadcast", 3, EVERY, &["T[3]", "i64[2] = 3,2", "i64[1] = 0"], &[("mode", "explicit")]),
    row("Clamp", 1, NUMBERS, ONE, &[("min", "-1.5"), ("max", "4")]),
    row("Concat", 1, EVERY, &["T[2,3]", "T[2,1]", "T[2,2]"], &[("axis", "1")]),
    row("Convert", 1, NUMBERS, ONE, &[("destination_type", "i64")]),
    row("Convert", 1, NUMBERS, ONE, &[("destination_type", "u8")]),
    row("Convert", 1, NUMBERS, ONE, &[("destination_type", "f16")]),
    row("Convert", 1, NUMBERS, ONE, &[("destination_type", "boolean")]),
    row("ConvertLike", 1, NUMBERS, &["T[2,3]", "i32[1]"], &[]),
    row("ConvertPromoteTypes", 14, NUMBERS, &["T[3]", "f32[2]"], &[("promote_unsafe", "true")]),
    row("DepthToSpace", 1, EVERY, &["T[1,4,2,1]"], &[("block_size", "2"), ("mode", "depth_first")]),
    row("Eye", 9, EVERY, &["i64[] in 0..3", "i64[] in 0..3", "i64[] in -2..2"], &[("output_type", "i64")]),
    row("FakeQuantize", 1, FLOATS, &["T[2,3]", "T[3]", "T[]", "T[1,3]", "T[]"], &[("levels", "7")]),
    row("FakeQuantize", 1, FLOATS, &["T[4]", "f32[] = -2", "f32[] = 5", "f32[] = 0.1", "f32[] = 3"], &[("levels", "16")]),
    row("Gather", 1, EVERY, &["T[2,4]", "i64[3] in 0..3", "i64[] = 1"], &[]),
    row("Gather", 7, EVERY, &["T[2,4]", "i64[2,3] in 0..3", "i64[] = 1"], &[("batch_dims", "1")]),
    row("Gather", 8, EVERY, &["T[2,4]", "i64[3] in -5..4", "i64[] = -1"], &[]),
    row("GatherElements", 6, EVERY, &["T[2,4]", "i64[2,3] in -4..3"], &[("axis", "1")]),
    row("GatherND", 5, EVERY, &["T[2,4]", "i64[2,1] in 0..3"], &[("batch_dims", "1")]),
    row("GatherND", 8, EVERY, &["T[2,2,3]", "i64[2,2] in 0..1"], &[]),
    row("OneHot", 1, EVERY, &["i64[3] in -1..5", "i64[] = 4", "T[]", "T[]"], &[("axis", "-1")]),
    row("OneHot", 16, EVERY, &["i64[3] in -5..5", "i64[] = 4", "T[]", "T[]"], &[("negative_indices_mode", "normalize")]),
    row("Pad", 1, EVERY, &["T[3,2]", "i64[2] in 0..2", "i64[2] in 0..2", "T[]"], &[]),
    row("Pad", 12, EVERY, &["T[3,4]", "i64[2] in -1..2", "i64[2] in -1..2"], &[("pad_mode", "reflect")]),
    row("Pad", 12, EVERY, &["T[3,4]", "i64[2] in -1..2", "i64[2] in -1..2"], &[("pad_mode", "symmetric")]),
    row("Pad", 12, EVERY, &["T[3,4]", "i64[2] in -1..2", "i64[2] in -1..2"], &[("pad_mode", "edge")]),
    row("Range", 1, &["i64", "i32"], &["T[] in -3..3", "T[] in -3..9", "T[] in 1..3"], &[]),
    row("Range", 4, FLOATS, &["T[] in -3..3", "T[] in -3..9", "T[] in 1..3"], &[("output_type", "f32")]),
    row("Reshape", 1, EVERY, &["T[2,6]", "i64[2] = 3,-1"], &[("special_zero", "true")]),
    row("Reverse", 1, EVERY, &["T[2,3]", "i64[1] = -1"], &[("mode", "index")]),
    row("ReverseSequence", 1, EVERY, &["T[3,2]", "i64[2] in 1..3"], &[("batch_axis", "1"), ("seq_axis", "0")]),
    row("Roll", 7, EVERY, &["T[2,3]", "i64[2] in -4..4", "i64[2] = 0,-1"], &[]),
    row("ScatterElementsUpdate", 3, EVERY, &["T[2,3]", "i64[2,2] in -3..2", "T[2,2]", "i64[] = 1"], &[]),
    row("ScatterElementsUpdate", 12, NUMBERS, &["T[2,3]", "i64[2,2] in -3..2", "T[2,2]", "i64[] = 1"], &[("reduction", "sum")]),
    row("ScatterElementsUpdate", 12, NUMBERS, &["T[2,3]", "i64[2,2] in -3..2", "T[2,2]", "i64[] = 1"], &[("reduction", "max"), ("use_init_val", "false")]),
    row("ScatterNDUpdate", 4, EVERY, &["T[2,3]", "i64[2,1] in -2..1", "T[2,3]"], &[]),
    row("ScatterNDUpdate", 15, NUMBERS, &["T[4]", "i64[3,1] in -4..3", "T[3]"], &[("reduction", "prod")]),
    row("ScatterNDUpdate", 15, NUMBERS, &["T[4]", "i64[3,1] in -4..3", "T[3]"], &[("reduction", "sub")]),
    row("ScatterUpdate", 3, EVERY, &["T[4,2]", "i64[2] in 0..3", "T[2,2]", "i64[] = 0"], &[]),
    row("Select", 1, EVERY, &["boolean[2,3] in 0..1", "T[3]", "T[2,1]"], &[]),
    row("ShuffleChannels", 1, EVERY, &["T[2,6]"], &[("axis", "1"), ("group", "3")]),
    row("Slice", 8, EVERY, &["T[5,2]", "i64[1] in -6..6", "i64[1] in -6..6", "i64[1] in 1..2", "i64[1] = 0"], &[]),
    row("Slice", 8, EVERY, &["T[5,2]", "i64[1] in -6..6", "i64[1] in -6..6", "i64[1] in -2..-1", "i64[1] = 0"], &[]),
    row("SliceScatter", 15, EVERY, &["T[5,2]", "T[2,2]", "i64[1] = 1", "i64[1] = 5", "i64[1] = 2", "i64[1] = 0"], &[]),
    row("SpaceToBatch", 2, EVERY, &["T[1,2,3]", "i64[3] = 1,2,2", "i64[3] = 0,1,0", "i64[3] = 0,1,1"], &[]),
    row("SpaceToDepth", 1, EVERY, &["T[1,1,2,4]"], &[("block_size", "2"), ("mode", "blocks_first")]),
    row("Split", 1, EVERY, &["T[2,6]", "i64[] = 1"], &[("num_splits", "3")]),
    row("Squeeze", 1, EVERY, &["T[1,3,1]", "i64[1] = 0"], &[]),
    row("Squeeze", 15, EVERY, &["T[1,3,1]"], &[]),
    row("StridedSlice", 1, EVERY, &["T[5,3]", "i64[2] in -6..6", "i64[2] in -6..6", "i64[2] = 2,1"], &[("begin_mask", "0,1"), ("end_mask", "0,1"), ("shrink_axis_mask", "0,0")]),
    row("StridedSlice", 1, EVERY, &["T[5,3]", "i64[1] in -5..4", "i64[1] in -5..5", "i64[1] = -1"], &[("begin_mask", "0"), ("end_mask", "0"), ("shrink_axis_mask", "1")]),
    row("Tile", 1, EVERY, &["T[2,1]", "i64[3] in 0..2"], &[]),
    row("TopK", 1, NUMBERS, &["T[2,4]", "i64[] = 2"], &[("axis", "1"), ("mode", "max"), ("sort", "value")]),
    row("TopK", 3, NUMBERS, &["T[4,2]", "i64[] = 3"], &[("axis", "0"), ("mode", "min"), ("sort", "index")]),
    row("TopK", 11, NUMBERS, &["T[5]", "i64[] in 0..5"], &[("axis", "0"), ("mode", "min"), ("sort", "value"), ("stable", "true")]),
    row("Transpose", 1, EVERY, &["T[2,3,2]", "i64[3] = 2,0,1"], &[]),
    row("Unsqueeze", 1, EVERY, &["T[2,3]", "i64[2] = 0,-1"], &[]),
    row("VariadicSplit", 1, EVERY, &["T[6,2]", "i64[] = 0", "i64[3] = 2,-1,1"], &[]),
];

/// Every row, the families written out.
fn rows() -> Vec<Row> {
    let newest = |name: &str| operations().filter(|spec| spec.name == name).map(|spec| spec.opset).collect::<Vec<_>>();
    let mut rows: Vec<Row> = Vec::new();
    for (names, types, inputs) in ELEMENTWISE {
        for name in *names {
            let attrs: &[(&str, &str)] = if *name == "ShapeOf" { &[("output_type", "i64")] } else { &[] };
            rows.extend(newest(name).into_iter().map(|opset| row(name, opset, types, inputs, attrs)));
        }
    }
    for (names, types) in REDUCTIONS {
        for name in *names {
            for opset in newest(name) {
                rows.push(row(name, opset, types, &["T[2,3]", "i64[1] = -1"], &[]));
                rows.push(row(name, opset, types, &["T[2,2,2]", "i64[2] = 0,2"], &[("keep_dims", "true")]));
            }
        }
    }
    rows.extend(ROWS.iter().map(|r| row(r.name, r.opset, r.types, r.inputs, r.attrs)));
    rows
}

#[test]
fn every_operation_with_elements_has_a_row() {
    let rows = rows();
    let missing: Vec<String> = operations()
        .filter(|spec| !matches!(spec.eval, Eval::None))
        .filter(|spec| !rows.iter().any(|row| row.name == spec.name && row.opset == spec.opset))
        .map(|spec| format!("{} of opset{}", spec.name, spec.opset))
        .collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
}

#[test]
fn elements_fit_and_intervals_hold() {
    let cases = std::env::var("OVLINT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut wrong = Vec::new();
    let mut known = 0;
    for row in rows() {
        for ty in row.types {
            let mut runner = TestRunner::new_with_rng(config.clone(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
            let exact = std::cell::Cell::new(0);
            let result = runner.run(&vec(any::<u32>(), 160), |entropy| {
                let found = holds(&row, ty, &mut Entropy(entropy.into_iter()))?;
                exact.set(exact.get() + usize::from(found));
                Ok(())
            });
            known += usize::from(exact.get() > 0);
            if let Err(error) = result {
                wrong.push(format!("{} of opset{} on {ty}: {error}", row.name, row.opset));
            } else if exact.get() == 0 && !ROUGH.contains(&row.name) {
                wrong.push(format!("{} of opset{} on {ty} never gives elements", row.name, row.opset));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\nof {known} kinds of inputs", wrong.join("\n"));
}

/// Numbers to choose by; 0 chooses what is simplest.
struct Entropy(std::vec::IntoIter<u32>);

impl Entropy {
    /// A number below `count`.
    fn below(&mut self, count: u32) -> u32 {
        self.0.next().unwrap_or(0) % count
    }

    fn integer(&mut self, lower: i64, upper: i64) -> i64 {
        let offset = match self.below(8) {
            7 => return if self.below(2) == 0 { upper } else { lower },
            _ => i64::from(self.below(19)) - 9,
        };
        offset.clamp(lower, upper)
    }

    fn between(&mut self, lower: i64, upper: i64) -> i64 {
        lower + i64::from(self.below(u32::try_from(upper - lower + 1).unwrap()))
    }

    fn float(&mut self) -> f64 {
        match self.below(12) {
            11 => [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, 1e6, 65504.0][self.below(6) as usize],
            10 => f64::from(self.below(1 << 20)) / 1024.0 - 512.0,
            _ => (f64::from(self.below(37)) - 18.0) / 2.0,
        }
    }
}

/// Asserts the properties for one choice of inputs; whether there were elements to compare.
fn holds(row: &Row, ty: &str, entropy: &mut Entropy) -> Result<bool, TestCaseError> {
    let spec = find(row.name, row.opset).unwrap();
    let inputs: Vec<Fact> = row.inputs.iter().map(|input| exact(input, ty, entropy)).collect();
    let Some(outputs) = apply(spec, row, &inputs) else { return Ok(false) };
    let shown = |facts: &[Fact]| facts.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    for output in &outputs {
        let Some(value) = &output.value else { continue };
        let sizes: Option<Vec<usize>> = output.shape.sizes().map(|sizes| sizes.to_vec());
        let fits = sizes.as_deref() == Some(value.lengths()) && value.fits(output.ty);
        if !fits || !(value.is_exact() || ROUGH.contains(&row.name)) {
            return Err(TestCaseError::fail(format!("{} gives {output}", shown(&inputs))));
        }
    }
    for _ in 0..3 {
        let wide: Vec<Fact> = inputs.iter().map(|input| widened(input, entropy)).collect();
        let Some(around) = apply(spec, row, &wide) else {
            return Err(TestCaseError::fail(format!("{} is refused, {} is not", shown(&wide), shown(&inputs))));
        };
        for (around, output) in around.iter().zip(&outputs) {
            if !covers(around, output) {
                let (wide, inputs) = (shown(&wide), shown(&inputs));
                return Err(TestCaseError::fail(format!("{wide} gives {around}, {inputs} gives {output}")));
            }
        }
    }
    Ok(outputs.iter().any(|output| output.value.is_some()))
}

fn apply(spec: &'static OpSpec, row: &Row, inputs: &[Fact]) -> Option<Vec<Fact>> {
    let inputs: Vec<&Fact> = inputs.iter().collect();
    let attrs: Vec<(Cow<str>, Cow<str>)> =
        row.attrs.iter().map(|(name, text)| (Cow::Borrowed(*name), Cow::Borrowed(*text))).collect();
    let call = Call { spec, inputs: &inputs, attrs: &attrs, declared_outputs: None, wants_values: true };
    call.apply(&Limits::default()).outputs
}

/// The input with exact elements.
fn exact(text: &str, ty: &str, entropy: &mut Entropy) -> Fact {
    let (tensor, range) = match text.split_once(" in ") {
        Some((tensor, range)) => {
            let (lower, upper) = range.split_once("..").unwrap();
            (tensor, Some((lower.parse().unwrap(), upper.parse().unwrap())))
        }
        None => (text, None),
    };
    let is_random = tensor.starts_with('T') || range.is_some();
    let fact: Fact = tensor
        .replace(
            "f32[] =",
            &format!("{} =", if ty.starts_with('f') || ty == "bf16" { format!("{ty}[]") } else { "f32[]".to_owned() }),
        )
        .replacen('T', ty, usize::from(tensor.starts_with('T')))
        .parse()
        .unwrap();
    if !is_random {
        return fact;
    }
    let count = fact.shape.count().unwrap();
    let value = if fact.ty.is_float() {
        let number = |entropy: &mut Entropy| match range {
            #[allow(clippy::cast_precision_loss, reason = "the numbers of the rows are small")]
            Some((lower, upper)) => entropy.between(lower, upper) as f64,
            None => entropy.float(),
        };
        let numbers: Vec<f64> = (0..count).map(|_| held(fact.ty, number(entropy))).collect();
        Value::floats(&fact.shape, numbers.into_iter().map(Bounds::exact))
    } else {
        let (least, most) = fact.ty.integer_range().unwrap();
        let number = |entropy: &mut Entropy| match range {
            Some((lower, upper)) => entropy.between(lower, upper),
            None => entropy.integer(least, most),
        };
        Value::integers(&fact.shape, (0..count).map(|_| Bounds::exact(number(entropy))))
    };
    fact.with_value(value)
}

/// The number as a floating-point type holds it.
#[allow(clippy::cast_possible_truncation, reason = "rounding is what is wanted")]
fn held(ty: ElementType, number: f64) -> f64 {
    match ty {
        ElementType::F32 => f64::from(number as f32),
        ElementType::F16 => half::f16::from_f64(number).to_f64(),
        ElementType::Bf16 => half::bf16::from_f64(number).to_f64(),
        _ => number,
    }
}

/// The fact with less known of its elements, or with the same.
fn widened(fact: &Fact, entropy: &mut Entropy) -> Fact {
    let Some(value) = &fact.value else { return fact.clone() };
    let value = match value.elements() {
        _ if entropy.below(12) == 11 => None,
        Elements::Integers(all) => {
            let (least, most) = fact.ty.integer_range().unwrap();
            let wide = |one: &Bounds<i64>| {
                let lower = match entropy.below(6) {
                    5 => least,
                    steps @ (3 | 4) => one.lower.saturating_sub(i64::from(steps)).max(least),
                    _ => one.lower,
                };
                let upper = match entropy.below(6) {
                    5 => most,
                    steps @ (3 | 4) => one.upper.saturating_add(i64::from(steps)).min(most),
                    _ => one.upper,
                };
                Bounds { lower, upper }
            };
            Value::integers(&fact.shape, all.iter().map(wide).collect::<Vec<_>>())
        }
        Elements::Floats(all) => {
            let wide = |one: &Bounds<f64>| {
                let lower = match entropy.below(6) {
                    5 => f64::NEG_INFINITY,
                    steps @ (3 | 4) => held(fact.ty, one.lower - f64::from(steps) / 2.0),
                    _ => one.lower,
                };
                let upper = match entropy.below(6) {
                    5 => f64::INFINITY,
                    steps @ (3 | 4) => held(fact.ty, one.upper + f64::from(steps) / 2.0),
                    _ => one.upper,
                };
                Bounds { lower, upper }
            };
            Value::floats(&fact.shape, all.iter().map(wide).collect::<Vec<_>>())
        }
        Elements::Opaque(_) => None,
    };
    Fact { value: None, ..fact.clone() }.with_value(value)
}

/// Whether `wide` allows what `narrow` says. A bound says what a number is, if it is one: a NaN is allowed everywhere.
fn covers(wide: &Fact, narrow: &Fact) -> bool {
    let bare = |fact: &Fact| Fact { value: None, ..fact.clone() };
    let elements = match (&wide.value, &narrow.value) {
        (None, _) => true,
        (Some(_), None) => wide.shape != narrow.shape,
        (Some(wide), Some(narrow)) => match (wide.elements(), narrow.elements()) {
            (Elements::Integers(wide), Elements::Integers(narrow)) => {
                wide.len() == narrow.len()
                    && wide.iter().zip(narrow).all(|(w, n)| w.lower <= n.lower && n.upper <= w.upper)
            }
            (Elements::Floats(wide), Elements::Floats(narrow)) => {
                let holds =
                    |w: &Bounds<f64>, n: &Bounds<f64>| n.lower.is_nan() || w.lower <= n.lower && n.upper <= w.upper;
                wide.len() == narrow.len() && wide.iter().zip(narrow).all(|(w, n)| holds(w, n))
            }
            _ => false,
        },
    };
    bare(wide).contains(&bare(narrow)) && elements
}

#[test]
fn widening_loses_nothing() {
    let fact: Fact = "i64[3] = 1,2,3".parse().unwrap();
    let wide = widened(&fact, &mut Entropy(vec![0, 5, 0, 0, 5, 3, 4].into_iter()));
    assert_eq!(wide.to_string(), "i64[3] = ..1,2..,0..7");
    assert!(covers(&wide, &fact) && !covers(&fact, &wide));
    assert!(PartialShape::exact(&[3]).contains(&wide.shape));
}
