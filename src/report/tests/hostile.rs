//! Hostile texts: control characters of terminals, endless lines and names, any bytes at all.

use super::super::ModelReport;
use super::super::findings::text::TextOptions;
use super::super::findings::{concise, json, text};
use super::super::fixtures::{DECLARED_SHAPE, at, body_of, demo, report};
use super::{fix, plain};
use crate::diagnostic::{Diagnostic, Edit, Label};
use crate::source::{Source, Span};
use crate::text::escape;
use insta::assert_snapshot;
use proptest::prelude::*;
use std::path::Path;

fn hidden(text: &str) -> Option<char> {
    text.chars().find(|&character| character != '\n' && escape::is_hidden(character))
}

/// A hostile file, with hostile names.
fn hostile() -> (Source, Diagnostic) {
    let lines: [&[u8]; 5] = [
        b"\xef\xbb\xbf<net name=\"\x1b]0;title\x07\">\r\n",
        b"\t<layer name=\"\x1b[31mred\x9b\xff\">\r\n",
        b"\t\t<dim>\xff\x00\t5</dim>\t\xe2\x80\xae<!-- \xe6\xbc\xa2 -->\r\n",
        b"\t\t<dim>a\rb</dim>\r\n",
        "\u{e000}:1:2\u{9b}31m <edge>\r\n".as_bytes(),
    ];
    let bytes = lines.concat();
    let span = |text: &[u8]| {
        let start = memchr::memmem::find(&bytes, text).unwrap();
        Span::new(start, start + text.len())
    };
    let five = span(b"5");
    let finding = Diagnostic::new(&DECLARED_SHAPE, five, "layer `\u{1b}[31mred\n\u{202e}` is \u{9b}31m hostile")
        .primary("so is \u{1b}[1A this")
        .label(span(b"red"), "and \u{7} this")
        .label(span(b"<net name"), "the start")
        .label(span(b"a\rb"), "a lone return")
        .label(span(b"<edge"), "\u{e000}:9:9")
        .note("a note\nwith \u{1b}]8;;http://example\u{7} a link")
        .help("help\u{200b}less")
        .fix(fix(&[(five, "\u{1b}[2J6\u{9b}")]));
    (Source::new("x", bytes), finding)
}

#[test]
fn hostile_text_is_spelled_out() {
    let (source, mut finding) = hostile();
    finding.body = vec![body_of("\u{1b}c")];
    let findings = [finding];
    let path = Path::new("a\u{1b}[2J.xml");
    let report = ModelReport { path, weights_path: None, ..report(&source, &findings) };
    let shown = text::render(&report, &TextOptions { width: 100, ..TextOptions::default() });
    assert_eq!(hidden(&shown), None);
    assert_eq!(hidden(&concise::render(&report)), None);
    let mut data = json::render_lines(&report).unwrap();
    assert_eq!(hidden(&data), None);
    let value: serde_json::Value = serde_json::from_str(&data).unwrap();
    assert_eq!(value["message"], findings[0].message.shown());
    data = concise::render(&report) + &data;
    assert_snapshot!(shown + &data);
}

#[test]
fn one_line_of_five_megabytes() {
    let mut bytes = b"<net>".to_vec();
    let mut spans = Vec::new();
    while bytes.len() < 5_000_000 {
        bytes.extend_from_slice(b"<layer id=\"7\" name=\"relu\" type=\"ReLU\"><output><port><dim>");
        spans.push(Span::new(bytes.len(), bytes.len() + 1));
        bytes.extend_from_slice(b"5</dim></port></output></layer>");
    }
    let everything = Span::new(0, bytes.len());
    let source = Source::new("x", bytes);
    let middle = spans[spans.len() / 2];
    let finding = Diagnostic::new(&DECLARED_SHAPE, middle, "declared 5, inferred 4")
        .primary("declared 5")
        .label(everything, "all of it")
        .label(Span::new(middle.start as usize - 46, middle.start as usize - 20), "this layer")
        .fix(fix(&[(middle, "4")]));
    let mut shown = plain(&source, &[finding], 80);
    assert!(shown.lines().all(|line| line.len() <= 80), "{shown}");
    let findings: Vec<_> = spans.iter().map(|&span| Diagnostic::new(&DECLARED_SHAPE, span, "declared")).collect();
    let records = json::render_lines(&report(&source, &findings)).unwrap();
    let last = records.lines().last().unwrap();
    let column = format!("{{\"line\":1,\"column\":{},", spans[spans.len() - 1].start + 1);
    assert!(last.contains(&column), "{last}");
    shown.push_str(&plain(&source, &[Diagnostic::new(&DECLARED_SHAPE, everything, "all")], 80));
    assert_snapshot!(shown);
}

#[test]
fn long_names_are_cut() {
    let source = demo();
    let name = "x".repeat(2_000_000);
    let mut finding = Diagnostic::new(&DECLARED_SHAPE, at(&source, 35, "5"), format!("`{name}` is long"))
        .primary(name.clone())
        .note(name.clone())
        .help(name.clone());
    finding.labels.push(Label { layer: Some(name.clone()), ..Label::new(at(&source, 22, "data"), "") });
    assert!(plain(&source, &[finding.clone()], 80).len() < 5000);
    assert!(concise::render(&report(&source, &[finding])).len() < 1000);
}

fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![
        4 => Just(b'a'),
        2 => Just(b' '),
        2 => Just(b'\n'),
        1 => proptest::sample::select(vec![b'\r', b'\t', 0x1b, 0x9b, 0xc2, 0xe6, 0xbc, 0xa2, 0xff, 0]),
        1 => any::<u8>(),
    ]
}

fn span() -> impl Strategy<Value = Span> {
    (0_u32..320, 0_u32..90).prop_map(|(start, length)| Span { start, end: start + length })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_can_be_shown(
        bytes in proptest::collection::vec(byte(), 0..300),
        spans in proptest::collection::vec((span(), "[a-z\u{1b}\n漢 ]{0,40}", any::<bool>()), 0..6),
        edits in proptest::collection::vec((0_u32..60, 0_u32..20, "[a \n\r\t\u{1b}漢é]{0,12}"), 0..5),
        primary in span(),
        width in 0_usize..160,
    ) {
        let source = Source::new("x", bytes);
        let mut finding = Diagnostic::new(&DECLARED_SHAPE, primary, "m\u{1b}: x").primary("x");
        for (span, text, origin) in spans {
            finding.labels.push(Label { origin, ..Label::new(span, text) });
        }
        let mut end = 0;
        let mut fixed = fix(&[]);
        for (gap, length, text) in edits {
            let start = end + gap;
            end = start + length;
            fixed.edits.push(Edit { span: Span { start, end }, text });
        }
        let findings = [finding.fix(fixed)];
        let report = report(&source, &findings);
        let shown = text::render(&report, &TextOptions { width, ..TextOptions::default() });
        prop_assert_eq!(hidden(&shown), None);
        let coloured = text::render(&report, &TextOptions { width, color: true, ..TextOptions::default() });
        prop_assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), shown);
        prop_assert_eq!(hidden(&concise::render(&report)), None);
        prop_assert!(serde_json::from_str::<serde_json::Value>(&json::render_lines(&report).unwrap()).is_ok());
    }
}
