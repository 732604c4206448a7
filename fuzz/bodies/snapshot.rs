//! The snapshots of two models and what differs between them. The input is an XML, a NUL, and another XML.

use ovlint::internal::query::snapshot::{digest, unified_diff};
use std::path::Path;

/// One input.
pub fn run(data: &[u8]) {
    let (old, new) = super::parts(data);
    let [old, new] = [old, new].map(|xml| super::model(xml, &[], &super::options()));
    digest(&new);
    let [old, new] = [old, new].map(|model| ovlint::internal::query::snapshot::text::snapshot(&model));
    assert!(new.chars().all(|c| c == '\n' || !c.is_control()), "a terminal obeys {new:?}");
    let diff = |old: &str, new: &str| unified_diff(Path::new("old"), old, Path::new("new"), new);
    assert_eq!(diff(&new, &new), "");
    assert_eq!(patched(&old, &diff(&old, &new)), new);
    // Lines of a kind that snapshots do not have.
    let [old, new] = super::parts(data).into();
    let [old, new] = [old, new].map(|text| String::from_utf8_lossy(text).into_owned());
    assert_eq!(patched(&old, &diff(&old, &new)), new);
}

/// A text under a unified diff.
fn patched(old: &str, diff: &str) -> String {
    let mut rest = old.split_inclusive('\n');
    let (mut at, mut new) = (1, String::new());
    let mut lines = diff.split_inclusive('\n').skip(2).peekable();
    while let Some(line) = lines.next() {
        if let Some(hunk) = line.strip_prefix("@@ -") {
            let (start, count) = hunk.split_once(' ').and_then(|(old, _)| old.split_once(',')).unwrap();
            // An empty side is named by the line before it.
            let start = start.parse::<usize>().unwrap() + usize::from(count == "0");
            new.extend(rest.by_ref().take(start - at));
            at = start;
            continue;
        }
        let (sign, text) = line.split_at(1);
        let ends = lines.next_if(|line| line.starts_with('\\')).is_some();
        let text = if ends { text.strip_suffix('\n').unwrap() } else { text };
        if sign != "+" {
            assert_eq!(rest.next(), Some(text), "the diff shows a line that is not there");
            at += 1;
        }
        if sign != "-" {
            new.push_str(text);
        }
    }
    new.extend(rest);
    new
}
