//! Records of layers, and of the constraints on dynamic input dimensions, for JSON output.

use crate::analysis::Model;
use crate::domain::{Constraint, Domain, Names};
use crate::ir::{LayerId, Net, find_attribute, unescape};
use crate::source::Lines;
use crate::text::escape::line;
use serde::Serialize;
use std::fmt;

/// The maximum number of characters of a name in text.
const SHOWN: usize = 200;

/// The constraints on the dimensions.
#[derive(Serialize)]
pub(crate) struct Record {
    pub(crate) constraints: Vec<ConstraintRecord>,
    complete: bool,
    open: Vec<LayerRecord>,
}

#[derive(Serialize)]
pub(crate) struct ConstraintRecord {
    expr: String,
    strength: Strength,
    layer: LayerRecord,
    more_layers: usize,
    rule: &'static str,
}

/// A layer of the main graph.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LayerRecord {
    #[serde(skip)]
    pub(crate) index: LayerId,
    id: String,
    name: String,
    #[serde(rename = "type")]
    ty: String,
    line: u32,
}

impl fmt::Display for LayerRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({}, line {})", line(&self.name, SHOWN), line(&self.ty, SHOWN), self.line)
    }
}

/// The strength of a constraint.
#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Strength {
    /// A layer rejects other values.
    Required,
    /// The constraint holds under the usual assumptions: dimensions are 1 or more, and those that a broadcast combines are
    /// equal, although it allows one of them to be 1.
    Expected,
}

impl Record {
    pub(crate) fn of(model: &Model, domain: &Domain, names: &Names) -> Option<Self> {
        let records = LayerRecords::of(model)?;
        let constraints = records.constraints(domain, names, Strength::Required).collect();
        Some(Self { constraints, complete: domain.is_complete(), open: records.open(domain) })
    }

    /// Adds the constraints of `usual`, the domain under the usual assumptions, as [`Strength::Expected`]. It then decides
    /// whether they are complete.
    pub(crate) fn with_expected(mut self, model: &Model, usual: &Domain, names: &Names) -> Self {
        let records = LayerRecords::of(model);
        let expected = records.iter().flat_map(|records| records.constraints(usual, names, Strength::Expected));
        let is_new = |one: &ConstraintRecord| self.constraints.iter().all(|known| known.expr != one.expr);
        let expected: Vec<ConstraintRecord> = expected.filter(is_new).collect();
        self.constraints.extend(expected);
        let open = records.map(|records| records.open(usual)).unwrap_or_default();
        Self { complete: usual.is_complete(), open, ..self }
    }
}

/// The layers of a model, by id.
pub(crate) struct LayerRecords<'a> {
    model: &'a Model,
    net: &'a Net,
    lines: Lines<'a>,
}

impl<'a> LayerRecords<'a> {
    pub(crate) fn of(model: &'a Model) -> Option<Self> {
        Some(Self { model, net: model.net()?, lines: Lines::new(model.source()) })
    }

    pub(crate) fn layer(&self, index: LayerId) -> Option<LayerRecord> {
        let (graph, source) = (&self.net.graph, self.model.source());
        let layer = graph.layer(index)?;
        let id = find_attribute(source, layer.tag, "id");
        Some(LayerRecord {
            index,
            id: id.map(|id| unescape(source.slice(id.value)).into_owned()).unwrap_or_default(),
            name: graph.full_name(source, layer).into_owned(),
            ty: graph.kind(layer).ty.clone(),
            line: self.lines.position(layer.tag.start).line,
        })
    }

    /// Returns the layers that a domain leaves open.
    fn open(&self, domain: &Domain) -> Vec<LayerRecord> {
        domain.open.iter().filter_map(|index| self.layer(*index)).collect()
    }

    fn constraints(
        &self,
        domain: &Domain,
        names: &Names,
        strength: Strength,
    ) -> impl Iterator<Item = ConstraintRecord> {
        let one = move |one| self.constraint(one, domain.expressions_of(one, names), strength);
        domain.constraints.iter().flat_map(one)
    }

    /// Returns a constraint as one record per expression; the expressions hold together.
    pub(crate) fn constraint(
        &self,
        constraint: &Constraint,
        expressions: Vec<String>,
        strength: Strength,
    ) -> Vec<ConstraintRecord> {
        let rule_of = |index: LayerId| {
            let graph = &self.net.graph;
            Some(graph.kind(graph.layer(index)?).spec()?.demands?.name)
        };
        let first = constraint.layers.first().and_then(|index| Some((self.layer(*index)?, rule_of(*index)?)));
        let Some((layer, rule)) = first else { return Vec::new() };
        let more_layers = constraint.layers.len() - 1;
        let record = |expr| ConstraintRecord { expr, strength, layer: layer.clone(), more_layers, rule };
        expressions.into_iter().map(record).collect()
    }
}
