//! Expressions as text: Python integer expressions, which people can read as well.

use super::Symbol;
use super::demand::{Demand, Test};
use super::expressions::{Atom, Expressions, Length};
use super::sum::{Sum, added};
use crate::arrange::Arrange;
use std::fmt::Write;

/// The audience of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Reader {
    /// A program that evaluates the text, also for lengths of 0.
    Program,
    /// A person; the text supposes lengths of 1 or more.
    Person,
}

impl Expressions {
    /// Writes an expression with the lengths named by `name`.
    pub(crate) fn text(&self, symbol: Symbol, reader: Reader, name: &dyn Fn(Length) -> String) -> String {
        let Some(sum) = self.sum(symbol) else { return "?".to_owned() };
        let present = if reader == Reader::Person { self.where_present(sum) } else { None };
        self.sum_text(present.as_ref().unwrap_or(sum), 1, reader, name)
    }

    /// Writes a sum, or its negative if `sign` is -1.
    fn sum_text(&self, sum: &Sum, sign: i64, reader: Reader, name: &dyn Fn(Length) -> String) -> String {
        let mut text = String::new();
        // The constant comes last.
        let (numbers, products): (Vec<_>, Vec<_>) = sum.iter().partition(|(product, _)| product.is_empty());
        let (plus, minus): (Vec<_>, Vec<_>) = products.into_iter().partition(|(_, times)| times.signum() == sign);
        for (product, times) in plus.into_iter().chain(minus).chain(numbers) {
            let written = match (text.is_empty(), times.signum() != sign) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(written);
            let times = times.unsigned_abs();
            // A quotient that is not alone needs brackets: `-a//b` would mean `(-a)//b`.
            let is_alone = times == 1 && product.len() == 1 && written != "-";
            let factors: Vec<String> = product
                .iter()
                .filter_map(|atom| self.atom_at(*atom))
                .map(|atom| self.atom_text(atom, is_alone, reader, name))
                .collect();
            if times != 1 || factors.is_empty() {
                let _ = write!(text, "{times}{}", if factors.is_empty() { "" } else { "*" });
            }
            text.push_str(&factors.join("*"));
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }

    pub(crate) fn demand_text(&self, demand: &Demand, reader: Reader, name: &dyn Fn(Length) -> String) -> String {
        let mut tests: Vec<String> = demand.0.iter().map(|test| self.test_text(*test, reader, name)).collect();
        tests.arrange();
        // Nothing meets a clause without tests.
        if tests.is_empty() { "0 == 1".to_owned() } else { tests.join(" or ") }
    }

    fn test_text(&self, test: Test, reader: Reader, name: &dyn Fn(Length) -> String) -> String {
        let (symbol, is_equation) = match test {
            Test::Multiple(symbol, by) => {
                let bracketed = |symbol| {
                    let text = self.text(symbol, reader, name);
                    if text.contains([' ', '*', '/']) { format!("({text})") } else { text }
                };
                let (whole, part) = (bracketed(symbol), bracketed(by));
                return match self.bounds(by) {
                    // Python refuses `% 0`.
                    (..=0, _) if reader == Reader::Program => {
                        format!("{whole} % max({part}, 1) == 0 and ({part} > 0 or {whole} == 0)")
                    }
                    _ => format!("{whole} % {part} == 0"),
                };
            }
            Test::Zero(symbol) => (symbol, true),
            Test::NotNegative(symbol) => (symbol, false),
        };
        let Some(sum) = self.sum(symbol) else { return "0 == 0".to_owned() };
        let sides = self.sides(sum, reader, name);
        if is_equation { equation(sides) } else { sides.join(" >= ") }
    }

    /// Writes the positive terms of a sum, and its negative terms without their sign.
    fn sides(&self, sum: &Sum, reader: Reader, name: &dyn Fn(Length) -> String) -> [String; 2] {
        [1, -1].map(|sign| {
            let terms = sum.iter().filter(|(_, times)| times.signum() == sign);
            self.sum_text(&terms.cloned().collect(), sign, reader, name)
        })
    }

    /// Writes the equation of a length and an expression without a subtraction on either side.
    pub(crate) fn equation_text(
        &self,
        length: Length,
        symbol: Symbol,
        reader: Reader,
        name: &dyn Fn(Length) -> String,
    ) -> String {
        let whole = self.input(length).and_then(|one| added(self.sum(symbol)?, self.sum(one)?, -1));
        let Some(whole) = whole else { return format!("{} == {}", name(length), self.text(symbol, reader, name)) };
        equation(self.sides(&whole, reader, name))
    }

    fn atom_text(&self, atom: Atom, is_alone: bool, reader: Reader, name: &dyn Fn(Length) -> String) -> String {
        let of = |symbol| self.text(symbol, reader, name);
        let bracketed = |symbol| {
            let text = of(symbol);
            if text.contains([' ', '*', '/']) { format!("({text})") } else { text }
        };
        // Numbers come last.
        let listed = |function: &str, parts: &[Symbol]| {
            let (numbers, others): (Vec<Symbol>, Vec<Symbol>) =
                parts.iter().partition(|part| self.known(**part).is_some());
            let all: Vec<String> = others.into_iter().chain(numbers).map(of).collect();
            format!("{function}({})", all.join(", "))
        };
        let may_be_0 = |symbol: &Symbol| reader == Reader::Program && self.bounds(*symbol).0 < 1;
        match atom {
            Atom::Input(length, _) | Atom::Unknown(length) => name(length),
            Atom::FloorDiv(inner, by) => {
                let by = if may_be_0(&by) { format!("max(1, {})", of(by)) } else { bracketed(by) };
                let quotient = format!("{}//{by}", bracketed(inner));
                if is_alone { quotient } else { format!("({quotient})") }
            }
            Atom::Min(a, b) => listed("min", &self.parts([a, b], Atom::Min)),
            Atom::Max(a, b) => listed("max", &self.parts([a, b], Atom::Max)),
            // A broadcast is the largest length, except that 0 and 1 broadcast to 0.
            Atom::Broadcast(a, b) => {
                let mut parts = self.parts([a, b], Atom::Broadcast);
                let largest = listed("max", &parts);
                parts.retain(|part| may_be_0(part));
                let has_elements =
                    format!("*min(1, {})", parts.iter().map(|part| of(*part)).collect::<Vec<_>>().join(", "));
                if parts.is_empty() { largest } else { largest + &has_elements }
            }
        }
    }
}

/// Writes an equation whose sides are always in this order: single terms first, then sums, then numbers, each from short to long.
fn equation(mut sides: [String; 2]) -> String {
    sides.sort_by_cached_key(|side| (side.parse::<i64>().is_ok(), side.contains(' '), side.len(), side.clone()));
    sides.join(" == ")
}
