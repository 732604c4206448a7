//! The distribution of links over groups: the innermost group that contains both ends shows a link.

use super::Link;
use crate::ir::{Graph, LayerId, OutputRef, Port};
use crate::query::groups::{Group, Item};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The links of a group; items are given by their indices in it.
#[derive(Default)]
pub(super) struct Links {
    pub(super) links: Vec<Link>,
    pub(super) enter: Vec<(usize, OutputRef, usize)>,
    pub(super) leave: Vec<(usize, LayerId, usize)>,
}

/// A group, and an index among its items.
type Slot = (usize, usize);

pub(super) fn find(graph: &Graph, layers: &[LayerId], groups: &[Group]) -> Vec<Links> {
    let mut number = vec![None; graph.layers.len()];
    layers.iter().enumerate().for_each(|(at, id)| number[id.index()] = Some(at));
    let (homes, slots) = slots(layers.len(), groups);
    let mut inner: BTreeMap<(usize, usize, usize), Link> = BTreeMap::new();
    let mut enter: BTreeMap<Slot, (OutputRef, usize)> = BTreeMap::new();
    let mut leave: BTreeMap<Slot, (LayerId, usize)> = BTreeMap::new();
    for to in layers {
        let ports = graph.layer(*to).map(|layer| graph.inputs(layer)).unwrap_or_default();
        for tensor in ports.iter().filter_map(Port::source) {
            let ends = (number[tensor.layer.index()], number[to.index()]);
            let (Some(first), Some(last)) = ends else { continue };
            let (mut source, mut target) = (homes[first], homes[last]);
            // Climb to the lowest common group. Parents have smaller indices, so the group with the larger index cannot be an
            // ancestor of the other.
            while source.0 != target.0 {
                if source.0 > target.0 {
                    count(&mut leave, source, *to);
                    source = slots[source.0];
                } else {
                    count(&mut enter, target, tensor);
                    target = slots[target.0];
                }
            }
            let link = Link { from: source.1, to: target.1, tensor, count: 0 };
            if source.1 != target.1 {
                inner.entry((source.0, source.1, target.1)).or_insert(link).count += 1;
            }
        }
    }
    let mut found: Vec<Links> = groups.iter().map(|_| Links::default()).collect();
    for ((group, ..), link) in inner {
        found[group].links.push(link);
    }
    for ((group, item), (first, count)) in enter {
        found[group].enter.push((item, first, count));
    }
    for ((group, item), (first, count)) in leave {
        found[group].leave.push((item, first, count));
    }
    found
}

fn count<T>(all: &mut BTreeMap<Slot, (T, usize)>, at: Slot, first: T) {
    match all.entry(at) {
        Entry::Vacant(entry) => drop(entry.insert((first, 1))),
        Entry::Occupied(mut entry) => entry.get_mut().1 += 1,
    }
}

/// Returns the slot of each box, and of each group in its parent.
fn slots(boxes: usize, groups: &[Group]) -> (Vec<Slot>, Vec<Slot>) {
    let (mut homes, mut slots) = (vec![(0, 0); boxes], vec![(0, 0); groups.len()]);
    for (group, own) in groups.iter().enumerate() {
        for (at, item) in own.items.iter().enumerate() {
            match item {
                Item::Box(one) => homes[*one] = (group, at),
                Item::Group(inner) => slots[*inner] = (group, at),
            }
        }
    }
    (homes, slots)
}
