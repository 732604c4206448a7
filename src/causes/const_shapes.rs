//! The shape of a Const that is at fault, where the ports that read it declare the same number of elements in another shape.
//!
//! A single port that disagrees is usually wrong itself. The Const is at fault if giving it the declared shape leaves fewer
//! contradictions, or lifts a constraint on the inputs. Example: a Const of shape `[1,6]` that its consumer reads as
//! `[2,3]`.

use super::blame::{CONTRADICTED_VALUE, families};
use super::counterfactual::{Counterfactual, Evidence, reported};
use crate::arrange::{Arrange, Fill};
use crate::diagnostic::{Amendment, Applicability, Diagnostic, Direction, Edit, FindingId, Fix, Severity, Sink};
use crate::infer::Supposed;
use crate::ir::{LayerId, Net, Port, Role, find_attribute};
use crate::lint::declared::{Declared, Mismatch, Report, contradicts, repair};
use crate::lint::{Checked, for_every_graph};
use crate::types::{Fact, PartialShape};
use petgraph::Direction::Outgoing;
use petgraph::visit::EdgeRef;
use std::collections::BTreeSet;

/// Maximum number of constraints that a finding names.
const NAMED: usize = 3;

/// A Const whose output is declared in another shape by some port.
struct Candidate {
    /// The finding about the port.
    root: FindingId,
    /// The Const in the declared shape.
    supposed: Supposed,
    /// The output port of the Const, which the fix edits together with the shape.
    own: Evidence,
    /// The finding that becomes the cause of the root.
    finding: Diagnostic,
}

/// Reports the Consts whose shapes are at fault, and withdraws the fixes that would hide these faults.
pub(super) fn find(checked: &Checked, net: &Net, declared: &Declared, edges: &BTreeSet<FindingId>, sink: &mut Sink) {
    let mut candidates = candidates(checked, declared, sink);
    candidates.retain(|candidate| !edges.contains(&candidate.root));
    if candidates.is_empty() {
        return;
    }
    let evidence = reported(declared, sink);
    let mut counterfactual = Counterfactual::new(checked, net);
    let baseline = counterfactual.constraints(&Supposed::default());
    let works = !sink.findings().iter().any(|one| one.severity == Severity::Error && one.runtime.fails());
    let mut causes = Vec::new();
    for Candidate { root, supposed, own, mut finding } in candidates {
        let Some(((base, constraints), (left, allowed))) = baseline.as_ref().zip(counterfactual.constraints(&supposed))
        else {
            sink.amend(root, Amendment::NoFix); // The limits are reached: the fix may hide anything.
            continue;
        };
        let gone: BTreeSet<Evidence> = base.difference(&left).copied().into_set();
        let is_gone = |id: &FindingId| evidence.get(id).is_some_and(|one| gone.contains(one));
        if sink.cause(root).is_some() || !is_gone(&root) || left.iter().any(|one| !base.contains(one) && *one != own) {
            continue;
        }
        let narrower: Vec<String> = constraints.narrows(&allowed).map(|one| format!("`{one}`")).collect();
        if gone.len() < 2 && narrower.is_empty() {
            continue;
        }
        if works && !narrower.is_empty() {
            let more = if narrower.len() > NAMED { ", and more" } else { "" };
            let named = narrower.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
            finding = finding.note(format!("as it is, the model works only for inputs with {named}{more}"));
        }
        let Some(cause) = sink.push_cause(finding) else { continue };
        causes.push(cause);
        let open = evidence.keys().filter(|id| is_gone(id) && sink.cause(**id).is_none());
        for id in open.copied().collect::<Vec<_>>() {
            sink.hand_over(id, cause);
        }
    }
    let families = families(sink);
    for member in causes.iter().filter_map(|cause| families.get(cause)).flatten() {
        sink.amend(*member, Amendment::NoFix); // It would make the ports agree with the wrong shape.
    }
}

/// Returns the Consts that the ports of findings declare in other shapes, in file order.
fn candidates(checked: &Checked, declared: &Declared, sink: &Sink) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    if declared.is_empty() {
        return candidates;
    }
    for_every_graph(checked, &mut |checked| {
        let wrong = declared.of(checked.scope.graph).map(|wrong| wrong.all.as_slice()).unwrap_or_default();
        for mismatch in wrong.iter().filter(|mismatch| mismatch.severity == Severity::Error) {
            let Report::Made(root) = mismatch.report else { continue };
            if sink.cause(root).is_none() {
                candidates.extend(candidate(checked, mismatch, root));
            }
        }
    });
    candidates
}

fn candidate(checked: &Checked, mismatch: &Mismatch, root: FindingId) -> Option<Candidate> {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let layer = graph.layer(mismatch.layer)?;
    let port = graph.ports(layer, mismatch.direction).get(mismatch.port)?;
    let index = match mismatch.direction {
        Direction::Input => port.source()?.layer,
        Direction::Output => mismatch.layer,
    };
    let holder = graph.layer(index).filter(|holder| graph.kind(holder).role == Role::Const)?;
    let (constant, dims) = (graph.constant(holder)?, graph.dims(port));
    let count = |dims: &[i64]| dims.iter().try_fold(1_i64, |all, dim| all.checked_mul(*dim).filter(|_| *dim >= 0));
    if dims == constant.lengths.as_slice() || count(dims)? != count(&constant.lengths)? {
        return None;
    }
    let shape = PartialShape::exact(dims);
    let value = checked.facts.outputs(index).first().and_then(|fact| fact.value.as_deref()?.reshaped(&shape));
    let wanted = Fact::new(constant.ty, shape).with_value(value);
    if readers(checked, index).any(|port| contradicts(graph, port, &wanted)) {
        return None;
    }
    let span = find_attribute(source, holder.data, "shape")?.value;
    let text = dims.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut edits = vec![Edit { span, text: text.clone() }];
    let own = graph.outputs(holder).first()?;
    edits.extend(repair(checked, holder, own, &wanted).into_iter().flat_map(|fix| fix.edits));
    edits.arrange_by_key(|edit| edit.span.start);
    let (name, other) = (graph.name(source, holder), graph.name(source, layer));
    let declares = match mismatch.direction {
        Direction::Input => format!("`{other}` reads it as {}", wanted.shape),
        Direction::Output => format!("its port declares {}", wanted.shape),
    };
    let message = format!("`shape` of `{name}` is {}, {declares}", constant.shape());
    let finding = Diagnostic::new(&CONTRADICTED_VALUE, span, message)
        .label(port.tag, "declares the other shape")
        .fix(Fix { applicability: Applicability::Unsafe, message: format!("write {text}").into(), edits });
    let mut supposed = Supposed::default();
    supposed.set_outputs(holder, vec![wanted]);
    let own = Evidence::Port(graph.tag.start, index, Direction::Output, 0);
    Some(Candidate { root, supposed, own, finding: checked.about(holder, finding) })
}

/// The input ports that read a Const.
fn readers<'a>(checked: &Checked<'a>, index: LayerId) -> impl Iterator<Item = &'a Port> {
    let graph = checked.scope.graph;
    graph.dag.edges_directed(index.node(), Outgoing).filter_map(|edge| {
        let input = usize::try_from(edge.weight().input).ok()?;
        graph.inputs(graph.layer(edge.target().into())?).get(input)
    })
}
