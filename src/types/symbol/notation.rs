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
        let listed = |function: &str, a, b| {
            let (first, last) = if self.known(a).is_some() { (b, a) } else { (a, b) };
            format!("{function}({}, {})", of(first), of(last))
        };
        match atom {
            Atom::Input(length, _) | Atom::Unknown(length) => name(length),
            Atom::Quotient(inner, by) if is_alone => format!("{}//{by}", bracketed(inner)),
            Atom::Quotient(inner, by) => format!("({}//{by})", bracketed(inner)),
            Atom::Least(a, b) => listed("min", a, b),
            Atom::Greatest(a, b) => listed("max", a, b),
            // Where both have elements, the larger; 0 and 1 meet in 0.
            Atom::Broadcast(a, b) => {
                let has_elements = |symbol| matches!(self.bounds(symbol), (1.., _));
                if reader == Reader::Person || has_elements(a) && has_elements(b) {
                    listed("max", a, b)
                } else {
                    format!("({}*{}//max(1, min({}, {})))", bracketed(a), bracketed(b), of(a), of(b))
                }
            }
        }
    }
}
