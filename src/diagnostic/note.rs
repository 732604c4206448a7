//! Notes and hints: lines below a finding.

use super::Text;
use super::text::shorten;

/// A part of a port's declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// The dimensions.
    Shape,
    /// The precision.
    Type,
}

/// A further fact about a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A sentence.
    Text(Text),
    /// A wrong declaration of a port, which OpenVINO ignores.
    Ignored {
        /// The wrong part.
        declared: Declared,
        /// Set if OpenVINO reads the file: no finding says that it may not.
        loads: bool,
    },
    /// A sentence with a value of an input that fits the declared ports.
    Fits(Text),
    /// An error that follows from the finding.
    LeadsTo {
        /// The name of its layer.
        layer: Option<String>,
        /// The message of the error.
        message: Text,
    },
}

/// A way to fix a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A sentence.
    Text(Text),
    /// A name similar to the one in the file.
    DidYouMean(String),
    /// An operation or version that has the attribute in the file.
    OtherOperation(Text),
    /// A sentence with a value of an attribute that fits the inputs.
    Fits(Text),
}

impl Note {
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Text(text) | Self::Fits(text) => text.size(),
            Self::Ignored { .. } => 0,
            Self::LeadsTo { layer, message } => layer.as_ref().map_or(0, String::len) + message.size(),
        }
    }

    pub(super) fn shorten(&mut self) {
        match self {
            Self::Text(text) | Self::Fits(text) => text.shorten(),
            Self::Ignored { .. } => {}
            Self::LeadsTo { layer, message } => {
                layer.iter_mut().for_each(shorten);
                message.shorten();
            }
        }
    }
}

impl Hint {
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Text(text) | Self::OtherOperation(text) | Self::Fits(text) => text.size(),
            Self::DidYouMean(name) => name.len(),
        }
    }

    pub(super) fn shorten(&mut self) {
        match self {
            Self::Text(text) | Self::OtherOperation(text) | Self::Fits(text) => text.shorten(),
            Self::DidYouMean(name) => shorten(name),
        }
    }
}

impl<T: Into<Text>> From<T> for Note {
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}

impl<T: Into<Text>> From<T> for Hint {
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}
