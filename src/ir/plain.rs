//! Layers, ports and edges as OpenVINO writes them, read straight from the bytes: they are most of a file.
//!
//! Whatever is written otherwise is left to the XML events, which accept all there is; both ways give the same.

use super::attributes::name_length;
use super::graph::{Attribute, Graph, Id, Port};
use super::resolve::RawEdge;
use crate::diagnostic::Direction;
use crate::limits::Limits;
use crate::source::Span;
use crate::types::ElementType;
use smallvec::SmallVec;

/// A place in the text.
struct Text<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Text<'a> {
    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Whether `word` comes next, and then behind it.
    fn word<const N: usize>(&mut self, word: &[u8; N]) -> bool {
        let found = self.rest().first_chunk() == Some(word);
        self.at += if found { N } else { 0 };
        found
    }

    /// A number of at most 18 digits.
    fn number(&mut self) -> Option<u64> {
        let start = self.at;
        let mut value = 0_u64;
        while let Some(digit) = self.text.get(self.at).filter(|b| b.is_ascii_digit()) {
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        (1..=18).contains(&(self.at - start)).then_some(value)
    }

    /// What stands before the next quote, and behind that.
    fn quoted(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        let length = to_quote(rest)?;
        self.at += length + 1;
        rest.get(..length)
    }

    /// `word` and what stands before the next quote, as a place in a source in which the text starts at `offset`.
    fn place<const N: usize>(&mut self, word: &[u8; N], offset: usize) -> Option<Span> {
        let start = offset + self.at + N;
        let value = self.word(word).then(|| self.quoted())??;
        Some(Span::new(start, start + value.len()))
    }

    /// `word`, a number and a quote.
    fn attribute<const N: usize>(&mut self, word: &[u8; N]) -> Option<u64> {
        let value = self.word(word).then(|| self.number())??;
        self.word(b"\"").then_some(value)
    }
}

/// How many bytes stand before the next quote; most often few, so that eight at a time are quick enough.
fn to_quote(text: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let mut at = 0;
    while let Some(bytes) = text.get(at..).and_then(|rest| rest.first_chunk()) {
        let differ = u64::from_le_bytes(*bytes) ^ (ONES * u64::from(b'"'));
        let found = differ.wrapping_sub(ONES) & !differ & (ONES << 7);
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    let rest = text.get(at..)?;
    rest.iter().position(|b| *b == b'"').map(|length| at + length)
}

/// A layer without bodies, `rt_info` or comments.
pub(super) struct PlainLayer {
    /// The start tag.
    pub tag: Span,
    pub id: Option<Id>,
    pub name: Span,
    pub ty: Span,
    pub version: Span,
    /// The `<data/>` tag; empty where there is none.
    pub data: Span,
    /// The attributes of `data`, as a range of the graph's.
    pub attrs: (usize, usize),
    /// Where its inputs start and its outputs end among the graph's ports, and where the first end.
    pub ports: (usize, usize, usize),
    /// The byte after its end tag.
    pub end: usize,
}

/// Reads the layer that `text` starts with, if it is plain to its end.
pub(super) fn layer(text: &[u8], offset: usize, graph: &mut Graph, limits: &Limits) -> Option<PlainLayer> {
    let lengths = (graph.attrs.len(), graph.ports.len(), graph.dims.len());
    let found = read_layer(text, offset, graph, limits);
    if found.is_none() {
        graph.attrs.truncate(lengths.0);
        graph.ports.truncate(lengths.1);
        graph.dims.truncate(lengths.2);
    }
    found
}

fn read_layer(text: &[u8], offset: usize, graph: &mut Graph, limits: &Limits) -> Option<PlainLayer> {
    let mut text = Text { text, at: 0 };
    text.blanks();
    let start = offset + text.at;
    let id = text.attribute(b"<layer id=\"")?;
    let name = text.place(b" name=\"", offset)?;
    let ty = text.place(b" type=\"", offset)?;
    let version = text.place(b" version=\"", offset)?;
    if !text.word(b">") {
        return None;
    }
    let tag = Span::new(start, offset + text.at);
    text.blanks();
    let first_attr = graph.attrs.len();
    let data_at = offset + text.at;
    let mut data = Span::default();
    if text.word(b"<data") {
        read_attributes(&mut text, offset, &mut graph.attrs)?;
        data = Span::new(data_at, offset + text.at);
    }
    let first_input = graph.ports.len();
    let mut sides = [first_input; 2];
    for (direction, end) in [Direction::Input, Direction::Output].into_iter().zip(&mut sides) {
        text.at += section(direction, text.rest(), offset + text.at, graph, limits).unwrap_or(0);
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
        attrs: (first_attr, graph.attrs.len()),
        ports: (first_input, sides[0], sides[1]),
        end: offset + text.at,
    })
}

/// The attributes of a tag that closes itself, no two with the same name.
fn read_attributes(text: &mut Text, offset: usize, attrs: &mut Vec<Attribute>) -> Option<()> {
    let first = attrs.len();
    let mut names: SmallVec<[&[u8]; 8]> = SmallVec::new();
    while !text.word(b" />") && !text.word(b"/>") {
        if !text.word(b" ") {
            return None;
        }
        let rest = text.rest();
        let name = rest.get(..name_length(rest)).filter(|name| !name.is_empty())?;
        if names.contains(&name) || attrs.len() - first == names.inline_size() {
            return None;
        }
        names.push(name);
        let at = offset + text.at;
        text.at += name.len();
        attrs.push(Attribute { name: Span::new(at, at + name.len()), value: text.place(b"=\"", offset)? });
    }
    Some(())
}

/// Reads the inputs or outputs that `text` starts with, if they are plain to their end and within the limits; gives their
/// length.
pub(super) fn section(
    direction: Direction,
    text: &[u8],
    offset: usize,
    graph: &mut Graph,
    limits: &Limits,
) -> Option<usize> {
    let Graph { ports, dims, .. } = graph;
    let (first_port, first_dim) = (ports.len(), dims.len());
    let mut place = Text { text, at: 0 };
    place.blanks();
    let is_input = direction == Direction::Input;
    if !(if is_input { place.word(b"<input>") } else { place.word(b"<output>") }) {
        return None;
    }
    while let Some((mut port, length)) = port(place.rest(), offset + place.at, dims) {
        if !is_input && port.precision.is_none() {
            break; // What is missing is told by the slow way.
        }
        if ports.len() - first_port == limits.ports || (port.dims.1 - port.dims.0) as usize > limits.rank {
            break;
        }
        share_dims(ports.last(), &mut port, dims);
        ports.push(port);
        place.at += length;
    }
    place.blanks();
    if if is_input { place.word(b"</input>") } else { place.word(b"</output>") } {
        return Some(place.at);
    }
    ports.truncate(first_port);
    dims.truncate(first_dim);
    None
}

/// Lets a port use the dimensions of the one before it where they are the same, as they are more often than not.
fn share_dims(before: Option<&Port>, port: &mut Port, dims: &mut Vec<i64>) {
    let declared = |(start, end): (u32, u32)| dims.get(start as usize..end as usize);
    if let Some(before) = before.filter(|before| declared(before.dims) == declared(port.dims)) {
        dims.truncate(port.dims.0 as usize);
        port.dims = before.dims;
    }
}

/// The port that `text` starts with, and its length; `offset` is where `text` stands in the source.
fn port(text: &[u8], offset: usize, dims: &mut Vec<i64>) -> Option<(Port, usize)> {
    let start = dims.len();
    let found = read_port(text, offset, dims);
    if found.is_none() {
        dims.truncate(start);
    }
    found
}

fn read_port(text: &[u8], offset: usize, dims: &mut Vec<i64>) -> Option<(Port, usize)> {
    let mut text = Text { text, at: 0 };
    text.blanks();
    let tag = text.at;
    let id = text.attribute(b"<port id=\"").and_then(Id::new)?;
    let precision = if text.word(b" precision=\"") { Some(precision(text.quoted()?)?) } else { None };
    if text.word(b" names=\"") {
        text.quoted()?;
    }
    let first = u32::try_from(dims.len()).ok()?;
    let closed = text.word(b" />") || text.word(b"/>");
    if !closed && !text.word(b">") {
        return None;
    }
    let tag_end = text.at;
    if !closed {
        read_dims(&mut text, dims)?;
    }
    let place = |at: usize| Span::new(offset + at, offset + at);
    Some((
        Port {
            tag: Span::new(offset + tag, offset + tag_end),
            end: place(text.at).end,
            id: Some(id),
            precision,
            dims: (first, u32::try_from(dims.len()).ok()?),
            source: (u32::MAX, 0),
        },
        text.at,
    ))
}

fn precision(text: &[u8]) -> Option<ElementType> {
    match text {
        b"FP32" => Some(ElementType::F32),
        b"I64" => Some(ElementType::I64),
        _ => ElementType::from_port_text(std::str::from_utf8(text).ok()?),
    }
}

/// The dimensions up to and with `</port>`.
fn read_dims(text: &mut Text, dims: &mut Vec<i64>) -> Option<()> {
    loop {
        text.blanks();
        if !text.word(b"<dim>") {
            return text.word(b"</port>").then_some(());
        }
        let dim = if text.word(b"-1") { -1 } else { i64::try_from(text.number()?).ok()? };
        if !text.word(b"</dim>") {
            return None;
        }
        dims.push(dim);
    }
}

/// The edge that `text` starts with, and its length.
pub(super) fn edge(text: &[u8], offset: usize) -> Option<(RawEdge, usize)> {
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
    fn plain_ports_are_read() {
        let mut dims = Vec::new();
        let text = b"\n\t<port id=\"3\" precision=\"FP16\" names=\"a,b\">\n<dim>12</dim> <dim>-1</dim>\n</port>...";
        let (port, length) = port(text, 100, &mut dims).unwrap();
        assert_eq!((port.id.map(Id::get), port.precision, &dims[..]), (Some(3), Some(ElementType::F16), &[12, -1][..]));
        assert_eq!((port.tag, port.end, length), (Span::new(102, 144), 180, 80));
    }

    #[test]
    fn other_ports_are_left_alone() {
        for text in [
            "<port id=\"3\"><dim>1</dim><rt_info/></port>",
            "<port id=\"3\"><dim> 1</dim></port>",
            "<port id=\"3\"><dim>-2</dim></port>",
            "<port id=\"3\" precision=\"FP33\"/>",
            "<port precision=\"FP32\" id=\"3\"/>",
            "<port id=\"+3\"/>",
            "<port id=\"3\"><dim>1234567890123456789</dim></port>",
            "<port id=\"3\"><!-- --></port>",
            "</output>",
        ] {
            let mut dims = Vec::new();
            assert!(port(text.as_bytes(), 0, &mut dims).is_none() && dims.is_empty(), "{text}");
        }
    }

    #[test]
    fn sections_are_read_to_their_end_or_not_at_all() {
        let mut graph = Graph::default();
        let limits = Limits { ports: 1, rank: 1, ..Limits::default() };
        let text = b"\n<output><port id=\"1\" precision=\"I64\"><dim>2</dim></port>\n</output>";
        assert_eq!(section(Direction::Output, text, 0, &mut graph, &limits), Some(text.len()));
        assert_eq!((graph.ports.len(), &graph.dims[..]), (1, &[2][..]));
        for text in [
            "<output><port id=\"1\"/></output>",
            "<output>x</output>",
            "<output><port id=\"1\" precision=\"I64\"/>",
            "<output><port id=\"1\" precision=\"I64\"/><port id=\"2\" precision=\"I64\"/></output>",
            "<output><port id=\"1\" precision=\"I64\"><dim>1</dim><dim>2</dim></port></output>",
        ] {
            assert_eq!(section(Direction::Output, text.as_bytes(), 0, &mut graph, &limits), None, "{text}");
            assert_eq!((graph.ports.len(), graph.dims.len()), (1, 1));
        }
    }

    #[test]
    fn plain_layers_are_read() {
        let mut graph = Graph::default();
        let text = b"\n<layer id=\"7\" name=\"a > b\" type=\"Split\" version=\"opset1\">\n\
            <data num_splits=\"2\" x='3\"/>\n</layer>";
        assert!(layer(text, 0, &mut graph, &Limits::default()).is_none());
        let text = b"\n<layer id=\"7\" name=\"a > b\" type=\"Split\" version=\"opset1\">\n\
            <data num_splits=\"2\" x=\"\"/>\n<input>\n<port id=\"0\"/> </input></layer>...";
        let found = layer(text, 100, &mut graph, &Limits::default()).unwrap();
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
            "<output/>",
            "<!-- -->",
            "<input><port id=\"0\"/></input><input><port id=\"0\"/></input>",
            "x",
        ] {
            let text = format!("<layer id=\"7\" name=\"\" type=\"Split\" version=\"opset1\">{inside}</layer>");
            assert!(layer(text.as_bytes(), 0, &mut graph, &Limits::default()).is_none(), "{inside}");
            assert_eq!((graph.attrs.len(), graph.ports.len()), (0, 0));
        }
    }

    #[test]
    fn quotes_are_found_wherever_they_stand() {
        for length in 0..40 {
            let text =
                format!("{}\"\"{}", "\u{a3}!".repeat(20).chars().take(length).collect::<String>(), "#".repeat(9));
            assert_eq!(to_quote(text.as_bytes()), text.find('"'), "{text}");
        }
        assert_eq!(to_quote(b"123456789"), None);
    }

    #[test]
    fn plain_edges_are_read() {
        let text = b" <edge from-layer=\"1\" from-port=\"2\" to-layer=\"3\" to-port=\"0\" />";
        let (edge, length) = edge(text, 0).unwrap();
        assert_eq!((edge.from_layer, edge.from_port, edge.to_layer, edge.to_port), (1, 2, 3, 0));
        assert_eq!((edge.tag, length), (Span::new(1, 63), 63));
    }
}
