//! The check of one file: open it, apply its settings to the findings, render.

use super::CheckArgs;
use super::verbose;
use crate::cli::files::{Input, Kind};
use crate::cli::fix::Repairs;
use crate::cli::output::{Maker, Pieces};
use crate::cli::settings::bounded;
use crate::cli::what_if::{explained, message};
use crate::cli::{complain, exit};
use ovlint::internal::diagnostic::Diagnostic;
use ovlint::internal::diagnostic::internal_error::internal_error;
use ovlint::internal::panics::contained;
use ovlint::internal::pipeline::{InPipeline, Loader};
use ovlint::internal::policy::{FailOn, Selection, Settings, from_here};
use ovlint::internal::report::views::assumed;
use ovlint::internal::report::{ModelReport, Summary};
use ovlint::internal::source::Source;
use ovlint::internal::{Error, Model, Options};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The result of checking one file.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) pieces: Pieces,
    pub(super) summary: Summary,
    pub(super) repairs: Repairs,
    pub(super) code: u8,
    /// The line of `--verbose`; empty without the flag.
    pub(super) verbose: String,
    /// The indices, in the settings, of the ignores that matched a finding.
    pub(super) used_ignores: Vec<usize>,
    /// Set if all findings are known: none was omitted, and everything could be read.
    pub(super) is_full: bool,
    /// The stale baseline entries, if the baseline is pruned.
    pub(super) stale: Vec<(String, usize)>,
    /// The findings for a new baseline, if one is written.
    pub(super) known: Vec<Diagnostic>,
    /// The file with its findings, if it is no model.
    pub(super) about: Option<(PathBuf, Vec<Diagnostic>)>,
}

impl Outcome {
    /// Prints the line of `--verbose`.
    pub(super) fn say(&self) {
        if !self.verbose.is_empty() {
            complain(&self.verbose);
        }
    }
}

/// A file that was read and checked, but not yet reported.
pub(super) struct Opened {
    pub(super) model: Model,
    repairs: Repairs,
    start: Instant,
}

/// The check of files with one configuration.
pub(super) struct Check<'a> {
    args: &'a CheckArgs,
    pub(super) settings: &'a Settings,
    options: Options,
    maker: Maker,
}

impl<'a> Check<'a> {
    pub(super) fn new(args: &'a CheckArgs, settings: &'a Settings, options: &Options, maker: Maker) -> Self {
        let options = Options { device: args.settings.findings.device, ..settings.options(options.clone()) };
        Self { args, settings, options: settings.selection.options(options), maker }
    }

    /// Checks a file; a panic becomes a finding. `is_only` is set if the run has no other file: the
    /// memory of the model is then not freed.
    pub(super) fn file(&self, input: &Input, is_only: bool) -> Outcome {
        contained(|| self.check(input, is_only)).unwrap_or_else(|failure| self.failed(&input.path, &failure))
    }

    /// Returns the result for a file or folder whose check panicked.
    pub(super) fn failed(&self, path: &Path, failure: &str) -> Outcome {
        self.broken(path, &self.settings.selection_for(path), internal_error(failure))
    }

    fn check(&self, input: &Input, is_only: bool) -> Outcome {
        match self.open(input) {
            Ok(opened) => self.report(&input.path, opened, None, is_only),
            Err(outcome) => *outcome,
        }
    }

    /// Opens a file as `open` does; a panic becomes a finding.
    pub(super) fn opened(&self, input: &Input) -> Result<Opened, Box<Outcome>> {
        contained(|| self.open(input)).unwrap_or_else(|failure| Err(self.failed(&input.path, &failure).into()))
    }

    /// Returns the loaders whose demands a file must meet as the member of a pipeline.
    pub(super) fn loaders(&self, path: &Path) -> Vec<Loader> {
        self.settings.loaders_for(path, self.options.device)
    }

    /// Opens a file, and applies the fixes that are asked for. The error is the outcome of a file that cannot be checked.
    fn open(&self, input: &Input) -> Result<Opened, Box<Outcome>> {
        let path = input.path.as_path();
        let start = Instant::now();
        let selection = self.settings.selection_for(path);
        let mut options = bounded(self.settings.with_weights(path, &self.options), input.bounds.clone());
        if let Cow::Owned(selection) = &selection {
            options = Cow::Owned(selection.options(options.into_owned()));
        }
        let options = options.as_ref();
        let (mut opened, mut repairs) = (Model::open(path, options), Repairs::default());
        if self.args.fix.is_asked()
            && let Ok(model) = opened
        {
            let is_verbose = self.args.show.verbose;
            (opened, repairs) = self
                .args
                .fix
                .apply(path, model, options, is_verbose, &|model| self.settings.judge(path, model).findings);
        }
        let model = match opened {
            Ok(model) => model,
            Err(error) => return Err(Outcome { repairs, ..self.refused(path, &selection, &error) }.into()),
        };
        let model = if options.shapes.is_empty() { model } else { explained(model) };
        let model = if input.kind == Kind::Damaged { model.in_doubt() } else { model };
        Ok(Opened { model, repairs, start })
    }

    /// Reports the findings about an open file, which may be the member of a pipeline.
    pub(super) fn report(
        &self,
        path: &Path,
        Opened { model, repairs, start }: Opened,
        pipeline: Option<&InPipeline>,
        is_only: bool,
    ) -> Outcome {
        let judged = self.settings.judge_in(path, &model, pipeline);
        let report = ModelReport {
            suppressed: &judged.hidden.suppressed,
            fixed: repairs.fixed(),
            ..ModelReport::of(path, &model, &judged.findings)
        };
        let mut outcome = self.outcome(&report, repairs.code);
        (outcome.summary.layers, outcome.summary.tensors) = model.size();
        assumed::count(&model, &mut outcome.summary);
        outcome.summary.hide(&judged.hidden, self.configuration());
        // Without inference, every layer would be listed as assumed.
        if self.args.show.verbose && !self.args.no_infer {
            self.maker.append(&mut outcome.pieces, || assumed::render(path, &model));
        }
        if self.args.fix.shows_diff() {
            outcome.code = repairs.code;
        }
        outcome.repairs = repairs;
        (outcome.used_ignores, outcome.is_full) = (judged.used_ignores, model.is_checked_in_full());
        outcome.stale = judged.hidden.stale;
        if self.args.settings.write_baseline.is_some() {
            outcome.known = judged.findings.into_owned();
        }
        if self.args.show.verbose {
            outcome.verbose = verbose::line(&model, self.settings, start.elapsed());
        }
        // Check only now that the files are unchanged, because rendering reads the model too.
        if let Err(error) = model.intact() {
            return Outcome {
                repairs: outcome.repairs,
                ..self.refused(path, &self.settings.selection_for(path), &error)
            };
        }
        if is_only {
            // The process is about to end, which frees all memory at once.
            std::mem::forget(model);
        }
        outcome
    }

    /// Returns the result for a file whose check ended with an error, which becomes a finding or else a message on stderr.
    fn refused(&self, path: &Path, selection: &Selection, error: &Error) -> Outcome {
        if let Some(finding) = error.finding() {
            return self.broken(path, selection, finding);
        }
        complain(&message(error));
        // The model was not checked, so it does not count as one.
        Outcome { summary: Summary::default(), ..self.outcome(&ModelReport::unread(path, &[]), exit::BROKEN) }
    }

    /// Returns the result for a file that was not checked, with the finding that says why.
    fn broken(&self, path: &Path, selection: &Selection, why: Diagnostic) -> Outcome {
        let message = why.message.shown().to_owned();
        let findings = selection.apply(vec![why]);
        if findings.is_empty() {
            // The rule is off, but the user must learn that the file was not checked.
            complain(&message);
        }
        self.outcome(&ModelReport::unread(path, &findings), exit::BROKEN)
    }

    /// Returns the result for findings about a file that is not a model, such as a configuration.
    pub(super) fn aside(&self, path: &Path, text: Option<&str>, findings: &[Diagnostic]) -> Outcome {
        let source = text.map(|text| Source::new(path, text.as_bytes().to_vec()));
        let report = ModelReport { source: source.as_ref(), ..ModelReport::unread(path, findings) };
        let mut outcome = self.outcome(&report, exit::CLEAN);
        (outcome.summary.models, outcome.summary.models_with_findings) = (0, 0);
        outcome
    }

    /// Returns the result with the line of `--verbose` about JSON files that were fetched.
    pub(super) fn fetched(&self, folder: &Path, fetched: (usize, usize)) -> Option<Outcome> {
        let verbose = verbose::fetched(folder, fetched);
        self.args.show.verbose.then(|| Outcome { verbose, ..Outcome::default() })
    }

    fn configuration(&self) -> Option<String> {
        self.settings.path.as_deref().map(from_here)
    }

    /// Returns the result for a report; `code` is the exit code apart from findings.
    pub(super) fn outcome(&self, report: &ModelReport, code: u8) -> Outcome {
        let mut summary = Summary::default();
        summary.add(report);
        if summary.errors > 0 && self.settings.fail_on == FailOn::Never && !self.args.settings.decides_what_fails() {
            summary.excused_by.extend(self.configuration());
        }
        let fail_on = self.settings.fail_on.severity();
        summary.fold(report, self.maker.infos(fail_on));
        let pieces = self.maker.pieces(report, fail_on);
        let fails = report.findings.iter().any(|finding| self.settings.fail_on.fails(finding.severity));
        let code = if fails { code.max(exit::FINDINGS) } else { code };
        Outcome { pieces, summary, code, ..Outcome::default() }
    }
}
