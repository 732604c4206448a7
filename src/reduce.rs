//! The smallest model that still shows a fault.
//!
//! A reduced model keeps layers of the original byte for byte. Where a kept layer loses its producer, a new Parameter of the
//! inferred type and shape takes its place, or a Const if the value is known; where it loses its consumers, a new Result does.
//! For `a -> b -> c` with the fault in `b`, that is `Parameter -> b -> Result`. The search tries the neighborhood of the
//! faulty layer first, and then minimizes the best candidate by delta debugging (ddmin).

mod bodies;
mod predicate;
mod rule;
mod search;

pub use crate::cut::Candidate;
pub use crate::edit::Bytes;
pub use predicate::by_predicate;
pub use rule::by_rule;

use crate::analysis::Model;
use crate::diagnostic::Diagnostic;
use search::Search;

/// The default maximum number of candidates to try.
pub const CANDIDATES: usize = 250;

/// A model to reduce.
pub struct Task<'a> {
    /// The model to reduce.
    pub model: &'a Model,
    /// Set if every kept constant must keep its bytes.
    pub keep_weights: bool,
    /// Set if the names in the model are replaced by types and numbers.
    pub is_anonymous: bool,
    /// Maximum number of candidates to try.
    pub most_candidates: usize,
    /// The callback for every smaller model that shows the fault, with the number of candidates tried so far.
    pub progress: &'a mut dyn FnMut(&Candidate, usize),
}

/// The result of a reduction.
#[derive(Debug)]
pub struct Reduced {
    /// The smallest model found.
    pub model: Candidate,
    /// The number of layers of the original, without those of bodies.
    pub layers_before: usize,
    /// The number of candidates tried.
    pub candidates: usize,
    /// Set if the maximum number of candidates ended the search.
    pub is_cut_off: bool,
    /// Set if names were replaced.
    pub is_anonymous: bool,
    /// The finding that the smallest model shows; `None` for a reduction by predicate.
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
