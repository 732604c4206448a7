//! `ovlint check`: reports what is wrong with models.

mod file;

use super::files::{FileArgs, Input};
use super::settings::{Resolver, SettingsArgs};
use super::show::ShowArgs;
use super::{ModelArgs, complain, exit, print};
use clap::{Args, ValueEnum};
use file::{Check, Outcome};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ovlint::report::text::TextOptions;
use ovlint::report::{ModelReport, Summary, json};
use ovlint::settings::{Baseline, absolute};
use ovlint::source::Source;
use rayon::prelude::*;
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    files: FileArgs,
    /// How the findings are written
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Files checked at once; by default one per core
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    show: ShowArgs,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people, with the lines of the file
    Text,
    /// One line per finding
    Concise,
    /// One JSON object
    Json,
}

/// Files in flight at once, so that finished reports do not pile up.
const BATCH: usize = 64;

/// How long a run is silent before it shows its progress on a terminal.
const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) fn run(args: &CheckArgs) -> u8 {
    let start = Instant::now();
    args.show.apply_color();
    match check_all(args, start) {
        Ok(code) => code,
        Err(message) => {
            complain(&message);
            exit::BROKEN
        }
    }
}

fn check_all(args: &CheckArgs, start: Instant) -> Result<u8, String> {
    let mut resolver = Resolver::new(&args.settings)?;
    let inputs = args.files.inputs(&mut resolver)?;
    if args.settings.show_settings {
        let place = inputs.first().map_or_else(|| resolver.of(Path::new("model.xml")), |input| Ok(input.settings))?;
        let settings = resolver.settings(place);
        let path = settings.path.as_deref().map(|path| shown(path).display().to_string());
        print(&format!("# {}\n{}", path.as_deref().unwrap_or("no configuration"), settings.show()));
        return Ok(exit::CLEAN);
    }
    if inputs.is_empty() {
        if !args.files.allow_empty {
            complain("no OpenVINO IR among the inputs");
            return Ok(exit::NO_INPUT);
        }
        return Ok(exit::CLEAN);
    }
    let text = TextOptions { width: width(), color: true, max_findings: args.show.max_findings };
    let mut options = args.model_args.options();
    options.limits.chain = usize::from(args.show.chain);
    let checks: Vec<Check> = resolver.all().iter().map(|settings| Check::new(args, settings, &options, text)).collect();
    let check = |input: &Input| checks[input.settings].file(&input.path);
    let mut all = Run::new(args, resolver.all().len());
    let progress = progress(inputs.len());
    if let [input] = &inputs[..] {
        all.take(input, check(input));
    } else {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).build();
        let pool = pool.map_err(|_| "no thread could be started")?;
        for batch in inputs.chunks(BATCH) {
            let outcomes: Vec<Outcome> = pool.install(|| batch.par_iter().map(check).collect());
            progress.suspend(|| batch.iter().zip(outcomes).for_each(|(input, outcome)| all.take(input, outcome)));
            progress.inc(batch.len() as u64);
            if start.elapsed() > PATIENCE && !args.show.quiet && !args.show.silent {
                progress.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
            }
            if all.closed {
                return Ok(all.code);
            }
        }
    }
    progress.finish_and_clear();
    for (place, check) in checks.iter().enumerate() {
        all.configuration(check, place);
    }
    all.summary.elapsed = start.elapsed();
    all.finish()
}

/// The run so far.
struct Run<'a> {
    args: &'a CheckArgs,
    summary: Summary,
    models: Vec<Box<RawValue>>,
    code: u8,
    /// Whether nobody reads the output any more.
    closed: bool,
    /// The findings for a baseline.
    known: Option<Baseline>,
    /// The ignores that were needed, by settings.
    used_ignores: Vec<BTreeSet<usize>>,
}

impl<'a> Run<'a> {
    fn new(args: &'a CheckArgs, settings: usize) -> Self {
        Self {
            args,
            summary: Summary::default(),
            models: Vec::new(),
            code: exit::CLEAN,
            closed: false,
            known: args.settings.write_baseline.as_deref().map(Baseline::new),
            used_ignores: vec![BTreeSet::new(); settings],
        }
    }

    fn take(&mut self, input: &Input, outcome: Outcome) {
        self.used_ignores[input.settings].extend(&outcome.used_ignores);
        if let Some(known) = &mut self.known {
            known.add(&input.path, &outcome.known);
            self.code = self.code.max(outcome.code);
            return;
        }
        self.show(outcome);
    }

    fn show(&mut self, outcome: Outcome) {
        if !outcome.text.is_empty() && !self.closed && !self.args.show.silent {
            self.closed = !print(&outcome.text);
        }
        self.models.extend(outcome.json);
        self.summary.merge(outcome.summary);
        self.code = self.code.max(outcome.code);
    }

    /// Reports the ignores of a configuration that nothing needs, if all files below it were checked.
    fn configuration(&mut self, check: &Check, place: usize) {
        let Some(path) = check.settings.path.as_deref().filter(|_| self.known.is_none()) else { return };
        if !path.parent().is_some_and(|folder| self.args.files.covers(&absolute(folder))) {
            return;
        }
        let used: Vec<usize> = self.used_ignores[place].iter().copied().collect();
        let findings = check.settings.unused_ignores(&used);
        if findings.is_empty() {
            return;
        }
        let path = shown(path);
        let source = Source::new(&path, check.settings.text.clone().into_bytes());
        let report =
            ModelReport { path: &path, name: None, source: Some(&source), weights_path: None, findings: &findings };
        let mut outcome = check.outcome(&report, exit::CLEAN);
        outcome.summary.models = 0;
        outcome.summary.models_with_findings = 0;
        self.show(outcome);
    }

    fn finish(self) -> Result<u8, String> {
        let show = &self.args.show;
        if let (Some(known), Some(path)) = (&self.known, &self.args.settings.write_baseline) {
            known.write().map_err(|error| error.to_string())?;
            let (findings, models) = (known.len(), known.models());
            complain(&format!("{}: findings: {findings}, models with findings: {models}", path.display()));
            return Ok(self.code);
        }
        if show.silent {
            return Ok(self.code);
        }
        match self.args.format {
            Format::Text | Format::Concise => {
                if show.statistics {
                    print(&self.summary.statistics());
                }
                if self.args.format == Format::Text && !show.quiet {
                    print(&self.summary.text());
                }
            }
            Format::Json => {
                print(&json::join(self.models, &self.summary).map_err(|error| error.to_string())?);
            }
        }
        Ok(self.code)
    }
}

/// A path as seen from the current folder, if it is below.
fn shown(path: &Path) -> PathBuf {
    path.strip_prefix(absolute(Path::new("."))).unwrap_or(path).to_owned()
}

/// The columns of the terminal, or those of a CI log.
fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    columns.unwrap_or_else(|| TextOptions::default().width)
}

/// A bar that is hidden until it is given a terminal to draw on.
fn progress(files: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::hidden());
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} models {wide_bar} {eta}") {
        bar.set_style(style);
    }
    bar
}
