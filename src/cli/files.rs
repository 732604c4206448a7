//! From paths and folders to the files to check, each with its settings.

use super::settings::{ConfigArgs, Resolver};
use clap::Args;
use ignore::WalkBuilder;
use ovlint::internal::input;
use ovlint::internal::input::InputFile;
use ovlint::internal::limits::TEXT_FILE;
use ovlint::internal::policy::{FileGlobs, absolute};
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Which files are checked.
#[derive(Args, Debug, Default)]
pub(crate) struct FileArgs {
    /// Models (.xml), or folders to search for models
    #[arg(required_unless_present_any = ["files_from", "show_settings"])]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    filter: FilterArgs,
    /// Read further paths from a file, or from stdin by `-`; one per line, or separated by NUL
    #[arg(long, value_name = "FILE|-", help_heading = "Files")]
    files_from: Option<PathBuf>,
    /// Leave files out that are no IR, even where they are named
    #[arg(long, help_heading = "Files")]
    skip_others: bool,
    /// No IR in the folders given is no error
    #[arg(long, help_heading = "Files")]
    pub(crate) allow_empty: bool,
}

/// What is left out.
#[derive(Args, Debug, Default)]
pub(crate) struct FilterArgs {
    /// Files not to take from folders: a glob as in .gitignore, relative to the current folder
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    exclude: Vec<String>,
    /// Leave excluded files out even where they are named
    #[arg(long, help_heading = "Files")]
    force_exclude: bool,
    /// Take files from folders that .gitignore and the like leave out
    #[arg(long, help_heading = "Files")]
    no_ignore: bool,
}

/// The flags of commands that take models as `check` does and have no findings to select.
#[derive(Args)]
pub(crate) struct ModelFileArgs {
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    config: ConfigArgs,
}

/// A file to check.
pub(crate) struct Input {
    /// The path as given, or below a folder that was given.
    pub(crate) path: PathBuf,
    /// The place of its settings in the resolver.
    pub(crate) settings: usize,
}

/// Decides which files are taken, by the flags and the configuration of each.
pub(crate) struct Chooser<'r, 'a> {
    filter: &'a FilterArgs,
    excluded: Option<FileGlobs>,
    resolver: &'r mut Resolver<'a>,
}

impl<'r, 'a> Chooser<'r, 'a> {
    fn new(filter: &'a FilterArgs, resolver: &'r mut Resolver<'a>) -> Result<Self, String> {
        let excluded = (!filter.exclude.is_empty()).then(|| FileGlobs::new(Path::new("."), &filter.exclude));
        let excluded = excluded.transpose().map_err(|error| format!("--exclude: {error}"))?;
        Ok(Self { filter, excluded, resolver })
    }

    /// The file of a path, or those below it with this ending, without what is left out.
    fn files(&mut self, path: &Path, ending: &str) -> Result<Vec<Input>, String> {
        refuse_stdin(path)?;
        let is_folder = path.is_dir();
        let files = if is_folder { self.below(path, ending)? } else { vec![path.to_owned()] };
        let mut inputs = Vec::with_capacity(files.len());
        for path in files {
            let settings = self.resolver.of(&path)?;
            if self.takes(&path, settings, is_folder) {
                inputs.push(Input { path, settings });
            }
        }
        Ok(inputs)
    }

    fn takes(&self, path: &Path, settings: usize, is_in_folder: bool) -> bool {
        if !is_in_folder && !self.filter.force_exclude {
            return true;
        }
        let (settings, path) = (self.resolver.settings(settings), absolute(path));
        let excludes = self.excluded.as_ref().is_some_and(|globs| globs.admit(&path)) || settings.excludes(&path);
        if is_in_folder { !excludes && settings.takes(&path) } else { !excludes }
    }

    /// Whether a file of a folder is taken.
    pub(crate) fn admits(&mut self, path: &Path) -> Result<bool, String> {
        let settings = self.resolver.of(path)?;
        Ok(self.takes(path, settings, true))
    }

    /// All files below a folder with this ending, sorted by path.
    pub(crate) fn below(&self, folder: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
        below(folder, ending, self.filter.no_ignore)
    }

    /// Every file named, and the IR files below every folder named, in a fixed order and each once.
    pub(crate) fn models(&mut self, paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
        let (mut all, mut seen) = (Vec::new(), BTreeSet::new());
        for path in paths {
            let is_folder = path.is_dir();
            let files = self.files(path, "xml")?.into_iter().map(|input| input.path);
            all.extend(files.filter(|path| (!is_folder || is_ir(path)) && seen.insert(path.clone())));
        }
        Ok(all)
    }
}

impl ModelFileArgs {
    /// Has files chosen by these flags and by the configuration of each.
    pub(crate) fn choose<T>(&self, choice: impl FnOnce(&mut Chooser) -> Result<T, String>) -> Result<T, String> {
        let mut resolver = Resolver::of_files(&self.config)?;
        choice(&mut Chooser::new(&self.filter, &mut resolver)?)
    }

    /// Every file named, and the IR files below every folder named, in a fixed order and each once.
    pub(crate) fn models(&self, paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
        self.choose(|chooser| chooser.models(paths))
    }
}

impl FileArgs {
    /// These paths, and nothing else is asked for.
    pub(crate) fn of_paths(paths: Vec<PathBuf>) -> Self {
        Self { paths, ..Self::default() }
    }

    /// Every file named, and the IR files below every folder named, in a fixed order and each once.
    pub(crate) fn inputs<'a>(&'a self, resolver: &mut Resolver<'a>) -> Result<Vec<Input>, String> {
        let mut chooser = Chooser::new(&self.filter, resolver)?;
        let (mut inputs, mut seen) = (Vec::new(), BTreeSet::new());
        for path in self.paths.iter().cloned().chain(self.listed()?) {
            let may_be_other = !path.is_dir() && !self.skip_others;
            let files = chooser.files(&path, "xml")?.into_iter();
            inputs.extend(files.filter(|one| (may_be_other || is_ir(&one.path)) && seen.insert(one.path.clone())));
        }
        Ok(inputs)
    }

    /// The paths that `--files-from` lists.
    fn listed(&self) -> Result<Vec<PathBuf>, String> {
        let Some(path) = &self.files_from else { return Ok(Vec::new()) };
        let text =
            if path == Path::new("-") { input::read_stdin(TEXT_FILE) } else { input::read_text(path, TEXT_FILE) };
        let text = text.map_err(|error| format!("--files-from {}: {error}", path.display()))?;
        let separator = if text.contains('\0') { '\0' } else { '\n' };
        let lines = text.split(separator).map(|line| line.trim_end_matches('\r'));
        Ok(lines.filter(|line| !line.is_empty()).map(PathBuf::from).collect())
    }

    /// Whether all of a folder was searched.
    pub(crate) fn covers(&self, folder: &Path) -> bool {
        self.filter.exclude.is_empty()
            && self.paths.iter().any(|path| path.is_dir() && folder.starts_with(absolute(path)))
    }
}

/// The files below a folder with this ending, sorted by path.
fn below(folder: &Path, ending: &str, no_ignore: bool) -> Result<Vec<PathBuf>, String> {
    let mut walk = WalkBuilder::new(folder);
    walk.sort_by_file_path(Ord::cmp).require_git(false);
    let refused = Arc::new(Mutex::new(None));
    if no_ignore {
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
    let files = walk
        .build()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(ignore::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending)))
        .collect();
    let mut refused = refused.lock().unwrap_or_else(PoisonError::into_inner);
    refused.take().map_or(Ok(files), Err)
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

/// Whether there is something at every path, of which the first without is told.
pub(crate) fn all_exist<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), String> {
    let missing = |path: &&PathBuf| path.metadata().err();
    let first = paths.into_iter().find_map(|path| Some((path, missing(&path)?)));
    first.map_or(Ok(()), |(path, error)| match error.kind() {
        ErrorKind::NotFound => Err(format!("`{}` does not exist", path.display())),
        _ => Err(format!("cannot read {}: {error}", path.display())),
    })
}

/// Models are files: beside them are their weights.
pub(crate) fn refuse_stdin(path: &Path) -> Result<(), String> {
    if path == Path::new("-") && !path.exists() {
        return Err("models are not read from stdin; `check --files-from -` reads their paths from it".to_owned());
    }
    Ok(())
}

/// Bytes of a file in which its first element is looked for, and then if there is none among them.
const HEADS: [u64; 2] = [1 << 12, 1 << 20];

/// Whether the first element of a file is `<net`.
fn is_ir(path: &Path) -> bool {
    for length in HEADS {
        // The check says why one cannot be read.
        let Ok(mut head) = input::head(path, length) else { return true };
        let is_whole = (head.len() as u64) < length;
        head.retain(|byte| *byte != 0); // UTF-16 as well
        if let Some(is_net) = starts_with_net(&head) {
            return is_net;
        }
        if is_whole {
            break;
        }
    }
    false
}

/// Whether the first element in a text is `<net`; `None` if there is none.
fn starts_with_net(head: &[u8]) -> Option<bool> {
    let mut rest = head;
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = rest.get(at + 1..)?;
        let end: &[u8] = match rest {
            [b'!', b'-', b'-', ..] => b"-->",
            [b'!', ..] => b">",
            [b'?', ..] => b"?>",
            _ => {
                let name: Vec<u8> = rest.iter().take(3).map(u8::to_ascii_lowercase).collect();
                let ends = rest.get(3).is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'));
                return Some(name == b"net" && ends);
            }
        };
        rest = rest.get(memchr::memmem::find(rest, end)? + end.len()..)?;
    }
    None
}
