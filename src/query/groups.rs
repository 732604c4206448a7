//! Grouping of the boxes in a picture by their path-like names, so that no group shows too many boxes.
//!
//! `encoder/layer_0/conv` and `encoder/layer_0/relu` share the group `encoder/layer_0`, if it has enough boxes.

#[cfg(test)]
mod tests;

use crate::query::layout::End;
use std::collections::HashMap;

/// The characters between the levels of a name.
pub const SEPARATORS: [char; 2] = ['/', '.'];

/// The maximum size of a group that shows its boxes without inner groups; the outermost group may have [`MOST`].
const FLAT: usize = 60;

/// The maximum size of a group that is replaced by its boxes in its parent.
const FEW: usize = 3;

/// The maximum length of a run of consecutive boxes between groups that gets no group of its own.
const RUN: usize = 8;

/// The maximum number of inputs, and of outputs, that get no group of their own.
const ENDS: usize = 12;

/// The maximum number of items in a group, apart from inputs and outputs.
pub const MOST: usize = 150;

/// The maximum number of levels of a name that form groups.
const LEVELS: usize = 24;

/// An item of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// A box, by its index.
    Box(usize),
    /// A group, by its index.
    Group(usize),
}

/// A group. Its items are drawn when the user opens it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// The common prefix of the names of its boxes; empty for the outermost group and for runs.
    pub path: String,
    /// The first and the last box of a run: a group of consecutive boxes that share no name.
    pub run: Option<(usize, usize)>,
    /// The group around it; `None` for the outermost one.
    pub parent: Option<usize>,
    /// Its items, in the order of their first boxes.
    pub items: Vec<Item>,
    /// The number of its boxes, including those of inner groups.
    pub size: usize,
}

/// Groups boxes by their names, given in the order of the layers. The outermost group comes first, parents before their
/// children. Inputs and outputs, the boxes with an end, stay in the outermost group.
///
/// Names are split at `/` and `.`. A box whose name has neither belongs to the innermost group that contains the nearest
/// named boxes before and after it.
pub fn groups(names: &[String], ends: &[Option<End>]) -> Vec<Group> {
    let mut tree = Tree { groups: vec![Group::default()], home: Vec::new() };
    tree.insert(names, ends);
    let mut result = vec![Group::default()];
    tree.collect_items(0, 0, &mut result);
    for end in [End::Top, End::Bottom] {
        let boxes = (0..names.len()).filter(|at| ends[*at] == Some(end));
        let mut items: Vec<Item> = boxes.map(Item::Box).collect();
        result[0].size += items.len();
        if items.len() > ENDS {
            let counted: Vec<(Item, usize)> = items.into_iter().map(|item| (item, 1)).collect();
            items = vec![run(&counted, &mut result)];
        }
        let at = if end == End::Top { 0 } else { result[0].items.len() };
        result[0].items.splice(at..at, items);
    }
    outermost_first(result)
}

/// Sorts groups in breadth-first order from the outermost one.
fn outermost_first(mut groups: Vec<Group>) -> Vec<Group> {
    let (mut result, mut open) = (Vec::with_capacity(groups.len()), vec![(0, None)]);
    let mut at = 0;
    while let Some((old, parent)) = open.get(at).copied() {
        let mut group = std::mem::take(&mut groups[old]);
        group.parent = parent;
        for item in &mut group.items {
            if let Item::Group(inner) = item {
                open.push((*inner, Some(at)));
                *inner = open.len() - 1;
            }
        }
        result.push(group);
        at += 1;
    }
    result
}

struct Tree {
    groups: Vec<Group>,
    /// The innermost group of every box.
    home: Vec<usize>,
}

impl Tree {
    /// Creates a group for every level of every name, except those of inputs and outputs.
    fn insert(&mut self, names: &[String], ends: &[Option<End>]) {
        let mut known: HashMap<(usize, &str), usize> = HashMap::new();
        let mut home: Vec<Option<usize>> = Vec::with_capacity(names.len());
        for (name, end) in names.iter().zip(ends) {
            let levels = if end.is_some() { Vec::new() } else { levels(name) };
            let mut at = 0;
            for (segment, end) in levels.into_iter().take(LEVELS) {
                at = *known.entry((at, segment)).or_insert_with(|| {
                    let path = name.get(..end).unwrap_or_default().to_owned();
                    self.groups.push(Group { path, parent: Some(at), ..Group::default() });
                    self.groups.len() - 1
                });
            }
            home.push((at != 0).then_some(at));
        }
        let mut after = vec![0; names.len()];
        let mut next = None;
        for at in (0..names.len()).rev() {
            next = home[at].or(next);
            after[at] = next.unwrap_or(0);
        }
        let mut before = None;
        for (at, own) in home.iter().enumerate() {
            before = own.or(before);
            self.home.push(own.unwrap_or_else(|| self.common(before.unwrap_or(after[at]), after[at])));
        }
        let mut is_listed = vec![false; self.groups.len()];
        for at in (0..names.len()).filter(|at| ends[*at].is_none()) {
            let mut item = Item::Box(at);
            let mut group = Some(self.home[at]);
            let mut is_new = true;
            while let Some(at) = group {
                let of = &mut self.groups[at];
                of.size += 1;
                if is_new {
                    of.items.push(item);
                }
                (is_new, item, group) = (!is_listed[at], Item::Group(at), of.parent);
                is_listed[at] = true;
            }
        }
    }

    /// Returns the lowest common ancestor of two groups. Parents have smaller indices.
    fn common(&self, mut one: usize, mut other: usize) -> usize {
        while one != other {
            let later = if one > other { &mut one } else { &mut other };
            *later = self.groups[*later].parent.unwrap_or(0);
        }
        one
    }

    /// Copies the items of a group to the group `into` of the result. Inner groups that are too small are replaced by their
    /// boxes.
    fn collect_items(&self, mut group: usize, into: usize, result: &mut Vec<Group>) {
        // Collapse levels that all boxes share.
        while let [Item::Group(only)] = self.groups[group].items.as_slice() {
            group = *only;
        }
        let own = &self.groups[group];
        result[into].path = if into == 0 { String::new() } else { own.path.clone() };
        result[into].size = own.size;
        let mut items = Vec::new();
        let most = if into == 0 { MOST } else { FLAT };
        self.flatten(group, own.size <= most, &mut items);
        let kept: Vec<(Item, usize)> = items
            .into_iter()
            .map(|item| match item {
                Item::Box(_) => (item, 1),
                Item::Group(inner) => {
                    result.push(Group::default());
                    let at = result.len() - 1;
                    self.collect_items(inner, at, result);
                    (Item::Group(at), self.groups[inner].size)
                }
            })
            .collect();
        let kept = if kept.len() > FLAT { group_runs(&kept, result) } else { kept };
        result[into].items = split(kept, result);
    }

    /// Collects the items of a group, with small inner groups, or all if `wholly`, replaced by their items.
    fn flatten(&self, group: usize, wholly: bool, items: &mut Vec<Item>) {
        for item in &self.groups[group].items {
            match item {
                Item::Group(inner) if wholly || self.groups[*inner].size <= FEW => self.flatten(*inner, true, items),
                item => items.push(*item),
            }
        }
    }
}

/// Splits a name into its levels except the last one, each with the offset of its end.
fn levels(name: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, _) in name.match_indices(SEPARATORS) {
        if at > start {
            found.push((name.get(start..at).unwrap_or_default(), at));
        }
        start = at + 1;
    }
    found
}

/// Replaces every long run of boxes between groups by a group. Items come with the number of their boxes.
fn group_runs(items: &[(Item, usize)], result: &mut Vec<Group>) -> Vec<(Item, usize)> {
    if !items.iter().any(|(item, _)| matches!(item, Item::Group(_))) {
        return items.to_vec();
    }
    let alike = |one: &(Item, usize), other: &(Item, usize)| matches!((one.0, other.0), (Item::Box(_), Item::Box(_)));
    let runs = items.chunk_by(alike);
    runs.flat_map(|part| if part.len() > RUN { vec![(run(part, result), part.len())] } else { part.to_vec() }).collect()
}

fn run(part: &[(Item, usize)], result: &mut Vec<Group>) -> Item {
    let (at, size) = (result.len(), part.iter().map(|(_, size)| size).sum());
    result.push(Group { size, ..Group::default() });
    result[at].items = split(part.to_vec(), result);
    result[at].run = end(Item::Group(at), result, false).zip(end(Item::Group(at), result, true));
    Item::Group(at)
}

/// Returns the items, or groups of consecutive items if there are more than [`MOST`].
fn split(items: Vec<(Item, usize)>, result: &mut Vec<Group>) -> Vec<Item> {
    if items.len() <= MOST {
        return items.into_iter().map(|(item, _)| item).collect();
    }
    let mut runs = items.len().div_ceil(MOST);
    while runs > MOST {
        runs = runs.div_ceil(MOST);
    }
    let each = items.len().div_ceil(runs);
    items.chunks(each).map(|part| run(part, result)).collect()
}

/// Returns the first or the last box of an item.
fn end(mut item: Item, groups: &[Group], is_last: bool) -> Option<usize> {
    loop {
        match item {
            Item::Box(at) => return Some(at),
            Item::Group(at) => {
                let items = &groups[at].items;
                item = *if is_last { items.last() } else { items.first() }?;
            }
        }
    }
}
