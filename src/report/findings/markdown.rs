//! A table of the findings in Markdown, for job summaries and comments; and the escaping of text for any Markdown output.

use super::entry::{entries, file_text};
use super::{FormatSpec, Join};
use crate::report::{ModelReport, Summary};
use crate::text::grouped;
use std::fmt::Write;

pub(in crate::report) static FORMAT: FormatSpec = FormatSpec {
    head: || Ok(TITLE.to_owned()),
    join: Join::Lines { header: COLUMNS, kind: |_| "", most: SHOWN },
    tail: |end, _| Ok(closing(end.summary)),
    ..FormatSpec::new("md", "a table, for comments and job summaries", |model, _| Ok(render(model)))
};

/// The maximum number of rows, because job summaries and comments are limited in size.
const SHOWN: usize = 100;

const TITLE: &str = "### ovlint\n\n";

/// The head of the table, written before the first row.
const COLUMNS: &str = "| severity | rule | place | finding |\n|---|---|---|---|\n";

/// Renders a row per root finding.
fn render(model: &ModelReport) -> String {
    let file = text(&file_text(model));
    let mut out = String::new();
    for entry in entries(model) {
        let (severity, rule) = (entry.finding.severity.name(), entry.finding.rule.name);
        let position = entry.position.map(|(start, _)| format!(":{}:{}", start.line, start.column)).unwrap_or_default();
        let _ = writeln!(out, "| {severity} | `{rule}` | {file}{position} | {} |", text(&entry.full_message()));
    }
    out
}

/// The closing lines.
fn closing(summary: &Summary) -> String {
    let found = summary.errors + summary.warnings + summary.infos;
    let mut out = String::new();
    if found > SHOWN {
        let _ = write!(out, "\nand {} more.", grouped(found - SHOWN));
    }
    if found > 0 {
        out.push('\n');
    }
    out + &text(&summary.text(usize::MAX))
}

/// Escapes text for Markdown: no name becomes a link, an image, HTML, a mention or another column.
///
/// Autolinks match `://`, `www.` and `@` even if these are escaped, so a zero-width space is inserted into them.
pub fn text(plain: &str) -> String {
    const APART: &str = "&#8203;";
    let mut out = String::with_capacity(plain.len());
    let mut rest = plain;
    while let Some(character) = rest.chars().next() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '!' | '@') {
            out.push('\\');
        }
        let behind = rest.get(character.len_utf8()..).unwrap_or_default();
        if character == '.' && ends_with_www(plain, rest) {
            out.push_str(APART);
        }
        out.push(character);
        if character == '@' || character == ':' && behind.starts_with("//") {
            out.push_str(APART);
        }
        rest = behind;
    }
    out
}

/// Whether a text ends in `www`.
fn ends_with_www(text: &str, rest: &str) -> bool {
    let before = text.get(..text.len() - rest.len()).unwrap_or_default();
    before.get(before.len().saturating_sub(3)..).is_some_and(|end| end.eq_ignore_ascii_case("www"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_addresses_make_no_links() {
        for (plain, wanted) in [
            ("see https://x.example", "see https:&#8203;//x.example"),
            ("WWW.x.example", "WWW&#8203;.x.example"),
            ("a@x.example @someone", "a\\@&#8203;x.example \\@&#8203;someone"),
            ("ü.a ::b ..", "ü.a ::b .."),
        ] {
            assert_eq!(text(plain), wanted);
        }
    }
}
