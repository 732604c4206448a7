//! Rules, findings and the sink they are reported into.

mod sink;

pub use sink::Sink;
pub(crate) use sink::sort;

use crate::source::Span;
use serde::{Deserialize, Serialize};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Never shown.
    Off,
    /// Worth knowing.
    Info,
    /// Probably a mistake.
    Warning,
    /// The file is wrong.
    Error,
}

impl Severity {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What OpenVINO 2026.4.1 does with a file that has the finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Runtime {
    /// Rejects the file with a message that says why.
    Rejects,
    /// Rejects the file with a message that points elsewhere.
    Misleads,
    /// Loads the file without a word.
    Accepts,
    /// Does not meet the situation.
    None,
}

impl Runtime {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rejects => "rejects",
            Self::Misleads => "misleads",
            Self::Accepts => "accepts",
            Self::None => "none",
        }
    }
}

/// The families of rules, which `--select` and the configuration also take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the variants are the groups' own names")]
pub enum Group {
    File,
    Graph,
    Ports,
    Weights,
    Operations,
    Shapes,
    Declared,
    Types,
    Portability,
    Hygiene,
    Contract,
}

impl Group {
    /// Every group, in the order of the catalogue.
    pub const ALL: [Self; 11] = [
        Self::File,
        Self::Graph,
        Self::Ports,
        Self::Weights,
        Self::Operations,
        Self::Shapes,
        Self::Declared,
        Self::Types,
        Self::Portability,
        Self::Hygiene,
        Self::Contract,
    ];

    /// The word in reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Graph => "graph",
            Self::Ports => "ports",
            Self::Weights => "weights",
            Self::Operations => "operations",
            Self::Shapes => "shapes",
            Self::Declared => "declared",
            Self::Types => "types",
            Self::Portability => "portability",
            Self::Hygiene => "hygiene",
            Self::Contract => "contract",
        }
    }
}

/// Whether a fix can change what the model computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// Touches only text that OpenVINO ignores.
    Safe,
    /// May change what runs.
    Unsafe,
}

/// One kind of problem. A static beside the code that reports it, listed once in `rules::RULES`.
#[derive(Debug)]
pub struct Rule {
    /// The stable name, in kebab case; reads well after "allow".
    pub name: &'static str,
    /// Its family.
    pub group: Group,
    /// The usual severity; a finding may lower it.
    pub severity: Severity,
    /// What OpenVINO usually does; a finding may say otherwise.
    pub runtime: Runtime,
    /// The kind of fix findings may carry.
    pub fix: Option<Applicability>,
    /// Whether it is computed only when it is asked for.
    pub is_opt_in: bool,
    /// The problem in one line, shown as the title of a finding.
    pub summary: &'static str,
    /// What it does, why it matters and how to fix it, in Markdown paragraphs.
    pub explain: &'static str,
}

impl Rule {
    /// An error that is always looked for and never fixed, on which OpenVINO rejects the file.
    pub(crate) const fn error(group: Group, name: &'static str, summary: &'static str, explain: &'static str) -> Self {
        let (severity, runtime) = (Severity::Error, Runtime::Rejects);
        Self { name, group, severity, runtime, fix: None, is_opt_in: false, summary, explain }
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Bytes of the weights file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsRange {
    /// The first byte.
    pub offset: u64,
    /// The number of bytes.
    pub size: u64,
}

/// A place in the XML and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The bytes.
    pub span: Span,
    /// What they show; may be empty for the primary label.
    pub message: String,
    /// The constant bytes behind the statement.
    pub weights: Option<WeightsRange>,
    /// The values of that constant.
    pub value: Option<Vec<i64>>,
    /// The name of the layer spoken of, where it is not the finding's own.
    pub layer: Option<String>,
    /// Whether this tells where a number came from, and so belongs into a note of its own.
    pub origin: bool,
}

impl Label {
    /// A label without constant bytes.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
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

/// Whether a port is one of a layer's inputs or outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// An input port.
    Input,
    /// An output port.
    Output,
}

/// The port a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortRef {
    /// The side of the layer.
    pub direction: Direction,
    /// Its id as written.
    pub id: String,
    /// Its place in the list, which is what OpenVINO goes by.
    pub index: usize,
    /// The dimension, if the finding is about one.
    pub dim: Option<usize>,
}

/// Replaces some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; empty to insert.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

/// A change that removes the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Whether it can change what runs.
    pub applicability: Applicability,
    /// What it does, in the imperative.
    pub message: String,
    /// The byte edits, in order and apart.
    pub edits: Vec<Edit>,
}

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The rule broken.
    pub rule: &'static Rule,
    /// How much it matters here.
    pub severity: Severity,
    /// What OpenVINO does here.
    pub runtime: Runtime,
    /// What is wrong, with the value found and the value wanted.
    pub message: String,
    /// The wrong bytes.
    pub primary: Label,
    /// What drove the numbers, and where.
    pub labels: Vec<Label>,
    /// Facts worth knowing, one line each.
    pub notes: Vec<String>,
    /// How to cure it, one line each.
    pub help: Vec<String>,
    /// A change that removes the finding.
    pub fix: Option<Fix>,
    /// The layer it is about.
    pub layer: Option<LayerRef>,
    /// The port it is about.
    pub port: Option<PortRef>,
    /// The layers around the body it is in, outermost first: `loop_1/body`.
    pub body: Vec<String>,
    /// What the file declares.
    pub declared: Option<String>,
    /// What inference gives.
    pub inferred: Option<String>,
    /// Whether the inferred side rests on declared ports.
    pub assumed: bool,
    /// The producers that led here, nearest first, as `layer:output`.
    pub chain: Vec<String>,
    /// The layer whose finding this one follows from; such findings are folded in text reports.
    pub consequence_of: Option<String>,
    /// How many findings that follow from this one are folded under it in text reports.
    pub consequences: usize,
}

impl Diagnostic {
    /// A finding of the rule's usual severity at some bytes.
    pub fn new(rule: &'static Rule, span: Span, message: impl Into<String>) -> Self {
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
            declared: None,
            inferred: None,
            assumed: false,
            chain: Vec::new(),
            consequence_of: None,
            consequences: 0,
        }
    }

    /// With text under the wrong bytes.
    #[must_use]
    pub fn primary(mut self, message: impl Into<String>) -> Self {
        self.primary.message = message.into();
        self
    }

    /// With another place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label::new(span, message));
        self
    }

    /// With a fact worth knowing.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// With a cure.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Of another severity.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// With another answer of OpenVINO.
    #[must_use]
    pub fn runtime(mut self, runtime: Runtime) -> Self {
        self.runtime = runtime;
        self
    }

    /// About a layer.
    #[must_use]
    pub fn layer(mut self, layer: LayerRef) -> Self {
        self.layer = Some(layer);
        self
    }

    /// About a port.
    #[must_use]
    pub fn port(mut self, port: PortRef) -> Self {
        self.port = Some(port);
        self
    }

    /// With a fix.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }
}
