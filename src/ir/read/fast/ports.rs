//! The fast path for the `<input>` or `<output>` of a layer: its ports and their dimensions.

use super::cache::TextCache;
use super::text::{HoleKind, Text};
use crate::diagnostic::Direction;
use crate::ir::read::range;
use crate::ir::{Graph, Id, LayerId, Port};
use crate::limits::Limits;
use crate::source::Span;
use crate::types::ElementType;

/// Reads the `<input>` or `<output>` that comes next. Returns `None` and leaves it to the slow reader if it exceeds a limit or
/// is not in the form in which OpenVINO writes it.
pub(in crate::ir) fn section<'a>(
    direction: Direction,
    text: &mut Text<'a>,
    graph: &mut Graph,
    cache: &mut DimsCache<'a>,
    limits: &Limits,
) -> Option<()> {
    let (start, first_port) = (text.at, graph.ports.len());
    let found = read_section(direction == Direction::Input, text, graph, cache, limits);
    if found.is_none() {
        text.at = start;
        graph.ports.truncate(first_port);
    }
    found
}

fn read_section<'a>(
    is_input: bool,
    text: &mut Text<'a>,
    graph: &mut Graph,
    cache: &mut DimsCache<'a>,
    limits: &Limits,
) -> Option<()> {
    let Graph { ports, dims, .. } = graph;
    text.blanks();
    (if is_input { text.word(b"<input>") } else { text.word(b"<output>") }).then_some(())?;
    for _ in 0..=limits.ports {
        text.blanks();
        if if is_input { text.word(b"</input>") } else { text.word(b"</output>") } {
            return Some(());
        }
        let port = port(text, dims, cache, limits.rank)?;
        // The slow reader reports what is missing.
        (is_input || port.precision.is_some()).then_some(())?;
        ports.push(port);
    }
    None
}

/// A cache of lists of dimensions: ranges of `Graph::dims` by the text from the end of a port's start tag to that of `</port>`.
pub(in crate::ir) type DimsCache<'a> = TextCache<'a, (u32, u32)>;

/// Reads the next port.
fn port<'a>(text: &mut Text<'a>, dims: &mut Vec<i64>, cache: &mut DimsCache<'a>, rank: usize) -> Option<Port> {
    let start = text.at;
    let id = text.attribute(b"<port id=\"").and_then(Id::new)?;
    let precision = if text.word(b" precision=\"") { Some(precision(text)?) } else { None };
    if text.word(b" names=\"") {
        text.fill(HoleKind::Text)?;
        text.word(b"\"");
    }
    let closed = text.word(b" />") || text.word(b"/>");
    if !closed && !text.word(b">") {
        return None;
    }
    let tag = Span::new(start, text.at);
    let dims = if closed { (0, 0) } else { read_dims(text, dims, cache, rank)? };
    Some(Port { tag, end: text.position(), id: Some(id), precision, dims, source: (LayerId::NONE, 0) })
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

/// Reads at most `rank` dimensions and `</port>`; returns them as a range of `dims`.
pub(super) fn read_dims<'a>(
    text: &mut Text<'a>,
    dims: &mut Vec<i64>,
    cache: &mut DimsCache<'a>,
    rank: usize,
) -> Option<(u32, u32)> {
    let (start, rest, first) = (text.at, text.rest(), dims.len());
    let slot = match cache.find(rest) {
        Ok((found, length)) => {
            text.fill_dims(length, found);
            return Some(found);
        }
        Err(slot) => slot,
    };
    text.blanks();
    while text.word(b"<dim>") {
        dims.push(if text.word(b"-1") { -1 } else { i64::try_from(text.number()?).ok()? });
        text.word(b"</dim>").then(|| text.blanks())?;
    }
    (text.word(b"</port>") && dims.len() - first <= rank).then_some(())?;
    let (found, length) = (range(first, dims.len()), text.at - start);
    if let Some(slot) = slot {
        cache.add(&slot, rest.get(..length)?, found);
    }
    text.at = start;
    text.fill_dims(length, found);
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::read::fast::cache::HASHED;

    #[test]
    fn plain_ports_are_read() {
        let mut dims = Vec::new();
        let text = b"<port id=\"3\" precision=\"FP16\" names=\"a,b\">\n<dim>12</dim> <dim>-1</dim>\n</port>...";
        let mut cursor = Text::new(text, 0);
        let port = port(&mut cursor, &mut dims, &mut DimsCache::default(), 2).unwrap();
        assert_eq!((port.id.map(Id::get), port.precision, &dims[..]), (Some(3), Some(ElementType::F16), &[12, -1][..]));
        assert_eq!((port.tag, port.end, cursor.at), (Span::new(0, 42), 78, 78));
        let holes: Vec<_> = cursor.holes.iter().map(|hole| (hole.kind, &text[hole.span.range()], hole.dims)).collect();
        let rest = &text[42..78];
        assert_eq!(holes, [(HoleKind::Text, &b"a,b"[..], (0, 0)), (HoleKind::Dims, rest, (0, 2))]);
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
            let mut cursor = Text::new(text.as_bytes(), 0);
            assert!(port(&mut cursor, &mut Vec::new(), &mut DimsCache::default(), 9).is_none(), "{text}");
        }
    }

    #[test]
    fn sections_are_read_to_their_end_or_not_at_all() {
        let mut graph = Graph::default();
        let mut cache = DimsCache::default();
        let limits = Limits { ports: 1, rank: 1, ..Limits::default() };
        let mut read = |text: &'static str| {
            let mut cursor = Text::new(text.as_bytes(), 0);
            let found = section(Direction::Output, &mut cursor, &mut graph, &mut cache, &limits);
            (found.is_some(), cursor.at, graph.ports.len())
        };
        let text = "\n<output><port id=\"1\" precision=\"I64\"><dim>2</dim></port>\n</output>";
        assert_eq!(read(text), (true, text.len(), 1));
        for text in [
            "<output><port id=\"1\"/></output>",
            "<output>x</output>",
            "<output><port id=\"1\" precision=\"I64\"/>",
            "<output><port id=\"1\" precision=\"I64\"/><port id=\"2\" precision=\"I64\"/></output>",
            "<output><port id=\"1\" precision=\"I64\"><dim>1</dim><dim>2</dim></port></output>",
        ] {
            assert_eq!(read(text), (false, 0, 1), "{text}");
        }
    }

    #[test]
    fn lists_of_dimensions_are_kept_once() {
        let (mut graph, mut cache) = (Graph::default(), DimsCache::default());
        let port = |i| format!("<port id=\"0\" precision=\"I64\"><dim>{i}</dim>{}</port>", " ".repeat(HASHED));
        let text = [0, 1, 2, 0, 1, 2].map(port).concat();
        let text = format!("<output>{text}</output>");
        let mut cursor = Text::new(text.as_bytes(), 0);
        section(Direction::Output, &mut cursor, &mut graph, &mut cache, &Limits::default()).unwrap();
        assert_eq!(graph.dims, [0, 1, 2]);
        let ranges: Vec<_> = graph.ports.iter().map(|port| port.dims).collect();
        assert_eq!(ranges, [(0, 1), (1, 2), (2, 3), (0, 1), (1, 2), (2, 3)]);
    }
}
