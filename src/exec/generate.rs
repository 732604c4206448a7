//! Generated tensors: from a generator that the user names for an input, and from the bits of computed elements.

use super::strings::{self, Strings};
use super::tensor::{self, Tensor, shape};
use crate::types::ElementType;
use crate::types::codec::{fill, float::float_code, is_signed};

use ElementType as T;

/// The content of a generated tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Generator {
    /// Elements whose bits are all 0; empty strings.
    Zeros,
    /// Each element is its own index, in row-major order.
    ///
    /// Floats of 16 bits and more are rounded, large ones to infinity. Integers are the low bits of the index, and so are the
    /// bits of smaller floats. Strings are the decimal digits.
    Arange,
    /// Every element is the number or string of this text.
    Const(String),
}

impl Generator {
    /// Parses a generator: `zeros`, `arange`, `const:V`.
    pub fn named(text: &str) -> Option<Self> {
        match text {
            "zeros" => Some(Self::Zeros),
            "arange" => Some(Self::Arange),
            _ => text.strip_prefix("const:").map(|value| Self::Const(value.into())),
        }
    }

    /// Generates a tensor of this type and shape.
    pub fn tensor(&self, ty: ElementType, lengths: &[usize]) -> Result<Tensor, String> {
        if ty == ElementType::String {
            return self.strings(lengths);
        }
        let count = tensor::elements(lengths).unwrap_or(0);
        let mut bytes = zeroed(ty, lengths)?;
        match self {
            Self::Zeros => {}
            Self::Arange => fill(ty, count, &mut bytes, |index| index_code(ty, index)),
            Self::Const(text) => {
                let code = code_of(ty, text)?;
                fill(ty, count, &mut bytes, |_| code);
            }
        }
        Tensor::new(ty, lengths, bytes)
    }

    fn strings(&self, lengths: &[usize]) -> Result<Tensor, String> {
        let ty = ElementType::String;
        let count = tensor::elements(lengths).ok_or_else(|| tensor::too_large(&shape(ty, lengths)))?;
        // A blob stores the number of strings and their offsets as `i32`. Much larger ones are refused before they take
        // memory; `Strings::blob` checks exactly.
        let text = if let Self::Const(text) = self { text.as_str() } else { "" };
        if count.saturating_mul(text.len().max(1)) > 1 << 31 {
            return Err(strings::too_large());
        }
        let blob = match self {
            Self::Arange => {
                let digits: Vec<String> = (0..count).map(|index| index.to_string()).collect();
                Strings::blob(digits.iter().map(String::as_bytes))?
            }
            Self::Zeros | Self::Const(_) => Strings::blob(std::iter::repeat_n(text.as_bytes(), count))?,
        };
        Tensor::new(ty, lengths, blob)
    }
}

/// Returns the bytes of a tensor, all zero.
fn zeroed(ty: ElementType, lengths: &[usize]) -> Result<Vec<u8>, String> {
    let (length, mut bytes) = (tensor::storage(ty, lengths)?, Vec::new());
    bytes.try_reserve_exact(length).map_err(|_| no_memory(&shape(ty, lengths)))?;
    bytes.resize(length, 0);
    Ok(bytes)
}

/// Returns the error for a tensor that does not fit in memory.
pub(super) fn no_memory(shape: &str) -> String {
    format!("no memory for {shape}")
}

/// Creates a tensor from the bits of its elements.
pub(super) fn of_bits(ty: ElementType, lengths: &[usize], codes: &[u64]) -> Result<Tensor, String> {
    let mut bytes = zeroed(ty, lengths)?;
    fill(ty, codes.len(), &mut bytes, |index| codes.get(index).copied().unwrap_or(0));
    Tensor::new(ty, lengths, bytes)
}

/// Returns the bits of the number `index` in a type.
fn index_code(ty: ElementType, index: usize) -> u64 {
    match ty {
        T::F16 | T::Bf16 | T::F32 | T::F64 => {
            #[allow(clippy::cast_precision_loss, reason = "exact up to 2^53, more elements than memory holds")]
            let number = index as f64;
            float_code(ty, number).or_else(|| float_code(ty, f64::INFINITY)).unwrap_or(0)
        }
        T::Boolean => index as u64 & 1,
        _ => index as u64 & (u64::MAX >> (64 - ty.bits().clamp(1, 64))),
    }
}

/// Parses `text` into the bits of a number.
fn code_of(ty: ElementType, text: &str) -> Result<u64, String> {
    let no_number = || format!("`{text}` is not a value of type {ty}");
    let outside = || format!("{text} is out of range for {ty}");
    if ty == T::Boolean {
        return match text {
            "true" | "1" => Ok(1),
            "false" | "0" => Ok(0),
            _ => Err(no_number()),
        };
    }
    if ty.is_float() {
        return float_code(ty, text.parse().map_err(|_| no_number())?).ok_or_else(outside);
    }
    let number: i128 = text.parse().map_err(|_| no_number())?;
    let half = 1_i128 << (ty.bits() - 1);
    let range = if is_signed(ty) { -half..half } else { 0..2 * half };
    if !range.contains(&number) {
        return Err(outside());
    }
    u64::try_from(number & (2 * half - 1)).map_err(|_| outside())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preview(text: &str, ty: ElementType, count: usize) -> String {
        let generator = Generator::named(text).unwrap();
        generator.tensor(ty, &[count]).map_or_else(|error| error, |tensor| tensor.preview(count))
    }

    #[test]
    fn every_type_has_zeros_and_indices() {
        for ty in ElementType::all().skip(1) {
            let zeros = Generator::Zeros.tensor(ty, &[3, 5]).unwrap();
            let indices = Generator::Arange.tensor(ty, &[3, 5]).unwrap();
            let (zero, last) = (zeros.element(14).unwrap().to_string(), indices.element(14).unwrap().to_string());
            let (wanted_zero, wanted_last) = match ty {
                T::String => ("\"\"", "\"14\""),
                T::Boolean | T::U1 => ("0", "0"),
                T::U2 => ("0", "2"),
                T::U3 => ("0", "6"),
                T::I4 => ("0", "-2"),
                T::F4e2m1 => ("0", "-4"),
                T::Nf4 => ("-1", "0.72295684"),
                T::F8e4m3 => ("0", "0.02734375"),
                T::F8e5m2 => ("0", "0.00036621094"),
                T::F8e8m0 => ("5.877472e-39", "9.62965e-35"),
                _ => ("0", "14"),
            };
            assert_eq!((&*zero, &*last), (wanted_zero, wanted_last), "{ty}");
        }
        assert_eq!(preview("arange", T::I4, 18), "[0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1]");
        assert_eq!(preview("arange", T::Dynamic, 1), "a tensor of type `dynamic` has no elements");
    }

    #[test]
    fn indices_wrap_or_round() {
        let last =
            |ty, count: usize| Generator::Arange.tensor(ty, &[count]).unwrap().element(count - 1).unwrap().to_string();
        assert_eq!(last(T::I8, 130), "-127");
        assert_eq!(last(T::F16, 2050), "2048");
        assert_eq!(last(T::F16, 65_521), "inf");
        assert_eq!(last(T::U3, 2050), "1");
    }

    #[test]
    fn constants_must_fit() {
        assert_eq!(preview("const:-3", T::I64, 2), "[-3, -3]");
        assert_eq!(preview("const:-3", T::I4, 2), "[-3, -3]");
        assert_eq!(preview("const:18446744073709551615", T::U64, 1), "[18446744073709551615]");
        assert_eq!(preview("const:1.5", T::F8e4m3, 3), "[1.5, 1.5, 1.5]");
        assert_eq!(preview("const:nan", T::F32, 1), "[NaN]");
        assert_eq!(preview("const:true", T::Boolean, 1), "[1]");
        assert_eq!(preview("const:cat", T::String, 2), r#"["cat", "cat"]"#);
        assert_eq!(preview("const:-1", T::U8, 1), "-1 is out of range for u8");
        assert_eq!(preview("const:8", T::I4, 1), "8 is out of range for i4");
        assert_eq!(preview("const:7", T::F4e2m1, 1), "7 is out of range for f4e2m1");
        assert_eq!(preview("const:1.5", T::I32, 1), "`1.5` is not a value of type i32");
        assert_eq!(preview("const:2", T::Boolean, 1), "`2` is not a value of type boolean");
        assert_eq!(preview("const:", T::F32, 1), "`` is not a value of type f32");
    }

    #[test]
    fn what_does_not_fit_memory_is_refused() {
        assert_eq!(preview("zeros", T::F32, 1 << 62), "f32[4611686018427387904] is too large for memory");
        assert_eq!(preview("zeros", T::U8, (1 << 62) + 1), "no memory for u8[4611686018427387905]");
        assert_eq!(preview("arange", T::String, 1 << 40), "the strings take more than 2147483647 bytes");
        let huge = Generator::Zeros.tensor(T::U8, &[usize::MAX, usize::MAX]).unwrap_err();
        assert_eq!(huge, "u8[18446744073709551615,18446744073709551615] is too large for memory");
    }
}
