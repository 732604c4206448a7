//! Questions to a finished analysis.

pub mod diff;
pub mod info;
pub mod inspect;
pub mod names;
mod oldest;
pub mod snapshot;
pub mod what_if;
pub mod why;

pub use oldest::Oldest;
