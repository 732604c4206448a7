//! Values that are written once and referred to by number, which keeps the data of the HTML page small.

use foldhash::fast::FixedState;
use serde::{Serialize, Serializer};
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// Distinct values in the order of first use, serialised as a list. The number of a value is its index.
pub(super) struct Numbered<T> {
    all: Vec<T>,
    numbers: HashMap<T, usize, FixedState>,
}

impl<T: Eq + Hash> Numbered<T> {
    /// Returns the number of a value.
    pub(super) fn number<Q>(&mut self, thing: &Q) -> usize
    where
        T: Borrow<Q>,
        Q: ToOwned<Owned = T> + Eq + Hash + ?Sized,
    {
        if let Some(number) = self.numbers.get(thing) {
            return *number;
        }
        let number = self.all.len();
        self.all.push(thing.to_owned());
        self.numbers.insert(thing.to_owned(), number);
        number
    }
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { all: Vec::new(), numbers: HashMap::default() }
    }
}

impl<T: Serialize> Serialize for Numbered<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.all.serialize(serializer)
    }
}
