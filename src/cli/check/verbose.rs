//! The line of `--verbose` for a file: its size, its weights, the configuration that applied, and the time of the check.
//! For weights on a server it also gives the requests and the round trips in which they were fetched.

use ovlint::internal::ir::Traffic;
use ovlint::internal::policy::{Settings, from_here};
use ovlint::internal::text::counted;
use ovlint::internal::{Model, Weights};
use std::path::Path;
use std::time::Duration;

/// Formats the line for a checked file.
pub(super) fn line(model: &Model, settings: &Settings, elapsed: Duration) -> String {
    let (layers, tensors) = model.size();
    let (path, seconds) = (model.source().path().display(), elapsed.as_secs_f64());
    let configuration = settings.path.as_deref().map_or("none".to_owned(), from_here);
    let weights = weights(model.weights());
    format!(
        "{path}: layers: {layers}, tensors: {tensors}, weights: {weights}, configuration: {configuration}, {seconds:.3} s"
    )
}

/// Formats the line for the JSON files of a folder on a server, by their number and size.
pub(super) fn fetched(folder: &Path, (files, bytes): (usize, usize)) -> String {
    format!("{}: fetched {}, {bytes} bytes", folder.display(), counted(files, "JSON file"))
}

fn weights(weights: &Weights) -> String {
    match &weights.path {
        None => "none".to_owned(),
        Some(path) if weights.is_available() => {
            let fetched = weights.traffic().map(|Traffic { round_trips, requests, bytes }| {
                format!(
                    ", of which {bytes} were fetched in {}, {}",
                    counted(requests, "request"),
                    counted(round_trips, "round trip")
                )
            });
            format!("{} ({} bytes{})", path.display(), weights.size(), fetched.unwrap_or_default())
        }
        Some(path) => format!("{} (cannot be read)", path.display()),
    }
}
