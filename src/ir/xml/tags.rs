//! The start tags in a part of the XML, outside of comments and CDATA.

use super::cursor::{Cursor, Token};
use crate::source::{Source, Span};

/// Iterates over the start tags in a part of the source, with the element names. The part must consist of whole elements; the
/// iteration ends at broken XML.
pub(crate) fn tags(source: &Source, part: Span) -> impl Iterator<Item = (&[u8], Span)> {
    let mut cursor = Cursor::new(source.slice(part));
    std::iter::from_fn(move || {
        loop {
            match cursor.next().ok()? {
                Token::Start(tag) => {
                    let span = Span { start: tag.span.start + part.start, end: tag.span.end + part.start };
                    return Some((tag.name, span));
                }
                Token::End => return None,
                _ => {}
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_elements_and_nothing_else() {
        let text = "..<a><!-- <b> --><c x='>'/><![CDATA[<d>]]>&lt;e><?f <g>?></a>";
        let source = Source::new("x", text.as_bytes().to_vec());
        let found: Vec<_> = tags(&source, Span::new(2, text.len())).map(|(_, tag)| source.text(tag)).collect();
        assert_eq!(found, ["<a>", "<c x='>'/>"]);
        let source = Source::new("x", b"<a><b c></a><d/>".to_vec());
        assert_eq!(tags(&source, Span::new(0, 16)).map(|(name, _)| name).collect::<Vec<_>>(), [b"a"]);
    }
}
