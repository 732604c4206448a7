//! Attributes by name and text: their role in a formula, and other values to try.

use crate::ops::{Attr, Kind};

/// Maximum number of items of a list attribute to change, one at a time.
const ITEMS: usize = 16;

/// Whether an input or attribute of this name is a position, not a quantity.
pub(super) fn is_position(name: &str) -> bool {
    ["axis", "axes", "order", "batch_dims"].iter().any(|word| name.contains(word))
}

/// Whether an attribute can be a term of a formula.
pub(super) fn is_quantity(attr: &Attr) -> bool {
    let counts = !matches!(attr.kind, Kind::Flag | Kind::Choice(_) | Kind::Text | Kind::Texts);
    counts && !is_position(attr.name)
}

/// Whether all numbers of a text are neutral in a sum (0) or a product (1).
pub(super) fn is_neutral(text: &str) -> bool {
    text.split(',').all(|item| matches!(item.trim(), "" | "0" | "1"))
}

/// Whether an attribute has no effect, so that showing it explains nothing.
pub(super) fn has_no_effect(name: &str, text: &str) -> bool {
    let all = |wanted: &str| text.split(',').all(|item| item.trim() == wanted);
    all("0") || (matches!(name, "strides" | "dilations") && all("1"))
}

pub(super) fn other_texts(kind: Kind, text: &str) -> Vec<String> {
    let number = |min: i64, max: i64| {
        let now = text.trim().parse::<i64>().ok();
        let near = now.into_iter().flat_map(|n| [n.saturating_add(1), n.saturating_sub(1), n.saturating_mul(2), 1, 0]);
        near.filter(move |n| Some(*n) != now && (min..=max).contains(n)).map(|n| n.to_string()).collect()
    };
    let list = |step: &dyn Fn(&str) -> Vec<String>| {
        let items: Vec<&str> = text.split(',').map(str::trim).collect();
        let with = |at: usize, item: String| {
            let mut changed: Vec<String> = items.iter().map(|item| (*item).to_owned()).collect();
            changed[at] = item;
            changed.join(",")
        };
        let each = (0..items.len().min(ITEMS)).flat_map(|at| step(items[at]).into_iter().map(move |item| (at, item)));
        each.map(|(at, item)| with(at, item)).collect()
    };
    match kind {
        Kind::Int(min, max) => number(min, max),
        Kind::Int32(min) => number(min.into(), i32::MAX.into()),
        Kind::Ints(..) | Kind::Unsigned => list(&|item| {
            let (min, max) = if let Kind::Ints(min, max) = kind { (min, max) } else { (0, i64::MAX) };
            let now = item.parse::<i64>().ok();
            let near = now.into_iter().flat_map(|n| [n.saturating_add(1), n.saturating_sub(1)]);
            near.filter(|n| (min..=max).contains(n)).map(|n| n.to_string()).collect()
        }),
        Kind::Float => text.trim().parse::<f64>().map(|n| vec![(n * 2.0 + 1.0).to_string()]).unwrap_or_default(),
        Kind::Floats => {
            list(&|item| item.parse::<f64>().map(|n| vec![(n * 2.0 + 1.0).to_string()]).unwrap_or_default())
        }
        Kind::Flag => {
            vec![if matches!(text, "1") || text.eq_ignore_ascii_case("true") { "false" } else { "true" }.to_owned()]
        }
        Kind::Choice(words) | Kind::Word(words) => words.iter().map(|word| (*word).to_owned()).collect(),
        Kind::Type => ["i32", "i64", "f32", "f16"].map(str::to_owned).to_vec(),
        Kind::Shape => vec!["...".to_owned()],
        Kind::Text | Kind::Texts => Vec::new(),
    }
}
