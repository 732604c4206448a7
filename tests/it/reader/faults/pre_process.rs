//! `<pre-process>`: every variant was shown to OpenVINO 2026.4.1.

use super::valid_models::NET;
use super::{findings, read};
use ovlint::internal::{Model, Options, Weights};

/// The findings about an input of a type and a shape, with a `<pre-process>`, and 64 bytes of weights.
fn said(ty: &str, shape: &str, pre_process: &str) -> Vec<String> {
    said_beside(64, ty, shape, pre_process)
}

/// As [`said`], with so many bytes of weights.
fn said_beside(bytes: usize, ty: &str, shape: &str, pre_process: &str) -> Vec<String> {
    let precision = if ty == "boolean" { "BOOL".to_owned() } else { ty.replace('f', "FP").to_uppercase() };
    let dims = shape.split(',').filter(|dim| !dim.is_empty()).map(|dim| format!("<dim>{dim}</dim>"));
    let dims = dims.collect::<Vec<_>>().concat();
    let port = format!(r#"<port id="0" precision="{precision}">{dims}</port>"#);
    let text = format!(
        r#"<net name="m" version="11"><layers>
        <layer id="0" name="x" type="Parameter" version="opset1"><data shape="{shape}" element_type="{ty}"/><output>{port}</output></layer>
        <layer id="1" name="y" type="Result" version="opset1"><input>{port}</input></layer>
        </layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges>{pre_process}</net>"#
    );
    let weights = Weights::in_memory(vec![0; bytes]);
    findings(&Model::from_bytes("m.xml", text.into(), weights, &Options::default()).unwrap())
}

/// A `<pre-process>` with a mean for each channel.
fn means(means: &[&str]) -> String {
    let channel = |(id, mean): (usize, &&str)| format!(r#"<channel id="{id}"><mean {mean}/></channel>"#);
    let channels: Vec<String> = means.iter().enumerate().map(channel).collect();
    format!(r#"<pre-process reference-layer-name="x">{}</pre-process>"#, channels.concat())
}

const NUMBER: &str = r#"value="1.5""#;
const IMAGE: &str = r#"offset="0" size="4""#;
const BIG: &str = r#"offset="0" size="16""#;
const NONE: [&str; 0] = [];

#[test]
fn means_that_fit_are_fine() {
    for (ty, shape, mean) in [
        ("f32", "1,4", NUMBER),
        ("f32", "1,4", IMAGE),
        ("f32", "1,4", r#"offset="60" size="4""#),
        ("f16", "1,4", r#"offset="0" size="2""#),
        ("f32", "4,2,2", NUMBER),
        ("f32", "4,2,2", BIG),
        ("f32", "1,4,2,2", BIG),
        ("f32", "1,4,2,2,1", BIG),
        ("f32", "1,4", r#"value="2" size="5""#),
        ("f32", "1,4", r#"value=" +1e50""#),
    ] {
        assert_eq!(said(ty, shape, &means(&[mean; 4])), NONE, "{ty}[{shape}] {mean}");
    }
    for other in [
        "<pre-process/>",
        r#"<pre-process mean-precision="banana"><channel/><channel/></pre-process>"#,
        r#"<pre-process reference-layer-name=" x "><channel id="9"/></pre-process>"#,
    ] {
        assert_eq!(said("f32", "1,4", other), NONE, "{other}");
    }
}

#[test]
fn an_empty_file_has_no_image_not_even_an_empty_one() {
    let empty = means(&[r#"offset="0" size="0""#; 4]);
    let is_told =
        |bytes| said_beside(bytes, "f32", "4,0,2", &empty).iter().any(|one| one.starts_with("E bad-pre-process"));
    assert_eq!([is_told(0), is_told(64)], [true, false]);
}

#[test]
fn means_that_openvino_rejects_are_errors() {
    let rejected = |ty: &str, shape: &str, pre_process: &str, finding: &str| {
        assert_eq!(said(ty, shape, pre_process), [finding], "{ty}[{shape}] {pre_process}");
    };
    let tag = r#"E bad-pre-process: <pre-process reference-layer-name="x">"#;
    rejected("f32", "1,4", &means(&[NUMBER; 3]), tag);
    rejected("f32", "1,4", &means(&[IMAGE; 3]), tag);
    rejected("boolean", "1,4", &means(&[NUMBER; 4]), tag);
    rejected("f32", "1,4", &means(&[NUMBER; 5]), r#"E bad-pre-process: <channel id="4">"#);
    rejected("f32", "1,4", &means(&[NUMBER, NUMBER, NUMBER, IMAGE]), r#"E bad-pre-process: <channel id="3">"#);
    rejected(
        "f32",
        "1,4",
        &means(&[NUMBER, NUMBER, NUMBER, r#"offset="4""#]),
        r#"E bad-pre-process: <mean offset="4"/>"#,
    );
    rejected("f32", "1,4", &means(&[r#"offset="0" size="8""#; 4]), "E bad-pre-process: 8");
    rejected("i4", "4,1,2", &means(&[r#"offset="0" size="1""#; 4]), "E bad-pre-process: 1");
    let two = r#"offset="0" size="2""#;
    rejected("i4", "4,1,2", &means(&[two; 4]), &format!("E bad-pre-process: <mean {two}/>"));
    rejected("f32", "1,4", &means(&[r#"offset="61" size="4""#; 4]), "E bad-pre-process: 61");
    let far = r#"offset="9223372036854775807" size="4""#;
    rejected("f32", "1,4", &means(&[far; 4]), "E bad-pre-process: 9223372036854775807");
    rejected("f32", "1,4", &means(&[NUMBER, NUMBER, NUMBER, r#"value="1,5""#]), "E invalid-attribute: 1,5");
    let overflow = r#"offset="18446744073709551612" size="4""#;
    rejected("f32", "1,4", &means(&[IMAGE, IMAGE, IMAGE, overflow]), "E invalid-attribute: 18446744073709551612");
    for shape in ["-1,4", "4", "", "1,4,1,1,1,1"] {
        rejected("f32", shape, &means(&[]), "E bad-pre-process: x");
    }
    let other = r#"<pre-process reference-layer-name="z"/>"#;
    rejected("f32", "1,4", other, "E bad-pre-process: z");
}

#[test]
fn what_openvino_ignores_is_a_warning() {
    let twice =
        means(&[NUMBER; 3]).replace("</pre-process>", r#"<channel id="2"><mean value="2"/></channel></pre-process>"#);
    assert_eq!(said("f32", "1,4", &twice), [r#"W bad-pre-process: <channel id="2">"#]);
    let sizes = means(&[r#"size="4""#; 4]);
    assert_eq!(said("f32", "1,4", &sizes), [r#"W bad-pre-process: <mean size="4"/>"#]);
    let scale = r#"<pre-process><channel><scale value="2"/></channel></pre-process>"#;
    assert_eq!(said("f32", "1,4", scale), [r#"W unknown-element: <scale value="2"/>"#]);
}

#[test]
fn images_are_a_use_of_the_weights() {
    let channel = r#"<channel><mean offset="1448" size="1152"/></channel>"#;
    let text = NET.xml.replace("<edges>", &format!("<pre-process>{}</pre-process><edges>", channel.repeat(3)));
    let weights = [NET.weights(), vec![0; 1152]].concat();
    assert_eq!(findings(&read(text, &weights)), NONE);
    assert_eq!(findings(&read(NET.xml, &weights)), ["W weights-trailing-bytes: "]);
}
