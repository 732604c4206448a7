//! The text of a model as parts that can be left out, each with the blanks in front of it.

use crate::ir::{Cursor, Graph, LayerId, Token, find_attribute, unescape};
use crate::source::{Source, Span};
use std::collections::BTreeMap;

/// A part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    /// All of its bytes.
    pub span: Span,
    /// What they are.
    pub what: What,
}

/// What a part of the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// A tag that stays.
    Frame,
    /// A layer.
    Layer(LayerId),
    /// An edge; an end that does not exist is `LayerId::NONE`.
    Edge(LayerId, LayerId),
    /// Anything else, such as notes, comments or stray text, by its number.
    Extra(usize),
    /// Nothing, but here new layers with outputs can stand.
    Inputs,
    /// Nothing, but here new Results can stand.
    Results,
    /// Nothing, but here new edges can stand.
    Edges,
    /// An empty `<edges>` or none at all, in the place of which one can stand.
    NoEdges,
}

/// The text of a model in parts.
#[derive(Debug)]
pub(super) struct Document {
    pub parts: Vec<Part>,
    /// The number of parts that are neither layers nor edges and can be left out.
    pub extras: usize,
}

impl Document {
    /// The parts of a text that is an IR; `None` where its XML is broken.
    pub(super) fn of(source: &Source, graph: &Graph) -> Option<Self> {
        let whole = Span::new(0, source.bytes().len());
        let mut writer = Writer::new(source, graph, whole);
        writer.element(whole)?;
        // What follows the root element need not be XML.
        writer.begin(whole.end);
        if writer.at < whole.end {
            writer.end(whole.end, What::Frame);
        }
        Some(writer.document)
    }

    /// The parts of the element that a part of the text starts with, such as a body.
    pub(super) fn of_element(source: &Source, graph: &Graph, start: Span) -> Option<Self> {
        let mut writer = Writer::new(source, graph, start);
        writer.element(start)?;
        Some(writer.document)
    }

    /// All of the text that is in parts.
    pub(super) fn span(&self) -> Span {
        let ends = self.parts.first().zip(self.parts.last());
        ends.map(|(first, last)| first.span.to(last.span)).unwrap_or_default()
    }
}

/// Which element the next one is a child of, below the root.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Net,
    Layers,
    Edges,
}

struct Writer<'a> {
    source: &'a Source,
    graph: &'a Graph,
    edges: Edges<'a>,
    document: Document,
    /// The byte after the last part.
    at: u32,
    /// The elements around, down to `<layers>` or `<edges>`; what is deeper is part of something.
    depth: usize,
    inside: Inside,
    /// The part that is open, and how deep it is.
    open: Option<(usize, What)>,
    had_layers: bool,
    had_edges: bool,
}

impl<'a> Writer<'a> {
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

    /// Everything up to the end of the first element.
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
                    self.end(placed(span).end, What::Frame);
                }
                Token::End => return None,
                Token::Declaration(_) | Token::Text(_) | Token::Doctype(_) => {}
            }
        }
    }

    fn start(&mut self, tag: Span, name: &[u8], closes: bool) {
        if let Some(what) = self.what(tag, name, closes) {
            self.begin(tag.start);
            if closes || what == What::Frame {
                self.end(tag.end, what);
                if what == What::Frame && self.depth == 1 && self.inside == Inside::Layers {
                    self.place(What::Inputs);
                }
            } else {
                self.open = Some((self.depth, what));
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
        if let Some((_, what)) = self.open.take_if(|(level, _)| *level == depth) {
            self.end(tag.end, what);
        } else if self.open.is_none() {
            self.begin(tag.start);
            match (depth, self.inside) {
                (1, Inside::Layers) => self.place(What::Results),
                (1, Inside::Edges) => self.place(What::Edges),
                (0, _) if !self.had_edges => self.place(What::NoEdges),
                _ => {}
            }
            self.end(tag.end, What::Frame);
            if depth == 1 {
                self.inside = Inside::Net;
            }
        }
    }

    /// What the element is that starts here; `None` for a part of something else.
    fn what(&mut self, tag: Span, name: &[u8], closes: bool) -> Option<What> {
        match (self.depth, self.inside) {
            (0, _) => Some(What::Frame),
            (1, _) if name == b"layers" && !self.had_layers => {
                (self.had_layers, self.inside) = (true, Inside::Layers);
                Some(What::Frame)
            }
            (1, _) if name == b"edges" && !self.had_edges => {
                (self.had_edges, self.inside) = (true, Inside::Edges);
                Some(if closes { What::NoEdges } else { What::Frame })
            }
            (2, Inside::Layers) => Some(self.graph.layer_at(tag.start).map_or(What::Extra(0), What::Layer)),
            (2, Inside::Edges) if name == b"edge" => Some(self.edges.find(tag)),
            (1, _) | (2, Inside::Edges) => Some(What::Extra(0)),
            _ => None,
        }
    }

    /// A part starts here. What stands between it and the last one is a part of its own, unless it is blank.
    fn begin(&mut self, start: u32) {
        let gap = Span { start: self.at, end: start };
        if !self.source.slice(gap).trim_ascii().is_empty() {
            self.end(start, What::Extra(0));
        }
    }

    fn end(&mut self, end: u32, what: What) {
        let what = match what {
            What::Extra(_) => {
                self.document.extras += 1;
                What::Extra(self.document.extras - 1)
            }
            what => what,
        };
        self.document.parts.push(Part { span: Span { start: self.at, end }, what });
        self.at = end;
    }

    fn place(&mut self, what: What) {
        self.end(self.at, what);
    }
}

/// Which layers the edges lead from and to.
struct Edges<'a> {
    source: &'a Source,
    /// Those that lead somewhere, by the start of their tags.
    whole: BTreeMap<u32, (LayerId, LayerId)>,
    /// Layers by id, the last one where several have it.
    ids: BTreeMap<u64, LayerId>,
}

impl<'a> Edges<'a> {
    fn of(source: &'a Source, graph: &Graph) -> Self {
        let ends = |edge| graph.dag.edge_endpoints(edge).map(|(from, to)| (from.into(), to.into()));
        let whole = graph.dag.edge_indices();
        let whole = whole.filter_map(|edge| Some((graph.dag.edge_weight(edge)?.tag.start, ends(edge)?))).collect();
        let ids = graph.entries().filter_map(|(at, layer)| Some((layer.id?.get(), at))).collect();
        Self { source, whole, ids }
    }

    fn find(&self, tag: Span) -> What {
        let written = |name| {
            let value = find_attribute(self.source, tag, name)?.value;
            self.ids.get(&unescape(self.source.slice(value)).trim().parse().ok()?).copied()
        };
        let ends = || (written("from-layer"), written("to-layer"));
        match self.whole.get(&tag.start).map_or_else(ends, |(from, to)| (Some(*from), Some(*to))) {
            (None, None) => What::Extra(0),
            (from, to) => What::Edge(from.unwrap_or(LayerId::NONE), to.unwrap_or(LayerId::NONE)),
        }
    }
}
