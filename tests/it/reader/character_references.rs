//! Attributes in which characters are written as references: whatever is compared is what they stand for.

use crate::samples::mutants::{Seed, seeds};
use ovlint::internal::query::snapshot::text::snapshot;
use ovlint::internal::{Model, Options, Weights};

/// Every attribute with its first character as a reference.
fn referred(xml: &str) -> String {
    let mut parts = xml.split("=\"");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let first = part.chars().next().filter(char::is_ascii_alphanumeric);
        // Declarations know no references.
        let first = first.filter(|_| !text.trim_start().starts_with("<?") || text.contains("?>"));
        let written = first.map(|first| format!("&#{};", u32::from(first))).unwrap_or_default();
        text.extend(["=\"", &written, &part[written.len().min(1)..]]);
    }
    text
}

fn open(seed: &Seed, xml: impl Into<Vec<u8>>) -> Model {
    Model::from_bytes("m.xml", xml.into(), Weights::in_memory(seed.weights.clone()), &Options::default()).unwrap()
}

/// What is found, in the order of the places, and what is inferred.
fn says(model: &Model) -> (Vec<(&'static str, String)>, String) {
    let found = model.findings().iter().map(|finding| (finding.rule.name, finding.message.shown().to_owned()));
    (found.collect(), snapshot(model))
}

#[test]
fn references_stand_for_their_characters() {
    for seed in seeds() {
        let Ok(text) = std::str::from_utf8(&seed.xml) else { continue };
        let (plain, written) = (open(&seed, text), open(&seed, referred(text)));
        if plain.net().is_some() && plain.source().encoding().is_none() {
            assert_eq!(says(&plain), says(&written), "{}", seed.name);
        }
    }
}
