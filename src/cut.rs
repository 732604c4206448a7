//! Parts of a model, for `ovlint extract` and `ovlint reduce`: a choice of layers, the inputs and Results that it needs, and
//! the edits that remove everything else.

mod around;
mod choice;
mod constants;
mod document;
mod draft;
mod extract;
mod known;
mod names;
mod original;
mod outputs;

pub(crate) use around::{Around, is_choosable};
pub(crate) use choice::{BodyRef, Choice, Plan, Treatment, set};
pub(crate) use document::PartKind;
pub use draft::Candidate;
pub use extract::{Extraction, extract};
pub(crate) use original::Original;
