//! Work without the GIL, which signals can interrupt, and errors and panics of the library as Python exceptions.

use ovlint::internal::diagnostic::internal_error::failed;
use ovlint::internal::panics::contained;
use ovlint::{Error, ErrorKind};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, SendError, channel};
use std::thread;
use std::time::Duration;

mod exceptions {
    pyo3::import_exception!(ovlint._errors, ArgumentError);
    pyo3::import_exception!(ovlint._errors, Error);
    pyo3::import_exception!(ovlint._errors, FileError);
    pyo3::import_exception!(ovlint._errors, InternalError);
}

/// How long a signal waits, at most, until Python handles it.
const TURN: Duration = Duration::from_millis(50);

/// Does the work without the GIL; an error or a panic is an exception.
///
/// The work has a thread of its own. Whoever is interrupted meanwhile goes on at once: the work ends by itself, and nobody
/// gets its result.
pub(crate) fn unlocked<R: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<R, Error> + Send + 'static,
) -> PyResult<R> {
    unless(py, || false, work)
}

/// The same, until somebody asks to stop.
pub(crate) fn unless<R: Send + 'static>(
    py: Python<'_>,
    stop: impl Fn() -> bool,
    work: impl FnOnce() -> Result<R, Error> + Send + 'static,
) -> PyResult<R> {
    let (sender, mut receiver) = channel();
    let (giver, taker) = channel();
    let _ = thread::Builder::new().spawn(move || {
        // Nobody waits for the result any more where it cannot be sent.
        _ = taker.recv().map(|work| sender.send(contained(work)));
    });
    // A system that gives no more threads leaves the work here, and a signal waits until it is done.
    if let Err(SendError(work)) = giver.send(work) {
        return contained_here(py, work);
    }
    let done = loop {
        let receiver = &mut receiver;
        match py.detach(move || receiver.recv_timeout(TURN)) {
            Ok(done) => break done,
            Err(RecvTimeoutError::Timeout) if stop() => return Err(PyKeyboardInterrupt::new_err(())),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => break Err("its thread ended".to_owned()),
        }
    };
    settled(done)
}

/// Does the work without the GIL in the thread that requires it, which waits until it is done.
pub(crate) fn contained_here<R: Send>(py: Python<'_>, work: impl FnOnce() -> Result<R, Error> + Send) -> PyResult<R> {
    settled(py.detach(|| contained(work)))
}

/// An error or the text of a panic as an exception.
fn settled<R>(done: Result<Result<R, Error>, String>) -> PyResult<R> {
    done.map_err(|failure| exceptions::InternalError::new_err(failed(&failure)))?.map_err(|error| raised(&error))
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
