//! The vocabulary of inference: element types, dimensions, shapes, small values and facts.

mod bounds;
pub(crate) mod codec;
mod dim;
mod element;
mod fact;
pub(super) mod float_interval;
pub(super) mod interval;
mod release;
mod shape;
pub(crate) mod symbol;
mod value;

pub use bounds::Bounds;
pub use dim::Dim;
pub use element::{ElementType, TypeSet};
pub(crate) use fact::bare_fact;
pub use fact::{Basis, Fact};
pub use float_interval::Function;
pub(crate) use interval::Interval;
pub(crate) use release::release;
pub use release::{Release, Targets};
pub use shape::{PartialShape, from_front};
pub use value::{Elements, Value};
pub(crate) use value::{cut, integer_text, number_text, truncate};

/// Serialises types as their text.
macro_rules! serialise_as_text {
    ($($ty:ty),*) => {$(
        impl serde::Serialize for $ty {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )*};
}

serialise_as_text!(Dim, ElementType, PartialShape, Release);
