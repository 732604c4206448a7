//! Tags that are malformed, wherever they stand: the file is refused, nothing of it is edited, and the run ends.

use super::{PORT, open, relu};
use crate::program::{code, ovlint, utf8};
use ovlint::internal::diagnostic::Applicability;
use ovlint::internal::fix::{everything, fix};
use proptest::prelude::*;
use std::fs;

const TAGS: [&str; 11] = [
    "<port a=1/>",
    "<layer a>",
    "<data a=\"1\"b=\"2\"/>",
    "<edge a=\"1/>",
    "<net =\"1\"/>",
    "<x 1=\"1\"/>",
    "<x a='1' / >",
    "<x/ >",
    "<x \"\"/>",
    "<x\u{c}a=\"1\"/>",
    "<x a==\"1\"/>",
];

/// A net whose `ReLU` declares what it does not give, which is fixed where nothing else is wrong.
fn lying() -> String {
    relu(&PORT.replace("<dim>6</dim>", "<dim>7</dim>"))
}

/// Where something could be put into the text: behind every tag.
fn places(text: &str) -> Vec<usize> {
    text.match_indices('>').map(|(at, _)| at + 1).collect()
}

fn is_refused(text: &str) {
    for level in [Applicability::Safe, Applicability::Unsafe] {
        let model = open(text.as_bytes());
        let broken = model.findings().iter().filter(|finding| finding.rule.name == "xml-malformed").count();
        assert_eq!((broken, model.net().is_none()), (1, true), "{text}");
        let Ok(fixed) = fix(model, level, &everything) else { unreachable!("{text}") };
        assert!(fixed.edits.is_empty(), "{text}");
    }
}

#[test]
fn malformed_tags_are_refused_wherever_they_stand() {
    let text = lying();
    for at in places(&text) {
        for tag in TAGS {
            is_refused(&format!("{}{tag}{}", &text[..at], &text[at..]));
        }
    }
}

proptest! {
    #[test]
    fn random_tags_end_the_run(at in any::<prop::sample::Index>(), inside in "[ a=\"'/>1\\x0c\\x00<&;é\n]{0,12}") {
        let text = lying();
        let at = *at.get(&places(&text));
        let text = format!("{}<x {inside}{}", &text[..at], &text[at..]);
        for level in [Applicability::Safe, Applicability::Unsafe] {
            let Ok(fixed) = fix(open(text.as_bytes()), level, &everything) else { unreachable!("{text}") };
            prop_assert!(fixed.model.net().is_some() || fixed.edits.is_empty());
        }
    }
}

#[test]
fn no_way_of_fixing_touches_a_malformed_file() {
    let text = lying().replace("<layers>", "<layers><port a=1/>");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("model.xml"), &text).unwrap();
    let message = "XML is not well formed: an attribute value is not quoted\n";
    let shown = format!("model.xml:3:18: error[xml-malformed] {message}");
    let noted = format!("ovlint: model.xml cannot be fixed: {message}");
    for (flags, wanted, told) in [
        (&["--fix"][..], shown.as_str(), ""),
        (&["--fix=all"], &shown, ""),
        (&["--fix", "--diff"], "", &noted),
        (&["--fix=all", "--diff"], "", &noted),
    ] {
        let check = ["check", "--isolated", "--format", "concise", "-q", "model.xml"];
        let out = ovlint(folder.path(), check.into_iter().chain(flags.iter().copied()));
        let err = utf8(&out.stderr);
        assert_eq!((code(&out), utf8(&out.stdout).as_str(), err.contains(told)), (1, wanted, true), "{flags:?} {err}");
        assert_eq!(fs::read_to_string(folder.path().join("model.xml")).unwrap(), text, "{flags:?}");
    }
}
