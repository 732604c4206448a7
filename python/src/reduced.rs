//! A model reduced to a finding, as a Python class.

use crate::analysis::{Analysis, Checked, opening};
use crate::failure::{contained_here, unlocked};
use crate::options::Options;
use crate::weights::Weights;
use ovlint::{Reduction, Rule};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::path::PathBuf;
use std::sync::Arc;

/// The smallest model that still has a finding.
#[pyclass(frozen, module = "ovlint._native")]
pub(crate) struct Reduced(Arc<ovlint::Reduced>);

#[pymethods]
impl Reduced {
    /// Reads a model and reduces it to a finding.
    #[staticmethod]
    #[allow(clippy::too_many_arguments, reason = "Python names them")]
    fn of(
        py: Python<'_>,
        path: PathBuf,
        xml: Option<PyBackedBytes>,
        weights: &Weights,
        options: &Options,
        rule: Option<&str>,
        layer: Option<String>,
        keep_weights: bool,
        anonymize: bool,
        max_candidates: usize,
    ) -> PyResult<Self> {
        let rule = rule.and_then(Rule::find);
        let reduction = Reduction { rule, layer, keep_weights, anonymize, max_candidates };
        let open = opening(path, xml, weights, options);
        unlocked(py, move || open()?.reduce(&reduction)).map(|reduced| Self(Arc::new(reduced)))
    }

    /// The reduced model.
    fn analysis(&self) -> Analysis {
        Analysis::of(Checked::Reduced(Arc::clone(&self.0)))
    }

    /// The XML.
    fn xml(&self) -> &[u8] {
        self.0.xml()
    }

    /// The weights, unless they are those of the original.
    fn weights(&self) -> Option<&[u8]> {
        self.0.weights()
    }

    /// The layers left, those before, and the candidates that were tried.
    fn counts(&self) -> (usize, usize, usize) {
        (self.0.layers(), self.0.layers_before(), self.0.candidates())
    }

    /// Whether the search came to its end, and whether names were replaced.
    fn states(&self) -> (bool, bool) {
        (self.0.is_complete(), self.0.is_anonymous())
    }

    /// The place of the finding that was kept among all findings.
    fn finding(&self) -> Option<usize> {
        let kept = self.0.finding()?;
        let same = |one: &ovlint::Finding<'_>| {
            (one.rule(), one.position(), one.message()) == (kept.rule(), kept.position(), kept.message())
        };
        self.0.analysis().findings().position(|one| same(&one))
    }

    /// Writes the model to a new file. A signal waits until that is done or has failed.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        contained_here(py, || self.0.write(path))
    }

    /// Itself: nothing changes it.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}
