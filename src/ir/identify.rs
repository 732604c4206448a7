//! What a file that is no IR is instead.

/// The kind of a file whose root is not `<net>`, by its first bytes; `None` where nothing is recognised.
pub(super) fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    let start = bytes.trim_ascii_start();
    let head = start.get(..start.len().min(512)).unwrap_or_default().to_ascii_lowercase();
    let has = |needle: &[u8]| memchr::memmem::find(&head, needle).is_some();
    if bytes.is_empty() {
        return Some("an empty file");
    }
    if start.is_empty() {
        return Some("a file of blanks only");
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
    if head.starts_with(b"{") || head.starts_with(b"[") {
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
        return Some(if text { "a text file" } else { "a binary file; is it the .bin of a model?" });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::kind_of;

    #[test]
    fn files_are_named_as_what_they_are() {
        assert_eq!(kind_of(b""), Some("an empty file"));
        assert_eq!(kind_of(b" \n"), Some("a file of blanks only"));
        assert_eq!(kind_of(b"<!DOCTYPE html>\n<html>"), Some("an HTML page"));
        assert_eq!(
            kind_of(b"version https://git-lfs.github.com/spec/v1\noid sha256:0"),
            Some("a Git LFS pointer (run `git lfs pull`)")
        );
        assert_eq!(kind_of(b"\x08\x07\x12\x07pytorch\x1a"), Some("an ONNX model"));
        assert_eq!(kind_of(b"\0\0\0\0"), Some("a binary file; is it the .bin of a model?"));
        assert_eq!(kind_of(b"text"), Some("a text file"));
        assert_eq!(kind_of(b"<net/>"), None);
        assert_eq!(kind_of(b"text <net/>"), None);
    }
}
