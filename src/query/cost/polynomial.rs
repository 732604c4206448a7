//! Polynomials in the dimensions of a model, and the maximum of several.

use crate::arrange::Arrange;
use crate::types::symbol::Symbol;
use std::collections::BTreeMap;

/// A sum of products of nonnegative dimensions, with a coefficient per product. A factor may be an expression such as
/// `past + seq`: it is not multiplied out, because `batch*(past + seq)` is easier to read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Polynomial(BTreeMap<Vec<Symbol>, u128>);

impl Polynomial {
    pub(crate) fn product(number: u128, mut lengths: Vec<Symbol>) -> Self {
        lengths.sort_unstable();
        Self(if number == 0 { BTreeMap::new() } else { BTreeMap::from([(lengths, number)]) })
    }

    /// Returns the products as coefficients and unknown dimensions; the constant term comes first.
    pub(crate) fn products(&self) -> impl ExactSizeIterator<Item = (u128, &[Symbol])> {
        self.0.iter().map(|(lengths, number)| (*number, lengths.as_slice()))
    }

    /// Returns the value if it is a constant.
    pub(crate) fn known(&self) -> Option<u128> {
        match self.0.first_key_value() {
            None => Some(0),
            Some((lengths, number)) => (self.0.len() == 1 && lengths.is_empty()).then_some(*number),
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (lengths, number) in &other.0 {
            self.put(lengths, *number);
        }
    }

    /// Subtracts a polynomial that was added before.
    pub(crate) fn remove(&mut self, other: &Self) {
        for (lengths, number) in &other.0 {
            self.take(lengths, *number);
        }
    }

    fn put(&mut self, lengths: &[Symbol], number: u128) {
        match self.0.get_mut(lengths) {
            Some(sum) => *sum = sum.saturating_add(number),
            None if number > 0 => _ = self.0.insert(lengths.to_vec(), number),
            None => {}
        }
    }

    /// Subtracts `number` from a coefficient, down to 0 at most; returns the rest that could not be subtracted.
    fn take(&mut self, lengths: &[Symbol], number: u128) -> u128 {
        let Some(sum) = self.0.get_mut(lengths) else { return number };
        let missing = number.saturating_sub(*sum);
        *sum = sum.saturating_sub(number);
        if *sum == 0 {
            self.0.remove(lengths);
        }
        missing
    }

    /// Whether it is provably at most `other` for all dimensions; `false` proves nothing. Every product must be covered by
    /// products of `other` that have the same dimensions as factors, and possibly further ones that are 1 or more: `2*a` is at
    /// most `a*b + a` if `b` is positive.
    pub(crate) fn is_at_most(&self, other: &Self, is_positive: &dyn Fn(Symbol) -> bool) -> bool {
        let mut change = Change { more: self.clone(), less: Self::default() };
        change.remove(other);
        change.more.is_covered_by(&change.less, is_positive)
    }

    /// Whether the products of `by` cover those of `self`; common products must have been subtracted from both.
    fn is_covered_by(&self, by: &Self, is_positive: &dyn Fn(Symbol) -> bool) -> bool {
        // A product is covered by products that are at least as long.
        let longest = |sum: &Self| sum.0.keys().map(Vec::len).max();
        if self.0.is_empty() || longest(self) > longest(by) {
            return self.0.is_empty();
        }
        let [mut all, mut left] =
            [self, by].map(|sum| sum.0.iter().map(|(lengths, n)| (lengths, *n)).collect::<Vec<_>>());
        // The longest products come first, because the fewest others can cover them.
        all.arrange_by_key(|(lengths, _)| std::cmp::Reverse(lengths.len()));
        left.arrange_by_key(|(lengths, _)| lengths.len());
        all.into_iter().all(|(lengths, mut wanted)| {
            for (longer, number) in &mut left {
                if wanted == 0 {
                    break;
                }
                let taken = wanted.min(*number);
                if taken > 0 && has_all(longer, lengths, is_positive) {
                    (wanted, *number) = (wanted - taken, *number - taken);
                }
            }
            wanted == 0
        })
    }

    /// Evaluates it for the dimensions that `length` gives; `None` beyond 128 bits.
    pub(crate) fn evaluate(&self, length: &dyn Fn(Symbol) -> Option<u128>) -> Option<u128> {
        self.0.iter().try_fold(0_u128, |sum, (lengths, number)| {
            let product = lengths.iter().try_fold(*number, |product, one| product.checked_mul(length(*one)?))?;
            sum.checked_add(product)
        })
    }
}

/// Whether a product has all of `lengths` as factors, and otherwise only dimensions of 1 or more. Both are sorted.
fn has_all(product: &[Symbol], lengths: &[Symbol], is_positive: &dyn Fn(Symbol) -> bool) -> bool {
    let mut wanted = lengths.iter().peekable();
    product.iter().all(|one| wanted.next_if_eq(&one).is_some() || is_positive(*one)) && wanted.peek().is_none()
}

/// The change of a sum since an earlier time: the products added and those subtracted, without common ones.
#[derive(Debug, Default)]
struct Change {
    more: Polynomial,
    less: Polynomial,
}

impl Change {
    fn add(&mut self, sum: &Polynomial) {
        for (lengths, number) in &sum.0 {
            self.more.put(lengths, self.less.take(lengths, *number));
        }
    }

    fn remove(&mut self, sum: &Polynomial) {
        for (lengths, number) in &sum.0 {
            self.less.put(lengths, self.more.take(lengths, *number));
        }
    }
}

/// A changing sum and its maximal values so far. Each maximal value is stored as the change since, which is small because
/// most of the sum stays the same.
#[derive(Debug)]
pub(crate) struct Varying<T> {
    now: Polynomial,
    largest: Vec<(Change, T)>,
    are_many: bool,
}

impl<T> Varying<T> {
    pub(crate) fn add(&mut self, sum: &Polynomial) {
        self.now.add(sum);
        self.largest.iter_mut().for_each(|(change, _)| change.add(sum));
    }

    /// Subtracts a sum that was added before.
    pub(crate) fn remove(&mut self, sum: &Polynomial) {
        self.now.remove(sum);
        self.largest.iter_mut().for_each(|(change, _)| change.remove(sum));
    }

    /// Records the current sum if it may be the largest; of equal ones the first stays.
    pub(crate) fn consider(&mut self, of: T, is_positive: &dyn Fn(Symbol) -> bool) {
        let is_less = |change: &Change| change.more.is_covered_by(&change.less, is_positive);
        if self.are_many || self.largest.iter().any(|(change, _)| is_less(change)) {
            return;
        }
        self.largest.retain(|(change, _)| !change.less.is_covered_by(&change.more, is_positive));
        self.largest.push((Change::default(), of));
        if self.largest.len() > SUMS {
            (self.largest, self.are_many) = (Vec::new(), true);
        }
    }

    pub(crate) fn into_largest(self) -> Largest<T> {
        let then = |(change, of): (Change, T)| {
            let mut sum = self.now.clone();
            sum.remove(&change.more);
            sum.add(&change.less);
            (sum, of)
        };
        Largest { sums: self.largest.into_iter().map(then).collect(), are_many: self.are_many }
    }
}

impl<T> Default for Varying<T> {
    fn default() -> Self {
        Self { now: Polynomial::default(), largest: Vec::new(), are_many: false }
    }
}

/// The maximal ones of several sums, each with its owner. `a*b` and `a*a` are both kept, because either may be larger.
///
/// If there are more than [`SUMS`], none is kept.
#[derive(Debug, Clone)]
pub(crate) struct Largest<T> {
    pub(crate) sums: Vec<(Polynomial, T)>,
    /// Set if there were too many.
    pub(crate) are_many: bool,
}

/// The maximum number of sums that may all be the largest.
const SUMS: usize = 64;

impl<T> Largest<T> {
    /// Records a sum if it may be the largest; of equal ones the first stays.
    pub(crate) fn consider(&mut self, sum: &Polynomial, of: T, is_positive: &dyn Fn(Symbol) -> bool) {
        let is_known = |(other, _): &(Polynomial, T)| sum == other || sum.is_at_most(other, is_positive);
        if self.are_many || self.sums.iter().any(is_known) {
            return;
        }
        self.sums.retain(|(other, _)| !other.is_at_most(sum, is_positive));
        self.sums.push((sum.clone(), of));
        if self.sums.len() > SUMS {
            (self.sums, self.are_many) = (Vec::new(), true);
        }
    }
}

impl<T> Default for Largest<T> {
    fn default() -> Self {
        Self { sums: Vec::new(), are_many: false }
    }
}
