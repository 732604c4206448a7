//! Element types of tensors, their two spellings in an IR and their storage.

use std::fmt;

/// The type of a tensor's elements, as OpenVINO 2026.4 knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs, reason = "the variants are the types' own names")]
#[non_exhaustive]
pub enum ElementType {
    /// An unknown type; merges with every other type.
    Dynamic,
    Boolean,
    Bf16,
    F16,
    F32,
    F64,
    I4,
    I8,
    I16,
    I32,
    I64,
    U1,
    U2,
    U3,
    U4,
    U6,
    U8,
    U16,
    U32,
    U64,
    Nf4,
    F4e2m1,
    F8e4m3,
    F8e5m2,
    F8e8m0,
    String,
}

use ElementType as T;

/// The spelling in data, the spelling in ports and the bits of every type, in the order of the variants.
const TABLE: [(T, &str, &str, u8); 26] = [
    (T::Dynamic, "dynamic", "UNSPECIFIED", 0),
    (T::Boolean, "boolean", "BOOL", 8),
    (T::Bf16, "bf16", "BF16", 16),
    (T::F16, "f16", "FP16", 16),
    (T::F32, "f32", "FP32", 32),
    (T::F64, "f64", "FP64", 64),
    (T::I4, "i4", "I4", 4),
    (T::I8, "i8", "I8", 8),
    (T::I16, "i16", "I16", 16),
    (T::I32, "i32", "I32", 32),
    (T::I64, "i64", "I64", 64),
    (T::U1, "u1", "BIN", 1),
    (T::U2, "u2", "U2", 2),
    (T::U3, "u3", "U3", 3),
    (T::U4, "u4", "U4", 4),
    (T::U6, "u6", "U6", 6),
    (T::U8, "u8", "U8", 8),
    (T::U16, "u16", "U16", 16),
    (T::U32, "u32", "U32", 32),
    (T::U64, "u64", "U64", 64),
    (T::Nf4, "nf4", "NF4", 4),
    (T::F4e2m1, "f4e2m1", "F4E2M1", 4),
    (T::F8e4m3, "f8e4m3", "F8E4M3", 8),
    (T::F8e5m2, "f8e5m2", "F8E5M2", 8),
    (T::F8e8m0, "f8e8m0", "F8E8M0", 8),
    (T::String, "string", "STRING", 0),
];

impl ElementType {
    /// Every type, `Dynamic` first.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    fn row(self) -> &'static (T, &'static str, &'static str, u8) {
        // The test `the_table_follows_the_variants` checks that the orders are the same.
        &TABLE[self as usize]
    }

    /// The spelling in `<data>` attributes: `f32`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The spelling in the `precision` of a port: `FP32`.
    pub fn port_name(self) -> &'static str {
        self.row().2
    }

    /// The bits of one element; 0 for `dynamic` and `string`.
    pub fn bits(self) -> u32 {
        u32::from(self.row().3)
    }

    /// The type that the text of an attribute names, read as OpenVINO does: in any case, never in the port spelling.
    pub fn from_data_text(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case("undefined") {
            return Some(T::Dynamic);
        }
        TABLE.iter().find(|row| row.1.eq_ignore_ascii_case(text)).map(|row| row.0)
    }

    /// The type that the `precision` of a port names, read as OpenVINO does: in both spellings, in exact case.
    pub fn from_port_text(text: &str) -> Option<Self> {
        match text {
            "FP32" => return Some(T::F32),
            "I64" => return Some(T::I64),
            "undefined" => return Some(T::Dynamic),
            "bin" | "U1" => return Some(T::U1),
            _ => {}
        }
        TABLE.iter().find(|row| row.1 == text || row.2 == text).map(|row| row.0)
    }

    /// The bytes of `count` elements; `None` on overflow and for types without a fixed size (string, dynamic).
    pub fn storage(self, count: u64) -> Option<u64> {
        match self {
            T::Dynamic | T::String => None,
            T::U3 => count.div_ceil(8).checked_mul(3),
            T::U6 => count.div_ceil(4).checked_mul(3),
            _ if self.bits() >= 8 => count.checked_mul(u64::from(self.bits() / 8)),
            _ => Some(count.div_ceil(u64::from(8 / self.bits()))),
        }
    }

    /// Whether elements share bytes with their neighbours.
    pub fn is_packed(self) -> bool {
        (1..8).contains(&self.bits())
    }

    /// Whether the elements are whole numbers; `boolean` and `string` are not.
    pub fn is_integer(self) -> bool {
        TypeSet::INTEGER.has(self)
    }

    /// Whether the elements are floating-point numbers of any width.
    pub fn is_float(self) -> bool {
        TypeSet::FLOAT.has(self)
    }

    /// The range of an integer or boolean type, clipped to the range of `i64`; `None` for other types.
    pub fn integer_range(self) -> Option<(i64, i64)> {
        let bits = self.bits();
        match self {
            T::Boolean => Some((0, 1)),
            T::I64 => Some((i64::MIN, i64::MAX)),
            T::U64 => Some((0, i64::MAX)),
            T::I4 | T::I8 | T::I16 | T::I32 => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            T::U1 | T::U2 | T::U3 | T::U4 | T::U6 | T::U8 | T::U16 | T::U32 => Some((0, (1 << bits) - 1)),
            _ => None,
        }
    }

    /// The more specific of two types; `None` if they differ and neither is `dynamic`.
    pub fn merge(self, other: Self) -> Option<Self> {
        match (self, other) {
            (T::Dynamic, ty) | (ty, T::Dynamic) => Some(ty),
            (a, b) if a == b => Some(a),
            _ => None,
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of element types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeSet(u32);

impl TypeSet {
    /// Every type.
    pub const ANY: Self = Self((1 << 26) - 1);
    /// Whole numbers of every width, without `boolean`.
    pub const INTEGER: Self = Self::of(&[
        T::I4,
        T::I8,
        T::I16,
        T::I32,
        T::I64,
        T::U1,
        T::U2,
        T::U3,
        T::U4,
        T::U6,
        T::U8,
        T::U16,
        T::U32,
        T::U64,
    ]);
    /// Floating-point numbers of every width.
    pub const FLOAT: Self =
        Self::of(&[T::Bf16, T::F16, T::F32, T::F64, T::Nf4, T::F4e2m1, T::F8e4m3, T::F8e5m2, T::F8e8m0]);
    /// Floating-point numbers of 8 and 4 bits.
    pub const NARROW_FLOAT: Self = Self::of(&[T::Nf4, T::F4e2m1, T::F8e4m3, T::F8e5m2, T::F8e8m0]);
    /// The types that OpenVINO calls real: floating point except `nf4`.
    pub const REAL: Self = Self::FLOAT.without(&[T::Nf4]);
    /// The types that OpenVINO calls integral: whole numbers and, by accident, `string` and `nf4`.
    pub const INTEGRAL: Self = Self::INTEGER.with(&[T::String, T::Nf4]);
    /// The integral types and `boolean`, which some operations of OpenVINO forget to exclude.
    pub const INTEGRAL_OR_BOOLEAN: Self = Self::INTEGRAL.with(&[T::Boolean]);
    /// The types in which most operations take indices and counts.
    pub const I32_OR_I64: Self = Self::of(&[T::I32, T::I64]);
    /// The types of constants whose values OpenVINO cannot read during shape inference.
    pub const UNREAD: Self = Self::of(&[
        T::Dynamic,
        T::Boolean,
        T::String,
        T::U1,
        T::U2,
        T::U3,
        T::U6,
        T::F4e2m1,
        T::F8e4m3,
        T::F8e5m2,
        T::F8e8m0,
    ]);
    /// The types in which OpenVINO computes elements and their bounds during shape inference. In other types it stops, or
    /// its bounds wrap around or are meaningless.
    pub const COMPUTED: Self = Self::of(&[T::I32, T::I64, T::U32, T::U64, T::Bf16, T::F16, T::F32]);
    /// Whole and floating-point numbers.
    pub const NUMERIC: Self = Self(Self::INTEGER.0 | Self::FLOAT.0);

    /// The set of these types.
    pub const fn of(types: &[T]) -> Self {
        Self(0).with(types)
    }

    /// This set and `types`.
    #[must_use]
    pub const fn with(self, types: &[T]) -> Self {
        let (mut bits, mut i) = (self.0, 0);
        while i < types.len() {
            bits |= 1 << types[i] as u32;
            i += 1;
        }
        Self(bits)
    }

    /// This set without `types`.
    #[must_use]
    pub const fn without(self, types: &[T]) -> Self {
        Self(self.0 & !Self::of(types).0)
    }

    /// Whether `ty` is in the set.
    pub const fn has(self, ty: T) -> bool {
        self.0 & (1 << ty as u32) != 0
    }

    /// The types of the set, in the order of `ElementType`.
    pub fn iter(self) -> impl Iterator<Item = ElementType> {
        ElementType::all().filter(move |ty| self.has(*ty))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_follows_the_variants() {
        assert!(ElementType::all().enumerate().all(|(i, ty)| ty as usize == i));
        assert_eq!(TypeSet::ANY.iter().count(), 26);
    }

    #[test]
    fn packed_types_round_up_to_their_blocks() {
        assert_eq!(T::U1.storage(9), Some(2));
        assert_eq!(T::I4.storage(5), Some(3));
        assert_eq!(T::U3.storage(5), Some(3));
        assert_eq!(T::U6.storage(5), Some(6));
        assert_eq!(T::F32.storage(u64::MAX), None);
        assert_eq!(T::String.storage(1), None);
    }

    #[test]
    fn spellings_differ_between_data_and_ports() {
        assert_eq!(T::from_data_text("F32"), Some(T::F32));
        assert_eq!(T::from_data_text("FP32"), None);
        assert_eq!(T::from_port_text("FP32"), Some(T::F32));
        assert_eq!(T::from_port_text("f32"), Some(T::F32));
        assert_eq!(T::from_port_text("F32"), None);
        for ty in T::all() {
            assert_eq!(T::from_data_text(ty.name()), Some(ty));
            assert_eq!(T::from_port_text(ty.port_name()), Some(ty));
        }
    }
}
