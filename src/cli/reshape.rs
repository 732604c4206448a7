//! `ovlint reshape`: gives the inputs of a model other shapes.

use super::edited::EditArgs;
use super::files::refuse_stdin;
use super::what_if::{ShapeArgs, SizeArgs, message};
use super::{ModelArgs, Run};
use clap::Args;
use ovlint::internal::Model;
use ovlint::internal::edit::reshape;
use ovlint::internal::report::views::edited::reshaped;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct ReshapeArgs {
    /// Model (.xml)
    model: PathBuf,
    #[command(flatten)]
    shape_args: ShapeArgs,
    #[command(flatten)]
    size_args: SizeArgs,
    #[command(flatten)]
    edit_args: EditArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

pub(crate) fn run(args: &ReshapeArgs) -> Run {
    refuse_stdin(&args.model)?;
    let sizes = args.size_args.sizes();
    if !args.shape_args.is_given() && sizes.is_empty() {
        return Err(
            "give the new shapes with --shape or --set; `ovlint inputs` shows the names of the dimensions".to_owned()
        );
    }
    let options = args.model_args.options()?;
    let model = Model::open(&args.model, &options).map_err(|error| message(&error))?;
    let destination = args.edit_args.destination(&args.model, model.weights().path.as_deref())?;
    let shapes = args.shape_args.shapes().cloned().unwrap_or_default();
    let edited = reshape(&model, &shapes, &sizes);
    args.edit_args.finish(&destination, &model, edited, |edited| reshaped(&model, edited))
}
