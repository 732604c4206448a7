//! The inferred shapes beside the declared ones as a table for people.

use super::rows::{Row, TableOptions, rows, shown};
use crate::analysis::Model;
use crate::domain::Names;
use crate::query::stops::Stops;
use crate::report::views::aligned::aligned;
use crate::report::views::stops::{self, MEANING, mark};
use crate::report::wrap::hang;
use crate::text::counted;
use crate::types::Dim;
use std::fmt::Write;

/// Formats the table of a model.
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
    let titles = ["  line", "layer", "op", "output", "inferred", "declared", "from"].map(str::to_owned).to_vec();
    let rows: Vec<Vec<String>> = std::iter::once(titles).chain(rows.iter().map(cells)).collect();
    text.push_str(&aligned(&rows, &[6, 100, 24, 8, 40, 40], 1, options.width));
    line(&mut text, &count.differing());
    for input in model.names().iter().flat_map(Names::inputs) {
        let (name, of, range) = (&input.name, shown(&input.input), input.range);
        let range = if range == Dim::ANY { String::new() } else { format!(", {range}") };
        line(&mut text, &format!("{name} = dimension {} of {of}{range}", input.axis));
    }
    if count.assumed > 0 {
        line(&mut text, &format!("{} marked; {MEANING}", counted(count.assumed, "output")));
        for stop in stops::lines(&Stops::of(model)) {
            line(&mut text, &stop);
        }
    }
    text
}

/// Returns the cells of a row; only the first row of a layer has the layer's name.
fn cells(row: &Row) -> Vec<String> {
    let once = |text: &str| if row.is_first { text.to_owned() } else { String::new() };
    let declared = match &row.declared {
        None => "-".to_owned(),
        Some(declared) if row.differs => format!("{declared} !"),
        Some(_) => "=".to_owned(),
    };
    let inferred = format!("{}{}", row.inferred, mark(row.basis));
    let line = once(&format!("{:>6}", row.line));
    vec![line, once(&row.layer), once(&row.ty), row.output.clone(), inferred, declared, once(&row.from)]
}
