//! What ends the reading.

use super::attributes::Malformed;
use crate::source::Span;

/// Why the XML cannot be read on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Broken {
    /// The byte.
    pub at: usize,
    /// What is wrong there.
    pub reason: String,
    /// The element that is not closed, or the one at which a limit was reached.
    pub element: Option<Span>,
    /// The flag that raises the limit, if it is a limit that ends the reading.
    pub flag: Option<&'static str>,
}

impl Broken {
    /// A fault of the syntax.
    pub(in crate::ir) fn new(at: usize, reason: impl Into<String>) -> Self {
        Self { at, reason: reason.into(), element: None, flag: None }
    }

    /// A limit that was reached at an element.
    pub(in crate::ir) fn limit(element: Span, reason: String, flag: &'static str) -> Self {
        Self { at: element.start as usize, reason, element: Some(element), flag: Some(flag) }
    }
}

impl From<Malformed> for Broken {
    fn from(malformed: Malformed) -> Self {
        Self::new(malformed.at, malformed.reason)
    }
}

/// The file ends inside something.
pub(in crate::ir) fn cut(at: usize, inside: &str) -> Broken {
    Broken::new(at, format!("the file ends inside {inside}; is the download complete?"))
}
