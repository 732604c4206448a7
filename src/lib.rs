//! Checks OpenVINO IR files: infers every shape and element type on its own, and reports where a file disagrees with
//! itself, with its weights, or with what OpenVINO accepts.
//!
//! [`Analysis`] is where to start: it reads a model and has its [findings](Finding), its [shapes](Analysis::outputs), the
//! [reasons](Analysis::why) for them and the [fixes](Analysis::fix). [`Options`] decide what is checked, a [`Report`]
//! writes findings in the formats of the command. [`split`] and [`variadic_split`] run the split kernel on constant data.
//!
//! ```
//! use ovlint::{Analysis, Options};
//!
//! let analysis = Analysis::open("ir-samples/bad/declared-shape/model.xml", &Options::new())?;
//! let rules: Vec<&str> = analysis.findings().map(|finding| finding.rule().name()).collect();
//! assert_eq!(rules, ["declared-shape"]);
//! # Ok::<(), ovlint::Error>(())
//! ```
//!
//! Inference needs no OpenVINO and never reads declared port shapes. Everything is `Send` and `Sync`; nothing is printed,
//! and only [`Fixed::write`], [`Edited::write`] and [`Reduced::write`] write files. Problems of a model are findings; an
//! [`Error`] means that a call could not do its work.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::disallowed_methods,
        reason = "a test fails where it stands, and reads what it shows"
    )
)]

mod analysis;
#[allow(clippy::disallowed_methods, reason = "callers show the words of findings")]
mod api;
mod arrange;
mod atomic;
mod causes;
mod cut;
mod diagnostic;
mod domain;
mod edit;
mod exec;
mod fault;
mod fix;
mod infer;
mod input;
#[doc(hidden)]
pub mod internal;
mod ir;
mod limits;
mod lint;
mod memo;
mod ops;
mod panics;
mod pipeline;
mod policy;
mod query;
mod recipe;
mod reduce;
mod remote;
#[allow(clippy::disallowed_methods, reason = "reports show the words of findings")]
mod report;
mod search;
mod source;
mod stack;
mod text;
mod types;

pub use api::{
    Analysis, Applicability, Cost, Device, Diff, DiffLevel, Dim, Direction, Drawing, Edited, ElementType, Error,
    ErrorKind, Extraction, Finding, Fixed, Folder, Format, Found, Group, Inputs, Language, LayerRef, Limits, Options,
    Output, PortRef, Position, Profile, Reduced, Reduction, Report, Rule, Runtime, Severity, Store, Tensor, View,
    Weights, Why, shapes, split, variadic_split,
};
