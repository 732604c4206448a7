//! Values that cannot be read: the ports declare what these decide, and what follows is inferred from that.

use ovlint::internal::source::Span;
use ovlint::internal::{Model, Options, Weights};

/// A model of layers, each with its declared outputs as `precision dims`, wired by position.
struct Layer(&'static str, &'static str, &'static [(usize, usize)], &'static [&'static str]);

/// A model without weights.
fn model(layers: &[Layer]) -> Model {
    let port = |of: usize, id: usize, dims: &str| {
        let precision = if layers[of].0 == "Const" { "I64" } else { "FP32" };
        let dims = dims.split_whitespace().fold(String::new(), |text, dim| text + "<dim>" + dim + "</dim>");
        format!("<port id=\"{id}\" precision=\"{precision}\">{dims}</port>")
    };
    let (mut text, mut edges) = (String::new(), String::new());
    for (id, Layer(ty, data, inputs, outputs)) in layers.iter().enumerate() {
        let of = |(i, (from, output)): (usize, &(usize, usize))| port(*from, i, layers[*from].3[*output]);
        let ins: String = inputs.iter().enumerate().map(of).collect();
        let outs: String = outputs.iter().enumerate().map(|(i, dims)| port(id, inputs.len() + i, dims)).collect();
        let layer = format!("<layer id=\"{id}\" name=\"n{id}\" type=\"{ty}\" version=\"opset1\"><data {data}/>");
        text += &(layer + "<input>" + &ins + "</input><output>" + &outs + "</output></layer>");
        for (i, (from, output)) in inputs.iter().enumerate() {
            let from_port = layers[*from].2.len() + output;
            let ends = format!("from-layer=\"{from}\" from-port=\"{from_port}\" to-layer=\"{id}\" to-port=\"{i}\"");
            edges += &("<edge ".to_owned() + &ends + "/>");
        }
    }
    let xml = format!("<net name=\"m\" version=\"11\"><layers>{text}</layers><edges>{edges}</edges></net>");
    Model::from_bytes("m.xml", xml.into_bytes(), Weights::default(), &Options::default()).unwrap()
}

/// The shapes of the first outputs, each with `!` if it depends on a declared port.
fn shapes(model: &Model) -> Vec<String> {
    let facts = model.facts().unwrap();
    let all = model.net().unwrap().graph.entries().filter_map(|(layer, _)| facts.outputs(layer).first());
    all.map(|fact| format!("{}{}", fact.shape, if fact.assumed { "!" } else { "" })).collect()
}

fn rules(model: &Model) -> Vec<&str> {
    model.findings().iter().map(|finding| finding.rule.name).collect()
}

/// The labels of the first finding, each with the text that it marks.
fn labels(model: &Model) -> Vec<String> {
    let labels = model.findings()[0].labels.iter();
    labels.map(|label| format!("{}: {}", model.source().text(label.span), label.message.shown())).collect()
}

const DATA: Layer = Layer("Parameter", "shape=\"2,6\" element_type=\"f32\"", &[], &["2 6"]);
const OPEN: Layer = Layer("Parameter", "shape=\"?,6\" element_type=\"f32\"", &[], &["-1 6"]);
const TWO: Layer = Layer("Const", "shape=\"2\" element_type=\"i64\" offset=\"0\" size=\"16\"", &[], &["2"]);
const ONE: Layer = Layer("Const", "shape=\"1\" element_type=\"i64\" offset=\"0\" size=\"8\"", &[], &["1"]);

#[test]
fn declared_shapes_travel_on() {
    let reshape = |dims| Layer("Reshape", "special_zero=\"false\"", &[(0, 0), (1, 0)], dims);
    let relu = |dims| Layer("ReLU", "", &[(2, 0)], dims);
    let end = || Layer("Result", "", &[(3, 0)], &[]);
    let whole = model(&[DATA, TWO, reshape(&["4 3"]), relu(&["4 3"]), end()]);
    assert_eq!((shapes(&whole)[..4].join(" "), rules(&whole)), ("[2,6] [2]! [4,3]! [4,3]!".to_owned(), vec![]));
    // What is inferred from a declared shape is held against its own port.
    let lie = model(&[DATA, TWO, reshape(&["4 3"]), relu(&["4 5"]), end()]);
    assert_eq!((shapes(&lie)[3].as_str(), rules(&lie)[0]), ("[4,3]!", "declared-shape"));
    let basis =
        "<port id=\"2\" precision=\"FP32\">: based on f32[4,3], which output port 2 of `n2` declares".to_owned();
    assert!(labels(&lie).contains(&basis), "{:?}", labels(&lie));
    assert!(lie.findings()[0].message.shown().contains("output port 1"), "{:?}", lie.findings()[0].message);
    // Open and missing dimensions declare nothing.
    assert_eq!(shapes(&model(&[OPEN, TWO, reshape(&["-1 3"]), relu(&["-1 3"]), end()]))[3], "[?,3]!");
    assert_eq!(shapes(&model(&[DATA, TWO, reshape(&[""]), relu(&[""]), end()]))[2], "[?,?]!");
    // No value makes a shape of rank 3.
    let never = model(&[DATA, TWO, reshape(&["4 3 1"]), relu(&["4 3 1"]), end()]);
    assert_eq!((shapes(&never)[2].as_str(), rules(&never)[0]), ("[?,?]!", "declared-shape"));
}

#[test]
fn equal_layers_with_different_ports_are_told_apart() {
    let [first, second] =
        [&["4 3"], &["3 4"]].map(|dims| Layer("Reshape", "special_zero=\"false\"", &[(0, 0), (1, 0)], dims));
    let model = model(&[DATA, TWO, first, second, Layer("Concat", "axis=\"0\"", &[(2, 0), (3, 0)], &["7 4"])]);
    assert_eq!(shapes(&model)[2..4].join(" "), "[4,3]! [3,4]!");
    assert!(rules(&model).contains(&"shape-conflict"));
}

#[test]
fn a_port_without_dimensions_is_a_scalar_where_only_a_constant_is_missing() {
    let sum = |dims| Layer("ReduceSum", "keep_dims=\"false\"", &[(0, 0), (1, 0)], dims);
    let end = || Layer("Result", "", &[(2, 0)], &[]);
    assert_eq!(shapes(&model(&[DATA, TWO, sum(&[""]), end()]))[2], "[]!");
    assert_eq!(shapes(&model(&[DATA, TWO, sum(&["6"]), end()]))[2], "[6]!");
    // One axis leaves a dimension, whatever it is.
    assert_eq!(shapes(&model(&[DATA, ONE, sum(&[""]), end()]))[2], "[2..6]!");
}

/// The model with a change in the first input port of a layer that holds the text.
fn with_input(model: &Model, layer: usize, (from, to): (&str, &str)) -> Model {
    let xml = model.source().text(Span::new(0, model.source().bytes().len())).into_owned();
    let at = xml.find(&format!("name=\"n{layer}\"")).unwrap();
    let xml = format!("{}{}", &xml[..at], xml[at..].replacen(from, to, 1));
    Model::from_bytes("m.xml", xml.into_bytes(), Weights::default(), &Options::default()).unwrap()
}

#[test]
fn an_input_port_beside_a_scalar_is_one() {
    let sum = Layer("ReduceSum", "keep_dims=\"false\"", &[(0, 0), (1, 0)], &[""]);
    let right = model(&[DATA, TWO, sum, Layer("Result", "", &[(2, 0)], &[])]);
    let wrong = with_input(&right, 3, ("FP32", "I32"));
    let shown = "input port 0 of `n3` declares i32[], but its producer `n2` outputs f32[]";
    assert_eq!(wrong.findings()[0].message.shown(), shown);
    let basis = "based on f32[], which output port 2 of `n2` declares";
    assert!(labels(&wrong).iter().any(|label| label.ends_with(basis)), "{:?}", labels(&wrong));
}

#[test]
fn an_input_port_is_held_against_the_declaration_that_its_producer_is_based_on() {
    let reshape = Layer("Reshape", "special_zero=\"false\"", &[(0, 0), (1, 0)], &["4 3"]);
    let [first, second] = [Layer("ReLU", "", &[(2, 0)], &["4 3"]), Layer("ReLU", "", &[(3, 0)], &["4 3"])];
    let right = model(&[DATA, TWO, reshape, first, second, Layer("Result", "", &[(4, 0)], &[])]);
    let wrong = with_input(&right, 4, ("<dim>3</dim>", "<dim>5</dim>"));
    assert_eq!(rules(&wrong)[0], "input-port-mismatch");
    let basis = "based on f32[4,3], which output port 2 of `n2` declares";
    assert!(labels(&wrong).iter().any(|label| label.ends_with(basis)), "{:?}", labels(&wrong));
}
