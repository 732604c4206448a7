//! Constraints as text, in the names of dimensions: `h % 32 == 0`.

use super::{Constraint, Domain, Form, Names};
use crate::arrange::Arrange;
use crate::types::symbol::{Length, Reader};

impl Domain {
    /// Formats a constraint as a conjunction of expressions.
    pub(crate) fn expressions_of(&self, constraint: &Constraint, names: &Names) -> Vec<String> {
        self.text_of(constraint, &|length| names.name(length))
    }

    pub(super) fn text_of(&self, constraint: &Constraint, name: &dyn Fn(Length) -> String) -> Vec<String> {
        match &constraint.form {
            Form::Equal(lengths) => {
                let mut all: Vec<String> = lengths.iter().map(|length| name(*length)).collect();
                all.arrange_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
                vec![all.join(" == ")]
            }
            Form::Solved(length, symbol) => {
                vec![self.expressions.equation_text(*length, *symbol, Reader::Program, name)]
            }
            Form::In(length, lengths) => lengths.conditions(&name(*length)),
            Form::Demand(demand) => vec![self.expressions.demand_text(demand, Reader::Program, name)],
        }
    }
}
