//! Tests of every format on the same findings.

use super::*;
use crate::diagnostic::{Cause, Diagnostic, FindingId, Fix};
use crate::ops::testing::draws::draws;
use crate::report::fixtures::body_of;
use crate::report::fixtures::{
    DECLARED_SHAPE, at, declared_shape, demo, lengths_sum, lfs_pointer, report, unknown_port,
};
use crate::source::{Source, Span};
use insta::assert_snapshot;
use serde_json::Value;
use std::path::Path;

/// Renders a whole run over some models.
fn written(format: Format, models: &[ModelReport], exit_code: u8) -> String {
    let options = PieceOptions { text: TextOptions { width: 100, ..TextOptions::default() }, ..Default::default() };
    let (mut stream, mut summary) = (Stream::new(format, Brevity::default()), Summary::default());
    let mut out = stream.head().unwrap();
    for model in models {
        summary.add(model);
        out.push_str(&stream.add(format.piece(model, &options).unwrap()));
    }
    out.push_str(&stream.tail(End { summary: &summary, exit_code, width: 100 }).unwrap());
    out.replace(&format!("ersion\":\"{}\"", env!("CARGO_PKG_VERSION")), "ersion\":\"VERSION\"")
}

/// An error with a consequence, an info, a warning, and an error about another file.
fn findings(source: &Source) -> Vec<Diagnostic> {
    let mut first = declared_shape(source);
    first.consequences = 1;
    let mut follows = lengths_sum(source);
    follows.consequence_of = Some(Cause { finding: FindingId::nth(0), layer: "split_3".into() });
    let info = Diagnostic::new(&DECLARED_SHAPE, at(source, 131, "6"), "100 % <odd> | `x`, \"y\"\n& *z* at a:b");
    vec![lfs_pointer(), first, follows, info.severity(Severity::Info), unknown_port(source).severity(Severity::Warning)]
}

/// Renders the findings above, a model without any, and one whose file cannot be read.
fn shown(format: Format) -> String {
    let source = demo();
    let findings = findings(&source);
    let demo = report(&source, &findings);
    let clean = ModelReport { path: Path::new("./models/clean, or not.xml"), findings: &[], ..demo };
    let unread = [Diagnostic::new(&DECLARED_SHAPE, Span::default(), "cannot read it")];
    let missing = ModelReport::unread(Path::new("./missing.xml"), &unread);
    written(format, &[demo, clean, missing], 1)
}

/// Adds line breaks to JSON. Keeps only one rule of SARIF, and checks the indices of rules here.
fn pretty(text: &str) -> String {
    let mut value: Value = serde_json::from_str(text).unwrap();
    if let Some(run) = value.pointer_mut("/runs/0") {
        let rules = run["tool"]["driver"]["rules"].as_array_mut().unwrap().split_off(0);
        assert_eq!(rules.len(), crate::policy::catalogue::RULES.len());
        for result in run["results"].as_array_mut().unwrap() {
            let index = result.as_object_mut().unwrap().remove("ruleIndex").unwrap();
            assert_eq!(rules[usize::try_from(index.as_u64().unwrap()).unwrap()]["id"], result["ruleId"]);
        }
        run["tool"]["driver"]["rules"] = rules.into_iter().filter(|rule| rule["id"] == "git-lfs-pointer").collect();
    }
    serde_json::to_string_pretty(&value).unwrap()
}

#[test]
fn github() {
    assert_snapshot!(shown(Format::Github));
}

#[test]
fn markdown() {
    assert_snapshot!(shown(Format::Markdown));
}

#[test]
fn junit() {
    assert_snapshot!(shown(Format::Junit));
}

#[test]
fn gitlab() {
    assert_snapshot!(pretty(&shown(Format::Gitlab)));
}

#[test]
fn sarif() {
    assert_snapshot!(pretty(&shown(Format::Sarif)));
}

#[test]
fn json_is_the_same_in_pieces() {
    let source = demo();
    let findings = findings(&source);
    let models = [report(&source, &findings), report(&source, &[])];
    let mut summary = Summary::default();
    for model in &models {
        summary.add(model);
    }
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let whole = json::render(&models, &summary).unwrap().replace(&version, "\"version\":\"VERSION\"");
    assert_eq!(written(Format::Json, &models, 1), whole);
}

#[test]
fn runs_without_models_are_documents_too() {
    for format in [Format::Json, Format::Sarif, Format::Gitlab] {
        let value: Value = serde_json::from_str(&written(format, &[], 0)).unwrap();
        assert!(value.is_object() || value == serde_json::json!([]), "{value}");
    }
    let empty = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    assert_eq!(written(Format::Junit, &[], 0), format!("{empty}<testsuites name=\"ovlint\">\n</testsuites>\n"));
}

#[test]
fn a_run_that_failed_did_not_succeed() {
    let invocation = |code| {
        let run: Value = serde_json::from_str(&written(Format::Sarif, &[], code)).unwrap();
        run["runs"][0]["invocations"][0].clone()
    };
    assert_eq!(invocation(1), serde_json::json!({"executionSuccessful": true, "exitCode": 1}));
    assert_eq!(invocation(2), serde_json::json!({"executionSuccessful": false, "exitCode": 2}));
}

#[test]
fn what_fails_in_junit_is_chosen() {
    let source = demo();
    let findings = findings(&source);
    let failures = |fail_on| {
        let options = PieceOptions { fail_on, ..PieceOptions::default() };
        Format::Junit.piece(&report(&source, &findings), &options).unwrap().matches("<failure ").count()
    };
    let levels = [None, Some(Severity::Error), Some(Severity::Warning), Some(Severity::Info)];
    assert_eq!(levels.map(failures), [0, 2, 3, 4]);
}

#[test]
fn github_gets_ten_of_a_kind() {
    let source = demo();
    let wrong = || Diagnostic::new(&DECLARED_SHAPE, at(&source, 35, "5"), "wrong");
    let mut findings: Vec<_> = (0..14).map(|_| wrong()).collect();
    findings.extend((0..11).map(|_| wrong().severity(Severity::Warning)));
    let model = report(&source, &findings);
    let out = written(Format::Github, &[model, model], 1);
    assert_eq!((out.matches("::error ").count(), out.matches("::warning ").count()), (10, 10));
    let closing = "28 errors, 22 warnings in 2 of 2 models. See `ovlint explain declared-shape` for details.\n\
                   18 errors, 12 warnings not annotated, as GitHub shows 10 of a kind.\n";
    assert!(out.ends_with(closing), "{out}");
}

#[test]
fn tables_end_after_a_hundred_rows() {
    let source = demo();
    let wrong = Diagnostic::new(&DECLARED_SHAPE, at(&source, 35, "5"), "wrong");
    let findings = vec![wrong; 70];
    let model = report(&source, &findings);
    let out = written(Format::Markdown, &[model, model], 1);
    assert_eq!(out.matches("| error | `declared-shape` |").count(), 100);
    assert!(out.contains("\n\nand 40 more.\n"), "{out}");
}

#[test]
fn gitlab_never_sees_a_fingerprint_twice() {
    let source = demo();
    let findings = vec![declared_shape(&source); 3];
    let model = report(&source, &findings);
    let other = ModelReport { path: Path::new("models/other.xml"), ..model };
    let issues: Vec<Value> = serde_json::from_str(&written(Format::Gitlab, &[model, other], 1)).unwrap();
    let prints: std::collections::BTreeSet<_> =
        issues.iter().map(|issue| issue["fingerprint"].as_str().unwrap()).collect();
    assert_eq!(prints.len(), 6);
}

#[test]
fn decoded_files_have_no_bytes_in_sarif() {
    let source = Source::decoded("x", b"<net>\n<dim>5</dim>".to_vec(), "UTF-16");
    let findings = [Diagnostic::new(&DECLARED_SHAPE, Span::new(11, 12), "wrong")];
    let run: Value = serde_json::from_str(&written(Format::Sarif, &[report(&source, &findings)], 1)).unwrap();
    let region = serde_json::json!({"startLine": 2, "startColumn": 6, "endLine": 2, "endColumn": 7});
    assert_eq!(run["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"], region);
}

#[test]
fn absolute_paths_are_file_uris() {
    let source = demo();
    let findings = [lfs_pointer()];
    let path = Path::new(if cfg!(windows) { r"C:\a b.xml" } else { "/a b.xml" });
    let model = ModelReport { path, ..report(&source, &findings) };
    let run: Value = serde_json::from_str(&written(Format::Sarif, &[model], 1)).unwrap();
    let uri = if cfg!(windows) { "file:///C%3A/a%20b.xml" } else { "file:///a%20b.xml" };
    let place = &run["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(*place, serde_json::json!({"artifactLocation": {"uri": uri}}));
}

#[test]
fn fixes_without_edits_are_left_out_of_sarif() {
    let source = demo();
    let mut finding = declared_shape(&source);
    finding.fix = finding.fix.map(|fix| Fix { edits: Vec::new(), ..fix });
    let findings = [finding];
    let out = written(Format::Sarif, &[report(&source, &findings)], 1);
    assert!(!out.contains("\"fixes\""));
}

#[test]
fn names_are_unique() {
    let names: std::collections::BTreeSet<_> = Format::ALL.iter().map(|format| format.name()).collect();
    assert_eq!(names.len(), Format::ALL.len());
}

#[test]
fn every_character_of_unicode_is_safe_in_every_format() {
    let source = demo();
    let span = at(&source, 35, "5");
    // Of all planes but 0 to 2 and 14, test samples only: their code points behave alike.
    let every = if draws(1_u32) > 1 { 1 } else { 64 };
    let is_drawn = |one: &char| matches!(u32::from(*one) >> 16, 0..=2 | 14) || u32::from(*one) % every == 0;
    let all: Vec<char> = ('\0'..=char::MAX).filter(is_drawn).collect();
    let findings = all.chunks(400).map(|part| {
        let text: String = part.iter().collect();
        let finding = Diagnostic::new(&DECLARED_SHAPE, span, text.clone()).primary(text.clone());
        Diagnostic { body: vec![body_of(&text)], ..finding.note(text.clone()).help(text) }
    });
    let findings: Vec<Diagnostic> = findings.collect();
    let model = ModelReport { path: Path::new("\u{fffe}\u{34f}\u{202e}.xml"), ..report(&source, &findings) };
    let parsed = regex_syntax::parse(r"\p{Default_Ignorable_Code_Point}").unwrap();
    let regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(ignorable)) = parsed.into_kind() else {
        panic!("it is no class");
    };
    let is_unsafe = |character: char| {
        let is_ignorable = ignorable.ranges().iter().any(|range| (range.start()..=range.end()).contains(&character));
        // Characters that XML 1.0 cannot contain.
        is_ignorable || (character < ' ' && character != '\n') || matches!(character, '\u{fffe}' | '\u{ffff}')
    };
    for format in Format::ALL {
        let text = written(format, &[model], 1);
        let shown = text.chars().filter(|character| *character > '~').count();
        assert!(shown > 100, "{format:?} shows {shown} characters");
        assert_eq!(text.chars().find(|character| is_unsafe(*character)), None, "{format:?}");
        if format == Format::Junit {
            let mut reader = quick_xml::Reader::from_str(&text);
            while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
        }
    }
}
