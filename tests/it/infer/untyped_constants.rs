//! Constants of type `dynamic` and `undefined`, which OpenVINO 2026.4.1 refuses where their value decides a shape.

use crate::ir_builder::{Ir, Output, infer};

/// What becomes of a model with a constant of each of the two types and of this shape, the weights being i64.
fn outcomes(lengths: &[usize], numbers: &[i64], add: impl Fn(&mut Ir, Output) -> Output) -> [String; 2] {
    ["dynamic", "undefined"].map(|ty| {
        let mut ir = Ir::default();
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let constant = ir.constant_of_bytes(ty, lengths, &bytes);
        let layer = add(&mut ir, constant);
        ir.result(layer);
        let (xml, weights) = ir.finish();
        infer(xml, weights, layer.0)
    })
}

const REFUSED: &str = "error index-type";

#[test]
fn a_constant_that_decides_a_shape_has_a_type() {
    let cases: [(&str, &str, &str, &str); 9] = [
        ("Broadcast", "opset3", r#"<data mode="numpy"/>"#, "1,1"),
        ("ReduceSum", "opset1", r#"<data keep_dims="true"/>"#, "2,3,4"),
        ("Reshape", "opset1", r#"<data special_zero="false"/>"#, "2,1"),
        ("Squeeze", "opset1", "", "3,1,1"),
        ("Tile", "opset1", "", "2,3"),
        ("Transpose", "opset1", "", "2,3"),
        ("Unsqueeze", "opset1", "", "2,3"),
        ("AdaptiveAvgPool", "opset8", "", "1,2,3,4"),
        ("Roll", "opset7", "", "2,3"),
    ];
    for (name, version, data, shape) in cases {
        let outcome = outcomes(&[2], &[1, 2], |ir, constant| {
            let input = ir.parameter("f32", shape);
            let inputs = [input, constant, constant];
            ir.layer(name, version, data, if name == "Roll" { &inputs } else { &inputs[..2] }, 1)
        });
        assert!(outcome.iter().all(|one| one.contains(REFUSED)), "{name}: {outcome:?}");
    }
}

#[test]
fn a_constant_behind_a_shape_has_a_type() {
    let reshaped = |add: fn(&mut Ir, Output) -> Output| {
        outcomes(&[2], &[1, 2], |ir, constant| {
            let shape = add(ir, constant);
            let input = ir.parameter("f32", "2,1");
            ir.layer("Reshape", "opset1", r#"<data special_zero="false"/>"#, &[input, shape], 1)
        })
    };
    let convert =
        |ir: &mut Ir, constant| ir.layer("Convert", "opset1", r#"<data destination_type="i64"/>"#, &[constant], 1);
    assert_eq!(reshaped(convert), [REFUSED; 2]);
    let below_an_input = |ir: &mut Ir, constant| {
        let input = ir.parameter("i64", "2");
        ir.layer("Add", "opset1", "", &[constant, input], 1)
    };
    // OpenVINO reads this file, as an input stops it, and compiles no such Add.
    assert_eq!(reshaped(below_an_input), [REFUSED; 2]);
}

#[test]
fn a_wrong_port_further_down_hides_no_constant_without_a_type() {
    let mut ir = Ir::default();
    let constant = ir.constant_of_bytes("dynamic", &[1], &[1, 0, 0, 0, 0, 0, 0, 0]);
    let input = ir.parameter("f32", "2,3");
    let layer =
        ir.layer("LRN", "opset1", "<data alpha=\"1\" beta=\"1\" bias=\"1\" size=\"1\"/>", &[input, constant], 1);
    ir.result(layer);
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap();
    let (rest, result) = xml.split_once("Result_").unwrap();
    let result = result.replacen("<port id=\"0\"/>", "<port id=\"0\" precision=\"I8\"/>", 1);
    let xml = format!("{rest}Result_{result}").into_bytes();
    assert_eq!(infer(xml, weights, layer.0), "error index-type, input-port-mismatch");
}

#[test]
fn a_constant_that_decides_no_shape_is_read_without_its_type() {
    let concat = |ir: &mut Ir, constant| {
        let input = ir.parameter("f32", "6");
        ir.layer("Concat", "opset1", r#"<data axis="0"/>"#, &[input, constant], 1)
    };
    assert_eq!(outcomes(&[2], &[1, 2], concat), ["error input-type"; 2], "not compiled");
    let shape_of = |ir: &mut Ir, constant| ir.layer("ShapeOf", "opset1", "", &[constant], 1);
    assert_eq!(outcomes(&[2], &[1, 2], shape_of), ["i64[1]"; 2]);
    let relu = |ir: &mut Ir, constant| ir.layer("Relu", "opset1", "", &[constant], 1);
    assert_eq!(outcomes(&[2], &[1, 2], relu), ["error input-type"; 2], "not compiled");
}

#[test]
fn a_constant_that_openvino_leaves_alone_needs_no_type() {
    let is_fine = |lengths: &[usize], numbers: &[i64], add: &dyn Fn(&mut Ir, Output) -> Output| {
        let outcome = outcomes(lengths, numbers, add);
        assert!(outcome.iter().all(|one| !one.contains("error")), "{outcome:?}");
    };
    let split = |ir: &mut Ir, data: Output, axis: Output, lengths: Output| {
        ir.layer("VariadicSplit", "opset1", "", &[data, axis, lengths], 2)
    };
    // The axis is not known.
    is_fine(&[2], &[1, 2], &|ir, constant| {
        let (data, axis) = (ir.parameter("f32", "3,3"), ir.parameter("i64", ""));
        split(ir, data, axis, constant)
    });
    // The lengths are not known.
    is_fine(&[1], &[1], &|ir, constant| {
        let (data, axis) = (ir.parameter("f32", "3"), ir.constant("i64", &[], &[0.0]));
        let input = ir.parameter("i64", "1");
        let lengths = ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &[constant, input], 1);
        split(ir, data, axis, lengths)
    });
    // Numpy's rules need no axes.
    is_fine(&[], &[1], &|ir, constant| {
        let (data, target) = (ir.parameter("f32", "3"), ir.constant("i64", &[1], &[3.0]));
        ir.layer("Broadcast", "opset1", "<data mode=\"numpy\"/>", &[data, target, constant], 1)
    });
    is_fine(&[2], &[1, 0], &|ir, constant| {
        let (data, updates) = (ir.parameter("f32", "3"), ir.parameter("f32", "2"));
        let axis = ir.constant("i64", &[], &[0.0]);
        ir.layer("ScatterElementsUpdate", "opset3", "", &[data, constant, updates, axis], 1)
    });
    let known = outcomes(&[1], &[1], |ir, constant| {
        let (data, axis) = (ir.parameter("f32", "3"), ir.constant("i64", &[], &[0.0]));
        let other = ir.constant("i64", &[1], &[2.0]);
        let lengths = ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &[constant, other], 1);
        split(ir, data, axis, lengths)
    });
    assert_eq!(known, [REFUSED; 2]);
}
