//! The numerical difference of two constants of the same type and shape.

use crate::ir::{Constant, Weights};
use crate::ops::position;
use crate::types::codec::{self, Element};
use serde::Serialize;

/// The number of elements compared at once: a multiple of the block size of every type.
const CHUNK: u64 = 1 << 17;

/// A constant whose elements differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValueChange {
    /// The name of the constant.
    pub name: String,
    /// Its element type and shape.
    #[serde(rename = "type")]
    pub ty: String,
    /// The number of its elements.
    pub elements: u64,
    /// The number of elements that differ.
    pub different: u64,
    /// The largest absolute difference; `None` if all differences are NaN.
    pub largest: Option<f64>,
    /// The indices of the first element that differs.
    pub first: Vec<usize>,
}

/// The result of comparing two constants.
#[derive(Debug, PartialEq)]
pub(super) enum Outcome {
    Same,
    /// They differ; with the numerical difference if the elements are numbers.
    Differ(Option<ValueChange>),
    /// One cannot be read.
    Unread,
}

/// Compares two constants of the same type and shape.
pub(super) fn compare(a: &Constant, was: &Weights, b: &Constant, is: &Weights, name: &dyn Fn() -> String) -> Outcome {
    let (Some(elements), Some(_)) = (a.elements(), a.bytes_needed()) else { return opaque(a, was, b, is) };
    let mut found = Found::default();
    let mut at = 0;
    while at < elements {
        let count = (elements - at).min(CHUNK);
        let bytes = |constant: &Constant, weights: &Weights| {
            let size = usize::try_from(constant.ty.storage(count)?).ok()?;
            weights.read(constant.offset.checked_add(constant.ty.storage(at)?)?, size)
        };
        let (Some(x), Some(y)) = (bytes(a, was), bytes(b, is)) else { return Outcome::Unread };
        if x != y {
            let codes = (0..count).map_while(|i| {
                let index = usize::try_from(i).ok()?;
                Some((at + i, codec::code(a.ty, &x, index)?, codec::code(a.ty, &y, index)?))
            });
            for (index, x, y) in codes.filter(|(_, x, y)| x != y) {
                found.add(index, codec::element(a.ty, x), codec::element(a.ty, y));
            }
        }
        at += count;
    }
    let Some(first) = found.first else { return Outcome::Same };
    let (ty, largest) = (format!("{}{}", b.ty, b.shape()), found.largest);
    let lengths: Vec<usize> = a.lengths.iter().filter_map(|length| usize::try_from(*length).ok()).collect();
    let first = position(usize::try_from(first).unwrap_or(usize::MAX), &lengths).to_vec();
    Outcome::Differ(Some(ValueChange { name: name(), ty, elements, different: found.different, largest, first }))
}

/// Returns the outcome for a constant and itself.
pub(super) fn itself(constant: &Constant, weights: &Weights) -> Outcome {
    let size = constant.bytes_needed().unwrap_or(constant.size);
    let is_held = size == 0 || constant.offset.checked_add(size).is_some_and(|end| end <= weights.size());
    if is_held { Outcome::Same } else { Outcome::Unread }
}

/// Compares constants whose elements have no fixed size.
fn opaque(a: &Constant, was: &Weights, b: &Constant, is: &Weights) -> Outcome {
    if a.size != b.size {
        return Outcome::Differ(None);
    }
    let mut at = 0;
    while at < a.size {
        let count = (a.size - at).min(CHUNK);
        let bytes = |constant: &Constant, weights: &Weights| {
            weights.read(constant.offset.checked_add(at)?, usize::try_from(count).ok()?)
        };
        match (bytes(a, was), bytes(b, is)) {
            (Some(x), Some(y)) if x == y => at += count,
            (Some(_), Some(_)) => return Outcome::Differ(None),
            _ => return Outcome::Unread,
        }
    }
    Outcome::Same
}

/// The differences so far.
#[derive(Default)]
struct Found {
    different: u64,
    largest: Option<f64>,
    first: Option<u64>,
}

impl Found {
    fn add(&mut self, index: u64, x: Element, y: Element) {
        self.different += 1;
        self.first = self.first.or(Some(index));
        let size = distance(x, y);
        if !size.is_nan() && self.largest.is_none_or(|largest| size > largest) {
            self.largest = Some(size);
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "a rounded number for people")]
fn distance(x: Element, y: Element) -> f64 {
    match (x, y) {
        (Element::Integer(x), Element::Integer(y)) => x.abs_diff(y) as f64,
        (Element::Single(x), Element::Single(y)) => (f64::from(x) - f64::from(y)).abs(),
        (Element::Double(x), Element::Double(y)) => (x - y).abs(),
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ElementType as T;

    /// Compares two constants of these elements, given as codes.
    fn compared(ty: T, lengths: &[i64], old: &[u64], new: &[u64]) -> Outcome {
        let constant =
            |offset| Constant { ty, lengths: lengths.into(), offset, size: ty.storage(old.len() as u64).unwrap() };
        let weights = |offset: usize, codes: &[u64]| {
            let size = usize::try_from(ty.storage(codes.len() as u64).unwrap()).unwrap();
            let mut bytes = vec![0; offset + size];
            codec::fill(ty, codes.len(), &mut bytes[offset..], |index| codes[index]);
            Weights::in_memory(bytes)
        };
        compare(&constant(0), &weights(0, old), &constant(3), &weights(3, new), &|| "c".to_owned())
    }

    fn change(ty: T, lengths: &[i64], old: &[u64], new: &[u64]) -> (u64, Option<f64>, Vec<usize>) {
        match compared(ty, lengths, old, new) {
            Outcome::Differ(Some(change)) => (change.different, change.largest, change.first),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_type_of_numbers_is_compared() {
        let f32 = |number: f32| u64::from(number.to_bits());
        let (one, nan) = (f32(1.0), f32(f32::NAN));
        assert_eq!(compared(T::F32, &[2], &[one, nan], &[one, nan]), Outcome::Same);
        assert_eq!(change(T::F32, &[2, 2], &[0, 0, 0, 0], &[0, 0, one, f32(-2.5)]), (2, Some(2.5), vec![1, 0]));
        assert_eq!(change(T::F32, &[1], &[one], &[nan]), (1, None, vec![0]));
        assert_eq!(change(T::F32, &[2], &[one, 0], &[nan, one]), (2, Some(1.0), vec![0]));
        assert_eq!(change(T::F16, &[], &[0x3c00], &[0x4000]), (1, Some(1.0), vec![]));
        assert_eq!(change(T::Bf16, &[3], &[0, 0, 0x3f80], &[0, 0, 0xbf80]), (1, Some(2.0), vec![2]));
        assert_eq!(change(T::F64, &[1], &[0], &[2.5_f64.to_bits()]), (1, Some(2.5), vec![0]));
        assert_eq!(change(T::I4, &[3], &[7, 1, 0], &[8, 1, 1]), (2, Some(15.0), vec![0]));
        assert_eq!(change(T::U3, &[9], &[0; 9], &[0, 0, 0, 0, 0, 0, 0, 0, 5]), (1, Some(5.0), vec![8]));
        assert_eq!(change(T::Nf4, &[2], &[0, 0], &[0, 15]), (1, Some(2.0), vec![1]));
        assert_eq!(change(T::U64, &[1], &[0], &[u64::MAX]), (1, Some(2f64.powi(64)), vec![0]));
        for ty in T::all().filter(|ty| ty.bits() > 0) {
            assert_eq!(change(ty, &[2, 5], &[0; 10], &[0, 0, 0, 0, 0, 0, 1, 0, 0, 1]).0, 2, "{ty}");
        }
    }

    #[test]
    fn constants_are_compared_piece_by_piece() {
        let count = usize::try_from(CHUNK).unwrap() + 9;
        for ty in [T::U8, T::U6, T::U1] {
            let old = vec![0; count];
            let mut new = old.clone();
            new[count - 2] = 1;
            let lengths = [i64::try_from(count).unwrap()];
            assert_eq!(change(ty, &lengths, &old, &new), (1, Some(1.0), vec![count - 2]), "{ty}");
            assert_eq!(compared(ty, &lengths, &old, &old), Outcome::Same);
        }
    }

    #[test]
    fn what_a_file_does_not_hold_is_unread() {
        let constant = Constant { ty: T::F32, lengths: [2].into_iter().collect(), offset: 4, size: 8 };
        let weights = Weights::in_memory(vec![0; 8]);
        assert_eq!(compare(&constant, &weights, &constant, &weights, &String::new), Outcome::Unread);
    }
}
