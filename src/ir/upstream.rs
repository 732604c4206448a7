//! The walk from an output to the layers that it is computed from, limited in length.

use super::{Graph, Layer, OutputRef, Port};
use std::collections::HashSet;

/// The maximum number of layers on one walk.
const MOST: usize = 128;

/// The next step of a walk from a layer.
pub(crate) enum Step {
    /// To the producers of its inputs.
    Follow,
    /// No further.
    Stop,
}

impl Graph {
    /// Calls `visit` once for every layer that leads to an output, the producer of the output first. Returns `None` if
    /// `visit` does, if an input has no producer, and beyond 128 layers.
    pub(crate) fn walk_upstream<'a>(
        &'a self,
        output: OutputRef,
        mut visit: impl FnMut(&'a Layer) -> Option<Step>,
    ) -> Option<()> {
        let (mut todo, mut seen) = (vec![output.layer], HashSet::new());
        while let Some(index) = todo.pop() {
            if !seen.insert(index) {
                continue;
            }
            let layer = self.layer(index).filter(|_| seen.len() <= MOST)?;
            if let Step::Follow = visit(layer)? {
                for source in self.inputs(layer).iter().map(Port::source) {
                    todo.push(source?.layer);
                }
            }
        }
        Some(())
    }
}
