//! A whole `<layer>` in the plain form, as OpenVINO writes it.

use super::Caches;
use super::constant::constant;
use super::ports::section;
use super::rt_info::rt_info;
use super::text::{HoleKind, Text};
use crate::diagnostic::Direction;
use crate::ir::read::kinds::kind_of;
use crate::ir::read::range;
use crate::ir::xml::attributes::name_length;
use crate::ir::{Attribute, Graph, Id, Layer, Role};
use crate::limits::Limits;
use crate::ops::CONST;
use crate::source::Span;
use smallvec::SmallVec;

/// Reads the layer at a position, if it has neither bodies nor comments and all of it is in the plain form. It must be the next
/// one that is added to the graph.
pub(in crate::ir) fn layer<'a>(
    bytes: &'a [u8],
    at: usize,
    graph: &mut Graph,
    caches: &mut Caches<'a>,
    limits: &Limits,
) -> Option<Layer> {
    let Caches { templates, dims, .. } = caches;
    if let Some(layer) = templates.layer(&mut Text::new(bytes, at), graph, dims, limits.rank) {
        return Some(layer);
    }
    let mut text = Text::new(bytes, at);
    let lengths = (graph.attrs.len(), graph.ports.len());
    let found = read_layer(&mut text, graph, caches, limits);
    match &found {
        // The attributes of such a Const are removed from the graph later, so no other layer may copy them.
        Some(layer) if layer.constant == u32::MAX && graph.kind(layer).role == Role::Const => {}
        Some(_) => {
            caches.templates.add(at, &text, graph.layers.len());
        }
        None => {
            graph.attrs.truncate(lengths.0);
            graph.ports.truncate(lengths.1);
        }
    }
    found
}

fn read_layer<'a>(text: &mut Text<'a>, graph: &mut Graph, caches: &mut Caches<'a>, limits: &Limits) -> Option<Layer> {
    text.blanks();
    let start = text.at;
    let id = text.hole(b"<layer id=\"", HoleKind::Number)?;
    let name = text.hole(b" name=\"", HoleKind::Text)?;
    let ty = text.value(b" type=\"")?;
    let version = text.value(b" version=\"")?;
    if !text.word(b">") {
        return None;
    }
    let tag = Span::new(start, text.at);
    text.blanks();
    let (data_at, first_attr) = (text.at, graph.attrs.len());
    let constant = if ty == CONST.as_bytes() { constant(text) } else { None };
    if constant.is_none() && text.word(b"<data") {
        read_attributes(text, &mut graph.attrs)?;
    }
    let data = if text.at == data_at { Span::default() } else { Span::new(data_at, text.at) };
    let data_like = match text.text.get(data.range()) {
        Some(bytes) if constant.is_none() => *caches.data.entry(bytes).or_insert(data.start),
        _ => data.start,
    };
    rt_info(text)?;
    let first_input = graph.ports.len();
    let mut sides = [first_input; 2];
    for (direction, end) in [Direction::Input, Direction::Output].into_iter().zip(&mut sides) {
        section(direction, text, graph, &mut caches.dims, limits);
        *end = graph.ports.len();
    }
    text.blanks();
    text.word(b"</layer>").then(|| Layer {
        tag,
        end: text.position(),
        id: Id::new(id.number),
        name: name.span,
        kind: kind_of(ty, version, graph, &mut caches.kinds),
        data,
        data_like,
        attrs: range(first_attr, graph.attrs.len()),
        inputs: range(first_input, sides[0]),
        outputs: range(sides[0], sides[1]),
        subgraph: None,
        constant: constant.map_or(u32::MAX, |constant| graph.add_constant(constant)),
    })
}

/// Reads the attributes of a self-closing tag; `None` if it is not in the plain form, repeats a name, or has more than 8.
fn read_attributes(text: &mut Text, attrs: &mut Vec<Attribute>) -> Option<()> {
    let first = attrs.len();
    let mut names: SmallVec<[&[u8]; 8]> = SmallVec::new();
    while !text.word(b" />") && !text.word(b"/>") {
        if !text.word(b" ") {
            return None;
        }
        let (start, rest) = (text.at, text.rest());
        let name = rest.get(..name_length(rest)).filter(|name| !name.is_empty() && name.is_ascii())?;
        if names.contains(&name) || attrs.len() - first == names.inline_size() {
            return None;
        }
        names.push(name);
        text.at += name.len();
        let value = text.value(b"=\"")?;
        let end = text.at - 1;
        attrs.push(Attribute { name: Span::new(start, start + name.len()), value: Span::new(end - value.len(), end) });
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
        let mut caches = Caches::default();
        assert!(layer(text, 0, &mut graph, &mut caches, &Limits::default()).is_none());
        let text = b"\n<layer id=\"7\" name=\"a > b\" type=\"Split\" version=\"opset1\">\n\
            <data num_splits=\"2\" x=\"\"/>\n<input>\n<port id=\"0\"/> </input></layer>...";
        let found = layer(text, 0, &mut graph, &mut caches, &Limits::default()).unwrap();
        let slice = |span: Span| std::str::from_utf8(&text[span.range()]).unwrap();
        let kind = graph.kind(&found);
        assert_eq!([slice(found.name), &kind.ty, &kind.version], ["a > b", "Split", "opset1"]);
        assert_eq!((found.id.map(Id::get), found.end as usize), (Some(7), text.len() - 3));
        assert_eq!(slice(found.tag), "<layer id=\"7\" name=\"a > b\" type=\"Split\" version=\"opset1\">");
        assert_eq!(slice(found.data), "<data num_splits=\"2\" x=\"\"/>");
        assert_eq!((found.attrs, found.inputs, found.outputs), ((0, 2), (0, 1), (1, 1)));
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
