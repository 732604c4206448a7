//! Bit-for-bit comparison of a tensor with the wanted one, for `ovlint run --expect`.

use super::tensor::Tensor;
use crate::ops::position;
use crate::types::ElementType;
use crate::types::codec::block;

/// The number of bytes compared at once, before the first difference is located.
const CHUNK: usize = 4 << 10;

impl Tensor {
    /// Describes the first difference from `wanted`; `None` if types, shapes and all bits of the elements are equal.
    pub fn first_difference(&self, wanted: &Self) -> Option<String> {
        if self.ty() != wanted.ty() || self.lengths() != wanted.lengths() {
            return Some(format!("{self} where {wanted} was wanted"));
        }
        let index = first_index(self, wanted)?;
        let (found, wanted) = (show(self, wanted, index), show(wanted, self, index));
        Some(format!("element {:?} is {found}, wanted {wanted}", position(index, self.lengths())))
    }
}

fn first_index(a: &Tensor, b: &Tensor) -> Option<usize> {
    if a.ty() == ElementType::String {
        return (0..a.elements()).find(|i| a.element(*i) != b.element(*i));
    }
    let (elements, size) = block(a.ty());
    let (mut from, a_bytes, b_bytes) = (0, a.bytes(), b.bytes());
    // A difference in the unused bits after the last element does not count, so the search goes on.
    while let Some(at) = first_byte(a_bytes.get(from..)?, b_bytes.get(from..)?) {
        let block = (from + at) / size;
        let indices = block * elements..((block + 1) * elements).min(a.elements());
        if let Some(index) = indices.into_iter().find(|i| a.code(*i) != b.code(*i)) {
            return Some(index);
        }
        from = (block + 1) * size;
    }
    None
}

fn first_byte(a: &[u8], b: &[u8]) -> Option<usize> {
    let chunk = a.chunks(CHUNK).zip(b.chunks(CHUNK)).position(|(a, b)| a != b)? * CHUNK;
    let differs = |(a, b): (&u8, &u8)| a != b;
    a.get(chunk..)?.iter().zip(b.get(chunk..)?).position(differs).map(|at| chunk + at)
}

/// Formats an element; adds its bits if the text is the same for both tensors, as for two NaNs.
fn show(tensor: &Tensor, other: &Tensor, index: usize) -> String {
    let text = |tensor: &Tensor| tensor.element(index).map(|element| element.to_string()).unwrap_or_default();
    match tensor.code(index) {
        Some(code) if text(tensor) == text(other) => format!("{} (0x{code:x})", text(tensor)),
        _ => text(tensor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ElementType as T;

    fn difference(ty: ElementType, lengths: &[usize], found: &[u8], wanted: &[u8]) -> Option<String> {
        let tensor = |bytes: &[u8]| Tensor::new(ty, lengths, bytes.to_vec()).unwrap();
        tensor(found).first_difference(&tensor(wanted))
    }

    #[test]
    fn the_first_difference_has_its_place() {
        let (mut found, wanted) = (vec![0; 24_000], vec![0; 24_000]);
        assert_eq!(difference(T::I16, &[3, 4, 1000], &found, &wanted), None);
        found[17_999] = 1;
        let message = "element [2, 0, 999] is 256, wanted 0";
        assert_eq!(difference(T::I16, &[3, 4, 1000], &found, &wanted).as_deref(), Some(message));
        assert_eq!(difference(T::U8, &[], &[1], &[2]).as_deref(), Some("element [] is 1, wanted 2"));
    }

    #[test]
    fn bits_count_where_numbers_are_equal() {
        let nan = |last| [last, 0, 0xC0, 0x7F];
        let message = "element [0] is NaN (0x7fc00001), wanted NaN (0x7fc00000)";
        assert_eq!(difference(T::F32, &[1], &nan(1), &nan(0)).as_deref(), Some(message));
        assert_eq!(difference(T::F16, &[1], &[0, 0x80], &[0, 0]).as_deref(), Some("element [0] is -0, wanted 0"));
    }

    #[test]
    fn bits_behind_the_last_element_do_not_count() {
        assert_eq!(difference(T::U4, &[3], &[0x21, 0x03], &[0x21, 0xF3]), None);
        assert_eq!(
            difference(T::U4, &[3], &[0x21, 0x04], &[0x21, 0xF3]).as_deref(),
            Some("element [2] is 4, wanted 3")
        );
        assert_eq!(difference(T::U3, &[1], &[0, 1, 0x7F], &[0, 0, 0]), None);
        assert_eq!(difference(T::U3, &[1], &[0, 1, 0x80], &[0; 3]).as_deref(), Some("element [0] is 4, wanted 0"));
    }

    #[test]
    fn types_and_shapes_come_first() {
        let a = Tensor::new(T::U8, &[2, 1], vec![0; 2]).unwrap();
        let b = Tensor::new(T::U8, &[2], vec![1; 2]).unwrap();
        assert_eq!(a.first_difference(&b).unwrap(), "u8[2,1] where u8[2] was wanted");
    }

    #[test]
    fn strings_are_compared_by_text() {
        let strings = |strings: &[&str]| Tensor::of_strings(&[strings.len()], strings).unwrap();
        assert_eq!(strings(&["a", "b"]).first_difference(&strings(&["a", "b"])), None);
        let difference = strings(&["a", "b"]).first_difference(&strings(&["a", "c"])).unwrap();
        assert_eq!(difference, r#"element [1] is "b", wanted "c""#);
    }
}
