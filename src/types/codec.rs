//! The byte encoding of elements of every type.
//!
//! An element is a *code*: its stored bits, in the low bits of a `u64`. Types of 8 bits and more store a code as
//! little-endian bytes; [`packed`] handles the others.

pub(crate) mod float;
pub(crate) mod packed;

use super::{Bounds, ElementType, Elements, PartialShape, Value};
use float::float;
use std::fmt;

use ElementType as T;

/// One element of a tensor.
///
/// Its text is a number, with the fewest digits that identify it within the type, or a quoted string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element<'a> {
    /// A whole number or, as 0 and 1, a boolean.
    Integer(i128),
    /// A floating-point number of 32 bits or fewer.
    Single(f32),
    /// A floating-point number of 64 bits.
    Double(f64),
    /// The bytes of a string, usually UTF-8.
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

/// The number of elements and of bytes in a block, the smallest group of elements that fills whole bytes.
pub(crate) fn block(ty: ElementType) -> (usize, usize) {
    match ty {
        T::U1 => (8, 1),
        T::U2 => (4, 1),
        T::U3 => (8, 3),
        T::U6 => (4, 3),
        _ if ty.is_packed() => (2, 1),
        _ => (1, ty.bits() as usize / 8),
    }
}

/// The code that is stored in up to 8 bytes, in little-endian order.
pub(crate) fn word(bytes: &[u8]) -> u64 {
    let mut code = [0; 8];
    code.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    u64::from_le_bytes(code)
}

/// The code of the element at `index`; `None` past the last one and for types whose elements have no fixed size.
pub(crate) fn code(ty: ElementType, bytes: &[u8], index: usize) -> Option<u64> {
    if ty.is_packed() {
        return packed::code(ty, bytes, index).map(u64::from);
    }
    let (_, size) = block(ty);
    let start = index.checked_mul(size).filter(|_| size > 0)?;
    Some(word(bytes.get(start..)?.get(..size)?))
}

/// Stores the codes of `count` elements in `bytes`, which must have exactly their size.
pub(crate) fn fill(ty: ElementType, count: usize, bytes: &mut [u8], code: impl Fn(usize) -> u64) {
    if !ty.is_packed() {
        let (_, size) = block(ty);
        for (index, element) in bytes.chunks_exact_mut(size.max(1)).take(count).enumerate() {
            element.copy_from_slice(&code(index).to_le_bytes()[..size]);
        }
        return;
    }
    let mut codes = [0; 1 << 10];
    for start in (0..count).step_by(codes.len()) {
        let codes = &mut codes[..(count - start).min(1 << 10)];
        for (index, place) in (start..).zip(&mut *codes) {
            [*place, ..] = code(index).to_le_bytes();
        }
        packed::pack(ty, codes, bytes, start);
    }
}

/// The codes of the elements of a value; `None` if one of them is not known.
pub(crate) fn codes(ty: ElementType, value: &Value) -> Option<Vec<u64>> {
    match value.elements() {
        Elements::Integers(all) => all.iter().map(|one| one.value().map(i64::cast_unsigned)).collect(),
        Elements::Floats(all) => all.iter().map(|one| float::float_code(ty, one.value()?)).collect(),
        Elements::Opaque(..) => None,
    }
}

/// The element that a code represents, which must have no bits beyond the width of the type.
pub(crate) fn element(ty: ElementType, code: u64) -> Element<'static> {
    match ty {
        T::F64 => Element::Double(float(ty, code)),
        #[allow(clippy::cast_possible_truncation, reason = "exact for every type narrower than f64")]
        _ if ty.is_float() => Element::Single(float(ty, code) as f32),
        _ if is_signed(ty) => Element::Integer(integer(ty, code).into()),
        _ => Element::Integer(code.into()),
    }
}

/// Whether the elements are whole numbers with a sign.
pub(crate) fn is_signed(ty: ElementType) -> bool {
    matches!(ty, T::I4 | T::I8 | T::I16 | T::I32 | T::I64)
}

/// The whole number that a code represents; a `u64` past `i64::MAX` becomes negative, as in OpenVINO.
fn integer(ty: ElementType, code: u64) -> i64 {
    let unused = if is_signed(ty) { 64 - ty.bits() } else { 0 };
    code.wrapping_shl(unused).cast_signed().wrapping_shr(unused)
}

/// The first `count` elements as a value; `None` for types without numbers and if bytes are missing.
///
/// Also `None` for a single 4-bit integer whose byte has bits in the unused half, as OpenVINO takes the whole byte where a
/// shape depends on it.
pub(crate) fn value(ty: ElementType, shape: &PartialShape, count: usize, bytes: &[u8]) -> Option<Value> {
    let size = usize::try_from(ty.storage(u64::try_from(count).ok()?)?).ok()?;
    let bytes = bytes.get(..size)?;
    if ty.is_packed() {
        if matches!(ty, T::I4 | T::U4) && count == 1 && bytes.iter().any(|byte| *byte > 15) {
            return None;
        }
        let mut codes = vec![0; count];
        packed::unpack(ty, bytes, 0, &mut codes);
        return numbers(ty, shape, codes.into_iter().map(u64::from));
    }
    numbers(ty, shape, bytes.chunks_exact(block(ty).1).map(word))
}

fn numbers(ty: ElementType, shape: &PartialShape, codes: impl Iterator<Item = u64> + Clone) -> Option<Value> {
    match ty {
        // OpenVINO takes other bytes for true in one place and for a number in another.
        T::Boolean if codes.clone().any(|code| code > 1) => None,
        T::Boolean => Value::integers(shape, codes.map(|code| Bounds::exact(code.cast_signed()))),
        _ if ty.is_float() => Value::floats(shape, codes.map(|code| Bounds::exact(float(ty, code)))),
        _ => Value::integers(shape, codes.map(|code| Bounds::exact(integer(ty, code)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value of `count` elements in these bytes.
    fn read(ty: ElementType, bytes: &[u8], count: usize) -> Option<Value> {
        let lengths = [i64::try_from(count).unwrap()];
        value(ty, &PartialShape::of(lengths.map(crate::types::Dim::exact)), count, bytes)
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
        assert_eq!(show(element(T::U64, u64::MAX)), "18446744073709551615");
    }

    #[test]
    fn one_element_of_half_a_byte_has_no_value_where_the_other_half_is_filled() {
        for ty in [T::I4, T::U4] {
            assert!(read(ty, &[0x32], 1).is_none());
            assert_eq!(read(ty, &[0x02], 1).unwrap().exact_integers().unwrap()[..], [2]);
            assert_eq!(read(ty, &[0x32], 2).unwrap().exact_integers().unwrap()[..], [2, 3]);
        }
        assert!(read(T::U2, &[0x32], 1).is_some());
    }

    #[test]
    fn values_and_elements_agree() {
        for ty in T::all().filter(|ty| ty.bits() > 0) {
            let code_of = |i: u8| if ty == T::Boolean { i % 2 } else { i.wrapping_mul(53) };
            let bytes: Vec<u8> = (0..96).map(code_of).collect();
            let value = read(ty, &bytes, 8).unwrap();
            for (index, found) in value.exact_floats().unwrap().iter().enumerate() {
                let wanted = match element(ty, code(ty, &bytes, index).unwrap()) {
                    Element::Integer(number) if ty == T::Boolean => f64::from(u8::from(number != 0)),
                    #[allow(clippy::cast_precision_loss, reason = "both numbers are rounded")]
                    Element::Integer(number) if ty == T::U64 => u64::try_from(number).unwrap().cast_signed() as f64,
                    #[allow(clippy::cast_precision_loss, reason = "both numbers are rounded")]
                    Element::Integer(number) => number as f64,
                    Element::Single(number) => number.into(),
                    Element::Double(number) => number,
                    Element::String(_) => unreachable!(),
                };
                assert!(found.total_cmp(&wanted).is_eq(), "{ty} {index}: {found} {wanted}");
            }
        }
    }

    #[test]
    fn every_type_of_numbers_has_values() {
        let text = |ty, bytes: &[u8], count| read(ty, bytes, count).map(|value| value.to_string());
        assert_eq!(text(T::U1, &[0b1010_0001], 8).as_deref(), Some("1,0,1,0,0,0,0,1"));
        assert_eq!(text(T::U3, &[0b0001_1011, 0b1110_0100, 0b1011_0001], 8).as_deref(), Some("4,1,6,7,3,2,1,4"));
        assert_eq!(text(T::U6, &[0x12, 0x34, 0b0001_1011], 3).as_deref(), Some("1,18,35"));
        assert_eq!(text(T::I4, &[0x1F], 2).as_deref(), Some("-1,1"));
        assert_eq!(text(T::Boolean, &[0, 1, 0], 3).as_deref(), Some("0,1,0"));
        assert_eq!(text(T::Boolean, &[0, 1, 2], 3), None);
        assert_eq!(text(T::I16, &[0xFE, 0xFF], 1).as_deref(), Some("-2"));
        assert_eq!(text(T::U64, &[0xFF; 8], 1).as_deref(), Some("-1"));
        assert_eq!(text(T::Nf4, &[0xF1], 2).as_deref(), Some("-0.6961928009986877,1"));
        assert_eq!(text(T::F32, &[0; 7], 2), None);
        assert_eq!(text(T::String, &[0; 8], 1), None);
        assert_eq!(text(T::Dynamic, &[], 0), None);
    }

    #[test]
    fn what_is_filled_is_read() {
        for ty in T::all().filter(|ty| ty.bits() > 0) {
            let mask = u64::MAX >> (64 - ty.bits());
            let wanted = |index: usize| (index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask;
            let mut bytes = vec![0xFF; usize::try_from(ty.storage(2051).unwrap()).unwrap()];
            fill(ty, 2051, &mut bytes, wanted);
            assert!((0..2051).all(|index| code(ty, &bytes, index) == Some(wanted(index))), "{ty}");
            let (elements, size) = block(ty);
            assert_eq!(code(ty, &bytes, bytes.len() / size * elements), None, "{ty}");
        }
        assert_eq!(code(T::String, &[0; 8], 0), None);
    }
}
