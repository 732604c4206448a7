//! `ovlint why`: shows the provenance of a tensor's dimensions and type.

use super::show::width;
use super::subject::{Format, Subject, nameless, print_json};
use super::{Run, answer};
use clap::Args;
use ovlint::internal::Model;
use ovlint::internal::query::names::{Place, Tensor};
use ovlint::internal::query::stops::stop_at;
use ovlint::internal::query::why::{Why, why, why_dim};
use ovlint::internal::report::document::about;
use ovlint::internal::report::views::why::{Page, lines, text};
use ovlint::internal::types::from_front;

#[derive(Args)]
pub(crate) struct WhyArgs {
    /// Layer, `layer:output` or tensor name; append `[N]` for one dimension; `loop/body/layer` names a layer in a body
    #[arg(index = 2)]
    tensor: Option<String>,
    /// Number of computing steps to follow back; pass-through layers are not counted [default: 6, or fewer if the tree would get long]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    subject: Subject,
}

/// The default number of steps.
const DEPTH: usize = 6;

/// The maximum number of lines of a tree at the default depth.
const LINES: usize = 24;

/// The number of steps that are followed for the summary.
const WHOLE: usize = 100;

pub(crate) fn run(args: &WhyArgs) -> Run {
    args.subject.with(|model| show(model, args))
}

fn show(model: &Model, args: &WhyArgs) -> Run {
    let name = args.tensor.as_ref().ok_or_else(|| nameless(model))?;
    let (tensor, axis) = find(model, name)?;
    let explained = |depth: usize| match axis {
        Some(axis) => why_dim(model, &tensor, axis, depth),
        None => why(model, &tensor, depth),
    };
    let Some(mut found) = explained(args.depth.unwrap_or(DEPTH)) else {
        let stop = Place::of(model, &tensor.path, tensor.output.layer).and_then(|place| stop_at(model, &place));
        let reason =
            stop.map_or_else(|| "run `ovlint check` to see why".to_owned(), |stop| stop.reason.shown().to_owned());
        return Err(format!("nothing is known of `{name}`: {reason}"));
    };
    if args.format == Format::Json {
        return print_json(about(&args.subject.model, &found.expressed(model)));
    }
    for depth in (1..DEPTH).rev().filter(|_| args.depth.is_none()) {
        if lines(&found) <= LINES {
            break;
        }
        found = explained(depth).unwrap_or(found);
    }
    let whole = explained(WHOLE);
    let weights = model.weights().path.as_deref();
    let page = Page { model: &args.subject.model, weights, width: width(), whole: whole.as_ref() };
    Ok(answer(&text(&found.expressed(model), &page)))
}

/// Finds the tensor with a name, and the dimension at the end of the name: `layer:0[1]`, or `[-1]` for the last.
fn find(model: &Model, name: &str) -> Result<(Tensor, Option<usize>), String> {
    let error = match Tensor::find(model, name) {
        Ok(tensor) => return Ok((tensor, None)),
        Err(error) => error,
    };
    let split = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    let Some((name, axis)) = split.and_then(|(name, axis)| Some((name, axis.parse::<i64>().ok()?))) else {
        return Err(error);
    };
    let tensor = Tensor::find(model, name)?;
    let rank = why(model, &tensor, 0).and_then(|why: Why| why.fact.rank());
    let rank = rank.ok_or_else(|| format!("the number of dimensions of `{name}` is not known"))?;
    let place = from_front(axis, rank).ok_or_else(|| match rank {
        0 => format!("`{name}` is a scalar, so it has no dimension {axis}"),
        _ => format!("`{name}` has no dimension {axis}, only 0 to {}", rank - 1),
    })?;
    Ok((tensor, Some(place)))
}
