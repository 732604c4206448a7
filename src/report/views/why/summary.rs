//! The inputs, constants and attributes that a tensor's shape depends on, each once, as `ovlint why` lists them above a long
//! tree.

use super::{Row, SUMMARY, details, shown};
use crate::arrange::Arrange;
use crate::query::why::{Aspect, How, Reason, Why};

/// Returns the roots: inputs, attributes and constants, each once.
pub(super) fn summary(whole: &Why, weights: &str) -> Vec<Row> {
    let mut found: Vec<(&Reason, Vec<Aspect>)> = Vec::new();
    for reason in &whole.reasons {
        leaves(reason, &mut found);
    }
    found.arrange_by_key(|(reason, aspects)| match (reason.how, aspects.first()) {
        (_, Some(Aspect::Rank)) => 5,
        (How::Parameter, _) => 0,
        (How::Constant, Some(Aspect::Element(_))) => 1,
        (How::Constant, _) => 3,
        (How::Data, _) => 4,
        _ => 2,
    });
    let more = found.len().saturating_sub(SUMMARY);
    let row = |(reason, aspects): &(&Reason, Vec<Aspect>)| {
        let left = format!("    {}{}", shown(&reason.tensor), listed(aspects));
        let bytes = if aspects.len() == 1 { reason.weights.clone() } else { None };
        (left, details(&Reason { weights: bytes, arithmetic: None, ..(*reason).clone() }, &[], weights))
    };
    let mut rows = vec![("  depends on".to_owned(), String::new())];
    rows.extend(found.iter().take(SUMMARY).map(row));
    rows.extend((more > 0).then(|| (format!("    and {more} more"), String::new())));
    rows
}

/// Collects the leaves by layer, with their aspects: reasons without sources, and numbers computed with attributes.
fn leaves<'a>(reason: &'a Reason, found: &mut Vec<(&'a Reason, Vec<Aspect>)>) {
    let is_leaf = reason.from.is_empty() && !matches!(reason.how, How::Above | How::Deeper | How::Fixed);
    if is_leaf || reason.how == How::Computed && !reason.attributes.is_empty() {
        let known = found.iter_mut().find(|(known, _)| known.tensor == reason.tensor && known.layer == reason.layer);
        match known {
            Some((_, aspects)) if aspects.contains(&reason.aspect) => {}
            Some((_, aspects)) => aspects.push(reason.aspect),
            None => found.push((reason, vec![reason.aspect])),
        }
    }
    reason.from.iter().for_each(|next| leaves(next, found));
}

/// Formats aspects of a layer: ` dims 0,2`, `[0,1]`, ` type`.
fn listed(aspects: &[Aspect]) -> String {
    let numbers = |of: fn(&Aspect) -> Option<usize>| {
        let mut all: Vec<usize> = aspects.iter().filter_map(of).collect();
        all.sort_unstable();
        all
    };
    let joined = |all: &[usize]| all.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let dims = numbers(|aspect| if let Aspect::Dim(axis) = aspect { Some(*axis) } else { None });
    let elements = numbers(|aspect| if let Aspect::Element(index) = aspect { Some(*index) } else { None });
    match (dims.as_slice(), elements.as_slice(), aspects) {
        ([], [], [only, ..]) => format!(" {only}"),
        ([axis], [], _) => format!(" dim {axis}"),
        (dims, [], _) => format!(" dims {}", joined(dims)),
        (_, elements, _) => format!("[{}]", joined(elements)),
    }
}
