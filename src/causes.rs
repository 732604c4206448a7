//! What several findings have in common: the constant or the file at fault.

mod constants;
pub(crate) mod wrong_weights;

use crate::diagnostic::Sink;
use crate::lint::Checked;

/// Finds the causes of what was reported, and folds what follows from them.
pub(crate) fn find(checked: &Checked, sink: &mut Sink) {
    if !checked.options.no_infer {
        wrong_weights::check(checked, sink);
        constants::fold(checked, sink);
    }
}
