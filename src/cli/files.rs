//! From paths and folders to the files to check, each with its settings.

mod given;

pub(crate) use given::{all_exist, all_local, from_here, refuse_stdin};
pub(crate) use ovlint::internal::search::Kind;

use super::settings::{ConfigArgs, Resolver};
use super::{complain, shown};
use clap::Args;
use given::cannot_read;
use ovlint::internal::input::Bounds;
use ovlint::internal::limits::TEXT_FILE;
use ovlint::internal::policy::{FileGlobs, absolute};
use ovlint::internal::remote::{Below, Listed, is_remote, listed, named};
use ovlint::internal::report::Summary;
use ovlint::internal::search::{Tracked, below, is_called, model_of};
use ovlint::internal::{Limits, input};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

// Which files are checked.
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

// What is left out.
#[derive(Args, Debug, Default)]
pub(crate) struct FilterArgs {
    /// Skip matching files in folders: a glob as in .gitignore, relative to the current folder
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    exclude: Vec<String>,
    /// Skip excluded files even if named
    #[arg(long, help_heading = "Files")]
    force_exclude: bool,
    /// Include files that .gitignore and the like exclude
    #[arg(long, help_heading = "Files")]
    no_ignore: bool,
}

// The flags of commands that take models as `check` does and have no findings to select.
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
    /// What it is; a file that is named is meant as a model.
    pub(crate) kind: Kind,
    /// Where it may lead as a link; `None` if the user named it.
    pub(crate) bounds: Option<Bounds>,
}

/// The files to check, and what else the folders hold.
#[derive(Default)]
pub(crate) struct Found {
    /// The files to check, in a fixed order and each once.
    pub(crate) inputs: Vec<Input>,
    /// The number of XML files of other kinds in the folders.
    pub(crate) other_xml: usize,
    /// The number of `.xml` files in the folders that are excluded.
    pub(crate) excluded: usize,
    /// The number of these files, and of folders in the folders, that `.gitignore` and the like leave out.
    ignored: (usize, usize),
    /// The number of `.bin` files named that have no model beside them, and how many of these may be weights.
    bins: usize,
    weights: usize,
    /// The places of the settings that exclude some.
    pub(crate) excluding: BTreeSet<usize>,
    /// The `.xml` files in the folders, by the place of their settings, where a configuration has globs that should match
    /// some; absolute paths.
    pub(crate) seen: BTreeMap<usize, Vec<PathBuf>>,
    /// Whether a folder was searched.
    has_folder: bool,
    /// Whether a part of a folder could not be read.
    pub(crate) is_partial: bool,
    /// The `.xml` files in the folders.
    paths: BTreeSet<PathBuf>,
}

/// Decides which files are taken, by the flags and the configuration of each.
pub(crate) struct Chooser<'r, 'a> {
    filter: &'a FilterArgs,
    excluded: Option<FileGlobs>,
    resolver: &'r mut Resolver<'a>,
    limits: Limits,
    /// What the folders held besides the models that were chosen.
    rest: Summary,
    tracked: Tracked,
}

impl Found {
    /// The files of the folders that are not among the inputs, counted.
    pub(crate) fn rest(&self, resolver: &Resolver) -> Summary {
        let excluding = self.excluding.iter().filter_map(|place| resolver.settings(*place).path.as_deref());
        Summary {
            other_xml: self.other_xml,
            excluded: self.excluded,
            gitignored: self.ignored.0,
            gitignored_folders: self.ignored.1,
            orphaned_weights: self.weights,
            excluded_by: excluding.map(from_here).collect(),
            ..Summary::default()
        }
    }
}

impl<'r, 'a> Chooser<'r, 'a> {
    fn new(filter: &'a FilterArgs, resolver: &'r mut Resolver<'a>, limits: Limits) -> Result<Self, String> {
        let excluded = (!filter.exclude.is_empty()).then(|| FileGlobs::new(Path::new("."), &filter.exclude));
        let excluded = excluded.transpose().map_err(|error| format!("--exclude: {error}"))?;
        Ok(Self { filter, excluded, resolver, limits, rest: Summary::default(), tracked: Tracked::default() })
    }

    /// Adds the file of a path, or those below it that are or should be models. What cannot be read is reported. A program
    /// may have listed the path, rather than the user.
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
            if is_folder && !self.resolver.settings(settings).globs.is_empty() {
                found.seen.entry(settings).or_default().push(absolute(&path));
            }
            // A folder may be named together with one around it.
            if is_folder && !found.paths.insert(absolute(&path)) {
                continue;
            }
            if !self.takes(&path, settings, is_folder) {
                found.excluded += usize::from(is_folder);
                let is_taken = self.resolver.settings(settings).takes(&absolute(&path));
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

    /// The same on a server.
    fn find_remote(&mut self, path: &Path, skips_others: bool, found: &mut Found) -> Result<(), String> {
        let below = listed(path, &self.limits).map_err(|error| cannot_read(path, &error))?;
        let is_folder = below.is_some();
        let itself = || Below { models: vec![Listed { path: path.to_owned(), has_weights: false }], odd: Vec::new() };
        let Below { models: files, odd } = below.unwrap_or_else(itself);
        found.is_partial |= !odd.is_empty();
        for name in odd {
            complain(&format!("cannot read {}: this is not the name of an object", shown(Path::new(&name))));
        }
        for Listed { path, has_weights } in files {
            let settings = self.resolver.of(&path)?;
            if !self.takes(&path, settings, is_folder) {
                found.excluded += usize::from(is_folder);
                continue;
            }
            // What has weights beside it was not worth a look.
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
        // What is behind such a link cannot be read, and the check says why.
        below.files.append(&mut below.outside);
        Ok(below.files)
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
    pub(crate) fn below(&mut self, folder: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
        let bounds = Bounds::around(folder);
        let below = below(folder, &bounds, ending, self.filter.no_ignore, &mut self.tracked)?;
        below.warnings.iter().for_each(|why| complain(why));
        Ok(below.files)
    }

    /// Every file named, and the files below every folder named that are or should be models, in a fixed order and each
    /// once.
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
                Kind::Damaged => complain(&format!("{} is left out, as it is no OpenVINO IR", shown(&path))),
                _ if seen.insert(absolute(&path)) => models.push(path),
                _ => {}
            }
        }
        Ok(models)
    }
}

impl ModelFileArgs {
    /// Has files chosen by these flags and by the configuration of each, and gives these configurations.
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

    /// Every file named, and the files below every folder named that are or should be models.
    pub(crate) fn models(&self, paths: &[PathBuf], limits: Limits) -> Result<(Vec<PathBuf>, Resolver<'_>), String> {
        self.choose(limits, |chooser| chooser.models(paths))
    }
}

impl FileArgs {
    /// These paths, and nothing else is asked for.
    pub(crate) fn of_paths(paths: Vec<PathBuf>) -> Self {
        Self { paths, ..Self::default() }
    }

    /// Every file named, and the files below every folder named that are or should be models.
    pub(crate) fn find<'a>(&'a self, resolver: &mut Resolver<'a>, limits: Limits) -> Result<Found, String> {
        let mut chooser = Chooser::new(&self.filter, resolver, limits)?;
        let mut found = Found::default();
        for path in self.given() {
            found.has_folder |= is_folder(&path);
            chooser.find(&path, false, self.skip_others, &mut found)?;
        }
        for path in self.listed()? {
            found.has_folder |= is_folder(&path);
            chooser.find(&path, true, self.skip_others, &mut found)?;
        }
        let mut seen = BTreeSet::new();
        found.inputs.retain(|input| seen.insert(absolute(&input.path)));
        Ok(found)
    }

    /// The paths that are named, or the current folder.
    fn given(&self) -> Vec<PathBuf> {
        let is_nothing_named = self.paths.is_empty() && self.files_from.is_none();
        if is_nothing_named { vec![PathBuf::from(".")] } else { self.paths.clone() }
    }

    /// The paths that `--files-from` lists.
    fn listed(&self) -> Result<Vec<PathBuf>, String> {
        let Some(path) = &self.files_from else { return Ok(Vec::new()) };
        let text =
            if path == Path::new("-") { input::read_stdin(TEXT_FILE) } else { input::read_text(path, TEXT_FILE) };
        let text = text.map_err(|error| format!("--files-from {}: {error}", path.display()))?;
        let separator = if text.contains('\0') { '\0' } else { '\n' };
        let lines = text.split(separator).map(|line| line.trim_end_matches('\r'));
        Ok(lines.filter(|line| !line.is_empty()).map(|line| named(line).into()).collect())
    }

    /// Whether there should have been a model: in a folder, whatever else was named. Of files alone, all may be skipped; and a
    /// commit may change nothing but the `.bin` of something else.
    pub(crate) fn lack(found: &Found) -> bool {
        found.inputs.is_empty() && found.bins == 0 && found.has_folder
    }

    /// Whether all of a folder was searched.
    pub(crate) fn covers(&self, folder: &Path) -> bool {
        self.filter.exclude.is_empty()
            && self.given().iter().any(|path| path.is_dir() && folder.starts_with(absolute(path)))
    }
}

/// Whether a path is searched rather than checked; a server tells only when it is asked.
fn is_folder(path: &Path) -> bool {
    is_remote(path) || path.is_dir()
}
