//! The reader, which makes a `Net` of the XML of an IR. It reports all faults; only malformed XML and limits end the reading.

mod document;
mod edges;
pub(super) mod fast;
mod graph;
mod kinds;
mod layers;
mod port_maps;
mod ports;
mod pre_process;
mod rt_info;
#[cfg(test)]
mod tests;

pub(crate) use document::HEADER;

use super::execution_graph;
use super::pre_process::PreProcess;
use super::rules::{CONFLICT_MARKER, INVALID_ATTRIBUTE, UNKNOWN_ELEMENT, XML_DUPLICATE_ATTRIBUTE, XML_MALFORMED};
use super::xml::attributes::{Attributes, resolved};
use super::xml::broken::Broken;
use super::xml::cursor::{Cursor, Tag, Token};
use super::xml::number;
use super::xml::odd_bytes::odd_bytes;
use crate::diagnostic::{Diagnostic, LIMIT_EXCEEDED, Rule, Runtime, Sink, Text};
use crate::ir::{Attribute, Graph};
use crate::limits::Limits;
use crate::source::{Source, Span};
use std::collections::HashMap;

/// A model as the file states it.
#[derive(Debug)]
pub struct Net {
    /// The IR version, 10 or 11.
    pub version: u8,
    /// The name of the model, or empty.
    pub name: String,
    /// The layers and their wiring.
    pub graph: Graph,
    /// The `<rt_info>` and `<meta_data>` of the net, which record how the model was made, from `<` to `>`.
    pub(crate) notes: Vec<Span>,
    /// The first `<rt_info>` of the net, which alone OpenVINO reads, if it mentions one of [`SETTINGS`].
    pub(crate) settings: Option<Span>,
    /// The means that OpenVINO subtracts from an input.
    pub pre_process: Option<PreProcess>,
    /// The comments that start with `ovlint:`.
    pub comments: Vec<Span>,
}

/// The sections of `<rt_info>` that are checked.
const SETTINGS: [&[u8]; 3] = [b"runtime_options", b"nncf", b"model_info"];

/// Reads a source; `None` if it is not an IR, or if its XML is malformed before the end of the net.
pub fn read(source: &Source, limits: &Limits, sink: &mut Sink) -> Option<Net> {
    read_by(Cursor::new, source, limits, sink)
}

/// Reads with the XML events alone; the result must be the same as with the fast reader.
#[cfg(test)]
fn read_events(source: &Source, limits: &Limits, sink: &mut Sink) -> Option<Net> {
    read_by(|bytes| Cursor::new(bytes).events_only(), source, limits, sink)
}

fn read_by<'a>(
    cursor: impl Fn(&'a [u8]) -> Cursor<'a>,
    source: &'a Source,
    limits: &Limits,
    sink: &mut Sink,
) -> Option<Net> {
    let (bytes, most) = (source.bytes(), limits.xml_size.min(u64::from(u32::MAX)));
    if bytes.len() as u64 > most {
        let message = format!("the file has {} bytes, more than {most}", bytes.len());
        sink.report(
            Diagnostic::new(&LIMIT_EXCEEDED, Span::default(), message).help("raise the limit with --max-xml-size"),
        );
        return None;
    }
    // NUL and invalid UTF-8 are rare. A search in advance would cost a tenth of the reading time, so the reader checks as it
    // reads.
    let mut found = sink.nested();
    let mut reader = Reader {
        source,
        limits,
        sink: &mut found,
        cursor: cursor(bytes),
        layers: 0,
        notes: Vec::new(),
        pre_process: None,
        has_deeper: false,
    };
    let mut read = reader.document(None);
    let mut end = bytes.len();
    if reader.cursor.has_odd_bytes() {
        drop(read);
        *reader.sink = sink.nested();
        // OpenVINO reads up to the first NUL.
        let (nul, other) = odd_bytes(bytes);
        end = nul.unwrap_or(end);
        let cursor = cursor(bytes.get(..end).unwrap_or_default());
        reader = Reader { cursor, layers: 0, notes: Vec::new(), pre_process: None, has_deeper: false, ..reader };
        read = reader.document(other);
    }
    match read {
        Ok(Some(net)) => {
            // The text behind the layers may be released later, so it is searched now.
            let is_rt_info = |note: &&Span| source.slice(**note).starts_with(b"<rt_info");
            let mentions = |note: &Span, name: &&[u8]| memchr::memmem::find(source.slice(*note), name).is_some();
            let has_settings = |note: &Span| SETTINGS.iter().any(|name| mentions(note, name));
            let settings = reader.notes.iter().find(is_rt_info).copied().filter(has_settings);
            let net = Net { comments: reader.cursor.take_comments(), notes: reader.notes, settings, ..net };
            let Some(finding) = execution_graph::finding(&net.graph, source) else {
                sink.absorb(found);
                return Some(net);
            };
            // All other findings are consequences of this one.
            sink.report(finding);
            None
        }
        Ok(None) => {
            sink.absorb(found);
            None
        }
        Err(mut broken) => {
            if end < bytes.len() && broken.flag.is_none() {
                broken = Broken::new(end, "there is a NUL byte; is the download complete?");
            }
            sink.absorb(found);
            sink.report(malformed(source, &broken));
            None
        }
    }
}

/// Returns the finding for what ended the reading: a limit, a merge conflict if the file has conflict markers, or a syntax
/// error.
fn malformed(source: &Source, broken: &Broken) -> Diagnostic {
    let bytes = source.bytes();
    if let (Some(flag), Some(element)) = (broken.flag, broken.element) {
        return Diagnostic::new(&LIMIT_EXCEEDED, element, format!("{}; reading stopped here", broken.reason))
            .help(format!("raise the limit with {flag}"));
    }
    let starts_a_line = |at: &usize| at.checked_sub(1).is_none_or(|n| bytes.get(n) == Some(&b'\n'));
    if let Some(at) = memchr::memmem::find_iter(bytes, b"<<<<<<< ").find(starts_a_line) {
        let span = Span { end: source.line_around(Span::new(at, at).start).end, ..Span::new(at, at) };
        return Diagnostic::new(&CONFLICT_MARKER, span, "a Git merge conflict was left in the file")
            .help("take one side, or export the model again; generated files should not be merged by hand");
    }
    let at = broken.at.min(bytes.len());
    let span = Span::new(at, (at + 1).min(bytes.len().max(at)));
    let finding = Diagnostic::new(&XML_MALFORMED, span, format!("XML is not well formed: {}", broken.reason));
    match broken.element {
        Some(element) => finding.label(element, "this element is not closed"),
        None => finding,
    }
}

struct Reader<'a, 's> {
    source: &'a Source,
    limits: &'a Limits,
    sink: &'s mut Sink,
    cursor: Cursor<'a>,
    /// The number of layers so far, bodies included.
    layers: usize,
    /// The `<rt_info>` and `<meta_data>` of the net.
    notes: Vec<Span>,
    /// True if bodies were skipped because they are nested too deeply.
    has_deeper: bool,
    /// The first `<pre-process>` of the net.
    pre_process: Option<PreProcess>,
}

impl<'a> Reader<'a, '_> {
    fn report(&mut self, rule: &'static Rule, span: Span, message: impl Into<Text>) {
        self.sink.report(Diagnostic::new(rule, span, message));
    }

    fn text(&self, span: Span) -> &'a [u8] {
        self.source.slice(span)
    }

    /// Passes the attributes of a tag to `take`; of those with the same name only the first.
    fn attributes(&mut self, tag: Tag<'a>, mut take: impl FnMut(&'a [u8], Attribute)) {
        let mut seen: smallvec::SmallVec<[(&[u8], Span); 8]> = smallvec::SmallVec::new();
        let mut names: HashMap<&[u8], Span, foldhash::fast::RandomState> = HashMap::default();
        for attribute in Attributes::new(tag.inside, tag.inside_at) {
            let name = self.text(attribute.name);
            // A few names are compared one by one, many are hashed.
            let first = if names.is_empty() {
                seen.iter().find(|(other, _)| *other == name).map(|(_, span)| *span)
            } else {
                names.get(name).copied()
            };
            if let Some(first) = first {
                let name = String::from_utf8_lossy(name);
                let message = format!("attribute `{name}` appears twice; OpenVINO uses the first one");
                self.sink.report(
                    Diagnostic::new(&XML_DUPLICATE_ATTRIBUTE, attribute.name.to(attribute.value), message)
                        .label(first, "this one is used"),
                );
                continue;
            }
            if names.is_empty() {
                seen.push((name, attribute.name));
                if seen.len() > 32 {
                    names.extend(seen.drain(..));
                }
            } else {
                names.insert(name, attribute.name);
            }
            take(name, attribute);
        }
    }

    /// Returns the next child element of `parent`; `None` at its end tag.
    fn child(&mut self, parent: Tag<'a>) -> Result<Option<Tag<'a>>, Broken> {
        if parent.closes {
            return Ok(None);
        }
        loop {
            match self.cursor.next()? {
                Token::Start(tag) => return Ok(Some(tag)),
                Token::Close(_) => return Ok(None),
                Token::Text(span) => self.report_stray_text(span),
                Token::End => return Err(self.cursor.cut_short(parent)),
                Token::Doctype(_) | Token::Declaration(_) => {}
            }
        }
    }

    /// Returns the position of the cursor.
    fn end(&self) -> u32 {
        let at = self.cursor.at();
        Span::new(at, at).end
    }

    /// Skips an element that is not read, and reports it unless its name is in `known`.
    fn skip(&mut self, tag: Tag<'a>, parent: Tag<'a>, known: &[&[u8]]) -> Result<(), Broken> {
        self.report_ignored(tag, parent, known);
        self.cursor.skip_content(tag, self.limits.depth)
    }

    /// Reports a second element where OpenVINO reads only the first.
    fn report_second(&mut self, tag: Tag<'a>, parent: Tag<'a>) {
        let name = |tag: Tag| String::from_utf8_lossy(tag.name).into_owned();
        let message = format!("a second <{}> in <{}> is ignored", name(tag), name(parent));
        self.report(&UNKNOWN_ELEMENT, tag.span, message);
    }

    fn report_ignored(&mut self, tag: Tag<'a>, parent: Tag<'a>, known: &[&[u8]]) {
        if known.contains(&tag.name) {
            return;
        }
        let name = |tag: Tag| String::from_utf8_lossy(tag.name).into_owned();
        let (found, holder) = (name(tag), name(parent));
        let message = if ELEMENTS.contains(&found.as_str()) || layers::ONCE.contains(&tag.name) {
            format!("<{found}> does not belong in this <{holder}>; it is ignored")
        } else {
            format!("<{found}> in <{holder}> is not part of the format; it is ignored")
        };
        let finding = Diagnostic::new(&UNKNOWN_ELEMENT, tag.span, message);
        let lower = name(tag).to_ascii_lowercase();
        let meant = ELEMENTS.contains(&lower.as_str()) && lower.as_bytes() != tag.name;
        self.sink.report(if meant { finding.help(format!("did you mean <{lower}>?")) } else { finding });
    }

    /// Reports text between elements.
    fn report_stray_text(&mut self, span: Span) {
        if is_conflict_mark(self.text(span)) {
            self.report(&CONFLICT_MARKER, span, "a Git merge conflict was left in the file");
        } else {
            self.report(&UNKNOWN_ELEMENT, span, "text between the elements is ignored");
        }
    }

    /// Parses the unsigned number of an attribute, or reports it.
    fn unsigned(&mut self, name: &str, span: Span) -> Option<u64> {
        self.unsigned_or(name, span, INVALID_ATTRIBUTE.runtime)
    }

    /// Parses the unsigned number of an attribute, or reports it with this reaction of OpenVINO.
    fn unsigned_or(&mut self, name: &str, span: Span, runtime: Runtime) -> Option<u64> {
        let text = resolved(self.text(span));
        let value = number::unsigned(&text);
        if value.is_none() {
            let message = format!("`{name}=\"{}\"` {}", String::from_utf8_lossy(&text), number::why_not(&text));
            self.sink.report(Diagnostic::new(&INVALID_ATTRIBUTE, span, message).runtime(runtime));
        }
        value
    }
}

/// All element names of the format.
const ELEMENTS: &[&str] = &[
    "layers",
    "edges",
    "layer",
    "edge",
    "data",
    "input",
    "output",
    "port",
    "dim",
    "body",
    "port_map",
    "back_edges",
    "rt_info",
];

/// Whether `text` starts with a Git conflict marker. The `<<<<<<<` marker starts with `<`, so it is never text.
fn is_conflict_mark(text: &[u8]) -> bool {
    text.starts_with(b"=======") || text.starts_with(b">>>>>>> ")
}

fn range(start: usize, end: usize) -> (u32, u32) {
    let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (clip(start), clip(end))
}
