//! Whole networks in `ir-samples/models`: their shapes and reports as snapshots, and nothing wrong.

use crate::program::{findings, root};
use ovlint::internal::policy::Settings;
use ovlint::internal::report::findings::text;
use ovlint::internal::report::findings::text::TextOptions;
use ovlint::internal::report::{ModelReport, Summary};
use ovlint::internal::{Model, Options};
use std::path::{Path, PathBuf};

/// The networks, by path.
fn models() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(root().join("models")).unwrap();
    let mut all: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.extension().is_some_and(|ending| ending == "xml"));
    all.sort();
    assert!(all.len() > 10);
    all
}

fn name(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}

#[test]
fn shapes_of_whole_networks() {
    for path in models() {
        insta::assert_snapshot!(format!("{}.shapes", name(&path)), ovlint::shapes(&path).unwrap());
    }
}

#[test]
fn reports_on_whole_networks() {
    for path in models() {
        let model = Model::open(&path, &Options::default()).unwrap();
        let findings = Settings::default().judge(&path, &model).findings;
        assert!(findings.is_empty(), "{path:?}: {findings:?}");
        let relative = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
        let report = ModelReport::of(relative, &model, &findings);
        let mut summary = Summary::default();
        summary.add(&report);
        (summary.layers, summary.tensors) = model.size();
        let shown = text::render(&report, &TextOptions::default()) + &summary.text(TextOptions::default().width);
        insta::assert_snapshot!(format!("{}.report", name(&path)), shown);
    }
}

#[test]
fn networks_stay_clean_without_weights() {
    for path in models() {
        let (with, without) = (rules(&path, &["--weights", "auto"]), rules(&path, &["--weights", "skip"]));
        let new: Vec<&String> = without.iter().filter(|rule| !with.contains(rule)).collect();
        assert!(new.is_empty(), "{path:?}: {new:?}");
    }
}

fn rules(path: &Path, flags: &[&str]) -> Vec<String> {
    let arguments = ["check", path.to_str().unwrap()].into_iter().chain(flags.iter().copied());
    findings(&root(), arguments).iter().map(|finding| finding["rule"].to_string()).collect()
}
