//! The suggestion of an `ovlint reshape` command for findings that dynamic inputs cause: sizes with which all inputs are
//! static and the model works.

use super::shapes::DYNAMIC_INPUT_FOR_DEVICE;
use crate::diagnostic::Diagnostic;
use crate::domain::{Assumption, Domain, Form, Names};
use crate::infer::Facts;
use crate::ir::{Graph, LayerId, Role};
use crate::source::Source;
use crate::types::symbol::Length;
use crate::types::{Dim, PartialShape};
use std::collections::BTreeMap;

/// The sizes that are tried first for dimensions that are no batch: tables of positions may be short.
const USUAL: [i64; 3] = [128, 64, 16];

/// The distance from the usual size of a dimension up to which larger sizes are tried.
const TRIED: i64 = 10_000;

/// The shapes of Parameters.
pub(crate) type Shapes = BTreeMap<LayerId, PartialShape>;

/// Adds to findings about dynamic inputs the `ovlint reshape` line that mends them.
///
/// `again` infers the model with symbols, and `works` says whether inference with static shapes reports no warnings and
/// errors but known ones; they are called only if there is a finding about dynamic inputs.
pub(crate) fn suggest(
    findings: &mut [Diagnostic],
    graph: &Graph,
    source: &Source,
    again: impl FnOnce() -> Facts,
    works: impl Fn(&[Diagnostic], &Shapes) -> bool,
) {
    // Findings without help are about unknown ranks, or about dynamic inputs that a pipeline makes static.
    let is_mended = |finding: &Diagnostic| finding.rule == &DYNAMIC_INPUT_FOR_DEVICE && !finding.help.is_empty();
    if !findings.iter().any(is_mended) {
        return;
    }
    let facts = again();
    let mut tried = USUAL.into_iter().filter_map(|usual| sizes(graph, source, &facts, usual));
    let Some((sizes, _)) = tried.find(|(_, shapes)| works(findings, shapes)) else { return };
    let path = source.path().display().to_string();
    let is_plain = path.chars().all(|c| c.is_alphanumeric() || "/\\:._-+".contains(c));
    let path = if is_plain { path } else { format!("'{path}'") };
    let line = format!("`ovlint reshape {path} --set {sizes} -o static.xml` writes a model with static inputs");
    for finding in findings.iter_mut().filter(|finding| is_mended(finding)) {
        finding.help.push(line.as_str().into());
    }
}

/// Returns sizes for all dynamic dimensions of inputs, as `--set` takes them, and the shapes that follow. Each size that
/// no other decides is the first that the model admits, from `usual` (1 for a batch) upwards, then downwards.
fn sizes(graph: &Graph, source: &Source, facts: &Facts, usual: i64) -> Option<(String, Shapes)> {
    let symbols = facts.symbols()?;
    let names = Names::of(graph, source, facts, &symbols.expressions);
    let domain = Domain::of(facts, Assumption::Usual)?;
    let inputs = || names.lengths().filter(|length| names.input(*length).is_some_and(|input| !input.is_state));
    let (mut sizes, mut texts, mut solved) = (BTreeMap::<Length, i64>::new(), Vec::new(), Vec::new());
    for length in inputs() {
        let mut class = vec![length];
        for constraint in &domain.constraints {
            match &constraint.form {
                Form::Equal(all) if all.contains(&length) => class.clone_from(all),
                Form::Solved(one, symbol) if *one == length => solved.push((length, *symbol)),
                _ => {}
            }
        }
        if sizes.contains_key(&length) || solved.iter().any(|(one, _)| *one == length) {
            continue;
        }
        let (lower, upper) = domain.expressions.range(length);
        let usual = if names.kind(length) == Some("batch") { 1 } else { usual }.clamp(lower.max(1), upper.max(1));
        let admits = |size: &i64| {
            domain.constraints.iter().all(|constraint| match &constraint.form {
                Form::In(one, lengths) => !class.contains(one) || lengths.admits(*size),
                _ => true,
            })
        };
        let above = (usual..=upper.min(usual.saturating_add(TRIED))).find(admits);
        let size = above.or_else(|| (lower.max(1)..usual).rev().find(admits))?;
        texts.push(format!("{}={size}", names.name(length)));
        sizes.extend(class.into_iter().map(|one| (one, size)));
    }
    for (length, symbol) in solved {
        sizes.insert(length, domain.expressions.evaluate(symbol, &|one| sizes.get(&one).copied())?);
    }
    let size = |length: Length| sizes.get(&length).copied();
    if domain.constraints.iter().any(|constraint| domain.holds(constraint, &size) == Some(false)) {
        return None;
    }
    let mut shapes = Shapes::new();
    for (id, _) in graph.entries().filter(|(_, layer)| graph.kind(layer).role == Role::Parameter) {
        let mut shape = facts.outputs(id).first()?.shape.clone();
        for length in inputs().filter(|length| usize::try_from(length.layer) == Ok(id.index())) {
            *shape.dims_mut()?.get_mut(usize::try_from(length.axis).ok()?)? = Dim::exact(size(length)?);
        }
        shape.dims_mut()?.iter_mut().for_each(|dim| *dim = dim.bare());
        if !shape.is_static() {
            return None;
        }
        shapes.insert(id, shape);
    }
    (!texts.is_empty()).then(|| (texts.join(","), shapes))
}
