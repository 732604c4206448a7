//! One file: opened, judged by its settings, and shown.

use super::{CheckArgs, Format};
use crate::cli::exit;
use ovlint::diagnostic::{Diagnostic, Severity};
use ovlint::report::text::TextOptions;
use ovlint::report::{ModelReport, Summary, assumed, concise, json, text};
use ovlint::settings::Settings;
use ovlint::{Model, Options};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::path::Path;

/// What came of one file.
pub(super) struct Outcome {
    pub(super) text: String,
    pub(super) json: Option<Box<RawValue>>,
    pub(super) summary: Summary,
    pub(super) code: u8,
    /// The ignores of its settings that it needs.
    pub(super) used_ignores: Vec<usize>,
    /// Its findings, if they are to be known.
    pub(super) known: Vec<Diagnostic>,
}

/// How the files of one configuration are checked.
pub(super) struct Check<'a> {
    args: &'a CheckArgs,
    pub(super) settings: &'a Settings,
    options: Options,
    text: TextOptions,
}

impl<'a> Check<'a> {
    pub(super) fn new(args: &'a CheckArgs, settings: &'a Settings, options: &Options, text: TextOptions) -> Self {
        let options = Options { target: settings.target, device: args.settings.device, ..options.clone() };
        Self { args, settings, options: settings.selection.options(options), text }
    }

    pub(super) fn file(&self, path: &Path) -> Outcome {
        let selection = self.settings.selection_for(path);
        let own = matches!(selection, Cow::Owned(_)).then(|| selection.options(self.options.clone()));
        let model = match Model::open(path, own.as_ref().unwrap_or(&self.options)) {
            Ok(model) => model,
            Err(error) => {
                let findings = selection.apply(vec![error.finding()]);
                let report = ModelReport { path, name: None, source: None, weights_path: None, findings: &findings };
                return self.outcome(&report, exit::BROKEN);
            }
        };
        let judged = self.settings.judge(path, &model);
        let report = ModelReport {
            path,
            name: model.net().map(|net| net.name.as_str()),
            source: Some(model.source()),
            weights_path: model.weights().path.as_deref(),
            findings: &judged.findings,
        };
        let mut outcome = self.outcome(&report, exit::CLEAN);
        (outcome.summary.layers, outcome.summary.tensors) = model.size();
        assumed::count(&model, &mut outcome.summary);
        if self.args.show.show_assumed && self.args.format == Format::Text {
            outcome.text += &assumed::render(path, &model);
        }
        outcome.used_ignores = judged.used_ignores;
        if self.args.settings.write_baseline.is_some() {
            outcome.known = judged.findings.into_owned();
        }
        outcome
    }

    /// What is shown of a report; the code is that of the run apart from findings.
    pub(super) fn outcome(&self, report: &ModelReport, code: u8) -> Outcome {
        let mut summary = Summary::default();
        summary.add(report);
        for finding in report.findings.iter().filter(|finding| finding.severity == Severity::Error) {
            if matches!(finding.rule.name, "git-lfs-pointer" | "weights-file-missing" | "weights-not-raw") {
                summary.weights_unread.insert(finding.rule.name);
            }
        }
        let (text, json) = match self.args.format {
            Format::Text | Format::Concise if self.args.show.statistics => (String::new(), None),
            Format::Text => (text::render(report, &self.text), None),
            Format::Concise => (concise::render(report), None),
            Format::Json => (String::new(), json::model(report).ok()),
        };
        let fails = report.findings.iter().any(|finding| self.settings.fail_on.fails(finding.severity));
        let code = if fails { code.max(exit::FINDINGS) } else { code };
        Outcome { text, json, summary, code, used_ignores: Vec::new(), known: Vec::new() }
    }
}
