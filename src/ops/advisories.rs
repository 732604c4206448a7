//! Publicly reported defects of devices that can be recognized in a file, by operation, condition and release. Read on
//! 2026-11-23.

use super::devices::Device;
use crate::types::{ElementType, Release, release};

/// A reported defect.
#[derive(Debug)]
pub struct Advisory {
    /// The device with the defect.
    pub device: Device,
    /// The operation.
    pub operation: &'static str,
    /// The condition on its layers.
    pub(crate) when: When,
    /// The description of the defect.
    pub what: &'static str,
    /// The release it was reported for.
    pub reported: Release,
    /// The first release without it, if any.
    pub fixed: Option<Release>,
    /// The URL of the report.
    pub thread: &'static str,
    /// Whether it was also measured with 2026.4.1.
    pub is_measured: bool,
}

/// A condition on a layer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum When {
    /// The first input has this type.
    Takes(ElementType),
    /// The first input has the first type and the first output the second.
    Turns(ElementType, ElementType),
    /// The first attribute has its value, and the second does not.
    Attributes((&'static str, &'static str), (&'static str, &'static str)),
    /// A spatial dimension of the first input is dynamic.
    Open,
}

/// Every advisory.
pub static ADVISORIES: [Advisory; 6] = [
    Advisory {
        device: Device::Gpu,
        operation: "Convolution",
        when: When::Open,
        what: "with dynamic height or width gives wrong numbers on Gen11 graphics",
        reported: release(2025, 4),
        fixed: Some(release(2026, 4)),
        thread: "https://github.com/openvinotoolkit/openvino/issues/36831",
        is_measured: false,
    },
    Advisory {
        device: Device::Gpu,
        operation: "Interpolate",
        when: When::Attributes(("mode", "cubic"), ("coordinate_transformation_mode", "align_corners")),
        what: "in cubic mode gives wrong numbers unless it aligns corners",
        reported: release(2025, 4),
        fixed: None,
        thread: "https://github.com/openvinotoolkit/openvino/issues/33459",
        is_measured: false,
    },
    Advisory {
        device: Device::Gpu,
        operation: "Convert",
        when: When::Turns(ElementType::F16, ElementType::F64),
        what: "from f16 to f64 gives wrong numbers",
        reported: release(2025, 4),
        fixed: None,
        thread: "https://github.com/openvinotoolkit/openvino/issues/33451",
        is_measured: false,
    },
    Advisory {
        device: Device::Cpu,
        operation: "TopK",
        when: When::Takes(ElementType::I64),
        what: "compares only the low 32 bits of i64",
        reported: release(2026, 1),
        fixed: None,
        thread: "https://github.com/openvinotoolkit/openvino/issues/35824",
        is_measured: true,
    },
    Advisory {
        device: Device::Cpu,
        operation: "Divide",
        when: When::Takes(ElementType::F64),
        what: "computes f64 as f32, and gives the largest f32 for a division by zero",
        reported: release(2026, 0),
        fixed: None,
        thread: "https://github.com/openvinotoolkit/openvino/issues/33564",
        is_measured: true,
    },
    Advisory {
        device: Device::Cpu,
        operation: "Clamp",
        when: When::Takes(ElementType::I64),
        what: "takes only the low 32 bits of i64",
        reported: release(2025, 4),
        fixed: None,
        thread: "https://github.com/openvinotoolkit/openvino/issues/37957",
        is_measured: true,
    },
];

impl Advisory {
    /// Whether it concerns a release or a later one.
    pub(crate) fn concerns(&self, target: Option<Release>) -> bool {
        self.fixed.is_none_or(|fixed| target.unwrap_or(Release::NEWEST) < fixed)
    }

    /// The releases it is known for, as text.
    pub fn releases(&self) -> String {
        let measured = if self.is_measured { ", measured in 2026.4.1" } else { "" };
        match self.fixed {
            Some(fixed) => format!("reported for {}, fixed in {fixed}", self.reported),
            None => format!("reported for {}{measured}", self.reported),
        }
    }
}
