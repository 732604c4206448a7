//! A folder of models that are checked with each other, as a Python class.

use crate::analysis::Analysis;
use crate::failure::{unknown, unless, unlocked};
use crate::options::Options;
use ovlint::{Format, Severity};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// A checked folder, and how many errors, warnings and infos it has that do not follow from others.
#[pyclass(frozen, module = "ovlint._native")]
pub(crate) struct Folder {
    folder: Arc<ovlint::Folder>,
    #[pyo3(get)]
    counts: [usize; 3],
}

/// Reads, infers and checks the models of a folder.
#[pyfunction]
pub(crate) fn open_folder(py: Python<'_>, path: PathBuf, options: &Options) -> PyResult<Folder> {
    let given = options.given.clone();
    let work = move || {
        ovlint::Folder::open(path, &given).map(|folder| {
            let counts = [Severity::Error, Severity::Warning, Severity::Info].map(|severity| folder.count(severity));
            Folder { folder: Arc::new(folder), counts }
        })
    };
    unless(py, || options.is_stopped(), work)
}

#[pymethods]
impl Folder {
    /// The kinds of the pipelines in it.
    fn kinds(&self) -> Vec<String> {
        self.folder.kinds().map(str::to_owned).collect()
    }

    /// The models, each with its path.
    fn models(&self) -> Vec<(PathBuf, Analysis)> {
        let model = |one: &Arc<ovlint::Analysis>| (one.path().to_owned(), Analysis::shared(Arc::clone(one)));
        self.folder.analyses().iter().map(model).collect()
    }

    /// The members, links and missing files of the pipelines, as JSON.
    fn pipelines(&self, py: Python<'_>) -> PyResult<String> {
        let folder = Arc::clone(&self.folder);
        unlocked(py, move || folder.pipelines_json())
    }

    /// The findings in a format of the command.
    fn render(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let known = Format::ALL.into_iter().find(|known| known.name() == format);
        let known = known.ok_or_else(|| unknown("format", format, &Format::ALL.map(Format::name)))?;
        let folder = Arc::clone(&self.folder);
        unlocked(py, move || folder.render(known))
    }

    /// The page that `ovlint report` writes.
    fn to_html(&self, py: Python<'_>) -> PyResult<String> {
        let folder = Arc::clone(&self.folder);
        unlocked(py, move || folder.to_html())
    }
}
