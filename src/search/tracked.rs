//! The files that git tracks, which a search finds even if `.gitignore` matches them. They are read from the indices of
//! repositories; git itself is never run, because the configuration of a repository can make it run commands.

use super::is_on_host;
use crate::input;
use crate::limits::TEXT_FILE;
use crate::panics::contained;
use crate::query::snapshot::ENDING;
use gix_index::entry::Mode;
use gix_index::hash::Kind;
use gix_index::{File, State, decode};
use std::collections::HashSet;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// The extensions of the files that a walk looks for.
const ENDINGS: [&str; 2] = ["xml", ENDING];

/// The tracked files of the repositories around and below the folders of a walk. No index is read before a file or folder
/// is ignored.
#[derive(Default)]
pub struct Tracked {
    /// Repositories by absolute path.
    repositories: HashSet<PathBuf>,
    /// Repositories whose index has not been read.
    unread: Vec<PathBuf>,
    /// Models, snapshots, links and submodules, and their parent folders.
    paths: HashSet<PathBuf>,
}

impl Tracked {
    /// Adds a repository, whose index is read when it is needed.
    pub(super) fn add(&mut self, repository: &Path) {
        if self.repositories.insert(repository.to_owned()) {
            self.unread.push(repository.to_owned());
        }
    }

    /// Whether git tracks a file that a walk may find, or any such file in a folder. Passes the reason why an index
    /// cannot be read to `warn`.
    pub(super) fn contains(&mut self, path: &Path, warn: &mut impl FnMut(String)) -> bool {
        for repository in self.unread.drain(..) {
            match tracked_files(&repository) {
                Ok(files) => {
                    for file in &files {
                        let around = file.ancestors().take_while(|path| *path != Path::new(""));
                        let around = around.map(|path| repository.join(path));
                        around.take_while(|path| self.paths.insert(path.clone())).for_each(drop);
                    }
                }
                Err(error) => warn(format!(
                    "cannot read the git index of {}: {error}; files that it tracks are left out if .gitignore matches them",
                    repository.display()
                )),
            }
        }
        self.paths.contains(path)
    }
}

/// Returns the tracked files that a walk may find, relative to their repository.
fn tracked_files(repository: &Path) -> Result<Vec<PathBuf>> {
    let (own, common) = git_folders(repository)?;
    let index = own.join("index");
    let bytes = match input::read(&index, TEXT_FILE) {
        // A repository without any added file has no index.
        Err(error) if error.kind() == ErrorKind::NotFound && own.is_dir() => return Ok(Vec::new()),
        bytes => bytes?,
    };
    let config = match input::read(&common.join("config"), TEXT_FILE) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        config => config?,
    };
    let hash = object_hash(&String::from_utf8_lossy(&config));
    contained(|| decoded(&bytes, &index, hash)).map_err(Error::other)?
}

/// Returns the folders with the index and with the configuration of a repository; they differ in a worktree.
fn git_folders(repository: &Path) -> Result<(PathBuf, PathBuf)> {
    let path = repository.join(".git");
    let own = if path.is_dir() {
        path
    } else {
        let text = input::read_text(&path, TEXT_FILE)?;
        let target =
            text.strip_prefix("gitdir:").ok_or_else(|| Error::other("`.git` does not start with `gitdir:`"))?;
        repository.join(local_path(target)?)
    };
    let common = match input::read_text(&own.join("commondir"), TEXT_FILE) {
        Ok(text) => own.join(local_path(&text)?),
        Err(_) => own.clone(),
    };
    Ok((own, common))
}

/// Checks that a path in a file of Git names no other host.
fn local_path(text: &str) -> Result<&str> {
    let path = text.trim();
    if is_on_host(path) { Err(Error::other("it names another host")) } else { Ok(path) }
}

/// Returns the hash algorithm of a repository: `objectFormat` in the section `extensions` of its configuration.
fn object_hash(config: &str) -> Kind {
    let (mut is_extensions, mut hash) = (false, Kind::Sha1);
    for line in config.lines() {
        let mut line = line.trim();
        if let Some((section, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
            is_extensions = section.trim().eq_ignore_ascii_case("extensions");
            line = rest;
        }
        if let Some((key, value)) = line.split_once('=')
            && is_extensions
            && key.trim().eq_ignore_ascii_case("objectformat")
        {
            let is_sha256 = value.trim().trim_matches('"').eq_ignore_ascii_case("sha256");
            hash = if is_sha256 { Kind::Sha256 } else { Kind::Sha1 };
        }
    }
    hash
}

fn decoded(bytes: &[u8], index: &Path, hash: Kind) -> Result<Vec<PathBuf>> {
    let options = decode::Options { thread_limit: Some(1), ..decode::Options::default() };
    check_path_bytes(bytes, hash)?;
    let (state, _) = State::from_bytes(bytes, State::new(hash).timestamp(), hash, options).map_err(Error::other)?;
    let Some(link) = state.link() else { return Ok(paths(&state)) };
    let shared = index.with_file_name(format!("sharedindex.{}", link.shared_index_checksum));
    check_path_bytes(&input::read(&shared, TEXT_FILE)?, hash)?;
    let whole = File::at(index, hash, true, options).map_err(Error::other)?;
    Ok(paths(&whole))
}

/// Checks that the paths of an index of version 4 take at most [`TEXT_FILE`] bytes. This version compresses each path as
/// a suffix to the one before, so a small index can expand to very many bytes; other versions hold every path in full.
fn check_path_bytes(index: &[u8], hash: Kind) -> Result<()> {
    let Some((&[b'D', b'I', b'R', b'C', 0, 0, 0, 4, ..], mut rest)) = index.split_at_checked(12) else { return Ok(()) };
    let fixed = 40 + hash.len_in_bytes();
    let (mut length, mut all) = (0_u64, 0_u64);
    while let Some([flags, _, ..]) = rest.get(fixed..) {
        let is_extended = flags & 0x40 != 0;
        let mut path = rest.get(fixed + if is_extended { 4 } else { 2 }..).unwrap_or_default().iter();
        let mut cut = 0_u64;
        for byte in path.by_ref() {
            cut = (cut << 7) | u64::from(byte & 127);
            if byte & 128 == 0 {
                break;
            }
            cut = cut.saturating_add(1);
        }
        let own = memchr::memchr(0, path.as_slice()).unwrap_or(path.as_slice().len());
        length = length.saturating_sub(cut) + own as u64;
        all += length;
        if all > TEXT_FILE {
            return Err(Error::other(format!("it has paths of more than {TEXT_FILE} bytes")));
        }
        rest = path.as_slice().get(own + 1..).unwrap_or_default();
    }
    Ok(())
}

fn paths(index: &State) -> Vec<PathBuf> {
    let entries = index.entries().iter().filter_map(|entry| {
        let path: &[u8] = entry.path(index).as_ref();
        let ends = |ending: &&str| {
            let start = path.len().checked_sub(ending.len() + 1)?;
            let found = path.get(start..)?.strip_prefix(b".")?;
            Some(found.eq_ignore_ascii_case(ending.as_bytes()))
        };
        let is_wanted = matches!(entry.mode, Mode::COMMIT | Mode::SYMLINK)
            || ENDINGS.iter().any(|ending| ends(ending) == Some(true));
        is_wanted.then(|| native(path)).flatten()
    });
    entries.collect()
}

#[cfg(unix)]
fn native(path: &[u8]) -> Option<PathBuf> {
    Some(PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(path)))
}

#[cfg(not(unix))]
fn native(path: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(path).ok().map(PathBuf::from)
}
