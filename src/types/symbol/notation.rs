//! Expressions as text: whole-number Python, which a person reads as well.

use super::Symbol;
use super::expressions::{Atom, Expressions, Length};
use std::fmt::Write;

/// Who reads an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// A program that evaluates it, at lengths of 0 too.
    Program,
    /// A person, who takes lengths to be 1 or more.
    Person,
}

impl Expressions {
    /// The expression as text, with every length called as `name` has it.
    pub(crate) fn text(&self, symbol: Symbol, reader: Reader, name: &dyn Fn(Length) -> String) -> String {
        let Some(sum) = self.sum(symbol) else { return "?".to_owned() };
        let sum = &if reader == Reader::Person { self.where_present(sum) } else { sum.clone() };
        let mut text = String::new();
        // The number that is added comes last.
        let (numbers, products): (Vec<_>, Vec<_>) = sum.iter().partition(|(product, _)| product.is_empty());
        let (plus, minus): (Vec<_>, Vec<_>) = products.into_iter().partition(|(_, times)| *times > 0);
        for (product, times) in plus.into_iter().chain(minus).chain(numbers) {
            let sign = match (text.is_empty(), *times < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            let times = times.unsigned_abs();
            let factors: Vec<String> = product
                .iter()
                .filter_map(|atom| self.atom_at(*atom))
                .map(|atom| self.atom_text(atom, times == 1 && product.len() == 1 && sum.len() == 1, reader, name))
                .collect();
            if times != 1 || factors.is_empty() {
                let _ = write!(text, "{times}{}", if factors.is_empty() { "" } else { "*" });
            }
            text.push_str(&factors.join("*"));
        }
        if text.is_empty() { "0".to_owned() } else { text }
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
            Atom::Quotient(inner, by) => {
                let by = if may_be_0(&by) { format!("max(1, {})", of(by)) } else { bracketed(by) };
                let quotient = format!("{}//{by}", bracketed(inner));
                if is_alone { quotient } else { format!("({quotient})") }
            }
            Atom::Least(a, b) => listed("min", &self.parts([a, b], Atom::Least)),
            Atom::Greatest(a, b) => listed("max", &self.parts([a, b], Atom::Greatest)),
            // Where all have elements, the largest; 0 and 1 meet in 0.
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
