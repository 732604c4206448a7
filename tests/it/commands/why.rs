//! `ovlint why`: where every dimension comes from.

mod operations;

use crate::ir_builder::Ir;
use crate::program::{code, ovlint, root, utf8};
use operations::{ints, reasons, scalar};
use ovlint::internal::ir::OutputRef;
use ovlint::internal::query::names::Tensor;
use ovlint::internal::query::why::{How, Reason};
use ovlint::internal::{Model, Options};
use std::path::{Path, PathBuf};

#[test]
fn without_a_name_the_ends_are_named() {
    for command in ["why", "inspect"] {
        let out = ovlint(&root(), [command, "models/split.xml"]);
        assert_eq!(code(&out), 2);
        let want = "ovlint: name a layer or a tensor of the model, such as `part0`, `part1`, `part2`, `data`\n";
        assert_eq!(utf8(&out.stderr), want);
    }
}

/// Whatever is asked of whatever tensor of the samples, everything ends at something that needs no reason.
#[test]
fn every_tensor_of_the_samples_has_reasons() {
    for folder in ["models", "bad"] {
        for path in below(&root().join(folder)) {
            let Ok(model) = Model::open(&path, &Options::default()) else { continue };
            let (Some(net), Some(facts)) = (model.net(), model.facts()) else { continue };
            for (layer, _) in net.graph.entries() {
                for (output, fact) in (0_u32..).zip(facts.outputs(layer)) {
                    let tensor = Tensor { path: Vec::new(), output: OutputRef { layer, output } };
                    let why = ovlint::internal::why(&model, &tensor, 100).unwrap();
                    assert_eq!(why.reasons.len(), fact.rank().unwrap_or(1) + 1, "{}", path.display());
                    why.reasons.iter().for_each(ends);
                }
            }
        }
    }
}

/// The XML files below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] });
    all.filter(|path| path.extension().is_some_and(|ending| ending == "xml")).collect()
}

fn ends(reason: &Reason) {
    let is_leaf = !matches!(reason.how, How::Agreed | How::Body);
    assert!(is_leaf || reason.from.len() > 1, "{reason:?}");
    assert!(reason.layer.line > 0);
    reason.from.iter().for_each(ends);
}

#[test]
fn trees_of_the_samples() {
    for (name, model, tensor) in [
        ("detector", "models/detector.xml", "flat"),
        ("attention", "models/attention.xml", "with_input"),
        ("loop", "models/control_flow.xml", "loop:1"),
        ("body", "models/control_flow.xml", "if/then_body/then_sum"),
        ("cache", "models/kv_cache.xml", "cache"),
        ("unknown", "models/dynamic.xml", "split_unknown_axis"),
        ("assumed", "bad/split-lengths-sum/model.xml", "vsplit"),
        ("attributes", "bad/split-not-divisible/model.xml", "split"),
    ] {
        let out = ovlint(&root(), ["why", model, tensor]);
        assert_eq!((code(&out), utf8(&out.stderr)), (0, String::new()), "{name}");
        insta::assert_snapshot!(format!("why.{name}"), utf8(&out.stdout));
    }
    let out = ovlint(&root(), ["why", "models/split.xml", "part1", "--format", "json"]);
    insta::assert_snapshot!("why.json", utf8(&out.stdout));
    let out = ovlint(&root(), ["why", "models/attention.xml", "with_input", "--depth", "1"]);
    let more = "  not everything is shown; use --depth N to follow more steps, NAME[N] explains one dimension\n";
    assert!(utf8(&out.stdout).ends_with(more), "{}", utf8(&out.stdout));
}

#[test]
fn one_dimension_is_explained_alone() {
    let why = |name: &'static str| {
        let out = ovlint(&root(), ["why", "models/shape_of_split.xml", name]);
        (code(&out), utf8(&out.stdout), utf8(&out.stderr))
    };
    let wanted = "vsplit:0  f32[1..8,4,?]  (VariadicSplit, models/shape_of_split.xml:122)\n\
        \x20 dim 1 = 4 <- third[0]  Divide, line 74, 12 / 3 = 4, through lengths\n\
        \x20     data dim 1 = 12    Parameter, line 5, through channels, shape\n\
        \x20     three[0] = 3       Const, line 67, shape_of_split.bin bytes 16..24\n";
    assert_eq!(why("vsplit:0[1]"), (0, wanted.to_owned(), String::new()));
    assert_eq!(why("vsplit:0[-2]").1, wanted);
    let refused = |message: &str| (2, String::new(), format!("ovlint: {message}\n"));
    assert_eq!(why("vsplit:0[3]"), refused("`vsplit:0` has no dimension 3, only 0 to 2"));
    assert_eq!(why("vsplit:0[-4]"), refused("`vsplit:0` has no dimension -4, only 0 to 2"));
    assert_eq!(why("vsplot[1]"), refused("the model has no layer or tensor `vsplot`; did you mean `vsplit`?"));
}

#[test]
fn a_layer_with_an_error_is_explained_though_its_outputs_are_known() {
    let mut ir = Ir::default();
    let (data, shape) = (ir.parameter("f32", "2,9,32"), ints(&mut ir, &[0, 0, 5, 8]));
    let reshape = ir.layer("Reshape", "opset1", "<data special_zero=\"true\"/>", &[data, shape], 1);
    let relu = ir.layer("ReLU", "opset1", "", &[reshape], 1);
    ir.result(relu);
    let (folder, (xml, bin)) = (tempfile::tempdir().unwrap(), ir.finish());
    std::fs::write(folder.path().join("m.xml"), xml).unwrap();
    std::fs::write(folder.path().join("m.bin"), bin).unwrap();
    let told = utf8(&ovlint(folder.path(), ["why", "m.xml", "Reshape_2"]).stdout);
    let wanted = "  error: 576 elements do not fit the shape [0,0,5,8], which has 720 [shape-conflict]\n\
        \x20   data  f32[2,9,32]          <- Parameter_0 (Parameter)\n\
        \x20   shape  i64[4] = [0,0,5,8]  <- Const_1 (Const)\n\
        \x20   special_zero=true\n\
        \x20 it depends on\n";
    assert!(told.contains(wanted), "{told}");
    assert!(told.contains("\n    Const_1[2] = 5          Const, line 4, m.bin bytes 16..24\n"), "{told}");
    assert!(told.contains("\n  the rest is inferred despite the error\n"), "{told}");
    let inspected = utf8(&ovlint(folder.path(), ["inspect", "m.xml", "Reshape_2"]).stdout);
    assert!(inspected.contains("\n  error in `Reshape_2` (Reshape, line 5): 576 elements do not fit"), "{inspected}");
    let below = utf8(&ovlint(folder.path(), ["why", "m.xml", "ReLU_3"]).stdout);
    assert!(!below.contains("error"), "{below}");
}

#[test]
fn lines_keep_within_the_terminal() {
    let why = |columns: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ovlint"));
        let arguments = ["why", "bad/split-lengths-sum/model.xml", "vsplit"];
        utf8(&command.args(arguments).current_dir(root()).env("COLUMNS", columns).output().unwrap().stdout)
    };
    let (narrow, wide) = (why("60"), why("200"));
    assert!(narrow.lines().skip(1).all(|line| line.chars().count() <= 60), "{narrow}");
    assert_eq!(narrow.split_whitespace().collect::<Vec<_>>(), wide.split_whitespace().collect::<Vec<_>>());
    assert!(narrow.lines().count() > wide.lines().count());
}

#[test]
fn unknown_names_are_guessed() {
    for (tensor, wanted) in [
        ("splt_3", "the model has no layer or tensor `splt_3`; did you mean `split_3`?"),
        ("split_3:9", "`split_3` has no output 9, only outputs 0 to 2"),
        ("zzz\u{1b}", "the model has no layer or tensor `zzz\\u{1b}`; `ovlint shapes --consts` lists all"),
    ] {
        let out = ovlint(&root(), ["why", "models/split.xml", tensor]);
        assert_eq!((code(&out), utf8(&out.stdout)), (2, String::new()));
        assert_eq!(utf8(&out.stderr), format!("ovlint: {wanted}\n"));
    }
    let out = ovlint(&root(), ["why", "models/control_flow.xml", "then_sum"]);
    let wanted = "ovlint: the model has no layer or tensor `then_sum`; did you mean `if/then_body/then_sum`?\n";
    assert_eq!(utf8(&out.stderr), wanted);
}

#[test]
fn a_loop_that_may_not_run_is_not_what_its_body_gives() {
    let mut ir = Ir::default();
    let (trips, runs) = (ir.parameter("i64", ""), scalar(&mut ir, 1.0));
    let rows = ir.parameter("f32", "0,7");
    let mut body = ir.body();
    let state = body.parameter("f32", "?,7");
    let row = body.constant("f32", &[1, 7], &[0.0; 7]);
    let more = body.layer("Concat", "opset1", "<data axis=\"0\"/>", &[state, row], 1);
    let (next, goes_on) = (body.result(more), scalar(&mut body, 1.0));
    let goes_on = body.result(goes_on);
    let body = ir.close("body", body);
    let map = format!(
        "<port_map><input external_port_id=\"2\" internal_layer_id=\"{0}\"/><output external_port_id=\"3\" \
         internal_layer_id=\"{next}\"/><output external_port_id=\"-1\" internal_layer_id=\"{goes_on}\" \
         purpose=\"execution_condition\"/></port_map><back_edges><edge from-layer=\"{next}\" to-layer=\"{0}\"/></back_edges>",
        state.0
    );
    let host = ir.layer("Loop", "opset5", &(map + &body), &[trips, runs, rows], 1);
    // Without a row there are none; the body alone always gives one.
    assert_eq!(reasons(ir, host)[0], "? = Loop_3/body/Concat_2 dim 0 1..");
}

#[test]
fn what_no_port_declares_is_not_said_to_be_declared() {
    let model = "bad/extension-required/model.xml";
    let told = |flags: &[&'static str]| {
        let arguments = ["why", model, "casefold"].into_iter().chain(flags.iter().copied());
        crate::program::utf8(&crate::program::ovlint(&crate::program::root(), arguments).stdout)
    };
    assert!(told(&[]).contains("  dims 0..1 = 2,6  CaseFold, line 13, as the file declares\n"));
    let other = told(&["--shape", "x[3,6]"]);
    assert!(other.contains("  dims 0..1 = ?,?  CaseFold, line 13, not known\n"), "{other}");
    assert!(other.contains("  type = f32       CaseFold, line 13, as the file declares\n"), "{other}");
    let json: serde_json::Value = serde_json::from_str(&told(&["--shape", "x[3,6]", "--format", "json"])).unwrap();
    assert_eq!((&json["reasons"][0]["how"], &json["reasons"][2]["how"]), (&"unknown".into(), &"declared".into()));
}

#[test]
fn open_dimensions_are_expressed_on_every_step() {
    let run = |arguments: &[&str]| {
        let out = ovlint(&root(), [&["why", "models/kv_cache.xml"], arguments].concat());
        assert_eq!(code(&out), 0, "{}", utf8(&out.stderr));
        utf8(&out.stdout)
    };
    let text = run(&["cache[2]"]);
    for line in ["  dim 2 = d2 + past ", "      past dim 2 = past ", "      new_key dim 2 = d2 "] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let json: serde_json::Value = serde_json::from_str(&run(&["cache", "--format", "json"])).unwrap();
    let dim = |axis: usize| (json["reasons"][axis]["value"].clone(), json["reasons"][axis]["symbolic"].clone());
    assert_eq!(dim(2), ("?".into(), "d2 + past".into()));
    assert_eq!(dim(3), ("8".into(), serde_json::Value::Null));
    // With shapes that leave nothing open, there is nothing to express.
    assert!(run(&["cache[0]", "--shape", "new_key[2,2,1,8],beam_idx[2]"]).contains("dim 0 = 2"));
}

#[test]
fn dimensions_that_data_decides_are_not_expressed() {
    let text = why_of("x = f32[?]; NonZero-3(x) {output_type=i64}");
    assert!(text.contains("dim 1 = "), "{text}");
    assert!(!text.contains("dim 1 = u"), "{text}");
}

/// What `why` prints about the last layer of a graph in one line.
fn why_of(text: &str) -> String {
    let (folder, graph) = (tempfile::tempdir().unwrap(), crate::graph_notation::graph(text, 1));
    std::fs::write(folder.path().join("m.xml"), graph.xml).unwrap();
    std::fs::write(folder.path().join("m.bin"), graph.weights).unwrap();
    utf8(&ovlint(folder.path(), ["why", "m.xml", &format!("NonZero_{}", graph.layer)]).stdout)
}

#[test]
fn the_origin_of_a_symbol_comes_first() {
    let mut ir = Ir::default();
    let ids = ir.parameter("f32", "?,?");
    let mut last = ids;
    for _ in 0..64 {
        let twice = ir.layer("Concat", "opset1", "<data axis=\"1\"/>", &[last, ids], 1);
        last = ir.layer("ReLU", "opset1", "", &[twice], 1);
    }
    ir.result(last);
    let (folder, (xml, bin)) = (tempfile::tempdir().unwrap(), ir.finish());
    std::fs::write(folder.path().join("m.xml"), xml).unwrap();
    std::fs::write(folder.path().join("m.bin"), bin).unwrap();
    let why = |arguments: &[&str]| utf8(&ovlint(folder.path(), [&["why", "m.xml"], arguments].concat()).stdout);
    let text = why(&["ReLU_128"]);
    let first: Vec<&str> = text.lines().skip(1).take(2).collect();
    assert_eq!(
        first,
        ["  `batch` is dim 0 of input `Parameter_0`", "  `seq` is dim 1 of input `Parameter_0`"],
        "{text}"
    );
    let only = why(&["ReLU_128[1]"]);
    assert!(only.contains("\n  `seq` is dim 1 of input") && !only.contains("`batch` is"), "{only}");
    let input = why(&["Parameter_0"]);
    assert!(!input.contains(" is dim "), "the tree of an input already says so: {input}");
    let json: serde_json::Value = serde_json::from_str(&why(&["ReLU_128", "--format", "json"])).unwrap();
    let symbol = |name: &str, dim: usize| serde_json::json!({ "name": name, "layer": "0", "dim": dim, "input": "Parameter_0", "range": "?" });
    assert_eq!(json["symbols"], serde_json::json!([symbol("batch", 0), symbol("seq", 1)]));
    let state = ovlint(&root(), ["why", "models/kv_cache.xml", "cache[2]"]);
    assert!(utf8(&state.stdout).contains("\n  `past` is dim 2 of variable `"), "{}", utf8(&state.stdout));
}
