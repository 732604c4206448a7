//! Errors and panics of the library as exceptions.

use ovlint::{Error, ErrorKind};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};

mod exceptions {
    pyo3::import_exception!(ovlint._errors, ArgumentError);
    pyo3::import_exception!(ovlint._errors, Error);
    pyo3::import_exception!(ovlint._errors, FileError);
    pyo3::import_exception!(ovlint._errors, InternalError);
}

thread_local! {
    /// What the last panic of this thread said, and where.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps what panics say for the exception; they print only where the environment asks for backtraces.
pub(crate) fn keep_quiet() {
    let prints = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    let print = take_hook();
    set_hook(Box::new(move |info| {
        LAST.set(Some(said(info)));
        if prints {
            print(info);
        }
    }));
}

fn said(info: &PanicHookInfo) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let message = text.unwrap_or("it panicked").replace('\n', " ");
    let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line())).unwrap_or_default();
    message + &place
}

/// Does the work without the GIL; an error or a panic is an exception.
pub(crate) fn unlocked<R: Send>(py: Python<'_>, work: impl FnOnce() -> Result<R, Error> + Send) -> PyResult<R> {
    // What is half done is dropped with the closure; caches that are shared hold whole entries only.
    py.detach(|| catch_unwind(AssertUnwindSafe(work)).map_err(|_| LAST.take().unwrap_or_default()))
        .map_err(|said| {
            let version = env!("CARGO_PKG_VERSION");
            let cure = "this is a bug in ovlint: report it with this message and, if you can, the model";
            exceptions::InternalError::new_err(format!("ovlint {version} failed: {said}; {cure}"))
        })?
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
