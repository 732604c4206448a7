//! Errors that end the reading.

use super::attributes::Malformed;
use crate::source::Span;

/// The reason why reading stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Broken {
    /// The byte offset.
    pub at: usize,
    pub reason: String,
    /// The element that is not closed, or at which a limit was reached.
    pub element: Option<Span>,
    /// The flag that raises the limit, if a limit was reached.
    pub flag: Option<&'static str>,
}

impl Broken {
    /// Creates a syntax error.
    pub(in crate::ir) fn new(at: usize, reason: impl Into<String>) -> Self {
        Self { at, reason: reason.into(), element: None, flag: None }
    }

    /// Creates the error for a limit reached at an element.
    pub(in crate::ir) fn limit(element: Span, reason: String, flag: &'static str) -> Self {
        Self { at: element.start as usize, reason, element: Some(element), flag: Some(flag) }
    }
}

impl From<Malformed> for Broken {
    fn from(malformed: Malformed) -> Self {
        Self::new(malformed.at, malformed.reason)
    }
}

/// Creates the error for a file that ends inside some markup.
pub(in crate::ir) fn cut(at: usize, inside: &str) -> Broken {
    Broken::new(at, format!("the file ends inside {inside}; is the download complete?"))
}
