//! The differences of two models in inputs and outputs, and the matching of these.

use super::Side;
use crate::analysis::Model;
use crate::diagnostic::Direction;
use crate::ir::{Layer, Role};
use crate::query::metadata;
use crate::query::{End, ends, named_fact, of_role};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// An input or output that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PortChange {
    /// The side of the model.
    pub direction: Direction,
    /// Its tensor name, or the name of its layer if it has none.
    pub name: String,
    /// Type and shape before; `None` if it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// Type and shape now; `None` if it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// Other differences: lost names, another position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl End {
    fn name(&self) -> &str {
        self.tensors.first().unwrap_or(&self.layer)
    }

    fn is_static(&self) -> bool {
        self.fact.as_ref().is_some_and(|fact| fact.shape.is_static())
    }
}

pub(super) fn changes(old: &Side, new: &Side) -> Vec<PortChange> {
    let mut changes = Vec::new();
    for direction in [Direction::Input, Direction::Output] {
        compare(direction, &ports(old, direction), &ports(new, direction), &mut changes);
    }
    changes
}

/// An input or output, its type and shape with names, and the entries of its `<rt_info>`.
struct Port {
    end: End,
    text: String,
    marks: Vec<String>,
}

fn ports(side: &Side, direction: Direction) -> Vec<Port> {
    let Side { model, names, marks } = side;
    let role = if direction == Direction::Input { Role::Parameter } else { Role::Result };
    let port = |(end, layer): (End, &Layer)| {
        let text = named_fact(names.as_ref(), end.fact.as_ref());
        let marks = marks.of_layer(layer).iter().map(|(key, value)| metadata::text(key, value)).collect();
        Port { end, text, marks }
    };
    ends(model, direction).into_iter().zip(of_role(model, role)).map(port).collect()
}

/// Describes two dimensions that were exchanged, by their names or else by their lengths.
fn exchange(was: &Port, is: &Port) -> Option<String> {
    let named =
        |port: &Port| Some(port.text.split_once('[')?.1.trim_end_matches(']').split(", ").map(str::to_owned).collect());
    let plain = |port: &Port| Some(port.end.fact.as_ref()?.shape.dims()?.iter().map(ToString::to_string).collect());
    let both = |dims: &dyn Fn(&Port) -> Option<Vec<String>>| dims(was).zip(dims(is));
    let (a, b) = [both(&named), both(&plain)].into_iter().flatten().find_map(|(was, is)| exchanged(&was, &is))?;
    Some(format!("dimensions {a} and {b} exchanged"))
}

/// Returns the two places at which equally long lists differ, if each has the item of the other there.
fn exchanged(was: &[String], is: &[String]) -> Option<(usize, usize)> {
    let mut differ = (0..was.len()).filter(|axis| was.get(*axis) != is.get(*axis));
    let (a, b, more) = (differ.next()?, differ.next()?, differ.next());
    let are_exchanged = more.is_none() && was.get(a) == is.get(b) && was.get(b) == is.get(a);
    (are_exchanged && was.len() == is.len()).then_some((a, b))
}

/// Matches the inputs or outputs of two models; returns pairs of indices.
pub(super) fn matched_ends(old: &Model, new: &Model, direction: Direction) -> Vec<(usize, usize)> {
    let (old, new) = (ends(old, direction), ends(new, direction));
    pairs(&old.iter().collect::<Vec<_>>(), &new.iter().collect::<Vec<_>>())
}

fn compare(direction: Direction, old: &[Port], new: &[Port], changes: &mut Vec<PortChange>) {
    let [was, is]: [Vec<&End>; 2] = [old, new].map(|ports| ports.iter().map(|port| &port.end).collect());
    let pairs = pairs(&was, &is);
    let change = |name: &str, old, new, notes| PortChange { direction, name: name.to_owned(), old, new, notes };
    for (was, is) in &pairs {
        let (Some(was_port), Some(is_port)) = (old.get(*was), new.get(*is)) else { continue };
        let (before, now) = (&was_port.end, &is_port.end);
        let mut notes: Vec<String> = exchange(was_port, is_port).into_iter().collect();
        if before.is_static() && !now.is_static() {
            notes.push("now dynamic".to_owned());
        } else if !before.is_static() && now.is_static() {
            notes.push("now static".to_owned());
        }
        let lost: Vec<&str> = missing(&before.tensors, &now.tensors);
        let gained: Vec<&str> = missing(&now.tensors, &before.tensors);
        notes.extend((!lost.is_empty()).then(|| format!("name lost: {}", lost.join(", "))));
        notes.extend((!gained.is_empty()).then(|| format!("new name: {}", gained.join(", "))));
        if was != is && old.len() == new.len() {
            notes.push(format!("was number {was}, is number {is}"));
        }
        notes.extend(missing(&was_port.marks, &is_port.marks).iter().map(|mark| format!("{mark} gone")));
        notes.extend(missing(&is_port.marks, &was_port.marks).iter().map(|mark| format!("{mark} new")));
        if was_port.text != is_port.text || !notes.is_empty() {
            changes.push(change(before.name(), Some(was_port.text.clone()), Some(is_port.text.clone()), notes));
        }
    }
    let (was, is): (BTreeSet<usize>, BTreeSet<usize>) = pairs.iter().copied().unzip();
    let gone = old.iter().enumerate().filter(|(index, _)| !was.contains(index));
    changes.extend(gone.map(|(_, port)| change(port.end.name(), Some(port.text.clone()), None, Vec::new())));
    let come = new.iter().enumerate().filter(|(index, _)| !is.contains(index));
    changes.extend(come.map(|(_, port)| change(port.end.name(), None, Some(port.text.clone()), Vec::new())));
}

fn missing<'a>(from: &'a [String], among: &[String]) -> Vec<&'a str> {
    from.iter().filter(|name| !among.contains(name)).map(String::as_str).collect()
}

/// Matches by tensor name, then by layer name, then by index if one of the two has no tensor name or both models have the
/// same number. Duplicate names, as of a tensor that two Results consume, match in order.
fn pairs(old: &[&End], new: &[&End]) -> Vec<(usize, usize)> {
    let mut pairs = Pairs { was: vec![None; old.len()], is: vec![false; new.len()] };
    let (mut tensors, mut layers): (Indices, Indices) = Default::default();
    for (j, port) in new.iter().enumerate() {
        port.tensors.iter().for_each(|name| tensors.entry(name).or_default().push_back(j));
        layers.entry(&port.layer).or_default().push_back(j);
    }
    for (i, port) in old.iter().enumerate() {
        port.tensors.iter().for_each(|name| pairs.take_first(i, tensors.get_mut(name.as_str())));
    }
    for (i, port) in old.iter().enumerate() {
        pairs.take_first(i, layers.get_mut(port.layer.as_str()));
    }
    for (i, (before, now)) in old.iter().zip(new).enumerate() {
        if before.tensors.is_empty() || now.tensors.is_empty() || old.len() == new.len() {
            pairs.take(i, i);
        }
    }
    pairs.was.into_iter().enumerate().filter_map(|(i, partner)| Some((i, partner?))).collect()
}

/// The indices of ports by name, in order.
type Indices<'a> = BTreeMap<&'a str, VecDeque<usize>>;

/// The matches so far.
struct Pairs {
    /// The partner of each old port.
    was: Vec<Option<usize>>,
    /// A flag per new port: matched or not.
    is: Vec<bool>,
}

impl Pairs {
    /// Matches two ports if neither has a partner.
    fn take(&mut self, i: usize, j: usize) {
        if let (Some(partner @ None), Some(taken @ false)) = (self.was.get_mut(i), self.is.get_mut(j)) {
            (*partner, *taken) = (Some(j), true);
        }
    }

    /// Matches an old port with the first of some new ones that has no partner.
    fn take_first(&mut self, i: usize, indices: Option<&mut VecDeque<usize>>) {
        let Some(indices) = indices.filter(|_| self.was.get(i) == Some(&None)) else { return };
        while let Some(j) = indices.pop_front() {
            if self.is.get(j) == Some(&false) {
                return self.take(i, j);
            }
        }
    }
}
