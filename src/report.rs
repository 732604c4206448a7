//! Findings and shapes as text and as JSON.

pub mod shapes;

use crate::types::Fact;

/// A fact without its elements.
pub(crate) fn bare_fact(fact: &Fact) -> String {
    format!("{}{}", fact.ty, fact.shape)
}

/// Text of a model for a terminal: control characters are shown as escapes.
pub(crate) fn escape(text: &str) -> String {
    if text.chars().all(|c| !c.is_control()) {
        return text.to_owned();
    }
    text.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}
