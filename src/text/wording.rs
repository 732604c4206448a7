//! Counted nouns in messages.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        let models = [0, 1, 2, 1200].map(|count| counted(count, "model"));
        assert_eq!(models, ["0 models", "1 model", "2 models", "1,200 models"]);
        assert_eq!([plural(1_i64), plural(-1_i64), plural("1..2")], ["", "s", "s"]);
    }
}
