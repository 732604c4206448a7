//! Tensors with all their elements in memory.

use super::bytes::SharedBytes;
use super::strings::Strings;
use crate::types::ElementType;
use crate::types::codec::{self, Element};
use smallvec::SmallVec;
use std::fmt::{self, Write};

/// The dimensions of a tensor.
pub type Lengths = SmallVec<[usize; 6]>;

/// Elements of one type in memory, row by row, packed as in the `.bin` of an IR.
///
/// Cloning it, and splitting it along its first axis, shares the bytes.
#[derive(Clone, Debug)]
pub struct Tensor {
    ty: ElementType,
    lengths: Lengths,
    bytes: SharedBytes,
}

impl Tensor {
    /// Creates a tensor; `bytes` must have exactly the size that type and shape need.
    ///
    /// Strings are stored as in an IR: their number, the offset of the first and the end of each, as `i32`; then the text.
    pub fn new(ty: ElementType, lengths: &[usize], bytes: impl Into<SharedBytes>) -> Result<Self, String> {
        let bytes = bytes.into();
        if ty == ElementType::String {
            let count = elements(lengths).ok_or_else(|| too_large(&shape(ty, lengths)))?;
            Strings::new(&bytes, count)?;
        } else {
            let wanted = storage(ty, lengths)?;
            if bytes.len() != wanted {
                return Err(format!("{} bytes for {}, which takes {wanted}", bytes.len(), shape(ty, lengths)));
            }
        }
        Ok(Self { ty, lengths: lengths.into(), bytes })
    }

    /// Creates a tensor from bytes of the right size.
    pub(super) fn of_parts(ty: ElementType, lengths: Lengths, bytes: impl Into<SharedBytes>) -> Self {
        Self { ty, lengths, bytes: bytes.into() }
    }

    /// Creates a tensor of strings.
    pub fn of_strings(lengths: &[usize], strings: &[impl AsRef<[u8]>]) -> Result<Self, String> {
        Self::new(ElementType::String, lengths, Strings::blob(strings.iter().map(AsRef::as_ref))?)
    }

    /// Returns the element type.
    pub fn ty(&self) -> ElementType {
        self.ty
    }

    /// Returns the dimensions.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// Returns the number of elements.
    pub fn elements(&self) -> usize {
        elements(&self.lengths).unwrap_or(0)
    }

    /// Returns the packed elements.
    ///
    /// Unused bits after the last element of a packed type keep the values of the file or buffer.
    pub fn bytes(&self) -> &SharedBytes {
        &self.bytes
    }

    /// Returns the element at `index`, in row-major order; `None` after the last.
    pub fn element(&self, index: usize) -> Option<Element<'_>> {
        if index >= self.elements() {
            return None;
        }
        if self.ty == ElementType::String {
            return Some(Element::String(Strings::of(&self.bytes)?.get(index)?));
        }
        Some(codec::element(self.ty, self.code(index)?))
    }

    /// Returns the bits of the element at `index`, right-aligned; `None` for strings and after the last.
    pub(super) fn code(&self, index: usize) -> Option<u64> {
        codec::code(self.ty, &self.bytes, index)
    }

    /// Formats the first `count` elements: `[0, 1, 2, ...]`.
    pub fn preview(&self, count: usize) -> String {
        let mut text = "[".to_owned();
        for index in 0..count.min(self.elements()) {
            let comma = if index > 0 { ", " } else { "" };
            if let Some(element) = self.element(index) {
                let _ = write!(text, "{comma}{element}");
            }
        }
        match self.elements().saturating_sub(count) {
            0 => {}
            _ if count == 0 => text.push_str("..."),
            _ => text.push_str(", ..."),
        }
        text.push(']');
        text
    }
}

/// The type and the shape: `f32[2,3]`.
impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shape(self.ty, &self.lengths))
    }
}

/// Returns the number of elements; `None` if it overflows.
pub(super) fn elements(lengths: &[usize]) -> Option<usize> {
    if lengths.contains(&0) {
        return Some(0);
    }
    lengths.iter().try_fold(1_usize, |count, length| count.checked_mul(*length))
}

/// Returns the size in bytes of a tensor of a fixed-size type.
pub(super) fn storage(ty: ElementType, lengths: &[usize]) -> Result<usize, String> {
    if ty == ElementType::Dynamic {
        return Err("a tensor of type `dynamic` has no elements".to_owned());
    }
    elements(lengths)
        .and_then(|count| ty.storage(u64::try_from(count).ok()?))
        .and_then(|bytes| isize::try_from(bytes).ok())
        .and_then(|bytes| usize::try_from(bytes).ok())
        .ok_or_else(|| too_large(&shape(ty, lengths)))
}

pub(super) fn too_large(shape: &str) -> String {
    format!("{shape} is too large for memory")
}

/// Formats a type and a shape as `f32[2,3]`; omits dimensions after the eighth.
pub(super) fn shape(ty: ElementType, lengths: &[usize]) -> String {
    format!("{ty}{}", dims(lengths))
}

/// Formats a shape as `[2,3]`; omits dimensions after the eighth.
pub(super) fn dims(lengths: &[usize]) -> String {
    let shown: Vec<String> = lengths.iter().take(8).map(ToString::to_string).collect();
    let rest = if lengths.len() > 8 { ",..." } else { "" };
    format!("[{}{rest}]", shown.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ElementType as T;

    #[test]
    fn holds_exactly_its_bytes() {
        assert_eq!(Tensor::new(T::F32, &[2, 3], vec![0; 24]).unwrap().elements(), 6);
        assert_eq!(Tensor::new(T::U3, &[9], vec![0; 6]).unwrap().elements(), 9);
        let message = |ty, lengths: &[usize], bytes| Tensor::new(ty, lengths, vec![0; bytes]).unwrap_err();
        assert_eq!(message(T::F32, &[2, 3], 25), "25 bytes for f32[2,3], which takes 24");
        assert_eq!(message(T::U1, &[9], 1), "1 bytes for u1[9], which takes 2");
        assert_eq!(message(T::F64, &[1 << 61], 0), "f64[2305843009213693952] is too large for memory");
        assert_eq!(message(T::U8, &[1 << 63, 2], 0), "u8[9223372036854775808,2] is too large for memory");
        assert_eq!(message(T::Dynamic, &[], 0), "a tensor of type `dynamic` has no elements");
        assert_eq!(message(T::F32, &[1; 9], 0), "0 bytes for f32[1,1,1,1,1,1,1,1,...], which takes 4");
    }

    #[test]
    fn empty_tensors_take_nothing() {
        let empty = Tensor::new(T::F32, &[1 << 62, 0, 1 << 62], vec![]).unwrap();
        assert_eq!((empty.elements(), empty.element(0)), (0, None));
        assert_eq!(empty.preview(4), "[]");
    }

    #[test]
    fn elements_are_read_by_type() {
        let show = |ty, lengths: &[usize], bytes: &[u8]| Tensor::new(ty, lengths, bytes.to_vec()).unwrap().preview(4);
        assert_eq!(show(T::I16, &[2], &[0xFF, 0xFF, 1, 0]), "[-1, 1]");
        assert_eq!(show(T::U64, &[], &[0xFF; 8]), "[18446744073709551615]");
        assert_eq!(show(T::Boolean, &[3], &[0, 1, 2]), "[0, 1, 2]");
        assert_eq!(show(T::F16, &[2], &[0, 0x3C, 0, 0x7C]), "[1, inf]");
        assert_eq!(show(T::Bf16, &[1], &[0x80, 0x3F]), "[1]");
        assert_eq!(show(T::F32, &[1], &0.1_f32.to_le_bytes()), "[0.1]");
        assert_eq!(show(T::U1, &[9], &[0b1010_0000, 0x80]), "[1, 0, 1, 0, ...]");
        assert_eq!(Tensor::new(T::U8, &[2], vec![1, 2]).unwrap().preview(0), "[...]");
    }

    #[test]
    fn strings_are_checked() {
        let names = Tensor::of_strings(&[2, 1], &["a\"b", ""]).unwrap();
        assert_eq!((names.to_string(), names.preview(9)), ("string[2,1]".into(), r#"["a\"b", ""]"#.into()));
        assert_eq!(Tensor::of_strings(&[3], &["a"]).unwrap_err(), "1 strings where the shape holds 3");
    }
}
