//! The inferred shapes beside the declared ones, for people.

use super::rows::{Row, TableOptions, rows, shown};
use crate::analysis::Model;
use crate::query::stops::Stops;
use crate::query::symbols::Names;
use crate::report::views::stops::{self, MARK, MEANING};
use crate::report::wrap::{NARROW, hang, wrapped};
use crate::text::counted;
use crate::types::Dim;
use std::fmt::Write;

/// The table for a model.
pub fn table(model: &Model, options: &TableOptions) -> String {
    let mut text = String::new();
    let Some(net) = model.net() else { return text };
    let layers = net.graph.layers.len();
    let name = if net.name.is_empty() { "(no name)".to_owned() } else { shown(&net.name) };
    let line = |text: &mut String, line: &str| {
        let _ = writeln!(text, "{}", hang(line, options.width, 2));
    };
    let head = format!(
        "{name}  (IR v{})  {}, {}, {} of weights",
        net.version,
        counted(layers, "layer"),
        counted(net.graph.dag.edge_count(), "edge"),
        counted(usize::try_from(model.weights().size()).unwrap_or(usize::MAX), "byte")
    );
    line(&mut text, &head);
    let (rows, count) = rows(model, options);
    write_rows(&rows, options.width, &mut text);
    line(&mut text, &count.differing());
    for input in Names::of(model).iter().flat_map(Names::inputs) {
        let (name, of, range) = (&input.name, shown(&input.input), input.range);
        let range = if range == Dim::ANY { String::new() } else { format!(", {range}") };
        line(&mut text, &format!("{name} = dimension {} of {of}{range}", input.axis));
    }
    if count.assumed > 0 {
        line(&mut text, &format!("{} {MEANING}", counted(count.assumed, "output")));
        for stop in stops::lines(&Stops::of(model)) {
            line(&mut text, &stop);
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

/// The column that a row goes on in where it is wider than the terminal.
const BELOW: usize = 10;

/// The narrowest column of names that others stand beside.
const NAME: usize = 12;

fn write_rows(rows: &[Row], width: usize, text: &mut String) {
    let titles = ["line", "layer", "op", "output", "inferred", "declared", "from"].map(str::to_owned);
    let rows: Vec<[String; 7]> = std::iter::once(titles).chain(rows.iter().map(cells)).collect();
    let widths = |column: usize| rows.iter().map(move |row| row[column].chars().count());
    let most = |column: usize, most: usize| widths(column).max().unwrap_or_default().min(most);
    let mut names: Vec<usize> = widths(1).collect();
    names.sort_unstable();
    // A few long names must not move the other columns.
    let layer = names.get(names.len().saturating_sub(1) - names.len() / 10).copied().unwrap_or_default().min(100);
    let mut lengths = [6, layer, most(2, 24), most(3, 8), most(4, 40), most(5, 40)];
    let beyond = (lengths.iter().sum::<usize>() + 2 * 5).saturating_sub(width);
    lengths[1] = layer.saturating_sub(beyond).max(NAME.min(layer));
    for row in &rows {
        let _ = writeln!(text, "{}", placed(row, &lengths, width));
    }
}

/// A row: its cells below their titles, or in further lines where there is no room for them.
fn placed(cells: &[String; 7], lengths: &[usize; 6], width: usize) -> String {
    let [number, name, ty, port, found, written, from] = cells;
    let [_, layer, op, output, inferred, declared] = *lengths;
    let whole = format!(
        "{number:>6}  {name:<layer$}  {ty:<op$}  {port:<output$}  {found:<inferred$}  {written:<declared$}  {from}"
    );
    let whole = whole.trim_end();
    if whole.chars().count() <= width {
        return whole.to_owned();
    }
    let mut out = if number.is_empty() { String::new() } else { format!("{number:>6}") };
    let (mut at, mut start, mut is_below) = (out.len(), 0, false);
    for (i, cell) in cells.iter().enumerate().skip(1) {
        start += lengths[i - 1] + 2;
        if cell.is_empty() {
            continue;
        }
        let size = cell.chars().count();
        let needed = if i < lengths.len() { size } else { size.min(NARROW) };
        let fits = i == 1 || start + needed <= width;
        let column = if fits && (at == 0 || at + 2 <= start) {
            start
        } else if is_below && at + 2 + size <= width {
            at + 2
        } else {
            if at > 0 {
                out.push('\n');
                at = 0;
            }
            is_below |= !fits;
            if fits { start } else { BELOW }
        };
        out.extend(std::iter::repeat_n(' ', column - at));
        out.push_str(&wrapped(cell, width, column));
        at = column + size;
    }
    out
}
