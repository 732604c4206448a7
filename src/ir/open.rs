//! Opening of an IR, with conversion of other encodings to UTF-8.
//!
//! Files are read into memory, not mapped, so that they cannot change during the analysis.

use super::identify::{HEAD, has_root, is_called_bin};
use crate::input::{self, InputFile};
use crate::limits::Limits;
use crate::remote;
use crate::source::{LARGE, LargeText, Source};
use std::io::ErrorKind;
use std::path::Path;

/// The reason why a file cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// An error of the operating system.
    #[error("{0}")]
    Io(std::io::Error),
    /// The weights were needed but could not be read, or they changed.
    #[error("{0}")]
    Weights(std::io::Error),
    /// The file is larger than the limit.
    #[error("{0}")]
    TooLarge(String),
}

/// Opens the XML of an IR.
pub fn open(path: &Path, limits: &Limits) -> Result<Source, OpenError> {
    // A weights file may be large; its head suffices to recognise it.
    if is_called_bin(path) {
        let head = input::head(path, HEAD as u64, limits).map_err(OpenError::Io)?;
        if !has_root(&head) {
            return Ok(decode(path, head));
        }
    }
    let limit = most(limits);
    let bytes = match InputFile::open(path) {
        Ok(file) if file.length() > limit => {
            let size = file.length();
            let message = format!(
                "the file has {size} bytes, more than the limit of {limit}; raise the limit with --max-xml-size"
            );
            return Err(OpenError::TooLarge(message));
        }
        Ok(file) if file.length() >= LARGE => return large(path, file).map_err(OpenError::Io),
        Ok(file) => file.read_all().map_err(OpenError::Io),
        // The path may be a pipe that was passed to the process.
        Err(_) => read(path, limits),
    };
    Ok(decode(path, bytes?))
}

/// Reads the bytes of an XML file, local or remote.
pub(crate) fn read(path: &Path, limits: &Limits) -> Result<Vec<u8>, OpenError> {
    let limit = most(limits);
    let (bytes, flag) = match remote::is_remote(path) {
        true if limits.fetched < limit => (remote::read(path, limits.fetched, limits), "--max-fetched"),
        true => (remote::read(path, limit, limits), "--max-xml-size"),
        false => (input::read(path, limit), "--max-xml-size"),
    };
    bytes.map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => OpenError::TooLarge(format!("{error}; {flag} allows more")),
        _ => OpenError::Io(error),
    })
}

/// Returns the size limit of an XML file.
fn most(limits: &Limits) -> u64 {
    limits.xml_size.min(u64::from(u32::MAX))
}

fn large(path: &Path, file: InputFile) -> std::io::Result<Source> {
    let text = LargeText::read(file)?;
    let is_plain = Encoding::of(text.bytes()) == Encoding::Utf8;
    Ok(if is_plain { Source::large(path, text) } else { decode(path, text.bytes().to_vec()) })
}

/// The encodings that OpenVINO reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16(Endian),
    Utf32(Endian),
    Latin1,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Endian {
    Little,
    Big,
}

impl Encoding {
    /// Detects the encoding: by a byte-order mark, the zeros around a `<`, or a declaration of ISO-8859-1. Ignores other
    /// declared encodings.
    fn of(bytes: &[u8]) -> Self {
        use Endian::{Big, Little};
        match bytes {
            [0, 0, 0xfe, 0xff, ..] | [0, 0, 0, b'<', ..] => Self::Utf32(Big),
            [0xff, 0xfe, 0, 0, ..] | [b'<', 0, 0, 0, ..] => Self::Utf32(Little),
            [0xfe, 0xff, ..] | [0, b'<', ..] => Self::Utf16(Big),
            [0xff, 0xfe, ..] | [b'<', 0, ..] => Self::Utf16(Little),
            _ if declares_latin_1(bytes) => Self::Latin1,
            _ => Self::Utf8,
        }
    }

    fn name(self) -> Option<&'static str> {
        match self {
            Self::Utf8 => None,
            Self::Utf16(_) => Some("UTF-16"),
            Self::Utf32(_) => Some("UTF-32"),
            Self::Latin1 => Some("ISO-8859-1"),
        }
    }
}

/// Whether the file starts with an XML declaration of ISO-8859-1.
fn declares_latin_1(bytes: &[u8]) -> bool {
    let Some(rest) = bytes.strip_prefix(b"<?xml") else { return false };
    let rest = rest.get(..rest.len().min(200)).unwrap_or_default();
    let declaration = rest.get(..memchr::memchr(b'>', rest).unwrap_or(rest.len())).unwrap_or_default();
    let Some(at) = memchr::memmem::find(declaration, b"encoding") else { return false };
    let label = declaration.get(at + 8..).unwrap_or_default().to_ascii_lowercase();
    let label = label.trim_ascii_start().strip_prefix(b"=").unwrap_or_default().trim_ascii_start();
    [&b"\"iso-8859-1\""[..], b"'iso-8859-1'", b"\"latin1\"", b"'latin1'"].iter().any(|name| label.starts_with(name))
}

/// Creates a source from bytes in memory in any of these encodings.
pub fn decode(path: impl Into<std::path::PathBuf>, bytes: Vec<u8>) -> Source {
    let encoding = Encoding::of(&bytes);
    let Some(name) = encoding.name() else { return Source::new(path, bytes) };
    let text: String = match encoding {
        Encoding::Utf16(endian) => {
            let unit = |pair: &[u8]| match (endian, pair) {
                (Endian::Little, [a, b]) => u16::from_le_bytes([*a, *b]),
                (Endian::Big, [a, b]) => u16::from_be_bytes([*a, *b]),
                _ => 0xfffd,
            };
            let text = char::decode_utf16(bytes.chunks(2).map(unit));
            text.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        }
        Encoding::Utf32(endian) => {
            let unit = |four: &[u8]| match (endian, four) {
                (Endian::Little, [a, b, c, d]) => u32::from_le_bytes([*a, *b, *c, *d]),
                (Endian::Big, [a, b, c, d]) => u32::from_be_bytes([*a, *b, *c, *d]),
                _ => 0xfffd,
            };
            bytes.chunks(4).map(|four| char::from_u32(unit(four)).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        }
        Encoding::Latin1 | Encoding::Utf8 => bytes.iter().map(|byte| char::from(*byte)).collect(),
    };
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    Source::decoded(path, text.into_bytes(), name)
}
