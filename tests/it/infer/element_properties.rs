//! What holds for the elements of every operation that works them out: values fit the shapes inferred, exact inputs give
//! exact elements or wholly unknown ones, and intervals around the inputs give intervals around the outputs.
//!
//! Numbers of 32 and 64 bits stay far from the ends of their types: the arithmetic of intervals takes it that the sizes it
//! is made for do not overflow, while exact numbers wrap around.
//!
//! `OVLINT_DRAWS=500 cargo test element_properties` looks further.

mod rows;

use crate::draws::draws;
use ovlint::internal::limits::Limits;
use ovlint::internal::ops::apply::{Call, Extent};
use ovlint::internal::ops::{Eval, OpSpec, find, operations};
use ovlint::internal::types::{Bounds, ElementType, Elements, Fact, PartialShape, Value};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use rows::{ROUGH, Row, rows};
use std::borrow::Cow;

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

/// The draws of inputs of one operation and type.
const CASES: u32 = 8;

#[test]
fn elements_fit_and_intervals_hold() {
    let config = Config { cases: draws(CASES), failure_persistence: None, max_shrink_iters: 2000, ..Config::default() };
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
            if let Err(TestError::Fail(reason, _) | TestError::Abort(reason)) = result {
                wrong.push(format!("{} of opset{} on {ty}: {reason}", row.name, row.opset));
            } else if exact.get() == 0 && !ROUGH.contains(&row.name) {
                wrong.push(format!("{} of opset{} on {ty} never gives elements", row.name, row.opset));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\nof {known} kinds of inputs", wrong.join("\n"));
}

/// The largest integers; those of 8 bits end before.
const FAR: i64 = 1000;

/// Numbers to choose by; 0 chooses what is simplest.
struct Entropy(std::vec::IntoIter<u32>);

impl Entropy {
    /// A number below `count`.
    fn below(&mut self, count: u32) -> u32 {
        self.0.next().unwrap_or(0) % count
    }

    /// A number from `lower` to `upper`, most often a small one, and never a very large one.
    fn integer(&mut self, lower: i64, upper: i64) -> i64 {
        let number = match self.below(8) {
            7 => [-FAR, FAR][self.below(2) as usize],
            _ => i64::from(self.below(19)) - 9,
        };
        number.clamp(lower, upper)
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
        if !fits || !(is_exact_or_unknown(output, value) || ROUGH.contains(&row.name)) {
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

/// Whether every element is one number, or any that the type holds.
fn is_exact_or_unknown(output: &Fact, value: &Value) -> bool {
    match value.elements() {
        Elements::Integers(all) => {
            let (least, most) = output.ty.integer_range().unwrap();
            all.iter().all(|one| one.value().is_some() || one.lower <= least && one.upper >= most)
        }
        Elements::Floats(all) => all.iter().all(|one| one.value().is_some() || *one == Bounds::<f64>::ANY),
        Elements::Opaque(..) => true,
    }
}

fn apply(spec: &'static OpSpec, row: &Row, inputs: &[Fact]) -> Option<Vec<Fact>> {
    let inputs: Vec<&Fact> = inputs.iter().collect();
    let attrs: Vec<(Cow<str>, Cow<str>)> =
        row.attrs.iter().map(|(name, text)| (Cow::Borrowed(*name), Cow::Borrowed(*text))).collect();
    let call =
        Call { spec, inputs: &inputs, attrs: &attrs, declared_outputs: None, wants_values: true, extent: Extent::Full };
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
                Bounds::between(lower, upper)
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
                Bounds::between(lower, upper)
            };
            Value::floats(&fact.shape, all.iter().map(wide).collect::<Vec<_>>())
        }
        Elements::Opaque(..) => None,
    };
    Fact { value: None, ..fact.clone() }.with_value(value)
}

/// Whether `wide` allows what `narrow` says. A bound says what a number is, if it is one: a NaN is allowed everywhere, and
/// so is what narrow floats make of infinity less infinity, of which nothing is said.
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
                let holds = |w: &Bounds<f64>, n: &Bounds<f64>| {
                    n.lower.is_nan() || *n == Bounds::<f64>::ANY || w.lower <= n.lower && n.upper <= w.upper
                };
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
