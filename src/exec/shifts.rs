//! Copies of runs of bits that begin anywhere in a byte: each word is put together from two.
//!
//! The first bit of a byte is the highest one if `HIGH`.

#![allow(clippy::inline_always, reason = "a run is too short for a call")]

use std::ops::Range;

/// The mean number of bits in a run from which [`copy`] is faster.
const LONG: usize = 512;

/// Returns true if [`copy_rows`] is faster than a split by masks.
pub(super) fn are_long(runs: &[usize]) -> bool {
    runs.iter().sum::<usize>() >= LONG * runs.len()
}

/// Splits rows into runs of these numbers of bits, run by run.
pub(super) fn copy_rows<const HIGH: bool>(count: usize, runs: &[usize], input: &[u8], outputs: &mut [&mut [u8]]) {
    let mut from = 0;
    for row in 0..count {
        for (&run, output) in runs.iter().zip(&mut *outputs) {
            copy::<HIGH>(input, from..from + run, output, row * run);
            from += run;
        }
    }
}

/// Copies a range of bits to the output, from bit `to` on. The bits before it stay, and zeros may be written behind the last, so
/// ranges are copied in ascending order.
#[inline(always)]
pub(super) fn copy<const HIGH: bool>(input: &[u8], range: Range<usize>, output: &mut [u8], to: usize) {
    let Range { start, end } = range;
    let used = to % 8;
    let output = &mut output[to / 8..];
    let Some(kept) = output.first().filter(|_| start < end) else { return };
    let kept = first::<HIGH>(load::<HIGH>([*kept, 0, 0, 0, 0, 0, 0, 0]), used);
    let bits = first::<HIGH>(word::<HIGH>(input, start), (end - start).min(64 - used));
    put(bytes::<HIGH>(kept | if HIGH { bits >> used } else { bits << used }), output);
    let mut from = start + 64 - used;
    if from >= end {
        return;
    }
    let mut output = &mut output[8..];
    if end - from >= 64 {
        let (targets, rest) = output.split_at_mut((end - from) / 64 * 8);
        copy_words::<HIGH>(input, from, targets.as_chunks_mut().0);
        (from, output) = (from + targets.len() * 8, rest);
    }
    if from < end {
        put(bytes::<HIGH>(first::<HIGH>(word::<HIGH>(input, from), end - from)), output);
    }
}

/// Copies the bits from bit `from` on.
fn copy_words<const HIGH: bool>(input: &[u8], from: usize, output: &mut [[u8; 8]]) {
    let (words, next) = (input[from / 8..].as_chunks().0, input[from / 8 + 1..].as_chunks().0);
    let joined = words.iter().zip(next).map(|(word, next)| join::<HIGH>(*word, *next, from % 8));
    let done = joined.len();
    output.iter_mut().zip(joined).for_each(|(target, word)| *target = bytes::<HIGH>(word));
    for (i, target) in output.iter_mut().enumerate().skip(done) {
        *target = bytes::<HIGH>(word::<HIGH>(input, from + i * 64));
    }
}

/// Writes as many of the bytes as there is room for.
#[inline(always)]
fn put(bytes: [u8; 8], output: &mut [u8]) {
    match output.first_chunk_mut() {
        Some(target) => *target = bytes,
        None => output.iter_mut().zip(bytes).for_each(|(target, byte)| *target = byte),
    }
}

/// Returns the 64 bits from bit `from` on; zeros behind the end.
#[inline(always)]
fn word<const HIGH: bool>(input: &[u8], from: usize) -> u64 {
    let rest = input.get(from / 8..).unwrap_or_default();
    let mut padded = [0; 9];
    let rest = rest.first_chunk().unwrap_or_else(|| {
        padded.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        &padded
    });
    let mut words = [[0; 8]; 2];
    words[0].copy_from_slice(&rest[..8]);
    words[1].copy_from_slice(&rest[1..]);
    join::<HIGH>(words[0], words[1], from % 8)
}

/// Returns the 64 bits that begin with bit `shift` of a word, whose second byte is the first of `next`.
fn join<const HIGH: bool>(word: [u8; 8], next: [u8; 8], shift: usize) -> u64 {
    let (word, next) = (load::<HIGH>(word), load::<HIGH>(next));
    if HIGH { word << shift | next >> (8 - shift) } else { word >> shift | next << (8 - shift) }
}

/// Returns the first bits of a word, and zeros.
fn first<const HIGH: bool>(word: u64, count: usize) -> u64 {
    let unused = 64 - count;
    if count == 0 {
        0
    } else if HIGH {
        word >> unused << unused
    } else {
        word << unused >> unused
    }
}

/// Returns a word whose first bit is its highest one, or its lowest.
pub(super) fn load<const HIGH: bool>(bytes: [u8; 8]) -> u64 {
    if HIGH { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) }
}

/// Returns the bytes of such a word, as [`load`] takes them.
pub(super) fn bytes<const HIGH: bool>(word: u64) -> [u8; 8] {
    if HIGH { word.to_be_bytes() } else { word.to_le_bytes() }
}
