//! `ovlint inspect`: one layer with all that is known of it.

use super::what_if::{ShapeArgs, open};
use super::{ModelArgs, complain, exit, print};
use clap::{Args, ValueEnum};
use ovlint::ir::{Graph, Layer};
use ovlint::place::{Filter, Place};
use ovlint::report::inspect::{inspect, is_const, json, text};
use ovlint::report::plain_text;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct InspectArgs {
    /// The model's .xml
    model: PathBuf,
    /// The name or id of a layer; `loop/body/layer` for one in a body
    #[arg(long, value_name = "NAME", required_unless_present = "constant", conflicts_with = "constant")]
    layer: Option<String>,
    /// The name or id of a constant
    #[arg(long = "const", value_name = "NAME", id = "constant")]
    constant: Option<String>,
    /// Elements shown of each value
    #[arg(long, value_name = "N", default_value_t = 16)]
    print: usize,
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
    /// For people
    Text,
    /// One JSON object
    Json,
}

pub(crate) fn run(args: &InspectArgs) -> u8 {
    let (model, _) = match open(&args.model, &args.model_args, &args.shape_args) {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    let any = |_: &Graph, _: &Layer| true;
    let (name, what, filter): (_, _, Filter) = match (&args.layer, &args.constant) {
        (Some(name), _) => (name, "layer", &any),
        (None, Some(name)) => (name, "constant", &is_const),
        (None, None) => return exit::BROKEN,
    };
    let Some(place) = Place::find(&model, name, filter) else {
        let nearest = Place::nearest(&model, name, filter).map(|name| format!("; did you mean `{name}`?"));
        complain(&plain_text(&format!("the model has no {what} `{name}`{}", nearest.unwrap_or_default())));
        return exit::BROKEN;
    };
    let found = inspect(&model, &place, args.print);
    let text = match args.format {
        Format::Text => text(&found, &model, &args.model),
        Format::Json => match json(&found, &args.model) {
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
