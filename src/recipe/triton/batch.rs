//! The largest batch of `config.pbtxt`: the model with it, as Triton's backend sets it by `set_batch`, or the finding that
//! the model does not accept it.

use super::TRITON_BATCH;
use super::config::Config;
use crate::analysis::{InputShapes, Model};
use crate::diagnostic::{Diagnostic, Runtime, Sink};
use crate::query::what_if::{Obstacles, first_broken};
use crate::recipe::view::{Port, View};
use crate::types::Dim;

/// Returns the model with the largest batch. Reports the reason if the model does not accept that batch, and returns `None`
/// then, or if this is unknown.
pub(super) fn of(view: &View, file: &str, config: &Config, sink: &mut Sink) -> Option<Model> {
    let batch = config.max_batch;
    if batch <= 0 || config.reshapes || view.model.has_errors() || !view.model.is_checked_in_full() {
        return None;
    }
    let note = format!("{file} has max_batch_size {batch}");
    if let Some(finding) = conflict(view) {
        sink.report(finding.note(note));
        return None;
    }
    let with_batch = |port: &Port| {
        let mut shape = port.fact.as_ref()?.shape.clone();
        *shape.dims_mut()?.first_mut()? = Dim::exact(batch);
        Some((view.graph().name(view.model.source(), port.layer).into_owned(), shape))
    };
    let shapes: Option<Vec<_>> = view.inputs.iter().map(with_batch).collect();
    let model = view.model.reshaped(InputShapes::of(shapes?)).ok()?;
    let obstacles = Obstacles::beside(&model, view.model.findings());
    let broken = first_broken(&model, &obstacles).and_then(|broken| model.findings().get(broken.finding));
    let Some(broken) = broken.filter(|broken| broken.runtime != Runtime::Accepts) else { return Some(model) };
    let message = broken.message.clone().after(&format!("the model does not accept a batch of {batch}: "));
    let finding = Diagnostic::new(&TRITON_BATCH, broken.primary.span, message);
    let (primary, labels, layer) = (broken.primary.clone(), broken.labels.clone(), broken.layer.clone());
    sink.report(Diagnostic { primary, labels, layer, ..finding }.note(note));
    None
}

/// Finds two inputs whose batches differ, which `set_batch` rejects.
fn conflict(view: &View) -> Option<Diagnostic> {
    let batch = |port: &Port| port.fact.as_ref()?.shape.dims()?.first().copied();
    let (first, common) = view.inputs.iter().find_map(|port| Some((port, batch(port)?)))?;
    let other = view.inputs.iter().find(|port| batch(port).is_some_and(|own| own.merge(common).is_none()))?;
    let [one, two] = [first, other].map(|port| {
        let shape = port.fact.as_ref().map(|fact| fact.shape.to_string()).unwrap_or_default();
        format!("{} is {shape}", view.name(port))
    });
    let message = format!("the inputs have different batches: {one}, {two}");
    let finding = view.about(&TRITON_BATCH, other.layer, other.layer.tag, message);
    Some(finding.label(first.layer.tag, "the other input"))
}
