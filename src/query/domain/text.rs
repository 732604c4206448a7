//! Constraints as text.

use super::{Constraint, Domain, Form};
use crate::query::symbols::Names;
use crate::types::symbol::{Length, Reader};

impl Domain {
    /// A constraint as expressions, all of which hold if it does.
    pub(crate) fn expressions_of(&self, constraint: &Constraint, names: &Names) -> Vec<String> {
        let name = |length: Length| names.name(length);
        match &constraint.form {
            Form::Equal(lengths) => {
                let all: Vec<String> = lengths.iter().map(|length| names.name(*length)).collect();
                vec![all.join(" == ")]
            }
            Form::Solved(length, symbol) => {
                vec![format!("{} == {}", names.name(*length), self.expressions.text(*symbol, Reader::Program, &name))]
            }
            Form::In(length, lengths) => lengths.conditions(&names.name(*length)),
            Form::Demand(demand) => vec![self.expressions.demand_text(demand, Reader::Program, &name)],
        }
    }
}
