//! The reduced model, in the public API.

use super::analysis::Analysis;
use super::error::{self, Error, ErrorKind};
use super::finding::Finding;
use super::rule::Rule;
use crate::atomic::Existing;
use crate::diagnostic::Diagnostic;
use crate::edit::{Bin, Bytes, Target};
use crate::ir::Weights;
use crate::reduce::{self, Candidate, Task};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The finding to keep in a reduced model, and the effort.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The rule of the finding; `None` for the worst finding. The options of the analysis must enable the rule.
    pub rule: Option<Rule>,
    /// The layer of the finding, as `loop/body/layer` if it is in a body; `None` for any.
    pub layer: Option<String>,
    /// Set if all remaining constants keep their bytes, however many.
    pub keep_weights: bool,
    /// Set if the names of layers, tensors and variables are replaced.
    pub anonymize: bool,
    /// The maximum number of candidates to try.
    pub max_candidates: usize,
}

/// A reduction to the worst finding, as `ovlint reduce` does without flags.
impl Default for Reduction {
    fn default() -> Self {
        let max_candidates = reduce::CANDIDATES;
        Self { rule: None, layer: None, keep_weights: false, anonymize: false, max_candidates }
    }
}

/// The smallest model found that still has a finding of another one.
///
/// ```
/// use ovlint::{Analysis, Options, Reduction};
///
/// let analysis = Analysis::open("ir-samples/bad/split-lengths-sum/model.xml", &Options::new())?;
/// let reduced = analysis.reduce(&Reduction::default())?;
/// assert_eq!((reduced.layers(), reduced.layers_before()), (5, 7));
/// assert_eq!(reduced.analysis().layers(), Some(5));
/// assert_eq!(reduced.finding().map(|finding| finding.rule().name()), Some("split-lengths-sum"));
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Debug)]
pub struct Reduced {
    inner: reduce::Reduced,
    analysis: Analysis,
}

impl Reduced {
    pub(super) fn of(before: &Analysis, reduction: &Reduction) -> Result<Self, Error> {
        let mut settings = before.options().settings.clone();
        Arc::make_mut(&mut settings).no_suppressions = true;
        let mut task = Task {
            model: &before.model,
            keep_weights: reduction.keep_weights,
            is_anonymous: reduction.anonymize,
            most_candidates: reduction.max_candidates,
            progress: &mut |_, _| {},
        };
        let rule = reduction.rule.map(|rule| rule.0);
        let inner = reduce::by_rule(&mut task, &settings, rule, reduction.layer.as_deref());
        let inner = inner.map_err(|error| Error::new(ErrorKind::Argument, error))?;
        let Candidate { xml, weights, .. } = &inner.model;
        let weights = match weights {
            Bytes::New(bytes) => {
                let mut weights = Weights::in_memory(bytes.clone());
                weights.path.clone_from(&before.model.weights().path);
                Some(weights)
            }
            Bytes::Original(_) => None,
        };
        let model = before.model.rewritten(xml.clone(), weights).map_err(error::of_model)?;
        before.model.intact().map_err(error::of_model)?;
        let analysis = Analysis::new(model, before.path(), before.options(), Instant::now(), None)?;
        Ok(Self { inner, analysis })
    }

    /// Returns the reduced model.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Returns the XML.
    pub fn xml(&self) -> &[u8] {
        &self.inner.model.xml
    }

    /// Returns the weights; `None` if they are those of the original model.
    pub fn weights(&self) -> Option<&[u8]> {
        match &self.inner.model.weights {
            Bytes::New(bytes) => Some(bytes),
            Bytes::Original(_) => None,
        }
    }

    /// Returns the number of layers, without those of bodies.
    pub fn layers(&self) -> usize {
        self.inner.model.layers
    }

    /// Returns the number of layers of the original model, without those of bodies.
    pub fn layers_before(&self) -> usize {
        self.inner.layers_before
    }

    /// Returns the number of candidates that were tried.
    pub fn candidates(&self) -> usize {
        self.inner.candidates
    }

    /// Whether the search came to its end before [`Reduction::max_candidates`].
    pub fn is_complete(&self) -> bool {
        !self.inner.is_cut_off
    }

    /// Whether names were replaced. They are kept if the finding disappears without them.
    pub fn is_anonymous(&self) -> bool {
        self.inner.is_anonymous
    }

    /// Returns the finding that the model was reduced to; `None` if the options hide it in the reduced model.
    pub fn finding(&self) -> Option<Finding<'_>> {
        let kept = self.inner.finding.as_ref()?;
        let is_kept = |one: &&Diagnostic| {
            (one.rule, one.primary.span, &one.message) == (kept.rule, kept.primary.span, &kept.message)
        };
        let found = self.analysis.diagnostics().iter().find(is_kept)?;
        Some(Finding::new(self.analysis.model.source(), found))
    }

    /// Writes the model to a new file that ends in `.xml`, with its weights beside it. Existing files are kept.
    ///
    /// # Errors
    /// [`ErrorKind::Unwritable`]; nothing is then written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        write(path.as_ref(), self.xml(), &self.inner.model.weights, &self.analysis)
    }
}

/// Writes a model to a new file, with its weights beside it: those of `original`, or bytes in memory.
pub(super) fn write(path: &Path, xml: &[u8], weights: &Bytes, original: &Analysis) -> Result<(), Error> {
    let target = Target::of(path, Existing::Keep, Bin::Copy, &[]);
    let written =
        target.and_then(|target| target.write(xml, weights, original.model.weights(), Bin::Copy, &mut |_| {}));
    written.map_err(|error| Error::new(ErrorKind::Unwritable, error))
}
