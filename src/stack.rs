//! Recursion into bodies inside bodies: every few levels take the stack of a thread of their own, so that no file needs more
//! of it than there is.

use std::panic::resume_unwind;
use std::thread;

/// Levels of bodies that share a stack: without optimisation a level takes up to 20 KiB, with it less than 8.
const LEVELS: usize = 32;

/// Bytes of a stack, as threads have by default.
const STACK: usize = 2 << 20;

/// Calls `work` for a body that is so many levels deep.
pub(crate) fn descend<R: Send>(level: usize, work: impl FnOnce() -> R + Send) -> R {
    if level == 0 || !level.is_multiple_of(LEVELS) {
        return work();
    }
    // A system that gives no more threads leaves the work here.
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
