//! Operations on two constants of different types: in constant folding, OpenVINO reads both with the type of the first.

use super::{Checked, for_every_graph};
use crate::diagnostic::{Diagnostic, Runtime, Sink};
use crate::ir::{OutputRef, Port, Step};
use crate::ops::rules::TYPE_CONFLICT;
use crate::ops::{Action, Eval, Meaning};
use crate::types::{ElementType, Value};

/// The sources that an output is computed from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// Constants alone.
    Constants,
    /// Constants, and what OpenVINO folds only when it compiles the model, such as the shape of a static tensor.
    Shapes,
    /// Constants, and elements that are known although they are taken from a shape with unknown dimensions.
    Elements,
}

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    if !checked.options.no_infer {
        for_every_graph(checked, &mut |checked| check_graph(checked, sink));
    }
}

fn check_graph(checked: &Checked, sink: &mut Sink) {
    let (graph, facts) = (checked.scope.graph, checked.facts);
    if !graph.kinds.iter().any(|kind| kind.spec().is_some_and(|spec| spec.reads_as_one)) {
        return;
    }
    for (index, layer) in graph.entries() {
        let Meaning::Modelled(spec) = graph.kind(layer).meaning else { continue };
        let sources = graph.inputs(layer).iter().map(Port::source);
        let sources: Option<Vec<OutputRef>> = sources.collect();
        let (true, true, Some(&[first, second])) = (spec.reads_as_one, facts.is_reachable(index), sources.as_deref())
        else {
            continue;
        };
        let (Some(one), Some(other)) = (facts.output(first), facts.output(second)) else { continue };
        if !one.ty.is_integer() || !other.ty.is_integer() || is_read_as(one.ty, other.ty) {
            continue;
        }
        let of_first = origin(checked, first);
        let of_second = origin(checked, second).filter(|origin| *origin != Origin::Elements);
        let (Some(of_first), Some(of_second)) = (of_first, of_second) else { continue };
        let runtime = match of_first.max(of_second) {
            Origin::Constants if !checked.scope.body.is_empty() || one.ty == ElementType::U1 => Runtime::Unknown,
            // OpenVINO folds 4-bit numbers only when it compiles the model.
            Origin::Constants if checked.version == 10 && one.ty.bits() >= 8 => Runtime::Rejects,
            Origin::Constants | Origin::Shapes => Runtime::NotCompiled,
            Origin::Elements => Runtime::Unknown,
        };
        let [a, b] = [0, 1].map(|i| spec.input(i).map_or("", |input| input.name));
        let (a_type, b_type) = (one.ty, other.ty);
        let message = format!("`{a}` and `{b}` are constant and have different element types, {a_type} and {b_type}");
        let finding = Diagnostic::new(&TYPE_CONFLICT, layer.tag, message).runtime(runtime);
        let finding = finding.note("OpenVINO works the operation out and reads both inputs in the type of the first");
        sink.report(checked.about(layer, finding.help(format!("give both the type {}", one.ty))));
    }
}

/// Whether OpenVINO reads elements of type `other` correctly as type `one`: both have the same number of bits, or `one` has 4
/// and `other` has 8.
fn is_read_as(one: ElementType, other: ElementType) -> bool {
    let bits = |ty: ElementType| ty.bits();
    bits(one) == bits(other) || bits(one) == 4 && bits(other) == 8
}

/// The origin of an output; `None` if it depends on an input or OpenVINO does not fold it.
fn origin(checked: &Checked, output: OutputRef) -> Option<Origin> {
    let graph = checked.scope.graph;
    let mut found = Origin::Constants;
    graph.walk_upstream(output, |layer| {
        if graph.constant(layer).is_some() {
            return Some(Step::Stop);
        }
        let Meaning::Modelled(spec) = graph.kind(layer).meaning else { return None };
        let inputs = graph.inputs(layer);
        let first = inputs.first().and_then(|port| checked.facts.of_port(port));
        // OpenVINO folds a Convert from nf4 only when it compiles the model.
        if spec.action == Action::Converts && first.is_some_and(|first| first.ty == ElementType::Nf4) {
            found = found.max(Origin::Shapes);
        }
        match spec.eval {
            Eval::None => None,
            Eval::Shape(_) => {
                let is_static = first.is_some_and(|first| first.shape.is_static());
                found = found.max(if is_static { Origin::Shapes } else { Origin::Elements });
                Some(Step::Stop)
            }
            _ => (!inputs.is_empty()).then_some(Step::Follow),
        }
    })?;
    let is_known = || checked.facts.output(output).and_then(|fact| fact.value.as_deref()).is_some_and(Value::is_exact);
    (found != Origin::Elements || is_known()).then_some(found)
}
