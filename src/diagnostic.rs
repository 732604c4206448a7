//! Rules, findings and the sink they are reported into.

mod cause;
mod elsewhere;
mod fingerprint;
pub mod internal_error;
mod limit_exceeded;
mod note;
mod refusal;
mod rule;
mod since;
mod sink;
mod size;
mod text;
mod unified_diff;
mod verdict;

pub(crate) use cause::Amendment;
pub use cause::{Cause, FindingId};
pub(crate) use cause::{are_read, strength, withdraw_loads};
pub use elsewhere::Elsewhere;
pub(crate) use fingerprint::Fnv;
pub use fingerprint::fingerprint;
pub(crate) use fingerprint::{fingerprint_by_name, identity};
pub(crate) use limit_exceeded::LIMIT_EXCEEDED;
pub use note::{Declared, Hint, Note};
pub use refusal::Refusal;
pub use rule::{Applicability, Doubt, Group, Rule, Runtime, Severity};
pub use since::Since;
pub(crate) use sink::Reported;
pub(crate) use sink::sort;
pub use sink::{Sink, order};
pub use text::Text;
pub(crate) use unified_diff::diff;
pub use unified_diff::unified_diff;
pub use verdict::{Effect, Verdict};
pub(crate) use verdict::{pardon, settle};

use crate::source::Span;
use crate::types::Basis;
use serde::Serialize;
use std::fmt;

/// A byte range of the weights file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WeightsRange {
    /// The offset of the first byte.
    pub offset: u64,
    /// The number of bytes.
    pub size: u64,
}

/// A span in the XML with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The bytes of the span.
    pub span: Span,
    /// The text about the span; the primary label may have none.
    pub message: Text,
    /// The bytes of the constant that the message is about.
    pub weights: Option<WeightsRange>,
    /// The values of that constant.
    pub value: Option<Box<[i64]>>,
    /// The name of the layer that the message is about, if it is not the finding's own.
    pub layer: Option<String>,
    /// Set if the label shows the origin of a number; reports then show it as a separate note.
    pub origin: bool,
}

impl Label {
    /// Creates a label without constant bytes.
    pub fn new(span: Span, message: impl Into<Text>) -> Self {
        Self { span, message: message.into(), weights: None, value: None, layer: None, origin: false }
    }
}

/// The layer that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerRef {
    /// The id as written.
    pub id: String,
    /// The name.
    pub name: String,
    /// The type.
    pub ty: String,
    /// The opset label.
    pub version: String,
    /// The span of the start tag.
    pub span: Span,
}

/// A subgraph body of a layer; reports show it as `loop_1/body`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyRef {
    /// The name of the layer.
    pub layer: String,
    /// The span of the layer's start tag.
    pub tag: Span,
    /// The name of the XML element of the body.
    pub element: &'static str,
}

impl fmt::Display for BodyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.layer, self.element)
    }
}

/// Formats the bodies around a finding, outermost first: `loop_1/body/if_2/then_body`.
pub fn body_text(bodies: &[BodyRef]) -> String {
    bodies.iter().map(ToString::to_string).collect::<Vec<_>>().join("/")
}

/// The side of a layer that a port is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// An input port.
    Input,
    /// An output port.
    Output,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Input { "input" } else { "output" })
    }
}

/// The port that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PortRef {
    /// The side of the layer.
    #[serde(rename = "dir")]
    pub direction: Direction,
    /// The id as written.
    pub id: String,
    /// The index among the ports of this side, by which OpenVINO identifies the port.
    pub index: usize,
    /// The index of the dimension, if the finding is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dim: Option<usize>,
}

/// A replacement of some bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// The bytes to replace; empty to insert.
    #[serde(flatten)]
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// A change that removes the finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fix {
    /// The effect that the fix may have on results.
    pub applicability: Applicability,
    /// The description, in the imperative.
    pub message: Text,
    /// The byte edits, sorted and without overlaps.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// Creates an unsafe fix that replaces some bytes with a text.
    pub(crate) fn write(span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        Self::replace(span, text.clone(), format!("write {text}"))
    }

    /// Creates an unsafe fix that replaces some bytes with a text, and is described otherwise.
    pub(crate) fn replace(span: Span, text: impl Into<String>, message: impl Into<Text>) -> Self {
        let edits = vec![Edit { span, text: text.into() }];
        Self { applicability: Applicability::Unsafe, message: message.into(), edits }
    }
}

/// A finding.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Diagnostic {
    /// The broken rule.
    pub rule: &'static Rule,
    /// The severity of this finding, which may differ from the rule's.
    pub severity: Severity,
    /// The reaction of the newest release of OpenVINO, or of the newest target if there are targets.
    pub runtime: Runtime,
    /// The first release with this check, if earlier ones accept the file.
    pub since: Option<Since>,
    /// The problem, with the value found and the value expected.
    pub message: Text,
    /// The wrong bytes.
    pub primary: Label,
    /// Further spans that the problem depends on.
    pub labels: Vec<Label>,
    /// Places in other files that the problem depends on.
    pub elsewhere: Vec<Elsewhere>,
    /// Further facts, one line each.
    pub notes: Vec<Note>,
    /// Ways to fix it, one line each.
    pub help: Vec<Hint>,
    /// A change that removes the finding.
    pub fix: Option<Fix>,
    /// The layer that the finding is about.
    pub layer: Option<LayerRef>,
    /// The port that the finding is about.
    pub port: Option<PortRef>,
    /// The bodies around it, outermost first.
    pub body: Vec<BodyRef>,
    /// The key that this finding shares with similar ones about other layers, if it has one.
    pub kind: Option<Box<str>>,
    /// The declared value.
    pub declared: Option<String>,
    /// The inferred value.
    pub inferred: Option<String>,
    /// Set if the inferred value depends on declared ports.
    pub assumed: bool,
    /// Set if the error is found only with what the Parameters of a body declare.
    pub(crate) of_parameters: bool,
    /// The chain of producers before the layer, nearest first, as `layer:output`.
    pub chain: Vec<String>,
    /// The number of the finding, if it has a cause or consequences.
    pub id: Option<FindingId>,
    /// The cause of this finding; text reports fold a finding with a cause.
    pub consequence_of: Option<Cause>,
    /// The number of consequences that text reports fold under this finding.
    pub consequences: usize,
    /// The check with which OpenVINO rejects the file, if known.
    pub refusal: Option<Box<Refusal>>,
    /// The verdict of OpenVINO on the file, if reports show one.
    pub verdict: Option<Verdict>,
    /// The start tags of the layers that OpenVINO builds when it rejects the file, if not `layer`.
    pub builds: Vec<Span>,
}

impl Diagnostic {
    /// Creates a finding with the rule's usual severity.
    pub fn new(rule: &'static Rule, span: Span, message: impl Into<Text>) -> Self {
        Self {
            rule,
            severity: rule.severity,
            runtime: rule.runtime,
            since: None,
            message: message.into(),
            primary: Label::new(span, ""),
            labels: Vec::new(),
            elsewhere: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            fix: None,
            layer: None,
            port: None,
            body: Vec::new(),
            kind: None,
            declared: None,
            inferred: None,
            assumed: false,
            of_parameters: false,
            chain: Vec::new(),
            id: None,
            consequence_of: None,
            consequences: 0,
            refusal: None,
            verdict: None,
            builds: Vec::new(),
        }
    }

    /// The source of the inferred value.
    pub fn basis(&self) -> Basis {
        if self.assumed { Basis::Declared } else { Basis::Inferred }
    }

    /// Sets the text under the primary span.
    pub fn primary(mut self, message: impl Into<Text>) -> Self {
        self.primary.message = message.into();
        self
    }

    /// Adds a label.
    pub fn label(mut self, span: Span, message: impl Into<Text>) -> Self {
        self.labels.push(Label::new(span, message));
        self
    }

    /// Adds a note.
    pub fn note(mut self, note: impl Into<Note>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a line of help.
    pub fn help(mut self, help: impl Into<Hint>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Sets the severity.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets the reaction of OpenVINO.
    pub fn runtime(mut self, runtime: Runtime) -> Self {
        self.runtime = runtime;
        self
    }

    /// Removes a fix of this applicability and adds the reason to the help.
    pub(crate) fn refuse_fix(&mut self, level: Applicability, reason: &str) {
        if self.fix.take_if(|fix| fix.applicability == level).is_some() {
            self.help.push(reason.into());
        }
    }

    /// Sets the check with which OpenVINO rejects the file.
    pub(crate) fn refused(mut self, refusal: Refusal) -> Self {
        self.refusal = Some(Box::new(refusal));
        self
    }

    /// Sets the layer.
    pub fn layer(mut self, layer: LayerRef) -> Self {
        self.layer = Some(layer);
        self
    }

    /// Sets the port.
    pub fn port(mut self, port: PortRef) -> Self {
        self.port = Some(port);
        self
    }

    /// Sets the fix.
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }
}
