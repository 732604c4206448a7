//! Splits of rows of bits, for elements of 1, 2 or 4 bits. The first element of a byte is in its highest bits for `u1`, and in
//! its lowest bits for other types.
//!
//! Words of 64 bits are read in turn. Each part takes its bits from a word at once, by a mask; after a number of words, the
//! period, rows begin at the start of a word again and the masks repeat.

#![allow(clippy::inline_always, reason = "bits are gathered by one instruction only where the caller may use it")]

use super::shifts::{bytes, load};
use std::ops::Range;

/// The maximum number of parts, each of which goes through all words.
const PARTS: usize = 8;
/// The number of words that are read at a time, and the longest period.
const WORDS: usize = 1 << 10;

/// Rows of bits, and the bits that each part takes of them. The first bit of a byte is the highest one if `HIGH`.
pub(super) struct Rows<'a, const HIGH: bool> {
    count: usize,
    runs: &'a [usize],
    row: usize,
    period: usize,
    parts: Vec<Vec<Piece>>,
}

/// The bits that a part takes of one word of a period.
#[derive(Clone, Copy)]
struct Piece {
    word: usize,
    mask: u64,
    count: u32,
}

impl<'a, const HIGH: bool> Rows<'a, HIGH> {
    /// Plans a split of `count` rows into runs of these numbers of bits. `None` if there are too many parts, or rows are
    /// too long.
    pub(super) fn new(count: usize, runs: &'a [usize]) -> Option<Self> {
        let row: usize = runs.iter().sum();
        let zeros = row.trailing_zeros().min(6);
        let period = row >> zeros;
        if row == 0 || runs.len() > PARTS || period > WORDS {
            return None;
        }
        let mut start = 0;
        let parts = runs.iter().map(|run| {
            start += run;
            pieces::<HIGH>(period, row, start - run..start)
        });
        Some(Self { count, runs, row, period, parts: parts.collect() })
    }

    /// Splits the rows. `gather` moves the bits of a word under a mask together, in order, to the lowest places.
    #[inline(always)]
    pub(super) fn split(&self, input: &[u8], outputs: &mut [&mut [u8]], gather: impl Fn(u64, u64) -> u64) {
        let total = self.count * self.row;
        let block = WORDS / self.period * self.period;
        let periodic = total / 64 / self.period * self.period;
        let mut writers = [Writer::<HIGH>::default(); PARTS];
        let words = &input.as_chunks().0[..periodic];
        for words in words.chunks(block) {
            for ((pieces, output), writer) in self.parts.iter().zip(&mut *outputs).zip(&mut writers) {
                match pieces[..] {
                    [piece] if self.period == 1 && piece.count % 8 == 0 => {
                        writer.push_bytes(words, piece, output, &gather);
                    }
                    _ => {
                        let mut held = *writer;
                        for words in words.chunks_exact(self.period) {
                            for piece in pieces {
                                let word = load::<HIGH>(words[piece.word]);
                                held.push(gather(word, piece.mask), piece.count, output);
                            }
                        }
                        *writer = held;
                    }
                }
            }
        }
        let mut bit = periodic * 64;
        while bit < total {
            for ((run, output), writer) in self.runs.iter().zip(&mut *outputs).zip(&mut writers) {
                for _ in 0..*run {
                    let shift = if HIGH { 7 - bit % 8 } else { bit % 8 };
                    writer.push((input[bit / 8] >> shift & 1).into(), 1, output);
                    bit += 1;
                }
            }
        }
        for (writer, output) in writers.iter().zip(outputs) {
            writer.finish(output);
        }
    }
}

/// The pieces of the words of a period that lie in `run` of each row.
fn pieces<const HIGH: bool>(period: usize, row: usize, run: Range<usize>) -> Vec<Piece> {
    let mut masks = vec![0_u64; period];
    for start in (0..period * 64).step_by(row) {
        for bit in start + run.start..start + run.end {
            masks[bit / 64] |= 1 << if HIGH { 63 - bit % 64 } else { bit % 64 };
        }
    }
    let words = masks.into_iter().enumerate().filter(|(_, mask)| *mask != 0);
    words.map(|(word, mask)| Piece { word, mask, count: mask.count_ones() }).collect()
}

/// Returns the bytes of `count` bits, which are in the lowest places of a word, and zeros behind them.
fn packed<const HIGH: bool>(word: u64, count: u32) -> [u8; 8] {
    bytes::<HIGH>(if HIGH { word << (64 - count) } else { word })
}

/// The bits that wait for a whole word of an output.
#[derive(Clone, Copy, Default)]
struct Writer<const HIGH: bool> {
    word: u64,
    count: u32,
    at: usize,
}

impl<const HIGH: bool> Writer<HIGH> {
    /// Adds the lowest `count` bits, 1 to 64. The others must be 0.
    #[inline(always)]
    fn push(&mut self, bits: u64, count: u32, output: &mut [u8]) {
        let total = self.count + count;
        let free = 64 - self.count;
        if total < 64 {
            self.word = if HIGH { self.word << count | bits } else { self.word | bits << self.count };
            self.count = total;
            return;
        }
        // A shift by 64 is none. What is above the bits that wait is shifted out.
        let (word, rest) = if HIGH {
            (self.word << (free - 1) << 1 | bits >> (count - free), bits)
        } else {
            (self.word | bits << self.count, bits >> (free - 1) >> 1)
        };
        output[self.at..][..8].copy_from_slice(&bytes::<HIGH>(word));
        (self.word, self.count, self.at) = (rest, total - 64, self.at + 8);
    }

    /// Adds whole bytes of every word. All that was added before are whole bytes, too.
    #[inline(always)]
    fn push_bytes(&mut self, words: &[[u8; 8]], piece: Piece, output: &mut [u8], gather: impl Fn(u64, u64) -> u64) {
        // The compiler knows the maximum size: four of them in four times the room need no checks.
        let size = (piece.count / 8).min(8) as usize;
        let bytes = |word: &[u8; 8]| packed::<HIGH>(gather(load::<HIGH>(*word), piece.mask), piece.count);
        let mut words = words;
        while let Some((four, rest)) = words.split_first_chunk::<4>()
            && let Some(targets) = output.get_mut(self.at..).and_then(|output| output.first_chunk_mut::<32>())
        {
            for (i, word) in four.iter().enumerate() {
                // The next bytes overwrite the excess.
                targets[i * size..][..8].copy_from_slice(&bytes(word));
            }
            self.at += 4 * size;
            words = rest;
        }
        for word in words {
            output[self.at..][..size].copy_from_slice(&bytes(word)[..size]);
            self.at += size;
        }
    }

    /// Writes the last bits, and zeros behind them.
    fn finish(self, output: &mut [u8]) {
        if self.count > 0 {
            let size = self.count.div_ceil(8) as usize;
            output[self.at..][..size].copy_from_slice(&packed::<HIGH>(self.word, self.count)[..size]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::avx2;
    use crate::exec::shifts::copy_rows;

    /// The bits of `word` under `mask`, one after the other.
    fn gather(word: u64, mask: u64) -> u64 {
        let bits = (0..64).filter(|bit| mask >> bit & 1 == 1);
        bits.enumerate().fold(0, |all, (to, from)| all | (word >> from & 1) << to)
    }

    fn bit<const HIGH: bool>(bytes: &[u8], at: usize) -> u8 {
        bytes[at / 8] >> (if HIGH { 7 - at % 8 } else { at % 8 }) & 1
    }

    fn check(count: usize, runs: &[usize]) {
        check_order::<true>(count, runs);
        check_order::<false>(count, runs);
    }

    fn check_order<const HIGH: bool>(count: usize, runs: &[usize]) {
        let row: usize = runs.iter().sum();
        let input: Vec<u8> = (0..(count * row).div_ceil(8)).map(|i| ((i * 7919) >> 3).to_le_bytes()[0]).collect();
        let mut wanted: Vec<Vec<u8>> = vec![Vec::new(); runs.len()];
        for start in (0..count).map(|i| i * row) {
            let mut from = start;
            for (run, part) in runs.iter().zip(&mut wanted) {
                part.extend((from..from + run).map(|at| bit::<HIGH>(&input, at)));
                from += run;
            }
        }
        let rows = Rows::<HIGH>::new(count, runs).unwrap();
        let split = |split: &dyn Fn(&mut [&mut [u8]]) -> bool| {
            let mut outputs: Vec<Vec<u8>> = runs.iter().map(|run| vec![0xFF; (count * run).div_ceil(8)]).collect();
            if !split(&mut outputs.iter_mut().map(|output| &mut output[..]).collect::<Vec<_>>()) {
                return;
            }
            for ((output, wanted), run) in outputs.iter().zip(&wanted).zip(runs) {
                let found: Vec<u8> = (0..count * run).map(|at| bit::<HIGH>(output, at)).collect();
                assert!(found == *wanted, "{count} {runs:?}");
                let unused = (count * run..output.len() * 8).any(|at| bit::<HIGH>(output, at) == 1);
                assert!(!unused, "bits behind the last are 0: {count} {runs:?}");
            }
        };
        split(&|outputs| {
            rows.split(&input, outputs, gather);
            true
        });
        split(&|outputs| avx2::split_bits(&rows, &input, outputs));
        split(&|outputs| {
            copy_rows::<HIGH>(count, runs, &input, outputs);
            true
        });
    }

    #[test]
    fn every_part_gets_its_bits() {
        for runs in [
            &[1, 1][..],
            &[4],
            &[0, 4, 0],
            &[3, 5],
            &[4, 4],
            &[12, 20],
            &[64, 64],
            &[0, 8, 0, 24],
            &[100, 28],
            &[260, 252],
            &[4, 4, 4, 244],
            &[1; 8],
            &[5; 7],
            &[63, 64, 65],
            &[2, 1021],
            &[65_535, 1],
        ] {
            for count in [1, 2, 15, 64, 700] {
                let count = count.min(200_000 / runs.iter().sum::<usize>());
                check(count, runs);
            }
        }
        check(100_000, &[1, 1]);
        check(40_000, &[3, 2]);
    }

    #[test]
    fn long_rows_and_many_parts_are_left_to_others() {
        assert!(Rows::<true>::new(1, &[1; 9]).is_none());
        assert!(Rows::<true>::new(1, &[1025, 0]).is_none());
        assert!(Rows::<true>::new(1, &[0, 0]).is_none());
        assert!(Rows::<true>::new(1, &[1024, 1024 * 63]).is_some());
    }
}
