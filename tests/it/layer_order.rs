//! The order in which a file lists its layers changes no finding.

use crate::program::{ovlint, root, utf8};
use std::fs;

/// The text with its layers in reverse order.
fn reversed(text: &str) -> String {
    let (head, rest) = text.split_once("<layers>").unwrap();
    let (layers, tail) = rest.split_once("</layers>").unwrap();
    let mut layers: Vec<&str> = layers.split_inclusive("</layer>").collect();
    layers.reverse();
    format!("{head}<layers>{}</layers>{tail}", layers.concat())
}

/// What a rule that is off by default says of its sample, without the places.
fn messages(rule: &str, edit: fn(&str) -> String) -> Vec<String> {
    let (sample, folder) = (root().join("bad").join(rule), tempfile::tempdir().unwrap());
    let text = fs::read_to_string(sample.join("model.xml")).unwrap();
    fs::write(folder.path().join("model.xml"), edit(&text)).unwrap();
    if let Ok(weights) = fs::read(sample.join("model.bin")) {
        fs::write(folder.path().join("model.bin"), weights).unwrap();
    }
    let out = ovlint(folder.path(), ["check", "model.xml", "--format", "concise", "--select", &format!("default,{rule}")]);
    let place = |line: &str| line.split_once(": ").map(|(_, message)| message.to_owned());
    utf8(&out.stdout).lines().filter_map(place).collect()
}

#[test]
fn dynamic_dimensions_and_batches_are_found_where_they_come_up() {
    for (rule, layer) in [("unbounded-dynamic-dim", "`x`"), ("hard-coded-batch", "`flat`")] {
        let found = messages(rule, str::to_owned);
        assert!(found.len() == 1 && found[0].contains(rule) && found[0].contains(layer), "{found:?}");
        assert_eq!(messages(rule, reversed), found);
    }
}
