//! Escaping of text for XML and HTML: the report for `JUnit`, drawings, and the page of `ovlint report`.

use crate::text::escape;

/// Escapes text for an attribute or an element. XML cannot contain most control characters, so they are spelled out.
pub(in crate::report) fn text(plain: &str) -> String {
    let mut text = String::new();
    for character in escape::line(plain, usize::MAX).chars() {
        match character {
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '&' => text.push_str("&amp;"),
            '\'' => text.push_str("&apos;"),
            '"' => text.push_str("&quot;"),
            other => text.push(other),
        }
    }
    text
}

pub(in crate::report) const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
