//! Demands: the conditions under which layers accept unknown lengths.
//!
//! All demands of a layer must hold. Each is a clause, a disjunction of tests. An Add of lengths `a` and `b` demands
//! `a == b or a == 1 or b == 1`.

use super::expressions::{Atom, Expressions};
use super::sum::{Sum, constant, gcd, mapped, sorted, term_quotient};
use super::{Operand, RECORDED, Symbol};
use smallvec::{SmallVec, smallvec};

/// A clause: the layer accepts its inputs only if at least one of these tests holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Demand(pub(crate) SmallVec<[Test; 3]>);

/// An atomic condition on expressions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Test {
    /// The expression is 0.
    Zero(Symbol),
    /// The expression is 0 or more.
    NotNegative(Symbol),
    /// The first expression is a multiple of the second, which is 0 or more; only 0 is a multiple of 0.
    Multiple(Symbol, Symbol),
}

/// The truth of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// The test holds for all lengths.
    Holds,
    /// The test fails for all lengths.
    Fails,
    /// The test depends on the lengths; simplified.
    Open(Test),
}

/// The outcomes of the tests of one clause.
pub(super) type Outcomes = SmallVec<[Outcome; 3]>;

/// The demands of one layer: a conjunction of clauses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Demands {
    /// The clauses, all of which must hold.
    pub(crate) all: Vec<Demand>,
    /// Clauses without which the layer accepts its inputs too, but gives shapes of another rank.
    pub(crate) usual: Vec<Demand>,
    /// Whether the layer also has demands that no clause expresses.
    pub(crate) is_open: bool,
}

/// Returns and removes the demands that the current layer has recorded.
pub(crate) fn drain() -> Demands {
    RECORDED
        .with(|recorded| recorded.borrow_mut().as_mut().map(|all| std::mem::take(&mut all.demands)))
        .unwrap_or_default()
}

/// Records a clause of the current layer. If `tests` returns `None`, no clause expresses the demand ([`Demands::is_open`]).
fn demand(tests: impl FnOnce(&mut Expressions) -> Option<Outcomes>) {
    record(tests, |demands| &mut demands.all);
}

fn record(tests: impl FnOnce(&mut Expressions) -> Option<Outcomes>, list: fn(&mut Demands) -> &mut Vec<Demand>) {
    RECORDED.with(|recorded| {
        let mut recorded = recorded.borrow_mut();
        let Some(all) = recorded.as_mut() else { return };
        let outcomes = tests(all);
        all.demands.add(outcomes, list);
    });
}

impl Demands {
    fn add(&mut self, outcomes: Option<Outcomes>, list: fn(&mut Self) -> &mut Vec<Demand>) {
        let Some(outcomes) = outcomes else {
            self.is_open = true;
            return;
        };
        let mut tests = SmallVec::new();
        for outcome in outcomes {
            match outcome {
                Outcome::Holds => return,
                Outcome::Fails => {}
                Outcome::Open(test) => tests.push(test),
            }
        }
        tests.sort_unstable();
        tests.dedup();
        let (demand, all) = (Demand(tests), list(self));
        // Drop adjacent duplicates only; `Domain` merges the others.
        if all.last() != Some(&demand) {
            all.push(demand);
        }
    }
}

/// Records that the current layer has a demand that no clause expresses.
pub(crate) fn leave_open() {
    demand(|_| None);
}

/// Records the demand `a == b`.
pub(crate) fn equal(a: Operand, b: Operand) {
    demand(|all| all.equal(a, b));
}

/// Records that the layer gives shapes of the usual rank if `a` is 1.
pub(crate) fn usually_one(a: Operand) {
    record(|all| all.equal(a, Operand::Known(1)), |demands| &mut demands.usual);
}

/// Records the demand that two lengths broadcast: `a == b or a == 1 or b == 1`.
pub(crate) fn broadcast(a: Operand, b: Operand) {
    demand(|all| all.broadcast_condition(a, b));
}

/// Records the demand that `part` broadcasts to `whole`: `part == whole or part == 1`.
pub(crate) fn stretch(part: Operand, whole: Operand) {
    demand(|all| Some(all.equal(part, whole)?.into_iter().chain(all.equal(part, Operand::Known(1))?).collect()));
}

/// Records the demand `a >= b`.
pub(crate) fn at_least(a: Operand, b: Operand) {
    demand(|all| Some(smallvec![all.at_least(a, b)?]));
}

/// Records the demand that `a` is a multiple of `b`; only 0 is a multiple of 0.
pub(crate) fn multiple_of(a: Operand, b: Operand) {
    demand(|all| {
        let (whole, by) = (all.operand(a)?, all.operand(b)?);
        all.multiple(whole, by)
    });
}

/// Records two clauses: in `some`, the first is a multiple of the second unless `count` is 0; in `none`, the first is a
/// multiple of the second if `count` is 0.
pub(crate) fn multiple_by_choice(count: Operand, some: (Operand, Operand), none: (Operand, Operand)) {
    let multiple = |all: &mut Expressions, (whole, by): (Operand, Operand)| {
        let (whole, by) = (all.operand(whole)?, all.operand(by)?);
        all.multiple(whole, by)
    };
    demand(|all| Some(multiple(all, some)?.into_iter().chain(all.equal(count, Operand::Known(0))?).collect()));
    demand(|all| Some(multiple(all, none)?.into_iter().chain([all.at_least(count, Operand::Known(1))?]).collect()));
}

/// The greatest common divisor of `number` and the coefficients of all terms but the constant; 0 if all of these are 0.
fn common_number(sum: &Sum, number: i64) -> i64 {
    let products = sum.iter().filter(|(product, _)| !product.is_empty());
    products.fold(
        number,
        |common, (_, times)| if common == 0 { times.saturating_abs() } else { gcd(common, *times).saturating_abs() },
    )
}

impl Expressions {
    fn difference(&mut self, a: Operand, b: Operand) -> Option<Symbol> {
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        self.minus(a, b)
    }

    fn equal(&mut self, a: Operand, b: Operand) -> Option<Outcomes> {
        if a == b && a != Operand::Unknown {
            return Some(smallvec![Outcome::Holds]);
        }
        let difference = self.difference(a, b)?;
        self.zero(difference)
    }

    /// The outcomes of `a == b or a == 1 or b == 1`.
    fn broadcast_condition(&mut self, a: Operand, b: Operand) -> Option<Outcomes> {
        // Many layers broadcast the same lengths.
        if let Some(known) = self.broadcast_conditions.get(&(a, b)) {
            return known.clone();
        }
        let one = Operand::Known(1);
        let pairs = [(a, b), (a, one), (b, one)];
        let equal = |(a, b)| self.equal(a, b);
        let outcomes: Option<SmallVec<[Outcomes; 3]>> = pairs.into_iter().map(equal).collect();
        let outcomes: Option<Outcomes> = outcomes.map(|all| all.into_iter().flatten().collect());
        self.broadcast_conditions.insert((a, b), outcomes.clone());
        outcomes
    }

    fn at_least(&mut self, a: Operand, b: Operand) -> Option<Outcome> {
        let difference = self.difference(a, b)?;
        self.not_negative(difference)
    }

    /// The outcomes of `symbol == 0`, one for each common factor of its terms and one for the other factor: `a*b + a*c` is 0 if
    /// `a` or `b + c` is.
    pub(super) fn zero(&mut self, symbol: Symbol) -> Option<Outcomes> {
        let (factors, rest) = self.factored(symbol)?;
        let mut outcomes: Outcomes = smallvec![self.is_zero(rest)?];
        for factor in factors {
            outcomes.push(self.is_zero(factor)?);
        }
        Some(outcomes)
    }

    /// Splits a sum into the distinct common factors of its terms and what remains after division by them.
    fn factored(&mut self, symbol: Symbol) -> Option<(SmallVec<[Symbol; 4]>, Symbol)> {
        let sum = self.sum(symbol)?;
        let mut common = sum.first().map(|(product, _)| product.clone()).unwrap_or_default();
        for (product, _) in sum {
            let mut left = product.clone();
            common.retain(|atom| left.iter().position(|one| one == atom).map(|index| left.remove(index)).is_some());
        }
        if common.is_empty() {
            return Some((SmallVec::new(), symbol));
        }
        let divisor = (common.clone(), 1);
        let rest: Sum = sum.iter().map(|term| term_quotient(term, &divisor)).collect::<Option<Sum>>().map(sorted)?;
        let rest = self.symbol(rest)?;
        common.dedup();
        let factor = |atom: u32| self.symbol(smallvec![(smallvec![atom], 1)]);
        Some((common.into_iter().map(factor).collect::<Option<_>>()?, rest))
    }

    /// The outcome of `symbol == 0` for an expression without common factors.
    fn is_zero(&mut self, symbol: Symbol) -> Option<Outcome> {
        let sum = self.sum(symbol)?;
        let (common, number) = (common_number(sum, 0), constant(sum).unwrap_or(0));
        if common == 0 {
            return Some(if number == 0 { Outcome::Holds } else { Outcome::Fails });
        }
        let bounds = self.bounds(symbol);
        if bounds.0 > 0 || bounds.1 < 0 || number.checked_rem(common)? != 0 {
            return Some(Outcome::Fails);
        }
        let is_negative = sum.iter().find(|(product, _)| !product.is_empty()).is_some_and(|(_, times)| *times < 0);
        let by = if is_negative { common.checked_neg()? } else { common };
        let wanted = number.checked_neg()?.checked_div(by)?;
        let reduced = if by == 1 {
            symbol
        } else {
            let reduced = mapped(sum, |times| times.checked_div(by))?;
            self.symbol(reduced)?
        };
        match self.without_extreme(reduced, wanted) {
            Some(inner) => self.is_zero(inner),
            None => self.extreme_equation(reduced).or(Some(Outcome::Open(Test::Zero(reduced)))),
        }
    }

    /// Drops a min or max that has no effect on an equation: returns `x - wanted` for `min(x, n) - wanted` with `n > wanted`,
    /// and for `max(x, n) - wanted` with `n < wanted`. The result is 0 for the same `x` as the argument.
    fn without_extreme(&mut self, difference: Symbol, wanted: i64) -> Option<Symbol> {
        let mut products = self.sum(difference)?.iter().filter(|(product, _)| !product.is_empty());
        let (Some((extreme, 1)), None) = (products.next(), products.next()) else { return None };
        let [extreme] = extreme.as_slice() else { return None };
        let (one, other, is_min) = match self.atom_at(*extreme)? {
            Atom::Min(one, other) => (one, other, true),
            Atom::Max(one, other) => (one, other, false),
            _ => return None,
        };
        let (known, open) = match (self.known(one), self.known(other)) {
            (Some(known), _) => (known, other),
            (_, Some(known)) => (known, one),
            _ => return None,
        };
        let is_beyond = if is_min { known > wanted } else { known < wanted };
        let wanted = self.number(wanted)?;
        if is_beyond { self.minus(open, wanted) } else { None }
    }

    pub(super) fn not_negative(&mut self, symbol: Symbol) -> Option<Outcome> {
        match self.bounds(symbol) {
            (0.., _) => return Some(Outcome::Holds),
            (_, ..0) => return Some(Outcome::Fails),
            _ => {}
        }
        let sum = self.sum(symbol)?;
        let common = common_number(sum, 0).max(1);
        let reduced = mapped(sum, |times| times.checked_div_euclid(common))?;
        let reduced = self.symbol(reduced)?;
        self.extreme_inequality(reduced).or(Some(Outcome::Open(Test::NotNegative(reduced))))
    }

    /// The outcomes of the test that `whole` is a multiple of `by`, which is 0 or more; only 0 is a multiple of 0.
    pub(super) fn multiple(&mut self, whole: Symbol, by: Symbol) -> Option<Outcomes> {
        if self.has_quotient(whole, by) {
            return Some(smallvec![Outcome::Holds]);
        }
        match self.known(by) {
            Some(0) => return self.zero(whole),
            Some(by) => return Some(smallvec![self.multiple_of_number(whole, by)?]),
            None if self.bounds(by).0 < 0 => return None,
            None => {}
        }
        let (less, part) = self.reduced(whole, by)?;
        let mut outcomes = match self.known(part) {
            Some(number) => smallvec![self.multiple_of_number(less, number)?],
            None => smallvec![Outcome::Open(Test::Multiple(less, part))],
        };
        // If a common factor is 0, both are 0, and 0 is a multiple of 0.
        let dropped = self.quotient_of(by, part)?;
        for factor in self.factored(dropped)?.0 {
            outcomes.push(self.is_zero(factor)?);
        }
        Some(outcomes)
    }

    fn multiple_of_number(&mut self, whole: Symbol, by: i64) -> Option<Outcome> {
        let by = by.checked_abs()?;
        let left = mapped(self.sum(whole)?, |times| times.checked_rem_euclid(by))?;
        if left.is_empty() {
            return Some(Outcome::Holds);
        }
        let common = common_number(&left, by);
        if constant(&left).unwrap_or(0).checked_rem(common)? != 0 {
            return Some(Outcome::Fails);
        }
        let left = mapped(&left, |times| times.checked_div(common))?;
        if by == common {
            return Some(Outcome::Holds);
        }
        let by = self.number(by.checked_div(common)?)?;
        Some(Outcome::Open(Test::Multiple(self.symbol(left)?, by)))
    }
}
