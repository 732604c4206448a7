//! Faults: findings of an operation about one layer, without locations in a file.

use crate::diagnostic::{Hint, Note, Refusal, Rule, Runtime, Severity, Text};
use crate::types::Release;

/// A location in a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// The layer as a whole.
    Layer,
    /// An input, by index.
    Input(usize),
    /// An attribute of the operation, by name.
    Attr(&'static str),
    /// An unknown attribute, by its index as written.
    Unknown(usize),
    /// An output, by index.
    Output(usize),
}

/// A finding about one layer; the inference pass resolves its location. Boxed, as every result carries it.
#[derive(Debug, Clone)]
#[must_use]
pub struct Fault(Box<Details>);

/// The parts of a fault.
#[derive(Debug, Clone)]
pub struct Details {
    /// The location.
    pub at: At,
    /// The violated rule.
    pub rule: &'static Rule,
    /// The description, with the value found and the value expected.
    pub message: Text,
    /// The text of the primary label; empty for none.
    pub primary: Text,
    /// Other locations with their labels.
    pub labels: Vec<(At, Text)>,
    /// Additional facts.
    pub notes: Vec<Note>,
    /// Hints for a fix.
    pub help: Vec<Hint>,
    /// Whether the primary label shows the elements of the input.
    pub shows_value: bool,
    /// The text that OpenVINO reads the attribute as, if it differs.
    pub read_as: Option<String>,
    /// The severity, if it is not that of the rule.
    pub severity: Option<Severity>,
    /// The reaction of OpenVINO, if it is not that of the rule.
    pub runtime: Option<Runtime>,
    /// The first release that reacts so, if earlier ones accept it.
    pub since: Option<Release>,
    /// The check of OpenVINO that rejects it, if it is not one of the operation.
    pub refusal: Option<Refusal>,
    /// Whether OpenVINO finds it only when it runs the layer.
    pub is_late: bool,
    /// Whether OpenVINO finds it by the number of elements of an input alone.
    pub is_of_count: bool,
}

impl Fault {
    /// A fault with the severity of the rule.
    pub fn at(at: At, rule: &'static Rule, message: impl Into<Text>) -> Self {
        Self(Box::new(Details {
            at,
            rule,
            message: message.into(),
            primary: Text::default(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            shows_value: false,
            read_as: None,
            severity: None,
            runtime: None,
            since: None,
            refusal: None,
            is_late: false,
            is_of_count: false,
        }))
    }

    /// Sets the primary label.
    pub fn primary(mut self, text: impl Into<Text>) -> Self {
        self.0.primary = text.into();
        self
    }

    /// Adds a label at another location.
    pub fn label(mut self, at: At, text: impl Into<Text>) -> Self {
        self.0.labels.push((at, text.into()));
        self
    }

    /// Adds a note.
    pub fn note(mut self, text: impl Into<Note>) -> Self {
        self.0.notes.push(text.into());
        self
    }

    /// Adds a hint for a fix.
    pub fn help(mut self, text: impl Into<Hint>) -> Self {
        self.0.help.push(text.into());
        self
    }

    /// Sets a primary label that shows the elements of the input.
    pub fn primary_value(mut self, text: impl Into<Text>) -> Self {
        self.0.shows_value = true;
        self.primary(text)
    }

    /// Sets the text that OpenVINO reads the attribute as.
    pub fn read_as(mut self, text: impl Into<String>) -> Self {
        self.0.read_as = Some(text.into());
        self
    }

    /// Leaves open whether OpenVINO rejects the layer, unless it is known to.
    pub fn decided_if(self, is_known: bool) -> Self {
        if is_known { self } else { self.runtime(Runtime::Unknown) }
    }

    /// Marks what OpenVINO finds only when it runs the layer, unless it knows enough of the inputs before.
    pub fn late_unless(mut self, is_known: bool) -> Self {
        self.0.is_late = !is_known;
        self
    }

    /// Marks what OpenVINO finds by the number of elements of an input, whether or not it knows them.
    pub fn of_count(mut self) -> Self {
        self.0.is_of_count = true;
        self
    }

    /// Sets the severity.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.0.severity = Some(severity);
        self
    }

    /// Sets the check of OpenVINO that rejects it.
    pub fn refused(mut self, refusal: Refusal) -> Self {
        self.0.refusal = Some(refusal);
        self
    }

    /// Sets the reaction of OpenVINO.
    pub fn runtime(mut self, runtime: Runtime) -> Self {
        self.0.runtime = Some(runtime);
        self
    }

    /// Sets the first release that does not accept it.
    pub fn since(mut self, release: Release) -> Self {
        self.0.since = Some(release);
        self
    }

    /// Whether the severity is an error.
    pub fn is_error(&self) -> bool {
        self.severity.unwrap_or(self.rule.severity) == Severity::Error
    }

    /// The reaction of OpenVINO to a file with the fault.
    pub fn verdict(&self) -> Runtime {
        self.runtime.unwrap_or(self.rule.runtime)
    }
}

impl std::ops::Deref for Fault {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.0
    }
}
