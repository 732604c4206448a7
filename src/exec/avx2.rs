//! The inner loops in AVX2 and BMI2, if the CPU has them. Only this module may contain unsafe code.

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

/// Splits rows of bits if the CPU gathers the bits of a word by one instruction; returns whether it did.
pub(super) fn split_bits(rows: &Rows, input: &[u8], outputs: &mut [&mut [u8]]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        #[target_feature(enable = "bmi2")]
        fn bmi2(rows: &Rows, input: &[u8], outputs: &mut [&mut [u8]]) {
            rows.split(input, outputs, |word, mask| std::arch::x86_64::_pext_u64(word, mask));
        }
        // SAFETY: the function requires only BMI2, which the CPU has.
        unsafe { bmi2(rows, input, outputs) };
        return true;
    }
    false
}
