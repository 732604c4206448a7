//! The loaders of pipelines, and the severity of a check for each.

use crate::diagnostic::Severity;
use crate::ops::devices::Device;
use crate::recipe::Chosen;

/// A program that loads pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loader {
    /// openvino.genai on CPU or GPU.
    Genai,
    /// openvino.genai on the NPU.
    GenaiNpu,
    /// optimum-intel.
    Optimum,
    /// OpenVINO Model Server.
    Ovms,
}

impl Loader {
    /// Returns the loader that a recipe is for; `None` for a recipe of single models.
    pub fn of(chosen: &Chosen) -> Option<Self> {
        match (chosen.recipe.name, chosen.recipe.device) {
            ("genai", Some(Device::Npu)) => Some(Self::GenaiNpu),
            ("genai", _) => Some(Self::Genai),
            ("optimum", _) => Some(Self::Optimum),
            ("ovms", _) => Some(Self::Ovms),
            _ => None,
        }
    }

    /// The name in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Genai | Self::GenaiNpu => "openvino.genai",
            Self::Optimum => "optimum-intel",
            Self::Ovms => "OpenVINO Model Server",
        }
    }
}

/// The severity of a check: for each loader, and where none is named.
#[derive(Clone, Copy, Debug)]
pub(super) struct Levels {
    /// Where no loader is named.
    pub any: Severity,
    pub genai: Severity,
    pub optimum: Severity,
    pub ovms: Severity,
}

impl Levels {
    /// The same severity in every case.
    pub(super) const fn all(severity: Severity) -> Self {
        Self { any: severity, genai: severity, optimum: severity, ovms: severity }
    }

    /// The levels of a demand of openvino.genai, and of the model server, which runs it.
    pub(super) const fn genai(severity: Severity) -> Self {
        Self { any: Severity::Off, genai: severity, optimum: Severity::Off, ovms: severity }
    }

    /// The levels of a demand of every loader.
    pub(super) const fn loaders(severity: Severity) -> Self {
        Self { any: Severity::Off, ..Self::all(severity) }
    }

    /// The severity for a loader.
    pub(super) fn of(self, loader: Loader) -> Severity {
        match loader {
            Loader::Genai | Loader::GenaiNpu => self.genai,
            Loader::Optimum => self.optimum,
            Loader::Ovms => self.ovms,
        }
    }
}
