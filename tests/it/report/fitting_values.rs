//! What is said of other values that the declared ports fit.

use crate::graph_notation::graph;
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
