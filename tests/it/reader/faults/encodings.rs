//! Whole files: encodings, byte-order marks, line ends, and files that are not IR at all.

use super::valid_models::NET;
use super::{Fault, compare, write};

fn utf16(text: &str, mark: bool, big: bool) -> Vec<u8> {
    let text = if mark { format!("\u{feff}{text}") } else { text.to_owned() };
    text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

fn utf32(text: &str, mark: bool, big: bool) -> Vec<u8> {
    let text = if mark { format!("\u{feff}{text}") } else { text.to_owned() };
    text.chars().flat_map(|c| if big { u32::from(c).to_be_bytes() } else { u32::from(c).to_le_bytes() }).collect()
}

/// The model with some bytes in the name of the net.
fn named(name: &[u8], encoding: &str) -> Vec<u8> {
    let declaration = format!("<?xml version=\"1.0\"{encoding}?>");
    let text = NET.xml.replacen("<?xml version=\"1.0\"?>", &declaration, 1);
    let at = text.find("base").unwrap();
    [&text.as_bytes()[..at], name, &text.as_bytes()[at + 4..]].concat()
}

#[test]
fn files_are_read_whatever_their_bytes() {
    let (accepted, rejected) = (false, true);
    let text = NET.xml;
    let cases: &[(&'static str, bool, Vec<u8>, &'static [&'static str])] = &[
        ("mark", accepted, [b"\xef\xbb\xbf", text.as_bytes()].concat(), &[]),
        (
            "mark-twice",
            accepted,
            [b"\xef\xbb\xbf\xef\xbb\xbf", text.as_bytes()].concat(),
            &["E xml-trailing-content: \u{feff}"],
        ),
        ("crlf", accepted, text.replace('\n', "\r\n").into_bytes(), &[]),
        ("cr", accepted, text.replace('\n', "\r").into_bytes(), &[]),
        ("one-line", accepted, text.replace(['\n', '\t'], "").into_bytes(), &[]),
        ("utf-16-le", accepted, utf16(text, true, false), &[]),
        ("utf-16-be", accepted, utf16(text, true, true), &[]),
        ("utf-16-le-without-mark", accepted, utf16(text, false, false), &[]),
        ("utf-16-be-without-mark", accepted, utf16(text, false, true), &[]),
        (
            "utf-16-cut",
            rejected,
            {
                let mut bytes = utf16(text, true, false);
                bytes.pop();
                bytes.pop();
                bytes.pop();
                bytes
            },
            &["E xml-malformed: <"],
        ),
        (
            "utf-16-with-another-label",
            accepted,
            utf16(&text.replacen("?>", " encoding='UTF-8'?>", 1), true, false),
            &["W xml-encoding: <?xml version=\"1.0\" encoding='UTF-8'?>"],
        ),
        ("utf-16-with-its-label", accepted, utf16(&text.replacen("?>", " encoding='utf-16'?>", 1), true, true), &[]),
        ("utf-32-le", accepted, utf32(text, true, false), &[]),
        ("utf-32-be", accepted, utf32(text, true, true), &[]),
        ("utf-32-le-without-mark", accepted, utf32(text, false, false), &[]),
        ("utf-32-be-without-mark", accepted, utf32(text, false, true), &[]),
        ("not-utf-8-in-a-name", accepted, named(b"caf\xe9", ""), &["W xml-encoding: �"]),
        ("overlong", accepted, named(b"a\xc0\xafb", ""), &["W xml-encoding: �"]),
        ("surrogate", accepted, named(b"a\xed\xa0\x80b", ""), &["W xml-encoding: �"]),
        ("latin-1", accepted, named(b"caf\xe9", " encoding=\"ISO-8859-1\""), &[]),
        ("empty", rejected, Vec::new(), &["E not-openvino-ir: "]),
        ("blank", rejected, b" \n\t ".to_vec(), &["E not-openvino-ir: "]),
        ("mark-only", rejected, b"\xef\xbb\xbf".to_vec(), &["E not-openvino-ir: "]),
        ("comment-only", rejected, b"<!-- nothing -->".to_vec(), &["E not-openvino-ir: "]),
        ("declaration-only", rejected, b"<?xml version=\"1.0\"?>".to_vec(), &["E not-openvino-ir: "]),
        ("text", rejected, b"hello".to_vec(), &["E not-openvino-ir: "]),
        ("json", rejected, b"{\"net\": 1}".to_vec(), &["E not-openvino-ir: "]),
        ("html", rejected, b"<!DOCTYPE html><html><body>404</body></html>".to_vec(), &["E not-openvino-ir: "]),
        (
            "git-lfs",
            rejected,
            b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 12\n".to_vec(),
            &["E not-openvino-ir: "],
        ),
        ("zip", rejected, b"PK\x03\x04rest".to_vec(), &["E not-openvino-ir: "]),
        ("zeros", rejected, vec![0; 4096], &["E not-openvino-ir: "]),
        ("onnx", rejected, b"\x08\x08\x12\x07pytorch\x1a\x051.0\x00".to_vec(), &["E not-openvino-ir: "]),
        ("other-xml", rejected, b"<svg xmlns='x'/>".to_vec(), &["E not-openvino-ir: <svg xmlns='x'/>"]),
        ("less-than", rejected, b"<".to_vec(), &["E xml-malformed: <"]),
        ("cut-in-a-tag", rejected, text.as_bytes()[..3000].to_vec(), &["E xml-malformed: <"]),
        (
            "cut-after-a-tag",
            rejected,
            text.as_bytes()[..text.find("<edges>").unwrap()].to_vec(),
            &["E xml-malformed: >"],
        ),
        ("cut-in-the-declaration", rejected, text.as_bytes()[..10].to_vec(), &["E xml-malformed: <"]),
        ("only-the-root", accepted, b"<net version='11'/>".to_vec(), &["E missing-element: <net version='11'/>"]),
        (
            "root-and-layers",
            accepted,
            b"<net version='11'><layers/></net>".to_vec(),
            &["E empty-model: <net version='11'>"],
        ),
        ("zeros-behind", accepted, [text.as_bytes(), &[0; 4]].concat(), &["E xml-trailing-content: \0\0\0\0"]),
    ];
    let mut wrong = String::new();
    for (name, rejected, bytes, says) in cases {
        let fault = Fault { name, edits: &[], rejected: *rejected, says };
        write("bytes", &fault, bytes, &NET.weights());
        compare("bytes", &fault, &super::read(bytes.clone(), &NET.weights()), &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong}");
}
