//! `ovlint graph`: a model, or a part of it, as a drawing.

use super::what_if::{ShapeArgs, open};
use super::{ModelArgs, complain, exit, print};
use clap::{Args, ValueEnum};
use ovlint::ir::{Graph, Layer};
use ovlint::place::Place;
use ovlint::report::graph::{Drawing, dot, mermaid};
use ovlint::report::plain_text;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct GraphArgs {
    /// The model's .xml
    model: PathBuf,
    /// The language of the drawing
    #[arg(long, value_enum, default_value = "dot")]
    format: Format,
    /// Only what is near a layer, by name or id; `loop/body/layer` draws in a body
    #[arg(long, value_name = "LAYER")]
    around: Option<String>,
    /// How many edges away
    #[arg(long, value_name = "N", default_value_t = 2, requires = "around")]
    hops: usize,
    /// Constants as well
    #[arg(long)]
    consts: bool,
    /// Draw nothing that has more layers than this
    #[arg(long, value_name = "N", default_value_t = 500)]
    max_nodes: usize,
    #[command(flatten)]
    shape_args: ShapeArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Graphviz
    Dot,
    /// Mermaid, which Markdown on many sites draws
    Mermaid,
}

pub(crate) fn run(args: &GraphArgs) -> u8 {
    let (model, _) = match open(&args.model, &args.model_args, &args.shape_args) {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    let any = |_: &Graph, _: &Layer| true;
    let drawing = match &args.around {
        None => Drawing::whole(&model, args.consts),
        Some(name) => {
            let place = Place::find(&model, name, &any);
            if place.is_none() {
                let nearest = Place::nearest(&model, name, &any).map(|name| format!("; did you mean `{name}`?"));
                complain(&plain_text(&format!("the model has no layer `{name}`{}", nearest.unwrap_or_default())));
            }
            place.map(|place| Drawing::around(&place, args.hops, args.consts))
        }
    };
    let Some(drawing) = drawing else { return exit::BROKEN };
    match drawing.within(args.max_nodes) {
        Ok(drawing) => {
            print(&match args.format {
                Format::Dot => dot(&drawing, &model),
                Format::Mermaid => mermaid(&drawing, &model),
            });
            exit::CLEAN
        }
        Err(error) => {
            complain(&error.to_string());
            exit::BROKEN
        }
    }
}
