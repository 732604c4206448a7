//! Errors and panics of the library as exceptions.

use ovlint::internal::diagnostic::internal_error::failed;
use ovlint::internal::panics::contained;
use ovlint::{Error, ErrorKind};
use pyo3::prelude::*;

mod exceptions {
    pyo3::import_exception!(ovlint._errors, ArgumentError);
    pyo3::import_exception!(ovlint._errors, Error);
    pyo3::import_exception!(ovlint._errors, FileError);
    pyo3::import_exception!(ovlint._errors, InternalError);
}

/// Does the work without the GIL; an error or a panic is an exception.
pub(crate) fn unlocked<R: Send>(py: Python<'_>, work: impl FnOnce() -> Result<R, Error> + Send) -> PyResult<R> {
    py.detach(|| contained(work))
        .map_err(|failure| exceptions::InternalError::new_err(failed(&failure)))?
        .map_err(|error| raised(&error))
}

/// The exception for an error.
pub(crate) fn raised(error: &Error) -> PyErr {
    let text = error.to_string();
    match error.kind() {
        ErrorKind::Unreadable | ErrorKind::Unwritable | ErrorKind::TooLarge | ErrorKind::Encoding => {
            exceptions::FileError::new_err(text)
        }
        ErrorKind::Argument | ErrorKind::InputShapes | ErrorKind::Config => exceptions::ArgumentError::new_err(text),
        _ => exceptions::Error::new_err(text),
    }
}

/// The exception for an argument that is none of the names.
pub(crate) fn unknown(what: &str, name: &str, names: &[&str]) -> PyErr {
    exceptions::ArgumentError::new_err(format!("`{name}` is not a {what}; use {}", names.join(", ")))
}
