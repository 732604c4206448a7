//! The inferred shapes beside the declared ones, for people.

use super::rows::{Row, TableOptions, rows, shown};
use crate::analysis::Model;
use crate::query::stops::Stops;
use crate::query::symbols::Names;
use crate::report::views::stops::{self, MARK, MEANING};
use crate::text::counted;
use crate::types::Dim;
use std::fmt::Write;

/// The table for a model.
pub fn table(model: &Model, options: &TableOptions) -> String {
    let mut text = String::new();
    let Some(net) = model.net() else { return text };
    let layers = net.graph.layers.len();
    let name = if net.name.is_empty() { "(no name)".to_owned() } else { shown(&net.name) };
    let _ = writeln!(
        text,
        "{name}  (IR v{})  {}, {}, {} of weights",
        net.version,
        counted(layers, "layer"),
        counted(net.graph.dag.edge_count(), "edge"),
        counted(usize::try_from(model.weights().size()).unwrap_or(usize::MAX), "byte")
    );
    let (rows, count) = rows(model, options);
    write_rows(&rows, &mut text);
    let _ = writeln!(text, "{}", count.differing());
    for input in Names::of(model).iter().flat_map(Names::inputs) {
        let (name, of, range) = (&input.name, shown(&input.input), input.range);
        let range = if range == Dim::ANY { String::new() } else { format!(", {range}") };
        let _ = writeln!(text, "{name} = dimension {} of {of}{range}", input.axis);
    }
    if count.assumed > 0 {
        let _ = writeln!(text, "{} {MEANING}", counted(count.assumed, "output"));
        for line in stops::lines(&Stops::of(model)) {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// The cells of a row; only the first row of a layer names it.
fn cells(row: &Row) -> [String; 7] {
    let once = |text: &str| if row.is_first { text.to_owned() } else { String::new() };
    let declared = match &row.declared {
        None => "-".to_owned(),
        Some(declared) if row.differs => format!("{declared} !"),
        Some(_) => "=".to_owned(),
    };
    let assumed = if row.assumed { MARK } else { "" };
    let inferred = format!("{}{assumed}", row.inferred);
    let line = once(&row.line.to_string());
    [line, once(&row.layer), once(&row.ty), row.output.clone(), inferred, declared, once(&row.from)]
}

fn write_rows(rows: &[Row], text: &mut String) {
    let titles = ["line", "layer", "op", "output", "inferred", "declared", "from"].map(str::to_owned);
    let rows: Vec<[String; 7]> = std::iter::once(titles).chain(rows.iter().map(cells)).collect();
    let widths = |column: usize| rows.iter().map(move |row| row[column].chars().count());
    let width = |column: usize, most: usize| widths(column).max().unwrap_or_default().min(most);
    let mut names: Vec<usize> = widths(1).collect();
    names.sort_unstable();
    // A few long names must not move the other columns.
    let layer = names.get(names.len().saturating_sub(1) - names.len() / 10).copied().unwrap_or_default().min(100);
    let (op, output) = (width(2, 24), width(3, 8));
    let (inferred, declared) = (width(4, 40), width(5, 40));
    for [number, name, ty, port, found, written, from] in &rows {
        let row = format!(
            "{number:>6}  {name:<layer$}  {ty:<op$}  {port:<output$}  {found:<inferred$}  {written:<declared$}  {from}"
        );
        let _ = writeln!(text, "{}", row.trim_end());
    }
}
