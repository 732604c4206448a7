//! Which findings follow from others: one pass over the findings of a file, after lint.
//!
//! Findings stay as they were reported. What follows from what is recorded beside them, by number.

mod by_layer;
mod constants;
mod ports;
pub(crate) mod wrong_weights;

use crate::diagnostic::Sink;
use crate::lint::Checked;
use crate::lint::declared::Declared;

/// Finds the causes of what was reported; `declared` are the ports that disagree with inference.
pub(crate) fn find(checked: &Checked, declared: &Declared, sink: &mut Sink) {
    if !checked.options.no_infer {
        ports::find(checked, declared, sink);
        wrong_weights::check(checked, sink);
        constants::find(checked, sink);
    }
}
