//! The options for reading and checking files.

use super::InputShapes;
use crate::diagnostic::Rule;
use crate::input::Bounds;
use crate::ir::WeightsOption;
use crate::limits::Limits;
use crate::lint;
use crate::ops::devices::Device;
use crate::ops::extension::ExtensionOps;
use crate::ops::releases::Release;

/// The options for reading and checking files.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The source of the weights.
    pub weights: WeightsOption,
    /// The folders into which links of the file and its companions may lead; `None` for a file that the user named.
    pub bounds: Option<Bounds>,
    /// The limits of one file.
    pub limits: Limits,
    /// The opt-in rules to check; the others are not computed.
    pub enabled: Vec<&'static Rule>,
    /// Input shapes that replace the declared ones. Declared ports are then not compared, because they were written for
    /// other shapes. Shapes that do not fit the inputs are an [`Error`](super::Error).
    pub shapes: InputShapes,
    /// The oldest release of OpenVINO that must read the file.
    pub target: Option<Release>,
    /// The device that must run the model.
    pub device: Option<Device>,
    /// Skips inference: only the structure is checked, and no facts are known.
    pub no_infer: bool,
    /// Stated outputs of operations that no opset has; they count as inferred.
    pub extension_ops: Option<ExtensionOps>,
    /// Expresses dynamic dimensions in terms of those of the inputs.
    pub symbolic: bool,
}

impl Options {
    /// Returns the part that checks read.
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
