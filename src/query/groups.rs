//! Boxes in groups by their names, so that never too many stand side by side.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

/// Boxes up to which a part of a graph needs no groups.
const FLAT: usize = 60;

/// Boxes of a group that stand in the one around it, as they are too few.
const FEW: usize = 3;

/// Boxes between groups, where there are many items, that are no group of their own.
const RUN: usize = 8;

/// Boxes of one group, groups in it included.
pub const MOST: usize = 150;

/// Levels of a name that count.
const LEVELS: usize = 24;

/// Something in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// A box, by its number.
    Box(usize),
    /// A group, by its number.
    Group(usize),
}

/// Boxes that stand side by side once it is open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// What the names of its boxes start with, as far as they have levels; empty for the outermost group and for runs.
    pub path: String,
    /// For a run of boxes that only follow each other: the first and the last of them.
    pub run: Option<(usize, usize)>,
    /// The group around it; the outermost has none.
    pub parent: Option<usize>,
    /// What is in it, in the order of the first box of each.
    pub items: Vec<Item>,
    /// The number of boxes in it, those in inner groups included.
    pub size: usize,
}

/// The groups of boxes with these names, which are in the order of the graph. The first group is the outermost.
///
/// A group comes after the one around it. Names are taken apart at `/` and `.`; a box whose name has neither belongs where the
/// boxes before and after it do.
pub fn groups(names: &[String]) -> Vec<Group> {
    let mut tree = Tree { groups: vec![Group::default()], home: Vec::new() };
    tree.grow(names);
    let mut result = vec![Group::default()];
    tree.gather(0, 0, &mut result);
    outermost_first(result)
}

/// The same groups in the order in which they are met from the outermost.
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
    /// The group of every box.
    home: Vec<usize>,
}

impl Tree {
    /// Makes a group for every level of every name.
    fn grow(&mut self, names: &[String]) {
        let mut known: HashMap<(usize, &str), usize> = HashMap::new();
        let mut home: Vec<Option<usize>> = Vec::with_capacity(names.len());
        for name in names {
            let levels = levels(name);
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
        for at in 0..names.len() {
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

    /// The innermost group around both; a group comes after the one around it.
    fn common(&self, mut one: usize, mut other: usize) -> usize {
        while one != other {
            let later = if one > other { &mut one } else { &mut other };
            *later = self.groups[*later].parent.unwrap_or(0);
        }
        one
    }

    /// Puts what is in a group into one of the result: of groups that help nobody only their boxes.
    fn gather(&self, mut group: usize, into: usize, result: &mut Vec<Group>) {
        // Levels that all boxes share are one.
        while let [Item::Group(only)] = self.groups[group].items.as_slice() {
            group = *only;
        }
        let own = &self.groups[group];
        result[into].path = if into == 0 { String::new() } else { own.path.clone() };
        result[into].size = own.size;
        let mut items = Vec::new();
        self.flatten(group, own.size <= FLAT, &mut items);
        let kept: Vec<(Item, usize)> = items
            .into_iter()
            .map(|item| match item {
                Item::Box(_) => (item, 1),
                Item::Group(inner) => {
                    result.push(Group::default());
                    let at = result.len() - 1;
                    self.gather(inner, at, result);
                    (Item::Group(at), self.groups[inner].size)
                }
            })
            .collect();
        let kept = if kept.len() > FLAT { gathered(&kept, result) } else { kept };
        result[into].items = split(kept, result);
    }

    /// The items of a group, with those of small groups in their place.
    fn flatten(&self, group: usize, wholly: bool, items: &mut Vec<Item>) {
        for item in &self.groups[group].items {
            match item {
                Item::Group(inner) if wholly || self.groups[*inner].size <= FEW => self.flatten(*inner, true, items),
                item => items.push(*item),
            }
        }
    }
}

/// Every level of a name but the last, with the place where it ends.
fn levels(name: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, _) in name.match_indices(['/', '.']) {
        if at > start {
            found.push((name.get(start..at).unwrap_or_default(), at));
        }
        start = at + 1;
    }
    found
}

/// The items with a group for every run of boxes between groups, if it is long.
fn gathered(items: &[(Item, usize)], result: &mut Vec<Group>) -> Vec<(Item, usize)> {
    if !items.iter().any(|(item, _)| matches!(item, Item::Group(_))) {
        return items.to_vec();
    }
    let alike = |one: &(Item, usize), other: &(Item, usize)| matches!((one.0, other.0), (Item::Box(_), Item::Box(_)));
    let runs = items.chunk_by(alike);
    runs.flat_map(|part| if part.len() > RUN { vec![(run(part, result), part.len())] } else { part.to_vec() }).collect()
}

/// A group of items that follow each other.
fn run(part: &[(Item, usize)], result: &mut Vec<Group>) -> Item {
    let (at, size) = (result.len(), part.iter().map(|(_, size)| size).sum());
    result.push(Group { size, ..Group::default() });
    result[at].items = split(part.to_vec(), result);
    result[at].run = end(Item::Group(at), result, false).zip(end(Item::Group(at), result, true));
    Item::Group(at)
}

/// The items themselves, or groups of consecutive ones if there are too many.
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

/// The first or the last box of an item.
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
