//! The public API: small types that wrap internal modules, so that those can change. Types that callers construct or match on
//! are re-exported unchanged.

mod analysis;
mod cost;
mod diff;
mod edited;
mod error;
mod finding;
mod fixed;
mod folder;
mod found;
mod inputs;
mod layer;
mod options;
mod reduced;
mod report;
mod rule;
mod tensor;
mod view;
mod why;

pub use analysis::{Analysis, shapes};
pub use cost::Cost;
pub use diff::Diff;
pub use edited::Edited;
pub use error::{Error, ErrorKind};
pub use finding::{Finding, PortRef};
pub use fixed::Fixed;
pub use folder::Folder;
pub use found::Found;
pub use inputs::Inputs;
pub use layer::{LayerRef, Output};
pub use options::{Options, Weights};
pub use reduced::{Reduced, Reduction};
pub use report::Report;
pub use rule::Rule;
pub use tensor::{Tensor, split, variadic_split};
pub use view::{Drawing, Language, View};
pub use why::Why;

pub use crate::cut::Extraction;
pub use crate::diagnostic::{Applicability, Direction, Group, Runtime, Severity};
pub use crate::limits::Limits;
pub use crate::ops::devices::Device;
pub use crate::policy::Profile;
pub use crate::query::diff::Level as DiffLevel;
pub use crate::remote::Store;
pub use crate::report::Format;
pub use crate::source::Position;
pub use crate::types::{Dim, ElementType};
