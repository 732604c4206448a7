//! `ovlint explain`.

use super::run;
use ovlint::internal::policy::catalogue::{RULES, explained};
use serde_json::Value;

#[test]
fn every_rule_is_explained() {
    for rule in RULES {
        let (code, out, err) = run(&["explain", rule.name]);
        assert_eq!((code, err.as_str()), (0, ""), "{}", rule.name);
        assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
        let paragraphs = out.trim_end().split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
        let text = paragraphs.collect::<Vec<_>>().join("\n\n");
        assert_eq!(text, format!("{}\n\n{}", rule.name, explained(rule).trim_end()));
        assert!(rule.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", rule.name);
    }
    let (_, all, _) = run(&["explain", "--all"]);
    assert!(RULES.iter().all(|rule| all.contains(&format!("{}\n\n", rule.name))));
}

#[test]
fn misspelled_rules_are_guessed() {
    let (code, out, err) = run(&["explain", "declared-shapes"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(err, "ovlint: there is no rule or group `declared-shapes`; did you mean `declared-shape`?\n");
}

#[test]
fn rules_are_listed() {
    let (code, out, _) = run(&["explain", "--format", "json"]);
    assert_eq!(code, 0);
    let listed: Vec<Value> = serde_json::from_str(&out).unwrap();
    assert_eq!(listed.len(), RULES.len());
    for (entry, rule) in listed.iter().zip(RULES) {
        assert_eq!(entry["name"], rule.name);
        for field in ["group", "severity", "runtime", "summary"] {
            assert!(entry[field].is_string(), "{entry}");
        }
        assert!(entry.get("fix").is_some(), "{entry}");
    }
    let (_, table, _) = run(&["explain"]);
    assert_eq!(table.lines().count(), RULES.len());
}
