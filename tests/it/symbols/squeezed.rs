//! Squeezed dimensions: OpenVINO keeps those that are not 1, so that what follows has another rank. `inputs` says that they are
//! expected to be 1.

use crate::graph_notation::graph;
use crate::ir_builder::Ir;
use crate::program::{code, ovlint, utf8};
use std::fs;

/// Exit code and stdout of `inputs` for a model whose input `?,3,?` is squeezed at `axes`.
fn inputs(axes: &[f64], then: Option<&str>, flags: &str) -> (i32, String) {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "?,3,?");
    let axes = ir.constant("i64", &[axes.len()], axes);
    let mut squeezed = ir.layer("Squeeze", "opset1", "", &[data, axes], 1);
    if let Some(order) = then {
        let order: Vec<f64> = order.split(',').map(|axis| axis.parse().unwrap()).collect();
        let order = ir.constant("i64", &[order.len()], &order);
        squeezed = ir.layer("Transpose", "opset1", "", &[squeezed, order], 1);
    }
    ir.result(squeezed);
    let (folder, (xml, bin)) = (tempfile::tempdir().unwrap(), ir.finish());
    fs::write(folder.path().join("m.xml"), xml).unwrap();
    fs::write(folder.path().join("m.bin"), bin).unwrap();
    let out = ovlint(folder.path(), ["inputs", "m.xml"].into_iter().chain(flags.split_whitespace()));
    (code(&out), utf8(&out.stdout))
}

#[test]
fn squeezed_dimensions_are_expected_to_be_1() {
    let (_, page) = inputs(&[0.0], Some("1,0"), "");
    assert!(page.contains("constraints\n  batch == 1  `Squeeze_2` (Squeeze, line 5)\n"), "{page}");
    assert!(page.contains("f32[size, 3]") && page.ends_with("all sizes that satisfy these constraints\n"), "{page}");
    // It is no demand of the layer: with another length, what follows decides.
    let (_, json) = inputs(&[0.0], Some("1,0"), "--format json");
    assert!(json.contains("\"expr\":\"batch == 1\",\"strength\":\"expected\""), "{json}");
    assert!(json.contains("\"complete\":true,\"open\":[]"), "as on the screen: {json}");
    for (then, wanted) in [(None, 0), (Some("1,0"), 1)] {
        assert_eq!(inputs(&[0.0], then, "--shape Parameter_0[1,3,5]").0, 0);
        assert_eq!(inputs(&[0.0], then, "--shape Parameter_0[2,3,5]").0, wanted);
    }
    let (_, page) = inputs(&[0.0, -1.0], None, "");
    assert!(page.contains("  batch == 1  ") && page.contains("  size == 1   "), "{page}");
    // One that is never 1 stays.
    assert!(!inputs(&[1.0], None, "").1.contains("constraints"));
}

#[test]
fn a_dimension_that_is_never_1_is_named() {
    let graph =
        graph("x = f32[?]; y = Concat-1(x, x) {axis=0}; y = Unsqueeze-1(y, i64[1] = 0); Squeeze-1(y, i64[1] = 1)", 1);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.xml"), graph.xml).unwrap();
    fs::write(folder.path().join("m.bin"), graph.weights).unwrap();
    let page = utf8(&ovlint(folder.path(), ["inputs", "m.xml"]).stdout);
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = format!("not complete: `Squeeze_{}` (Squeeze, line ", graph.layer);
    assert!(page.contains(&name) && page.ends_with(") squeezes a dimension that is never 1"), "{page}");
    // Its shape alone says so, and OpenVINO accepts it.
    assert!(inputs(&[1.0], None, "").1.contains("\ncomplete: "));
}
