//! A remote file that is read in ranges. It must stay unchanged from the first request to the last.
//!
//! Every response states its range and the version of the file, and both are checked. The header `If-Range` would not help:
//! with it, the server sends the whole file if it has changed.

use super::http::{CONNECTIONS, Client, Reply};
use super::target::Target;
use super::{Opened, Store};
use crate::limits::Limits;
use std::io::{Error, ErrorKind, Result};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use ureq::http::header;

/// The maximum size in bytes of a file from a server without support for ranges, which is sent as a whole.
const WHOLE: u64 = 16 << 20;

#[derive(Debug)]
struct RangeFile {
    client: Client,
    version: Version,
}

/// The identity of a version of the file.
#[derive(Debug, PartialEq, Eq)]
struct Version {
    size: u64,
    tag: Option<String>,
    modified: Option<String>,
}

/// Opens a file with a request for its first bytes.
pub(super) fn open(target: Target, first: u64, limits: &Limits) -> Result<Opened> {
    let client = Client::new(target, limits);
    let reply = client.get(Some(&(0..first)), WHOLE.max(first)).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => {
            let message = format!("the server sends no ranges: {error}");
            Error::new(ErrorKind::Unsupported, message)
        }
        _ => error,
    })?;
    let (size, status) = match reply.status.as_u16() {
        200 => (reply.body.len() as u64, 200),
        206 => {
            let (range, size) = content_range(&reply)?;
            check_range(&reply, &(0..first.min(size)), &range)?;
            (size, 206)
        }
        status => (0, status),
    };
    // An empty file has no first byte.
    if status == 416 && reply.header(header::CONTENT_RANGE) != Some("bytes */0") {
        return Err(Error::other("the server has no first byte (416), and does not say that the file is empty"));
    }
    let version = Version::of(&reply, size);
    let head = if status == 416 { Vec::new() } else { reply.body };
    Ok(Opened { store: Arc::new(RangeFile { client, version }), head })
}

impl Version {
    fn of(reply: &Reply, size: u64) -> Self {
        let text = |name| reply.header(name).map(str::to_owned);
        Self { size, tag: text(header::ETAG), modified: text(header::LAST_MODIFIED) }
    }
}

impl RangeFile {
    fn read_range(&self, range: &Range<u64>) -> Result<Vec<u8>> {
        let wanted = range.end.saturating_sub(range.start);
        let changed = || Error::other("it was changed while it was read");
        let reply = match self.client.get(Some(range), wanted) {
            // More bytes than requested: the file has changed, and the server sends all of it.
            Err(error) if error.kind() == ErrorKind::FileTooLarge => return Err(changed()),
            reply => reply?,
        };
        if reply.status.as_u16() != 206 {
            return Err(changed());
        }
        let (found, size) = content_range(&reply)?;
        if Version::of(&reply, size) != self.version {
            return Err(changed());
        }
        check_range(&reply, range, &found)?;
        Ok(reply.body)
    }
}

impl Store for RangeFile {
    fn size(&self) -> u64 {
        self.version.size
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> Result<Vec<Vec<u8>>> {
        let (next, failure) = (AtomicUsize::new(0), OnceLock::new());
        let found: Vec<OnceLock<Vec<u8>>> = ranges.iter().map(|_| OnceLock::new()).collect();
        let work = || {
            while failure.get().is_none()
                && let index = next.fetch_add(1, Ordering::Relaxed)
                && let Some((range, found)) = ranges.get(index).zip(found.get(index))
            {
                // Only the first failure is kept.
                let _ = match self.read_range(range) {
                    Ok(bytes) => found.set(bytes).map_err(drop),
                    Err(error) => failure.set(error).map_err(drop),
                };
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..CONNECTIONS.min(ranges.len()) {
                // If a thread cannot be started, the others do its work.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        match failure.into_inner() {
            Some(error) => Err(error),
            None => Ok(found.into_iter().filter_map(OnceLock::into_inner).collect()),
        }
    }
}

/// Parses the range and the size of the file in `Content-Range`.
fn content_range(reply: &Reply) -> Result<(Range<u64>, u64)> {
    let text = reply.header(header::CONTENT_RANGE).unwrap_or_default();
    let parse = || {
        let (range, size) = text.strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = range.split_once('-')?;
        Some((first.parse().ok()?..last.parse::<u64>().ok()?.checked_add(1)?, size.parse().ok()?))
    };
    parse().ok_or_else(|| Error::other(format!("the server sends a part of the file as `Content-Range: {text}`")))
}

/// Checks that a response holds the requested range.
fn check_range(reply: &Reply, wanted: &Range<u64>, found: &Range<u64>) -> Result<()> {
    if wanted != found {
        let (wanted, found) = (shown(wanted), shown(found));
        return Err(Error::other(format!("the server sends bytes {found}, wanted {wanted}")));
    }
    let (have, need) = (reply.body.len() as u64, wanted.end - wanted.start);
    if have == need { Ok(()) } else { Err(Error::other(format!("the server sends {have} bytes, wanted {need}"))) }
}

fn shown(range: &Range<u64>) -> String {
    format!("{}..{}", range.start, range.end)
}
