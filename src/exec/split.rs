//! Splits of a tensor along an axis, for `Split` and `VariadicSplit`.

use super::bytes::{AlignedBytes, SharedBytes};
use super::kernel;
use super::packed;
use super::strings::Strings;
use super::tensor::{self, Lengths, Tensor, dims, too_large};
use crate::types::ElementType;
use crate::types::codec::block;

/// The division of a shape into parts along an axis.
///
/// The dimensions before the axis form the rows. A row consists of one run of contiguous elements per part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    lengths: Lengths,
    axis: usize,
    parts: Vec<usize>,
    rows: usize,
    runs: Vec<usize>,
}

impl Cut {
    /// Divides a shape into parts of these lengths, which must add up to the dimension of the axis.
    pub(super) fn new(lengths: &[usize], axis: usize, parts: &[usize]) -> Result<Self, String> {
        let rank = lengths.len();
        let whole = *lengths.get(axis).ok_or_else(|| format!("axis {axis} of a tensor of {rank} dimensions"))?;
        let sum = parts.iter().fold(0, |sum: usize, part| sum.saturating_add(*part));
        if sum != whole {
            return Err(format!("the parts add up to {sum}, dimension {axis} is {whole}"));
        }
        let elements = tensor::elements(lengths).ok_or_else(|| too_large(&dims(lengths)))?;
        // Without elements, products of dimensions may overflow, and there is nothing to copy.
        let product = |lengths: &[usize]| if elements == 0 { 0 } else { lengths.iter().product() };
        let inner: usize = product(&lengths[axis + 1..]);
        let runs = parts.iter().map(|part| part * inner).collect();
        Ok(Self { lengths: lengths.into(), axis, parts: parts.into(), rows: product(&lengths[..axis]), runs })
    }

    /// Returns the shape of part `index`; the undivided shape if there is no such part.
    pub(super) fn part(&self, index: usize) -> Lengths {
        let mut lengths = self.lengths.clone();
        if let Some(part) = self.parts.get(index) {
            lengths[self.axis] = *part;
        }
        lengths
    }

    /// Returns the size of part `index` in bytes, for a type of fixed size.
    pub(super) fn storage(&self, ty: ElementType, index: usize) -> Result<usize, String> {
        tensor::storage(ty, &self.part(index))
    }
}

/// Splits a tensor into parts of these lengths along an axis.
///
/// Parts that are contiguous whole bytes of `data`, as when all dimensions before the axis are 1, share its bytes.
pub fn split(data: &Tensor, axis: usize, lengths: &[usize]) -> Result<Vec<Tensor>, String> {
    let cut = Cut::new(data.lengths(), axis, lengths)?;
    let part = |index, bytes: SharedBytes| Tensor::of_parts(data.ty(), cut.part(index), bytes);
    if data.ty() == ElementType::String {
        let blobs = strings(data, &cut)?.into_iter().enumerate();
        return Ok(blobs.map(|(index, blob)| part(index, blob.into())).collect());
    }
    if cut.rows == 1 {
        return (0..lengths.len()).scan(0, |start, index| Some(row_part(data, &cut, index, start))).collect();
    }
    let mut outputs = Vec::new();
    copy_parts(data, &cut, &mut outputs)?;
    Ok(outputs.into_iter().enumerate().map(|(index, bytes)| part(index, bytes.into())).collect())
}

/// Returns part `index` of a tensor that is a single row. `start` is its first element, and advances to the next part.
fn row_part(data: &Tensor, cut: &Cut, index: usize, start: &mut usize) -> Result<Tensor, String> {
    let ty = data.ty();
    let (elements, size) = block(ty);
    let range = *start..*start + cut.runs[index];
    *start = range.end;
    let ends = range.end.is_multiple_of(elements) || range.end == data.elements();
    if range.start.is_multiple_of(elements) && ends {
        let bytes = range.start / elements * size..range.end.div_ceil(elements) * size;
        if let Some(bytes) = data.bytes().slice(bytes) {
            return Ok(Tensor::of_parts(ty, cut.part(index), bytes));
        }
    }
    let mut output = AlignedBytes::zeroed(cut.storage(ty, index)?);
    packed::copy(ty, data.bytes(), range, &mut output, 0);
    Ok(Tensor::of_parts(ty, cut.part(index), output))
}

/// Splits as [`split`] does, but copies the parts to `outputs`, whose memory is reused.
pub fn split_into(
    data: &Tensor,
    axis: usize,
    lengths: &[usize],
    outputs: &mut Vec<AlignedBytes>,
) -> Result<(), String> {
    let cut = Cut::new(data.lengths(), axis, lengths)?;
    if data.ty() != ElementType::String {
        return copy_parts(data, &cut, outputs);
    }
    let blobs = strings(data, &cut)?;
    outputs.resize_with(blobs.len(), AlignedBytes::default);
    for (output, blob) in outputs.iter_mut().zip(&blobs) {
        output.resize(blob.len());
        output.copy_from_slice(blob);
    }
    Ok(())
}

fn copy_parts(data: &Tensor, cut: &Cut, outputs: &mut Vec<AlignedBytes>) -> Result<(), String> {
    outputs.resize_with(cut.runs.len(), AlignedBytes::default);
    for (index, output) in outputs.iter_mut().enumerate() {
        output.resize(cut.storage(data.ty(), index)?);
    }
    let mut targets: Vec<&mut [u8]> = outputs.iter_mut().map(|output| &mut output[..]).collect();
    split_rows(data.ty(), data.bytes(), cut.rows, &cut.runs, &mut targets);
    Ok(())
}

/// Splits rows of a type of fixed size, with runs counted in elements.
pub(super) fn split_rows(ty: ElementType, input: &[u8], rows: usize, runs: &[usize], outputs: &mut [&mut [u8]]) {
    if ty.is_packed() {
        return packed::split_rows(ty, input, rows, runs, outputs);
    }
    let size = block(ty).1;
    let runs: Vec<usize> = runs.iter().map(|run| run * size).collect();
    kernel::split_rows(input, &runs, outputs);
}

fn strings(data: &Tensor, cut: &Cut) -> Result<Vec<Vec<u8>>, String> {
    let strings = Strings::new(data.bytes(), data.elements())?;
    strings.split(cut.rows, &cut.runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::Generator;
    use ElementType as T;

    fn arange(ty: ElementType, lengths: &[usize]) -> Tensor {
        Generator::Arange.tensor(ty, lengths).unwrap()
    }

    #[test]
    fn parts_are_the_rows_of_each_run() {
        let parts = split(&arange(T::I32, &[2, 3, 2]), 1, &[2, 1]).unwrap();
        assert_eq!(parts[0].preview(8), "[0, 1, 2, 3, 6, 7, 8, 9]");
        assert_eq!((parts[1].to_string(), parts[1].preview(4)), ("i32[2,1,2]".into(), "[4, 5, 10, 11]".into()));
        let parts = split(&arange(T::String, &[2, 3]), 1, &[2, 1]).unwrap();
        assert_eq!(parts[1].preview(2), r#"["2", "5"]"#);
    }

    #[test]
    fn the_first_axis_is_not_copied() {
        let data = arange(T::F32, &[1, 6, 2]);
        let parts = split(&data, 1, &[1, 2, 3]).unwrap();
        assert_eq!(parts[2].preview(6), "[6, 7, 8, 9, 10, 11]");
        assert_eq!(parts[2].bytes().as_ptr(), data.bytes()[24..].as_ptr());
    }

    #[test]
    fn packed_parts_are_shared_where_they_are_whole_bytes() {
        let data = arange(T::U4, &[9]);
        let shared = |part: &Tensor| data.bytes().as_ptr_range().contains(&part.bytes().as_ptr());
        let parts = split(&data, 0, &[4, 3, 0, 2]).unwrap();
        assert_eq!(
            parts.iter().map(|part| part.preview(4)).collect::<Vec<_>>().concat(),
            "[0, 1, 2, 3][4, 5, 6][][7, 8]"
        );
        assert_eq!(parts.iter().map(shared).collect::<Vec<_>>(), [true, false, false, false]);
        assert_eq!(**parts[1].bytes(), [0x54, 0x06]);
        let parts = split(&data, 0, &[4, 5]).unwrap();
        assert!(shared(&parts[1]));
    }

    #[test]
    fn empty_tensors_split_too() {
        for ty in T::all().skip(1) {
            let parts = split(&arange(ty, &[3, 0, 2]), 1, &[0, 0]).unwrap();
            assert_eq!(parts[1].to_string(), format!("{ty}[3,0,2]"));
            let parts = split(&arange(ty, &[0, usize::MAX, 3]), 1, &[1, usize::MAX - 1]).unwrap();
            assert_eq!((parts.len(), parts[0].elements()), (2, 0));
            assert_eq!(split(&arange(ty, &[0]), 0, &[]).unwrap().len(), 0);
        }
    }

    #[test]
    fn impossible_cuts_are_refused() {
        let message = |lengths: &[usize], axis, parts: &[usize]| Cut::new(lengths, axis, parts).unwrap_err();
        assert_eq!(message(&[], 0, &[]), "axis 0 of a tensor of 0 dimensions");
        assert_eq!(message(&[4, 5], 2, &[5]), "axis 2 of a tensor of 2 dimensions");
        assert_eq!(message(&[4, 5], 1, &[2, 2]), "the parts add up to 4, dimension 1 is 5");
        assert_eq!(message(&[4], 0, &[usize::MAX, 5]), format!("the parts add up to {}, dimension 0 is 4", usize::MAX));
        assert_eq!(
            message(&[1 << 40, 1 << 40], 0, &[1 << 40]),
            "[1099511627776,1099511627776] is too large for memory"
        );
    }
}
