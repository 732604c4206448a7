//! Every sample in `ir-samples/bad` shows its rule: `cmd` is run, `expected.txt` is what comes of it.
//!
//! `OVLINT_UPDATE=1` regenerates `expected.txt`; read the diff.

use crate::program::{code, copy_of, findings, is_updating, ovlint, root, utf8};
use ovlint::internal::policy::catalogue::RULES;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn samples_show_their_rules() {
    let (mut wrong, mut fixes) = (String::new(), BTreeSet::new());
    for sample in samples() {
        let rule = sample.rule.as_str();
        let text = ovlint(&sample.folder, sample.arguments());
        let shown = format!("{}exit code {}\n", utf8(&text.stdout), code(&text));
        let golden = sample.folder.join("expected.txt");
        if is_updating() {
            fs::write(&golden, &shown).unwrap();
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        if shown != expected {
            let _ = writeln!(wrong, "{}: expected\n{expected}\ngot\n{shown}", sample.folder.display());
        }
        let findings = findings(&sample.folder, sample.arguments());
        for finding in findings.iter().filter(|finding| !finding["fix"].is_null()) {
            let (rule, fix) = (finding["rule"].as_str().unwrap(), finding["fix"]["applicability"].as_str().unwrap());
            fixes.insert((rule.to_owned(), fix.to_owned()));
        }
        if !findings.iter().any(|finding| finding["rule"] == rule) {
            let _ = writeln!(wrong, "{}: `{rule}` is not found", sample.folder.display());
        }
        // What follows from a finding is folded under it; everything else is about the one thing that is wrong.
        for finding in findings.iter().filter(|finding| finding["consequence_of"].is_null()) {
            if finding["rule"] != rule {
                let _ = writeln!(wrong, "{}: also {}", sample.folder.display(), finding["message"]);
            }
            assert!(Path::new(finding["file"].as_str().unwrap()).is_relative(), "{finding}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let promised =
        RULES.iter().filter_map(|rule| Some((rule.name.to_owned(), format!("{:?}", rule.fix?).to_lowercase())));
    assert_eq!(fixes, promised.collect(), "the fixes that samples show, and those that rules promise");
}

#[test]
fn every_rule_has_a_sample() {
    let shown: BTreeSet<String> = samples().into_iter().map(|sample| sample.rule).collect();
    let names = RULES.iter().map(|rule| rule.name).filter(|rule| !WITHOUT_SAMPLE.contains(rule));
    let missing: Vec<&str> = names.filter(|rule| !shown.contains(*rule)).collect();
    assert!(missing.is_empty(), "no sample in ir-samples/bad for {missing:?}");
    let unknown: Vec<&String> =
        shown.iter().filter(|rule| ovlint::internal::policy::catalogue::find(rule).is_none()).collect();
    assert!(unknown.is_empty(), "folders of no rule: {unknown:?}");
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_is_unreadable() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.xml");
    fs::write(&path, "<net/>").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        return; // The superuser may read everything.
    }
    let found = findings(folder.path(), ["check", "model.xml"]);
    assert_eq!(found[0]["rule"], "unreadable-file");
}

#[cfg(unix)]
#[test]
fn weights_without_permission_are_unreadable() {
    use std::os::unix::fs::PermissionsExt;
    let folder = copy_of("models/split.xml");
    let path = folder.path().join("split.bin");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        return;
    }
    let out = ovlint(folder.path(), ["check", "split.xml", "--format", "concise"]);
    let wanted = "split.xml: error[unreadable-file] cannot read split.bin: Permission denied (os error 13)\n";
    assert_eq!((utf8(&out.stdout).as_str(), code(&out)), (wanted, 2));
}

#[test]
fn empty_files_are_no_ir() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty.xml"), "").unwrap();
    fs::write(folder.path().join("blank.xml"), " \n").unwrap();
    let found = findings(folder.path(), ["check", "empty.xml", "blank.xml"]);
    let messages: Vec<&str> = found.iter().map(|finding| finding["message"].as_str().unwrap()).collect();
    let wanted =
        ["this is an empty file, not an OpenVINO IR", "this is a file of white space only, not an OpenVINO IR"];
    assert_eq!(messages, wanted);
}

#[test]
fn other_encodings_of_unicode_read_the_same() {
    let folder = copy_of("models/split.xml");
    let text = fs::read_to_string(folder.path().join("split.xml")).unwrap();
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    let marked = ["\u{feff}", &text].concat().into_bytes();
    for bytes in [little, big, marked] {
        fs::write(folder.path().join("split.xml"), bytes).unwrap();
        let out = ovlint(folder.path(), ["check", "split.xml", "--format", "concise"]);
        assert_eq!((utf8(&out.stdout), code(&out)), (String::new(), 0));
    }
}

#[test]
fn deep_nesting_meets_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let (open, close) = ("<user_data>".repeat(100_000), "</user_data>".repeat(100_000));
    let text = format!("<net version=\"11\"><layers/><edges/><rt_info>{open}{close}</rt_info></net>");
    fs::write(folder.path().join("deep.xml"), text).unwrap();
    let found = findings(folder.path(), ["check", "deep.xml"]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["rule"], "limit-exceeded");
    assert_eq!(found[0]["message"], "elements are nested more than 1000 deep; reading stopped here");
    let found = findings(folder.path(), ["check", "deep.xml", "--max-depth", "200000"]);
    assert_eq!(found[0]["rule"], "empty-model");
}

#[test]
fn nested_bodies_meet_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let open = "<layers><layer id=\"0\" name=\"l\" type=\"Loop\" version=\"opset5\"><body>".repeat(3);
    let text = format!("<net version=\"11\">{open}{}</net>", "</body></layer></layers><edges/>".repeat(3));
    fs::write(folder.path().join("bodies.xml"), text).unwrap();
    let found = findings(folder.path(), ["check", "bodies.xml", "--max-bodies", "2"]);
    let limits: Vec<&Value> = found.iter().filter(|finding| finding["rule"] == "limit-exceeded").collect();
    assert_eq!(limits.len(), 1);
    assert_eq!(limits[0]["message"], "bodies are nested more than 2 deep; those inside are not read");
}

#[test]
fn large_files_meet_a_limit() {
    let folder = copy_of("models/split.xml");
    let found = findings(folder.path(), ["check", "split.xml", "--max-xml-size", "100"]);
    assert_eq!(found[0]["rule"], "limit-exceeded");
}

/// Rules that no file shows: one that did would be a bug.
pub(crate) const WITHOUT_SAMPLE: [&str; 1] = ["internal-error"];

/// A model that shows a rule.
pub(crate) struct Sample {
    /// Where it is.
    pub(crate) folder: PathBuf,
    /// The name of the rule.
    pub(crate) rule: String,
    /// The arguments of the program, in the first line.
    command: String,
}

impl Sample {
    /// The arguments of the program.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &str> {
        self.command.lines().next().unwrap_or_default().split_whitespace()
    }
}

/// Every folder with a `cmd`; the first folder below `bad` names the rule.
pub(crate) fn samples() -> Vec<Sample> {
    let root = root().join("bad");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.file_name().is_some_and(|name| name == "cmd") {
                let rule = folder.strip_prefix(&root).unwrap().iter().next().unwrap();
                let (rule, command) = (rule.to_str().unwrap().to_owned(), fs::read_to_string(&entry).unwrap());
                found.push(Sample { folder: folder.clone(), rule, command });
            }
        }
    }
    found.sort_by(|a, b| a.folder.cmp(&b.folder));
    found
}
