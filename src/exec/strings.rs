//! The blob in which string tensors are stored: a header and the text.
//!
//! The header consists of little-endian `i32`: the number of strings, the offset of the first (0), and the end of each. Offsets
//! and ends are relative to the end of the header. E.g. `["cat", "do"]` has the header 2, 0, 3, 5 and the text `catdo`.

use smallvec::SmallVec;
use std::ops::Range;

/// Returns the error for offsets that do not fit in `i32`.
pub(super) fn too_large() -> String {
    format!("the strings take more than {} bytes", i32::MAX)
}

/// The strings of a blob.
#[derive(Clone, Copy)]
pub(super) struct Strings<'a> {
    /// The offset of the first string, then the end of each.
    offsets: &'a [[u8; 4]],
    text: &'a [u8],
}

impl<'a> Strings<'a> {
    /// Parses a blob that must hold `count` strings.
    pub(super) fn new(blob: &'a [u8], count: usize) -> Result<Self, String> {
        let header = |wanted: usize| format!("{} bytes of strings, their header takes {wanted}", blob.len());
        let first = blob.first_chunk().ok_or_else(|| header(4))?;
        let found = i32::from_le_bytes(*first);
        if usize::try_from(found).ok() != Some(count) {
            return Err(format!("{found} strings where the shape holds {count}"));
        }
        let strings = Self::of(blob).ok_or_else(|| header(count.saturating_mul(4).saturating_add(8)))?;
        let length = strings.text.len();
        for (index, pair) in strings.offsets.windows(2).enumerate() {
            let (start, end) = (i32::from_le_bytes(pair[0]), i32::from_le_bytes(pair[1]));
            if start < 0 || end < start || usize::try_from(end).is_ok_and(|end| end > length) {
                return Err(format!("string {index} is bytes {start}..{end} of {length}"));
            }
        }
        Ok(strings)
    }

    /// Parses a blob that was checked before; `None` if the header is incomplete.
    pub(super) fn of(blob: &'a [u8]) -> Option<Self> {
        let count = usize::try_from(i32::from_le_bytes(*blob.first_chunk()?)).ok()?;
        let (offsets, text) = blob.get(4..)?.split_at_checked(count.checked_add(1)?.checked_mul(4)?)?;
        Some(Self { offsets: offsets.as_chunks().0, text })
    }

    /// Returns the string at `index`; `None` after the last.
    pub(super) fn get(&self, index: usize) -> Option<&'a [u8]> {
        let offset = |at: usize| usize::try_from(i32::from_le_bytes(*self.offsets.get(at)?)).ok();
        self.text.get(offset(index)?..offset(index.checked_add(1)?)?)
    }

    pub(super) fn blob<'b>(strings: impl Iterator<Item = &'b [u8]>) -> Result<Vec<u8>, String> {
        let mut offsets: SmallVec<[i32; 16]> = SmallVec::new();
        let mut text = Vec::new();
        for string in strings {
            text.extend_from_slice(string);
            offsets.push(i32::try_from(text.len()).map_err(|_| too_large())?);
        }
        let count = i32::try_from(offsets.len()).map_err(|_| too_large())?;
        let mut blob = Vec::with_capacity(8 + 4 * offsets.len() + text.len());
        for number in [count, 0].into_iter().chain(offsets) {
            blob.extend_from_slice(&number.to_le_bytes());
        }
        blob.append(&mut text);
        Ok(blob)
    }

    /// Splits `outer` rows of `runs.iter().sum()` strings into a blob per part; part `i` consists of run `i` of every row.
    pub(super) fn split(&self, outer: usize, runs: &[usize]) -> Result<Vec<Vec<u8>>, String> {
        let row: usize = runs.iter().sum();
        let starts = runs.iter().scan(0, |next, run| Some(std::mem::replace(next, *next + run)));
        let run_of = |i: usize, start: usize, run: usize| -> Range<usize> { i * row + start..i * row + start + run };
        starts
            .zip(runs)
            .map(|(start, &run)| {
                let indices = (0..outer).flat_map(|i| run_of(i, start, run));
                Self::blob(indices.map(|index| self.get(index).unwrap_or_default()))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(numbers: &[i32]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    #[test]
    fn a_blob_reads_back() {
        let blob = Strings::blob([b"ab".as_slice(), b"", b"cde"].into_iter()).unwrap();
        assert_eq!(blob, [numbers(&[3, 0, 2, 2, 5]), b"abcde".to_vec()].concat());
        let strings = Strings::new(&blob, 3).unwrap();
        assert_eq!([0, 1, 2, 3].map(|i| strings.get(i)), [Some(b"ab".as_slice()), Some(b""), Some(b"cde"), None]);
        let none = Strings::blob([].into_iter()).unwrap();
        assert_eq!(none, numbers(&[0, 0]));
        assert!(Strings::new(&none, 0).is_ok());
    }

    #[test]
    fn broken_blobs_are_refused() {
        let message = |blob: &[u8], count| Strings::new(blob, count).err().unwrap();
        assert_eq!(message(&[1], 1), "1 bytes of strings, their header takes 4");
        assert_eq!(message(&numbers(&[2, 0, 0]), 2), "12 bytes of strings, their header takes 16");
        assert_eq!(message(&numbers(&[i32::MAX, 0]), 1), "2147483647 strings where the shape holds 1");
        assert_eq!(message(&numbers(&[-1, 0]), 1), "-1 strings where the shape holds 1");
        assert_eq!(message(&numbers(&[1, 0, 1]), 1), "string 0 is bytes 0..1 of 0");
        assert_eq!(message(&numbers(&[1, 2, 1, 0]), 1), "string 0 is bytes 2..1 of 4");
        assert_eq!(message(&numbers(&[1, -1, 0]), 1), "string 0 is bytes -1..0 of 0");
    }

    #[test]
    fn parts_get_their_own_places() {
        let blob = Strings::blob([b"a".as_slice(), b"bb", b"ccc", b"d", b"", b"ee"].into_iter()).unwrap();
        let parts = Strings::new(&blob, 6).unwrap().split(2, &[1, 0, 2]).unwrap();
        assert_eq!(parts[0], Strings::blob([b"a".as_slice(), b"d"].into_iter()).unwrap());
        assert_eq!(parts[1], Strings::blob([].into_iter()).unwrap());
        assert_eq!(parts[2], Strings::blob([b"bb".as_slice(), b"ccc", b"", b"ee"].into_iter()).unwrap());
    }
}
