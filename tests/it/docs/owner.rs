//! The owner and the version, which Cargo.toml states once and documents repeat.

use super::assert_written;
use crate::program::{ovlint, root, utf8};
use std::path::{Path, PathBuf};

const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What stands before and after the name of an owner or a version.
const OWNERS: [[&str; 2]; 5] = [
    ["https://github.com/", "/ovlint"],
    ["uses: ", "/ovlint@v"],
    ["ghcr.io/", "/ovlint"],
    ["--repo ", "/ovlint"],
    ["`", "/ovlint`"],
];
const VERSIONS: [&str; 7] = ["/ovlint@v", "/ovlint:", "ovlint==", "rev: v", "git tag v", "origin v", "`version: "];

fn owner() -> &'static str {
    let owner = REPOSITORY.strip_prefix("https://github.com/").and_then(|rest| rest.strip_suffix("/ovlint"));
    owner.expect("the repository is https://github.com/OWNER/ovlint")
}

/// A text with a word in place of each that stands between `before` and `after`.
fn set(text: &str, before: &str, after: &str, word: &str) -> String {
    let mut parts = text.split(before);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !(c.is_ascii_alphanumeric() || "-.".contains(c))).unwrap_or(part.len());
        let is_word = end > 0 && part[end..].starts_with(after);
        out.extend([before, if is_word { word } else { &part[..end] }, &part[end..]]);
    }
    out
}

fn below(folder: &str, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            below(path.to_str().unwrap(), ending, found);
        } else if path.extension().is_some_and(|own| own == ending) {
            found.push(path);
        }
    }
}

#[test]
fn documents_name_the_owner_and_the_version_of_cargo_toml() {
    let mut files: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md", "action.yml", "Containerfile"].map(Into::into).into();
    below("docs", "md", &mut files);
    below(".github", "yml", &mut files);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let text = OWNERS.iter().fold(text, |text, [before, after]| set(&text, before, after, owner()));
        let text = VERSIONS.iter().fold(text, |text, before| set(&text, before, "", VERSION));
        assert_written(file.to_str().unwrap(), &text);
    }
    assert_eq!(set("a/ovlint@v1.2 b/ovlint@v3-rc.1", "/ovlint@v", "", "9"), "a/ovlint@v9 b/ovlint@v9");
    assert_eq!(set("uses: a/b@v1\nuses: a/ovlint@v1", "uses: ", "/ovlint@v", "x"), "uses: a/b@v1\nuses: x/ovlint@v1");
}

/// With a placeholder for the owner, no report points anywhere; with an owner, at pages that are there.
#[test]
fn reports_point_at_pages_that_are_there() {
    for format in ["json", "sarif"] {
        let out = ovlint(&root(), ["check", "bad/declared-shape/model.xml", "--format", format]);
        let report =
            utf8(&out.stdout).replace("https://json.schemastore.org/", "").replace("https://docs.oasis-open.org/", "");
        if owner() == "OWNER" {
            assert!(!report.contains("https://") && !report.contains("OWNER"), "{report}");
            continue;
        }
        let this_version = format!("{REPOSITORY}/blob/v{VERSION}/");
        let pages: Vec<&str> = report.split(&this_version).skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(!pages.is_empty(), "{report}");
        for page in pages {
            assert!(Path::new(page).is_file(), "{page}");
        }
    }
}
