//! Where the bytes of constants come from: files, or memory that Python owns, which is not copied.

use ovlint::WeightsPart;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::path::PathBuf;

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
}
