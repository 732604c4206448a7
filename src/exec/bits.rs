//! Splits of rows of bits, for `u1`, whose first element is in the highest bit of a byte.
//!
//! Words of 64 bits are read in turn. Each part takes its bits from a word at once, by a mask; after a number of words, the
//! period, rows begin at the start of a word again and the masks repeat.

#![allow(clippy::inline_always, reason = "bits are gathered by one instruction only where the caller may use it")]

use std::ops::Range;

/// The maximum number of parts, each of which goes through all words.
const PARTS: usize = 8;
/// The number of words that are read at a time, and the longest period.
const WORDS: usize = 1 << 10;

/// Rows of bits, and the bits that each part takes of them.
pub(super) struct Rows<'a> {
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

impl<'a> Rows<'a> {
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
            pieces(period, row, start - run..start)
        });
        Some(Self { count, runs, row, period, parts: parts.collect() })
    }

    /// Splits the rows. `gather` moves the bits of a word under a mask together, in order, to the lowest places.
    #[inline(always)]
    pub(super) fn split(&self, input: &[u8], outputs: &mut [&mut [u8]], gather: impl Fn(u64, u64) -> u64) {
        let total = self.count * self.row;
        let block = WORDS / self.period * self.period;
        let periodic = total / 64 / self.period * self.period;
        let mut writers = [Writer::default(); PARTS];
        let mut words = [0; WORDS];
        for first in (0..periodic).step_by(block) {
            let words = &mut words[..block.min(periodic - first)];
            for (word, bytes) in words.iter_mut().zip(input[first * 8..].as_chunks().0) {
                *word = u64::from_be_bytes(*bytes);
            }
            for ((pieces, output), writer) in self.parts.iter().zip(&mut *outputs).zip(&mut writers) {
                match pieces[..] {
                    [piece] if self.period == 1 && piece.count % 8 == 0 => {
                        writer.push_bytes(words, piece, output, &gather);
                    }
                    _ => {
                        let mut held = *writer;
                        for words in words.chunks_exact(self.period) {
                            for piece in pieces {
                                held.push(gather(words[piece.word], piece.mask), piece.count, output);
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
                    writer.push((input[bit / 8] >> (7 - bit % 8) & 1).into(), 1, output);
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
fn pieces(period: usize, row: usize, run: Range<usize>) -> Vec<Piece> {
    let mut masks = vec![0_u64; period];
    for start in (0..period * 64).step_by(row) {
        for bit in start + run.start..start + run.end {
            masks[bit / 64] |= 1 << (63 - bit % 64);
        }
    }
    let words = masks.into_iter().enumerate().filter(|(_, mask)| *mask != 0);
    words.map(|(word, mask)| Piece { word, mask, count: mask.count_ones() }).collect()
}

/// The bits that wait for a whole word of an output.
#[derive(Clone, Copy, Default)]
struct Writer {
    word: u64,
    count: u32,
    at: usize,
}

impl Writer {
    /// Adds the lowest `count` bits, 1 to 64. The others must be 0.
    #[inline(always)]
    fn push(&mut self, bits: u64, count: u32, output: &mut [u8]) {
        let total = self.count + count;
        if total < 64 {
            self.word = self.word << count | bits;
            self.count = total;
            return;
        }
        let free = 64 - self.count;
        // A shift by 64 is none. What is above the bits that wait is shifted out.
        let word = self.word << (free - 1) << 1 | bits >> (count - free);
        output[self.at..][..8].copy_from_slice(&word.to_be_bytes());
        (self.word, self.count, self.at) = (bits, total - 64, self.at + 8);
    }

    /// Adds whole bytes of every word. All that was added before are whole bytes, too.
    #[inline(always)]
    fn push_bytes(&mut self, words: &[u64], piece: Piece, output: &mut [u8], gather: impl Fn(u64, u64) -> u64) {
        let size = piece.count as usize / 8;
        for word in words {
            let bits = gather(*word, piece.mask);
            let bytes = (bits << (64 - piece.count)).to_be_bytes();
            // The next bytes overwrite the excess.
            match output.get_mut(self.at..).and_then(|output| output.first_chunk_mut()) {
                Some(target) => *target = bytes,
                None => output[self.at..][..size].copy_from_slice(&bytes[..size]),
            }
            self.at += size;
        }
    }

    /// Writes the last bits, and zeros behind them.
    fn finish(self, output: &mut [u8]) {
        if self.count > 0 {
            let bytes = (self.word << (64 - self.count)).to_be_bytes();
            let size = self.count.div_ceil(8) as usize;
            output[self.at..][..size].copy_from_slice(&bytes[..size]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::avx2;

    /// The bits of `word` under `mask`, one after the other.
    fn gather(word: u64, mask: u64) -> u64 {
        let bits = (0..64).filter(|bit| mask >> bit & 1 == 1);
        bits.enumerate().fold(0, |all, (to, from)| all | (word >> from & 1) << to)
    }

    fn bit(bytes: &[u8], at: usize) -> u8 {
        bytes[at / 8] >> (7 - at % 8) & 1
    }

    fn check(count: usize, runs: &[usize]) {
        let row: usize = runs.iter().sum();
        let input: Vec<u8> = (0..(count * row).div_ceil(8)).map(|i| ((i * 7919) >> 3).to_le_bytes()[0]).collect();
        let mut wanted: Vec<Vec<u8>> = vec![Vec::new(); runs.len()];
        for start in (0..count).map(|i| i * row) {
            let mut from = start;
            for (run, part) in runs.iter().zip(&mut wanted) {
                part.extend((from..from + run).map(|at| bit(&input, at)));
                from += run;
            }
        }
        let rows = Rows::new(count, runs).unwrap();
        let split = |split: &dyn Fn(&mut [&mut [u8]]) -> bool| {
            let mut outputs: Vec<Vec<u8>> = runs.iter().map(|run| vec![0xFF; (count * run).div_ceil(8)]).collect();
            if !split(&mut outputs.iter_mut().map(|output| &mut output[..]).collect::<Vec<_>>()) {
                return;
            }
            for ((output, wanted), run) in outputs.iter().zip(&wanted).zip(runs) {
                let found: Vec<u8> = (0..count * run).map(|at| bit(output, at)).collect();
                assert!(found == *wanted, "{count} {runs:?}");
                let unused = (count * run..output.len() * 8).any(|at| bit(output, at) == 1);
                assert!(!unused, "bits behind the last are 0: {count} {runs:?}");
            }
        };
        split(&|outputs| {
            rows.split(&input, outputs, gather);
            true
        });
        split(&|outputs| avx2::split_bits(&rows, &input, outputs));
    }

    #[test]
    fn every_part_gets_its_bits() {
        for runs in [
            &[1, 1][..],
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
        assert!(Rows::new(1, &[1; 9]).is_none());
        assert!(Rows::new(1, &[1025, 0]).is_none());
        assert!(Rows::new(1, &[0, 0]).is_none());
        assert!(Rows::new(1, &[1024, 1024 * 63]).is_some());
    }
}
