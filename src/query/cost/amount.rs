//! Polynomials in a form for output: a value or an expression, and the layers at which a maximum occurs.

use super::polynomial::{Largest, Polynomial};
use crate::ir::LayerId;
use crate::query::inputs::Inputs;
use crate::query::records::{LayerRecord, LayerRecords};
use crate::types::symbol::{Reader, Symbol};
use serde::Serialize;

/// A non-negative number.
#[derive(Debug, Serialize)]
pub(crate) struct Amount {
    /// The number, if it depends on no dimension.
    value: Option<u64>,
    /// The number as a Python integer expression over symbols.
    expr: String,
    #[serde(skip)]
    pub(crate) sum: Polynomial,
}

/// The maximum of several sums. With dynamic dimensions, which one is the largest may depend on their values.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Most {
    /// There are no sums.
    None,
    /// More sums than can be listed may be the largest.
    Many,
    /// Any of these sums may be the largest.
    Of {
        value: Option<u64>,
        expr: String,
        /// The layer at which each sum occurs.
        layers: Vec<LayerRecord>,
        #[serde(skip)]
        sums: Vec<Polynomial>,
    },
}

impl Amount {
    pub(super) fn of(inputs: &Inputs, sum: Polynomial) -> Self {
        let value = sum.known().and_then(|value| u64::try_from(value).ok());
        let product = |(number, lengths): (u128, &[Symbol])| {
            let factors = lengths.iter().map(|length| factor(inputs, *length, Reader::Program));
            std::iter::once(number.to_string()).chain(factors).collect::<Vec<_>>().join("*")
        };
        let products: Vec<String> = sum.products().map(product).collect();
        let expr = if products.is_empty() { "0".to_owned() } else { products.join(" + ") };
        Self { value, expr, sum }
    }
}

impl Most {
    pub(super) fn of(inputs: &Inputs, records: &LayerRecords, largest: Largest<LayerId>) -> Self {
        let layers: Vec<_> = largest.sums.iter().filter_map(|(_, layer)| records.layer(*layer)).collect();
        let amounts: Vec<_> = largest.sums.into_iter().map(|(sum, _)| Amount::of(inputs, sum)).collect();
        match amounts.as_slice() {
            [] if largest.are_many => Self::Many,
            [] => Self::None,
            all => {
                let texts: Vec<&str> = all.iter().map(|amount| amount.expr.as_str()).collect();
                let (value, expr) = match all {
                    [only] => (only.value, only.expr.clone()),
                    _ => (None, format!("max({})", texts.join(", "))),
                };
                Self::Of { value, expr, layers, sums: amounts.into_iter().map(|amount| amount.sum).collect() }
            }
        }
    }
}

/// Formats a dimension as a factor, in parentheses unless it is a name.
pub(crate) fn factor(inputs: &Inputs, length: Symbol, reader: Reader) -> String {
    let text = inputs.domain.expressions.text(length, reader, &|place| inputs.names.name(place));
    let is_name = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_name { text } else { format!("({text})") }
}
