//! Defects of devices that were reported in public and show in the file: the operation, what it must look like, and the
//! releases. Read on 2026-11-23.

use super::devices::Device;
use super::releases::{Release, release};
use crate::types::ElementType;

/// A reported defect.
#[derive(Debug)]
pub struct Advisory {
    /// The device that computes something wrong.
    pub device: Device,
    /// The operation.
    pub operation: &'static str,
    /// Which of its layers.
    pub(crate) when: When,
    /// What is wrong.
    pub what: &'static str,
    /// The release that it was reported for.
    pub reported: Release,
    /// The first release without it, if there is one.
    pub gone: Option<Release>,
    /// The report.
    pub thread: &'static str,
    /// Whether 2026.4.1 was measured, too.
    pub is_measured: bool,
}

/// What a layer must look like.
#[derive(Debug, Clone, Copy)]
pub(crate) enum When {
    /// Its first input has a type.
    Takes(ElementType),
    /// Its first input has a type and its first output another one.
    Turns(ElementType, ElementType),
    /// An attribute has a value, and another one has not.
    Attributes((&'static str, &'static str), (&'static str, &'static str)),
    /// A length of its first input behind batch and channels is open.
    Open,
}

/// Every advisory.
pub static ADVISORIES: [Advisory; 6] = [
    Advisory {
        device: Device::Gpu,
        operation: "Convolution",
        when: When::Open,
        what: "gives zeros or garbage on graphics of the 11th generation where heights or widths are dynamic",
        reported: release(2025, 4),
        gone: Some(release(2026, 4)),
        thread: "https://github.com/openvinotoolkit/openvino/issues/36831",
        is_measured: false,
    },
    Advisory {
        device: Device::Gpu,
        operation: "Interpolate",
        when: When::Attributes(("mode", "cubic"), ("coordinate_transformation_mode", "align_corners")),
        what: "gives garbage in the mode cubic, unless it aligns corners",
        reported: release(2025, 4),
        gone: None,
        thread: "https://github.com/openvinotoolkit/openvino/issues/33459",
        is_measured: false,
    },
    Advisory {
        device: Device::Gpu,
        operation: "Convert",
        when: When::Turns(ElementType::F16, ElementType::F64),
        what: "gives wrong numbers from f16 to f64",
        reported: release(2025, 4),
        gone: None,
        thread: "https://github.com/openvinotoolkit/openvino/issues/33451",
        is_measured: false,
    },
    Advisory {
        device: Device::Cpu,
        operation: "TopK",
        when: When::Takes(ElementType::I64),
        what: "compares no more than 32 bits of i64",
        reported: release(2026, 1),
        gone: None,
        thread: "https://github.com/openvinotoolkit/openvino/issues/35824",
        is_measured: true,
    },
    Advisory {
        device: Device::Cpu,
        operation: "Divide",
        when: When::Takes(ElementType::F64),
        what: "computes f64 as f32, and gives the largest f32 for a division by zero",
        reported: release(2026, 0),
        gone: None,
        thread: "https://github.com/openvinotoolkit/openvino/issues/33564",
        is_measured: true,
    },
    Advisory {
        device: Device::Cpu,
        operation: "Clamp",
        when: When::Takes(ElementType::I64),
        what: "clamps the lower 32 bits of i64",
        reported: release(2025, 4),
        gone: None,
        thread: "https://github.com/openvinotoolkit/openvino/issues/37957",
        is_measured: true,
    },
];

impl Advisory {
    /// Whether it is about a release or one after that.
    pub(crate) fn concerns(&self, target: Option<Release>) -> bool {
        self.gone.is_none_or(|gone| target.unwrap_or(Release::NEWEST) < gone)
    }

    /// For which releases it is known.
    pub fn releases(&self) -> String {
        let measured = if self.is_measured { ", measured in 2026.4.1" } else { "" };
        match self.gone {
            Some(gone) => format!("reported for {}, gone in {gone}", self.reported),
            None => format!("reported for {}{measured}", self.reported),
        }
    }
}
