//! The reason why the weights of a model cannot be read, for commands that need them.

use crate::analysis::Model;
use crate::ir::ForeignFormat;
use crate::ir::walk::layers;

/// Returns the reason why the bytes of a model's constants cannot be read; `None` if they can, or if there are no constants.
pub fn missing_weights(model: &Model) -> Option<String> {
    let weights = model.weights();
    let mut constants = layers(&model.net()?.graph, ()).filter_map(|visit| visit.place.graph.constant(visit.layer));
    if constants.all(|constant| constant.size == 0) {
        return None;
    }
    let Some(path) = &weights.path else {
        return (!weights.is_available()).then(|| "its weights are skipped".to_owned());
    };
    let path = path.display();
    match weights.foreign_format() {
        _ if !weights.is_available() => Some(format!("{path} is missing")),
        Some(ForeignFormat::LfsPointer) => Some(format!("{path} is a Git LFS pointer, not weights")),
        Some(ForeignFormat::Text) => Some(format!("{path} is a text file, not weights")),
        Some(ForeignFormat::Other(kind)) => Some(format!("{path} is {kind}, not weights")),
        None => None,
    }
}
