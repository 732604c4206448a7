//! Reads the XML of an IR into graphs. Whatever is wrong is reported; only broken XML ends the reading.

use super::attributes::{Attributes, resolved, unescape};
use super::body::{Body, BodyKind, PortMapEntry, Slice, Subgraph};
use super::constant::read_constant;
use super::cursor::{Broken, Cursor, Tag, Token};
use super::graph::{Attribute, Graph, Id, Kind, Layer, Port, Role, UNREADABLE_DIM, layer_name};
use super::resolve::{PartialEdge, RawEdge, RawEdges, resolve};
use super::rules::{
    CONFLICT_MARKER, INVALID_ATTRIBUTE, INVALID_DIM, MISSING_ELEMENT, NOT_OPENVINO_IR, UNKNOWN_ELEMENT,
    UNKNOWN_PRECISION, UNSUPPORTED_IR_VERSION, XML_DOCTYPE, XML_DUPLICATE_ATTRIBUTE, XML_ENCODING, XML_MALFORMED,
    XML_TRAILING_CONTENT,
};
use super::{identify, number, plain};
use crate::diagnostic::{Applicability, Diagnostic, Direction, Edit, Fix, Rule, Runtime, Severity, Sink};
use crate::limits::{LIMIT_EXCEEDED, Limits, NAME};
use crate::ops;
use crate::ops::rules::{LENIENT_NUMBER, MISSING_ATTRIBUTE};
use crate::source::{Source, Span};
use crate::types::ElementType;
use std::collections::HashMap;

/// What a file says.
#[derive(Debug)]
pub struct Net {
    /// The IR version, 10 or 11.
    pub version: u8,
    /// The name of the model; empty where there is none.
    pub name: String,
    /// The layers and their wiring.
    pub graph: Graph,
    /// The comments that start with `ovlint:`.
    pub comments: Vec<Span>,
}

/// Reads a source; `None` if it is no IR or its XML is broken before the end of the net.
pub fn read(source: &Source, limits: &Limits, sink: &mut Sink) -> Option<Net> {
    let (bytes, most) = (source.bytes(), limits.xml_size.min(u64::from(u32::MAX)));
    if bytes.len() as u64 > most {
        let message = format!("the file has {} bytes, more than {most}", bytes.len());
        sink.report(
            Diagnostic::new(&LIMIT_EXCEEDED, Span::default(), message).help("raise the limit with --max-xml-size"),
        );
        return None;
    }
    // OpenVINO reads up to the first NUL.
    let (nul, other) = odd_bytes(bytes);
    let text = nul.and_then(|nul| bytes.get(..nul)).unwrap_or(bytes);
    let mut reader = Reader { source, limits, sink, cursor: Cursor::new(text), layers: 0, stray: 0 };
    match reader.document(other) {
        Ok(net) => net.map(|net| Net { comments: reader.cursor.take_comments(), ..net }),
        Err(mut broken) => {
            if text.len() < bytes.len() && broken.flag.is_none() {
                broken = Broken::new(text.len(), "there is a NUL byte; is the download complete?");
            }
            let finding = malformed(source, &broken);
            reader.sink.report(finding);
            None
        }
    }
}

/// The finding for what ends the reading: a limit, a merge conflict where there are its marks, a syntax error otherwise.
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

type Kinds<'a> = HashMap<(&'a [u8], &'a [u8]), u32, foldhash::fast::RandomState>;

struct Reader<'a, 's> {
    source: &'a Source,
    limits: &'a Limits,
    sink: &'s mut Sink,
    cursor: Cursor<'a>,
    /// Layers read so far, bodies included.
    layers: usize,
    /// Where the last text ended that stands between elements.
    stray: u32,
}

impl<'a> Reader<'a, '_> {
    fn report(&mut self, rule: &'static Rule, span: Span, message: impl Into<String>) {
        self.sink.report(Diagnostic::new(rule, span, message));
    }

    fn text(&self, span: Span) -> &'a [u8] {
        self.source.slice(span)
    }

    /// The attributes of a tag, each handed to `take`; the first of those with the same name counts.
    fn attributes(&mut self, tag: Tag<'a>, mut take: impl FnMut(&'a [u8], Attribute)) -> Result<(), Broken> {
        let mut seen: smallvec::SmallVec<[(&[u8], Span); 8]> = smallvec::SmallVec::new();
        let mut names: HashMap<&[u8], Span, foldhash::fast::RandomState> = HashMap::default();
        for attribute in Attributes::new(tag.inside, tag.inside_at) {
            let attribute = attribute?;
            let name = self.text(attribute.name);
            // Few names are compared one by one, many are looked up.
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
        Ok(())
    }

    /// Everything; `other` is the first byte that is not UTF-8.
    fn document(&mut self, other: Option<usize>) -> Result<Option<Net>, Broken> {
        let bytes = self.source.bytes();
        if let Some(kind) = identify::kind_of(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)) {
            self.not_ir(Span::default(), kind);
            return Ok(None);
        }
        if let Some(at) = other {
            let message = format!("byte {:#04x} is not UTF-8", bytes.get(at).copied().unwrap_or(0));
            self.report(&XML_ENCODING, Span::new(at, at + 1), message);
        }
        let mut net = None;
        let mut had_root = false;
        loop {
            match self.cursor.next()? {
                Token::Open(tag) | Token::Closed(tag) if had_root => {
                    let name = String::from_utf8_lossy(tag.name).into_owned();
                    self.report(&XML_TRAILING_CONTENT, tag.span, format!("a second root element <{name}> is ignored"));
                    return Ok(net);
                }
                Token::Open(tag) => {
                    had_root = true;
                    net = self.root(tag, false)?;
                    if net.is_none() {
                        return Ok(None);
                    }
                }
                Token::Closed(tag) => {
                    had_root = true;
                    net = self.root(tag, true)?;
                    if net.is_none() {
                        return Ok(None);
                    }
                }
                Token::Text(span) if is_conflict_mark(self.text(span)) => self.stray_text(span),
                Token::Text(span) => {
                    let place = if had_root { "after </net>" } else { "before the root element" };
                    self.report(&XML_TRAILING_CONTENT, span, format!("text {place} is ignored"));
                }
                Token::Doctype(span) => {
                    self.report(&XML_DOCTYPE, span, "a document type declaration; its entities are not expanded");
                }
                Token::Declaration(span) => self.declaration(span),
                Token::Close(span) => {
                    return Err(Broken::new(span.start as usize, "an end tag closes nothing"));
                }
                Token::End => break,
            }
        }
        if !had_root {
            self.not_ir(Span::default(), "an XML file without any element");
        } else if self.cursor.end() < bytes.len() {
            let span = Span::new(self.cursor.end(), bytes.len());
            self.report(&XML_TRAILING_CONTENT, span, "everything from a NUL byte on is ignored");
        }
        Ok(net)
    }

    fn not_ir(&mut self, span: Span, kind: &str) {
        self.report(&NOT_OPENVINO_IR, span, format!("this is {kind}, not an OpenVINO IR"));
    }

    /// The XML declaration: an encoding other than that of the bytes is a promise that the file does not keep.
    fn declaration(&mut self, span: Span) {
        let text = self.source.text(span);
        let Some((_, rest)) = text.split_once("encoding") else { return };
        let label: String = rest
            .trim_start_matches([' ', '=', '"', '\''])
            .chars()
            .take_while(|c| !matches!(c, '"' | '\'' | '?'))
            .collect();
        let (lower, actual) = (label.to_ascii_lowercase(), self.source.encoding());
        let kept = match actual {
            Some("ISO-8859-1") => true, // The label is what tells.
            Some(encoding) => lower.starts_with(&encoding.to_ascii_lowercase()),
            None => matches!(lower.as_str(), "utf-8" | "utf8" | "us-ascii" | "ascii"),
        };
        if !kept {
            let message = format!("the file says encoding `{label}`, it is read as {}", actual.unwrap_or("UTF-8"));
            self.report(&XML_ENCODING, span, message);
        }
    }

    fn root(&mut self, tag: Tag<'a>, closed: bool) -> Result<Option<Net>, Broken> {
        if !tag.name.eq_ignore_ascii_case(b"net") {
            let name = String::from_utf8_lossy(tag.name).into_owned();
            self.not_ir(tag.span, &format!("XML with root <{name}>"));
            return Ok(None);
        }
        let (mut version, mut name) = (None, Span::default());
        self.attributes(tag, |key, attribute| match key {
            b"version" => version = Some(attribute.value),
            b"name" => name = attribute.value,
            _ => {}
        })?;
        let name = unescape(self.text(name)).into_owned();
        let Some(span) = version else {
            self.report(&MISSING_ATTRIBUTE, tag.span, "<net> has no `version`; OpenVINO reads 10 and 11");
            return Ok(None);
        };
        let version = match number::unsigned(&resolved(self.text(span))) {
            Some(10) => 10,
            Some(11) => 11,
            Some(other) => {
                let finding = Diagnostic::new(
                    &UNSUPPORTED_IR_VERSION,
                    span,
                    format!("IR version {other}; OpenVINO 2022.1 to 2026.4 reads 10 and 11"),
                );
                self.sink.report(if other < 10 {
                    finding.help("convert the original model again, for instance by `ovc`")
                } else {
                    finding
                });
                return Ok(None);
            }
            None => {
                let text = self.source.text(span).into_owned();
                self.report(&INVALID_ATTRIBUTE, span, format!("`version=\"{text}\"` is not an unsigned integer"));
                return Ok(None);
            }
        };
        let graph = if closed { self.empty_graph(tag) } else { self.graph(tag, 0)? };
        Ok(Some(Net { version, name, graph, comments: Vec::new() }))
    }

    fn empty_graph(&mut self, tag: Tag<'a>) -> Graph {
        let name = String::from_utf8_lossy(tag.name).into_owned();
        self.report(&MISSING_ELEMENT, tag.span, format!("<layers> is missing in <{name}>"));
        Graph { tag: tag.span, ..Graph::default() }
    }

    /// The content of a `<net>` or of a body.
    fn graph(&mut self, tag: Tag<'a>, level: usize) -> Result<Graph, Broken> {
        let mut graph = Graph { tag: tag.span, ..Graph::default() };
        let mut edges: Option<RawEdges> = None;
        let (mut has_layers, mut has_rt_info) = (false, false);
        let mut faults = Vec::new();
        loop {
            match self.cursor.next()? {
                Token::Open(child) => match child.name {
                    b"layers" if !has_layers => {
                        has_layers = true;
                        self.layers(child, &mut graph, level)?;
                    }
                    b"edges" if edges.is_none() => edges = Some(self.edges(child)?),
                    b"layers" | b"edges" => {
                        self.second(child, tag);
                        self.cursor.skip_content(child, self.limits.depth)?;
                    }
                    b"meta_data" if level == 0 => self.meta_data(child, &mut faults)?,
                    _ => {
                        has_rt_info |= child.name == b"rt_info";
                        self.pass(child, tag, NET_ELEMENTS)?;
                    }
                },
                Token::Closed(child) => match child.name {
                    b"layers" if !has_layers => has_layers = true,
                    b"edges" if edges.is_none() => edges = Some(RawEdges::default()),
                    b"layers" | b"edges" => self.second(child, tag),
                    _ => {
                        has_rt_info |= child.name == b"rt_info";
                        self.ignored(child, tag, NET_ELEMENTS);
                    }
                },
                Token::Close(_) => break,
                Token::Text(span) => self.stray_text(span),
                Token::End => return Err(self.cursor.cut_short(tag)),
                Token::Doctype(_) | Token::Declaration(_) => {}
            }
        }
        // OpenVINO reads <meta_data> only where there is no <rt_info>.
        for fault in faults.into_iter().filter(|_| !has_rt_info) {
            self.sink.report(fault);
        }
        let name = || String::from_utf8_lossy(tag.name).into_owned();
        let fault = match &edges {
            _ if !has_layers => Some("<layers> is missing"),
            None if graph.has_inputs() => Some("<edges> is missing"),
            Some(edges) if edges.is_empty() && graph.has_inputs() => Some("<edges> is empty"),
            _ => None,
        };
        if let Some(fault) = fault {
            let finding = Diagnostic::new(&MISSING_ELEMENT, tag.span, format!("{fault} in <{}>", name()));
            self.sink.report(if has_layers { finding.runtime(Runtime::Misleads) } else { finding });
        }
        resolve(&mut graph, self.source, edges.unwrap_or_default(), self.sink);
        if fault.is_some() {
            graph.loose.add_everything();
        }
        Ok(graph)
    }

    /// The notes of older converters: OpenVINO wants a value in each but the command line.
    fn meta_data(&mut self, parent: Tag<'a>, faults: &mut Vec<Diagnostic>) -> Result<(), Broken> {
        loop {
            let (tag, closed) = match self.cursor.next()? {
                Token::Open(tag) => (tag, false),
                Token::Closed(tag) => (tag, true),
                Token::Close(_) => return Ok(()),
                Token::Text(span) => {
                    let message = "OpenVINO refuses text in <meta_data>";
                    faults.push(Diagnostic::new(&INVALID_ATTRIBUTE, span, message));
                    continue;
                }
                Token::End => return Err(self.cursor.cut_short(parent)),
                Token::Doctype(_) | Token::Declaration(_) => continue,
            };
            let mut has_value = tag.name == b"cli_parameters";
            self.attributes(tag, |name, _| has_value |= name == b"value")?;
            if !has_value {
                let message = format!("<{}> in <meta_data> has no `value`", String::from_utf8_lossy(tag.name));
                faults.push(Diagnostic::new(&MISSING_ATTRIBUTE, tag.span, message));
            }
            if !closed {
                self.cursor.skip_content(tag, self.limits.depth)?;
            }
        }
    }

    /// Passes over an element that is not read, and reports it unless it is known to be of no account.
    fn pass(&mut self, tag: Tag<'a>, parent: Tag<'a>, known: &[&[u8]]) -> Result<u32, Broken> {
        self.ignored(tag, parent, known);
        let end = self.cursor.skip_content(tag, self.limits.depth)?;
        Ok(Span::new(end, end).end)
    }

    /// Reports an element of which only the first counts.
    fn second(&mut self, tag: Tag<'a>, parent: Tag<'a>) {
        let name = |tag: Tag| String::from_utf8_lossy(tag.name).into_owned();
        let message = format!("a second <{}> in <{}> is ignored", name(tag), name(parent));
        self.report(&UNKNOWN_ELEMENT, tag.span, message);
    }

    fn ignored(&mut self, tag: Tag<'a>, parent: Tag<'a>, known: &[&[u8]]) {
        if known.contains(&tag.name) {
            return;
        }
        let name = |tag: Tag| String::from_utf8_lossy(tag.name).into_owned();
        let message = format!("<{}> in <{}> is not part of the format; it is ignored", name(tag), name(parent));
        let finding = Diagnostic::new(&UNKNOWN_ELEMENT, tag.span, message);
        let lower = name(tag).to_ascii_lowercase();
        let meant = ELEMENTS.contains(&lower.as_str()) && lower.as_bytes() != tag.name;
        self.sink.report(if meant { finding.help(format!("did you mean <{lower}>?")) } else { finding });
    }

    /// Text between elements; what runs on behind a reference is reported once.
    fn stray_text(&mut self, span: Span) {
        let runs_on = self.stray == span.start && span.start > 0;
        self.stray = span.end;
        if runs_on {
            return;
        }
        if is_conflict_mark(self.text(span)) {
            self.report(&CONFLICT_MARKER, span, "a Git merge conflict was left in the file");
        } else {
            self.report(&UNKNOWN_ELEMENT, span, "text between the elements is ignored");
        }
    }

    fn layers(&mut self, parent: Tag<'a>, graph: &mut Graph, level: usize) -> Result<(), Broken> {
        let mut kinds = Kinds::default();
        if level == 0 {
            // About as many as a file of this size holds; memory that is not used costs nothing.
            let size = self.source.bytes().len();
            graph.layers.reserve(size / 480);
            graph.ports.reserve(size / 200);
            graph.dims.reserve(size / 60);
        }
        loop {
            while let Some(layer) = self.plain_layer(graph, &mut kinds) {
                self.push(layer, graph);
            }
            let (tag, closed) = match self.cursor.next()? {
                Token::Open(tag) => (tag, false),
                Token::Closed(tag) => (tag, true),
                Token::Close(_) => return Ok(()),
                Token::Text(span) => {
                    self.stray_text(span);
                    continue;
                }
                Token::End => return Err(self.cursor.cut_short(parent)),
                Token::Doctype(_) | Token::Declaration(_) => continue,
            };
            if tag.name != b"layer" {
                self.ignored(tag, parent, &[]);
                if !closed {
                    self.cursor.skip_content(tag, self.limits.depth)?;
                }
                continue;
            }
            if self.layers >= self.limits.layers {
                let reason = format!("the file has more than {} layers", self.limits.layers);
                return Err(Broken::limit(tag.span, reason, "--max-layers"));
            }
            self.layers += 1;
            let mut layer = self.layer_tag(tag, graph, &mut kinds)?;
            if !closed {
                self.layer_content(tag, &mut layer, graph, level)?;
            }
            self.push(layer, graph);
        }
    }

    fn push(&mut self, mut layer: Layer, graph: &mut Graph) {
        if graph.kind(&layer).role == Role::Const {
            read_constant(graph, &mut layer, self.source, self.sink);
        }
        graph.layers.push(layer);
    }

    /// The next layer, if it is written plainly and within the limits.
    fn plain_layer(&mut self, graph: &mut Graph, kinds: &mut Kinds<'a>) -> Option<Layer> {
        let limits = self.limits;
        if self.layers >= limits.layers {
            return None;
        }
        let mut found = None;
        self.cursor.skip_plain(|rest, offset| {
            found = plain::layer(rest, offset, graph, limits);
            found.as_ref().map_or(0, |layer| layer.end - offset)
        });
        let plain = found?;
        self.layers += 1;
        let (first, middle, last) = plain.ports;
        Some(Layer {
            tag: plain.tag,
            end: Span::new(plain.end, plain.end).end,
            id: plain.id,
            name: plain.name,
            kind: kind_of(self.text(plain.ty), self.text(plain.version), graph, kinds),
            data: plain.data,
            attrs: range(plain.attrs.0, plain.attrs.1),
            inputs: range(first, middle),
            outputs: range(middle, last),
            subgraph: None,
            constant: u32::MAX,
        })
    }

    fn layer_tag(&mut self, tag: Tag<'a>, graph: &mut Graph, kinds: &mut Kinds<'a>) -> Result<Layer, Broken> {
        let (mut id, mut name, mut ty, mut version) = (None, None, None, None);
        self.attributes(tag, |key, attribute| match key {
            b"id" => id = Some(attribute.value),
            b"name" => name = Some(attribute.value),
            b"type" => ty = Some(attribute.value),
            b"version" => version = Some(attribute.value),
            _ => {}
        })?;
        for (key, value) in [("id", id), ("name", name), ("type", ty), ("version", version)] {
            if value.is_none() {
                self.report(&MISSING_ATTRIBUTE, tag.span, format!("<layer> has no `{key}`"));
            }
        }
        let number = id.and_then(|span| self.unsigned("id", span)).and_then(Id::new);
        let raw = |span: Option<Span>| span.map(|span| self.source.slice(span)).unwrap_or_default();
        let kind = kind_of(raw(ty), raw(version), graph, kinds);
        Ok(Layer {
            tag: tag.span,
            end: tag.span.end,
            id: number,
            name: name.unwrap_or_default(),
            kind,
            data: Span::default(),
            attrs: (0, 0),
            inputs: (0, 0),
            outputs: (0, 0),
            subgraph: None,
            constant: u32::MAX,
        })
    }

    /// The unsigned number of an attribute.
    fn unsigned(&mut self, name: &str, span: Span) -> Option<u64> {
        let value = number::unsigned(&resolved(self.text(span)));
        if value.is_none() {
            let text = self.source.text(span).into_owned();
            self.report(&INVALID_ATTRIBUTE, span, format!("`{name}=\"{text}\"` is not an unsigned integer"));
        }
        value
    }

    fn layer_content(
        &mut self,
        tag: Tag<'a>,
        layer: &mut Layer,
        graph: &mut Graph,
        level: usize,
    ) -> Result<(), Broken> {
        let mut seen = [false; ONCE.len()];
        loop {
            seen[INPUT] = seen[INPUT] || self.plain_section(Direction::Input, &mut layer.inputs, graph);
            seen[OUTPUT] = seen[OUTPUT] || self.plain_section(Direction::Output, &mut layer.outputs, graph);
            let (child, closed) = match self.cursor.next()? {
                Token::Open(child) => (child, false),
                Token::Closed(child) => (child, true),
                Token::Close(span) => {
                    layer.end = span.end;
                    return Ok(());
                }
                Token::Text(span) => {
                    self.stray_text(span);
                    continue;
                }
                Token::End => return Err(self.cursor.cut_short(tag)),
                Token::Doctype(_) | Token::Declaration(_) => continue,
            };
            let once = ONCE.iter().position(|name| *name == child.name);
            if once.is_some_and(|place| std::mem::replace(&mut seen[place], true)) {
                self.second(child, tag);
                if !closed {
                    self.cursor.skip_content(child, self.limits.depth)?;
                }
                continue;
            }
            match child.name {
                b"data" => {
                    layer.data = child.span;
                    let start = graph.attrs.len();
                    self.attributes(child, |_, attribute| graph.attrs.push(attribute))?;
                    layer.attrs = range(start, graph.attrs.len());
                    if !closed {
                        self.cursor.skip_content(child, self.limits.depth)?;
                    }
                }
                b"input" if !closed => layer.inputs = self.ports(child, Direction::Input, graph)?,
                b"output" if !closed => layer.outputs = self.ports(child, Direction::Output, graph)?,
                b"body" | b"then_body" | b"else_body" => self.body(child, closed, layer, level)?,
                b"port_map" | b"then_port_map" | b"else_port_map" if !closed => {
                    self.port_map(child, layer.subgraph.get_or_insert_default())?;
                }
                b"back_edges" if !closed => {
                    self.back_edges(child, layer.subgraph.get_or_insert_default())?;
                }
                _ if closed => self.ignored(child, tag, LAYER_ELEMENTS),
                _ => {
                    self.pass(child, tag, LAYER_ELEMENTS)?;
                }
            }
        }
    }

    fn body(&mut self, tag: Tag<'a>, closed: bool, layer: &mut Layer, level: usize) -> Result<(), Broken> {
        let kind = match tag.name {
            b"body" => BodyKind::Body,
            b"then_body" => BodyKind::Then,
            _ => BodyKind::Else,
        };
        if level >= self.limits.bodies {
            let reason = format!("bodies are nested more than {} deep", self.limits.bodies);
            self.sink
                .report(Diagnostic::new(&LIMIT_EXCEEDED, tag.span, reason).help("raise the limit with --max-bodies"));
            if !closed {
                self.cursor.skip_content(tag, usize::MAX)?;
            }
            return Ok(());
        }
        let count = self.sink.findings().len();
        let graph = if closed { self.empty_graph(tag) } else { self.graph(tag, level + 1)? };
        self.sink.enclose(count, || format!("{}/{}", layer_name(self.source, layer), kind.name()));
        layer.subgraph.get_or_insert_default().bodies.push(Body { kind, graph });
        Ok(())
    }

    /// Reads the ports of one side of a layer if they come next, are written plainly and are not too many.
    fn plain_section(&mut self, direction: Direction, place: &mut (u32, u32), graph: &mut Graph) -> bool {
        let first = graph.ports.len();
        let limits = self.limits;
        let mut found = None;
        self.cursor.skip_plain(|rest, offset| {
            found = plain::section(direction, rest, offset, graph, limits);
            found.unwrap_or(0)
        });
        if found.is_some() {
            *place = range(first, graph.ports.len());
        }
        found.is_some()
    }

    /// The ports in an `<input>` or `<output>`, as a range of `graph.ports`.
    fn ports(&mut self, parent: Tag<'a>, direction: Direction, graph: &mut Graph) -> Result<(u32, u32), Broken> {
        let first = graph.ports.len();
        loop {
            let (tag, closed) = match self.cursor.next()? {
                Token::Open(tag) => (tag, false),
                Token::Closed(tag) => (tag, true),
                Token::Close(_) => return Ok(range(first, graph.ports.len())),
                Token::Text(span) => {
                    self.stray_text(span);
                    continue;
                }
                Token::End => return Err(self.cursor.cut_short(parent)),
                Token::Doctype(_) | Token::Declaration(_) => continue,
            };
            if tag.name != b"port" {
                self.ignored(tag, parent, &[]);
                if !closed {
                    self.cursor.skip_content(tag, self.limits.depth)?;
                }
                continue;
            }
            if graph.ports.len() - first >= self.limits.ports {
                let reason = format!("a layer has more than {} ports on one side", self.limits.ports);
                return Err(Broken::limit(tag.span, reason, "--max-ports"));
            }
            let mut port = self.port_tag(tag, direction)?;
            let start = graph.dims.len();
            if !closed {
                port.end = self.dims(tag, &mut graph.dims)?;
            }
            port.dims = range(start, graph.dims.len());
            if graph.dims.len() - start > self.limits.rank {
                let reason = format!("a port has more than {} dimensions", self.limits.rank);
                return Err(Broken::limit(tag.span, reason, "--max-rank"));
            }
            graph.ports.push(port);
        }
    }

    fn port_tag(&mut self, tag: Tag<'a>, direction: Direction) -> Result<Port, Broken> {
        let (mut id, mut precision) = (None, None);
        self.attributes(tag, |key, attribute| match key {
            b"id" => id = Some(attribute.value),
            b"precision" => precision = Some(attribute.value),
            _ => {}
        })?;
        let number = match id {
            Some(span) => self.unsigned("id", span).and_then(Id::new),
            None => {
                self.report(&MISSING_ATTRIBUTE, tag.span, "<port> has no `id`");
                None
            }
        };
        let ty = precision.and_then(|span| self.precision(span, direction));
        if precision.is_none() && direction == Direction::Output {
            self.report(&MISSING_ATTRIBUTE, tag.span, "output <port> has no `precision`");
        }
        Ok(Port { tag: tag.span, end: tag.span.end, id: number, precision: ty, dims: (0, 0), source: (u32::MAX, 0) })
    }

    fn precision(&mut self, span: Span, direction: Direction) -> Option<ElementType> {
        let raw = resolved(self.text(span));
        let ty = std::str::from_utf8(&raw).ok().and_then(ElementType::from_port_text);
        if ty.is_none() {
            let text = String::from_utf8_lossy(&raw).into_owned();
            let near = ElementType::from_data_text(&text)
                .or_else(|| ElementType::all().find(|ty| ty.port_name().eq_ignore_ascii_case(&text)));
            let mut finding = Diagnostic::new(&UNKNOWN_PRECISION, span, format!("`{text}` is not a precision"));
            if direction == Direction::Input {
                finding = finding.severity(Severity::Warning).runtime(Runtime::Accepts);
            }
            if let Some(near) = near {
                finding = finding.fix(Fix {
                    applicability: Applicability::Unsafe,
                    message: format!("did you mean {}?", near.port_name()),
                    edits: vec![Edit { span, text: near.port_name().to_owned() }],
                });
            }
            self.sink.report(finding);
        }
        ty
    }

    /// The dimensions in a `<port>`; returns the byte after its end tag.
    fn dims(&mut self, port: Tag<'a>, dims: &mut Vec<i64>) -> Result<u32, Broken> {
        loop {
            match self.cursor.next()? {
                Token::Open(tag) if tag.name == b"dim" => self.dim(tag, dims)?,
                Token::Closed(tag) if tag.name == b"dim" => {
                    self.bad_dim(tag.span, "");
                    dims.push(UNREADABLE_DIM);
                }
                Token::Open(tag) => {
                    self.pass(tag, port, &[b"rt_info"])?;
                }
                Token::Closed(tag) => self.ignored(tag, port, &[b"rt_info"]),
                Token::Close(span) => return Ok(span.end),
                Token::Text(span) => self.stray_text(span),
                Token::End => return Err(self.cursor.cut_short(port)),
                Token::Doctype(_) | Token::Declaration(_) => {}
            }
        }
    }

    /// One `<dim>` that is not plain digits: its first text counts, up to the next tag or comment.
    fn dim(&mut self, tag: Tag<'a>, dims: &mut Vec<i64>) -> Result<(), Broken> {
        let mut text = Vec::new();
        let mut span: Option<Span> = None;
        loop {
            match self.cursor.next()? {
                Token::Text(part) if span.is_none_or(|span| span.end == part.start) => {
                    let raw = self.text(part);
                    match self.source.slice(Span { start: part.start.saturating_sub(9), end: part.start }) {
                        b"<![CDATA[" => text.extend_from_slice(raw),
                        _ => text.extend_from_slice(&resolved(raw)),
                    }
                    span = Some(span.map_or(part, |span| span.to(part)));
                }
                Token::Close(_) => break,
                Token::Open(inner) => {
                    self.cursor.skip_content(inner, self.limits.depth)?;
                }
                Token::End => return Err(self.cursor.cut_short(tag)),
                Token::Text(_) | Token::Closed(_) | Token::Doctype(_) | Token::Declaration(_) => {}
            }
        }
        let span = span.filter(|span| !span.is_empty()).unwrap_or(tag.span);
        match number::dimension(&text) {
            Some((length, lenient)) => {
                if lenient {
                    let text = String::from_utf8_lossy(&text).into_owned();
                    self.report(&LENIENT_NUMBER, span, format!("`<dim>{text}</dim>` is read by OpenVINO as {length}"));
                }
                dims.push(length);
            }
            None => {
                let text = String::from_utf8_lossy(&text).into_owned();
                self.bad_dim(span, &text);
                dims.push(UNREADABLE_DIM);
            }
        }
        Ok(())
    }

    fn bad_dim(&mut self, span: Span, text: &str) {
        self.sink.report(
            Diagnostic::new(&INVALID_DIM, span, format!("`<dim>{text}</dim>` is not an integer >= -1"))
                .help("write -1 for a dynamic dimension"),
        );
    }

    fn edges(&mut self, parent: Tag<'a>) -> Result<RawEdges, Broken> {
        let mut edges = RawEdges::default();
        loop {
            self.cursor.skip_plain(|rest, offset| {
                let mut done = 0;
                while let Some((edge, length)) = plain::edge(&rest[done..], offset + done) {
                    edges.whole.push(edge);
                    done += length;
                }
                done
            });
            let (tag, closed) = match self.cursor.next()? {
                Token::Open(tag) => (tag, false),
                Token::Closed(tag) => (tag, true),
                Token::Close(_) => return Ok(edges),
                Token::Text(span) => {
                    self.stray_text(span);
                    continue;
                }
                Token::End => return Err(self.cursor.cut_short(parent)),
                Token::Doctype(_) | Token::Declaration(_) => continue,
            };
            if tag.name == b"edge" {
                self.edge(tag, &mut edges)?;
            } else {
                self.ignored(tag, parent, &[]);
            }
            if !closed {
                self.cursor.skip_content(tag, self.limits.depth)?;
            }
        }
    }

    fn edge(&mut self, tag: Tag<'a>, edges: &mut RawEdges) -> Result<(), Broken> {
        const NAMES: [&str; 4] = ["from-layer", "from-port", "to-layer", "to-port"];
        let mut spans = [None; 4];
        self.attributes(tag, |key, attribute| {
            if let Some(i) = NAMES.iter().position(|name| name.as_bytes() == key) {
                spans[i] = Some(attribute.value);
            }
        })?;
        let mut numbers = [None; 4];
        for ((name, span), number) in NAMES.iter().zip(spans).zip(&mut numbers) {
            match span {
                Some(span) => *number = self.unsigned(name, span),
                None => self.report(&MISSING_ATTRIBUTE, tag.span, format!("<edge> has no `{name}`")),
            }
        }
        match numbers {
            [Some(from_layer), Some(from_port), Some(to_layer), Some(to_port)] => {
                edges.whole.push(RawEdge { from_layer, from_port, to_layer, to_port, tag: tag.span });
            }
            [from_layer, _, to_layer, to_port] => edges.partial.push(PartialEdge { from_layer, to_layer, to_port }),
        }
        Ok(())
    }

    fn port_map(&mut self, parent: Tag<'a>, subgraph: &mut Subgraph) -> Result<(), Broken> {
        let body = match parent.name {
            b"then_port_map" => BodyKind::Then,
            b"else_port_map" => BodyKind::Else,
            _ => BodyKind::Body,
        };
        loop {
            let (tag, closed) = match self.cursor.next()? {
                Token::Open(tag) => (tag, false),
                Token::Closed(tag) => (tag, true),
                Token::Close(_) => return Ok(()),
                Token::Text(span) => {
                    self.stray_text(span);
                    continue;
                }
                Token::End => return Err(self.cursor.cut_short(parent)),
                Token::Doctype(_) | Token::Declaration(_) => continue,
            };
            match tag.name {
                b"input" => subgraph.port_map.push(self.port_map_entry(tag, body, Direction::Input)?),
                b"output" => subgraph.port_map.push(self.port_map_entry(tag, body, Direction::Output)?),
                _ => self.ignored(tag, parent, &[]),
            }
            if !closed {
                self.cursor.skip_content(tag, self.limits.depth)?;
            }
        }
    }

    fn port_map_entry(&mut self, tag: Tag<'a>, body: BodyKind, direction: Direction) -> Result<PortMapEntry, Broken> {
        const NAMES: [&[u8]; 7] =
            [b"external_port_id", b"internal_layer_id", b"axis", b"start", b"end", b"stride", b"part_size"];
        let mut numbers = [None; 7];
        let mut purpose = Span::default();
        self.attributes(tag, |key, attribute| {
            if let Some(i) = NAMES.iter().position(|name| *name == key) {
                numbers[i] = Some(attribute.value);
            } else if key == b"purpose" {
                purpose = attribute.value;
            }
        })?;
        let mut values = [None; 7];
        for ((name, span), value) in NAMES.iter().zip(numbers).zip(&mut values) {
            let Some(span) = span else { continue };
            let text = resolved(self.text(span));
            *value = std::str::from_utf8(&text).ok().and_then(|text| text.trim_start().parse::<i64>().ok());
            let is_unsigned = *name == b"internal_layer_id" || *name == b"axis" && direction == Direction::Input;
            if value.is_none_or(|value| value < 0 && is_unsigned) {
                let (name, text) = (String::from_utf8_lossy(name), self.source.text(span).into_owned());
                let wanted = if is_unsigned { "an unsigned integer" } else { "an integer" };
                self.report(&INVALID_ATTRIBUTE, span, format!("`{name}=\"{text}\"` is not {wanted}"));
            }
        }
        for (i, name) in ["external_port_id", "internal_layer_id"].into_iter().enumerate() {
            if numbers[i].is_none() {
                self.report(&MISSING_ATTRIBUTE, tag.span, format!("port map entry has no `{name}`"));
            }
        }
        let [external, internal, axis, start, end, stride, part_size] = values;
        let slice = axis.map(|axis| Slice {
            axis,
            start: start.unwrap_or(0),
            end: end.unwrap_or(-1),
            stride: stride.unwrap_or(1),
            part_size: part_size.unwrap_or(1),
        });
        Ok(PortMapEntry {
            tag: tag.span,
            body,
            direction,
            external_port: external,
            internal_layer: internal.and_then(|id| u64::try_from(id).ok()),
            slice,
            purpose,
        })
    }

    fn back_edges(&mut self, parent: Tag<'a>, subgraph: &mut Subgraph) -> Result<(), Broken> {
        loop {
            let (tag, closed) = match self.cursor.next()? {
                Token::Open(tag) => (tag, false),
                Token::Closed(tag) => (tag, true),
                Token::Close(_) => return Ok(()),
                Token::Text(span) => {
                    self.stray_text(span);
                    continue;
                }
                Token::End => return Err(self.cursor.cut_short(parent)),
                Token::Doctype(_) | Token::Declaration(_) => continue,
            };
            let (mut from, mut to) = (None, None);
            self.attributes(tag, |key, attribute| match key {
                b"from-layer" => from = Some(attribute.value),
                b"to-layer" => to = Some(attribute.value),
                _ => {}
            })?;
            for (name, span) in [("from-layer", from), ("to-layer", to)] {
                if span.is_none() {
                    self.report(&MISSING_ATTRIBUTE, tag.span, format!("back edge has no `{name}`"));
                }
            }
            let from = from.and_then(|span| self.unsigned("from-layer", span));
            let to = to.and_then(|span| self.unsigned("to-layer", span));
            if let (Some(from), Some(to)) = (from, to) {
                subgraph.back_edges.push((from, to, tag.span));
            }
            if !closed {
                self.cursor.skip_content(tag, self.limits.depth)?;
            }
        }
    }
}

/// Elements that mean something somewhere.
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

/// Elements of a net that are not read.
const NET_ELEMENTS: &[&[u8]] =
    &[b"rt_info", b"meta_data", b"quantization_parameters", b"pre-process", b"statistics", b"cli_parameters"];

/// Elements of a layer that are not read.
const LAYER_ELEMENTS: &[&[u8]] =
    &[b"rt_info", b"input", b"output", b"port_map", b"then_port_map", b"else_port_map", b"back_edges"];

/// Elements of a layer of which OpenVINO reads the first only.
const ONCE: [&[u8]; 10] = [
    b"input",
    b"output",
    b"data",
    b"body",
    b"then_body",
    b"else_body",
    b"port_map",
    b"then_port_map",
    b"else_port_map",
    b"back_edges",
];

/// Whether a line that Git leaves in a conflict stands here; the first of its three is no text.
fn is_conflict_mark(text: &[u8]) -> bool {
    text.starts_with(b"=======") || text.starts_with(b">>>>>>> ")
}

/// The places of two of them.
const INPUT: usize = 0;
const OUTPUT: usize = 1;

fn range(start: usize, end: usize) -> (u32, u32) {
    let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (clip(start), clip(end))
}

/// The place of a kind among the graph's.
fn kind_of<'a>(ty: &'a [u8], version: &'a [u8], graph: &mut Graph, kinds: &mut Kinds<'a>) -> u32 {
    *kinds.entry((ty, version)).or_insert_with(|| {
        graph.kinds.push(kind(ty, version));
        u32::try_from(graph.kinds.len() - 1).unwrap_or(u32::MAX)
    })
}

fn kind(ty: &[u8], version: &[u8]) -> Kind {
    let ty = unescape(ty).into_owned();
    let version = unescape(version).into_owned();
    let role = match ty.as_str() {
        "Const" => Role::Const,
        "Result" => Role::Result,
        "Assign" => Role::Assign,
        _ if ty.eq_ignore_ascii_case("Parameter") => Role::Parameter,
        _ => Role::Inner,
    };
    let meaning = ops::meaning(&ty, &version);
    let cut = |mut text: String| {
        if text.len() > NAME {
            let end = (0..=NAME).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            text.truncate(end);
            text.push_str("...");
        }
        text
    };
    Kind { ty: cut(ty), version: cut(version), meaning, role }
}

/// The first NUL, and the first byte that is not UTF-8; block by block, so that the text is in the cache for both.
fn odd_bytes(bytes: &[u8]) -> (Option<usize>, Option<usize>) {
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
