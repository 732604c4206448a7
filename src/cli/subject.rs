//! The model that a command about a single one shows: its arguments, how it is opened, and the output as text or JSON.

use super::files::{refuse_folder, refuse_stdin};
use super::what_if::{ShapeArgs, message};
use super::{ModelArgs, Run, answer, complain, exit, print};
use clap::{Args, ValueEnum};
use ovlint::internal::diagnostic::Direction;
use ovlint::internal::query::ends;
use ovlint::internal::query::info::info;
use ovlint::internal::report::views::info::text;
use ovlint::internal::{InputShapes, Limits, Model, Options};
use std::path::PathBuf;

// A model, with the shapes of its inputs.
#[derive(Args)]
pub(crate) struct Subject {
    /// Model (.xml) or its URL
    #[arg(index = 1)]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    shape_args: ShapeArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

impl Subject {
    /// Opens the model and shows it.
    pub(crate) fn with(&self, show: impl FnOnce(&Model) -> Run) -> Run {
        self.with_symbols(false, show)
    }

    /// Does the same as [`with`](Self::with), inferring with symbols for dimensions if `symbolic`.
    pub(crate) fn with_symbols(&self, symbolic: bool, show: impl FnOnce(&Model) -> Run) -> Run {
        let shapes = self.shape_args.clone();
        self.with_options(false, |options| Options { symbolic, ..shapes.with(options) }, show)
    }

    /// Does the same as [`with`](Self::with), with symbols for the dynamic dimensions of the file, and passes static shapes of
    /// `--shape` to `show`. Dynamic shapes of `--shape` replace the declared ones instead. With `older`, the summary of a
    /// file of an IR version below 10 comes before the error.
    pub(crate) fn with_domain(&self, older: bool, show: impl FnOnce(&Model, Option<&InputShapes>) -> Run) -> Run {
        let (open, asked) = match self.shape_args.shapes() {
            Some(shapes) if !shapes.are_static() => (shapes.clone(), None),
            asked => (InputShapes::default(), asked),
        };
        let options = |options| Options { symbolic: true, shapes: open, ..options };
        self.with_options(older, options, |model| show(model, asked))
    }

    fn with_options(
        &self,
        older: bool,
        options: impl FnOnce(Options) -> Options,
        show: impl FnOnce(&Model) -> Run,
    ) -> Run {
        let Some(model) = self.open(older, options)? else { return Ok(exit::FINDINGS) };
        let shown = show(&model);
        // Check only now that the files are unchanged, because showing constants may read them.
        model.intact().map_err(|error| error.to_string())?;
        shown
    }

    pub(crate) fn limits(&self) -> Limits {
        self.model_args.limits.limits()
    }

    /// Opens the model; prints the findings about a file that is none.
    fn open(&self, older: bool, options: impl FnOnce(Options) -> Options) -> Result<Option<Model>, String> {
        refuse_stdin(&self.model)?;
        refuse_folder(&self.model)?;
        let options = options(self.model_args.options()?);
        let model = Model::open(&self.model, &options).map_err(|error| message(&error))?;
        if model.net().is_none() {
            if older && let Some(info) = info(&model) {
                print(&text(&info, &self.model));
            }
            for finding in model.findings() {
                complain(&format!("{}: {}", self.model.display(), finding.message.shown()));
            }
            return Ok(None);
        }
        Ok(Some(model))
    }

    /// Whether `--shape` sets other input shapes than the file declares.
    pub(crate) fn asks_what_if(&self) -> bool {
        self.shape_args.is_given()
    }
}

/// The output format of a command that is mainly for people.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Human-readable text
    Text,
    /// One JSON object
    Json,
}

/// Prints JSON as a line, and returns the exit code.
pub(crate) fn print_json(json: serde_json::Result<String>) -> Run {
    json.map(|text| answer(&(text + "\n"))).map_err(|error| error.to_string())
}

/// The maximum number of names that a message lists.
const NAMES: usize = 8;

/// Asks what of a model to show: lists its outputs and inputs, which are names to start from.
pub(crate) fn nameless(model: &Model) -> String {
    let both = [Direction::Output, Direction::Input].into_iter().flat_map(|direction| ends(model, direction));
    let names = both.map(|end| format!("`{}`", end.tensors.into_iter().next().unwrap_or(end.layer)));
    let names: Vec<String> = names.take(NAMES).collect();
    let such = if names.is_empty() { String::new() } else { format!(", such as {}", names.join(", ")) };
    format!("name a layer or a tensor of the model{such}")
}
