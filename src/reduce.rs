//! The smallest model that still shows a fault.
//!
//! A reduced model consists of layers of the original, byte for byte, and of inputs and Results where it is cut off from the
//! rest: inputs have the type and shape that the original has there, or are constants where it is known what they hold.
//! Candidates are tried around the layer that is to blame first, and then thinned out by delta debugging.

mod choice;
mod constants;
mod document;
mod draft;
mod known;
mod original;
mod predicate;
mod rule;
mod search;

pub use draft::{Bytes, Candidate};
pub use predicate::by_predicate;
pub use rule::by_rule;

use crate::analysis::Model;
use crate::diagnostic::Diagnostic;
use choice::Choice;
use original::Original;

/// A model to reduce.
pub struct Task<'a> {
    /// The model.
    pub model: &'a Model,
    /// Whether all constants that stay keep their bytes.
    pub keep_weights: bool,
    /// Is given every smaller model that shows the fault, and the number of candidates tried so far.
    pub progress: &'a mut dyn FnMut(&Candidate, usize),
}

/// The smallest model that was found.
#[derive(Debug)]
pub struct Reduced {
    /// Its text, its weights and its size.
    pub model: Candidate,
    /// The number of layers that the original has, without those of bodies.
    pub layers_before: usize,
    /// The number of candidates that were tried.
    pub calls: usize,
    /// The finding that it shows, if it was reduced to one.
    pub finding: Option<Diagnostic>,
}

impl Reduced {
    fn of(original: &Original, best: Option<(Choice, Candidate)>, calls: usize) -> Result<Self, String> {
        let (_, model) = best.ok_or("nothing smaller shows the fault")?;
        Ok(Self { model, layers_before: original.graph.layers.len(), calls, finding: None })
    }
}
