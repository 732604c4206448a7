//! `ovlint why`: where the dimensions and the type of a tensor come from.

use super::what_if::{ShapeArgs, open};
use super::{ModelArgs, complain, exit, print};
use clap::{Args, ValueEnum};
use ovlint::place::Place;
use ovlint::report::{plain_text, why};
use ovlint::why::Tensor;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct WhyArgs {
    /// The model's .xml
    model: PathBuf,
    /// A layer, `layer:output`, the name of a tensor, or `loop/body/layer` for one in a body
    tensor: String,
    /// Steps that are followed back; those that pass a length on as it is do not count
    #[arg(long, value_name = "N", default_value_t = 6)]
    depth: usize,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    shape_args: ShapeArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A tree
    Text,
    /// One JSON object
    Json,
}

pub(crate) fn run(args: &WhyArgs) -> u8 {
    let (model, _) = match open(&args.model, &args.model_args, &args.shape_args) {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    let Some(tensor) = Tensor::find(&model, &args.tensor) else {
        let name = args.tensor.rsplit_once(':').map_or(args.tensor.as_str(), |(layer, _)| layer);
        let message = match Place::nearest(&model, name, &|_, _| true) {
            Some(nearest) if nearest == name => format!("`{name}` has no such output"),
            Some(nearest) => format!("the model has no layer or tensor `{}`; did you mean `{nearest}`?", args.tensor),
            None => format!("the model has no layer or tensor `{}`", args.tensor),
        };
        complain(&plain_text(&message));
        return exit::BROKEN;
    };
    let Some(found) = ovlint::why(&model, &tensor, args.depth) else {
        complain(&plain_text(&format!("nothing is known of `{}`; `ovlint check` tells why", args.tensor)));
        return exit::BROKEN;
    };
    let text = match args.format {
        Format::Text => why::text(&found, &args.model, model.weights().path.as_deref()),
        Format::Json => match why::json(&found, &args.model) {
            Ok(text) => text + "\n",
            Err(error) => {
                complain(&error.to_string());
                return exit::BROKEN;
            }
        },
    };
    print(&text);
    exit::CLEAN
}
