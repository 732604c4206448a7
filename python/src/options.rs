//! The options of checks as a Python class made from keyword arguments, and the search for models with them.

use crate::analysis::Found;
use crate::failure::{contained_here, raised, unknown, unlocked};
use ovlint::internal::remote::is_remote;
use ovlint::{Limits, Profile, Severity};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How models are checked.
#[pyclass(frozen, module = "ovlint._native")]
pub(crate) struct Options {
    pub(crate) given: ovlint::Options,
    limits: Limits,
    is_stopped: Arc<AtomicBool>,
}

impl Options {
    /// Whether nobody waits for checks with these options any more.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

#[pymethods]
impl Options {
    #[new]
    #[pyo3(signature = (*, config=None, shape=None, target=None, device=None, profile=None, select=Vec::new(), extend_select=Vec::new(), ignore=Vec::new(), severity=Vec::new(), recipes=Vec::new(), infer=true, symbolic=false, max_fetched=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn new(
        config: Option<PathBuf>,
        shape: Option<&str>,
        target: Option<&str>,
        device: Option<&str>,
        profile: Option<&str>,
        select: Vec<String>,
        extend_select: Vec<String>,
        ignore: Vec<String>,
        severity: Vec<(String, String)>,
        recipes: Vec<String>,
        infer: bool,
        symbolic: bool,
        max_fetched: Option<u64>,
    ) -> PyResult<Self> {
        let mut limits = Limits::default();
        limits.fetched = max_fetched.unwrap_or(limits.fetched);
        let built = || {
            let mut options = ovlint::Options::new().infer(infer).symbolic(symbolic).limits(limits);
            if let Some(path) = config {
                options = options.config(path)?;
            }
            if let Some(shape) = shape {
                options = options.input_shapes(shape)?;
            }
            if let Some(release) = target {
                options = options.target(release)?;
            }
            for name in recipes {
                options = options.recipe(&name)?;
            }
            for name in select {
                options = options.only(&name)?;
            }
            for name in extend_select {
                options = options.enable(&name)?;
            }
            for name in ignore {
                options = options.disable(&name)?;
            }
            Ok(options)
        };
        let mut options = built().map_err(|error| raised(&error))?;
        if let Some(name) = device {
            options = options.device(name.parse().map_err(|_| unknown("device", name, &["CPU", "GPU", "NPU"]))?);
        }
        if let Some(name) = profile {
            let profile = Profile::named(name);
            options =
                options.profile(profile.ok_or_else(|| unknown("profile", name, &Profile::ALL.map(Profile::name)))?);
        }
        for (rule, name) in severity {
            let all = [Severity::Error, Severity::Warning, Severity::Info, Severity::Off];
            let level = Severity::named(&name).ok_or_else(|| unknown("severity", &name, &all.map(Severity::name)))?;
            options = options.severity(&rule, level).map_err(|error| raised(&error))?;
        }
        Ok(Self { given: options, limits, is_stopped: Arc::default() })
    }

    /// The bytes of a model to fetch, at most.
    #[getter]
    fn max_fetched(&self) -> u64 {
        self.limits.fetched
    }

    /// The options for the rest of a model of which so many bytes were fetched.
    fn fetched(&self, size: u64) -> Self {
        let mut limits = self.limits;
        limits.fetched = limits.fetched.saturating_sub(size);
        Self { given: self.given.clone().limits(limits), limits, is_stopped: Arc::clone(&self.is_stopped) }
    }

    /// The models that a path stands for, and why parts of a folder cannot be searched.
    fn search(&self, py: Python<'_>, path: PathBuf) -> PyResult<(Vec<Found>, Vec<Py<PyAny>>)> {
        let options = self.given.clone();
        // For a file, a thread takes longer than the search.
        let is_file = !is_remote(&path) && !path.is_dir();
        let search = move || ovlint::Found::at(path, &options);
        let all = if is_file { contained_here(py, search) } else { unlocked(py, search) };
        let (mut models, mut errors) = (Vec::new(), Vec::new());
        for found in all? {
            match found {
                Ok(model) => models.push(Found(model)),
                Err(error) => errors.push(raised(&error).into_value(py).into_any()),
            }
        }
        Ok((models, errors))
    }

    /// Has whoever waits for a check with these options go on, in any thread.
    fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}
