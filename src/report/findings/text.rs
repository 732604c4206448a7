//! The text format, for people: root findings with the affected lines of the XML, notes, help and fixes. Of many findings of
//! a rule only the first are shown.

mod excerpt;
mod patch;
mod repeated;
mod style;
mod window;

use super::{Brevity, End, FormatSpec, Join};
use crate::arrange::Arrange;
use crate::diagnostic::{Applicability, Diagnostic, Fix, Rule, Severity, body_text};
use crate::report::findings::risk;
use crate::report::words;
use crate::report::wrap::wrap;
use crate::report::{ModelReport, consequences_text, has_place};
use crate::text::{escape, grouped, plural};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Group, Level, Origin, Padding, Renderer};
use excerpt::{Excerpts, Positions};
pub(super) use repeated::Repeated;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

pub(in crate::report) static FORMAT: FormatSpec = FormatSpec {
    tail: |end, brevity| Ok(closing(end, brevity)),
    join: Join::Blocks,
    ..FormatSpec::new("text", "human-readable, with excerpts of the file", |model, options| {
        Ok(if options.brevity.statistics { String::new() } else { piece(model, &options.text, options.fail_on) })
    })
};

/// Formats the lines after the findings.
fn closing(end: &End, brevity: Brevity) -> String {
    let statistics = if brevity.statistics { end.summary.statistics.text() } else { String::new() };
    if brevity.quiet { statistics } else { statistics + &end.summary.text(end.width) }
}

/// The options of the text report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// The width in columns; clamped to 40..=240.
    pub width: usize,
    /// Enables colours. Print coloured text through `anstream`, which knows what the terminal supports.
    pub color: bool,
    /// The maximum number of findings of a rule in a file that are all shown; of more, only the first five are. 0 shows all.
    pub max_findings: usize,
    /// The infos that are shown.
    pub infos: Infos,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self { width: 140, color: false, max_findings: 20, infos: Infos::All }
    }
}

/// The infos that are shown; others are only counted at the end of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infos {
    /// All.
    All,
    /// Those about a file as a whole, and those of [`Infos::Asked`].
    OfFile,
    /// Those of rules that are off by default or about a device that was named, and those about limits.
    Asked,
}

/// The rules whose infos are shown in any case.
const SHOWN: [&str; 2] = ["limit-exceeded", "reported-defect"];
/// The rules whose infos are about a file as a whole.
const OF_FILE: [&str; 2] = ["legacy-ir-version", "pinned-dimension"];

impl Infos {
    /// Whether a finding is only counted.
    pub fn folds(self, finding: &Diagnostic) -> bool {
        finding.severity == Severity::Info && self.folds_rule(finding.rule)
    }

    /// Whether the infos of a rule are only counted.
    pub fn folds_rule(self, rule: &Rule) -> bool {
        let is_of_file = self == Self::OfFile && OF_FILE.contains(&rule.name);
        self != Self::All && !rule.is_opt_in && !is_of_file && !SHOWN.contains(&rule.name)
    }
}

/// The number of findings of a rule that are shown if there are more than the limit.
const FOLDED: usize = 5;
/// The minimum width in columns of wrapped text.
const NARROW: usize = 24;
/// The maximum number of characters of titles, and below of notes.
const TITLE: usize = 500;
const NOTE: usize = 1000;

/// Renders the findings of one model, each followed by an empty line.
///
/// Consequences are only counted below their root. All text of the file is escaped.
pub fn render(model: &ModelReport, options: &TextOptions) -> String {
    piece(model, options, None)
}

/// Renders the findings of one model. Of many models, those that may be repeated are marked for the end of the report; a
/// finding of severity `fail_on` or above never is, unless it is about a file of which nothing can be read.
fn piece(model: &ModelReport, options: &TextOptions, fail_on: Option<Severity>) -> String {
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    let roots = || model.roots().filter(|finding| !options.infos.folds(finding));
    for finding in roots() {
        *totals.entry(finding.rule.name).or_default() += 1;
    }
    if totals.is_empty() {
        return String::new();
    }
    let text = Text::new(model, options);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut out, mut roots): (String, Vec<&Diagnostic>) = (String::new(), roots().collect());
    roots.arrange_by_key(|finding| std::cmp::Reverse(finding.severity));
    for finding in roots {
        let rule = finding.rule.name;
        let total = totals.get(rule).copied().unwrap_or_default();
        let folded = options.max_findings > 0 && total > options.max_findings;
        let most = if folded { FOLDED.min(options.max_findings) } else { total };
        let count = seen.entry(rule).or_default();
        *count += 1;
        if *count > most {
            continue;
        }
        let block = text.finding(finding) + "\n\n";
        match options.infos {
            Infos::Asked => repeated::mark(finding, &text.excerpts.path, fail_on, &block, &mut out),
            Infos::All | Infos::OfFile => out.push_str(&block),
        }
        if folded && *count == most {
            let (more, path) = (grouped(total - most), &text.excerpts.path);
            let _ = write!(out, "... and {more} more `{rule}` in {path} (`--max-findings 0` shows all)\n\n");
        }
    }
    out
}

/// The renderer for the findings of one model.
pub(in crate::report) struct Text<'a> {
    excerpts: Excerpts<'a>,
    width: usize,
    renderer: Renderer,
}

impl<'a> Text<'a> {
    pub(in crate::report) fn new(model: &ModelReport<'a>, options: &TextOptions) -> Self {
        let renderer = if options.color { style::coloured() } else { Renderer::plain() };
        Self {
            excerpts: Excerpts::new(model),
            width: options.width.clamp(40, 240),
            // Windows are already truncated to the width, so the renderer must not truncate them again.
            renderer: renderer.decor_style(DecorStyle::Ascii).term_width(10_000),
        }
    }

    /// Renders a finding with its excerpts, without a final line break.
    pub(in crate::report) fn finding(&self, finding: &Diagnostic) -> String {
        let room = self.width.saturating_sub(self.excerpts.margin(finding) + 3);
        let mut positions = Positions::default();
        let mut groups = vec![self.problem(finding, room, &mut positions)];
        groups.extend(self.origins(finding, room, &mut positions));
        groups.extend(finding.fix.as_ref().map(|fix| self.patch(finding, fix, room)));
        let rendered = if positions.has_lines() {
            self.renderer.render(&groups)
        } else {
            // Without line numbers the renderer draws no margin, so the lines below the titles are indented here.
            let fix = finding.fix.as_ref().map(|fix| self.fix_head(finding, fix));
            let heads = [self.head(finding, true)].into_iter().chain(fix);
            let each = heads.zip(&groups).map(|(head, group)| {
                let group = self.renderer.render(std::slice::from_ref(group));
                let below = head.lines().count();
                let margin = |(at, line): (usize, &str)| format!("{}{line}", if at < below { "" } else { "  " });
                group.split('\n').enumerate().map(margin).collect::<Vec<_>>().join("\n")
            });
            each.collect::<Vec<_>>().join("\n")
        };
        self.excerpts.put_positions(&rendered, &positions)
    }

    /// Builds the part about the problem, with its position, notes and help.
    fn problem(&self, finding: &Diagnostic, room: usize, positions: &mut Positions) -> Group<'static> {
        let primary = Some(&finding.primary).filter(|_| has_place(finding));
        let labels: Vec<_> = finding.labels.iter().filter(|label| !label.origin).collect();
        let excerpts = self.excerpts.around(primary, &labels, room, positions);
        let title = self.head(finding, excerpts.is_empty());
        let title = level(finding.severity).primary_title(title).id(finding.rule.name);
        let mut group = Group::with_title(title);
        let messages = messages(finding);
        if excerpts.is_empty() {
            group = group
                .element(Origin::path(positions.stand_in(None)))
                .elements((!messages.is_empty()).then_some(Padding));
        }
        group = group.elements(excerpts);
        for (level, name, text) in messages {
            let room = room.saturating_sub(name.len() + 2).max(NARROW);
            group = group.element(level.message(wrap(&escape::line(&text, NOTE), room)));
        }
        group
    }

    /// Formats the title; the whole message if no excerpt repeats a part of it.
    fn head(&self, finding: &Diagnostic, is_alone: bool) -> String {
        let title = if is_alone { finding.message.shown() } else { title(finding) };
        let level = finding.severity.name().len() + finding.rule.name.len() + "[]: ".len();
        wrap(&escape::line(title, TITLE), self.width.saturating_sub(level).max(NARROW))
    }

    /// Formats the title of a fix.
    fn fix_head(&self, finding: &Diagnostic, fix: &Fix) -> String {
        wrap(&escape::line(&fix_title(finding, fix), TITLE), self.width.saturating_sub("help: ".len()))
    }

    /// Builds the part about the origins of the numbers in the message; `None` without any.
    fn origins(&self, finding: &Diagnostic, room: usize, positions: &mut Positions) -> Option<Group<'static>> {
        let labels: Vec<_> = finding.labels.iter().filter(|label| label.origin).collect();
        let excerpts = self.excerpts.around(None, &labels, room, positions);
        let what = if finding.rule.group == crate::diagnostic::Group::Types { "type" } else { "shape" };
        let title = Level::NOTE.secondary_title(format!("{what} came from here"));
        (!excerpts.is_empty()).then(|| Group::with_title(title).elements(excerpts))
    }

    /// Builds the part about a fix, with the lines before and after it.
    fn patch(&self, finding: &Diagnostic, fix: &Fix, room: usize) -> Group<'static> {
        let mut group = Group::with_title(Level::HELP.secondary_title(self.fix_head(finding, fix)));
        let Some((source, lines)) = &self.excerpts.source else { return group };
        let (patches, left) = patch::snippets(fix, source, lines, room);
        let more =
            (left > 0 && !patches.is_empty()).then(|| format!("and {} more edit{}", grouped(left), plural(left)));
        group = group.elements(patches);
        group.elements(more.map(|more| Level::NOTE.no_name().message(more)))
    }
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info | Severity::Off => Level::INFO,
    }
}

/// Returns the message without the part that the primary label repeats.
fn title(finding: &Diagnostic) -> &str {
    let shown = has_place(finding) && !finding.primary.message.is_empty();
    let short = finding.message.shown().strip_suffix(finding.primary.message.shown()).filter(|_| shown);
    short
        .and_then(|short| short.strip_suffix(": "))
        .filter(|short| !short.is_empty())
        .unwrap_or(finding.message.shown())
}

fn fix_title(finding: &Diagnostic, fix: &Fix) -> String {
    match (fix.applicability, finding.runtime) {
        (Applicability::Safe, runtime) if runtime.fails() => {
            format!("{} (safe: no shape or type changes)", fix.message.shown())
        }
        (Applicability::Safe, _) => format!("{} (safe: OpenVINO ignores it)", fix.message.shown()),
        (Applicability::Unsafe, _) => format!("{}{}", fix.message.shown(), risk(finding)),
    }
}

/// Returns the lines below the excerpt: notes and help.
fn messages(finding: &Diagnostic) -> Vec<(Level<'static>, &'static str, String)> {
    let mut notes = Vec::new();
    if let (Some(declared), Some(inferred)) = (&finding.declared, &finding.inferred) {
        notes.push(format!("declared {declared}, inferred {inferred}"));
    }
    notes.extend(words::notes(finding).map(Cow::into_owned));
    notes.dedup();
    if finding.assumed {
        notes.push("based on shapes that the file declares".into());
    }
    if !finding.body.is_empty() {
        notes.push(format!("in the body `{}`", body_text(&finding.body)));
    }
    notes.extend(consequences_text(finding));
    let notes = notes.into_iter().map(|note| (Level::NOTE, "note", note));
    notes.chain(words::help(finding).map(|help| (Level::HELP, "help", help.into_owned()))).collect()
}
