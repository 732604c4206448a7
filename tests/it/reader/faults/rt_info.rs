//! Notes in `<rt_info>`: which of them OpenVINO refuses.

use super::valid_models::NET;
use super::{Fault, accepted, check, read, rejected};
use crate::reader::faults::findings;
use ovlint::internal::Model;
use ovlint::internal::policy::{Profile, Selection};
use ovlint::internal::{Options, Weights};

const RELU: &str = r#"name="relu" type="ReLU" version="opset1">"#;
const PORT: &str = r#"names="mm"><dim>32</dim><dim>1792</dim></port>"#;

const FAULTS: &[Fault] = &[
    rejected(
        "layout-of-commas-only",
        &[(
            RELU,
            r#"name="relu" type="ReLU" version="opset1"><rt_info><attribute name="layout" version="0" layout="N,C"/></rt_info>"#,
        )],
        &["E bad-rt-info: N,C"],
    ),
    rejected(
        "layout-with-a-reference",
        &[(
            RELU,
            r#"name="relu" type="ReLU" version="opset1"><rt_info><attribute name="layout" version="0" layout="&#91;N"/></rt_info>"#,
        )],
        &["E bad-rt-info: &#91;N"],
    ),
    rejected(
        "layout-of-a-port",
        &[(
            PORT,
            r#"names="mm"><dim>32</dim><dim>1792</dim><rt_info><attribute name="layout" version="0" layout="[N,N]"/></rt_info></port>"#,
        )],
        &["E bad-rt-info: [N,N]"],
    ),
    accepted(
        "layout-of-another-rank",
        &[(
            RELU,
            r#"name="relu" type="ReLU" version="opset1"><rt_info><attribute name="layout" version="0" layout="[N]"/></rt_info>"#,
        )],
        &[],
    ),
    rejected(
        "order-of-words",
        &[(
            RELU,
            r#"name="relu" type="ReLU" version="opset1"><rt_info><attribute name="old_api_map_order" version="0" value="0,x"/></rt_info>"#,
        )],
        &["E bad-rt-info: 0,x"],
    ),
    rejected(
        "type-as-ports-write-it",
        &[(
            RELU,
            r#"name="relu" type="ReLU" version="opset1"><rt_info><attribute name="old_api_map_element_type" version="0" value="FP32"/></rt_info>"#,
        )],
        &["E bad-rt-info: FP32"],
    ),
    rejected(
        "name-missing",
        &[(
            RELU,
            r#"name="relu" type="ReLU" version="opset1"><rt_info><attribute name="fused_names" version="0" value="a, ,b"/></rt_info>"#,
        )],
        &["E bad-rt-info: a, ,b"],
    ),
    rejected(
        "refused-in-a-file",
        &[(
            RELU,
            r#"name="relu" type="ReLU" version="opset1"><rt_info><attribute name="strides_propagation" version="0"/></rt_info>"#,
        )],
        &[r#"E bad-rt-info: <attribute name="strides_propagation" version="0"/>"#],
    ),
    rejected(
        "note-twice",
        &[(
            RELU,
            r#"name="relu" type="ReLU" version="opset1"><rt_info><attribute name="fused_names" version="0" value="a"/><attribute name="decompression" version="0"/><attribute name="fused_names" version="0" value="b"/></rt_info>"#,
        )],
        &[r#"E bad-rt-info: <attribute name="fused_names" version="0" value="b"/>"#],
    ),
    rejected(
        "note-of-an-input-port-twice",
        &[(
            "<port id=\"1\" precision=\"FP32\"><dim>1</dim><dim>1792</dim></port>",
            r#"<port id="1" precision="FP32"><dim>1</dim><dim>1792</dim><rt_info><attribute name="precise" version="0"/><attribute name="precise" version="0"/></rt_info></port>"#,
        )],
        &[r#"E bad-rt-info: <attribute name="precise" version="0"/>"#],
    ),
    accepted(
        "notes-of-layer-and-port-alike",
        &[
            (
                RELU,
                r#"name="relu" type="ReLU" version="opset1"><rt_info><attribute name="precise" version="0"/></rt_info>"#,
            ),
            (
                PORT,
                r#"names="mm"><dim>32</dim><dim>1792</dim><rt_info><attribute name="precise" version="0"/></rt_info></port>"#,
            ),
        ],
        &[],
    ),
    accepted(
        "second-rt-info",
        &[(
            RELU,
            r#"name="relu" type="ReLU" version="opset1"><rt_info/><rt_info><attribute name="layout" version="0" layout="["/></rt_info>"#,
        )],
        &[],
    ),
    accepted(
        "unknown-note-twice",
        &[(
            RELU,
            r#"name="relu" type="ReLU" version="opset1"><rt_info><attribute name="mine" version="0"/><attribute name="mine" version="0"/></rt_info>"#,
        )],
        &[],
    ),
    accepted(
        "version-missing",
        &[(
            RELU,
            r#"name="relu" type="ReLU" version="opset1"><rt_info><attribute name="layout" layout="["/></rt_info>"#,
        )],
        &[],
    ),
    accepted(
        "layer-that-is-never-built",
        &[
            (
                "<layers>",
                r#"<layers><layer id="20" name="dead" type="Parameter" version="opset1"><data shape="1" element_type="f32"/><output><port id="0" precision="FP32"><dim>1</dim></port></output></layer><layer id="21" name="deader" type="ReLU" version="opset1"><rt_info><attribute name="layout" version="0" layout="["/></rt_info><input><port id="0" precision="FP32"><dim>1</dim></port></input><output><port id="1" precision="FP32"><dim>1</dim></port></output></layer>"#,
            ),
            ("<edges>", r#"<edges><edge from-layer="20" from-port="0" to-layer="21" to-port="0"/>"#),
        ],
        &[r#"W unreachable-layer: <layer id="21" name="deader" type="ReLU" version="opset1">"#, "W bad-rt-info: ["],
    ),
    accepted(
        "bytes-outside-the-weights",
        &[(
            r#"offset="1296" size="128"/>"#,
            r#"offset="1296" size="128"/><rt_info><attribute name="WeightlessCacheAttribute" version="0" type="f32" offset="1449" size="128"/></rt_info>"#,
        )],
        &["W weightless-cache-range: 1449"],
    ),
    accepted(
        "bytes-inside-the-weights",
        &[(
            r#"offset="1296" size="128"/>"#,
            r#"offset="1296" size="128"/><rt_info><attribute name="WeightlessCacheAttribute" version="0" type="f32" offset="1296" size="128"/></rt_info>"#,
        )],
        &[],
    ),
];

#[test]
fn notes_that_openvino_refuses_are_errors() {
    check("rt_info", &NET, FAULTS);
}

#[test]
fn version_10_has_no_notes() {
    let text = NET.xml.replace(r#"version="11""#, r#"version="10""#);
    let note = r#"name="relu" type="ReLU" version="opset1"><rt_info><attribute name="layout" version="0" layout="["/></rt_info>"#;
    assert_eq!(findings(&read(text.replace(RELU, note), &NET.weights())), Vec::<String>::new());
}

#[test]
fn the_pedantic_profile_names_notes_without_effect() {
    let selection = Selection { profile: Profile::Pedantic, ..Selection::default() };
    let options = selection.options(Options::default());
    for (note, message) in [
        (
            r#"<attribute name="decompression"/>"#,
            "`decompression` has no version but needs version 0, so OpenVINO ignores it",
        ),
        (
            r#"<attribute name="precise" version="1"/>"#,
            "`precise` has version `1` but needs version 0, so OpenVINO ignores it",
        ),
    ] {
        let text = NET.xml.replace(RELU, &format!("{RELU}<rt_info>{note}</rt_info>"));
        let model = Model::from_bytes("m.xml", text.into(), Weights::in_memory(NET.weights()), &options).unwrap();
        let said: Vec<_> = model.findings().iter().filter(|finding| finding.rule.name == "ignored-rt-info").collect();
        assert_eq!(said.iter().map(|finding| finding.message.shown()).collect::<Vec<_>>(), [message]);
        assert_eq!(model.source().text(said[0].primary.span), note);
    }
}
