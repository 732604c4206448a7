//! Fault injection, for errors that tests of the command cannot cause otherwise.
//!
//! `OVLINT_TEST_FAULT="read model.bin 3"` makes every read of `model.bin` fail from the third on. Builds without debug
//! assertions, which users get, ignore the variable.

use std::path::Path;

/// Whether a fault of this kind is due at a file.
#[cfg(debug_assertions)]
pub(crate) fn is_due(kind: &str, path: &Path) -> bool {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static TIMES: AtomicUsize = AtomicUsize::new(0);
    let asked = std::env::var("OVLINT_TEST_FAULT").unwrap_or_default();
    let mut words = asked.split(' ');
    if words.next() != Some(kind) || !words.next().is_some_and(|name| path.ends_with(name)) {
        return false;
    }
    let first = words.next().and_then(|times| times.parse().ok()).unwrap_or(1);
    TIMES.fetch_add(1, Ordering::Relaxed) + 1 >= first
}

/// No fault is ever due.
#[cfg(not(debug_assertions))]
pub(crate) fn is_due(_kind: &str, _path: &Path) -> bool {
    false
}

/// Panics if a `panic` fault is due at a file.
///
/// # Panics
/// In builds with debug assertions, if the fault is due.
pub(crate) fn panic_if_due(path: &Path) {
    assert!(!is_due("panic", path), "a fault that a test asked for");
}
