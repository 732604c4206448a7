//! What is said of split lengths that do not add up.

use ovlint::internal::{Model, Options, Weights};
use std::fs;
use std::path::Path;

/// The notes about the ports of the sample, with other lengths and another first declared length.
fn told(lengths: [i64; 3], first: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ir-samples/bad/split-lengths-sum");
    let xml = fs::read_to_string(folder.join("model.xml")).unwrap();
    let mut weights = fs::read(folder.join("model.bin")).unwrap();
    for (place, length) in (8..).step_by(8).zip(lengths) {
        weights[place..place + 8].copy_from_slice(&length.to_le_bytes());
    }
    let (before, outputs) = xml.split_at(xml.find("<port id=\"3\"").unwrap());
    let xml = format!("{before}{}", outputs.replacen("<dim>1</dim>", &format!("<dim>{first}</dim>"), 1));
    let model =
        Model::from_bytes("model.xml", xml.into_bytes(), Weights::in_memory(weights), &Options::default()).unwrap();
    let found = model.findings().iter().find(|finding| finding.rule.name == "split-lengths-sum").unwrap();
    crate::notes(found).iter().filter(|note| note.starts_with("the ports")).cloned().collect()
}

#[test]
fn the_length_that_the_ports_contradict_is_named() {
    let fits = "the ports declare 1 + 2 + 3 = 6, which fits axis 0";
    assert_eq!(told([1, 2, 4], "1"), [format!("{fits}: is split_lengths[2] meant to be 3 instead of 4?")]);
    assert_eq!(told([7, 2, 3], "1"), [format!("{fits}: is split_lengths[0] meant to be 1 instead of 7?")]);
    assert_eq!(told([2, 2, 4], "1"), [fits], "two lengths differ");
    assert_eq!(told([1, 2, 4], "2"), [""; 0], "the ports do not fit either");
    assert_eq!(told([1, 2, 4], "-1"), [""; 0], "a port declares no length");
}
