//! `ovlint extract`: writes a part of a model, or the whole model with further outputs.

use super::edited::EditArgs;
use super::files::refuse_stdin;
use super::what_if::message;
use super::{ModelArgs, Run};
use clap::Args;
use ovlint::internal::Model;
use ovlint::internal::cut::{Extraction, extract};
use ovlint::internal::report::views::edited::extracted;
use std::path::PathBuf;

// The part of the model that is kept, or the further outputs. Names may be globs.
#[derive(Args)]
#[group(required = true, multiple = true)]
struct PartArgs {
    /// Keep this layer and its neighbours; a name or a glob
    #[arg(long, value_name = "LAYER", conflicts_with_all = ["from", "to", "add_output"])]
    around: Vec<String>,
    /// Make this tensor an input; the name of a tensor or a layer, or `layer:output`, or a glob
    #[arg(long, value_name = "TENSOR", conflicts_with = "add_output")]
    from: Vec<String>,
    /// Make this tensor an output, and keep only what it depends on
    #[arg(long, value_name = "TENSOR", conflicts_with = "add_output")]
    to: Vec<String>,
    /// Keep the whole model, and make this tensor an output as well
    #[arg(long, value_name = "TENSOR")]
    add_output: Vec<String>,
}

#[derive(Args)]
pub(crate) struct ExtractArgs {
    /// Model (.xml) or its URL
    model: PathBuf,
    #[command(flatten)]
    part: PartArgs,
    /// Keep the neighbours that are up to this many edges away from --around
    #[arg(long, value_name = "N", default_value_t = 2, requires = "around")]
    hops: usize,
    #[command(flatten)]
    edit_args: EditArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

pub(crate) fn run(args: &ExtractArgs) -> Run {
    refuse_stdin(&args.model)?;
    let options = args.model_args.options()?;
    let model = Model::open(&args.model, &options).map_err(|error| message(&error))?;
    let destination = args.edit_args.destination(&args.model, model.weights().path.as_deref())?;
    let part = &args.part;
    let wanted = Extraction {
        around: part.around.clone(),
        hops: args.hops,
        from: part.from.clone(),
        to: part.to.clone(),
        add_output: part.add_output.clone(),
        keeps_weights: args.edit_args.keeps_weights(),
    };
    args.edit_args.finish(&destination, &model, extract(&model, &wanted), |edited| extracted(&model, edited))
}
