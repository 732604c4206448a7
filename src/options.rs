//! How files are read and checked.

use crate::diagnostic::Rule;
use crate::ir::WeightsOption;
use crate::limits::Limits;
use crate::whatif::InputShapes;

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
}

impl Options {
    /// Whether findings of the rule are wanted at all.
    pub fn enables(&self, rule: &Rule) -> bool {
        !rule.is_opt_in || self.enabled.contains(&rule)
    }
}
