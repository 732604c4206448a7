//! What is promised of fixes, held against every sample and against samples changed at random.

use crate::mutate::{Seed, mutant, seeds};
use ovlint::diagnostic::{Applicability, Diagnostic};
use ovlint::fix::{Fixed, everything, fix};
use ovlint::report::fingerprint;
use ovlint::report::shapes::snapshot;
use ovlint::rules::RULES;
use ovlint::{Model, Options, Weights};
use std::collections::BTreeMap;

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

fn holds(name: &str, xml: &[u8], weights: &[u8]) {
    for level in [Applicability::Safe, Applicability::Unsafe] {
        let before = open(xml, weights);
        for finding in before.findings().iter().filter(|finding| finding.fix.is_some()) {
            let kind = finding.fix.as_ref().map(|fix| fix.applicability);
            assert_eq!(kind, finding.rule.fix, "{name}: `{}` promises another kind of fix", finding.rule.name);
        }
        let Ok(fixed) = fix(open(xml, weights), level, &everything) else { continue };
        let text = fixed.model.source().bytes();
        assert_eq!(applied(before.source().bytes(), &fixed), text, "{name}: the edits are not all that changed");
        assert_eq!(fixed.original.is_none(), fixed.edits.is_empty(), "{name}");
        if level == Applicability::Safe && !fixed.edits.is_empty() {
            is_safe(name, &before, &fixed);
        }
        if !fixed.is_cut_off {
            let again = fix(open(text, weights), level, &everything).unwrap();
            assert_eq!(again.edits, [], "{name}: there was more to fix, after {:?}", fixed.applied);
        }
    }
}

fn open(xml: &[u8], weights: &[u8]) -> Model {
    let options = Options { enabled: RULES.to_vec(), ..Options::default() };
    Model::from_bytes("m.xml", xml.to_vec(), Weights::in_memory(weights.to_vec()), &options)
}

/// The original under the edits, put together here once more.
fn applied(original: &[u8], fixed: &Fixed) -> Vec<u8> {
    let mut text = original.to_vec();
    for edit in fixed.edits.iter().rev() {
        text.splice(edit.span.range(), edit.text.bytes());
    }
    text
}

fn is_safe(name: &str, before: &Model, fixed: &Fixed) {
    assert_eq!(snapshot(before), snapshot(&fixed.model), "{name}: other shapes are inferred");
    for edit in &fixed.edits {
        let new = ["<dim>", "</dim>", "</port>", ">"].iter().fold(edit.text.clone(), |text, tag| text.replace(tag, ""));
        let is_plain =
            |c: char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || matches!(c, '-' | ',' | '.' | '?');
        assert!(new.chars().all(is_plain), "{name}: {edit:?}");
        let old = before.source().text(edit.span).into_owned();
        assert!(!["<layer", "<edge", "<data", "<port", "id="].iter().any(|tag| old.contains(tag)), "{name}: {old}");
    }
    let count = |model: &Model| {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        model.findings().iter().for_each(|finding| *counts.entry(fingerprint(finding)).or_default() += 1);
        counts
    };
    let (was, is) = (count(before), count(&fixed.model));
    for (finding, count) in &is {
        assert!(count <= was.get(finding).unwrap_or(&0), "{name}: {finding} is new");
    }
    let gone: Vec<&Diagnostic> = fixed
        .applied
        .iter()
        .filter(|finding| is.get(&fingerprint(finding)) == was.get(&fingerprint(finding)))
        .collect();
    assert!(gone.is_empty(), "{name}: {gone:?} stayed");
}
