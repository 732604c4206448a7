//! The number of cases that tests draw at random.

use std::ops::Mul;

/// Returns this number, or a multiple of it: `OVLINT_DRAWS=100 cargo test mutants` tries a hundred times as many mutants.
pub(crate) fn draws<N: From<u16> + Mul<Output = N>>(few: N) -> N {
    let times = std::env::var("OVLINT_DRAWS").map_or(1, |times| times.parse().unwrap());
    few * N::from(times)
}
