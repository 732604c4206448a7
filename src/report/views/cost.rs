//! The cost of a model for people, as one screen.

mod json;

pub use json::json;

use super::domain::LayerRecords;
use crate::ir::LayerId;
use crate::query::cost::{Cost, Largest, Multiplied, Polynomial, Stored};
use crate::report::page::{Page, Row};
use crate::text::escape::line as clean;
use crate::text::{counted, grouped, plural};
use crate::types::ElementType;
use crate::types::symbol::{Reader, Symbol as Expression};

/// Limit for the products of a sum that are shown; JSON has all.
const PRODUCTS: usize = 6;

/// Limit for the bodies that are shown.
const BODIES: usize = 20;

/// The title of omissions.
const NOT_COUNTED: &str = "not counted";

/// Formats the page of a model, in lines of this width.
pub fn text(cost: &Cost, width: usize) -> String {
    page(cost).text(width)
}

/// Builds the page of a model.
pub(super) fn page(cost: &Cost) -> Page {
    let (mut page, records) = (Page::default(), LayerRecords::of(cost.inputs.model));
    page.section("weights", weights(cost, records.as_ref()));
    multiplied(&mut page, cost, "one run", &cost.macs);
    for (path, macs) in cost.bodies.iter().take(BODIES) {
        multiplied(&mut page, cost, &format!("one run of body `{}`", clean(path, 100)), macs);
    }
    if cost.bodies.len() > BODIES {
        page.line(format!("and {} more bodies (`ovlint cost --format json` lists all)", cost.bodies.len() - BODIES));
    }
    page.section("tensors", tensors(cost, records.as_ref()));
    page.section("states", states(cost));
    if cost.inputs.domain.expressions.inputs().next().is_some() {
        page.line("lengths are those that the model works for, and 1 or more");
    }
    if !cost.alike.is_empty() {
        page.line(format!("taken to be the same for all inputs and states: {}", cost.alike.join(", ")));
    }
    page
}

/// Returns the bytes of all weights, and the multiplications of one run.
pub(super) fn summary(cost: &Cost) -> [String; 2] {
    let bytes = cost.weights.iter().map(|(_, stored)| u128::from(stored.bytes)).sum();
    [size(bytes), number(cost, &cost.macs.total())]
}

fn weights(cost: &Cost, records: Option<&LayerRecords>) -> Vec<Row> {
    let row = |(ty, stored): &(ElementType, Stored)| {
        let elements = counted(usize::try_from(stored.elements).unwrap_or(usize::MAX), "element");
        let constants = counted(stored.constants, "constant");
        Row::new(ty.name(), format!("{constants}, {elements}, {}", size(stored.bytes.into())))
    };
    let largest = cost.largest_weight.map(|(place, bytes)| {
        Row::new("largest", format!("{}, {}", layer(records, place), size(bytes.into()))).at(place)
    });
    cost.weights.iter().map(row).chain(largest).collect()
}

fn layer(records: Option<&LayerRecords>, place: LayerId) -> String {
    records.and_then(|records| records.layer(place)).map(|layer| layer.to_string()).unwrap_or_default()
}

fn multiplied(page: &mut Page, cost: &Cost, of: &str, macs: &Multiplied) {
    if macs.is_empty() {
        return;
    }
    let mut types: Vec<_> = macs.by_type.iter().collect();
    types.sort_by_key(|(_, (_, sum))| std::cmp::Reverse(sum.known()));
    let counted_rows = types
        .iter()
        .map(|(ty, (layers, sum))| Row::new(format!("{ty}, {}", counted(*layers, "layer")), number(cost, sum)));
    let uncounted = macs.uncounted.iter().map(|(ty, layers)| format!("{ty} ({})", counted(*layers, "layer")));
    let uncounted = Some(uncounted.collect::<Vec<_>>().join(", ")).filter(|types| !types.is_empty());
    let rows = counted_rows.chain(uncounted.map(|types| Row::new(NOT_COUNTED, types)));
    page.section(format!("multiplications (MACs) of {of}: {}", number(cost, &macs.total())), rows.collect());
}

fn tensors(cost: &Cost, records: Option<&LayerRecords>) -> Vec<Row> {
    let activations = &cost.activations;
    let most = |title: &str, largest: &Largest<LayerId>| {
        let typical = |(sum, _): &&(Polynomial, LayerId)| sum.evaluate(&|length| cost.typical(length));
        let Some((sum, place)) = largest.sums.iter().max_by_key(typical) else {
            return largest
                .are_many
                .then(|| Row::new(title, "depends on many lengths; `--shape` sets them".to_owned()));
        };
        let others = if largest.sums.len() > 1 { "; other layers for other lengths, `--shape` sets them" } else { "" };
        Some(Row::new(title, format!("{}, at {}{others}", bytes(cost, sum), layer(records, *place))).at(*place))
    };
    let unknown = sizes_unknown(activations.unknown.len(), "layer");
    let rows = [most("in use at once", &activations.peak), most("largest", &activations.largest), unknown];
    rows.into_iter().flatten().collect()
}

fn states(cost: &Cost) -> Vec<Row> {
    let (known, count) = (cost.states.iter().filter_map(|(_, size)| size.as_ref()), cost.states.len());
    let (mut sum, mut sized) = (Polynomial::default(), 0);
    for size in known {
        sum.add(size);
        sized += 1;
    }
    let all = (sized > 0).then(|| Row::new(counted(sized, "variable"), bytes(cost, &sum)));
    all.into_iter().chain(sizes_unknown(count - sized, "variable")).collect()
}

/// The row about tensors of unknown size, if there are any.
fn sizes_unknown(count: usize, what: &str) -> Option<Row> {
    let verb = if count == 1 { "whose size is" } else { "whose sizes are" };
    (count > 0).then(|| Row::new(NOT_COUNTED, format!("{}, {verb} unknown", counted(count, what))))
}

/// Formats a sum for people: `24,576*batch*(past + seq) + 12`.
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

/// Formats a dimension as a factor.
fn factor(cost: &Cost, length: Expression, reader: Reader) -> String {
    let text = cost.inputs.domain.expressions.text(length, reader, &|place| cost.inputs.names.name(place));
    let is_name = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_name { text } else { format!("({text})") }
}

fn bytes(cost: &Cost, sum: &Polynomial) -> String {
    sum.known().map_or_else(|| format!("{} bytes", number(cost, sum)), size)
}

/// Formats a number of bytes: `102,029,112 bytes (97.3 MiB)`.
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
