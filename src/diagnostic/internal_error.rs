//! The finding about a failure of ovlint itself.

use crate::diagnostic::{Diagnostic, Group, Rule, Runtime};
use crate::source::Span;
use std::path::Path;

pub(crate) static INTERNAL_ERROR: Rule = Rule::error(
    Group::File,
    "internal-error",
    "ovlint failed on this file",
    "This is a bug in ovlint, whatever the file contains: the check of this file was aborted, and nothing \
     else is known about it. Other files of the run are not affected. The exit code is 2.\n\n\
     Report the message together with the file, or with the smallest part of it that still fails. \
     `RUST_BACKTRACE=1` prints the location to stderr.",
)
.runtime(Runtime::None);

/// Returns the finding about a file on which ovlint failed with this message.
pub fn internal_error(failure: &str) -> Diagnostic {
    Diagnostic::new(&INTERNAL_ERROR, Span::default(), message(failure)).help(REPORT_IT)
}

/// The request to report the bug.
const REPORT_IT: &str = "this is a bug in ovlint: report it with this message and, if you can, the file";

fn message(failure: &str) -> String {
    format!("ovlint {} failed on this file: {failure}", env!("CARGO_PKG_VERSION"))
}

/// Formats a failure of ovlint as one line.
pub fn failed(failure: &str) -> String {
    format!("{}; {REPORT_IT}", message(failure))
}

/// Formats a failure of ovlint on a file as one line.
pub fn failed_on(path: &Path, failure: &str) -> String {
    format!("{}: {}", path.display(), failed(failure))
}
