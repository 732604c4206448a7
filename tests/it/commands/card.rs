//! The card in `ovlint info`: who made a file, and the forms of its weights and activations.

use crate::ir_builder::{Ir, Output};
use crate::program::{code, ovlint, utf8};
use serde_json::{Value, json};
use std::fs;

/// What `info` prints as JSON of a model with all that a card can show.
pub(crate) fn everything() -> Value {
    let mut ir = multiplied(|ir| compressed(ir, "u4", &[1; 8], Some(&[1; 4]), true));
    let data = ir.parameter("u8", "1,8,8,3");
    let wide = layer(&mut ir, "Convert", "destination_type=\"f32\"", &[data]);
    let scale = ir.constant("f32", &[], &[2.0]);
    let scaled = layer(&mut ir, "Multiply", "", &[wide, scale]);
    let levels = "levels=\"256\" auto_broadcast=\"numpy\"";
    let bounds = [0.0, 1.0, 0.0, 1.0].map(|bound| ir.constant("f32", &[], &[bound]));
    let quantized = layer(&mut ir, "FakeQuantize", levels, &[scaled, bounds[0], bounds[1], bounds[2], bounds[3]]);
    let weight = ir.constant("f32", &[3, 2], &[1.0; 6]);
    let weight = layer(&mut ir, "FakeQuantize", levels, &[weight, bounds[0], bounds[1], bounds[2], bounds[3]]);
    let product = layer(&mut ir, "MatMul", "transpose_a=\"false\" transpose_b=\"false\"", &[quantized, weight]);
    let (values, axis) = (ir.constant("f32", &[2], &[1.0; 2]), ir.constant("i64", &[], &[0.0]));
    let indices = ir.constant("u8", &[2, 4], &[1.0; 8]);
    let weight = layer(&mut ir, "Gather", "", &[values, indices, axis]);
    let last = layer(&mut ir, "MatMul", "transpose_a=\"false\" transpose_b=\"false\"", &[product, weight]);
    ir.result(last);
    let rt_info = "<nncf><version value=\"3.4.0\"/><weight_compression><mode value=\"int8_sym\"/></weight_compression>\
                   </nncf><runtime_options><KV_CACHE_PRECISION value=\"f16\"/></runtime_options>";
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap().replace("</net>", &format!("<rt_info>{rt_info}</rt_info></net>"));
    let layout = "<rt_info><attribute name=\"layout\" version=\"0\" layout=\"[N,H,W,C]\"/></rt_info></port>";
    let at = xml.find("u8\"/><output>").and_then(|at| Some(at + xml[at..].find("/></output>")?)).unwrap();
    let mut xml = format!("{}>{layout}{}", &xml[..at], &xml[at + 2..]);
    // A matrix named like this makes a classifier.
    let output = xml.find("type=\"MatMul\"").and_then(|at| Some(at + xml[at..].find("precision=")?)).unwrap();
    xml.insert_str(output, "names=\"logits\" ");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.xml"), xml).unwrap();
    fs::write(folder.path().join("m.bin"), weights).unwrap();
    serde_json::from_str(&utf8(&ovlint(folder.path(), ["info", "m.xml", "--format", "json"]).stdout)).unwrap()
}

/// The JSON of a model, and the lines of its text that begin with one of the titles.
fn card(ir: Ir, rt_info: &str) -> (Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap().replace("</net>", &format!("<rt_info>{rt_info}</rt_info></net>"));
    fs::write(folder.path().join("m.xml"), xml).unwrap();
    fs::write(folder.path().join("m.bin"), weights).unwrap();
    let run = |format: &str| {
        let out = ovlint(folder.path(), ["info", "m.xml", "--format", format]);
        assert_eq!((code(&out), utf8(&out.stderr)), (0, String::new()));
        utf8(&out.stdout)
    };
    let page: Value = serde_json::from_str(&run("json")).unwrap();
    let titles = ["made by", "weights", "quantized", "declared", "preprocess", "options"];
    let text = run("text");
    // A long line goes on below, as does that of the title before.
    let whole = text.replace(&format!("\n{:14}", ""), " ");
    let lines = whole.lines().filter(|line| titles.iter().any(|title| line.trim_start().starts_with(title)));
    let lines: Vec<&str> = lines.map(str::trim_start).collect();
    let end = if lines.is_empty() { "" } else { "\n" };
    (page["models"][0].clone(), lines.join("\n") + end)
}

pub(super) fn layer(ir: &mut Ir, ty: &str, data: &str, inputs: &[Output]) -> Output {
    let version = if ty == "Gather" { "opset8" } else { "opset1" };
    let data = if data.is_empty() { String::new() } else { format!("<data {data}/>") };
    ir.layer(ty, version, &data, inputs, 1)
}

/// A compressed weight of 4 rows in 2 groups of 2: the constant, the zero points, and whether a Reshape joins the groups.
pub(super) fn compressed(ir: &mut Ir, ty: &str, bytes: &[u8], zero: Option<&[u8]>, groups: bool) -> Output {
    let (lengths, scales): (&[usize], &[usize]) = if groups { (&[4, 2, 2], &[4, 2, 1]) } else { (&[4, 4], &[4, 1]) };
    let weight = ir.constant_of_bytes(ty, lengths, bytes);
    let mut wide = layer(ir, "Convert", "destination_type=\"f16\"", &[weight]);
    if let Some(zero) = zero {
        let zero = ir.constant_of_bytes(ty, scales, zero);
        let zero = layer(ir, "Convert", "destination_type=\"f16\"", &[zero]);
        wide = layer(ir, "Subtract", "", &[wide, zero]);
    }
    let scale = ir.constant("f16", scales, &vec![0.5; scales.iter().product()]);
    let mut weight = layer(ir, "Multiply", "", &[wide, scale]);
    if groups {
        let shape = ir.constant("i64", &[2], &[4.0, 4.0]);
        weight = layer(ir, "Reshape", "special_zero=\"false\"", &[weight, shape]);
    }
    layer(ir, "Convert", "destination_type=\"f32\"", &[weight])
}

pub(super) fn multiplied(weight: impl FnOnce(&mut Ir) -> Output) -> Ir {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "?,4");
    let weight = weight(&mut ir);
    let product = layer(&mut ir, "MatMul", "transpose_a=\"false\" transpose_b=\"true\"", &[data, weight]);
    ir.result(product);
    ir
}

#[test]
fn weights_have_the_form_in_which_they_are_stored() {
    for (ty, bytes, zero, groups, wanted) in [
        ("u4", 8, Some(&[0x87_u8; 4][..]), true, "u4 asymmetric, groups of 2"),
        ("u4", 8, Some(&[0x88; 4]), true, "u4 symmetric, groups of 2"),
        ("i4", 8, None, true, "i4 symmetric, groups of 2"),
        ("nf4", 8, None, true, "nf4, groups of 2"),
        ("u8", 16, Some(&[0x80, 0x80, 0x80, 0x7f]), false, "u8 asymmetric, by channel"),
        ("u8", 16, Some(&[0x80; 4]), false, "u8 symmetric, by channel"),
        ("i8", 16, None, false, "i8 symmetric, by channel"),
        ("f8e4m3", 16, None, false, "f8e4m3, by channel"),
    ] {
        let (_, text) = card(multiplied(|ir| compressed(ir, ty, &vec![1; bytes], zero, groups)), "");
        assert_eq!(text, format!("weights     {wanted:<28}  1 of 1 MatMul\n"));
    }
}

#[test]
fn a_zero_point_may_fill_half_a_byte() {
    for (zero, wanted) in [(0x78, "u4 symmetric, by tensor"), (0x87, "u4 asymmetric, by tensor")] {
        let ir = multiplied(|ir| {
            let (weight, zero) =
                (ir.constant_of_bytes("u4", &[4, 4], &[1; 8]), ir.constant_of_bytes("u4", &[1, 1], &[zero]));
            let [weight, zero] = [weight, zero].map(|one| layer(ir, "Convert", "destination_type=\"f32\"", &[one]));
            let centred = layer(ir, "Subtract", "", &[weight, zero]);
            let scale = ir.constant("f32", &[1, 1], &[0.5]);
            layer(ir, "Multiply", "", &[centred, scale])
        });
        assert_eq!(card(ir, "").1, format!("weights     {wanted:<28}  1 of 1 MatMul\n"));
    }
}

#[test]
fn a_zero_point_may_have_another_type() {
    for (ty, zero, wanted) in [
        ("u2", 2, "u2 symmetric, by tensor"),
        ("u2", 1, "u2 asymmetric, by tensor"),
        ("u8", 128, "u8 asymmetric, by tensor"),
        ("i8", 0, "i8 symmetric, by tensor"),
    ] {
        let ir = multiplied(|ir| {
            let (weight, zero) = (
                ir.constant_of_bytes(ty, &[4, 4], &vec![1; if ty == "u2" { 4 } else { 16 }]),
                ir.constant_of_bytes("i8", &[], &[zero]),
            );
            let [weight, zero] = [weight, zero].map(|one| layer(ir, "Convert", "destination_type=\"f32\"", &[one]));
            let centred = layer(ir, "Subtract", "", &[weight, zero]);
            let scale = ir.constant("f32", &[1, 1], &[0.5]);
            layer(ir, "Multiply", "", &[centred, scale])
        });
        assert_eq!(card(ir, "").1, format!("weights     {wanted:<28}  1 of 1 MatMul\n"));
    }
}

#[test]
fn weights_without_scales_have_a_type_alone() {
    for ty in ["f32", "f16"] {
        let ir = multiplied(|ir| {
            let weight = ir.constant(ty, &[4, 4], &[1.0; 16]);
            layer(ir, "Convert", "destination_type=\"f32\"", &[weight])
        });
        let (page, _) = card(ir, "");
        let uses = json!([{"type": "MatMul", "layers": 1, "of": 1}]);
        let wanted = json!([{"type": ty, "scale": null, "group": null, "symmetric": null, "operations": uses}]);
        assert_eq!(page["weights"], wanted);
    }
}

#[test]
fn products_of_tensors_and_tables_of_integers_have_no_weights() {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "4,4");
    let product = layer(&mut ir, "MatMul", "transpose_a=\"false\" transpose_b=\"false\"", &[data, data]);
    let (table, index) = (ir.constant("i64", &[2, 2], &[1.0; 4]), ir.parameter("i64", "3"));
    let axis = ir.constant("i64", &[], &[0.0]);
    let rows = layer(&mut ir, "Gather", "", &[table, index, axis]);
    ir.result(product);
    ir.result(rows);
    let (page, text) = card(ir, "");
    assert_eq!((&page["weights"], text.as_str()), (&json!([]), ""));
}

#[test]
fn biases_and_masks_are_no_weights() {
    let mut ir = Ir::default();
    let (data, state) = (ir.parameter("f32", "2,4"), ir.parameter("f32", "2,3"));
    let (w, r) = (ir.constant("f16", &[12, 4], &[1.0; 48]), ir.constant("f16", &[12, 3], &[1.0; 36]));
    let wide = [w, r].map(|weight| layer(&mut ir, "Convert", "destination_type=\"f32\"", &[weight]));
    let bias = ir.constant("f32", &[12], &[1.0; 12]);
    let cell =
        ir.layer("LSTMCell", "opset4", "<data hidden_size=\"3\"/>", &[data, state, state, wide[0], wide[1], bias], 2);
    let heads = [(); 3].map(|()| ir.parameter("f32", "1,2,4,8"));
    let mask = ir.constant("f32", &[4, 4], &[1.0; 16]);
    let data = "<data causal=\"false\"/>";
    let attention = ir.layer("ScaledDotProductAttention", "opset13", data, &[heads[0], heads[1], heads[2], mask], 1);
    ir.result(cell);
    ir.result(attention);
    let (_, text) = card(ir, "");
    assert_eq!(text, format!("weights     {:<28}  1 of 1 LSTMCell\n", "f16"));
}

#[test]
fn rows_of_an_embedding_are_counted_apart() {
    let mut ir = multiplied(|ir| compressed(ir, "i4", &[1; 8], None, true));
    let table = compressed(&mut ir, "u8", &[1; 16], Some(&[1; 4]), false);
    let (index, axis) = (ir.parameter("i64", "?"), ir.constant("i64", &[], &[0.0]));
    let rows = layer(&mut ir, "Gather", "", &[table, index, axis]);
    ir.result(rows);
    let (page, _) = card(ir, "");
    let operations = |index: usize| page["weights"][index]["operations"].clone();
    assert_eq!(page["weights"][0]["type"], "i4");
    assert_eq!(operations(0), json!([{"type": "MatMul", "layers": 1, "of": 1}]));
    assert_eq!((&page["weights"][1]["type"], &page["weights"][1]["symmetric"]), (&json!("u8"), &json!(false)));
    assert_eq!(operations(1), json!([{"type": "Gather", "layers": 1, "of": 1}]));
}

#[test]
fn inputs_are_quantized_through_layers_that_keep_levels() {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "1,2,8,8");
    let bounds = [0.0, 1.0, 0.0, 1.0].map(|bound| ir.constant("f32", &[], &[bound]));
    let levels = "levels=\"256\" auto_broadcast=\"numpy\"";
    let quantized = layer(&mut ir, "FakeQuantize", levels, &[data, bounds[0], bounds[1], bounds[2], bounds[3]]);
    let kept = layer(&mut ir, "ReLU", "", &[quantized]);
    let both = layer(&mut ir, "Concat", "axis=\"1\"", &[kept, quantized]);
    let half = layer(&mut ir, "Concat", "axis=\"1\"", &[kept, data]);
    let spatial = "strides=\"1,1\" dilations=\"1,1\" pads_begin=\"0,0\" pads_end=\"0,0\" auto_pad=\"explicit\"";
    for data in [both, half] {
        let weight = ir.constant("f32", &[1, 4, 1, 1], &[1.0; 4]);
        let sum = layer(&mut ir, "Convolution", spatial, &[data, weight]);
        ir.result(sum);
    }
    let (page, text) = card(ir, "");
    let uses = json!([{"type": "Convolution", "layers": 1, "of": 2}]);
    assert_eq!(page["quantized"], json!({"operations": uses, "levels": [256]}));
    assert!(text.contains("quantized   inputs of 1 of 2 Convolution (256 levels)\n"), "{text}");
}

#[test]
fn a_file_that_states_another_compression_is_contradicted() {
    let declared = |mode: &str, size: i64| {
        let ir = multiplied(|ir| compressed(ir, "u4", &[1; 8], Some(&[1; 4]), true));
        let rt_info = format!(
            "<nncf><version value=\"3.4.0\"/><weight_compression><mode value=\"{mode}\"/><group_size value=\"{size}\"/>\
             <awq value=\"False\"/></weight_compression></nncf>"
        );
        let (page, text) = card(ir, &rt_info);
        (page["declared"][0]["contradicted"].clone(), text.lines().last().unwrap().to_owned())
    };
    let head = "declared    nncf.weight_compression: mode";
    assert_eq!(declared("int4_asym", 2), (Value::Null, format!("{head} int4_asym, group_size 2")));
    let wrong = json!([{"key": "mode", "found": ["u4"]}]);
    assert_eq!(declared("int4_sym", 2), (wrong, format!("{head} int4_sym, group_size 2; mode in the graph: u4")));
    assert_eq!(declared("int4_asym", 128).0, json!([{"key": "group_size", "found": ["2"]}]));
    assert_eq!(declared("int4_asym", -1).0, json!([{"key": "group_size", "found": ["2"]}]));
    assert_eq!(declared("of the future", 128).0, Value::Null);
}

#[test]
fn tools_and_options_are_named_as_the_file_has_them() {
    let ir = multiplied(|ir| ir.constant("f32", &[4, 4], &[1.0; 16]));
    let rt_info = "<Runtime_version value=\"2026.4.1-22982-e213a147257-releases/2026/4\"/>\
                   <conversion_parameters><framework value=\"pytorch\"/><x_version value=\"9\"/></conversion_parameters>\
                   <nncf><version value=\"3.4.0\"/></nncf>\
                   <optimum><optimum_intel_version value=\"2.2.0\"/><pytorch_version value=\"2.15.0\"/></optimum>\
                   <runtime_options><KV_CACHE_PRECISION value=\"f16\"/></runtime_options>";
    let (page, text) = card(ir, rt_info);
    let made_by = "made by     nncf 3.4.0, optimum-intel 2.2.0, torch 2.15.0, OpenVINO 2026.4.1, from pytorch\n";
    assert!(text.starts_with(made_by), "{text}");
    assert!(text.ends_with("options     KV_CACHE_PRECISION f16\n"), "{text}");
    assert_eq!(page["options"], json!([{"key": "KV_CACHE_PRECISION", "value": "f16"}]));
}

#[test]
fn pictures_are_preprocessed_by_the_first_layers() {
    let mut ir = Ir::default();
    let data = ir.parameter("u8", "1,8,8,3");
    let wide = layer(&mut ir, "Convert", "destination_type=\"f32\"", &[data]);
    let (channels, axis) = (ir.constant("i64", &[3], &[2.0, 1.0, 0.0]), ir.constant("i64", &[], &[3.0]));
    let reversed = layer(&mut ir, "Gather", "", &[wide, channels, axis]);
    let (mean, scale) = (ir.constant("f32", &[1, 1, 1, 3], &[0.5; 3]), ir.constant("f32", &[1, 1, 1, 3], &[2.0; 3]));
    let centred = layer(&mut ir, "Subtract", "", &[reversed, mean]);
    let scaled = layer(&mut ir, "Divide", "auto_broadcast=\"numpy\" m_pythondiv=\"true\"", &[centred, scale]);
    ir.result(scaled);
    let (page, text) = card(ir, "");
    let steps = json!(["convert", "reverse", "mean", "scale"]);
    assert_eq!(page["preprocessing"], json!([{"input": "Parameter_0", "type": "u8", "steps": steps}]));
    assert_eq!(text, "preprocess  Parameter_0 u8: convert, reverse channels, subtract mean, scale\n");
}
