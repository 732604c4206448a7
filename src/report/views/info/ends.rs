//! The lines of `ovlint info` about inputs or outputs. Those whose names differ in numbers alone share a line.

use super::shown;
use crate::query::End;
use crate::report::views::stops::mark;
use crate::text::grouped;
use crate::types::bare_fact;
use std::collections::HashMap;

/// The maximum number of lines.
const MOST: usize = 10;

/// The number of inputs or outputs above which two that differ in numbers share a line, as three do among fewer.
const MANY: usize = 4;

/// The widest name that the facts are aligned behind.
const NAME: usize = 60;

/// Returns the lines; `none` if there are no inputs or outputs.
pub(super) fn lines(all: &[End]) -> Vec<String> {
    let mut found: Vec<(String, Vec<&End>)> = Vec::new();
    let mut known: HashMap<(String, String), usize> = HashMap::new();
    for one in all {
        let name = pattern(&format!("{}{}", shown(&one.layer), others(one)));
        let at = *known.entry((name.clone(), fact(one))).or_insert(found.len());
        match found.get_mut(at) {
            Some((_, ends)) => ends.push(one),
            None => found.push((name, vec![one])),
        }
    }
    let mut rows: Vec<(String, String)> = Vec::new();
    for (name, ends) in found {
        match ends[..] {
            [first, _, ..] if ends.len() > 2 || all.len() > MANY => {
                rows.push((name, format!("{}  x {}", fact(first), grouped(ends.len()))));
            }
            _ => rows.extend(ends.iter().map(|end| (shown(&end.layer), format!("{}{}", fact(end), others(end))))),
        }
    }
    let rest = rows.len().saturating_sub(MOST);
    let width = rows.iter().take(MOST).map(|(name, _)| name.chars().count()).max().unwrap_or(0).min(NAME);
    let mut lines: Vec<String> = rows.iter().take(MOST).map(|(name, fact)| format!("{name:<width$}  {fact}")).collect();
    lines.extend((rest > 0).then(|| format!("and {} more", grouped(rest))));
    if lines.is_empty() { vec!["none".to_owned()] } else { lines }
}

fn fact(end: &End) -> String {
    let mark = end.fact.as_ref().map_or("", |fact| mark(fact.basis()));
    let fact = end.fact.as_ref().map_or_else(|| "not connected".to_owned(), bare_fact);
    format!("{fact}{mark}")
}

/// Returns the tensor names other than that of the layer.
fn others(end: &End) -> String {
    let others: Vec<String> = end.tensors.iter().filter(|name| **name != end.layer).map(|name| shown(name)).collect();
    if others.is_empty() { String::new() } else { format!("  ({})", others.join(", ")) }
}

/// Returns a name with `*` in place of each number.
fn pattern(name: &str) -> String {
    let mut pattern = String::new();
    for letter in name.chars() {
        let letter = if letter.is_ascii_digit() { '*' } else { letter };
        if letter != '*' || !pattern.ends_with('*') {
            pattern.push(letter);
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_that_differ_in_numbers_share_a_line_among_many() {
        let end = |name: &str| End { layer: name.to_owned(), tensors: Vec::new(), fact: None, symbolic: None };
        let all: Vec<End> = ["logits", "k.0", "k.1", "v.0", "v.1"].map(end).into();
        assert_eq!(lines(&all[..3]).len(), 3);
        assert_eq!(lines(&all), ["logits  not connected", "k.*     not connected  x 2", "v.*     not connected  x 2"]);
    }

    #[test]
    fn numbers_make_a_pattern() {
        assert_eq!(pattern("past_key_values.12.key"), "past_key_values.*.key");
        assert_eq!(pattern("Result_2648"), "Result_*");
        assert_eq!(pattern("logits"), "logits");
    }
}
