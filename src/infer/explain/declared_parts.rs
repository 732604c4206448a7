//! The note for a `VariadicSplit` whose lengths do not add up, if the parts that its output ports declare do.

use crate::diagnostic::Note;
use crate::infer::facts::Facts;
use crate::infer::scope::Scope;
use crate::ir::Layer;
use crate::types::from_front;

/// Limit for the parts in a note.
const WRITTEN: usize = 8;

/// A note that the declared ports fit the axis, with the length that would be wrong; `None` if they do not fit either.
pub(super) fn declared_parts(scope: &Scope, facts: &Facts, layer: &Layer) -> Option<Note> {
    let [data, axis, lengths] = scope.graph.inputs(layer) else { return None };
    let (data, axis, lengths) = (facts.of_port(data)?, facts.of_port(axis)?, facts.of_port(lengths)?);
    let axis = from_front(*axis.value.as_deref()?.exact_integers()?.first()?, data.rank()?)?;
    let whole = data.shape.dims()?.get(axis)?.length()?;
    let lengths = lengths.value.as_deref()?.exact_integers()?;
    let ports = scope.graph.outputs(layer).iter();
    let part = |dims: &[i64]| dims.get(axis).copied().filter(|length| *length >= 0);
    let declared: Vec<i64> = ports.map(|port| part(scope.graph.dims(port))).collect::<Option<_>>()?;
    let sum = declared.iter().try_fold(0_i64, |sum, length| sum.checked_add(*length))?;
    if sum != whole || declared.len() != lengths.len() {
        return None;
    }
    let texts: Vec<String> = declared.iter().take(WRITTEN).map(i64::to_string).collect();
    let more = if declared.len() > WRITTEN { " + ..." } else { "" };
    let fits = format!("the ports declare {}{more} = {sum}, which fits axis {axis}", texts.join(" + "));
    let mut wrong = declared.iter().zip(&lengths).enumerate().filter(|(_, (declared, length))| declared != length);
    Some(match (wrong.next(), wrong.next()) {
        (Some((index, (declared, length))), None) => {
            let text = format!("{fits}: is split_lengths[{index}] meant to be {declared} instead of {length}?");
            Note::Fits(text.into())
        }
        _ => fits.into(),
    })
}
