//! The inner loops of the byte kernel: rows of bytes in, one or a few parts out.
//!
//! All are inlined into their caller, so that they are compiled for the vector instructions that it enables. The loops have a
//! form that the compiler vectorizes; `benches/split.rs` shows when it stops doing so.

#![allow(clippy::inline_always, reason = "a loop is vector code only where its caller may use vectors")]

/// The number of rows that [`deal_many`] distributes to one target after the other.
const ROWS: usize = 64;

/// Copies the first run of every row: `run` bytes at the start of each `row` bytes of input, contiguous in `output`.
///
/// Each run is copied as `COUNT` pieces of `SIZE` bytes, together at least as long as the run. The next run overwrites the
/// excess. Near the end of a slice there is no room for an excess, so the last runs are copied exactly.
#[inline(always)]
pub(super) fn copy_pieces<const SIZE: usize, const COUNT: usize>(
    mut input: &[u8],
    row: usize,
    run: usize,
    rows: usize,
    mut output: &mut [u8],
) {
    // The compiler knows the maximum length of a run: four of them in four times the room need no checks.
    let run = run.min(SIZE * COUNT);
    let mut left = rows;
    while left > 4
        && let Some(targets) = output.as_chunks_mut::<SIZE>().0.as_chunks_mut::<COUNT>().0.first_chunk_mut::<4>()
    {
        let targets = targets.as_flattened_mut().as_flattened_mut();
        for i in 0..4 {
            let source = input[i * row..].as_chunks::<SIZE>().0.first_chunk::<COUNT>();
            let target = targets[i * run..].as_chunks_mut::<SIZE>().0.first_chunk_mut::<COUNT>();
            let (Some(source), Some(target)) = (source, target) else {
                return copy_runs(input, row, run, left, output);
            };
            copy_rising(source, target);
        }
        (input, output, left) = (&input[4 * row..], &mut output[4 * run..], left - 4);
    }
    for left in (1..=left).rev() {
        let source = input.as_chunks::<SIZE>().0.first_chunk::<COUNT>();
        let target = output.as_chunks_mut::<SIZE>().0.first_chunk_mut::<COUNT>();
        let (Some(source), Some(target)) = (source, target) else {
            return copy_runs(input, row, run, left, output);
        };
        copy_rising(source, target);
        let (Some(next_row), Some(next_run)) = (input.get(row..), output.get_mut(run..)) else { return };
        (input, output) = (next_row, next_run);
    }
}

/// Copies as [`copy_pieces`] does, for runs of more than four pieces of 32 bytes: all but the last `TAIL` pieces are copied
/// four at a time.
#[inline(always)]
pub(super) fn copy_fours<const TAIL: usize>(
    mut input: &[u8],
    row: usize,
    run: usize,
    rows: usize,
    mut output: &mut [u8],
) {
    let fours = (run - 1) / 128 * 128;
    for left in (1..=rows).rev() {
        let (source, source_tail) = input.split_at(fours);
        let (target, target_tail) = output.split_at_mut(fours);
        let source_tail = source_tail.as_chunks::<32>().0.first_chunk::<TAIL>();
        let target_tail = target_tail.as_chunks_mut::<32>().0.first_chunk_mut::<TAIL>();
        let (Some(source_tail), Some(target_tail)) = (source_tail, target_tail) else {
            return copy_runs(input, row, run, left, output);
        };
        for (source, target) in source.as_chunks::<128>().0.iter().zip(target.as_chunks_mut::<128>().0) {
            let (source, target) = (source.as_chunks::<32>().0, target.as_chunks_mut::<32>().0);
            if let (Some(source), Some(target)) = (source.first_chunk::<4>(), target.first_chunk_mut()) {
                copy_rising(source, target);
            }
        }
        copy_rising(source_tail, target_tail);
        let (Some(next_row), Some(next_run)) = (input.get(row..), output.get_mut(run..)) else { return };
        (input, output) = (next_row, next_run);
    }
}

/// Copies up to four pieces in ascending order.
///
/// If all are copied by one assignment, the compiler writes the last piece first. Of a cache line that two runs share, the
/// halves are then written at distant times, which halves the speed.
#[inline(always)]
fn copy_rising<const SIZE: usize, const COUNT: usize>(source: &[[u8; SIZE]; COUNT], target: &mut [[u8; SIZE]; COUNT]) {
    const { assert!(COUNT <= 4) };
    target[0] = source[0];
    if COUNT > 1 {
        target[1] = source[1];
    }
    if COUNT > 2 {
        target[2] = source[2];
    }
    if COUNT > 3 {
        target[3] = source[3];
    }
}

/// Copies as [`copy_pieces`] does, with one `memcpy` per run, which must not be empty.
pub(super) fn copy_runs(input: &[u8], row: usize, run: usize, rows: usize, output: &mut [u8]) {
    for (i, target) in output.chunks_exact_mut(run).take(rows).enumerate() {
        target.copy_from_slice(&input[i * row..][..run]);
    }
}

/// Distributes rows of elements of `SIZE` bytes: element `i` of every row to `targets[i]`.
///
/// Each target must have room for one element of each row.
#[inline(always)]
pub(super) fn deal<const SIZE: usize>(input: &[u8], targets: &mut [&mut [u8]]) {
    let input = input.as_chunks::<SIZE>().0;
    match targets {
        [a, b] => deal_2(input, elements(a), elements(b)),
        [a, b, c] => deal_3(input, elements(a), elements(b), elements(c)),
        [a, b, c, d] => deal_4(input, elements(a), elements(b), elements(c), elements(d)),
        _ => deal_many::<SIZE>(input.as_flattened(), 0, targets),
    }
}

/// Distributes elements as [`deal`] does, from row `first` on, in blocks of rows that stay in the cache.
pub(super) fn deal_many<const SIZE: usize>(input: &[u8], first: usize, targets: &mut [&mut [u8]]) {
    let parts = targets.len();
    let rest = &input.as_chunks::<SIZE>().0[first * parts..];
    for (i, block) in rest.chunks((ROWS * parts).max(1)).enumerate() {
        for (part, target) in targets.iter_mut().enumerate() {
            let target = &mut elements::<SIZE>(target)[first + i * ROWS..];
            target.iter_mut().zip(block[part..].iter().step_by(parts)).for_each(|(target, source)| *target = *source);
        }
    }
}

#[inline(always)]
fn elements<const SIZE: usize>(bytes: &mut [u8]) -> &mut [[u8; SIZE]] {
    bytes.as_chunks_mut().0
}

// One function per number of targets: the compiler knows that parameters do not alias, unlike members of a slice, and
// vectorizes only loops that need few alias checks.

#[inline(always)]
fn deal_2<T: Copy>(input: &[T], a: &mut [T], b: &mut [T]) {
    for ((row, a), b) in input.as_chunks::<2>().0.iter().zip(a).zip(b) {
        [*a, *b] = *row;
    }
}

#[inline(always)]
fn deal_3<T: Copy>(input: &[T], a: &mut [T], b: &mut [T], c: &mut [T]) {
    for (((row, a), b), c) in input.as_chunks::<3>().0.iter().zip(a).zip(b).zip(c) {
        [*a, *b, *c] = *row;
    }
}

#[inline(always)]
fn deal_4<T: Copy>(input: &[T], a: &mut [T], b: &mut [T], c: &mut [T], d: &mut [T]) {
    for ((((row, a), b), c), d) in input.as_chunks::<4>().0.iter().zip(a).zip(b).zip(c).zip(d) {
        [*a, *b, *c, *d] = *row;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The kernel calls versions compiled for AVX2 where the CPU has it; these tests cover the portable ones.

    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|i| (i * 31 % 251).to_le_bytes()[0]).collect()
    }

    fn check_copy(runs: &[usize], copy: impl Fn(&[u8], usize, usize, usize, &mut [u8])) {
        for &run in runs {
            for (rows, row) in [(1, run), (1, run + 5), (2, run), (9, run + 1), (9, 3 * run)] {
                let input = bytes((rows - 1) * row + run);
                let mut output = vec![0; rows * run];
                copy(&input, row, run, rows, &mut output);
                let wanted: Vec<u8> = (0..rows).flat_map(|i| &input[i * row..][..run]).copied().collect();
                assert_eq!(output, wanted, "{run} {rows} {row}");
            }
        }
    }

    #[test]
    fn runs_are_copied_and_nothing_else() {
        check_copy(&[1, 7, 8], copy_pieces::<8, 1>);
        check_copy(&[9, 16], copy_pieces::<16, 1>);
        check_copy(&[17, 31, 32], copy_pieces::<32, 1>);
        check_copy(&[33, 64], copy_pieces::<32, 2>);
        check_copy(&[97, 128], copy_pieces::<32, 4>);
        check_copy(&[129, 160, 257, 288], copy_fours::<1>);
        check_copy(&[161, 192, 300, 320], copy_fours::<2>);
        check_copy(&[225, 256, 1000, 1024], copy_fours::<4>);
    }

    fn check_deal<const SIZE: usize>() {
        for parts in 1..7 {
            for rows in [0, 1, 5, 67] {
                let input = bytes(rows * parts * SIZE);
                let mut outputs = vec![vec![0; rows * SIZE]; parts];
                deal::<SIZE>(&input, &mut outputs.iter_mut().map(|output| &mut output[..]).collect::<Vec<_>>());
                for (part, output) in outputs.iter().enumerate() {
                    let elements = input.chunks(SIZE).skip(part).step_by(parts);
                    assert_eq!(*output, elements.flatten().copied().collect::<Vec<_>>(), "{SIZE} {parts} {rows}");
                }
            }
        }
    }

    #[test]
    fn elements_are_dealt_out_in_turn() {
        check_deal::<1>();
        check_deal::<2>();
        check_deal::<4>();
        check_deal::<8>();
        check_deal::<16>();
    }
}
