//! The options that checks depend on.

use crate::diagnostic::Rule;
use crate::ops::devices::Device;
use crate::ops::extension::ExtensionOps;
use crate::types::Targets;

/// The options that checks depend on.
#[derive(Clone, Copy)]
pub(crate) struct Options<'a> {
    /// The opt-in rules that are enabled.
    pub(crate) enabled: &'a [&'static Rule],
    /// The releases of OpenVINO that must read the file.
    pub(crate) target: Option<Targets>,
    /// The device that must run the model.
    pub(crate) device: Option<Device>,
    /// Set if inference is off.
    pub(crate) no_infer: bool,
    /// Set if the inputs have other shapes than the file declares.
    pub(crate) is_reshaped: bool,
    /// The user's shape rules for operations that no opset has.
    pub(crate) extension_ops: Option<&'a ExtensionOps>,
}

impl Options<'_> {
    /// Whether findings of the rule are wanted.
    pub(crate) fn enables(&self, rule: &Rule) -> bool {
        !rule.is_opt_in || self.enabled.contains(&rule)
    }
}
