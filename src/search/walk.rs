//! The walk over the files below a folder: through links within bounds, and without what `.gitignore` and the like exclude.

use super::tracked::Tracked;
use super::{is_called, is_on_host};
use crate::arrange::Arrange;
use crate::input::{self, Bounds, InputFile};
use crate::limits::TEXT_FILE;
use crate::policy::absolute;
use ignore::{IncrementalIgnore, WalkBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// The result of a walk.
#[derive(Default)]
pub struct Below {
    /// The files, sorted by path.
    pub files: Vec<PathBuf>,
    /// The numbers of ignored files with the extension, and of ignored folders.
    pub ignored: (usize, usize),
    /// Links to folders outside of the bounds.
    pub outside: Vec<PathBuf>,
    /// Unreadable files and folders, with reasons.
    pub unread: Vec<String>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

/// Finds the files with this extension below a folder. Follows links within the bounds, except to parent folders, and enters
/// each folder once. Several paths to one file with the same weights give one result: the file itself, or its first link.
pub fn below(
    folder: &Path,
    bounds: &Bounds,
    ending: &str,
    no_ignore: bool,
    tracked: &mut Tracked,
) -> Result<Below, String> {
    let mut walk = Walk {
        bounds,
        ending,
        no_ignore,
        tracked,
        found: Below::default(),
        linked: BTreeSet::new(),
        folders: Vec::new(),
        links: BTreeSet::new(),
    };
    walk.folder(folder)?;
    let mut entered = BTreeSet::new();
    while let Some((_, link)) = walk.links.pop_first() {
        if entered.is_empty() {
            entered.extend(folder.canonicalize().iter().flat_map(|folder| folder.ancestors()).map(Path::to_owned));
        }
        entered.extend(walk.folders.drain(..).filter_map(|folder| folder.canonicalize().ok()));
        match link.canonicalize() {
            Ok(target) if entered.contains(&target) => {}
            Ok(_) if bounds.check_link(&link).is_err() => walk.found.outside.push(link),
            Ok(_) => walk.folder(&link)?,
            Err(_) => {}
        }
    }
    Ok(walk.finish())
}

struct Walk<'a> {
    bounds: &'a Bounds,
    ending: &'a str,
    no_ignore: bool,
    tracked: &'a mut Tracked,
    found: Below,
    /// Files that are links, or lie in a linked folder.
    linked: BTreeSet<PathBuf>,
    /// Entered folders.
    folders: Vec<PathBuf>,
    /// Links to folders, shortest path first.
    links: BTreeSet<(usize, PathBuf)>,
}

/// The ignore rules for the files below a folder.
struct Rules {
    /// All rules: hidden files, `.ignore`, and the rules of git.
    all: Option<IncrementalIgnore>,
    /// The rules that apply even to files tracked by git.
    beside_git: Option<IncrementalIgnore>,
    /// The folder of the rules, and its absolute path.
    folder: PathBuf,
    absolute: PathBuf,
}

impl Rules {
    fn of(folder: &Path, is_link: bool, no_ignore: bool) -> Self {
        let target = is_link.then(|| folder.canonicalize().ok()).flatten();
        Self {
            all: matcher(folder, !no_ignore, !no_ignore),
            beside_git: None,
            folder: folder.to_owned(),
            absolute: target.unwrap_or_else(|| absolute(folder)),
        }
    }
}

fn matcher(folder: &Path, ignore: bool, git: bool) -> Option<IncrementalIgnore> {
    let mut walk = WalkBuilder::new(folder);
    walk.require_git(false).ignore(ignore).parents(ignore).git_ignore(git).git_exclude(git).git_global(git);
    walk.build_matchers().pop()
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path) -> Result<(), String> {
        let is_link = folder.is_symlink();
        let mut rules = Rules::of(folder, is_link, self.no_ignore);
        if !self.no_ignore {
            let mut repository = None;
            for above in rules.absolute.ancestors() {
                let is_repository = check_ignore_files(above, self.bounds)?;
                repository = repository.or(is_repository.then_some(above));
            }
            if let Some(repository) = repository {
                self.tracked.add(repository);
            }
        }
        let mut entries = WalkDir::new(folder).sort_by_file_name().into_iter();
        while let Some(entry) = entries.next() {
            match entry {
                Ok(entry) if entry.depth() == 0 || self.admits(&entry, &mut rules)? => self.entry(entry, is_link),
                Ok(entry) if entry.file_type().is_dir() => entries.skip_current_dir(),
                Ok(_) => {}
                Err(error) => self.found.unread.push(unread(error)),
            }
        }
        Ok(())
    }

    /// Returns whether the rules admit a file or folder. git never ignores tracked files.
    fn admits(&mut self, entry: &DirEntry, rules: &mut Rules) -> Result<bool, String> {
        let is_folder = entry.file_type().is_dir();
        let Ok(inner) = entry.path().strip_prefix(&rules.folder) else { return Ok(true) };
        let ignores = |rules: &mut Option<IncrementalIgnore>| {
            rules.as_mut().is_some_and(|rules| rules.matched(inner, is_folder).is_ignore())
        };
        if ignores(&mut rules.all) {
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                return Ok(false);
            }
            let warnings = &mut self.found.warnings;
            let is_tracked = self.tracked.contains(&rules.absolute.join(inner), &mut |why| warnings.push(why));
            if is_tracked && rules.beside_git.is_none() {
                rules.beside_git = matcher(&rules.folder, true, false);
            }
            if !is_tracked || ignores(&mut rules.beside_git) {
                self.found.ignored.0 += usize::from(!is_folder && self.is_wanted(entry.path()));
                self.found.ignored.1 += usize::from(is_folder);
                return Ok(false);
            }
        }
        if is_folder && !self.no_ignore && check_ignore_files(entry.path(), self.bounds)? {
            self.tracked.add(&rules.absolute.join(inner));
        }
        Ok(true)
    }

    fn entry(&mut self, entry: DirEntry, is_behind_link: bool) {
        let (is_root, is_link) = (entry.depth() == 0, entry.path_is_symlink());
        let (kind, path) = (entry.file_type(), entry.into_path());
        if kind.is_dir() || is_root {
            self.folders.push(path);
        } else if is_link && path.is_dir() {
            self.links.insert((path.components().count(), path));
        } else if self.is_wanted(&path) {
            if is_link || is_behind_link {
                self.linked.insert(path.clone());
            }
            self.found.files.push(path);
        }
    }

    fn is_wanted(&self, path: &Path) -> bool {
        is_called(path, self.ending)
    }

    fn finish(self) -> Below {
        let Self { mut found, linked, .. } = self;
        if !linked.is_empty() {
            // Prefer a file to links to it.
            found.files.sort_by_cached_key(|path| (linked.contains(path), path.clone()));
            let mut seen = BTreeMap::new();
            found.files.retain(|path| *seen.entry(identity(path)).or_insert_with(|| path.clone()) == *path);
            found.files.arrange();
        }
        found
    }
}

/// Returns the canonical paths of a model and its weights. Both identify it, because revisions may differ in weights only.
fn identity(path: &Path) -> (PathBuf, Option<PathBuf>) {
    let weights = path.with_extension("bin").canonicalize().ok();
    (path.canonicalize().unwrap_or_else(|_| path.to_owned()), weights)
}

fn unread(error: walkdir::Error) -> String {
    let path = error.path().map(Path::to_owned).unwrap_or_default();
    format!("{}: {}", path.display(), error.into_io_error().map(|error| error.to_string()).unwrap_or_default())
}

/// Returns whether a folder is a repository; an error if its ignore files cannot be read. The walk reads them to the end, so
/// they must not be endless, and links must not lead out of the bounds.
fn check_ignore_files(folder: &Path, bounds: &Bounds) -> Result<bool, String> {
    // One `stat` per name: most folders have none of them.
    let look = |name| {
        let path = folder.join(name);
        path.metadata().ok().map(|found| (path, found))
    };
    let (ignores, git) = ([look(".gitignore"), look(".ignore")], look(".git"));
    let exclude = git.as_ref().and_then(|_| look(".git/info/exclude"));
    for (path, found) in ignores.iter().chain([&git, &exclude]).flatten() {
        if bounds.check_link(path).is_err() && bounds.holds(folder).unwrap_or(true) {
            return Err(cannot_read(path, "it is a link out of the folder to check and its work tree"));
        }
        check_finite(path, found)?;
    }
    if let Some((path, _)) = git.as_ref().filter(|(_, found)| !found.is_dir()) {
        check_behind(path)?;
    }
    Ok(git.is_some())
}

/// Checks that a file is neither endless nor too large.
fn check_finite(path: &Path, found: &Metadata) -> Result<(), String> {
    if found.is_file() && found.len() > TEXT_FILE {
        Err(cannot_read(path, &format!("it has more than {TEXT_FILE} bytes")))
    } else if found.is_dir() || found.is_file() {
        Ok(())
    } else {
        Err(cannot_read(path, &InputFile::open(path).err().map(|error| error.to_string()).unwrap_or_default()))
    }
}

/// Checks with [`check_finite`] a file that may be missing.
fn check_finite_if_present(path: &Path) -> Result<(), String> {
    path.metadata().map_or(Ok(()), |found| check_finite(path, &found))
}

/// Checks with [`check_finite`] the files that a `.git` file refers to. As in the walk, relative names are resolved from the
/// current folder.
fn check_behind(git: &Path) -> Result<(), String> {
    let line_of = |path: &Path| {
        check_finite_if_present(path)?;
        let text = input::read_text(path, TEXT_FILE).unwrap_or_default();
        let name = text.strip_prefix("gitdir:").unwrap_or(&text).trim_start();
        if is_on_host(name) {
            Err(cannot_read(path, "it names another host"))
        } else {
            Ok(text.lines().next().map(str::to_owned))
        }
    };
    let Some(line) = line_of(git)? else { return Ok(()) };
    let Some(own) = line.strip_prefix("gitdir: ").map(Path::new) else { return Ok(()) };
    let Some(common) = line_of(&own.join("commondir"))? else { return Ok(()) };
    let common = if common.starts_with('.') { own.join(common) } else { PathBuf::from(common) };
    check_finite_if_present(&common.join("info/exclude"))
}

fn cannot_read(path: &Path, why: &str) -> String {
    format!("cannot read {}: {why}", path.display())
}
