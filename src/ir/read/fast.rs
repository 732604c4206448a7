//! A fast path for layers, ports and edges in the form in which OpenVINO writes them, which make up most of a file.
//!
//! Anything in another form is left to the XML events. Both paths give the same graph. A layer whose text repeats an earlier one
//! but for names, numbers and dimensions is not read again: its content is that of the earlier layer, shifted.

mod cache;
mod constant;
mod layer;
mod ports;
mod rt_info;
mod template;
mod text;

pub(in crate::ir) use layer::layer;
pub(in crate::ir) use ports::{DimsCache, section};
pub(in crate::ir) use text::Text;

use super::kinds::Kinds;
use crate::ir::edges::resolve::RawEdge;
use crate::source::Span;
use std::collections::HashMap;
use template::Templates;

/// Texts that repeat, with their content.
#[derive(Default)]
pub(in crate::ir) struct Caches<'a> {
    /// Types and versions.
    pub kinds: Kinds<'a>,
    /// Parsed dimensions by the text of a port's content.
    pub dims: DimsCache<'a>,
    /// Starts of `<data>` tags by their text.
    data: HashMap<&'a [u8], u32, foldhash::fast::RandomState>,
    /// Layers in the plain form.
    templates: Templates<'a>,
}

/// Reads the edge at a position.
pub(in crate::ir) fn edge(bytes: &[u8], at: usize) -> Option<RawEdge> {
    let mut text = Text::new(bytes, at);
    text.blanks();
    let start = text.at;
    let from_layer = text.attribute(b"<edge from-layer=\"")?;
    let from_port = text.attribute(b" from-port=\"")?;
    let to_layer = text.attribute(b" to-layer=\"")?;
    let to_port = text.attribute(b" to-port=\"")?;
    let tag = (text.word(b" />") || text.word(b"/>")).then(|| Span::new(start, text.at))?;
    Some(RawEdge { from_layer, from_port, to_layer, to_port, tag })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_edges_are_read() {
        let text = b" <edge from-layer=\"1\" from-port=\"2\" to-layer=\"3\" to-port=\"0\" />";
        let edge = edge(text, 0).unwrap();
        assert_eq!((edge.from_layer, edge.from_port, edge.to_layer, edge.to_port), (1, 2, 3, 0));
        assert_eq!(edge.tag, Span::new(1, 63));
    }
}
