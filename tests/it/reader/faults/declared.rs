//! Ports that declare something else than is inferred. OpenVINO takes note of none of it, but for precisions that it
//! cannot spell.

use super::valid_models::NET;
use super::{Fault, accepted, check, rejected};

const FAULTS: &[Fault] = &[
    accepted(
        "output-dim",
        &[(r#"names="mm"><dim>32</dim>"#, r#"names="mm"><dim>33</dim>"#)],
        &["E declared-shape: 33"],
    ),
    accepted(
        "output-dim-of-a-split",
        &[(r#"names="split_1"><dim>1</dim><dim>4</dim>"#, r#"names="split_1"><dim>1</dim><dim>5</dim>"#)],
        &["E declared-shape: 5"],
    ),
    accepted(
        "output-dim-of-a-reshape",
        &[(r#"names="reshape"><dim>1</dim><dim>1792</dim>"#, r#"names="reshape"><dim>1</dim><dim>1793</dim>"#)],
        &["E declared-shape: 1793"],
    ),
    accepted(
        "output-dim-of-a-parameter",
        &[(r#"names="x"><dim>1</dim>"#, r#"names="x"><dim>2</dim>"#)],
        &["E declared-shape: 2"],
    ),
    accepted(
        "output-dim-of-a-constant",
        &[(r#"names="m"><dim>32</dim>"#, r#"names="m"><dim>31</dim>"#)],
        &["E declared-shape: 31"],
    ),
    accepted(
        "output-rank-too-small",
        &[(r#"names="mm"><dim>32</dim>"#, r#"names="mm">"#)],
        &[r#"E declared-shape: <port id="2" precision="FP32" names="mm">"#],
    ),
    accepted(
        "output-rank-too-big",
        &[(r#"names="mm"><dim>32</dim>"#, r#"names="mm"><dim>32</dim><dim>1</dim>"#)],
        &[r#"E declared-shape: <port id="2" precision="FP32" names="mm">"#],
    ),
    accepted(
        "output-without-dims",
        &[(r#"names="mm"><dim>32</dim><dim>1792</dim>"#, r#"names="mm">"#)],
        &[r#"E declared-shape: <port id="2" precision="FP32" names="mm">"#],
    ),
    accepted(
        "output-dynamic",
        &[(r#"names="mm"><dim>32</dim>"#, r#"names="mm"><dim>-1</dim>"#)],
        &["I declared-dynamic: -1"],
    ),
    accepted(
        "output-static-where-the-parameter-is-dynamic",
        &[(r#"shape="1,3,16,18""#, r#"shape="?,3,16,18""#)],
        &["W declared-static: 1"],
    ),
    accepted(
        "output-static-where-the-rank-is-unknown",
        &[(r#"shape="1,3,16,18""#, r#"shape="...""#)],
        &["W dynamic-rank: ...", r#"W declared-static: <port id="0" precision="FP32" names="x">"#],
    ),
    accepted(
        "output-outside-the-interval",
        &[(r#"shape="1,3,16,18""#, r#"shape="2..4,3,16,18""#)],
        &["E declared-shape: 1"],
    ),
    accepted(
        "output-precision",
        &[(r#"precision="FP32" names="mm""#, r#"precision="FP16" names="mm""#)],
        &["E declared-precision: FP16"],
    ),
    accepted(
        "output-precision-of-a-constant",
        &[(r#"precision="FP32" names="m""#, r#"precision="I32" names="m""#)],
        &["E declared-precision: I32"],
    ),
    accepted(
        "output-precision-of-a-parameter",
        &[(r#"precision="FP32" names="x""#, r#"precision="FP16" names="x""#)],
        &["E declared-precision: FP16"],
    ),
    accepted(
        "output-precision-unspecified",
        &[(r#"precision="FP32" names="mm""#, r#"precision="UNSPECIFIED" names="mm""#)],
        &[],
    ),
    accepted(
        "input-dim",
        &[(
            r"<dim>1</dim><dim>1792</dim></port>
			</input>",
            r"<dim>1</dim><dim>1791</dim></port>
			</input>",
        )],
        &["E input-port-mismatch: 1791"],
    ),
    accepted(
        "input-dim-of-a-result",
        &[(
            r"<dim>32</dim><dim>1792</dim></port>
			</input>
		</layer>
	</layers>",
            r"<dim>32</dim><dim>1790</dim></port>
			</input>
		</layer>
	</layers>",
        )],
        &["E input-port-mismatch: 1790"],
    ),
    accepted(
        "input-rank",
        &[(
            r"<dim>1</dim><dim>1792</dim></port>
			</input>",
            r"<dim>1792</dim></port>
			</input>",
        )],
        &[r#"E input-port-mismatch: <port id="1" precision="FP32">"#],
    ),
    accepted(
        "input-precision",
        &[(r#"<port id="1" precision="I64"><dim>2</dim>"#, r#"<port id="1" precision="I32"><dim>2</dim>"#)],
        &["E input-port-mismatch: I32"],
    ),
    accepted(
        "input-precision-garbage",
        &[(r#"<port id="1" precision="I64"><dim>2</dim>"#, r#"<port id="1" precision="banana"><dim>2</dim>"#)],
        &["W unknown-precision: banana"],
    ),
    accepted(
        "input-precision-missing",
        &[(r#"<port id="1" precision="I64"><dim>2</dim>"#, r#"<port id="1"><dim>2</dim>"#)],
        &[],
    ),
    rejected(
        "output-precision-garbage",
        &[(r#"precision="FP32" names="mm""#, r#"precision="banana" names="mm""#)],
        &["E unknown-precision: banana"],
    ),
    rejected(
        "output-precision-missing",
        &[(r#"precision="FP32" names="mm""#, r#"names="mm""#)],
        &[r#"E missing-attribute: <port id="2" names="mm">"#],
    ),
    rejected(
        "output-precision-lower-case",
        &[(r#"precision="FP32" names="mm""#, r#"precision="fp32" names="mm""#)],
        &["E unknown-precision: fp32"],
    ),
    rejected(
        "output-precision-empty",
        &[(r#"precision="FP32" names="mm""#, r#"precision="" names="mm""#)],
        &["E unknown-precision: "],
    ),
    rejected(
        "output-precision-with-a-blank",
        &[(r#"precision="FP32" names="mm""#, r#"precision=" FP32" names="mm""#)],
        &["E unknown-precision:  FP32"],
    ),
    accepted(
        "output-precision-as-attributes-spell-it",
        &[(r#"precision="FP32" names="mm""#, r#"precision="f32" names="mm""#)],
        &[],
    ),
    accepted(
        "output-precision-as-a-reference",
        &[(r#"precision="FP32" names="mm""#, r#"precision="FP3&#50;" names="mm""#)],
        &[],
    ),
];

#[test]
fn declared_ports_are_held_against_inference() {
    check("declared", &NET, FAULTS);
}
