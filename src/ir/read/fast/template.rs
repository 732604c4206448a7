//! Templates of layers: most layers repeat the text of an earlier one but for names, numbers and dimensions, the holes of its
//! template, and are not parsed again.

use super::ports::{DimsCache, read_dims};
use super::text::{HoleKind, Text};
use crate::ir::constant::Constant;
use crate::ir::read::range;
use crate::ir::{Attribute, Graph, Id, Layer, Port};
use crate::source::Span;
use std::cell::Cell;

/// A trie of the texts of layers, in which a hole stands for any content of its kind.
#[derive(Default)]
pub(super) struct Templates<'a> {
    /// The first node is the root, without a text.
    nodes: Vec<Node<'a>>,
    models: Vec<Model>,
    /// The distances of the last layer to its model, by the number of holes before.
    by: Vec<u32>,
}

/// A text and what follows it.
struct Node<'a> {
    text: &'a [u8],
    /// The first byte of the text, in which siblings differ.
    first: u8,
    then: Then,
    /// The first of the nodes that may come next, or [`NONE`].
    child: u32,
    /// The next node that may come instead of this one, or [`NONE`].
    sibling: u32,
    /// The last dimensions that filled the hole, as text and as range; most layers repeat them.
    last: Cell<(&'a [u8], (u32, u32))>,
}

impl<'a> Node<'a> {
    fn new(text: &'a [u8], first: u8, then: Then) -> Self {
        Self { text, first, then, child: NONE, sibling: NONE, last: Cell::default() }
    }
}

/// The index of no node.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Text,
    Hole(HoleKind),
    /// The end of a layer like this model.
    End(u32),
}

/// The layer that a template was made of.
struct Model {
    /// The index in the graph.
    layer: usize,
    start: u32,
    /// The ends of its holes.
    holes: Box<[u32]>,
    /// The number of holes before each position that is asked for; empty until there is a layer like it.
    before: Box<[u16]>,
}

/// The number of nodes from which on no template is added.
const ENOUGH: usize = 1 << 14;

/// The number of layers of which no template is made: a small model has no use for them.
const FEW: usize = 16;

impl<'a> Templates<'a> {
    /// Reads the next layer, if it has a template.
    pub(super) fn layer(
        &mut self,
        text: &mut Text<'a>,
        graph: &mut Graph,
        cache: &mut DimsCache<'a>,
        rank: usize,
    ) -> Option<Layer> {
        let start = text.position();
        let model = self.find(text, &mut graph.dims, cache, rank)?;
        let model = self.models.get_mut(model as usize)?;
        let [id, name, sizes @ ..] = &text.holes[..] else { return None };
        let old = graph.layers.get(model.layer)?;
        if model.before.is_empty() {
            model.before = count_holes(&model.holes, graph, old)?;
        }
        self.by.clear();
        self.by.push(start.wrapping_sub(model.start));
        let ends = model.holes.iter().zip(&text.holes);
        self.by.extend(ends.map(|(old, new)| new.span.end.wrapping_sub(*old)));
        let mut shift = Shift { by: &self.by, before: model.before.iter(), holes: 0 };
        let mut layer = Layer {
            tag: shift.span(old.tag)?,
            end: old.end,
            id: Id::new(id.number),
            name: name.span,
            kind: old.kind,
            data: if old.data.is_empty() { old.data } else { shift.span(old.data)? },
            data_like: old.data_like,
            attrs: range(graph.attrs.len(), graph.attrs.len()),
            inputs: old.inputs,
            outputs: old.outputs,
            subgraph: None,
            constant: old.constant,
        };
        for index in old.attrs.0..old.attrs.1 {
            let Attribute { name, value } = *graph.attrs.get(index as usize)?;
            graph.attrs.push(Attribute { name: shift.span(name)?, value: shift.span(value)? });
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
            let (tag, end) = (shift.span(old.tag)?, shift.to(old.end)?);
            // A port without an end tag is followed by a text.
            let last = shift.holes.checked_sub(1).and_then(|last| text.holes.get(last));
            let dims = last.filter(|hole| hole.span.end == end).map_or((0, 0), |hole| hole.dims);
            let port = Port { tag, end, dims, ..old.clone() };
            graph.ports.push(port);
        }
        let middle = first + (layer.inputs.1 - layer.inputs.0) as usize;
        (layer.inputs, layer.outputs) = (range(first, middle), range(middle, graph.ports.len()));
        layer.end = shift.to(layer.end)?;
        Some(layer)
    }

    /// Finds the model of the next layer, and passes over the layer.
    fn find(&self, text: &mut Text<'a>, dims: &mut Vec<i64>, cache: &mut DimsCache<'a>, rank: usize) -> Option<u32> {
        let mut node = self.nodes.first()?;
        loop {
            let first = *text.text.get(text.at)?;
            node = self.node(node.child)?;
            while node.first != first {
                node = self.node(node.sibling)?;
            }
            text.rest().starts_with(node.text).then_some(())?;
            text.at += node.text.len();
            match node.then {
                Then::Text => {}
                Then::Hole(HoleKind::Dims) => {
                    let (start, (last, found)) = (text.at, node.last.get());
                    if !last.is_empty() && text.rest().starts_with(last) {
                        text.fill_dims(last.len(), found);
                    } else {
                        let found = read_dims(text, dims, cache, rank)?;
                        node.last.set((text.text.get(start..text.at)?, found));
                    }
                }
                Then::Hole(kind) => drop(text.fill(kind)?),
                Then::End(model) => return Some(model),
            }
        }
    }

    fn node(&self, index: u32) -> Option<&Node<'a>> {
        self.nodes.get(index as usize)
    }

    /// Adds the template of a layer that starts at `start`, ends where `text` is and gets the index `layer` in the graph.
    pub(super) fn add(&mut self, start: usize, text: &Text<'a>, layer: usize) -> Option<()> {
        if layer < FEW || self.nodes.len() > ENOUGH {
            return None;
        }
        if self.nodes.is_empty() {
            self.nodes.push(Node::new(&[], 0, Then::Text));
        }
        let holes = text.holes.iter().map(|hole| (hole.span, Then::Hole(hole.kind)));
        let whole = Span::new(start, text.at);
        let end = (Span { start: whole.end, ..whole }, Then::End(u32::try_from(self.models.len()).ok()?));
        let (mut node, mut at) = (0, start);
        for (span, then) in holes.chain([end]) {
            node = self.add_text(node, text.text.get(at..span.start as usize)?, then)?;
            at = span.end as usize;
        }
        let holes: Box<[u32]> = text.holes.iter().map(|hole| hole.span.end).collect();
        self.models.push(Model { layer, start: whole.start, holes, before: Box::default() });
        Some(())
    }

    /// Adds a text behind a node; returns the node of its end. `None` if something else than `then` follows already.
    fn add_text(&mut self, mut parent: u32, mut text: &'a [u8], then: Then) -> Option<u32> {
        loop {
            let (count, first) = (u32::try_from(self.nodes.len()).ok()?, *text.first()?);
            let (mut last, mut child) = (None, self.node(parent)?.child);
            while self.node(child).is_some_and(|node| node.first != first) {
                (last, child) = (Some(child), self.node(child)?.sibling);
            }
            let Some(known) = self.nodes.get_mut(child as usize) else {
                match last.and_then(|last| self.nodes.get_mut(last as usize)) {
                    Some(last) => last.sibling = count,
                    None => self.nodes.get_mut(parent as usize)?.child = count,
                }
                self.nodes.push(Node::new(text, first, then));
                return Some(count);
            };
            let same = text.iter().zip(known.text).take_while(|(a, b)| a == b).count();
            if let (start, rest @ [first, ..]) = known.text.split_at(same) {
                let rest = Node { child: known.child, ..Node::new(rest, *first, known.then) };
                (known.text, known.then, known.child) = (start, Then::Text, count);
                self.nodes.push(rest);
            }
            (parent, text) = (child, text.get(same..)?);
            let found = self.node(child)?.then;
            if text.is_empty() || found != Then::Text {
                return (text.is_empty() && found == then).then_some(child);
            }
        }
    }
}

/// Counts the holes before each position of a layer, in the order of [`Templates::layer`]; `None` if there are too many.
fn count_holes(holes: &[u32], graph: &Graph, layer: &Layer) -> Option<Box<[u16]>> {
    let (attrs, ports) = (graph.attrs(layer), (layer.outputs.1 - layer.inputs.0) as usize);
    let mut positions = Vec::with_capacity(5 + 4 * attrs.len() + 3 * ports);
    positions.extend([layer.tag.start, layer.tag.end]);
    if !layer.data.is_empty() {
        positions.extend([layer.data.start, layer.data.end]);
    }
    for Attribute { name, value } in attrs {
        positions.extend([name.start, name.end, value.start, value.end]);
    }
    for port in graph.inputs(layer).iter().chain(graph.outputs(layer)) {
        positions.extend([port.tag.start, port.tag.end, port.end]);
    }
    positions.push(layer.end);
    let (mut count, _) = (0, u16::try_from(holes.len()).ok()?);
    let before = positions.iter().map(|at| {
        while holes.get(usize::from(count)).is_some_and(|end| end <= at) {
            count += 1;
        }
        count
    });
    Some(before.collect())
}

/// Positions in a model as positions in a layer like it, asked for in ascending order.
struct Shift<'m> {
    /// The distances to the model, by the number of holes before.
    by: &'m [u32],
    /// The number of holes before each position that is left.
    before: std::slice::Iter<'m, u16>,
    /// The number of holes before the last position.
    holes: usize,
}

impl Shift<'_> {
    #[inline]
    fn to(&mut self, at: u32) -> Option<u32> {
        self.holes = usize::from(*self.before.next()?);
        self.by.get(self.holes).map(|by| at.wrapping_add(*by))
    }

    fn span(&mut self, span: Span) -> Option<Span> {
        Some(Span { start: self.to(span.start)?, end: self.to(span.end)? })
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
