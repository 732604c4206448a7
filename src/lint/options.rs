//! What checks depend on apart from the file.

use crate::diagnostic::Rule;
use crate::ops::extension::ExtensionOps;
use crate::ops::releases::Release;
use std::fmt;
use std::str::FromStr;

/// What checks depend on apart from the file.
#[derive(Clone, Copy)]
pub(crate) struct Options<'a> {
    /// The opt-in rules that are enabled.
    pub(crate) enabled: &'a [&'static Rule],
    /// The oldest release of OpenVINO that must read the file.
    pub(crate) target: Option<Release>,
    /// The device that must run it.
    pub(crate) device: Option<Device>,
    /// Whether nothing was inferred.
    pub(crate) no_infer: bool,
    /// Whether inputs have other shapes than the file was written for.
    pub(crate) is_reshaped: bool,
    /// Shapes of operations that no opset of OpenVINO holds.
    pub(crate) extension_ops: Option<&'a ExtensionOps>,
}

impl Options<'_> {
    /// Whether findings of the rule are wanted at all.
    pub(crate) fn enables(&self, rule: &Rule) -> bool {
        !rule.is_opt_in || self.enabled.contains(&rule)
    }
}

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
