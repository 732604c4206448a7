//! `--fix=all`: what may change the model, on the samples of the rules that promise it.

use crate::program::{code, copy_folder, findings, ovlint, root};
use crate::samples::bad_samples::{Sample, samples};
use ovlint::internal::policy::catalogue::RULES;
use std::collections::BTreeSet;
use std::fs;
use tempfile::TempDir;

/// A copy of the files of a sample.
fn copy(sample: &Sample) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy_folder(&sample.folder, folder.path());
    folder
}

#[test]
fn every_rule_that_promises_a_fix_is_fixed_in_a_sample() {
    let promised: BTreeSet<&str> = RULES.iter().filter(|rule| rule.fix.is_some()).map(|rule| rule.name).collect();
    let mut kept = BTreeSet::new();
    // Without a file, `--fix` does not start.
    for sample in samples().into_iter().filter(|sample| sample.rule != "unreadable-file") {
        let folder = copy(&sample);
        let with = |more: &[&'static str]| -> Vec<serde_json::Value> {
            findings(folder.path(), sample.arguments().chain(more.iter().copied()))
        };
        let before = with(&[]);
        let after = with(&["--fix=all"]);
        let has =
            |findings: &[serde_json::Value]| findings.iter().any(|finding| finding["rule"] == sample.rule.as_str());
        if has(&before) && after.is_empty() {
            // Nothing is left, so nothing else came.
            kept.insert(sample.rule.clone());
        }
        let fixed = before.len() != after.len();
        assert!(
            !fixed || promised.contains(sample.rule.as_str()),
            "`{}` was fixed, which it does not promise",
            sample.rule
        );
    }
    let missing: Vec<&str> = promised.into_iter().filter(|rule| !kept.contains(*rule)).collect();
    assert_eq!(missing, [""; 0], "no sample is fixed");
}

/// The sample of a rule after `--fix=all`, and what stood there before.
fn fixed(rule: &str, arguments: &[&str]) -> (String, String) {
    let sample = samples().into_iter().find(|sample| sample.folder == root().join("bad").join(rule)).unwrap();
    let folder = copy(&sample);
    let read = || fs::read_to_string(folder.path().join("model.xml")).unwrap();
    let before = read();
    let out = ovlint(folder.path(), ["check", "model.xml", "--fix=all"].iter().chain(arguments).copied());
    assert_eq!(code(&out), 0);
    (before, read())
}

#[test]
fn names_are_numbered() {
    let (before, after) = fixed("names", &["--select", "default,names"]);
    assert_eq!(after, before.replace("name=\"act\" type=\"Sigmoid\"", "name=\"act_2\" type=\"Sigmoid\""));
}

#[test]
fn paths_are_cut_down_to_the_file() {
    let (before, after) = fixed("local-path-in-metadata", &["--select", "default,local-path-in-metadata"]);
    assert_eq!(after, before.replace("/home/alice/secret-project/model.onnx", "model.onnx"));
}

#[test]
fn precisions_are_what_is_inferred() {
    let (before, after) = fixed("unknown-precision", &[]);
    assert_eq!(after, before.replace("\"F32\"", "\"FP32\""));
    // Also where nothing like it exists.
    let xml = before.replace("\"F32\"", "\"float\"");
    let model = ovlint::internal::Model::from_bytes(
        "m.xml",
        xml.into(),
        ovlint::internal::Weights::default(),
        &ovlint::internal::Options::default(),
    )
    .unwrap();
    let fix = model.findings()[0].fix.clone().unwrap();
    assert_eq!((fix.message.shown(), fix.edits[0].text.as_str()), ("declare FP32", "FP32"));
}
