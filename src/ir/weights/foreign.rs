//! Recognition of files of other formats in place of the weights: Git LFS pointers, archives, error pages.

/// The format of a file in place of the weights, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForeignFormat {
    /// A Git LFS pointer.
    LfsPointer,
    /// A text, such as an error message of a server.
    Text,
    /// Another format, with its article: `an HTML page`.
    Other(&'static str),
}

/// The file that a Git LFS pointer stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LfsObject {
    /// Its SHA-256, hexadecimal.
    pub oid: String,
    /// Its size in bytes.
    pub size: u64,
}

/// Parses a Git LFS pointer.
pub(super) fn lfs_object(text: &[u8]) -> Option<LfsObject> {
    let text = std::str::from_utf8(text).ok()?;
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let oid = field("oid sha256:").filter(|oid| oid.len() == 64 && oid.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    Some(LfsObject { oid: oid.to_ascii_lowercase(), size: field("size ")?.parse().ok()? })
}

/// Signatures that weights never start with, in lower case, with their formats.
const MAGIC: &[(&[u8], &str)] = &[
    (b"<!doctype html", "an HTML page"),
    (b"<html", "an HTML page"),
    (b"<net ", "the XML of a model"),
    (b"<?xml", "an XML file"),
    (b"pk\x03\x04", "a zip archive"),
    (b"gguf", "a GGUF file"),
    (b"\x89hdf\r\n\x1a\n", "an HDF5 file"),
    (b"\x93numpy", "a NumPy array"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"rar!\x1a\x07", "a RAR archive"),
    (b"\xfd7zxz\0", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"), // -1.5e37 as f32, a NaN as f16
];

/// Signatures that weights may start with by chance, but hardly if the file is also too short.
const LIKELY_MAGIC: &[(&[u8], &str)] = &[
    (b"\x1f\x8b\x08", "a gzip archive"),
    (b"\x80\x02", "a Python pickle"),
    (b"\x80\x03", "a Python pickle"),
    (b"\x80\x04", "a Python pickle"),
];

/// The number of bytes read for a signature.
pub(super) const HEAD: u64 = 64;

/// The maximum size in bytes of a text, such as an error message of a server.
pub(super) const TEXT: u64 = 4096;

/// Identifies a format with certainty, by the first [`HEAD`] bytes.
pub(super) fn plain(bytes: &[u8]) -> Option<ForeignFormat> {
    let head = bytes.to_ascii_lowercase();
    if head.starts_with(b"version https://git-lfs.github.com/spec/") {
        return Some(ForeignFormat::LfsPointer);
    }
    let text = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&head).trim_ascii_start();
    let has = |magic: &&(&[u8], &str)| head.starts_with(magic.0) || magic.0[0] == b'<' && text.starts_with(magic.0);
    let is_safetensors = head.get(8..10) == Some(b"{\"");
    let kind = MAGIC.iter().find(has).map(|magic| magic.1);
    let kind = kind.or_else(|| is_safetensors.then_some("a safetensors file"));
    kind.or_else(|| archive(bytes)).map(ForeignFormat::Other)
}

/// Guesses the format of a file that is too short for its model.
pub(super) fn likely(head: &[u8], size: u64) -> Option<ForeignFormat> {
    if let Some(magic) = LIKELY_MAGIC.iter().find(|magic| head.starts_with(magic.0)) {
        return Some(ForeignFormat::Other(magic.1));
    }
    let text = valid(head).filter(|text| !text.is_empty() && is_plain(text))?;
    let kind = if text.starts_with('{') { ForeignFormat::Other("a JSON file") } else { ForeignFormat::Text };
    (size <= TEXT || kind != ForeignFormat::Text).then_some(kind)
}

/// Returns the start of a file as text, without a last character that is cut off; `None` if it is not UTF-8.
fn valid(head: &[u8]) -> Option<&str> {
    match std::str::from_utf8(head) {
        Err(error) if error.error_len().is_none() => std::str::from_utf8(head.get(..error.valid_up_to())?).ok(),
        text => text.ok(),
    }
}

/// Whether a text has no control characters but whitespace.
fn is_plain(text: &str) -> bool {
    text.chars().all(|c| !c.is_control() || c.is_whitespace())
}

/// Guesses the format of a file of `size` bytes for a model that needs `end`, by the first [`TEXT`] bytes.
pub(super) fn guess(head: &[u8], size: u64, end: impl Fn() -> u64) -> Option<ForeignFormat> {
    // Writers pad the end of a file.
    let other_size = |_: &ForeignFormat| !(0..64).contains(&size.wrapping_sub(end()));
    likely(head, size).filter(|_| size < end()).or_else(|| text(head).filter(other_size))
}

/// Identifies a text by its first [`TEXT`] bytes.
fn text(head: &[u8]) -> Option<ForeignFormat> {
    let text = valid(head)?;
    // No text holds several of these characters.
    if text.chars().filter(|c| matches!(c, '\u{80}'..='\u{9f}' | '\u{fffd}')).count() >= 16 {
        return Some(ForeignFormat::Other("bytes that were read as text and written as UTF-8"));
    }
    let is_text = head.len() as u64 >= TEXT && is_plain(text);
    let is_base64 = head.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/=\r\n".contains(byte));
    is_text.then_some(if is_base64 { ForeignFormat::Other("Base64 text") } else { ForeignFormat::Text })
}

/// Identifies the format of a file of `size` bytes that no model needs.
pub fn foreign_format(head: &[u8], size: u64) -> Option<ForeignFormat> {
    plain(head).or_else(|| likely(head, size))
}

/// Identifies an archive by a header of which some bits are free.
fn archive(head: &[u8]) -> Option<&'static str> {
    match head {
        // Deflate, no reserved flag, known level and system.
        [0x1f, 0x8b, 8, ..0x20, _, _, _, _, 0 | 2 | 4, 0..=13 | 255, ..] => Some("a gzip archive"),
        [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', b'&', b'S', b'Y', ..] => Some("a bzip2 archive"),
        // Version 1, no reserved flag, known size of blocks.
        [4, 0x22, 0x4d, 0x18, 0x40..=0x7f, 0x40 | 0x50 | 0x60 | 0x70, ..] => Some("an LZ4 archive"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_not_weights_are_known_by_their_first_bytes() {
        let other = |kind| Some(ForeignFormat::Other(kind));
        assert_eq!(plain(b"version https://git-lfs.github.com/spec/v1\noid sha256:0"), Some(ForeignFormat::LfsPointer));
        assert_eq!(plain(b"\xef\xbb\xbf \r\n<!DOCTYPE html>"), other("an HTML page"));
        assert_eq!(plain(b"<?xml version=\"1.0\"?><Error>"), other("an XML file"));
        assert_eq!(plain(b"<net name=\"m\" version=\"11\">"), other("the XML of a model"));
        assert_eq!(plain(b"PK\x03\x04\x14\0\0\0"), other("a zip archive"));
        assert_eq!(plain(b"\x40\0\0\0\0\0\0\0{\"__metadata__\":{}}"), other("a safetensors file"));
        assert_eq!(plain(b"GGUF\x03\0\0\0"), other("a GGUF file"));
        assert_eq!(plain(b"\xfd7zXZ\0\0\x04\xe6"), other("an xz archive"));
        assert_eq!(plain(b"\x28\xb5\x2f\xfd\xa4"), other("a zstd archive"));
        assert_eq!(plain(b"BZh91AY&SY\x12"), other("a bzip2 archive"));
        assert_eq!(plain(b"\x04\x22\x4d\x18\x64\x40\xa7"), other("an LZ4 archive"));
        let gzip = [0x1f, 0x8b, 8, 8, 0x99, 0x9a, 0x92, 0x65, 0, 3, b'm'];
        assert_eq!(plain(&gzip), other("a gzip archive"));
        let mut weights = gzip;
        weights[3] = 0x3f;
        assert_eq!(plain(&weights), None);
        for weights in [
            b"".as_slice(),
            b"\0\0\x80\x3f",
            b"{\"a\": 1}",
            b"Entry not found",
            b"\x80\x02c",
            b"\x04\x22\x4d\x18\0\0",
            b"BZh9",
        ] {
            assert_eq!(plain(weights), None, "{weights:?}");
        }
    }

    #[test]
    fn pointers_name_the_file_that_they_stand_for() {
        let text = |oid: &str| format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 1024\n");
        let oid = "0A".repeat(32);
        let object = LfsObject { oid: "0a".repeat(32), size: 1024 };
        assert_eq!(lfs_object(text(&oid).as_bytes()), Some(object.clone()));
        assert_eq!(lfs_object(text(&oid).replace('\n', "\r\n").as_bytes()), Some(object));
        assert_eq!(lfs_object(text("0a").as_bytes()), None);
        assert_eq!(lfs_object(b"version https://git-lfs.github.com/spec/v1\n"), None);
    }

    #[test]
    fn short_files_that_look_like_others_are_named() {
        let likely = |bytes: &[u8]| likely(bytes, bytes.len() as u64);
        let other = |kind| Some(ForeignFormat::Other(kind));
        assert_eq!(likely(b"Entry not found\n"), Some(ForeignFormat::Text));
        assert_eq!(likely(b"{\"message\": \"gone\"}"), other("a JSON file"));
        assert_eq!(likely("{\"a\": \"é".as_bytes().strip_suffix(b"\xa9").unwrap()), other("a JSON file"));
        assert_eq!(likely(b"{\x9a\x99\x3e"), None);
        assert_eq!(likely(b"{\0\0\0"), None);
        assert_eq!(likely(b"\x80\x04\x95\0"), other("a Python pickle"));
        assert_eq!(likely(b"\x1f\x8b\x08\0"), other("a gzip archive"));
        assert_eq!(likely(b"\0\0\x80\x3f"), None);
        assert_eq!(likely(b""), None);
    }
}
