//! Declared sizes that hold whenever no dimension of an input is 0, such as the columns of a Reshape to `batch, seq, -1`.

use super::relation::{Relation, relation};
use crate::diagnostic::{Diagnostic, Direction, Severity};
use crate::infer::Facts;
use crate::ir::Graph;
use crate::lint::rules::DECLARED_STATIC;
use crate::types::symbol::Expressions;
use crate::types::symbol::substitution::Substitution;

/// Removes the findings about such sizes.
///
/// `again` infers the model again with symbols; it is called only if there is a finding about a declared size.
pub(crate) fn withdraw(findings: &mut Vec<Diagnostic>, graph: &Graph, again: impl FnOnce() -> Facts) {
    if !findings.iter().any(|finding| finding.rule == &DECLARED_STATIC) {
        return;
    }
    let facts = again();
    let Some(symbols) = facts.symbols() else { return };
    let mut all = symbols.expressions.as_ref().clone();
    let mut present = Substitution::new(all.present());
    findings.retain(|finding| {
        let is_meant = finding.rule == &DECLARED_STATIC && finding.severity < Severity::Error;
        !is_meant || holds(finding, graph, &facts, &mut all, &mut present) != Some(true)
    });
}

/// Whether the output that a finding is about has the declared dimensions if no dimension of an input is 0.
fn holds(
    finding: &Diagnostic,
    graph: &Graph,
    facts: &Facts,
    all: &mut Expressions,
    present: &mut Substitution,
) -> Option<bool> {
    let place = finding.layer.as_ref().filter(|_| finding.body.is_empty())?;
    let port = finding.port.as_ref().filter(|port| port.direction == Direction::Output)?;
    let index = graph.layer_at(place.span.start)?;
    let declared = graph.dims(graph.outputs(graph.layer(index)?).get(port.index)?);
    let inferred = facts.outputs(index).get(port.index)?.shape.dims()?;
    let mut pairs = declared.iter().zip(inferred);
    Some(pairs.all(|(declared, inferred)| {
        if inferred.symbol().is_none() {
            return relation(*declared, *inferred) == Relation::Agrees;
        }
        *declared == -1 || present.apply(all, inferred.symbol()).and_then(|size| all.known(size)) == Some(*declared)
    }))
}
