//! `--extension-ops`: operations whose outputs a user states.

use crate::ir_builder::{Ir, Output};
use crate::program::{code, findings, ovlint, root, utf8};
use ovlint::internal::diagnostic::{Diagnostic, Severity};
use ovlint::internal::ir::LayerId;
use ovlint::internal::ops::extension::{ExtensionOps, Stated};
use ovlint::internal::{Limits, Model, Options, Weights};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Options that state outputs of operations.
fn stating(rules: &[(&str, &[&str])]) -> Options {
    let rules = (1..).zip(rules).map(|(line, (name, outputs))| {
        let outputs = outputs.iter().map(|text| text.parse().unwrap()).collect();
        ((*name).to_owned(), Stated { line, outputs })
    });
    let extension_ops = Some(ExtensionOps::new("some/where/ops.toml", rules.collect::<BTreeMap<_, _>>()));
    Options { extension_ops, ..Options::default() }
}

fn model(ir: Ir, options: &Options) -> Model {
    let (xml, weights) = ir.finish();
    Model::from_bytes("m.xml", xml, Weights::in_memory(weights), options).unwrap()
}

/// The findings that matter: ports of these models declare nothing.
fn found(model: &Model) -> impl Iterator<Item = &Diagnostic> {
    model.findings().iter().filter(|finding| finding.severity > Severity::Info)
}

/// Their rules and messages.
fn told(model: &Model) -> Vec<String> {
    found(model).map(|finding| format!("{}: {}", finding.rule.name, finding.message.shown())).collect()
}

/// The outputs of a layer, and whether each is assumed.
fn outputs(model: &Model, of: Output) -> Vec<(String, bool)> {
    let facts = model.facts().unwrap().outputs(LayerId::new(of.0));
    facts.iter().map(|fact| (fact.to_string(), fact.assumed)).collect()
}

const UNPACK: (&str, &[&str]) = ("extension.StringTensorUnpack", &["i32[in0.shape]", "i32[in0.shape]", "u8[?]"]);

/// Text that an extension takes apart, and a layer behind that.
fn unpacked() -> (Ir, Output, Output) {
    let mut ir = Ir::default();
    let text = ir.parameter("string", "2,?");
    let unpack = ir.layer("StringTensorUnpack", "extension", "", &[text], 3);
    let relu = ir.layer("Negative", "opset1", "", &[Output(unpack.0, 1)], 1);
    for end in [relu, unpack, Output(unpack.0, 2)] {
        ir.result(end);
    }
    (ir, unpack, relu)
}

#[test]
fn what_is_stated_counts_as_inferred() {
    let (ir, unpack, negative) = unpacked();
    let model = model(ir, &stating(&[UNPACK]));
    assert_eq!(told(&model), [""; 0]);
    let known = |text: &str| (text.to_owned(), false);
    assert_eq!(outputs(&model, unpack), [known("i32[2,?]"), known("i32[2,?]"), known("u8[?]")]);
    assert_eq!(outputs(&model, negative), [known("i32[2,?]")]);
}

#[test]
fn without_a_rule_outputs_are_assumed_and_the_library_is_reported() {
    for options in [Options::default(), stating(&[("extension.stringtensorunpack", UNPACK.1)])] {
        let (ir, unpack, negative) = unpacked();
        let model = model(ir, &options);
        assert_eq!(told(&model), ["extension-required: StringTensorUnpack (extension) needs openvino_tokenizers"]);
        assert!(outputs(&model, unpack).iter().all(|(text, _)| text == "dynamic[...]"));
        assert_eq!(outputs(&model, negative), [("dynamic[...]".to_owned(), true)]);
    }
}

#[test]
fn any_operation_that_is_not_openvinos_own_can_be_stated() {
    for (ty, version) in [("Mine", "com.acme"), ("Mine", "extension"), ("Mine", "opset1"), ("RMS", "ie_internal_opset")]
    {
        let mut ir = Ir::default();
        let x = ir.parameter("f32", "2,3");
        let mine = ir.layer(ty, version, "<data scale=\"2\"/>", &[x], 1);
        ir.result(mine);
        let model = model(ir, &stating(&[(&format!("{version}.{ty}"), &["in0.type[in0.dims[-1]]"])]));
        assert_eq!(
            (told(&model), outputs(&model, mine)),
            (Vec::new(), vec![("f32[3]".to_owned(), false)]),
            "{version}"
        );
    }
}

#[test]
fn layers_that_a_rule_does_not_fit_are_reported() {
    for (rule, message, mark) in [
        (
            ["i32[in0.shape]", "in2.type[1]", "u8[?]"].as_slice(),
            "wrong-input-count: the shape of `StringTensorUnpack_1` (StringTensorUnpack) is taken from in2, the layer has 1 input",
            "<layer ",
        ),
        (
            &["i32[1]", "i32[in0.dims[2]]", "u8[?]"],
            "input-rank: the shape of StringTensorUnpack is taken from in0.dims[2], input 0 is string[2,?]",
            "<port ",
        ),
        (
            &["i32[1]", "i32[1]"],
            "wrong-output-count: `StringTensorUnpack_1` declares 3 outputs, StringTensorUnpack produces 2",
            "<port ",
        ),
    ] {
        let (ir, unpack, _) = unpacked();
        let model = model(ir, &stating(&[(UNPACK.0, rule)]));
        assert_eq!(told(&model), [message]);
        let finding = found(&model).next().unwrap();
        assert!(model.source().text(finding.primary.span).starts_with(mark), "{message}");
        let note = match rule.get(1..) {
            Some([second, _]) => format!("output 1 is stated as `{second}` in ops.toml:1"),
            _ => "ops.toml:1 states 2 outputs".to_owned(),
        };
        assert!(crate::notes(finding).contains(&note), "{:?}", crate::notes(finding));
        assert_eq!(outputs(&model, unpack).iter().all(|(_, assumed)| *assumed), rule.len() == 3);
    }
}

#[test]
fn shapes_that_double_meet_a_limit() {
    let mut ir = Ir::default();
    let mut last = ir.parameter("f32", "2,3");
    for _ in 0..40 {
        last = ir.layer("Twice", "extension", "", &[last], 1);
    }
    ir.result(last);
    let model = model(ir, &stating(&[("extension.Twice", &["f32[in0.shape, in0.shape]"])]));
    assert_eq!(told(&model), [format!("limit-exceeded: output 0 has more than {} dimensions", Limits::default().rank)]);
}

#[test]
fn bodies_know_what_is_stated() {
    let mut ir = Ir::default();
    let condition = ir.parameter("boolean", "");
    let x = ir.parameter("f32", "2,3");
    let mut parts = String::new();
    for kind in ["then", "else"] {
        let mut body = ir.body();
        let data = body.parameter("f32", "2,3");
        let mine = body.layer("Mine", "extension", "", &[data], 1);
        let end = body.result(mine);
        let port_map = format!(
            "<{kind}_port_map><input external_port_id=\"1\" internal_layer_id=\"0\"/>\
             <output external_port_id=\"2\" internal_layer_id=\"{end}\"/></{kind}_port_map>"
        );
        parts += &port_map;
        parts += &ir.close(&format!("{kind}_body"), body);
    }
    let choice = ir.layer("If", "opset8", &parts, &[condition, x], 1);
    ir.result(choice);
    let model = model(ir, &stating(&[("extension.Mine", &["i64[in0.dims[1], 7]"])]));
    assert_eq!((told(&model), outputs(&model, choice)), (Vec::new(), vec![("i64[3,7]".to_owned(), false)]));
}

/// A folder with a model of an extension's `CaseFold`, and a rule by which it has one more dimension than it declares.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = root().join("bad/extension-required/model.xml");
    fs::copy(sample, folder.path().join("model.xml")).unwrap();
    fs::write(folder.path().join("right.toml"), "[op.'extension.CaseFold']\noutputs = ['f32[in0.shape]']\n").unwrap();
    fs::write(folder.path().join("ops.toml"), "\n[op.'extension.CaseFold']\noutputs = ['f32[in0.shape, 4]']\n")
        .unwrap();
    folder
}

/// Exit code, stdout and stderr of a run.
fn run(folder: &Path, arguments: &str) -> (i32, String, String) {
    let out = ovlint(folder, arguments.split_whitespace());
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

#[test]
fn declared_shapes_are_held_against_what_is_stated() {
    let folder = folder();
    let found = findings(folder.path(), ["check", "model.xml", "--extension-ops", "ops.toml"]);
    let roots: Vec<_> = found.iter().filter(|finding| finding["consequence_of"].is_null()).collect();
    assert_eq!(roots.len(), 1, "{found:?}");
    assert_eq!((&roots[0]["rule"], &roots[0]["inferred"]), (&"declared-shape".into(), &"f32[2,6,4]".into()));
    let (_, out, _) = run(folder.path(), "check model.xml --extension-ops ops.toml");
    assert!(out.contains("   = note: output 0 is stated as `f32[in0.shape, 4]` in ops.toml:2\n"), "{out}");
    // A repair is proven by the same rules.
    assert_eq!(run(folder.path(), "check model.xml --extension-ops ops.toml --fix -qq").0, 0);
    let (code, out, _) = run(folder.path(), "check model.xml --extension-ops ops.toml --verbose --fail-on warning");
    assert_eq!(code, 0, "{out}");
    let wanted = "model.xml: outputs of 1 layer stated by the user\n    13  casefold  CaseFold (extension)  f32[2,6,4]  by ops.toml:2\n\n";
    assert!(out.starts_with(wanted), "{out}");
    assert!(
        out.ends_with("no problems\n  1 extension op inferred by the rules in ops.toml; `-v` lists them\n"),
        "{out}"
    );
}

#[test]
fn the_configuration_names_the_file_from_where_it_is() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("sub")).unwrap();
    fs::rename(path.join("model.xml"), path.join("sub/model.xml")).unwrap();
    fs::write(path.join("ovlint.toml"), "extension-ops = 'ops.toml'").unwrap();
    let rules = |flags: &str| {
        let found = findings(path, format!("check sub/model.xml {flags}").split_whitespace());
        found.first().map(|finding| finding["rule"].as_str().unwrap().to_owned())
    };
    assert_eq!(rules("").as_deref(), Some("declared-shape"));
    assert_eq!(rules("--isolated").as_deref(), Some("extension-required"));
    assert_eq!(rules("--extension-ops right.toml"), None);
    let inside = findings(&path.join("sub"), ["check", "model.xml"]);
    assert_eq!(inside[0]["rule"], "declared-shape");
    let (_, shown, _) = run(path, "check sub --show-settings");
    let line = shown.lines().find(|line| line.starts_with("extension-ops = ")).unwrap();
    assert!(line.ends_with("ops.toml\""), "{line}");
}

#[test]
fn a_file_that_cannot_be_used_ends_the_run() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("wrong.toml"), "[op.'extension.CaseFold']\noutputs = ['f32[in0.shpae]']\n").unwrap();
    let message = "wrong.toml:2:17: `in0.shpae` is not a dimension; expected a length such as `7`, `2..5` or `?`, or \
                   `in0.dims[1]`, `in0.rank` or `in0.shape`\n";
    for command in ["check", "shapes", "info", "snapshot check", "run"] {
        let (code, out, err) = run(path, &format!("{command} model.xml --extension-ops wrong.toml"));
        assert_eq!((code, out, err), (2, String::new(), format!("ovlint: {message}")), "{command}");
    }
    for command in ["why model.xml casefold", "diff model.xml model.xml", "graph model.xml"] {
        let (code, out, err) = run(path, &format!("{command} --extension-ops no-such.toml"));
        assert_eq!((code, out.as_str()), (2, ""), "{command}");
        assert!(err.starts_with("ovlint: no-such.toml: "), "{err}");
    }
    fs::write(path.join("ovlint.toml"), "extension-ops = 'wrong.toml'").unwrap();
    let (code, _, err) = run(path, "check model.xml");
    assert_eq!((code, err.ends_with(message)), (2, true), "{err}");
    fs::write(path.join("ovlint.toml"), "\nextension-ops = 'no-such.toml'").unwrap();
    let (code, _, err) = run(path, "check model.xml");
    assert!(code == 2 && err.contains("ovlint.toml:2:17: cannot read "), "{err}");
}

#[test]
fn origins_name_the_rule() {
    let folder = folder();
    let (code, out, _) = run(folder.path(), "why model.xml casefold --extension-ops ops.toml");
    let wanted = "casefold  f32[2,6,4]  (CaseFold, model.xml:13)
  dim 0 = 2        CaseFold, line 13, outputs[0]=f32[in0.shape, 4], given in ops.toml:2
      x dim 0 = 2  Parameter, line 5
  dim 1 = 6        CaseFold, line 13, outputs[0]=f32[in0.shape, 4], given in ops.toml:2
      x dim 1 = 6  Parameter, line 5
  dim 2 = 4        CaseFold, line 13, outputs[0]=f32[in0.shape, 4], given in ops.toml:2
  type = f32       CaseFold, line 13, outputs[0]=f32[in0.shape, 4], given in ops.toml:2
";
    assert_eq!((code, out.as_str()), (0, wanted));
    let (_, out, _) = run(folder.path(), "shapes model.xml --extension-ops ops.toml --op CaseFold");
    let row = out.lines().nth(2).unwrap();
    assert!(row.ends_with("f32[2,6,4]  f32[2,6] !  by ops.toml:2"), "{row}");
}

#[test]
fn other_operations_are_still_reported_unless_they_are_allowed() {
    let folder = folder();
    let path = folder.path();
    let text = fs::read_to_string(path.join("model.xml")).unwrap();
    fs::write(path.join("model.xml"), text.replace("CaseFold", "NormalizeUnicode")).unwrap();
    fs::write(path.join("ovlint.toml"), "extension-ops = 'ops.toml'").unwrap();
    assert_eq!(findings(path, ["check", "model.xml"])[0]["rule"], "extension-required");
    let allow = "extension-ops = 'ops.toml'\n[[per-file]]\nfiles = '*'\nallow-extensions = ['openvino_tokenizers']";
    fs::write(path.join("ovlint.toml"), allow).unwrap();
    let (code, out, _) = run(path, "check model.xml");
    let wanted =
        "  1 extension op not inferred: the declared outputs are used (openvino_tokenizers); `-v` lists them\n";
    assert!(code == 0 && out.ends_with(wanted), "{out}");
}
