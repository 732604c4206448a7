//! Models, shapes and answers as text and data.

pub mod assumed;
pub mod graph;
pub mod info;
pub mod inspect;
pub mod shapes;
pub mod why;
