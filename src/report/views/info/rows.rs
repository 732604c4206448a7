//! The facts about models, one row each: a table for people, CSV, and Markdown.

use super::{Page, card, is_assumed, needs, together};
use crate::query::{End, ReadBy};
use crate::report::findings::markdown::text as plain;
use crate::report::views::aligned::aligned;
use crate::report::views::csv::line;
use crate::report::views::stops::{MEANING, mark};
use crate::report::wrap;
use crate::text::{grouped, path_text, plain_text};
use crate::types::bare_fact;

/// The columns: their names in CSV, which equal those in JSON, and their titles.
const COLUMNS: [(&str, &str); 13] = [
    ("path", "path"),
    ("ir_version", "IR"),
    ("layers", "layers"),
    ("xml_size", "xml bytes"),
    ("weights_size", "bin bytes"),
    ("needs", "needs"),
    ("openvino", "read by"),
    ("weights", "weights"),
    ("constants", "constants"),
    ("runtime_version", "made by"),
    ("name", "name"),
    ("inputs", "inputs"),
    ("outputs", "outputs"),
];

/// The columns that `--sha256` adds.
const DIGESTS: [(&str, &str); 2] = [("xml_sha256", "sha256 xml"), ("weights_sha256", "sha256 bin")];

/// The maximum width of each column but the last. A longer cell shifts the rest of its row.
const MOST: [usize; 14] = [100, 4, 9, 13, 19, 9, 16, 52, 40, 40, 40, 80, 80, 64];

/// The number of columns that stay on the first line if the terminal is too narrow; the others go on further lines.
const SHORT: usize = 7;

/// The numeric columns, which are right-aligned in a table.
const NUMBERS: std::ops::RangeInclusive<usize> = 2..=4;

/// The maximum number of entries of a cell in output for people.
const FEW: usize = 3;

/// The style of cells.
struct Style {
    text: fn(&str) -> String,
    number: fn(u64) -> String,
    fact: fn(&str) -> String,
    version: fn(&str) -> String,
    between: &'static str,
    /// The maximum number of releases, inputs, outputs or element types that a cell lists.
    most: usize,
}

/// Formats a table for people.
pub fn table(pages: &[Page], width: usize) -> String {
    let (text, fact) = (plain_text, str::to_owned);
    let style = Style { text, number: with_commas, fact, version: card::openvino, between: ", ", most: FEW };
    let titles: Vec<String> = columns(pages).map(|(_, title)| title.to_owned()).collect();
    let mut rows: Vec<Vec<String>> = std::iter::once(titles).chain(rows(pages, &style)).collect();
    for column in NUMBERS {
        let size = |row: &Vec<String>| row.get(column).map_or(0, String::len);
        let widest = rows.iter().map(size).max().unwrap_or_default();
        rows.iter_mut().filter_map(|row| row.get_mut(column)).for_each(|cell| *cell = format!("{cell:>widest$}"));
    }
    let most = MOST.get(..columns(pages).count() - 1).unwrap_or(&MOST);
    let whole = aligned(&rows, most, 0, usize::MAX);
    let is_too_wide = whole.lines().any(|line| wrap::columns(line) > width);
    let table = if is_too_wide { aligned(&rows, most.get(..SHORT).unwrap_or(most), 0, width) } else { whole };
    table + &lines_below(pages)
}

/// Formats CSV: a line of names, then a line per model.
pub fn csv(pages: &[Page]) -> String {
    let (text, fact, version) = (plain_text, str::to_owned, str::to_owned);
    let style = Style { text, number: |n| n.to_string(), fact, version, between: "; ", most: usize::MAX };
    let rows = rows(pages, &style).map(line);
    std::iter::once(line(columns(pages).map(|(name, _)| name))).chain(rows).collect()
}

/// Formats a Markdown table.
pub fn markdown(pages: &[Page]) -> String {
    let text = |text: &str| plain(&plain_text(text));
    let (fact, version) = (|fact: &str| format!("`{fact}`"), card::openvino);
    let style = Style { text, number: with_commas, fact, version, between: "<br>", most: FEW };
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let titles = row(columns(pages).map(|(_, title)| title.to_owned()).collect());
    let dashes = "|---".repeat(columns(pages).count()) + "|\n";
    let below: String =
        lines_below(pages).lines().flat_map(|line| ["\n".to_owned(), plain(line), "\n".to_owned()]).collect();
    titles + &dashes + &rows(pages, &style).map(row).collect::<String>() + &below
}

/// Returns the columns, with digests if there are any.
fn columns(pages: &[Page]) -> impl Iterator<Item = (&'static str, &'static str)> {
    let has_digests = pages.iter().any(|(_, info)| info.xml_sha256.is_some());
    COLUMNS.into_iter().chain(DIGESTS.into_iter().filter(move |_| has_digests))
}

fn rows<'a>(pages: &'a [Page], style: &'a Style) -> impl Iterator<Item = Vec<String>> + 'a {
    pages.iter().map(|(path, info)| {
        let Style { text, number, version, .. } = style;
        let constants = info.constants.iter().map(|one| format!("{} {}", one.ty.name(), number(one.bytes)));
        // A comma stands between two forms.
        let weights = info.card.weights.iter().map(|scheme| card::form(&scheme.form).replace(", ", " "));
        let read_by: Vec<String> = info.openvino.iter().flat_map(ReadBy::reading).map(ToString::to_string).collect();
        let mut cells = vec![
            text(&path_text(path)),
            info.ir_version.to_string(),
            number(info.layers as u64),
            number(info.xml_size),
            info.weights_size.map(number).unwrap_or_default(),
            info.needs.as_ref().map(|needs| needs.release.to_string()).unwrap_or_default(),
            listed(read_by.into_iter(), style),
            listed(weights, style),
            listed(constants, style),
            info.runtime_version.as_deref().map(|one| text(&version(one))).unwrap_or_default(),
            text(&info.name),
            listed(info.inputs.iter().map(|end| end_text(end, style)), style),
            listed(info.outputs.iter().map(|end| end_text(end, style)), style),
        ];
        if let Some(xml) = &info.xml_sha256 {
            cells.extend([xml.clone(), info.weights_sha256.clone().unwrap_or_default()]);
        }
        cells
    })
}

/// Lists the first entries and counts the rest.
fn listed(all: impl ExactSizeIterator<Item = String>, style: &Style) -> String {
    let more = all.len().saturating_sub(style.most);
    let more = (more > 0).then(|| format!("{more} more"));
    all.take(style.most).chain(more).collect::<Vec<_>>().join(style.between)
}

fn end_text(end: &End, style: &Style) -> String {
    let fact = end.fact.as_ref().map_or_else(|| "not connected".to_owned(), |fact| (style.fact)(&bare_fact(fact)));
    let mark = end.fact.as_ref().map_or("", |fact| mark(fact.basis()));
    format!("{} {fact}{mark}", (style.text)(&end.layer))
}

fn with_commas(number: u64) -> String {
    grouped(usize::try_from(number).unwrap_or(usize::MAX))
}

/// Formats the lines below a table: the meaning of a mark, and the oldest release that can read all models.
fn lines_below(pages: &[Page]) -> String {
    let ends = |(_, info): &Page| info.inputs.iter().chain(&info.outputs).any(is_assumed);
    let meaning = if pages.iter().any(ends) { format!("{MEANING}\n") } else { String::new() };
    meaning + &together(pages.iter().filter_map(needs))
}
