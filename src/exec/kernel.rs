//! The byte kernel of splits. The input consists of rows, each row of one run of bytes per output; run `i` of every row goes
//! to output `i`.
//!
//! Runs of one element each are distributed by vectorized loops. Other runs are copied output by output, in blocks of a few
//! rows: short ones with stores wider than the run, long ones with `memcpy`.

use super::avx2;
use super::loops;
use smallvec::SmallVec;

/// The number of input bytes in a block, small enough to stay in the cache while one output after the other is copied.
const BLOCK: usize = 12 << 10;
/// The minimum number of rows in a block, so that selecting a loop pays off.
const ROWS: usize = 8;
/// The number of input bytes that go through all passes of [`deal`] at a time.
const PASS: usize = 16 << 10;

/// Splits rows: copies run `i` of every row, which has `runs[i]` bytes, to `outputs[i]`.
///
/// `input` must consist of whole rows, and `outputs[i]` must have exactly `runs[i]` bytes per row.
pub(super) fn split_rows(input: &[u8], runs: &[usize], outputs: &mut [&mut [u8]]) {
    let equal = runs.windows(2).all(|pair| pair[0] == pair[1]);
    match runs {
        [] => {}
        [_] => outputs.iter_mut().for_each(|output| output.copy_from_slice(input)),
        [1, ..] if equal => deal::<1>(input, outputs),
        [2, ..] if equal => deal::<2>(input, outputs),
        [4, ..] if equal => deal::<4>(input, outputs),
        [8, ..] if equal => deal::<8>(input, outputs),
        [16, ..] if equal && runs.len() <= 4 => deal::<16>(input, outputs),
        _ => copy(input, runs, outputs),
    }
}

/// Copies runs of any length.
fn copy(input: &[u8], runs: &[usize], outputs: &mut [&mut [u8]]) {
    let row: usize = runs.iter().sum();
    let all_rows = input.len().checked_div(row).unwrap_or(0);
    let block = BLOCK.checked_div(row).unwrap_or(0).max(ROWS);
    for first in (0..all_rows).step_by(block) {
        let rows = block.min(all_rows - first);
        let mut start = first * row;
        for (&run, output) in runs.iter().zip(&mut *outputs) {
            let (input, output) = (&input[start..], &mut output[first * run..]);
            match run {
                0 => {}
                1..=8 => avx2::copy_pieces::<8, 1>(input, row, run, rows, output),
                9..=16 => avx2::copy_pieces::<16, 1>(input, row, run, rows, output),
                17..=32 => avx2::copy_pieces::<32, 1>(input, row, run, rows, output),
                33..=64 => avx2::copy_pieces::<32, 2>(input, row, run, rows, output),
                65..=96 => avx2::copy_pieces::<32, 3>(input, row, run, rows, output),
                97..=128 => avx2::copy_pieces::<32, 4>(input, row, run, rows, output),
                129..=2048 => match run.div_ceil(32) % 4 {
                    1 => avx2::copy_fours::<1>(input, row, run, rows, output),
                    2 => avx2::copy_fours::<2>(input, row, run, rows, output),
                    3 => avx2::copy_fours::<3>(input, row, run, rows, output),
                    _ => avx2::copy_fours::<4>(input, row, run, rows, output),
                },
                _ => loops::copy_runs(input, row, run, rows, output),
            }
            start += run;
        }
    }
}

/// Distributes rows of elements of `SIZE` bytes, one element to each output.
///
/// Up to four outputs need one pass. If a larger number has a factor of 2, 3 or 4, a first pass splits the input into that
/// many streams, stream `i` for the outputs `i`, `i + factor`, ...; each is split again until it serves at most four outputs.
/// E.g. six outputs: three streams, for the outputs 0 and 3, 1 and 4, 2 and 5; then each stream to its two outputs.
fn deal<const SIZE: usize>(input: &[u8], outputs: &mut [&mut [u8]]) {
    let factor = |width: usize| [4, 3, 2].into_iter().find(|factor| width > 4 && width.is_multiple_of(*factor));
    let parts = outputs.len();
    if factor(parts).is_none() {
        return avx2::deal::<SIZE>(input, outputs);
    }
    let rows = (PASS / (parts * SIZE)).max(ROWS);
    let block = (rows * parts * SIZE).min(input.len());
    let (mut streams, mut next) = (vec![0; block], vec![0; block]);
    for (i, input) in input.chunks(block.max(1)).enumerate() {
        let (mut streams, mut next) = (&mut streams[..input.len()], &mut next[..input.len()]);
        streams.copy_from_slice(input);
        let (mut count, mut width) = (1, parts);
        while let Some(factor) = factor(width) {
            let length = input.len() / count;
            for (stream, source) in streams.chunks_exact(length).enumerate() {
                let targets = next.chunks_exact_mut(length / factor).skip(stream).step_by(count);
                avx2::deal::<SIZE>(source, &mut targets.collect::<SmallVec<[_; 4]>>());
            }
            (count, width) = (count * factor, width / factor);
            std::mem::swap(&mut streams, &mut next);
        }
        let (start, length) = (i * rows * SIZE, input.len() / parts);
        for (stream, source) in streams.chunks_exact(input.len() / count).enumerate() {
            let targets = outputs.iter_mut().skip(stream).step_by(count).map(|output| &mut output[start..][..length]);
            avx2::deal::<SIZE>(source, &mut targets.collect::<SmallVec<[_; 4]>>());
        }
    }
}
