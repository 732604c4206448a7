//! The inferred shapes beside the declared ones as CSV.

use super::rows::{TableOptions, rows};
use crate::analysis::Model;
use crate::report::views::csv::line;

/// Formats one line per output; `differs` is `true` or `false`.
pub fn csv(model: &Model, options: &TableOptions) -> String {
    let mut text = String::from("line,layer,op,output,inferred,declared,differs,basis,from\n");
    for row in rows(model, options).0 {
        let (number, differs, basis) = (row.line.to_string(), row.differs.to_string(), row.basis.name());
        let declared = row.declared.unwrap_or_default();
        let cells = [&number, &row.layer, &row.ty, &row.output, &row.inferred, &declared, &differs, basis, &row.from];
        text.push_str(&line(cells));
    }
    text
}
