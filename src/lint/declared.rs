//! What ports declare against what is inferred.

mod body;
mod consequences;
mod exact;
mod inputs;
mod invalid;
mod mismatch;
mod openvino;
mod repair;
mod scalar;

use super::Checked;
use super::rules::{
    DECLARED_DYNAMIC, DECLARED_PRECISION, DECLARED_SHAPE, DECLARED_STATIC, EMPTY_TENSOR, INPUT_PORT_MISMATCH,
};
use super::shapes::unknown_rank;
use crate::diagnostic::{Diagnostic, Direction, Rule, Severity, Sink};
use crate::infer::{chain, chain_names, declared, not_built, origins};
use crate::ir::{Layer, OutputRef, Port, UNREADABLE_DIM, dim_spans, find_attribute};
use crate::ops::spec::Action;
use crate::types::{Dim, ElementType, Fact};
use std::collections::BTreeSet;

use exact::Exact;
pub(super) use invalid::repair_invalid;
use mismatch::{Mismatch, Mismatches};

/// What a wrong declaration does.
const MISLEADS: &str =
    "OpenVINO ignores declared port shapes and will load this file; Netron and converters show the wrong one";

/// Further dimensions that a finding shows.
const SHOWN_DIMS: usize = 16;

/// How a declared shape stands to the inferred one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    /// They agree, as far as a port can say.
    Agrees,
    /// A dimension is declared dynamic that has one length.
    Loose,
    /// A dimension is declared static that is dynamic.
    Narrow,
    /// No tensor satisfies both.
    Contradicts,
}

/// The edges of cycles: the layer and output they start at, and the input they end at.
type CycleEdges = BTreeSet<(u32, u32, u32)>;

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    let graph = checked.scope.graph;
    let steps = checked.facts.cycles().iter().flatten();
    let cycles: CycleEdges = steps.map(|step| (step.from, step.edge.output, step.edge.input)).collect();
    let mut exact = Exact::new(graph);
    let (mut wrong, mut swapped) = (Mismatches::new(sink), Vec::new());
    body::check(checked, &mut |index, finding| wrong.take(index, finding));
    for (index, layer) in (0_u32..).zip(&graph.layers) {
        let lacks_port = graph.loose.lacks_port(index, Direction::Output);
        if !checked.facts.is_assumed(index) && !lacks_port {
            for (i, (port, fact)) in graph.outputs(layer).iter().zip(checked.facts.outputs(index)).enumerate() {
                let output = OutputRef { layer: index, output: u32::try_from(i).unwrap_or(u32::MAX) };
                if exact.is_declared(graph, checked.facts, output, port) {
                    continue;
                }
                if fact.rank().is_none() {
                    unknown_rank(checked, index, layer, i, sink);
                }
                let declared = Output { index, layer, i, port, fact };
                match output_rule(checked, &declared) {
                    Some(rule) if wrong.has_room() => wrong.take(index, output_finding(checked, &declared, rule)),
                    Some(rule) => wrong.count(index, Direction::Output, i, rule.severity),
                    None => {}
                }
            }
            if let Some(finding) = empty_tensor(checked, index, layer) {
                sink.report(finding);
            }
        }
        let mut fits =
            |port: &Port| port.source().is_some_and(|output| exact.is_declared(graph, checked.facts, output, port));
        if !graph.inputs(layer).iter().all(&mut fits) && !graph.loose.lacks_port(index, Direction::Input) {
            let ports = inputs::wrong(checked, &cycles, index, layer);
            let swap = inputs::swapped(checked, layer, &ports);
            if wrong.has_room() || swap.is_some() {
                let findings = inputs::findings(checked, index, layer, &ports, swap);
                for finding in findings {
                    wrong.take(index, finding);
                }
            } else {
                for i in &ports {
                    wrong.count(index, Direction::Input, *i, INPUT_PORT_MISMATCH.severity);
                }
            }
            swapped.extend(swap.map(|_| index));
        }
    }
    let mut wrong = wrong.all;
    if wrong.is_empty() {
        return;
    }
    // Edges that are swapped mislead all that follows.
    let is_swapped = |mismatch: &Mismatch| swapped.contains(&mismatch.layer);
    for mismatch in wrong.iter_mut().filter(|mismatch| !is_swapped(mismatch)) {
        if let Some(finding) = &mut mismatch.finding {
            openvino::weigh(checked, mismatch.layer, finding);
            mismatch.severity = finding.severity;
        }
    }
    consequences::fold(checked, &swapped, &mut wrong, sink);
    let layers: Vec<u32> = wrong.iter().map(|mismatch| mismatch.layer).collect();
    for mismatch in wrong {
        let cause = mismatch.cause.and_then(|cause| graph.layer(*layers.get(cause)?));
        let (index, consequences, is_passed) = (mismatch.layer, mismatch.consequences, mismatch.passed.is_some());
        let is_late = mismatch.finding.is_none() && !is_swapped(&mismatch);
        let Some(mut finding) = told(checked, mismatch) else {
            sink.leave_out(1);
            continue;
        };
        if is_late {
            openvino::weigh(checked, index, &mut finding);
        }
        finding.consequences += consequences;
        let cause = cause.or_else(|| graph.layer(index).filter(|_| is_passed));
        if is_passed {
            finding.fix = None;
        }
        if let Some(cause) = cause {
            finding.consequence_of = Some(graph.layer_ref(checked.scope.source, cause).name);
        }
        // Parameters of bodies take other shapes from outside, so what rests on their declarations may not hold.
        if finding.assumed && finding.severity == Severity::Error && !checked.scope.body.is_empty() {
            finding.severity = Severity::Warning;
        }
        let dead = !checked.facts.is_reachable(index) && finding.severity == Severity::Error;
        sink.report(if dead { not_built(finding) } else { finding });
    }
}

/// What there is to say of a mismatch; nothing of one that follows from another, and from which nothing does, where there
/// was much to say before.
fn told(checked: &Checked, mismatch: Mismatch) -> Option<Diagnostic> {
    if let Some(finding) = mismatch.finding {
        return Some(*finding);
    }
    if (mismatch.cause.is_some() || mismatch.passed.is_some()) && mismatch.consequences == 0 {
        return None;
    }
    let (graph, i) = (checked.scope.graph, mismatch.port);
    let layer = graph.layer(mismatch.layer)?;
    let port = graph.ports(layer, mismatch.direction).get(i)?;
    match mismatch.direction {
        Direction::Input => inputs::findings(checked, mismatch.layer, layer, &[i], None).pop(),
        Direction::Output => {
            let fact = checked.facts.outputs(mismatch.layer).get(i)?;
            let output = Output { index: mismatch.layer, layer, i, port, fact };
            Some(output_finding(checked, &output, output_rule(checked, &output)?))
        }
    }
}

/// Compares the dimensions of a port with a fact; the places that differ most are returned with the relation.
fn compare(dims: &[i64], fact: &Fact) -> (Relation, Vec<usize>) {
    let Some(inferred) = fact.shape.dims() else {
        let relation = if dims.is_empty() { Relation::Agrees } else { Relation::Narrow };
        return (relation, Vec::new());
    };
    if dims.is_empty() {
        // A port without dimensions is a scalar or of unknown rank.
        return (if inferred.is_empty() { Relation::Agrees } else { Relation::Loose }, Vec::new());
    }
    if dims.len() != inferred.len() {
        return (Relation::Contradicts, Vec::new());
    }
    let relations = || dims.iter().zip(inferred).map(|(declared, inferred)| relation(*declared, *inferred));
    let worst = relations().max().unwrap_or(Relation::Agrees);
    if worst == Relation::Agrees {
        return (worst, Vec::new());
    }
    (worst, relations().enumerate().filter(|(_, relation)| *relation == worst).map(|(i, _)| i).collect())
}

fn relation(declared: i64, inferred: Dim) -> Relation {
    match (declared, inferred.length()) {
        (-1, None) | (UNREADABLE_DIM, _) => Relation::Agrees,
        (-1, Some(_)) => Relation::Loose,
        (declared, Some(length)) if declared == length => Relation::Agrees,
        (declared, None) if inferred.admits(declared) => Relation::Narrow,
        _ => Relation::Contradicts,
    }
}

/// An output of a layer, what it declares and what is known of it.
struct Output<'a> {
    index: u32,
    layer: &'a Layer,
    i: usize,
    port: &'a Port,
    fact: &'a Fact,
}

/// How what an output declares stands to its fact, and the dimensions that differ most.
fn output_relation(checked: &Checked, output: &Output) -> (Relation, Vec<usize>) {
    let Output { index, layer, i, port, fact } = *output;
    match compare(checked.scope.graph.dims(port), fact) {
        (Relation::Loose, places) if places.is_empty() && scalar::is_meant(checked, index, layer, i, fact) => {
            (Relation::Contradicts, places)
        }
        found => found,
    }
}

/// The type that an output declares although it has another.
fn other_type(port: &Port, fact: &Fact) -> Option<ElementType> {
    let declared = port.precision.filter(|ty| *ty != ElementType::Dynamic);
    declared.filter(|ty| fact.ty != ElementType::Dynamic && *ty != fact.ty)
}

/// The rule that what an output declares breaks.
fn output_rule(checked: &Checked, output: &Output) -> Option<&'static Rule> {
    let Output { port, fact, .. } = *output;
    if other_type(port, fact).is_some() {
        return Some(&DECLARED_PRECISION);
    }
    match output_relation(checked, output).0 {
        // What rests on declarations is not sure enough for less than a contradiction.
        Relation::Loose | Relation::Narrow if fact.assumed => None,
        Relation::Agrees => None,
        Relation::Loose => Some(&DECLARED_DYNAMIC),
        Relation::Narrow => Some(&DECLARED_STATIC),
        Relation::Contradicts => Some(&DECLARED_SHAPE),
    }
}

fn output_finding(checked: &Checked, output: &Output, rule: &'static Rule) -> Diagnostic {
    let Output { layer, i, port, fact, .. } = *output;
    let graph = checked.scope.graph;
    if let Some(ty) = other_type(port, fact) {
        return precision_finding(checked, layer, i, port, fact, ty);
    }
    let (relation, places) = output_relation(checked, output);
    let mut finding = shape_finding(checked, layer, Direction::Output, i, port, fact, rule, &places);
    if relation == Relation::Contradicts {
        if graph.dims(port).is_empty() {
            finding.declared = Some(format!("{}[]", port.precision.unwrap_or(fact.ty)));
        }
        finding.notes.push(MISLEADS.to_owned());
        finding.labels.extend(origins(&checked.scope, checked.facts, layer));
        finding.notes.extend(checked.stated(layer, i));
        if let Some(source) = graph.inputs(layer).first().and_then(Port::source) {
            finding.notes.push(format!("input 0 <- {}", chain(&checked.scope, checked.facts, source)));
            finding.chain = chain_names(&checked.scope, source);
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
    let message = format!("output port {} declares {wrong}, inferred {right}", reference.id);
    let mut finding = Diagnostic::new(&DECLARED_PRECISION, span, message)
        .primary(format!("declared {wrong}, inferred {right}"))
        .label(layer.tag, format!("in this {} layer", graph.kind(layer).ty))
        .layer(graph.layer_ref(source, layer))
        .port(reference)
        .note("OpenVINO ignores declared precisions and will load this file");
    finding.fix = repair::repair(checked, layer, port, fact);
    finding.body = checked.scope.body.to_vec();
    finding.declared = Some(show(checked, port));
    finding.inferred = Some(bare(fact));
    finding.assumed = fact.assumed;
    finding.labels.extend(origins(&checked.scope, checked.facts, layer));
    finding.notes.extend(checked.stated(layer, i));
    finding
}

#[allow(clippy::too_many_arguments, reason = "the place of one port takes four of them")]
fn shape_finding(
    checked: &Checked,
    layer: &Layer,
    direction: Direction,
    i: usize,
    port: &Port,
    fact: &Fact,
    rule: &'static Rule,
    places: &[usize],
) -> Diagnostic {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let mut reference = graph.port_ref(source, layer, direction, i);
    let side = if direction == Direction::Input { "input" } else { "output" };
    let dims = graph.dims(port);
    let spans = dim_spans(source, port);
    let (span, message, primary) = match places.first() {
        Some(&dim) => {
            reference.dim = Some(dim);
            let (declared, inferred) = (dims.get(dim).copied().unwrap_or(-1), fact.shape.dim(dim));
            let text = format!("declared {declared}, inferred {inferred} (dim {dim} of {side} port {})", reference.id);
            (spans.get(dim).copied().unwrap_or(port.tag), format!("{}: {text}", rule.summary), text)
        }
        None => {
            let declared = match dims.len() {
                0 => "no dimensions".to_owned(),
                1 => "1 dimension".to_owned(),
                count => format!("{count} dimensions"),
            };
            let inferred = fact.rank().map_or("an unknown rank".to_owned(), |rank| rank.to_string());
            let text = format!("{side} port {} declares {declared}, inferred {inferred}", reference.id);
            (port.tag, text, String::new())
        }
    };
    let mut finding = Diagnostic::new(rule, span, message)
        .primary(primary)
        .label(layer.tag, format!("in this {} layer", graph.kind(layer).ty))
        .layer(graph.layer_ref(source, layer));
    for &dim in places.iter().skip(1).take(SHOWN_DIMS) {
        if let Some(span) = spans.get(dim) {
            let (declared, inferred) = (dims.get(dim).copied().unwrap_or(-1), fact.shape.dim(dim));
            finding = finding.label(*span, format!("declared {declared}, inferred {inferred}"));
        }
    }
    finding.fix = repair::repair(checked, layer, port, fact);
    finding.body = checked.scope.body.to_vec();
    finding.declared = Some(show(checked, port));
    finding.inferred = Some(bare(fact));
    finding.assumed = fact.assumed;
    finding.port(reference)
}

fn empty_tensor(checked: &Checked, index: u32, layer: &Layer) -> Option<Diagnostic> {
    let graph = checked.scope.graph;
    // Other operations make empty tensors on purpose: the initial state of a key-value cache is a Broadcast to 0.
    if !matches!(graph.kind(layer).action(), Action::Splits | Action::Slices) {
        return None;
    }
    let outputs = checked.facts.outputs(index);
    let place = outputs.iter().position(|fact| fact.shape.is_empty())?;
    let from_inputs = graph.inputs(layer).iter().filter_map(|port| checked.facts.of_port(port));
    if graph.inputs(layer).is_empty() || from_inputs.into_iter().any(|fact| fact.shape.is_empty()) {
        return None;
    }
    let source = checked.scope.source;
    let name = graph.name(source, layer);
    let span = graph.outputs(layer).get(place).map_or(layer.tag, |port| port.tag);
    let message = format!("output {place} of `{name}` always has zero elements ({})", bare(&outputs[place]));
    let mut finding = Diagnostic::new(&EMPTY_TENSOR, span, message)
        .label(layer.tag, format!("in this {} layer", graph.kind(layer).ty))
        .layer(graph.layer_ref(source, layer))
        .port(graph.port_ref(source, layer, Direction::Output, place));
    finding.body = checked.scope.body.to_vec();
    Some(finding)
}

/// What a port declares, in the notation of facts.
fn show(checked: &Checked, port: &Port) -> String {
    bare(&declared(checked.scope.graph, port))
}

fn bare(fact: &Fact) -> String {
    format!("{}{}", fact.ty, fact.shape)
}
