//! The basis of one answer about an output: the factors that determine it.

mod arithmetic;
mod attributes;

use super::bisect::bisect;
use super::probe::{Answer, Factor, Probe, forget, set};
use super::{Aspect, SHOWN};
use crate::arrange::{Arrange, Fill};
use crate::ops::{Attr, Eval};
use crate::types::Fact;
use attributes::{has_no_effect, is_neutral, is_position, is_quantity, other_texts};
use std::collections::BTreeSet;
use std::mem::discriminant;

/// Maximum number of elements per input to test as factors.
const ELEMENTS: usize = 256;

/// Maximum number of factors to find: one more than are shown, so that truncation is noticed.
const MAX_FACTORS: usize = SHOWN + 1;

/// The factors that determine an answer.
#[derive(Debug, PartialEq)]
pub(super) enum Basis {
    /// The answer is this factor, passed on.
    Passed(Factor),
    /// The answer is computed from all of these, and from attributes.
    Computed(Vec<Factor>),
    /// Each of these determines the answer alone.
    Agreed(Vec<Factor>),
    /// The answer depends on nothing.
    Fixed,
    /// The answer depends on values known only at run time.
    Data,
}

/// The basis of an answer, with the attributes to show.
pub(super) struct Found {
    pub(super) basis: Basis,
    pub(super) attributes: Vec<(String, String)>,
    /// The formula that gives the answer: `1 + 256 = 257`.
    pub(super) arithmetic: Option<String>,
}

/// Finds the basis of the answer about an output; `None` if the layer cannot be inferred.
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
    // If inputs agree, an axis or a broadcast mode explains nothing.
    let shows = |attr: &&Attr| {
        let idle = is_quantity(attr) && has_no_effect(attr.name, &text(attr));
        !idle && (is_quantity(attr) || !matches!(basis, Basis::Agreed(_)))
    };
    // Show the axis along which dimensions are combined even if no other axis is valid.
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
        let mut numbers = bisect(&parts, MAX_FACTORS, &counts);
        if let Some(only) = self.passed(&numbers).filter(|_| !attributes_count) {
            return Basis::Passed(only);
        }
        let is_open =
            |factor: &Factor| matches!(factor.aspect, Aspect::Dim(_)) && !self.probe.known(*factor).is_exact();
        if numbers.len() > 1 && numbers.iter().all(|factor| is_open(factor) && self.passes(*factor)) {
            return Basis::Agreed(numbers);
        }
        if !self.base.is_exact() {
            numbers.extend(self.unknown_inputs());
        }
        if !numbers.is_empty() {
            return Basis::Computed(numbers);
        }
        let agreed = self.agreed(&parts);
        match agreed.as_slice() {
            [] => {}
            [only] => return if self.passes(*only) { Basis::Passed(*only) } else { Basis::Computed(agreed) },
            // A dimension that is passed on explains more than one that only permits the answer.
            _ => {
                let mut passed = agreed.iter().filter(|factor| self.passes(**factor));
                return match (passed.next(), passed.next()) {
                    (Some(only), None) => Basis::Passed(*only),
                    _ => Basis::Agreed(agreed),
                };
            }
        }
        let ranks: Vec<Factor> =
            (0..self.probe.inputs.len()).map(|input| Factor { input, aspect: Aspect::Rank }).collect();
        let ranks = bisect(&ranks, MAX_FACTORS, &counts);
        match (ranks.is_empty(), attributes_count || self.base.is_exact()) {
            (false, _) => Basis::Computed(ranks),
            (true, true) if attributes_count => Basis::Computed(Vec::new()),
            (true, true) => Basis::Fixed,
            (true, false) => Basis::Data,
        }
    }

    /// Returns the factor that is passed on, if all others are neutral: a dimension of 1 that broadcasts, or an element of 0,
    /// with which Reshape copies a dimension and a slice starts at the front.
    fn passed(&self, numbers: &[Factor]) -> Option<Factor> {
        let neutral = |factor: &Factor| match factor.aspect {
            Aspect::Dim(_) => self.probe.known(*factor).number() == Some(1),
            Aspect::Element(_) => self.probe.known(*factor).number() == Some(0),
            Aspect::Rank | Aspect::Type => false,
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

    /// Returns the inputs whose elements would determine the answer but are unknown, each as its first element.
    fn unknown_inputs(&self) -> Vec<Factor> {
        if !matches!(self.aspect, Aspect::Dim(_) | Aspect::Rank) {
            return Vec::new();
        }
        let reads = |input: &usize| self.probe.spec.input(*input).is_some_and(|input| input.reads_value);
        let unread = |input: &usize| self.probe.inputs.get(*input).is_some_and(|fact| fact.value.is_none());
        let first = |input| Factor { input, aspect: Aspect::Element(0) };
        (0..self.probe.inputs.len()).filter(reads).filter(unread).map(first).collect()
    }

    /// Returns the factors to test, without the elements of inputs whose elements do not matter even all together.
    fn candidates(&self) -> Vec<Factor> {
        let mut factors = self.probe.factors(self.aspect, ELEMENTS);
        if !self.base.is_exact() {
            return factors;
        }
        // If the answer survives the loss of all elements of an input, none of them is a factor.
        let is_element = |factor: &&Factor| matches!(factor.aspect, Aspect::Element(_));
        let elements: Vec<Factor> = factors.iter().filter(is_element).copied().collect();
        let inputs: Vec<&[Factor]> =
            elements.chunk_by(|a, b| a.input == b.input).filter(|input| input.len() > 1).collect();
        let all: BTreeSet<usize> = inputs.iter().map(|input| input[0].input).into_set();
        let matter =
            bisect(&inputs, usize::MAX, &|group: &[&[Factor]]| self.without(group.concat().iter()) != Some(self.base));
        let matter: BTreeSet<usize> = matter.iter().map(|input| input[0].input).into_set();
        factors.retain(|factor| !is_element(&factor) || !all.contains(&factor.input) || matter.contains(&factor.input));
        factors
    }

    fn without<'f>(&self, factors: impl Iterator<Item = &'f Factor>) -> Option<Answer> {
        self.changed(|inputs| factors.for_each(|factor| forget(inputs, *factor)))
    }

    /// Whether the answer may depend on any of some factors; for a single one, whether it does. This is the test of [`bisect`].
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

    /// Whether the answer changes if the factor becomes unknown or, for a factor that is not exact, if it gets a value.
    fn depends_on(&self, factor: Factor) -> bool {
        let known = self.probe.known(factor);
        let differs = |answer: Option<Answer>| answer.is_some_and(|answer| answer != self.base);
        if differs(self.changed(|inputs| forget(inputs, factor))) {
            return !self.is_indifferent_to(factor);
        }
        !known.is_exact() && other(known).is_some_and(|n| differs(self.changed(|inputs| set(inputs, factor, n))))
    }

    /// Whether the answer is the same for other values of an element. An operation may give up on an unknown element although
    /// its value does not matter, so a change without the element proves nothing.
    fn is_indifferent_to(&self, factor: Factor) -> bool {
        let (Aspect::Element(_), Some(number)) = (factor.aspect, self.probe.known(factor).number()) else {
            return false;
        };
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

    /// Whether the factor only selects the number that is the answer, as an axis, an order of axes or an index does.
    fn only_selects(&self, factor: Factor) -> bool {
        let input = self.probe.spec.input(factor.input);
        let (Aspect::Element(_), Some(input)) = (factor.aspect, input) else { return false };
        let moves = matches!(self.aspect, Aspect::Element(_)) && matches!(self.probe.spec.eval, Eval::Move(..));
        is_position(input.name) || (moves && input.reads_value)
    }

    /// Whether the answer equals the factor, also if the factor gets another value.
    fn passes(&self, factor: Factor) -> bool {
        if factor.aspect == Aspect::Type {
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

    /// Makes all factors except elements and `but` unknown.
    fn forget_others(&self, inputs: &mut [Fact], but: Factor) {
        self.probe
            .factors(self.aspect, 0)
            .into_iter()
            .filter(|other| *other != but)
            .for_each(|one| forget(inputs, one));
    }

    /// Finds factors each of which suffices for the answer: with all others of the same kind unknown, it stays the same.
    fn agreed(&self, parts: &[Factor]) -> Vec<Factor> {
        let mut agreed = Vec::new();
        for kind in [Aspect::Rank, Aspect::Dim(0), Aspect::Element(0), Aspect::Type] {
            let is_alike = |factor: &&Factor| discriminant(&factor.aspect) == discriminant(&kind);
            let alike: Vec<Factor> = parts.iter().filter(is_alike).copied().collect();
            let with_only = |kept: &[Factor]| {
                let mut kept = kept.iter().peekable();
                self.without(alike.iter().filter(|factor| kept.next_if_eq(factor).is_none()))
            };
            if with_only(&[]).is_some_and(|answer| answer != self.base) {
                let exact: Vec<Factor> =
                    alike.iter().copied().filter(|factor| self.probe.known(*factor).is_exact()).collect();
                agreed.extend(bisect(&exact, MAX_FACTORS, &|kept: &[Factor]| with_only(kept) == Some(self.base)));
            }
        }
        agreed.arrange_by_key(|factor| factor.input);
        agreed
    }

    /// Whether the answer changes with the value of an attribute.
    fn depends_on_attribute(&self, attr: &Attr) -> bool {
        let written = self.probe.attrs.iter().find(|(name, _)| name == attr.name).map(|(_, text)| text.to_string());
        let Some(text) = written.or(attr.missing.text().map(str::to_owned)) else { return false };
        let mut others = other_texts(attr.kind, &text);
        others.retain(|other| !other.eq_ignore_ascii_case(text.trim()));
        // The inputs may permit only one value of the attribute; then repeat the test with unknown inputs.
        let forget_all = |inputs: &mut [Fact]| {
            self.probe.factors(self.aspect, 0).into_iter().for_each(|factor| forget(inputs, factor));
        };
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
}

/// Returns a different value that a dimension or element could have.
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
