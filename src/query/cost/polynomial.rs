//! Sums of products of lengths.

use crate::types::symbol::Symbol;
use std::collections::BTreeMap;

/// A sum of products of lengths, none of which is negative. Lengths are multiplied out as far as they are numbers only: people
/// read `batch*(past + seq)` more easily than what comes of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Polynomial(BTreeMap<Vec<Symbol>, u128>);

impl Polynomial {
    /// The product of a number and of lengths that are not known.
    pub(crate) fn product(number: u128, mut lengths: Vec<Symbol>) -> Self {
        lengths.sort_unstable();
        Self(if number == 0 { BTreeMap::new() } else { BTreeMap::from([(lengths, number)]) })
    }

    /// The products, each a number and lengths that are not known; the number alone comes first.
    pub(crate) fn products(&self) -> impl ExactSizeIterator<Item = (u128, &[Symbol])> {
        self.0.iter().map(|(lengths, number)| (*number, lengths.as_slice()))
    }

    /// The number that it is, if no length is unknown.
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

    /// Takes back what was added before.
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

    /// Takes a number away, or all there is of it; how much is missing.
    fn take(&mut self, lengths: &[Symbol], number: u128) -> u128 {
        let Some(sum) = self.0.get_mut(lengths) else { return number };
        let missing = number.saturating_sub(*sum);
        *sum = sum.saturating_sub(number);
        if *sum == 0 {
            self.0.remove(lengths);
        }
        missing
    }

    /// Whether it is never more than `other`: every product has its share in those of `other` that have the same lengths, and
    /// possibly more that are 1 or more, which is what `is_positive` says of a length.
    pub(crate) fn is_at_most(&self, other: &Self, is_positive: &dyn Fn(Symbol) -> bool) -> bool {
        let mut change = Change { more: self.clone(), less: Self::default() };
        change.remove(other);
        change.more.is_made_up_for(&change.less, is_positive)
    }

    /// The same of what is left of both once what they share is taken away.
    fn is_made_up_for(&self, by: &Self, is_positive: &dyn Fn(Symbol) -> bool) -> bool {
        if self.0.is_empty() || by.0.is_empty() {
            return self.0.is_empty();
        }
        let [mut all, mut left] =
            [self, by].map(|sum| sum.0.iter().map(|(lengths, n)| (lengths, *n)).collect::<Vec<_>>());
        // The longest products have the fewest that are as long.
        all.sort_by_key(|(lengths, _)| std::cmp::Reverse(lengths.len()));
        left.sort_by_key(|(lengths, _)| lengths.len());
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

    /// What it is where every length is as `length` has it; `None` beyond 128 bits.
    pub(crate) fn evaluate(&self, length: &dyn Fn(Symbol) -> Option<u128>) -> Option<u128> {
        self.0.iter().try_fold(0_u128, |sum, (lengths, number)| {
            let product = lengths.iter().try_fold(*number, |product, one| product.checked_mul(length(*one)?))?;
            sum.checked_add(product)
        })
    }
}

/// Whether a product has all `lengths`, and besides them only some that are 1 or more. Both are in order.
fn has_all(product: &[Symbol], lengths: &[Symbol], is_positive: &dyn Fn(Symbol) -> bool) -> bool {
    let mut wanted = lengths.iter().peekable();
    product.iter().all(|one| wanted.next_if_eq(&one).is_some() || is_positive(*one)) && wanted.peek().is_none()
}

/// How a sum differs from what it was.
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

/// A sum that changes, and the largest that it was: every time is compared with now by the changes since, as most of a sum
/// stays the same.
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

    /// Takes back what was added before.
    pub(crate) fn remove(&mut self, sum: &Polynomial) {
        self.now.remove(sum);
        self.largest.iter_mut().for_each(|(change, _)| change.remove(sum));
    }

    /// Takes the sum as it is now into account; of equal ones the first stays.
    pub(crate) fn consider(&mut self, of: T, is_positive: &dyn Fn(Symbol) -> bool) {
        let is_less = |change: &Change| change.more.is_made_up_for(&change.less, is_positive);
        if self.are_many || self.largest.iter().any(|(change, _)| is_less(change)) {
            return;
        }
        self.largest.retain(|(change, _)| !change.less.is_made_up_for(&change.more, is_positive));
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

/// The largest of several sums: those of which none is known to be at most another, each with what it belongs to.
///
/// Those that many lengths decide are too many to be of use: then there are none.
#[derive(Debug, Clone)]
pub(crate) struct Largest<T> {
    pub(crate) sums: Vec<(Polynomial, T)>,
    /// Whether there were too many.
    pub(crate) are_many: bool,
}

/// Sums of which any may be the largest, at most.
const SUMS: usize = 64;

impl<T> Largest<T> {
    /// Takes one more sum into account; of equal ones the first stays.
    pub(crate) fn consider(&mut self, sum: &Polynomial, of: T, is_positive: &dyn Fn(Symbol) -> bool) {
        if self.are_many || self.sums.iter().any(|(other, _)| sum.is_at_most(other, is_positive)) {
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
