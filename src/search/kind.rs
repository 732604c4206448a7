//! The kind of an XML file, by its first bytes and the files beside it: a model, a file meant as one, a damaged file, or
//! other XML.

use super::is_called;
use crate::input::{self, Bounds};
use crate::ir::{ForeignFormat, foreign_format};
use crate::limits::Limits;
use std::path::Path;

/// The kind of a file, by its first bytes and the files beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A model.
    Model,
    /// Not a model, but meant as one: a Git LFS pointer, or a file with weights beside it.
    MeantAsModel,
    /// No valid XML: empty, truncated, an HTML page, or not XML at all.
    Damaged,
    /// Other XML.
    OtherXml,
}

/// The numbers of bytes at the start of a file in which the first XML element is searched: first the small one, then the
/// large one.
const HEADS: [u64; 2] = [1 << 12, 1 << 20];

/// The first bytes of a Git LFS pointer.
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/";

impl Kind {
    /// Classifies a file. An unreadable one counts as a model, so that the check reports the reason. One with weights beside it
    /// is not opened.
    pub fn of(path: &Path, bounds: Option<&Bounds>, limits: &Limits) -> Self {
        let is_called_xml = is_called(path, "xml");
        if is_called_xml && path.with_extension("bin").exists() {
            return Self::MeantAsModel;
        }
        let is_inside = bounds.is_none_or(|bounds| bounds.check_link(path).is_ok());
        let kind = if is_inside { Self::by_content(path, limits) } else { Self::Model };
        if kind == Self::MeantAsModel && !is_called_xml { Self::Damaged } else { kind }
    }

    /// Whether a `.bin` may hold OpenVINO weights, not those of `PyTorch` or another format.
    pub fn is_weights(path: &Path) -> bool {
        let head = input::head(path, HEADS[0], &Limits::default()).unwrap_or_default();
        let size = path.metadata().map_or(0, |found| found.len());
        matches!(foreign_format(&head, size), None | Some(ForeignFormat::LfsPointer))
    }

    fn by_content(path: &Path, limits: &Limits) -> Self {
        for length in HEADS {
            let Ok(mut head) = input::head(path, length, limits) else { return Self::Model };
            let is_whole = (head.len() as u64) < length;
            if memchr::memchr(0, &head).is_some() {
                head.retain(|byte| *byte != 0); // Turns UTF-16 into ASCII.
            }
            if head.starts_with(LFS) {
                return Self::MeantAsModel;
            }
            if let Some(name) = first_element(&head) {
                return Self::by_root(name, &head);
            }
            if is_whole {
                break;
            }
        }
        Self::Damaged
    }

    fn by_root(name: &[u8], head: &[u8]) -> Self {
        const MARKS: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
        let text = MARKS.iter().find_map(|mark| head.strip_prefix(*mark)).unwrap_or(head);
        let is_xml = text.trim_ascii_start().starts_with(b"<");
        match name {
            name if name.eq_ignore_ascii_case(b"net") => Self::Model,
            name if name.eq_ignore_ascii_case(b"html") || !is_xml => Self::Damaged,
            _ => Self::OtherXml,
        }
    }
}

/// Returns the name of the first element; `None` if there is none, or if the text ends within it.
fn first_element(head: &[u8]) -> Option<&[u8]> {
    let mut rest = head;
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = rest.get(at + 1..)?;
        let end: &[u8] = match rest {
            [b'!', b'-', b'-', ..] => b"-->",
            [b'!', ..] => b">",
            [b'?', ..] => b"?>",
            _ => {
                let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))?;
                return rest.get(..end);
            }
        };
        rest = rest.get(memchr::memmem::find(rest, end)? + end.len()..)?;
    }
    None
}
