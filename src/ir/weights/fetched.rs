//! Remote weights, fetched in few round trips.

use super::parts::{self, WeightsPart};
use crate::arrange::Arrange;
use crate::limits::Limits;
use crate::remote::{self, Opened, Store};
use std::io::{Error, Result};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of bytes fetched on opening; a smaller file is fetched as a whole.
const HEAD: u64 = 1 << 16;

/// The largest gap, in bytes, between two ranges for which one request for both is cheaper.
const GAP: u64 = 4096;

/// The minimum number of bytes that the first read outside the prefetched ranges fetches, and the maximum number of doublings:
/// this minimum doubles with each further such read, up to 8 MiB.
const AHEAD: (u64, u32) = (4096, 11);

/// A store, and the parts fetched from it.
#[derive(Debug)]
pub(super) struct Fetched {
    store: Arc<dyn Store>,
    /// The maximum number of fetched bytes.
    most: u64,
    kept: Mutex<Kept>,
}

#[derive(Debug)]
struct Kept {
    /// Sorted by offset. No part lies within another.
    parts: Vec<WeightsPart>,
    traffic: Traffic,
    /// The number of reads that no prefetch covered.
    unannounced: u32,
}

/// Statistics of remote reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traffic {
    /// The number of round trips.
    pub round_trips: usize,
    /// Requested ranges; those of one round trip run in parallel.
    pub requests: usize,
    /// Fetched bytes of the file.
    pub bytes: u64,
}

impl Fetched {
    /// Opens weights on a server.
    pub(super) fn open(path: &Path, limits: &Limits) -> Result<Self> {
        Ok(Self::new(remote::open(path, HEAD, limits)?, limits))
    }

    /// Opens weights in a store.
    pub(super) fn of(store: Arc<dyn Store>, limits: &Limits) -> Result<Self> {
        let head = store.read_ranges(std::slice::from_ref(&(0..HEAD.min(store.size()))))?.pop();
        Ok(Self::new(Opened { store, head: head.unwrap_or_default() }, limits))
    }

    fn new(Opened { store, head }: Opened, limits: &Limits) -> Self {
        let traffic = Traffic { round_trips: 1, requests: 1, bytes: head.len() as u64 };
        let parts = vec![WeightsPart::new(0, head)];
        Self { store, most: limits.fetched, kept: Mutex::new(Kept { parts, traffic, unannounced: 0 }) }
    }

    pub(super) fn size(&self) -> u64 {
        self.store.size()
    }

    pub(super) fn traffic(&self) -> Traffic {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).traffic
    }

    /// Fetches those ranges that exist and were not fetched yet.
    pub(super) fn prefetch(&self, mut ranges: Vec<Range<u64>>) -> Result<()> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        ranges.retain(|range| !range.is_empty() && range.end <= self.size() && !kept.holds(range));
        self.fetch(&mut kept, &merge_close(ranges))
    }

    /// Reads bytes at an offset; they must lie within the file.
    pub(super) fn read(&self, offset: u64, size: usize) -> Result<Vec<u8>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = parts::read(&kept.parts, offset, size) {
            return Ok(bytes.to_vec());
        }
        // Sequential reads are likely to continue.
        let ahead = AHEAD.0 << kept.unannounced.min(AHEAD.1);
        kept.unannounced = kept.unannounced.saturating_add(1);
        let left = self.most.saturating_sub(kept.traffic.bytes);
        let end = offset.saturating_add((size as u64).max(ahead.min(left))).min(self.size());
        self.fetch(&mut kept, std::slice::from_ref(&(offset..end)))?;
        parts::read(&kept.parts, offset, size)
            .map(<[u8]>::to_vec)
            .ok_or_else(|| Error::other("the bytes are not there"))
    }

    fn fetch(&self, kept: &mut Kept, ranges: &[Range<u64>]) -> Result<()> {
        if ranges.is_empty() {
            return Ok(());
        }
        let bytes = ranges.iter().map(|range| range.end - range.start).sum::<u64>();
        let all = kept.traffic.bytes.saturating_add(bytes);
        if all > self.most {
            let message = format!(
                "{all} of its {} bytes are needed, more than the {} that are left of --max-fetched",
                self.size(),
                self.most
            );
            return Err(Error::other(message));
        }
        let found = self.store.read_ranges(ranges)?;
        kept.traffic.round_trips += 1;
        kept.traffic.requests += ranges.len();
        kept.traffic.bytes = all;
        let is_within =
            |part: &WeightsPart| ranges.iter().any(|range| range.start <= part.offset() && part.end() <= range.end);
        kept.parts.retain(|part| !is_within(part));
        kept.parts.extend(ranges.iter().zip(found).map(|(range, bytes)| WeightsPart::new(range.start, bytes)));
        kept.parts.arrange_by_key(WeightsPart::offset);
        Ok(())
    }
}

impl Kept {
    fn holds(&self, range: &Range<u64>) -> bool {
        usize::try_from(range.end - range.start).is_ok_and(|size| parts::read(&self.parts, range.start, size).is_some())
    }
}

/// Sorts ranges and merges those close together.
fn merge_close(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.arrange_by_key(|range| (range.start, range.end));
    let mut all: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match all.last_mut() {
            Some(last) if range.start <= last.end.saturating_add(GAP) => last.end = last.end.max(range.end),
            _ => all.push(range),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The requested ranges of every round trip.
    type RoundTrips = Arc<Mutex<Vec<Vec<Range<u64>>>>>;

    /// Bytes in memory that log every request.
    #[derive(Debug)]
    struct Log(Vec<u8>, RoundTrips);

    impl Store for Log {
        fn size(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_ranges(&self, ranges: &[Range<u64>]) -> Result<Vec<Vec<u8>>> {
            self.1.lock().unwrap().push(ranges.to_vec());
            let at = |offset| usize::try_from(offset).unwrap();
            Ok(ranges.iter().map(|range| self.0[at(range.start)..at(range.end)].to_vec()).collect())
        }
    }

    fn fetched(size: u64, limits: &Limits) -> (Vec<u8>, RoundTrips, Fetched) {
        let all: Vec<u8> = (0..size).map(|n| (n % 251) as u8).collect();
        let log = RoundTrips::default();
        let store = Arc::new(Log(all.clone(), Arc::clone(&log)));
        let fetched = Fetched::new(Opened { store, head: all[..100].to_vec() }, limits);
        (all, log, fetched)
    }

    #[test]
    fn what_is_announced_is_fetched_at_once_and_once() {
        let (all, log, fetched) = fetched(1_000_000, &Limits::default());
        let ranges =
            vec![900_000..900_008, 10_000..10_008, 0..100, 12_000..12_008, 500_000..500_000, 999_999..1_000_001];
        fetched.prefetch(ranges.clone()).unwrap();
        fetched.prefetch(ranges).unwrap();
        for at in [0, 10_000, 11_000, 12_000, 900_000] {
            assert_eq!(fetched.read(at as u64, 8).unwrap(), all[at..at + 8]);
        }
        assert_eq!(*log.lock().unwrap(), [vec![10_000..12_008, 900_000..900_008]]);
        assert_eq!(fetched.traffic(), Traffic { round_trips: 2, requests: 3, bytes: 100 + 2_008 + 8 });
    }

    #[test]
    fn what_is_not_announced_is_read_further_and_further_ahead() {
        let (all, log, fetched) = fetched(1_000_000, &Limits::default());
        for at in (0..990_000).step_by(1_000) {
            assert_eq!(fetched.read(at as u64, 700).unwrap(), all[at..at + 700]);
        }
        assert!(log.lock().unwrap().len() < 12, "{:?}", log.lock().unwrap());
        // Backwards, so that later ranges contain earlier ones.
        for at in (0..900_000).step_by(50_000).rev() {
            assert_eq!(fetched.read(at as u64, 60_000).unwrap(), all[at..at + 60_000]);
        }
    }

    #[test]
    fn only_so_much_is_fetched() {
        let (all, _, fetched) = fetched(1_000_000, &Limits { fetched: 10_000, ..Limits::default() });
        assert_eq!(fetched.read(5_000, 8).unwrap(), all[5_000..5_008]);
        assert_eq!(fetched.read(50_000, 5_000).unwrap(), all[50_000..55_000]);
        let message = "13100 of its 1000000 bytes are needed, more than the 10000 that are left of --max-fetched";
        assert_eq!(
            fetched.read(90_000, 3_000).unwrap_err().to_string().split_once(' ').unwrap().1,
            message.split_once(' ').unwrap().1
        );
    }
}
