//! How files are read and checked.

use crate::diagnostic::Rule;
use crate::ir::WeightsOption;
use crate::limits::Limits;
use crate::releases::Release;
use std::fmt;
use std::str::FromStr;

/// How files are read and checked.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Where the weights come from.
    pub weights: WeightsOption,
    /// The limits of one file.
    pub limits: Limits,
    /// The opt-in rules that are asked for; what nobody asks for is not computed.
    pub enabled: Vec<&'static Rule>,
    /// The oldest release of OpenVINO that is to read the file.
    pub target: Option<Release>,
    /// The device that is to run it.
    pub device: Option<Device>,
}

impl Options {
    /// Whether findings of the rule are wanted at all.
    pub fn enables(&self, rule: &Rule) -> bool {
        !rule.is_opt_in || self.enabled.contains(&rule)
    }
}

/// A device that runs models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants are the devices' own names")]
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
