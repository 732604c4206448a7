//! `ovlint reshape`: gives the inputs of a model other shapes.

use super::edited::EditArgs;
use super::files::refuse_stdin;
use super::what_if::{ShapeArgs, message};
use super::{ModelArgs, Run};
use clap::Args;
use ovlint::internal::Model;
use ovlint::internal::edit::{Sizes, reshape};
use ovlint::internal::report::views::edited::reshaped;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct ReshapeArgs {
    /// Model (.xml)
    model: PathBuf,
    #[command(flatten)]
    shape_args: ShapeArgs,
    /// Sizes of dimensions by the names that `ovlint inputs` shows, such as `batch=1,seq=128`; `?` is any size
    #[arg(long, value_name = "NAME=SIZE,...")]
    set: Vec<Sizes>,
    #[command(flatten)]
    edit_args: EditArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

pub(crate) fn run(args: &ReshapeArgs) -> Run {
    refuse_stdin(&args.model)?;
    if !args.shape_args.is_given() && args.set.is_empty() {
        return Err(
            "give the new shapes with --shape or --set; `ovlint inputs` shows the names of the dimensions".to_owned()
        );
    }
    let options = args.model_args.options()?;
    let model = Model::open(&args.model, &options).map_err(|error| message(&error))?;
    let destination = args.edit_args.destination(&args.model, model.weights().path.as_deref())?;
    let shapes = args.shape_args.shapes().cloned().unwrap_or_default();
    let mut sizes = Sizes::default();
    args.set.iter().cloned().for_each(|more| sizes.extend(more));
    let edited = reshape(&model, &shapes, &sizes);
    args.edit_args.finish(&destination, &model, edited, |edited| reshaped(&model, edited))
}
