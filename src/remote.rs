//! Models on servers: `https://host/model.xml`, `hf://org/model` and `s3://bucket/prefix/`.
//!
//! A build without the feature `remote` knows such names all the same, and says that it cannot read them.

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
mod target;

pub(crate) use address::named_path;
pub use address::{is_remote, named};

use crate::limits::Limits;
use std::fmt;
use std::io::Result;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file of which any part can be read, where every read takes a trip.
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
    /// The number of bytes.
    fn size(&self) -> u64;

    /// The bytes of each range, all of which lie within the size; an error if they have changed since it was opened.
    fn read_ranges(&self, ranges: &[Range<u64>]) -> Result<Vec<Vec<u8>>>;
}

/// Stores are equal if they are the same.
impl PartialEq for dyn Store {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

impl Eq for dyn Store {}

/// An open store, and its first bytes, which came with the answer.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: Arc<dyn Store>,
    /// As many bytes as were asked for, or all there are.
    pub head: Vec<u8>,
}

/// A model that is listed below a name.
#[derive(Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub path: PathBuf,
    /// Whether a `.bin` is listed beside it.
    pub has_weights: bool,
}

/// The files that may be models below a name.
#[derive(Debug, PartialEq, Eq)]
pub struct Below {
    /// Sorted by name.
    pub models: Vec<Listed>,
    /// The names of those that no request can name, as `s3://bucket/a//b.xml`.
    pub odd: Vec<String>,
}

/// Opens a file on a server, and reads its first bytes.
pub fn open(path: &Path, first: u64, limits: &Limits) -> Result<Opened> {
    #[cfg(feature = "remote")]
    return ranges::open(target::of(path)?, first, limits);
    #[cfg(not(feature = "remote"))]
    Err(left_out(path, (first, limits)))
}

/// All bytes of a file on a server, at most `most`.
pub fn read(path: &Path, most: u64, limits: &Limits) -> Result<Vec<u8>> {
    #[cfg(feature = "remote")]
    return http::Client::new(target::of(path)?, limits).read(most);
    #[cfg(not(feature = "remote"))]
    Err(left_out(path, (most, limits)))
}

/// The files that may be models below a name; `None` if it names a file.
pub fn listed(path: &Path, limits: &Limits) -> Result<Option<Below>> {
    #[cfg(feature = "remote")]
    return target::listed(path, limits);
    #[cfg(not(feature = "remote"))]
    Err(left_out(path, limits))
}

/// Why a build cannot read a file on a server.
#[cfg(not(feature = "remote"))]
fn left_out<T>(_path: &Path, _unused: T) -> std::io::Error {
    let message = "this build of ovlint reads no URLs; build it with `--features remote`";
    std::io::Error::new(std::io::ErrorKind::Unsupported, message)
}
