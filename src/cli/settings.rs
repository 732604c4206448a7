//! The settings of every file: its configuration, found in the folders above it, and on top the flags that select findings.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command};
use ovlint::internal::diagnostic::{Group, Severity};
use ovlint::internal::input::Bounds;
use ovlint::internal::policy::catalogue::{DEEP, RULES};
use ovlint::internal::policy::{Baseline, FailOn, Profile, Selector, Settings, absolute};
use ovlint::internal::recipe::Chosen;
use ovlint::internal::remote::is_remote;
use ovlint::internal::types::Targets;
use ovlint::internal::{Device, Options};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

// The selection of findings.
#[derive(Args, Debug, Default)]
pub(crate) struct FindingsArgs {
    /// Report only these rules and groups (comma-separated, repeatable); `default` stands for the rules that are on by default
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = RuleParser, hide_possible_values = true, help_heading = "Rules")]
    select: Vec<Selector>,
    /// Do not report these rules and groups
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = RuleParser, hide_possible_values = true, help_heading = "Rules")]
    ignore: Vec<Selector>,
    /// Report a rule or group as error, warning or info, or turn it off
    #[arg(long, value_name = "RULE=LEVEL", value_delimiter = ',', value_parser = severity, help_heading = "Rules")]
    severity: Vec<(Selector, Severity)>,
    /// Set of rules to start from: those for what OpenVINO rejects, the default rules, or all rules
    #[arg(long, value_parser = profile(), help_heading = "Rules")]
    profile: Option<Profile>,
    /// Read all weights and report implausible values, such as NaN
    #[arg(long, help_heading = "Rules")]
    deep: bool,
    /// Report what these OpenVINO releases cannot read: `2024.6`, `2023.3..2026.4` or a comma-separated list
    #[arg(long, value_name = "RELEASES", help_heading = "Rules")]
    target: Option<Targets>,
    /// Report inputs and operations that this device does not accept: cpu, gpu or npu
    #[arg(long, value_name = "DEVICE", help_heading = "Rules")]
    pub(crate) device: Option<Device>,
    /// Also check what the intended use of the model requires: genai, optimum, ovms or triton (comma-separated, repeatable)
    #[arg(long = "for", value_name = "RECIPES", value_delimiter = ',', help_heading = "Rules")]
    recipes: Vec<Chosen>,
    /// Hide findings already listed in this file
    #[arg(long, value_name = "FILE", help_heading = "Known findings")]
    baseline: Option<PathBuf>,
    /// Also report findings that comments, the configuration or the baseline suppress
    #[arg(long, help_heading = "Known findings")]
    no_suppressions: bool,
    #[command(flatten)]
    config: ConfigArgs,
}

// The selection of findings, and whether they fail the run.
#[derive(Args, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct SettingsArgs {
    #[command(flatten)]
    pub(crate) findings: FindingsArgs,
    /// Fail on findings of this severity or above
    #[arg(long, value_name = "LEVEL", value_parser = fail_on(), help_heading = "Rules")]
    fail_on: Option<FailOn>,
    /// Write the findings to a file for --baseline, and do not fail on them
    #[arg(long, value_name = "FILE", conflicts_with = "baseline", help_heading = "Known findings")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Remove entries from the baseline whose findings or models are gone
    #[arg(long, requires = "baseline", conflicts_with = "no_suppressions", help_heading = "Known findings")]
    pub(crate) prune: bool,
    /// Print the settings of the first file instead of checking
    #[arg(long, help_heading = "Configuration")]
    pub(crate) show_settings: bool,
}

// The choice of the configuration.
#[derive(Args, Debug, Default)]
pub(crate) struct ConfigArgs {
    /// Use this configuration for every file; its globs are relative to the current folder
    #[arg(long = "config", value_name = "FILE", conflicts_with = "isolated", help_heading = "Configuration")]
    file: Option<PathBuf>,
    /// Use no configuration
    #[arg(long, help_heading = "Configuration")]
    isolated: bool,
}

/// A parser that lists the rules and groups in completions.
#[derive(Clone)]
struct RuleParser;

impl TypedValueParser for RuleParser {
    type Value = Selector;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<Selector, clap::Error> {
        let parse = |text: &str| text.parse::<Selector>();
        TypedValueParser::parse_ref(&parse, command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let groups = Group::ALL.into_iter().map(|group| PossibleValue::new(group.name()));
        let rules = RULES.iter().map(|rule| PossibleValue::new(rule.name).help(rule.summary));
        Some(Box::new(groups.chain(rules)))
    }
}

/// Parses `RULE=LEVEL`.
fn severity(text: &str) -> Result<(Selector, Severity), String> {
    let (name, level) = text.split_once('=').ok_or("this is not RULE=LEVEL, such as declared=warning")?;
    let severity = Severity::named(level)
        .ok_or_else(|| format!("`{level}` is not a severity; use error, warning, info or off"))?;
    Ok((name.parse()?, severity))
}

fn profile() -> impl TypedValueParser<Value = Profile> {
    one_of(Profile::ALL.map(|profile| (profile.name(), profile)))
}

fn fail_on() -> impl TypedValueParser<Value = FailOn> {
    let severities = [("error", FailOn::Error), ("warning", FailOn::Warning), ("info", FailOn::Info)];
    one_of([severities.as_slice(), &[("never", FailOn::Never)]].concat())
}

/// Returns a parser that accepts these words, and gives the value of each.
fn one_of<T>(words: impl IntoIterator<Item = (&'static str, T)>) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let words: Vec<(&'static str, T)> = words.into_iter().collect();
    PossibleValuesParser::new(words.iter().map(|(word, _)| *word)).try_map(move |found| {
        let meant = words.iter().find(|(word, _)| *word == found).map(|(_, meant)| *meant);
        meant.ok_or_else(|| format!("`{found}` has no meaning"))
    })
}

/// The settings of every file. Each folder is searched once, and each configuration is read once.
pub(crate) struct Resolver<'a> {
    config: &'a ConfigArgs,
    /// Applies the flags to a configuration.
    put_over: Box<dyn Fn(&mut Settings) + Sync + 'a>,
    baseline: Option<Arc<Baseline>>,
    all: Vec<Settings>,
    folders: HashMap<PathBuf, usize>,
    /// The bounds that links of files at or below a given path must not leave; `None` for a file that the user named.
    bounds: HashMap<PathBuf, Option<Bounds>>,
}

/// Returns the folder in which the search for a file's configuration starts; for a model on a server, the current one.
fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|_| !is_remote(file)).unwrap_or(Path::new(""))
}

/// The index of the settings of files without a configuration.
const NO_CONFIGURATION: usize = 0;

impl<'a> Resolver<'a> {
    pub(crate) fn new(args: &'a SettingsArgs) -> Result<Self, String> {
        Self::with(&args.findings.config, |settings| args.put_over(settings), args.findings.read_baseline()?)
    }

    /// Creates a resolver for commands that do not fail because of findings.
    pub(crate) fn of_findings(args: &'a FindingsArgs) -> Result<Self, String> {
        Self::with(&args.config, |settings| args.put_over(settings), args.read_baseline()?)
    }

    /// Creates a resolver for commands that only select files.
    pub(crate) fn of_files(config: &'a ConfigArgs) -> Result<Self, String> {
        Self::with(config, |_| {}, None)
    }

    fn with(
        config: &'a ConfigArgs,
        put_over: impl Fn(&mut Settings) + Sync + 'a,
        baseline: Option<Arc<Baseline>>,
    ) -> Result<Self, String> {
        let put_over = Box::new(put_over);
        let mut resolver =
            Self { config, put_over, baseline, all: Vec::new(), folders: HashMap::new(), bounds: HashMap::new() };
        let settings = match &config.file {
            Some(path) => Settings::read(path, Path::new(".")).map_err(|error| error.to_string())?,
            None => Settings::default(),
        };
        resolver.add(settings);
        Ok(resolver)
    }

    /// Returns the index of a file's settings.
    pub(crate) fn of(&mut self, file: &Path) -> Result<usize, String> {
        if self.config.isolated || self.config.file.is_some() {
            return Ok(NO_CONFIGURATION);
        }
        let folder = folder_of(file);
        if let Some(known) = self.folders.get(folder) {
            return Ok(*known);
        }
        let start = absolute(folder);
        let mut found = NO_CONFIGURATION;
        for above in start.ancestors() {
            if let Some(known) = self.folders.get(above) {
                found = *known;
                break;
            }
            if let Some(settings) = Settings::of_folder(above).map_err(|error| error.to_string())? {
                found = self.add(settings);
                break;
            }
        }
        // The folders up to that of the configuration have the same settings. A relative folder is stored as written too.
        for above in start.ancestors() {
            let is_last =
                self.all.get(found).and_then(|settings| settings.path.as_deref()).and_then(Path::parent) == Some(above);
            if self.folders.insert(above.to_owned(), found).is_some() || is_last {
                break;
            }
        }
        self.folders.insert(folder.to_owned(), found);
        Ok(found)
    }

    /// Returns the baseline, which is the same for all files.
    pub(crate) fn baseline(&self) -> Option<&Baseline> {
        self.baseline.as_deref()
    }

    /// Sets the bounds that links of files at or below a given path must not leave.
    pub(crate) fn bound(&mut self, path: &Path, bounds: Option<Bounds>) {
        self.bounds.insert(path.to_owned(), bounds);
    }

    /// Returns the options for a file: with the weights that its configuration names, and with its bounds. Its settings must
    /// have been resolved.
    pub(crate) fn options_for<'o>(&self, path: &Path, options: &'o Options) -> Cow<'o, Options> {
        let bounds = path.ancestors().find_map(|given| self.bounds.get(given)).cloned().flatten();
        bounded(self.settings(self.index_of(path)).with_weights(path, options), bounds)
    }

    /// Returns the index of a file's settings, which must have been resolved.
    pub(crate) fn index_of(&self, path: &Path) -> usize {
        self.folders.get(folder_of(path)).copied().unwrap_or(NO_CONFIGURATION)
    }

    pub(crate) fn settings(&self, index: usize) -> &Settings {
        &self.all[index]
    }

    /// Returns all settings; the first entry is for files without a configuration.
    pub(crate) fn all(&self) -> &[Settings] {
        &self.all
    }

    fn add(&mut self, mut settings: Settings) -> usize {
        (self.put_over)(&mut settings);
        if self.baseline.is_some() {
            settings.baseline.clone_from(&self.baseline);
        }
        self.all.push(settings);
        self.all.len() - 1
    }
}

/// Restricts the links of a file to these bounds.
pub(crate) fn bounded(mut options: Cow<Options>, bounds: Option<Bounds>) -> Cow<Options> {
    if bounds.is_some() {
        options.to_mut().bounds = bounds;
    }
    options
}

impl FindingsArgs {
    /// Whether rules are named that may report infos.
    pub(crate) fn asks_for_infos(&self) -> bool {
        !self.select.is_empty() || self.severity.iter().any(|(_, severity)| *severity == Severity::Info)
    }

    fn read_baseline(&self) -> Result<Option<Arc<Baseline>>, String> {
        Ok(self.baseline.as_deref().map(Baseline::read).transpose()?.map(Arc::new))
    }

    fn put_over(&self, settings: &mut Settings) {
        let selection = &mut settings.selection;
        selection.select.clone_from(&self.select);
        if self.deep {
            selection.extend_select.extend(DEEP.iter().filter_map(|rule| rule.name.parse::<Selector>().ok()));
        }
        selection.ignore.clone_from(&self.ignore);
        selection.severity.clone_from(&self.severity);
        selection.profile = self.profile.unwrap_or(selection.profile);
        settings.is_narrowed &= self.profile.is_none();
        settings.target = self.target.or(settings.target);
        if !self.recipes.is_empty() {
            settings.recipes.clone_from(&self.recipes);
        }
        settings.no_suppressions = self.no_suppressions;
    }
}

impl SettingsArgs {
    /// Returns the folder that the globs of a configuration are relative to.
    pub(crate) fn folder_of(&self, settings: &Settings) -> Option<PathBuf> {
        let path = settings.path.as_deref()?;
        let has_file = self.findings.config.file.is_some();
        if has_file { Some(absolute(Path::new("."))) } else { Some(absolute(path.parent()?)) }
    }

    /// Whether flags decide what fails, whatever the configuration says.
    pub(crate) fn decides_what_fails(&self) -> bool {
        self.fail_on.is_some() || self.write_baseline.is_some()
    }

    fn put_over(&self, settings: &mut Settings) {
        self.findings.put_over(settings);
        settings.fail_on = self.fail_on.unwrap_or(settings.fail_on);
        if self.write_baseline.is_some() {
            (settings.fail_on, settings.baseline) = (FailOn::Never, None);
        }
        settings.prunes_baseline = self.prune;
    }
}
