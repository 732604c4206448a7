//! Findings, in the public API.

use super::layer::LayerRef;
use super::rule::Rule;
use crate::diagnostic::{self, Applicability, Diagnostic, Direction, Runtime, Severity, fingerprint};
use crate::report::words;
use crate::source::{Position, Source};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// A problem found in a model: its position, the value found and the value expected.
///
/// ```
/// use ovlint::{Analysis, Options, Severity};
///
/// let analysis = Analysis::open("ir-samples/bad/declared-shape/model.xml", &Options::new())?;
/// let finding = analysis.findings().next().ok_or("nothing found")?;
/// assert_eq!((finding.rule().name(), finding.severity()), ("declared-shape", Severity::Error));
/// assert_eq!((finding.declared(), finding.inferred()), (Some("f32[6,5]"), Some("f32[6,4]")));
/// let position = finding.position().ok_or("no position")?;
/// assert_eq!((position.line, position.column), (35, 11));
/// assert_eq!(finding.layer().ok_or("no layer")?.name(), "split");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Finding<'a> {
    source: &'a Source,
    inner: &'a Diagnostic,
}

/// The port that a finding is about.
#[derive(Clone, Copy, Debug)]
pub struct PortRef<'a>(&'a diagnostic::PortRef);

impl<'a> Finding<'a> {
    pub(super) fn new(source: &'a Source, inner: &'a Diagnostic) -> Self {
        Self { source, inner }
    }

    /// Returns the rule that is violated.
    pub fn rule(&self) -> Rule {
        Rule(self.inner.rule)
    }

    /// Returns the severity.
    pub fn severity(&self) -> Severity {
        self.inner.severity
    }

    /// Returns what OpenVINO does with such a model.
    pub fn runtime(&self) -> Runtime {
        self.inner.runtime
    }

    /// Returns the problem in one line. It may quote names from the file, control characters included.
    pub fn message(&self) -> &'a str {
        self.inner.message.shown()
    }

    /// Returns the range of the wrong bytes in the XML, in UTF-8; `None` if the finding is about the file as a whole.
    pub fn bytes(&self) -> Option<Range<usize>> {
        let range = self.inner.primary.span.range();
        (range != (0..0)).then_some(range)
    }

    /// Returns the line and column of the first of these bytes. This reads the file up to there.
    pub fn position(&self) -> Option<Position> {
        self.bytes().map(|_| self.source.position(self.inner.primary.span.start))
    }

    /// Returns the layer that the finding is about.
    pub fn layer(&self) -> Option<LayerRef<'a>> {
        self.inner.layer.as_ref().map(|layer| LayerRef::new(self.source, layer))
    }

    /// Returns the port that the finding is about.
    pub fn port(&self) -> Option<PortRef<'a>> {
        self.inner.port.as_ref().map(PortRef)
    }

    /// Returns the bodies that enclose the layer, outermost first, each as `loop_1/body`.
    pub fn body(&self) -> Vec<String> {
        self.inner.body.iter().map(ToString::to_string).collect()
    }

    /// Returns the declared type and shape, such as `f32[6,5]`, if the finding compares a declared one with an inferred one.
    pub fn declared(&self) -> Option<&'a str> {
        self.inner.declared.as_deref()
    }

    /// Returns the inferred type and shape.
    pub fn inferred(&self) -> Option<&'a str> {
        self.inner.inferred.as_deref()
    }

    /// Returns notes that explain the finding, one line each.
    pub fn notes(&self) -> impl Iterator<Item = Cow<'a, str>> + use<'a> {
        words::notes(self.inner)
    }

    /// Returns ways to fix it, one line each.
    pub fn help(&self) -> impl Iterator<Item = Cow<'a, str>> + use<'a> {
        words::help(self.inner)
    }

    /// Returns the level at which [`Analysis::fix`](crate::Analysis::fix) can fix it, if it can.
    pub fn fix(&self) -> Option<Applicability> {
        self.inner.fix.as_ref().map(|fix| fix.applicability)
    }

    /// Whether the finding is a consequence of another one, with which it disappears.
    pub fn is_consequence(&self) -> bool {
        self.inner.consequence_of.is_some()
    }

    /// Returns an identifier that is stable across exports of the model: the rule, and a hash of body, layer, port and
    /// dimension.
    /// Findings of one rule on one dimension of a port share it.
    pub fn fingerprint(&self) -> String {
        fingerprint(self.inner)
    }
}

/// `35:11: error[declared-shape] ...`; without line and column if it is about the file as a whole.
impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position() {
            write!(f, "{}:{}: ", position.line, position.column)?;
        }
        write!(f, "{}[{}] {}", self.severity().name(), self.rule(), crate::text::plain_text(self.message()))
    }
}

impl<'a> PortRef<'a> {
    /// Returns whether the port is an input or an output.
    pub fn direction(&self) -> Direction {
        self.0.direction
    }

    /// Returns the id of the port as written.
    pub fn id(&self) -> &'a str {
        &self.0.id
    }

    /// Returns the index of the port among the inputs or outputs of its layer.
    pub fn index(&self) -> usize {
        self.0.index
    }

    /// Returns the index of the dimension, if the finding is about one.
    pub fn dim(&self) -> Option<usize> {
        self.0.dim
    }
}
