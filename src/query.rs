//! Answers about a finished analysis, as data, one module per question: `info`, `inputs`, `why`, `diff` and so on. `report`
//! puts them into words.

pub mod card;
pub mod cost;
pub mod diff;
mod ends;
pub mod groups;
pub mod info;
pub mod inputs;
pub mod inspect;
pub mod layout;
mod metadata;
mod missing_weights;
pub mod names;
mod needs;
mod older;
mod oldest;
pub mod picture;
mod read_by;
pub(crate) mod records;
pub(crate) mod shapes;
mod sizes;
pub mod snapshot;
pub(crate) mod states;
pub mod stops;
pub mod what_if;
pub mod why;

pub use ends::{End, ends};
pub(crate) use ends::{named_fact, of_role, push_named_fact};
pub use missing_weights::missing_weights;
pub use oldest::Oldest;
pub use read_by::{Read, ReadBy};
pub use sizes::Sizes;
