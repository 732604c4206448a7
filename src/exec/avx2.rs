//! The inner loops in AVX2, if the CPU has it. Only this module may contain unsafe code.

#![allow(unsafe_code, reason = "calling a function compiled for AVX2 is unsafe until the CPU is known to have it")]

use super::loops;

/// Runs [`loops::copy_pieces`], compiled for AVX2 if the CPU has it.
pub(super) fn copy_pieces<const SIZE: usize, const COUNT: usize>(
    input: &[u8],
    row: usize,
    run: usize,
    rows: usize,
    output: &mut [u8],
) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn avx2<const S: usize, const C: usize>(input: &[u8], row: usize, run: usize, rows: usize, output: &mut [u8]) {
            loops::copy_pieces::<S, C>(input, row, run, rows, output);
        }
        // SAFETY: the function requires only AVX2, which the CPU has.
        return unsafe { avx2::<SIZE, COUNT>(input, row, run, rows, output) };
    }
    loops::copy_pieces::<SIZE, COUNT>(input, row, run, rows, output);
}

/// Runs [`loops::copy_fours`], compiled for AVX2 if the CPU has it.
pub(super) fn copy_fours<const TAIL: usize>(input: &[u8], row: usize, run: usize, rows: usize, output: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn avx2<const TAIL: usize>(input: &[u8], row: usize, run: usize, rows: usize, output: &mut [u8]) {
            loops::copy_fours::<TAIL>(input, row, run, rows, output);
        }
        // SAFETY: the function requires only AVX2, which the CPU has.
        return unsafe { avx2::<TAIL>(input, row, run, rows, output) };
    }
    loops::copy_fours::<TAIL>(input, row, run, rows, output);
}

/// Runs [`loops::deal`], compiled for AVX2 if the CPU has it.
pub(super) fn deal<const SIZE: usize>(input: &[u8], targets: &mut [&mut [u8]]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn avx2<const SIZE: usize>(input: &[u8], targets: &mut [&mut [u8]]) {
            loops::deal::<SIZE>(input, targets);
        }
        // SAFETY: the function requires only AVX2, which the CPU has.
        return unsafe { avx2::<SIZE>(input, targets) };
    }
    loops::deal::<SIZE>(input, targets);
}
