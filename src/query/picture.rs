//! The picture of a graph for `ovlint report` and `ovlint graph --format svg`: boxes in groups, each with a layout.
//! A constant that is consumed has no box in the report: it is a line in the box of its consumer. Links within a group are
//! drawn. Links that leave a group, or lead up or far down, are shown as labels at the box, with the name of the other end.

mod links;
mod paths;
#[cfg(test)]
mod tests;

use crate::arrange::Arrange;
use crate::infer::Facts;
use crate::ir::{Graph, LayerId, OutputRef, Port, Role};
use crate::query::groups::{Group, Item, groups};
use crate::query::layout::{End, Layout, Size, layout};
use crate::source::Source;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The width of every box in pixels.
pub const WIDTH: i32 = 188;

/// The height in pixels of a box that shows only a type and a name.
const HEIGHT: i32 = 38;

/// The height in pixels of a line in or below a box.
pub const LINE: i32 = 14;

/// The maximum number of lines for constants in a box; if there are more constants, the last line gives their number.
pub const CONSTANTS: usize = 4;

/// The maximum number of lines for outputs below a box; if there are more outputs, the last line gives their number.
pub const OUTPUTS: usize = 3;

/// A graph as boxes in groups.
#[derive(Debug)]
pub struct Picture {
    /// The layers that have a box.
    pub layers: Vec<LayerId>,
    /// The groups; their boxes are indices of `layers`.
    pub groups: Vec<Group>,
    /// The drawing of each group.
    pub drawn: Vec<Drawn>,
}

/// The drawing of a group.
#[derive(Debug)]
pub struct Drawn {
    /// Its items in the order of the layout.
    pub items: Vec<Item>,
    /// Their sizes.
    pub sizes: Vec<Size>,
    /// The links between its items.
    pub links: Vec<Link>,
    /// The positions of all items.
    pub layout: Layout,
    /// Links from other groups, by the item that they enter: its index, the first tensor, and the number of links.
    pub enter: Vec<(usize, OutputRef, usize)>,
    /// Links to other groups, by the item that they leave: its index, the first consumer, and the number of links.
    pub leave: Vec<(usize, LayerId, usize)>,
}

/// A link: one or more tensors from one item to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The index of the item that it leaves.
    pub from: usize,
    /// The index of the item that it enters.
    pub to: usize,
    /// The first tensor.
    pub tensor: OutputRef,
    /// The number of tensors.
    pub count: usize,
}

impl Picture {
    /// Draws the main graph or a body.
    pub fn of(graph: &Graph, facts: &Facts, source: &Source) -> Self {
        let boxed: Vec<bool> = boxed(graph);
        let layers: Vec<LayerId> = graph.entries().map(|(id, _)| id).filter(|id| boxed[id.index()]).collect();
        let name = |id: &LayerId| graph.layer(*id).map(|layer| graph.name(source, layer).into_owned());
        let mut names: Vec<String> = layers.iter().map(|id| name(id).unwrap_or_default()).collect();
        paths::settle(&mut names, &inner_links(graph, facts, &layers));
        let ends: Vec<Option<End>> = layers.iter().map(|id| end(graph, *id)).collect();
        Self::grouped(graph, facts, layers, groups(&names, &ends))
    }

    /// Draws some layers of a graph in a single group of any size.
    pub fn flat(graph: &Graph, facts: &Facts, layers: Vec<LayerId>) -> Self {
        let items = (0..layers.len()).map(Item::Box).collect();
        let group = Group { size: layers.len(), items, ..Group::default() };
        Self::grouped(graph, facts, layers, vec![group])
    }

    fn grouped(graph: &Graph, facts: &Facts, layers: Vec<LayerId>, groups: Vec<Group>) -> Self {
        let mut position: Vec<usize> = (0..graph.layers.len()).collect();
        facts.order().iter().enumerate().for_each(|(at, id)| position[id.index()] = at);
        let found = links::find(graph, &layers, &groups);
        let is_constant = constant(graph, facts);
        let mut is_boxed = vec![false; graph.layers.len()];
        for id in &layers {
            is_boxed[id.index()] = true;
        }
        let artist = Artist { graph, facts, layers: &layers, groups: &groups, position, is_constant, is_boxed };
        let drawn = groups.iter().zip(found).map(|(group, links)| artist.draw(group, links)).collect();
        Self { layers, groups, drawn }
    }
}

/// Returns the links between boxes that are neither inputs nor outputs, those of later consumers first.
fn inner_links(graph: &Graph, facts: &Facts, layers: &[LayerId]) -> Vec<(usize, usize)> {
    let mut number = vec![None; graph.layers.len()];
    let inner = |(_, id): &(usize, &LayerId)| end(graph, **id).is_none();
    layers.iter().enumerate().filter(inner).for_each(|(at, id)| number[id.index()] = Some(at));
    let of = |id: &LayerId| {
        let (to, number) = (number[id.index()], &number);
        let ports = graph.layer(*id).map(|layer| graph.inputs(layer)).unwrap_or_default();
        ports.iter().filter_map(move |port| number[port.source()?.layer.index()].zip(to))
    };
    facts.order().iter().rev().flat_map(of).collect()
}

/// Returns a flag per layer: set if it gets a box, as all layers do except constants with consumers.
fn boxed(graph: &Graph) -> Vec<bool> {
    let mut boxed: Vec<bool> = graph.layers.iter().map(|layer| graph.kind(layer).role != Role::Const).collect();
    let mut is_taken = vec![false; boxed.len()];
    for layer in &graph.layers {
        for from in graph.inputs(layer).iter().filter_map(Port::source) {
            is_taken[from.layer.index()] = true;
        }
    }
    boxed.iter_mut().zip(is_taken).for_each(|(boxed, is_taken)| *boxed |= !is_taken);
    boxed
}

/// Returns a flag per layer: set if it is a constant or depends on constants alone.
fn constant(graph: &Graph, facts: &Facts) -> Vec<bool> {
    let mut is_constant = vec![false; graph.layers.len()];
    for id in facts.order() {
        let Some(layer) = graph.layer(*id) else { continue };
        let mut sources = graph.inputs(layer).iter().filter_map(Port::source).peekable();
        let is_const = graph.kind(layer).role == Role::Const;
        is_constant[id.index()] =
            is_const || sources.peek().is_some() && sources.all(|from| is_constant[from.layer.index()]);
    }
    is_constant
}

/// The context in which the groups of one graph are drawn.
struct Artist<'a> {
    graph: &'a Graph,
    facts: &'a Facts,
    layers: &'a [LayerId],
    groups: &'a [Group],
    /// The position of every layer in topological order.
    position: Vec<usize>,
    is_constant: Vec<bool>,
    /// A flag per layer: set if it has a box in this picture.
    is_boxed: Vec<bool>,
}

impl Artist<'_> {
    fn draw(&self, group: &Group, found: links::Links) -> Drawn {
        let links::Links { mut links, mut enter, mut leave } = found;
        let positions: Vec<usize> = group.items.iter().map(|item| self.position(*item)).collect();
        let order = sorted(&positions, &links);
        let mut new_index = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, item)| new_index[*item] = at);
        for link in &mut links {
            (link.from, link.to) = (new_index[link.from], new_index[link.to]);
        }
        let ends = enter.iter_mut().map(|(item, ..)| item).chain(leave.iter_mut().map(|(item, ..)| item));
        for item in ends {
            *item = new_index[*item];
        }
        links.arrange_by_key(|link| (link.from, link.to));
        let items: Vec<Item> = order.iter().map(|item| group.items[*item]).collect();
        let mut sizes: Vec<Size> = items.iter().map(|item| self.size(*item)).collect();
        for (item, ..) in &enter {
            sizes[*item].above = LINE;
        }
        let pairs: Vec<(usize, usize)> = links.iter().map(|link| (link.from, link.to)).collect();
        let layout = layout(&sizes, &pairs);
        Drawn { items, sizes, links, layout, enter, leave }
    }

    /// Returns the position of an item in topological order; for a group, that of its middle item.
    fn position(&self, mut item: Item) -> usize {
        loop {
            match item {
                Item::Box(at) => return self.position[self.layers[at].index()],
                Item::Group(at) => {
                    let items = &self.groups[at].items;
                    let Some(middle) = items.get(items.len() / 2) else { return 0 };
                    item = *middle;
                }
            }
        }
    }

    /// Returns the end of the graph at which an item stands; for a group, the end of all its items.
    fn end(&self, item: Item) -> Option<End> {
        match item {
            Item::Box(at) => end(self.graph, self.layers[at]),
            Item::Group(at) => {
                let items = &self.groups[at].items;
                let first = self.end(*items.first()?);
                first.filter(|_| items.iter().all(|item| self.end(*item) == first))
            }
        }
    }

    /// Returns the size of an item while it is closed.
    fn size(&self, item: Item) -> Size {
        let plain = Size { width: WIDTH, height: HEIGHT, above: 0, below: 0, follows: false, end: self.end(item) };
        let Item::Box(at) = item else {
            return Size { height: HEIGHT + LINE, below: LINE, ..plain };
        };
        let id = self.layers[at];
        let Some(layer) = self.graph.layer(id) else { return plain };
        let lines = |count: usize, most: usize| LINE * i32::try_from(count.min(most)).unwrap_or_default();
        let is_line = |port: &&Port| {
            let from = port.source().filter(|from| !self.is_boxed[from.layer.index()]);
            from.is_some_and(|from| role(self.graph, from.layer) == Some(Role::Const))
        };
        let constants = self.graph.inputs(layer).iter().filter(is_line).take(CONSTANTS).count();
        let below = lines(self.facts.outputs(id).len(), OUTPUTS);
        Size { height: HEIGHT + lines(constants, CONSTANTS), below, follows: self.is_constant[id.index()], ..plain }
    }
}

/// Sorts items topologically. Of several items that can come next, and of those in a cycle, the one with the smallest
/// `position` comes first.
fn sorted(position: &[usize], links: &[Link]) -> Vec<usize> {
    let (mut waits, mut next) = (vec![0_usize; position.len()], vec![Vec::new(); position.len()]);
    for link in links.iter().filter(|link| link.from != link.to) {
        waits[link.to] += 1;
        next[link.from].push(link.to);
    }
    let mut by_position: Vec<usize> = (0..position.len()).collect();
    by_position.arrange_by_key(|item| (position[*item], *item));
    let mut rest = by_position.into_iter();
    let ready = |item: usize| Reverse((position[item], item));
    let mut open: BinaryHeap<_> = (0..position.len()).filter(|item| waits[*item] == 0).map(ready).collect();
    let (mut order, mut is_done) = (Vec::with_capacity(position.len()), vec![false; position.len()]);
    while let Some(item) = open.pop().map(|Reverse((_, item))| item).or_else(|| rest.find(|item| !is_done[*item])) {
        if std::mem::replace(&mut is_done[item], true) {
            continue;
        }
        order.push(item);
        for to in &next[item] {
            waits[*to] = waits[*to].saturating_sub(1);
            if waits[*to] == 0 && !is_done[*to] {
                open.push(ready(*to));
            }
        }
    }
    order
}

fn end(graph: &Graph, id: LayerId) -> Option<End> {
    match role(graph, id) {
        Some(Role::Parameter) => Some(End::Top),
        Some(Role::Result) => Some(End::Bottom),
        _ => None,
    }
}

fn role(graph: &Graph, id: LayerId) -> Option<Role> {
    graph.layer(id).map(|layer| graph.kind(layer).role)
}
