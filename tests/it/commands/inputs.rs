//! `ovlint inputs`: which input shapes a model works for, and whether it works for some.

use crate::graph_notation::graph;
use crate::program::{code, ovlint, root, utf8};
use serde_json::Value;
use std::fs;

/// Exit code and stdout.
fn run(model: &str, arguments: &[&str]) -> (i32, String) {
    let out = ovlint(&root(), [&["inputs", model], arguments].concat());
    assert_eq!(utf8(&out.stderr), "");
    (code(&out), utf8(&out.stdout))
}

/// The same for a graph in one line.
fn run_graph(text: &str, arguments: &[&str]) -> (i32, String) {
    let (folder, graph) = (tempfile::tempdir().unwrap(), graph(text, 1));
    fs::write(folder.path().join("m.xml"), graph.xml).unwrap();
    fs::write(folder.path().join("m.bin"), graph.weights).unwrap();
    let out = ovlint(folder.path(), [&["inputs", "m.xml"], arguments].concat());
    assert_eq!(utf8(&out.stderr), "");
    (code(&out), utf8(&out.stdout))
}

fn answer(model: &str, shapes: &str) -> Value {
    let (_, text) = run(model, &["--format", "json", "--shape", shapes]);
    serde_json::from_str::<Value>(&text).unwrap()["answer"].clone()
}

const PYRAMID: &str = "models/feature_pyramid.xml";

#[test]
fn a_pyramid_of_pictures_takes_multiples_of_32() {
    let (code, text) = run(PYRAMID, &[]);
    assert_eq!(code, 0);
    insta::assert_snapshot!("inputs.pyramid", text);
}

#[test]
fn a_decoder_relates_inputs_and_states() {
    let (code, text) = run("models/kv_cache.xml", &[]);
    assert_eq!(code, 0);
    insta::assert_snapshot!("inputs.decoder", text);
}

#[test]
fn json_has_what_usually_holds_beside_what_is_required() {
    let constraints = |model: &str| {
        let (_, text) = run(model, &["--format", "json"]);
        let document: Value = serde_json::from_str(&text).unwrap();
        let all = document["constraints"].as_array().unwrap().clone();
        all.into_iter().map(|one| format!("{}: {}", one["strength"].as_str().unwrap(), one["expr"].as_str().unwrap()))
    };
    let decoder: Vec<String> = constraints("dynamic/decoder.xml").collect();
    let required = "required: attention_mask_seq == 1 or attention_mask_seq == seq + past or seq + past == 1";
    assert!(decoder.iter().any(|one| one == required), "{decoder:#?}");
    let expected: Vec<&str> = decoder.iter().filter_map(|one| one.strip_prefix("expected: ")).collect();
    assert_eq!(
        expected,
        [
            "batch == beam_idx_batch == position_ids_batch == attention_mask_batch",
            "seq == position_ids_seq",
            "past == past_key_past",
            "attention_mask_seq == seq + past"
        ]
    );
    assert!(constraints(PYRAMID).all(|one| one.starts_with("required: ")), "nothing is only usual there");
}

#[test]
fn a_static_model_says_that_its_inputs_are_fixed() {
    let (code, text) = run("models/split.xml", &[]);
    assert_eq!(code, 0);
    assert!(text.starts_with("inputs\n  data  f32[6,12,10,24]\noutputs\n"), "{text}");
    assert!(text.ends_with("all input shapes are fixed; use `--shape` to test other shapes\n"), "{text}");
    assert!(!text.contains("constraints"), "{text}");
}

#[test]
fn shapes_that_leave_lengths_open_are_asked_for_theirs() {
    let (code, text) = run("models/split.xml", &["--shape", "data[?,?,10,24]"]);
    assert_eq!(code, 0);
    assert!(text.starts_with("inputs\n  data  f32[batch, d1, 10, 24]\nconstraints\n"), "{text}");
    assert!(!text.contains("yes"), "{text}");
}

#[test]
fn lengths_that_fail_have_working_neighbours() {
    let (code, text) = run(PYRAMID, &["--shape", "images[2,3,640,650]"]);
    assert_eq!(code, 1);
    insta::assert_snapshot!("inputs.no", text);
    let both = answer(PYRAMID, "images[2,3,10,650]");
    let nearest: Vec<_> = both["nearest"].as_array().unwrap().iter().collect();
    let found: Vec<_> = nearest.iter().map(|one| (&one["name"], &one["below"], &one["above"])).collect();
    let number = Value::from;
    assert_eq!(found[0], (&"height".into(), &Value::Null, &number(32)));
    assert_eq!(found[1], (&"width".into(), &number(640), &number(672)));
}

#[test]
fn lengths_that_work_show_the_outputs() {
    let (code, text) = run(PYRAMID, &["--shape", "images[2,3,640,672]"]);
    assert_eq!(code, 0);
    let wanted = "yes: OpenVINO accepts images[2,3,640,672]\noutputs\n  mask       f32[2,2,640,672]\n";
    assert!(text.starts_with(wanted), "{text}");
}

/// What the verdict says is what `check --shape` finds, for every length.
#[test]
fn verdicts_are_those_of_inference() {
    for width in [1, 31, 32, 33, 63, 64, 95, 96, 640, 650] {
        let shapes = format!("images[1,3,64,{width}]");
        let check = ovlint(&root(), ["check", PYRAMID, "--shape", &shapes, "-qq"]);
        let (found, _) = run(PYRAMID, &["--shape", &shapes]);
        assert_eq!((found, found), (code(&check), i32::from(width % 32 != 0)), "{width}");
    }
}

#[test]
fn lengths_that_are_left_open_are_conditions() {
    let (code, text) = run("models/kv_cache.xml", &["--shape", "new_key[2,2,5,8]"]);
    assert_eq!(code, 0, "{text}");
    let wanted = "yes, OpenVINO accepts new_key[2,2,5,8] if\n  \
                  beam_idx_batch == 2  `cache` (Concat, line 165)\noutputs\n  head0  f32[2, 1, past + 5, 8]\n";
    assert!(text.starts_with(wanted), "{text}");
    let (code, text) = run("models/kv_cache.xml", &["--shape", "new_key[2,2,5,8],beam_idx[2]"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.starts_with("yes: OpenVINO accepts new_key[2,2,5,8],beam_idx[2]\noutputs\n"), "{text}");
    let (code, text) = run("models/kv_cache.xml", &["--shape", "new_key[2,2,5,8],beam_idx[3]"]);
    assert_eq!(code, 1, "{text}");
    let wanted = "no: the model does not work for new_key[2,2,5,8],beam_idx[3]\n  \
                  batch == beam_idx_batch, batch is 2, beam_idx_batch is 3  `cache` (Concat, line 165)\n";
    assert_eq!(text, wanted);
}

#[test]
fn what_no_constraint_explains_names_the_layer_that_breaks() {
    let (code, text) = run("models/split.xml", &["--shape", "data[5,12,10,24]"]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = run("models/split.xml", &["--shape", "data[6]"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.starts_with("no: the model does not work for data[6]\n  fails at `split_3` (Split), "), "{text}");
}

#[test]
fn shapes_that_do_not_fit_the_inputs_are_refused() {
    let out = ovlint(&root(), ["inputs", PYRAMID, "--shape", "image[1,3,32,32]"]);
    assert_eq!(code(&out), 2);
    let wanted =
        "ovlint: models/feature_pyramid.xml: --shape: the model has no input `image`; did you mean `images`?\n";
    assert_eq!(utf8(&out.stderr), wanted);
}

#[test]
fn demands_that_contradict_each_other_leave_no_shapes() {
    let split = |lengths: &str| format!("VariadicSplit-1(x, i64[] = 0, i64[2] = {lengths})*2");
    let text = format!("x = f32[?]; a = {}; Concat-1(a, {}.1) {{axis=0}}", split("1 2"), split("2 2"));
    let (code, text) = run_graph(&text, &[]);
    assert_eq!(code, 1, "{text}");
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("no shapes work: no sizes satisfy `VariadicSplit_"), "{text}");
    let (code, text) = run("bad/split-lengths-sum/model.xml", &[]);
    assert_eq!(code, 1);
    assert!(text.ends_with("no shapes work: the file has errors (run `ovlint check` for details)\n"), "{text}");
    // What ports declare keeps no model from working.
    let (code, text) = run("bad/declared-shape/model.xml", &[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("all input shapes are fixed"), "{text}");
}

#[test]
fn many_alike_states_share_a_row() {
    let mut text = String::from("x = f32[?,2,?,8];");
    for layer in 0..4 {
        use std::fmt::Write;
        let _ = write!(
            text,
            " s{layer} = ReadValue-6() {{variable_id=past.{layer}.key variable_shape=\"?,2,?,8\" variable_type=f32}}; \
             c{layer} = Concat-1(s{layer}, x) {{axis=2}};"
        );
    }
    text.push_str(" Concat-1(c0, c1, c2, c3) {axis=3}");
    let (code, text) = run_graph(&text, &[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("\nstates\n  past.*  f32[batch, 2, past, 8]  4 states\n"), "{text}");
    assert!(text.contains("  batch: the same in 5 inputs and states  `Concat_2` (Concat, line "), "{text}");
}

#[test]
fn where_several_lengths_are_wrong_together_each_that_would_do_has_its_nearest() {
    let text = "x = f32[?,4]; y = f32[?,4]; z = f32[?,4]; Add-1(Concat-1(x, y) {axis=0}, z) {auto_broadcast=none}";
    let (code, answer) = run_graph(text, &["--shape", "Parameter_0[2,4],Parameter_1[3,4],Parameter_2[6,4]"]);
    assert_eq!(code, 1);
    let nearest: Vec<&str> = answer.lines().filter(|line| line.starts_with("the nearest")).collect();
    assert_eq!(
        nearest,
        [
            "the nearest size of batch that works is 3",
            "the nearest size of Parameter_1_batch that works is 4",
            "the nearest size of Parameter_2_batch that works is 5"
        ],
        "{answer}"
    );
}

#[test]
fn lengths_of_states_that_shapes_decide_are_conditions() {
    let shapes = |mask: i64| {
        let shapes = format!("input_ids[1,4],attention_mask[1,{mask}],position_ids[1,4],beam_idx[1]");
        run("dynamic/decoder.xml", &["--shape", &shapes])
    };
    let (code, answer) = shapes(6);
    assert_eq!(code, 0);
    assert!(answer.contains(" if\n  past == past_key_past  `attention`"), "{answer}");
    assert!(answer.contains("  past == 2              `attention`"), "{answer}");
    // No past is as short as that.
    let (code, answer) = shapes(3);
    assert_eq!(code, 1, "{answer}");
    assert!(answer.starts_with("no: "), "{answer}");
}

#[test]
fn pads_as_far_as_numbers_go_are_said_right_or_not_at_all() {
    let padded = |by: i64| format!("Pad-1(x, i64[2] = {by} 0, i64[2] = 0 0, f32[] = 0) {{pad_mode=constant}}");
    // The lowest number has no counterpart of the other sign, so nothing is said of what it is added to.
    for (by, least) in
        [(i64::MIN, None), (i64::MIN + 1, Some("batch >= 9223372036854775807")), (-4, Some("batch >= 4"))]
    {
        let (code, text) = run_graph(&format!("x = f32[?,4]; {}", padded(by)), &["--format", "json"]);
        let document: Value = serde_json::from_str(&text).unwrap();
        let said: Vec<&str> =
            document["constraints"].as_array().unwrap().iter().map(|one| one["expr"].as_str().unwrap()).collect();
        assert_eq!((code, said), (0, Vec::from_iter(least)), "{by}: {text}");
        for beside in ["Add-1(p, y)", "Add-1(y, p)", "Concat-1(p, y) {axis=1}", "Concat-1(y, p) {axis=1}"] {
            let (code, text) = run_graph(&format!("x = f32[?,4]; y = f32[?,4]; p = {}; {beside}", padded(by)), &[]);
            assert!(code == 0 && !text.contains("-922") && !text.contains("internal-error"), "{by} {beside}: {text}");
        }
    }
}

/// The demands on the inputs of a graph, and whether these are all.
fn demanded(text: &str) -> (Vec<String>, bool) {
    let (_, text) = run_graph(text, &["--format", "json"]);
    let document: Value = serde_json::from_str(&text).unwrap();
    let constraints = document["constraints"].as_array().unwrap().iter();
    let said =
        constraints.filter(|one| one["strength"] == "required").map(|one| one["expr"].as_str().unwrap().to_owned());
    (said.collect(), document["complete"] == true)
}

#[test]
fn sizes_that_are_calculated_are_not_negative() {
    let less = "x = f32[?]; y = f32[1]; s = ShapeOf-3(x) {output_type=i64}; n = Subtract-1(s, i64[1] = 10)";
    for layer in [
        "Tile-1(y, n)",
        "Broadcast-3(y, n) {mode=numpy}",
        "Interpolate-11(y, n, i64[1] = 0) {mode=nearest shape_calculation_mode=sizes}",
    ] {
        assert_eq!(demanded(&format!("{less}; {layer}")), (vec!["batch >= 10".to_owned()], true), "{layer}");
    }
    let negative = "x = f32[?,?]; s = ShapeOf-3(x) {output_type=i64}; b = Gather-8(s, i64[1] = 0, i64[] = 0) {batch_dims=0}; n = Negative-1(b); \
                    t = Concat-1(n, i64[1] = -1) {axis=0}; Reshape-1(x, t) {special_zero=true}";
    let (said, _) = demanded(negative);
    assert!(said.contains(&"batch == 0".to_owned()), "{said:?}");
}

#[test]
fn what_wraps_beyond_64_bits_is_left_open() {
    let length = "x = f32[?]; y = f32[?,3]; s = ShapeOf-3(x) {output_type=i64}";
    let sized = "Interpolate-11(y, n, i64[1] = 0) {mode=nearest shape_calculation_mode=sizes}";
    for rest in [
        "z = f32[?]; n = Multiply-1(s, i64[1] = 9223372036854775807); Pad-1(z, n, i64[1] = 3, f32[] = 0) {pad_mode=constant}",
        &format!("n = Add-1(s, i64[1] = 9223372036854775807); {sized}"),
        &format!("l = Add-1(s, i64[1] = 9223372036854775807); n = Divide-1(l, i64[1] = 5); {sized}"),
        "VariadicSplit-1(x, i64[] = 0, i64[2] = 9223372036854775807 3)",
    ] {
        assert_eq!(demanded(&format!("{length}; {rest}")), (Vec::new(), false), "{rest}");
    }
}

#[test]
fn a_model_that_works_for_empty_inputs_alone_is_not_said_to_work_for_none() {
    let text = "x = f32[1,?,2]; Reshape-1(x, i64[3] = 0 1 2) {special_zero=false}";
    let (code, text) = run_graph(text, &[]);
    assert!(code == 0 && text.contains("seq == 0") && !text.contains("no shapes work"), "{text}");
    assert!(!text.contains("lengths are taken to be"), "{text}");
}

/// A `ReLU`, of which one thing in the text is written differently.
fn relu(from: &str, to: &str) -> String {
    let port = |id: u8| format!("<port id=\"{id}\" precision=\"FP32\"><dim>-1</dim><dim>4</dim></port>");
    let text = format!(
        "<net name=\"m\" version=\"11\"><layers>\
         <layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"?,4\" element_type=\"f32\"/>\
         <output>{0}</output></layer>\
         <layer id=\"1\" name=\"r\" type=\"ReLU\" version=\"opset1\"><input>{0}</input><output>{1}</output></layer>\
         <layer id=\"2\" name=\"out\" type=\"Result\" version=\"opset1\"><input>{0}</input></layer></layers><edges>\
         <edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>\
         <edge from-layer=\"1\" from-port=\"1\" to-layer=\"2\" to-port=\"0\"/></edges></net>",
        port(0),
        port(1)
    );
    assert!(text.contains(from), "{from}");
    text.replace(from, to)
}

/// Exit code, stdout and stderr of a command about a model in a file.
fn command(text: &str, arguments: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.xml"), text).unwrap();
    let out = ovlint(folder.path(), [arguments, &["m.xml"]].concat());
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

#[test]
fn errors_that_openvino_ignores_keep_no_shapes_from_working() {
    for (rule, text) in [
        ("declared-precision", relu("<port id=\"1\" precision=\"FP32\"", "<port id=\"1\" precision=\"FP16\"")),
        ("xml-trailing-content", relu("</net>", "</net><extra/>")),
        ("xml-duplicate-attribute", relu("name=\"r\"", "name=\"r\" name=\"s\"")),
    ] {
        let (_, found, _) = command(&text, &["check", "--shape", "x[2,4]"]);
        assert!(found.contains(&format!("error[{rule}]")), "{found}");
        for said in ["breaks first", "pinned by"] {
            assert!(!found.contains(said), "{rule}: {found}");
        }
        let (code, answer, _) = command(&text, &["inputs", "--shape", "x[2,4]"]);
        assert!(code == 0 && answer.starts_with("yes: OpenVINO accepts x[2,4]\n"), "{rule}: {answer}");
        for name in ["shapes", "cost"] {
            let (code, _, stderr) = command(&text, &[name, "--shape", "x[2,4]"]);
            assert_eq!((code, stderr.as_str()), (0, ""), "{rule} {name}");
        }
    }
    let (code, text) = run("bad/duplicate-port-id/model.xml", &["--shape", "data[3,12]"]);
    assert!(code == 0 && text.starts_with("yes: "), "{text}");
}

#[test]
fn a_file_that_openvino_refuses_works_for_no_shapes() {
    let refused = |line: &str| format!("OpenVINO refuses the file whatever the input shapes: {line}");
    for (text, line) in [
        (relu("ReLU", "Relv"), "`r` (Relv), line 1: `Relv` is not an operation of opset1, nor of any other opset"),
        (relu("<dim>4</dim>", "<dim>?</dim>"), "line 1: `<dim>?</dim>` is not an integer >= -1"),
    ] {
        let (code, answer, _) = command(&text, &["inputs", "--shape", "x[2,4]"]);
        let wanted = format!("no: the model does not work for x[2,4]\n  {}\n", refused(line));
        assert_eq!((code, answer), (1, wanted));
        let (code, _, stderr) = command(&text, &["shapes", "--shape", "x[2,4]"]);
        assert_eq!((code, stderr), (1, format!("ovlint: {}\n", refused(line))));
        let (_, found, _) = command(&text, &["check", "--shape", "x[2,4]"]);
        assert!(!found.contains("breaks first"), "{found}");
    }
}

/// The first prompt: the states are empty.
#[test]
fn shapes_may_leave_a_state_empty() {
    let shapes = "input_ids[2,2],attention_mask[2,2],beam_idx[2]";
    let (code, text) = run("bad/genai-logits/model.xml", &["--shape", shapes]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("past == 0"), "{text}");
}

#[test]
fn fixed_dimensions_that_do_not_work_have_their_constraint_and_working_neighbours() {
    let text = "x = f32[1,3,64,64]; f = MaxPool-1(x) {strides=2,2 kernel=2,2 pads_begin=0,0 pads_end=0,0}; \
                Reshape-1(f, i64[2] = 1 3072) {special_zero=false}";
    let (code, said) = run_graph(text, &["--shape", "[1,3,64,80]"]);
    assert_eq!(code, 1);
    let wanted = "no: the model does not work for [1,3,64,80]\n  64 <= d3 <= 65, d3 is 80  `Reshape_";
    assert!(said.starts_with(wanted), "{said}");
    assert!(said.ends_with("\nthe nearest size of d3 that works is 65\n"), "{said}");
    let (code, said) = run_graph(text, &["--shape", "[1,3,65,64]"]);
    assert_eq!((code, said.lines().next()), (0, Some("yes: OpenVINO accepts [1,3,65,64]")));
}

#[test]
fn ports_that_declare_other_shapes_break_nothing() {
    let split = |of: &str| format!("VariadicSplit-1({of}, i64[] = 1, k)*2");
    let text = format!(
        "x = f32[1,64,8]; k = i64[2] = 32 32; a = Relu-1({}); b = Relu-1({}); Reshape-1(x, i64[2] = 8 64) {{special_zero=false}}",
        split("x"),
        split("x"),
    )
    .replace("Relu", "ReLU");
    let (code, said) = run_graph(&text, &["--shape", "[1,64,9]", "--format", "json"]);
    let answer = &serde_json::from_str::<Value>(&said).unwrap()["answer"];
    assert_eq!(code, 1);
    let error = answer["error"].as_str().unwrap();
    assert!(error.contains("(Reshape)") && error.contains("576 elements do not fit the shape [8,64]"), "{error}");
}

#[test]
fn boxes_that_all_classes_share_demand_no_number_of_classes() {
    let output = "DetectionOutput-8(Concat-1(x, x, x, x) {axis=1}, Concat-1(x, x) {axis=1}, f32[1,2,?]) \
                  {background_label_id=0 top_k=400 keep_top_k=200 code_type=caffe.PriorBoxParameter.CENTER_SIZE \
                  share_location=true nms_threshold=0.5 normalized=true}";
    let (code, said) = run_graph(&format!("x = f32[1,?]; {output}"), &[]);
    assert_eq!(code, 0, "{said}");
    assert!(!said.contains("contradiction"), "{said}");
}

#[test]
fn clauses_that_always_hold_are_no_constraints() {
    // The last dimension of the Reshape is 5, or 0 where there are no elements: both broadcast with `f32[5]`.
    let text = "x = f32[?,?,5]; s = ShapeOf-3(x) {output_type=i64}; \
                two = Gather-8(s, i64[2] = 0 1, i64[] = 0) {batch_dims=0}; \
                r = Reshape-1(x, Concat-1(two, i64[1] = -1) {axis=0}) {special_zero=false}; \
                Add-1(r, f32[5]) {auto_broadcast=numpy}";
    let (code, said) = run_graph(text, &["--format", "json"]);
    assert_eq!(code, 0);
    let document: Value = serde_json::from_str(&said).unwrap();
    let all = document["constraints"].as_array().unwrap();
    assert!(all.iter().all(|one| !one["expr"].as_str().unwrap().contains("min(")), "{all:#?}");
    assert!(all.iter().all(|one| one["strength"] == "required"), "{all:#?}");
}
