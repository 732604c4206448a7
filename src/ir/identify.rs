//! Recognition of files that are not IRs, so that the finding says what they are: weights, an archive, a model in another
//! format.

use std::path::Path;

/// The kind of a binary file without a known signature.
const BINARY: &str = "a binary file";

/// The number of bytes at the start of a file that are searched for the root of an IR, in any encoding.
pub(super) const HEAD: usize = 1 << 16;

/// Returns the message for a weights file given instead of a model: a `.bin` file without an IR or another known format.
pub(super) fn weights(path: &Path, bytes: &[u8]) -> Option<String> {
    if !is_called_bin(path) || has_root(bytes) || kind_of(bytes).is_some_and(|kind| kind != BINARY) {
        return None;
    }
    let model = path.with_extension("xml");
    let instead =
        if model.is_file() { model.display().to_string() } else { "the .xml that was written with it".into() };
    Some(format!("this is a weights file; use {instead} instead"))
}

/// Whether a file has the extension `.bin`.
pub(super) fn is_called_bin(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bin"))
}

/// Whether `<net` occurs near the start, in any encoding.
pub(super) fn has_root(bytes: &[u8]) -> bool {
    let near = bytes.get(..bytes.len().min(HEAD)).unwrap_or_default();
    let near: Vec<u8> = near.iter().filter(|byte| **byte != 0).map(u8::to_ascii_lowercase).collect();
    memchr::memmem::find(&near, b"<net").is_some()
}

/// Identifies a file whose root is not `<net>` by its first bytes; `None` if it is not recognised.
pub(super) fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    let start = bytes.trim_ascii_start();
    let head = start.get(..start.len().min(512)).unwrap_or_default().to_ascii_lowercase();
    let has = |needle: &[u8]| memchr::memmem::find(&head, needle).is_some();
    if bytes.is_empty() {
        return Some("an empty file");
    }
    if start.is_empty() {
        return Some("a file of white space only");
    }
    if bytes.starts_with(b"version https://git-lfs.github.com/spec/") {
        return Some("a Git LFS pointer (run `git lfs pull`)");
    }
    if head.starts_with(b"<!doctype html") || head.starts_with(b"<html") || has(b"<html") {
        return Some("an HTML page");
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return Some("a zip archive");
    }
    if bytes.starts_with(b"\x1f\x8b") {
        return Some("a gzip archive");
    }
    // A list in brackets is JSON; a name in them is the head of a table of TOML.
    let item = head.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    let is_list = item.is_some_and(|item| item.first().is_none_or(|b| !b.is_ascii_alphabetic()));
    if head.starts_with(b"{") || is_list {
        return Some("a JSON file");
    }
    if bytes.starts_with(b"\x08") && (has(b"onnx") || has(b"pytorch") || has(b"torch") || has(b"tf2onnx")) {
        return Some("an ONNX model");
    }
    if bytes.get(4..8) == Some(b"TFL3") {
        return Some("a TensorFlow Lite model");
    }
    if !start.starts_with(b"<") {
        let text = bytes.iter().take(512).all(|b| matches!(b, b'\t' | b'\n' | b'\r') || *b >= 0x20);
        let near = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
        if text && memchr::memmem::find(near, b"<net").is_some() {
            return None; // An IR with text before it.
        }
        return Some(if text { "a text file" } else { BINARY });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_named_and_their_model() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.bin");
        let of = |bytes: &[u8]| weights(&path, bytes);
        let is = "this is a weights file";
        // 1.0 as f32 and as f16 look like the start of UTF-16.
        for bytes in [&b"\0\0\x80\x3f"[..], b"\0<\0<", b"<\0\x01\0", b"<?"] {
            assert_eq!(of(bytes), Some(format!("{is}; use the .xml that was written with it instead")), "{bytes:?}");
        }
        let model = folder.path().join("m.xml");
        std::fs::write(&model, "").unwrap();
        assert_eq!(of(b"\0\0"), Some(format!("{is}; use {} instead", model.display())));
        for bytes in [&b"<net/>"[..], b"\0<\0n\0e\0t\0/", b"<?xml?><NET>", b"text", b"", b"PK\x03\x04"] {
            assert_eq!(of(bytes), None, "{bytes:?}");
        }
        assert_eq!(weights(&folder.path().join("m.xml"), b"\0\0"), None);
    }

    #[test]
    fn files_are_named_as_what_they_are() {
        assert_eq!(kind_of(b""), Some("an empty file"));
        assert_eq!(kind_of(b" \n"), Some("a file of white space only"));
        assert_eq!(kind_of(b"<!DOCTYPE html>\n<html>"), Some("an HTML page"));
        assert_eq!(
            kind_of(b"version https://git-lfs.github.com/spec/v1\noid sha256:0"),
            Some("a Git LFS pointer (run `git lfs pull`)")
        );
        assert_eq!(kind_of(b"\x08\x07\x12\x07pytorch\x1a"), Some("an ONNX model"));
        assert_eq!(kind_of(b"\0\0\0\0"), Some(BINARY));
        assert_eq!(kind_of(b"text"), Some("a text file"));
        assert_eq!(kind_of(b"<net/>"), None);
        assert_eq!(kind_of(b"text <net/>"), None);
    }

    #[test]
    fn tables_of_toml_are_no_lists_of_json() {
        for (text, kind) in
            [("[1, 2]", "a JSON file"), ("[\n{}]", "a JSON file"), ("[package]\nname = 1", "a text file")]
        {
            assert_eq!(kind_of(text.as_bytes()), Some(kind), "{text}");
        }
    }
}
