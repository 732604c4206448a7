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
        let document = Self { parts: Vec::with_capacity(2 * graph.layers.len()), extras: 0 };
        let mut writer = Writer { source, document, at: 0, had_layers: false, had_edges: false };
        let edges = Edges::of(source, graph);
        let mut cursor = Cursor::new(source.bytes());
        // The elements around, down to `<layers>` or `<edges>`; what is deeper is part of something.
        let (mut depth, mut inside, mut is_done) = (0_usize, Inside::Net, false);
        let mut open = None;
        loop {
            match cursor.next() {
                Ok(Token::Start(tag)) => {
                    let what = match (depth, inside) {
                        (0, _) if !is_done => Some(What::Frame),
                        (1, _) if tag.name == b"layers" && !writer.had_layers => {
                            writer.had_layers = true;
                            inside = Inside::Layers;
                            Some(What::Frame)
                        }
                        (1, _) if tag.name == b"edges" && !std::mem::replace(&mut writer.had_edges, true) => {
                            inside = Inside::Edges;
                            Some(if tag.closes { What::NoEdges } else { What::Frame })
                        }
                        (2, Inside::Layers) => Some(layer(graph, tag.span).unwrap_or(What::Extra(0))),
                        (2, Inside::Edges) if tag.name == b"edge" => Some(edges.find(tag.span)),
                        (0 | 1, _) | (2, Inside::Edges) => Some(What::Extra(0)),
                        _ => None,
                    };
                    if let Some(what) = what {
                        writer.begin(tag.span.start);
                        let is_whole = tag.closes || what == What::Frame;
                        if is_whole {
                            writer.end(tag.span.end, what);
                            if what == What::Frame && depth == 1 && inside == Inside::Layers {
                                writer.place(What::Inputs);
                            }
                        }
                        open = (!is_whole).then_some((depth, what));
                    }
                    if !tag.closes {
                        depth += 1;
                    } else if depth == 1 {
                        inside = Inside::Net;
                    }
                }
                Ok(Token::Close(span)) => {
                    depth = depth.saturating_sub(1);
                    if let Some((_, what)) = open.take_if(|(level, _)| *level == depth) {
                        writer.end(span.end, what);
                    } else if open.is_none() {
                        writer.begin(span.start);
                        match (depth, inside) {
                            (1, Inside::Layers) => writer.place(What::Results),
                            (1, Inside::Edges) => writer.place(What::Edges),
                            (0, _) if !writer.had_edges => writer.place(What::NoEdges),
                            _ => {}
                        }
                        writer.end(span.end, What::Frame);
                        inside = if depth == 1 { Inside::Net } else { inside };
                        is_done |= depth == 0;
                    }
                }
                Ok(Token::Declaration(span)) if depth == 0 => {
                    writer.begin(span.start);
                    writer.end(span.end, What::Frame);
                }
                Ok(Token::End) => break,
                Ok(_) => {}
                // What follows the root element need not be XML.
                Err(_) if is_done => break,
                Err(_) => return None,
            }
        }
        writer.rest();
        Some(writer.document)
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
    document: Document,
    /// The byte after the last part.
    at: u32,
    had_layers: bool,
    had_edges: bool,
}

impl Writer<'_> {
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

    fn rest(&mut self) {
        let end = Span::new(0, self.source.bytes().len()).end;
        self.begin(end);
        if self.at < end {
            self.end(end, What::Frame);
        }
    }
}

fn layer(graph: &Graph, tag: Span) -> Option<What> {
    let at = graph.layers.binary_search_by_key(&tag.start, |layer| layer.tag.start).ok()?;
    Some(What::Layer(LayerId::new(at)))
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
