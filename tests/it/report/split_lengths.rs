//! What is said of split lengths that do not add up.

use crate::program::{copy_of, ovlint, utf8};
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

/// OpenVINO folds the Sqrt and rejects the file; ovlint infers a range of each length.
#[test]
fn lengths_that_openvino_may_know_better_leave_open_that_it_reads_the_file() {
    let folder = copy_of("models/variadic_split.xml");
    let path = folder.path().join("variadic_split.xml");
    let text = fs::read_to_string(&path).unwrap();
    let edge = "<edge from-layer=\"2\" from-port=\"0\" to-layer=\"3\" to-port=\"2\" />";
    let sqrt = "<layer id=\"7\" name=\"sqrt\" type=\"Sqrt\" version=\"opset1\"><input><port id=\"0\"/></input>\
                <output><port id=\"1\" precision=\"I64\"><dim>3</dim></port></output></layer></layers>";
    let edges = "<edge from-layer=\"2\" from-port=\"0\" to-layer=\"7\" to-port=\"0\"/>\
                 <edge from-layer=\"7\" from-port=\"1\" to-layer=\"3\" to-port=\"2\"/>";
    assert!(text.contains(edge));
    fs::write(&path, text.replace(edge, edges).replace("</layers>", sqrt)).unwrap();
    let out = utf8(&ovlint(folder.path(), ["check", "variadic_split.xml"]).stdout);
    assert!(out.contains("OpenVINO ignores declared port shapes"), "{out}");
    assert!(!out.contains("reads this file"), "{out}");
}
