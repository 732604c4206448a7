//! `--shape`: other inputs than the file declares, what becomes of the shapes, and what breaks first.

use crate::ir_builder::{Ir, Output};
use crate::program::{code, ovlint, root, utf8};
use ovlint::internal::diagnostic::Severity;
use ovlint::internal::ir::LayerId;
use ovlint::internal::query::what_if::{Obstacles, first_broken};
use ovlint::internal::report::views::what_if::notes;
use ovlint::internal::{Error, Limits, Model, Options, Weights};

fn model(ir: Ir, shapes: &str) -> Model {
    reshaped(ir, shapes, Options::default()).unwrap()
}

fn reshaped(ir: Ir, shapes: &str, options: Options) -> Result<Model, Error> {
    let (xml, weights) = ir.finish();
    let options = Options { shapes: shapes.parse().unwrap(), ..options };
    Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &options)
}

/// A pooled image that a constant flattens to 1280 numbers.
fn classifier() -> (Ir, Output) {
    let mut ir = Ir::default();
    let image = ir.parameter("f32", "1,5,32,32");
    let data = "<data strides=\"2, 2\" pads_begin=\"0, 0\" pads_end=\"0, 0\" kernel=\"2, 2\" exclude-pad=\"true\"/>";
    let pooled = ir.layer("AvgPool", "opset1", data, &[image], 1);
    let shape = ir.constant("i64", &[2], &[1.0, 1280.0]);
    let flat = ir.layer("Reshape", "opset1", "<data special_zero=\"false\"/>", &[pooled, shape], 1);
    let relu = ir.layer("ReLU", "opset1", "", &[flat], 1);
    ir.result(relu);
    (ir, relu)
}

#[test]
fn the_first_layer_that_breaks_names_what_pins_it() {
    let (ir, relu) = classifier();
    let model = model(ir, "[1,5,64,64]");
    let [finding] = model.findings() else { panic!("{:?}", model.findings()) };
    assert_eq!((finding.rule.name, finding.severity), ("shape-conflict", Severity::Error));
    assert_eq!(finding.layer.as_ref().unwrap().name, "Reshape_3");
    assert_eq!(finding.message, "5120 elements do not fit the shape [1,1280], which has 1280".into());
    let note = "the file loads; OpenVINO 2026.4 cannot reshape it to these input shapes";
    assert!(crate::notes(finding).iter().any(|found| found == note), "{:?}", crate::notes(finding));
    let broken = first_broken(&model, &Obstacles::of(&model)).unwrap();
    assert_eq!(broken.finding, 0);
    let wanted = [
        "with these input shapes, this layer is the first to fail",
        "because of Const_2[0] = 1 (Const, line 5, bytes 0..8)",
        "because of Const_2[1] = 1280 (Const, line 5, bytes 8..16)",
    ];
    assert_eq!(notes(&broken, None), wanted);
    // What comes behind has lengths that nobody knows.
    let fact = &model.facts().unwrap().outputs(LayerId::new(relu.0))[0];
    assert_eq!((fact.to_string(), fact.assumed), ("dynamic[...]".to_owned(), true));
}

#[test]
fn only_constants_pin_what_breaks() {
    let mut ir = Ir::default();
    let image = ir.parameter("f32", "1,4,8");
    let class = ir.constant("f32", &[1, 1, 8], &[0.0; 8]);
    let tokens = ir.layer("Concat", "opset1", "<data axis=\"1\"/>", &[class, image], 1);
    let places = ir.constant("f32", &[1, 5, 8], &[0.0; 40]);
    let sum = ir.layer("Add", "opset1", "", &[tokens, places], 1);
    ir.result(sum);
    let model = model(ir, "[1,6,8]");
    let broken = first_broken(&model, &Obstacles::of(&model)).unwrap();
    assert_eq!(notes(&broken, None)[1..], ["because of Const_3 dim 1 = 5 (Const, line 6)"]);
}

#[test]
fn a_file_that_is_broken_is_not_said_to_load() {
    let mut ir = Ir::default();
    let image = ir.parameter("f32", "1,4");
    let other = ir.constant("f32", &[1, 3], &[0.0; 3]);
    let sum = ir.layer("Add", "opset1", "", &[image, other], 1);
    ir.result(sum);
    let found = model(ir, "[1,5]");
    let note = "OpenVINO 2026.4 rejects this file and calls the layer `Add_<n>`";
    assert!(crate::notes(&found.findings()[0]).iter().any(|found| found == note), "{:?}", found.findings());
}

#[test]
fn shapes_that_fit_break_nothing() {
    let (ir, relu) = classifier();
    let model = model(ir, "Parameter_0[1,20,16,16]");
    assert!(model.findings().is_empty(), "{:?}", model.findings());
    assert_eq!(model.facts().unwrap().outputs(LayerId::new(relu.0))[0].to_string(), "f32[1,1280]");
}

#[test]
fn declared_shapes_are_not_held_against_other_inputs() {
    let with = |flags: &[&str]| {
        let arguments =
            ["check", "models/detector.xml", "--format", "concise"].into_iter().chain(flags.iter().copied());
        let out = ovlint(&root(), arguments);
        (code(&out), utf8(&out.stdout))
    };
    assert_eq!(with(&["--shape", "images[2,3,64,64]"]), (0, String::new()));
    assert_eq!(with(&[]), (0, String::new()));
}

#[test]
fn tables_show_the_shapes_of_other_inputs() {
    let arguments = ["shapes", "models/detector.xml", "--shape", "images[2,3,64,64]", "--op", "MaxPool,Convolution"];
    let out = ovlint(&root(), arguments);
    assert_eq!((code(&out), utf8(&out.stderr)), (0, String::new()));
    insta::assert_snapshot!("whatif.shapes", utf8(&out.stdout));
}

#[test]
fn tables_show_what_breaks() {
    let out = ovlint(&root(), ["shapes", "models/attention.xml", "--shape", "tokens[1,8,24]", "--op", "MatMul"]);
    assert_eq!(code(&out), 1);
    insta::assert_snapshot!("whatif.broken", utf8(&out.stderr));
    let out = ovlint(&root(), ["check", "models/attention.xml", "--shape", "tokens[1,8,24]"]);
    assert_eq!(code(&out), 1);
    let text = utf8(&out.stdout);
    insta::assert_snapshot!(
        "whatif.report",
        text.lines().filter(|line| !line.starts_with("1 error")).collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn shapes_that_fit_no_input_are_an_error_of_the_library() {
    for (shapes, wanted) in [
        ("Parameter_1[1]", "m.xml: the model has no input `Parameter_1`; did you mean `Parameter_0`?"),
        ("[1],Parameter_0[2]", "m.xml: input `Parameter_0` is given two shapes"),
    ] {
        for no_infer in [false, true] {
            let error = reshaped(classifier().0, shapes, Options { no_infer, ..Options::default() }).unwrap_err();
            assert_eq!(error.to_string(), wanted);
            assert!(error.finding().is_none(), "the file is not to blame");
        }
    }
    let mut limits = Limits::default();
    limits.rank = 2;
    let error = reshaped(classifier().0, "[1,2,3]", Options { limits, ..Options::default() }).unwrap_err();
    assert_eq!(error.to_string(), "m.xml: a shape has 3 dimensions, more than 2; raise the limit with --max-rank");
    // Without a model there are no inputs; what is wrong with the file is a finding.
    let options = Options { shapes: "x[1]".parse().unwrap(), ..Options::default() };
    let model = Model::from_bytes("m.xml", b"<net".to_vec(), Weights::default(), &options).unwrap();
    assert_eq!(model.findings()[0].rule.name, "xml-malformed");
}

#[test]
fn names_that_are_not_inputs_are_refused() {
    let many = format!("images[{}]", vec!["1"; 257].join(","));
    for (shape, wanted) in [
        ("image[1,3,8,8]", "the model has no input `image`; did you mean `images`?"),
        ("zz[1]", "the model has no input `zz`; its input is `images`"),
        ("images[1,3,8,8],images[2]", "input `images` is given two shapes"),
        (&many, "a shape has 257 dimensions, more than 256; raise the limit with --max-rank"),
    ] {
        for command in ["check", "shapes", "why"] {
            let tensor = if command == "why" { Some("up") } else { None };
            let arguments = [command, "models/detector.xml", "--shape", shape].into_iter().chain(tensor);
            let out = ovlint(&root(), arguments);
            assert_eq!(code(&out), 2, "{command} {shape}");
            assert_eq!(utf8(&out.stderr), format!("ovlint: models/detector.xml: --shape: {wanted}\n"));
        }
    }
    let out = ovlint(&root(), ["check", "models/kv_cache.xml", "--shape", "[1,2]"]);
    let wanted = "ovlint: models/kv_cache.xml: --shape: a shape without a name is for models with one input; \
                  the inputs of this one are `new_key`, `beam_idx`\n";
    assert_eq!((code(&out), utf8(&out.stderr)), (2, wanted.to_owned()));
    let out = ovlint(&root(), ["check", "models/split.xml", "--shape", "data[1"]);
    assert_eq!(code(&out), 2);
    assert!(utf8(&out.stderr).contains("`data[1` is not a list of shapes such as `images[1,3,640,640],mask[1,?]`"));
}

#[test]
fn tensors_name_inputs_as_well() {
    let out = ovlint(&root(), ["why", "models/split.xml", "split_3", "--shape", "data[9,30,1..2,?]"]);
    let first = utf8(&out.stdout);
    assert!(first.starts_with("split_3:0  f32[9,10,1..2,?]  (Split, models/split.xml:21)\n"), "{first}");
}
