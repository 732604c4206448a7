//! The options for reading and checking files.

use super::InputShapes;
use crate::diagnostic::Rule;
use crate::input::Bounds;
use crate::ir::WeightsOption;
use crate::limits::Limits;
use crate::lint;
use crate::ops::devices::Device;
use crate::ops::extension::ExtensionOps;
use crate::types::Targets;

/// The options for reading and checking files.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The source of the weights.
    pub weights: WeightsOption,
    /// The bounds that links of the file and its companions must not leave; `None` for a file that the user named.
    pub bounds: Option<Bounds>,
    /// The limits of one file.
    pub limits: Limits,
    /// The opt-in rules to check; the others are not computed.
    pub enabled: Vec<&'static Rule>,
    /// Input shapes that replace the declared ones. Port declarations are then not checked, because they are for the declared
    /// input shapes. Shapes that do not fit the inputs are an [`Error`](super::Error).
    pub shapes: InputShapes,
    /// The releases of OpenVINO that must read the file.
    pub target: Option<Targets>,
    /// The device on which the model must run.
    pub device: Option<Device>,
    /// Skips inference: only the structure is checked, and no facts are known.
    pub no_infer: bool,
    /// The outputs that the user states for operations of no opset; they count as inferred.
    pub extension_ops: Option<ExtensionOps>,
    /// Expresses dynamic dimensions as symbolic expressions of the input dimensions.
    pub symbolic: bool,
    /// Infers in an order that does not depend on that of the file, so that expressions are the same in every export.
    pub stable: bool,
}

impl Options {
    /// Returns the part of the options that the checks use.
    pub(super) fn lint(&self) -> lint::Options<'_> {
        lint::Options {
            enabled: &self.enabled,
            target: self.target,
            device: self.device,
            no_infer: self.no_infer,
            is_reshaped: !self.shapes.is_empty(),
            extension_ops: self.extension_ops.as_ref(),
        }
    }
}
