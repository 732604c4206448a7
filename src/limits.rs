//! Every limit on what one file may make the tool do.

/// The limits of one run; each can be raised on the command line, and reaching one is a finding (`limit-exceeded`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of an XML file.
    pub xml_size: u64,
    /// Layers of a file, those of bodies included.
    pub layers: usize,
    /// Levels of nested XML elements.
    pub depth: usize,
    /// Levels of bodies inside bodies, at most [`DEEPEST_BODIES`].
    pub bodies: usize,
    /// Layers that are inferred inside bodies, counted each time; bodies with many layers may take more.
    pub body_layers: usize,
    /// Ports on one side of a layer.
    pub ports: usize,
    /// Outputs that an attribute or a list of lengths gives one layer.
    pub outputs: usize,
    /// Dimensions of one shape.
    pub rank: usize,
    /// Elements of a value that inference works out.
    pub value_elements: usize,
    /// Dimensions and elements that inference keeps of a file.
    pub inferred: usize,
    /// Elements that inference looks at in a file.
    pub work: usize,
    /// Bytes that the findings of a file take in memory.
    pub findings: usize,
    /// Bytes that the tensors of a run take in memory.
    pub tensors: u64,
    /// Bytes of a model that are fetched from a server, those of its XML included, and those that a list of files takes; to need
    /// more is an error.
    pub fetched: u64,
    /// Seconds that a server may be silent; it has twenty times as long for a whole file.
    pub silence: u64,
    /// Producers that a note names; to leave out the rest is no finding.
    pub chain: usize,
}

/// Levels of bodies inside bodies beyond which none is read, whatever the limits say: each takes its share of the stack.
pub const DEEPEST_BODIES: usize = 128;

/// Rounds in which a Loop hands on shapes before it may hand on any.
pub(crate) const ROUNDS: usize = 32;

/// Bytes of a text that goes with models: a configuration, a list of paths, a baseline, a snapshot, a `.gitignore`.
pub const TEXT_FILE: u64 = 1 << 28;

/// Iterations of a Loop that are inferred one by one for the elements that they make.
pub(crate) const ITERATIONS: i64 = 1_024;

/// Bytes of one text in a finding, whatever names it quotes.
pub(crate) const TEXT: usize = 2_000;

/// Bytes of a layer's name, type or version that messages quote.
pub(crate) const NAME: usize = 1_000;

/// Labels, notes and the like of one finding.
pub(crate) const PARTS: usize = 32;

/// The part of the space for findings that may be taken before those that follow from others are only counted.
pub(crate) const CONSEQUENCES: usize = 32;

/// The part of the space for findings that only those may use from which others follow.
pub(crate) const CAUSES: usize = 64;

/// Layers that are inferred again, in all, to find what explains the errors of a file.
pub(crate) const SUPPOSED_LAYERS: usize = 1 << 16;

/// Times that a file is inferred again for that.
pub(crate) const SUPPOSITIONS: usize = 64;

/// Times that layers are applied with other values to find those that fit what ports declare.
pub(crate) const SOLUTIONS: usize = 4_096;

/// Comments to ovlint that are heeded in a file.
pub(crate) const COMMENTS: usize = 1_000;

/// Edits of one fix.
pub(crate) const EDITS: usize = 1_024;

/// Attempts at the fixes of one file, each of which reads and checks it anew.
pub(crate) const PROOFS: usize = 64;

impl Default for Limits {
    fn default() -> Self {
        Self {
            xml_size: 4_000_000_000,
            layers: 10_000_000,
            depth: 1_000,
            bodies: DEEPEST_BODIES,
            body_layers: 1_000_000,
            ports: 65_536,
            outputs: 65_536,
            rank: 256,
            value_elements: 1 << 20,
            inferred: 1 << 24,
            work: 1 << 26,
            findings: 1 << 27,
            tensors: 1 << 32,
            fetched: 100_000_000,
            silence: 30,
            chain: 3,
        }
    }
}
