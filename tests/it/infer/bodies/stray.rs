//! Bodies, and what wires them, in layers whose operation has none of that name. OpenVINO ignores them.

use crate::ir_builder::Ir;
use ovlint::internal::ops::{Meaning, WithBodies, meaning, operations};
use ovlint::internal::{Model, Options, Weights};

/// Elements, and the operations that have them.
const ELEMENTS: [(&str, &[WithBodies]); 7] = [
    ("body", &[WithBodies::Loop, WithBodies::TensorIterator]),
    ("port_map", &[WithBodies::Loop, WithBodies::TensorIterator]),
    ("back_edges", &[WithBodies::Loop, WithBodies::TensorIterator]),
    ("then_body", &[WithBodies::If]),
    ("else_body", &[WithBodies::If]),
    ("then_port_map", &[WithBodies::If]),
    ("else_port_map", &[WithBodies::If]),
];

/// Contents that would be at fault in a layer that has the element.
const CONTENTS: [&str; 3] = [
    "",
    r#"<layers><layer id="0" name="x" type="Nonsense" version="opset1"/></layers><edges/>"#,
    r#"<input external_port_id="77" internal_layer_id="88"/><edge from-layer="5" to-layer="six"/>"#,
];

/// The findings but for `unknown-element`, the facts of the model, and the text under each `unknown-element`.
fn outcome(xml: &str) -> (Vec<String>, String, Vec<String>) {
    let options = Options::default();
    let model = Model::from_bytes("m.xml", xml.as_bytes().to_vec(), Weights::in_memory(vec![0; 8]), &options).unwrap();
    let (unknown, rest): (Vec<_>, Vec<_>) =
        model.findings().iter().partition(|finding| finding.rule.name == "unknown-element");
    let rest = rest.iter().map(|finding| {
        let marked = model.source().text(finding.primary.span);
        format!("{} {}: {marked}", finding.rule.name, finding.message.shown())
    });
    let facts = model.facts().map(|facts| {
        let graph = &model.net().unwrap().graph;
        let all = graph.layers.iter().flat_map(|layer| graph.inputs(layer)).map(|port| facts.of_port(port));
        all.map(|fact| format!("{fact:?}")).collect::<Vec<_>>().join("\n")
    });
    let unknown = unknown.iter().map(|finding| model.source().text(finding.primary.span).into_owned());
    (rest.collect(), facts.unwrap_or_default(), unknown.collect())
}

#[test]
fn elements_that_an_operation_does_not_have_change_nothing() {
    for spec in operations() {
        let version = format!("opset{}", spec.opset);
        let Meaning::Modelled(of_type) = meaning(spec.name, &version) else { panic!("{} {version}", spec.name) };
        let data = match spec.name {
            "Const" => r#"<data element_type="f32" shape="2" offset="0" size="8"/>"#,
            "Parameter" => r#"<data element_type="f32" shape="2,3"/>"#,
            _ => "<data/>",
        };
        let mut ir = Ir::default();
        let input = ir.parameter("f32", "2,3");
        let output = ir.layer(spec.name, &version, data, &[input, input], 1);
        ir.layer("Result", "opset1", "", &[output], 0);
        let (xml, _) = ir.finish();
        let xml = String::from_utf8(xml).unwrap();
        let plain = outcome(&xml);
        for (element, owners) in ELEMENTS {
            if of_type.with_bodies().is_some_and(|own| owners.contains(&own)) {
                continue;
            }
            for content in CONTENTS {
                let stray = format!("<{element}>{content}</{element}>");
                let place = xml.find(r#"<layer id="1""#).unwrap();
                let end = place + xml[place..].find("</layer>").unwrap();
                let (findings, facts, unknown) = outcome(&format!("{}{stray}{}", &xml[..end], &xml[end..]));
                let about = format!("{} {version} with {stray}", spec.name);
                assert_eq!((&findings, &facts), (&plain.0, &plain.1), "{about}");
                assert_eq!(unknown, [format!("<{element}>")], "{about}");
            }
        }
    }
}

#[test]
fn a_stray_body_confirms_no_declared_shape() {
    let relu = |stray: &str| {
        let mut ir = Ir::default();
        let input = ir.parameter("f32", "2,3");
        let output = ir.layer("Relu", "opset1", stray, &[input], 1);
        let weights = ir.parameter("f32", "9,4");
        let product = ir.layer("MatMul", "opset1", "", &[output, weights], 1);
        ir.layer("Result", "opset1", "", &[product], 0);
        outcome(&String::from_utf8(ir.finish().0).unwrap()).0
    };
    assert!(relu("").iter().any(|one| one.starts_with("shape-conflict ")), "{:?}", relu(""));
    assert_eq!(relu("<then_body><layers/><edges/></then_body>"), relu(""));
}
