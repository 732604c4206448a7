//! Edits of the text of a model: byte edits of one text, applied in memory, proved, and written as a whole or not at all.

mod edited;
mod files;
mod ports;
mod proof;
mod reshape;
mod text;
mod write;

pub use edited::{Change, Edited, Part, Refusal};
pub use files::{Bin, Bytes, Target};
pub(crate) use ports::Declarations;
pub(crate) use proof::{Counts, new_finding, same_facts};
pub use reshape::reshape;
pub(crate) use text::{Text, applied, outermost};
pub use write::write;
