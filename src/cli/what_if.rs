//! `--shape`, input shapes instead of the declared ones: the flag, and what is said about shapes that do not work.

use super::{complain, exit};
use clap::Args;
use ovlint::internal::query::Sizes;
use ovlint::internal::query::what_if::{Obstacles, first_broken};
use ovlint::internal::report::views::what_if::{breaks, notes};
use ovlint::internal::{Cause, Error, InputShapes, Model, Options};

// Input shapes; the same flag for every command that infers.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ShapeArgs {
    /// Shapes of the inputs instead of the declared ones, such as `images[1,3,640,640],mask[1,?]`; a single input needs no name: `[1,3]`
    #[arg(long, value_name = "NAME[DIMS],...")]
    shape: Option<InputShapes>,
}

impl ShapeArgs {
    pub(crate) fn is_given(&self) -> bool {
        self.shape.is_some()
    }

    pub(crate) fn shapes(&self) -> Option<&InputShapes> {
        self.shape.as_ref()
    }

    pub(crate) fn with(&self, options: Options) -> Options {
        Options { shapes: self.shape.clone().unwrap_or_default(), ..options }
    }
}

// Sizes of dimensions; the same flag for every command that takes names of dimensions.
#[derive(Args)]
pub(crate) struct SizeArgs {
    /// Sizes of dimensions by the names that `ovlint inputs` shows, such as `batch=1,seq=128`; `?` is any size
    #[arg(long, value_name = "NAME=SIZE,...")]
    set: Vec<Sizes>,
}

impl SizeArgs {
    pub(crate) fn sizes(&self) -> Sizes {
        let mut sizes = Sizes::default();
        self.set.iter().cloned().for_each(|more| sizes.extend(more));
        sizes
    }
}

/// Formats the error for a model that cannot be checked as requested, with the name of the flag.
pub(crate) fn message(error: &Error) -> String {
    match &error.cause {
        Cause::Shapes(cause) => format!("{}: --shape: {cause}", error.path.display()),
        Cause::Open(_) => error.to_string(),
    }
}

/// Adds notes to the finding about the first layer that rejects the input shapes.
pub(crate) fn explained(model: Model) -> Model {
    match first_broken(&model, &Obstacles::of(&model)) {
        Some(first) => {
            let notes = notes(&first, model.weights().path.as_deref());
            model.with_notes(first.finding, notes)
        }
        None => model,
    }
}

/// Prints the obstacles to these input shapes, if any, and returns the exit code.
pub(crate) fn verdict(model: &Model) -> u8 {
    let Some(lines) = breaks(model) else { return exit::CLEAN };
    for line in lines {
        complain(&line);
    }
    exit::FINDINGS
}
