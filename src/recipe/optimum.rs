//! The recipe for optimum-intel, which demands nothing of a model alone: `pipeline` checks the folders that it loads.

use super::Recipe;

pub(super) static RECIPE: Recipe = Recipe {
    name: "optimum",
    device: None,
    summary: "a folder for optimum-intel",
    date: "2026-11-29",
    reads_file: false,
    settles: &[],
    rows: &[],
    check: |_, _| {},
};
