//! The analysis of one file: read, infer, check.

mod input_shapes;
mod options;
mod reshaped;

pub use input_shapes::InputShapes;
pub use options::Options;

use crate::causes;
use crate::diagnostic::{Diagnostic, LIMIT_EXCEEDED, Note, Severity, Sink, pardon, settle, withdraw_loads};
use crate::domain::Names;
use crate::fault;
use crate::infer::{By, Facts, Scope, Symbolic, Terms, infer, structure};
use crate::ir::rules::UNREADABLE_FILE;
use crate::ir::walk::{Visit, layers};
use crate::ir::{Net, OpenError, Weights, open, read};
use crate::limits::Limits;
use crate::lint::advisories::REPORTED_DEFECT;
use crate::lint::device_operations::DEVICE_OPERATION;
use crate::lint::shapes::DYNAMIC_INPUT_FOR_DEVICE;
use crate::lint::{self, Checked, OpenVino};
use crate::remote::is_remote;
use crate::source::{Source, Span};
use crate::types::Targets;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The error for a file that cannot be checked as asked.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}", path.display())]
pub struct Error {
    /// The file.
    pub path: PathBuf,
    /// The cause.
    #[source]
    pub cause: Cause,
}

/// The reason why a file cannot be checked as asked.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// The file or its weights cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// [`Options::shapes`] does not fit the inputs of the model.
    #[error("{0}")]
    Shapes(String),
}

impl Error {
    pub(crate) fn open(path: &Path, cause: OpenError) -> Self {
        Self { path: path.to_owned(), cause: cause.into() }
    }

    /// Returns the error as a finding, for reports; `None` if the fault is not in the file.
    pub fn finding(&self) -> Option<Diagnostic> {
        let Cause::Open(cause) = &self.cause else { return None };
        let rule = match cause {
            OpenError::Io(_) | OpenError::Weights(_) => &UNREADABLE_FILE,
            OpenError::TooLarge(_) => &LIMIT_EXCEEDED,
        };
        let message = format!("cannot read {}: {cause}", self.path.display());
        let finding = Diagnostic::new(rule, Span::default(), message);
        Some(match cause {
            OpenError::Weights(_) => finding.help("skip weight checks with `--weights skip`"),
            _ => finding,
        })
    }
}

/// A file, its graph, its facts, and the findings about it.
#[derive(Debug)]
pub struct Model {
    source: Source,
    weights: Arc<Weights>,
    net: Option<Net>,
    facts: Option<Facts>,
    findings: Vec<Diagnostic>,
    options: Options,
}

impl Model {
    /// Opens, infers and checks the IR at `path`, with the weights that the options select.
    ///
    /// Missing weights are a finding. It is an error if existing weights cannot be read, or if [`Options::shapes`] does not fit
    /// the inputs.
    pub fn open(path: &Path, options: &Options) -> Result<Self, Error> {
        fault::panic_if_due(path);
        let bounds = options.bounds.as_ref();
        let may_open = bounds.map_or(Ok(()), |bounds| bounds.check_link(path)).map_err(OpenError::Io);
        let source = may_open.and_then(|()| open(path, &options.limits)).map_err(|cause| Error::open(path, cause))?;
        let fetched = if is_remote(path) { source.bytes().len() as u64 } else { 0 };
        let left = Limits { fetched: options.limits.fetched.saturating_sub(fetched), ..options.limits };
        let weights = Weights::open(path, &options.weights, bounds, &left).into();
        let model = Self::of(source, weights, options, Sink::new(options.limits.findings))?;
        model.intact()?;
        Ok(model)
    }

    /// Fails if the files could not be read again, or changed since they were opened. Findings may then be wrong, so call it
    /// after the last use of a model.
    pub fn intact(&self) -> Result<(), Error> {
        if let Some(error) = self.source.failure() {
            let cause = OpenError::Io(std::io::Error::new(error.kind(), error.to_string()));
            return Err(Error::open(self.source.path(), cause));
        }
        let path = self.weights.path.as_deref().unwrap_or(Path::new(""));
        self.weights.failure().map_or(Ok(()), |error| Err(Error::open(path, OpenError::Weights(error))))
    }

    /// Infers and checks an IR in memory.
    pub fn from_bytes(
        name: impl Into<PathBuf>,
        xml: Vec<u8>,
        weights: Weights,
        options: &Options,
    ) -> Result<Self, Error> {
        Self::of(crate::ir::decode(name, xml), weights.into(), options, Sink::new(options.limits.findings))
    }

    /// Checks another text, already in UTF-8, with the same weights. Reports consequences in full, because they may have fixes.
    pub(crate) fn edited(&self, xml: Vec<u8>) -> Result<Self, Error> {
        self.rewritten(xml, None)
    }

    /// Checks another text with other weights, if given.
    pub(crate) fn rewritten(&self, xml: Vec<u8>, weights: Option<Weights>) -> Result<Self, Error> {
        let sink = Sink::in_full(self.options.limits.findings);
        let weights = weights.map_or_else(|| Arc::clone(&self.weights), Arc::new);
        Self::of(Source::new(self.source.path(), xml), weights, &self.options, sink)
    }

    /// Checks another text with the same weights and other input shapes.
    pub(crate) fn with_text(&self, xml: Vec<u8>, shapes: InputShapes) -> Result<Self, Error> {
        let options = Options { shapes, symbolic: false, ..self.options.clone() };
        let sink = Sink::new(options.limits.findings);
        Self::of(Source::new(self.source.path(), xml), Arc::clone(&self.weights), &options, sink)
    }

    /// Checks the model without weights.
    pub(crate) fn without_weights(&self) -> Result<Self, Error> {
        self.analyze_again(Weights::default().into(), &self.options)
    }

    /// Checks the same file with other input shapes.
    pub(crate) fn reshaped(&self, shapes: InputShapes) -> Result<Self, Error> {
        self.analyze_again(Arc::clone(&self.weights), &Options { shapes, symbolic: false, ..self.options.clone() })
    }

    /// Infers again with symbols for dimensions.
    pub(crate) fn with_symbols(&self) -> Result<Self, Error> {
        self.analyze_again(Arc::clone(&self.weights), &Options { symbolic: true, ..self.options.clone() })
    }

    /// Infers again with symbols, in an order that does not depend on the file, unless this was done.
    pub(crate) fn stable(&self) -> Option<Self> {
        let options = Options { symbolic: true, stable: true, ..self.options.clone() };
        (!self.options.stable).then(|| self.analyze_again(Arc::clone(&self.weights), &options).ok()).flatten()
    }

    /// Infers again with symbols for the dynamic dimensions of the file, or of the requested shapes if those are dynamic.
    pub(crate) fn symbolic(&self) -> Result<Self, Error> {
        let asked = &self.options.shapes;
        let shapes = if asked.are_static() { InputShapes::default() } else { asked.clone() };
        self.analyze_again(Arc::clone(&self.weights), &Options { shapes, symbolic: true, ..self.options.clone() })
    }

    /// Infers again with symbols for the fixed dimensions that `shapes` changes; `None` if it changes none, or if the model has
    /// errors then.
    pub(crate) fn opened(&self, shapes: &InputShapes) -> Option<Self> {
        let shapes = shapes.opened(self)?;
        let options = Options { shapes, symbolic: true, ..self.options.clone() };
        self.analyze_again(Arc::clone(&self.weights), &options).ok().filter(|model| !model.has_errors())
    }

    fn analyze_again(&self, weights: Arc<Weights>, options: &Options) -> Result<Self, Error> {
        let source = Source::new(self.source.path(), self.source.bytes().to_vec());
        Self::of(source, weights, options, Sink::new(options.limits.findings))
    }

    fn of(mut source: Source, weights: Arc<Weights>, options: &Options, mut sink: Sink) -> Result<Self, Error> {
        let net = read(&source, &options.limits, &mut sink);
        // The text behind the layers, a fifth of a file, is rarely needed again: the graph now contains its edges.
        let layers_end = net.as_ref().and_then(|net| net.graph.layers.last()).map(|layer| layer.end);
        source.release(layers_end.unwrap_or_default());
        let shapes = net.as_ref().map(|net| options.shapes.resolve(&net.graph, &source, &options.limits)).transpose();
        let shapes = shapes.map_err(|cause| Error { path: source.path().to_owned(), cause: Cause::Shapes(cause) })?;
        let facts = net.as_ref().map(|net| {
            weights.identify(|| net.graph.weights_end());
            let mut facts = if options.no_infer {
                structure(net, &source, &weights, &options.limits, &mut sink)
            } else {
                let (shapes, extension_ops) = (shapes.as_ref(), options.extension_ops.as_ref());
                let symbolic = if options.symbolic { Symbolic::Always } else { Symbolic::IfDynamic };
                let by = if options.stable { By::Structure } else { By::File };
                let terms = Terms { shapes, extension_ops, symbolic, by, ..Terms::default() };
                infer(net, &source, &weights, &options.limits, &terms, &mut sink)
            };
            let scope =
                Scope { source: &source, graph: &net.graph, weights: &weights, limits: &options.limits, body: &[] };
            let symbols = if options.symbolic { None } else { facts.take_symbols() };
            let openvino = OpenVino::new(net, scope, options.lint(), facts.plan());
            let checked = Checked::new(scope, net, &facts, options.lint(), &openvino);
            let declared = lint::check(&checked, net, &mut sink);
            if let Some(symbols) = symbols.as_deref().or(facts.symbols()) {
                lint::demands::check(&checked, symbols, &mut sink);
            }
            causes::find(&checked, net, &declared, &mut sink);
            facts
        });
        let mut findings = sink.into_sorted();
        let mut new_faults = BTreeSet::new();
        if let Some((net, facts)) = net.as_ref().zip(facts.as_ref()) {
            let again = |shapes: Option<&lint::static_sizes::Shapes>, symbolic| {
                let (extension_ops, mut sink) = (options.extension_ops.as_ref(), Sink::new(options.limits.findings));
                let terms = Terms { shapes, extension_ops, plan: Some(facts.plan()), symbolic, ..Terms::default() };
                let facts = infer(net, &source, &weights, &options.limits, &terms, &mut sink);
                (facts, sink.into_sorted())
            };
            if !options.no_infer {
                let symbolic = || again(shapes.as_ref(), Symbolic::IfDynamic).0;
                lint::declared::withdraw(&mut findings, &net.graph, symbolic);
                lint::expressed::express(&mut findings, &net.graph, &source, facts, symbolic);
                let new = |known: &[Diagnostic], finding: &Diagnostic| {
                    let is_same = |one: &Diagnostic| reshaped::identity(one) == reshaped::identity(finding);
                    finding.severity > Severity::Info && !known.iter().any(is_same)
                };
                let works = |known: &[Diagnostic], shapes: &_| {
                    !again(Some(shapes), Symbolic::Never).1.iter().any(|finding| new(known, finding))
                };
                lint::static_sizes::suggest(&mut findings, &net.graph, &source, symbolic, works);
            }
            if !options.shapes.is_empty() {
                new_faults = reshaped::new_faults(&findings, || again(None, Symbolic::Never).1);
            }
        }
        settle(&mut findings, options.target, |finding| new_faults.contains(&reshaped::identity(finding)));
        // A length that ovlint does not infer shows that OpenVINO may know more.
        let is_puzzling = findings.iter().any(|finding| finding.rule == &lint::rules::DECLARED_STATIC);
        if is_puzzling {
            withdraw_loads(&mut findings);
        } else if !options.no_infer && options.shapes.is_empty() {
            pardon(&mut findings, options.target);
        }
        Ok(Self { source, weights, net, facts, findings, options: options.clone() })
    }

    /// Adds notes to the finding at an index.
    #[must_use]
    pub fn with_notes(mut self, finding: usize, notes: impl IntoIterator<Item = String>) -> Self {
        if let Some(finding) = self.findings.get_mut(finding) {
            finding.notes.extend(notes.into_iter().map(Note::from));
        }
        self
    }

    /// Lowers errors to warnings if the file could not be read as a model, for a file that the user did not name.
    #[must_use]
    pub fn in_doubt(mut self) -> Self {
        if self.net.is_none() {
            for finding in &mut self.findings {
                finding.severity = finding.severity.min(Severity::Warning);
            }
        }
        self
    }

    /// The releases that must read the file, if any are given.
    pub(crate) fn targets(&self) -> Option<Targets> {
        self.options.target
    }

    /// Whether shapes were inferred.
    pub(crate) fn is_inferred(&self) -> bool {
        !self.options.no_infer
    }

    /// Whether the absence of a finding is proof: shapes were inferred from the declared inputs, with the weights.
    pub fn is_checked_in_full(&self) -> bool {
        let has_weights = |net: &Net| {
            let is_readable = self.weights.is_available() && self.weights.foreign_format().is_none();
            is_readable || net.graph.weights_end() == 0
        };
        self.is_inferred() && self.options.shapes.is_empty() && self.net.as_ref().is_some_and(has_weights)
    }

    /// Whether a rule was checked: some rules need a release or a device in the options.
    pub(crate) fn looks_for(&self, rule: &str) -> bool {
        let (target, device) = (self.options.target.is_some(), self.options.device.is_some());
        (target || !lint::target::RULES.iter().any(|one| one.name == rule))
            && (device
                || ![&DYNAMIC_INPUT_FOR_DEVICE, &DEVICE_OPERATION, &REPORTED_DEFECT].iter().any(|one| one.name == rule))
    }

    /// Returns the text of the file, and drops everything else.
    pub(crate) fn into_source(self) -> Source {
        self.source
    }

    /// Returns the text of the file.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the weights file.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Returns the graph and the other content of the file; `None` if it is not an IR or its XML is broken.
    pub fn net(&self) -> Option<&Net> {
        self.net.as_ref()
    }

    /// Visits all layers with their facts, including the layers of bodies.
    pub(crate) fn layers(&self) -> impl Iterator<Item = Visit<'_, &Facts>> {
        self.net().zip(self.facts()).into_iter().flat_map(|(net, facts)| layers(&net.graph, facts))
    }

    /// Returns the facts of all outputs.
    pub fn facts(&self) -> Option<&Facts> {
        self.facts.as_ref()
    }

    /// Returns the names of symbols; `None` without symbolic inference.
    pub(crate) fn names(&self) -> Option<Names<'_>> {
        let (net, facts) = (self.net.as_ref()?, self.facts.as_ref()?);
        Some(Names::of(&net.graph, &self.source, facts, &facts.symbols()?.expressions))
    }

    /// Returns the findings, sorted by position.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.findings
    }

    /// Returns the numbers of layers and of their outputs, including those of bodies.
    pub fn size(&self) -> (usize, usize) {
        match (&self.net, &self.facts) {
            (Some(net), Some(facts)) => (net.graph.layer_count(), facts.output_count()),
            _ => (0, 0),
        }
    }

    /// Whether any finding is an error.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }
}
