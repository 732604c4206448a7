//! Remote models: `https://host/model.xml`, `hf://org/model` and `s3://bucket/prefix/`.
//!
//! A build without the Cargo feature `remote` recognises such names, and reports that it cannot read them.

mod address;
#[cfg(feature = "remote")]
mod http;
#[cfg(feature = "remote")]
mod hub;
#[cfg(feature = "remote")]
mod listing;
#[cfg(feature = "remote")]
mod ranges;
#[cfg(feature = "s3")]
mod s3;
#[cfg(feature = "remote")]
mod scheme;
#[cfg(feature = "remote")]
mod target;

pub(crate) use address::named_path;
pub use address::{is_remote, named};

use crate::limits::Limits;
use std::collections::BTreeSet;
use std::fmt;
use std::io::Result;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of models that are read from servers at once, unless one is asked for: nearly all of the time is waiting.
pub const JOBS: usize = 64;

/// A file with random access, where every read may take a network round trip.
///
/// ```
/// use ovlint::{Analysis, Options, Store, Weights};
/// use std::ops::Range;
/// use std::sync::Arc;
///
/// #[derive(Debug)]
/// struct Zeros;
///
/// impl Store for Zeros {
///     fn size(&self) -> u64 {
///         10_000_000_000
///     }
///
///     fn read_ranges(&self, ranges: &[Range<u64>]) -> std::io::Result<Vec<Vec<u8>>> {
///         Ok(ranges.iter().map(|range| vec![0; (range.end - range.start) as usize]).collect())
///     }
/// }
///
/// let weights = Weights::Store { path: "zeros.bin".into(), store: Some(Arc::new(Zeros)) };
/// let analysis = Analysis::open("ir-samples/models/split.xml", &Options::new().weights(weights))?;
/// assert!(analysis.findings().any(|finding| finding.rule().name() == "weights-trailing-bytes"));
/// # Ok::<(), ovlint::Error>(())
/// ```
pub trait Store: fmt::Debug + Send + Sync {
    /// Returns the size in bytes.
    fn size(&self) -> u64;

    /// Reads ranges, all of which lie within the size; an error if the file changed since it was opened.
    fn read_ranges(&self, ranges: &[Range<u64>]) -> Result<Vec<Vec<u8>>>;
}

/// Stores are equal if they are the same object.
impl PartialEq for dyn Store {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

impl Eq for dyn Store {}

/// An open store, with the first bytes from the response that opened it.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: Arc<dyn Store>,
    /// The requested number of bytes from the start, or all if there are fewer.
    pub head: Vec<u8>,
}

/// A model in a listing.
#[derive(Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its URL.
    pub path: PathBuf,
    /// True if the listing has its `.bin`.
    pub has_weights: bool,
}

/// The files that servers list, and the limits for reading them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listings {
    /// The URLs of models, weights, JSON files and templates.
    pub names: BTreeSet<String>,
    /// The limits.
    pub limits: Limits,
}

impl Listings {
    /// Whether a file is listed.
    pub fn has(&self, path: &Path) -> bool {
        path.to_str().is_some_and(|name| self.names.contains(name))
    }
}

/// The possible models below a remote name.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Below {
    /// Sorted by name.
    pub models: Vec<Listed>,
    /// Names that no URL can express, such as `s3://bucket/a//b.xml`.
    pub odd: Vec<String>,
    /// The URLs of these models and of the files that may belong to them.
    pub names: BTreeSet<String>,
}

/// Opens a remote file and reads its first bytes.
pub fn open(path: &Path, first: u64, limits: &Limits) -> Result<Opened> {
    #[cfg(feature = "remote")]
    return ranges::open(scheme::target(path)?, first, limits);
    #[cfg(not(feature = "remote"))]
    Err(left_out(path, (first, limits)))
}

/// Reads a remote file; an error if it has more than `most` bytes.
pub fn read(path: &Path, most: u64, limits: &Limits) -> Result<Vec<u8>> {
    #[cfg(feature = "remote")]
    return http::Client::new(scheme::target(path)?, limits).read(most);
    #[cfg(not(feature = "remote"))]
    Err(left_out(path, (most, limits)))
}

/// Lists the possible models below a remote name; `None` if it names a file.
pub fn listed(path: &Path, limits: &Limits) -> Result<Option<Below>> {
    #[cfg(feature = "remote")]
    return scheme::listed(path, limits);
    #[cfg(not(feature = "remote"))]
    Err(left_out(path, limits))
}

/// Returns the error for a URL in a build that cannot read any.
#[cfg(not(feature = "remote"))]
fn left_out<T>(_path: &Path, _unused: T) -> std::io::Error {
    let message = "this build of ovlint reads no URLs; build it with `--features remote`";
    std::io::Error::new(std::io::ErrorKind::Unsupported, message)
}
