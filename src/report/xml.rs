//! Text in XML reports.

use super::escape;

/// Text for an attribute or an element. XML has no way to write most hidden characters, so they are spelled out.
pub(super) fn text(plain: &str) -> String {
    quick_xml::escape::escape(escape::line(plain, usize::MAX)).into_owned()
}

pub(super) const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
