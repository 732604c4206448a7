//! Shortening of the text report on many models: the first warnings of a rule are shown and the rest counted, and files that
//! cannot be read, such as missing weights, share one line per reason.

use crate::diagnostic::{Diagnostic, Severity};
use crate::report::wrap::wrap;
use crate::text::{escape, grouped};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The number of warnings of a rule that are shown in full.
const SHOWN: usize = 5;

/// The number of models that are named where one line stands for several.
const NAMED: usize = 3;

/// The control character before and after a block that may be repeated.
const START: char = '\u{1e}';
/// The control character after each part of the head of such a block: severity and rule, sentence about several models, path.
/// Text of a file never contains either.
const END: char = '\u{1f}';

/// The rules about weights that cannot be read at all, with the sentence about several models.
const WEIGHTS: [(&str, &str); 2] = [
    (
        "git-lfs-pointer",
        "models have a Git LFS pointer for weights: `git lfs pull` fetches the weights; `--weights skip` checks the rest alone",
    ),
    (
        "weights-file-missing",
        "models have no .bin file: put it beside the model, or pass it with `--weights FILE`; `--weights skip` checks the \
         rest alone",
    ),
];

/// Returns the sentence about several models, without their number, for a finding about a file of which nothing can be read.
fn of_several(finding: &Diagnostic) -> Option<String> {
    let rule = finding.rule.name;
    let of_weights = WEIGHTS.iter().find(|(name, _)| *name == rule).map(|(_, sentence)| (*sentence).to_owned());
    let message = || format!("files: {}", escape::line(finding.message.shown(), super::TITLE));
    of_weights.or_else(|| (rule == "not-openvino-ir").then(message))
}

/// Appends a block, marked if it may be repeated: all that makes the run fail is shown in full, except what is about files
/// of which nothing can be read.
pub(super) fn mark(finding: &Diagnostic, path: &str, fail_on: Option<Severity>, block: &str, out: &mut String) {
    let (severity, rule) = (finding.severity, finding.rule.name);
    let sentence = of_several(finding);
    if sentence.is_some() || severity == Severity::Warning && fail_on.is_none_or(|lowest| severity < lowest) {
        let (severity, sentence) = (severity.name(), sentence.unwrap_or_default());
        let _ = write!(out, "{START}{severity}[{rule}]{END}{sentence}{END}{path}{END}{block}{START}");
    } else {
        out.push_str(block);
    }
}

/// The findings so far that may be repeated.
#[derive(Debug, Default)]
pub(in crate::report::findings) struct Repeated {
    /// Those per severity and rule, and sentence about several models.
    titles: BTreeMap<(String, String), Title>,
}

/// The findings that share a line.
#[derive(Debug, Default)]
struct Title {
    count: usize,
    /// The first one, if it is held back to the end.
    held: String,
    /// The paths of the first ones.
    paths: Vec<String>,
}

impl Repeated {
    /// Returns the part of a piece that is shown.
    pub(in crate::report::findings) fn add(&mut self, piece: &str) -> String {
        let mut shown = String::new();
        for block in piece.split(START) {
            let parts: Vec<&str> = block.splitn(4, END).collect();
            let [rule, sentence, path, block] = parts[..] else {
                shown.push_str(block);
                continue;
            };
            let title = self.titles.entry((rule.to_owned(), sentence.to_owned())).or_default();
            title.count += 1;
            if title.count <= NAMED {
                title.paths.push(path.to_owned());
            }
            match (sentence.is_empty(), title.count) {
                (false, 1) => block.clone_into(&mut title.held),
                (true, ..=SHOWN) => shown.push_str(block),
                _ => {}
            }
        }
        shown
    }

    /// Returns the lines about all that was not shown.
    pub(in crate::report::findings) fn rest(&self, width: usize) -> String {
        let mut text = String::new();
        for ((rule, sentence), Title { count, held, paths }) in &self.titles {
            if sentence.is_empty() && *count > SHOWN {
                let more = grouped(count - SHOWN);
                let _ = writeln!(text, "... and {more} more of {rule} (`-v` shows them)\n");
            } else if *count == 1 {
                text.push_str(held);
            } else if !sentence.is_empty() {
                let _ = writeln!(text, "{}", wrap(&format!("{rule}: {} {sentence}", grouped(*count)), width));
                for path in paths {
                    let _ = writeln!(text, "  --> {path}");
                }
                if *count > paths.len() {
                    let _ = writeln!(text, "  ... and {} more (`-v` shows them)", grouped(count - paths.len()));
                }
                text.push('\n');
            }
        }
        text
    }
}
