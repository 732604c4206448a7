//! `check --no-infer`: the structure only.

use crate::ir_builder::Ir;
use crate::program::{code, findings, ovlint, root, utf8};
use ovlint::internal::diagnostic::Group;
use ovlint::internal::policy::catalogue::find;
use ovlint::internal::{Model, Options, Weights};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn rules(found: &[Value]) -> Vec<(&str, u64)> {
    let place = |finding: &Value| finding["range"]["start"]["byte"].as_u64().unwrap_or_default();
    let mut all: Vec<_> = found.iter().map(|one| (one["rule"].as_str().unwrap(), place(one))).collect();
    all.sort_unstable();
    all
}

/// Whether findings of a rule never need a shape or the type of a tensor.
fn is_structural(rule: &str) -> bool {
    let hangs_on_facts = [
        // The number of outputs of a VariadicSplit is that of its lengths.
        "wrong-output-count",
        // Found where outputs are inferred.
        "limit-exceeded",
        "attribute-value",
        "needs-newer-openvino",
        "type-too-new-for-target",
        "legacy-ir-version",
        "dynamic-rank",
        "suspicious-shape-constant",
        "pinned-dimension",
        // How long the slices of an input are is found with its shape.
        "bad-port-map",
        "doubtful-iterations",
        // What an image of means takes follows from the shape of the input.
        "bad-pre-process",
        // A variable has a batch if its first axis is open.
        "state-without-beams",
        // The number of classes is the length of an axis.
        "model-info",
        // Groups are found with shapes.
        "compression-mismatch",
    ];
    let group = find(rule).unwrap().group;
    let structure = [Group::File, Group::Graph, Group::Ports, Group::Weights, Group::Operations, Group::Portability];
    structure.contains(&group) && !hangs_on_facts.contains(&rule)
}

#[test]
fn what_hangs_on_no_shape_is_found_as_ever() {
    let (mut checked, mut found, mut wrong) = (0, 0, Vec::new());
    let mut folders = vec![root().join("bad")];
    while let Some(folder) = folders.pop() {
        folders.extend(fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()));
        let Ok(command) = fs::read_to_string(folder.join("cmd")) else { continue };
        let arguments: Vec<&str> = command.split_whitespace().collect();
        if arguments[0] != "check" || arguments.contains(&"--device") || arguments.contains(&"--shape") {
            continue;
        }
        let all = findings(&folder, arguments.iter().copied());
        let less = findings(&folder, arguments.iter().copied().chain(["--no-infer"]));
        let structural = |found: &[Value]| -> Vec<(String, u64)> {
            let rules = rules(found).into_iter().filter(|(rule, _)| is_structural(rule));
            rules.map(|(rule, at)| (rule.to_owned(), at)).collect()
        };
        if structural(&less) != structural(&all) {
            wrong.push(format!("{}: {:?} {:?}", folder.display(), structural(&less), structural(&all)));
        }
        for (rule, _) in rules(&less) {
            let is_shape = [Group::Shapes, Group::Declared, Group::Types].contains(&find(rule).unwrap().group);
            // Declared port types are not tensor types.
            assert!(!is_shape || ["unknown-precision", "invalid-dim"].contains(&rule), "{rule}: {}", folder.display());
        }
        checked += 1;
        found += less.len();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 100 && found > 60, "{checked} {found}");
}

#[test]
fn counts_of_ports_need_no_inference() {
    let count = |sample: &str| {
        let out = findings(&root().join("bad").join(sample), ["check", "model.xml", "--no-infer"]);
        out.iter().map(|finding| finding["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(count("wrong-input-count/extra-port"), ["ReLU takes 1 input, this layer has 2"]);
    assert_eq!(count("bad-port-map").len(), 1);
    assert_eq!(count("wrong-output-count"), ["the layer declares 3 outputs, but `num_splits=\"2\"` gives it 2"]);
}

#[test]
fn operations_with_a_fixed_number_of_outputs_are_held_to_it() {
    let mut ir = Ir::default();
    let x = ir.parameter("f32", "2,3");
    let relu = ir.layer("ReLU", "opset1", "", &[x], 2);
    ir.result(relu);
    let (xml, weights) = ir.finish();
    let told = |no_infer| {
        let options = Options { no_infer, ..Options::default() };
        let model = Model::from_bytes("m.xml", xml.clone(), Weights::in_memory(weights.clone()), &options).unwrap();
        let ports = model.findings().iter().filter(|finding| finding.rule.group == Group::Ports);
        ports.map(|finding| finding.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(told(true), ["`ReLU_1` declares 2 outputs, ReLU produces 1".into()]);
    assert_eq!(told(true), told(false));
}

#[test]
fn nothing_is_said_of_shapes() {
    let folder = root().join("bad/declared-shape");
    let run = |flags: &str| {
        let out = ovlint(&folder, format!("check model.xml --no-infer {flags}").split_whitespace());
        (code(&out), utf8(&out.stdout), utf8(&out.stderr))
    };
    let (code, out, _) = run("");
    assert_eq!(code, 0);
    assert!(out.starts_with("checked 1 model (") && out.contains(" layers, nothing inferred) in "), "{out}");
    let (_, verbose, _) = run("--verbose");
    assert!(verbose.starts_with("error[") || verbose.starts_with("checked "), "{verbose}");
    for flag in ["--fix", "--diff", "--shape [1]", "--device npu", "--extension-ops x.toml"] {
        let (code, _, err) = run(flag);
        assert!(code == 2 && err.contains("'--no-infer' cannot be used with"), "{flag}: {err}");
    }
}

#[test]
fn ignores_of_shapes_are_not_called_unused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let text = fs::read_to_string(root().join("bad/declared-shape/model.xml")).unwrap();
    let text = text.replacen("<layers>", "<!-- ovlint: ignore[declared-shape] known -->\n<layers>", 1);
    fs::write(path.join("model.xml"), text).unwrap();
    fs::copy(root().join("bad/declared-shape/model.bin"), path.join("model.bin")).unwrap();
    fs::write(path.join("ovlint.toml"), "[[ignore]]\nrule = 'axis-range'\nreason = 'x'\n").unwrap();
    let unused = |flags: &str| rules_of(path, flags).iter().filter(|rule| *rule == "unused-ignore").count();
    assert_eq!((unused(""), unused("--no-infer")), (1, 0));
    // By a baseline as well.
    fs::remove_file(path.join("ovlint.toml")).unwrap();
    let text = fs::read_to_string(path.join("model.xml")).unwrap();
    fs::write(path.join("model.xml"), text.replace("ovlint:", "")).unwrap();
    ovlint(path, ["check", ".", "--write-baseline", "known.json"]);
    assert_eq!(rules_of(path, "--no-infer --baseline known.json"), [""; 0]);
}

fn rules_of(folder: &Path, flags: &str) -> Vec<String> {
    let found = findings(folder, format!("check . {flags}").split_whitespace());
    found.iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
}
