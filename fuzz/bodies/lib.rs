//! What every fuzz target does with one input; the same runs over the seeds in `cargo test`.

pub mod check;
pub mod config;
pub mod diff;
pub mod fix;
pub mod info;
pub mod read;
pub mod run;
pub mod shapes;
pub mod snapshot;
pub mod why;

use ovlint::internal::{Limits, Model, Options, Weights};

/// The two parts of an input, which a NUL separates.
fn parts(data: &[u8]) -> (&[u8], &[u8]) {
    let nul = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
    let (first, second) = data.split_at(nul);
    (first, second.get(1..).unwrap_or_default())
}

/// A model in memory.
fn model(xml: &[u8], weights: &[u8], options: &Options) -> Model {
    Model::from_bytes("fuzz.xml", xml.to_vec(), Weights::in_memory(weights.to_vec()), options).unwrap()
}

/// Small limits, so that inputs reach them and take little time.
fn options() -> Options {
    let mut limits = Limits::default();
    (limits.value_elements, limits.inferred, limits.work) = (1_000, 1 << 18, 1 << 18);
    Options { limits, ..Options::default() }
}
