//! Reading, inference and checks: findings are in order and in the file, every report can be written, and a second run
//! says the same. The input is the XML, a NUL, and the weights.

use ovlint::internal::diagnostic::{Cause, Diagnostic, FindingId, order};
use ovlint::internal::ops::extension::{ExtensionOps, Stated};
use ovlint::internal::policy::catalogue::RULES;
use ovlint::internal::policy::{Profile, Selection, Settings};
use ovlint::internal::report::ModelReport;
use ovlint::internal::report::findings::text::TextOptions;
use ovlint::internal::report::findings::{concise, json, text};
use ovlint::internal::report::views::shapes;
use ovlint::internal::{Device, Limits, Model, Options, Weights};
use std::collections::BTreeSet;
use std::path::Path;

/// One input.
pub fn run(data: &[u8]) {
    let (xml, weights) = super::parts(data);
    model(xml, weights);
}

/// Everything that must hold of any file.
pub fn model(xml: &[u8], weights: &[u8]) {
    // Small limits, so that they are reached.
    let mut limits = Limits::default();
    (limits.value_elements, limits.inferred, limits.work, limits.findings) = (1_000, 1 << 20, 1 << 20, 1 << 22);
    let options = Options {
        limits,
        enabled: RULES.iter().copied().filter(|rule| rule.is_opt_in).collect(),
        target: "2022.3".parse().ok(),
        device: Some(Device::Npu),
        ..Options::default()
    };
    let read = || Model::from_bytes("fuzz.xml", xml.to_vec(), Weights::in_memory(weights.to_vec()), &options).unwrap();
    let model = read();
    let findings = model.findings();
    assert!(findings == read().findings(), "a second run says something else");
    let is_sorted = |findings: &[Diagnostic]| findings.is_sorted_by(|a, b| order(a, b).is_le());
    assert!(is_sorted(findings), "findings are out of order");
    let length = model.source().bytes().len();
    for finding in findings {
        let edits = finding.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        let labels = finding.labels.iter().chain([&finding.primary]).map(|label| label.span);
        for span in labels.chain(edits) {
            assert!(span.start <= span.end && span.end as usize <= length, "{span:?} of {finding:?}");
        }
    }
    let report = ModelReport::of(Path::new("fuzz.xml"), &model, findings);
    text::render(&report, &TextOptions::default());
    concise::render(&report);
    let lines = json::render_lines(&report).unwrap_or_default();
    assert_eq!(lines.lines().count(), findings.len(), "a finding has no record");
    ovlint::internal::query::snapshot::text::snapshot(&model);
    let _ = shapes::json(&model, Path::new("fuzz.xml"));
    shapes::table(&model, &shapes::TableOptions::default());
    let structure = Options { no_infer: true, ..options.clone() };
    let model = Model::from_bytes("fuzz.xml", xml.to_vec(), Weights::in_memory(weights.to_vec()), &structure).unwrap();
    assert!(is_sorted(model.findings()), "findings of the structure are out of order");
    let options = Options { enabled: Vec::new(), extension_ops: Some(stated()), ..options };
    judged(&Model::from_bytes("fuzz.xml", xml.to_vec(), Weights::in_memory(weights.to_vec()), &options).unwrap());
}

/// Rules for two operations of an extension.
fn stated() -> ExtensionOps {
    let rule = |outputs: &[&str]| {
        let outputs = outputs.iter().filter_map(|text| text.parse().ok()).collect();
        Stated { line: 1, outputs }
    };
    let rules = [
        ("extension.CaseFold", rule(&["in0.type[in0.shape, in0.rank, in1.dims[-1]]"])),
        ("extension.StringTensorUnpack", rule(&["i32[in0.shape]", "i32[in0.shape]", "u8[?]"])),
    ];
    ExtensionOps::new("ops.toml", rules.map(|(name, rule)| (name.to_owned(), rule)).into())
}

/// What holds of the findings that are left once comments and a selection had their say.
fn judged(model: &Model) {
    let ignore = ["input-port-mismatch", "declared-static"].iter().filter_map(|name| name.parse().ok()).collect();
    // As the model is: with every rule on.
    let all = Selection { profile: Profile::Pedantic, ..Selection::default() };
    for selection in [all.clone(), Selection { ignore, ..all }] {
        let settings = Settings { selection, ..Settings::default() };
        let findings = settings.judge(Path::new("fuzz.xml"), model).findings;
        assert!(findings.is_sorted_by(|a, b| order(a, b).is_le()), "findings are out of order");
        let length = model.source().bytes().len();
        assert!(findings.iter().all(|finding| finding.primary.span.end as usize <= length), "outside the file");
        let is_told = |finding: &&Diagnostic| settings.selection.has(finding.rule);
        assert_eq!(findings.iter().filter(is_told).count(), findings.len(), "a finding is told that is off");
        let known: BTreeSet<FindingId> = findings.iter().filter_map(|finding| finding.id).collect();
        for finding in findings.iter() {
            let is_known = |cause: &Cause| known.contains(&cause.finding) && finding.id != Some(cause.finding);
            assert!(finding.consequence_of.as_ref().is_none_or(is_known), "the cause of {finding:?} is gone");
        }
    }
}
