//! Comma-separated values as in RFC 4180, safe against formulas in spreadsheets.

/// Formats a line. A cell that starts with `=`, `+`, `-` or `@` gets an apostrophe in front.
pub(super) fn line<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|cell| quoted(cell.as_ref())).collect();
    cells.join(",") + "\n"
}

/// Quotes a cell. An apostrophe keeps spreadsheets from running it as a formula.
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
