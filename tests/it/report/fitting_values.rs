//! What is said of other values that the declared ports fit.

use crate::graph_notation::graph;
use crate::ir_builder::Ir;
use ovlint::internal::diagnostic::{Diagnostic, Severity};
use ovlint::internal::report::words;
use ovlint::internal::{Model, Options, Weights};
use std::borrow::Cow;

/// The help that names other values, where the last layer declares these dimensions of f32.
fn fitting(text: &str, declared: &[i64]) -> Vec<String> {
    let graph = graph(text, 1);
    let dims = declared.iter().map(|dim| format!("<dim>{dim}</dim>")).collect::<Vec<_>>().concat();
    let (before, after) = graph.xml.rsplit_once(" precision=\"UNSPECIFIED\"/>").unwrap();
    let xml = format!("{before} precision=\"FP32\">{dims}</port>{after}");
    let weights = Weights::in_memory(graph.weights);
    let model = Model::from_bytes("m.xml", xml.into_bytes(), weights, &Options::default()).unwrap();
    let help = model.findings().iter().flat_map(words::help).map(Cow::into_owned);
    help.filter(|help| help.starts_with("the declared ports fit")).collect()
}

#[test]
fn the_only_value_that_fits_is_named() {
    let gather = "Gather-8(f32[2,3], i64[1] = 0, i64[] = 7) {batch_dims=0}";
    assert_eq!(fitting(gather, &[2, 1]), ["the declared ports fit `axis` = 1"], "axis -1 is axis 1");
    assert_eq!(fitting(gather, &[1, 3]), ["the declared ports fit `axis` = 0"]);
    let gather = "Gather-8(f32[2,3], i64[1] = 0, i64[] = -7) {batch_dims=0}";
    assert_eq!(fitting(gather, &[2, 1]), ["the declared ports fit `axis` = -1"]);
}

#[test]
fn of_several_values_that_fit_none_is_named() {
    assert_eq!(fitting("Gelu-7(f32[2]) {approximation_mode=TANHH}", &[2]), [""; 0], "ERF and TANH both fit");
    assert_eq!(fitting("SoftMax-1(f32[2,3]) {axis=7}", &[2, 3]), [""; 0], "every axis fits");
    let gather = "Gather-8(f32[1,1], i64[1] = 0, i64[] = 7) {batch_dims=0}";
    assert_eq!(fitting(gather, &[1, 1]), [""; 0], "both axes fit");
    let convolution = "BinaryConvolution-1(f32[1,1,1,1], u1[1,1,1,1]) {mode=other strides=1,1 dilations=1,1 pads_begin=0,0 \
                       pads_end=0,0 pad_value=0}";
    assert_eq!(fitting(convolution, &[1, 1, 1, 1]), [""; 0], "`mode` has one legal value, and no port depends on it");
}

/// The errors that follow from no other, of two Gathers that take the axis from the same bytes, which hold -1, where their
/// outputs declare these dimensions.
fn with_shared_axis(declared: [&[i64]; 2]) -> Vec<String> {
    let mut ir = Ir::default();
    let (data, indices) =
        ([ir.parameter("f32", "2,3"), ir.parameter("f32", "2,3,4")], ir.constant("i64", &[1], &[0.0]));
    let mut axes = vec![ir.constant("i64", &[], &[-1.0])];
    let same = "<data element_type=\"i64\" shape=\"\" offset=\"8\" size=\"8\"/>";
    axes.push(ir.layer("Const", "opset1", same, &[], 1));
    for (data, axis) in data.into_iter().zip(axes) {
        let gather = ir.layer("Gather", "opset8", "<data batch_dims=\"0\"/>", &[data, indices, axis], 1);
        ir.result(gather);
    }
    let (xml, weights) = ir.finish();
    let mut xml = String::from_utf8(xml).unwrap();
    for dims in declared {
        let dims = dims.iter().map(|dim| format!("<dim>{dim}</dim>")).collect::<Vec<_>>().concat();
        let port = format!("<port id=\"3\" precision=\"FP32\">{dims}</port>");
        xml = xml.replacen("<port id=\"3\" precision=\"UNSPECIFIED\"/>", &port, 1);
    }
    let model = Model::from_bytes("m.xml", xml.into(), Weights::in_memory(weights), &Options::default()).unwrap();
    let is_root = |finding: &&Diagnostic| finding.severity == Severity::Error && finding.consequence_of.is_none();
    let found = model.findings().iter().filter(is_root);
    found.map(|finding| finding.message.shown().to_owned()).collect()
}

#[test]
fn a_value_suits_all_constants_that_read_its_bytes() {
    let want = "`axis` of `Gather_5` is -1, but all declared ports fit 0";
    assert_eq!(with_shared_axis([&[1, 3], &[1, 3, 4]]), [want], "-2 suits the first one only");
    let want = "`axis` of `Gather_5` is -1, but all declared ports fit -2";
    assert_eq!(with_shared_axis([&[1, 3], &[2, 1, 4]]), [want]);
    let found = with_shared_axis([&[1, 3], &[2, 3, 9]]);
    assert!(!found.iter().any(|message| message.contains("fits")), "no axis suits both: {found:?}");
}

/// Declares the dimensions of the first output behind some text that declares none.
fn declaring(xml: &str, behind: &str, dims: &str) -> String {
    let (before, after) = xml.split_at(xml.find(behind).unwrap());
    let dims = dims.split(',').map(|dim| format!("<dim>{dim}</dim>")).collect::<Vec<_>>().concat();
    let port = format!("precision=\"FP32\">{dims}</port>");
    before.to_owned() + &after.replacen("precision=\"UNSPECIFIED\"/>", &port, 1)
}

/// A TensorIterator whose body cuts an axis off, splits the rest, and puts the axis back, with the same bytes, which hold 1.
fn with_axis_in_body() -> Model {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "2,3,4");
    let mut body = ir.body();
    let part = body.parameter("f32", "1,3,4");
    let cut = body.constant("i64", &[1], &[1.0]);
    let squeezed = body.layer("Squeeze", "opset1", "", &[part, cut], 1);
    let axis = body.constant("i64", &[], &[1.0]);
    let half = body.layer("Split", "opset1", "<data num_splits=\"2\"/>", &[squeezed, axis], 2);
    let put = body.layer("Const", "opset1", "<data element_type=\"i64\" shape=\"1\" offset=\"0\" size=\"8\"/>", &[], 1);
    let whole = body.layer("Unsqueeze", "opset1", "", &[half, put], 1);
    let end = body.result(whole);
    let body = ir.close("body", body);
    let map = format!(
        "<port_map><input external_port_id=\"0\" internal_layer_id=\"0\" axis=\"0\"/>\
         <output external_port_id=\"1\" internal_layer_id=\"{end}\" axis=\"0\"/></port_map>"
    );
    let host = ir.layer("TensorIterator", "opset1", &(map + &body), &[data], 1);
    let relu = ir.layer("ReLU", "opset1", "", &[host], 1);
    ir.result(relu);
    let (xml, weights) = ir.finish();
    let mut xml = String::from_utf8(xml).unwrap();
    for (layer, dims) in [("Squeeze_", "3,4"), ("Split_", "3,2"), ("Split_", "3,2"), ("Unsqueeze_", "1,3,2")] {
        xml = declaring(&xml, layer, dims);
    }
    xml = declaring(&xml, "</body>", "2,3,2");
    Model::from_bytes("m.xml", xml.into(), Weights::in_memory(weights), &Options::default()).unwrap()
}

#[test]
fn a_value_in_a_body_is_the_cause_of_wrong_shapes_outside() {
    let model = with_axis_in_body();
    let found = model.findings().iter().filter(|finding| finding.severity == Severity::Error);
    let roots: Vec<_> = found.filter(|finding| finding.consequence_of.is_none()).map(|one| one.rule.name).collect();
    assert_eq!(roots, ["contradicted-value"]);
    let map = model.findings().iter().find(|finding| finding.rule.name == "bad-port-map").unwrap();
    assert!(map.consequence_of.is_some(), "`part_size` is 1, the body gives 3");
}

#[test]
fn a_layer_that_feeds_nothing_shows_the_wrong_edge() {
    let text = "x = f32[3]; one = i64[] = 1; zero = i64[] = 0; Gather-8(x, one, one) {batch_dims=0}";
    let graph = graph(text, 1);
    let xml = graph.xml.replace("<port id=\"2\"/>", "<port id=\"2\" precision=\"I64\"/>");
    let model = Model::from_bytes("m.xml", xml.into(), Weights::in_memory(graph.weights), &Options::default()).unwrap();
    let of = |rule: &str| model.findings().iter().find(|finding| finding.rule.name == rule).unwrap();
    let (error, stray) = (of("axis-range"), of("unreachable-layer"));
    assert_eq!(words::help(error).count(), 0, "axis 0 would suit this layer, too");
    assert!(stray.consequence_of.is_some());
    let want = "feeds nothing and fits `axis`: should the edge start here?".into();
    assert!(error.labels.iter().any(|label| label.message == want), "{error:?}");
}
