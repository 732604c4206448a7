//! Parallel work whose results are taken in the order of the items.

use crate::memory::keep_freed_blocks;
use ovlint::internal::remote::{JOBS, is_remote};
use std::any::Any;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread::Builder;

/// The maximum number of items per thread that are in progress or waiting to be taken, which bounds memory.
const AHEAD: usize = 16;

/// The address space to allow for per thread, in bytes: the allocator reserves half of it at once.
const SPACE: u64 = 128 << 20;

/// Returns the number of threads for files: the one asked for, or else a default; 0 means one per core.
pub(crate) fn jobs<'f>(asked: Option<usize>, mut files: impl Iterator<Item = &'f Path>) -> usize {
    asked.unwrap_or_else(|| if files.any(is_remote) { JOBS } else { 0 })
}

/// Calls `take` with the result of `work` for every item, in order, until `take` returns `false`.
///
/// `jobs` threads work; 0 means one per core.
pub(crate) fn in_order<'i, T: Sync, R: Send>(
    items: &'i [T],
    jobs: usize,
    work: impl Fn(&'i T) -> R + Sync,
    mut take: impl FnMut(R) -> bool,
) {
    if items.len() > 1 {
        keep_freed_blocks();
    }
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    // Counting the cores takes longer than checking a small model.
    let jobs = if jobs == 0 && items.len() > 1 { cores() } else { jobs }.min(items.len());
    let jobs = if jobs > 1 { jobs.min(most_jobs()) } else { jobs };
    if jobs <= 1 {
        return one_by_one(items, work, take);
    }
    let (orders, inbox) = mpsc::channel::<usize>();
    let (outbox, results) = mpsc::channel::<(usize, Result<R, Box<dyn Any + Send>>)>();
    let inbox = Mutex::new(inbox);
    std::thread::scope(|scope| {
        let worker = || {
            let (inbox, outbox, work) = (&inbox, outbox.clone(), &work);
            move || {
                loop {
                    let order = inbox.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Some((index, item)) = order.ok().and_then(|index| Some((index, items.get(index)?))) else {
                        return;
                    };
                    let result = catch_unwind(AssertUnwindSafe(|| work(item)));
                    if outbox.send((index, result)).is_err() {
                        return;
                    }
                }
            }
        };
        // If the system grants fewer threads, those do all the work.
        let jobs = (0..jobs).take_while(|_| Builder::new().spawn_scoped(scope, worker()).is_ok()).count();
        if jobs == 0 {
            return one_by_one(items, &work, take);
        }
        drop(outbox);
        let mut sent = 0;
        let mut early = BTreeMap::new();
        for next in 0..items.len() {
            while sent < items.len().min(next + jobs * AHEAD) {
                // This cannot fail, because the threads run until the sender is dropped.
                let _ = orders.send(sent);
                sent += 1;
            }
            while !early.contains_key(&next) {
                let Ok((index, result)) = results.recv() else { return };
                early.insert(index, result);
            }
            match early.remove(&next) {
                Some(Ok(result)) => {
                    if !take(result) {
                        break;
                    }
                }
                Some(Err(panic)) => resume_unwind(panic),
                None => break,
            }
        }
        // Ends the threads: there are no more orders, and unfinished results are discarded.
        drop(orders);
        drop(results);
    });
}

/// Returns the number of threads that the limit on the address space of the process allows.
#[cfg(target_os = "linux")]
fn most_jobs() -> usize {
    let bytes = rustix::process::getrlimit(rustix::process::Resource::As).current;
    bytes.map_or(usize::MAX, |bytes| usize::try_from(bytes / SPACE).unwrap_or(usize::MAX))
}

#[cfg(not(target_os = "linux"))]
fn most_jobs() -> usize {
    usize::MAX
}

/// Does the work of [`in_order`] on this thread.
fn one_by_one<'i, T, R>(items: &'i [T], work: impl Fn(&'i T) -> R, mut take: impl FnMut(R) -> bool) {
    for item in items {
        if !take(work(item)) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn results_come_in_order_and_do_not_pile_up() {
        let items: Vec<u64> = (0..300).collect();
        let (started, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        for jobs in [0, 1, 2, 7] {
            started.store(0, Ordering::SeqCst);
            most.store(0, Ordering::SeqCst);
            let mut taken = Vec::new();
            let work = |item: &u64| {
                started.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_micros(item * 37 % 100));
                *item
            };
            in_order(&items, jobs, work, |item| {
                most.fetch_max(started.load(Ordering::SeqCst) - taken.len(), Ordering::SeqCst);
                taken.push(item);
                true
            });
            assert_eq!(taken, items, "{jobs}");
            if jobs > 0 {
                assert!(most.load(Ordering::SeqCst) <= jobs * AHEAD, "{jobs}");
            }
        }
    }

    #[test]
    fn whoever_takes_can_stop() {
        let items: Vec<usize> = (0..10_000).collect();
        let started = AtomicUsize::new(0);
        for jobs in [1, 2] {
            started.store(0, Ordering::SeqCst);
            let mut taken = 0;
            in_order(
                &items,
                jobs,
                |_| started.fetch_add(1, Ordering::SeqCst),
                |_| {
                    taken += 1;
                    taken < 3
                },
            );
            assert_eq!(taken, 3);
            assert!(started.load(Ordering::SeqCst) <= 3 + jobs * AHEAD);
        }
    }

    #[test]
    fn a_panic_is_passed_on() {
        let work = |item: &usize| assert!(*item != 5);
        let run = || in_order(&[1, 2, 3, 4, 5, 6, 7], 2, work, |()| true);
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
