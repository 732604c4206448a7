//! A few words about each operation, and the names of the outputs of those with several, as commands show them.
//!
//! Tables that only some commands read are texts: each word of a table in Rust is a pointer, which every start relocates.

use super::spec::{OpSpec, Outputs};

/// Every operation, with the result that it gives or the action that it takes.
const SUMMARIES: &str = include_str!("summaries.txt");

/// The names of several outputs.
const OUTPUTS: &str = include_str!("output_names.txt");

impl OpSpec {
    /// The result or the action of the operation, in a few words.
    pub fn summary(&self) -> &'static str {
        of(SUMMARIES, self.name)
    }

    /// The names of the outputs, if there are several and always as many.
    pub fn output_names(&self) -> impl Iterator<Item = &'static str> {
        let names = of(OUTPUTS, self.name).split_ascii_whitespace();
        let is_named = self.outputs == Outputs::Exactly(names.clone().count());
        names.filter(move |_| is_named)
    }
}

/// Returns the second cell of the row of a name; empty without one.
fn of(table: &'static str, name: &str) -> &'static str {
    rows(table).find(|[own, _]| *own == name).map_or("", |[_, text]| text)
}

/// Iterates over the cells of the rows of a table.
pub(super) fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    table.lines().map(|line| {
        let mut cells = line.split('|');
        std::array::from_fn(|_| cells.next().unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::operations;
    use std::collections::BTreeSet;

    #[test]
    fn every_operation_has_a_summary_and_several_outputs_have_names() {
        let names: BTreeSet<_> = operations().map(|spec| spec.name).collect();
        assert!(names.into_iter().eq(rows(SUMMARIES).map(|[name, _]| name)));
        assert!(rows::<2>(OUTPUTS).is_sorted());
        for spec in operations() {
            let count = spec.output_names().count();
            assert!(!matches!(spec.outputs, Outputs::Exactly(2..)) || count > 1, "{} {}", spec.name, spec.opset);
        }
        for [name, _] in rows(OUTPUTS) {
            let is_named = |spec: &OpSpec| spec.name == name && spec.output_names().count() > 1;
            assert!(operations().any(is_named), "{name}");
        }
    }
}
