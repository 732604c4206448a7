//! A fast path for layers, ports and edges in the form in which OpenVINO writes them, which make up most of a file.
//!
//! Anything in another form is left to the XML events. Both paths give the same graph.

mod cache;
mod constant;
mod layer;
mod ports;
mod rt_info;
mod text;

pub(in crate::ir) use layer::{TagCache, layer};
pub(in crate::ir) use ports::{DimsCache, section};

use crate::ir::edges::resolve::RawEdge;
use crate::source::Span;
use text::Text;

/// Caches of texts that repeat.
#[derive(Default)]
pub(in crate::ir) struct Caches<'a> {
    /// Parsed dimensions by the text of a port's content.
    pub dims: DimsCache<'a>,
    /// Starts of `<data>` tags by their text.
    pub data: TagCache<'a>,
}

/// Reads the edge at the start of `text`; returns it with its length.
pub(in crate::ir) fn edge(text: &[u8], offset: usize) -> Option<(RawEdge, usize)> {
    let mut text = Text { text, at: 0 };
    text.blanks();
    let start = text.at;
    let from_layer = text.attribute(b"<edge from-layer=\"")?;
    let from_port = text.attribute(b" from-port=\"")?;
    let to_layer = text.attribute(b" to-layer=\"")?;
    let to_port = text.attribute(b" to-port=\"")?;
    if !text.word(b" />") && !text.word(b"/>") {
        return None;
    }
    let tag = Span::new(offset + start, offset + text.at);
    Some((RawEdge { from_layer, from_port, to_layer, to_port, tag }, text.at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_edges_are_read() {
        let text = b" <edge from-layer=\"1\" from-port=\"2\" to-layer=\"3\" to-port=\"0\" />";
        let (edge, length) = edge(text, 0).unwrap();
        assert_eq!((edge.from_layer, edge.from_port, edge.to_layer, edge.to_port), (1, 2, 3, 0));
        assert_eq!((edge.tag, length), (Span::new(1, 63), 63));
    }
}
