//! The opsets, operations, element types and IR versions that the releases of OpenVINO read.
//!
//! - 2023.0 and later: measured, by `read_model` of the first wheel of every release (<https://pypi.org/project/openvino/#history>)
//!   with each operation, opset and element type.
//! - Earlier opsets: <https://docs.openvino.ai/2024/documentation/openvino-ir-format/operation-sets/available-opsets.html>.
//! - IR version 11: <https://www.intel.com/content/www/us/en/support/articles/000096498.html>.

use super::Meaning;
use crate::types::{ElementType, Release, release};

/// The first releases that know all earlier operations under the label of an opset. opset17 is incomplete so far.
const OPSETS: &[Release] = &[
    release(2020, 1),
    release(2020, 2),
    release(2020, 4),
    release(2021, 1),
    release(2021, 2),
    release(2021, 3),
    release(2021, 4),
    release(2022, 1),
    release(2022, 2),
    release(2022, 3),
    release(2023, 0),
    release(2023, 1),
    release(2023, 2),
    release(2024, 0),
    release(2024, 5),
    release(2026, 0),
    release(2026, 2),
];

/// Revisions that appeared before or after the release that completed their opset.
#[rustfmt::skip]
const OPERATIONS: &[(&str, u8, Release)] = &[
    ("FakeConvert", 13, release(2023, 3)),
    ("ScaledDotProductAttention", 13, release(2023, 3)),
    ("Col2Im", 15, release(2024, 2)),
    ("EmbeddingBagOffsets", 15, release(2024, 2)),
    ("EmbeddingBagPacked", 15, release(2024, 2)),
    ("ROIAlignRotated", 15, release(2024, 2)),
    ("ScatterNDUpdate", 15, release(2024, 2)),
    ("BitwiseLeftShift", 15, release(2024, 4)),
    ("BitwiseRightShift", 15, release(2024, 4)),
    ("SliceScatter", 15, release(2024, 4)),
    ("StringTensorPack", 15, release(2024, 4)),
    ("StringTensorUnpack", 15, release(2024, 4)),
    ("SearchSorted", 15, release(2024, 5)),
    ("Squeeze", 15, release(2024, 5)),
    ("STFT", 15, release(2024, 5)),
    ("Identity", 16, release(2025, 0)),
    ("ISTFT", 16, release(2025, 1)),
    ("SegmentMax", 16, release(2025, 1)),
    ("SparseFillEmptyRows", 16, release(2025, 2)),
    ("AvgPool", 16, release(2025, 3)),
    ("OneHot", 16, release(2025, 4)),
    ("GroupedMatMul", 17, release(2026, 3)),
    ("BGRtoNV12", 17, release(2026, 4)),
    ("RGBtoNV12", 17, release(2026, 4)),
];

/// The labels under which a release knew an operation before all others of the opset.
#[rustfmt::skip]
const LABELS: &[(&str, u8, Release)] = &[
    ("Convert", 16, release(2025, 0)),
    ("Parameter", 16, release(2025, 0)),
    ("ShapeOf", 16, release(2025, 0)),
];

/// Labels of an opset without the operation, the first releases that read them without peepholes, and the first that do not.
#[rustfmt::skip]
const WRONG_LABELS: &[(&str, u8, Release, Release)] = &[
    ("LSTMSequence", 1, release(2023, 1), release(2025, 0)),
    ("LSTMSequence", 2, release(2023, 1), release(2025, 0)),
    ("LSTMSequence", 3, release(2023, 1), release(2025, 0)),
];

/// Element types that 2022.1 does not have.
const TYPES: &[(ElementType, Release)] = &[
    (ElementType::Nf4, release(2023, 2)),
    (ElementType::String, release(2023, 3)),
    (ElementType::F8e4m3, release(2024, 0)),
    (ElementType::F8e5m2, release(2024, 0)),
    (ElementType::U2, release(2024, 1)),
    (ElementType::U3, release(2024, 1)),
    (ElementType::U6, release(2024, 1)),
    (ElementType::F4e2m1, release(2024, 3)),
    (ElementType::F8e8m0, release(2024, 3)),
];

impl Release {
    /// The first release that reads IR version 11.
    pub const IR_11: Self = release(2022, 1);

    /// The first release that reads tensor names of which one is empty.
    pub(crate) const EMPTY_NAMES: Self = release(2022, 2);

    /// The first release that reads ports whose precision is `UNSPECIFIED` or `dynamic`.
    pub(crate) const OPEN_PORTS: Self = release(2023, 0);

    /// The first release that reads inputs and outputs without elements.
    pub(crate) const EMPTY_ENDS: Self = release(2023, 2);

    /// The first release that reads layers of the same name.
    pub(crate) const SHARED_NAMES: Self = release(2024, 1);

    /// The first release that reads entries of `<rt_info>` without a name or a version.
    pub(crate) const INCOMPLETE_RT_INFO: Self = release(2024, 5);

    /// The first release that recognizes an IR by more than its first 512 bytes, and in UTF-16.
    pub(crate) const ANY_HEADER: Self = release(2024, 5);

    /// The first release that reads IR version 10 with inputs and outputs that share tensor names.
    pub(crate) const SHARED_TENSOR_NAMES: Self = release(2025, 1);

    /// The first release that takes an element type left open for any other.
    pub(crate) const OPEN_TYPES: Self = release(2025, 1);

    /// The first release that knows all earlier operations under the label of an opset; `None` if there is no such opset.
    pub fn of_opset(opset: u8) -> Option<Self> {
        OPSETS.get(usize::from(opset).checked_sub(1)?).copied()
    }

    /// The first release that reads a revision of an operation under the label of an opset that holds it.
    pub fn of_operation(name: &str, revision: u8, opset: u8) -> Option<Self> {
        if let Some(row) = LABELS.iter().find(|row| row.0 == name && row.1 == opset) {
            return Some(row.2);
        }
        let own = OPERATIONS.iter().find(|row| row.0 == name && row.1 == revision).map(|row| row.2);
        if opset == revision { own.or_else(|| Self::of_opset(opset)) } else { own.max(Self::of_opset(opset)) }
    }

    /// The first release that reads an operation under the label of an opset without it, and the first later one that rejects it;
    /// `None` if all do.
    pub(crate) fn of_wrong_label(name: &str, version: &str) -> Option<[Self; 2]> {
        let opset = opset(version)?;
        let row = WRONG_LABELS.iter().find(|row| row.0.eq_ignore_ascii_case(name) && row.1 == opset)?;
        Some([row.2, row.3])
    }

    /// The first release that reads an element type; `None` if it always did.
    pub fn of_type(ty: ElementType) -> Option<Self> {
        TYPES.iter().find(|row| row.0 == ty).map(|row| row.1)
    }

    /// The first release that reads a type and version; `None` if that is not an operation of an opset, such as old operations
    /// under other labels.
    pub(crate) fn of_meaning(meaning: &Meaning, version: &str) -> Option<Self> {
        let Meaning::Modelled(spec) = meaning else { return None };
        Self::of_operation(spec.name, spec.opset, opset(version)?)
    }

    /// The newest opset that this release knows in full.
    pub fn newest_opset(self) -> usize {
        OPSETS.iter().filter(|first| **first <= self).count()
    }
}

/// The number of an opset; other versions have none.
pub(crate) fn opset(version: &str) -> Option<u8> {
    version.strip_prefix("opset")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::operations;
    use crate::ops::revisions::NEWEST;

    #[test]
    fn every_opset_has_a_release_and_every_row_is_a_revision() {
        assert_eq!(OPSETS.len(), usize::from(NEWEST));
        assert!(OPSETS.is_sorted());
        for (name, opset, _) in OPERATIONS {
            assert!(operations().any(|spec| spec.name == *name && spec.opset == *opset), "{name}");
        }
    }

    #[test]
    fn operations_come_with_their_opset_or_at_a_time_of_their_own() {
        let first = |name, revision, opset| Release::of_operation(name, revision, opset).unwrap().to_string();
        assert_eq!(first("Split", 1, 1), "2020.1");
        assert_eq!(first("Split", 1, 13), "2023.2");
        assert_eq!(first("ScaledDotProductAttention", 13, 13), "2023.3");
        assert_eq!(first("Col2Im", 15, 15), "2024.2");
        assert_eq!(first("Col2Im", 15, 16), "2026.0");
        assert_eq!(first("RGBtoNV12", 17, 17), "2026.4");
        assert_eq!(release(2025, 4).newest_opset(), 15);
    }
}
