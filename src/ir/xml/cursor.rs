//! A tokenizer with spans. quick-xml finds the events; then their bytes are checked against the grammar of pugixml, the parser
//! of OpenVINO. So exactly the files that OpenVINO can parse pass.

use super::attributes::{Attributes, is_blank, name_length, without_blanks};
use super::broken::{Broken, cut};
use super::doctype;
use super::odd_bytes::odd_bytes;
use crate::limits::COMMENTS;
use crate::source::Span;
use quick_xml::errors::{Error, IllFormedError};
use quick_xml::events::Event;
use quick_xml::reader::Reader;

/// The next token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A start tag; unless it is self-closing, content and an end tag follow.
    Start(Tag<'a>),
    /// An end tag.
    Close(Span),
    /// Text up to the next `<`, trimmed, with references unresolved; never blank. Or the content of a CDATA section.
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
    /// The element name.
    pub name: &'a [u8],
    /// The bytes between the name and the end of the tag.
    pub inside: &'a [u8],
    /// The offset of `inside` in the source.
    pub inside_at: usize,
    /// True if it is self-closing.
    pub closes: bool,
}

/// A position in the XML of a file.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    /// The reader of the remaining bytes.
    reader: Reader<&'a [u8]>,
    /// True if the last token was text: quick-xml then expects markup next.
    after_text: bool,
    /// The number of open elements.
    open: usize,
    /// The comments that start with `ovlint:`, up to one more than the limit.
    comments: Vec<Span>,
    /// The start of the bytes not yet checked for NUL and invalid UTF-8; the fast reader checks its own.
    unseen: usize,
    is_odd: bool,
    /// True if the fast reader is off.
    events_only: bool,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let reader = reader(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
        Self {
            bytes,
            reader,
            after_text: false,
            open: 0,
            comments: Vec::new(),
            unseen: 0,
            is_odd: false,
            events_only: false,
        }
    }

    /// Turns the fast reader off, so that tests can compare the two.
    #[cfg(test)]
    pub(in crate::ir) fn events_only(self) -> Self {
        Self { events_only: true, ..self }
    }

    /// Passes all bytes and the position to `read`, and goes on at the position that it returns. The bytes up to there must be
    /// whole elements of valid UTF-8 without a NUL.
    pub(in crate::ir) fn skip_plain(&mut self, read: impl FnOnce(&'a [u8], usize) -> usize) {
        if self.after_text || self.events_only {
            return;
        }
        let at = self.at();
        let end = read(self.bytes, at);
        if end > at {
            self.look_up_to(at);
            self.go_to(end);
            self.unseen = end;
        }
    }

    /// Whether the file has a NUL or invalid UTF-8 anywhere.
    pub(in crate::ir) fn has_odd_bytes(&mut self) -> bool {
        self.look_up_to(self.bytes.len());
        self.is_odd
    }

    fn look_up_to(&mut self, end: usize) {
        let unseen = self.bytes.get(self.unseen..end).unwrap_or_default();
        self.is_odd |= odd_bytes(unseen) != (None, None);
    }

    /// Drains the comments that start with `ovlint:`.
    pub(in crate::ir) fn take_comments(&mut self) -> Vec<Span> {
        std::mem::take(&mut self.comments)
    }

    /// Returns the end of the bytes.
    pub(in crate::ir) fn end(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the position.
    pub(in crate::ir) fn at(&self) -> usize {
        self.bytes.len() - self.reader.get_ref().len()
    }

    fn go_to(&mut self, at: usize) {
        *self.reader.get_mut() = self.rest(at);
    }

    fn rest(&self, from: usize) -> &'a [u8] {
        self.bytes.get(from..).unwrap_or_default()
    }

    /// Returns the next token. Skips comments and processing instructions, but keeps comments that start with `ovlint:`. An
    /// error is the last token.
    pub(crate) fn next(&mut self) -> Result<Token<'a>, Broken> {
        let found = self.token();
        if found.is_err() {
            self.go_to(self.bytes.len());
        }
        found
    }

    fn token(&mut self) -> Result<Token<'a>, Broken> {
        self.after_text = false;
        loop {
            let blanks = self.reader.get_ref().iter().take_while(|byte| is_blank(**byte)).count();
            let start = self.at() + blanks;
            self.go_to(start);
            let event = self.reader.read_event();
            if self.rest(start).starts_with(b"<!DOCTYPE") {
                return self.doctype(start).map(Token::Doctype);
            }
            let event = event.map_err(|error| self.broken(start, &error))?;
            let end = self.at();
            let content = |length: usize| self.bytes.get(start + 1..end - length).unwrap_or_default();
            match event {
                Event::Start(_) => {
                    self.open += 1;
                    return self.tag(start, content(1), false).map(Token::Start);
                }
                Event::Empty(_) => return self.tag(start, content(2), true).map(Token::Start),
                Event::End(_) => {
                    self.open = self.open.saturating_sub(1);
                    return Ok(Token::Close(Span::new(start, end)));
                }
                Event::Text(_) | Event::GeneralRef(_) => return Ok(Token::Text(self.text(start))),
                Event::CData(_) => return Ok(Token::Text(Span::new(start + 9, end - 3))),
                Event::Comment(text) => {
                    if text.trim_ascii_start().starts_with(b"ovlint:") && self.comments.len() <= COMMENTS {
                        self.comments.push(Span::new(start, end));
                    }
                }
                Event::Decl(_) => return Ok(Token::Declaration(Span::new(start, end))),
                Event::PI(_) if name_length(self.rest(start + 2)) == 0 => return Err(nameless_instruction(start)),
                Event::PI(_) => {}
                Event::DocType(_) => return Err(unknown_declaration(start)), // `<!DOCTYPE` in capitals is read above.
                Event::Eof => return Ok(Token::End),
            }
        }
    }

    /// Checks the start tag at `start`, whose bytes inside the brackets are `content`.
    fn tag(&self, start: usize, content: &'a [u8], closes: bool) -> Result<Tag<'a>, Broken> {
        let (name, inside) = content.split_at(name_length(content));
        if name.is_empty() {
            return Err(Broken::new(start, "`<` is not followed by the name of an element"));
        }
        let inside_at = start + 1 + name.len();
        Attributes::check(inside, inside_at)?;
        Ok(Tag { span: Span::new(start, self.at()), name, inside, inside_at, closes })
    }

    /// Reads the text at `start`, past the references at which quick-xml splits it.
    fn text(&mut self, start: usize) -> Span {
        self.after_text = true;
        while !matches!(self.reader.get_ref().first(), None | Some(b'<')) && self.reader.read_event().is_ok() {}
        let text = self.bytes.get(start..self.at()).unwrap_or_default();
        Span::new(start, start + without_blanks(text).len())
    }

    /// Reads the document type declaration at `start`, because quick-xml and pugixml disagree on the end of some.
    fn doctype(&mut self, start: usize) -> Result<Span, Broken> {
        if self.open > 0 {
            return Err(Broken::new(start, "a document type declaration inside an element"));
        }
        let inside = start + 9;
        let length = doctype::length(self.rest(inside)).ok_or_else(|| cut(start, "a document type declaration"))?;
        self.reader = reader(self.rest(inside + length));
        Ok(Span::new(start, inside + length))
    }

    /// Explains why quick-xml rejects the markup at `start`.
    fn broken(&self, start: usize, error: &Error) -> Broken {
        match self.rest(start) {
            [b'<', b'/', content @ ..] => broken_end_tag(start, content, error),
            [b'<', b'!', b'-', b'-', ..] => cut(start, "a comment"),
            [b'<', b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', ..] => cut(start, "character data"),
            [b'<', b'!', ..] => unknown_declaration(start),
            [b'<', b'?', content @ ..] if name_length(content) == 0 => nameless_instruction(start),
            [b'<', b'?', ..] => cut(start, "a processing instruction"),
            tag => {
                let content = tag.get(1..).unwrap_or_default();
                let content = without_blanks(content.strip_suffix(b"/").unwrap_or(content));
                let end = start + 1 + content.len();
                match self.tag(start, content, false) {
                    // An error in the last name may only mean that the file ends inside it.
                    Err(broken) if content.is_empty() || broken.at + name_length(self.rest(broken.at)) < end => broken,
                    _ => cut(start, "a tag"),
                }
            }
        }
    }

    /// Skips the content and the end tag of an element; `depth` limits the nesting.
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

    /// Creates the error for a file that ends inside `tag`.
    pub(in crate::ir) fn cut_short(&self, tag: Tag<'a>) -> Broken {
        let name = String::from_utf8_lossy(tag.name);
        let at = self.bytes.trim_ascii_end().len().saturating_sub(1);
        Broken { element: Some(tag.span), ..cut(at, &format!("<{name}>")) }
    }
}

/// Creates a reader of `bytes` that has read one event already. Before its first event quick-xml skips a byte order mark, but
/// OpenVINO reads a second byte order mark as text.
fn reader(bytes: &[u8]) -> Reader<&[u8]> {
    let mut reader = Reader::from_reader(b"<a/>".as_slice());
    reader.config_mut().allow_dangling_amp = true;
    let first = reader.read_event();
    debug_assert!(matches!(first, Ok(Event::Empty(_))), "an empty element");
    *reader.get_mut() = bytes;
    reader
}

/// Explains why quick-xml rejects the end tag at `start`, whose bytes after `</` are `content`.
fn broken_end_tag(start: usize, content: &[u8], error: &Error) -> Broken {
    let found = String::from_utf8_lossy(content.get(..name_length(content)).unwrap_or_default());
    match error {
        Error::IllFormed(IllFormedError::UnmatchedEndTag(_)) => Broken::new(start, "an end tag closes nothing"),
        _ if found.is_empty() && content.contains(&b'>') => {
            Broken::new(start, "an end tag has no name right after `</`")
        }
        Error::IllFormed(IllFormedError::MismatchedEndTag { expected, .. }) if *expected != found => {
            Broken::new(start, format!("expected `</{expected}>`, but `</{found}>` was found"))
        }
        _ if !content.contains(&b'>') => cut(start, "a tag"),
        _ => Broken::new(start, format!("an end tag has more in it than `</{found}>`")),
    }
}

fn unknown_declaration(start: usize) -> Broken {
    Broken::new(start, "`<!` starts neither a comment nor character data")
}

fn nameless_instruction(start: usize) -> Broken {
    Broken::new(start, "`<?` is not followed by a name")
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

    #[test]
    fn tokens_end_where_they_do_for_openvino() {
        let text =
            "\u{feff}<!DOCTYPE n [<![IGNORE[ ' ]]>]>\u{feff} <a>x &amp; & y; <b c='>'/>&#65; z\n<![CDATA[&>]]></a >";
        let source = crate::source::Source::new("x", text.as_bytes().to_vec());
        let mut cursor = Cursor::new(source.bytes());
        let tokens = std::iter::from_fn(|| match cursor.next().unwrap() {
            Token::Start(tag) => Some(tag.span),
            Token::Close(span) | Token::Text(span) | Token::Doctype(span) | Token::Declaration(span) => Some(span),
            Token::End => None,
        });
        let tokens: Vec<_> = tokens.map(|span| source.text(span)).collect();
        let doctype = "<!DOCTYPE n [<![IGNORE[ ' ]]>]>";
        assert_eq!(tokens, [doctype, "\u{feff}", "<a>", "x &amp; & y;", "<b c='>'/>", "&#65; z", "&>", "</a >"]);
    }
}
