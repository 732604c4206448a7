//! The start tags and the values in a part of the XML, outside of comments.

use super::attributes::{attributes, find_attribute, unescape};
use super::cursor::{Cursor, Token};
use crate::source::{Source, Span};

/// Iterates over the start tags in a part of the source, with the element names. The part must consist of whole elements; the
/// iteration ends at broken XML.
pub(crate) fn tags(source: &Source, part: Span) -> impl Iterator<Item = (&[u8], Span)> {
    levels(source, part).map(|(_, name, tag)| (name, tag))
}

/// Iterates over the start tags as [`tags`] does, each with the number of elements around it.
pub(crate) fn levels(source: &Source, part: Span) -> impl Iterator<Item = (usize, &[u8], Span)> {
    let mut cursor = Cursor::new(source.slice(part));
    let mut level = 0_usize;
    std::iter::from_fn(move || {
        loop {
            match cursor.next().ok()? {
                Token::Start(tag) => {
                    let span = Span { start: tag.span.start + part.start, end: tag.span.end + part.start };
                    let own = level;
                    level += usize::from(!tag.closes);
                    return Some((own, tag.name, span));
                }
                Token::Close(_) => level = level.saturating_sub(1),
                Token::End => return None,
                _ => {}
            }
        }
    })
}

/// Returns the children of all elements of this name in a part of the file, as start tags and texts.
pub(crate) fn children<'a>(source: &'a Source, part: Span, name: &'a [u8]) -> impl Iterator<Item = Span> + 'a {
    let mut cursor = Cursor::new(source.slice(part));
    // The level of the next element, and that of the children.
    let (mut level, mut inner) = (0_usize, None);
    std::iter::from_fn(move || {
        loop {
            let is_child = inner == Some(level);
            let span = match cursor.next().ok()? {
                Token::Start(tag) => {
                    level += usize::from(!tag.closes);
                    if inner.is_none() && !tag.closes && tag.name == name {
                        inner = Some(level);
                    }
                    tag.span
                }
                Token::Text(span) => span,
                Token::Close(_) => {
                    level = level.checked_sub(1)?;
                    inner = inner.filter(|inner| *inner <= level);
                    continue;
                }
                Token::End => return None,
                Token::Doctype(_) | Token::Declaration(_) => continue,
            };
            if is_child {
                return Some(Span { start: span.start + part.start, end: span.end + part.start });
            }
        }
    })
}

/// Returns the values inside an element by key, in the order of the file: of `<a><b c="1" value="2">3</b></a>` those of `b.c`
/// and, twice, of `b`. A `name` is a part of the key. An element without any value has an empty one.
pub(crate) fn values(source: &Source, element: Span) -> Vec<(String, String)> {
    let mut cursor = Cursor::new(source.slice(element));
    let (mut values, mut path, mut known): (Vec<(String, String)>, Vec<String>, usize) = Default::default();
    while let Ok(token) = cursor.next() {
        let key = || path.get(1..).unwrap_or_default().join(".");
        match token {
            Token::Start(tag) => {
                let span = Span { start: tag.span.start + element.start, end: tag.span.end + element.start };
                let name = find_attribute(source, span, "name").map(|name| unescape(source.slice(name.value)));
                let name = name.map(|name| format!(".{name}")).unwrap_or_default();
                path.push(String::from_utf8_lossy(tag.name).into_owned() + &name);
                known = values.len();
                let key = path.get(1..).unwrap_or_default().join(".");
                for attribute in attributes(source, span) {
                    let name = unescape(source.slice(attribute.name));
                    if name == "name" {
                        continue;
                    }
                    let key = if name == "value" { key.clone() } else { format!("{key}.{name}") };
                    values.push((key, unescape(source.slice(attribute.value)).into_owned()));
                }
                if tag.closes {
                    values.extend((known == values.len()).then(|| (key, String::new())));
                    path.pop();
                    known = usize::MAX;
                }
            }
            Token::Text(span) => {
                let span = Span { start: span.start + element.start, end: span.end + element.start };
                values.push((key(), unescape(source.slice(span)).into_owned()));
            }
            Token::Close(_) => {
                values.extend((known == values.len()).then(|| (key(), String::new())));
                path.pop();
                known = usize::MAX;
            }
            Token::End => break,
            Token::Doctype(_) | Token::Declaration(_) => {}
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_names_around_them() {
        let text =
            "<r><a value='1'/><b c='2' value=' 3'><d/><e>4 &amp; 5</e><!-- f --></b><g></g><h name='i' j='6'/></r>";
        let source = Source::new("x", text.as_bytes().to_vec());
        let found: Vec<String> =
            values(&source, Span::new(0, text.len())).iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(found, ["a=1", "b.c=2", "b= 3", "b.d=", "b.e=4 & 5", "g=", "h.i.j=6"]);
    }

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
