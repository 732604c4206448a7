//! All integration tests, in one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test fails where it stands"
)]

mod api;
mod bad;
mod bodies;
mod bombs;
mod breakages;
mod build;
mod cascades;
mod cli;
mod commands;
mod corners;
mod crosscut;
mod declared;
mod diff;
mod dimensions;
mod docs;
mod documented;
mod evaluated;
mod extension_ops;
mod fix;
mod fuzz_seeds;
mod inputs;
mod insight;
mod layer_order;
mod layers;
mod lengths;
mod manual;
mod measured;
mod mutate;
mod no_infer;
mod output;
mod panics;
mod probes;
mod properties;
mod reader;
mod recipe;
mod references;
mod run;
mod runtime;
mod samples;
mod schemas;
mod settings;
mod snapshot;
mod split;
mod split_table;
mod untrusted_names;
mod whatif;
mod why;
