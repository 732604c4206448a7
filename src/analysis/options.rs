//! How files are read and checked.

use crate::diagnostic::Rule;
use crate::ir::WeightsOption;
use crate::limits::Limits;
use crate::ops::extension::ExtensionOps;
use crate::ops::releases::Release;
use crate::query::what_if::InputShapes;
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
    /// Shapes that inputs have instead of those declared. What ports declare was not written for them and is not held
    /// against them; names that are no inputs are told by [`InputShapes::resolve`].
    pub shapes: InputShapes,
    /// The oldest release of OpenVINO that is to read the file.
    pub target: Option<Release>,
    /// The device that is to run it.
    pub device: Option<Device>,
    /// Whether nothing is inferred, so that only the structure is checked and nothing is known of any output.
    pub no_infer: bool,
    /// Shapes of operations that no opset of OpenVINO holds; what is stated counts as inferred.
    pub extension_ops: Option<ExtensionOps>,
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
