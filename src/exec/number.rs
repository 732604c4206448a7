//! Elements as numbers: what the bits of each type mean, and the bits of a number.

use crate::types::ElementType;
use half::{bf16, f16};
use std::fmt;

/// One element of a tensor.
///
/// Shown as a number, in as few digits as tell it from its neighbours in the type, or as a quoted string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element<'a> {
    /// A whole number or, as 0 and 1, a boolean.
    Integer(i128),
    /// A floating-point number of 32 bits or fewer.
    Single(f32),
    /// A floating-point number of 64 bits.
    Double(f64),
    /// The bytes of a string, UTF-8 as a rule.
    String(&'a [u8]),
}

impl fmt::Display for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |size: f64| size == 0.0 || (1e-5..1e16).contains(&size) || !size.is_finite();
        match self {
            Self::Integer(number) => write!(f, "{number}"),
            Self::Single(number) if plain(f64::from(number.abs())) => write!(f, "{number}"),
            Self::Single(number) => write!(f, "{number:e}"),
            Self::Double(number) if plain(number.abs()) => write!(f, "{number}"),
            Self::Double(number) => write!(f, "{number:e}"),
            Self::String(bytes) => write!(f, "{:?}", String::from_utf8_lossy(bytes)),
        }
    }
}

use ElementType as T;

/// Bytes of an element of a type whose elements take whole bytes; `None` for others.
pub(super) fn size(ty: ElementType) -> Option<usize> {
    (ty.bits() >= 8).then(|| ty.bits() as usize / 8)
}

/// What the bits `code` mean; those behind the type's own are not looked at.
pub(super) fn element(ty: ElementType, code: u64) -> Element<'static> {
    let [a, b, c, d, ..] = code.to_le_bytes();
    match ty {
        T::Dynamic
        | T::String
        | T::Boolean
        | T::U1
        | T::U2
        | T::U3
        | T::U4
        | T::U6
        | T::U8
        | T::U16
        | T::U32
        | T::U64 => Element::Integer(i128::from(code)),
        T::I4 | T::I8 | T::I16 | T::I32 | T::I64 => {
            let unused = 64 - ty.bits();
            Element::Integer(i128::from((code << unused).cast_signed() >> unused))
        }
        T::F64 => Element::Double(f64::from_bits(code)),
        T::F32 => Element::Single(f32::from_le_bytes([a, b, c, d])),
        T::F16 => Element::Single(f16::from_le_bytes([a, b]).to_f32()),
        T::Bf16 => Element::Single(bf16::from_le_bytes([a, b]).to_f32()),
        // The larger of the 8-bit floats is the upper half of an `f16`.
        T::F8e5m2 => Element::Single(f16::from_le_bytes([0, a]).to_f32()),
        T::F8e4m3 => Element::Single(f8e4m3(a)),
        T::F8e8m0 => Element::Single(if a == 0xFF { f32::NAN } else { 2_f32.powi(i32::from(a) - 127) }),
        T::Nf4 => Element::Single(NF4[usize::from(a & 0xF)]),
        T::F4e2m1 => {
            let size = F4E2M1[usize::from(a & 0x7)];
            Element::Single(if a & 0x8 == 0 { size } else { -size })
        }
    }
}

/// Sign, four bits of exponent, three of fraction; no infinities, and only all ones are no number.
fn f8e4m3(code: u8) -> f32 {
    let (exponent, fraction) = (i32::from(code >> 3 & 0xF), f32::from(code & 0x7));
    let size = match (exponent, code & 0x7) {
        (15, 7) => f32::NAN,
        (0, _) => fraction * 2_f32.powi(-9),
        _ => (8.0 + fraction) * 2_f32.powi(exponent - 10),
    };
    if code & 0x80 == 0 { size } else { -size }
}

/// The sizes that three bits of `f4e2m1` stand for.
const F4E2M1: [f32; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];

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

/// The bits of `number` as an element of a type of floating point, rounded to the nearest, ties to even.
///
/// `None` where it is larger than any of them, or they have no such thing as infinity or NaN.
pub(super) fn float_code(ty: ElementType, number: f64) -> Option<u64> {
    let (code, infinite) = match ty {
        T::F64 => (number.to_bits(), number.is_infinite()),
        T::F32 => {
            #[allow(clippy::cast_possible_truncation, reason = "rounds to the nearest, as it should")]
            let number = number as f32;
            (u64::from(number.to_bits()), number.is_infinite())
        }
        T::F16 => (u64::from(f16::from_f64(number).to_bits()), f16::from_f64(number).is_infinite()),
        T::Bf16 => (u64::from(bf16::from_f64(number).to_bits()), bf16::from_f64(number).is_infinite()),
        _ => return small_float_code(ty, number),
    };
    (infinite == number.is_infinite()).then_some(code)
}

/// As [`float_code`] for the types of 8 bits and less: there are so few values that all are looked at.
fn small_float_code(ty: ElementType, number: f64) -> Option<u64> {
    if !ty.is_float() {
        return None;
    }
    let value = |code: u64| match element(ty, code) {
        Element::Single(value) => f64::from(value),
        _ => f64::NAN,
    };
    let codes = 0..1_u64 << ty.bits();
    if !number.is_finite() {
        return codes.into_iter().find(|code| match value(*code) {
            value if value.is_nan() => number.is_nan(),
            value => value.total_cmp(&number).is_eq(),
        });
    }
    let finite = codes.filter(|code| value(*code).is_finite());
    let (least, most) = finite
        .clone()
        .map(value)
        .fold((f64::MAX, f64::MIN), |(least, most), value| (least.min(value), most.max(value)));
    if !(least..=most).contains(&number) {
        return None;
    }
    // Of the two zeros the one of the same sign is nearer; of two neighbours the one whose last bit is 0.
    let distance = |code: &u64| (value(*code) - number).abs();
    let other_sign = |code: &u64| value(*code).is_sign_negative() != number.is_sign_negative();
    finite.min_by(|a, b| {
        distance(a).total_cmp(&distance(b)).then(other_sign(a).cmp(&other_sign(b))).then((a & 1).cmp(&(b & 1)))
    })
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "conversions are exact or they are wrong")]
mod tests {
    use super::*;

    fn value(ty: ElementType, code: u64) -> f32 {
        match element(ty, code) {
            Element::Single(value) => value,
            other => panic!("{ty} {other}"),
        }
    }

    #[test]
    fn small_floats_mean_what_openvino_takes_them_for() {
        let values = |ty, codes: &[u64]| codes.iter().map(|code| value(ty, *code)).collect::<Vec<_>>();
        assert_eq!(
            values(T::F8e4m3, &[0, 1, 7, 8, 9, 0x38, 0x77, 0x7E, 0x81, 0xFE]),
            [0.0, 0.001_953_125, 0.013_671_875, 0.015_625, 0.017_578_125, 1.0, 240.0, 448.0, -0.001_953_125, -448.0]
        );
        assert_eq!(
            values(T::F8e5m2, &[0, 1, 4, 0x3C, 0x7B, 0x7C, 0x84, 0xFC]),
            [0.0, 1.525_878_9e-5, 6.103_515_6e-5, 1.0, 57344.0, f32::INFINITY, -6.103_515_6e-5, f32::NEG_INFINITY]
        );
        assert_eq!(
            values(T::F8e8m0, &[0, 1, 127, 128, 254]),
            [5.877_472e-39, 1.175_494_4e-38, 1.0, 2.0, 1.701_411_8e38]
        );
        assert_eq!(values(T::F4e2m1, &[3, 7, 11, 15]), [1.5, 6.0, -1.5, -6.0]);
        assert_eq!(values(T::Nf4, &[0, 1, 7, 15]), [-1.0, -0.696_192_8, 0.0, 1.0]);
        let nan = [(T::F8e4m3, 0x7F), (T::F8e4m3, 0xFF), (T::F8e5m2, 0x7D), (T::F8e8m0, 0xFF)];
        assert!(nan.into_iter().all(|(ty, code)| value(ty, code).is_nan()));
        assert!(value(T::F4e2m1, 8).is_sign_negative() && value(T::F8e4m3, 0x80).is_sign_negative());
    }

    #[test]
    fn every_code_of_a_small_type_comes_back() {
        for ty in [T::F8e4m3, T::F8e5m2, T::F8e8m0, T::Nf4, T::F4e2m1] {
            for code in 0..1 << ty.bits() {
                let value = value(ty, code);
                let back = float_code(ty, value.into()).unwrap();
                assert!(back == code || value.is_nan(), "{ty} {code}");
            }
        }
    }

    #[test]
    fn numbers_round_to_the_nearest() {
        assert_eq!(float_code(T::F32, 0.1), Some(u64::from(0.1_f32.to_bits())));
        assert_eq!(float_code(T::F16, 2049.0), Some(0x6800));
        assert_eq!(float_code(T::Bf16, 1.0), Some(0x3F80));
        // Halfway between 2.0 (code 4) and 3.0 (code 5).
        assert_eq!(float_code(T::F4e2m1, 2.5), Some(4));
        assert_eq!(float_code(T::F4e2m1, -0.1), Some(8));
        assert_eq!(float_code(T::Nf4, 0.5), Some(12));
        assert_eq!(float_code(T::F8e8m0, 0.0), None);
        assert_eq!(float_code(T::F8e4m3, 449.0), None);
        assert_eq!(float_code(T::F8e4m3, f64::INFINITY), None);
        assert_eq!(float_code(T::F16, 1e6), None);
        assert_eq!(float_code(T::F16, f64::INFINITY), Some(0x7C00));
        assert_eq!(float_code(T::F4e2m1, f64::NAN), None);
        assert_eq!(float_code(T::U8, 1.0), None);
    }

    #[test]
    fn elements_show_few_digits() {
        let show = |element: Element| element.to_string();
        assert_eq!(show(Element::Single(960.0)), "960");
        assert_eq!(show(Element::Single(-0.0)), "-0");
        assert_eq!(show(Element::Single(0.1)), "0.1");
        assert_eq!(show(Element::Double(1e300)), "1e300");
        assert_eq!(show(Element::Single(5.877_472e-39)), "5.877472e-39");
        assert_eq!(show(Element::Double(f64::NAN)), "NaN");
        assert_eq!(show(Element::Single(f32::INFINITY)), "inf");
        assert_eq!(show(Element::String(b"a\xFF\"")), "\"a\u{FFFD}\\\"\"");
        assert_eq!(show(element(T::I4, 0x1F)), "-1");
        assert_eq!(show(element(T::I64, u64::MAX)), "-1");
    }
}
