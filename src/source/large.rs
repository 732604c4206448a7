//! The text of a large file in memory, of which a part can be released. The next access reads it again.
//!
//! The file is not mapped: a mapping changes when another process writes to the file, and faults when it is truncated.
#![allow(unsafe_code, reason = "memory is released by pages, and refilled behind a shared reference")]

use crate::input::InputFile;
use memmap2::{MmapMut, MmapRaw};
use std::io::{Error, ErrorKind, Result};
use std::ops::Range;
use std::sync::OnceLock;

/// The minimum size in bytes of files read this way.
pub(crate) const LARGE: u64 = HUGE_PAGE as u64;

/// The size of a huge page, which costs one page fault instead of 512. It starts at a multiple of its size.
const HUGE_PAGE: usize = 2 << 20;

/// The minimum number of bytes that are released.
const WORTHWHILE: usize = 4 << 20;

/// The alignment of released memory in bytes.
const PAGE: usize = 1 << 16;

/// The bytes of a file at the time of its opening.
#[derive(Debug)]
pub(crate) struct LargeText {
    file: InputFile,
    memory: MmapRaw,
    /// The text in the memory.
    text: Range<usize>,
    /// The length of the part that is always in memory; the rest was released.
    kept: usize,
    /// The result of reading the released part again, reset by a release.
    again: OnceLock<Option<Error>>,
}

impl LargeText {
    /// Reads all bytes; an error if the file changes meanwhile.
    pub(crate) fn read(file: InputFile) -> Result<Self> {
        let length = usize::try_from(file.length()).map_err(Error::other)?;
        // Address space that is not touched takes no memory. The last page is a huge one if the text fills half of it.
        let pages = (length + HUGE_PAGE / 2) / HUGE_PAGE * HUGE_PAGE;
        let mut memory = MmapMut::map_anon(length + 2 * HUGE_PAGE)?;
        let start = memory.as_ptr().align_offset(HUGE_PAGE);
        // The read works even if the system rejects the advice.
        #[cfg(target_os = "linux")]
        let _ = memory.advise_range(memmap2::Advice::HugePage, start, pages);
        let text = start..start + length;
        file.fill(memory.get_mut(text.clone()).ok_or(ErrorKind::OutOfMemory)?, 0)?;
        file.unchanged()?;
        Ok(Self { file, memory: memory.into(), text, kept: length, again: OnceLock::new() })
    }

    /// Releases the memory from `start` on, if it has at least [`WORTHWHILE`] bytes.
    #[cfg(unix)]
    pub(crate) fn release(&mut self, start: usize) {
        let start = start.next_multiple_of(PAGE);
        let held = if self.again.get().is_some() { self.text.len() } else { self.kept };
        let length = held.saturating_sub(start);
        if length >= WORTHWHILE && self.failure().is_none() {
            let advice = memmap2::UncheckedAdvice::DontNeed;
            // SAFETY: `&mut self` excludes references to these bytes, and none are created before they are refilled.
            if unsafe { self.memory.unchecked_advise_range(advice, self.text.start + start, length) }.is_ok() {
                // Bytes that were released before and not read again stay released.
                self.kept = start;
                self.again = OnceLock::new();
            }
        }
    }

    /// Releases nothing.
    #[cfg(not(unix))]
    pub(crate) fn release(&mut self, _start: usize) {}

    /// Returns the bytes of a range, if the text contains it.
    pub(crate) fn get(&self, range: Range<usize>) -> Option<&[u8]> {
        if range.end <= self.kept { self.part(self.kept).get(range) } else { self.bytes().get(range) }
    }

    /// Returns all bytes, after reading released ones again.
    pub(crate) fn bytes(&self) -> &[u8] {
        if self.kept < self.text.len() {
            self.again.get_or_init(|| self.read_again().err());
        }
        self.part(self.text.len())
    }

    /// Returns the error of reading released bytes again.
    pub(crate) fn failure(&self) -> Option<&Error> {
        self.again.get().and_then(Option::as_ref)
    }

    /// Returns the first `length` bytes.
    fn part(&self, length: usize) -> &[u8] {
        // SAFETY: the text is in the memory, which is ours and initialised, and at least this long. Only `read_again` writes to
        // it: only beyond `kept`, and before the first slice of those bytes since the release is created.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().add(self.text.start), length.min(self.text.len())) }
    }

    fn read_again(&self) -> Result<()> {
        let length = self.text.len() - self.kept;
        let at = self.text.start + self.kept;
        // SAFETY: these bytes are in the memory, and nobody has a reference to them: `part` gives them out only after this,
        // and this runs once after a release, which no reference survives.
        let bytes = unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().add(at), length) };
        self.file.fill(bytes, self.kept as u64)?;
        self.file.unchanged()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_was_given_back_twice_is_read_twice() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let all: Vec<u8> = (0..(12 << 20)).map(|n: u32| (n % 251) as u8).collect();
        fs::write(file.path(), &all).unwrap();
        let mut text = LargeText::read(InputFile::open(file.path()).unwrap()).unwrap();
        for start in [6 << 20, 1 << 20, 3 << 20] {
            text.release(start);
            assert_eq!(text.kept, if cfg!(unix) { start } else { all.len() });
            assert!(text.bytes() == all);
        }
    }

    #[test]
    fn what_was_given_back_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let all: Vec<u8> = (0..(6 << 20)).map(|n: u32| (n % 251) as u8).collect();
        fs::write(&path, &all).unwrap();
        let read = || {
            let mut text = LargeText::read(InputFile::open(&path).unwrap()).unwrap();
            assert!(text.bytes() == all);
            text.release(3 << 20);
            assert_eq!(text.kept, all.len(), "too little to give back");
            text.release(100_000);
            assert_eq!(text.kept, if cfg!(unix) { 2 * PAGE } else { all.len() });
            text
        };
        let text = read();
        assert_eq!(text.get(5..8), all.get(5..8));
        assert!(text.again.get().is_none());
        assert_eq!(text.get(1_000_000..1_000_100), all.get(1_000_000..1_000_100));
        assert!(text.bytes() == all && text.failure().is_none() && text.get(all.len()..all.len() + 1).is_none());
        if cfg!(unix) {
            let text = read();
            fs::File::options().write(true).open(&path).unwrap().set_len(200_000).unwrap();
            assert_eq!(text.bytes().len(), all.len());
            assert!(text.failure().is_some());
        }
    }
}
