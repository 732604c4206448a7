//! How files are read and checked.

use crate::diagnostic::Rule;
use crate::ir::WeightsOption;
use crate::limits::Limits;

/// How files are read and checked.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Where the weights come from.
    pub weights: WeightsOption,
    /// The limits of one file.
    pub limits: Limits,
    /// The opt-in rules that are asked for; what nobody asks for is not computed.
    pub enabled: Vec<&'static Rule>,
}

impl Options {
    /// Whether findings of the rule are wanted at all.
    pub fn enables(&self, rule: &Rule) -> bool {
        !rule.is_opt_in || self.enabled.contains(&rule)
    }
}
