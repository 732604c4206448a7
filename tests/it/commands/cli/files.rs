//! Which files are checked, in which order, and where their weights come from.

use super::{DECLARED_SHAPE, SPLIT, run, run_in};
use crate::program::{copy_of, findings};
use serde_json::Value;
use std::fs;

#[test]
fn folders_are_searched_for_files_whose_root_is_net() {
    let folder = copy_of(SPLIT);
    let inner = folder.path().join("b/c");
    fs::create_dir_all(&inner).unwrap();
    let text = fs::read(folder.path().join("split.xml")).unwrap();
    for name in ["b/c/z.xml", "b/c/upper.XML", "b/a.xml"] {
        fs::write(folder.path().join(name), &text).unwrap();
    }
    fs::write(inner.join("pom.xml"), "<?xml version=\"1.0\"?>\n<!-- <net> --><project/>").unwrap();
    // What stands before the root may be long.
    let licence = String::from_utf8_lossy(&text).replacen("<net", &format!("<!--{}-->\n<net", " <x>".repeat(5_000)), 1);
    fs::write(inner.join("licensed.xml"), licence).unwrap();
    fs::write(inner.join("network.xml"), "<network/>").unwrap();
    fs::write(inner.join("split.txt"), &text).unwrap();
    let (_, out, _) = run_in(folder.path(), &["check", ".", "--format", "json"]);
    assert_eq!(paths(&out), ["./b/a.xml", "./b/c/licensed.xml", "./b/c/upper.XML", "./b/c/z.xml", "./split.xml"]);
}

#[test]
fn ignored_files_are_not_searched_for() {
    let folder = copy_of(SPLIT);
    fs::write(folder.path().join(".gitignore"), "split.xml\n").unwrap();
    assert_eq!(run_in(folder.path(), &["check", "."]).0, 3);
    assert_eq!(run_in(folder.path(), &["check", "split.xml"]).0, 0);
}

#[test]
fn files_named_are_checked_whatever_they_are_and_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("readme.md"), "# no model").unwrap();
    let (code, out, _) = run_in(folder.path(), &["readme.md", "readme.md", "--format", "concise"]);
    let wanted = "readme.md: error[not-openvino-ir] this is a text file, not an OpenVINO IR\n";
    assert_eq!((code, out.as_str()), (1, wanted));
}

#[test]
fn several_files_are_reported_in_the_order_given() {
    let (_, out, _) = run(&["check", SPLIT, "models/v10.xml", DECLARED_SHAPE, "--format", "json"]);
    assert_eq!(paths(&out), [SPLIT, "models/v10.xml", DECLARED_SHAPE]);
}

#[test]
fn weights_are_taken_from_where_the_flag_says() {
    let folder = copy_of(SPLIT);
    let path = folder.path();
    fs::rename(path.join("split.bin"), path.join("other.weights")).unwrap();
    let rules = |flags: &[&str]| -> Vec<String> {
        let arguments = ["check", "split.xml"].into_iter().chain(flags.iter().copied());
        findings(path, arguments).iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(rules(&[]), ["weights-file-missing"]);
    assert_eq!(rules(&["--weights", "auto"]), ["weights-file-missing"]);
    assert!(rules(&["--weights", "skip"]).is_empty());
    assert!(rules(&["--weights", "other.weights"]).is_empty());
    assert_eq!(rules(&["--weights", "no-such.bin"]), ["weights-file-missing"]);
    // The axis is read from the file: another one cuts another dimension.
    fs::write(path.join("wrong.bin"), 0_i64.to_le_bytes()).unwrap();
    assert_eq!(rules(&["--weights", "wrong.bin"])[0], "contradicted-value");
}

#[test]
fn other_weights_beside_the_model_are_named() {
    let folder = copy_of(SPLIT);
    fs::rename(folder.path().join("split.bin"), folder.path().join("split_v2.bin")).unwrap();
    let (_, out, _) = run_in(folder.path(), &["split.xml"]);
    assert!(out.contains("note: the folder has split_v2.bin"), "{out}");
}

/// The paths of the models in a JSON report.
fn paths(report: &str) -> Vec<String> {
    let report: Value = serde_json::from_str(report).unwrap();
    let models = report["models"].as_array().unwrap().iter();
    models.map(|model| model["path"].as_str().unwrap().to_owned()).collect()
}
