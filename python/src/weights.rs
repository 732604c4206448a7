//! Where the bytes of constants come from: files, or memory that Python owns, which is not copied.

use ovlint::{Store, WeightsPart};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::io::{Error, Result};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Where the bytes of constants come from.
#[pyclass(frozen, module = "ovlint._native")]
pub(crate) struct Weights(pub(crate) ovlint::Weights);

#[pymethods]
impl Weights {
    /// The file beside the model.
    #[staticmethod]
    fn auto() -> Self {
        Self(ovlint::Weights::Auto)
    }

    /// None.
    #[staticmethod]
    fn skip() -> Self {
        Self(ovlint::Weights::Skip)
    }

    /// This file.
    #[staticmethod]
    fn file(path: PathBuf) -> Self {
        Self(ovlint::Weights::File(path))
    }

    /// These bytes.
    #[staticmethod]
    fn memory(bytes: PyBackedBytes) -> Self {
        Self(ovlint::Weights::Parts([WeightsPart::new(0, bytes)].into()))
    }

    /// A file of a store: its name and, if it is there, its size and what reads ranges of it.
    #[staticmethod]
    fn store(path: PathBuf, found: Option<(u64, Py<PyAny>)>) -> Self {
        let store = found.map(|(size, read)| Arc::new(Stored { size, read }) as Arc<dyn Store>);
        Self(ovlint::Weights::Store { path, store })
    }

    /// Pieces of memory: the offset of each, who owns it, where it starts, and how many bytes it has. The owners are kept,
    /// and what they own must neither move nor change meanwhile.
    #[staticmethod]
    fn views(parts: Vec<(u64, Py<PyAny>, usize, usize)>) -> Self {
        let part = |(offset, owner, address, length)| WeightsPart::new(offset, View { address, length, _owner: owner });
        Self(ovlint::Weights::Parts(parts.into_iter().map(part).collect()))
    }
}

/// A file whose ranges a function of Python reads.
#[derive(Debug)]
struct Stored {
    size: u64,
    read: Py<PyAny>,
}

impl Store for Stored {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> Result<Vec<Vec<u8>>> {
        let (starts, ends): (Vec<u64>, Vec<u64>) = ranges.iter().map(|range| (range.start, range.end)).unzip();
        let read = |py: Python<'_>| self.read.call1(py, (starts, ends))?.extract::<Vec<PyBackedBytes>>(py);
        let found = Python::attach(read).map_err(|error| Error::other(error.to_string()))?;
        let sizes = ranges.iter().map(|range| range.end - range.start);
        if !found.iter().map(|part| part.len() as u64).eq(sizes) {
            return Err(Error::other("the store gave other ranges than were asked for"));
        }
        Ok(found.iter().map(|part| part.to_vec()).collect())
    }
}

/// Memory of a Python object. The stable ABI has no buffers before Python 3.11.
struct View {
    address: usize,
    length: usize,
    _owner: Py<PyAny>,
}

impl AsRef<[u8]> for View {
    #[expect(unsafe_code, reason = "the memory is Python's")]
    fn as_ref(&self) -> &[u8] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: `_openvino.py`, the only caller of `views`, passes the address and the size of a contiguous array and the
        // array itself, which keeps its memory where it is for as long as this view keeps the array.
        unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(self.address), self.length) }
    }
}
