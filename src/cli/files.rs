//! From paths and folders to the files to check.

use ignore::WalkBuilder;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A file to check.
pub(crate) struct Input {
    /// The path as given, or below a folder that was given.
    pub(crate) path: PathBuf,
}

/// Every file named, and the IR files below every folder named, in a fixed order and each once.
pub(crate) fn inputs(paths: &[PathBuf]) -> Vec<Input> {
    let mut all: Vec<PathBuf> = Vec::new();
    for path in paths {
        if path.is_dir() {
            all.extend(below(path, "xml").into_iter().filter(|path| is_ir(path)));
        } else {
            all.push(path.clone());
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    all.retain(|path| seen.insert(path.clone()));
    all.into_iter().map(|path| Input { path }).collect()
}

/// The files below a folder with this ending, sorted by path.
pub(crate) fn below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let walk = WalkBuilder::new(folder).sort_by_file_path(Ord::cmp).require_git(false).build();
    walk.filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(ignore::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending)))
        .collect()
}

/// Whether the first element of a file is `<net`.
fn is_ir(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(4096).read_to_end(&mut head));
    if read.is_err() {
        return true; // The check tells why.
    }
    head.retain(|byte| *byte != 0); // UTF-16 as well
    let mut rest = head.as_slice();
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = rest.get(at + 1..).unwrap_or_default();
        let end: &[u8] = match rest {
            [b'!', b'-', b'-', ..] => b"-->",
            [b'!', ..] => b">",
            [b'?', ..] => b"?>",
            _ => {
                let name: Vec<u8> = rest.iter().take(3).map(u8::to_ascii_lowercase).collect();
                return name == b"net"
                    && rest.get(3).is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'));
            }
        };
        let after = memchr::memmem::find(rest, end).map_or(rest.len(), |at| at + end.len());
        rest = rest.get(after..).unwrap_or_default();
    }
    false
}
