//! Texts of findings, which only reports read.

use crate::limits::TEXT;
use serde::{Deserialize, Serialize};

/// A text for people. It cannot be compared with a word, searched or split: what other code needs to know of a finding is
/// stored as a separate value. Only reports read the text, by [`Text::shown`].
///
/// ```
/// # use ovlint::internal::diagnostic::Text;
/// assert_eq!(Text::from("did you mean `axis`?").shown(), "did you mean `axis`?");
/// ```
///
/// ```compile_fail
/// # use ovlint::internal::diagnostic::Text;
/// let text = Text::from("did you mean `axis`?");
/// text.starts_with("did you mean");
/// ```
///
/// ```compile_fail
/// # use ovlint::internal::diagnostic::Text;
/// let text: &str = Text::from("`3x` is read as 3").as_ref();
/// ```
///
/// ```compile_fail
/// # use ovlint::internal::diagnostic::Text;
/// Text::from("`3x` is read as 3").to_string();
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text(String);

impl Text {
    /// Returns the text, for reports; Clippy rejects calls elsewhere.
    pub fn shown(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of bytes.
    pub(super) fn size(&self) -> usize {
        self.0.len()
    }

    /// Returns the text with `words` in front.
    pub(crate) fn after(mut self, words: &str) -> Self {
        self.0.insert_str(0, words);
        self
    }

    /// Truncates the text to the limit.
    pub(super) fn shorten(&mut self) {
        shorten(&mut self.0);
    }
}

/// Truncates a text to the limit.
pub(super) fn shorten(text: &mut String) {
    if text.len() > TEXT {
        let end = (0..=TEXT).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.push_str("...");
        text.shrink_to_fit();
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}
