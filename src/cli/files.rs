//! The files to check, found from paths and folders, each with its settings.

mod found;
mod given;

pub(crate) use found::{Found, Input};
pub(crate) use given::{all_exist, all_local, names_bare, no_input, refuse_folder, refuse_stdin};
pub(crate) use ovlint::internal::search::Kind;

use super::settings::{ConfigArgs, Resolver};
use super::{complain, shown};
use clap::Args;
use given::cannot_read;
use ovlint::internal::input::{self, Bounds};
use ovlint::internal::limits::{Limits, TEXT_FILE};
use ovlint::internal::policy::{FileGlobs, absolute, absolute_from};
use ovlint::internal::remote::{Below, Listed, is_remote, listed, named};
use ovlint::internal::report::Summary;
use ovlint::internal::search::{Tracked, below, is_called, model_of};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

// The selection of files.
#[derive(Args, Debug, Default)]
pub(crate) struct FileArgs {
    /// Models (.xml, or .bin beside it) or their URLs, or folders to search for models; by default the current folder
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    filter: FilterArgs,
    /// Read more paths from a file, or from stdin with `-`; one per line or separated by NUL
    #[arg(long, value_name = "FILE|-", help_heading = "Files")]
    files_from: Option<PathBuf>,
    /// Skip files that are not IR, even if named, and weights (.bin) without a model (.xml) beside them
    #[arg(long, help_heading = "Files")]
    skip_others: bool,
}

// The exclusion of files.
#[derive(Args, Debug, Default)]
pub(crate) struct FilterArgs {
    /// Skip matching files in folders: a glob as in .gitignore, relative to the current folder
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    exclude: Vec<String>,
    /// Skip excluded files even if named
    #[arg(long, help_heading = "Files")]
    force_exclude: bool,
    /// Include files that .gitignore and similar files exclude
    #[arg(long, help_heading = "Files")]
    no_ignore: bool,
}

// The flags of commands that select models as `check` does, but report no findings.
#[derive(Args, Default)]
pub(crate) struct ModelFileArgs {
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    config: ConfigArgs,
}

/// The selection of files by the flags and by the configuration of each.
pub(crate) struct Chooser<'r, 'a> {
    filter: &'a FilterArgs,
    excluded: Option<FileGlobs>,
    resolver: &'r mut Resolver<'a>,
    limits: Limits,
    /// The counts of files in the folders that were not selected.
    rest: Summary,
    tracked: Tracked,
    /// The working folder.
    here: PathBuf,
}

impl<'r, 'a> Chooser<'r, 'a> {
    fn new(filter: &'a FilterArgs, resolver: &'r mut Resolver<'a>, limits: Limits) -> Result<Self, String> {
        let excluded = (!filter.exclude.is_empty()).then(|| FileGlobs::new(Path::new("."), &filter.exclude));
        let excluded = excluded.transpose().map_err(|error| format!("--exclude: {error}"))?;
        // An absolute path needs no folder, and none is known where it was removed.
        let here = std::env::current_dir().unwrap_or_default();
        Ok(Self { filter, excluded, resolver, limits, rest: Summary::default(), tracked: Tracked::default(), here })
    }

    /// Adds the file at a path, or those below it that are or should be models; reports unreadable parts. `is_listed` is set
    /// for a path from `--files-from`, which a program may have written rather than the user.
    fn find(&mut self, path: &Path, is_listed: bool, skips_others: bool, found: &mut Found) -> Result<(), String> {
        refuse_stdin(path)?;
        if is_remote(path) {
            return self.find_remote(path, skips_others, found);
        }
        let is_folder = path.is_dir();
        let path = &if is_folder { path.to_owned() } else { model_of(path) };
        if !is_folder && skips_others && is_called(path, "bin") {
            found.bins += 1;
            found.weights += usize::from(Kind::is_weights(path));
        }
        let folder = if is_folder { Some(path.as_path()) } else { path.parent().filter(|_| is_listed || skips_others) };
        let bounds = folder.map(Bounds::around);
        self.resolver.bound(path, bounds.clone());
        let files = match &bounds {
            Some(bounds) if is_folder => self.walked(path, bounds, found)?,
            _ => vec![path.clone()],
        };
        for path in files {
            let settings = self.resolver.of(&path)?;
            if is_folder {
                let full = absolute_from(&self.here, &path);
                if !self.resolver.settings(settings).globs.is_empty() {
                    found.seen.entry(settings).or_default().push(full.clone());
                }
                // Skip files found before: the user may name a folder and one that contains it.
                if !found.paths.insert(full) {
                    continue;
                }
            }
            if !self.selects(&path, settings, is_folder) {
                found.excluded += usize::from(is_folder);
                let is_taken = self.resolver.settings(settings).takes(&absolute_from(&self.here, &path));
                found.excluding.extend((is_folder && !is_taken).then_some(settings));
                continue;
            }
            let bounds = bounds.clone();
            let is_sure = !is_folder && !skips_others;
            let kind = if is_sure { Kind::MeantAsModel } else { Kind::of(&path, bounds.as_ref(), &self.limits) };
            match kind {
                Kind::OtherXml => found.other_xml += usize::from(is_folder),
                Kind::Damaged if !is_folder => {}
                kind => found.inputs.push(Input { path, settings, kind, bounds }),
            }
        }
        Ok(())
    }

    /// Adds the model at a URL, or those below it.
    fn find_remote(&mut self, path: &Path, skips_others: bool, found: &mut Found) -> Result<(), String> {
        let below = listed(path, &self.limits).map_err(|error| cannot_read(path, &error))?;
        let is_folder = below.is_some();
        let listed = Listed { path: path.to_owned(), has_weights: false };
        let itself = || Below { models: vec![listed], ..Below::default() };
        let Below { models: files, odd, names } = below.unwrap_or_else(itself);
        found.listings.names.extend(names);
        found.listings.limits = self.limits;
        found.is_partial |= !odd.is_empty();
        for name in odd {
            complain(&format!("cannot read {}: this is not the name of an object", shown(Path::new(&name))));
        }
        for Listed { path, has_weights } in files {
            let settings = self.resolver.of(&path)?;
            if !self.selects(&path, settings, is_folder) {
                found.excluded += usize::from(is_folder);
                continue;
            }
            // A file with weights beside it counts as a model without being read.
            let is_sure = has_weights || !is_folder && !skips_others;
            let kind = if is_sure { Kind::MeantAsModel } else { Kind::of(&path, None, &self.limits) };
            match kind {
                Kind::OtherXml | Kind::Damaged => found.other_xml += usize::from(is_folder),
                kind => found.inputs.push(Input { path, settings, kind, bounds: None }),
            }
        }
        Ok(())
    }

    fn walked(&mut self, folder: &Path, bounds: &Bounds, found: &mut Found) -> Result<Vec<PathBuf>, String> {
        let mut below = below(folder, bounds, "xml", self.filter.no_ignore, &mut self.tracked)?;
        found.is_partial |= !below.unread.is_empty();
        found.ignored.0 += below.ignored.0;
        found.ignored.1 += below.ignored.1;
        below.warnings.iter().chain(&below.unread).for_each(|why| complain(why));
        // Links out of the bounds are not read; the check reports this.
        below.files.append(&mut below.outside);
        Ok(below.files)
    }

    fn selects(&self, path: &Path, settings: usize, is_in_folder: bool) -> bool {
        if !is_in_folder && !self.filter.force_exclude {
            return true;
        }
        let (settings, path) = (self.resolver.settings(settings), absolute_from(&self.here, path));
        let excludes = self.excluded.as_ref().is_some_and(|globs| globs.admit(&path)) || settings.excludes(&path);
        if is_in_folder { !excludes && settings.takes(&path) } else { !excludes }
    }

    /// Whether a file in a folder is selected.
    pub(crate) fn admits(&mut self, path: &Path) -> Result<bool, String> {
        let settings = self.resolver.of(path)?;
        Ok(self.selects(path, settings, true))
    }

    /// Returns all files below a folder with this extension, sorted by path.
    pub(crate) fn below(&mut self, folder: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
        let bounds = Bounds::around(folder);
        let below = below(folder, &bounds, ending, self.filter.no_ignore, &mut self.tracked)?;
        below.warnings.iter().for_each(|why| complain(why));
        // What lies in an unreadable folder must not pass for absent.
        below.unread.into_iter().next().map_or(Ok(below.files), Err)
    }

    /// Returns every named file, and those below the named folders that are or should be models, sorted and without
    /// duplicates.
    pub(crate) fn models(&mut self, paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
        let mut found = Found::default();
        for path in paths {
            self.find(path, false, false, &mut found)?;
        }
        self.rest.merge(found.rest(self.resolver));
        let mut seen = BTreeSet::new();
        let mut models = Vec::new();
        for Input { path, kind, .. } in found.inputs {
            match kind {
                Kind::Damaged => complain(&format!("left out {}, which is not an OpenVINO IR", shown(&path))),
                _ if seen.insert(absolute_from(&self.here, &path)) => models.push(path),
                _ => {}
            }
        }
        Ok(models)
    }
}

impl ModelFileArgs {
    /// Selects files by these flags and the configuration of each, and returns the configurations.
    pub(crate) fn choose<T>(
        &self,
        limits: Limits,
        choice: impl FnOnce(&mut Chooser) -> Result<T, String>,
    ) -> Result<(T, Resolver<'_>), String> {
        let mut resolver = Resolver::of_files(&self.config)?;
        let mut chooser = Chooser::new(&self.filter, &mut resolver, limits)?;
        let chosen = choice(&mut chooser)?;
        if let Some(files) = chooser.rest.not_checked() {
            complain(&format!("left out: {files}"));
        }
        Ok((chosen, resolver))
    }

    /// Returns every named file, and those below the named folders that are or should be models.
    pub(crate) fn models(&self, paths: &[PathBuf], limits: Limits) -> Result<(Vec<PathBuf>, Resolver<'_>), String> {
        self.choose(limits, |chooser| chooser.models(paths))
    }
}

impl FileArgs {
    /// Selects these paths, without any flags.
    pub(crate) fn of_paths(paths: Vec<PathBuf>) -> Self {
        Self { paths, ..Self::default() }
    }

    /// Finds every named file, and those below the named folders and `more` that are or should be models.
    pub(crate) fn find<'a>(
        &'a self,
        resolver: &mut Resolver<'a>,
        limits: Limits,
        more: Option<&Path>,
    ) -> Result<Found, String> {
        let mut chooser = Chooser::new(&self.filter, resolver, limits)?;
        let mut found = Found::default();
        for path in self.named_paths().into_iter().chain(more.map(Path::to_owned)) {
            found.has_folder |= is_folder(&path);
            chooser.find(&path, false, self.skip_others, &mut found)?;
        }
        for path in self.listed()? {
            found.has_folder |= is_folder(&path);
            chooser.find(&path, true, self.skip_others, &mut found)?;
        }
        if found.inputs.len() > 1 {
            let mut seen = BTreeSet::new();
            found.inputs.retain(|input| seen.insert(absolute_from(&chooser.here, &input.path)));
        }
        Ok(found)
    }

    /// Returns the named paths, or the current folder.
    fn named_paths(&self) -> Vec<PathBuf> {
        let is_nothing_named = self.paths.is_empty() && self.files_from.is_none();
        if is_nothing_named { vec![PathBuf::from(".")] } else { self.paths.clone() }
    }

    /// Returns the paths that `--files-from` lists.
    fn listed(&self) -> Result<Vec<PathBuf>, String> {
        let Some(path) = &self.files_from else { return Ok(Vec::new()) };
        let text =
            if path == Path::new("-") { input::read_stdin(TEXT_FILE) } else { input::read_text(path, TEXT_FILE) };
        let text = text.map_err(|error| format!("--files-from {}: {error}", path.display()))?;
        let separator = if text.contains('\0') { '\0' } else { '\n' };
        let lines = text.split(separator).map(|line| line.trim_end_matches('\r'));
        Ok(lines.filter(|line| !line.is_empty()).map(|line| named(line).into()).collect())
    }

    /// Whether it is an error that no model was found: a folder was named, and no `.bin` was skipped. If only files were named,
    /// all of them may be skipped, and a commit may change only the `.bin` of something else.
    pub(crate) fn lack(found: &Found) -> bool {
        found.inputs.is_empty() && found.bins == 0 && found.has_folder
    }

    /// Whether a folder was searched completely.
    pub(crate) fn covers(&self, folder: &Path) -> bool {
        self.filter.exclude.is_empty()
            && self.named_paths().iter().any(|path| path.is_dir() && folder.starts_with(absolute(path)))
    }
}

/// Whether a path may be a folder. A URL counts as one, because only a request would show what it is.
fn is_folder(path: &Path) -> bool {
    is_remote(path) || path.is_dir()
}
