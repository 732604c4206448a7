//! The page of `ovlint cost`, and the figures that `ovlint report` shows of it.

use crate::arrange::Arrange;
use crate::ir::LayerId;
use crate::query::cost::{Body, ByType, Cost, Most, Multiplied, Polynomial, Stored, factor};
use crate::query::records::LayerRecord;
use crate::report::page::{Page, Row};
use crate::text::escape::line as clean;
use crate::text::{counted, grouped, plural};
use crate::types::symbol::Reader;

/// The maximum number of products of a sum that are shown; JSON output has all.
const PRODUCTS: usize = 6;

/// The maximum number of bodies that are shown.
const BODIES: usize = 20;

/// The title of the row of the layer at which the tensors need most memory.
const PEAK: &str = "peak memory";

/// The title of the row of the largest weight or tensor.
const LARGEST: &str = "largest";

/// The title of the section about what is not counted.
const NOT_COUNTED: &str = "not counted";

/// Formats the page of a model, in lines of this width.
pub fn text(cost: &Cost, width: usize) -> String {
    page(cost).text(width)
}

/// Builds the page of a model.
pub(super) fn page(cost: &Cost) -> Page {
    let mut page = Page::default();
    page.section("weights", weights(cost));
    multiplied(&mut page, cost, "one run", &cost.macs);
    for Body { body, macs } in cost.bodies.iter().take(BODIES) {
        multiplied(&mut page, cost, &format!("one run of body `{}`", clean(body, 100)), macs);
    }
    if cost.bodies.len() > BODIES {
        page.line(format!("and {} more bodies (`ovlint cost --format json` lists all)", cost.bodies.len() - BODIES));
    }
    page.section("tensors", tensors(cost));
    page.section("states", states(cost));
    if cost.is_open {
        let moves = |most: &Most| matches!(most, Most::Of { sums, .. } if sums.len() > 1);
        let titled = [(PEAK, &cost.tensors.peak), (LARGEST, &cost.tensors.largest)];
        let moving: Vec<&str> = titled.into_iter().filter(|(_, most)| moves(most)).map(|(title, _)| title).collect();
        if !moving.is_empty() {
            page.line(format!(
                "{}: the layer that needs the most if every dynamic dimension is 1,000; at other sizes, another layer can need more \
                 (give sizes with `--set`)",
                moving.join(" and ")
            ));
        }
        let which = if moving.is_empty() { "these" } else { "all other" };
        page.line(format!("{which} numbers hold for all sizes that the model works for, if each is at least 1"));
    }
    if !cost.alike.is_empty() {
        page.line(format!(
            "assumes that these dimensions are equal in all inputs and states: {}",
            cost.alike.join(", ")
        ));
    }
    page
}

/// Returns the bytes of all weights, and the multiplications of one run.
pub(super) fn summary(cost: &Cost) -> [String; 2] {
    let [bytes, _] = amounts(cost);
    [size(bytes), number(cost, &cost.macs.total.sum)]
}

/// Returns both as numbers, for typical lengths of dynamic dimensions.
pub(super) fn amounts(cost: &Cost) -> [u128; 2] {
    let bytes = cost.weights.iter().map(|stored| u128::from(stored.bytes)).sum();
    [bytes, cost.macs.total.sum.evaluate(&|length| cost.typical(length)).unwrap_or_default()]
}

/// Returns the multiplications of each layer of the main graph that has some: as text, and as a number for typical lengths.
pub(super) fn layers(cost: &Cost) -> impl Iterator<Item = (LayerId, String, u128)> {
    let typical = |sum: &Polynomial| sum.evaluate(&|length| cost.typical(length)).unwrap_or_default();
    cost.macs.by_layer.iter().map(move |(layer, sum)| (*layer, number(cost, sum), typical(sum)))
}

fn weights(cost: &Cost) -> Vec<Row> {
    let row = |stored: &Stored| {
        let elements = counted(usize::try_from(stored.elements).unwrap_or(usize::MAX), "element");
        let constants = counted(stored.constants, "constant");
        Row::new(stored.ty.name(), format!("{constants}, {elements}, {}", size(stored.bytes.into())))
    };
    let largest = cost.largest_weight.as_ref().and_then(|largest| {
        let layer = largest.layer.as_ref()?;
        Some(Row::new(LARGEST, format!("{layer}, {}", size(largest.bytes.into()))).at(layer.index))
    });
    cost.weights.iter().map(row).chain(largest).collect()
}

fn multiplied(page: &mut Page, cost: &Cost, of: &str, macs: &Multiplied) {
    if macs.is_empty() {
        return;
    }
    let mut types: Vec<_> = macs.by_type.iter().collect();
    types.arrange_by_key(|one| std::cmp::Reverse(one.macs.sum.known()));
    let row =
        |one: &&ByType| Row::new(format!("{}, {}", one.ty, counted(one.layers, "layer")), number(cost, &one.macs.sum));
    let counted_rows = types.iter().map(row);
    let uncounted = macs.uncounted.iter().map(|one| format!("{} ({})", one.ty, counted(one.layers, "layer")));
    let uncounted = Some(uncounted.collect::<Vec<_>>().join(", ")).filter(|types| !types.is_empty());
    let rows = counted_rows.chain(uncounted.map(|types| Row::new(NOT_COUNTED, types)));
    page.section(format!("multiplications (MACs) of {of}: {}", number(cost, &macs.total.sum)), rows.collect());
}

fn tensors(cost: &Cost) -> Vec<Row> {
    let most = |title: &str, most: &Most| {
        let (layers, sums) = match most {
            Most::None => return None,
            Most::Many => {
                return Some(Row::new(title, "depends on many dimensions; set them with `--set`".to_owned()));
            }
            Most::Of { layers, sums, .. } => (layers, sums),
        };
        let typical = |(sum, _): &(&Polynomial, &LayerRecord)| sum.evaluate(&|length| cost.typical(length));
        let (sum, layer) = sums.iter().zip(layers).max_by_key(typical)?;
        Some(Row::new(title, format!("{}, at {layer}", bytes(cost, sum))).at(layer.index))
    };
    let tensors = &cost.tensors;
    let unknown = tensors.unknown.first().map(|first| {
        let (count, more) = (tensors.unknown.len(), tensors.unknown.len() - 1);
        let others = if more > 0 { format!(" and {}", counted(more, "more layer")) } else { String::new() };
        Row::new(NOT_COUNTED, format!("{}: {first}{others}", sizes_unknown(count, "layer"))).at(first.index)
    });
    let rows = [most(PEAK, &tensors.peak), most(LARGEST, &tensors.largest), unknown];
    rows.into_iter().flatten().collect()
}

fn states(cost: &Cost) -> Vec<Row> {
    let (known, count) = (cost.states.iter().filter_map(|state| state.bytes.as_ref()), cost.states.len());
    let (mut sum, mut sized) = (Polynomial::default(), 0);
    for size in known {
        sum.add(&size.sum);
        sized += 1;
    }
    let all = (sized > 0).then(|| Row::new(counted(sized, "variable"), bytes(cost, &sum)));
    let unknown = || Row::new(NOT_COUNTED, sizes_unknown(count - sized, "variable"));
    all.into_iter().chain((count > sized).then(unknown)).collect()
}

/// Counts tensors of unknown size.
fn sizes_unknown(count: usize, what: &str) -> String {
    let verb = if count == 1 { "whose size is" } else { "whose sizes are" };
    format!("{}, {verb} unknown", counted(count, what))
}

/// Formats a sum for people: `24,576*batch*(past + seq) + 12`.
fn number(cost: &Cost, sum: &Polynomial) -> String {
    let mut products: Vec<(u128, String)> = sum
        .products()
        .map(|(number, lengths)| {
            let number_text = grouped(usize::try_from(number).unwrap_or(usize::MAX));
            let mut factors: Vec<String> =
                lengths.iter().map(|length| factor(&cost.inputs, *length, Reader::Person)).collect();
            factors.sort_by_cached_key(|factor| (factor.starts_with('('), factor.clone()));
            let shown = (number != 1 || lengths.is_empty()).then_some(number_text);
            (number, shown.into_iter().chain(factors).collect::<Vec<_>>().join("*"))
        })
        .collect();
    if products.is_empty() {
        return "0".to_owned();
    }
    products.arrange_by_key(|(number, _)| std::cmp::Reverse(*number));
    let rest = products.len().saturating_sub(PRODUCTS);
    let shown: Vec<String> = products.into_iter().take(PRODUCTS).map(|(_, text)| text).collect();
    let more = if rest > 0 { format!(" + {rest} more product{}", plural(rest)) } else { String::new() };
    shown.join(" + ") + &more
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
