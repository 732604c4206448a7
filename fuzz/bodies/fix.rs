//! Fixes, safe ones and all: the edits are all that changes, the findings fixed are gone, safe fixes bring no others and
//! leave every shape as it was, and nothing is left to fix. The input is the XML, a NUL, and the weights.

use ovlint::internal::diagnostic::fingerprint;
use ovlint::internal::diagnostic::{Applicability, Diagnostic};
use ovlint::internal::fix::{Fixed, everything, fix, unified_diff};
use ovlint::internal::policy::catalogue::RULES;
use ovlint::internal::query::snapshot::text::snapshot;
use ovlint::internal::{Model, Options};
use std::collections::BTreeMap;

/// One input.
pub fn run(data: &[u8]) {
    let (xml, weights) = super::parts(data);
    model(xml, weights, &super::options());
}

/// What must hold of the fixes of any file.
pub fn model(xml: &[u8], weights: &[u8], options: &Options) {
    let options = Options { enabled: RULES.to_vec(), ..options.clone() };
    let open = |xml: &[u8]| super::model(xml, weights, &options);
    let before = open(xml);
    for finding in before.findings().iter().filter(|finding| finding.fix.is_some()) {
        let kind = finding.fix.as_ref().map(|fix| fix.applicability);
        // A fix that may hide a problem is unsafe, even if those of its rule are not.
        let is_kept = kind == finding.rule.fix || finding.rule.fix.is_some() && kind == Some(Applicability::Unsafe);
        assert!(is_kept, "`{}` promises another kind of fix", finding.rule.name);
    }
    for level in [Applicability::Safe, Applicability::Unsafe] {
        let Ok(fixed) = fix(open(xml), level, &everything) else { continue };
        let text = fixed.model.source().bytes();
        assert_eq!(applied(before.source().bytes(), &fixed), text, "the edits are not all that changed");
        assert_eq!(fixed.original.is_none(), fixed.edits.is_empty());
        assert_eq!(unified_diff("fuzz.xml", before.source(), &fixed.edits).is_empty(), fixed.edits.is_empty());
        if level == Applicability::Safe && !fixed.edits.is_empty() {
            is_safe(&before, &fixed);
        }
        let again = open(text);
        assert!(again.findings() == fixed.model.findings(), "what is written is not what was proven");
        if !fixed.is_cut_off {
            let again = fix(again, level, &everything).map(|again| again.edits);
            assert_eq!(again, Ok(Vec::new()), "there was more to fix, after {:?}", fixed.applied);
        }
    }
}

/// The original under the edits, put together here once more.
fn applied(original: &[u8], fixed: &Fixed) -> Vec<u8> {
    let mut text = original.to_vec();
    for edit in fixed.edits.iter().rev() {
        text.splice(edit.span.range(), edit.text.bytes());
    }
    text
}

fn is_safe(before: &Model, fixed: &Fixed) {
    // Errors are what a fix is for.
    let shapes = |model: &Model| {
        snapshot(model).split_inclusive('\n').filter(|line| !line.starts_with("fails ")).collect::<String>()
    };
    assert_eq!(shapes(before), shapes(&fixed.model), "other shapes are inferred");
    for edit in &fixed.edits {
        let new = ["<dim>", "</dim>", "</port>", ">"].iter().fold(edit.text.clone(), |text, tag| text.replace(tag, ""));
        let is_plain =
            |c: char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || matches!(c, '-' | ',' | '.' | '?');
        assert!(new.chars().all(is_plain), "{edit:?}");
        let old = before.source().text(edit.span).into_owned();
        assert!(!["<layer", "<edge", "<data", "<port", "id="].iter().any(|tag| old.contains(tag)), "{old}");
    }
    if before.findings().iter().any(|finding| finding.rule.name == "limit-exceeded") {
        return; // Others may come to light.
    }
    let count = |model: &Model| {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        model.findings().iter().for_each(|finding| *counts.entry(fingerprint(finding)).or_default() += 1);
        counts
    };
    let (was, is) = (count(before), count(&fixed.model));
    for (finding, count) in &is {
        assert!(count <= was.get(finding).unwrap_or(&0), "{finding} is new");
    }
    let stays = |finding: &&Diagnostic| is.get(&fingerprint(finding)) == was.get(&fingerprint(finding));
    let stayed: Vec<&Diagnostic> = fixed.applied.iter().filter(stays).collect();
    assert!(stayed.is_empty(), "{stayed:?} stayed");
}
