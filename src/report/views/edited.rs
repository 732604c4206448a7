//! The words of `ovlint reshape` and `ovlint extract`: the changes to the model, or the reason for which it is not edited.

pub use super::diff::size;

use super::inputs::answer as answered;
use super::stops;
use super::what_if::{breaks, pins};
use crate::analysis::{InputShapes, Model};
use crate::diagnostic::Direction;
use crate::edit::{Bin, Bytes, Change, Edited, Part, Refusal};
use crate::ir::{Role, Weights};
use crate::query::ends;
use crate::query::inputs::{Inputs, answer, explaining};
use crate::query::states::states;
use crate::query::what_if::{Obstacles, first_broken};
use crate::text::escape::line as clean;
use crate::text::{counted, grouped, plain_text};
use std::fmt::Write;
use std::path::Path;

/// The maximum number of characters of a line about a layer.
const LONGEST: usize = 400;

/// Describes the inputs and tensors of a model after its inputs got other shapes: `2 inputs are static now, 9 of 9 tensors`.
pub fn reshaped(before: &Model, edited: &Edited) -> String {
    let is_static = |model: &Model| {
        let ends = ends(model, Direction::Input).into_iter();
        ends.map(|end| end.fact.is_some_and(|fact| fact.shape.is_static())).collect::<Vec<_>>()
    };
    let (was, is) = (is_static(before), is_static(&edited.model));
    let changed = |to: bool| was.iter().zip(&is).filter(|(was, is)| **is == to && was != is).count();
    let verb = |count: usize| if count == 1 { "is" } else { "are" };
    let mut parts = Vec::new();
    for (count, kind) in [(changed(true), "static"), (changed(false), "dynamic")] {
        if count > 0 {
            parts.push(format!("{} {} now {kind}", counted(count, "input"), verb(count)));
        }
    }
    if parts.is_empty() {
        let open = is.iter().filter(|is| !**is).count();
        parts.push(match open {
            0 => "all inputs are still static".to_owned(),
            open => format!("{} of {} {} dynamic", grouped(open), counted(is.len(), "input"), verb(open)),
        });
    }
    let facts = || edited.model.layers().flat_map(|visit| visit.place.beside.outputs(visit.id));
    let (fixed, all) = (facts().filter(|fact| fact.shape.is_static()).count(), facts().count());
    parts.push(format!("{} of {} static", grouped(fixed), counted(all, "tensor")));
    let states = states(&edited.model);
    let open = states.iter().filter(|state| state.fact.as_ref().is_none_or(|fact| !fact.shape.is_static())).count();
    if open > 0 {
        parts.push(format!("{} of {} {} dynamic", grouped(open), counted(states.len(), "state"), verb(states.len())));
    }
    parts.join(", ")
}

/// Describes one change: `add: input 0 [?,8] is [1,8] now`.
pub fn change(change: &Change) -> String {
    let part = match change.part {
        Part::Attribute(name) => format!("{name} "),
        Part::Port(direction, index) => format!("{direction} {index} "),
        Part::Layer => String::new(),
    };
    let text = match (change.before.as_str(), change.after.as_str()) {
        (before, "") => format!("{}: {part}{before} is gone", change.layer),
        ("", after) => format!("{}: {part}{after} is new", change.layer),
        (before, after) => format!("{}: {part}{before} is {after} now", change.layer),
    };
    clean(&text, LONGEST)
}

/// Describes a part of a model: `5 of 70 layers, 2 new inputs, 1 new output`.
pub fn extracted(before: &Model, edited: &Edited) -> String {
    let layers = |model: &Model| model.net().map_or(0, |net| net.graph.layers.len());
    let new = |role: Role| {
        let is_new = |change: &&Change| change.part == Part::Layer && change.after.starts_with(role.type_name());
        edited.changes.iter().filter(is_new).count()
    };
    let roles = [(Role::Parameter, "new input"), (Role::Const, "new constant"), (Role::Result, "new output")];
    let added = roles.map(|(role, noun)| (new(role), noun));
    let kept = layers(&edited.model).saturating_sub(added.iter().map(|(count, _)| count).sum());
    let mut parts = vec![format!("{} of {}", grouped(kept), counted(layers(before), "layer"))];
    parts.extend(added.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| counted(count, noun)));
    parts.join(", ")
}

/// Describes the weights beside a new model: `; encoder.bin copied (4.1 MB)`.
pub fn weights(edited: &Edited, original: &Weights, bin: Bin, path: &Path) -> String {
    let how = match bin {
        Bin::Copy => "copied",
        Bin::Link => "linked",
        Bin::None => return String::new(),
    };
    if !edited.weights.is_written(original) {
        return String::new();
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let bytes = edited.weights.size(original.size());
    let how = if edited.weights == Bytes::default() { how } else { "written" };
    format!("; {} {how} ({})", plain_text(&name), size(bytes))
}

/// Returns what a user has to know of the weights of a new model.
pub fn advice(edited: &Edited, original: &Weights, bin: Bin, new: &Path) -> Option<String> {
    let needs = edited.model.net().is_some_and(|net| net.graph.weights_end() > 0);
    let path = original.path.as_deref();
    match bin {
        _ if !needs => None,
        Bin::Link if original.is_available() => {
            Some("both models now share one weights file: a change to it affects both".to_owned())
        }
        Bin::None => path.map(|path| {
            let quoted = |path: &Path| format!("{:?}", path.display().to_string());
            format!("load it with its weights: read_model({}, {})", quoted(new), quoted(path))
        }),
        _ if original.is_available() => None,
        _ => Some(format!("{} does not exist, so the new model has no weights file", original.shown())),
    }
}

/// Formats the reason for which a model is not edited, in lines of this width.
pub fn refusal(model: &Model, refusal: &Refusal, width: usize) -> String {
    match refusal {
        Refusal::Request(request) => format!("{request}\n"),
        Refusal::Shapes(shapes, reshaped) => rejected(model, shapes, reshaped, width),
        Refusal::Unknown(stops) => {
            let mut text = "no: the resulting shapes cannot be inferred\n".to_owned();
            for line in stops::lines(stops) {
                let _ = writeln!(text, "{line}");
            }
            text
        }
        Refusal::Finding(finding) => {
            let layer = finding.layer.as_ref().map(|layer| format!(" at `{}`", layer.name)).unwrap_or_default();
            let (rule, message) = (finding.rule.name, finding.message.shown());
            clean(&format!("no: it would cause {rule}{layer}: {message}"), LONGEST) + "\n"
        }
        Refusal::Unproved(why) => format!("no: {why}; please report this bug in ovlint\n"),
    }
}

/// Explains why OpenVINO rejects input shapes: the constraints that fail with the nearest sizes that work, or the first layer
/// that rejects them, and the constants that pin it.
fn rejected(model: &Model, shapes: &InputShapes, reshaped: &Model, width: usize) -> String {
    let symbolic = model.with_symbols().ok();
    let mut inputs = symbolic.as_ref().and_then(Inputs::for_people);
    let mut found = inputs.as_ref().and_then(|inputs| answer(inputs, shapes).ok());
    let opened = found.as_ref().and_then(|found| explaining(symbolic.as_ref()?, found, shapes));
    if opened.is_some() {
        inputs = opened.as_ref().and_then(Inputs::for_people);
        found = inputs.as_ref().and_then(|inputs| answer(inputs, shapes).ok());
    }
    let mut text = match (&mut inputs, &found) {
        (Some(inputs), Some(found)) if found.works == Some(false) => {
            answered(inputs, found, &shapes.to_string(), width)
        }
        _ => {
            let mut text = format!("no: the model does not work for {}\n", clean(&shapes.to_string(), 200));
            for line in breaks(reshaped).iter().flatten() {
                let _ = writeln!(text, "  {}", clean(line, LONGEST));
            }
            text
        }
    };
    if let Some(first) = first_broken(reshaped, &Obstacles::beside(reshaped, model.findings())) {
        for pin in pins(&first, model.weights().path.as_deref()) {
            let pin = clean(&pin, LONGEST);
            if !text.contains(&pin) {
                let _ = writeln!(text, "  {pin}");
            }
        }
    }
    text
}
