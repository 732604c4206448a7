//! Lists of ports: what is there, in which order and under which ids.

use super::valid_models::NET;
use super::{Fault, accepted, check, proposals, rejected};
use crate::ir_builder::Ir;

/// An id of the output port of `MatMul` that is not a number.
macro_rules! no_number {
    ($name:literal, $id:literal) => {
        rejected(
            $name,
            &[(
                r#"<port id="2" precision="FP32" names="mm""#,
                concat!("<port id=\"", $id, "\" precision=\"FP32\" names=\"mm\""),
            )],
            &[concat!("E invalid-attribute: ", $id), "E edge-unknown-port: from-port=\"2"],
        )
    };
}

const FAULTS: &[Fault] = &[
    accepted(
        "id-with-a-blank-before",
        &[(r#"<port id="2" precision="FP32" names="mm""#, r#"<port id=" 2" precision="FP32" names="mm""#)],
        &[],
    ),
    accepted(
        "id-with-a-plus",
        &[(r#"<port id="2" precision="FP32" names="mm""#, r#"<port id="+2" precision="FP32" names="mm""#)],
        &[],
    ),
    accepted(
        "id-with-zeros",
        &[(r#"<port id="2" precision="FP32" names="mm""#, r#"<port id="002" precision="FP32" names="mm""#)],
        &[],
    ),
    accepted(
        "id-as-a-reference",
        &[(r#"<port id="2" precision="FP32" names="mm""#, r#"<port id="&#50;" precision="FP32" names="mm""#)],
        &[],
    ),
    accepted(
        "id-largest",
        &[
            (
                r#"<port id="2" precision="FP32" names="mm""#,
                r#"<port id="9223372036854775807" precision="FP32" names="mm""#,
            ),
            (r#"from-layer="10" from-port="2""#, r#"from-layer="10" from-port="9223372036854775807""#),
        ],
        &[],
    ),
    accepted(
        "unknown-attribute",
        &[(r#"<port id="2" precision="FP32" names="mm""#, r#"<port id="2" precision="FP32" names="mm" colour="red""#)],
        &[],
    ),
    accepted(
        "second-output-element",
        &[(
            r#"names="mm"><dim>32</dim><dim>1792</dim></port>
			</output>"#,
            r#"names="mm"><dim>32</dim><dim>1792</dim></port>
			</output>
			<output><port id="9" precision="FP32"/></output>"#,
        )],
        &["W unknown-element: <output>"],
    ),
    rejected(
        "second-input-element-holds-the-port",
        &[(
            r#"<port id="0" precision="FP32"><dim>32</dim><dim>1</dim></port>"#,
            r#"<port id="0" precision="FP32"><dim>32</dim><dim>1</dim></port></input><input>"#,
        )],
        &["W unknown-element: <input>", r#"E edge-unknown-port: to-port="1"#],
    ),
    accepted(
        "result-with-output",
        &[(
            r#"output_names="y">"#,
            r#"output_names="y"><output><port id="1" precision="FP32"><dim>32</dim><dim>1792</dim></port></output>"#,
        )],
        &[r#"W result-has-output: <port id="1" precision="FP32">"#],
    ),
    rejected(
        "result-with-two-outputs",
        &[(
            r#"output_names="y">"#,
            r#"output_names="y"><output><port id="1" precision="FP32"/><port id="2" precision="FP32"/></output>"#,
        )],
        &[
            r#"W result-has-output: <port id="1" precision="FP32"/>"#,
            r#"E wrong-output-count: <port id="2" precision="FP32"/>"#,
        ],
    ),
    accepted(
        "unused-output-missing",
        &[(
            r#"<port id="3" precision="FP32" names="split_1"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>"#,
            "",
        )],
        &[r#"E wrong-output-count: <layer id="4" name="split" type="Split" version="opset1">"#],
    ),
    rejected(
        "used-output-missing",
        &[(
            r#"<port id="4" precision="FP32" names="split_2"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>"#,
            "",
        )],
        &["E edge-unknown-port: from-port=\"4"],
    ),
    rejected(
        "no-output-element",
        &[(
            r#"<output>
				<port id="2" precision="FP32" names="mm"><dim>32</dim><dim>1792</dim></port>
			</output>"#,
            "",
        )],
        &["E edge-unknown-port: from-port=\"2"],
    ),
    rejected(
        "upper-case-port",
        &[(
            r#"<port id="2" precision="FP32" names="mm"><dim>32</dim><dim>1792</dim></port>"#,
            r#"<Port id="2" precision="FP32" names="mm"><dim>32</dim><dim>1792</dim></Port>"#,
        )],
        &["W unknown-element: <Port id=\"2\" precision=\"FP32\" names=\"mm\">", "E edge-unknown-port: from-port=\"2"],
    ),
    rejected(
        "output-beyond-the-operation",
        &[(
            r#"names="mm"><dim>32</dim><dim>1792</dim></port>"#,
            r#"names="mm"><dim>32</dim><dim>1792</dim></port><port id="3" precision="FP32"/>"#,
        )],
        &[r#"E wrong-output-count: <port id="3" precision="FP32"/>"#],
    ),
    rejected(
        "output-beyond-a-split",
        &[(
            r#"names="split_2"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>"#,
            r#"names="split_2"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port><port id="5" precision="FP32"/>"#,
        )],
        &[r#"E wrong-output-count: num_splits="3""#],
    ),
    rejected(
        "input-of-a-constant",
        &[(
            r#"<data element_type="f32" shape="32, 1" offset="1296" size="128"/>"#,
            r#"<data element_type="f32" shape="32, 1" offset="1296" size="128"/><input><port id="5"/></input>"#,
        )],
        &[r#"E wrong-input-count: <layer id="9" name="m" type="Const" version="opset1">"#],
    ),
    rejected(
        "input-of-a-constant-with-edge",
        &[
            (
                r#"<data element_type="f32" shape="32, 1" offset="1296" size="128"/>"#,
                r#"<data element_type="f32" shape="32, 1" offset="1296" size="128"/><input><port id="5"/></input>"#,
            ),
            ("<edges>", r#"<edges><edge from-layer="0" from-port="0" to-layer="9" to-port="5"/>"#),
        ],
        &[r#"E wrong-input-count: <layer id="9" name="m" type="Const" version="opset1">"#],
    ),
    accepted(
        "input-element-of-a-constant-without-ports",
        &[(
            r#"<data element_type="f32" shape="32, 1" offset="1296" size="128"/>"#,
            r#"<data element_type="f32" shape="32, 1" offset="1296" size="128"/><input/>"#,
        )],
        &[],
    ),
    rejected(
        "input-beyond-the-operation",
        &[(
            r#"<port id="1" precision="FP32"><dim>1</dim><dim>1792</dim></port>"#,
            r#"<port id="1" precision="FP32"><dim>1</dim><dim>1792</dim></port><port id="7" precision="FP32"/>"#,
        )],
        &[r#"E wrong-input-count: <layer id="10" name="mm" type="MatMul" version="opset1">"#],
    ),
    rejected(
        "input-beyond-the-operation-with-edge",
        &[
            (
                r#"<port id="1" precision="FP32"><dim>1</dim><dim>1792</dim></port>"#,
                r#"<port id="1" precision="FP32"><dim>1</dim><dim>1792</dim></port><port id="7" precision="FP32"/>"#,
            ),
            ("<edges>", r#"<edges><edge from-layer="9" from-port="0" to-layer="10" to-port="7"/>"#),
        ],
        &[r#"E wrong-input-count: <layer id="10" name="mm" type="MatMul" version="opset1">"#],
    ),
    rejected(
        "connected-input-missing",
        &[(r#"<port id="1" precision="FP32"><dim>1</dim><dim>1792</dim></port>"#, "")],
        &[r#"E edge-unknown-port: to-port="1"#],
    ),
    rejected(
        "no-input-element",
        &[(
            r#"<input>
				<port id="0" precision="FP32"><dim>32</dim><dim>1792</dim></port>
			</input>"#,
            "",
        )],
        &[r#"E edge-unknown-port: to-port="0"#],
    ),
    accepted(
        "output-id-twice",
        &[(r#"<port id="3" precision="FP32" names="split_1">"#, r#"<port id="2" precision="FP32" names="split_1">"#)],
        &[r#"E duplicate-port-id: <port id="2" precision="FP32" names="split_1">"#],
    ),
    rejected(
        "output-id-twice-and-used",
        &[(r#"<port id="4" precision="FP32" names="split_2">"#, r#"<port id="3" precision="FP32" names="split_2">"#)],
        &["E duplicate-port-id: <port id=\"3\" precision=\"FP32\" names=\"split_2\">"],
    ),
    rejected(
        "input-id-twice",
        &[(
            r#"<port id="1" precision="FP32"><dim>1</dim><dim>1792</dim></port>"#,
            r#"<port id="0" precision="FP32"><dim>1</dim><dim>1792</dim></port>"#,
        )],
        &["E duplicate-port-id: <port id=\"0\" precision=\"FP32\">"],
    ),
    accepted(
        "outputs-in-reverse",
        &[
            (r#"<port id="2" precision="FP32" names="split_0">"#, r#"<port id="4" precision="FP32" names="split_2">"#),
            (
                r#"<port id="4" precision="FP32" names="split_2"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>
			</output>"#,
                r#"<port id="2" precision="FP32" names="split_0"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>
			</output>"#,
            ),
        ],
        &[r#"W port-order: <port id="3" precision="FP32" names="split_1">"#],
    ),
    rejected(
        "inputs-in-reverse",
        &[
            (
                r#"<port id="0" precision="FP32"><dim>32</dim><dim>1</dim></port>"#,
                r#"<port id="1" precision="FP32"><dim>32</dim><dim>1</dim></port>"#,
            ),
            (
                r#"<port id="1" precision="FP32"><dim>1</dim><dim>1792</dim></port>"#,
                r#"<port id="0" precision="FP32"><dim>1</dim><dim>1792</dim></port>"#,
            ),
        ],
        &["E input-port-mismatch: 32", r#"W port-order: <port id="0" precision="FP32">"#],
    ),
    rejected(
        "id-missing",
        &[(r#"<port id="2" precision="FP32" names="mm""#, r#"<port precision="FP32" names="mm""#)],
        &["E missing-attribute: <port precision=\"FP32\" names=\"mm\">", "E edge-unknown-port: from-port=\"2"],
    ),
    no_number!("id-no-number", "two"),
    no_number!("id-empty", ""),
    no_number!("id-negative", "-2"),
    no_number!("id-with-a-blank-behind", "2 "),
    no_number!("id-with-a-fraction", "2.0"),
    no_number!("id-too-large", "9223372036854775808"),
    no_number!("id-of-twenty-digits", "99999999999999999999"),
    rejected(
        "id-of-an-input-no-number",
        &[(
            r#"<port id="0" precision="FP32"><dim>32</dim><dim>1</dim>"#,
            r#"<port id="zero" precision="FP32"><dim>32</dim><dim>1</dim>"#,
        )],
        &["E invalid-attribute: zero", "E edge-unknown-port: to-port=\"0"],
    ),
];

#[test]
fn ports_are_positions_with_labels() {
    check("ports", &NET, FAULTS);
}

#[test]
fn outputs_of_another_revision_are_not_deleted() {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "1,3,8,8");
    let attributes = "<data kernel=\"2,2\" strides=\"2,2\" pads_begin=\"0,0\" pads_end=\"0,0\"/>";
    let pool = ir.layer("MaxPool", "opset1", attributes, &[data], 2);
    ir.result(pool);
    let (xml, weights) = ir.finish();
    let found = proposals("wrong-output-count", &xml, &weights);
    assert_eq!(found, ["MaxPool of opset8 has 2 outputs: is the version right?"]);
}
