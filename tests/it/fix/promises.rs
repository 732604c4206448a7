//! What is promised of fixes, held against every sample and against samples changed at random.

use crate::fuzz_seeds::bodies::fix::model;
use crate::mutants::{Seed, mutant, seeds};
use ovlint::internal::Options;

/// Mutants of all files together.
const MUTANTS: usize = 900;

#[test]
fn fixes_of_samples_hold() {
    for seed in seeds() {
        holds(&seed.name, &seed.xml, &seed.weights);
    }
}

#[test]
fn fixes_of_mutants_hold() {
    let seeds = seeds();
    let each = std::env::var("OVLINT_MUTANTS").ok().and_then(|text| text.parse().ok());
    let each = each.unwrap_or(MUTANTS.div_ceil(seeds.len()));
    for seed in &seeds {
        for number in 0..each {
            let (xml, weights) = mutant(seed, number);
            holds(&format!("{} {number}", seed.name), &xml, &weights);
            let lying = lying_port(seed, number);
            holds(&format!("{} lies {number}", seed.name), &lying, &seed.weights);
        }
    }
}

/// A seed with another number in one of its dimensions.
fn lying_port(seed: &Seed, number: usize) -> Vec<u8> {
    let text = String::from_utf8_lossy(&seed.xml).into_owned();
    let dims: Vec<usize> = text.match_indices("<dim>").map(|(at, _)| at + 5).collect();
    let Some(at) = dims.get(number * 7 % dims.len().max(1)) else { return seed.xml.clone() };
    let mut lying = text;
    let end = at + lying[*at..].find('<').unwrap();
    lying.replace_range(*at..end, ["-1", "0", "7", "x", "1234567"][number % 5]);
    lying.into_bytes()
}

/// What must hold is what the fuzz target `fix` holds.
fn holds(name: &str, xml: &[u8], weights: &[u8]) {
    println!("{name}");
    model(xml, weights, &Options::default());
}
