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
mod docs;
#[path = "../../src/ops/testing/draws.rs"]
mod draws;
mod graph_notation;
mod ir_builder;
mod module_layers;
mod program;

/// The commands: flags, exit codes, files and output of each.
mod commands {
    pub(crate) mod card;
    mod cli;
    mod common;
    pub(crate) mod cost;
    mod diff;
    mod explain;
    mod exports;
    mod extract;
    mod fix;
    mod info_and_inspect;
    mod input_shapes;
    mod inputs;
    mod kinds;
    mod manual_pages;
    mod no_infer;
    mod operations;
    mod recorded;
    mod reduce;
    mod reshape;
    mod run;
    mod snapshot;
    mod weightless;
    mod why;
}

/// Types, shapes and values of layers, through bodies and within limits.
mod infer {
    pub(crate) mod bodies;
    mod declared;
    mod element_properties;
    mod evaluated_bounds;
    mod extension_ops;
    mod resource_limits;
    mod split_kernel;
    mod unread;
    mod untyped_constants;
}

/// Answers of OpenVINO, as tables, and where this tool differs.
mod measured {
    mod chains;
    mod corners;
    mod dimension_arithmetic;
    mod documented_differences;
    pub(crate) mod measurement;
    mod openvino_defects;
    mod operations;
    mod splits;
}

/// Which findings count, and what recipes demand.
mod policy {
    mod pipelines;
    mod recipes;
    mod releases;
    mod servers;
    mod settings;
}

/// Files: faults in their XML, links and clones, servers, and files that cannot be read.
mod reader {
    mod character_references;
    mod damaged_weights;
    mod faults;
    #[cfg(unix)]
    mod hostile_clone;
    #[cfg(feature = "remote")]
    mod remote;
    mod unreadable_inputs;
}

/// Findings: what follows from what, verdicts, and how each format shows them.
mod report {
    #[cfg(unix)]
    mod action;
    mod claims;
    mod consequences;
    mod fitting_values;
    mod infos;
    mod moved_bytes;
    mod output;
    mod page;
    mod panics;
    mod runtime_verdicts;
    pub(crate) mod schemas;
    mod split_lengths;
    mod untrusted_names;
}

/// The files of `ir-samples`, as they are, rewritten and changed at random.
mod samples {
    pub(crate) mod bad_samples;
    mod broken_exports;
    pub(crate) mod fuzz_seeds;
    mod metamorphic;
    mod models;
    pub(crate) mod mutants;
    pub(crate) mod reported_faults;
}

/// Dimensions as expressions, and what layers demand of them.
mod symbols {
    mod demands;
    mod dimensions;
    mod squeezed;
}

use ovlint::internal::diagnostic::Diagnostic;
use ovlint::internal::report::words;
use std::borrow::Cow;

/// The notes of a finding as reports show them.
fn notes(finding: &Diagnostic) -> Vec<String> {
    words::notes(finding).map(Cow::into_owned).collect()
}

/// The help of a finding as reports show it.
fn help(finding: &Diagnostic) -> Vec<String> {
    words::help(finding).map(Cow::into_owned).collect()
}
