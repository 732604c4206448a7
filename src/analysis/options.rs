//! How files are read and checked.

use super::InputShapes;
use crate::diagnostic::Rule;
use crate::ir::WeightsOption;
use crate::limits::Limits;
use crate::lint;
use crate::lint::Device;
use crate::ops::extension::ExtensionOps;
use crate::ops::releases::Release;

/// How files are read and checked.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Where the weights come from.
    pub weights: WeightsOption,
    /// The limits of one file.
    pub limits: Limits,
    /// The opt-in rules that are asked for; what nobody asks for is not computed.
    pub enabled: Vec<&'static Rule>,
    /// Shapes that inputs have instead of those declared; what ports declare was written for other shapes and is then not
    /// compared. Shapes that do not fit the inputs of a model are an [`Error`](super::Error).
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
    /// What checks read of them.
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
