//! Damage to a weights file that explains its implausible constants: bytes were lost, added or put in another order.

use super::{NUMBER, Use, is_sensible, uses, values};
use crate::arrange::Arrange;
use crate::infer::with_call;
use crate::lint::{Checked, for_every_graph};
use crate::ops::Fault;
use crate::ops::apply::Call;
use crate::text::plural;
use crate::types::{Fact, codec};

/// The largest distance in bytes, in both directions, by which the offsets of constants may be wrong.
const SHIFT: i64 = 8;

/// The maximum number of bytes that may be lost in several places.
const LOST: u64 = 4096;

/// The number of constants from which on the only shift that makes them plausible is taken, whatever their readers accept.
const MANY: usize = 4;

/// The change of a weights file that makes all implausible constants plausible.
pub(super) enum Damage {
    /// The bytes lie this distance after their offsets.
    Shifted(i64),
    /// The bytes lie before their offsets, at most by this distance, and the later the further.
    Lost(u64),
    /// The bytes of each number are reversed.
    BigEndian,
    /// The bytes of each word of this size are reversed.
    Swapped(u64),
}

impl Damage {
    /// Finds the damage with which every constant in `odd` makes sense, if most of them do not as they are.
    pub(super) fn find(checked: &Checked, odd: &[Use]) -> Option<Self> {
        let plausible = odd.iter().filter(|used| used.is_sensible()).count();
        if plausible * 2 > odd.len() {
            return None;
        }
        let extra = extra(checked);
        if odd.len() > 1 && extra != 0 && makes_sense(odd, |used| moved(checked, used, extra)) {
            return Some(Self::Shifted(extra));
        }
        let is_reversed = |width| match odd.first().filter(|first| first.is_only(odd)) {
            Some(only) => extra == 0 && is_one_reversed(checked, only, width),
            None => makes_sense(odd, |used| swapped(checked, used, width)),
        };
        if is_reversed(None) {
            return Some(Self::BigEndian);
        }
        if let Some(width) = [4, 8, 2].into_iter().find(|width| is_reversed(Some(*width))) {
            return Some(Self::Swapped(width));
        }
        shift(checked, odd).map(Self::Shifted).or_else(|| lost(checked, odd, extra).map(Self::Lost))
    }

    /// Whether two implausible constants are enough evidence for the damage: the size of the file confirms it, or only another
    /// order of bytes makes both plausible.
    pub(super) fn is_certain(&self, checked: &Checked) -> bool {
        match self {
            Self::Shifted(shift) => *shift == extra(checked),
            Self::Lost(_) => false,
            Self::BigEndian | Self::Swapped(_) => true,
        }
    }

    /// Whether the bytes have another order.
    pub(super) fn is_reversed(&self) -> bool {
        matches!(self, Self::BigEndian | Self::Swapped(_))
    }

    /// Returns the distance of the bytes from their offsets, if it is the same everywhere.
    pub(super) fn shift(&self) -> Option<i64> {
        if let Self::Shifted(shift) = self { Some(*shift) } else { None }
    }

    /// Returns the note about the damage, with which a constant or several `make` sense.
    pub(super) fn note(&self, make: &str) -> String {
        match self {
            Self::Shifted(shift) => {
                let (count, s) = (shift.abs(), plural(shift.unsigned_abs()));
                let (side, change) = if *shift > 0 { ("after", "added") } else { ("before", "lost") };
                let header = if *shift > SHIFT && count.count_ones() == 1 { ", such as a header" } else { "" };
                let which = if *shift > 0 { "all of them" } else { "all of them that are still in the file" };
                format!(
                    "read {count} byte{s} {side} their offsets, {which} make sense: were bytes {change} at the start of the file{header}?"
                )
            }
            Self::Lost(most) => format!(
                "read up to {most} bytes before their offsets, all of them make sense: were bytes lost in several \
                 places, as when a file is converted as text?"
            ),
            Self::BigEndian => {
                format!("with the bytes of each number reversed {make} sense: is the file big-endian?")
            }
            Self::Swapped(width) => {
                format!("with every {width} bytes reversed {make} sense: was the byte order of the file changed?")
            }
        }
    }
}

/// Returns the number of bytes by which the file is longer than the model needs; below 0 if it is shorter.
fn extra(checked: &Checked) -> i64 {
    let (size, need) = (checked.scope.weights.size(), checked.scope.graph.weights_end());
    size.cast_signed().saturating_sub(need.cast_signed())
}

/// Whether all constants in `odd` are plausible with other values, not all of which are 0. Constants for which `other` has no
/// values are ignored.
fn makes_sense(odd: &[Use], other: impl Fn(&Use) -> Option<Vec<i64>>) -> bool {
    let mut is_nonzero = false;
    let mut is_plausible = |used: &Use| {
        other(used).is_none_or(|values| {
            is_nonzero |= values.iter().any(|value| *value != 0);
            // The rank of an input follows from other constants, which are wrong as well.
            is_sensible(used.input, None, &values)
        })
    };
    odd.iter().all(&mut is_plausible) && is_nonzero
}

/// Reads a constant at another offset.
fn moved(checked: &Checked, used: &Use, shift: i64) -> Option<Vec<i64>> {
    values(checked, &used.moved(shift)?)
}

/// Reads a constant with the bytes of each number reversed, or of each word of the file of `width` bytes.
fn swapped(checked: &Checked, used: &Use, width: Option<u64>) -> Option<Vec<i64>> {
    let (constant, weights) = (&used.constant, checked.scope.weights);
    let first = width.map_or(constant.offset, |width| constant.offset / width * width);
    let width = width.unwrap_or(u64::from(constant.ty.bits()) / 8).max(1);
    let end = constant.end().next_multiple_of(width).min(weights.size());
    let mut bytes = weights.read(first, usize::try_from(end.checked_sub(first)?).ok()?)?;
    bytes.chunks_exact_mut(usize::try_from(width).ok()?).for_each(<[u8]>::reverse);
    let bytes = bytes.get(usize::try_from(constant.offset - first).ok()?..)?;
    let value = codec::value(constant.ty, &constant.shape(), usize::try_from(constant.elements()?).ok()?, bytes)?;
    Some(value.exact_integers()?.to_vec())
}

/// Whether another order of bytes makes all integers small, also those of the only implausible constant. Its offset must be
/// aligned: at a wrong one, bytes of two numbers meet.
fn is_one_reversed(checked: &Checked, only: &Use, width: Option<u64>) -> bool {
    let bytes = width.unwrap_or(u64::from(only.constant.ty.bits()) / 8).max(1);
    let mut all = Vec::new();
    for_every_graph(checked, &mut |checked| {
        all.extend(checked.scope.graph.layers.iter().flat_map(|layer| uses(checked, layer)).map(|(_, used)| used));
    });
    let is_small = |values: &Vec<i64>| values.iter().all(|value| (-NUMBER..=NUMBER).contains(value));
    let reversed = |used: &Use| swapped(checked, used, width);
    only.constant.offset.is_multiple_of(bytes)
        && all.iter().all(|used| reversed(used).as_ref().is_none_or(is_small))
        && makes_sense(&all, reversed)
}

/// Returns the smallest shift of the offsets, in bytes, with which every constant in `odd` is plausible and accepted by the
/// layer that reads it. If a single shift makes many constants plausible, their readers are not asked.
fn shift(checked: &Checked, odd: &[Use]) -> Option<i64> {
    let mut shifts: Vec<i64> = (1..=SHIFT).flat_map(|distance| [distance, -distance]).collect();
    shifts.retain(|shift| makes_sense(odd, |used| moved(checked, used, *shift)));
    if let ([only], MANY..) = (&shifts[..], odd.len()) {
        return Some(*only);
    }
    let fits =
        |used: &Use, shift| moved(checked, used, shift).is_none_or(|all| is_sensible(used.input, used.rank, &all));
    shifts.retain(|shift| odd.iter().all(|used| fits(used, *shift)));
    for_every_graph(checked, &mut |checked| {
        for used in odd.chunk_by(|a, b| a.reader == b.reader) {
            shifts.retain(|shift| accepts(checked, used, *shift) != Some(false));
        }
    });
    shifts.first().copied()
}

/// Returns the number of bytes that were lost in several places, at most those that the file lacks.
fn lost(checked: &Checked, odd: &[Use], extra: i64) -> Option<u64> {
    let most = extra.min(0).unsigned_abs();
    if most > LOST || checked.scope.weights.traffic().is_some() {
        return None; // Of remote files, no more is read.
    }
    let mut sorted: Vec<&Use> = odd.iter().collect();
    sorted.arrange_by_key(|used| used.constant.offset);
    let mut lost = 0;
    for used in &sorted {
        let before = |shift: u64| moved(checked, used, shift.cast_signed().wrapping_neg());
        let fits = |shift: &u64| before(*shift).is_some_and(|values| is_sensible(used.input, None, &values));
        lost = (lost..=most).find(fits)?;
    }
    (sorted.len() > 1 && lost > 0).then_some(lost)
}

/// Whether a layer accepts the bytes that lie `shift` after those of its constants; `None` if the layer is in another graph.
fn accepts(checked: &Checked, used: &[Use], shift: i64) -> Option<bool> {
    let graph = checked.scope.graph;
    let layer = graph.layer(graph.layer_at(used.first()?.reader)?)?;
    let spec = graph.kind(layer).spec()?;
    with_call(checked.scope.source, graph, checked.facts, layer, spec, |call| {
        let mut inputs: Vec<Fact> = call.inputs.iter().map(|fact| (*fact).clone()).collect();
        for one in used {
            let value = one.moved(shift).and_then(|moved| checked.scope.weights.value(&moved));
            let input = inputs.get_mut(one.index)?;
            *input = std::mem::replace(input, Fact::unknown()).with_value(value);
        }
        let inputs: Vec<&Fact> = inputs.iter().collect();
        let result = Call { inputs: &inputs, ..*call }.apply(checked.scope.limits);
        Some(!result.faults.iter().any(Fault::is_error))
    })
}
