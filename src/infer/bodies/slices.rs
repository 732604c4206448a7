//! The slices of a TensorIterator as OpenVINO's CPU plugin counts them, once every shape is known.
//!
//! Position -1 is behind the last element, so that `end="-1"` includes it. The stride is the length of a slice, whatever
//! `part_size` is, and all inputs and outputs need the same number of slices.

use super::BodyOp;
use super::rules::BAD_PORT_MAP;
use super::runs::Runs;
use super::wiring::written;
use crate::diagnostic::Diagnostic;
use crate::ir::Slice;
use crate::types::{Dim, Fact, PartialShape};

/// Reports the first port map entry that the plugin rejects when it compiles the model, and returns whether there is one. Does
/// nothing while a shape is unknown.
pub(super) fn report_refused(host: &mut BodyOp, body: &Runs, outputs: &[Fact]) -> bool {
    let wiring = body.wiring();
    let inputs = wiring.inputs.iter().map(|inlet| (inlet.tag, inlet.slice, host.input(inlet.external)));
    let given = wiring.outputs.iter().zip(outputs).map(|(outlet, fact)| (outlet.tag, outlet.slice, fact.clone()));
    let ends: Vec<_> = inputs.chain(given).collect();
    let is_known = ends.iter().all(|(_, slice, fact)| {
        fact.shape.is_static() && !fact.assumed && slice.is_none_or(|slice| slice.part_size > 0)
    });
    // With `is_openvino`, inference goes as far as OpenVINO reads the file, and the plugin is not asked. OpenVINO turns a
    // TensorIterator with a recurrent cell into a sequence operation, whatever the stride.
    if !is_known || host.is_openvino() || body.holds_cell() {
        return false;
    }
    let mut first = None;
    for (tag, slice, fact) in ends {
        let Some(slice) = slice else { continue };
        let Some(length) = sliced_length(&slice, &fact.shape).and_then(Dim::length) else { continue };
        let (place, message) = match (count(&slice, length), first) {
            (Err((attribute, message)), _) => (written(host.scope, tag, attribute), message),
            (Ok(count), Some((_, before))) if count != before => (
                tag,
                format!("this entry cuts {length} elements into {count} slices, but another entry has {before} slices"),
            ),
            (Ok(count), _) => {
                first = first.or(Some((tag, count)));
                continue;
            }
        };
        let mut finding = Diagnostic::new(&BAD_PORT_MAP, place, message).runtime(host.not_compiled(body, outputs));
        if let Some((other, before)) = first {
            finding = finding.label(other, format!("{before} slices"));
        }
        host.report_at(finding);
        return true;
    }
    false
}

/// Returns the dimension that is sliced; `None` if the rank is unknown or lacks the axis.
pub(super) fn sliced_length(slice: &Slice, whole: &PartialShape) -> Option<Dim> {
    let axis = usize::try_from(slice.axis).ok()?;
    (axis < whole.rank()?).then(|| whole.dim(axis))
}

/// Returns the number of slices, or the attribute that the plugin rejects, and why.
fn count(slice: &Slice, length: i64) -> Result<i128, (&'static str, String)> {
    let Slice { start, end, stride, .. } = *slice;
    let from_front = |position: i64| i128::from(position) + if position < 0 { i128::from(length) + 1 } else { 0 };
    let (from, to) = if stride < 0 { (end, start) } else { (start, end) };
    let (from, to, step) = (from_front(from), from_front(to), i128::from(stride).abs());
    if step == 0 {
        return Err(("stride", "a `stride` of 0 never moves on".to_owned()));
    }
    if from < 0 || to > i128::from(length) || to - from < step {
        let text =
            format!("`start` {start}, `end` {end} and `stride` {stride} select no slice of the {length} elements");
        return Err(("stride", text));
    }
    if (to - from) % step != 0 {
        return Err(("stride", format!("a `stride` of {stride} does not divide {} elements", to - from)));
    }
    Ok((to - from) / step)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected values: the CPU plugin of OpenVINO 2026.4.1, for an axis of 6 elements.
    #[test]
    fn slices_are_counted_from_start_to_end() {
        for (start, end, stride, slices) in [
            (0, -1, 1, Some(6)),
            (0, -1, 2, Some(3)),
            (0, -1, 3, Some(2)),
            (2, 4, 1, Some(2)),
            (1, 6, 1, Some(5)),
            (0, -2, 1, Some(5)),
            (-1, 0, -1, Some(6)),
            (0, -1, -1, None),
            (4, 1, 1, None),
            (0, 7, 1, None),
            (0, -1, 4, None),
        ] {
            let slice = Slice { axis: 1, start, end, stride, part_size: 1 };
            assert_eq!(count(&slice, 6).ok(), slices, "{start} {end} {stride}");
        }
    }
}
