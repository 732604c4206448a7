//! A checked, fixed or edited model with its answers, and the rules, as Python classes.

use crate::failure::{contained_here, unknown, unless, unlocked};
use crate::options::Options;
use crate::weights::Weights;
use ovlint::{Applicability, DiffLevel, Direction, Drawing, Error, Format, Language, Report, Rule, Severity};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

/// One model, checked, and how many errors, warnings and infos it has that do not follow from others.
#[pyclass(frozen, module = "ovlint._native")]
pub(crate) struct Analysis {
    checked: Checked,
    #[pyo3(get)]
    counts: [usize; 3],
}

#[derive(Clone)]
pub(crate) enum Checked {
    AsItIs(Arc<ovlint::Analysis>),
    Fixed(Arc<ovlint::Fixed>),
    Edited(Arc<ovlint::Edited>),
    Reduced(Arc<ovlint::Reduced>),
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
    let open = opening(path, xml, weights, options);
    // All in one go: to take the GIL again costs more than to count.
    let work = || open().map(|analysis| Analysis::of(Checked::AsItIs(Arc::new(analysis))));
    let analysis = unless(py, || options.is_stopped(), work);
    weights.raised.take().map_or(analysis, Err)
}

/// A model that a path stands for.
#[pyclass(frozen, module = "ovlint._native")]
pub(crate) struct Found(pub(crate) ovlint::Found);

#[pymethods]
impl Found {
    /// The path, a URL with all of its slashes.
    #[getter]
    fn path(&self) -> &OsStr {
        self.0.path().as_os_str()
    }

    /// Reads, infers and checks the model.
    fn analysis(&self, py: Python<'_>, options: &Options) -> PyResult<Analysis> {
        let (found, given) = (self.0.clone(), options.given.clone());
        let work = move || found.open(&given).map(|analysis| Analysis::of(Checked::AsItIs(Arc::new(analysis))));
        unless(py, || options.is_stopped(), work)
    }
}

/// What reads, infers and checks a model.
pub(crate) fn opening(
    path: PathBuf,
    xml: Option<PyBackedBytes>,
    weights: &Weights,
    options: &Options,
) -> impl FnOnce() -> Result<ovlint::Analysis, Error> + Send + 'static {
    let options = options.given.clone().weights(weights.given.clone());
    move || match xml {
        Some(xml) => ovlint::Analysis::from_bytes(path, &*xml, &options),
        None => ovlint::Analysis::open(path, &options),
    }
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
            Self::Edited(edited) => edited.analysis(),
            Self::Reduced(reduced) => reduced.analysis(),
        }
    }
}

impl Analysis {
    pub(crate) fn of(checked: Checked) -> Self {
        let report = Report::from_iter([checked.analysis()]);
        let counts = [Severity::Error, Severity::Warning, Severity::Info].map(|severity| report.count(severity));
        Self { checked, counts }
    }

    /// A model that something else checked.
    pub(crate) fn shared(analysis: Arc<ovlint::Analysis>) -> Self {
        Self::of(Checked::AsItIs(analysis))
    }

    /// What the model answers.
    fn ask<R: Send + 'static>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&ovlint::Analysis) -> Result<R, Error> + Send + 'static,
    ) -> PyResult<R> {
        let checked = self.checked.clone();
        unlocked(py, move || question(checked.analysis()))
    }
}

#[pymethods]
impl Analysis {
    /// The name of the network.
    fn name(&self) -> Option<&str> {
        self.checked.analysis().name()
    }

    /// The number of layers, the inputs, and the bytes of the weights.
    fn sizes(&self, py: Python<'_>) -> PyResult<(Option<usize>, Option<String>, Option<u64>)> {
        contained_here(py, || {
            let analysis = self.checked.analysis();
            let inputs = analysis.ends(Direction::Input).map(|(name, fact)| format!("{name} {fact}"));
            let inputs: Vec<String> = inputs.collect();
            let inputs = (!inputs.is_empty()).then(|| inputs.join(", "));
            Ok((analysis.layers(), inputs, analysis.weights_size()))
        })
    }

    /// The findings in a format of the command.
    fn render(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let known = Format::ALL.into_iter().find(|known| known.name() == format);
        let known = known.ok_or_else(|| unknown("format", format, &Format::ALL.map(Format::name)))?;
        self.ask(py, move |analysis| Report::from_iter([analysis]).render(known))
    }

    /// The page of `ovlint report`.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |analysis| Report::from_iter([analysis]).to_html())
    }

    /// The inferred shapes and types: as text to commit, and as JSON.
    fn shapes(&self, py: Python<'_>) -> PyResult<Shapes> {
        self.ask(py, |analysis| Ok(Shapes { text: analysis.shapes(), json: analysis.shapes_json()? }))
    }

    /// The card of the model.
    fn info(&self, py: Python<'_>) -> PyResult<View> {
        self.ask(py, |analysis| Ok(View::of(&analysis.info()?)))
    }

    /// All that is known of a layer.
    fn inspect(&self, py: Python<'_>, layer: String, elements: usize) -> PyResult<View> {
        self.ask(py, move |analysis| Ok(View::of(&analysis.inspect(&layer, elements)?)))
    }

    /// A drawing of the model, or of a part of it.
    fn graph(
        &self,
        py: Python<'_>,
        format: &str,
        around: Option<String>,
        hops: usize,
        consts: bool,
        max_nodes: usize,
    ) -> PyResult<String> {
        let language = match format {
            "dot" => Language::Dot,
            "mermaid" => Language::Mermaid,
            "svg" => Language::Svg,
            _ => return Err(unknown("format", format, &["dot", "mermaid", "svg"])),
        };
        let drawing = Drawing { language, around, hops, consts, max_nodes };
        self.ask(py, move |analysis| analysis.graph(&drawing))
    }

    /// Why a tensor has its type and shape.
    fn why(&self, py: Python<'_>, tensor: String, depth: usize) -> PyResult<Why> {
        self.ask(py, move |analysis| {
            let why = analysis.why(&tensor, depth)?;
            Ok(Why { text: why.to_string(), json: why.to_json()?, is_cut: why.is_cut() })
        })
    }

    /// For which shapes of its inputs the model works.
    fn inputs(&self, py: Python<'_>) -> PyResult<Inputs> {
        self.ask(py, |analysis| {
            let inputs = analysis.inputs()?;
            let (text, json) = (inputs.to_string(), inputs.to_json()?);
            Ok(Inputs { text, json, is_complete: inputs.is_complete(), works: inputs.works() })
        })
    }

    /// What the model costs.
    fn cost(&self, py: Python<'_>) -> PyResult<Cost> {
        self.ask(py, |analysis| {
            let cost = analysis.cost()?;
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
        let new = new.checked.clone();
        self.ask(py, move |analysis| {
            let diff = analysis.diff(new.analysis(), level)?;
            let unread = diff.unread().map(|(count, because)| (count, because.to_owned()));
            Ok(Diff { text: diff.to_string(), json: diff.to_json()?, is_empty: diff.is_empty(), unread })
        })
    }

    /// Itself: nothing changes it.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

/// The inferred shapes and types of a model.
#[pyclass(frozen, get_all, module = "ovlint._native")]
pub(crate) struct Shapes {
    text: String,
    json: String,
}

/// The card of a model, or all that is known of a layer.
#[pyclass(frozen, get_all, module = "ovlint._native")]
pub(crate) struct View {
    text: String,
    json: String,
}

impl View {
    fn of(view: &ovlint::View) -> Self {
        Self { text: view.to_string(), json: view.to_json().to_owned() }
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
        let open = opening(path, xml, weights, options);
        unlocked(py, move || open()?.fix(level)).map(|fixed| Self(Arc::new(fixed)))
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
        let fixed = Arc::clone(&self.0);
        unlocked(py, move || Ok(fixed.diff()))
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

    /// Replaces the file. A signal waits until that is done or has failed.
    fn write(&self, py: Python<'_>) -> PyResult<()> {
        contained_here(py, || self.0.write())
    }

    /// Itself: nothing changes it.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

/// An edited model in memory.
#[pyclass(frozen, module = "ovlint._native")]
pub(crate) struct Edited(Arc<ovlint::Edited>);

#[pymethods]
impl Edited {
    /// Reads a model and gives its inputs other shapes.
    #[staticmethod]
    fn reshaped(
        py: Python<'_>,
        path: PathBuf,
        xml: Option<PyBackedBytes>,
        weights: &Weights,
        options: &Options,
        shapes: String,
        sizes: String,
    ) -> PyResult<Self> {
        let open = opening(path, xml, weights, options);
        unlocked(py, move || open()?.reshape(&shapes, &sizes)).map(|edited| Self(Arc::new(edited)))
    }

    /// Reads a model and extracts a part of it.
    #[staticmethod]
    #[allow(clippy::too_many_arguments, reason = "Python names them")]
    fn extracted(
        py: Python<'_>,
        path: PathBuf,
        xml: Option<PyBackedBytes>,
        weights: &Weights,
        options: &Options,
        around: Vec<String>,
        hops: usize,
        from: Vec<String>,
        to: Vec<String>,
        add_output: Vec<String>,
    ) -> PyResult<Self> {
        let open = opening(path, xml, weights, options);
        let part = ovlint::Extraction { around, hops, from, to, add_output, ..Default::default() };
        unlocked(py, move || open()?.extract(&part)).map(|edited| Self(Arc::new(edited)))
    }

    /// The edited model.
    fn analysis(&self) -> Analysis {
        Analysis::of(Checked::Edited(Arc::clone(&self.0)))
    }

    /// The edited XML.
    fn xml(&self) -> &[u8] {
        self.0.xml()
    }

    /// The weights, unless they are those of the original.
    fn weights(&self) -> Option<&[u8]> {
        self.0.weights()
    }

    /// The unified diff from the original.
    fn diff(&self) -> &str {
        self.0.diff()
    }

    /// A line for every change.
    fn changes(&self) -> Vec<String> {
        self.0.changes().map(str::to_owned).collect()
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
