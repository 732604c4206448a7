//! `ovlint check --fix`, `--diff` and `--verbose`: repairs files in place, or shows how.

use super::{complain, exit};
use clap::{Args, ValueEnum};
use ovlint::internal::diagnostic::{Applicability, Diagnostic, Edit};
use ovlint::internal::fix::{Fixed, Wanted, fix, unified_diff, write};
use ovlint::internal::report::Repaired;
use ovlint::internal::source::Lines;
use ovlint::internal::text::{counted, plain_text};
use ovlint::internal::{Model, Options};
use std::path::Path;

#[derive(Args, Clone, Debug, Default)]
pub(crate) struct FixArgs {
    /// Fix files: `safe` (the default) edits only what OpenVINO ignores, `all` also applies fixes that may change what the model computes
    #[arg(long, value_enum, value_name = "safe|all", num_args = 0..=1, require_equals = true, default_missing_value = "safe", hide_possible_values = true)]
    fix: Option<Level>,
    /// Show what --fix would change as a unified diff, and change nothing
    #[arg(long)]
    diff: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Level {
    Safe,
    All,
}

/// The result of fixing some files.
#[derive(Default)]
pub(crate) struct Repairs {
    /// The number of fixed findings, without consequences.
    count: usize,
    /// The number of fixed consequences.
    followers: usize,
    /// The number of files that were changed, or would be without `--diff`.
    files: usize,
    /// The fixed findings of a file, and below its edits.
    applied: Vec<Diagnostic>,
    edits: Vec<Edit>,
    /// The unified diffs.
    pub(crate) diff: String,
    /// The lines for stderr.
    notes: Vec<String>,
    /// The exit code so far, which other results can only increase.
    pub(crate) code: u8,
}

impl Repairs {
    /// Adds the result for another file, and prints it.
    pub(crate) fn take(&mut self, other: &Self) {
        self.count += other.count;
        self.followers += other.followers;
        self.files += other.files;
        self.code = self.code.max(other.code);
        other.notes.iter().for_each(|note| complain(note));
    }

    /// Returns the fixes of one file, if there are any.
    pub(crate) fn fixed(&self) -> Option<Repaired<'_>> {
        let (findings, edits) = (&self.applied, &self.edits);
        (!edits.is_empty()).then_some(Repaired { findings, edits })
    }

    /// Prints a summary in one line.
    pub(crate) fn finish(&self, args: &FixArgs) {
        if args.is_asked() {
            let verb = if args.diff { "would fix" } else { "fixed" };
            let (findings, models) = (counted(self.count, "finding"), counted(self.files, "model"));
            let followers = match self.followers {
                0 => String::new(),
                count => {
                    format!(" and {count} that follow{} from others", if count == 1 { "s" } else { "" })
                }
            };
            complain(&format!("{verb} {findings}{followers} in {models}"));
        }
    }
}

impl FixArgs {
    /// Whether files are to be fixed, or fixes to be shown.
    pub(crate) fn is_asked(&self) -> bool {
        self.diff || self.fix.is_some()
    }

    /// Whether files are written.
    pub(crate) fn writes(&self) -> bool {
        self.fix.is_some() && !self.diff
    }

    /// Whether only the diff is shown.
    pub(crate) fn shows_diff(&self) -> bool {
        self.diff
    }

    /// Fixes the findings that `wanted` selects. Returns the model as the file is afterwards, and the result, which has a line
    /// per fix if `is_verbose`.
    pub(crate) fn apply(
        &self,
        path: &Path,
        model: Model,
        options: &Options,
        is_verbose: bool,
        wanted: &Wanted,
    ) -> (Result<Model, ovlint::internal::Error>, Repairs) {
        let mut repairs = Repairs::default();
        let shown = super::shown(path);
        let level = match self.fix {
            Some(Level::All) => Applicability::Unsafe,
            _ => Applicability::Safe,
        };
        let Fixed { model, original, edits, applied, refused, is_cut_off } = match fix(model, level, wanted) {
            Ok(fixed) => fixed,
            Err(error) => {
                repairs.notes.push(format!("{shown} is not fixed: {error}"));
                repairs.code = exit::BROKEN;
                return (Model::open(path, options), repairs);
            }
        };
        // Diff output has no findings, so the reason why the file cannot be read is a note.
        if let (true, None, Some(finding)) = (self.diff, model.net(), model.findings().first()) {
            repairs.notes.push(plain_text(&format!("{shown} cannot be fixed: {}", finding.message.shown())));
            repairs.code = exit::FINDINGS;
        }
        for (finding, refusal) in refused.iter().filter(|_| is_verbose) {
            repairs.notes.push(format!("{shown}: {} is not fixed: {refusal}", finding.rule.name));
        }
        if is_cut_off {
            repairs.notes.push(format!("{shown}: not all fixes were tried; run it again"));
        }
        let Some(original) = original.filter(|_| !edits.is_empty()) else { return (Ok(model), repairs) };
        if let Some(error) = original.failure() {
            repairs.notes.push(plain_text(&format!("{shown} is not fixed: {error}")));
            repairs.code = exit::BROKEN;
            return (Model::open(path, options), repairs);
        }
        if is_verbose {
            let lines = Lines::new(&original);
            repairs.notes.extend(applied.iter().map(|finding| format!("{shown}{}", line(&lines, finding))));
        }
        repairs.count = applied.iter().filter(|finding| finding.consequence_of.is_none()).count();
        (repairs.followers, repairs.files) = (applied.len() - repairs.count, 1);
        if self.diff {
            repairs.diff = unified_diff(&shown, &original, &edits);
            repairs.code = exit::FINDINGS;
            return (Ok(model), repairs);
        }
        drop(original); // Some systems cannot replace an open file.
        if let Err(error) = model.intact() {
            return (Err(error), Repairs::default());
        }
        if let Err(error) = write(path, &edits, model.source().bytes()) {
            repairs = Repairs { notes: vec![error], code: exit::BROKEN, ..Repairs::default() };
            return (Model::open(path, options), repairs);
        }
        (repairs.applied, repairs.edits) = (applied, edits);
        (Ok(model), repairs)
    }
}

/// Formats the position and the fix of a finding: `:35: declared-shape: change the declared dimension`.
fn line(lines: &Lines, finding: &Diagnostic) -> String {
    let line = lines.position(finding.primary.span.start).line;
    let message = finding.fix.as_ref().map(|fix| plain_text(fix.message.shown())).unwrap_or_default();
    format!(":{line}: {}: {message}", finding.rule.name)
}
