//! `ovlint check`: reports what is wrong with models.

use super::explain::rule_of;
use super::files::inputs;
use super::{ModelArgs, complain, exit, print};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ovlint::diagnostic::{Diagnostic, Rule, Severity};
use ovlint::releases::Release;
use ovlint::report::text::TextOptions;
use ovlint::report::{ModelReport, Summary, concise, json, text};
use ovlint::rules::find;
use ovlint::{Device, Model, Options};
use rayon::prelude::*;
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Models (.xml), or folders to search for models
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How the findings are written
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Findings of one rule in one file beyond which only the first few are shown; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_findings: usize,
    /// Rules to add to those that are on
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = rule_of)]
    extend_select: Vec<&'static Rule>,
    /// Read all weights, for rules that look at every element
    #[arg(long)]
    deep: bool,
    /// The oldest release of OpenVINO that is to read the models, such as 2024.6
    #[arg(long, value_name = "RELEASE")]
    target: Option<Release>,
    /// The device that is to run the models: cpu, gpu or npu
    #[arg(long, value_name = "cpu|gpu|npu")]
    device: Option<Device>,
    /// No IR in the folders given is no error
    #[arg(long)]
    allow_empty: bool,
    /// Files checked at once; by default one per core
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
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

/// The options of the library.
fn options(args: &CheckArgs) -> Options {
    let mut enabled = args.extend_select.clone();
    enabled.extend(args.deep.then(|| find("non-finite-weights")).flatten());
    Options { enabled, target: args.target, device: args.device, ..args.model_args.options() }
}

/// What came of one file.
struct Outcome {
    text: String,
    json: Option<Box<RawValue>>,
    summary: Summary,
    code: u8,
}

/// Files in flight at once, so that finished reports do not pile up.
const BATCH: usize = 64;

/// How long a run is silent before it shows its progress on a terminal.
const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) fn run(args: &CheckArgs) -> u8 {
    let start = Instant::now();
    let options = options(args);
    let inputs = inputs(&args.paths);
    if inputs.is_empty() {
        if !args.allow_empty {
            complain("no OpenVINO IR among the inputs");
            return exit::NO_INPUT;
        }
        return exit::CLEAN;
    }
    let text_options = TextOptions { width: width(), color: true, max_findings: args.max_findings };
    let check = |path: &PathBuf| check(path, &options, args.format, &text_options);
    let mut all = Run::default();
    let progress = progress(inputs.len());
    if let [input] = &inputs[..] {
        all.take(check(&input.path));
    } else {
        let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).build() else {
            complain("no thread could be started");
            return exit::BROKEN;
        };
        for batch in inputs.chunks(BATCH) {
            let outcomes: Vec<Outcome> = pool.install(|| batch.par_iter().map(|input| check(&input.path)).collect());
            progress.suspend(|| outcomes.into_iter().for_each(|outcome| all.take(outcome)));
            progress.inc(batch.len() as u64);
            if start.elapsed() > PATIENCE {
                progress.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
            }
            if all.closed {
                return all.code;
            }
        }
    }
    progress.finish_and_clear();
    all.summary.elapsed = start.elapsed();
    all.finish(args.format)
}

/// The run so far.
#[derive(Default)]
struct Run {
    summary: Summary,
    models: Vec<Box<RawValue>>,
    code: u8,
    /// Whether nobody reads the output any more.
    closed: bool,
}

impl Run {
    fn take(&mut self, outcome: Outcome) {
        if !outcome.text.is_empty() && !self.closed {
            self.closed = !print(&outcome.text);
        }
        self.models.extend(outcome.json);
        self.summary.merge(outcome.summary);
        self.code = self.code.max(outcome.code);
    }

    fn finish(self, format: Format) -> u8 {
        match format {
            Format::Text => {
                print(&self.summary.text());
            }
            Format::Concise => {}
            Format::Json => match json::join(self.models, &self.summary) {
                Ok(text) => {
                    print(&text);
                }
                Err(error) => {
                    complain(&error.to_string());
                    return exit::BROKEN;
                }
            },
        }
        self.code
    }
}

fn check(path: &Path, options: &Options, format: Format, text_options: &TextOptions) -> Outcome {
    let opened = Model::open(path, options);
    let unreadable: Vec<Diagnostic>;
    let (report, size, code) = match &opened {
        Ok(model) => {
            let report = ModelReport {
                path,
                name: model.net().map(|net| net.name.as_str()),
                source: Some(model.source()),
                weights_path: model.weights().path.as_deref(),
                findings: model.findings(),
            };
            (report, model.size(), if model.has_errors() { exit::FINDINGS } else { exit::CLEAN })
        }
        Err(error) => {
            unreadable = vec![error.finding()];
            let report = ModelReport { path, name: None, source: None, weights_path: None, findings: &unreadable };
            (report, (0, 0), exit::BROKEN)
        }
    };
    let mut summary = Summary::default();
    summary.add(&report);
    (summary.layers, summary.tensors) = size;
    for finding in report.findings.iter().filter(|finding| finding.severity == Severity::Error) {
        if matches!(finding.rule.name, "git-lfs-pointer" | "weights-file-missing" | "weights-not-raw") {
            summary.weights_unread.insert(finding.rule.name);
        }
    }
    let (text, json) = match format {
        Format::Text => (text::render(&report, text_options), None),
        Format::Concise => (concise::render(&report), None),
        Format::Json => (String::new(), json::model(&report).ok()),
    };
    Outcome { text, json, summary, code }
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
