//! Layers: ids, names and what stands in and around them.

use super::valid_models::NET;
use super::{Fault, accepted, check, rejected};

const MM: &str = r#"<layer id="10" name="mm" type="MatMul" version="opset1">"#;

const FAULTS: &[Fault] = &[
    rejected(
        "id-twice",
        &[(r#"<layer id="9" name="m""#, r#"<layer id="8" name="m""#)],
        &["E duplicate-layer-id: <layer id=\"8\" name=\"m\" type=\"Const\" version=\"opset1\">"],
    ),
    rejected(
        "id-twice-of-an-extra-layer",
        &[(
            "<layers>",
            r#"<layers><layer id="10" name="extra" type="Parameter" version="opset1"><data shape="1" element_type="f32"/><output><port id="0" precision="FP32"><dim>1</dim></port></output></layer>"#,
        )],
        &["E duplicate-layer-id: <layer id=\"10\" name=\"mm\" type=\"MatMul\" version=\"opset1\">"],
    ),
    rejected(
        "id-missing",
        &[(MM, r#"<layer name="mm" type="MatMul" version="opset1">"#)],
        &[
            "E missing-attribute: <layer name=\"mm\" type=\"MatMul\" version=\"opset1\">",
            "E edge-unknown-layer: to-layer=\"10",
        ],
    ),
    rejected(
        "id-no-number",
        &[(MM, r#"<layer id="ten" name="mm" type="MatMul" version="opset1">"#)],
        &["E invalid-attribute: ten", "E edge-unknown-layer: to-layer=\"10"],
    ),
    rejected(
        "id-negative",
        &[(MM, r#"<layer id="-5" name="mm" type="MatMul" version="opset1">"#)],
        &["E invalid-attribute: -5", "E edge-unknown-layer: to-layer=\"10"],
    ),
    rejected(
        "id-too-large",
        &[(MM, r#"<layer id="9223372036854775808" name="mm" type="MatMul" version="opset1">"#)],
        &["E invalid-attribute: 9223372036854775808", "E edge-unknown-layer: to-layer=\"10"],
    ),
    rejected(
        "name-missing",
        &[(MM, r#"<layer id="10" type="MatMul" version="opset1">"#)],
        &[r#"E missing-attribute: <layer id="10" type="MatMul" version="opset1">"#],
    ),
    rejected(
        "type-missing",
        &[(MM, r#"<layer id="10" name="mm" version="opset1">"#)],
        &[r#"E missing-attribute: <layer id="10" name="mm" version="opset1">"#],
    ),
    rejected(
        "version-missing",
        &[(MM, r#"<layer id="10" name="mm" type="MatMul">"#)],
        &[r#"E missing-attribute: <layer id="10" name="mm" type="MatMul">"#],
    ),
    accepted("name-empty", &[(MM, r#"<layer id="10" name="" type="MatMul" version="opset1">"#)], &[]),
    accepted(
        "unknown-attribute",
        &[(MM, r#"<layer id="10" name="mm" type="MatMul" version="opset1" colour="red">"#)],
        &[],
    ),
    accepted(
        "output-names-on-another-type",
        &[(MM, r#"<layer id="10" name="mm" type="MatMul" version="opset1" output_names="q">"#)],
        &[],
    ),
    accepted(
        "unknown-child",
        &[(MM, r#"<layer id="10" name="mm" type="MatMul" version="opset1"><Data a="b"/>"#)],
        &[r#"W unknown-element: <Data a="b"/>"#],
    ),
    accepted(
        "blobs",
        &[(
            MM,
            r#"<layer id="10" name="mm" type="MatMul" version="opset1"><blobs><weights offset="0" size="4"/></blobs>"#,
        )],
        &["W unknown-element: <blobs>"],
    ),
    accepted(
        "layer-in-layer",
        &[(
            MM,
            r#"<layer id="10" name="mm" type="MatMul" version="opset1"><layer id="10" name="q" type="ReLU" version="opset1"/>"#,
        )],
        &[r#"W unknown-element: <layer id="10" name="q" type="ReLU" version="opset1"/>"#],
    ),
    accepted(
        "text-in-layer",
        &[(MM, r#"<layer id="10" name="mm" type="MatMul" version="opset1">some text"#)],
        &["W unknown-element: some text"],
    ),
    accepted(
        "second-data",
        &[(
            r#"<data transpose_a="false" transpose_b="false"/>"#,
            r#"<data transpose_a="false" transpose_b="false"/><data transpose_b="true"/>"#,
        )],
        &[r#"W unknown-element: <data transpose_b="true"/>"#],
    ),
    accepted(
        "data-with-children",
        &[(
            r#"<data transpose_a="false" transpose_b="false"/>"#,
            r#"<data transpose_a="false" transpose_b="false"><x/>text</data>"#,
        )],
        &[],
    ),
    accepted(
        "dead-layer-of-unknown-type",
        &[(
            "</layers>",
            r#"<layer id="20" name="a" type="Nonsense" version="opset1"><output><port id="1" precision="FP32"/></output></layer></layers>"#,
        )],
        &[
            r#"W unreachable-layer: <layer id="20" name="a" type="Nonsense" version="opset1">"#,
            "W unknown-op: Nonsense",
        ],
    ),
    accepted(
        "dead-constant-outside",
        &[(
            "</layers>",
            r#"<layer id="20" name="a" type="Const" version="opset1"><data element_type="f32" shape="4" offset="99999" size="16"/><output><port id="1" precision="FP32"><dim>4</dim></port></output></layer></layers>"#,
        )],
        &[r#"W unreachable-layer: <layer id="20" name="a" type="Const" version="opset1">"#],
    ),
    rejected(
        "dead-layer-without-version",
        &[(
            "</layers>",
            r#"<layer id="20" name="a" type="ReLU"><output><port id="1" precision="FP32"/></output></layer></layers>"#,
        )],
        &[
            r#"E missing-attribute: <layer id="20" name="a" type="ReLU">"#,
            r#"W unreachable-layer: <layer id="20" name="a" type="ReLU">"#,
        ],
    ),
    rejected(
        "dead-layer-of-unknown-precision",
        &[(
            "</layers>",
            r#"<layer id="20" name="a" type="Parameter" version="opset1"><data shape="" element_type="f32"/><output><port id="1" precision="XX"/></output></layer></layers>"#,
        )],
        &[
            r#"W unused-parameter: <layer id="20" name="a" type="Parameter" version="opset1">"#,
            "E unknown-precision: XX",
        ],
    ),
    rejected(
        "dead-layer-with-a-bad-dim",
        &[(
            "</layers>",
            r#"<layer id="20" name="a" type="ReLU" version="opset1"><output><port id="1" precision="FP32"><dim>-2</dim></port></output></layer></layers>"#,
        )],
        &[
            r#"W unreachable-layer: <layer id="20" name="a" type="ReLU" version="opset1">"#,
            r#"W wrong-input-count: <layer id="20" name="a" type="ReLU" version="opset1">"#,
            "E invalid-dim: -2",
        ],
    ),
    accepted(
        "no-result",
        &[(r#"name="res" type="Result""#, r#"name="res" type="result""#)],
        &[r#"E no-results: <net name="base" version="11">"#],
    ),
    accepted(
        "result-removed",
        &[
            (
                r#"<layer id="11" name="res" type="Result" version="opset1" output_names="y">
			<input>
				<port id="0" precision="FP32"><dim>32</dim><dim>1792</dim></port>
			</input>
		</layer>"#,
                "",
            ),
            (r#"<edge from-layer="10" from-port="2" to-layer="11" to-port="0"/>"#, ""),
        ],
        &[r#"E no-results: <net name="base" version="11">"#],
    ),
    accepted(
        "layers-empty",
        &[("<layers>", "<layers></layers><layers>")],
        &[r#"E empty-model: <net name="base" version="11">"#, "W unknown-element: <layers>"],
    ),
    accepted(
        "layers-closed",
        &[("<layers>", "<layers/><layers>")],
        &[r#"E empty-model: <net name="base" version="11">"#, "W unknown-element: <layers>"],
    ),
    accepted(
        "layers-upper-case",
        &[("<layers>", "<Layers>"), ("</layers>", "</Layers>")],
        &[r#"E missing-element: <net name="base" version="11">"#, "W unknown-element: <Layers>"],
    ),
    accepted(
        "layers-and-edges-missing",
        &[("<layers>", "<q>"), ("</layers>", "</q>"), ("<edges>", "<q>"), ("</edges>", "</q>")],
        &[r#"E missing-element: <net name="base" version="11">"#, "W unknown-element: <q>", "W unknown-element: <q>"],
    ),
    accepted(
        "second-layers",
        &[("</layers>", r#"</layers><layers><layer id="77" name="a" type="Nonsense" version="opset1"/></layers>"#)],
        &["W unknown-element: <layers>"],
    ),
    accepted(
        "upper-case-layer",
        &[("</layers>", r#"<Layer id="77" name="a" type="ReLU" version="opset1"/></layers>"#)],
        &[r#"W unknown-element: <Layer id="77" name="a" type="ReLU" version="opset1"/>"#],
    ),
    rejected(
        "upper-case-layer-that-is-needed",
        &[
            (MM, r#"<Layer id="10" name="mm" type="MatMul" version="opset1">"#),
            (
                r#"names="mm"><dim>32</dim><dim>1792</dim></port>
			</output>
		</layer>"#,
                r#"names="mm"><dim>32</dim><dim>1792</dim></port>
			</output>
		</Layer>"#,
            ),
        ],
        &[
            "W unknown-element: <Layer id=\"10\" name=\"mm\" type=\"MatMul\" version=\"opset1\">",
            "E edge-unknown-layer: to-layer=\"10",
        ],
    ),
    accepted(
        "edges-before-layers",
        &[(
            "<layers>",
            r#"<edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
		<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
		<edge from-layer="2" from-port="2" to-layer="4" to-port="0"/>
		<edge from-layer="3" from-port="0" to-layer="4" to-port="1"/>
		<edge from-layer="4" from-port="2" to-layer="5" to-port="0"/>
		<edge from-layer="5" from-port="1" to-layer="6" to-port="0"/>
		<edge from-layer="4" from-port="4" to-layer="6" to-port="1"/>
		<edge from-layer="6" from-port="2" to-layer="8" to-port="0"/>
		<edge from-layer="7" from-port="0" to-layer="8" to-port="1"/>
		<edge from-layer="9" from-port="0" to-layer="10" to-port="0"/>
		<edge from-layer="8" from-port="2" to-layer="10" to-port="1"/>
		<edge from-layer="10" from-port="2" to-layer="11" to-port="0"/></edges><layers>"#,
        )],
        &["W unknown-element: <edges>"],
    ),
    accepted(
        "unused-parameter",
        &[(
            "</layers>",
            r#"<layer id="20" name="a" type="Parameter" version="opset1"><data shape="" element_type="f32"/><output><port id="1" precision="FP32"/></output></layer></layers>"#,
        )],
        &[r#"W unused-parameter: <layer id="20" name="a" type="Parameter" version="opset1">"#],
    ),
    accepted(
        "dead-layer",
        &[
            (
                "</layers>",
                r#"<layer id="20" name="a" type="ReLU" version="opset1"><input><port id="0"><dim>32</dim><dim>1</dim></port></input><output><port id="1" precision="FP32"><dim>32</dim><dim>1</dim></port></output></layer></layers>"#,
            ),
            ("<edges>", r#"<edges><edge from-layer="9" from-port="0" to-layer="20" to-port="0"/>"#),
        ],
        &[r#"W unreachable-layer: <layer id="20" name="a" type="ReLU" version="opset1">"#],
    ),
    accepted(
        "dead-layer-that-is-wrong",
        &[
            (
                "</layers>",
                r#"<layer id="20" name="a" type="Concat" version="opset1"><data axis="7"/><input><port id="0"><dim>32</dim><dim>1</dim></port></input><output><port id="1" precision="FP32"><dim>32</dim><dim>1</dim></port></output></layer></layers>"#,
            ),
            ("<edges>", r#"<edges><edge from-layer="9" from-port="0" to-layer="20" to-port="0"/>"#),
        ],
        &[
            r#"W unreachable-layer: <layer id="20" name="a" type="Concat" version="opset1">"#,
            r#"W axis-range: axis="7""#,
        ],
    ),
    accepted(
        "ids-with-gaps",
        &[
            (MM, r#"<layer id="4000000000" name="mm" type="MatMul" version="opset1">"#),
            (
                r#"<edge from-layer="9" from-port="0" to-layer="10" to-port="0"/>"#,
                r#"<edge from-layer="9" from-port="0" to-layer="4000000000" to-port="0"/>"#,
            ),
            (
                r#"<edge from-layer="8" from-port="2" to-layer="10" to-port="1"/>"#,
                r#"<edge from-layer="8" from-port="2" to-layer="4000000000" to-port="1"/>"#,
            ),
            (
                r#"<edge from-layer="10" from-port="2" to-layer="11" to-port="0"/>"#,
                r#"<edge from-layer="4000000000" from-port="2" to-layer="11" to-port="0"/>"#,
            ),
        ],
        &[],
    ),
];

#[test]
fn layers_have_ids_and_names() {
    check("layers", &NET, FAULTS);
}
