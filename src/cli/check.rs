//! `ovlint check`: reports the findings about models.

mod file;
mod unit;
mod verbose;

use super::files::{FileArgs, Found, Input, all_exist, all_local, names_bare};
use super::fix::{FixArgs, Repairs};
use super::output::{OutputArgs, Outputs};
use super::parallel::{in_order, jobs};
use super::progress::Progress;
use super::settings::{Resolver, SettingsArgs};
use super::show::{ShowArgs, width};
use super::units::units;
use super::what_if::ShapeArgs;
use super::{ModelArgs, complain, exit, print, print_diff};
use crate::cli;
use clap::Args;
use file::{Check, Outcome};
use ovlint::internal::diagnostic::Diagnostic;
use ovlint::internal::pipeline::Loader;
use ovlint::internal::policy::{Baseline, Settings, absolute, from_here};
use ovlint::internal::report::Summary;
use ovlint::internal::report::findings::text::{Infos, TextOptions};
use ovlint::internal::text::{counted, did_you_mean, plain_text};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args, Debug, Default)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    files: FileArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Also check this folder, which holds the draft model for speculative decoding with the model in PATHS
    #[arg(long, value_name = "FOLDER", help_heading = "Rules")]
    draft: Option<PathBuf>,
    /// Number of files to check in parallel; by default one per core, or 64 for files on servers
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    show: ShowArgs,
    #[command(flatten)]
    fix: FixArgs,
    #[command(flatten)]
    settings: SettingsArgs,
    /// Skip shape inference and check only the structure, which is faster
    #[arg(long, conflicts_with_all = ["shape", "device", "fix", "diff", "extension_ops"])]
    no_infer: bool,
    #[command(flatten)]
    shape_args: ShapeArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

impl CheckArgs {
    /// Creates the arguments of a check of these paths without flags.
    pub(crate) fn of_paths(paths: Vec<PathBuf>) -> Self {
        Self { files: FileArgs::of_paths(paths), ..Self::default() }
    }

    /// Whether the whole folder of a configuration was searched.
    fn covers(&self, settings: &Settings) -> bool {
        self.settings.folder_of(settings).is_some_and(|folder| self.files.covers(&folder))
    }

    /// Returns the infos that text reports show of these files.
    fn infos(&self, inputs: &[Input]) -> Infos {
        match inputs {
            _ if self.show.verbose || self.settings.findings.asks_for_infos() => Infos::All,
            [only] if only.bounds.is_none() => Infos::OfFile,
            _ => Infos::Asked,
        }
    }
}

pub(crate) fn run(args: &CheckArgs) -> cli::Run {
    let start = Instant::now();
    args.show.color.apply();
    let mut resolver = Resolver::new(&args.settings)?;
    let is_about_settings = args.settings.show_settings && args.files.paths.is_empty();
    let found = if is_about_settings {
        Found::default()
    } else {
        args.files.find(&mut resolver, args.model_args.limits.limits(), args.draft.as_deref())?
    };
    let is_lacking = FileArgs::lack(&found);
    let (summary, inputs) = (found.rest(&resolver), found.inputs);
    if args.settings.show_settings {
        let index = inputs.first().map_or_else(|| resolver.of(Path::new("model.xml")), |input| Ok(input.settings))?;
        let settings = resolver.settings(index);
        let path = settings.path.as_deref().map(|path| plain_text(&from_here(path)));
        print(&format!("# {}\n{}", path.as_deref().unwrap_or("no configuration"), settings.show()));
        return Ok(exit::CLEAN);
    }
    if args.fix.is_asked() {
        all_local("files are fixed in place", inputs.iter().map(|input| &input.path))?;
    }
    if args.fix.writes() {
        all_exist(inputs.iter().map(|input| &input.path)).map_err(|missing| not_fixed(args, &missing))?;
    }
    // The configurations of a model server name models elsewhere.
    let is_folder_loader = |chosen| Loader::of(chosen).is_some_and(|loader| loader != Loader::Ovms);
    let loads_folders = resolver.all().iter().any(|settings| settings.recipes.iter().any(is_folder_loader));
    let is_bare = (is_lacking || loads_folders) && names_bare(&args.files.paths, &inputs);
    if is_lacking {
        let instead = summary.not_checked().map(|files| format!(" ({files})")).unwrap_or_default();
        complain(&format!("no OpenVINO IR found in the given paths{instead}"));
        for (index, files) in &found.seen {
            let settings = resolver.settings(*index);
            if !args.covers(settings) {
                continue;
            }
            let path = settings.path.as_deref().map(from_here).unwrap_or_default();
            settings
                .unmatched_globs(files)
                .iter()
                .for_each(|glob| complain(&format!("{path}: {}", glob.message.shown())));
        }
        return Ok(if found.is_partial { exit::BROKEN } else { exit::NO_INPUT });
    }
    let infos = args.infos(&inputs);
    let text = TextOptions { width: width(), color: true, max_findings: args.show.max_findings, infos };
    let outputs = match &args.settings.write_baseline {
        None if !args.fix.shows_diff() => Outputs::open(&args.output, &args.show, text, &inputs)?,
        _ => Outputs::default(),
    };
    let mut options = args.shape_args.with(args.model_args.options()?);
    if !options.shapes.is_empty() && args.fix.is_asked() {
        return Err("--shape asks what if; it does not go with --fix or --diff".to_owned());
    }
    options.no_infer = args.no_infer;
    options.limits.chain = args.show.chain();
    let maker = outputs.maker();
    let checks: Vec<Check> =
        resolver.all().iter().map(|settings| Check::new(args, settings, &options, maker.clone())).collect();
    let mut all = Run { summary, ..Run::new(args, outputs, resolver.all().len()) };
    if found.is_partial {
        all.code = exit::BROKEN;
    }
    if is_bare {
        all.code = exit::NO_INPUT;
    }
    all.pruned = resolver.baseline().filter(|_| args.settings.prune).map(|known| (known.len(), known.clone()));
    let units = units(&inputs, &args.files.paths, args.draft.as_deref(), found.listings, &resolver)?;
    let mut progress = Progress::on_terminal(inputs.len(), start, !args.show.is_quiet());
    in_order(
        &units,
        jobs(args.jobs, inputs.iter().map(|input| input.path.as_path())),
        |unit| unit.check(&checks, inputs.len() == 1),
        |outcomes| {
            for (input, outcome) in outcomes {
                match input {
                    Some(input) => progress.step(|| all.take(input, outcome)),
                    None => all.take_aside(outcome),
                }
            }
            !all.outputs.are_closed()
        },
    );
    progress.clear();
    for (index, check) in checks.iter().enumerate() {
        all.configuration(check, index, found.seen.get(&index).map_or(&[], Vec::as_slice));
    }
    // A baseline that a flag names is that of all settings.
    let is_shared = resolver.baseline().is_some();
    for check in checks.iter().take(if is_shared { 1 } else { checks.len() }) {
        if let Some(baseline) = &check.settings.baseline {
            all.baseline(check, baseline);
        }
    }
    all.summary.elapsed = start.elapsed();
    all.finish()
}

/// The state of the run.
struct Run<'a> {
    args: &'a CheckArgs,
    outputs: Outputs,
    summary: Summary,
    repairs: Repairs,
    code: u8,
    /// The findings for the new baseline, if one is written.
    known: Option<Baseline>,
    /// With `--prune`, the former number of findings in the baseline, and the baseline without stale entries.
    pruned: Option<(usize, Baseline)>,
    /// The indices of the ignores that matched a finding, by settings.
    used_ignores: Vec<BTreeSet<usize>>,
    /// The settings of files that were not checked in full, so that unmatched ignores may still be needed.
    partly_checked: BTreeSet<usize>,
}

impl<'a> Run<'a> {
    fn new(args: &'a CheckArgs, outputs: Outputs, settings: usize) -> Self {
        Self {
            args,
            outputs,
            summary: Summary::default(),
            repairs: Repairs::default(),
            code: exit::CLEAN,
            known: args.settings.write_baseline.as_deref().map(Baseline::new),
            pruned: None,
            used_ignores: vec![BTreeSet::new(); settings],
            partly_checked: BTreeSet::new(),
        }
    }

    fn take(&mut self, input: &Input, outcome: Outcome) {
        outcome.say();
        self.used_ignores[input.settings].extend(&outcome.used_ignores);
        self.partly_checked.extend((!outcome.is_full).then_some(input.settings));
        if let Some(known) = &mut self.known {
            known.add(&input.path, &outcome.known);
            self.code = self.code.max(outcome.code);
            return;
        }
        if let Some((_, pruned)) = &mut self.pruned {
            pruned.remove(&input.path, &outcome.stale);
        }
        self.show(outcome);
    }

    /// Takes the result for a file that is no model, or for a folder.
    fn take_aside(&mut self, outcome: Outcome) {
        outcome.say();
        match (&mut self.known, &outcome.about) {
            (Some(known), Some((path, findings))) => known.add(path, findings),
            _ => self.show(outcome),
        }
    }

    fn show(&mut self, outcome: Outcome) {
        if !outcome.repairs.diff.is_empty() {
            print_diff(&outcome.repairs.diff);
        }
        self.outputs.take(outcome.pieces);
        self.repairs.take(&outcome.repairs);
        self.summary.merge(outcome.summary);
        self.code = self.code.max(outcome.code);
    }

    /// Reports ignores of a configuration that matched no finding, and globs that match none of `files`, if all files that the
    /// configuration applies to were checked.
    fn configuration(&mut self, check: &Check, index: usize, files: &[PathBuf]) {
        let Some(path) = check.settings.path.as_deref().filter(|_| self.known.is_none()) else { return };
        if !self.args.covers(check.settings) {
            return;
        }
        let used: Vec<usize> = self.used_ignores[index].iter().copied().collect();
        let mut findings = check.settings.unmatched_globs(files);
        if !self.partly_checked.contains(&index) {
            findings.extend(check.settings.unused_ignores(&used));
        }
        self.aside(check, Path::new(&from_here(path)), Some(&check.settings.text), &findings);
    }

    /// Reports models in the baseline that no longer exist, if the folder of the baseline was checked.
    fn baseline(&mut self, check: &Check, baseline: &Baseline) {
        let folder = absolute(baseline.path()).parent().map(Path::to_owned).unwrap_or_default();
        if self.pruned.is_none() && self.args.files.covers(&folder) {
            self.aside(check, baseline.path(), None, &check.settings.gone_models());
        }
    }

    /// Reports findings about a file that is not a model, such as a configuration.
    fn aside(&mut self, check: &Check, path: &Path, text: Option<&str>, findings: &[Diagnostic]) {
        if !findings.is_empty() {
            self.show(check.aside(path, text, findings));
        }
    }

    fn finish(mut self) -> cli::Run {
        if let (Some(known), Some(path)) = (&self.known, &self.args.settings.write_baseline) {
            if self.code >= exit::BROKEN {
                complain(&format!("{} is not written, as the run failed", path.display()));
                return Ok(self.code);
            }
            known.write()?;
            let (findings, files) = (counted(known.len(), "finding"), counted(known.models(), "file"));
            complain(&format!("wrote {}: {findings} in {files}", path.display()));
            return Ok(self.code);
        }
        if let Some((before, mut pruned)) = self.pruned.take() {
            let path = pruned.path().display().to_string();
            if self.code >= exit::BROKEN {
                complain(&format!("{path} is not pruned, as the run failed"));
            } else {
                let models = pruned.remove_gone();
                let findings = before.saturating_sub(pruned.len());
                if findings > 0 {
                    pruned.write()?;
                }
                let gone = if models > 0 { format!("; {} gone", counted(models, "model")) } else { String::new() };
                complain(&format!("{path}: removed {}{gone}", counted(findings, "finding")));
            }
        }
        if !self.args.show.is_silent() {
            self.repairs.finish(&self.args.fix);
        }
        Ok(self.outputs.finish(&self.summary, self.code))
    }
}

/// Describes why no file is fixed: a path does not exist, perhaps because it was meant as the level of `--fix`.
fn not_fixed(args: &CheckArgs, missing: &str) -> String {
    let level = ["safe", "all"].into_iter().find(|level| args.files.paths.iter().any(|path| path == Path::new(level)));
    let near = level.map(|level| format!("--fix={level}"));
    format!("{missing}, so nothing is changed{}", did_you_mean(near.as_deref()))
}
