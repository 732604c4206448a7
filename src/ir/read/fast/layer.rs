//! A whole layer.

use super::Caches;
use super::cache::TextCache;
use super::constant::constant;
use super::ports::section;
use super::rt_info::rt_info;
use super::text::Text;
use crate::diagnostic::Direction;
use crate::ir::constant::Constant;
use crate::ir::xml::attributes::name_length;
use crate::ir::{Attribute, Graph, Id};
use crate::limits::Limits;
use crate::ops::CONST;
use crate::source::Span;
use smallvec::SmallVec;

/// Starts of `<data>` tags by their text. A model has more of them than lists of dimensions.
pub(in crate::ir) type TagCache<'a> = TextCache<'a, u32, 1024>;

/// A layer without bodies or comments.
pub(in crate::ir) struct PlainLayer {
    /// The start tag.
    pub tag: Span,
    pub id: Option<Id>,
    pub name: Span,
    pub ty: Span,
    pub version: Span,
    /// The `<data/>` tag; empty if there is none.
    pub data: Span,
    /// The start of an earlier tag with the same text as `data`, or of `data`.
    pub data_like: u32,
    /// The attributes of `data`, as a range of the graph's attributes; empty if they are in `constant`.
    pub attrs: (usize, usize),
    /// The attributes of a constant.
    pub constant: Option<Constant>,
    /// The start of its inputs, the end of its inputs, and the end of its outputs in the graph's ports.
    pub ports: (usize, usize, usize),
    /// The end of its end tag.
    pub end: usize,
}

/// Reads the layer at the start of `text`, if all of it is in the plain form.
pub(in crate::ir) fn layer<'a>(
    text: &'a [u8],
    offset: usize,
    graph: &mut Graph,
    caches: &mut Caches<'a>,
    limits: &Limits,
) -> Option<PlainLayer> {
    let lengths = (graph.attrs.len(), graph.ports.len(), graph.dims.len());
    let found = read_layer(text, offset, graph, caches, limits);
    if found.is_none() {
        caches.dims.forget();
        graph.attrs.truncate(lengths.0);
        graph.ports.truncate(lengths.1);
        graph.dims.truncate(lengths.2);
    }
    found
}

fn read_layer<'a>(
    text: &'a [u8],
    offset: usize,
    graph: &mut Graph,
    caches: &mut Caches<'a>,
    limits: &Limits,
) -> Option<PlainLayer> {
    let mut text = Text { text, at: 0 };
    text.blanks();
    let start = offset + text.at;
    let id = text.attribute(b"<layer id=\"")?;
    let name = text.span(b" name=\"", offset)?;
    let ty = text.span(b" type=\"", offset)?;
    let version = text.span(b" version=\"", offset)?;
    if !text.word(b">") {
        return None;
    }
    let tag = Span::new(start, offset + text.at);
    text.blanks();
    let first_attr = graph.attrs.len();
    let data_at = offset + text.at;
    let (mut data, mut data_like) = (Span::default(), 0);
    let is_const = text.text.get(ty.start as usize - offset..ty.end as usize - offset) == Some(CONST.as_bytes());
    let constant = if is_const { constant(&mut text) } else { None };
    if constant.is_some() {
        data = Span::new(data_at, offset + text.at);
        data_like = data.start;
    } else {
        let rest = text.rest();
        if text.word(b"<data") {
            read_attributes(&mut text, offset, &mut graph.attrs)?;
            data = Span::new(data_at, offset + text.at);
            data_like = like(rest, data, &mut caches.data);
        }
    }
    rt_info(&mut text)?;
    let first_input = graph.ports.len();
    let mut sides = [first_input; 2];
    for (direction, end) in [Direction::Input, Direction::Output].into_iter().zip(&mut sides) {
        text.at += section(direction, text.rest(), offset + text.at, graph, &mut caches.dims, limits).unwrap_or(0);
        *end = graph.ports.len();
    }
    text.blanks();
    text.word(b"</layer>").then(|| PlainLayer {
        tag,
        id: Id::new(id),
        name,
        ty,
        version,
        data,
        data_like,
        attrs: (first_attr, graph.attrs.len()),
        constant,
        ports: (first_input, sides[0], sides[1]),
        end: offset + text.at,
    })
}

/// Returns the start of an earlier `<data>` with the same text as the one at the start of `text`, or else its own.
fn like<'a>(text: &'a [u8], data: Span, cache: &mut TagCache<'a>) -> u32 {
    match cache.find_short(text, data.len()) {
        Ok((earlier, _)) => return earlier,
        Err(Some(slot)) => cache.add(&slot, text.get(..data.len()).unwrap_or_default(), data.start),
        Err(None) => {}
    }
    data.start
}

/// Reads the attributes of a self-closing tag; `None` if a name repeats.
fn read_attributes(text: &mut Text, offset: usize, attrs: &mut Vec<Attribute>) -> Option<()> {
    let first = attrs.len();
    let mut names: SmallVec<[&[u8]; 8]> = SmallVec::new();
    while !text.word(b" />") && !text.word(b"/>") {
        if !text.word(b" ") {
            return None;
        }
        let rest = text.rest();
        let name = rest.get(..name_length(rest)).filter(|name| !name.is_empty() && name.is_ascii())?;
        if names.contains(&name) || attrs.len() - first == names.inline_size() {
            return None;
        }
        names.push(name);
        let at = offset + text.at;
        text.at += name.len();
        attrs.push(Attribute { name: Span::new(at, at + name.len()), value: text.span(b"=\"", offset)? });
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_layers_are_read() {
        let mut graph = Graph::default();
        let text = b"\n<layer id=\"7\" name=\"a > b\" type=\"Split\" version=\"opset1\">\n\
            <data num_splits=\"2\" x='3\"/>\n</layer>";
        assert!(layer(text, 0, &mut graph, &mut Caches::default(), &Limits::default()).is_none());
        let text = b"\n<layer id=\"7\" name=\"a > b\" type=\"Split\" version=\"opset1\">\n\
            <data num_splits=\"2\" x=\"\"/>\n<input>\n<port id=\"0\"/> </input></layer>...";
        let found = layer(text, 100, &mut graph, &mut Caches::default(), &Limits::default()).unwrap();
        let slice =
            |span: Span| std::str::from_utf8(&text[span.start as usize - 100..span.end as usize - 100]).unwrap();
        assert_eq!([found.name, found.ty, found.version].map(slice), ["a > b", "Split", "opset1"]);
        assert_eq!((found.id.map(Id::get), found.end), (Some(7), 100 + text.len() - 3));
        assert_eq!(slice(found.tag), "<layer id=\"7\" name=\"a > b\" type=\"Split\" version=\"opset1\">");
        assert_eq!(slice(found.data), "<data num_splits=\"2\" x=\"\"/>");
        assert_eq!((found.attrs, found.ports), ((0, 2), (0, 1, 1)));
        let attrs: Vec<_> = graph.attrs.iter().map(|attr| (slice(attr.name), slice(attr.value))).collect();
        assert_eq!(attrs, [("num_splits", "2"), ("x", "")]);
    }

    #[test]
    fn other_layers_are_left_alone() {
        let mut graph = Graph::default();
        for inside in [
            "<data a=\"1\" a=\"2\"/>",
            "<data a=\"1\"/><data b=\"1\"/>",
            "<data a=\"1\"></data>",
            "<data a=\"1\"b=\"1\"/>",
            "<data =\"1\"/>",
            "<rt_info/>",
            "<rt_info></rt_info><rt_info></rt_info>",
            "<rt_info></rt_info><data a=\"1\"/>",
            "<output/>",
            "<!-- -->",
            "<input><port id=\"0\"/></input><input><port id=\"0\"/></input>",
            "x",
        ] {
            let text = format!("<layer id=\"7\" name=\"\" type=\"Split\" version=\"opset1\">{inside}</layer>");
            assert!(
                layer(text.as_bytes(), 0, &mut graph, &mut Caches::default(), &Limits::default()).is_none(),
                "{inside}"
            );
            assert_eq!((graph.attrs.len(), graph.ports.len()), (0, 0));
        }
    }
}
