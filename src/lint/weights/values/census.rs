//! The elements of constants, counted by kind.

use crate::ir::{Constant, Weights};
use crate::types::ElementType;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The size of a read in bytes, a multiple of every element size.
const BLOCK: u64 = 1 << 20;

/// The number of elements that are counted at once, small enough for counters of 16 bits.
const PART: usize = 1 << 15;

/// The maximum number of reading threads: more do not read faster.
const THREADS: usize = 4;

/// Counts of the elements of a constant.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Census {
    pub(super) elements: u64,
    pub(super) zeros: u64,
    pub(super) nan: u64,
    pub(super) positive_infinities: u64,
    pub(super) negative_infinities: u64,
    /// Subnormal numbers.
    pub(super) subnormals: u64,
    /// Elements with a set sign bit, also -0 and NaN.
    pub(super) negatives: u64,
    /// Numbers whose magnitude is in [1/4, 2), as that of most bf16 weights read as f16.
    pub(super) near_one: u64,
    /// The index of the first element that is not finite.
    pub(super) first: Option<u64>,
    /// Bits that are 1 in some element.
    ones: u64,
    /// Bits that are 0 in some element.
    blanks: u64,
}

impl Census {
    pub(super) fn infinite(&self) -> u64 {
        self.positive_infinities + self.negative_infinities
    }

    /// Elements other than 0.
    pub(super) fn nonzero(&self) -> u64 {
        self.elements - self.zeros
    }

    /// Whether all elements are the same.
    pub(super) fn is_uniform(&self) -> bool {
        self.elements > 0 && self.ones & self.blanks == 0
    }

    fn add(&mut self, other: &Self) {
        self.elements += other.elements;
        self.zeros += other.zeros;
        self.nan += other.nan;
        self.positive_infinities += other.positive_infinities;
        self.negative_infinities += other.negative_infinities;
        self.subnormals += other.subnormals;
        self.negatives += other.negatives;
        self.near_one += other.near_one;
        self.first = [self.first, other.first].into_iter().flatten().min();
        self.ones |= other.ones;
        self.blanks |= other.blanks;
    }
}

/// Whether elements of this type are counted.
pub(super) fn is_counted(ty: ElementType) -> bool {
    matches!(ty, ElementType::F64 | ElementType::F32 | ElementType::F16 | ElementType::Bf16)
}

/// Counts the elements of each constant; none if its size is too small for them. `None` if the weights do not hold its bytes.
pub(super) fn censuses(weights: &Weights, constants: &[Constant]) -> Vec<Option<Census>> {
    let mut blocks = Vec::new();
    for (index, constant) in constants.iter().enumerate() {
        let size = constant.bytes_needed().filter(|need| *need <= constant.size).unwrap_or_default();
        blocks.extend((0..size.div_ceil(BLOCK)).map(|block| (index, block * BLOCK, BLOCK.min(size - block * BLOCK))));
    }
    let all = Mutex::new(vec![Some(Census::default()); constants.len()]);
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((index, start, length)) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let counted = constants.get(*index).and_then(|constant| {
                let bytes = weights.read(constant.offset.checked_add(*start)?, usize::try_from(*length).ok()?)?;
                Some(count(constant.ty, &bytes, *start))
            });
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(census) = all.get_mut(*index) {
                match (census.as_mut(), counted) {
                    (Some(census), Some(counted)) => census.add(&counted),
                    _ => *census = None,
                }
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(THREADS).min(blocks.len());
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // If a thread cannot be started, the others do its work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Counts the elements of a block as `$word`s. `$fraction` is the number of fraction bits; `$infinity` and `$near` are the bits
/// of infinity, and those of 1/4 and 2.
macro_rules! count_words {
    ($block:expr, $word:ty, fraction: $fraction:expr, infinity: $infinity:expr, near: $near:expr) => {{
        let words = $block.as_chunks::<{ size_of::<$word>() }>().0;
        let (normal, infinity, [low, high]): ($word, $word, [$word; 2]) = (1 << $fraction, $infinity, $near);
        let mut census = Census { elements: words.len() as u64, ..Census::default() };
        let mut is_finite = true;
        for part in words.chunks(PART) {
            // Code without branches whose counters are as wide as the words can be vectorized.
            let [mut zeros, mut subnormals, mut strange, mut negatives, mut near]: [$word; 5] = [0; 5];
            let [mut ones, mut blanks]: [$word; 2] = [0; 2];
            for bytes in part {
                let word = <$word>::from_le_bytes(*bytes);
                let size = word & (<$word>::MAX >> 1);
                zeros += <$word>::from(size == 0);
                subnormals += <$word>::from(size.wrapping_sub(1) < normal - 1);
                strange += <$word>::from(size >= infinity);
                negatives += <$word>::from(word > size);
                near += <$word>::from(size >= low) & <$word>::from(size < high);
                ones |= word;
                blanks |= !word;
            }
            census.zeros += u64::from(zeros);
            census.subnormals += u64::from(subnormals);
            census.negatives += u64::from(negatives);
            census.near_one += u64::from(near);
            census.ones |= u64::from(ones);
            census.blanks |= u64::from(blanks);
            is_finite &= strange == 0;
        }
        if !is_finite {
            for (index, bytes) in (0_u64..).zip(words) {
                let word = <$word>::from_le_bytes(*bytes);
                let size = word & (<$word>::MAX >> 1);
                if size >= infinity {
                    census.first = census.first.or(Some(index));
                    let kind = match (size > infinity, word > size) {
                        (true, _) => &mut census.nan,
                        (false, true) => &mut census.negative_infinities,
                        (false, false) => &mut census.positive_infinities,
                    };
                    *kind += 1;
                }
            }
        }
        census
    }};
}

/// Counts the elements of a block that starts at byte `start` of the constant.
fn count(ty: ElementType, block: &[u8], start: u64) -> Census {
    let mut census = match ty {
        ElementType::F64 => count_words!(
            block, u64, fraction: 52, infinity: 0x7ff0 << 48, near: [0x3fd0 << 48, 0x4000 << 48]
        ),
        ElementType::F32 => count_words!(
            block, u32, fraction: 23, infinity: 0x7f80 << 16, near: [0x3e80 << 16, 0x4000 << 16]
        ),
        ElementType::F16 => count_words!(block, u16, fraction: 10, infinity: 0x7c00, near: [0x3400, 0x4000]),
        _ => count_words!(block, u16, fraction: 7, infinity: 0x7f80, near: [0x3e80, 0x4000]),
    };
    census.first = census.first.map(|index| index + start * 8 / u64::from(ty.bits()));
    census
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::codec::float::float;

    /// A reference implementation that counts element by element.
    fn slowly(ty: ElementType, words: &[u64]) -> Census {
        let mut census = Census { elements: words.len() as u64, ..Census::default() };
        for (index, word) in (0..).zip(words) {
            let number = float(ty, *word);
            let smallest = match ty {
                ElementType::F16 => 2_f64.powi(-14),
                ElementType::F64 => f64::MIN_POSITIVE,
                _ => f32::MIN_POSITIVE.into(),
            };
            census.zeros += u64::from(number == 0.0);
            census.nan += u64::from(number.is_nan());
            census.positive_infinities += u64::from(number == f64::INFINITY);
            census.negative_infinities += u64::from(number == f64::NEG_INFINITY);
            census.subnormals += u64::from(number != 0.0 && number.abs() < smallest);
            census.negatives += u64::from(word >> (ty.bits() - 1) == 1);
            census.near_one += u64::from((0.25..2.0).contains(&number.abs()));
            if !number.is_finite() {
                census.first = census.first.or(Some(index));
            }
        }
        let mask = u64::MAX >> (64 - ty.bits());
        census.ones = words.iter().fold(0, |ones, word| ones | word);
        census.blanks = words.iter().fold(0, |blanks, word| blanks | (!word & mask));
        census
    }

    fn assert_counted(ty: ElementType, words: &[u64]) {
        let width = ty.bits() as usize / 8;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()[..width].to_vec()).collect();
        assert_eq!(count(ty, &bytes, 0), slowly(ty, words), "{ty} {words:x?}");
    }

    #[test]
    fn elements_are_counted_as_the_numbers_they_are() {
        let all: Vec<u64> = (0..1 << 16).collect();
        for ty in [ElementType::F16, ElementType::Bf16] {
            assert_counted(ty, &all);
            all.chunks(777).for_each(|some| assert_counted(ty, some));
            for word in [0, 0x8000, 0x3c00, 0x7c00] {
                assert_counted(ty, &[word; 9]);
            }
        }
        let wide = |word: &u64, low: u64, shift: u32| (word << shift) | low;
        for low in [0, 1] {
            assert_counted(ElementType::F32, &all.iter().map(|word| wide(word, low, 16)).collect::<Vec<_>>());
            assert_counted(ElementType::F64, &all.iter().map(|word| wide(word, low, 48)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn blocks_of_a_constant_are_added_up() {
        let count = 3 * BLOCK / 2 + 5;
        let mut bytes: Vec<u8> = std::iter::repeat_n([0, 0x3c], usize::try_from(count).unwrap()).flatten().collect();
        let constant = Constant {
            ty: ElementType::F16,
            lengths: smallvec::smallvec![count.cast_signed()],
            offset: 0,
            size: 2 * count,
        };
        let of = |bytes: &[u8]| {
            let all = censuses(&Weights::in_memory(bytes.to_vec()), std::slice::from_ref(&constant));
            all.into_iter().next().flatten()
        };
        assert!(of(&bytes).is_some_and(|census| census.elements == count && census.is_uniform()));
        let index = count - 3;
        bytes[usize::try_from(2 * index + 1).unwrap()] = 0x7c;
        let census = of(&bytes).unwrap();
        assert_eq!((census.first, census.positive_infinities, census.is_uniform()), (Some(index), 1, false));
        bytes.pop();
        assert_eq!(of(&bytes), None, "the weights do not hold all of it");
    }
}
