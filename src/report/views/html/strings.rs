//! Texts that are written once and named by their numbers.

use std::collections::HashMap;

/// The texts of a model so far.
#[derive(Default)]
pub(super) struct Strings {
    all: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Strings {
    /// The number of a text.
    pub(super) fn number(&mut self, text: &str) -> usize {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.all.len();
        self.all.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }

    pub(super) fn into_all(self) -> Vec<String> {
        self.all
    }
}
