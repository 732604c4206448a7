//! The ports of one side of a layer, with their dimensions.

use super::text::Text;
use crate::diagnostic::Direction;
use crate::ir::graph::{Graph, Id, Port};
use crate::limits::Limits;
use crate::source::Span;
use crate::types::ElementType;

/// Reads the inputs or outputs that `text` starts with, if they are plain to their end and within the limits; gives their
/// length.
pub(in crate::ir) fn section(
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
}
