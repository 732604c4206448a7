//! Handmade findings, for the tests of all renderers.

use super::ModelReport;
use crate::diagnostic::{
    Applicability, BodyRef, Diagnostic, Direction, Edit, Fix, Group, Label, LayerRef, PortRef, Rule, Runtime,
    WeightsRange,
};
use crate::source::{Column, Source, Span};
use std::path::Path;

const fn rule(name: &'static str, group: Group, runtime: Runtime, fix: Option<Applicability>) -> Rule {
    Rule { fix, ..Rule::error(group, name, "", "").runtime(runtime) }
}

pub(crate) static DECLARED_SHAPE: Rule =
    rule("declared-shape", Group::Declared, Runtime::Accepts, Some(Applicability::Safe));
pub(crate) static LENGTHS_SUM: Rule = rule("split-lengths-sum", Group::Shapes, Runtime::Rejects, None);
pub(crate) static UNKNOWN_PORT: Rule =
    rule("edge-unknown-port", Group::Ports, Runtime::Rejects, Some(Applicability::Unsafe));
pub(crate) static LFS_POINTER: Rule = rule("git-lfs-pointer", Group::Weights, Runtime::Rejects, None);

/// Creates a source with the given lines at the given line numbers, and comments in between.
pub(crate) fn numbered(lines: &[(usize, &str)]) -> Source {
    let mut text = String::new();
    let mut number = 1;
    for &(at, line) in lines {
        for filler in number..at {
            text.push_str("\t\t<!-- ");
            text.push_str(&filler.to_string());
            text.push_str(" -->\n");
        }
        text.push_str(line);
        text.push('\n');
        number = at + 1;
    }
    Source::new("models/demo.xml", text.into_bytes())
}

pub(crate) fn demo() -> Source {
    numbered(&[
        (1, "<?xml version=\"1.0\"?>"),
        (2, "<net name=\"demo\" version=\"11\">"),
        (5, "\t\t\t<data shape=\"6,12,10,24\" element_type=\"f32\" />"),
        (16, "\t\t\t<data element_type=\"i64\" shape=\"\" offset=\"0\" size=\"8\" />"),
        (21, "\t\t<layer id=\"2\" name=\"split_3\" type=\"Split\" version=\"opset1\">"),
        (22, "\t\t\t<data num_splits=\"3\" />"),
        (35, "\t\t\t\t\t<dim>5</dim>"),
        (70, "\t\t\t\t<port id=\"2\" precision=\"FP32\" names=\"out3\">"),
        (121, "\t\t\t<data element_type=\"i64\" shape=\"3\" offset=\"32\" size=\"24\" />"),
        (128, "\t\t<layer id=\"8\" name=\"vsplit\" type=\"VariadicSplit\" version=\"opset1\">"),
        (131, "\t\t\t\t\t<dim>6</dim>"),
        (209, "\t\t<edge from-layer=\"3\" from-port=\"9\" to-layer=\"12\" to-port=\"0\" />"),
        (211, "</net>"),
    ])
}

/// A report of findings in `source`.
pub(crate) fn report<'a>(source: &'a Source, findings: &'a [Diagnostic]) -> ModelReport<'a> {
    ModelReport {
        name: Some("demo"),
        source: Some(source),
        weights_path: Some(Path::new("models/demo.bin")),
        ..ModelReport::unread(Path::new("models/demo.xml"), findings)
    }
}

/// The span of `text` in a line.
pub(crate) fn at(source: &Source, line: usize, text: &str) -> Span {
    let bytes = source.bytes();
    let start = source.offset(u32::try_from(line).unwrap(), Column::Characters(1)).unwrap() as usize;
    let found = memchr::memmem::find(&bytes[start..], text.as_bytes()).unwrap() + start;
    let span = Span::new(found, found + text.len());
    assert_eq!(source.position(span.start).line, u32::try_from(line).unwrap());
    span
}

fn constant(span: Span, message: &str, layer: &str, offset: u64, value: &[i64]) -> Label {
    let size = 8 * u64::try_from(value.len()).unwrap();
    Label {
        weights: Some(WeightsRange { offset, size }),
        value: Some(value.into()),
        layer: Some(layer.into()),
        ..Label::new(span, message)
    }
}

fn layer(source: &Source, line: usize, id: &str, name: &str, ty: &str) -> LayerRef {
    let span = source.line_around(at(source, line, "<layer").start);
    LayerRef { id: id.into(), name: name.into(), ty: ty.into(), version: "opset1".into(), span }
}

/// A finding about a wrong declared dimension.
pub(crate) fn declared_shape(source: &Source) -> Diagnostic {
    let wrong = at(source, 35, "5");
    let detail = "declared 5, inferred 4 (dim 1 of output port 2)";
    let axis = at(source, 16, "<data element_type=\"i64\" shape=\"\" offset=\"0\" size=\"8\" />");
    let mut finding = Diagnostic::new(
        &DECLARED_SHAPE,
        wrong,
        format!("declared dimension disagrees with the inferred shape: {detail}"),
    )
    .primary(detail)
    .label(at(source, 21, "<layer id=\"2\" name=\"split_3\" type=\"Split\" version=\"opset1\">"), "in this Split layer")
    .label(at(source, 22, "num_splits=\"3\""), "12 along axis 1 / 3 = 4")
    .note("OpenVINO ignores declared port shapes and reads this file; Netron and converters show the wrong one")
    .layer(layer(source, 21, "2", "split_3", "Split"))
    .port(PortRef { direction: Direction::Output, id: "2".into(), index: 0, dim: Some(1) })
    .fix(Fix {
        applicability: Applicability::Safe,
        message: "set the declared dimension to 4".into(),
        edits: vec![Edit { span: wrong, text: "4".into() }],
    });
    let data = Label::new(at(source, 5, "shape=\"6,12,10,24\""), "data[0] = f32[6,12,10,24]");
    finding.labels.push(Label { origin: true, ..data });
    finding.labels.push(Label { origin: true, ..constant(axis, "axis = 1", "axis", 0, &[1]) });
    finding.declared = Some("f32[6,5,10,24]".into());
    finding.inferred = Some("f32[6,4,10,24]".into());
    finding.chain = vec!["split_3:0".into(), "data:0".into()];
    finding
}

/// A finding about split lengths that do not add up.
pub(crate) fn lengths_sum(source: &Source) -> Diagnostic {
    let tag = "<layer id=\"8\" name=\"vsplit\" type=\"VariadicSplit\" version=\"opset1\">";
    let lengths = at(source, 121, "<data element_type=\"i64\" shape=\"3\" offset=\"32\" size=\"24\" />");
    let mut finding = Diagnostic::new(
        &LENGTHS_SUM,
        at(source, 128, tag),
        "split lengths add up to 7, but axis 0 of the input is 6",
    )
    .primary("split_lengths [1, 2, 4] sum to 7")
    .label(at(source, 131, "6"), "mul[0] = f32[6,4,10,24], axis 0 = 6")
    .note("data     <- mul (Multiply) f32[6,4,10,24] <- split_3 (Split) :0 f32[6,4,10,24] <- data f32[6,12,10,24]")
    .note("axis     <- vs_axis = 0 (demo.bin bytes 24..32)")
    .note("declared outputs 1 + 2 + 3 = 6 fit the axis; the constant [1, 2, 4] does not: the third length should be 3")
    .help("OpenVINO will reject this file and call the layer `VariadicSplit_<n>`")
    .layer(layer(source, 128, "8", "vsplit", "VariadicSplit"));
    let lengths = constant(lengths, "split_lengths = [1, 2, 4]", "vs_lengths", 32, &[1, 2, 4]);
    finding.labels.push(Label { layer: None, ..lengths });
    finding
}

/// A finding about an edge to a missing port.
pub(crate) fn unknown_port(source: &Source) -> Diagnostic {
    let detail = "layer 3 `cat` (Concat) has no output port 9";
    Diagnostic::new(
        &UNKNOWN_PORT,
        at(source, 209, "from-port=\"9\""),
        format!("edge starts at an output port that does not exist: {detail}"),
    )
    .primary(detail)
    .label(at(source, 70, "<port id=\"2\" precision=\"FP32\" names=\"out3\">"), "its only output port is 2")
    .fix(Fix {
        applicability: Applicability::Unsafe,
        message: "did you mean port 2?".into(),
        edits: vec![Edit { span: at(source, 209, "9"), text: "2".into() }],
    })
}

/// A finding about a file other than the XML.
pub(crate) fn lfs_pointer() -> Diagnostic {
    Diagnostic::new(&LFS_POINTER, Span::default(), "models/demo.bin is a Git LFS pointer, not weights")
        .note(
            "131 bytes of text starting with \"version https://git-lfs.github.com/spec/v1\"; this model needs 56 bytes",
        )
        .help("run `git lfs pull`, or skip weight checks with `--weights skip`")
}

/// The body of a layer with this name.
pub(crate) fn body_of(layer: &str) -> BodyRef {
    BodyRef { layer: layer.to_owned(), tag: Span::default(), element: "body" }
}
