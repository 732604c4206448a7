//! The inferred shapes beside the declared ones, for spreadsheets and scripts.

use super::rows::{TableOptions, rows};
use crate::analysis::Model;

/// A line per output as RFC 4180 has it; `differs` and `assumed` are `true` or `false`. A cell that starts with `=`, `+`,
/// `-` or `@` has an apostrophe in front, so that no spreadsheet runs it.
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

/// A cell. An apostrophe keeps spreadsheets from running text as a formula.
fn quoted(cell: &str) -> String {
    let apostrophe = if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    if cell.contains([',', '"']) {
        format!("\"{apostrophe}{}\"", cell.replace('"', "\"\""))
    } else {
        format!("{apostrophe}{cell}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_quotes_are_quoted() {
        assert_eq!(["a b", "a,b", "a\"b"].map(quoted), ["a b", "\"a,b\"", "\"a\"\"b\""]);
    }

    #[test]
    fn formulas_are_text() {
        let cells = ["=1+2", "+a", "-a", "@a", "\ta", "\ra", "=a(\"b\",c)"].map(quoted);
        assert_eq!(cells, ["'=1+2", "'+a", "'-a", "'@a", "'\ta", "'\ra", "\"'=a(\"\"b\"\",c)\""]);
        assert_eq!(["a=1", "f32[1,2]", "12"].map(quoted), ["a=1", "\"f32[1,2]\"", "12"]);
    }
}
