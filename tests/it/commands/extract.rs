//! `ovlint extract`: parts of models, and models with further outputs.

use crate::program::{code, copy_of, ovlint, utf8};
use ovlint::internal::ir::Role;
use ovlint::internal::{Model, Options};
use std::fs;
use std::path::Path;

/// Exit code, stdout and stderr.
fn extract(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let out = ovlint(folder, [&["extract"], arguments].concat());
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

/// The names of the layers of a role.
fn named(folder: &Path, file: &str, role: Role) -> Vec<String> {
    let model = Model::open(&folder.join(file), &Options::default()).unwrap();
    assert_eq!(model.findings(), [], "{file}");
    let graph = &model.net().unwrap().graph;
    let layers = graph.layers.iter().filter(|layer| graph.kind(layer).role == role);
    layers.map(|layer| graph.full_name(model.source(), layer).into_owned()).collect()
}

#[test]
fn what_lies_between_two_tensors_is_a_model() {
    let folder = copy_of("models/attention.xml");
    let (from, to) = ("attn.probabilities", "attn.context");
    let (code, out, err) = extract(folder.path(), &["attention.xml", "--from", from, "--to", to, "-o", "n.xml"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(named(folder.path(), "n.xml", Role::Parameter).contains(&from.to_owned()));
    assert_eq!(named(folder.path(), "n.xml", Role::Result), [format!("{to}/sink_port_0")]);
    assert!(!named(folder.path(), "n.xml", Role::Inner).contains(&from.to_owned()));
    let text = fs::read_to_string(folder.path().join("n.xml")).unwrap();
    assert!(text.contains("names=\""), "{text}");
}

#[test]
fn a_part_of_a_decoder_may_lack_the_beams_of_a_state() {
    let folder = copy_of("dynamic/decoder.xml");
    let (code, out, err) = extract(folder.path(), &["decoder.xml", "--from", "past_value.reordered", "-o", "n.xml"]);
    assert_eq!(code, 0, "{out}{err}");
    let model = Model::open(&folder.path().join("n.xml"), &Options::default()).unwrap();
    let rules: Vec<&str> = model.findings().iter().map(|finding| finding.rule.name).collect();
    assert_eq!(rules, ["state-without-beams"]);
}

#[test]
fn a_neighbourhood_needs_only_its_own_bytes() {
    let folder = copy_of("models/feature_pyramid.xml");
    let whole = fs::metadata(folder.path().join("feature_pyramid.bin")).unwrap().len();
    let (code, out, err) =
        extract(folder.path(), &["feature_pyramid.xml", "--around", "neck.cat3", "--hops", "1", "-o", "n.xml"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(named(folder.path(), "n.xml", Role::Inner).contains(&"neck.cat3".to_owned()));
    assert!(fs::metadata(folder.path().join("n.bin")).map_or(0, |file| file.len()) < whole);
    // With a link, offsets stay.
    let link = ["feature_pyramid.xml", "--around", "neck.cat3", "--hops", "1", "-o", "l.xml", "--bin", "link"];
    assert_eq!(extract(folder.path(), &link).0, 0);
    assert_eq!(fs::metadata(folder.path().join("l.bin")).unwrap().len(), whole);
    named(folder.path(), "l.xml", Role::Inner);
}

#[test]
fn outputs_are_added_to_the_whole_model() {
    let folder = copy_of("models/feature_pyramid.xml");
    let before = fs::read_to_string(folder.path().join("feature_pyramid.xml")).unwrap();
    let (code, out, err) = extract(folder.path(), &["feature_pyramid.xml", "--add-output", "neck.cat*", "-o", "n.xml"]);
    assert_eq!(code, 0, "{out}{err}");
    let after = fs::read_to_string(folder.path().join("n.xml")).unwrap();
    let kept: Vec<&str> = after.lines().collect();
    let mut at = 0;
    for line in before.lines() {
        at += kept[at..].iter().position(|kept| *kept == line).unwrap_or_else(|| panic!("{line} is gone")) + 1;
    }
    let results = |file| named(folder.path(), file, Role::Result).len();
    assert!(results("n.xml") > results("feature_pyramid.xml"));
    assert_eq!(
        fs::read(folder.path().join("n.bin")).unwrap(),
        fs::read(folder.path().join("feature_pyramid.bin")).unwrap()
    );
    // What is an output already gets no other Result.
    let again = extract(folder.path(), &["n.xml", "--add-output", "neck.cat*", "--diff"]);
    assert_eq!(again, (0, String::new(), String::new()));
}

#[test]
fn what_cannot_be_extracted_is_an_error() {
    let folder = copy_of("models/control_flow.xml");
    for (arguments, wanted) in [
        (&["--to", "nothing"][..], "the model has no layer or tensor `nothing`"),
        (&["--to", "no*thing"], "no layer or tensor matches `no*thing`"),
        (&["--from", "data", "--to", "data"], "`data` would be an input and an output"),
        (&["--around", "data", "--to", "data"], "cannot be used with"),
        (&["--hops", "3"], "required"),
        (&[], "required"),
    ] {
        let (code, out, err) = extract(folder.path(), &[&["control_flow.xml", "--diff"], arguments].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?} {err}");
        assert!(err.contains(wanted), "{arguments:?}: {err}");
    }
}
