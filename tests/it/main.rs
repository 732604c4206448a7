//! All integration tests, in one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test fails where it stands"
)]

mod bad;
mod bodies;
mod bombs;
mod build;
mod cli;
mod corners;
mod crosscut;
mod dimensions;
mod docs;
mod documented;
mod fuzz_seeds;
mod measured;
mod mutate;
mod probes;
mod properties;
mod reader;
mod recipe;
mod samples;
mod settings;
mod split;
mod split_table;
