//! What an operation finds wrong, without knowing where in a file it stands.

use crate::diagnostic::{Hint, Note, Refusal, Rule, Runtime, Severity, Text};

/// A place of the layer at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// The layer as a whole.
    Layer,
    /// An input, by position.
    Input(usize),
    /// An attribute of the operation, by name.
    Attr(&'static str),
    /// An attribute that the operation does not have, by its position as written.
    Unknown(usize),
    /// An output, by position.
    Output(usize),
}

/// A finding about one layer, placed by the driver. Boxed, as it travels in every result.
#[derive(Debug, Clone)]
#[must_use]
pub struct Fault(Box<Details>);

/// The parts of a fault.
#[derive(Debug, Clone)]
pub struct Details {
    /// The wrong thing.
    pub at: At,
    /// The rule broken.
    pub rule: &'static Rule,
    /// What is wrong, with the value found and the value wanted.
    pub message: Text,
    /// The text under the wrong bytes; empty for none.
    pub primary: Text,
    /// Other places and what they show.
    pub labels: Vec<(At, Text)>,
    /// Facts worth knowing.
    pub notes: Vec<Note>,
    /// How to fix it.
    pub help: Vec<Hint>,
    /// Whether the text under the wrong bytes shows the elements of the input that is wrong.
    pub shows_value: bool,
    /// The text that OpenVINO reads the attribute as, where it is written in another way.
    pub read_as: Option<String>,
    /// The severity here, where it is not the rule's.
    pub severity: Option<Severity>,
    /// What OpenVINO does here, where it is not what it usually does.
    pub runtime: Option<Runtime>,
    /// The check of OpenVINO that refuses it, if it is not one of the operation.
    pub refusal: Option<Refusal>,
}

impl Fault {
    /// A fault of the rule's usual severity.
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
            refusal: None,
        }))
    }

    /// With text under the wrong bytes.
    pub fn primary(mut self, text: impl Into<Text>) -> Self {
        self.0.primary = text.into();
        self
    }

    /// With another place.
    pub fn label(mut self, at: At, text: impl Into<Text>) -> Self {
        self.0.labels.push((at, text.into()));
        self
    }

    /// With a fact worth knowing.
    pub fn note(mut self, text: impl Into<Note>) -> Self {
        self.0.notes.push(text.into());
        self
    }

    /// With a hint how to fix it.
    pub fn help(mut self, text: impl Into<Hint>) -> Self {
        self.0.help.push(text.into());
        self
    }

    /// With text under the wrong bytes that shows the elements of the input.
    pub fn primary_value(mut self, text: impl Into<Text>) -> Self {
        self.0.shows_value = true;
        self.primary(text)
    }

    /// Of an attribute that OpenVINO reads as this text.
    pub fn read_as(mut self, text: impl Into<String>) -> Self {
        self.0.read_as = Some(text.into());
        self
    }

    /// Of another severity.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.0.severity = Some(severity);
        self
    }

    /// Refused by this check of OpenVINO.
    pub fn refused(mut self, refusal: Refusal) -> Self {
        self.0.refusal = Some(refusal);
        self
    }

    /// With another answer of OpenVINO.
    pub fn runtime(mut self, runtime: Runtime) -> Self {
        self.0.runtime = Some(runtime);
        self
    }

    /// Whether no input makes the layer valid.
    pub fn is_error(&self) -> bool {
        self.severity.unwrap_or(self.rule.severity) == Severity::Error
    }

    /// What OpenVINO does with a file that has the fault.
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
