//! Stable sorts that share one body of code. The standard library compiles 6 kB for every type and key, and the command held 130
//! such copies. Here only indices are sorted. Use it for lists that are short or sorted once.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Stable sorts of slices.
pub(crate) trait Arrange<T> {
    /// Sorts by an order.
    fn arrange_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// Sorts by a key.
    fn arrange_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.arrange_by(|a, b| key(a).cmp(&key(b)));
    }

    /// Sorts in ascending order.
    fn arrange(&mut self)
    where
        T: Ord,
    {
        self.arrange_by(T::cmp);
    }
}

impl<T> Arrange<T> for [T] {
    fn arrange_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        sort(&mut order, &|a, b| compare(&self[a], &self[b]));
        // Every cycle of the permutation is closed once.
        for start in 0..self.len() {
            let mut at = start;
            loop {
                let from = std::mem::replace(&mut order[at], at);
                if from == start || from == at {
                    break;
                }
                self.swap(at, from);
                at = from;
            }
        }
    }
}

/// Sets and maps that take their entries one by one: `collect` sorts them first.
pub(crate) trait Fill: Iterator + Sized {
    /// The set of the items.
    fn into_set(self) -> BTreeSet<Self::Item>
    where
        Self::Item: Ord,
    {
        let mut set = BTreeSet::new();
        set.extend(self);
        set
    }

    /// The map of the pairs. Of two values of one key the later stays.
    fn into_map<K: Ord, V>(self) -> BTreeMap<K, V>
    where
        Self: Iterator<Item = (K, V)>,
    {
        let mut map = BTreeMap::new();
        map.extend(self);
        map
    }
}

impl<I: Iterator> Fill for I {}

#[inline(never)]
fn sort(order: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    order.sort_by(|a, b| compare(*a, *b));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_the_sort_of_the_standard_library(list: Vec<(u8, u32)>) {
            let (mut ours, mut theirs) = (list.clone(), list);
            ours.arrange_by_key(|one| one.0 % 16);
            theirs.sort_by_key(|one| one.0 % 16);
            prop_assert_eq!(&ours, &theirs);
            ours.arrange();
            theirs.sort_unstable();
            prop_assert_eq!(ours, theirs);
        }
    }
}
