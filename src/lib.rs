//! Reads an `OpenVINO` IR, works out every shape and element type, and says where the file disagrees with itself.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod diagnostic;
pub mod exec;
pub mod limits;
pub mod ops;
pub mod source;
pub mod types;
