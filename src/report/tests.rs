//! Tests of all renderers on the same findings.

mod hostile;

use super::findings::text::TextOptions;
use super::findings::{concise, json, text};
use super::fixtures::{
    DECLARED_SHAPE, UNKNOWN_PORT, at, body_of, declared_shape, demo, lengths_sum, lfs_pointer, numbered, report,
    unknown_port,
};
use super::{ModelReport, Summary};
use crate::diagnostic::{Applicability, Cause, Diagnostic, Edit, FindingId, Fix, LayerRef, Severity};
use crate::source::{Source, Span};
use crate::text::grouped;
use insta::assert_snapshot;
use std::time::Duration;

fn plain(source: &Source, findings: &[Diagnostic], width: usize) -> String {
    text::render(&report(source, findings), &TextOptions { width, ..TextOptions::default() })
}

fn summary(source: &Source, findings: &[Diagnostic]) -> Summary {
    let mut summary = Summary::default();
    summary.add(&report(source, findings));
    summary
}

fn fix(edits: &[(Span, &str)]) -> Fix {
    let edits = edits.iter().map(|&(span, text)| Edit { span, text: text.into() }).collect();
    Fix { applicability: Applicability::Safe, message: "set the declared dimensions".into(), edits }
}

#[test]
fn a_declared_dimension() {
    let source = demo();
    let findings = [declared_shape(&source)];
    assert_snapshot!(plain(&source, &findings, 140) + &summary(&source, &findings).text(140));
}

#[test]
fn split_lengths() {
    let source = demo();
    assert_snapshot!(plain(&source, &[lengths_sum(&source)], 140));
}

#[test]
fn an_edge_and_weights_that_are_none() {
    let source = demo();
    let findings = [unknown_port(&source), lfs_pointer()];
    let mut summary = summary(&source, &findings);
    summary.without_weights = 1;
    assert_snapshot!(plain(&source, &findings, 140) + &summary.text(140));
}

#[test]
fn eighty_columns() {
    let source = demo();
    let findings = [declared_shape(&source), lengths_sum(&source), unknown_port(&source), lfs_pointer()];
    let shown = plain(&source, &findings, 80);
    let wide: Vec<_> = shown.lines().filter(|line| line.len() > 80 && !line.starts_with("error")).collect();
    assert_eq!(wide, [""; 0]);
    assert_snapshot!(shown);
}

#[test]
fn colour_adds_nothing_but_colour() {
    let source = demo();
    let findings = [declared_shape(&source), lengths_sum(&source), unknown_port(&source), lfs_pointer()];
    let options = TextOptions { color: true, ..TextOptions::default() };
    let coloured = text::render(&report(&source, &findings), &options);
    assert!(coloured.contains("\u{1b}[1m"));
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain(&source, &findings, 140));
}

#[test]
fn context_of_a_finding() {
    let source = demo();
    let mut finding = declared_shape(&source).severity(Severity::Warning).help("export the model again");
    finding.labels.clear();
    finding.fix = None;
    finding.assumed = true;
    finding.body = vec![body_of("loop_1")];
    finding.consequences = 1203;
    let mut follows = declared_shape(&source);
    follows.consequence_of = Some(Cause { finding: FindingId::nth(0), layer: "split_3".into() });
    let off = declared_shape(&source).severity(Severity::Off);
    let info = Diagnostic::new(&UNKNOWN_PORT, at(&source, 70, "names"), "worth knowing").severity(Severity::Info);
    let findings = [finding, follows, off, info];
    let counts = summary(&source, &findings).text(140);
    assert_eq!(counts, "1 warning, 1 info in 1 of 1 model.\n");
    assert_snapshot!(plain(&source, &findings, 100));
}

#[test]
fn far_places_have_snippets_of_their_own() {
    let source = numbered(&[(7, "\t<data shape=\"1,3\"/>"), (3000, "\t<dim>5</dim>"), (9123, "\t<edge/>")]);
    let finding = Diagnostic::new(&DECLARED_SHAPE, at(&source, 3000, "5"), "too far")
        .label(at(&source, 7, "shape=\"1,3\""), "from here")
        .label(at(&source, 9123, "<edge/>"), "through this edge");
    assert_snapshot!(plain(&source, &[finding], 80));
}

#[test]
fn marks_on_one_line() {
    let source = demo();
    let finding = Diagnostic::new(&UNKNOWN_PORT, at(&source, 209, "from-port=\"9\""), "three things on a line")
        .primary("this port is missing and the label is long")
        .label(at(&source, 209, "to-layer=\"12\""), "while this layer exists, which is said at length")
        .label(at(&source, 209, "from-layer=\"3\""), "of this layer");
    assert_snapshot!(plain(&source, &[finding], 80));
}

#[test]
fn a_wide_label_hangs_below_any_character() {
    let source = Source::new("x", "\t<layer name=\"é漢字\"/>\n".into());
    let finding =
        Diagnostic::new(&UNKNOWN_PORT, at(&source, 1, "é漢字"), "not ASCII").primary("long ".repeat(12).trim_end());
    let shown = plain(&source, &[finding], 60);
    let lines = [8, 4].map(|count| format!("  |                  {}\n", "long ".repeat(count).trim_end()));
    assert!(shown.contains(&format!("  |                  |\n{}", lines.concat())), "{shown}");
}

#[test]
fn fixes() {
    let lines = [
        (3, "\t\t<port id=\"1\"/>"),
        (5, "\t\t\t<dim>1</dim>"),
        (6, "\t\t\t<dim>1</dim>"),
        (7, "\t<edge a=\"1\"/>"),
        (8, ""),
    ];
    let source = numbered(&lines);
    let line = |number: usize, text: &str| source.line_around(at(&source, number, text).start);
    let (second, third, edge) = (line(5, "<dim"), line(6, "<dim"), line(7, "<edge"));
    let span = |start: u32, end: u32| Span { start, end };
    let all: [&[(Span, &str)]; 7] = [
        &[(at(&source, 3, "/>"), ">\n\t\t\t<dim>3</dim>\n\t\t</port>")],
        &[(span(second.end, second.end), "\n\t\t\t<dim>4</dim>")],
        &[(span(third.start, third.start), "\t\t\t<dim>4</dim>\r\n")],
        &[(span(edge.start, edge.end + 1), "")],
        &[(span(edge.start - 1, edge.end), "")],
        &[(at(&source, 5, "1"), "1024"), (at(&source, 6, "1"), "-1"), (at(&source, 7, "a="), "b=")],
        &[(at(&source, 7, "edge"), "e"), (at(&source, 7, "\"1\""), "'2'")],
    ];
    let mut shown = String::new();
    for edits in all {
        let finding = Diagnostic::new(&DECLARED_SHAPE, edits[0].0, "declared").fix(fix(edits));
        shown.push_str(plain(&source, &[finding], 80).split_once("help").unwrap().1);
    }
    assert_snapshot!(shown);
}

#[test]
fn long_fixes_are_cut() {
    let text: Vec<_> = (1..=12).map(|line| (line, "<dim>1</dim>")).collect();
    let source = numbered(&text);
    let edits: Vec<_> = (1..=12).map(|line| (at(&source, line, "1"), "2")).collect();
    let finding = Diagnostic::new(&DECLARED_SHAPE, edits[0].0, "declared").fix(fix(&edits));
    let shown = plain(&source, &[finding], 80);
    assert!(shown.ends_with("\n5 + <dim>2</dim>\n  |\n  = and 7 more edits\n\n"), "{shown}");

    let over_lines = Span { start: edits[0].0.start, end: edits[3].0.end };
    let finding = Diagnostic::new(&DECLARED_SHAPE, edits[0].0, "declared").fix(fix(&[(over_lines, "")]));
    assert!(
        plain(&source, &[finding], 80).ends_with("\nhelp: set the declared dimensions (safe: OpenVINO ignores it)\n\n")
    );
}

#[test]
fn many_findings_of_a_rule_are_folded() {
    let text: Vec<_> = (1..=21).map(|line| (line, "<dim>1</dim>")).collect();
    let source = numbered(&text);
    let mut findings: Vec<_> =
        (1..=21).map(|line| Diagnostic::new(&DECLARED_SHAPE, at(&source, line, "1"), "declared")).collect();
    findings.push(Diagnostic::new(&UNKNOWN_PORT, at(&source, 21, "1"), "another rule"));
    let shown = |max_findings: usize| {
        let options = TextOptions { max_findings, ..TextOptions::default() };
        text::render(&report(&source, &findings), &options)
    };
    let folded = shown(20);
    assert_eq!(folded.matches("error[").count(), 6);
    let more = "\n\n... and 16 more `declared-shape` in models/demo.xml (`--max-findings 0` shows all)\n\nerror[edge";
    assert!(folded.contains(more), "{folded}");
    assert_eq!([0, 21, 3].map(|max| shown(max).matches("error[").count()), [22, 22, 4]);
}

#[test]
fn a_model_that_cannot_be_read_has_only_its_path() {
    let source = demo();
    let findings = [declared_shape(&source), lfs_pointer()];
    let report = ModelReport { source: None, name: None, weights_path: None, ..report(&source, &findings) };
    assert_snapshot!(text::render(&report, &TextOptions::default()) + &concise::render(&report));
    let records = json::render_lines(&report).unwrap();
    assert!(!records.contains("range") && !records.contains("\"model\""), "{records}");
}

#[test]
fn records() {
    let source = demo();
    let mut follows = lengths_sum(&source);
    follows.consequence_of = Some(Cause { finding: FindingId::nth(0), layer: "split_3".into() });
    follows.layer = Some(LayerRef { version: "opset1".into(), ..follows.layer.unwrap() });
    let findings = [declared_shape(&source), follows];
    let report = report(&source, &findings);
    let mut shown = json::render_lines(&report).unwrap();
    let mut summary = summary(&source, &findings);
    summary.layers = 13;
    summary.elapsed = Duration::from_secs(3);
    shown.push_str(&json::render(&[ModelReport { findings: &[], ..report }], &summary).unwrap());
    let version = env!("CARGO_PKG_VERSION");
    assert_snapshot!(shown.replace(&format!("\"version\":\"{version}\""), "\"version\":\"VERSION\""));
}

#[test]
fn one_line_per_finding() {
    let source = demo();
    let mut first = declared_shape(&source);
    first.consequences = 1;
    let mut follows = lengths_sum(&source);
    follows.consequence_of = Some(Cause { finding: FindingId::nth(0), layer: "split_3".into() });
    let warning = unknown_port(&source).severity(Severity::Warning);
    assert_snapshot!(concise::render(&report(&source, &[first, follows, warning, lfs_pointer()])));
}

#[test]
fn closing_lines() {
    let mut summary = Summary { models: 3, layers: 7214, tensors: 21_880, ..Summary::default() };
    summary.elapsed = Duration::from_millis(312);
    assert_eq!(summary.text(140), "checked 3 models (7,214 layers, 21,880 tensors) in 312 ms: no problems\n");
    summary.assumed_layers = 4;
    summary.assumed_opsets.insert("openvino_tokenizers".into());
    let assumed =
        "  4 extension ops not inferred: the declared outputs are used (openvino_tokenizers); `-v` lists them\n";
    assert!(summary.text(140).ends_with(assumed), "{}", summary.text(140));
    let one = Summary { models: 1, layers: 1, tensors: 1, ..Summary::default() };
    assert_eq!(one.text(140), "checked 1 model (1 layer, 1 tensor) in 0 ms: no problems\n");

    let many = Summary {
        models: 12,
        models_with_findings: 3,
        errors: 1204,
        warnings: 2,
        infos: 1,
        fixable: 1000,
        ..Summary::default()
    };
    assert_eq!(many.text(140), "1,204 errors, 2 warnings, 1 info in 3 of 12 models (1,000 fixable with --fix).\n");
}

#[test]
fn thousands_are_separated() {
    let shown = [0, 999, 1000, 21_880, 1_234_567].map(grouped);
    assert_eq!(shown, ["0", "999", "1,000", "21,880", "1,234,567"]);
}
