//! The lengths of one dimension that meet demands on it alone.

use crate::types::symbol::Symbol;
use crate::types::symbol::demand::{Demand, Test};
use crate::types::symbol::{Atom, Expressions, Length, gcd};

/// Lengths that are tried for one dimension.
const TRIED: i64 = 100_000;

/// How long a pattern of lengths may be before it repeats.
const LONGEST: i64 = 8_192;

/// A set of lengths: some below `from`, and from there on those with certain remainders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lengths {
    /// From here on, remainders decide.
    pub(crate) from: i64,
    /// For every remainder whether such lengths are in the set.
    pub(crate) remainders: Vec<bool>,
    /// What is in the set of the lengths below `from`, in order.
    pub(crate) below: Vec<i64>,
    /// Lengths below that are out of the question.
    lower: i64,
}

/// How a number depends on one length: from `from` on, `period` more of that add `rise`, and it is never farther than
/// `spread` from the straight line.
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

    /// The rise over `period`, which is a multiple of the own one.
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
        (period <= LONGEST).then_some(Self { period, rise, spread, ..self })
    }

    /// The larger or the smaller of two numbers, which is one of them once their lines are far enough apart.
    fn chosen(self, other: Self, is_larger: bool) -> Option<Self> {
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

    /// From where on it has one sign, unless it is level.
    fn settled(self) -> Option<i64> {
        match self.rise.checked_abs()? {
            0 => Some(self.from),
            rise => Some(self.from.max(self.spread.checked_mul(self.period)?.checked_div(rise)?.checked_add(1)?)),
        }
    }
}

fn common_multiple(a: i64, b: i64) -> Option<i64> {
    a.checked_div(gcd(a, b))?.checked_mul(b).filter(|period| *period <= LONGEST)
}

/// The course of an expression of one length; `None` where it is not so simple.
fn course(all: &Expressions, symbol: Symbol) -> Option<Course> {
    let mut whole = Course::constant(0);
    for (factors, times) in all.terms(symbol)? {
        let term = match factors.as_slice() {
            [] => Course::constant(times),
            [Atom::Input(..)] => Course { period: 1, rise: times, from: 0, spread: 0 },
            [Atom::Quotient(inner, by)] => course(all, *inner)?.divided(all.known(*by)?)?.times(times)?,
            [Atom::Least(a, b)] => course(all, *a)?.chosen(course(all, *b)?, false)?.times(times)?,
            [Atom::Greatest(a, b)] => course(all, *a)?.chosen(course(all, *b)?, true)?.times(times)?,
            _ => return None,
        };
        whole = whole.plus(term)?;
    }
    Some(whole)
}

/// Whether it is known from where on a demand on one length repeats.
pub(super) fn is_simple(all: &Expressions, demand: &Demand) -> bool {
    pattern(all, demand).is_some()
}

/// From where on whether a demand is met repeats, and after how many lengths.
fn pattern(all: &Expressions, demand: &Demand) -> Option<(i64, i64)> {
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

impl Lengths {
    /// The lengths from `lower` on that meet all of these demands, which are on one dimension only; what is said of lengths
    /// below that has no meaning. `None` if they follow no simple pattern.
    pub(crate) fn of<'d>(
        all: &Expressions,
        demands: &(impl Iterator<Item = &'d Demand> + Clone),
        lower: i64,
    ) -> Option<Self> {
        let (mut from, mut period) = (lower, 1);
        for demand in demands.clone() {
            let (settled, own) = pattern(all, demand)?;
            from = from.max(settled);
            period = common_multiple(period, own)?;
        }
        let end = from.checked_add(period)?;
        let cost = end.checked_mul(i64::try_from(demands.clone().count()).ok()?)?;
        if cost > TRIED {
            return None;
        }
        let is_in = |length: i64| {
            let at = |_: Length| Some(length);
            demands.clone().try_fold(true, |is_in, demand| Some(all.holds(demand, &at)? && is_in))
        };
        let mut remainders = vec![false; usize::try_from(period).ok()?];
        for length in from..end {
            *remainders.get_mut(usize::try_from(length.checked_rem(period)?).ok()?)? = is_in(length)?;
        }
        let mut below = Vec::new();
        for length in lower..from {
            if is_in(length)? {
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

    /// Lets remainders decide as early as they can.
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
        let place = usize::try_from(length).ok().and_then(|length| length.checked_rem(self.remainders.len()));
        place.and_then(|place| self.remainders.get(place).copied()).unwrap_or(false)
    }

    /// Whether a length is in the set.
    pub(crate) fn admits(&self, length: i64) -> bool {
        if length < self.from { self.below.contains(&length) } else { self.has_remainder(length) }
    }

    /// How many lengths of so many are in the set, from where on remainders decide.
    pub(crate) fn share(&self) -> (usize, usize) {
        (self.remainders.iter().filter(|is_in| **is_in).count(), self.remainders.len())
    }

    /// Whether none of the lengths up to `upper` is in the set.
    pub(crate) fn is_empty(&self, upper: i64) -> bool {
        let first = (self.from..).take(self.remainders.len()).find(|length| self.admits(*length));
        self.below.iter().copied().chain(first).all(|length| length > upper)
    }

    /// The only length of the set, if it has just one.
    pub(crate) fn only(&self) -> Option<i64> {
        if let ([only], (0, _)) = (self.below.as_slice(), self.share()) { Some(*only) } else { None }
    }

    /// The smallest length of the set.
    pub(crate) fn first(&self) -> Option<i64> {
        let mut above = (self.from..).take(self.remainders.len());
        self.below.first().copied().or_else(|| above.find(|length| self.admits(*length)))
    }

    /// The only remainder and what is divided by, if there is one.
    pub(crate) fn remainder(&self) -> Option<(i64, i64)> {
        let mut all = self.remainders.iter().enumerate().filter(|(_, is_in)| **is_in).map(|(i, _)| i);
        let (Some(only), None) = (all.next(), all.next()) else { return None };
        Some((i64::try_from(only).ok()?, i64::try_from(self.remainders.len()).ok()?))
    }

    /// The set as conditions on `name`, all of which hold for just these lengths.
    pub(crate) fn conditions(&self, name: &str) -> Vec<String> {
        let tests = self.tests(name);
        let first = (self.from..).take(self.remainders.len()).find(|length| self.admits(*length));
        let least = first.filter(|_| self.from > 0).map(|first| format!("{name} >= {first}"));
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

    /// What the remainders are, one of which must be so; nothing if they may be any.
    fn tests(&self, name: &str) -> Vec<String> {
        let period = self.remainders.len();
        let (count, _) = self.share();
        if count == period || count == 0 {
            return Vec::new();
        }
        let rest = format!("{name} % {period}");
        let places = |wanted: bool| self.remainders.iter().enumerate().filter(move |(_, is_in)| **is_in == wanted);
        if count > 1
            && period.checked_sub(count) == Some(1)
            && let Some((place, _)) = places(false).next()
        {
            return vec![format!("{rest} != {place}")];
        }
        let all: Vec<i64> = places(true).filter_map(|(place, _)| i64::try_from(place).ok()).collect();
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
}

impl Lengths {
    fn within(&self, name: &str, (from, to): (i64, i64)) -> String {
        if from <= self.lower && from < to { format!("{name} <= {to}") } else { within(name, (from, to)) }
    }
}

fn within(name: &str, (from, to): (i64, i64)) -> String {
    if from == to { format!("{name} == {from}") } else { format!("{from} <= {name} <= {to}") }
}

/// Runs of numbers that follow each other.
fn ranges(all: &[i64]) -> impl Iterator<Item = (i64, i64)> {
    all.chunk_by(|a, b| a.checked_add(1) == Some(*b)).filter_map(|run| Some((*run.first()?, *run.last()?)))
}
