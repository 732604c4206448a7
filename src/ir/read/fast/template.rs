//! Templates of layers: most layers repeat the text of an earlier one but for names, numbers and dimensions, the holes of its
//! template, and are not parsed again.

use super::ports::{DimsCache, read_dims};
use super::text::{Hole, HoleKind, Text};
use crate::ir::constant::Constant;
use crate::ir::read::range;
use crate::ir::{Attribute, Graph, Id, Layer, Port};
use crate::source::Span;
use smallvec::SmallVec;

/// A trie of the texts of layers, in which a hole stands for any content of its kind.
#[derive(Default)]
pub(super) struct Templates<'a> {
    /// The first node is the root, without a text.
    nodes: Vec<Node<'a>>,
    models: Vec<Model>,
}

/// A text and what follows it.
struct Node<'a> {
    text: &'a [u8],
    then: Then,
    /// The nodes that may come next, by the first byte of their text.
    children: SmallVec<[(u8, usize); 1]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Text,
    Hole(HoleKind),
    /// The end of a layer like this model.
    End(usize),
}

/// The layer that a template was made of.
struct Model {
    /// The index in the graph.
    layer: usize,
    start: u32,
    /// The ends of its holes.
    holes: Box<[u32]>,
}

/// The number of nodes from which on no template is added.
const ENOUGH: usize = 1 << 14;

/// The number of layers of which no template is made: a small model has no use for them.
const FEW: usize = 16;

impl<'a> Templates<'a> {
    /// Reads the next layer, if it has a template.
    pub(super) fn layer(
        &self,
        text: &mut Text<'a>,
        graph: &mut Graph,
        cache: &mut DimsCache<'a>,
        rank: usize,
    ) -> Option<Layer> {
        let start = text.position();
        let model = self.find(text, &mut graph.dims, cache, rank)?;
        let [id, name, sizes @ ..] = &text.holes[..] else { return None };
        let mut shift = Shift { old: &model.holes, new: &text.holes, by: start.wrapping_sub(model.start), last: None };
        let old = graph.layers.get(model.layer)?;
        let mut layer = Layer {
            tag: shift.span(old.tag),
            end: old.end,
            id: Id::new(id.number),
            name: name.span,
            kind: old.kind,
            data: if old.data.is_empty() { old.data } else { shift.span(old.data) },
            data_like: old.data_like,
            attrs: range(graph.attrs.len(), graph.attrs.len()),
            inputs: old.inputs,
            outputs: old.outputs,
            subgraph: None,
            constant: old.constant,
        };
        for index in old.attrs.0..old.attrs.1 {
            let Attribute { name, value } = *graph.attrs.get(index as usize)?;
            graph.attrs.push(Attribute { name: shift.span(name), value: shift.span(value) });
            layer.attrs.1 += 1;
        }
        if let (Some(constant), [offset, size, ..]) = (graph.constant(old), sizes) {
            let constant = Constant { offset: offset.number, size: size.number, ..constant.clone() };
            layer.constant = graph.add_constant(constant);
            layer.data_like = layer.data.start;
        }
        let first = graph.ports.len();
        for index in layer.inputs.0..layer.outputs.1 {
            let old = graph.ports.get(index as usize)?;
            let (tag, end) = (shift.span(old.tag), shift.to(old.end));
            // A port without an end tag is followed by a text.
            let dims = shift.last.filter(|hole| hole.span.end == end).map_or((0, 0), |hole| hole.dims);
            let port = Port { tag, end, dims, ..old.clone() };
            graph.ports.push(port);
        }
        let middle = first + (layer.inputs.1 - layer.inputs.0) as usize;
        (layer.inputs, layer.outputs) = (range(first, middle), range(middle, graph.ports.len()));
        layer.end = shift.to(layer.end);
        Some(layer)
    }

    /// Finds the model of the next layer, and passes over the layer.
    fn find(&self, text: &mut Text<'a>, dims: &mut Vec<i64>, cache: &mut DimsCache<'a>, rank: usize) -> Option<&Model> {
        let mut node = 0;
        loop {
            node = self.child(node, *text.text.get(text.at)?)?;
            let Node { text: expected, then, .. } = self.nodes.get(node)?;
            text.rest().starts_with(expected).then_some(())?;
            text.at += expected.len();
            match *then {
                Then::Text => {}
                Then::Hole(HoleKind::Dims) => drop(read_dims(text, dims, cache, rank)?),
                Then::Hole(kind) => drop(text.fill(kind)?),
                Then::End(model) => return self.models.get(model),
            }
        }
    }

    /// Finds the child whose text starts with a byte.
    fn child(&self, parent: usize, byte: u8) -> Option<usize> {
        let children = &self.nodes.get(parent)?.children;
        children.iter().find(|(first, _)| *first == byte).map(|(_, child)| *child)
    }

    /// Adds the template of a layer that starts at `start` and ends where `text` is.
    pub(super) fn add(&mut self, start: usize, text: &Text<'a>, layer: usize) {
        if layer < FEW || self.nodes.len() > ENOUGH {
            return;
        }
        if self.nodes.is_empty() {
            self.nodes.push(Node { text: &[], then: Then::Text, children: SmallVec::new() });
        }
        let holes = text.holes.iter().map(|hole| (hole.span, Then::Hole(hole.kind)));
        let whole = Span::new(start, text.at);
        let end = (Span { start: whole.end, ..whole }, Then::End(self.models.len()));
        let (mut node, mut at) = (0, start);
        for (span, then) in holes.chain([end]) {
            let Some(next) = self.add_text(node, text.text.get(at..span.start as usize).unwrap_or_default(), then)
            else {
                return;
            };
            (node, at) = (next, span.end as usize);
        }
        let holes = text.holes.iter().map(|hole| hole.span.end).collect();
        self.models.push(Model { layer, start: whole.start, holes });
    }

    /// Adds a text behind a node; returns the node of its end. `None` if something else than `then` follows already.
    fn add_text(&mut self, mut node: usize, mut text: &'a [u8], then: Then) -> Option<usize> {
        loop {
            let (count, byte) = (self.nodes.len(), *text.first()?);
            let Some(child) = self.child(node, byte) else {
                self.nodes.get_mut(node)?.children.push((byte, count));
                self.nodes.push(Node { text, then, children: SmallVec::new() });
                return Some(count);
            };
            let known = self.nodes.get_mut(child)?;
            let same = text.iter().zip(known.text).take_while(|(a, b)| a == b).count();
            if let (start, rest @ [byte, ..]) = known.text.split_at(same) {
                let (then, children) = (known.then, std::mem::take(&mut known.children));
                (known.text, known.then) = (start, Then::Text);
                known.children.push((*byte, count));
                self.nodes.push(Node { text: rest, then, children });
            }
            (node, text) = (child, text.get(same..)?);
            let found = self.nodes.get(child)?.then;
            if text.is_empty() || found != Then::Text {
                return (text.is_empty() && found == then).then_some(child);
            }
        }
    }
}

/// Positions in a model as positions in a layer like it; they are asked for in ascending order.
struct Shift<'h> {
    /// The ends of the model's holes that are not passed yet.
    old: &'h [u32],
    /// The layer's holes that are not passed yet.
    new: &'h [Hole],
    by: u32,
    /// The hole that was passed last.
    last: Option<&'h Hole>,
}

impl Shift<'_> {
    fn to(&mut self, at: u32) -> u32 {
        while let ([end, old @ ..], [hole, new @ ..]) = (self.old, self.new)
            && *end <= at
        {
            (self.old, self.new) = (old, new);
            (self.by, self.last) = (hole.span.end.wrapping_sub(*end), Some(hole));
        }
        at.wrapping_add(self.by)
    }

    fn span(&mut self, span: Span) -> Span {
        Span { start: self.to(span.start), end: self.to(span.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Caches;
    use super::super::layer::layer;
    use super::*;
    use crate::limits::Limits;
    use std::fmt::Write;

    /// Reads layers, each with what is known of those before it or with nothing; returns their content and the number of
    /// templates, or `None` if one cannot be read.
    fn read(text: &str, is_new: bool) -> Option<(String, usize)> {
        let (mut graph, mut caches, mut shown) = (Graph::default(), Caches::default(), String::new());
        let other = "<layer id=\"0\" name=\"\" type=\"X\" version=\"\"><output><port id=\"0\" precision=\"I64\"/></output></layer>";
        let text = &(other.repeat(FEW) + text);
        let mut at = 0;
        while at < text.len() {
            if is_new {
                caches = Caches::default();
            }
            let limits = Limits { rank: 3, ..Limits::default() };
            let layer = layer(text.as_bytes(), at, &mut graph, &mut caches, &limits)?;
            at = layer.end as usize;
            let Layer { tag, end, id, name, data, .. } = &layer;
            write!(shown, "{tag:?} {end} {id:?} {name:?} {data:?} {:?}", graph.attrs(&layer)).unwrap();
            write!(shown, "{:?} {:?}", graph.kind(&layer), graph.constant(&layer)).unwrap();
            for port in graph.inputs(&layer).iter().chain([&graph.ports[0]]).chain(graph.outputs(&layer)) {
                let Port { tag, end, id, precision, .. } = port;
                writeln!(shown, "{tag:?} {end} {id:?} {precision:?} {:?}", graph.dims(port)).unwrap();
            }
            graph.layers.push(layer);
        }
        Some((shown, caches.templates.models.len()))
    }

    fn relu(id: &str, name: &str, notes: &str, dims: &str) -> String {
        format!(
            "\n<layer id=\"{id}\" name=\"{name}\" type=\"ReLU\" version=\"opset1\">\n<data a=\"1\" b=\"\"/>\
             <rt_info>\n<attribute name=\"fused_names\" version=\"0\" value=\"{notes}\" /></rt_info>\
             <input><port id=\"0\"/><port id=\"1\">{dims}</port><port id=\"2\"/></input>\
             <output><port id=\"3\" precision=\"FP32\" names=\"{name}\"><dim>4</dim></port></output></layer>"
        )
    }

    fn constant(offset: u32, ty: &str, shape: &str, more: &str) -> String {
        format!(
            "\n<layer id=\"{offset}\" name=\"c\" type=\"Const\" version=\"opset1\"><data element_type=\"{ty}\" \
             shape=\"{shape}\" offset=\"{offset}\" size=\"8\"{more}/>\
             <output><port id=\"0\" precision=\"I64\"></port></output></layer>"
        )
    }

    #[test]
    fn layers_are_read_the_same_with_and_without_a_template() {
        let (one, two) = ("<dim>5</dim>", "\n<dim>-1</dim><dim>70</dim>");
        for (text, templates) in [
            (relu("1", "a", "", "") + &relu("23", "bcd", "b, c", one) + &relu("4", "", "d", two), 1),
            (relu("1", "a", "x", two) + "\n" + &relu("2", "b", "y", one), 2),
            (constant(0, "i64", "", "") + &constant(16, "i64", "", "") + &constant(128, "i64", "1", ""), 2),
            (constant(8, "i64", "1", "") + &constant(16, "f32", "2", "") + &constant(0, "f32", "2", ""), 2),
            // The offset of the second one is an attribute, and no hole.
            (constant(8, "i64", "1", "") + &constant(16, "i64", "1", " x=\"\"") + &constant(0, "i64", "1", ""), 1),
        ] {
            let (known, count) = read(&text, false).unwrap();
            assert_eq!((&known, count), (&read(&text, true).unwrap().0, templates), "{text}");
        }
    }

    #[test]
    fn holes_take_what_is_plain_only() {
        let first = relu("1", "a", "x", "");
        for other in [
            relu("1234567890123456789", "a", "x", ""),
            relu("x", "a", "x", ""),
            relu("1", "a\0", "x", ""),
            relu("1", "a", "x,,y", ""),
            relu("1", "a", "x", "<dim>1</dim><dim>2</dim><dim>3</dim><dim>4</dim>"),
            relu("1", "a", "x", "<dim>?</dim>"),
            relu("1", "a", "x", "").replace("</layer>", "<!-- --></layer>"),
        ] {
            assert_eq!(read(&(first.clone() + &other), false), None, "{other}");
        }
    }
}
