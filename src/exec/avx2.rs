//! The inner loops of splits in AVX2 and BMI2, if the CPU has them. No other file of `exec` may contain unsafe code.

#![allow(unsafe_code, reason = "calling a function compiled for AVX2 is unsafe until the CPU is known to have it")]

use super::bits::Rows;
use super::loops;

macro_rules! vectorized {
    ($name:ident<$(const $size:ident),+>($($argument:ident: $ty:ty),+)) => {
        #[doc = concat!("Runs [`loops::", stringify!($name), "`], compiled for AVX2 if the CPU has it.")]
        pub(super) fn $name<$(const $size: usize),+>($($argument: $ty),+) {
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                #[target_feature(enable = "avx2")]
                fn avx2<$(const $size: usize),+>($($argument: $ty),+) {
                    loops::$name::<$($size),+>($($argument),+);
                }
                // SAFETY: the function requires only AVX2, which the CPU has.
                return unsafe { avx2::<$($size),+>($($argument),+) };
            }
            loops::$name::<$($size),+>($($argument),+);
        }
    };
}

vectorized!(copy_pieces<const SIZE, const COUNT>(input: &[u8], row: usize, run: usize, rows: usize, output: &mut [u8]));
vectorized!(copy_fours<const TAIL>(input: &[u8], row: usize, run: usize, rows: usize, output: &mut [u8]));
vectorized!(deal<const SIZE>(input: &[u8], targets: &mut [&mut [u8]]));

/// Distributes rows as [`loops::deal`] does, to more than four targets; past the caches if `far`.
pub(super) fn deal_many<const SIZE: usize>(input: &[u8], targets: &mut [&mut [u8]], far: bool) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the functions require only AVX2, which the CPU has.
        let done = unsafe {
            match SIZE {
                1 => tiles::deal::<1, 8>(input, targets, far),
                2 => tiles::deal::<2, 8>(input, targets, far),
                4 => tiles::deal::<4, 4>(input, targets, far),
                8 => tiles::deal::<8, 2>(input, targets, far),
                16 => tiles::deal::<16, 1>(input, targets, far),
                _ => 0,
            }
        };
        fence();
        return loops::deal_many::<SIZE>(input, done, targets);
    }
    _ = far;
    loops::deal_many::<SIZE>(input, 0, targets);
}

/// Copies past the caches if the CPU has AVX2. Before others read the target, [`fence`] must be called.
pub(super) fn stream(source: &[u8], target: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the function requires only AVX2, which the CPU has.
        return unsafe { tiles::stream(source, target) };
    }
    target.copy_from_slice(source);
}

/// Waits until memory holds what [`stream`] has copied.
pub(super) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every CPU of this architecture has SSE.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// Transposes tiles of rows: 8 or 16 bytes of each become columns of elements.
#[cfg(target_arch = "x86_64")]
mod tiles {
    #[allow(clippy::wildcard_imports, reason = "the instructions")]
    use std::arch::x86_64::*;
    use std::mem::transmute;

    /// The number of vectors of a column that are written to an output at a time.
    const DEPTH: usize = 8;
    /// The maximum size of a block of rows that is fetched into the nearest cache before it is needed.
    const NEAR: usize = 16 << 10;

    /// Distributes elements of `SIZE` bytes to `N` targets a tile; returns the number of rows done.
    #[allow(unused_unsafe, reason = "the first releases of Rust that are supported call a prefetch unsafe")]
    #[target_feature(enable = "avx2")]
    pub(super) fn deal<const SIZE: usize, const N: usize>(input: &[u8], targets: &mut [&mut [u8]], far: bool) -> usize {
        let row = targets.len() * SIZE;
        let height = 32 / SIZE;
        // The last tile of a row may extend into the next row.
        let excess = row.next_multiple_of(N * SIZE) - row;
        let tiles = input.len().saturating_sub(excess) / row / height;
        let mut columns = [[[0; 32]; DEPTH]; N];
        for first in (0..tiles).step_by(DEPTH) {
            let depth = DEPTH.min(tiles - first);
            let (block, next) = input[first * height * row..].split_at(depth * height * row);
            if far && block.len() <= NEAR {
                for line in next.chunks(64).take(block.len() / 64) {
                    // SAFETY: a prefetch changes nothing but the caches.
                    unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
                }
            }
            for (i, targets) in targets.chunks_mut(N).enumerate() {
                for tile in 0..depth {
                    let input = &input[(first + tile) * height * row + i * N * SIZE..];
                    for (column, vector) in columns.iter_mut().zip(&transpose::<SIZE, N>(read::<SIZE, N>(input, row))) {
                        // SAFETY: both are 32 bytes, and any bytes are valid.
                        column[tile] = unsafe { transmute::<__m256i, [u8; 32]>(*vector) };
                    }
                }
                for (target, column) in targets.iter_mut().zip(&columns) {
                    let (column, target) = (column[..depth].as_flattened(), &mut target[first * 32..][..depth * 32]);
                    if far { stream(column, target) } else { target.copy_from_slice(column) }
                }
            }
        }
        tiles * height
    }

    /// Reads as many rows as fill a column. Each half of a vector has one row, or two neighbours if a tile has 8 bytes of each.
    #[target_feature(enable = "avx2")]
    fn read<const SIZE: usize, const N: usize>(input: &[u8], row: usize) -> [__m256i; N] {
        let mut rows = [_mm256_setzero_si256(); N];
        for (i, vector) in rows.iter_mut().enumerate() {
            let half = |lane: usize| match N * SIZE {
                8 => {
                    let input = &input[(lane * N + i) * 2 * row..];
                    _mm_set_epi64x(word(&input[row..]), word(input))
                }
                _ => load(&input[(lane * N + i) * row..]),
            };
            *vector = _mm256_set_m128i(half(1), half(0));
        }
        rows
    }

    /// Copies past the caches, except for the ends of the target that are not aligned.
    #[target_feature(enable = "avx2")]
    pub(super) fn stream(source: &[u8], target: &mut [u8]) {
        // SAFETY: any bytes are a valid vector.
        let (head, middle, tail) = unsafe { target.align_to_mut::<__m256i>() };
        let (first, source) = source.split_at(head.len());
        let (vectors, last) = source.as_chunks::<32>();
        head.copy_from_slice(first);
        for (target, bytes) in middle.iter_mut().zip(vectors) {
            // SAFETY: the target is aligned, and any bytes are a valid vector.
            unsafe { _mm256_stream_si256(target, transmute::<[u8; 32], __m256i>(*bytes)) };
        }
        tail.copy_from_slice(last);
    }

    #[target_feature(enable = "avx2")]
    fn load(input: &[u8]) -> __m128i {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&input[..16]);
        // SAFETY: both are 16 bytes, and any bytes are valid.
        unsafe { transmute::<[u8; 16], __m128i>(bytes) }
    }

    fn word(input: &[u8]) -> i64 {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&input[..8]);
        i64::from_le_bytes(bytes)
    }

    /// Transposes the rows that [`read`] returns.
    ///
    /// The elements of the first half of the rows and of the second half alternate after a round. After as many rounds as
    /// a vector's half has elements, rows are columns.
    #[target_feature(enable = "avx2")]
    fn transpose<const SIZE: usize, const N: usize>(mut rows: [__m256i; N]) -> [__m256i; N] {
        for _ in 0..(16 / SIZE).ilog2() {
            let old = rows;
            for i in 0..N / 2 {
                let (a, b) = (old[i], old[i + N / 2]);
                [rows[2 * i], rows[2 * i + 1]] = match SIZE {
                    1 => [_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)],
                    2 => [_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)],
                    4 => [_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)],
                    _ => [_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)],
                };
            }
        }
        rows
    }
}

/// Splits rows of bits if the CPU gathers the bits of a word by one instruction; returns whether it did.
pub(super) fn split_bits<const HIGH: bool>(rows: &Rows<HIGH>, input: &[u8], outputs: &mut [&mut [u8]]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        #[target_feature(enable = "bmi2")]
        fn bmi2<const HIGH: bool>(rows: &Rows<HIGH>, input: &[u8], outputs: &mut [&mut [u8]]) {
            rows.split(input, outputs, |word, mask| std::arch::x86_64::_pext_u64(word, mask));
        }
        // SAFETY: the function requires only BMI2, which the CPU has.
        unsafe { bmi2(rows, input, outputs) };
        return true;
    }
    false
}
