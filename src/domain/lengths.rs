//! The set of values of one dimension that meet the clauses on it alone.
//!
//! Every test is eventually periodic: for `h / 2 >= 3` and `h % 4 = 0`, the pattern from 6 on repeats with period 4. So it is
//! enough to test all values up to the start of the pattern and one period from there on.

use crate::types::symbol::Symbol;
use crate::types::symbol::demand::{Demand, Test};
use crate::types::symbol::{Atom, Expressions, gcd};

/// Maximum number of clause evaluations per dimension.
const MAX_EVALUATIONS: i64 = 100_000;

/// Maximum period of a pattern.
const MAX_PERIOD: i64 = 8_192;

/// A set of values: some below `from`, and from there on those with certain remainders. The set of `h >= 5` with `h % 2 == 0`,
/// or `h == 1`, is `from: 5, remainders: [true, false], below: [1]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lengths {
    /// The first value that `remainders` decides about.
    pub(crate) from: i64,
    /// A flag per remainder modulo the period: whether it is in the set. The period is the length of this list.
    pub(crate) remainders: Vec<bool>,
    /// The members below `from`, in order.
    pub(crate) below: Vec<i64>,
    /// The lower bound of the dimension. Smaller values cannot occur, so they may be members or not.
    lower: i64,
}

/// The growth of an expression of one dimension: from `from` on, an increase by `period` adds exactly `rise`, and the value
/// is never farther than `spread` from the line `rise / period * x`. For `h / 2 + 1`: period 2, rise 1.
#[derive(Debug, Clone, Copy)]
struct Course {
    period: i64,
    rise: i64,
    from: i64,
    spread: i64,
}

impl Course {
    const fn constant(number: i64) -> Self {
        Self { period: 1, rise: 0, from: 0, spread: number.saturating_abs() }
    }

    /// Returns the rise over `period`, a multiple of the own period.
    fn rise_over(self, period: i64) -> Option<i64> {
        self.rise.checked_mul(period.checked_div(self.period)?)
    }

    fn times(self, factor: i64) -> Option<Self> {
        let spread = self.spread.checked_mul(factor.checked_abs()?)?;
        Some(Self { rise: self.rise.checked_mul(factor)?, spread, ..self })
    }

    fn common(self, other: Self) -> Option<i64> {
        common_multiple(self.period, other.period)
    }

    fn plus(self, other: Self) -> Option<Self> {
        let period = self.common(other)?;
        Some(Self {
            period,
            rise: self.rise_over(period)?.checked_add(other.rise_over(period)?)?,
            from: self.from.max(other.from),
            spread: self.spread.checked_add(other.spread)?,
        })
    }

    fn divided(self, by: i64) -> Option<Self> {
        let period = self.period.checked_mul(by.checked_div(gcd(self.rise, by))?)?;
        let rise = self.rise_over(period)?.checked_div(by)?;
        let spread = self.spread.checked_div(by)?.checked_add(2)?;
        (period <= MAX_PERIOD).then_some(Self { period, rise, spread, ..self })
    }

    /// Returns the course of the max or min of two expressions. Once the distance of their lines exceeds the sum of both
    /// spreads, one of the expressions is always the larger one.
    fn extreme(self, other: Self, is_larger: bool) -> Option<Self> {
        let period = self.common(other)?;
        let (one, two) = (self.rise_over(period)?, other.rise_over(period)?);
        let both = self.spread.checked_add(other.spread)?;
        let apart = one.checked_sub(two)?.checked_abs()?;
        let from = self.from.max(other.from);
        if apart == 0 {
            return Some(Self { period, rise: one, from, spread: both });
        }
        let far = both.checked_mul(period)?.checked_div(apart)?.checked_add(1)?;
        let rise = if is_larger { one.max(two) } else { one.min(two) };
        Some(Self { period, rise, from: from.max(far), spread: both })
    }

    /// Returns a value from which on the sign is constant or, without a rise, the expression is periodic.
    fn settled(self) -> Option<i64> {
        match self.rise.checked_abs()? {
            0 => Some(self.from),
            rise => Some(self.from.max(self.spread.checked_mul(self.period)?.checked_div(rise)?.checked_add(1)?)),
        }
    }
}

fn common_multiple(a: i64, b: i64) -> Option<i64> {
    a.checked_div(gcd(a, b))?.checked_mul(b).filter(|period| *period <= MAX_PERIOD)
}

/// Returns the course of an expression of one dimension; `None` for products of dimensions and other functions.
fn course(all: &Expressions, symbol: Symbol) -> Option<Course> {
    let mut whole = Course::constant(0);
    for (factors, times) in all.terms(symbol)? {
        let term = match factors.as_slice() {
            [] => Course::constant(times),
            [Atom::Input(..)] => Course { period: 1, rise: times, from: 0, spread: 0 },
            [Atom::FloorDiv(inner, by)] => course(all, *inner)?.divided(all.known(*by)?)?.times(times)?,
            [Atom::Min(a, b)] => course(all, *a)?.extreme(course(all, *b)?, false)?.times(times)?,
            [Atom::Max(a, b)] => course(all, *a)?.extreme(course(all, *b)?, true)?.times(times)?,
            _ => return None,
        };
        whole = whole.plus(term)?;
    }
    Some(whole)
}

/// Whether the pattern of a clause on one dimension can be derived.
pub(super) fn is_simple(all: &Expressions, demand: &Demand) -> bool {
    start_and_period(all, demand).is_some()
}

/// Returns the start and the period of the pattern in which a clause on one dimension holds and fails.
fn start_and_period(all: &Expressions, demand: &Demand) -> Option<(i64, i64)> {
    let (mut from, mut period) = (0, 1);
    for test in &demand.0 {
        let (settled, own) = match *test {
            Test::Zero(symbol) | Test::NotNegative(symbol) => {
                let course = course(all, symbol)?;
                (course.settled()?, course.period)
            }
            Test::Multiple(symbol, by) => {
                let (course, by) = (course(all, symbol)?, all.known(by)?);
                (course.from, course.period.checked_mul(by.checked_div(gcd(course.rise, by))?)?)
            }
        };
        from = from.max(settled);
        period = common_multiple(period, own)?;
    }
    Some((from, period))
}

/// Returns the end of the first period; `None` if `count` clauses are too many to evaluate up to there.
fn end_of_all(from: i64, period: i64, count: usize) -> Option<i64> {
    let end = from.checked_add(period)?;
    (end.checked_mul(i64::try_from(count).ok()?)? <= MAX_EVALUATIONS).then_some(end)
}

/// The values of a dimension for which one clause holds.
#[derive(Debug)]
pub(super) struct Pattern {
    /// The value from which on the pattern repeats.
    from: i64,
    period: i64,
    /// A flag per value from the lower bound of the dimension to the end of the first period.
    held: Vec<bool>,
}

impl Pattern {
    /// Returns the pattern of a clause from `lower` on. `None` if none can be derived, or if `count` patterns as long as this
    /// one are too long to evaluate.
    pub(super) fn of(all: &Expressions, demand: &Demand, lower: i64, count: usize) -> Option<Self> {
        let (settled, period) = start_and_period(all, demand)?;
        let from = settled.max(lower);
        let end = end_of_all(from, period, count)?;
        let mut held = vec![false; usize::try_from(end.checked_sub(lower)?).ok()?];
        for test in &demand.0 {
            let (Test::Zero(symbol) | Test::NotNegative(symbol) | Test::Multiple(symbol, _)) = *test;
            let course = course(all, symbol)?;
            let straight = course.from.max(lower);
            for (i, first) in (lower..end.min(straight.checked_add(course.period)?)).enumerate() {
                let mut value = all.evaluate(symbol, &|_| Some(first));
                let step = if first < straight { usize::MAX } else { usize::try_from(course.period).ok()? };
                for held in held.iter_mut().skip(i).step_by(step) {
                    *held |= all.is_met(*test, value?, &|_| Some(first))?;
                    value = value?.checked_add(course.rise);
                }
            }
        }
        Some(Self { from, period, held })
    }

    /// Whether the clause holds for the value at this distance from the lower bound.
    fn holds(&self, index: usize) -> Option<bool> {
        let period = usize::try_from(self.period).ok()?;
        let before = self.held.len().checked_sub(period)?;
        let index =
            if index < before { index } else { index.checked_sub(before)?.checked_rem(period)?.checked_add(before)? };
        self.held.get(index).copied()
    }
}

impl Lengths {
    /// Returns the values from `lower` on that fit all of these patterns. `None` if one is missing, or if their common pattern
    /// is too long to evaluate.
    pub(super) fn of<'p>(patterns: impl Iterator<Item = &'p Option<Pattern>>, lower: i64) -> Option<Self> {
        let patterns: Vec<&Pattern> = patterns.map(Option::as_ref).collect::<Option<_>>()?;
        let from = patterns.iter().fold(lower, |from, one| from.max(one.from));
        let period = patterns.iter().try_fold(1, |period, one| common_multiple(period, one.period))?;
        let end = end_of_all(from, period, patterns.len())?;
        let mut remainders = vec![false; usize::try_from(period).ok()?];
        let mut below = Vec::new();
        for (i, length) in (lower..end).enumerate() {
            let is_in = patterns.iter().try_fold(true, |is_in, one| Some(is_in && one.holds(i)?))?;
            if length >= from {
                *remainders.get_mut(usize::try_from(length.checked_rem(period)?).ok()?)? = is_in;
            } else if is_in {
                below.push(length);
            }
        }
        let shortest = (1..=remainders.len()).find(|period| {
            remainders.len().checked_rem(*period) == Some(0)
                && remainders.iter().zip(remainders.iter().skip(*period)).all(|(a, b)| a == b)
        })?;
        remainders.truncate(shortest);
        let mut lengths = Self { from, remainders, below, lower };
        lengths.lower_from(lower);
        Some(lengths)
    }

    /// Lowers `from` as far as the remainders describe the values in `below`, too.
    fn lower_from(&mut self, lower: i64) {
        let is_below = |all: &Self, length: i64| all.below.last() == Some(&length);
        let is_decided = |all: &Self, length: &i64| {
            *length >= 0 && (*length < lower || all.has_remainder(*length) == is_below(all, *length))
        };
        while let Some(before) = self.from.checked_sub(1).filter(|before| is_decided(self, before)) {
            self.from = before;
            self.below.pop_if(|last| *last == self.from);
        }
    }

    fn has_remainder(&self, length: i64) -> bool {
        let remainder = usize::try_from(length).ok().and_then(|length| length.checked_rem(self.remainders.len()));
        remainder.and_then(|remainder| self.remainders.get(remainder).copied()).unwrap_or(false)
    }

    /// Whether a value is in the set.
    pub(crate) fn admits(&self, length: i64) -> bool {
        if length < self.from { self.below.contains(&length) } else { self.has_remainder(length) }
    }

    /// Returns the number of members per period, and the period.
    pub(crate) fn share(&self) -> (usize, usize) {
        (self.remainders.iter().filter(|is_in| **is_in).count(), self.remainders.len())
    }

    /// Whether no value up to `upper` is in the set.
    pub(crate) fn is_empty(&self, upper: i64) -> bool {
        let first = (self.from..).take(self.remainders.len()).find(|length| self.admits(*length));
        self.below.iter().copied().chain(first).all(|length| length > upper)
    }

    /// Returns the only member of the set, if it has just one.
    pub(crate) fn only(&self) -> Option<i64> {
        if let ([only], (0, _)) = (self.below.as_slice(), self.share()) { Some(*only) } else { None }
    }

    /// Returns the smallest member of the set.
    pub(crate) fn first(&self) -> Option<i64> {
        let mut above = (self.from..).take(self.remainders.len());
        self.below.first().copied().or_else(|| above.find(|length| self.admits(*length)))
    }

    /// Returns the remainder and the period if all members from `from` on have the same remainder.
    pub(crate) fn remainder(&self) -> Option<(i64, i64)> {
        let mut all = self.remainders.iter().enumerate().filter(|(_, is_in)| **is_in).map(|(i, _)| i);
        let (Some(only), None) = (all.next(), all.next()) else { return None };
        Some((i64::try_from(only).ok()?, i64::try_from(self.remainders.len()).ok()?))
    }

    /// Formats the set as a conjunction of conditions on `name`.
    pub(crate) fn conditions(&self, name: &str) -> Vec<String> {
        self.conditions_beyond(None, name)
    }

    /// As `conditions`, without a lower limit that `given` meets.
    pub(crate) fn conditions_beyond(&self, given: Option<i64>, name: &str) -> Vec<String> {
        let tests = self.tests(name);
        let first = (self.from..).take(self.remainders.len()).find(|length| self.admits(*length));
        let is_met = |first: &i64| self.below.is_empty() && given.is_some_and(|given| given >= *first);
        let least = first.filter(|first| self.from > 0 && !is_met(first)).map(|first| format!("{name} >= {first}"));
        if self.below.is_empty() {
            let pattern = (!tests.is_empty()).then(|| tests.join(" or "));
            return pattern.into_iter().chain(least).collect();
        }
        let mut ways = ranges(&self.below).map(|range| self.within(name, range)).collect::<Vec<String>>();
        match (first, tests.is_empty()) {
            (None, _) => {}
            (Some(_), true) => ways.extend(least),
            (Some(_), false) => {
                let pattern = tests.join(" or ");
                let pattern = if tests.len() > 1 { format!("({pattern})") } else { pattern };
                ways.push([Some(pattern), least].into_iter().flatten().collect::<Vec<_>>().join(" and "));
            }
        }
        vec![ways.join(" or ")]
    }

    /// Formats the remainders as a disjunction; empty if any remainder will do.
    fn tests(&self, name: &str) -> Vec<String> {
        let period = self.remainders.len();
        let (count, _) = self.share();
        if count == period || count == 0 {
            return Vec::new();
        }
        let rest = format!("{name} % {period}");
        let remainders = |wanted: bool| self.remainders.iter().enumerate().filter(move |(_, is_in)| **is_in == wanted);
        if count > 1
            && period.checked_sub(count) == Some(1)
            && let Some((remainder, _)) = remainders(false).next()
        {
            return vec![format!("{rest} != {remainder}")];
        }
        let all: Vec<i64> = remainders(true).filter_map(|(remainder, _)| i64::try_from(remainder).ok()).collect();
        let last = i64::try_from(period).unwrap_or(i64::MAX).saturating_sub(1);
        ranges(&all)
            .map(|(from, to)| match (from, to) {
                (from, to) if from == to => format!("{rest} == {from}"),
                (from, to) if to == last => format!("{rest} >= {from}"),
                (0, to) => format!("{rest} <= {to}"),
                range => within(&rest, range),
            })
            .collect()
    }

    fn within(&self, name: &str, (from, to): (i64, i64)) -> String {
        if from <= self.lower && from < to { format!("{name} <= {to}") } else { within(name, (from, to)) }
    }
}

fn within(name: &str, (from, to): (i64, i64)) -> String {
    if from == to { format!("{name} == {from}") } else { format!("{from} <= {name} <= {to}") }
}

/// Returns the runs of consecutive numbers.
fn ranges(all: &[i64]) -> impl Iterator<Item = (i64, i64)> {
    all.chunk_by(|a, b| a.checked_add(1) == Some(*b)).filter_map(|run| Some((*run.first()?, *run.last()?)))
}
