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

/// The finding about a file on which ovlint failed with this message.
pub fn internal_error(failure: &str) -> Diagnostic {
    let message = format!("ovlint {} failed on this file: {failure}", env!("CARGO_PKG_VERSION"));
    Diagnostic::new(&INTERNAL_ERROR, Span::default(), message)
        .help("this is a bug in ovlint: report it with this message and, if you can, the file")
}

/// One line about a failure of ovlint.
pub fn failed(failure: &str) -> String {
    let finding = internal_error(failure);
    format!("{}; {}", finding.message, finding.help.join("; "))
}

/// One line about a failure of ovlint on a file.
pub fn failed_on(path: &Path, failure: &str) -> String {
    format!("{}: {}", path.display(), failed(failure))
}
