//! The files below a folder, those behind links included.

use ignore::WalkBuilder;
use ovlint::internal::input::InputFile;
use ovlint::internal::limits::TEXT_FILE;
use ovlint::internal::policy::absolute;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What a walk found.
#[derive(Default)]
pub(super) struct Below {
    /// The files, sorted by path.
    pub(super) files: Vec<PathBuf>,
    /// What could not be looked into, and why.
    pub(super) unread: Vec<String>,
}

/// The files below a folder with this ending. Links are followed, but not up to folders around it; each folder is entered
/// once, and of several links to one file and the same weights only the first counts.
pub(super) fn below(folder: &Path, ending: &str, no_ignore: bool) -> Result<Below, String> {
    let mut walk = Walk { ending, no_ignore, ..Walk::default() };
    walk.folder(folder)?;
    let mut entered = BTreeSet::new();
    while let Some((_, link)) = walk.links.pop_first() {
        if entered.is_empty() {
            entered.extend(folder.canonicalize().iter().flat_map(|folder| folder.ancestors()).map(Path::to_owned));
        }
        entered.extend(walk.folders.drain(..).filter_map(|folder| folder.canonicalize().ok()));
        if link.canonicalize().is_ok_and(|target| !entered.contains(&target)) {
            walk.folder(&link)?;
        }
    }
    Ok(walk.finish())
}

#[derive(Default)]
struct Walk<'a> {
    ending: &'a str,
    no_ignore: bool,
    files: Vec<PathBuf>,
    /// Files that are links, or stand in a folder that is one.
    linked: BTreeSet<PathBuf>,
    /// Folders that were entered.
    folders: Vec<PathBuf>,
    /// Links to folders, those with the shortest path first.
    links: BTreeSet<(usize, PathBuf)>,
    unread: Vec<String>,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path) -> Result<(), String> {
        let mut walk = WalkBuilder::new(folder);
        walk.sort_by_file_path(Ord::cmp).require_git(false);
        let refused = Arc::new(Mutex::new(None));
        if self.no_ignore {
            walk.ignore(false).git_ignore(false).git_global(false).git_exclude(false).parents(false);
        } else {
            for above in absolute(folder).ancestors() {
                readable_ignores(above)?;
            }
            let refused = Arc::clone(&refused);
            walk.filter_entry(move |entry| {
                let mut refused = refused.lock().unwrap_or_else(PoisonError::into_inner);
                if refused.is_none() && entry.file_type().is_some_and(|kind| kind.is_dir()) {
                    *refused = readable_ignores(entry.path()).err();
                }
                refused.is_none()
            });
        }
        let is_link = folder.is_symlink();
        for entry in walk.build() {
            match entry {
                Ok(entry) => self.entry(entry, is_link),
                Err(error) => self.unread.push(error.to_string()),
            }
        }
        let mut refused = refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.take().map_or(Ok(()), Err)
    }

    fn entry(&mut self, entry: ignore::DirEntry, is_behind_link: bool) {
        let Some(kind) = entry.file_type() else { return };
        let (is_root, is_link, path) = (entry.depth() == 0, entry.path_is_symlink(), entry.into_path());
        if kind.is_dir() || is_root {
            self.folders.push(path);
        } else if is_link && path.is_dir() {
            self.links.insert((path.components().count(), path));
        } else if path.extension().is_some_and(|own| own.eq_ignore_ascii_case(self.ending)) {
            if is_link || is_behind_link {
                self.linked.insert(path.clone());
            }
            self.files.push(path);
        }
    }

    fn finish(self) -> Below {
        let Self { mut files, linked, unread, .. } = self;
        if !linked.is_empty() {
            // The file itself comes before the links to it.
            files.sort_by_cached_key(|path| (linked.contains(path), path.clone()));
            let mut seen = BTreeMap::new();
            files.retain(|path| *seen.entry(identity(path)).or_insert_with(|| path.clone()) == *path);
            files.sort();
        }
        Below { files, unread }
    }
}

/// A model without the links on the way to it: a new revision may have new weights only.
fn identity(path: &Path) -> (PathBuf, Option<PathBuf>) {
    let weights = path.with_extension("bin").canonicalize().ok();
    (path.canonicalize().unwrap_or_else(|_| path.to_owned()), weights)
}

/// What is wrong with the files of a folder that say what to leave out: the walk reads them to their end, so they must have
/// one.
fn readable_ignores(folder: &Path) -> Result<(), String> {
    for name in [".gitignore", ".ignore", ".git/info/exclude"] {
        let path = folder.join(name);
        let wrong = match path.metadata() {
            Err(_) => continue,
            Ok(found) if found.is_file() && found.len() <= TEXT_FILE => continue,
            Ok(found) if found.is_file() => format!("it has more than {TEXT_FILE} bytes"),
            Ok(found) if found.is_dir() => continue,
            Ok(_) => InputFile::open(&path).err().map(|error| error.to_string()).unwrap_or_default(),
        };
        return Err(format!("cannot read {}: {wrong}", path.display()));
    }
    Ok(())
}
