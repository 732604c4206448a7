//! How files are read and checked.

use super::InputShapes;
use crate::diagnostic::Rule;
use crate::input::Bounds;
use crate::ir::WeightsOption;
use crate::limits::Limits;
use crate::lint;
use crate::ops::devices::Device;
use crate::ops::extension::ExtensionOps;
use crate::ops::releases::Release;

/// How files are read and checked.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Where the weights come from.
    pub weights: WeightsOption,
    /// Where the file and what stands beside it may lead if they are links; `None` for a file that the user named.
    pub bounds: Option<Bounds>,
    /// The limits of one file.
    pub limits: Limits,
    /// The opt-in rules to check; the others are not computed.
    pub enabled: Vec<&'static Rule>,
    /// Shapes that inputs have instead of those declared; what ports declare was written for other shapes and is then not
    /// compared. Shapes that do not fit the inputs of a model are an [`Error`](super::Error).
    pub shapes: InputShapes,
    /// The oldest release of OpenVINO that must read the file.
    pub target: Option<Release>,
    /// The device that must run it.
    pub device: Option<Device>,
    /// Whether inference is skipped, so that only the structure is checked and nothing is known about any output.
    pub no_infer: bool,
    /// Shapes of operations that are in no opset of OpenVINO; what is stated counts as inferred.
    pub extension_ops: Option<ExtensionOps>,
    /// Whether dimensions that are not static are expressed by those of the inputs.
    pub symbolic: bool,
}

impl Options {
    /// The part of them that checks read.
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
