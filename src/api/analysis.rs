//! The analysis of one model, in the public API.

use super::cost::Cost;
use super::diff::Diff;
use super::edited::Edited;
use super::error::{self, Error, ErrorKind};
use super::finding::Finding;
use super::fixed::Fixed;
use super::inputs::Inputs;
use super::layer::{self, Output};
use super::options::{Options, Weights};
use super::reduced::{Reduced, Reduction};
use super::view::{Drawing, View};
use super::why::Why;
use crate::analysis::{self, Model};
use crate::cut::Extraction;
use crate::diagnostic::{Applicability, Diagnostic, Direction, Severity};
use crate::fix;
use crate::ir;
use crate::pipeline::InPipeline;
use crate::query;
use crate::query::diff::Level as DiffLevel;
use crate::query::snapshot::text::snapshot;
use crate::remote::named_path;
use crate::report::views::shapes::json;
use crate::types::{Fact, bare_fact};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A checked model: its findings, and the shape and type of every output.
///
/// ```
/// use ovlint::{Analysis, Options};
///
/// let analysis = Analysis::open("ir-samples/bad/declared-shape/model.xml", &Options::new())?;
/// assert!(analysis.has_errors());
/// for finding in analysis.findings() {
///     println!("{}:{finding}", analysis.path().display());
/// }
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Debug)]
pub struct Analysis {
    pub(super) model: Model,
    path: PathBuf,
    options: Options,
    /// The findings after the settings (severities, ignores) are applied; `None` if the settings change nothing.
    findings: Option<Vec<Diagnostic>>,
    elapsed: Duration,
}

impl Analysis {
    /// Reads, infers and checks the model at `path`, which may also be the URL of a model on a server. [`path`](Self::path)
    /// and all reports name it without credentials.
    ///
    /// That a file is not an IR, or a broken one, is a finding, not an error.
    ///
    /// # Errors
    /// [`ErrorKind::Unreadable`] or [`ErrorKind::TooLarge`] if the file, or weights that are needed, cannot be read;
    /// [`ErrorKind::InputShapes`] if [`Options::input_shapes`] does not fit its inputs.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Self, Error> {
        let (path, start) = (&*named_path(path.as_ref()), Instant::now());
        if let Weights::Bytes(_) | Weights::Memory(_) | Weights::Store { .. } = options.weights {
            let xml = ir::read_xml(path, &options.reading.limits);
            let xml = xml.map_err(|cause| error::of_model(analysis::Error::open(path, cause)))?;
            return Self::from_bytes(path, xml, options);
        }
        let model = Model::open(path, &options.for_file(path)).map_err(error::of_model)?;
        Self::new(model, path, options, start, None)
    }

    /// Infers and checks a model in memory. `path` is not read: it names the model in reports, and selects settings that the
    /// options have for some paths.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_bytes(path: impl Into<PathBuf>, xml: impl Into<Vec<u8>>, options: &Options) -> Result<Self, Error> {
        let (path, start) = (named_path(&path.into()), Instant::now());
        let weights = match &options.weights {
            Weights::Auto | Weights::Skip => ir::Weights::default(),
            Weights::File(_) => ir::Weights::open(&path, &options.reading.weights, None, &options.reading.limits),
            Weights::Bytes(bytes) => ir::Weights::shared(Arc::clone(bytes)),
            Weights::Memory(memory) => ir::Weights::in_foreign_memory(Arc::clone(memory)),
            Weights::Store { path, store } => {
                ir::Weights::in_store(named_path(path), store.clone(), &options.reading.limits)
            }
        };
        let model = Model::from_bytes(&path, xml.into(), weights, &options.for_file(&path));
        Self::new(model.map_err(error::of_model)?, &path, options, start, None)
    }

    pub(super) fn new(
        model: Model,
        path: &Path,
        options: &Options,
        start: Instant,
        pipeline: Option<&InPipeline>,
    ) -> Result<Self, Error> {
        let findings = match options.settings.judge_in(path, &model, pipeline).findings {
            Cow::Borrowed(_) => None,
            Cow::Owned(findings) => Some(findings),
        };
        model.intact().map_err(error::of_model)?;
        Ok(Self { model, path: path.to_owned(), options: options.clone(), findings, elapsed: start.elapsed() })
    }

    /// Returns the path as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the name of the network; `None` if the file could not be read as an IR.
    pub fn name(&self) -> Option<&str> {
        self.model.net().map(|net| net.name.as_str())
    }

    /// Returns the findings in file order.
    pub fn findings(&self) -> impl ExactSizeIterator<Item = Finding<'_>> {
        self.diagnostics().iter().map(|inner| Finding::new(self.model.source(), inner))
    }

    pub(super) fn diagnostics(&self) -> &[Diagnostic] {
        self.findings.as_deref().unwrap_or(self.model.findings())
    }

    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Whether any finding is an error.
    pub fn has_errors(&self) -> bool {
        self.findings().any(|finding| finding.severity() == Severity::Error)
    }

    /// Returns every output of every layer with its inferred type and shape, in file order. The layers of a body follow the
    /// layer that contains it. Empty if the file could not be read as an IR.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = Output<'_>> {
        layer::outputs(&self.model).into_iter()
    }

    /// Returns the number of layers, including those of bodies; `None` if the file could not be read as an IR.
    pub fn layers(&self) -> Option<usize> {
        self.model.net().map(|net| net.graph.layer_count())
    }

    /// Returns the inputs or the outputs of the model as OpenVINO shows them, in the order of the file: the name of the layer, and
    /// the type and shape, such as `f32[1,?,3..8]`.
    pub fn ends(&self, direction: Direction) -> impl ExactSizeIterator<Item = (String, String)> {
        let ends = query::ends(&self.model, direction).into_iter();
        ends.map(|end| (end.layer, bare_fact(&end.fact.unwrap_or_else(Fact::unknown))))
    }

    /// Returns the size of the weights file in bytes; `None` if there is none.
    pub fn weights_size(&self) -> Option<u64> {
        let weights = self.model.weights();
        weights.is_available().then(|| weights.size())
    }

    /// Returns the shapes of the model as text to commit, as `ovlint snapshot` writes it: without ids, lines and offsets.
    ///
    /// ```
    /// use ovlint::{Analysis, Options};
    ///
    /// let analysis = Analysis::open("ir-samples/models/split.xml", &Options::new())?;
    /// assert!(analysis.shapes().contains("split_3  Split  :0..2 f32[6, 4, 10, 24]"));
    /// # Ok::<(), ovlint::Error>(())
    /// ```
    pub fn shapes(&self) -> String {
        snapshot(&self.model)
    }

    /// Returns the shapes of the model as the JSON that `ovlint shapes --format json` prints. `ovlint generate schema shapes`
    /// prints its schema.
    ///
    /// # Errors
    /// [`ErrorKind::Unwritable`] if the data cannot be serialised.
    pub fn shapes_json(&self) -> Result<String, Error> {
        json(&self.model, &self.path).map_err(|error| Error::new(ErrorKind::Unwritable, error))
    }

    /// Returns the input shapes for which the model works, and the layers that reject others. If [`Options::input_shapes`] are
    /// static, [`Inputs::works`] says whether the model works for them. The model is inferred again.
    ///
    /// # Errors
    /// [`ErrorKind::Unreadable`] if the file could not be read as an IR, or nothing was inferred.
    pub fn inputs(&self) -> Result<Inputs, Error> {
        Inputs::of(&self.model, &self.path)
    }

    /// Returns the cost of the model: weights, multiplications, memory. The model is inferred again.
    ///
    /// # Errors
    /// [`ErrorKind::Unreadable`] if the file could not be read as an IR, or nothing was inferred.
    pub fn cost(&self) -> Result<Cost, Error> {
        Cost::of(&self.model, &self.path)
    }

    /// Returns the card of the model: its interface, its operations, its weights, and the releases that read it. Its text and
    /// JSON are those of `ovlint info`.
    ///
    /// # Errors
    /// [`ErrorKind::Unreadable`] if the file could not be read as an IR.
    pub fn info(&self) -> Result<View, Error> {
        self.shown(View::of_model(&self.model, &self.path))
    }

    /// Returns all that is known of a layer, with up to `elements` elements of each value (`ovlint inspect` shows 16). The layer
    /// is named as for [`why`](Self::why), or by its id.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] if there is no such layer; [`ErrorKind::Unreadable`] if nothing was inferred.
    pub fn inspect(&self, layer: &str, elements: usize) -> Result<View, Error> {
        self.shown(View::of_layer(&self.model, &self.path, layer, elements))
    }

    /// Draws the model or a part of it, as `ovlint graph` does.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] if there is no such layer or the drawing exceeds its limit; [`ErrorKind::Unreadable`] if nothing
    /// was inferred.
    pub fn graph(&self, drawing: &Drawing) -> Result<String, Error> {
        self.shown(drawing.draw(&self.model, &self.path))
    }

    /// Returns an answer that may come from weights, unless a file changed meanwhile.
    fn shown<T>(&self, answer: Result<T, Error>) -> Result<T, Error> {
        self.model.intact().map_err(error::of_model)?;
        answer
    }

    /// Returns the smallest model found that still has a finding of this one. Its layers are a subset of the layers here;
    /// inputs and Results replace their connections to others.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] if there is no such finding, or the model is not a graph.
    pub fn reduce(&self, reduction: &Reduction) -> Result<Reduced, Error> {
        Reduced::of(self, reduction)
    }

    /// Gives the inputs other shapes, as [`Options::input_shapes`] takes them, and dimensions other sizes by the names that
    /// [`inputs`](Self::inputs) has: `batch=1,seq=128`. Either may be empty. No file is written; see [`Edited::write`].
    ///
    /// Only the shapes of inputs and what ports declare change. The new text is read and inferred again, and must have no
    /// finding that this model does not have.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] if there is no such input or dimension; [`ErrorKind::Refused`] if OpenVINO rejects the shapes.
    pub fn reshape(&self, shapes: &str, sizes: &str) -> Result<Edited, Error> {
        Edited::reshaped(self, shapes, sizes)
    }

    /// Extracts a part of the model, or adds outputs. No file is written; see [`Edited::write`].
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] if there is no such layer or tensor; [`ErrorKind::Refused`] if the part would have a finding that
    /// this model does not have.
    pub fn extract(&self, part: &Extraction) -> Result<Edited, Error> {
        Edited::extracted(self, part)
    }

    /// Compares this model with a newer one.
    ///
    /// # Errors
    /// [`ErrorKind::Unreadable`] if one of them could not be read as an IR.
    pub fn diff(&self, new: &Self, level: DiffLevel) -> Result<Diff, Error> {
        Diff::of(self, new, level)
    }

    /// Traces the type and shape of a tensor back through up to `depth` layers that compute something (`ovlint why` uses 6).
    ///
    /// `tensor` is the name of a layer or a tensor, `layer:output`, or `loop/body/layer` for one in a body.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] if there is no such tensor or nothing is known of it; [`ErrorKind::Unreadable`] if its
    /// weights cannot be read.
    pub fn why(&self, tensor: &str, depth: usize) -> Result<Why, Error> {
        let found = query::names::Tensor::find(&self.model, tensor);
        let found = found.map_err(|error| Error::new(ErrorKind::Argument, error))?;
        let why = query::why::why(&self.model, &found, depth).map(|why| why.expressed(&self.model));
        self.model.intact().map_err(error::of_model)?;
        let unknown = || Error::new(ErrorKind::Argument, format!("nothing is known of `{tensor}`"));
        Ok(Why::new(why.ok_or_else(unknown)?, &self.path, self.model.weights().path.as_deref()))
    }

    /// Applies all fixes of this level that can be verified. It writes no file; see [`Fixed::write`].
    ///
    /// Every fix is checked on the edited text in memory: its finding must be gone and no other may appear. After an unsafe
    /// fix, new findings are accepted if they are less severe than errors or have a safe fix. Safe fixes change only port
    /// declarations, so that everything inferred stays the same.
    ///
    /// # Errors
    /// [`ErrorKind::Encoding`] if there is something to fix in a file that is not in UTF-8.
    pub fn fix(self, level: Applicability) -> Result<Fixed, Error> {
        let Self { model, path, options, .. } = self;
        let (settings, start) = (&options.settings, Instant::now());
        let fixed = fix::fix(model, level, &|model| settings.judge(&path, model).findings);
        let fixed = fixed.map_err(|error| Error::new(ErrorKind::Encoding, format!("{}: {error}", path.display())))?;
        let fix::Fixed { model, original, edits, applied, refused, is_cut_off } = fixed;
        let analysis = Self::new(model, &path, &options, start, None)?;
        Ok(Fixed { analysis, original, edits, applied, refused, is_complete: !is_cut_off })
    }
}

/// Returns the shapes of the model at `path` as text to commit; short for [`Analysis::shapes`] with the default options.
///
/// ```no_run
/// insta::assert_snapshot!(ovlint::shapes("model.xml")?);
/// # Ok::<(), ovlint::Error>(())
/// ```
///
/// # Errors
/// As [`Analysis::open`].
pub fn shapes(path: impl AsRef<Path>) -> Result<String, Error> {
    Ok(Analysis::open(path, &Options::new())?.shapes())
}
