//! What a number equals in terms of lengths that are not known: `past + s`, `4*(h//32)`.
//!
//! A [`Symbol`] stands beside the bounds of a number and names an expression of the [`Expressions`] that the current thread
//! records. Arithmetic on dimensions and on elements keeps both. Whoever makes bounds anew loses the symbol, which is
//! sound; numbers that are known need none.
//!
//! An expression has one form: a sum of products of atoms with whole coefficients, so that equal symbols mean equal
//! numbers. There is no solver, and what grows past [`TERMS`] or 64 bits has no symbol.

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

/// An expression of the [`Expressions`] at work; or none, where nothing is known but bounds.
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

/// A number to calculate with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operand {
    /// Nothing is known of it but bounds.
    Unknown,
    /// It is known.
    Known(i64),
    /// It equals this expression.
    Of(Symbol),
}

impl Operand {
    /// The number `known`, or else what the symbol stands for.
    pub(crate) fn new(known: Option<i64>, symbol: Symbol) -> Self {
        match known {
            Some(number) => Self::Known(number),
            None if symbol.is_none() => Self::Unknown,
            None => Self::Of(symbol),
        }
    }

    /// The symbol of a number that has one.
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

/// Puts back what was recorded before, whatever happens.
struct Restore(Option<Box<Expressions>>);

impl Drop for Restore {
    fn drop(&mut self) {
        RECORDED.with(|recorded| *recorded.borrow_mut() = self.0.take());
    }
}

/// Runs `work` while expressions are recorded if `wanted`, and not recorded otherwise. Facts may be narrower for it.
pub(crate) fn recording<R>(wanted: bool, work: impl FnOnce() -> R) -> (R, Option<Box<Expressions>>) {
    let expressions = wanted.then(|| Box::new(Expressions::narrowing()));
    let before = Restore(RECORDED.with(|recorded| recorded.replace(expressions)));
    let result = work();
    let expressions = RECORDED.with(RefCell::take);
    drop(before);
    (result, expressions)
}

/// Records expressions from here to the end of the [`recording`] at work; facts are as they would be without.
pub(crate) fn record() {
    RECORDED.with(|recorded| _ = recorded.borrow_mut().get_or_insert_default());
}

/// Whether facts may be narrower for what is known of symbols.
pub(crate) fn narrows() -> bool {
    RECORDED.with(|recorded| recorded.borrow().as_ref().is_some_and(|all| all.narrow))
}

/// What `make` finds in the expressions at work; no symbol where there are none.
fn with(make: impl FnOnce(&mut Expressions) -> Option<Symbol>) -> Symbol {
    RECORDED.with(|recorded| recorded.borrow_mut().as_mut().and_then(|all| make(all))).unwrap_or_default()
}

/// The symbol of an atom.
pub(crate) fn atom(atom: Atom) -> Symbol {
    with(|all| all.atom(atom))
}

/// An operation on two numbers, one of which at least has a symbol.
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

/// `a / b`, rounded down; `b` is not 0.
pub(crate) fn floor_divided(a: Operand, b: Operand) -> Symbol {
    combine(a, b, Expressions::divided)
}

/// `a / b`, where that has no remainder; 1 where `b` is 0, which is no less.
pub(crate) fn quotient_or_1(a: Operand, b: Operand) -> Symbol {
    choose(b, Operand::new(None, floor_divided(a, b)), Operand::Known(1))
}

/// `some` where `count`, which is no less than 0, is not 0, and `none` where it is.
pub(crate) fn choose(count: Operand, some: Operand, none: Operand) -> Symbol {
    match count {
        Operand::Known(0) => return none.symbol(),
        Operand::Known(_) => return some.symbol(),
        _ if some == Operand::Unknown || none == Operand::Unknown => return Symbol::NONE,
        _ => {}
    }
    combine(count, count, |all, count, _| {
        let (some, none) = (all.operand(some)?, all.operand(none)?);
        let has_any = all.is_positive(count)?;
        let difference = all.minus(some, none)?;
        let difference = all.times(difference, has_any)?;
        all.plus(none, difference)
    })
}

/// The smaller number.
pub(crate) fn least(a: Operand, b: Operand) -> Symbol {
    combine(a, b, Expressions::least)
}

/// The larger number.
pub(crate) fn greatest(a: Operand, b: Operand) -> Symbol {
    combine(a, b, Expressions::greatest)
}

/// The length in which two lengths meet that are equal unless one of them is 1.
pub(crate) fn broadcast(a: Operand, b: Operand) -> Symbol {
    combine(a, b, Expressions::broadcast)
}

/// One of two symbols of a number that equals both: the simpler.
pub(crate) fn either(a: Symbol, b: Symbol) -> Symbol {
    match (a.is_none(), b.is_none()) {
        (true, _) => b,
        (_, true) => a,
        _ if a == b => a,
        _ => with(|all| Some(all.simpler(a, b))),
    }
}
