//! Declared output ports, compared with the inferred facts.

use super::body::stated;
use super::inputs::{declares, missing_before};
use super::openvino::is_compressed;
use super::port::{shape_finding, show_beside};
use super::relation::{Relation, compare, other_type};
use super::{repair, scalar};
use crate::diagnostic::{Declared, Diagnostic, Direction, Note, Rule};
use crate::infer::{chain_behind, origins};
use crate::ir::{Layer, LayerId, OutputRef, Port, Role, find_attribute};
use crate::lint::Checked;
use crate::lint::rules::{DECLARED_DYNAMIC, DECLARED_PRECISION, DECLARED_SHAPE, DECLARED_STATIC};
use crate::types::{ElementType, Fact, bare_fact};

/// An output of a layer with its port and its fact.
pub(super) struct Output<'a> {
    pub index: LayerId,
    pub layer: &'a Layer,
    /// The index of the output.
    pub i: usize,
    pub port: &'a Port,
    pub fact: &'a Fact,
}

/// The relation of a declared output to its fact, and the dimensions that differ most.
fn relation(checked: &Checked, output: &Output) -> (Relation, Vec<usize>) {
    let Output { index, layer, i, port, fact } = *output;
    match compare(checked.scope.graph.dims(port), fact) {
        (Relation::Loose, differing) if differing.is_empty() && scalar::is_meant(checked, index, layer, i, fact) => {
            (Relation::Contradicts, differing)
        }
        found => found,
    }
}

/// The rule that a declared output violates.
pub(super) fn rule(checked: &Checked, output: &Output) -> Option<&'static Rule> {
    let Output { index, i, port, fact, .. } = *output;
    let output_ref = OutputRef { layer: index, output: u32::try_from(i).ok()? };
    if other_type(port, fact).is_some() && !is_compressed(checked, port, output_ref) {
        return Some(&DECLARED_PRECISION);
    }
    match relation(checked, output).0 {
        // An assumed fact is too uncertain to report anything less than a contradiction.
        Relation::Loose | Relation::Narrow if fact.assumed => None,
        Relation::Agrees => None,
        Relation::Loose => Some(&DECLARED_DYNAMIC),
        // The port of a Parameter in a body repeats the shape of the layer, which is that of the first iteration.
        Relation::Narrow if repeats_parameter(checked, output) => None,
        Relation::Narrow => Some(&DECLARED_STATIC),
        Relation::Contradicts => Some(&DECLARED_SHAPE),
    }
}

/// Whether the port is that of a Parameter in a body, with the shape that the layer declares.
fn repeats_parameter(checked: &Checked, output: &Output) -> bool {
    let graph = checked.scope.graph;
    !checked.scope.body.is_empty()
        && graph.kind(output.layer).role == Role::Parameter
        && compare(graph.dims(output.port), &stated(checked.scope.source, graph, output.layer)).0 == Relation::Agrees
}

pub(super) fn finding(checked: &Checked, output: &Output, rule: &'static Rule) -> Diagnostic {
    let mut finding = mismatch(checked, output, rule);
    let (facts, ports) = (checked.facts.outputs(output.index), checked.scope.graph.outputs(output.layer));
    // With fewer ports than outputs, a port may stand at the place of an earlier output.
    let later = facts.get(output.i + 1..).filter(|_| ports.len() < facts.len()).unwrap_or_default();
    if let Some(further) = later.iter().position(|fact| declares(checked, output.port, fact)) {
        let kind = checked.scope.graph.kind(output.layer);
        finding.help.push(missing_before(kind, output.i + 1 + further));
        finding.fix = None; // Changing the declaration would hide it.
    }
    finding
}

fn mismatch(checked: &Checked, output: &Output, rule: &'static Rule) -> Diagnostic {
    let Output { index, layer, i, port, fact } = *output;
    let graph = checked.scope.graph;
    if let Some(ty) = other_type(port, fact).filter(|_| rule == &DECLARED_PRECISION) {
        return precision_finding(checked, layer, i, port, fact, ty);
    }
    let (relation, differing) = relation(checked, output);
    let mut finding = shape_finding(checked, layer, Direction::Output, i, port, fact, rule, &differing);
    if relation == Relation::Contradicts {
        if graph.dims(port).is_empty() {
            finding.declared = Some(format!("{}[]", port.precision.unwrap_or(fact.ty)));
        }
        finding.notes.push(Note::Ignored { declared: Declared::Shape, loads: true });
        finding.labels.extend(origins(&checked.scope, checked.facts, layer));
        finding.notes.extend(checked.stated(layer, i).map(Note::from));
        let output = u32::try_from(i).ok().map(|output| OutputRef { layer: index, output });
        if let Some((chain, names)) = output.and_then(|output| chain_behind(&checked.scope, checked.facts, output)) {
            finding.notes.push(chain.into());
            finding.chain = names;
        }
    }
    finding
}

fn precision_finding(
    checked: &Checked,
    layer: &Layer,
    i: usize,
    port: &Port,
    fact: &Fact,
    declared: ElementType,
) -> Diagnostic {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let span = find_attribute(source, port.tag, "precision").map_or(port.tag, |attribute| attribute.value);
    let reference = graph.port_ref(source, layer, Direction::Output, i);
    let (wrong, right) = (declared.port_name(), fact.ty.port_name());
    let message = format!("output port {} declares {wrong}, but {right} is inferred", reference.id);
    let mut finding = checked
        .scope
        .about_part(layer, Diagnostic::new(&DECLARED_PRECISION, span, message))
        .primary(format!("declared {wrong}, inferred {right}"))
        .port(reference)
        .note(Note::Ignored { declared: Declared::Type, loads: true });
    finding.fix = repair::repair(checked, layer, port, fact);
    finding.declared = Some(show_beside(checked, port, fact));
    finding.inferred = Some(bare_fact(fact));
    finding.assumed = fact.assumed;
    finding.labels.extend(origins(&checked.scope, checked.facts, layer));
    finding.notes.extend(checked.stated(layer, i).map(Note::from));
    finding
}
