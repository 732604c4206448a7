//! Operations that the plugins of devices lack, so that `compile_model` fails.
//!
//! - GPU: measured on 2026-11-23. `libopenvino_intel_gpu_plugin.so` of a release names the operations that it implements
//!   (`__register_NonZero_v3`). Listed are others that OpenVINO does not replace first. Measured were the first wheels of
//!   2022.2, 2022.3, 2023.0, 2023.1, 2024.0, 2025.0 and 2026.0, and 2026.4.1. `.ci/devices.py` compares the table with the
//!   newest.
//! - NPU: read on 2026-11-23: what the compiler imports, its element types (`importPrecision`) included, and the passes before that, in
//!   [IE.cpp](https://github.com/openvinotoolkit/npu_compiler/blob/e6abb2304c79b15d4cee027a5401d8c734c06021/src/vpux_compiler/src/frontend/IE.cpp).
//! - Both: the operations of `openvino_tokenizers`, [which work on the CPU
//!   only](https://github.com/openvinotoolkit/openvino_tokenizers/issues/131).

use super::Meaning;
use crate::types::{ElementType, Release, release};
use std::fmt;
use std::str::FromStr;

/// A device that runs models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants are the devices' own names")]
#[non_exhaustive]
pub enum Device {
    Cpu,
    Gpu,
    Npu,
}

impl FromStr for Device {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "cpu" => Ok(Self::Cpu),
            "gpu" => Ok(Self::Gpu),
            "npu" => Ok(Self::Npu),
            _ => Err(format!("`{text}` is not cpu, gpu or npu")),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cpu => "CPU",
            Self::Gpu => "GPU",
            Self::Npu => "NPU",
        })
    }
}

/// The operations that the GPU plugin lacks, by the last release measured without them.
const GPU: &[(Release, &[(&str, u8)])] = &[
    (
        release(2022, 2),
        &[
            ("Assign", 3),
            ("Assign", 6),
            ("CTCLoss", 4),
            ("Eye", 9),
            ("GenerateProposals", 9),
            ("GridSample", 9),
            ("IRDFT", 9),
            ("MatrixNms", 8),
            ("MulticlassNms", 8),
            ("MulticlassNms", 9),
            ("NonZero", 3),
            ("RDFT", 9),
            ("ReadValue", 3),
            ("ReadValue", 6),
        ],
    ),
    (release(2022, 3), &[("IsFinite", 10), ("IsInf", 10), ("IsNaN", 10)]),
    (release(2023, 0), &[("If", 8), ("Unique", 10)]),
    (release(2024, 0), &[("BitwiseAnd", 13), ("BitwiseOr", 13), ("BitwiseXor", 13)]),
    (release(2025, 0), &[("Col2Im", 15)]),
    (release(2026, 0), &[("SegmentMax", 16)]),
    (release(2026, 4), &[("BitwiseNot", 13), ("Inverse", 14), ("StringTensorPack", 15), ("StringTensorUnpack", 15)]),
];

/// The operations that the compiler for the NPU does not import.
const NPU: &[(&str, u8)] = &[
    ("BitwiseLeftShift", 15),
    ("BitwiseRightShift", 15),
    ("CTCLoss", 4),
    ("Col2Im", 15),
    ("ExperimentalDetectronDetectionOutput", 6),
    ("ExperimentalDetectronGenerateProposalsSingleImage", 6),
    ("ExperimentalDetectronTopKROIs", 6),
    ("GenerateProposals", 9),
    ("ISTFT", 16),
    ("IsFinite", 10),
    ("IsInf", 10),
    ("IsNaN", 10),
    ("MatrixNms", 8),
    ("MulticlassNms", 8),
    ("MulticlassNms", 9),
    ("Multinomial", 13),
    ("NMSRotated", 13),
    ("ROIAlignRotated", 15),
    ("STFT", 15),
    ("SearchSorted", 15),
    ("SegmentMax", 16),
    ("SparseFillEmptyRows", 16),
    ("StringTensorPack", 15),
    ("StringTensorUnpack", 15),
    ("Unique", 10),
];

/// The element types that the compiler for the NPU does not import.
const NPU_TYPES: [ElementType; 6] =
    [ElementType::U1, ElementType::U3, ElementType::U6, ElementType::F4e2m1, ElementType::F8e8m0, ElementType::String];

/// The operations that OpenVINO replaces by logical ones for booleans.
const BITWISE: [&str; 4] = ["BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor"];

/// The reason why an operation does not run on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lack {
    /// The GPU plugin of this release lacks it, as measured.
    Measured(Release),
    /// The compiler for the NPU does not import it.
    NotImported,
    /// Its library supports only the CPU.
    Library(&'static str),
}

impl Device {
    /// Whether inputs, outputs and constants of an element type do not run on the device.
    pub(crate) fn lacks_type(self, ty: ElementType) -> bool {
        self == Self::Npu && NPU_TYPES.contains(&ty)
    }

    /// The reason why an operation does not run on the device with a release and later ones; `None` if it runs or nothing is
    /// known.
    pub(crate) fn lacks(self, meaning: &Meaning, target: Option<Release>, ty: Option<ElementType>) -> Option<Lack> {
        let spec = match *meaning {
            Meaning::Modelled(spec) => spec,
            Meaning::Extension { library } if self != Self::Cpu => return library.map(Lack::Library),
            _ => return None,
        };
        let listed = |list: &[(&str, u8)]| list.contains(&(spec.name, spec.opset));
        match self {
            Self::Cpu => None,
            Self::Npu => listed(NPU).then_some(Lack::NotImported),
            Self::Gpu => {
                let is_replaced = ty == Some(ElementType::Boolean) && BITWISE.contains(&spec.name);
                let target = target.unwrap_or(Release::NEWEST);
                let (until, _) = GPU.iter().find(|(until, list)| target <= *until && listed(list))?;
                (!is_replaced).then_some(Lack::Measured(*until))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::meaning;
    use crate::ops::revisions::revisions_of;

    #[test]
    fn the_tables_name_operations_in_order() {
        let tables = GPU.iter().map(|(_, list)| *list).chain([NPU]);
        for list in tables {
            assert!(list.is_sorted(), "{list:?}");
            for (name, revision) in list {
                let exists = revisions_of(name).any(|one| one.name == *name && one.opset == *revision);
                assert!(exists, "{name} {revision}");
            }
        }
        assert!(GPU.is_sorted_by_key(|(until, _)| *until));
        assert_eq!(GPU.last().map(|(until, _)| *until), Some(Release::NEWEST));
    }

    #[test]
    fn what_is_lacking_depends_on_the_device_the_release_and_the_type() {
        let lacks = |device: &str, name, version, target: Option<&str>, ty| {
            let target = target.map(|target| target.parse().unwrap());
            device.parse::<Device>().unwrap().lacks(&meaning(name, version), target, Some(ty))
        };
        let measured = |year, number| Some(Lack::Measured(release(year, number)));
        let float = ElementType::F32;
        for (device, name, version, target, ty, wanted) in [
            ("gpu", "Inverse", "opset14", None, float, measured(2026, 4)),
            ("gpu", "Inverse", "opset14", Some("2024.0"), float, measured(2026, 4)),
            ("gpu", "ReadValue", "opset6", None, float, None),
            ("gpu", "ReadValue", "opset6", Some("2022.2"), float, measured(2022, 2)),
            ("gpu", "ReadValue", "opset6", Some("2022.3"), float, None),
            ("gpu", "BitwiseNot", "opset13", None, ElementType::I32, measured(2026, 4)),
            ("gpu", "BitwiseNot", "opset13", None, ElementType::Boolean, None),
            ("gpu", "RegexSplit", "extension", None, float, Some(Lack::Library("openvino_tokenizers"))),
            ("npu", "Multinomial", "opset13", None, float, Some(Lack::NotImported)),
            ("npu", "NonZero", "opset3", None, float, None),
            ("cpu", "Inverse", "opset14", None, float, None),
            ("cpu", "RegexSplit", "extension", None, float, None),
        ] {
            assert_eq!(lacks(device, name, version, target, ty), wanted, "{device} {name} {target:?}");
        }
    }

    /// Another rule reports operations that a release cannot read.
    #[test]
    fn operations_are_lacking_only_where_they_exist() {
        for (until, list) in GPU {
            for (name, revision) in *list {
                let first = Release::of_operation(name, *revision, *revision);
                assert!(first.is_some_and(|first| first <= *until), "{name} {revision} {until}");
            }
        }
    }
}
