//! The XML of a file as tags with places, over quick-xml's events.
//!
//! Every event borrows from the source, so a place is the distance of its bytes from the start of the source.

use super::attributes::{Attributes, Malformed, name_length};
use crate::limits::COMMENTS;
use crate::source::Span;
use quick_xml::Reader;
use quick_xml::events::Event;

/// The next thing in the XML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A start tag; unless it closes itself, its content and an end tag follow.
    Start(Tag<'a>),
    /// An end tag.
    Close(Span),
    /// Text, blanks around it cut off, references unresolved; never only blanks.
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
pub(super) struct Tag<'a> {
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

/// Why the XML cannot be read on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Broken {
    /// The byte.
    pub at: usize,
    /// What is wrong there.
    pub reason: String,
    /// The element that is not closed, or the one at which a limit was reached.
    pub element: Option<Span>,
    /// The flag that raises the limit, if it is a limit that ends the reading.
    pub flag: Option<&'static str>,
}

impl Broken {
    /// A fault of the syntax.
    pub(super) fn new(at: usize, reason: impl Into<String>) -> Self {
        Self { at, reason: reason.into(), element: None, flag: None }
    }

    /// A limit that was reached at an element.
    pub(super) fn limit(element: Span, reason: String, flag: &'static str) -> Self {
        Self { at: element.start as usize, reason, element: Some(element), flag: Some(flag) }
    }
}

impl From<Malformed> for Broken {
    fn from(malformed: Malformed) -> Self {
        Self::new(malformed.at, malformed.reason)
    }
}

/// A position in the XML of a file.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    reader: Reader<&'a [u8]>,
    /// Whether the last event was text, after which quick-xml is about to read a tag.
    after_text: bool,
    /// The comments that start with `ovlint:`, one more than are heeded.
    comments: Vec<Span>,
    /// Where the bytes start that were not looked at for NUL and UTF-8 yet; what is read plainly is free of them.
    unseen: usize,
    is_odd: bool,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut reader = Reader::from_reader(bytes);
        let config = reader.config_mut();
        config.trim_text(true);
        config.allow_dangling_amp = true;
        Self { bytes, reader, after_text: false, comments: Vec::new(), unseen: 0, is_odd: false }
    }

    /// Where `part`, which borrows from the source, stands.
    fn span_of(&self, part: &[u8]) -> Span {
        let start = (part.as_ptr() as usize).wrapping_sub(self.bytes.as_ptr() as usize);
        Span::new(start, start.saturating_add(part.len()))
    }

    /// `part`, which borrows from the source, for as long as the source lives.
    fn in_source(&self, part: &[u8]) -> &'a [u8] {
        self.bytes.get(self.span_of(part).range()).unwrap_or_default()
    }

    /// Offers what is not read yet, with its place, and goes on by as many bytes as `read` took; they must be whole
    /// elements of UTF-8 without a NUL.
    pub(super) fn skip_plain(&mut self, read: impl FnOnce(&'a [u8], usize) -> usize) {
        if self.after_text {
            return;
        }
        let at = self.at();
        let rest = self.reader.get_mut();
        let length = read(rest, at);
        *rest = rest.get(length..).unwrap_or_default();
        if length > 0 {
            self.look_up_to(at);
            self.unseen = at + length;
        }
    }

    /// Whether there is a NUL or a byte that is not UTF-8 anywhere.
    pub(super) fn has_odd_bytes(&mut self) -> bool {
        self.look_up_to(self.bytes.len());
        self.is_odd
    }

    fn look_up_to(&mut self, end: usize) {
        let unseen = self.bytes.get(self.unseen..end).unwrap_or_default();
        self.is_odd |= odd_bytes(unseen) != (None, None);
    }

    /// The comments to ovlint so far.
    pub(super) fn take_comments(&mut self) -> Vec<Span> {
        std::mem::take(&mut self.comments)
    }

    /// The byte after the last that is read at all.
    pub(super) fn end(&self) -> usize {
        self.bytes.len()
    }

    /// The byte that is read next.
    pub(super) fn at(&self) -> usize {
        self.bytes.len() - self.reader.get_ref().len()
    }

    /// The next token; comments and processing instructions are passed over, and comments to ovlint are kept.
    pub(super) fn next(&mut self) -> Result<Token<'a>, Broken> {
        loop {
            let mut before = self.at();
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(error) => return Err(Broken::new(self.after_blanks(before), reason(&error))),
            };
            if matches!(event, Event::DocType(_) | Event::Decl(_) | Event::End(_)) {
                before = self.after_blanks(before);
            }
            self.after_text = matches!(event, Event::Text(_) | Event::GeneralRef(_));
            return Ok(match event {
                Event::Start(start) => Token::Start(self.tag(self.in_source(&start), false)?),
                Event::Empty(start) => Token::Start(self.tag(self.in_source(&start), true)?),
                Event::End(_) => Token::Close(Span::new(before, self.at())),
                Event::Text(text) => {
                    if text.is_empty() {
                        continue;
                    }
                    Token::Text(self.span_of(&text))
                }
                Event::CData(data) => Token::Text(self.span_of(&data)),
                Event::GeneralRef(_) => Token::Text(Span::new(before, self.at())),
                Event::DocType(_) => Token::Doctype(Span::new(before, self.at())),
                Event::Decl(_) => Token::Declaration(Span::new(before, self.at())),
                Event::Comment(text) => {
                    if text.trim_ascii_start().starts_with(b"ovlint:") && self.comments.len() <= COMMENTS {
                        let inside = self.span_of(&text).range();
                        self.comments.push(Span::new(inside.start - 4, inside.end + 3));
                    }
                    continue;
                }
                Event::PI(_) => continue,
                Event::Eof => Token::End,
            });
        }
    }

    /// The first byte from `at` on that is no blank.
    fn after_blanks(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    fn tag(&self, content: &'a [u8], closes: bool) -> Result<Tag<'a>, Broken> {
        let start = self.span_of(content).start as usize;
        let (name, inside) = content.split_at(name_length(content));
        if name.is_empty() {
            return Err(Broken::new(start - 1, "`<` is not followed by the name of an element"));
        }
        let tag = Tag {
            span: Span::new(start - 1, start + content.len() + if closes { 2 } else { 1 }),
            name,
            inside,
            inside_at: start + name.len(),
            closes,
        };
        if !inside.is_empty() && !READ.contains(&name) {
            tag.check_attributes()?;
        }
        Ok(tag)
    }

    /// Passes over what stands in an element and its end tag; `depth` limits the nesting.
    pub(super) fn skip_content(&mut self, tag: Tag<'a>, depth: usize) -> Result<(), Broken> {
        let mut open = usize::from(!tag.closes);
        while open > 0 {
            match self.next()? {
                Token::Start(inner) => {
                    inner.check_attributes()?;
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
    pub(super) fn cut_short(&self, tag: Tag<'a>) -> Broken {
        let name = String::from_utf8_lossy(tag.name);
        let at = self.bytes.trim_ascii_end().len().saturating_sub(1);
        let reason = format!("the file ends inside <{name}>; is the download complete?");
        Broken { element: Some(tag.span), ..Broken::new(at, reason) }
    }
}

/// Elements of which the reader looks at every attribute, so that these are not checked before.
const READ: [&[u8]; 5] = [b"layer", b"port", b"data", b"edge", b"net"];

impl Tag<'_> {
    /// Refuses attributes that are not written as XML wants them.
    fn check_attributes(&self) -> Result<(), Broken> {
        for attribute in Attributes::new(self.inside, self.inside_at) {
            attribute?;
        }
        Ok(())
    }
}

/// What quick-xml says, without its own word for the kind of error.
fn reason(error: &quick_xml::Error) -> String {
    let text = error.to_string();
    let kinds = ["ill-formed document: ", "syntax error: "];
    let text = kinds.iter().find_map(|kind| text.strip_prefix(kind)).unwrap_or(&text);
    let is_cut = text.ends_with("before end of input");
    format!("{text}{}", if is_cut { "; is the download complete?" } else { "" })
}

/// The first NUL, and the first byte that is not UTF-8; block by block, so that the text is in the cache for both.
pub(super) fn odd_bytes(bytes: &[u8]) -> (Option<usize>, Option<usize>) {
    const BLOCK: usize = 1 << 16;
    let mut at = 0;
    let mut other = None;
    while at < bytes.len() {
        let block = &bytes[at..bytes.len().min(at + BLOCK)];
        if let Some(nul) = memchr::memchr(0, block) {
            return (Some(at + nul), other);
        }
        if simdutf8::basic::from_utf8(block).is_ok() {
            at += block.len();
            continue;
        }
        at += match std::str::from_utf8(block) {
            Ok(_) => block.len(),
            // A character may go on in the next block.
            Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 && at + block.len() < bytes.len() => {
                error.valid_up_to()
            }
            Err(error) => {
                other = other.or(Some(at + error.valid_up_to()));
                error.valid_up_to() + error.error_len().unwrap_or(block.len() - error.valid_up_to())
            }
        };
    }
    (None, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_end_inside_markup_are_asked_for_their_rest() {
        for text in ["<net><layer id='1' na", "<net><layer id='1'", "<net><!-- x", "<?xml ver", "<net><![CDATA[x"] {
            let mut cursor = Cursor::new(text.as_bytes());
            let broken = loop {
                match cursor.next() {
                    Ok(Token::End) => unreachable!("{text}"),
                    Ok(_) => {}
                    Err(broken) => break broken,
                }
            };
            assert!(broken.reason.ends_with("before end of input; is the download complete?"), "{}", broken.reason);
        }
    }
}
