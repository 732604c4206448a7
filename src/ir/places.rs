//! Places that only findings need, found again in the source.

use super::cursor::{Cursor, Token};
use super::graph::Port;
use crate::source::{Source, Span};

/// The text of every `<dim>` of a port, or its tag where there is no text.
pub(crate) fn dim_spans(source: &Source, port: &Port) -> Vec<Span> {
    let whole = Span { start: port.tag.start, end: port.end };
    let moved = |span: Span| Span { start: span.start + whole.start, end: span.end + whole.start };
    let mut cursor = Cursor::new(source.slice(whole));
    let mut spans = Vec::new();
    let mut open: Option<Span> = None;
    let mut depth = 0_usize;
    while let Ok(token) = cursor.next() {
        match token {
            Token::Open(tag) => {
                depth += 1;
                if tag.name == b"dim" && depth == 2 {
                    open = Some(tag.span);
                }
            }
            Token::Closed(tag) if tag.name == b"dim" && depth == 1 => spans.push(moved(tag.span)),
            Token::Text(span) if depth == 2 && !span.is_empty() => {
                if let Some(dim) = &mut open {
                    // The first text takes the place of the tag, and what runs on widens it.
                    if source.slice(moved(*dim)).first() == Some(&b'<') {
                        *dim = span;
                    } else if dim.end == span.start {
                        *dim = dim.to(span);
                    }
                }
            }
            Token::Close(_) => {
                depth = depth.saturating_sub(1);
                if depth == 1 {
                    spans.extend(open.take().map(moved));
                }
            }
            Token::End => break,
            _ => {}
        }
    }
    spans
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
            source: (u32::MAX, 0),
        };
        let found: Vec<_> = dim_spans(&source, &port).into_iter().map(|span| source.text(span).into_owned()).collect();
        assert_eq!(found, ["5", "7", "<dim/>"]);
    }
}
