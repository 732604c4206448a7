//! Ports and edges as OpenVINO writes them, read straight from the bytes: they are most of a file.
//!
//! Whatever is written otherwise is left to the XML events, which accept all there is; both ways give the same.

use super::graph::{Id, Port};
use super::resolve::RawEdge;
use crate::diagnostic::Direction;
use crate::source::Span;
use crate::types::ElementType;

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
        let length = rest.iter().position(|b| *b == b'"')?;
        self.at += length + 1;
        rest.get(..length)
    }

    /// `word`, a number and a quote.
    fn attribute<const N: usize>(&mut self, word: &[u8; N]) -> Option<u64> {
        let value = self.word(word).then(|| self.number())??;
        self.word(b"\"").then_some(value)
    }
}

/// Reads the inputs or outputs that `text` starts with, if it is plain to its end; gives its length.
pub(super) fn section(
    direction: Direction,
    text: &[u8],
    offset: usize,
    ports: &mut Vec<Port>,
    dims: &mut Vec<i64>,
) -> Option<usize> {
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
    let precision = if text.word(b" precision=\"") {
        Some(ElementType::from_port_text(std::str::from_utf8(text.quoted()?).ok()?)?)
    } else {
        None
    };
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
        let (mut ports, mut dims) = (Vec::new(), Vec::new());
        let text = b"\n<output><port id=\"1\" precision=\"I64\"><dim>2</dim></port>\n</output>";
        assert_eq!(section(Direction::Output, text, 0, &mut ports, &mut dims), Some(text.len()));
        assert_eq!((ports.len(), &dims[..]), (1, &[2][..]));
        for text in
            ["<output><port id=\"1\"/></output>", "<output>x</output>", "<output><port id=\"1\" precision=\"I64\"/>"]
        {
            assert_eq!(section(Direction::Output, text.as_bytes(), 0, &mut ports, &mut dims), None, "{text}");
            assert_eq!((ports.len(), dims.len()), (1, 1));
        }
    }

    #[test]
    fn plain_edges_are_read() {
        let text = b" <edge from-layer=\"1\" from-port=\"2\" to-layer=\"3\" to-port=\"0\" />";
        let (edge, length) = edge(text, 0).unwrap();
        assert_eq!((edge.from_layer, edge.from_port, edge.to_layer, edge.to_port), (1, 2, 3, 0));
        assert_eq!((edge.tag, length), (Span::new(1, 63), 63));
    }
}
