//! Specifications of attributes.

use crate::types::Release;

/// One attribute of an operation.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Attr {
    /// The name in `<data>`.
    pub name: &'static str,
    /// The kind of text that it must have.
    pub kind: Kind,
    /// The reaction of OpenVINO to a missing attribute.
    pub missing: Missing,
    /// Whether OpenVINO stores it unsigned and so reads a negative number as a huge one.
    pub is_unsigned: bool,
    /// The inputs for which OpenVINO checks the range of its numbers.
    pub checked: Checked,
    /// A text that only later releases read.
    pub dated: Option<(Dated, Release)>,
    /// The first release that reads the attribute, and so rejects other texts.
    pub strict_since: Option<Release>,
}

/// A text of an attribute that a release was the first to read.
#[derive(Debug, Clone, Copy)]
pub enum Dated {
    /// This value.
    Value(&'static str),
    /// A type that is `undefined` or missing, where some layer reads the output.
    OpenType,
}

impl Attr {
    /// A required attribute.
    pub const fn required(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            kind,
            missing: Missing::Refused,
            is_unsigned: false,
            checked: Checked::Always,
            dated: None,
            strict_since: None,
        }
    }

    /// An attribute that OpenVINO reads as `read` if it is missing, but without which it does not compile the layer.
    pub const fn compiled(name: &'static str, kind: Kind, read: &'static str) -> Self {
        Self { missing: Missing::NotCompiled(read), ..Self::required(name, kind) }
    }

    /// An attribute with a default.
    pub const fn optional(name: &'static str, kind: Kind, default: &'static str) -> Self {
        Self { missing: Missing::Default(default), ..Self::required(name, kind) }
    }

    /// Marks an attribute that every layer needs although OpenVINO accepts its absence.
    pub const fn expected(self, note: &'static str) -> Self {
        let text = match self.missing.text() {
            Some(text) => text,
            None => "",
        };
        Self { missing: Missing::Accepted { text, note }, ..self }
    }

    /// Sets the first release that reads a text.
    pub const fn since(self, text: Dated, first: Release) -> Self {
        Self { dated: Some((text, first)), ..self }
    }

    /// Sets the first release that rejects other texts.
    pub const fn strict_since(self, first: Release) -> Self {
        Self { strict_since: Some(first), ..self }
    }

    /// Marks an attribute that OpenVINO stores unsigned.
    pub const fn unsigned(self) -> Self {
        Self { is_unsigned: true, ..self }
    }

    /// Marks an attribute whose range OpenVINO checks only for these inputs.
    pub const fn checked(self, checked: Checked) -> Self {
        Self { checked, ..self }
    }
}

/// The inputs for which OpenVINO checks the range of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// Any.
    Always,
    /// A first input of a known rank.
    Ranked,
    /// Inputs of known dimensions and values.
    Static,
}

/// The reaction of OpenVINO to a missing attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// OpenVINO uses this text instead.
    Default(&'static str),
    /// OpenVINO refuses to read the file.
    Refused,
    /// OpenVINO uses this text instead, although every layer needs the attribute.
    Accepted {
        /// The text.
        text: &'static str,
        /// The consequence.
        note: &'static str,
    },
    /// OpenVINO uses this text while it reads the file, but does not compile the model.
    NotCompiled(&'static str),
}

impl Missing {
    /// The text that OpenVINO uses instead, if any.
    pub const fn text(self) -> Option<&'static str> {
        match self {
            Self::Default(text) | Self::Accepted { text, .. } | Self::NotCompiled(text) => Some(text),
            Self::Refused => None,
        }
    }
}

/// The kind of text that an attribute must have. Numbers are parsed as OpenVINO parses them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An integer from `min` to `max`.
    Int(i64, i64),
    /// An integer that is `min` or more after OpenVINO has truncated it to 32 bits.
    Int32(i32),
    /// A floating-point number.
    Float,
    /// `true`, `1`, `false` or `0` in any case; other text means the default.
    Flag,
    /// Any text.
    Text,
    /// One of these words in any case.
    Choice(&'static [&'static str]),
    /// One of these words in this case; OpenVINO reads any other word but does not compile it.
    Word(&'static [&'static str]),
    /// A comma-separated list of integers, each from `min` to `max`.
    Ints(i64, i64),
    /// A comma-separated list of integers that OpenVINO reads without a sign: it rejects even `-0`.
    Unsigned,
    /// A comma-separated list of floating-point numbers.
    Floats,
    /// A comma-separated list of words.
    Texts,
    /// An element type.
    Type,
    /// A partial shape.
    Shape,
}

impl Kind {
    /// Any integer.
    pub const INT: Self = Self::Int(i64::MIN, i64::MAX);
    /// Any integer, truncated to 32 bits by OpenVINO.
    pub const INT32: Self = Self::Int32(i32::MIN);
    /// An integer that OpenVINO stores unsigned.
    pub const COUNT: Self = Self::Int(0, i64::MAX);
    /// A list of any integers.
    pub const INTS: Self = Self::Ints(i64::MIN, i64::MAX);
    /// A list of integers that OpenVINO stores unsigned.
    pub const COUNTS: Self = Self::Ints(0, i64::MAX);
    /// The broadcast modes of elementwise operations.
    pub const BROADCAST: Self = Self::Choice(&["numpy", "none", "pdpd", "explicit"]);

    /// An integer of `min` or more.
    pub const fn from(min: i64) -> Self {
        Self::Int(min, i64::MAX)
    }
}
