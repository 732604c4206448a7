//! Containment of panics, which are bugs: a panic on one file does not stop the check of others, nor print into a report.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};

thread_local! {
    /// The message and the location of the last panic of this thread.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the messages of panics for [`contained`]. They are printed only if `RUST_BACKTRACE` is set.
pub fn keep_quiet() {
    let prints = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    let print = take_hook();
    set_hook(Box::new(move |info| {
        LAST.set(Some(said(info)));
        if prints {
            print(info);
        }
    }));
}

/// Returns the result of `work`, or the message and the location of its panic.
pub fn contained<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    // Unwind safety: unfinished data is dropped with the closure, and shared caches contain complete entries only.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        // Without the hook, as in unit tests, there is no stored message.
        LAST.take().unwrap_or_else(|| message(&*panic).to_owned())
    })
}

fn said(info: &PanicHookInfo) -> String {
    let message = message(info.payload()).replace('\n', " ");
    let place = info.location().map(|at| format!(" ({}:{})", source_file(at.file()), at.line())).unwrap_or_default();
    message + &place
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it panicked")
}

/// Returns the path of a source file without the folders of the build machine.
fn source_file(path: &str) -> &str {
    let in_registry = path.split_once("/registry/src/").and_then(|(_, rest)| rest.split_once('/'));
    in_registry.map_or(path, |(_, file)| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_package() {
        assert_eq!(source_file("/home/me/.cargo/registry/src/index-1/toml-1.2.1/src/de.rs"), "toml-1.2.1/src/de.rs");
        assert_eq!(source_file("src/ir/read.rs"), "src/ir/read.rs");
    }
}
