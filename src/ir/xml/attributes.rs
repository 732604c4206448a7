//! The attributes of a start tag, with the spans of names and values.

use crate::ir::Attribute;
use crate::source::{Source, Span};
use std::borrow::Cow;

/// A syntax error in a start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ir) struct Malformed {
    /// The byte offset.
    pub at: usize,
    pub reason: &'static str,
}

/// Iterates over the attributes of a start tag in order. The cursor has checked them, so none is malformed.
pub(crate) struct Attributes<'a> {
    /// The bytes after the element name.
    inside: &'a [u8],
    /// The offset of `inside` in the source.
    offset: usize,
    at: usize,
}

impl<'a> Attributes<'a> {
    pub(in crate::ir) fn new(inside: &'a [u8], offset: usize) -> Self {
        Self { inside, offset, at: 0 }
    }

    /// Checks that `inside`, at `offset` in the source, consists only of attributes.
    pub(in crate::ir) fn check(inside: &'a [u8], offset: usize) -> Result<(), Malformed> {
        let mut all = Self::new(inside, offset);
        while all.attribute()?.is_some() {}
        match all.rest() {
            [] => Ok(()),
            [b'<', ..] => Err(all.malformed("here should be the `>` of a tag")),
            _ => Err(all.malformed("here should be the name of an attribute")),
        }
    }

    fn rest(&self) -> &'a [u8] {
        self.inside.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) -> bool {
        let start = self.at;
        while self.inside.get(self.at).is_some_and(|byte| is_blank(*byte)) {
            self.at += 1;
        }
        self.at > start
    }

    /// Reads an attribute in the usual form: one blank, then `name="value"`.
    fn plain(&mut self) -> Option<Attribute> {
        let rest = self.rest().strip_prefix(b" ")?;
        let name = name_length(rest);
        let after = rest.get(name..)?.strip_prefix(b"=\"")?;
        let value = memchr::memchr(b'"', after)?;
        if name == 0 {
            return None;
        }
        let at = self.offset + self.at + 1;
        self.at += 1 + name + 2 + value + 1;
        let value_at = at + name + 2;
        Some(Attribute { name: Span::new(at, at + name), value: Span::new(value_at, value_at + value) })
    }

    /// Reads the next attribute; `None` at anything else.
    fn attribute(&mut self) -> Result<Option<Attribute>, Malformed> {
        if let Some(plain) = self.plain() {
            return Ok(Some(plain));
        }
        let blank = self.skip_blanks();
        let (name, length) = (self.at, name_length(self.rest()));
        if length == 0 {
            return Ok(None);
        }
        if !blank {
            return Err(self.malformed("attributes are not separated by a blank"));
        }
        self.at += length;
        self.skip_blanks();
        if self.rest().first() != Some(&b'=') {
            return Err(Malformed { at: self.offset + name, reason: "an attribute has no value" });
        }
        self.at += 1;
        self.skip_blanks();
        let Some(quote @ (b'"' | b'\'')) = self.rest().first() else {
            return Err(self.malformed("an attribute value is not quoted"));
        };
        let value = self.at + 1;
        let Some(end) = memchr::memchr(*quote, self.inside.get(value..).unwrap_or_default()) else {
            self.at = self.inside.len();
            return Err(self.malformed("an attribute value is not closed"));
        };
        self.at = value + end + 1;
        let span = |start: usize, length: usize| Span::new(self.offset + start, self.offset + start + length);
        Ok(Some(Attribute { name: span(name, length), value: span(value, end) }))
    }

    fn malformed(&self, reason: &'static str) -> Malformed {
        Malformed { at: self.offset + self.at, reason }
    }
}

impl Iterator for Attributes<'_> {
    type Item = Attribute;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.attribute().ok().flatten();
        if found.is_none() {
            self.at = self.inside.len(); // The iterator ends at what cannot be read.
        }
        found
    }
}

impl std::iter::FusedIterator for Attributes<'_> {}

/// Whether a byte is white space in XML.
pub(in crate::ir) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Trims white space at the end.
pub(in crate::ir) fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().rev().take_while(|byte| is_blank(**byte)).count();
    text.get(..text.len() - blanks).unwrap_or_default()
}

/// Returns the length of the name at the start of `text`. As in OpenVINO any non-ASCII byte may be part of it.
pub(in crate::ir) fn name_length(text: &[u8]) -> usize {
    let starts = |b: u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b':' | 0x80..);
    if !text.first().is_some_and(|b| starts(*b)) {
        return 0;
    }
    text.iter().take_while(|b| starts(**b) || b.is_ascii_digit() || matches!(b, b'-' | b'.')).count()
}

/// Returns the attributes of the start tag at `tag`.
pub(crate) fn attributes(source: &Source, tag: Span) -> Attributes<'_> {
    let inside = source.slice(tag).get(1..).unwrap_or_default();
    let name = name_length(inside);
    Attributes::new(inside.get(name..).unwrap_or_default(), tag.start as usize + 1 + name)
}

/// Finds an attribute of the start tag at `tag`.
pub(crate) fn find_attribute(source: &Source, tag: Span, name: &str) -> Option<Attribute> {
    attributes(source, tag).find(|attribute| source.slice(attribute.name) == name.as_bytes())
}

/// Resolves references as OpenVINO does: unknown and broken ones stay as written, and `&#0;` ends the text.
pub(crate) fn unescape(raw: &[u8]) -> Cow<'_, str> {
    let text = std::str::from_utf8(raw).map_or_else(|_| String::from_utf8_lossy(raw), Cow::Borrowed);
    if memchr::memchr(b'&', raw).is_none() {
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

/// Parses the reference at the start of `text`; returns its character and its length.
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

/// Describes the fault of the reference at the start of `text`, with its length; `None` if it is valid XML.
pub(crate) fn broken_reference(text: &[u8]) -> Option<(usize, String)> {
    let text = std::str::from_utf8(text.get(..text.len().min(64))?).unwrap_or("&");
    let Some((character, length)) = reference(text) else {
        let name = text.get(1..).unwrap_or_default();
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '#').unwrap_or(name.len());
        let is_entity = end > 0 && name.get(end..).is_some_and(|rest| rest.starts_with(';'));
        return Some(if is_entity {
            let entity = format!("&{};", name.get(..end).unwrap_or_default());
            (entity.len(), format!("`{entity}`, which XML does not know; OpenVINO keeps it as it is"))
        } else {
            (1, "a bare `&` instead of `&amp;`; other readers reject the file".to_owned())
        });
    };
    let written = text.get(..length).unwrap_or_default();
    match character {
        '\0' => Some((length, format!("`{written}`, where OpenVINO ends the name"))),
        char::REPLACEMENT_CHARACTER => Some((length, format!("`{written}`, which stands for no character"))),
        '\t' | '\n' | '\r' => None,
        control if control < ' ' => {
            Some((length, format!("`{written}`, a control character; other readers reject the file")))
        }
        _ => None,
    }
}

/// Resolves references in bytes; borrowed if there are none.
pub(crate) fn resolved(raw: &[u8]) -> Cow<'_, [u8]> {
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
        Attributes::check(inside.as_bytes(), 0).map_err(|malformed| malformed.reason)?;
        Ok(Attributes::new(inside.as_bytes(), 0).map(|a| (text(a.name), text(a.value))).collect())
    }

    #[test]
    fn names_and_values_are_found_in_place() {
        let want = |pairs: &[(&str, &str)]| Ok(pairs.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect());
        assert_eq!(all(" id=\"1\" name='a \"b\"'\n k = \"\" "), want(&[("id", "1"), ("name", "a \"b\""), ("k", "")]));
        assert_eq!(all(""), want(&[]));
        assert_eq!(all("\n"), want(&[]));
    }

    #[test]
    fn broken_syntax_is_refused() {
        assert_eq!(all(" a=1"), Err("an attribute value is not quoted"));
        assert_eq!(all(" a"), Err("an attribute has no value"));
        assert_eq!(all(" a=\"1\"b=\"2\""), Err("attributes are not separated by a blank"));
        assert_eq!(all(" a=\"1"), Err("an attribute value is not closed"));
        assert_eq!(all(" 1a=\"1\""), Err("here should be the name of an attribute"));
        assert_eq!(all(" \"a\"=\"1\""), Err("here should be the name of an attribute"));
        assert_eq!(all(" a=\"1\" / "), Err("here should be the name of an attribute"));
        assert_eq!(all("\x0ca=\"1\""), Err("here should be the name of an attribute"));
        assert_eq!(all(" a=\"1\"\n<b"), Err("here should be the `>` of a tag"));
    }

    #[test]
    fn what_cannot_be_read_ends_the_attributes() {
        for inside in [" a=1 b=\"2\"", " a", " a=\"1\"b=\"2\"", " a=\"1", " =", "\0"] {
            let mut all = Attributes::new(inside.as_bytes(), 0);
            assert!(all.by_ref().count() < inside.len(), "{inside}");
            assert_eq!(all.next(), None, "{inside}");
        }
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
