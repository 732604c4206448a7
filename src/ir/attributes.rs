//! The attributes of a start tag, with the place of every name and value.

use super::graph::Attribute;
use crate::source::{Source, Span};
use std::borrow::Cow;

/// Something that keeps a start tag from being read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed {
    /// The byte.
    pub at: usize,
    /// What is wrong there.
    pub reason: &'static str,
}

/// The attributes in the inside of a start tag, in order.
pub(super) struct Attributes<'a> {
    /// The tag from after its name to before its `>` or `/>`.
    inside: &'a [u8],
    /// Where `inside` starts in the source.
    offset: usize,
    at: usize,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(inside: &'a [u8], offset: usize) -> Self {
        Self { inside, offset, at: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.inside.get(self.at).copied()
    }

    fn skip_blanks(&mut self) -> bool {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
            self.at += 1;
        }
        self.at > start
    }

    /// An attribute as writers write it: one blank, then `name="value"` without anything between.
    fn plain(&mut self) -> Option<Attribute> {
        let rest = self.inside.get(self.at..)?.strip_prefix(b" ")?;
        let name = name_length(rest);
        let after = rest.get(name..)?.strip_prefix(b"=\"")?;
        let value = after.iter().position(|b| *b == b'"')?;
        if name == 0 {
            return None;
        }
        let at = self.offset + self.at + 1;
        self.at += 1 + name + 2 + value + 1;
        let value_at = at + name + 2;
        Some(Attribute { name: Span::new(at, at + name), value: Span::new(value_at, value_at + value) })
    }

    fn malformed(&self, reason: &'static str) -> Malformed {
        Malformed { at: self.offset + self.at, reason }
    }
}

impl Iterator for Attributes<'_> {
    type Item = Result<Attribute, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(plain) = self.plain() {
            return Some(Ok(plain));
        }
        let blank = self.skip_blanks();
        self.peek()?;
        if !blank {
            return Some(Err(self.malformed("attributes are not separated by a blank")));
        }
        let name = self.at;
        self.at += name_length(self.inside.get(name..).unwrap_or_default());
        let name_end = self.at;
        if name == name_end {
            return Some(Err(self.malformed("here should be the name of an attribute")));
        }
        self.skip_blanks();
        if self.peek() != Some(b'=') {
            return Some(Err(Malformed { at: self.offset + name, reason: "an attribute has no value" }));
        }
        self.at += 1;
        self.skip_blanks();
        let Some(quote @ (b'"' | b'\'')) = self.peek() else {
            return Some(Err(self.malformed("an attribute value is not quoted")));
        };
        self.at += 1;
        let value = self.at;
        let Some(length) = memchr::memchr(quote, self.inside.get(value..).unwrap_or_default()) else {
            return Some(Err(self.malformed("an attribute value is not closed")));
        };
        self.at = value + length + 1;
        let span = |start: usize, end: usize| Span::new(self.offset + start, self.offset + end);
        Some(Ok(Attribute { name: span(name, name_end), value: span(value, value + length) }))
    }
}

/// The length of the name that `text` starts with; OpenVINO takes any character beyond ASCII for a part of it.
pub(super) fn name_length(text: &[u8]) -> usize {
    let starts = |b: u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b':' | 0x80..);
    if !text.first().is_some_and(|b| starts(*b)) {
        return 0;
    }
    text.iter().take_while(|b| starts(**b) || b.is_ascii_digit() || matches!(b, b'-' | b'.')).count()
}

/// The attribute `name` of the start tag at `tag`.
pub(crate) fn find_attribute(source: &Source, tag: Span, name: &str) -> Option<Attribute> {
    let text = source.slice(tag);
    let element = text.iter().take_while(|b| !b.is_ascii_whitespace() && !matches!(b, b'>' | b'/')).count();
    let inside = text.get(element..)?.strip_suffix(b">")?;
    let inside = inside.strip_suffix(b"/").unwrap_or(inside);
    let mut all = Attributes::new(inside, tag.start as usize + element).filter_map(Result::ok);
    all.find(|attribute| source.slice(attribute.name) == name.as_bytes())
}

/// Attribute or element text with its references resolved as OpenVINO resolves them: those that are unknown or broken
/// stay as they are, and one to NUL ends the text.
pub(crate) fn unescape(raw: &[u8]) -> Cow<'_, str> {
    let text = std::str::from_utf8(raw).map_or_else(|_| String::from_utf8_lossy(raw), Cow::Borrowed);
    if !raw.contains(&b'&') {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    while let Some(at) = rest.find('&') {
        plain.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at..).unwrap_or_default();
        let (character, length) = reference(rest).unwrap_or(('&', 1));
        if character == '\0' {
            return Cow::Owned(plain);
        }
        plain.push(character);
        rest = rest.get(length..).unwrap_or_default();
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// The character that the reference at the start of `text` stands for, and the length of the reference.
fn reference(text: &str) -> Option<(char, usize)> {
    const NAMED: [(&str, char); 5] = [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&quot;", '"'), ("&apos;", '\'')];
    if let Some((name, character)) = NAMED.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((*character, name.len()));
    }
    let (digits, radix) = match text.strip_prefix("&#x") {
        Some(digits) => (digits, 16),
        None => (text.strip_prefix("&#")?, 10),
    };
    let length = digits.bytes().take_while(|b| char::from(*b).is_digit(radix)).count();
    if length == 0 || digits.as_bytes().get(length) != Some(&b';') {
        return None;
    }
    let digit = |code: u32, b: u8| code.wrapping_mul(radix).wrapping_add(char::from(b).to_digit(radix).unwrap_or(0));
    let code = digits.bytes().take(length).fold(0, digit);
    let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    Some((character, text.len() - digits.len() + length + 1))
}

/// The bytes of an attribute value or of text, references resolved; borrowed where there are none.
pub(super) fn resolved(raw: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'&', raw).is_none() {
        return Cow::Borrowed(raw);
    }
    Cow::Owned(unescape(raw).into_owned().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(inside: &str) -> Result<Vec<(String, String)>, &'static str> {
        let source = Source::new("x", inside.as_bytes().to_vec());
        let text = |span| source.text(span).into_owned();
        Attributes::new(inside.as_bytes(), 0)
            .map(|a| a.map(|a| (text(a.name), text(a.value))).map_err(|e| e.reason))
            .collect()
    }

    #[test]
    fn names_and_values_are_found_in_place() {
        let want = |pairs: &[(&str, &str)]| Ok(pairs.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect());
        assert_eq!(all(" id=\"1\" name='a \"b\"'\n k = \"\" "), want(&[("id", "1"), ("name", "a \"b\""), ("k", "")]));
        assert_eq!(all(""), want(&[]));
    }

    #[test]
    fn broken_syntax_is_told() {
        assert_eq!(all(" a=1"), Err("an attribute value is not quoted"));
        assert_eq!(all(" a"), Err("an attribute has no value"));
        assert_eq!(all(" a=\"1\"b=\"2\""), Err("attributes are not separated by a blank"));
        assert_eq!(all(" a=\"1"), Err("an attribute value is not closed"));
        assert_eq!(all(" 1a=\"1\""), Err("here should be the name of an attribute"));
        assert_eq!(all(" \"a\"=\"1\""), Err("here should be the name of an attribute"));
        assert_eq!(all(" a=\"1\" /"), Err("here should be the name of an attribute"));
    }

    #[test]
    fn attributes_are_found_again_by_name() {
        let source = Source::new("x", b"..<port id=\"7\" names=\"a\"/>".to_vec());
        let found = find_attribute(&source, Span::new(2, 26), "names").map(|a| source.text(a.value).into_owned());
        assert_eq!(found.as_deref(), Some("a"));
    }

    #[test]
    fn references_are_resolved_where_known() {
        assert_eq!(unescape(b"a&lt;b&#65;&#x4a;"), "a<bAJ");
        assert_eq!(unescape(b"&amp;amp;"), "&amp;");
        assert_eq!(unescape(b"&lt;&foo;&gt;& &#; &#x; &#6z; &LT;&"), "<&foo;>& &#; &#x; &#6z; &LT;&");
        assert_eq!(unescape(b"3&#0;2"), "3");
        assert_eq!(unescape(b"&#xd800;&#99999999999;"), "\u{fffd}\u{fffd}");
        assert_eq!(unescape(b"\xff&amp;"), "\u{fffd}&");
    }
}
