//! The values to try for an attribute or a constant, the likeliest first.

use crate::arrange::Arrange;
use crate::ir::{Graph, Port};
use crate::ops::{Attr, Kind};

/// Maximum number of elements of a list and of inputs of a layer to vary, and of ports whose types are tried.
pub(super) const ELEMENTS: usize = 8;

/// Maximum length of a list to vary.
pub(super) const LIST: usize = 64;

/// Returns the texts to try for an attribute, the likeliest first; `found` may be among them. Integers are close to it or one of
/// `numbers`, types and shapes are those of `ports`.
pub(super) fn texts(attr: &Attr, found: &str, numbers: &[i64], graph: &Graph, ports: &[Port]) -> Vec<String> {
    match attr.kind {
        Kind::Int(..) | Kind::Int32(_) => {
            let Ok(number) = found.trim().parse() else { return Vec::new() };
            variants(&[number], numbers).into_iter().filter_map(|list| Some(list.first()?.to_string())).collect()
        }
        Kind::Ints(..) | Kind::Unsigned => {
            let Some(values) = numbers_of(found).filter(|values| values.len() <= LIST) else { return Vec::new() };
            let between = if found.contains(", ") { ", " } else { "," };
            variants(&values, numbers)
                .into_iter()
                .map(|list| list.iter().map(i64::to_string).collect::<Vec<_>>().join(between))
                .collect()
        }
        Kind::Flag => ["true", "false"].map(str::to_owned).into(),
        // If there is only one word, it explains nothing.
        Kind::Choice(words) | Kind::Word(words) if words.len() > 1 => {
            words.iter().filter(|word| **word != found).map(|word| (*word).to_owned()).collect()
        }
        Kind::Type => ports.iter().take(ELEMENTS).filter_map(|port| port.precision).map(|ty| ty.to_string()).collect(),
        Kind::Shape => {
            let shape = |port: &Port| -> Option<String> {
                let dims: Vec<String> = graph
                    .dims(port)
                    .iter()
                    .map(|dim| if *dim < 0 { "?".to_owned() } else { dim.to_string() })
                    .collect();
                (!dims.is_empty()).then(|| dims.join(","))
            };
            ports.iter().take(1).filter_map(shape).collect()
        }
        Kind::Choice(_) | Kind::Word(_) | Kind::Float | Kind::Floats | Kind::Text | Kind::Texts => Vec::new(),
    }
}

/// Returns variants of `values` with one number changed and, if all numbers are equal, others with all changed alike. Variants
/// that keep the sign come first, then those nearest to the original number.
pub(super) fn variants(values: &[i64], numbers: &[i64]) -> Vec<Vec<i64>> {
    let mut lists: Vec<(bool, u64, Vec<i64>)> = Vec::new();
    for (index, found) in values.iter().enumerate().take(ELEMENTS) {
        let near = [found.saturating_sub(1), found.saturating_add(1)];
        for number in numbers.iter().chain(&near).filter(|number| *number != found) {
            let mut list = values.to_vec();
            list[index] = *number;
            lists.push(((*number < 0) != (*found < 0), number.abs_diff(*found), list));
        }
    }
    if let [first, _, ..] = values
        && values.iter().all(|value| value == first)
    {
        let others = numbers.iter().filter(|number| *number != first);
        lists.extend(
            others.map(|number| ((*number < 0) != (*first < 0), number.abs_diff(*first), vec![*number; values.len()])),
        );
    }
    lists.arrange();
    lists.dedup();
    lists.into_iter().map(|(.., list)| list).collect()
}

/// Returns the first candidate that fits, and whether it is the only one but for those that mean the same.
pub(super) fn first<T: PartialEq>(
    candidates: Vec<T>,
    is_same: impl Fn(&T, &T) -> bool,
    mut fits: impl FnMut(&T) -> bool,
) -> Option<(T, bool)> {
    let mut candidates = candidates.into_iter();
    let first = candidates.find(&mut fits)?;
    let is_only = !candidates.any(|other| other != first && !is_same(&first, &other) && fits(&other));
    Some((first, is_only))
}

/// Whether two lists differ in signs: -1 is often another name of a number that also fits, such as the last axis.
pub(super) fn differ_in_signs(one: &[i64], other: &[i64]) -> bool {
    one.iter().zip(other).any(|(one, other)| (*one < 0) != (*other < 0))
}

/// As [`differ_in_signs`], of the texts of two attributes.
pub(super) fn texts_differ_in_signs(one: &str, other: &str) -> bool {
    numbers_of(one).zip(numbers_of(other)).is_some_and(|(one, other)| differ_in_signs(&one, &other))
}

/// Parses an attribute that holds integers only.
pub(super) fn numbers_of(text: &str) -> Option<Vec<i64>> {
    text.split(',').map(|item| item.trim().parse().ok()).collect()
}
