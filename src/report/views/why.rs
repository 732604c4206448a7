//! Why a tensor has its shape: as a tree for people, and as JSON.

use crate::diagnostic::WeightsRange;
use crate::query::why::{Aspect, How, Reason, Why};
use crate::text::escape::line as clean;
use crate::text::path_text;
use crate::text::plural;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// The widest left column that right columns are aligned to.
const COLUMN: usize = 60;

/// Pass-through layers that are named.
const NAMED: usize = 3;

/// Characters of those names, at the most.
const LISTED: usize = 40;

/// The tree. `model` and `weights` are shown as given.
pub fn text(why: &Why, model: &Path, weights: Option<&Path>) -> String {
    let weights = weights.and_then(Path::file_name).map(|name| shown(&name.to_string_lossy())).unwrap_or_default();
    let fact = format!("{}{}", why.fact.ty, why.fact.shape);
    let place = format!("{}:{}", shown(&path_text(model)), why.line);
    let mut text = format!("{}  {fact}  ({}, {place})\n", shown(&why.tensor), shown(&why.ty));
    let mut rows = Vec::new();
    for alike in runs(&why.reasons) {
        root(why, alike, &weights, &mut rows);
    }
    write_rows(&rows, &mut text);
    if why.is_cut {
        text.push_str("  not everything was followed; --depth N follows further\n");
    }
    text
}

/// A reason without the reasons behind it: `shape[1] = 1280 (Const, line 44, model.bin bytes 8..16)`.
pub(crate) fn one_line(reason: &Reason, weights: Option<&Path>) -> String {
    let weights = weights.and_then(Path::file_name).map(|name| shown(&name.to_string_lossy())).unwrap_or_default();
    format!("{} = {} ({})", subject(reason), reason.value, details(reason, &[], &weights))
}

/// Consecutive dimensions with the same reason share a line.
fn runs(reasons: &[Reason]) -> Vec<&[Reason]> {
    let key = |reason: &Reason| {
        let plain = reason.from.is_empty() && matches!(reason.aspect, Aspect::Dim(_));
        plain.then(|| (reason.tensor.clone(), reason.through.clone(), reason.how, reason.attributes.clone()))
    };
    let dims = reasons.split_last().map_or(reasons, |(_, dims)| dims);
    let mut runs: Vec<&[Reason]> = dims.chunk_by(|a, b| key(a).is_some() && key(a) == key(b)).collect();
    runs.extend(reasons.split_last().map(|(ty, _)| std::slice::from_ref(ty)));
    runs
}

/// Left and right column of one line.
type Row = (String, String);

fn root(why: &Why, alike: &[Reason], weights: &str, rows: &mut Vec<Row>) {
    let Some(first) = alike.first() else { return };
    let place = why.reasons.iter().position(|reason| std::ptr::eq(reason, first)).unwrap_or(0);
    let is_type = place + 1 == why.reasons.len();
    let what = match (is_type, why.fact.rank()) {
        (true, _) => "type".to_owned(),
        (false, None) => "rank".to_owned(),
        (false, Some(_)) if alike.len() > 1 => format!("dims {place}..{}", place + alike.len() - 1),
        (false, Some(_)) => format!("dim {place}"),
    };
    let values: Vec<&str> = alike.iter().map(|reason| reason.value.as_str()).collect();
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
    // The layer in question needs no mention.
    rows.push((left, details(first, first.through.get(1..).unwrap_or_default(), weights)));
    first.from.iter().for_each(|next| tree(next, 6, weights, rows));
}

fn tree(reason: &Reason, indent: usize, weights: &str, rows: &mut Vec<Row>) {
    let left = format!("{:indent$}{} = {}", "", subject(reason), reason.value);
    rows.push((left, details(reason, &reason.through, weights)));
    reason.from.iter().for_each(|next| tree(next, indent + 2, weights, rows));
}

/// `data dim 1`, `lengths[2]`.
fn subject(reason: &Reason) -> String {
    let gap = if matches!(reason.aspect, Aspect::Element(_)) { "" } else { " " };
    format!("{}{gap}{}", shown(&reason.tensor), reason.aspect)
}

fn details(reason: &Reason, through: &[String], weights: &str) -> String {
    let mut text = format!("{}, line {}", shown(&reason.ty), reason.line);
    let attributes = reason.attributes.iter().map(|(name, value)| format!("{name}={}", clean(value, 80)));
    let attributes = attributes.collect::<Vec<_>>().join(" ");
    let note = match reason.how {
        How::Parameter | How::Constant | How::Computed => "",
        How::Agreed => "all of these agree",
        How::Body => "from its bodies",
        How::Fixed => "always so",
        How::Data => "known only when it runs",
        How::Stated => "stated by",
        How::Assumed => "as the file declares",
        How::Unknown => "not known",
        How::Above => "see above",
        How::Deeper => "...",
    };
    for part in [attributes.as_str(), note].into_iter().filter(|part| !part.is_empty()) {
        let _ = write!(text, ", {part}");
    }
    if let Some(place) = &reason.stated {
        let _ = write!(text, " {}", shown(place));
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

fn write_rows(rows: &[Row], text: &mut String) {
    let width = rows.iter().map(|(left, _)| left.chars().count()).filter(|width| *width <= COLUMN).max().unwrap_or(0);
    for (left, right) in rows {
        let _ = writeln!(text, "{left:<width$}  {right}");
    }
}

/// Text of the model, safe to print.
fn shown(text: &str) -> String {
    clean(text, 200)
}

#[derive(Serialize)]
struct Document<'a> {
    schema_version: &'static str,
    path: String,
    tensor: &'a str,
    layer: Layer<'a>,
    #[serde(rename = "type")]
    ty: &'static str,
    shape: String,
    assumed: bool,
    reasons: Vec<Record<'a>>,
    complete: bool,
}

#[derive(Serialize)]
struct Layer<'a> {
    #[serde(rename = "type")]
    ty: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct Record<'a> {
    tensor: &'a str,
    aspect: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    value: &'a str,
    how: &'static str,
    layer: Layer<'a>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    through: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attributes: Vec<Attribute<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stated: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Bytes>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    from: Vec<Record<'a>>,
}

#[derive(Serialize)]
struct Attribute<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct Bytes {
    offset: u64,
    size: u64,
}

/// The same for programs, as one line.
pub fn json(why: &Why, model: &Path) -> serde_json::Result<String> {
    crate::report::findings::json::text(&Document {
        schema_version: crate::report::findings::json::SCHEMA_VERSION,
        path: path_text(model),
        tensor: &why.tensor,
        layer: Layer { ty: &why.ty, line: why.line },
        ty: why.fact.ty.name(),
        shape: why.fact.shape.to_string(),
        assumed: why.fact.assumed,
        reasons: why.reasons.iter().map(record).collect(),
        complete: !why.is_cut,
    })
}

fn record(reason: &Reason) -> Record<'_> {
    let (aspect, index) = match reason.aspect {
        Aspect::Dim(axis) => ("dim", Some(axis)),
        Aspect::Element(index) => ("element", Some(index)),
        Aspect::Rank => ("rank", None),
        Aspect::Type => ("type", None),
    };
    let range = reason.weights.as_ref();
    Record {
        tensor: &reason.tensor,
        aspect,
        index,
        value: &reason.value,
        how: reason.how.name(),
        layer: Layer { ty: &reason.ty, line: reason.line },
        through: &reason.through,
        attributes: reason.attributes.iter().map(|(name, value)| Attribute { name, value }).collect(),
        stated: reason.stated.as_deref(),
        weights: range.map(|range| Bytes { offset: range.offset, size: range.size }),
        from: reason.from.iter().map(record).collect(),
    }
}
