//! `ovlint graph`: draws a model, or a part of it.

use super::subject::Subject;
use super::{Run, answer, exit};
use clap::{Args, ValueEnum};
use ovlint::internal::Model;
use ovlint::internal::query::names::{Place, Wanted};
use ovlint::internal::report::views::graph::{Drawing, dot, mermaid, svg};

#[derive(Args)]
pub(crate) struct GraphArgs {
    /// Output language
    #[arg(long, value_enum, default_value = "dot")]
    format: Format,
    /// Draw only the neighbourhood of a layer, by name or id; `loop/body/layer` names a layer in a body
    #[arg(long, value_name = "LAYER")]
    around: Option<String>,
    /// Number of edges that the neighbourhood spans
    #[arg(long, value_name = "N", default_value_t = 2, requires = "around")]
    hops: usize,
    /// Include constants
    #[arg(long)]
    consts: bool,
    /// Refuse to draw more layers than this
    #[arg(long, value_name = "N", default_value_t = 500)]
    max_nodes: usize,
    #[command(flatten)]
    subject: Subject,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Graphviz
    Dot,
    /// Mermaid, which many sites render in Markdown
    Mermaid,
    /// SVG, which browsers show
    Svg,
}

pub(crate) fn run(args: &GraphArgs) -> Run {
    args.subject.with(|model| show(model, args))
}

fn show(model: &Model, args: &GraphArgs) -> Run {
    let drawing = match &args.around {
        None => Drawing::whole(model, args.consts),
        Some(name) => Some(Drawing::around(&Place::find(model, name, Wanted::Layer)?, args.hops, args.consts)),
    };
    let Some(drawing) = drawing else { return Ok(exit::BROKEN) };
    let help = "draw fewer with --around LAYER --hops N or raise --max-nodes";
    let drawing = drawing.within(args.max_nodes).map_err(|error| format!("{error}; {help}"))?;
    Ok(answer(&match args.format {
        Format::Dot => dot(&drawing, model),
        Format::Mermaid => mermaid(&drawing, model),
        Format::Svg => svg(&drawing, model),
    }))
}
