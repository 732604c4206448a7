//! Counted nouns and lists in messages.

use std::borrow::Borrow;
use std::fmt::Display;

/// Returns the plural ending of a noun after a count: empty for `1`, otherwise `s`.
pub(crate) fn plural(count: impl Display) -> &'static str {
    if count.to_string() == "1" { "" } else { "s" }
}

/// Formats a number and a noun: `1 model`, `1,200 models`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), plural(count))
}

/// Formats a number with commas between the thousands.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a list of alternatives: `a`, `a or b`, `a, b or c`.
pub(crate) fn alternatives<S: Borrow<str>>(names: &[S]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {}", first.join(", "), last.borrow()),
        all => all.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        let models = [0, 1, 2, 1200].map(|count| counted(count, "model"));
        assert_eq!(models, ["0 models", "1 model", "2 models", "1,200 models"]);
        assert_eq!([plural(1_i64), plural(-1_i64), plural("1..2")], ["", "s", "s"]);
    }

    #[test]
    fn only_the_last_alternative_follows_or() {
        let lists = [&["a"][..], &["a", "b"], &["a", "b", "c"]].map(alternatives);
        assert_eq!(lists, ["a", "a or b", "a, b or c"]);
    }
}
