//! Rules, findings and the sink they are reported into.

mod cause;
mod family;
mod fingerprint;
pub mod internal_error;
mod limit_exceeded;
mod note;
mod refusal;
mod rule;
mod sink;
mod size;
mod text;
mod unified_diff;
mod verdict;

pub(crate) use cause::Amendment;
pub use cause::{Cause, FindingId};
pub(crate) use family::strength;
pub(crate) use fingerprint::Fnv;
pub use fingerprint::fingerprint;
pub(crate) use fingerprint::{fingerprint_by_name, identity};
pub(crate) use limit_exceeded::LIMIT_EXCEEDED;
pub use note::{Declared, Hint, Note};
pub use refusal::Refusal;
pub use rule::{Applicability, Doubt, Group, Rule, Runtime, Severity};
pub(crate) use sink::Reported;
pub(crate) use sink::sort;
pub use sink::{Sink, order};
pub use text::Text;
pub(crate) use unified_diff::diff;
pub use unified_diff::unified_diff;
pub(crate) use verdict::settle;
pub use verdict::{Effect, Verdict};

use crate::source::Span;
use serde::Serialize;
use std::fmt;

/// Bytes of the weights file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsRange {
    /// The first byte.
    pub offset: u64,
    /// The number of bytes.
    pub size: u64,
}

/// A place in the XML with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The bytes.
    pub span: Span,
    /// What these bytes show; may be empty for the primary label.
    pub message: Text,
    /// The bytes of the constant that the message is about.
    pub weights: Option<WeightsRange>,
    /// The values of that constant.
    pub value: Option<Box<[i64]>>,
    /// The name of the layer that the message is about, if it is not the finding's own.
    pub layer: Option<String>,
    /// Whether this shows where a number came from, and so belongs in a note of its own.
    pub origin: bool,
}

impl Label {
    /// A label without constant bytes.
    pub fn new(span: Span, message: impl Into<Text>) -> Self {
        Self { span, message: message.into(), weights: None, value: None, layer: None, origin: false }
    }
}

/// The layer a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerRef {
    /// Its id as written.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: String,
    /// Its opset label.
    pub version: String,
    /// The start tag.
    pub span: Span,
}

/// A body of a layer; `loop_1/body` in reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyRef {
    /// The name of the layer.
    pub layer: String,
    /// The start tag of the layer.
    pub tag: Span,
    /// The element that holds the body.
    pub element: &'static str,
}

impl fmt::Display for BodyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.layer, self.element)
    }
}

/// The bodies that a finding is in, outermost first: `loop_1/body/if_2/then_body`.
pub fn body_text(bodies: &[BodyRef]) -> String {
    bodies.iter().map(ToString::to_string).collect::<Vec<_>>().join("/")
}

/// Whether a port is one of a layer's inputs or outputs.
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

/// The port a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortRef {
    /// The side of the layer.
    pub direction: Direction,
    /// Its id as written.
    pub id: String,
    /// Its position in the list, by which OpenVINO identifies it.
    pub index: usize,
    /// The dimension, if the finding is about one.
    pub dim: Option<usize>,
}

/// Replaces some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; empty to insert.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// A change that removes the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Whether it can change what runs.
    pub applicability: Applicability,
    /// What it does, in the imperative.
    pub message: Text,
    /// The byte edits, in order and apart.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// The unsafe fix that writes a text in place of some bytes.
    pub(crate) fn write(span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            applicability: Applicability::Unsafe,
            message: format!("write {text}").into(),
            edits: vec![Edit { span, text }],
        }
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Diagnostic {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// How much it matters here.
    pub severity: Severity,
    /// What OpenVINO does here.
    pub runtime: Runtime,
    /// What is wrong, with the value found and the value wanted.
    pub message: Text,
    /// The wrong bytes.
    pub primary: Label,
    /// What the numbers depend on, and where.
    pub labels: Vec<Label>,
    /// Facts worth knowing, one line each.
    pub notes: Vec<Note>,
    /// How to fix it, one line each.
    pub help: Vec<Hint>,
    /// A change that removes the finding.
    pub fix: Option<Fix>,
    /// The layer it is about.
    pub layer: Option<LayerRef>,
    /// The port it is about.
    pub port: Option<PortRef>,
    /// The bodies that it is in, outermost first.
    pub body: Vec<BodyRef>,
    /// What it says of all layers of some kind, if its own layer is only the first of them.
    pub kind: Option<Box<str>>,
    /// What the file declares.
    pub declared: Option<String>,
    /// What inference gives.
    pub inferred: Option<String>,
    /// Whether what is inferred depends on declared ports.
    pub assumed: bool,
    /// The producers that led here, nearest first, as `layer:output`.
    pub chain: Vec<String>,
    /// Its number, if it follows from another finding or others follow from it.
    pub id: Option<FindingId>,
    /// The finding that this one follows from; such findings are folded in text reports.
    pub consequence_of: Option<Cause>,
    /// How many findings that follow from this one are folded under it in text reports.
    pub consequences: usize,
    /// The check of OpenVINO that refuses the file, if it is known.
    pub refusal: Option<Box<Refusal>>,
    /// What OpenVINO does with the file, if that is worth saying.
    pub verdict: Option<Verdict>,
    /// The start tags of the layers that OpenVINO builds when it refuses the file, if that is not `layer`.
    pub builds: Vec<Span>,
}

impl Diagnostic {
    /// A finding of the rule's usual severity at some bytes.
    pub fn new(rule: &'static Rule, span: Span, message: impl Into<Text>) -> Self {
        Self {
            rule,
            severity: rule.severity,
            runtime: rule.runtime,
            message: message.into(),
            primary: Label::new(span, ""),
            labels: Vec::new(),
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
            chain: Vec::new(),
            id: None,
            consequence_of: None,
            consequences: 0,
            refusal: None,
            verdict: None,
            builds: Vec::new(),
        }
    }

    /// With text under the wrong bytes.
    pub fn primary(mut self, message: impl Into<Text>) -> Self {
        self.primary.message = message.into();
        self
    }

    /// With another place.
    pub fn label(mut self, span: Span, message: impl Into<Text>) -> Self {
        self.labels.push(Label::new(span, message));
        self
    }

    /// With a fact worth knowing.
    pub fn note(mut self, note: impl Into<Note>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// With a way to fix it.
    pub fn help(mut self, help: impl Into<Hint>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Of another severity.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// With another reaction of OpenVINO.
    pub fn runtime(mut self, runtime: Runtime) -> Self {
        self.runtime = runtime;
        self
    }

    /// Takes back a fix of this kind, for a reason that it gives.
    pub(crate) fn refuse_fix(&mut self, level: Applicability, reason: &str) {
        if self.fix.take_if(|fix| fix.applicability == level).is_some() {
            self.help.push(reason.into());
        }
    }

    /// Refused by this check of OpenVINO.
    pub(crate) fn refused(mut self, refusal: Refusal) -> Self {
        self.refusal = Some(Box::new(refusal));
        self
    }

    /// About a layer.
    pub fn layer(mut self, layer: LayerRef) -> Self {
        self.layer = Some(layer);
        self
    }

    /// About a port.
    pub fn port(mut self, port: PortRef) -> Self {
        self.port = Some(port);
        self
    }

    /// With a fix.
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }
}
