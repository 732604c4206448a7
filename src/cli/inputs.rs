//! `ovlint inputs`: shows the input shapes for which a model works, and the layers that forbid others.

use super::show::width_of_lines;
use super::subject::{Format, Subject, print_json};
use super::what_if::message;
use super::{Run, answer, exit};
use clap::Args;
use ovlint::internal::query::inputs::{self, Inputs};
use ovlint::internal::report::views::inputs::{self as views, json, text};
use ovlint::internal::{InputShapes, Model};

#[derive(Args)]
pub(crate) struct InputsArgs {
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    subject: Subject,
}

pub(crate) fn run(args: &InputsArgs) -> Run {
    args.subject.with_domain(args.format == Format::Text, |model, shapes| show(model, shapes, args))
}

fn show(model: &Model, shapes: Option<&InputShapes>, args: &InputsArgs) -> Run {
    let inputs = match (args.format, shapes) {
        (Format::Json, _) => Inputs::for_programs(model),
        (Format::Text, None) => Inputs::for_screen(model),
        (Format::Text, Some(_)) => Inputs::for_people(model),
    };
    let mut inputs = inputs.ok_or("the model has no inputs that can be read")?;
    let found = shapes.map(|shapes| inputs::answer(&inputs, shapes)).transpose().map_err(|error| message(&error))?;
    if let (Format::Text, Some(found), Some(shapes)) = (args.format, &found, shapes)
        && let Some(opened) = inputs::explaining(model, found, shapes)
    {
        return show(&opened, Some(shapes), args);
    }
    let works = found.as_ref().map_or(Some(!inputs.are_impossible()), |found| found.works);
    let given = shapes.map(ToString::to_string).unwrap_or_default();
    let code = match (args.format, &found) {
        (Format::Json, _) => {
            let found = found.as_ref().map(|found| (found, given.as_str()));
            print_json(json(&inputs, found, &args.subject.model))?
        }
        (Format::Text, Some(found)) => answer(&views::answer(&mut inputs, found, &given, width_of_lines())),
        (Format::Text, None) => answer(&text(&mut inputs, width_of_lines())),
    };
    Ok(match works {
        Some(true) => code,
        Some(false) => code.max(exit::FINDINGS),
        None => code.max(exit::BROKEN),
    })
}
