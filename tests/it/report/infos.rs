//! The infos that the text report only counts.

use crate::program::{code, ovlint, root, utf8};
use ovlint::internal::diagnostic::Severity;
use ovlint::internal::policy::catalogue::find;
use ovlint::internal::report::Format;
use ovlint::internal::report::findings::text::Infos;
use std::fs;
use tempfile::TempDir;

/// A folder with two models: of one a dimension is pinned, in the other a tensor is empty.
fn models() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for sample in ["pinned-dimension", "empty-tensor"] {
        for ending in ["xml", "bin"] {
            let from = root().join("bad").join(sample).join(format!("model.{ending}"));
            fs::copy(from, folder.path().join(format!("{sample}.{ending}"))).unwrap();
        }
    }
    folder
}

/// The names of the rules whose findings are shown, and the closing line about others.
fn shown(arguments: &[&str]) -> (Vec<String>, Option<String>) {
    let folder = models();
    let out = ovlint(folder.path(), ["check"].iter().chain(arguments).copied());
    assert_eq!(code(&out), i32::from(arguments.contains(&"info")), "{arguments:?}");
    let text = utf8(&out.stdout);
    let rules =
        text.lines().filter_map(|line| line.strip_prefix("info[")?.split_once(']')).map(|(rule, _)| rule.into());
    let closing = text.lines().find(|line| line.starts_with("  not shown: ") && line.contains("info"));
    (rules.collect(), closing.map(str::to_owned))
}

#[test]
fn infos_of_folders_are_counted() {
    let (empty, pinned) = ("empty-tensor".to_owned(), "pinned-dimension".to_owned());
    let all = (vec![empty.clone(), pinned.clone()], None);
    let folded = "  not shown: 2 infos (1 empty-tensor, 1 pinned-dimension); use `-v` to show all".to_owned();
    assert_eq!(shown(&["."]), (vec![], Some(folded)));
    assert_eq!(shown(&[".", "-v"]), all);
    assert_eq!(shown(&[".", "--fail-on", "info"]), all);
    assert_eq!(shown(&[".", "--severity", "empty-tensor=info"]), all);
    assert_eq!(shown(&[".", "--select", "empty-tensor"]), (vec![empty], None));
    assert_eq!(shown(&[".", "--statistics"]), (vec![], None));
    assert_eq!(shown(&[".", "-q"]), (vec![], None));
    // Of a file that is named, those about the file as a whole are shown.
    assert_eq!(shown(&["pinned-dimension.xml"]), (vec![pinned], None));
    let folded = "  not shown: 1 info (1 empty-tensor); use `-v` to show all".to_owned();
    assert_eq!(shown(&["empty-tensor.xml"]), (vec![], Some(folded)));
}

#[test]
fn other_formats_hold_all_infos() {
    let folder = models();
    for format in Format::ALL.map(Format::name).into_iter().filter(|format| *format != "text") {
        let text = utf8(&ovlint(folder.path(), ["check", ".", "--format", format]).stdout);
        assert!(["pinned-dimension", "empty-tensor"].iter().all(|rule| text.contains(rule)), "{format}: {text}");
    }
}

#[test]
fn rules_that_are_shown_exist() {
    let folds = |rule: &str, infos: Infos| {
        let rule = find(rule).unwrap_or_else(|| panic!("no rule `{rule}`"));
        infos.folds_rule(rule)
    };
    assert_eq!(find("empty-tensor").unwrap().severity, Severity::Info);
    for rule in ["limit-exceeded", "reported-defect"] {
        assert!(!folds(rule, Infos::Asked));
    }
    for rule in ["legacy-ir-version", "pinned-dimension"] {
        assert!(folds(rule, Infos::Asked) && !folds(rule, Infos::OfFile));
    }
    assert!(folds("empty-tensor", Infos::OfFile) && !folds("empty-tensor", Infos::All));
}
