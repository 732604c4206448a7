//! Splits and copies of packed elements, several of which share a byte: two of `i4` do.

use super::avx2;
use super::bits::Rows;
use super::kernel;
use super::shifts;
use crate::types::ElementType;
use crate::types::codec::block;
use crate::types::codec::packed::{pack, unpack};
use std::ops::Range;

/// The maximum number of elements that are unpacked at a time.
const CHUNK: usize = 16 << 10;

/// Splits `outer` rows as [`kernel::split_rows`] does, with runs counted in elements.
pub(super) fn split_rows(ty: ElementType, input: &[u8], outer: usize, runs: &[usize], outputs: &mut [&mut [u8]]) {
    let (elements, size) = block(ty);
    let row: usize = runs.iter().sum();
    if runs.iter().all(|run| run.is_multiple_of(elements)) {
        let runs: Vec<usize> = runs.iter().map(|run| run / elements * size).collect();
        return kernel::split_rows(&input[..outer * row / elements * size], &runs, outputs);
    }
    if size == 1 {
        let runs: Vec<usize> = runs.iter().map(|run| run * 8 / elements).collect();
        let done = match ty {
            ElementType::U1 => split_bits::<true>(input, outer, &runs, outputs),
            _ => split_bits::<false>(input, outer, &runs, outputs),
        };
        if done {
            return;
        }
    }
    if row > CHUNK {
        return split_long_rows(ty, input, outer, runs, outputs);
    }
    let rows = CHUNK / row;
    let mut codes = vec![0; rows * row];
    let mut parts: Vec<Vec<u8>> = runs.iter().map(|run| vec![0; rows * run]).collect();
    for first in (0..outer).step_by(rows) {
        let rows = rows.min(outer - first);
        let codes = &mut codes[..rows * row];
        unpack(ty, input, first * row, codes);
        let mut targets: Vec<&mut [u8]> =
            parts.iter_mut().zip(runs).map(|(part, run)| &mut part[..rows * run]).collect();
        kernel::split_rows(codes, runs, &mut targets);
        for ((part, run), output) in targets.iter().zip(runs).zip(&mut *outputs) {
            pack(ty, part, output, first * run);
        }
    }
}

/// Splits rows of runs counted in bits, if that is faster than to unpack them; returns whether it did.
fn split_bits<const HIGH: bool>(input: &[u8], outer: usize, runs: &[usize], outputs: &mut [&mut [u8]]) -> bool {
    if shifts::are_long(runs) {
        shifts::copy_rows::<HIGH>(outer, runs, input, outputs);
        return true;
    }
    Rows::<HIGH>::new(outer, runs).is_some_and(|rows| avx2::split_bits(&rows, input, outputs))
}

/// Copies run by run, for rows longer than a chunk.
fn split_long_rows(ty: ElementType, input: &[u8], outer: usize, runs: &[usize], outputs: &mut [&mut [u8]]) {
    let mut from = 0;
    for row in 0..outer {
        for (&run, output) in runs.iter().zip(&mut *outputs) {
            copy(ty, input, from..from + run, output, row * run);
            from += run;
        }
    }
}

/// Copies the elements of `range` to the output, from its element `to` on. Zeros may be written behind the last, as in
/// [`shifts::copy`].
pub(super) fn copy(ty: ElementType, input: &[u8], range: Range<usize>, output: &mut [u8], to: usize) {
    let (elements, size) = block(ty);
    let (mut from, mut to) = (range.start, to);
    if from.is_multiple_of(elements) && to.is_multiple_of(elements) {
        let blocks = range.len() / elements;
        let source = &input[from / elements * size..][..blocks * size];
        output[to / elements * size..][..blocks * size].copy_from_slice(source);
        (from, to) = (from + blocks * elements, to + blocks * elements);
    }
    if size == 1 {
        let (bits, to) = (from * 8 / elements..range.end * 8 / elements, to * 8 / elements);
        return match ty {
            ElementType::U1 => shifts::copy::<true>(input, bits, output, to),
            _ => shifts::copy::<false>(input, bits, output, to),
        };
    }
    let mut codes = [0; 1 << 10];
    while from < range.end {
        let count = codes.len().min(range.end - from);
        unpack(ty, input, from, &mut codes[..count]);
        pack(ty, &codes[..count], output, to);
        (from, to) = (from + count, to + count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::codec::packed::code;
    use ElementType as T;

    const PACKED: [ElementType; 8] = [T::U1, T::U2, T::U3, T::U4, T::U6, T::I4, T::Nf4, T::F4e2m1];

    fn codes(ty: ElementType, bytes: &[u8], count: usize) -> Vec<u8> {
        (0..count).map(|i| code(ty, bytes, i).unwrap()).collect()
    }

    #[test]
    fn elements_are_copied_to_any_place() {
        for ty in PACKED {
            let all: Vec<u8> = (0..40_u8).map(|i| i.wrapping_mul(37) & ((1 << ty.bits()) - 1)).collect();
            let bytes_of = |count: usize| usize::try_from(ty.storage(count as u64).unwrap()).unwrap();
            let mut bytes = vec![0xFF; bytes_of(40)];
            pack(ty, &all, &mut bytes, 0);
            for start in 0..20 {
                for count in 0..=20 {
                    let mut copied = vec![0xFF; bytes_of(8 + count)];
                    pack(ty, &all[..8], &mut copied, 0);
                    copy(ty, &bytes, start..start + count, &mut copied, 8);
                    let wanted = [&all[..8], &all[start..start + count]].concat();
                    assert_eq!(codes(ty, &copied, 8 + count), wanted, "{ty} {start} {count}");
                }
            }
        }
    }

    fn check(ty: ElementType, rows: usize, runs: &[usize]) {
        let row: usize = runs.iter().sum();
        let all: Vec<u8> = (0..rows * row).map(|i| (i * 7 / 3).to_le_bytes()[0] & ((1 << ty.bits()) - 1)).collect();
        let bytes_of = |count: usize| usize::try_from(ty.storage(count as u64).unwrap()).unwrap();
        let mut bytes = vec![0; bytes_of(all.len())];
        pack(ty, &all, &mut bytes, 0);
        let mut outputs: Vec<Vec<u8>> = runs.iter().map(|run| vec![0xFF; bytes_of(rows * run)]).collect();
        let mut targets: Vec<&mut [u8]> = outputs.iter_mut().map(|output| &mut output[..]).collect();
        split_rows(ty, &bytes, rows, runs, &mut targets);
        let mut start = 0;
        for (run, output) in runs.iter().zip(&outputs) {
            let wanted: Vec<u8> =
                (0..rows).flat_map(|i| &all[i * row + start..i * row + start + run]).copied().collect();
            assert!(codes(ty, output, rows * run) == wanted, "{ty} {rows} {runs:?}");
            let mut packed = vec![0; output.len()];
            pack(ty, &wanted, &mut packed, 0);
            assert!(*output == packed, "bits behind the last element are 0: {ty} {rows} {runs:?}");
            start += run;
        }
    }

    #[test]
    fn rows_of_any_runs_are_split() {
        for ty in PACKED {
            for runs in [&[1, 1][..], &[3, 5], &[65, 63], &[1; 9], &[0, 7, 0], &[640, 641], &[1, 700, 2], &[8, 1000]] {
                for rows in [1, 2, 7, 60] {
                    check(ty, rows, runs);
                }
            }
        }
    }

    #[test]
    fn rows_longer_than_a_chunk_are_split() {
        for ty in PACKED {
            check(ty, 3, &[CHUNK + 3, 5, CHUNK / 2]);
        }
    }
}
