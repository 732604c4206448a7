//! The lines of a snapshot about what callers see: metadata, inputs, states, constraints, errors and outputs.

use super::{FAILS, Line, META, NEEDS, Writer, name, shown};
use crate::analysis::Model;
use crate::arrange::Arrange;
use crate::diagnostic::{Diagnostic, Direction, LayerRef, Severity};
use crate::ir::{Layer, Port, Role};
use crate::query::needs::needs;
use crate::query::states::states;
use crate::query::what_if::lacks_weights;
use crate::query::{End, ends, metadata, of_role};
use crate::text::escape::line as clean;
use crate::text::stable_name;

/// Appends the lines of the metadata of the net, of inputs, states and constraints.
pub(super) fn inputs(model: &Model, writer: &Writer, lines: &mut Vec<Line>) {
    let meta = metadata::of_net(model).into_iter();
    lines.extend(
        meta.map(|(key, value)| Line::new(format!("{META}{} = {}", shown(&key), clean(&value, usize::MAX)), [])),
    );
    for (end, layer) in ends(model, Direction::Input).iter().zip(of_role(model, Role::Parameter)) {
        lines.push(line(Role::Parameter, end, "", layer, writer));
    }
    let mut states = states(model);
    states.arrange_by(|a, b| a.layer.cmp(&b.layer));
    lines.extend(states.iter().map(|state| {
        let text = format!("state {}  {}", shown(&state.layer), writer.fact(state.fact.as_ref()));
        Line::new(text, &state.fact)
    }));
    lines.extend(needs(model, writer.names).into_iter().map(|need| Line::new(format!("{NEEDS}{need}"), [])));
    lines.extend(failures(model).into_iter().map(|text| Line::new(text, [])));
}

/// Returns the lines of the errors for which OpenVINO rejects the file, sorted: the rule, and the layer if it is about one.
fn failures(model: &Model) -> Vec<String> {
    let is_root = |one: &&Diagnostic| one.severity == Severity::Error && one.consequence_of.is_none();
    let errors = model.findings().iter().filter(is_root).filter(|one| one.runtime.fails() && !lacks_weights(one));
    let text = |finding: &Diagnostic| {
        let name =
            |layer: &LayerRef| format!("  {} ({})", shown(&stable_name(&layer.name, &layer.ty)), shown(&layer.ty));
        format!("{FAILS}{}{}", finding.rule.name, finding.layer.as_ref().map(name).unwrap_or_default())
    };
    let mut lines: Vec<String> = errors.map(text).collect();
    lines.arrange();
    lines
}

/// Appends the lines of the outputs. Those with a generated name and no tensor name show the output that they return.
pub(super) fn outputs(model: &Model, writer: &Writer, lines: &mut Vec<Line>) {
    let graph = model.net().map(|net| &net.graph);
    let returned = |layer: &Layer| {
        let graph = graph?;
        let from = graph.inputs(layer).first().and_then(Port::source)?;
        let producer = graph.layer(from.layer)?;
        let output = if graph.outputs(producer).len() > 1 { format!(":{}", from.output) } else { String::new() };
        Some(format!(" <- {}{output}", name(graph, model.source(), producer)))
    };
    for (end, layer) in ends(model, Direction::Output).iter().zip(of_role(model, Role::Result)) {
        let is_generated = stable_name(&end.layer, Role::Result.type_name()).contains('*');
        let from = if end.tensors.is_empty() && is_generated { returned(layer) } else { None };
        lines.push(line(Role::Result, end, &from.unwrap_or_default(), layer, writer));
    }
}

/// Formats an input or output: its layer, its sorted tensor names in quotes or what it returns, and its shape.
fn line(role: Role, end: &End, from: &str, layer: &Layer, writer: &Writer) -> Line {
    let head = if role == Role::Parameter { "in    " } else { "out   " };
    let own = shown(&stable_name(&end.layer, role.type_name()));
    let mut tensors: Vec<String> = end.tensors.iter().map(|name| format!("\"{}\"", shown(name))).collect();
    tensors.arrange();
    let tensors = if tensors.is_empty() { from.to_owned() } else { format!(" {}", tensors.join(", ")) };
    let mut text = format!("{head}{own}{tensors}  {}", writer.fact(end.fact.as_ref()));
    writer.push_marks(&mut text, layer);
    Line::new(text, &end.fact)
}
