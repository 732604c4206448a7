//! Symbolic expressions for numbers, in terms of unknown lengths: `past + s`, `4*(h//32)`.
//!
//! A [`Symbol`] is stored beside the bounds of a number. It is the index of an expression in the [`Expressions`] of the current
//! thread. Arithmetic on dimensions and on elements updates both bounds and symbol. Code that creates new bounds drops the
//! symbol, which is sound. Exact numbers need no symbol.
//!
//! Expressions have a canonical form: a sum of products of atoms with integer coefficients. Equal symbols mean equal
//! numbers: `a*c + b*c` and `(a + b)*c` get the same symbol. There is no solver. An expression with more than
//! `sum::MAX_TERMS` terms, or with numbers beyond 64 bits, gets no symbol.

#![warn(clippy::arithmetic_side_effects, reason = "the numbers of a file may be as large as a number can be")]

mod contents;
pub(crate) mod demand;
mod equations;
mod expressions;
mod joins;
mod notation;
mod presence;
mod quotient;
mod range;
pub(crate) mod substitution;
mod sum;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;

pub(crate) use expressions::{Atom, Expressions, Length};
pub(crate) use notation::Reader;
pub(crate) use sum::gcd;

use std::cell::RefCell;

/// The index of an expression in the [`Expressions`] of this thread, or [`Symbol::NONE`] if only bounds are known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(crate) struct Symbol(u32);

impl Symbol {
    /// No expression.
    pub(crate) const NONE: Self = Self(0);

    /// Whether there is no expression.
    pub(crate) const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// An operand of symbolic arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operand {
    /// A number that has only bounds.
    Unknown,
    /// An exact number.
    Known(i64),
    /// A number that equals this expression.
    Of(Symbol),
}

impl Operand {
    /// The number `known` if there is one, else the expression of `symbol`.
    pub(crate) fn new(known: Option<i64>, symbol: Symbol) -> Self {
        match known {
            Some(number) => Self::Known(number),
            None if symbol.is_none() => Self::Unknown,
            None => Self::Of(symbol),
        }
    }

    /// The symbol, or [`Symbol::NONE`] for exact and unknown numbers.
    pub(crate) fn symbol(self) -> Symbol {
        if let Self::Of(symbol) = self { symbol } else { Symbol::NONE }
    }

    fn is_symbol(self) -> bool {
        matches!(self, Self::Of(_))
    }
}

thread_local! {
    static RECORDED: RefCell<Option<Box<Expressions>>> = const { RefCell::new(None) };
}

/// A guard that restores the outer expressions, also on panic.
struct Restore(Option<Box<Expressions>>);

impl Drop for Restore {
    fn drop(&mut self) {
        RECORDED.with(|recorded| *recorded.borrow_mut() = self.0.take());
    }
}

/// Runs `work`, recording expressions only if `wanted`. Recording may make facts narrower.
pub(crate) fn recording<R>(wanted: bool, work: impl FnOnce() -> R) -> (R, Option<Box<Expressions>>) {
    let expressions = wanted.then(|| Box::new(Expressions::narrowing()));
    let before = Restore(RECORDED.with(|recorded| recorded.replace(expressions)));
    let result = work();
    let expressions = RECORDED.with(RefCell::take);
    drop(before);
    (result, expressions)
}

/// Records expressions until the enclosing [`recording`] ends, without making facts narrower.
pub(crate) fn record() {
    RECORDED.with(|recorded| _ = recorded.borrow_mut().get_or_insert_default());
}

/// Whether symbols may make facts narrower.
pub(crate) fn narrows() -> bool {
    RECORDED.with(|recorded| recorded.borrow().as_ref().is_some_and(|all| all.narrow))
}

/// Calls `make` with the recorded expressions; returns no symbol while nothing is recorded.
fn with(make: impl FnOnce(&mut Expressions) -> Option<Symbol>) -> Symbol {
    RECORDED.with(|recorded| recorded.borrow_mut().as_mut().and_then(|all| make(all))).unwrap_or_default()
}

pub(crate) fn atom(atom: Atom) -> Symbol {
    with(|all| all.atom(atom))
}

/// Applies `make` to two operands; returns no symbol if neither has a symbol or one of them is unknown.
fn combine(a: Operand, b: Operand, make: impl FnOnce(&mut Expressions, Symbol, Symbol) -> Option<Symbol>) -> Symbol {
    if !a.is_symbol() && !b.is_symbol() || a == Operand::Unknown || b == Operand::Unknown {
        return Symbol::NONE;
    }
    with(|all| {
        let (a, b) = (all.operand(a)?, all.operand(b)?);
        make(all, a, b)
    })
}

/// `a + b`
pub(crate) fn plus(a: Operand, b: Operand) -> Symbol {
    combine(a, b, Expressions::plus)
}

/// `a - b`
pub(crate) fn minus(a: Operand, b: Operand) -> Symbol {
    combine(a, b, Expressions::minus)
}

/// `a * b`
pub(crate) fn times(a: Operand, b: Operand) -> Symbol {
    combine(a, b, Expressions::times)
}

/// `a // b`, where `b` is not 0.
pub(crate) fn floor_div(a: Operand, b: Operand) -> Symbol {
    combine(a, b, Expressions::floor_div)
}

/// `a / b` if `b` divides `a`; 1 if `b` is 0. `b` is 0 or more.
pub(crate) fn quotient_or_1(a: Operand, b: Operand) -> Symbol {
    choose(b, Operand::new(None, floor_div(a, b)), Operand::Known(1))
}

/// `none` if `count` is 0, else `some`; `count` must be 0 or more.
pub(crate) fn choose(count: Operand, some: Operand, none: Operand) -> Symbol {
    match count {
        Operand::Known(0) => return none.symbol(),
        Operand::Known(_) => return some.symbol(),
        _ if some == Operand::Unknown || none == Operand::Unknown => return Symbol::NONE,
        _ => {}
    }
    combine(count, count, |all, count, _| {
        let (some, none) = (all.operand(some)?, all.operand(none)?);
        let has_any = all.presence(count)?;
        let difference = all.minus(some, none)?;
        let difference = all.times(difference, has_any)?;
        all.plus(none, difference)
    })
}

/// `min(a, b)`
pub(crate) fn min(a: Operand, b: Operand) -> Symbol {
    combine(a, b, Expressions::min)
}

/// `max(a, b)`
pub(crate) fn max(a: Operand, b: Operand) -> Symbol {
    combine(a, b, Expressions::max)
}

pub(crate) fn broadcast(a: Operand, b: Operand) -> Symbol {
    combine(a, b, Expressions::broadcast)
}

/// Returns the simpler of two symbols of the same number.
pub(crate) fn either(a: Symbol, b: Symbol) -> Symbol {
    match (a.is_none(), b.is_none()) {
        (true, _) => b,
        (_, true) => a,
        _ if a == b => a,
        _ => with(|all| Some(all.simpler(a, b))),
    }
}
