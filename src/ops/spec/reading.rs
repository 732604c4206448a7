//! The conditions under which OpenVINO reads the value of an input during shape inference.

/// The condition under which OpenVINO reads a constant at an input during shape inference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// OpenVINO never reads it.
    Never,
    /// OpenVINO decodes its elements by their type, so that it misreads none.
    Decoded,
    /// OpenVINO reads it if it knows the rank of the first input.
    IfRanked,
    /// OpenVINO always reads it.
    Always,
}

impl Reading {
    /// Whether OpenVINO reads the bytes of a constant without decoding them, which fails or goes wrong for some types.
    pub(crate) fn reads_bytes(self, is_first_ranked: bool) -> bool {
        match self {
            Self::Never | Self::Decoded => false,
            Self::IfRanked => is_first_ranked,
            Self::Always => true,
        }
    }
}

/// The condition under which OpenVINO reads a constant of type dynamic at an input whose value decides shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Untyped {
    /// OpenVINO always reads it.
    Read,
    /// OpenVINO never reads it.
    Ignored,
    /// OpenVINO reads it unless the attribute `mode` is `numpy`.
    IgnoredByNumpy,
    /// OpenVINO reads it, the lengths of a split, if it knows the axis, the rank of the data and the lengths.
    ReadByKnownSplit,
}
