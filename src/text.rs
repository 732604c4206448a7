//! Text for people: the wording of messages, suggestions for unknown names, names without generated numbers, and the
//! escaping of untrusted text.

pub(crate) mod escape;
mod made_up;
mod suggest;
mod wording;
mod words;

pub(crate) use escape::path_text;
pub use escape::plain_text;
pub(crate) use made_up::stable_name;
pub(crate) use suggest::{Hints, likeness};
pub use suggest::{did_you_mean, nearest};
pub(crate) use wording::{alternatives, plural};
pub use wording::{counted, grouped};
pub(crate) use words::words;
