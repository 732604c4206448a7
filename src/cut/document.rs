//! The XML of a model, split into parts that a candidate (a smaller model) keeps or drops. Each part begins with the whitespace in
//! front of it.

use crate::arrange::Fill;
use crate::ir::{Cursor, Graph, LayerId, Token, find_attribute, unescape};
use crate::source::{Source, Span};
use std::collections::BTreeMap;

/// A part of the XML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    pub span: Span,
    pub kind: PartKind,
}

/// The kinds of parts. The last four (slots) mark where new text may be inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartKind {
    /// A tag that every candidate keeps, such as `<net>` or `</layers>`.
    Frame,
    /// A `<layer>` element.
    Layer(LayerId),
    /// An `<edge>` element with the layers at its ends; `LayerId::NONE` if one end names no layer. If neither does, it is an
    /// `Extra`.
    Edge(LayerId, LayerId),
    /// Anything else, such as `<rt_info>`, comments or stray text, by its index in `Choice::extras`.
    Extra(usize),
    /// The slot for new Parameters and constants.
    Inputs,
    /// The slot for new Results.
    Results,
    /// The slot for new edges.
    Edges,
    /// The slot for a new `<edges>` element. The slot contains the empty element of the original, if there is one.
    NoEdges,
}

/// The XML of a model or of a body, in parts.
#[derive(Debug)]
pub(crate) struct Document {
    pub parts: Vec<Part>,
    /// The number of [`PartKind::Extra`] parts.
    pub extras: usize,
}

impl Document {
    /// Splits the text of an IR; `None` if its XML is broken.
    pub(crate) fn of(source: &Source, graph: &Graph) -> Option<Self> {
        let whole = Span::new(0, source.bytes().len());
        let mut splitter = Splitter::new(source, graph, whole);
        splitter.element(whole)?;
        // Text after the root element need not be XML.
        splitter.begin(whole.end);
        if splitter.at < whole.end {
            splitter.end(whole.end, PartKind::Frame);
        }
        Some(splitter.document)
    }

    /// Splits the first element of a span, such as a body.
    pub(crate) fn of_element(source: &Source, graph: &Graph, start: Span) -> Option<Self> {
        let mut splitter = Splitter::new(source, graph, start);
        splitter.element(start)?;
        Some(splitter.document)
    }
}

/// The child of the root in which the current position is; `Net` outside of `<layers>` and `<edges>`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Net,
    Layers,
    Edges,
}

/// A text that is being split.
struct Splitter<'a> {
    source: &'a Source,
    graph: &'a Graph,
    edges: Edges<'a>,
    document: Document,
    /// The byte after the last part.
    at: u32,
    /// The number of open elements.
    depth: usize,
    inside: Inside,
    /// The open part and its depth; elements inside belong to it.
    open: Option<(usize, PartKind)>,
    had_layers: bool,
    had_edges: bool,
}

impl<'a> Splitter<'a> {
    fn new(source: &'a Source, graph: &'a Graph, whole: Span) -> Self {
        Self {
            source,
            graph,
            edges: Edges::of(source, graph),
            document: Document { parts: Vec::new(), extras: 0 },
            at: whole.start,
            depth: 0,
            inside: Inside::Net,
            open: None,
            had_layers: false,
            had_edges: false,
        }
    }

    /// Splits everything up to the end of the first element.
    fn element(&mut self, whole: Span) -> Option<()> {
        let mut cursor = Cursor::new(self.source.slice(whole));
        let placed = |span: Span| Span { start: span.start + whole.start, end: span.end + whole.start };
        loop {
            match cursor.next().ok()? {
                Token::Start(tag) => self.start(placed(tag.span), tag.name, tag.closes),
                Token::Close(span) => {
                    self.close(placed(span));
                    if self.depth == 0 {
                        return Some(());
                    }
                }
                Token::Declaration(span) if self.depth == 0 => {
                    self.begin(placed(span).start);
                    self.end(placed(span).end, PartKind::Frame);
                }
                Token::End => return None,
                Token::Declaration(_) | Token::Text(_) | Token::Doctype(_) => {}
            }
        }
    }

    fn start(&mut self, tag: Span, name: &[u8], closes: bool) {
        if let Some(kind) = self.classify(tag, name, closes) {
            self.begin(tag.start);
            if closes || kind == PartKind::Frame {
                self.end(tag.end, kind);
                if kind == PartKind::Frame && self.depth == 1 && self.inside == Inside::Layers {
                    self.slot(PartKind::Inputs);
                }
            } else {
                self.open = Some((self.depth, kind));
            }
        }
        if !closes {
            self.depth += 1;
        } else if self.depth == 1 {
            self.inside = Inside::Net;
        }
    }

    fn close(&mut self, tag: Span) {
        self.depth = self.depth.saturating_sub(1);
        let depth = self.depth;
        if let Some((_, kind)) = self.open.take_if(|(level, _)| *level == depth) {
            self.end(tag.end, kind);
        } else if self.open.is_none() {
            self.begin(tag.start);
            match (depth, self.inside) {
                (1, Inside::Layers) => self.slot(PartKind::Results),
                (1, Inside::Edges) => self.slot(PartKind::Edges),
                (0, _) if !self.had_edges => self.slot(PartKind::NoEdges),
                _ => {}
            }
            self.end(tag.end, PartKind::Frame);
            if depth == 1 {
                self.inside = Inside::Net;
            }
        }
    }

    /// Classifies the element that starts here; `None` if it is inside another part. [`Self::end`] numbers extras.
    fn classify(&mut self, tag: Span, name: &[u8], closes: bool) -> Option<PartKind> {
        match (self.depth, self.inside) {
            (0, _) => Some(PartKind::Frame),
            (1, _) if name == b"layers" && !self.had_layers => {
                (self.had_layers, self.inside) = (true, Inside::Layers);
                Some(PartKind::Frame)
            }
            (1, _) if name == b"edges" && !self.had_edges => {
                (self.had_edges, self.inside) = (true, Inside::Edges);
                Some(if closes { PartKind::NoEdges } else { PartKind::Frame })
            }
            (2, Inside::Layers) => Some(self.graph.layer_at(tag.start).map_or(PartKind::Extra(0), PartKind::Layer)),
            (2, Inside::Edges) if name == b"edge" => Some(self.edges.find(tag)),
            (1, _) | (2, Inside::Edges) => Some(PartKind::Extra(0)),
            _ => None,
        }
    }

    /// Starts a part. Text between the last part and this one becomes an `Extra`, unless it is blank.
    fn begin(&mut self, start: u32) {
        let gap = Span { start: self.at, end: start };
        if !self.source.slice(gap).trim_ascii().is_empty() {
            self.end(start, PartKind::Extra(0));
        }
    }

    /// Ends a part, which started at the end of the last one.
    fn end(&mut self, end: u32, kind: PartKind) {
        let kind = match kind {
            PartKind::Extra(_) => {
                self.document.extras += 1;
                PartKind::Extra(self.document.extras - 1)
            }
            kind => kind,
        };
        self.document.parts.push(Part { span: Span { start: self.at, end }, kind });
        self.at = end;
    }

    fn slot(&mut self, kind: PartKind) {
        self.end(self.at, kind);
    }
}

/// The layers that each edge connects.
struct Edges<'a> {
    source: &'a Source,
    /// The ends of intact edges, by the start of their tags.
    whole: BTreeMap<u32, (LayerId, LayerId)>,
    /// Layers by id; the last one of a duplicate id.
    ids: BTreeMap<u64, LayerId>,
}

impl<'a> Edges<'a> {
    fn of(source: &'a Source, graph: &Graph) -> Self {
        let ends = |edge| graph.dag.edge_endpoints(edge).map(|(from, to)| (from.into(), to.into()));
        let whole = graph.dag.edge_indices();
        let whole = whole.filter_map(|edge| Some((graph.dag.edge_weight(edge)?.tag.start, ends(edge)?))).into_map();
        let ids = graph.entries().filter_map(|(at, layer)| Some((layer.id?.get(), at))).into_map();
        Self { source, whole, ids }
    }

    fn find(&self, tag: Span) -> PartKind {
        let written = |name| {
            let value = find_attribute(self.source, tag, name)?.value;
            self.ids.get(&unescape(self.source.slice(value)).trim().parse().ok()?).copied()
        };
        let ends = || (written("from-layer"), written("to-layer"));
        match self.whole.get(&tag.start).map_or_else(ends, |(from, to)| (Some(*from), Some(*to))) {
            (None, None) => PartKind::Extra(0),
            (from, to) => PartKind::Edge(from.unwrap_or(LayerId::NONE), to.unwrap_or(LayerId::NONE)),
        }
    }
}
