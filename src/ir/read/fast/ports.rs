//! The ports on one side of a layer, with their dimensions.

use super::cache::TextCache;
use super::text::Text;
use crate::diagnostic::Direction;
use crate::ir::{Graph, Id, LayerId, Port};
use crate::limits::Limits;
use crate::source::Span;
use crate::types::ElementType;

/// Reads the inputs or outputs at the start of `text`, if they are in the plain form and within the limits; returns their
/// length.
pub(in crate::ir) fn section<'a>(
    direction: Direction,
    text: &'a [u8],
    offset: usize,
    graph: &mut Graph,
    cache: &mut DimsCache<'a>,
    limits: &Limits,
) -> Option<usize> {
    let Graph { ports, dims, .. } = graph;
    let (first_port, first_dim) = (ports.len(), dims.len());
    let mut cursor = Text { text, at: 0 };
    cursor.blanks();
    let is_input = direction == Direction::Input;
    if !(if is_input { cursor.word(b"<input>") } else { cursor.word(b"<output>") }) {
        return None;
    }
    while let Some((port, length)) = port(cursor.rest(), offset + cursor.at, dims, cache) {
        if !is_input && port.precision.is_none() {
            break; // The slow reader reports what is missing.
        }
        if ports.len() - first_port == limits.ports || (port.dims.1 - port.dims.0) as usize > limits.rank {
            break;
        }
        ports.push(port);
        cursor.at += length;
    }
    cursor.blanks();
    if if is_input { cursor.word(b"</input>") } else { cursor.word(b"</output>") } {
        return Some(cursor.at);
    }
    ports.truncate(first_port);
    dims.truncate(first_dim);
    cache.forget();
    None
}

/// Lists of dimensions as ranges of the graph's dimensions, by the text from the port's start tag to the end of `</port>`.
pub(in crate::ir) type DimsCache<'a> = TextCache<'a, (u32, u32)>;

/// Reads the port at the start of `text`, which is at `offset` in the source; returns it with its length.
fn port<'a>(text: &'a [u8], offset: usize, dims: &mut Vec<i64>, cache: &mut DimsCache<'a>) -> Option<(Port, usize)> {
    let start = dims.len();
    let found = read_port(text, offset, dims, cache);
    if found.is_none() {
        dims.truncate(start);
    }
    found
}

fn read_port<'a>(
    text: &'a [u8],
    offset: usize,
    dims: &mut Vec<i64>,
    cache: &mut DimsCache<'a>,
) -> Option<(Port, usize)> {
    let mut text = Text { text, at: 0 };
    text.blanks();
    let tag = text.at;
    let id = text.attribute(b"<port id=\"").and_then(Id::new)?;
    let precision = if text.word(b" precision=\"") { Some(precision(&mut text)?) } else { None };
    if text.word(b" names=\"") {
        text.quoted()?;
    }
    let closed = text.word(b" />") || text.word(b"/>");
    if !closed && !text.word(b">") {
        return None;
    }
    let tag_end = text.at;
    let range = if closed { (0, 0) } else { read_dims(&mut text, dims, cache)? };
    let end = offset + text.at;
    Some((
        Port {
            tag: Span::new(offset + tag, offset + tag_end),
            end: Span::new(end, end).end,
            id: Some(id),
            precision,
            dims: range,
            source: (LayerId::NONE, 0),
        },
        text.at,
    ))
}

/// Reads an element type and a quote, the most common types first.
fn precision(text: &mut Text) -> Option<ElementType> {
    if text.word(b"FP32\"") {
        return Some(ElementType::F32);
    }
    if text.word(b"I64\"") {
        return Some(ElementType::I64);
    }
    ElementType::from_port_text(std::str::from_utf8(text.quoted()?).ok()?)
}

/// Reads dimensions and `</port>`; returns them as a range of `dims`.
fn read_dims<'a>(text: &mut Text<'a>, dims: &mut Vec<i64>, cache: &mut DimsCache<'a>) -> Option<(u32, u32)> {
    let rest = text.rest();
    let slot = match cache.find(rest) {
        Ok((found, length)) => {
            text.at += length;
            return Some(found);
        }
        Err(slot) => slot,
    };
    let (start, first) = (text.at, u32::try_from(dims.len()).ok()?);
    loop {
        text.blanks();
        if !text.word(b"<dim>") {
            text.word(b"</port>").then_some(())?;
            let found = (first, u32::try_from(dims.len()).ok()?);
            if let Some(slot) = slot {
                cache.add(&slot, rest.get(..text.at - start)?, found);
            }
            return Some(found);
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
    use crate::ir::read::fast::cache::HASHED;

    #[test]
    fn plain_ports_are_read() {
        let mut dims = Vec::new();
        let text = b"\n\t<port id=\"3\" precision=\"FP16\" names=\"a,b\">\n<dim>12</dim> <dim>-1</dim>\n</port>...";
        let (port, length) = port(text, 100, &mut dims, &mut DimsCache::default()).unwrap();
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
            assert!(
                port(text.as_bytes(), 0, &mut dims, &mut DimsCache::default()).is_none() && dims.is_empty(),
                "{text}"
            );
        }
    }

    #[test]
    fn sections_are_read_to_their_end_or_not_at_all() {
        let mut graph = Graph::default();
        let mut cache = DimsCache::default();
        let limits = Limits { ports: 1, rank: 1, ..Limits::default() };
        let text = b"\n<output><port id=\"1\" precision=\"I64\"><dim>2</dim></port>\n</output>";
        assert_eq!(section(Direction::Output, text, 0, &mut graph, &mut cache, &limits), Some(text.len()));
        assert_eq!((graph.ports.len(), &graph.dims[..]), (1, &[2][..]));
        for text in [
            "<output><port id=\"1\"/></output>",
            "<output>x</output>",
            "<output><port id=\"1\" precision=\"I64\"/>",
            "<output><port id=\"1\" precision=\"I64\"/><port id=\"2\" precision=\"I64\"/></output>",
            "<output><port id=\"1\" precision=\"I64\"><dim>1</dim><dim>2</dim></port></output>",
        ] {
            assert_eq!(section(Direction::Output, text.as_bytes(), 0, &mut graph, &mut cache, &limits), None, "{text}");
            assert_eq!((graph.ports.len(), graph.dims.len()), (1, 1));
        }
    }

    #[test]
    fn lists_of_dimensions_are_kept_once() {
        let (mut graph, mut cache) = (Graph::default(), DimsCache::default());
        let port = |i| format!("<port id=\"0\" precision=\"I64\"><dim>{i}</dim>{}</port>", " ".repeat(HASHED));
        let text = [0, 1, 2, 0, 1, 2].map(port).concat();
        let text = format!("<output>{text}</output>");
        section(Direction::Output, text.as_bytes(), 0, &mut graph, &mut cache, &Limits::default()).unwrap();
        assert_eq!(graph.dims, [0, 1, 2]);
        let ranges: Vec<_> = graph.ports.iter().map(|port| port.dims).collect();
        assert_eq!(ranges, [(0, 1), (1, 2), (2, 3), (0, 1), (1, 2), (2, 3)]);
        let cut = text.replace("</output>", "<");
        assert_eq!(section(Direction::Output, cut.as_bytes(), 0, &mut graph, &mut cache, &Limits::default()), None);
        section(Direction::Output, text.as_bytes(), 0, &mut graph, &mut cache, &Limits::default()).unwrap();
        assert_eq!(graph.dims, [0, 1, 2, 0, 1, 2], "what was taken back is not known any more");
    }
}
