//! The output of the commands that show models, shapes and answers, as text and data.

mod aligned;
pub mod assumed;
pub mod cost;
mod csv;
pub mod diff;
pub mod edited;
pub mod graph;
pub mod html;
pub mod info;
pub mod inputs;
pub mod inspect;
pub mod message;
pub mod operations;
pub mod pipeline;
pub mod shapes;
mod stops;
pub mod what_if;
pub mod why;
