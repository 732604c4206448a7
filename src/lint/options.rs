//! What checks depend on apart from the file.

use crate::diagnostic::Rule;
use crate::ops::devices::Device;
use crate::ops::extension::ExtensionOps;
use crate::ops::releases::Release;

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
