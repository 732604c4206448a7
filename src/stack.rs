//! Recursion into nested bodies without stack overflow: every few levels continue on a new thread.

use std::panic::resume_unwind;
use std::thread;

/// The number of body levels per stack. A level takes up to 20 KiB in debug builds, less than 8 in release builds.
const LEVELS: usize = 32;

/// The size of a stack in bytes, the default of Rust's threads.
const STACK: usize = 2 << 20;

/// Calls `work` for a body at this nesting depth.
pub(crate) fn descend<R: Send>(level: usize, work: impl FnOnce() -> R + Send) -> R {
    if level == 0 || !level.is_multiple_of(LEVELS) {
        return work();
    }
    // If the system grants no further thread, the work is done on this one.
    let mut waiting = Some(work);
    let done = thread::scope(|scope| {
        let work = || waiting.take().map(|work| work());
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()?;
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    });
    match (done, waiting) {
        (Some(done), _) => done,
        (None, Some(work)) => work(),
        (None, None) => unreachable!("work that was taken is done"),
    }
}
