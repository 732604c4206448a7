//! Models with the same bytes, for which one analysis suffices.

use super::weights::{same_bytes, same_files};
use crate::analysis::Options;
use crate::input::InputFile;
use crate::ir::Weights;
use std::path::Path;

/// Whether two models have the same bytes in their XML and in their weights, which must exist. False for remote files, which are
/// read only once.
pub fn are_copies(models: [(&Path, &Options); 2]) -> bool {
    let is_inside = |(path, options): &(&Path, &Options)| {
        options.bounds.as_ref().is_none_or(|bounds| bounds.check_link(path).is_ok())
    };
    let weights = |(path, options): (&Path, &Options)| {
        Weights::open(path, &options.weights, options.bounds.as_ref(), &options.limits)
    };
    models.iter().all(is_inside) && is_same_text(models.map(|(path, _)| path)) && {
        let [a, b] = models.map(weights);
        let is_whole = |weights: &Weights| weights.is_available() && weights.failure().is_none();
        same_files(&a, &b) && is_whole(&a) && is_whole(&b)
    }
}

fn is_same_text(paths: [&Path; 2]) -> bool {
    let [Ok(a), Ok(b)] = paths.map(InputFile::open) else { return false };
    let read = |at: u64, size: usize| Some((a.read_at(at, size).ok()?, b.read_at(at, size).ok()?));
    a.length() == b.length() && same_bytes(a.length(), read) && a.unchanged().is_ok() && b.unchanged().is_ok()
}
