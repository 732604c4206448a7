//! Splitting data that need not fit in memory.

use super::bytes::AlignedBytes;
use super::packed;
use super::split::{Cut, split_rows};
use super::tensor::{self, TensorError};
use crate::types::ElementType;
use std::io::{self, Read, Seek, SeekFrom, Write};
use thiserror::Error;

/// Bytes read at once, at least.
const CHUNK: usize = 4 << 10;

/// Why data could not be split on its way.
#[derive(Debug, Error)]
pub enum StreamError {
    /// The data cannot be read.
    #[error("the data cannot be read: {0}")]
    Read(#[source] io::Error),
    /// A part cannot be written.
    #[error("part {part} cannot be written: {error}")]
    Write {
        /// The part.
        part: usize,
        /// What writing came to.
        #[source]
        error: io::Error,
    },
    /// There is not one output for each part.
    #[error("{found} outputs for {wanted} parts")]
    Outputs {
        /// The outputs.
        found: usize,
        /// The parts.
        wanted: usize,
    },
    /// Strings have their places in front of their text, so that no part can be written before all is read.
    #[error("strings cannot be split without reading all of them")]
    Strings,
    /// The tensor is impossible.
    #[error(transparent)]
    Tensor(#[from] TensorError),
}

/// Writes each part of the tensor that starts at byte `start` of `source` to its output.
///
/// The tensor is read once from its start to its end, in blocks of whole rows where they are short enough. At most
/// `memory` bytes are held at a time, or a few thousand if that is less.
///
/// ```
/// use ovlint::internal::exec::{Cut, split_stream};
/// use ovlint::internal::types::ElementType;
/// use std::io::Cursor;
///
/// let mut file = Cursor::new([9, 9, 0, 1, 2, 3, 4, 5]);
/// let cut = Cut::new(&[2, 3], 1, &[1, 2])?;
/// let mut outputs = [vec![], vec![]];
/// split_stream(&mut file, 2, ElementType::U8, &cut, &mut outputs, 1 << 20)?;
/// assert_eq!(outputs, [vec![0, 3], vec![1, 2, 4, 5]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn split_stream(
    source: &mut (impl Read + Seek),
    start: u64,
    ty: ElementType,
    cut: &Cut,
    outputs: &mut [impl Write],
    memory: usize,
) -> Result<(), StreamError> {
    if outputs.len() != cut.runs().len() {
        return Err(StreamError::Outputs { found: outputs.len(), wanted: cut.runs().len() });
    }
    if ty == ElementType::String {
        return Err(StreamError::Strings);
    }
    tensor::storage(ty, cut.whole())?;
    source.seek(SeekFrom::Start(start)).map_err(StreamError::Read)?;
    // A block and its parts take the same memory. The rows of a block make whole bytes, and so does each of their runs.
    let (elements, size) = packed::block(ty);
    let row: usize = cut.runs().iter().sum();
    match (memory / 2 / size).checked_div(row) {
        None => Ok(()),
        Some(0) => split_runs(source, ty, cut, outputs, memory / 2),
        Some(groups) => split_blocks(source, ty, cut, outputs, groups * elements),
    }?;
    outputs.iter_mut().enumerate().try_for_each(|(part, output)| written(part, output.flush()))
}

/// Reads, splits and writes `block` rows at a time.
fn split_blocks(
    source: &mut impl Read,
    ty: ElementType,
    cut: &Cut,
    outputs: &mut [impl Write],
    block: usize,
) -> Result<(), StreamError> {
    let (elements, size) = packed::block(ty);
    let bytes_of = |rows: usize, run: usize| (rows * run).div_ceil(elements) * size;
    let row: usize = cut.runs().iter().sum();
    let block = block.min(cut.rows());
    let mut input = AlignedBytes::zeroed(bytes_of(block, row));
    let mut parts: Vec<AlignedBytes> =
        cut.runs().iter().map(|run| AlignedBytes::zeroed(bytes_of(block, *run))).collect();
    for first in (0..cut.rows()).step_by(block) {
        let rows = block.min(cut.rows() - first);
        input.resize(bytes_of(rows, row));
        source.read_exact(&mut input).map_err(StreamError::Read)?;
        parts.iter_mut().zip(cut.runs()).for_each(|(part, run)| part.resize(bytes_of(rows, *run)));
        let mut targets: Vec<&mut [u8]> = parts.iter_mut().map(|part| &mut part[..]).collect();
        split_rows(ty, &input, rows, cut.runs(), &mut targets);
        for (part, (bytes, output)) in targets.iter().zip(&mut *outputs).enumerate() {
            written(part, output.write_all(bytes))?;
        }
    }
    Ok(())
}

/// Reads a part of a row at a time and hands its runs on.
fn split_runs(
    source: &mut impl Read,
    ty: ElementType,
    cut: &Cut,
    outputs: &mut [impl Write],
    block: usize,
) -> Result<(), StreamError> {
    let (elements, size) = packed::block(ty);
    // Packed elements are unpacked to a byte each, and wait for a whole block of theirs; others go on as they are.
    let unit = if ty.is_packed() { 1 } else { size };
    let chunk = (block / 2).max(CHUNK) / unit / elements * elements;
    let total = cut.rows() * cut.runs().iter().sum::<usize>();
    let mut bytes = vec![0; chunk / elements * size];
    let mut codes = vec![0; if ty.is_packed() { chunk } else { 0 }];
    let mut waiting: Vec<Vec<u8>> = vec![Vec::new(); outputs.len()];
    let mut runs = cut.runs().iter().enumerate().cycle();
    let (mut part, mut left) = (0, 0);
    for first in (0..total).step_by(chunk) {
        let count = chunk.min(total - first);
        let bytes = &mut bytes[..count.div_ceil(elements) * size];
        source.read_exact(bytes).map_err(StreamError::Read)?;
        let mut rest: &[u8] = bytes;
        if ty.is_packed() {
            packed::unpack(ty, bytes, 0, &mut codes[..count]);
            rest = &codes[..count];
        }
        while !rest.is_empty() {
            while left == 0 {
                let Some((next, run)) = runs.next() else { return Ok(()) };
                (part, left) = (next, run * unit);
            }
            let (now, later) = rest.split_at(left.min(rest.len()));
            (left, rest) = (left - now.len(), later);
            if ty.is_packed() {
                waiting[part].extend_from_slice(now);
            } else {
                written(part, outputs[part].write_all(now))?;
            }
        }
        for (part, (codes, output)) in waiting.iter_mut().zip(&mut *outputs).enumerate() {
            let whole = codes.len() / elements * elements;
            if whole > 0 {
                written(part, write_codes(ty, codes.drain(..whole).as_slice(), output))?;
            }
        }
    }
    let mut rest = waiting.iter().zip(outputs).enumerate();
    rest.try_for_each(|(part, (codes, output))| written(part, write_codes(ty, codes, output)))
}

fn write_codes(ty: ElementType, codes: &[u8], output: &mut impl Write) -> io::Result<()> {
    let (elements, size) = packed::block(ty);
    let mut bytes = vec![0; codes.len().div_ceil(elements) * size];
    packed::pack(ty, codes, &mut bytes, 0);
    output.write_all(&bytes)
}

fn written(part: usize, result: io::Result<()>) -> Result<(), StreamError> {
    result.map_err(|error| StreamError::Write { part, error })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::{Generator, split};
    use ElementType as T;
    use std::io::Cursor;

    #[test]
    fn parts_are_those_of_a_split_in_memory() {
        for ty in T::all().filter(|ty| ty.bits() > 0) {
            for (lengths, axis, parts) in [
                (&[37, 11, 2][..], 1, &[3, 0, 8][..]),
                (&[1, 3000], 1, &[7, 993, 2000]),
                (&[3, 500], 1, &[499, 1]),
                (&[300], 0, &[300]),
                (&[4, 0], 1, &[0, 0]),
                (&[0, 4], 1, &[1, 3]),
            ] {
                let data = Generator::Arange.tensor(ty, lengths).unwrap();
                let wanted = split(&data, axis, parts).unwrap();
                let cut = Cut::new(lengths, axis, parts).unwrap();
                let mut source = Cursor::new([&[9; 5], &data.bytes()[..]].concat());
                for memory in [0, 100, 1000, 1 << 20] {
                    let mut outputs = vec![Vec::new(); parts.len()];
                    split_stream(&mut source, 5, ty, &cut, &mut outputs, memory).unwrap();
                    for (output, wanted) in outputs.iter().zip(&wanted) {
                        assert!(**output == **wanted.bytes(), "{ty} {lengths:?} {memory}");
                    }
                }
            }
        }
    }

    #[test]
    fn failures_say_where() {
        let cut = Cut::new(&[2, 3], 1, &[1, 2]).unwrap();
        let message = |ty, outputs: usize, memory| {
            let mut outputs = vec![Vec::new(); outputs];
            split_stream(&mut Cursor::new([0; 5]), 0, ty, &cut, &mut outputs, memory).unwrap_err().to_string()
        };
        assert_eq!(message(T::U8, 2, 100), "the data cannot be read: failed to fill whole buffer");
        assert_eq!(message(T::U8, 2, 0), "the data cannot be read: failed to fill whole buffer");
        assert_eq!(message(T::U8, 3, 100), "3 outputs for 2 parts");
        assert_eq!(message(T::String, 2, 100), "strings cannot be split without reading all of them");
        assert_eq!(message(T::Dynamic, 2, 100), "a tensor of type `dynamic` has no elements");
        let mut full = [Cursor::new([0; 4]), Cursor::new([0; 4])];
        let mut targets = full.each_mut().map(|cursor| Cursor::new(&mut cursor.get_mut()[..3]));
        let data = &mut Cursor::new([0; 6]);
        let error = split_stream(data, 0, T::U8, &cut, &mut targets, 100).unwrap_err();
        assert_eq!(error.to_string(), "part 1 cannot be written: failed to write whole buffer");
    }
}
