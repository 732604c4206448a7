//! Opening an IR: small files are read, large ones mapped, UTF-16 is turned into UTF-8.
#![allow(unsafe_code, reason = "mapping a file")]

use crate::source::Source;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Files from this size on are mapped instead of read.
const MAP_FROM: u64 = 1 << 18;

/// Why a file cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The operating system refuses.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The file is larger than the limit.
    #[error("{size} bytes exceed the limit of {limit}; raise it with --max-xml-size")]
    TooLarge {
        /// The size of the file.
        size: u64,
        /// The limit.
        limit: u64,
    },
}

/// Opens the XML of an IR of at most `limit` bytes.
pub fn open(path: &Path, limit: u64) -> Result<Source, OpenError> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    let limit = limit.min(u64::from(u32::MAX));
    if metadata.len() > limit {
        return Err(OpenError::TooLarge { size: metadata.len(), limit });
    }
    if metadata.is_file() && metadata.len() >= MAP_FROM {
        // SAFETY: the map is only read. Another process that truncates the file meanwhile can end this one by a signal,
        // as with every reader that maps files; nothing can be corrupted by it.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        if utf16(&map).is_none() {
            return Ok(Source::mapped(path, map));
        }
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    let read = file.by_ref().take(limit + 1).read_to_end(&mut bytes)?;
    if read as u64 > limit {
        return Err(OpenError::TooLarge { size: read as u64, limit });
    }
    Ok(Source::new(path, decode(bytes)))
}

#[derive(Clone, Copy)]
enum Endian {
    Little,
    Big,
}

/// Whether the bytes are UTF-16, with or without a byte-order mark.
fn utf16(bytes: &[u8]) -> Option<Endian> {
    match bytes {
        [0xff, 0xfe, ..] | [b'<', 0, ..] => Some(Endian::Little),
        [0xfe, 0xff, ..] | [0, b'<', ..] => Some(Endian::Big),
        _ => None,
    }
}

/// UTF-16 as UTF-8; other bytes as they are.
pub(crate) fn decode(bytes: Vec<u8>) -> Vec<u8> {
    let Some(endian) = utf16(&bytes) else { return bytes };
    let unit = |pair: &[u8]| match (endian, pair) {
        (Endian::Little, [a, b]) => u16::from_le_bytes([*a, *b]),
        (Endian::Big, [a, b]) => u16::from_be_bytes([*a, *b]),
        _ => 0xfffd,
    };
    let text = char::decode_utf16(bytes.chunks(2).map(unit)).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
    text.filter(|c| *c != '\u{feff}').collect::<String>().into_bytes()
}
