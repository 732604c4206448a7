//! What one answer about an output rests on.

use super::Aspect;
use super::probe::{Answer, Probe, Thing, forget, set};
use crate::ops::spec::{Attr, Eval, Kind};
use crate::types::Fact;

/// Elements of one input that are looked at one by one.
const ELEMENTS: usize = 256;

/// Items of an attribute's list that are looked at one by one.
const ITEMS: usize = 16;

/// What an answer rests on.
#[derive(Debug, PartialEq)]
pub(super) enum Basis {
    /// It is this one, passed on.
    Passed(Thing),
    /// It follows from all of these, and from attributes.
    Computed(Vec<Thing>),
    /// Every one of these says so alone.
    Agreed(Vec<Thing>),
    /// On nothing that a layer gets.
    Fixed,
    /// On what only a run knows.
    Data,
}

/// What an answer rests on, and the attributes that matter.
pub(super) struct Found {
    pub(super) basis: Basis,
    pub(super) attributes: Vec<(String, String)>,
}

/// Finds what the answer about an output rests on; `None` if the layer cannot be inferred.
pub(super) fn basis(probe: &Probe, output: usize, aspect: Aspect) -> Option<Found> {
    let base = probe.base(output, aspect)?;
    let ask = Question { probe, output, aspect, base };
    let attributes: Vec<&Attr> = probe.spec.attrs.iter().filter(|attr| ask.hangs_on_attribute(attr)).collect();
    let counts = attributes.iter().any(|attr| is_quantity(attr));
    let basis = ask.basis(counts);
    let text = |attr: &Attr| {
        let written = probe.attrs.iter().find(|(name, _)| name == attr.name).map(|(_, text)| text.to_string());
        (attr.name.to_owned(), written.or(attr.default.map(str::to_owned)).unwrap_or_default())
    };
    Some(Found { basis, attributes: attributes.into_iter().map(text).collect() })
}

struct Question<'a, 'p> {
    probe: &'a Probe<'p>,
    output: usize,
    aspect: Aspect,
    base: Answer,
}

impl Question<'_, '_> {
    fn changed(&self, change: impl FnOnce(&mut [Fact])) -> Option<Answer> {
        self.probe.changed(change, self.output, self.aspect)
    }

    fn basis(&self, attributes_count: bool) -> Basis {
        let things = self.candidates();
        let numbers: Vec<Thing> =
            things.iter().copied().filter(|thing| self.rests_on(*thing) && !self.only_selects(*thing)).collect();
        match numbers.as_slice() {
            [only] if !attributes_count && self.passes(*only) => return Basis::Passed(*only),
            [] => {}
            all if !self.base.is_exact() && all.len() > 1 && all.iter().all(|thing| self.passes(*thing)) => {
                return Basis::Agreed(numbers);
            }
            _ => return Basis::Computed(numbers),
        }
        let agreed = self.agreed(&things);
        match agreed.as_slice() {
            [] => {}
            [only] => return if self.passes(*only) { Basis::Passed(*only) } else { Basis::Computed(agreed) },
            _ => return Basis::Agreed(agreed),
        }
        let ranks = (0..self.probe.inputs.len()).map(Thing::Rank);
        let ranks: Vec<Thing> = ranks.filter(|rank| self.rests_on(*rank)).collect();
        match (ranks.is_empty(), attributes_count || self.base.is_exact()) {
            (false, _) => Basis::Computed(ranks),
            (true, true) if attributes_count => Basis::Computed(Vec::new()),
            (true, true) => Basis::Fixed,
            (true, false) => Basis::Data,
        }
    }

    /// The lengths and elements of inputs that matter at all.
    fn candidates(&self) -> Vec<Thing> {
        let mut things = self.probe.things(self.aspect, ELEMENTS);
        // Knowing less of an input as a whole changes nothing where nothing of it matters.
        let all = things.clone();
        let mut idle: Vec<usize> = Vec::new();
        if self.base.is_exact() {
            for input in 0..self.probe.inputs.len() {
                let of_it = |thing: &&Thing| thing.input() == input && matches!(thing, Thing::Element(..));
                let elements: Vec<Thing> = all.iter().filter(of_it).copied().collect();
                let forgotten = |inputs: &mut [Fact]| elements.iter().for_each(|thing| forget(inputs, *thing));
                if elements.len() > 1 && self.changed(forgotten) == Some(self.base) {
                    idle.push(input);
                }
            }
        }
        things.retain(|thing| !(matches!(thing, Thing::Element(..)) && idle.contains(&thing.input())));
        things
    }

    /// Whether the answer changes with what is known of the thing.
    fn rests_on(&self, thing: Thing) -> bool {
        let known = self.probe.known(thing);
        let differs = |answer: Option<Answer>| answer.is_some_and(|answer| answer != self.base);
        differs(self.changed(|inputs| forget(inputs, thing)))
            || (!known.is_exact()
                && other(known).is_some_and(|n| differs(self.changed(|inputs| set(inputs, thing, n)))))
    }

    /// Whether the thing decides which number is the answer, and is no part of it: an axis, an order, an index.
    fn only_selects(&self, thing: Thing) -> bool {
        let Thing::Element(input, _) = thing else { return false };
        let Some(input) = self.probe.spec.input(input) else { return false };
        let moves = matches!(self.aspect, Aspect::Element(_)) && matches!(self.probe.spec.eval, Eval::Move(_));
        names_places(input.name) || (moves && input.reads_value)
    }

    /// Whether the answer is the thing, whatever number that is.
    fn passes(&self, thing: Thing) -> bool {
        if let Thing::Type(_) = thing {
            return self.probe.known(thing) == self.base;
        }
        let Some(number) = other(self.probe.known(thing)) else { return false };
        let is_it = |answer: Option<Answer>| answer.is_some_and(|answer| answer.number() == Some(number));
        is_it(self.changed(|inputs| set(inputs, thing, number)))
            || is_it(self.changed(|inputs| {
                self.forget_others(inputs, thing);
                set(inputs, thing, number);
            }))
    }

    /// Forgets all lengths but one.
    fn forget_others(&self, inputs: &mut [Fact], but: Thing) {
        self.probe.things(self.aspect, 0).into_iter().filter(|other| *other != but).for_each(|one| forget(inputs, one));
    }

    /// What alone makes the answer what it is.
    fn agreed(&self, things: &[Thing]) -> Vec<Thing> {
        let alone = |thing: &Thing| {
            let alike = |other: &&Thing| std::mem::discriminant(*other) == std::mem::discriminant(thing);
            let without = |inputs: &mut [Fact]| {
                things.iter().filter(alike).filter(|other| *other != thing).for_each(|one| forget(inputs, *one));
            };
            let without_it = |inputs: &mut [Fact]| {
                without(inputs);
                forget(inputs, *thing);
            };
            self.changed(without) == Some(self.base)
                && self.changed(without_it).is_some_and(|answer| answer != self.base)
        };
        let likely = |thing: &&Thing| !self.only_selects(**thing) && self.probe.known(**thing).is_exact();
        things.iter().filter(likely).filter(|thing| alone(thing)).copied().collect()
    }

    /// Whether the answer changes with an attribute.
    fn hangs_on_attribute(&self, attr: &Attr) -> bool {
        let written = self.probe.attrs.iter().find(|(name, _)| name == attr.name).map(|(_, text)| text.as_ref());
        let Some(text) = written.or(attr.default) else { return false };
        let differs = |text: String| {
            let answer = self.probe.with_attribute(attr.name, text, self.output, self.aspect);
            answer.is_some_and(|answer| answer != self.base)
        };
        other_texts(attr.kind, text).into_iter().any(differs)
    }
}

/// Whether an input or attribute of this name says where, not how much.
fn names_places(name: &str) -> bool {
    ["axis", "axes", "order", "batch_dims"].iter().any(|word| name.contains(word))
}

/// Whether an attribute is part of a calculation.
fn is_quantity(attr: &Attr) -> bool {
    let counts = !matches!(attr.kind, Kind::Flag | Kind::Choice(_) | Kind::Text | Kind::Texts);
    counts && !names_places(attr.name)
}

/// A number that a length or element could be, other than the one it is.
fn other(known: Answer) -> Option<i64> {
    match known {
        Answer::Dim(dim) => match dim.length() {
            Some(length) => length.checked_add(1),
            None => Some(dim.upper().unwrap_or(i64::MAX).min(dim.lower().saturating_add(7))),
        },
        Answer::Integer(bounds) => match bounds.value() {
            Some(value) => value.checked_add(1),
            None => Some(bounds.upper.min(bounds.lower.max(0).saturating_add(7))),
        },
        Answer::Float(..) => Some(3),
        Answer::Rank(_) | Answer::Type(_) | Answer::Unknown => None,
    }
}

/// Texts for an attribute that differ from the one it has.
fn other_texts(kind: Kind, text: &str) -> Vec<String> {
    let number = |min: i64, max: i64| {
        let now = text.trim().parse::<i64>().ok();
        let near = now.into_iter().flat_map(|n| [n.saturating_add(1), n.saturating_sub(1), n.saturating_mul(2), 1, 0]);
        near.filter(move |n| Some(*n) != now && (min..=max).contains(n)).map(|n| n.to_string()).collect()
    };
    let list = |step: &dyn Fn(&str) -> Vec<String>| {
        let items: Vec<&str> = text.split(',').map(str::trim).collect();
        let with = |at: usize, item: String| {
            let mut changed: Vec<String> = items.iter().map(|item| (*item).to_owned()).collect();
            changed[at] = item;
            changed.join(",")
        };
        let each = (0..items.len().min(ITEMS)).flat_map(|at| step(items[at]).into_iter().map(move |item| (at, item)));
        each.map(|(at, item)| with(at, item)).collect()
    };
    match kind {
        Kind::Int(min, max) => number(min, max),
        Kind::Ints(min, max) => list(&|item| {
            let now = item.parse::<i64>().ok();
            let near = now.into_iter().flat_map(|n| [n.saturating_add(1), n.saturating_sub(1)]);
            near.filter(|n| (min..=max).contains(n)).map(|n| n.to_string()).collect()
        }),
        Kind::Float => text.trim().parse::<f64>().map(|n| vec![(n * 2.0 + 1.0).to_string()]).unwrap_or_default(),
        Kind::Floats => {
            list(&|item| item.parse::<f64>().map(|n| vec![(n * 2.0 + 1.0).to_string()]).unwrap_or_default())
        }
        Kind::Flag => vec!["true".to_owned(), "false".to_owned()],
        Kind::Choice(words) => words.iter().map(|word| (*word).to_owned()).collect(),
        Kind::Type => ["i32", "i64", "f32", "f16"].map(str::to_owned).to_vec(),
        Kind::Shape => vec!["...".to_owned()],
        Kind::Text | Kind::Texts => Vec::new(),
    }
}
