//! The cost of a model, as JSON.

use super::factor;
use crate::ir::LayerId;
use crate::query::cost::{Cost, Largest, Multiplied, Polynomial};
use crate::report::views::domain::{LayerRecord, LayerRecords, Symbol, symbols};
use crate::types::symbol::{Reader, Symbol as Expression};
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Document {
    schema_version: &'static str,
    path: String,
    symbols: Vec<Symbol>,
    weights: Vec<Weights>,
    largest_weight: Option<LargestWeight>,
    macs: Macs,
    bodies: Vec<Body>,
    tensors: Tensors,
    states: Vec<State>,
}

#[derive(Serialize)]
struct Weights {
    #[serde(rename = "type")]
    ty: &'static str,
    constants: usize,
    elements: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct LargestWeight {
    bytes: u64,
    layer: Option<LayerRecord>,
}

/// A non-negative number: its value, and as an expression.
#[derive(Serialize)]
struct Amount {
    value: Option<u64>,
    expr: String,
}

#[derive(Serialize)]
struct Macs {
    total: Amount,
    by_type: Vec<ByType>,
    uncounted: Vec<Uncounted>,
}

#[derive(Serialize)]
struct ByType {
    #[serde(rename = "type")]
    ty: String,
    layers: usize,
    macs: Amount,
}

#[derive(Serialize)]
struct Uncounted {
    #[serde(rename = "type")]
    ty: String,
    layers: usize,
}

#[derive(Serialize)]
struct Body {
    body: String,
    macs: Macs,
}

#[derive(Serialize)]
struct Tensors {
    peak: Option<Most>,
    largest: Option<Most>,
    unknown: Vec<LayerRecord>,
}

/// The maximum of some sizes, with the layers where it is reached.
#[derive(Serialize)]
struct Most {
    #[serde(flatten)]
    bytes: Amount,
    layers: Vec<LayerRecord>,
}

#[derive(Serialize)]
struct State {
    name: String,
    bytes: Option<Amount>,
}

/// Returns the document for a model; `path` is shown as given.
pub fn json(cost: &Cost, path: &Path) -> serde_json::Result<String> {
    let records = LayerRecords::of(cost.inputs.model);
    let layer = |place: LayerId| records.as_ref().and_then(|records| records.layer(place));
    let most = |largest: &Largest<LayerId>| {
        let sums: Vec<String> = largest.sums.iter().map(|(sum, _)| expression(cost, sum)).collect();
        let (expr, value) = match (largest.sums.as_slice(), sums.as_slice()) {
            ([], _) => return None,
            ([(sum, _)], [expr]) => (expr.clone(), known(sum)),
            _ => (format!("max({})", sums.join(", ")), None),
        };
        Some(Most {
            bytes: Amount { value, expr },
            layers: largest.sums.iter().filter_map(|(_, place)| layer(*place)).collect(),
        })
    };
    let weights = cost.weights.iter().map(|(ty, stored)| Weights {
        ty: ty.name(),
        constants: stored.constants,
        elements: stored.elements,
        bytes: stored.bytes,
    });
    let states = cost.states.iter();
    crate::report::document::text(&Document {
        schema_version: "1",
        path: path.display().to_string(),
        symbols: symbols(&cost.inputs.names),
        weights: weights.collect(),
        largest_weight: cost.largest_weight.map(|(place, bytes)| LargestWeight { bytes, layer: layer(place) }),
        macs: macs(cost, &cost.macs),
        bodies: cost.bodies.iter().map(|(body, all)| Body { body: body.clone(), macs: macs(cost, all) }).collect(),
        tensors: Tensors {
            peak: most(&cost.activations.peak),
            largest: most(&cost.activations.largest),
            unknown: cost.activations.unknown.iter().filter_map(|place| layer(*place)).collect(),
        },
        states: states
            .map(|(name, size)| State { name: name.clone(), bytes: size.as_ref().map(|size| amount(cost, size)) })
            .collect(),
    })
}

fn macs(cost: &Cost, all: &Multiplied) -> Macs {
    let by_type = all.by_type.iter().map(|(ty, (layers, sum))| ByType {
        ty: ty.clone(),
        layers: *layers,
        macs: amount(cost, sum),
    });
    let uncounted = all.uncounted.iter().map(|(ty, layers)| Uncounted { ty: ty.clone(), layers: *layers });
    Macs { total: amount(cost, &all.total()), by_type: by_type.collect(), uncounted: uncounted.collect() }
}

fn amount(cost: &Cost, sum: &Polynomial) -> Amount {
    Amount { value: known(sum), expr: expression(cost, sum) }
}

fn known(sum: &Polynomial) -> Option<u64> {
    u64::try_from(sum.known()?).ok()
}

/// Formats a sum as a Python integer expression over symbols.
fn expression(cost: &Cost, sum: &Polynomial) -> String {
    let product = |(number, lengths): (u128, &[Expression])| {
        let factors = lengths.iter().map(|length| factor(cost, *length, Reader::Program));
        std::iter::once(number.to_string()).chain(factors).collect::<Vec<_>>().join("*")
    };
    let products: Vec<String> = sum.products().map(product).collect();
    if products.is_empty() { "0".to_owned() } else { products.join(" + ") }
}
