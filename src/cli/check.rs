//! `ovlint check`: reports what is wrong with models.

use super::files::inputs;
use super::output::{Maker, OutputArgs, Outputs, Pieces};
use super::parallel::in_order;
use super::{ModelArgs, complain, exit};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ovlint::diagnostic::{Diagnostic, Severity};
use ovlint::report::text::TextOptions;
use ovlint::report::{ModelReport, Summary};
use ovlint::{Model, Options};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Models (.xml), or folders to search for models
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    /// Findings of one rule in one file beyond which only the first few are shown; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_findings: usize,
    /// No IR in the folders given is no error
    #[arg(long)]
    allow_empty: bool,
    /// Files checked at once; by default one per core
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    model_args: ModelArgs,
}

/// What came of one file.
struct Outcome {
    pieces: Pieces,
    summary: Summary,
    code: u8,
}

/// How long a run is silent before it shows its progress on a terminal.
const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) fn run(args: &CheckArgs) -> u8 {
    let start = Instant::now();
    let options = args.model_args.options();
    let inputs: Vec<PathBuf> = inputs(&args.paths).into_iter().map(|input| input.path).collect();
    if inputs.is_empty() && !args.allow_empty {
        complain("no OpenVINO IR among the inputs");
        return exit::NO_INPUT;
    }
    let text = TextOptions { width: width(), color: true, max_findings: args.max_findings };
    let mut outputs = match Outputs::open(&args.output, text, &inputs) {
        Ok(outputs) => outputs,
        Err(message) => {
            complain(&message);
            return exit::BROKEN;
        }
    };
    let maker = outputs.maker();
    let (mut summary, mut code) = (Summary::default(), exit::CLEAN);
    let progress = progress(inputs.len());
    in_order(
        &inputs,
        args.jobs.unwrap_or(0),
        |path| check(path, &options, &maker),
        |outcome| {
            progress.suspend(|| outputs.take(outcome.pieces));
            summary.merge(outcome.summary);
            code = code.max(outcome.code);
            progress.inc(1);
            if progress.is_hidden() && start.elapsed() > PATIENCE {
                progress.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
            }
            !outputs.are_closed()
        },
    );
    progress.finish_and_clear();
    summary.elapsed = start.elapsed();
    outputs.finish(&summary, code)
}

fn check(path: &Path, options: &Options, maker: &Maker) -> Outcome {
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
    Outcome { pieces: maker.pieces(&report, Some(Severity::Error)), summary, code }
}

/// The columns that are asked for, those of the terminal, or those of a CI log.
fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let terminal = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    columns.or_else(terminal).unwrap_or_else(|| TextOptions::default().width)
}

/// A bar that is hidden until it is given a terminal to draw on.
fn progress(files: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::hidden());
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} models {wide_bar} {eta}") {
        bar.set_style(style);
    }
    bar
}
