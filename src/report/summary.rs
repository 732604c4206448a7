//! The counts of a run of `ovlint check` (models, findings, and what is hidden or not checked), and the closing lines that
//! state them.

use super::ModelReport;
use super::findings::text::Infos;
use super::statistics::Statistics;
use super::wrap::{KEPT, hang};
use crate::arrange::Arrange;
use crate::diagnostic::{Applicability, Severity};
use crate::pipeline::Overview;
use crate::policy::Hidden;
use crate::query::{Read, ReadBy};
use crate::text::{counted, escape, grouped, path_text};
use crate::types::Release;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// The counts of a run. Consequences of other findings are not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Models checked.
    pub models: usize,
    /// Models with findings.
    pub models_with_findings: usize,
    /// XML files of other kinds in the folders that were searched.
    pub other_xml: usize,
    /// Excluded XML files in these folders.
    pub excluded: usize,
    /// XML files in these folders that `.gitignore` and the like exclude.
    pub gitignored: usize,
    /// Folders in these folders that `.gitignore` and the like exclude.
    pub gitignored_folders: usize,
    /// Named weights files without a model beside them.
    pub orphaned_weights: usize,
    /// The configurations that exclude files.
    pub excluded_by: BTreeSet<String>,
    /// Layers of all models, including those of bodies.
    pub layers: usize,
    /// Outputs of all layers.
    pub tensors: usize,
    /// Findings that are errors.
    pub errors: usize,
    /// Findings that are warnings.
    pub warnings: usize,
    /// Findings that are infos.
    pub infos: usize,
    /// Findings with a safe fix.
    pub fixable: usize,
    /// Findings that the baseline hides.
    pub in_baseline: usize,
    /// Findings that comments or the configuration ignore.
    pub ignored: usize,
    /// Findings of rules that flags or the configuration turn off.
    pub turned_off: usize,
    /// The configurations that ignore findings or turn rules off.
    pub silenced_by: BTreeSet<String>,
    /// The configurations that keep errors from failing the run.
    pub excused_by: BTreeSet<String>,
    /// Layers of operations without a shape rule, whose declared outputs are assumed.
    pub assumed_layers: usize,
    /// The opsets of such operations.
    pub assumed_opsets: BTreeSet<String>,
    /// Layers of operations whose outputs `--extension-ops` states.
    pub stated_layers: usize,
    /// The names of the files given with `--extension-ops`.
    pub stated_by: BTreeSet<String>,
    /// Models whose weights were not read, so that shapes that depend on them are declared ones.
    pub without_weights: usize,
    /// The pipelines among the folders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pipelines: Vec<Pipeline>,
    /// The release that rejects the model added last, if that has errors.
    #[serde(skip)]
    pub rejected_by: Option<Release>,
    /// The findings of each rule.
    #[serde(skip)]
    pub statistics: Statistics,
    /// The number of infos per rule that the text report only counts.
    #[serde(skip)]
    pub folded: BTreeMap<&'static str, usize>,
    /// The duration of the run; not serialised, so that JSON output is reproducible.
    #[serde(skip)]
    pub elapsed: Duration,
}

/// A folder that was recognised as a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pipeline {
    /// The members and links.
    #[serde(flatten)]
    pub overview: Overview,
    /// Set if it was checked for a loader.
    #[serde(skip)]
    pub is_loaded: bool,
}

impl Pipeline {
    /// Describes the pipeline in a sentence.
    fn line(&self) -> String {
        let Overview { path, kind, members, files, .. } = &self.overview;
        let parts = members.iter().map(|part| &part.role).chain(files);
        let parts: Vec<String> = parts.map(|part| escape::line(part, PART)).collect();
        let more = "; use `--for genai` to check what openvino.genai requires of it";
        let more = if self.is_loaded { "" } else { more };
        let folder = if path.as_path() == Path::new(".") { "this folder".to_owned() } else { path_text(path) };
        format!("{folder} is a {kind} pipeline: {}{more}", parts.join(", "))
    }
}

/// The maximum number of characters of a part of a pipeline.
const PART: usize = 80;

/// The number of pipelines that are described one by one.
const DESCRIBED: usize = 3;

impl Summary {
    /// Counts a model and its findings; the caller adds layers, tensors and time.
    pub fn add(&mut self, model: &ModelReport) {
        self.models += 1;
        self.models_with_findings += usize::from(model.roots().next().is_some());
        for finding in model.roots() {
            match finding.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Info => self.infos += 1,
                Severity::Off => {}
            }
            self.fixable +=
                usize::from(finding.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe));
        }
        self.statistics.add(model);
        if self.errors > 0 {
            let read_by = model.model.and_then(ReadBy::of).filter(|read_by| read_by.read == Read::Rejects);
            self.rejected_by = read_by.map(|read_by| read_by.release);
        }
    }

    /// Counts the infos of a model that the text report does not show.
    pub fn fold(&mut self, model: &ModelReport, infos: Infos) {
        for finding in model.roots().filter(|finding| infos.folds(finding)) {
            *self.folded.entry(finding.rule.name).or_default() += 1;
        }
    }

    /// Counts the hidden findings of a model that has this configuration.
    pub fn hide(&mut self, hidden: &Hidden, configuration: Option<String>) {
        let (in_baseline, ignored) = hidden.suppressed();
        self.in_baseline += in_baseline;
        self.ignored += ignored;
        self.turned_off += hidden.turned_off;
        self.silenced_by.extend(configuration.filter(|_| hidden.by_configuration));
    }

    /// Describes hidden findings and the configurations responsible: `2 ignored, 1 turned off; see ovlint.toml`.
    fn hidden(&self) -> Option<String> {
        let counts =
            [(self.in_baseline, "in the baseline"), (self.ignored, "ignored"), (self.turned_off, "turned off")];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<_> = counts.map(|(count, why)| format!("{} {why}", grouped(count))).collect();
        let files = names(&self.silenced_by);
        match (counts.is_empty(), files.is_empty()) {
            (true, true) => None,
            (false, true) => Some(counts.join(", ")),
            (true, false) => Some(format!("rules are off, see {files}")),
            (false, false) => Some(format!("{}; see {files}", counts.join(", "))),
        }
    }

    /// Returns the closing line of a run without findings.
    fn verdict(&self) -> String {
        let hidden = self.hidden().map(|hidden| format!(" ({hidden})")).unwrap_or_default();
        let verdict = match (self.in_baseline + self.ignored, self.turned_off) {
            (0, 0) => "no problems",
            (0, _) => "no problems shown",
            _ => "no new problems",
        };
        format!("{verdict}{hidden}")
    }

    /// Describes the models that were checked without their weights.
    fn unchecked(&self) -> Option<String> {
        let weights = if self.without_weights == 1 { "its weights" } else { "their weights" };
        let verb = if self.without_weights == 1 { "was" } else { "were" };
        let models = counted(self.without_weights, "model");
        (self.without_weights > 0).then(|| format!("{models} {verb} checked without {weights}"))
    }

    /// Adds the counts of another run.
    pub fn merge(&mut self, other: Self) {
        self.models += other.models;
        self.models_with_findings += other.models_with_findings;
        self.other_xml += other.other_xml;
        self.excluded += other.excluded;
        self.gitignored += other.gitignored;
        self.gitignored_folders += other.gitignored_folders;
        self.orphaned_weights += other.orphaned_weights;
        self.excluded_by.extend(other.excluded_by);
        self.layers += other.layers;
        self.tensors += other.tensors;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.infos += other.infos;
        self.fixable += other.fixable;
        self.in_baseline += other.in_baseline;
        self.ignored += other.ignored;
        self.turned_off += other.turned_off;
        self.silenced_by.extend(other.silenced_by);
        self.excused_by.extend(other.excused_by);
        self.assumed_layers += other.assumed_layers;
        self.assumed_opsets.extend(other.assumed_opsets);
        self.stated_layers += other.stated_layers;
        self.stated_by.extend(other.stated_by);
        self.without_weights += other.without_weights;
        self.rejected_by = other.rejected_by;
        self.pipelines.extend(other.pipelines);
        self.statistics.merge(other.statistics);
        for (rule, count) in other.folded {
            *self.folded.entry(rule).or_default() += count;
        }
    }

    /// Describes the files and folders that were not checked: `2 other XML files, 1 excluded file; see ovlint.toml`.
    pub fn not_checked(&self) -> Option<String> {
        let files = [
            (self.other_xml, "other XML file"),
            (self.excluded, "excluded file"),
            (self.gitignored, "gitignored file"),
            (self.gitignored_folders, "gitignored folder"),
            (self.orphaned_weights, "orphaned weights file"),
        ];
        let files: Vec<String> =
            files.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| counted(count, noun)).collect();
        let see =
            if self.excluded_by.is_empty() { String::new() } else { format!("; see {}", names(&self.excluded_by)) };
        (!files.is_empty()).then(|| files.join(", ") + &see)
    }

    /// Formats the summary in lines of this width, with a final line break.
    pub fn text(&self, width: usize) -> String {
        let lines = self.lines().into_iter().map(|line| {
            let column = if line.starts_with(' ') { 4 } else { 0 };
            hang(&line, width, column).replace(KEPT, " ") + "\n"
        });
        lines.collect()
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let found: Vec<_> = [(self.errors, "error"), (self.warnings, "warning"), (self.infos, "info")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, noun)| counted(count, noun))
            .collect();
        if found.is_empty() && self.models == 0 {
            // Errors say why nothing was checked.
        } else if found.is_empty() {
            let (models, layers) = (counted(self.models, "model"), counted(self.layers, "layer"));
            let tensors = match self.tensors {
                0 if self.layers > 0 => "nothing inferred".to_owned(),
                count => counted(count, "tensor"),
            };
            let duration = duration(self.elapsed);
            let unchecked = self.unchecked().map(|unchecked| format!("; {unchecked}")).unwrap_or_default();
            lines.push(format!("checked {models} ({layers}, {tensors}) in {duration}: {}{unchecked}", self.verdict()));
        } else {
            let (found, models) = (found.join(", "), counted(self.models, "model"));
            let mut line = match self.models_with_findings {
                0 if !self.pipelines.is_empty() => {
                    format!("{found} in files that are not models; no findings in {models}")
                }
                0 => format!("{found} in the configuration; no findings in {models}"),
                some => format!("{found} in {} of {models}", grouped(some)),
            };
            if self.fixable > 0 {
                let _ = write!(line, " ({} fixable with --fix)", grouped(self.fixable));
            }
            line.push('.');
            // The note of a single finding says it already.
            let is_said = self.errors + self.warnings + self.infos == 1;
            if let (Some(release), 1, false) = (self.rejected_by, self.models, is_said) {
                let _ = write!(line, " OpenVINO{KEPT}{release} rejects{KEPT}it.");
            }
            if let (Some(rule), 0) = (self.statistics.only_rule(), self.without_weights) {
                let _ = write!(line, " See{KEPT}`ovlint{KEPT}explain{KEPT}{rule}`{KEPT}for{KEPT}details.");
            }
            lines.push(line);
            lines.extend(self.unchecked().map(|unchecked| format!("{unchecked}.")));
            lines.extend(self.hidden().map(|hidden| format!("  not shown: {hidden}")));
            if !self.folded.is_empty() {
                let folded = by_count(&self.folded);
                let infos = counted(folded.iter().map(|(_, count)| **count).sum(), "info");
                let rules: Vec<_> = folded.iter().map(|(rule, count)| format!("{} {rule}", grouped(**count))).collect();
                lines.push(format!("  not shown: {infos} ({}); use `-v` to show all", rules.join(", ")));
            }
        }
        if !self.excused_by.is_empty() {
            lines.push(format!("  this run never fails: `fail-on` is \"never\" in {}", names(&self.excused_by)));
        }
        lines.extend(self.not_checked().map(|files| format!("  not checked: {files}")));
        if self.assumed_layers > 0 {
            let (ops, opsets) = (counted(self.assumed_layers, "extension op"), names(&self.assumed_opsets));
            lines.push(format!("  {ops} not inferred: the declared outputs are used ({opsets}); `-v` lists them"));
        }
        if self.stated_layers > 0 {
            let (ops, files) = (counted(self.stated_layers, "extension op"), names(&self.stated_by));
            lines.push(format!("  {ops} inferred by the rules in {files}; `-v` lists them"));
        }
        if self.pipelines.len() > DESCRIBED {
            let mut kinds: BTreeMap<&'static str, usize> = BTreeMap::new();
            self.pipelines.iter().for_each(|pipeline| *kinds.entry(pipeline.overview.kind).or_default() += 1);
            let kinds: Vec<String> =
                by_count(&kinds).into_iter().map(|(kind, count)| format!("{} {kind}", grouped(*count))).collect();
            lines.push(format!("{}: {}", counted(self.pipelines.len(), "pipeline"), kinds.join(", ")));
        } else {
            lines.extend(self.pipelines.iter().map(Pipeline::line));
        }
        lines
    }
}

/// Returns names with their counts, most frequent first.
fn by_count<'a>(rules: &'a BTreeMap<&'static str, usize>) -> Vec<(&'a &'static str, &'a usize)> {
    let mut rules: Vec<_> = rules.iter().collect();
    rules.arrange_by_key(|(name, count)| (Reverse(**count), **name));
    rules
}

/// Joins names into a list.
fn names(all: &BTreeSet<String>) -> String {
    all.iter().map(|name| escape::line(name, 200)).collect::<Vec<_>>().join(", ")
}

/// Formats a duration, in milliseconds below a second.
fn duration(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{} ms", time.as_millis())
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}
