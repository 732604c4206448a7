//! The spans of `<dim>` elements, found again in the source: only findings need them, so the graph does not store them.

use super::xml::cursor::{Cursor, Token};
use crate::ir::Port;
use crate::source::{Source, Span};

/// One `<dim>` of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DimPlace {
    /// From the start tag to the end tag.
    pub element: Span,
    /// The text, or the start tag if there is none.
    pub text: Span,
}

/// Returns the text of every `<dim>` of a port, or its tag if there is no text.
pub(crate) fn dim_spans(source: &Source, port: &Port) -> Vec<Span> {
    dim_places(source, port).into_iter().map(|place| place.text).collect()
}

/// Returns every `<dim>` of a port.
pub(crate) fn dim_places(source: &Source, port: &Port) -> Vec<DimPlace> {
    let whole = Span { start: port.tag.start, end: port.end };
    let moved = |span: Span| Span { start: span.start + whole.start, end: span.end + whole.start };
    let mut cursor = Cursor::new(source.slice(whole));
    let mut places = Vec::new();
    let mut open: Option<DimPlace> = None;
    let mut depth = 0_usize;
    while let Ok(token) = cursor.next() {
        match token {
            Token::Start(tag) if tag.closes && tag.name == b"dim" && depth == 1 => {
                places.push(DimPlace { element: moved(tag.span), text: moved(tag.span) });
            }
            Token::Start(tag) if !tag.closes => {
                depth += 1;
                if tag.name == b"dim" && depth == 2 {
                    open = Some(DimPlace { element: tag.span, text: tag.span });
                }
            }
            Token::Text(span) if depth == 2 && !span.is_empty() => {
                if let Some(DimPlace { text, .. }) = &mut open {
                    // The first text replaces the tag; adjacent text extends it.
                    if source.slice(moved(*text)).first() == Some(&b'<') {
                        *text = span;
                    } else if text.end == span.start {
                        *text = text.to(span);
                    }
                }
            }
            Token::Close(end) => {
                depth = depth.saturating_sub(1);
                if depth == 1
                    && let Some(DimPlace { element, text }) = open.take()
                {
                    places.push(DimPlace { element: moved(element.to(end)), text: moved(text) });
                }
            }
            Token::End => break,
            _ => {}
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dims_are_found_with_their_blanks_and_comments() {
        let text = b"..<port id='0'><dim> 5 </dim><dim><!-- x -->7</dim><dim/><rt_info><dim>1</dim></rt_info></port>";
        let source = Source::new("x", text.to_vec());
        let port = Port {
            tag: Span::new(2, 15),
            end: u32::try_from(text.len()).unwrap(),
            id: None,
            precision: None,
            dims: (0, 0),
            source: (crate::ir::LayerId::NONE, 0),
        };
        let found: Vec<_> = dim_spans(&source, &port).into_iter().map(|span| source.text(span).into_owned()).collect();
        assert_eq!(found, ["5", "7", "<dim/>"]);
    }
}
