//! The byte kernel of splits. The input consists of rows, each row of one run of bytes per output; run `i` of every row goes
//! to output `i`.
//!
//! Runs of one element each, and up to four equal ones of 32, 64 or 128 bytes, are distributed by vectorized loops. Other runs
//! are copied: short ones with stores wider than the run, output by output in blocks of a few rows; long ones row by row. Many
//! short ones of an input that no cache holds go through a stage, which is written past the caches.

use super::avx2;
use super::loops;

/// The number of input bytes in a block, small enough to stay in the cache while one output after the other is copied.
const BLOCK: usize = 12 << 10;
/// The mean length of runs from which rows are copied one by one.
const LONG: usize = 512;
/// The length of rows that are copied one by one, or a few at a time if runs are short, if no cache holds the input.
const LONG_ROW: usize = 256;
/// The size of inputs from which outputs are written past the caches.
const FAR: usize = 8 << 20;
/// The minimum number of rows in a block, so that selecting a loop pays off.
const ROWS: usize = 8;

/// Splits rows: copies run `i` of every row, which has `runs[i]` bytes, to `outputs[i]`.
///
/// `input` must consist of whole rows, and `outputs[i]` must have exactly `runs[i]` bytes per row.
pub(super) fn split_rows(input: &[u8], runs: &[usize], outputs: &mut [&mut [u8]]) {
    split(input, runs, outputs, input.len() >= FAR);
}

fn split(input: &[u8], runs: &[usize], outputs: &mut [&mut [u8]], far: bool) {
    let equal = runs.windows(2).all(|pair| pair[0] == pair[1]);
    let few = runs.len() <= 4;
    match runs {
        [] => {}
        [_] => outputs.iter_mut().for_each(|output| output.copy_from_slice(input)),
        [1, ..] if equal => deal::<1>(input, outputs, far),
        [2, ..] if equal => deal::<2>(input, outputs, far),
        [4, ..] if equal => deal::<4>(input, outputs, far),
        [8, ..] if equal => deal::<8>(input, outputs, far),
        [16, ..] if equal => deal::<16>(input, outputs, far),
        [32, ..] if equal && few => avx2::deal::<32>(input, outputs),
        [64, ..] if equal && few => avx2::deal::<64>(input, outputs),
        [128, ..] if equal && few => avx2::deal::<128>(input, outputs),
        _ => copy(input, runs, outputs, far),
    }
}

/// Copies runs of any length.
fn copy(input: &[u8], runs: &[usize], outputs: &mut [&mut [u8]], far: bool) {
    let row: usize = runs.iter().sum();
    let all_rows = input.len().checked_div(row).unwrap_or(0);
    let staged = far && runs.len() > 4 && runs.iter().all(|run| *run <= LONG);
    // Each stage begins at a cache line of its output.
    let step = if staged { 64 >> runs.iter().fold(64, |all, run| all | run).trailing_zeros() } else { 4 };
    let mean = row / runs.len();
    let block = match row {
        _ if !staged && mean >= LONG => 1,
        LONG_ROW.. if !staged && far && mean > 128 => 1,
        LONG_ROW.. if !staged && far => 4,
        _ => (BLOCK / row.max(1)).max(ROWS).next_multiple_of(step),
    };
    let mut stage = vec![0; if staged { block * LONG } else { 0 }];
    for first in (0..all_rows).step_by(block) {
        let rows = block.min(all_rows - first);
        let mut start = first * row;
        for (&run, output) in runs.iter().zip(&mut *outputs) {
            let (input, output) = (&input[start..], &mut output[first * run..]);
            if staged {
                copy_run(input, row, run, rows, &mut stage);
                avx2::stream(&stage[..rows * run], &mut output[..rows * run]);
            } else {
                copy_run(input, row, run, rows, output);
            }
            start += run;
        }
    }
    avx2::fence();
}

/// Copies the first run of every row.
fn copy_run(input: &[u8], row: usize, run: usize, rows: usize, output: &mut [u8]) {
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
}

/// Distributes rows of elements of `SIZE` bytes, one element to each output.
fn deal<const SIZE: usize>(input: &[u8], outputs: &mut [&mut [u8]], far: bool) {
    match outputs.len() {
        0..=4 => avx2::deal::<SIZE>(input, outputs),
        _ => avx2::deal_many::<SIZE>(input, outputs, far),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(runs: &[usize], rows: usize) {
        let row: usize = runs.iter().sum();
        let input: Vec<u8> = (0..rows * row).map(|i| (i * 31 % 251).to_le_bytes()[0]).collect();
        for far in [false, true] {
            // The outputs begin anywhere in a vector.
            let mut outputs: Vec<Vec<u8>> = runs.iter().map(|run| vec![0xFF; rows * run + 3]).collect();
            let targets = outputs.iter_mut().enumerate().zip(runs);
            let mut targets: Vec<_> = targets.map(|((i, output), run)| &mut output[i % 4..][..rows * run]).collect();
            split(&input, runs, &mut targets, far);
            let mut start = 0;
            for (run, target) in runs.iter().zip(targets) {
                let wanted = (0..rows).map(|i| &input[i * row + start..][..*run]);
                assert!(*target == wanted.collect::<Vec<_>>().concat(), "{runs:?} {rows} {far}");
                start += run;
            }
        }
    }

    #[test]
    fn rows_of_equal_elements_are_split() {
        for size in [1, 2, 4, 8, 16] {
            for parts in (1..=9).chain([15, 16, 17, 33, 61, 65]) {
                for rows in [0, 1, 5, 31, 33, 64, 259, 300] {
                    check(&vec![size; parts], rows);
                }
            }
        }
    }

    #[test]
    fn rows_of_runs_are_split() {
        for run in [3, 12, 17, 32, 33, 64, 65, 96, 100, 128, 129, 300, 512, 1000, 2048, 2049] {
            for parts in [2, 3, 4, 5, 9] {
                for rows in [1, 2, 9, 70] {
                    check(&vec![run; parts], rows);
                }
            }
        }
        for runs in [&[1, 2, 3, 4, 5, 6, 7, 8][..], &[3, 5, 7], &[1, 1, 1, 61], &[0, 9, 0, 40, 1, 1], &[5000, 1, 64]] {
            for rows in [1, 8, 65, 1000] {
                check(runs, rows);
            }
        }
    }
}
