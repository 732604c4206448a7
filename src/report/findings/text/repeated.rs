//! Findings that are the same in many models: the first ones in full, then a line with their number.

use crate::diagnostic::{Diagnostic, Severity};
use crate::report::wrap::wrap;
use crate::text::grouped;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The number of warnings of a rule that are shown in full.
const SHOWN: usize = 5;

/// The control characters around the severity and the rule in front of a block that may be repeated. Text of a file never
/// contains any.
const START: char = '\u{1e}';
const END: char = '\u{1f}';

/// The rules about a file of weights that cannot be read at all: how many models it concerns, and the remedy.
const WEIGHTS: [(&str, &str, &str); 2] = [
    ("git-lfs-pointer", "models have a Git LFS pointer for weights", "`git lfs pull` fetches the weights"),
    ("weights-file-missing", "models have no .bin file", "put it beside the model, or pass it with `--weights FILE`"),
];

/// The remedy that all rules about unread weights share.
const SKIP: &str = "`--weights skip` checks the rest alone; `-v` names the models";

/// Appends a block, marked if it may be repeated: all that makes the run fail is shown in full, except what is about unread
/// weights.
pub(super) fn mark(finding: &Diagnostic, fail_on: Option<Severity>, block: &str, out: &mut String) {
    let (severity, rule) = (finding.severity, finding.rule.name);
    let is_of_weights = WEIGHTS.iter().any(|(name, ..)| *name == rule);
    if is_of_weights || severity == Severity::Warning && fail_on.is_none_or(|lowest| severity < lowest) {
        let _ = write!(out, "{START}{}[{rule}]{END}{block}{START}", severity.name());
    } else {
        out.push_str(block);
    }
}

/// Returns the entry of the rule about unread weights that a title such as `error[git-lfs-pointer]` names.
fn of_weights(title: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    let rule = title.split_once('[')?.1.strip_suffix(']')?;
    WEIGHTS.iter().find(|(name, ..)| *name == rule)
}

/// The findings so far that may be repeated.
#[derive(Debug, Default)]
pub(in crate::report::findings) struct Repeated {
    /// The number per severity and rule, and the first one of those that are held back to the end.
    titles: BTreeMap<String, (usize, String)>,
}

impl Repeated {
    /// Returns the part of a piece that is shown.
    pub(in crate::report::findings) fn add(&mut self, piece: &str) -> String {
        let mut shown = String::new();
        for block in piece.split(START) {
            let Some((title, block)) = block.split_once(END) else {
                shown.push_str(block);
                continue;
            };
            let (count, held) = self.titles.entry(title.to_owned()).or_default();
            *count += 1;
            match (of_weights(title).is_some(), *count) {
                (true, 1) => block.clone_into(held),
                (false, ..=SHOWN) => shown.push_str(block),
                _ => {}
            }
        }
        shown
    }

    /// Returns the lines about all that was not shown.
    pub(in crate::report::findings) fn rest(&self, width: usize) -> String {
        let mut text = String::new();
        for (title, (count, held)) in &self.titles {
            match of_weights(title) {
                Some(_) if *count == 1 => text.push_str(held),
                Some((_, what, remedy)) => {
                    let line = format!("{title}: {} {what}: {remedy}; {SKIP}", grouped(*count));
                    let _ = writeln!(text, "{}\n", wrap(&line, width));
                }
                None if *count > SHOWN => {
                    let more = grouped(count - SHOWN);
                    let _ = writeln!(text, "... and {more} more {title} (`-v` shows them)\n");
                }
                None => {}
            }
        }
        text
    }
}
