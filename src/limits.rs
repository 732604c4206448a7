//! The limits on the memory and time that one file may cost.

/// The limits for one file. A flag raises each except `chain`. Exceeding one is a finding (`limit-exceeded`), unless stated
/// otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum size of an XML file in bytes.
    pub xml_size: u64,
    /// The maximum number of layers in a file, including those of bodies.
    pub layers: usize,
    /// The maximum nesting depth of XML elements.
    pub depth: usize,
    /// The maximum nesting depth of bodies, at most [`DEEPEST_BODIES`].
    pub bodies: usize,
    /// The maximum number of layers inferred inside bodies, where each iteration counts anew. It is raised for files with very
    /// many layers.
    pub body_layers: usize,
    /// The maximum number of inputs, or of outputs, of a layer.
    pub ports: usize,
    /// The maximum number of outputs that an attribute or a list of lengths gives a layer.
    pub outputs: usize,
    /// The maximum rank of a shape.
    pub rank: usize,
    /// The maximum number of elements of a value that inference computes.
    pub value_elements: usize,
    /// The maximum number of dimensions and elements that inference stores for a file.
    pub inferred: usize,
    /// The maximum number of elements that inference processes for a file.
    pub work: usize,
    /// The maximum memory for the findings of a file, in bytes.
    pub findings: usize,
    /// The maximum memory for the tensors of `ovlint run`, in bytes. A layer that needs more is not evaluated.
    pub tensors: u64,
    /// The maximum number of bytes fetched from a server: for a model, including its XML, or for a list of files. Needing more
    /// is an error.
    pub fetched: u64,
    /// The time-out in seconds for a silent server, which is an error. A whole file may take twenty times as long.
    pub silence: u64,
    /// The maximum number of producers that a note names. Omitting the rest is not a finding.
    pub chain: usize,
}

/// The maximum nesting depth of bodies whatever [`Limits::bodies`] says, because each level takes stack space.
pub const DEEPEST_BODIES: usize = 128;

/// The number of fixpoint rounds of a Loop or TensorIterator. Shapes of back edges that still change afterwards become unknown.
pub(crate) const ROUNDS: usize = 32;

/// The maximum size in bytes of a text file that is not a model: a configuration, a list of paths, a baseline, a snapshot, a
/// `.gitignore`.
pub const TEXT_FILE: u64 = 1 << 28;

/// The maximum number of pairs of models that the links of a configuration connect. Exceeding it is an error.
pub(crate) const LINKED: usize = 256;

/// The maximum size in bytes of a JSON file that is fetched from a server.
pub(crate) const REMOTE_JSON: u64 = 1_000_000;

/// The maximum size in bytes of a graph of OpenVINO Model Server.
pub(crate) const GRAPH_FILE: u64 = 1 << 22;

/// The maximum number of Loop iterations that are inferred one by one, to know the elements that they compute.
pub(crate) const ITERATIONS: i64 = 1_024;

/// The maximum size of a text in a finding, in bytes, including quoted names.
pub(crate) const TEXT: usize = 2_000;

/// The maximum size of a layer's name, type or version in a message, in bytes.
pub(crate) const NAME: usize = 1_000;

/// The maximum number of labels of a finding, of notes, and of help lines.
pub(crate) const PARTS: usize = 32;

/// The divisor of [`Limits::findings`] that gives the space for consequences. Further ones are only counted.
pub(crate) const CONSEQUENCES: usize = 32;

/// The divisor of [`Limits::findings`] that gives the space reserved for root causes.
pub(crate) const CAUSES: usize = 64;

/// The maximum number of layers that are inferred again, in total, to find the root causes of a file's errors.
pub(crate) const SUPPOSED_LAYERS: usize = 1 << 16;

/// The maximum number of times that a file is inferred again for this.
pub(crate) const SUPPOSITIONS: usize = 64;

/// The maximum number of trial inferences of layers, to find values that fit the declared ports.
pub(crate) const SOLUTIONS: usize = 4_096;

/// The maximum number of `ovlint` comments that take effect in a file.
pub(crate) const COMMENTS: usize = 1_000;

/// The maximum number of edits of a fix.
pub(crate) const EDITS: usize = 1_024;

/// The maximum number of attempts to fix a file. Each reads and checks the edited text.
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
