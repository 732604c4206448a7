//! Damage to a whole weights file whose size is not the one that the model needs.

use crate::ir::Weights;
use crate::lint::{Checked, for_every_graph};
use crate::text::plural;
use crate::types::ElementType;
use ElementType::{F16, F32};
use std::collections::BTreeMap;

/// The size in bytes of a read.
pub(super) const BLOCK: u64 = 1 << 20;

/// Returns what happened to a file that has not `end` bytes, as the end of a sentence about its size.
pub(super) fn damage(checked: &Checked, end: u64) -> Option<String> {
    let (weights, mut all) = (checked.scope.weights, BTreeMap::new());
    for_every_graph(checked, &mut |Checked { scope, .. }| {
        let constants = scope.graph.layers.iter().filter_map(|layer| scope.graph.constant(layer));
        constants.for_each(|one| _ = all.entry((one.offset, one.size)).or_insert(one.ty));
    });
    let lost = end.saturating_sub(weights.size());
    let lines = || has_other_line_ends(weights, lost.cast_signed().saturating_neg());
    let what =
        || format!("it lacks {lost} byte{s}, about as many as CR LF that it would hold by chance", s = plural(lost));
    let types = other_type(weights, &all, end, F32, F16).or_else(|| other_type(weights, &all, end, F16, F32));
    types.or_else(|| lines().then(|| what() + ", so it may have been converted as text"))
}

/// Says that the file holds `to` in the place of `from`, if both its size and its numbers show it.
fn other_type(
    weights: &Weights,
    all: &BTreeMap<(u64, u64), ElementType>,
    end: u64,
    from: ElementType,
    to: ElementType,
) -> Option<String> {
    let scaled = |bytes: u64| bytes.saturating_mul(u64::from(to.bits())) / u64::from(from.bits());
    let floats = || all.iter().filter(|(_, ty)| **ty == from).map(|(place, _)| *place);
    let bytes = floats().fold(0, |sum: u64, (_, size)| sum.saturating_add(size));
    let is_part = bytes > 0 && end.checked_sub(bytes)?.checked_add(scaled(bytes)) == Some(weights.size());
    let is_whole = bytes > end / 2 && scaled(end) == weights.size();
    if weights.traffic().is_some() || !(is_part || is_whole) {
        return None; // Of remote files, no more is read.
    }
    let (mut sample, mut before) = (Vec::new(), 0);
    for (offset, size) in floats().take(256) {
        let moved = offset.checked_sub(before)?.checked_add(scaled(before))?;
        before = before.saturating_add(size);
        let length = usize::try_from(scaled(size).min(4096) & !3).ok()?;
        sample.extend(weights.read(if is_part { moved } else { scaled(offset) }, length)?);
    }
    let words = sample.as_chunks::<2>().0;
    let strange = words.iter().filter(|word| word[1] & 0x7c == 0x7c).count();
    let is_f16 = || strange * 200 <= words.len() && !looks_like_f32(&sample[2..]).unwrap_or(true);
    let is_right = if looks_like_f32(&sample)? { to == F32 } else { to == F16 && is_f16() };
    let share = match (is_whole, to) {
        (false, _) => format!("what {to} in the place of {from} takes"),
        (true, F16) => "half of that".into(),
        (true, _) => "twice that".into(),
    };
    is_right.then(|| format!("this is exactly {share}, so these may be {to} weights for an {from} model"))
}

/// Whether most numbers are neither tiny nor huge as f32; `None` if there are too few.
fn looks_like_f32(bytes: &[u8]) -> Option<bool> {
    let words = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word) >> 23 & 0xff);
    let (usual, other): (Vec<u32>, Vec<u32>) =
        words.filter(|power| *power > 0).partition(|power| (97..148).contains(power));
    (usual.len() + other.len() >= 64).then_some(usual.len() >= 4 * other.len())
}

/// Whether the surplus is exactly one carriage return per line feed, as after a text-mode conversion, or, below 0, as many
/// bytes are missing as there would be CR LF by chance, and there is none.
pub(super) fn has_other_line_ends(weights: &Weights, surplus: i64) -> bool {
    let (size, bytes) = (weights.size(), surplus.unsigned_abs());
    let most = if surplus > 0 { size / 8 } else { size / 1024 };
    if surplus == 0 || bytes > most || surplus < 0 && weights.traffic().is_some() {
        return false;
    }
    let (mut feeds, mut returns, mut both, mut before, mut offset, mut step) = (0_u64, 0_u64, 0_u64, 0, 0, 1 << 12);
    while offset < size {
        let length = (size - offset).min(step);
        let Some(block) = usize::try_from(length).ok().and_then(|length| weights.read(offset, length)) else {
            return false;
        };
        for feed in memchr::memchr_iter(b'\n', &block) {
            let is_both = feed.checked_sub(1).map_or(before, |at| block[at]) == b'\r';
            if surplus > 0 && !is_both {
                return false; // Files that were not converted have a bare line feed early on.
            }
            (feeds, both) = (feeds + 1, both + u64::from(is_both));
        }
        returns += memchr::memchr_iter(b'\r', &block).count() as u64;
        before = block.last().copied().unwrap_or_default();
        offset += length;
        step = (step * 2).min(BLOCK);
    }
    let expected = feeds.saturating_mul(returns) / size;
    let is_lost = expected >= 5 && (expected / 4..=expected.saturating_mul(4) + 16).contains(&bytes);
    if surplus > 0 { both == bytes } else { is_lost && both <= bytes / 64 }
}
