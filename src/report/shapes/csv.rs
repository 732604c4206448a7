//! The inferred shapes beside the declared ones, for spreadsheets and scripts.

use super::rows::{TableOptions, rows};
use crate::Model;

/// A line per output as RFC 4180 has it; `differs` and `assumed` are `true` or `false`.
pub fn csv(model: &Model, options: &TableOptions) -> String {
    let mut text = String::from("line,layer,op,output,inferred,declared,differs,assumed,from\n");
    for row in rows(model, options).0 {
        let (line, differs, assumed) = (row.line.to_string(), row.differs.to_string(), row.assumed.to_string());
        let declared = row.declared.unwrap_or_default();
        let cells = [&line, &row.layer, &row.ty, &row.output, &row.inferred, &declared, &differs, &assumed, &row.from];
        let cells: Vec<String> = cells.into_iter().map(|cell| quoted(cell)).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_quotes_are_quoted() {
        assert_eq!(["a b", "a,b", "a\"b"].map(quoted), ["a b", "\"a,b\"", "\"a\"\"b\""]);
    }
}
