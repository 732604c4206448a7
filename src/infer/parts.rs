//! What the ports of a `VariadicSplit` declare, where its lengths do not add up.

use super::Facts;
use super::explain::Scope;
use crate::ir::Layer;
use crate::types::from_front;

/// As many lengths are written one by one.
const WRITTEN: usize = 8;

/// Tells that the declared lengths fit the axis, and which of the others is wrong then; `None` if they fit as little.
pub(super) fn declared(scope: &Scope, facts: &Facts, layer: &Layer) -> Option<String> {
    let [data, axis, lengths] = scope.graph.inputs(layer) else { return None };
    let shape = &facts.of_port(data)?.shape;
    let axis = *facts.of_port(axis)?.value.as_deref()?.exact_integers()?.first()?;
    let axis = from_front(axis, shape.rank()?)?;
    let whole = shape.dims()?.get(axis)?.length()?;
    let lengths = facts.of_port(lengths)?.value.as_deref()?.exact_integers()?;
    let declared: Vec<i64> = scope
        .graph
        .outputs(layer)
        .iter()
        .map(|port| scope.graph.dims(port).get(axis).copied().filter(|length| *length >= 0))
        .collect::<Option<_>>()?;
    let sum = declared.iter().try_fold(0_i64, |sum, length| sum.checked_add(*length))?;
    if sum != whole || declared.len() != lengths.len() {
        return None;
    }
    let texts: Vec<String> = declared.iter().take(WRITTEN).map(i64::to_string).collect();
    let more = if declared.len() > WRITTEN { " + ..." } else { "" };
    let fits = format!("the ports declare {}{more} = {sum}, which fits axis {axis}", texts.join(" + "));
    let mut wrong = declared.iter().zip(&lengths).enumerate().filter(|(_, (declared, length))| declared != length);
    Some(match (wrong.next(), wrong.next()) {
        (Some((place, (declared, length))), None) => {
            format!("{fits}: is split_lengths[{place}] meant to be {declared} instead of {length}?")
        }
        _ => fits,
    })
}
