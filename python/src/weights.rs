//! The source of the bytes of constants as a Python class: files, stores that Python functions read, or memory that Python
//! owns, of which the needed bytes are copied.

use ovlint::Store;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PySlice};
use std::io::{Error, Result};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Where the bytes of constants come from.
#[pyclass(frozen, module = "ovlint._native")]
pub(crate) struct Weights {
    pub(crate) given: ovlint::Weights,
    pub(crate) raised: Raised,
}

/// An exception of a callback that says nothing about the file, such as `KeyboardInterrupt`. Whoever asked gets it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The failure to read because of an exception, which is kept unless it is an ordinary one.
    fn failure(&self, py: Python<'_>, error: PyErr) -> Error {
        let failure = Error::other(error.to_string());
        if !error.is_instance_of::<PyException>(py) {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
        failure
    }
}

impl From<ovlint::Weights> for Weights {
    fn from(given: ovlint::Weights) -> Self {
        Self { given, raised: Raised::default() }
    }
}

#[pymethods]
impl Weights {
    /// The file beside the model.
    #[staticmethod]
    fn auto() -> Self {
        ovlint::Weights::Auto.into()
    }

    /// None.
    #[staticmethod]
    fn skip() -> Self {
        ovlint::Weights::Skip.into()
    }

    /// This file.
    #[staticmethod]
    fn file(path: PathBuf) -> Self {
        ovlint::Weights::File(path).into()
    }

    /// What these buffers hold, one after the other. Each is kept, and its bytes are copied whenever they are needed.
    #[staticmethod]
    fn memory(pieces: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let raised = Raised::default();
        let mut memory = Memory { pieces: Vec::new(), size: 0, raised: raised.clone() };
        for piece in pieces {
            let piece = Piece::of(piece)?;
            let size = piece.size;
            memory.pieces.push((memory.size, piece));
            memory.size += size;
        }
        Ok(Self { given: ovlint::Weights::Memory(Arc::new(memory)), raised })
    }

    /// A file of a store: its name and, if it is there, its size and what reads ranges of it.
    #[staticmethod]
    fn store(path: PathBuf, found: Option<(u64, Py<PyAny>)>) -> Self {
        let raised = Raised::default();
        let stored = |(size, read)| Arc::new(Stored { size, read, raised: raised.clone() }) as Arc<dyn Store>;
        Self { given: ovlint::Weights::Store { path, store: found.map(stored) }, raised }
    }
}

/// A file whose ranges a function of Python reads.
#[derive(Debug)]
struct Stored {
    size: u64,
    read: Py<PyAny>,
    raised: Raised,
}

impl Store for Stored {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> Result<Vec<Vec<u8>>> {
        let (starts, ends): (Vec<u64>, Vec<u64>) = ranges.iter().map(|range| (range.start, range.end)).unzip();
        let read = |py: Python<'_>| self.read.call1(py, (starts, ends))?.extract::<Vec<PyBackedBytes>>(py);
        let found = with_python(&self.raised, read)?;
        let sizes = ranges.iter().map(|range| range.end - range.start);
        if !found.iter().map(|part| part.len() as u64).eq(sizes) {
            return Err(Error::other("the store gave other ranges than were asked for"));
        }
        Ok(found.iter().map(|part| part.to_vec()).collect())
    }
}

/// Buffers one after the other, each with the place where it starts.
#[derive(Debug)]
struct Memory {
    pieces: Vec<(u64, Piece)>,
    size: u64,
    raised: Raised,
}

/// A buffer of Python. Rust has no slice of it, as others may write to it at any time.
#[derive(Debug)]
struct Piece {
    size: u64,
    held: Held,
}

#[derive(Debug)]
enum Held {
    /// Bytes, which nobody changes.
    Bytes(PyBackedBytes),
    /// A flat view, which keeps the memory where it is. The stable ABI has no other way to it before Python 3.11.
    View(Py<PyAny>),
}

impl Piece {
    fn of(buffer: Bound<'_, PyAny>) -> PyResult<Self> {
        let buffer = match buffer.cast_into::<PyBytes>() {
            Ok(bytes) => {
                let bytes = PyBackedBytes::from(bytes);
                return Ok(Self { size: bytes.len() as u64, held: Held::Bytes(bytes) });
            }
            Err(other) => other.into_inner(),
        };
        let view = PyMemoryView::from(&buffer)?.call_method1("cast", ("B",))?;
        Ok(Self { size: view.len()? as u64, held: Held::View(view.unbind()) })
    }

    /// Adds a range of the buffer to `bytes`.
    fn copy(&self, range: Range<usize>, bytes: &mut Vec<u8>, raised: &Raised) -> Result<()> {
        match &self.held {
            Held::Bytes(held) => bytes.extend(held.get(range).unwrap_or_default()),
            Held::View(view) => with_python(raised, |py| {
                let slice = PySlice::new(py, range.start.try_into()?, range.end.try_into()?, 1);
                bytes.extend(&*view.bind(py).get_item(slice)?.call_method0("tobytes")?.extract::<PyBackedBytes>()?);
                Ok(())
            })?,
        }
        Ok(())
    }
}

impl Store for Memory {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> Result<Vec<Vec<u8>>> {
        ranges.iter().map(|range| self.read(range)).collect()
    }
}

impl Memory {
    fn read(&self, range: &Range<u64>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let first = self.pieces.partition_point(|(start, piece)| start + piece.size <= range.start);
        for (start, piece) in self.pieces.iter().skip(first).take_while(|(start, _)| *start < range.end) {
            let place = |at: u64| usize::try_from(at.saturating_sub(*start).min(piece.size)).map_err(Error::other);
            piece.copy(place(range.start)?..place(range.end)?, &mut bytes, &self.raised)?;
        }
        Ok(bytes)
    }
}

/// The result of what needs the interpreter.
fn with_python<T>(raised: &Raised, work: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T> {
    let done = Python::try_attach(|py| work(py).map_err(|error| raised.failure(py, error)));
    done.unwrap_or_else(|| Err(Error::other("Python is shutting down")))
}
