//! Decoding of floating-point codes, and encoding of numbers by the nearest code.
//!
//! All numbers of narrower types, and the differences of neighbors, are exact in `f64`, so nothing is rounded twice.

use super::super::ElementType;

use ElementType as T;

/// The meaning of the largest exponent of a format.
#[derive(Clone, Copy, PartialEq)]
enum Top {
    /// Infinity and NaN, as in IEEE 754.
    Ieee,
    /// Finite numbers, except that the code of all ones is NaN.
    OneNan,
    /// Finite numbers.
    Numbers,
}

/// The widths in bits of the exponent and the fraction. From the highest bit on, a code is sign, exponent and fraction.
#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    fraction: u32,
    top: Top,
}

impl Format {
    fn of(ty: ElementType) -> Option<Self> {
        let (exponent, fraction, top) = match ty {
            T::F16 => (5, 10, Top::Ieee),
            T::Bf16 => (8, 7, Top::Ieee),
            T::F8e5m2 => (5, 2, Top::Ieee),
            T::F8e4m3 => (4, 3, Top::OneNan),
            T::F4e2m1 => (2, 1, Top::Numbers),
            _ => return None,
        };
        Some(Self { exponent, fraction, top })
    }

    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The code with all bits set except the sign.
    fn ones(self) -> u32 {
        (1 << (self.exponent + self.fraction)) - 1
    }

    /// The code of infinity; for formats without infinity, the same bits: exponent all ones, fraction 0.
    fn infinity(self) -> u32 {
        self.ones() >> self.fraction << self.fraction
    }

    fn largest(self) -> u32 {
        match self.top {
            Top::Ieee => self.infinity() - 1,
            Top::OneNan => self.ones() - 1,
            Top::Numbers => self.ones(),
        }
    }

    fn sign(self, is_negative: bool) -> u32 {
        u32::from(is_negative) << (self.exponent + self.fraction)
    }

    fn number(self, code: u32) -> f64 {
        let size = code & self.ones();
        let magnitude = match self.top {
            Top::Ieee if size == self.infinity() => f64::INFINITY,
            _ if size > self.largest() => f64::NAN,
            _ => {
                let field = size >> self.fraction;
                let fraction = size & ((1 << self.fraction) - 1);
                let (whole, power) = if field == 0 { (fraction, 1) } else { (fraction | 1 << self.fraction, field) };
                f64::from(whole) * power_of_two(power.cast_signed() - self.bias() - self.fraction.cast_signed())
            }
        };
        if code & self.sign(true) == 0 { magnitude } else { -magnitude }
    }

    /// The code of the nearest number, ties to even; `None` if that is beyond the largest number.
    fn code(self, number: f64) -> Option<u32> {
        let sign = self.sign(number.is_sign_negative());
        match self.top {
            Top::Ieee if number.is_nan() => return Some(sign | self.infinity() | 1 << (self.fraction - 1)),
            Top::Ieee if number.is_infinite() => return Some(sign | self.infinity()),
            Top::OneNan if number.is_nan() => return Some(self.ones()),
            _ if !number.is_finite() => return None,
            _ => {}
        }
        let least = 1 - self.bias();
        let exponent = exponent(number).max(least);
        let steps = number.abs() * power_of_two(self.fraction.cast_signed() - exponent);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to twice 2^fraction")]
        let steps = steps.round_ties_even() as u32;
        // The steps include the leading 1, which the code of a normal number omits: adding it raises the exponent field by one.
        let size = (u32::try_from(exponent - least).ok()? << self.fraction) + steps;
        (size <= self.largest()).then_some(sign | size)
    }
}

/// The exponent of a finite number; -1023, below all others, for 0 and for numbers that are subnormal in `f64`.
fn exponent(number: f64) -> i32 {
    i32::try_from(number.to_bits() >> 52 & 0x7FF).unwrap_or(0) - 1023
}

/// 2 to a power that is a normal number of `f64`.
fn power_of_two(power: i32) -> f64 {
    f64::from_bits(u64::try_from(1023 + power).unwrap_or(0) << 52)
}

/// The values of `nf4`: quantiles of the normal distribution.
const NF4: [f32; 16] = [
    -1.0,
    -0.696_192_8,
    -0.525_073_05,
    -0.394_917_5,
    -0.284_441_38,
    -0.184_773_43,
    -0.091_050_036,
    0.0,
    0.079_580_3,
    0.160_930_2,
    0.246_112_3,
    0.337_915_24,
    0.440_709_83,
    0.562_617,
    0.722_956_84,
    1.0,
];

/// The number that a code of a floating-point type represents; NaN for other types.
pub(crate) fn float(ty: ElementType, code: u64) -> f64 {
    let bytes @ [low, ..] = code.to_le_bytes();
    let [a, b, c, d, ..] = bytes;
    let bits = u32::from_le_bytes([a, b, c, d]);
    match ty {
        T::F64 => f64::from_bits(code),
        T::F32 => f32::from_bits(bits).into(),
        T::Nf4 => NF4[usize::from(low & 0xF)].into(),
        // A power of two, without sign or fraction.
        T::F8e8m0 if low == u8::MAX => f64::NAN,
        T::F8e8m0 => power_of_two(i32::from(low) - 127),
        _ => Format::of(ty).map_or(f64::NAN, |format| format.number(bits)),
    }
}

/// The code of the nearest number of a floating-point type, ties to even.
///
/// `None` if the number rounds beyond the largest number of the type, if it is outside the range of `nf4` or `f8e8m0`, and for
/// infinity and NaN if the type has none.
pub(crate) fn float_code(ty: ElementType, number: f64) -> Option<u64> {
    match ty {
        T::F64 => Some(number.to_bits()),
        T::F32 => {
            #[allow(clippy::cast_possible_truncation, reason = "rounds to the nearest, ties to even")]
            let single = number as f32;
            (single.is_infinite() == number.is_infinite()).then_some(single.to_bits().into())
        }
        T::Nf4 | T::F8e8m0 => nearest(ty, number),
        _ => Format::of(ty)?.code(number).map(u64::from),
    }
}

/// As [`float_code`], by trying every code of a type; `None` outside its range.
fn nearest(ty: ElementType, number: f64) -> Option<u64> {
    let codes = 0..1_u64 << ty.bits();
    if number.is_nan() {
        return codes.into_iter().find(|code| float(ty, *code).is_nan());
    }
    let finite = codes.filter(|code| !float(ty, *code).is_nan());
    let ends = finite.clone().map(|code| float(ty, code));
    let (least, most) = ends.fold((f64::MAX, f64::MIN), |(least, most), end| (least.min(end), most.max(end)));
    let distance = |code: &u64| (float(ty, *code) - number).abs();
    let nearest = finite.min_by(|a, b| distance(a).total_cmp(&distance(b)).then((a & 1).cmp(&(b & 1))));
    nearest.filter(|_| (least..=most).contains(&number))
}

/// Rounds to the nearest number of a floating-point type; infinity beyond the largest.
pub(crate) fn rounded(ty: ElementType, number: f64) -> f64 {
    float_code(ty, number).map_or(f64::INFINITY.copysign(number), |code| float(ty, code))
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "conversions are exact or they are wrong")]
mod tests {
    use super::*;
    use half::{bf16, f16};

    #[test]
    fn small_floats_mean_what_openvino_takes_them_for() {
        let values = |ty, codes: &[u64]| codes.iter().map(|code| float(ty, *code)).collect::<Vec<_>>();
        assert_eq!(
            values(T::F8e4m3, &[0, 1, 7, 8, 9, 0x38, 0x77, 0x7E, 0x81, 0xFE]),
            [0.0, 0.001_953_125, 0.013_671_875, 0.015_625, 0.017_578_125, 1.0, 240.0, 448.0, -0.001_953_125, -448.0]
        );
        assert_eq!(
            values(T::F8e5m2, &[0, 1, 0x3C, 0x7B, 0x7C, 0xC5, 0xFC]),
            [0.0, 1.525_878_906_25e-5, 1.0, 57344.0, f64::INFINITY, -5.0, f64::NEG_INFINITY]
        );
        assert_eq!(
            values(T::F8e8m0, &[0, 1, 0x7E, 127, 128, 254]),
            [2_f64.powi(-127), f32::MIN_POSITIVE.into(), 0.5, 1.0, 2.0, 2_f64.powi(127)]
        );
        let sizes = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
        assert_eq!(values(T::F4e2m1, &[0, 1, 2, 3, 4, 5, 6, 7]), sizes);
        assert_eq!(values(T::F4e2m1, &[8, 9, 10, 11, 12, 13, 14, 15]), sizes.map(|size| -size));
        assert_eq!(values(T::Nf4, &[0, 1, 7, 15]), [-1.0, f64::from(-0.696_192_8_f32), 0.0, 1.0]);
        let nan = [(T::F8e4m3, 0x7F), (T::F8e4m3, 0xFF), (T::F8e5m2, 0x7D), (T::F8e8m0, 0xFF)];
        assert!(nan.into_iter().all(|(ty, code)| float(ty, code).is_nan()));
        assert!(float(T::F4e2m1, 8).is_sign_negative() && float(T::F8e4m3, 0x80).is_sign_negative());
    }

    #[test]
    fn every_half_is_that_of_another_implementation() {
        for code in 0..=u16::MAX {
            for (ty, wanted) in [(T::F16, f16::from_bits(code).to_f64()), (T::Bf16, bf16::from_bits(code).to_f64())] {
                let found = float(ty, code.into());
                assert!(found == wanted || found.is_nan() && wanted.is_nan(), "{ty} {code:x}: {found} {wanted}");
                if !found.is_nan() {
                    assert_eq!(float_code(ty, found), Some(code.into()), "{ty} {code:x}");
                }
            }
        }
    }

    #[test]
    fn halves_round_as_those_of_another_implementation() {
        // Between any two neighbours, and next to the middle between them.
        for code in 0..0x7F7F_u16 {
            for (ty, from) in [(T::F16, f16::from_bits(code).to_f64()), (T::Bf16, bf16::from_bits(code).to_f64())] {
                let middle = f64::midpoint(from, float(ty, u64::from(code) + 1));
                if !middle.is_finite() {
                    continue;
                }
                // From `f32`, as the other one is not exact for all of `f64`.
                #[allow(clippy::cast_possible_truncation, reason = "exact")]
                let middle = middle as f32;
                for number in [middle.next_down(), middle, middle.next_up(), -middle] {
                    let wanted = match ty {
                        T::F16 => f16::from_f32(number).to_f64(),
                        _ => bf16::from_f32(number).to_f64(),
                    };
                    let number = f64::from(number);
                    assert_eq!(rounded(ty, number), wanted, "{ty} {number:e}");
                }
            }
        }
        let beyond = [1e6, 1e300, f64::MAX, f64::INFINITY];
        assert!(beyond.iter().all(|number| rounded(T::F16, *number) == f64::INFINITY));
        assert_eq!((rounded(T::F16, 65519.0), rounded(T::F16, -65520.0)), (65504.0, f64::NEG_INFINITY));
    }

    #[test]
    fn every_code_of_a_small_type_comes_back() {
        for ty in [T::F8e4m3, T::F8e5m2, T::F8e8m0, T::Nf4, T::F4e2m1] {
            for code in 0..1 << ty.bits() {
                let value = float(ty, code);
                let back = float_code(ty, value).unwrap();
                assert!(back == code || value.is_nan(), "{ty} {code}");
            }
        }
    }

    #[test]
    fn numbers_round_to_the_nearest() {
        assert_eq!(float_code(T::F32, 0.1), Some(u64::from(0.1_f32.to_bits())));
        assert_eq!(float_code(T::F32, 1e300), None);
        assert_eq!(float_code(T::F16, 2049.0), Some(0x6800));
        assert_eq!(float_code(T::Bf16, 1.0), Some(0x3F80));
        // Halfway between 2.0 (code 4) and 3.0 (code 5).
        assert_eq!(float_code(T::F4e2m1, 2.5), Some(4));
        assert_eq!(float_code(T::F4e2m1, -0.1), Some(8));
        assert_eq!(float_code(T::Nf4, 0.5), Some(12));
        assert_eq!(float_code(T::Nf4, 1.01), None);
        assert_eq!(float_code(T::F8e8m0, 0.0), None);
        assert_eq!(float_code(T::F8e8m0, f64::NAN), Some(0xFF));
        assert_eq!(float_code(T::F8e4m3, 464.0), Some(0x7E));
        assert_eq!(float_code(T::F8e4m3, 464.1), None);
        assert_eq!(float_code(T::F8e4m3, f64::INFINITY), None);
        assert_eq!(float_code(T::F16, 1e6), None);
        assert_eq!(float_code(T::F16, f64::INFINITY), Some(0x7C00));
        assert_eq!(float_code(T::F4e2m1, f64::NAN), None);
        assert_eq!(float_code(T::U8, 1.0), None);
    }
}
