//! The category of each operation, and its page in OpenVINO's specification.
//!
//! Read on 2026-11-23 in OpenVINO's documentation
//! (<https://github.com/openvinotoolkit/openvino/tree/master/docs/articles_en/documentation/openvino-ir-format/operation-sets/operation-specs>).

use super::CATEGORIES;
use super::spec::OpSpec;
use super::summaries::rows;

/// The folder of the pages.
const FOLDER: &str = "https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs";

/// Revisions whose page is not called after category, name and opset.
const PAGES: &str = include_str!("pages.txt");

impl OpSpec {
    /// The category: a folder of OpenVINO's operation specifications, for most operations.
    pub fn category(&self) -> &'static str {
        let has = |spec: &&OpSpec| (spec.name, spec.opset) == (self.name, self.opset);
        CATEGORIES.iter().find(|category| category.operations.iter().any(has)).map_or("", |category| category.name)
    }

    /// The URL of the page of the specification.
    pub fn page(&self) -> String {
        match rows(PAGES).find(|[name, opset, _]| *name == self.name && *opset == self.opset.to_string()) {
            Some([.., page]) => format!("{FOLDER}/{page}.html"),
            None => format!("{FOLDER}/{}/{}-{}.html", self.category(), kebab(self.name), self.opset),
        }
    }
}

/// Returns a name in small letters, with a hyphen before each word.
fn kebab(name: &str) -> String {
    let mut text = String::new();
    let mut before = None;
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let starts_word = letters.peek().is_some_and(char::is_ascii_lowercase);
        let is_small = |before: char| before.is_ascii_lowercase();
        if letter.is_ascii_uppercase() && before.is_some_and(|before| is_small(before) || starts_word) {
            text.push('-');
        }
        text.push(letter.to_ascii_lowercase());
        before = Some(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{find, operations};
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    #[test]
    fn pages_are_called_after_the_operation_or_listed() {
        let page = |name, opset| find(name, opset).unwrap().page().strip_prefix(FOLDER).unwrap().to_owned();
        assert_eq!(page("Split", 1), "/movement/split-1.html");
        assert_eq!(page("GatherND", 8), "/movement/gather-nd-8.html");
        assert_eq!(page("ReduceL2", 4), "/reduction/reduce-l2-4.html");
        assert_eq!(page("CTCGreedyDecoderSeqLen", 6), "/sequence/ctc-greedy-decoder-seq-len-6.html");
        assert_eq!(page("NonMaxSuppression", 5), "/sort/no-max-suppression-5.html");
        for [name, opset, _] in rows(PAGES) {
            let is_known = |spec: &OpSpec| spec.name == name && spec.opset.to_string() == opset;
            assert!(operations().any(is_known), "{name} {opset}");
        }
    }

    #[test]
    fn files_of_operations_name_pages() {
        let known: BTreeSet<String> = operations().map(OpSpec::page).collect();
        let mut folders = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/ops"))];
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                let Some(spec) = text.lines().find_map(|line| line.strip_prefix("//! - Spec: ")) else { continue };
                let mut last = String::new();
                // In `a/split-1`, `-2`, `b-1` the others are in the folder of the first, the second with its name.
                for name in spec.split('`').skip(1).step_by(2).filter(|name| *name == name.to_lowercase()) {
                    let start = match name.split_once(['/', '-']) {
                        Some((start, _)) if name.starts_with(&format!("{start}/")) => "",
                        Some(("", _)) => last.rsplit_once('-').unwrap().0,
                        Some(_) => last.split_inclusive('/').next().unwrap(),
                        None => continue,
                    };
                    last = format!("{start}{name}");
                    let is_known = last.ends_with('*') || known.contains(&format!("{FOLDER}/{last}.html"));
                    assert!(is_known, "{}: {last}", path.display());
                }
            }
        }
    }
}
