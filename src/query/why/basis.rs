//! What one answer about an output depends on.

mod arithmetic;
mod attributes;

use super::bisect::bisect;
use super::probe::{Answer, Factor, Probe, forget, set};
use super::{Aspect, SHOWN};
use crate::ops::{Attr, Eval};
use crate::types::Fact;
use attributes::{is_neutral, is_quantity, leaves_as_it_is, names_places, other_texts};
use std::collections::BTreeSet;
use std::mem::discriminant;

/// Elements of one input that are looked at one by one.
const ELEMENTS: usize = 256;

/// Factors that are looked for: enough to see that there are more than are shown.
const MOST: usize = SHOWN + 1;

/// What an answer depends on.
#[derive(Debug, PartialEq)]
pub(super) enum Basis {
    /// It is this one, passed on.
    Passed(Factor),
    /// It follows from all of these, and from attributes.
    Computed(Vec<Factor>),
    /// Every one of these says so alone.
    Agreed(Vec<Factor>),
    /// On nothing that a layer gets.
    Fixed,
    /// On what only a run knows.
    Data,
}

/// What an answer depends on, and the attributes that matter.
pub(super) struct Found {
    pub(super) basis: Basis,
    pub(super) attributes: Vec<(String, String)>,
    /// The calculation that gives it: `1 + 256 = 257`.
    pub(super) arithmetic: Option<String>,
}

/// Finds what the answer about an output depends on; `None` if the layer cannot be inferred.
pub(super) fn basis(probe: &Probe, output: usize, aspect: Aspect) -> Option<Found> {
    let base = probe.base(output, aspect)?;
    let ask = Question { probe, output, aspect, base };
    let attributes: Vec<&Attr> = probe.spec.attrs.iter().filter(|attr| ask.depends_on_attribute(attr)).collect();
    let text = |attr: &Attr| {
        let written = probe.attrs.iter().find(|(name, _)| name == attr.name).map(|(_, text)| text.as_ref());
        written.or(attr.missing.text()).unwrap_or_default().replace(' ', "")
    };
    let counts = attributes.iter().any(|attr| is_quantity(attr) && !is_neutral(&text(attr)));
    let basis = ask.basis(counts);
    // Where inputs agree, an axis or a way to broadcast adds nothing.
    let shows = |attr: &&Attr| {
        let idle = is_quantity(attr) && leaves_as_it_is(attr.name, &text(attr));
        !idle && (is_quantity(attr) || !matches!(basis, Basis::Agreed(_)))
    };
    // The axis along which lengths add up is worth showing even where no other is.
    let is_axis = |attr: &Attr| matches!(attr.name, "axis" | "axes") && matches!(basis, Basis::Computed(_));
    let shows = |attr: &&Attr| is_axis(attr) || attributes.iter().any(|one| one.name == attr.name) && shows(attr);
    let shown = probe.spec.attrs.iter().filter(shows).map(|attr| (attr.name.to_owned(), text(attr))).collect();
    let numbers = |name: &str| {
        let attr = probe.spec.attrs.iter().find(|attr| attr.name == name)?;
        text(attr).split(',').map(|number| number.parse().ok()).collect()
    };
    let depends_on: Vec<&str> = attributes.iter().map(|attr| attr.name).collect();
    let arithmetic = match &basis {
        Basis::Computed(factors) => arithmetic::arithmetic(&ask, factors, &numbers, &depends_on),
        _ => None,
    };
    Some(Found { basis, attributes: shown, arithmetic })
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
        let factors = self.candidates();
        let parts: Vec<Factor> = factors.iter().copied().filter(|factor| !self.only_selects(*factor)).collect();
        let counts = |factors: &[Factor]| self.may_depend_on(factors);
        let mut numbers = bisect(&parts, MOST, &counts);
        if let Some(only) = self.passed(&numbers).filter(|_| !attributes_count) {
            return Basis::Passed(only);
        }
        let is_open = |factor: &Factor| matches!(factor, Factor::Dim(..)) && !self.probe.known(*factor).is_exact();
        if numbers.len() > 1 && numbers.iter().all(|factor| is_open(factor) && self.passes(*factor)) {
            return Basis::Agreed(numbers);
        }
        if !self.base.is_exact() {
            numbers.extend(self.unread());
        }
        if !numbers.is_empty() {
            return Basis::Computed(numbers);
        }
        let agreed = self.agreed(&parts);
        match agreed.as_slice() {
            [] => {}
            [only] => return if self.passes(*only) { Basis::Passed(*only) } else { Basis::Computed(agreed) },
            // A length that is passed on says more than what another one leaves.
            _ => {
                let mut passed = agreed.iter().filter(|factor| self.passes(**factor));
                return match (passed.next(), passed.next()) {
                    (Some(only), None) => Basis::Passed(*only),
                    _ => Basis::Agreed(agreed),
                };
            }
        }
        let ranks: Vec<Factor> = (0..self.probe.inputs.len()).map(Factor::Rank).collect();
        let ranks = bisect(&ranks, MOST, &counts);
        match (ranks.is_empty(), attributes_count || self.base.is_exact()) {
            (false, _) => Basis::Computed(ranks),
            (true, true) if attributes_count => Basis::Computed(Vec::new()),
            (true, true) => Basis::Fixed,
            (true, false) => Basis::Data,
        }
    }

    /// The factor that is the answer, if the others leave it as it is: lengths of 1 that broadcast, elements of 0 that
    /// copy a length or start a slice.
    fn passed(&self, numbers: &[Factor]) -> Option<Factor> {
        let neutral = |factor: &Factor| match factor {
            Factor::Dim(..) => self.probe.known(*factor).number() == Some(1),
            Factor::Element(..) => self.probe.known(*factor).number() == Some(0),
            Factor::Rank(_) | Factor::Type(_) => false,
        };
        let only = match numbers {
            [only] => *only,
            all => {
                let mut rest = all.iter().copied().filter(|factor| !neutral(factor));
                let only = rest.next()?;
                let same = match (self.probe.known(only), self.base) {
                    (Answer::Dim(a), Answer::Dim(b)) => a == b,
                    _ => false,
                };
                if rest.next().is_some() || !same {
                    return None;
                }
                only
            }
        };
        self.passes(only).then_some(only)
    }

    /// Inputs that would decide with elements that nobody knows yet.
    fn unread(&self) -> Vec<Factor> {
        if !matches!(self.aspect, Aspect::Dim(_) | Aspect::Rank) {
            return Vec::new();
        }
        let reads = |input: &usize| self.probe.spec.input(*input).is_some_and(|input| input.reads_value);
        let unread = |input: &usize| self.probe.inputs.get(*input).is_some_and(|fact| fact.value.is_none());
        (0..self.probe.inputs.len()).filter(reads).filter(unread).map(|input| Factor::Element(input, 0)).collect()
    }

    /// The lengths and elements of inputs that matter at all.
    fn candidates(&self) -> Vec<Factor> {
        let mut factors = self.probe.factors(self.aspect, ELEMENTS);
        if !self.base.is_exact() {
            return factors;
        }
        // Knowing less of an input as a whole changes nothing where nothing of it matters.
        let is_element = |factor: &&Factor| matches!(factor, Factor::Element(..));
        let elements: Vec<Factor> = factors.iter().filter(is_element).copied().collect();
        let inputs: Vec<&[Factor]> =
            elements.chunk_by(|a, b| a.input() == b.input()).filter(|input| input.len() > 1).collect();
        let all: BTreeSet<usize> = inputs.iter().map(|input| input[0].input()).collect();
        let matter =
            bisect(&inputs, usize::MAX, &|group: &[&[Factor]]| self.without(group.concat().iter()) != Some(self.base));
        let matter: BTreeSet<usize> = matter.iter().map(|input| input[0].input()).collect();
        factors.retain(|factor| {
            !is_element(&factor) || !all.contains(&factor.input()) || matter.contains(&factor.input())
        });
        factors
    }

    /// The answer without some factors.
    fn without<'f>(&self, factors: impl Iterator<Item = &'f Factor>) -> Option<Answer> {
        self.changed(|inputs| factors.for_each(|factor| forget(inputs, *factor)))
    }

    /// Whether the answer may change with what is known of some factors; of one, whether it does.
    fn may_depend_on(&self, factors: &[Factor]) -> bool {
        if let [only] = factors {
            return self.depends_on(*only);
        }
        // An exact answer cannot become narrower.
        let open = |factor: &Factor| other(self.probe.known(*factor)).filter(|_| !self.probe.known(*factor).is_exact());
        let narrow = |inputs: &mut [Fact]| {
            for factor in factors {
                if let Some(number) = open(factor) {
                    set(inputs, *factor, number);
                }
            }
        };
        self.without(factors.iter()) != Some(self.base)
            || !self.base.is_exact() && self.changed(narrow) != Some(self.base)
    }

    /// Whether the answer changes with what is known of the factor.
    fn depends_on(&self, factor: Factor) -> bool {
        let known = self.probe.known(factor);
        let differs = |answer: Option<Answer>| answer.is_some_and(|answer| answer != self.base);
        if differs(self.changed(|inputs| forget(inputs, factor))) {
            return !self.is_indifferent_to(factor);
        }
        !known.is_exact() && other(known).is_some_and(|n| differs(self.changed(|inputs| set(inputs, factor, n))))
    }

    /// Whether any other number would do: operations may give up where one of several elements is not known.
    fn is_indifferent_to(&self, factor: Factor) -> bool {
        let (Factor::Element(..), Some(number)) = (factor, self.probe.known(factor).number()) else { return false };
        let near = [number.saturating_add(1), number.saturating_sub(1), 0, 1, number.saturating_mul(2)];
        let near: Vec<i64> = near.into_iter().filter(|n| *n != number).collect();
        let among = |forgets: bool| {
            let with = |n: i64| {
                self.changed(|inputs| {
                    if forgets {
                        self.forget_others(inputs, factor);
                    }
                    set(inputs, factor, n);
                })
            };
            let answers: Vec<Answer> = near.iter().filter_map(|n| with(*n)).collect();
            let as_it_is = with(number);
            (!answers.is_empty()).then(|| answers.iter().all(|answer| Some(*answer) == as_it_is))
        };
        among(false).or_else(|| among(true)).unwrap_or(false)
    }

    /// Whether the factor decides which number is the answer, and is no part of it: an axis, an order, an index.
    fn only_selects(&self, factor: Factor) -> bool {
        let Factor::Element(input, _) = factor else { return false };
        let Some(input) = self.probe.spec.input(input) else { return false };
        let moves = matches!(self.aspect, Aspect::Element(_)) && matches!(self.probe.spec.eval, Eval::Move(..));
        names_places(input.name) || (moves && input.reads_value)
    }

    /// Whether the answer is the factor, whatever number that is.
    fn passes(&self, factor: Factor) -> bool {
        if let Factor::Type(_) = factor {
            return self.probe.known(factor) == self.base;
        }
        let Some(number) = other(self.probe.known(factor)) else { return false };
        let is_it = |answer: Option<Answer>| answer.is_some_and(|answer| answer.number() == Some(number));
        is_it(self.changed(|inputs| set(inputs, factor, number)))
            || is_it(self.changed(|inputs| {
                self.forget_others(inputs, factor);
                set(inputs, factor, number);
            }))
    }

    /// Forgets all lengths but one.
    fn forget_others(&self, inputs: &mut [Fact], but: Factor) {
        self.probe
            .factors(self.aspect, 0)
            .into_iter()
            .filter(|other| *other != but)
            .for_each(|one| forget(inputs, one));
    }

    /// What alone makes the answer what it is.
    fn agreed(&self, parts: &[Factor]) -> Vec<Factor> {
        let mut agreed = Vec::new();
        for kind in [Factor::Rank(0), Factor::Dim(0, 0), Factor::Element(0, 0), Factor::Type(0)] {
            let is_alike = |factor: &&Factor| discriminant(*factor) == discriminant(&kind);
            let alike: Vec<Factor> = parts.iter().filter(is_alike).copied().collect();
            let with_only = |kept: &[Factor]| {
                let mut kept = kept.iter().peekable();
                self.without(alike.iter().filter(|factor| kept.next_if_eq(factor).is_none()))
            };
            if with_only(&[]).is_some_and(|answer| answer != self.base) {
                let exact: Vec<Factor> =
                    alike.iter().copied().filter(|factor| self.probe.known(*factor).is_exact()).collect();
                agreed.extend(bisect(&exact, MOST, &|kept: &[Factor]| with_only(kept) == Some(self.base)));
            }
        }
        agreed.sort_by_key(|factor| factor.input());
        agreed
    }

    /// Whether the answer changes with an attribute.
    fn depends_on_attribute(&self, attr: &Attr) -> bool {
        let written = self.probe.attrs.iter().find(|(name, _)| name == attr.name).map(|(_, text)| text.to_string());
        let Some(text) = written.or(attr.missing.text().map(str::to_owned)) else { return false };
        let mut others = other_texts(attr.kind, &text);
        others.retain(|other| !other.eq_ignore_ascii_case(text.trim()));
        // Where what arrives allows nothing else, the attribute may still have the say.
        let forget_all =
            |inputs: &mut [Fact]| self.candidates_of_all().iter().for_each(|factor| forget(inputs, *factor));
        let nothing = |_: &mut [Fact]| {};
        let ask = |text: &str, forgets: bool| {
            let change: &dyn Fn(&mut [Fact]) = if forgets { &forget_all } else { &nothing };
            self.probe.with_attribute(attr.name, text, change, self.output, self.aspect)
        };
        let among = |forgets: bool| {
            let answers: Vec<Answer> = others.iter().filter_map(|text| ask(text, forgets)).collect();
            let as_it_is = if forgets { ask(&text, true) } else { Some(self.base) };
            (!answers.is_empty()).then(|| answers.iter().any(|answer| Some(*answer) != as_it_is))
        };
        !others.is_empty() && among(false).or_else(|| among(true)).unwrap_or(false)
    }

    /// Every length, or every type.
    fn candidates_of_all(&self) -> Vec<Factor> {
        self.probe.factors(self.aspect, 0)
    }
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
        Answer::Rank(rank) => Some(rank.map_or(4, |rank| i64::try_from(rank).unwrap_or(0).saturating_add(1))),
        Answer::Type(_) | Answer::Unknown => None,
    }
}
