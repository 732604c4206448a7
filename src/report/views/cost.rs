//! What a model costs, for people: one screen.

mod json;

pub use json::json;

use super::domain::Places;
use crate::ir::LayerId;
use crate::query::cost::{Cost, Largest, Multiplied, Polynomial};
use crate::report::page::Page;
use crate::text::escape::line as clean;
use crate::text::{counted, grouped, plural};
use crate::types::symbol::{Reader, Symbol as Expression};

/// Products of a sum that are shown; JSON has them all.
const PRODUCTS: usize = 6;

/// Bodies that are shown.
const BODIES: usize = 20;

/// The page for a model, in lines of this width.
pub fn text(cost: &Cost, width: usize) -> String {
    let (mut page, places) = (Page::new(width), Places::of(cost.inputs.model));
    let layer = |place: LayerId| {
        let layer = places.as_ref().and_then(|places| places.layer(place));
        layer.map(|layer| format!("`{}` ({}, line {})", clean(&layer.name, 100), layer.ty, layer.line))
    };
    let weights = cost.weights.iter().map(|(ty, stored)| {
        let elements = counted(usize::try_from(stored.elements).unwrap_or(usize::MAX), "element");
        let constants = counted(stored.constants, "constant");
        [ty.name().to_owned(), format!("{constants}, {elements}, {}", size(stored.bytes.into()))]
    });
    page.section("weights", &weights.collect::<Vec<_>>());
    if let Some((place, bytes)) = cost.largest_weight {
        page.line(&format!("  largest: {}, {}", layer(place).unwrap_or_default(), size(bytes.into())));
    }
    multiplied(&mut page, cost, "one run", &cost.macs);
    for (path, macs) in cost.bodies.iter().take(BODIES) {
        multiplied(&mut page, cost, &format!("one run of body `{}`", clean(path, 100)), macs);
    }
    if cost.bodies.len() > BODIES {
        page.line(&format!("and {} more bodies (`--format json` lists all)", cost.bodies.len() - BODIES));
    }
    let most = |title: &str, largest: &Largest<LayerId>| {
        let sums: Vec<String> = largest
            .sums
            .iter()
            .map(|(sum, place)| format!("{}, at {}", bytes(cost, sum), layer(*place).unwrap_or_default()))
            .collect();
        match sums.as_slice() {
            [] if largest.are_many => {
                Some([title.to_owned(), "depends on many lengths; `--shape` sets them".to_owned()])
            }
            [] => None,
            [one] => Some([title.to_owned(), one.clone()]),
            many => {
                let sums = largest.sums.iter().zip(many);
                let (_, text) = sums.max_by_key(|((sum, _), _)| sum.evaluate(&|length| cost.typical(length)))?;
                Some([title.to_owned(), format!("{text}; other layers for other lengths, `--shape` sets them")])
            }
        }
    };
    let activations = &cost.activations;
    let rows = [most("in use at once", &activations.peak), most("largest", &activations.largest)];
    page.section("tensors", &rows.into_iter().flatten().collect::<Vec<_>>());
    if !activations.unknown.is_empty() {
        let count = activations.unknown.len();
        page.line(&format!("  without those of {}, whose sizes are unknown", counted(count, "layer")));
    }
    states(&mut page, cost);
    if cost.inputs.domain.expressions.inputs().next().is_some() {
        page.line("lengths are those that the model works for, and 1 or more");
    }
    if !cost.alike.is_empty() {
        page.line(&format!("taken to be the same for all inputs and states: {}", cost.alike.join(", ")));
    }
    page.into_text()
}

fn multiplied(page: &mut Page, cost: &Cost, of: &str, macs: &Multiplied) {
    if macs.is_empty() {
        return;
    }
    page.line(&format!("multiplications (MACs) of {of}: {}", number(cost, &macs.total())));
    let mut types: Vec<_> = macs.by_type.iter().collect();
    types.sort_by_key(|(_, (_, sum))| std::cmp::Reverse(sum.known()));
    for (ty, (layers, sum)) in &types {
        page.line(&format!("  {ty}, {}: {}", counted(*layers, "layer"), number(cost, sum)));
    }
    let uncounted = macs.uncounted.iter().map(|(ty, layers)| format!("{ty} ({})", counted(*layers, "layer")));
    let uncounted: Vec<String> = uncounted.collect();
    if !uncounted.is_empty() {
        page.line(&format!("  not counted: {}", uncounted.join(", ")));
    }
}

fn states(page: &mut Page, cost: &Cost) {
    if cost.states.is_empty() {
        return;
    }
    let mut sum = Polynomial::default();
    cost.states.iter().filter_map(|(_, size)| size.as_ref()).for_each(|size| sum.add(size));
    let count = cost.states.len();
    let unknown = match cost.states.iter().filter(|(_, size)| size.is_none()).count() {
        0 => String::new(),
        unknown => format!(", without {unknown} whose sizes are unknown"),
    };
    page.line(&format!("states: {} in {}{unknown}", bytes(cost, &sum), counted(count, "variable")));
}

/// A sum for a person: `24,576*batch*(past + seq) + 12`.
fn number(cost: &Cost, sum: &Polynomial) -> String {
    let mut products: Vec<(u128, String)> = sum
        .products()
        .map(|(number, lengths)| {
            let number_text = grouped(usize::try_from(number).unwrap_or(usize::MAX));
            let mut factors: Vec<String> = lengths.iter().map(|length| factor(cost, *length, Reader::Person)).collect();
            factors.sort_by_cached_key(|factor| (factor.starts_with('('), factor.clone()));
            let shown = (number != 1 || lengths.is_empty()).then_some(number_text);
            (number, shown.into_iter().chain(factors).collect::<Vec<_>>().join("*"))
        })
        .collect();
    if products.is_empty() {
        return "0".to_owned();
    }
    products.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    let rest = products.len().saturating_sub(PRODUCTS);
    let shown: Vec<String> = products.into_iter().take(PRODUCTS).map(|(_, text)| text).collect();
    let more = if rest > 0 { format!(" + {rest} more product{}", plural(rest)) } else { String::new() };
    shown.join(" + ") + &more
}

/// A length as a factor.
fn factor(cost: &Cost, length: Expression, reader: Reader) -> String {
    let text = cost.inputs.domain.expressions.text(length, reader, &|place| cost.inputs.names.name(place));
    let is_name = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_name { text } else { format!("({text})") }
}

fn bytes(cost: &Cost, sum: &Polynomial) -> String {
    sum.known().map_or_else(|| format!("{} bytes", number(cost, sum)), size)
}

/// A number of bytes: `102,029,112 bytes (97.3 MiB)`.
fn size(bytes: u128) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let exact = counted(usize::try_from(bytes).unwrap_or(usize::MAX), "byte");
    let mut unit = 0;
    let mut scaled = bytes.saturating_mul(10) >> 10;
    while scaled >= 10 * 1024 && unit + 1 < UNITS.len() {
        (scaled, unit) = (scaled >> 10, unit + 1);
    }
    match UNITS.get(unit) {
        Some(unit) if bytes >= 1024 => format!("{exact} ({}.{} {unit})", scaled / 10, scaled % 10),
        _ => exact,
    }
}
