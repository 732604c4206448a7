//! The numbers in the bytes of constants.

use super::{Bounds, ElementType, PartialShape, Value};

/// The bits of a number of the type nf4.
#[allow(clippy::float_cmp, reason = "the numbers are those of the table")]
pub(crate) fn nf4_code(number: f64) -> Option<u8> {
    NF4.iter().position(|one| *one == number).and_then(|code| u8::try_from(code).ok())
}

/// The numbers of the type nf4.
const NF4: [f64; 16] = [
    -1.0,
    -0.696_192_800_998_687_7,
    -0.525_073_051_452_636_7,
    -0.394_917_488_098_144_5,
    -0.284_441_381_692_886_35,
    -0.184_773_430_228_233_34,
    -0.091_050_036_251_544_95,
    0.0,
    0.079_580_299_556_255_34,
    0.160_930_201_411_247_25,
    0.246_112_301_945_686_34,
    0.337_915_241_718_292_24,
    0.440_709_829_330_444_3,
    0.562_617_003_917_694_1,
    0.722_956_836_223_602_3,
    1.0,
];

/// The numbers in the bytes of a constant.
pub(crate) fn decode(ty: ElementType, shape: &PartialShape, count: usize, bytes: &[u8]) -> Option<Value> {
    use ElementType as T;
    let integers = |width: usize, number: &dyn Fn(&[u8]) -> i64| {
        Value::integers(shape, bytes.chunks_exact(width).take(count).map(|part| Bounds::exact(number(part))))
    };
    let floats = |width: usize, number: &dyn Fn(&[u8]) -> f64| {
        Value::floats(shape, bytes.chunks_exact(width).take(count).map(|part| Bounds::exact(number(part))))
    };
    match ty {
        T::I64 | T::U64 => integers(8, &|part| i64::from_le_bytes(array(part))),
        T::I32 => integers(4, &|part| i64::from(i32::from_le_bytes(array(part)))),
        T::U32 => integers(4, &|part| i64::from(u32::from_le_bytes(array(part)))),
        T::I16 => integers(2, &|part| i64::from(i16::from_le_bytes(array(part)))),
        T::U16 => integers(2, &|part| i64::from(u16::from_le_bytes(array(part)))),
        T::I8 => integers(1, &|part| i64::from(i8::from_le_bytes(array(part)))),
        T::U8 => integers(1, &|part| i64::from(part[0])),
        T::Boolean => integers(1, &|part| i64::from(part[0] != 0)),
        T::I4 => signed_nibbles(shape, &packed(shape, count, bytes, 4)?),
        T::U4 => packed(shape, count, bytes, 4),
        T::U2 => packed(shape, count, bytes, 2),
        T::U1 => {
            let bit = |i: usize| bytes.get(i / 8).map_or(0, |byte| i64::from(byte >> (7 - i % 8) & 1));
            Value::integers(shape, (0..count).map(|i| Bounds::exact(bit(i))))
        }
        T::Nf4 => nibbles(shape, count, bytes, |nibble| NF4[nibble]),
        T::F4e2m1 => nibbles(shape, count, bytes, |nibble| small(nibble, 2, 1, 1)),
        T::F8e4m3 => floats(1, &|part| match part[0] & 0x7F {
            0x7F => f64::NAN,
            _ => small(part[0].into(), 4, 3, 7),
        }),
        T::F8e5m2 => floats(1, &|part| half::f16::from_le_bytes([0, part[0]]).to_f64()),
        T::F8e8m0 => floats(1, &|part| match part[0] {
            u8::MAX => f64::NAN,
            power => libm::exp2(f64::from(i16::from(power) - 127)),
        }),
        T::F64 => floats(8, &|part| f64::from_le_bytes(array(part))),
        T::F32 => floats(4, &|part| f64::from(f32::from_le_bytes(array(part)))),
        T::F16 => floats(2, &|part| half::f16::from_le_bytes(array(part)).to_f64()),
        T::Bf16 => floats(2, &|part| half::bf16::from_le_bytes(array(part)).to_f64()),
        _ => None,
    }
}

/// Numbers of half a byte, the first in the lower half.
fn nibbles(shape: &PartialShape, count: usize, bytes: &[u8], number: impl Fn(usize) -> f64) -> Option<Value> {
    let nibble = |i: usize| usize::from(bytes.get(i / 2).map_or(0, |byte| byte >> (i % 2 * 4) & 15));
    Value::floats(shape, (0..count).map(|i| Bounds::exact(number(nibble(i)))))
}

/// A finite number of a sign, `exponent` bits with a bias and `mantissa` bits.
#[allow(clippy::cast_precision_loss, reason = "a byte fits")]
fn small(bits: usize, exponent: u32, mantissa: u32, bias: i32) -> f64 {
    let power = i32::try_from(bits >> mantissa & ((1 << exponent) - 1)).unwrap_or(0);
    let fraction = (bits & ((1 << mantissa) - 1)) as f64 / f64::from(1_u32 << mantissa);
    let magnitude = if power == 0 {
        fraction * libm::exp2(f64::from(1 - bias))
    } else {
        (1.0 + fraction) * libm::exp2(f64::from(power - bias))
    };
    if bits >> (exponent + mantissa) & 1 == 1 { -magnitude } else { magnitude }
}

fn array<const N: usize>(part: &[u8]) -> [u8; N] {
    part.try_into().unwrap_or([0; N])
}

/// Unsigned numbers of `bits` bits, the first in the lowest bits.
fn packed(shape: &PartialShape, count: usize, bytes: &[u8], bits: usize) -> Option<Value> {
    let per_byte = 8 / bits;
    let mask = (1_u16 << bits) - 1;
    let number = |i: usize| {
        bytes.get(i / per_byte).map_or(0, |byte| i64::from(u16::from(*byte) >> (i % per_byte * bits) & mask))
    };
    Value::integers(shape, (0..count).map(|i| Bounds::exact(number(i))))
}

fn signed_nibbles(shape: &PartialShape, unsigned: &Value) -> Option<Value> {
    let signed = |one: &Bounds<i64>| Bounds::exact(if one.lower > 7 { one.lower - 16 } else { one.lower });
    Value::integers(shape, unsigned.as_integers()?.iter().map(signed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(ty: ElementType, bytes: &[u8], count: usize) -> Vec<f64> {
        let lengths = [i64::try_from(count).unwrap()];
        let shape = PartialShape::of(lengths.map(crate::types::Dim::exact));
        let value = decode(ty, &shape, count, bytes).unwrap();
        value.exact_floats().unwrap().to_vec()
    }

    #[test]
    fn small_floats_are_numbers() {
        let all: Vec<u8> = (0..8).map(|i| (i * 2) | ((i * 2 + 1) << 4)).collect();
        let (zero, half) = ([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0], numbers(ElementType::F4e2m1, &all, 16));
        assert_eq!(half[..8], zero);
        assert_eq!(half[8..], zero.map(|number| -number));
        let found = numbers(ElementType::F8e4m3, &[0x00, 0x01, 0x07, 0x08, 0x38, 0x7E, 0x81, 0xFE], 8);
        assert_eq!(found, [0.0, 0.001_953_125, 0.013_671_875, 0.015_625, 1.0, 448.0, -0.001_953_125, -448.0]);
        assert!(numbers(ElementType::F8e4m3, &[0x7F, 0xFF], 2).iter().all(|number| number.is_nan()));
        let found = numbers(ElementType::F8e5m2, &[0x00, 0x01, 0x3C, 0x7B, 0x7C, 0xC5], 6);
        assert_eq!(found, [0.0, 1.525_878_906_25e-5, 1.0, 57344.0, f64::INFINITY, -5.0]);
        let found = numbers(ElementType::F8e8m0, &[0x01, 0x7E, 0x7F, 0x80, 0xFE], 5);
        assert_eq!(found, [f64::from(f32::MIN_POSITIVE), 0.5, 1.0, 2.0, 2_f64.powi(127)]);
    }
}
