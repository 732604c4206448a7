//! All integration tests, in one binary.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test fails where it stands"
)]

mod api;
mod bad_samples;
mod bodies;
mod broken_exports;
mod character_references;
mod cli;
mod commands;
mod consequences;
mod cost;
mod declared;
mod demands;
mod diff;
mod dimension_arithmetic;
mod docs;
mod documented_differences;
mod element_properties;
mod evaluated_bounds;
mod extension_ops;
mod fix;
mod fuzz_seeds;
mod graph_notation;
#[cfg(unix)]
mod hostile_clone;
mod info_and_inspect;
mod input_shapes;
mod inputs;
mod ir_builder;
mod manual_pages;
mod measured_chains;
mod measured_corners;
mod measured_operations;
mod measured_splits;
mod measurement;
mod metamorphic;
mod module_layers;
mod mutants;
mod no_infer;
mod openvino_defects;
mod output;
mod panics;
mod program;
mod reader;
mod recipes;
mod reduce;
#[cfg(feature = "remote")]
mod remote;
mod report;
mod reported_faults;
mod resource_limits;
mod run;
mod runtime_verdicts;
mod samples;
mod schemas;
mod settings;
mod snapshot;
mod split_kernel;
mod split_lengths;
mod symbols;
mod unreadable_inputs;
mod untrusted_names;
mod untyped_constants;
mod why;

use ovlint::internal::diagnostic::Diagnostic;
use ovlint::internal::report::words;
use std::borrow::Cow;

/// The notes of a finding as reports show them.
fn notes(finding: &Diagnostic) -> Vec<String> {
    words::notes(finding).map(Cow::into_owned).collect()
}
