//! Execution graphs: compiled models that OpenVINO writes in the form of an IR, for profiling.

use super::graph::Graph;
use super::xml::attributes::find_attribute;
use crate::diagnostic::{Diagnostic, Group, Rule};
use crate::source::Source;

pub(crate) static EXECUTION_GRAPH: Rule = Rule::error(
    Group::File,
    "execution-graph",
    "the file is an execution graph, not a model",
    "`compiled.get_runtime_model()` returns the graph that a device runs: its layers, their types and the time that \
     each took. If it is saved, it looks like an IR, but its layers have no versions and no weights, so it cannot be \
     run; it is for profiling.\n\n\
     Save the model itself: `ov.save_model(model, \"model.xml\")`, before it is compiled.",
);

/// Attributes of the layers of execution graphs, not of models.
const MARKS: [&str; 3] = ["execTimeMcs", "execOrder", "originalLayersNames"];

/// Returns the finding for an execution graph, if the graph is one.
pub(super) fn finding(graph: &Graph, source: &Source) -> Option<Diagnostic> {
    let layer = graph.layers.first().filter(|_| graph.kinds.iter().all(|kind| kind.version.is_empty()))?;
    let mark = MARKS.iter().find_map(|name| find_attribute(source, layer.data, name))?;
    let text = "this is an execution graph, as returned by `get_runtime_model()`, not a model";
    let finding = Diagnostic::new(&EXECUTION_GRAPH, mark.name.to(mark.value), text);
    let finding = finding.label(layer.tag, "none of the layers has a `version`");
    Some(finding.help("save the model itself, before it is compiled: `ov.save_model(model, path)`"))
}
