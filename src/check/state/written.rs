//! What an `Assign` writes against the variable that a `ReadValue` reads.

use crate::check::Checked;
use crate::diagnostic::{Diagnostic, Direction, Runtime, Severity};
use crate::ir::{Layer, find_attribute};
use crate::ops::rules::{SHAPE_CONFLICT, TYPE_CONFLICT};
use crate::types::{ElementType, Fact};

/// A variable that more layers read is not looked at: each could be the one that takes what is written.
const READERS: usize = 64;

/// The finding that a variable does not take what is written; `reads` are the places of its readers.
///
/// A variable of opset6 takes what could be of its type and shape. One of opset3 has the type and shape of what
/// initializes it; OpenVINO compares shapes only where both are static.
pub(super) fn finding(checked: &Checked, write: u32, is_old: bool, reads: &[u32]) -> Option<Diagnostic> {
    let graph = checked.scope.graph;
    let layer = graph.layer(write)?;
    let port = graph.inputs(layer).first()?;
    let given = checked.facts.of_port(port)?;
    if reads.len() > READERS {
        return None;
    }
    let mut found = None;
    for read in reads {
        let reader = graph.layer(*read)?;
        let variable = checked.facts.outputs(*read).first().filter(|_| says_what_it_is(checked, reader, is_old))?;
        let rule = if given.ty.merge(variable.ty).is_none() {
            &TYPE_CONFLICT
        } else if given.shape.merge(&variable.shape).is_none() && (!is_old || are_static(given, variable)) {
            &SHAPE_CONFLICT
        } else {
            return None;
        };
        found = found.or(Some((rule, reader, variable)));
    }
    let (rule, reader, variable) = found?;
    let source = checked.scope.source;
    let (name, id) = (graph.name(source, layer), find_attribute(source, layer.data, "variable_id"));
    let id = id.map(|id| source.text(id.value).into_owned()).unwrap_or_default();
    let [given_text, variable_text] = [given, variable].map(|fact| format!("{}{}", fact.ty, fact.shape));
    let message = format!("`{name}` writes {given_text} to variable `{id}`, which is {variable_text}");
    let mut finding = Diagnostic::new(rule, port.tag, message)
        .primary(given_text)
        .label(reader.tag, format!("reads {variable_text}"))
        .layer(graph.layer_ref(source, layer))
        .port(graph.port_ref(source, layer, Direction::Input, 0));
    if !is_old {
        finding = finding.runtime(Runtime::Accepts).note("OpenVINO reads the file, but does not compile it");
    }
    if given.assumed || variable.assumed {
        finding = finding.severity(Severity::Warning);
    }
    finding.body = checked.scope.body.to_vec();
    finding.assumed = given.assumed || variable.assumed;
    Some(finding)
}

/// Whether the variable is what the reader gives: one of opset6 without a type and a shape of its own is not.
fn says_what_it_is(checked: &Checked, reader: &Layer, is_old: bool) -> bool {
    let source = checked.scope.source;
    let says = |name: &str, nothing: ElementType| {
        find_attribute(source, reader.data, name).is_some_and(|attribute| {
            let text = source.text(attribute.value);
            text.trim() != "..." && ElementType::from_data_text(&text) != Some(nothing)
        })
    };
    is_old || says("variable_type", ElementType::Dynamic) || says("variable_shape", ElementType::Dynamic)
}

fn are_static(a: &Fact, b: &Fact) -> bool {
    a.shape.is_static() && b.shape.is_static()
}
