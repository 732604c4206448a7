//! Reads the XML of an IR into graphs. Whatever is wrong is reported; only broken XML ends the reading.

use super::attributes::{Attributes, unescape};
use super::body::{Body, BodyKind, PortMapEntry, Slice, Subgraph};
use super::constant::read_constant;
use super::cursor::{Broken, Cursor, Tag, Token};
use super::graph::{Attribute, Graph, Id, Kind, Layer, Port, Role};
use super::resolve::{PartialEdge, RawEdge, RawEdges, resolve};
use super::rules::{
    CONFLICT_MARKER, INVALID_ATTRIBUTE, INVALID_DIM, MISSING_ELEMENT, NOT_OPENVINO_IR, UNKNOWN_ELEMENT,
    UNKNOWN_PRECISION, UNSUPPORTED_IR_VERSION, XML_DOCTYPE, XML_DUPLICATE_ATTRIBUTE, XML_ENCODING, XML_MALFORMED,
    XML_TRAILING_CONTENT,
};
use super::{identify, number, plain};
use crate::diagnostic::{Diagnostic, Direction, Rule, Runtime, Severity, Sink};
use crate::limits::{LIMIT_EXCEEDED, Limits};
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
}

/// Reads a source; `None` if it is no IR or its XML is broken before the end of the net.
pub fn read(source: &Source, limits: &Limits, sink: &mut Sink) -> Option<Net> {
    let mut reader = Reader { source, limits, sink, cursor: Cursor::new(source.bytes()), layers: 0 };
    match reader.document() {
        Ok(net) => net,
        Err(broken) => {
            let finding = malformed(source, &broken);
            reader.sink.report(finding);
            None
        }
    }
}

/// The finding for broken XML: a merge conflict where there are its marks, a syntax error otherwise.
fn malformed(source: &Source, broken: &Broken) -> Diagnostic {
    let bytes = source.bytes();
    if let (Some(flag), Some(element)) = (broken.flag, broken.element) {
        return Diagnostic::new(&LIMIT_EXCEEDED, element, format!("{}; reading stopped here", broken.reason))
            .help(format!("raise the limit with {flag}"));
    }
    let marker =
        memchr::memmem::find(bytes, b"<<<<<<< ").filter(|at| at.checked_sub(1).is_none_or(|n| bytes[n] == b'\n'));
    if let Some(at) = marker {
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
        let mut seen: smallvec::SmallVec<[Span; 8]> = smallvec::SmallVec::new();
        for attribute in Attributes::new(tag.inside, tag.inside_at) {
            let attribute = attribute.map_err(|error| Broken::new(error.at, error.reason))?;
            let name = self.text(attribute.name);
            if let Some(first) = seen.iter().find(|first| self.text(**first) == name) {
                let (name, first) = (String::from_utf8_lossy(name), *first);
                let message = format!("attribute `{name}` appears twice; OpenVINO uses the first one");
                self.sink.report(
                    Diagnostic::new(&XML_DUPLICATE_ATTRIBUTE, attribute.name.to(attribute.value), message)
                        .label(first, "this one is used"),
                );
                continue;
            }
            seen.push(attribute.name);
            take(name, attribute);
        }
        Ok(())
    }

    fn document(&mut self) -> Result<Option<Net>, Broken> {
        let bytes = self.source.bytes();
        if let Some(kind) = identify::kind_of(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)) {
            self.not_ir(Span::default(), kind);
            return Ok(None);
        }
        let (nul, other) = odd_bytes(bytes);
        if let Some(at) = nul {
            return Err(Broken::new(at, "there is a NUL byte"));
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
        }
        Ok(net)
    }

    fn not_ir(&mut self, span: Span, kind: &str) {
        self.report(&NOT_OPENVINO_IR, span, format!("this is {kind}, not an OpenVINO IR"));
    }

    /// The XML declaration: an encoding other than UTF-8 is a promise that the bytes do not keep.
    fn declaration(&mut self, span: Span) {
        let text = self.source.text(span);
        let Some((_, rest)) = text.split_once("encoding") else { return };
        let label: String = rest
            .trim_start_matches([' ', '=', '"', '\''])
            .chars()
            .take_while(|c| !matches!(c, '"' | '\'' | '?'))
            .collect();
        if !matches!(label.to_ascii_lowercase().as_str(), "utf-8" | "utf8" | "us-ascii" | "ascii")
            && !label.starts_with("utf-16")
            && !label.starts_with("UTF-16")
        {
            self.report(&XML_ENCODING, span, format!("the file says encoding `{label}`, it is read as UTF-8"));
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
        let version = match number::unsigned(self.text(span)) {
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
        Ok(Some(Net { version, name, graph }))
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
        let mut has_layers = false;
        loop {
            match self.cursor.next()? {
                Token::Open(child) => match child.name {
                    b"layers" if !has_layers => {
                        has_layers = true;
                        self.layers(child, &mut graph, level)?;
                    }
                    b"edges" if edges.is_none() => edges = Some(self.edges(child)?),
                    _ => {
                        self.pass(child, tag, NET_ELEMENTS)?;
                    }
                },
                Token::Closed(child) => match child.name {
                    b"layers" if !has_layers => has_layers = true,
                    b"edges" if edges.is_none() => edges = Some(RawEdges::default()),
                    _ => self.ignored(child, tag, NET_ELEMENTS),
                },
                Token::Close(_) => break,
                Token::Text(span) => self.stray_text(span),
                Token::End => return Err(self.cursor.cut_short(tag)),
                Token::Doctype(_) | Token::Declaration(_) => {}
            }
        }
        let name = || String::from_utf8_lossy(tag.name).into_owned();
        let mut edges_missing = false;
        if !has_layers {
            self.report(&MISSING_ELEMENT, tag.span, format!("<layers> is missing in <{}>", name()));
        } else if edges.is_none() && graph.layers.len() > 1 {
            let message = format!("<edges> is missing in <{}>", name());
            self.sink.report(Diagnostic::new(&MISSING_ELEMENT, tag.span, message).runtime(Runtime::Misleads));
            edges_missing = true;
        }
        resolve(&mut graph, self.source, edges.unwrap_or_default(), self.sink);
        if edges_missing {
            graph.loose.add_everything();
        }
        Ok(graph)
    }

    /// Passes over an element that is not read, and reports it unless it is known to be of no account.
    fn pass(&mut self, tag: Tag<'a>, parent: Tag<'a>, known: &[&[u8]]) -> Result<u32, Broken> {
        self.ignored(tag, parent, known);
        let end = self.cursor.skip_content(tag, self.limits.depth)?;
        Ok(Span::new(end, end).end)
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

    fn stray_text(&mut self, span: Span) {
        let text = self.text(span);
        if text.starts_with(b"=======") || text.starts_with(b">>>>>>>") {
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
            self.layers += 1;
            if self.layers > self.limits.layers {
                let reason = format!("the file has more than {} layers", self.limits.layers);
                return Err(Broken::limit(tag.span, reason, "--max-layers"));
            }
            let mut layer = self.layer_tag(tag, graph, &mut kinds)?;
            if !closed {
                self.layer_content(tag, &mut layer, graph, level)?;
            }
            if graph.kind(&layer).role == Role::Const {
                read_constant(graph, &mut layer, self.source, self.sink);
            }
            graph.layers.push(layer);
        }
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
        let key = (raw(ty), raw(version));
        let kind = *kinds.entry(key).or_insert_with(|| {
            graph.kinds.push(kind(key.0, key.1));
            u32::try_from(graph.kinds.len() - 1).unwrap_or(u32::MAX)
        });
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
        let value = number::unsigned(self.text(span));
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
        let (mut had_data, mut had_input, mut had_output) = (false, false, false);
        loop {
            had_input = had_input || self.plain_section(&plain::INPUT, &mut layer.inputs, graph);
            had_output = had_output || self.plain_section(&plain::OUTPUT, &mut layer.outputs, graph);
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
            match child.name {
                b"data" if !had_data => {
                    had_data = true;
                    layer.data = child.span;
                    let start = graph.attrs.len();
                    self.attributes(child, |_, attribute| graph.attrs.push(attribute))?;
                    layer.attrs = range(start, graph.attrs.len());
                    if !closed {
                        self.cursor.skip_content(child, self.limits.depth)?;
                    }
                }
                b"input" if !had_input => {
                    had_input = true;
                    let start = graph.ports.len();
                    if !closed {
                        self.ports(child, Direction::Input, graph)?;
                    }
                    layer.inputs = range(start, graph.ports.len());
                }
                b"output" if !had_output => {
                    had_output = true;
                    let start = graph.ports.len();
                    if !closed {
                        self.ports(child, Direction::Output, graph)?;
                    }
                    layer.outputs = range(start, graph.ports.len());
                }
                b"body" | b"then_body" | b"else_body" if !closed => {
                    let kind = match child.name {
                        b"body" => BodyKind::Body,
                        b"then_body" => BodyKind::Then,
                        _ => BodyKind::Else,
                    };
                    let subgraph = layer.subgraph.get_or_insert_default();
                    if subgraph.body(kind).is_some() {
                        self.pass(child, tag, &[])?;
                    } else if level >= self.limits.bodies {
                        let message = format!("bodies are nested more than {} deep", self.limits.bodies);
                        self.sink.report(
                            Diagnostic::new(&LIMIT_EXCEEDED, child.span, message)
                                .help("raise the limit with --max-bodies"),
                        );
                        self.cursor.skip_content(child, usize::MAX)?;
                    } else {
                        let body = self.graph(child, level + 1)?;
                        layer.subgraph.get_or_insert_default().bodies.push(Body { kind, graph: body });
                    }
                }
                b"port_map" | b"then_port_map" | b"else_port_map" if !closed => {
                    let subgraph = layer.subgraph.get_or_insert_default();
                    self.port_map(child, subgraph)?;
                }
                b"back_edges" if !closed => {
                    let subgraph = layer.subgraph.get_or_insert_default();
                    self.back_edges(child, subgraph)?;
                }
                _ if closed => self.ignored(child, tag, LAYER_ELEMENTS),
                _ => {
                    self.pass(child, tag, LAYER_ELEMENTS)?;
                }
            }
        }
    }

    /// Reads the ports of one side of a layer if they come next and are written plainly.
    fn plain_section(&mut self, section: &plain::Section, place: &mut (u32, u32), graph: &mut Graph) -> bool {
        let start = graph.ports.len();
        let mut found = false;
        self.cursor.skip_plain(|rest, offset| {
            let length = plain::section(section, rest, offset, &mut graph.ports, &mut graph.dims);
            found = length.is_some();
            length.unwrap_or(0)
        });
        if found {
            *place = range(start, graph.ports.len());
        }
        found
    }

    fn ports(&mut self, parent: Tag<'a>, direction: Direction, graph: &mut Graph) -> Result<(), Broken> {
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
            if tag.name != b"port" {
                self.ignored(tag, parent, &[]);
                if !closed {
                    self.cursor.skip_content(tag, self.limits.depth)?;
                }
                continue;
            }
            let mut port = self.port_tag(tag, direction)?;
            let start = graph.dims.len();
            if !closed {
                port.end = self.dims(tag, &mut graph.dims)?;
            }
            port.dims = range(start, graph.dims.len());
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
        let raw = self.text(span);
        let ty = std::str::from_utf8(raw).ok().and_then(ElementType::from_port_text);
        if ty.is_none() {
            let text = String::from_utf8_lossy(raw).into_owned();
            let near = ElementType::from_data_text(&text)
                .or_else(|| ElementType::all().find(|ty| ty.port_name().eq_ignore_ascii_case(&text)));
            let mut finding = Diagnostic::new(&UNKNOWN_PRECISION, span, format!("`{text}` is not a precision"));
            if direction == Direction::Input {
                finding = finding.severity(Severity::Warning).runtime(Runtime::Accepts);
            }
            if let Some(near) = near {
                finding = finding.help(format!("did you mean {}?", near.port_name()));
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
                    dims.push(-1);
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

    /// One `<dim>` that is not plain digits.
    fn dim(&mut self, tag: Tag<'a>, dims: &mut Vec<i64>) -> Result<(), Broken> {
        let mut text = Vec::new();
        let mut span: Option<Span> = None;
        let mut child = false;
        loop {
            match self.cursor.next()? {
                Token::Text(part) => {
                    text.extend_from_slice(unescape(self.text(part)).as_bytes());
                    span = Some(span.map_or(part, |span| span.to(part)));
                }
                Token::Close(_) => break,
                Token::Open(inner) => {
                    child = text.is_empty();
                    self.cursor.skip_content(inner, self.limits.depth)?;
                }
                Token::Closed(_) => child |= text.is_empty(),
                Token::End => return Err(self.cursor.cut_short(tag)),
                Token::Doctype(_) | Token::Declaration(_) => {}
            }
        }
        let span = span.unwrap_or(tag.span);
        match number::dimension(&text).filter(|_| !child) {
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
                dims.push(-1);
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
            *value = std::str::from_utf8(self.text(span)).ok().and_then(|text| text.trim_start().parse::<i64>().ok());
            if value.is_none() {
                let (name, text) = (String::from_utf8_lossy(name), self.source.text(span).into_owned());
                self.report(&INVALID_ATTRIBUTE, span, format!("`{name}=\"{text}\"` is not an integer"));
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
const LAYER_ELEMENTS: &[&[u8]] = &[
    b"rt_info",
    b"input",
    b"output",
    b"port_map",
    b"then_port_map",
    b"else_port_map",
    b"back_edges",
    b"body",
    b"then_body",
    b"else_body",
];

fn range(start: usize, end: usize) -> (u32, u32) {
    let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (clip(start), clip(end))
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
    Kind { ty, version, meaning, role }
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
