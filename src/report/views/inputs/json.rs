//! The input shapes for which a model works, as JSON.

use crate::arrange::Fill;
use crate::diagnostic::Direction;
use crate::domain::{Assumption, Domain, Input};
use crate::query::End;
use crate::query::inputs::{Answer, Inputs, Nearest};
use crate::query::records::{ConstraintRecord, LayerRecords, Record, Strength};
use crate::query::states::states;
use crate::report::document;
use crate::report::views::what_if::breaks;
use crate::types::symbol::Reader;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Serialize)]
struct Conditions<'a> {
    symbols: Vec<&'a Input>,
    inputs: Vec<End>,
    states: Vec<End>,
    outputs: Vec<End>,
    #[serde(flatten)]
    domain: Option<Record>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<AnswerRecord<'a>>,
}

/// The answer for given shapes.
#[derive(Serialize)]
struct AnswerRecord<'a> {
    shapes: &'a str,
    /// `null` if that depends on weights that cannot be read.
    works: Option<bool>,
    failing: Vec<ConstraintRecord>,
    depends_on: Vec<ConstraintRecord>,
    /// The values that the shapes give to dimensions, by name.
    lengths: BTreeMap<String, i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    nearest: &'a [Nearest],
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
    let symbolic = |end: &End| names.shape(&end.fact.as_ref()?.shape, Reader::Program);
    let expressed = |ends: Vec<End>| ends.into_iter().map(|end| End { symbolic: symbolic(&end), ..end }).collect();
    let conditions = Conditions {
        symbols: names.inputs().collect(),
        inputs: expressed(inputs.ends(Direction::Input)),
        states: expressed(states(inputs.model)),
        outputs: expressed(inputs.ends(Direction::Output)),
        domain,
        answer: answer.map(|(answer, shapes)| record(inputs, answer, shapes)),
    };
    document::about(path, &conditions)
}

fn record<'a>(inputs: &Inputs, answer: &'a Answer, shapes: &'a str) -> AnswerRecord<'a> {
    let name = |length| inputs.names.name(length);
    let records = LayerRecords::of(inputs.model);
    let failing = answer.failing.iter().filter_map(|place| inputs.domain.constraints.get(*place));
    let failing = failing.flat_map(|constraint| {
        let unmet = answer.unmet(inputs, constraint);
        records.iter().flat_map(move |records| records.constraint(constraint, unmet.clone(), Strength::Required))
    });
    let conditions = answer.conditions(inputs);
    let conditions = conditions.and_then(|left| Record::of(inputs.model, &left.domain, &left.names));
    let error = breaks(&answer.model).and_then(|lines| lines.into_iter().next());
    AnswerRecord {
        shapes,
        works: answer.works,
        failing: failing.collect(),
        depends_on: conditions.map(|left| left.constraints).unwrap_or_default(),
        lengths: answer.given.iter().map(|(length, given)| (name(*length), *given)).into_map(),
        error,
        nearest: &answer.nearest,
    }
}
