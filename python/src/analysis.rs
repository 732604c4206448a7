//! One model, checked, and what can be asked of it.

use crate::failure::{unknown, unlocked};
use crate::options::Options;
use crate::weights::Weights;
use ovlint::{Applicability, DiffLevel, Format, Report, Rule, Severity};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::path::PathBuf;
use std::sync::Arc;

/// One model, checked, and how many errors, warnings and infos it has that do not follow from others.
#[pyclass(frozen, module = "ovlint._native")]
pub(crate) struct Analysis {
    checked: Checked,
    #[pyo3(get)]
    counts: [usize; 3],
}

enum Checked {
    AsItIs(Box<ovlint::Analysis>),
    Fixed(Arc<ovlint::Fixed>),
}

/// Reads, infers and checks a model: the bytes in memory, or else the file.
#[pyfunction]
pub(crate) fn analyse(
    py: Python<'_>,
    path: PathBuf,
    xml: Option<PyBackedBytes>,
    weights: &Weights,
    options: &Options,
) -> PyResult<Analysis> {
    let open = || {
        let options = options.0.clone().weights(weights.given.clone());
        match xml {
            Some(xml) => ovlint::Analysis::from_bytes(path, &*xml, &options),
            None => ovlint::Analysis::open(path, &options),
        }
    };
    // All in one go: to take the GIL again costs more than to count.
    let analysis = unlocked(py, || open().map(|analysis| Analysis::of(Checked::AsItIs(Box::new(analysis)))));
    weights.raised.take().map_or(analysis, Err)
}

/// What a path or URL is called in all output: without credentials.
#[pyfunction]
pub(crate) fn named(path: &str) -> String {
    ovlint::internal::remote::named(path)
}

impl Checked {
    fn analysis(&self) -> &ovlint::Analysis {
        match self {
            Self::AsItIs(analysis) => analysis,
            Self::Fixed(fixed) => fixed.analysis(),
        }
    }
}

impl Analysis {
    fn of(checked: Checked) -> Self {
        let report = Report::from_iter([checked.analysis()]);
        let counts = [Severity::Error, Severity::Warning, Severity::Info].map(|severity| report.count(severity));
        Self { checked, counts }
    }

    fn get(&self) -> &ovlint::Analysis {
        self.checked.analysis()
    }
}

#[pymethods]
impl Analysis {
    /// The name of the network.
    fn name(&self) -> Option<&str> {
        self.get().name()
    }

    /// The findings in a format of the command.
    fn render(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let known = Format::ALL.into_iter().find(|known| known.name() == format);
        let known = known.ok_or_else(|| unknown("format", format, &Format::ALL.map(Format::name)))?;
        unlocked(py, || Report::from_iter([self.get()]).render(known))
    }

    /// The page of `ovlint report`.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        unlocked(py, || Report::from_iter([self.get()]).to_html())
    }

    /// The shapes as text to commit.
    fn snapshot(&self, py: Python<'_>) -> PyResult<String> {
        unlocked(py, || Ok(self.get().shapes()))
    }

    /// The shapes as JSON.
    fn shapes(&self, py: Python<'_>) -> PyResult<String> {
        unlocked(py, || self.get().shapes_json())
    }

    /// Why a tensor has its type and shape.
    fn why(&self, py: Python<'_>, tensor: &str, depth: usize) -> PyResult<Why> {
        unlocked(py, || {
            let why = self.get().why(tensor, depth)?;
            Ok(Why { text: why.to_string(), json: why.to_json()?, is_cut: why.is_cut() })
        })
    }

    /// For which shapes of its inputs the model works.
    fn inputs(&self, py: Python<'_>) -> PyResult<Inputs> {
        unlocked(py, || {
            let inputs = self.get().inputs()?;
            let (text, json) = (inputs.to_string(), inputs.to_json()?);
            Ok(Inputs { text, json, is_complete: inputs.is_complete(), works: inputs.works() })
        })
    }

    /// What the model costs.
    fn cost(&self, py: Python<'_>) -> PyResult<Cost> {
        unlocked(py, || {
            let cost = self.get().cost()?;
            Ok(Cost { text: cost.to_string(), json: cost.to_json()?, macs: cost.macs() })
        })
    }

    /// What differs from this model to a newer one.
    fn diff(&self, py: Python<'_>, new: &Self, level: &str) -> PyResult<Diff> {
        let level = match level {
            "interface" => DiffLevel::Interface,
            "shapes" => DiffLevel::Shapes,
            "graph" => DiffLevel::Graph,
            "weights" => DiffLevel::Weights,
            "bytes" => DiffLevel::Bytes,
            _ => return Err(unknown("level", level, &["interface", "shapes", "graph", "weights", "bytes"])),
        };
        unlocked(py, || {
            let diff = self.get().diff(new.get(), level)?;
            let unread = diff.unread().map(|(count, because)| (count, because.to_owned()));
            Ok(Diff { text: diff.to_string(), json: diff.to_json()?, is_empty: diff.is_empty(), unread })
        })
    }
}

/// Why a tensor has its type and shape.
#[pyclass(frozen, get_all, module = "ovlint._native")]
pub(crate) struct Why {
    text: String,
    json: String,
    is_cut: bool,
}

/// For which shapes of its inputs a model works.
#[pyclass(frozen, get_all, module = "ovlint._native")]
pub(crate) struct Inputs {
    text: String,
    json: String,
    is_complete: bool,
    works: Option<bool>,
}

/// What a model costs.
#[pyclass(frozen, get_all, module = "ovlint._native")]
pub(crate) struct Cost {
    text: String,
    json: String,
    macs: Option<u128>,
}

/// What differs between two models.
#[pyclass(frozen, get_all, module = "ovlint._native")]
pub(crate) struct Diff {
    text: String,
    json: String,
    is_empty: bool,
    unread: Option<(usize, String)>,
}

/// A model with its fixes applied in memory.
#[pyclass(frozen, module = "ovlint._native")]
pub(crate) struct Fixed(Arc<ovlint::Fixed>);

#[pymethods]
impl Fixed {
    /// Checks a model and applies its fixes.
    #[staticmethod]
    fn of(
        py: Python<'_>,
        path: PathBuf,
        xml: Option<PyBackedBytes>,
        weights: &Weights,
        options: &Options,
        level: &str,
    ) -> PyResult<Self> {
        let level = match level {
            "safe" => Applicability::Safe,
            "all" => Applicability::Unsafe,
            _ => return Err(unknown("level", level, &["safe", "all"])),
        };
        match analyse(py, path, xml, weights, options)?.checked {
            Checked::AsItIs(analysis) => unlocked(py, || analysis.fix(level)).map(|fixed| Self(Arc::new(fixed))),
            Checked::Fixed(fixed) => Ok(Self(fixed)),
        }
    }

    /// The model with the fixes.
    fn analysis(&self) -> Analysis {
        Analysis::of(Checked::Fixed(Arc::clone(&self.0)))
    }

    /// The XML with the fixes.
    fn xml(&self) -> &[u8] {
        self.0.xml()
    }

    /// The unified diff from the file.
    fn diff(&self, py: Python<'_>) -> PyResult<String> {
        unlocked(py, || Ok(self.0.diff()))
    }

    /// The rule of every finding that was fixed.
    fn applied(&self) -> Vec<&'static str> {
        self.0.applied().map(Rule::name).collect()
    }

    /// The rule of every finding whose fix does not hold, and why.
    fn refused(&self) -> Vec<(&'static str, String)> {
        self.0.refused().map(|(rule, refusal)| (rule.name(), refusal)).collect()
    }

    /// Whether every fix was tried.
    fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    /// Replaces the file.
    fn write(&self, py: Python<'_>) -> PyResult<()> {
        unlocked(py, || self.0.write())
    }
}

/// What there is to know of a rule.
#[pyclass(frozen, get_all, module = "ovlint._native")]
pub(crate) struct RuleInfo {
    name: &'static str,
    group: &'static str,
    severity: &'static str,
    runtime: &'static str,
    fix: Option<&'static str>,
    is_opt_in: bool,
    summary: &'static str,
    explanation: String,
}

/// All rules.
#[pyfunction]
pub(crate) fn rules() -> Vec<RuleInfo> {
    let known = |rule: Rule| RuleInfo {
        name: rule.name(),
        group: rule.group().name(),
        severity: rule.severity().name(),
        runtime: rule.runtime().name(),
        fix: rule.fix().map(|fix| if fix == Applicability::Safe { "safe" } else { "unsafe" }),
        is_opt_in: rule.is_opt_in(),
        summary: rule.summary(),
        explanation: rule.explanation(),
    };
    Rule::all().map(known).collect()
}
