//! Values and numbers as text.

use super::{Elements, Value};
use crate::types::Bounds;
use std::fmt;

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.elements {
            Elements::Integers(all) => list(f, all.iter().map(|one| integer_text(*one))),
            Elements::Floats(all) => list(f, all.iter().map(|one| float_text(*one))),
            Elements::Opaque(_, None) => f.write_str("*"),
            Elements::Opaque(_, Some(bytes)) => write!(f, "{bytes} bytes"),
        }
    }
}

/// Maximum number of elements in a text; a message with all elements could take megabytes.
const WRITTEN: usize = 1_000;

fn list(f: &mut fmt::Formatter<'_>, items: impl Iterator<Item = String>) -> fmt::Result {
    for (i, item) in items.enumerate() {
        if i == WRITTEN {
            return f.write_str(",...");
        }
        if i > 0 {
            f.write_str(",")?;
        }
        f.write_str(&item)?;
    }
    Ok(())
}

pub(crate) fn integer_text(bounds: Bounds<i64>) -> String {
    match (bounds.lower, bounds.upper) {
        (lower, upper) if lower == upper => lower.to_string(),
        (i64::MIN, i64::MAX) => "?".to_owned(),
        (lower, i64::MAX) => format!("{lower}.."),
        (i64::MIN, upper) => format!("..{upper}"),
        (lower, upper) => format!("{lower}..{upper}"),
    }
}

fn float_text(bounds: Bounds<f64>) -> String {
    if let Some(value) = bounds.value() {
        return digits(value);
    }
    match (bounds.lower, bounds.upper) {
        (f64::NEG_INFINITY, f64::INFINITY) => "?".to_owned(),
        (lower, f64::INFINITY) => format!("{}..", digits(lower)),
        (f64::NEG_INFINITY, upper) => format!("..{}", digits(upper)),
        (lower, upper) => format!("{}..{}", digits(lower), digits(upper)),
    }
}

/// A number with all its digits; a very small or large one in scientific notation: `3e-45`.
fn digits(number: f64) -> String {
    if is_plain(number) { number.to_string() } else { format!("{number:e}") }
}

/// A number for people: in the digits of an `f32` if that is exact.
pub(crate) fn number_text(number: f64) -> String {
    #[allow(clippy::cast_possible_truncation, reason = "rounded to see whether that changes the number")]
    let short = number as f32;
    match (f64::from(short).to_bits() == number.to_bits(), is_plain(number)) {
        (false, _) => digits(number),
        (true, true) => short.to_string(),
        (true, false) => format!("{short:e}"),
    }
}

/// Whether a number is short enough without scientific notation.
fn is_plain(number: f64) -> bool {
    number == 0.0 || (1e-5..1e16).contains(&number.abs()) || !number.is_finite()
}
