//! The input shapes for which a model works, as JSON.

use crate::diagnostic::Direction;
use crate::domain::{Assumption, Domain, Names};
use crate::query::End;
use crate::query::inputs::{Answer, Inputs, Nearest};
use crate::report::views::domain::{ConstraintRecord, LayerRecords, Record, Strength, Symbol, symbols};
use crate::report::views::what_if::breaks;
use crate::types::symbol::Reader;
use crate::types::{ElementType, PartialShape};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Serialize)]
struct Document {
    schema_version: &'static str,
    path: String,
    symbols: Vec<Symbol>,
    inputs: Vec<Tensor>,
    states: Vec<Tensor>,
    outputs: Vec<Tensor>,
    #[serde(flatten)]
    domain: Option<Record>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<AnswerRecord>,
}

#[derive(Serialize)]
struct Tensor {
    name: String,
    tensors: Vec<String>,
    #[serde(rename = "type")]
    ty: &'static str,
    shape: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbolic: Option<Vec<Option<String>>>,
    assumed: bool,
}

/// The answer for given shapes.
#[derive(Serialize)]
struct AnswerRecord {
    shapes: String,
    works: bool,
    failing: Vec<ConstraintRecord>,
    depends_on: Vec<ConstraintRecord>,
    /// The values that the shapes give to dimensions, by name.
    lengths: BTreeMap<String, i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    nearest: Vec<NearestRecord>,
}

#[derive(Serialize)]
struct NearestRecord {
    name: String,
    given: i64,
    below: Option<i64>,
    above: Option<i64>,
}

/// Returns the document for a model, with the answer for given shapes; `path` is shown as given.
pub fn json(inputs: &Inputs, answer: Option<(&Answer, &str)>, path: &Path) -> serde_json::Result<String> {
    let (model, names) = (inputs.model, &inputs.names);
    let usual = model.facts().and_then(|facts| Domain::of(facts, Assumption::Usual));
    let usual = usual.filter(|usual| usual.assumption == Assumption::Usual);
    let domain = Record::of(model, &inputs.domain, names).map(|domain| match &usual {
        Some(usual) => domain.with_expected(model, usual, names),
        None => domain,
    });
    let tensors = |ends: Vec<End>| ends.into_iter().map(|end| tensor(names, end)).collect();
    crate::report::document::text(&Document {
        schema_version: "1",
        path: path.display().to_string(),
        symbols: symbols(names),
        inputs: tensors(inputs.ends(Direction::Input)),
        states: tensors(inputs.states()),
        outputs: tensors(inputs.ends(Direction::Output)),
        domain,
        answer: answer.map(|(answer, shapes)| record(inputs, answer, shapes)),
    })
}

fn tensor(names: &Names, end: End) -> Tensor {
    let fact = end.fact.as_ref();
    Tensor {
        name: end.layer,
        tensors: end.tensors,
        ty: fact.map_or(ElementType::Dynamic, |fact| fact.ty).name(),
        shape: fact.map_or_else(|| PartialShape::UNKNOWN.to_string(), |fact| fact.shape.to_string()),
        symbolic: fact.and_then(|fact| names.shape(&fact.shape, Reader::Program)),
        assumed: fact.is_some_and(|fact| fact.assumed),
    }
}

fn record(inputs: &Inputs, answer: &Answer, shapes: &str) -> AnswerRecord {
    let name = |length| inputs.names.name(length);
    let records = LayerRecords::of(inputs.model);
    let failing = answer.failing.iter().filter_map(|place| inputs.domain.constraints.get(*place));
    let failing = failing.flat_map(|constraint| {
        let unmet = answer.unmet(inputs, constraint);
        records.iter().flat_map(move |records| records.constraint(constraint, unmet.clone(), Strength::Required))
    });
    let conditions = answer.conditions(inputs);
    let conditions = conditions.and_then(|left| Record::of(inputs.model, &left.domain, &left.names));
    let nearest =
        |one: &Nearest| NearestRecord { name: name(one.length), given: one.given, below: one.below, above: one.above };
    let error = breaks(&answer.model).and_then(|lines| lines.into_iter().next());
    AnswerRecord {
        shapes: shapes.to_owned(),
        works: answer.works,
        failing: failing.collect(),
        depends_on: conditions.map(|left| left.constraints).unwrap_or_default(),
        lengths: answer.given.iter().map(|(length, given)| (name(*length), *given)).collect(),
        error,
        nearest: answer.nearest.iter().map(nearest).collect(),
    }
}
