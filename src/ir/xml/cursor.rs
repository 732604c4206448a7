//! The XML of a file as tags with places. What is well formed here is what pugixml, with which OpenVINO reads, takes for
//! well formed: no more, as a file would pass that OpenVINO refuses, and no less.

use super::attributes::{Attributes, Malformed, is_blank, name_length, without_blanks};
use super::broken::{Broken, cut};
use super::doctype;
use super::odd_bytes::odd_bytes;
use crate::limits::COMMENTS;
use crate::source::Span;
use memchr::{memchr, memmem};

/// The next thing in the XML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A start tag; unless it closes itself, its content and an end tag follow.
    Start(Tag<'a>),
    /// An end tag.
    Close(Span),
    /// Text up to the next `<`, blanks around it cut off, references unresolved; never only blanks. Or character data,
    /// without its brackets, as it is.
    Text(Span),
    /// A document type declaration.
    Doctype(Span),
    /// The XML declaration.
    Declaration(Span),
    /// The end of the file.
    End,
}

/// A start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag<'a> {
    /// The bytes from `<` to `>`.
    pub span: Span,
    /// The element's name.
    pub name: &'a [u8],
    /// What stands between the name and the end of the tag.
    pub inside: &'a [u8],
    /// Where `inside` starts.
    pub inside_at: usize,
    /// Whether it closes itself.
    pub closes: bool,
}

/// A position in the XML of a file.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    /// The byte that is read next.
    at: usize,
    /// The names of the elements around.
    open: Vec<&'a [u8]>,
    /// The comments that start with `ovlint:`, one more than are heeded.
    comments: Vec<Span>,
    /// Where the bytes start that were not looked at for NUL and UTF-8 yet; what is read plainly is free of them.
    unseen: usize,
    is_odd: bool,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { bytes, at, open: Vec::new(), comments: Vec::new(), unseen: 0, is_odd: false }
    }

    /// Offers what is not read yet, with its place, and goes on by as many bytes as `read` took; they must be whole
    /// elements of UTF-8 without a NUL.
    pub(in crate::ir) fn skip_plain(&mut self, read: impl FnOnce(&'a [u8], usize) -> usize) {
        let at = self.at;
        let length = read(self.rest(at), at);
        if length > 0 {
            self.look_up_to(at);
            self.at = at + length;
            self.unseen = self.at;
        }
    }

    /// Whether there is a NUL or a byte that is not UTF-8 anywhere.
    pub(in crate::ir) fn has_odd_bytes(&mut self) -> bool {
        self.look_up_to(self.bytes.len());
        self.is_odd
    }

    fn look_up_to(&mut self, end: usize) {
        let unseen = self.bytes.get(self.unseen..end).unwrap_or_default();
        self.is_odd |= odd_bytes(unseen) != (None, None);
    }

    /// The comments to ovlint so far.
    pub(in crate::ir) fn take_comments(&mut self) -> Vec<Span> {
        std::mem::take(&mut self.comments)
    }

    /// The byte after the last that is read at all.
    pub(in crate::ir) fn end(&self) -> usize {
        self.bytes.len()
    }

    /// The byte that is read next.
    pub(in crate::ir) fn at(&self) -> usize {
        self.at
    }

    fn rest(&self, from: usize) -> &'a [u8] {
        self.bytes.get(from..).unwrap_or_default()
    }

    /// The next token; comments and processing instructions are passed over, and comments to ovlint are kept. Nothing
    /// follows what is broken.
    pub(crate) fn next(&mut self) -> Result<Token<'a>, Broken> {
        let found = self.token();
        if found.is_err() {
            self.at = self.bytes.len();
        }
        found
    }

    fn token(&mut self) -> Result<Token<'a>, Broken> {
        loop {
            let blanks = self.rest(self.at).iter().take_while(|byte| is_blank(**byte)).count();
            let start = self.at + blanks;
            match self.rest(start) {
                [] => {
                    self.at = start;
                    return Ok(Token::End);
                }
                [b'<', b'/', ..] => return self.end_tag(start).map(Token::Close),
                [b'<', b'!', b'-', b'-', text @ ..] => {
                    let length = memmem::find(text, b"-->").ok_or_else(|| cut(start, "a comment"))?;
                    self.at = start + 4 + length + 3;
                    self.comment(text.get(..length).unwrap_or_default(), start);
                }
                [b'<', b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', data @ ..] => {
                    let length = memmem::find(data, b"]]>").ok_or_else(|| cut(start, "character data"))?;
                    let data = start + 9;
                    self.at = data + length + 3;
                    return Ok(Token::Text(Span::new(data, data + length)));
                }
                [b'<', b'!', b'D', b'O', b'C', b'T', b'Y', b'P', b'E', inside @ ..] => {
                    if !self.open.is_empty() {
                        return Err(Broken::new(start, "a document type declaration inside an element"));
                    }
                    let length = doctype::length(inside).ok_or_else(|| cut(start, "a document type declaration"))?;
                    self.at = start + 9 + length;
                    return Ok(Token::Doctype(Span::new(start, self.at)));
                }
                [b'<', b'!', ..] => {
                    return Err(Broken::new(start, "`<!` starts neither a comment nor character data"));
                }
                [b'<', b'?', inside @ ..] => {
                    let name = name_length(inside);
                    if name == 0 {
                        return Err(Broken::new(start, "`<?` is not followed by a name"));
                    }
                    let (name, inside) = inside.split_at(name);
                    let length = memmem::find(inside, b"?>").ok_or_else(|| cut(start, "a processing instruction"))?;
                    self.at = start + 2 + name.len() + length + 2;
                    if name == b"xml" {
                        return Ok(Token::Declaration(Span::new(start, self.at)));
                    }
                }
                [b'<', rest @ ..] => return self.start_tag(start, rest).map(Token::Start),
                text => {
                    let length = memchr(b'<', text).unwrap_or(text.len());
                    self.at = start + length;
                    let text = without_blanks(text.get(..length).unwrap_or_default());
                    return Ok(Token::Text(Span::new(start, start + text.len())));
                }
            }
        }
    }

    fn comment(&mut self, text: &[u8], start: usize) {
        if text.trim_ascii_start().starts_with(b"ovlint:") && self.comments.len() <= COMMENTS {
            self.comments.push(Span::new(start, self.at));
        }
    }

    /// The start tag at `start`, of which `content` stands behind the `<`.
    fn start_tag(&mut self, start: usize, content: &'a [u8]) -> Result<Tag<'a>, Broken> {
        let (name, rest) = content.split_at(name_length(content));
        if name.is_empty() {
            return Err(Broken::new(start, "`<` is not followed by the name of an element"));
        }
        let inside_at = start + 1 + name.len();
        let length = match Attributes::length(rest) {
            Ok(length) => length,
            Err(malformed) if malformed.at >= rest.len() => return Err(cut(start, "a tag")),
            Err(malformed) => return Err(Malformed { at: inside_at + malformed.at, ..malformed }.into()),
        };
        let (inside, end) = rest.split_at(length);
        let closes = end.first() == Some(&b'/');
        self.at = inside_at + length + if closes { 2 } else { 1 };
        if !closes {
            self.open.push(name);
        }
        Ok(Tag { span: Span::new(start, self.at), name, inside, inside_at, closes })
    }

    /// The place of the end tag at `start`.
    fn end_tag(&mut self, start: usize) -> Result<Span, Broken> {
        let content = self.rest(start + 2);
        let name = content.get(..name_length(content)).unwrap_or_default();
        let behind = content.get(name.len()..).unwrap_or_default();
        let blanks = behind.iter().take_while(|byte| is_blank(**byte)).count();
        let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        match (behind.get(blanks), self.open.pop()) {
            (None, _) => Err(cut(start, "a tag")),
            (_, None) => Err(Broken::new(start, "an end tag closes nothing")),
            (_, Some(open)) if open != name => {
                Err(Broken::new(start, format!("expected `</{}>`, but `</{}>` was found", text(open), text(name))))
            }
            (Some(b'>'), _) => {
                self.at = start + 2 + name.len() + blanks + 1;
                Ok(Span::new(start, self.at))
            }
            _ => Err(Broken::new(start, format!("an end tag has more in it than `</{}>`", text(name)))),
        }
    }

    /// Passes over what stands in an element and its end tag; `depth` limits the nesting.
    pub(in crate::ir) fn skip_content(&mut self, tag: Tag<'a>, depth: usize) -> Result<(), Broken> {
        let mut open = usize::from(!tag.closes);
        while open > 0 {
            match self.next()? {
                Token::Start(inner) => {
                    open += usize::from(!inner.closes);
                    if open > depth {
                        let reason = format!("elements are nested more than {depth} deep");
                        return Err(Broken::limit(tag.span, reason, "--max-depth"));
                    }
                }
                Token::Close(_) => open -= 1,
                Token::End => return Err(self.cut_short(tag)),
                Token::Text(_) | Token::Doctype(_) | Token::Declaration(_) => {}
            }
        }
        Ok(())
    }

    /// The file ends inside `tag`.
    pub(in crate::ir) fn cut_short(&self, tag: Tag<'a>) -> Broken {
        let name = String::from_utf8_lossy(tag.name);
        let at = self.bytes.trim_ascii_end().len().saturating_sub(1);
        Broken { element: Some(tag.span), ..cut(at, &format!("<{name}>")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_end_inside_markup_are_asked_for_their_rest() {
        for text in [
            "<net><layer id='1' na",
            "<net><layer id='1'",
            "<net><layer id='1",
            "<net><layer",
            "<net><layer/",
            "<net></net ",
            "<net><!-- x",
            "<?xml ver",
            "<net><![CDATA[x",
            "<!DOCTYPE net [",
        ] {
            let mut cursor = Cursor::new(text.as_bytes());
            let broken = loop {
                match cursor.next() {
                    Ok(Token::End) => unreachable!("{text}"),
                    Ok(_) => {}
                    Err(broken) => break broken,
                }
            };
            assert!(broken.reason.starts_with("the file ends inside "), "{}", broken.reason);
            assert!(broken.reason.ends_with("; is the download complete?"), "{}", broken.reason);
        }
    }
}
