//! The smallest model that still shows a fault.
//!
//! A reduced model consists of layers of the original, byte for byte, and of inputs and Results where it is cut off from the
//! rest: inputs have the type and shape that the original has there, or are constants where it is known what they hold.
//! Candidates are tried around the layer that is to blame first, and then thinned out by delta debugging.

mod bodies;
mod choice;
mod constants;
mod document;
mod draft;
mod known;
mod names;
mod original;
mod predicate;
mod rule;
mod search;

pub use draft::{Bytes, Candidate};
pub use predicate::by_predicate;
pub use rule::by_rule;

use crate::analysis::Model;
use crate::diagnostic::Diagnostic;
use search::Search;

/// How many candidates are tried at most unless another number is asked for.
pub const CANDIDATES: usize = 250;

/// A model to reduce.
pub struct Task<'a> {
    /// The model.
    pub model: &'a Model,
    /// Whether all constants that stay keep their bytes.
    pub keep_weights: bool,
    /// Whether names of the model are replaced by types and numbers.
    pub is_anonymous: bool,
    /// How many candidates are tried at most.
    pub most_candidates: usize,
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
    pub candidates: usize,
    /// Whether there were more to try.
    pub is_cut_off: bool,
    /// Whether its names were replaced.
    pub is_anonymous: bool,
    /// The finding that it shows, if it was reduced to one.
    pub finding: Option<Diagnostic>,
}

impl Reduced {
    fn of(search: Search, finding: Option<Diagnostic>) -> Result<Self, String> {
        let layers_before = search.original.graph.layers.len();
        let (candidates, is_cut_off) = (search.calls, search.is_cut_off);
        let (choice, model) = search.best.ok_or("no smaller model was found")?;
        Ok(Self { model, layers_before, candidates, is_cut_off, is_anonymous: choice.is_anonymous, finding })
    }
}
