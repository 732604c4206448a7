//! Damage to a whole weights file whose size is not the one that the model needs.

use crate::ir::Weights;
use crate::lint::{Checked, for_every_graph};
use crate::text::plural;
use crate::types::ElementType;
use ElementType::{F16, F32};
use std::collections::BTreeMap;
use std::ops::Range;

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
    let what = || {
        format!("it lacks {lost} byte{s}, about one for each CR LF that chance puts into such a file", s = plural(lost))
    };
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
    let size = weights.size();
    let scaled = |bytes: u64| bytes.saturating_mul(u64::from(to.bits())) / u64::from(from.bits());
    let floats = all.iter().filter(|(_, ty)| **ty == from).map(|((_, size), _)| *size);
    let bytes = floats.fold(0, u64::saturating_add);
    let wanted = end.checked_sub(bytes)?.checked_add(scaled(bytes))?;
    let is_whole = scaled(end) == size;
    // Writers keep a few numbers in f32, and store constants once that are equal as f16.
    let is_near = wanted.abs_diff(size) <= wanted / 32;
    if weights.traffic().is_some() || bytes <= end / 2 || !(is_whole || is_near) {
        return None; // Of remote files, no more is read.
    }
    let share = match (wanted == size, is_whole, to) {
        (true, false, _) => format!("exactly what {to} in the place of {from} takes"),
        (_, true, F16) => "exactly half of that".into(),
        (_, true, _) => "exactly twice that".into(),
        (false, false, _) => format!("about what {to} in the place of {from} takes"),
    };
    (numbers(weights) == Some(to)).then(|| format!("this is {share}, so these may be {to} weights for an {from} model"))
}

/// The size in bytes of a sample of a file, and the maximum number of samples.
const SAMPLE: usize = 256;
const SAMPLES: u64 = 256;

/// Returns f32 or f16 if nearly all samples of a file whose type is recognized are of it.
fn numbers(weights: &Weights) -> Option<ElementType> {
    let step = (weights.size() / SAMPLES).max(SAMPLE as u64);
    let samples = (0..weights.size() / step).filter_map(|at| numbers_of(&weights.read(at * step, SAMPLE)?));
    let (single, half): (Vec<_>, Vec<_>) = samples.partition(|ty| *ty == F32);
    let [single, half] = [single.len(), half.len()];
    let ty = if single > half { F32 } else { F16 };
    (single.max(half) > 9 * single.min(half)).then_some(ty)
}

/// Recognizes f32 or f16 by the exponents of the numbers, which may start at any byte. Weights mostly lie between 2^-11 and 1/2.
fn numbers_of(bytes: &[u8]) -> Option<ElementType> {
    let words: Vec<[u8; 4]> = bytes.as_chunks().0.iter().filter(|word| **word != [0; 4]).copied().collect();
    let is_most = |at: usize, exponents: Range<u8>| {
        let count = words.iter().filter(|word| exponents.contains(&(word[at % 4] & 0x7f))).count();
        count * 8 >= words.len() * 7
    };
    let is_single = |at| is_most(at, 0x30..0x4a) && !is_most(at + 2, 0x10..0x4a);
    let is_half = |at| is_most(at, 0x10..0x38) && is_most(at + 2, 0x10..0x38) && !is_most(at + 1, 0..0x40);
    match (words.len() >= 48, (0..4).any(is_single), (0..2).any(is_half)) {
        (true, true, false) => Some(F32),
        (true, false, true) => Some(F16),
        _ => None,
    }
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
