//! What an operation says of its attributes.

/// One attribute of an operation.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Attr {
    /// The name in `<data>`.
    pub name: &'static str,
    /// What its text must be.
    pub kind: Kind,
    /// What OpenVINO does without it.
    pub missing: Missing,
    /// Whether OpenVINO keeps it unsigned and reads a number below 0 as a huge one.
    pub is_unsigned: bool,
    /// Whether OpenVINO checks the limits of its numbers only against dimensions that it knows.
    pub is_late: bool,
}

impl Attr {
    /// An attribute that every layer needs.
    pub const fn required(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, missing: Missing::Refused, is_unsigned: false, is_late: false }
    }

    /// An attribute without which OpenVINO reads a layer as `read`, and does not compile it.
    pub const fn compiled(name: &'static str, kind: Kind, read: &'static str) -> Self {
        Self { name, kind, missing: Missing::NotCompiled(read), is_unsigned: false, is_late: false }
    }

    /// An attribute whose absence means `default`.
    pub const fn optional(name: &'static str, kind: Kind, default: &'static str) -> Self {
        Self { name, kind, missing: Missing::Default(default), is_unsigned: false, is_late: false }
    }

    /// That every layer needs, though OpenVINO takes one without it for something.
    pub const fn expected(self, note: &'static str) -> Self {
        let text = match self.missing.text() {
            Some(text) => text,
            None => "",
        };
        Self { missing: Missing::Accepted { text, note }, ..self }
    }

    /// That OpenVINO keeps unsigned, and reads a number below 0 as a huge one.
    pub const fn unsigned(self) -> Self {
        Self { is_unsigned: true, ..self }
    }

    /// That has limits which OpenVINO checks only against dimensions that it knows.
    pub const fn late(self) -> Self {
        Self { is_late: true, ..self }
    }
}

/// What OpenVINO does with a layer that lacks an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// It takes this text instead.
    Default(&'static str),
    /// It refuses to read the file.
    Refused,
    /// It takes this text instead, although every layer needs the attribute.
    Accepted {
        /// The text.
        text: &'static str,
        /// What follows from that.
        note: &'static str,
    },
    /// It takes this text while it reads the file, and does not compile it.
    NotCompiled(&'static str),
}

impl Missing {
    /// The text that stands for the attribute.
    pub const fn text(self) -> Option<&'static str> {
        match self {
            Self::Default(text) | Self::Accepted { text, .. } | Self::NotCompiled(text) => Some(text),
            Self::Refused => None,
        }
    }
}

/// What the text of an attribute must be. Numbers are read as OpenVINO reads them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An integer from `min` to `max`.
    Int(i64, i64),
    /// An integer from `min` on, once OpenVINO has cut it to 32 bits.
    Int32(i32),
    /// A floating-point number.
    Float,
    /// `true`, `1`, `false` or `0` in any case; other text means the default.
    Flag,
    /// Any text.
    Text,
    /// One of these words in any case.
    Choice(&'static [&'static str]),
    /// One of these words in this case; OpenVINO reads any other, and compiles none.
    Word(&'static [&'static str]),
    /// A comma list of integers, each from `min` to `max`.
    Ints(i64, i64),
    /// A comma list of integers that OpenVINO reads without a sign: it refuses even `-0`.
    Unsigned,
    /// A comma list of floating-point numbers.
    Floats,
    /// A comma list of words.
    Texts,
    /// An element type.
    Type,
    /// A partial shape.
    Shape,
}

impl Kind {
    /// Any integer.
    pub const INT: Self = Self::Int(i64::MIN, i64::MAX);
    /// Any integer, once OpenVINO has cut it to 32 bits.
    pub const INT32: Self = Self::Int32(i32::MIN);
    /// An integer that OpenVINO keeps unsigned.
    pub const COUNT: Self = Self::Int(0, i64::MAX);
    /// A list of any integers.
    pub const INTS: Self = Self::Ints(i64::MIN, i64::MAX);
    /// A list of integers that OpenVINO keeps unsigned.
    pub const COUNTS: Self = Self::Ints(0, i64::MAX);
    /// How numpy-like operations broadcast.
    pub const BROADCAST: Self = Self::Choice(&["numpy", "none", "pdpd", "explicit"]);

    /// An integer from `min` on.
    pub const fn from(min: i64) -> Self {
        Self::Int(min, i64::MAX)
    }
}
