//! The vocabulary of inference: element types, dimensions, shapes, small values and facts.

mod dim;
mod element;
mod fact;
mod shape;
mod value;

pub use dim::Dim;
pub use element::{ElementType, TypeSet};
pub use fact::{Fact, ParseError};
pub use shape::PartialShape;
pub(crate) use value::integer_text;
pub(crate) use value::truncate;
pub use value::{Bounds, Elements, Value};
