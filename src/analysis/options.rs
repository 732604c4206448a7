//! The options for reading and checking files.

use super::{InputShapes, Model};
use crate::diagnostic::Rule;
use crate::input::Bounds;
use crate::ir::{Kind, WeightsOption};
use crate::limits::Limits;
use crate::lint;
use crate::ops::devices::Device;
use crate::ops::extension::{ExtensionOps, Stated};
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

/// The options of an analysis.
impl Model {
    /// Returns the input shapes that replace the declared ones.
    pub(crate) fn shapes(&self) -> &InputShapes {
        &self.options.shapes
    }

    /// Returns the device on which the model must run.
    pub(crate) fn device(&self) -> Option<Device> {
        self.options.device
    }

    /// Whether the file was found in a folder rather than named.
    pub(crate) fn is_found(&self) -> bool {
        self.options.bounds.is_some()
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.options.limits
    }

    /// Returns the outputs that the user states for operations unknown to ovlint.
    pub(crate) fn extension_ops(&self) -> Option<&ExtensionOps> {
        self.options.extension_ops.as_ref()
    }

    /// Returns the outputs that the user states for an operation, and the file that states them.
    pub(crate) fn stated(&self, kind: &Kind) -> Option<(&Stated, String)> {
        let all = self.extension_ops()?;
        let stated = kind.stated(all)?;
        Some((stated, all.location(stated)))
    }
}
