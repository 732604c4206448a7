//! The text of `ovlint why`: a tensor's type and shape as a tree of the layers and values that they come from.

mod summary;

use super::stops::{self, mark};
use crate::diagnostic::WeightsRange;
use crate::domain::Input;
use crate::query::inspect;
use crate::query::why::{Aspect, Failure, How, Reason, Why};
use crate::report::wrap::{KEPT, NARROW, wrapped};
use crate::text::escape::line as clean;
use crate::text::{path_text, plural};
use std::fmt::Write;
use std::path::Path;
use summary::summary;

/// The maximum width of an aligned left column, in a wide terminal.
const COLUMN: usize = 60;

/// The maximum number of pass-through layers that are named; more are counted.
const NAMED: usize = 3;

/// The maximum number of characters of these names together.
const LISTED: usize = 40;

/// The maximum number of lines of a tree without a summary.
const SHORT: usize = 10;

/// The maximum number of entries of a summary, and of symbols.
const SUMMARY: usize = 8;

/// The options of a page.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// The path of the model as given.
    pub model: &'a Path,
    /// The weights file, whose name is shown.
    pub weights: Option<&'a Path>,
    /// The width in columns.
    pub width: usize,
    /// The answer with all steps, from which the summary is made.
    pub whole: Option<&'a Why>,
}

/// Formats the tensor, the obstacles to its inference, its roots, and the tree that leads to them.
pub fn text(why: &Why, page: &Page) -> String {
    let weights = weights_name(page.weights);
    let mark = mark(why.fact.basis());
    let fact = format!("{}{}{mark}", why.fact.ty, why.fact.shape);
    let position = format!("{}:{}", shown(&path_text(page.model)), why.layer.line);
    let mut text = format!("{}  {fact}  ({}, {position})\n", shown(&why.tensor), shown(&why.layer.ty));
    // An input's own dimension names itself in its line.
    if why.reasons.iter().any(|reason| reason.symbolic.is_some() && reason.how != How::Parameter) {
        text.push_str(&symbols(&why.symbols));
    }
    if let Some(failure) = &why.failure {
        text.push_str(&failed(failure, &weights, page.width));
    }
    for line in stops::lines(&why.stops) {
        let _ = writeln!(text, "  {}", wrapped(&line, page.width, 4));
    }
    if let Some(whole) = page.whole.filter(|whole| lines(whole) > SHORT) {
        write_rows(&summary(whole, &weights), page.width, &mut text);
    }
    write_rows(&rows(why, &weights), page.width, &mut text);
    if !why.is_complete {
        let one = if why.only.is_none() { ", NAME[N] explains one dimension" } else { "" };
        let _ = writeln!(text, "  not everything is shown; use --depth N to follow more steps{one}");
    }
    text
}

/// Formats the origins of symbols: `` `batch` is dim 0 of input `input_ids` ``.
fn symbols(all: &[Input]) -> String {
    let mut text = String::new();
    for Input { name, axis, input, is_state, .. } in all.iter().take(SUMMARY) {
        let owner = if *is_state { "variable" } else { "input" };
        let _ = writeln!(text, "  `{name}` is dim {axis} of {owner} `{}`", shown(input));
    }
    let more = all.len().saturating_sub(SUMMARY);
    if more > 0 {
        let _ = writeln!(text, "  and {more} more dimensions of inputs and states");
    }
    text
}

/// Returns the number of lines of the tree.
pub fn lines(why: &Why) -> usize {
    rows(why, "").len()
}

fn rows(why: &Why, weights: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for alike in runs(why) {
        root(why, alike, weights, &mut rows);
    }
    rows
}

/// Formats a layer that cannot be inferred: the reason, its inputs, and the inputs that would have to differ.
fn failed(failure: &Failure, weights: &str, width: usize) -> String {
    let rule = failure.rule.map(|rule| format!(" [{rule}]")).unwrap_or_default();
    let what = if failure.is_assumed { "cannot be inferred" } else { "error" };
    let reason = format!("{what}: {}{rule}", clean(failure.reason.shown(), 240));
    let mut text = format!("  {}\n", wrapped(&reason, width, 4));
    let input = |(i, input): (usize, &inspect::Input)| {
        let name = input.role.map_or_else(|| format!("input {i}"), str::to_owned);
        let value = input.value.as_ref().map(|value| format!(" = {}", shown(value))).unwrap_or_default();
        let from = input.from.as_ref().map_or_else(
            || "not connected".to_owned(),
            |from| format!("<-{KEPT}{} ({})", shown(&from.tensor), shown(&from.ty)),
        );
        (format!("    {name}  {}{value}", input.inferred.as_deref().unwrap_or("unknown")), from)
    };
    write_rows(&failure.inputs.iter().enumerate().map(input).collect::<Vec<_>>(), width, &mut text);
    if !failure.attributes.is_empty() {
        let _ = writeln!(text, "    {}", wrapped(&written(&failure.attributes), width, 6));
    }
    if !failure.pins.is_empty() {
        text.push_str("  it depends on\n");
        let row = |pin: &Reason| {
            let left = format!("    {} = {}", subject(pin), pin.value);
            (left, details(pin, &pin.through, weights))
        };
        write_rows(&failure.pins.iter().take(SUMMARY).map(row).collect::<Vec<_>>(), width, &mut text);
        let more = failure.pins.len().saturating_sub(SUMMARY);
        if more > 0 {
            let _ = writeln!(text, "    and {more} more");
        }
    }
    let below = if failure.is_assumed { "declared in the file" } else { "inferred despite the error" };
    let _ = writeln!(text, "  the rest is {below}");
    text
}

fn weights_name(weights: Option<&Path>) -> String {
    weights.and_then(Path::file_name).map(|name| shown(&name.to_string_lossy())).unwrap_or_default()
}

/// Formats a reason without its sources: `shape[1] = 1280 (Const, line 44, model.bin bytes 8..16)`.
pub(crate) fn one_line(reason: &Reason, weights: Option<&Path>) -> String {
    format!("{} = {} ({})", subject(reason), reason.value, details(reason, &[], &weights_name(weights)))
}

/// Groups consecutive dimensions with the same reason.
fn runs(why: &Why) -> Vec<&[Reason]> {
    let key = |reason: &Reason| {
        let plain = reason.from.is_empty() && matches!(reason.aspect, Aspect::Dim(_));
        plain.then(|| (reason.tensor.clone(), reason.through.clone(), reason.how, reason.attributes.clone()))
    };
    let alike = |a: &Reason, b: &Reason| key(a).is_some() && key(a) == key(b);
    let reasons = why.reasons.as_slice();
    let (dims, ty) = reasons.split_at(reasons.len() - usize::from(why.only.is_none() && !reasons.is_empty()));
    let mut runs: Vec<&[Reason]> = dims.chunk_by(alike).collect();
    runs.extend((!ty.is_empty()).then_some(ty));
    runs
}

/// The left and the right column of a line.
type Row = (String, String);

fn root(why: &Why, alike: &[Reason], weights: &str, rows: &mut Vec<Row>) {
    let Some(first) = alike.first() else { return };
    let first_axis = why.reasons.iter().position(|reason| std::ptr::eq(reason, first)).unwrap_or(0);
    let is_type = first_axis + 1 == why.reasons.len();
    let what = match (why.only, why.fact.rank()) {
        (Some(axis), _) => format!("dim {axis}"),
        _ if is_type => "type".to_owned(),
        (_, None) => "rank".to_owned(),
        (_, Some(_)) if alike.len() > 1 => format!("dims {first_axis}..{}", first_axis + alike.len() - 1),
        (_, Some(_)) => format!("dim {first_axis}"),
    };
    let values: Vec<String> = alike.iter().map(value).collect();
    let mut left = format!("  {what} = {}", values.join(","));
    if !first.through.is_empty() {
        let dims = |reason: &Reason| if let Aspect::Dim(axis) = reason.aspect { axis } else { 0 };
        let source = match (first.aspect, alike.last()) {
            (Aspect::Type, _) => shown(&first.tensor),
            (Aspect::Dim(from), Some(last)) if alike.len() > 1 => {
                format!("{} dims {from}..{}", shown(&first.tensor), dims(last))
            }
            _ => subject(first),
        };
        let _ = write!(left, " <- {source}");
    }
    // `through` starts with the layer in question, which is not named again.
    rows.push((left, details(first, first.through.get(1..).unwrap_or_default(), weights)));
    first.from.iter().for_each(|next| tree(next, 6, weights, rows));
}

fn tree(reason: &Reason, indent: usize, weights: &str, rows: &mut Vec<Row>) {
    let left = format!("{:indent$}{} = {}", "", subject(reason), value(reason));
    rows.push((left, details(reason, &reason.through, weights)));
    reason.from.iter().for_each(|next| tree(next, indent + 2, weights, rows));
}

/// Formats the value of a reason: `4`, `past + seq`, `batch (1..8)`.
fn value(reason: &Reason) -> String {
    match (&reason.symbolic, reason.value.as_str()) {
        (Some(symbolic), open) if open == "?" || open.ends_with("..") => symbolic.clone(),
        (Some(symbolic), bounded) => format!("{symbolic} ({bounded})"),
        (None, value) => value.to_owned(),
    }
}

/// Formats the tensor of a reason and its aspect: `data dim 1`, `lengths[2]`.
fn subject(reason: &Reason) -> String {
    let gap = if matches!(reason.aspect, Aspect::Element(_)) { "" } else { " " };
    format!("{}{gap}{}", shown(&reason.tensor), reason.aspect)
}

/// Formats attributes: `num_splits=3`.
fn written(attributes: &[(String, String)]) -> String {
    let written = attributes.iter().map(|(name, value)| format!("{}={}", clean(name, 80), clean(value, 80)));
    written.collect::<Vec<_>>().join(" ")
}

fn details(reason: &Reason, through: &[String], weights: &str) -> String {
    let mut text = format!("{}, line {}", shown(&reason.layer.ty), reason.layer.line);
    let attributes = written(&reason.attributes);
    let note = match reason.how {
        How::Parameter | How::Constant | How::Computed => "",
        How::Agreed => "all of these must agree",
        How::Body => "from its bodies",
        How::Fixed => "always the same",
        How::Data => "known only at run time",
        How::Stated => "given in",
        How::Assumed => "as the file declares",
        How::Unknown => "not known",
        How::Above => "see above",
        How::Deeper => "...",
    };
    let arithmetic = reason.arithmetic.as_deref().unwrap_or_default();
    for part in [attributes.as_str(), note, arithmetic].into_iter().filter(|part| !part.is_empty()) {
        let _ = write!(text, ", {part}");
    }
    if let Some(file) = &reason.stated {
        let _ = write!(text, " {}", shown(file));
    }
    if let Some(WeightsRange { offset, size }) = &reason.weights {
        let gap = if weights.is_empty() { "" } else { " " };
        let _ = write!(text, ", {weights}{gap}bytes {offset}..{}", offset.saturating_add(*size));
    }
    let names: Vec<String> = through.iter().take(NAMED).map(|name| shown(name)).collect();
    let names = names.join(", ");
    if (1..=NAMED).contains(&through.len()) && names.chars().count() <= LISTED {
        let _ = write!(text, ", through {names}");
    } else if !through.is_empty() {
        let _ = write!(text, ", through {} layer{}", through.len(), plural(through.len()));
    }
    text
}

fn write_rows(rows: &[Row], width: usize, text: &mut String) {
    let most = COLUMN.min(width.saturating_sub(NARROW) * 3 / 5);
    let lefts = rows.iter().map(|(left, _)| left.chars().count());
    let column = lefts.filter(|width| *width <= most).max().unwrap_or(0);
    for (left, right) in rows {
        let is_beside = left.chars().count() <= column || left.chars().count() + 2 + right.chars().count() <= width;
        if is_beside {
            let right = wrapped(right, width, column + 2);
            let _ = writeln!(text, "{}", format!("{left:<column$}  {right}").trim_end());
        } else {
            // A wide name pushes the right column to the next line.
            let indent = left.chars().take_while(|c| *c == ' ').count() + 4;
            let _ = writeln!(text, "{left}\n{:indent$}{}", "", wrapped(right, width, indent));
        }
    }
}

/// Escapes text from the model, so that it is safe to print.
fn shown(text: &str) -> String {
    clean(text, 200)
}
