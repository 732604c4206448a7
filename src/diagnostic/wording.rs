//! Endings of words in messages.

/// The ending of a noun that is counted.
pub(crate) fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
