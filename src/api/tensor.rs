//! Constant data, and the kernel that splits it, in the public API.

use super::error::{Error, ErrorKind};
use crate::exec;
use crate::types::{ElementType, from_front};
use std::fmt;

/// Elements of one type in memory, in row-major order, packed as in the weights of an IR. Its text is the type and the shape:
/// `f32[2,3]`.
///
/// Cloning it shares the bytes.
///
/// ```
/// use ovlint::{ElementType, Tensor};
///
/// let nibbles = Tensor::new(ElementType::I4, &[3], vec![0xF1, 0x08])?;
/// assert_eq!((nibbles.to_string(), nibbles.preview(3)), ("i4[3]".into(), "[1, -1, -8]".into()));
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tensor(exec::Tensor);

impl Tensor {
    /// Creates a tensor from bytes. A `string` tensor has the layout of a string constant: the number of strings, the offset of
    /// the first and the end of each, as `i32`; then the text.
    ///
    /// # Errors
    /// [`ErrorKind::Tensor`] if the type and shape need more or fewer bytes, or the type is `dynamic`.
    pub fn new(element_type: ElementType, lengths: &[usize], bytes: Vec<u8>) -> Result<Self, Error> {
        exec::Tensor::new(element_type, lengths, bytes).map(Self).map_err(failed)
    }

    /// Returns the element type.
    pub fn element_type(&self) -> ElementType {
        self.0.ty()
    }

    /// Returns the dimensions.
    pub fn lengths(&self) -> &[usize] {
        self.0.lengths()
    }

    /// Returns the bytes. Unused bits after the last element of a packed type may have any value.
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// Formats the first `count` elements: `[0, 1, 2, ...]`.
    pub fn preview(&self, count: usize) -> String {
        self.0.preview(count)
    }
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Splits as the operation `Split` does: into `num_splits` equal parts along an axis, which is from `-rank` to `rank - 1`.
///
/// Parts that are contiguous whole bytes of `data` share its bytes.
///
/// ```
/// use ovlint::{ElementType, Tensor, split};
///
/// let data = Tensor::new(ElementType::U8, &[2, 4], (0..8).collect())?;
/// let parts = split(&data, -1, 2)?;
/// assert_eq!(parts[1].lengths(), [2, 2]);
/// assert_eq!(parts[1].bytes(), [2, 3, 6, 7]);
/// # Ok::<(), ovlint::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Tensor`] if there is no such axis or its length is not a multiple of `num_splits`.
pub fn split(data: &Tensor, axis: i64, num_splits: usize) -> Result<Vec<Tensor>, Error> {
    let axis = axis_of(data, axis)?;
    let length = data.lengths().get(axis).copied().unwrap_or_default();
    if num_splits == 0 || !length.is_multiple_of(num_splits) {
        return Err(failed(format!("dimension {axis} is {length}, which is not a multiple of {num_splits}")));
    }
    parts(data, axis, &vec![length / num_splits; num_splits])
}

/// Splits as the operation `VariadicSplit` does: into parts of these lengths along an axis, which is from `-rank` to
/// `rank - 1`. One length may be -1, for the remainder.
///
/// ```
/// use ovlint::{ElementType, Tensor, variadic_split};
///
/// let data = Tensor::new(ElementType::U8, &[2, 4], (0..8).collect())?;
/// let parts = variadic_split(&data, 1, &[1, -1])?;
/// assert_eq!(parts[1].to_string(), "u8[2,3]");
/// assert_eq!(parts[1].bytes(), [1, 2, 3, 5, 6, 7]);
/// # Ok::<(), ovlint::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Tensor`] if there is no such axis, a length is below -1, two are -1, or they do not add up to the length
/// along the axis.
pub fn variadic_split(data: &Tensor, axis: i64, split_lengths: &[i64]) -> Result<Vec<Tensor>, Error> {
    let axis = axis_of(data, axis)?;
    let whole = data.lengths().get(axis).copied().unwrap_or_default();
    let known = split_lengths.iter().filter_map(|length| usize::try_from(*length).ok()).fold(0, usize::saturating_add);
    let mut open = 0;
    let mut lengths = Vec::with_capacity(split_lengths.len());
    for length in split_lengths {
        lengths.push(match (usize::try_from(*length), length) {
            (Ok(length), _) => length,
            (Err(_), -1) => whole.saturating_sub(known),
            (Err(_), _) => return Err(failed(format!("length {length} is below -1"))),
        });
        open += usize::from(*length == -1);
    }
    if open > 1 {
        return Err(failed(format!("{open} lengths are -1, at most one may be")));
    }
    parts(data, axis, &lengths)
}

fn parts(data: &Tensor, axis: usize, lengths: &[usize]) -> Result<Vec<Tensor>, Error> {
    let parts = exec::split(&data.0, axis, lengths).map_err(failed)?;
    Ok(parts.into_iter().map(Tensor).collect())
}

/// Returns the non-negative index of an axis.
fn axis_of(data: &Tensor, axis: i64) -> Result<usize, Error> {
    let rank = data.lengths().len();
    from_front(axis, rank).ok_or_else(|| failed(format!("axis {axis} is outside -{rank}..{rank}")))
}

fn failed(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorKind::Tensor, cause)
}
