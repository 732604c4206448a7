//! The policy of a project: rules and severities, the configuration, and findings that are accepted.

mod baseline;
pub mod catalogue;
mod comments;
mod config;
pub mod contract;
mod fold;
mod globs;
mod hidden;
mod ignores;
mod judge;
mod links;
pub mod messages;
mod per_file;
pub(crate) mod rules;
mod selection;
mod selector;
mod wording;

pub use baseline::Baseline;
pub use config::{ConfigError, TEMPLATE};
pub use globs::{FileGlobs, NameGlob, absolute, absolute_from, from_here};
pub use hidden::{Hidden, Suppressed, Suppressor};
pub use ignores::Ignore;
pub use judge::Judged;
pub use links::{Link, LinkEnd};
pub use per_file::PerFile;
pub use selection::{Profile, Selection};
pub use selector::Selector;

use crate::analysis::{Model, Options};
use crate::diagnostic::{Diagnostic, Severity};
use crate::input::Bounds;
use crate::ir::WeightsOption;
use crate::ops::devices::Device;
use crate::ops::extension::ExtensionOps;
use crate::pipeline::Loader;
use crate::policy::contract::Contract;
use crate::recipe::Chosen;
use crate::remote::{is_remote, named};
use crate::source::Span;
use crate::types::Targets;
use rules::{UNMATCHED_GLOB, UNUSED_IGNORE};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The lowest severity that makes a run fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    /// Errors.
    #[default]
    Error,
    /// Errors and warnings.
    Warning,
    /// Every finding.
    Info,
    /// No finding.
    Never,
}

impl FailOn {
    /// Returns the lowest severity that makes the run fail, if any does.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Info => Some(Severity::Info),
            Self::Never => None,
        }
    }

    /// Whether a finding of this severity makes the run fail.
    pub fn fails(self, severity: Severity) -> bool {
        self.severity().is_some_and(|lowest| severity >= lowest)
    }
}

/// A glob in the configuration, which is reported if it matches no file.
#[derive(Clone, Debug)]
pub struct NeededGlob {
    /// The key of the glob.
    pub key: &'static str,
    /// The glob.
    pub files: FileGlobs,
    /// The span in the configuration.
    pub span: Span,
}

/// All settings that decide which findings of a file are reported, and whether it fails.
///
/// ```no_run
/// use ovlint::internal::policy::Settings;
/// use ovlint::internal::{Model, Options};
/// use std::path::Path;
///
/// let path = Path::new("exports/detector.xml");
/// let settings = Settings::of_folder(Path::new("exports"))?.unwrap_or_default();
/// let options = settings.selection_for(path).options(Options::default());
/// let model = Model::open(path, &options)?;
/// let judged = settings.judge(path, &model);
/// let fails = judged.findings.iter().any(|finding| settings.fail_on.fails(finding.severity));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key of its own")]
pub struct Settings {
    /// The path of the configuration.
    pub path: Option<PathBuf>,
    /// The text of the configuration.
    pub text: String,
    /// The folder that files named in the configuration must lie in; `None` if the user named the configuration, which may then
    /// name any file.
    pub bounds: Option<Bounds>,
    /// Rules and severities.
    pub selection: Selection,
    /// Set if the configuration chooses a profile without some rules of the default one.
    pub is_narrowed: bool,
    /// The lowest severity that makes a run fail.
    pub fail_on: FailOn,
    /// The releases of OpenVINO that must read the models.
    pub target: Option<Targets>,
    /// The recipes that all models must follow.
    pub recipes: Vec<Chosen>,
    /// The files to check in folders; all of them without globs.
    pub include: Option<FileGlobs>,
    /// The files to skip.
    pub exclude: Option<FileGlobs>,
    /// Declared outputs of extension operations, as in [`crate::analysis::Options::extension_ops`].
    pub extension_ops: Option<ExtensionOps>,
    /// The globs of the configuration that are reported if they match no file.
    pub globs: Vec<NeededGlob>,
    /// The settings that apply to some files only.
    pub per_file: Vec<PerFile>,
    /// Accepted findings.
    pub ignores: Vec<Ignore>,
    /// The contracts of models.
    pub contracts: Vec<Contract>,
    /// The links between models.
    pub links: Vec<Link>,
    /// Set if models are checked by declared shapes where their weights are missing or a Git LFS pointer.
    pub assume: bool,
    /// The findings of the baseline, which are not reported.
    pub baseline: Option<Arc<Baseline>>,
    /// Removes stale entries of the baseline instead of reporting them.
    pub prunes_baseline: bool,
    /// Reports findings although comments, `ignores` or the baseline accept them.
    pub no_suppressions: bool,
}

impl Settings {
    /// Whether a file in a folder is checked; the path must be absolute.
    pub fn takes(&self, path: &Path) -> bool {
        self.include.as_ref().is_none_or(|globs| globs.admit(path)) && !self.excludes(path)
    }

    /// Whether a file is excluded; the path must be absolute.
    pub fn excludes(&self, path: &Path) -> bool {
        self.exclude.as_ref().is_some_and(|globs| globs.admit(path))
    }

    /// Returns the selection of rules for a file.
    pub fn selection_for(&self, path: &Path) -> Cow<'_, Selection> {
        let mut selection = Cow::Borrowed(&self.selection);
        for part in self.per_file_of(path).into_iter().filter(|part| !part.severities.is_empty()) {
            selection.to_mut().configured.extend(part.severities.iter().copied());
        }
        selection
    }

    /// Sets the weights that the configuration names for a file, unless the options choose weights or none.
    pub fn with_weights<'o>(&self, path: &Path, options: &'o Options) -> Cow<'o, Options> {
        if options.weights != WeightsOption::Auto {
            return Cow::Borrowed(options);
        }
        let stated = self.per_file_of(path).into_iter().rev().find_map(|part| part.weights.as_deref());
        let Some(stated) = stated else {
            let weights = if self.assume { WeightsOption::AutoOrSkip } else { return Cow::Borrowed(options) };
            return Cow::Owned(Options { weights, ..options.clone() });
        };
        let weights = match WeightsOption::written(Path::new(stated)) {
            WeightsOption::File(file) => {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                let folder = self.path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
                let file = file.to_string_lossy().replace("{name}", &name);
                if let Some(bounds) = &self.bounds {
                    let weights = WeightsOption::Within(folder.join(file), bounds.clone());
                    return Cow::Owned(Options { weights, ..options.clone() });
                }
                let file = named(&file);
                // A URL is not relative to the folder.
                let is_remote = is_remote(Path::new(&file));
                WeightsOption::File(if is_remote { file.into() } else { folder.join(file) })
            }
            word => word,
        };
        Cow::Owned(Options { weights, ..options.clone() })
    }

    /// Sets the target to that of these settings, and the extension operations unless the options have some.
    #[must_use]
    pub fn options(&self, options: Options) -> Options {
        let extension_ops = options.extension_ops.or_else(|| self.extension_ops.clone());
        Options { target: self.target, extension_ops, ..options }
    }

    /// Returns the recipes for a file.
    fn recipes_for(&self, path: &Path, model: &Model) -> Vec<Chosen> {
        let own = self.per_file_of(path).into_iter().flat_map(|part| &part.recipes);
        self.recipes.iter().chain(own).cloned().map(|chosen| chosen.on(model.device())).collect()
    }

    /// Returns the loaders whose demands the model at a path must meet as the member of a pipeline.
    pub fn loaders_for(&self, path: &Path, device: Option<Device>) -> Vec<Loader> {
        let own = self.per_file_of(path).into_iter().flat_map(|part| &part.recipes);
        let all = self.recipes.iter().chain(own).cloned();
        all.filter_map(|chosen| Loader::of(&chosen.on(device))).collect()
    }

    /// Whether no contracts and no recipes are configured.
    fn asks_nothing(&self) -> bool {
        self.contracts.is_empty() && self.recipes.is_empty()
    }

    fn per_file_of(&self, path: &Path) -> Vec<&PerFile> {
        if self.per_file.is_empty() {
            return Vec::new();
        }
        let path = absolute(path);
        self.per_file.iter().filter(|part| part.files.admit(&path)).collect()
    }

    /// Reports globs of the configuration that match none of the given files, which are all files below its folder.
    pub fn unmatched_globs(&self, files: &[PathBuf]) -> Vec<Diagnostic> {
        let unmatched = self.globs.iter().filter(|glob| !files.iter().any(|file| glob.files.mentions(file)));
        let unmatched = unmatched.map(|glob| {
            let pattern = glob.files.patterns().first().map_or("", String::as_str);
            let message = format!("`{pattern}` of `{}` matches no file", glob.key);
            Diagnostic::new(&UNMATCHED_GLOB, glob.span, message).help("correct the glob, or remove it")
        });
        self.selection.apply(unmatched.collect())
    }

    /// Reports models of the baseline that no longer exist. The run must have checked the folder of the baseline.
    pub fn gone_models(&self) -> Vec<Diagnostic> {
        let finding =
            self.baseline.as_ref().filter(|_| !self.no_suppressions).and_then(|baseline| baseline.unused_models());
        self.selection.apply(finding.into_iter().collect())
    }

    /// Reports `[[ignore]]`s that matched nothing. The run must have checked all files that they could match; `used` are the
    /// indices of those that matched.
    pub fn unused_ignores(&self, used: &[usize]) -> Vec<Diagnostic> {
        if self.no_suppressions {
            return Vec::new();
        }
        let unused = self.ignores.iter().enumerate().filter(|(index, ignore)| {
            !used.contains(index) && ignore.rules.iter().any(|rule| self.selection.reports(*rule))
        });
        let unused = unused.map(|(_, ignore)| {
            let message = format!("no finding of {} in these models", ignore.title());
            Diagnostic::new(&UNUSED_IGNORE, ignore.span, message).help("remove the [[ignore]]")
        });
        self.selection.apply(unused.collect())
    }
}
