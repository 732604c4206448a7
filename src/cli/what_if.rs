//! `--shape`: what if the inputs had other shapes.

use super::{complain, exit};
use clap::Args;
use ovlint::internal::diagnostic::Severity;
use ovlint::internal::query::what_if::first_broken;
use ovlint::internal::report::views::what_if::{notes, pins};
use ovlint::internal::{Cause, Error, InputShapes, Model, Options};

// Shapes of inputs; the same flag for every command that infers.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ShapeArgs {
    /// Shapes of the inputs instead of the declared ones, such as `images[1,3,640,640],mask[1,?]`; a single input needs no name: `[1,3]`
    #[arg(long, value_name = "NAME[DIMS],...")]
    shape: Option<InputShapes>,
}

impl ShapeArgs {
    /// Whether there are any.
    pub(crate) fn is_given(&self) -> bool {
        self.shape.is_some()
    }

    /// The options with these shapes.
    pub(crate) fn with(&self, options: Options) -> Options {
        Options { shapes: self.shape.clone().unwrap_or_default(), ..options }
    }
}

/// Why a model cannot be checked as asked, with the flag that asked for it.
pub(crate) fn message(error: &Error) -> String {
    match &error.cause {
        Cause::Shapes(cause) => format!("{}: --shape: {cause}", error.path.display()),
        Cause::Open(_) => error.to_string(),
    }
}

/// The model, where the finding about the layer that breaks first says so.
pub(crate) fn explained(model: Model) -> Model {
    match first_broken(&model) {
        Some(first) => {
            let notes = notes(&first, model.weights().path.as_deref());
            model.with_notes(first.finding, notes)
        }
        None => model,
    }
}

/// Says which layer breaks first, if any does, and gives the exit code.
pub(crate) fn verdict(model: &Model) -> u8 {
    let broken = first_broken(model);
    let place = broken.as_ref().map(|broken| broken.finding);
    let mut errors = model.findings().iter().filter(|finding| finding.severity == Severity::Error);
    let Some(first) = place.and_then(|place| model.findings().get(place)).or_else(|| errors.next()) else {
        return exit::CLEAN;
    };
    let layer = first.layer.as_ref();
    let line = model.source().position(layer.map_or(first.primary.span, |layer| layer.span).start).line;
    let name = layer.map(|layer| format!("`{}` ({}), ", layer.name, layer.ty)).unwrap_or_default();
    complain(&format!("breaks at {name}line {line}: {}", first.message));
    let weights = model.weights().path.as_deref();
    for pin in broken.iter().flat_map(|broken| pins(broken, weights)) {
        complain(&pin);
    }
    exit::FINDINGS
}
