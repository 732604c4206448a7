//! The errors of the public API.

use std::fmt;

/// The error of a failed call. Problems of a model are not errors but [findings](crate::Finding).
///
/// ```
/// use ovlint::{Analysis, ErrorKind, Options};
///
/// let error = Analysis::open("no-such-file.xml", &Options::new()).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Unreadable);
/// assert!(error.to_string().starts_with("no-such-file.xml: "));
/// ```
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    cause: Box<dyn std::error::Error + Send + Sync>,
}

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file cannot be read, or changed while it was read.
    Unreadable,
    /// A file cannot be written.
    Unwritable,
    /// A file exceeds [`Limits::xml_size`](crate::Limits).
    TooLarge,
    /// A configuration has an error.
    Config,
    /// A text is not a shape, a release, or the name of a rule, group or tensor.
    Argument,
    /// Input shapes do not fit the inputs of the model.
    InputShapes,
    /// The file cannot be fixed because it is not UTF-8.
    Encoding,
    /// A model cannot be edited as asked: OpenVINO would reject the result, or it cannot be inferred.
    Refused,
    /// A tensor does not fit its type and shape, or cannot be split as asked.
    Tensor,
}

impl Error {
    pub(super) fn new(kind: ErrorKind, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self { kind, cause: cause.into() }
    }

    /// Returns the kind of error, for programs; the text is for people.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

/// Formats the problem in one line, with the file or argument.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.source()
    }
}

/// Converts an error of opening a model.
pub(super) fn of_model(error: crate::analysis::Error) -> Error {
    use crate::analysis::Cause;
    use crate::ir::OpenError;
    let kind = match &error.cause {
        Cause::Open(OpenError::TooLarge(_)) => ErrorKind::TooLarge,
        Cause::Open(_) => ErrorKind::Unreadable,
        Cause::Shapes(_) => ErrorKind::InputShapes,
    };
    Error::new(kind, error)
}
