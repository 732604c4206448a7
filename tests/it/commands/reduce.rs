//! `ovlint reduce`: small models that show what large ones do.

mod command;
mod names;

use crate::graph_notation::graph;
use crate::program::{code, copy_folder, copy_of, findings, ovlint, root, utf8};
use crate::samples::bad_samples::{Sample, samples};
use ovlint::internal::ir::{Layer, Role};
use ovlint::internal::source::Span;
use ovlint::internal::{Model, Options, WeightsOption};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Rules about what is not a graph, about the configuration, or about the limits of a run.
const NOT_REDUCED: [&str; 11] = [
    "conflict-marker",
    "empty-model",
    "execution-graph",
    "not-openvino-ir",
    "unmatched-glob",
    "unreadable-file",
    "unsupported-ir-version",
    "unused-ignore",
    "xml-malformed",
    "limit-exceeded/limit-exceeded",
    "missing-element/layers",
];

/// Exit code, stdout and stderr.
fn reduce(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let out = ovlint(folder, [&["reduce"], arguments].concat());
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

fn open(path: &Path) -> Model {
    Model::open(path, &Options { weights: WeightsOption::Skip, ..Options::default() }).unwrap()
}

/// The text of a layer without the offset of a constant, and without its bodies.
fn text(model: &Model, layer: &Layer) -> String {
    let end = layer.bodies().next().map_or(layer.end, |body| body.graph.tag.start);
    let text = model.source().text(Span { start: layer.tag.start, end }).into_owned();
    let mut parts = text.split(" offset=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('"').unwrap().1)
}

fn texts(model: &Model) -> BTreeSet<String> {
    model.net().unwrap().graph.layers.iter().map(|layer| text(model, layer)).collect()
}

/// The layers that the original does not have.
fn new_layers(before: &Model, after: &Model) -> Vec<(String, Role)> {
    let (old, graph) = (texts(before), &after.net().unwrap().graph);
    let new = graph.layers.iter().filter(|layer| !old.contains(&text(after, layer)));
    new.map(|layer| (graph.name(after.source(), layer).into_owned(), graph.kind(layer).role)).collect()
}

fn errors(findings: &[Value]) -> BTreeSet<&str> {
    let errors = findings.iter().filter(|finding| finding["severity"] == "error");
    errors.map(|finding| finding["rule"].as_str().unwrap()).collect()
}

/// The flags of a sample that `reduce` takes as well; the others turn the rule on.
fn flags(sample: &Sample) -> Vec<&str> {
    let mut flags = Vec::new();
    let mut arguments = sample.arguments().skip(2);
    while let Some(flag) = arguments.next() {
        match flag {
            "--select" | "--for" | "--ignore" => _ = arguments.next(),
            // A rule of a recipe for a device brings the device along.
            "--device" if sample.arguments().any(|flag| flag == "--for") => _ = arguments.next(),
            "--deep" | "-v" => {}
            flag => flags.push(flag),
        }
    }
    flags
}

#[test]
fn every_sample_is_reduced_to_layers_of_its_own_that_show_the_rule() {
    let mut wrong = String::new();
    for sample in samples() {
        let (rule, path) = (sample.rule.as_str(), sample.arguments().nth(1).unwrap());
        let variant = format!("{rule}/{}", sample.folder.file_name().unwrap().to_str().unwrap());
        let folder = tempfile::tempdir().unwrap();
        copy_folder(&sample.folder, folder.path());
        let model = folder.path().join(path);
        if !model.is_file() {
            continue;
        }
        let before = findings(folder.path(), sample.arguments());
        let arguments = [&[path, "--rule", rule, "-o", "small.xml"][..], &flags(&sample)].concat();
        let (code, _, err) = reduce(folder.path(), &arguments);
        if NOT_REDUCED.contains(&rule) || NOT_REDUCED.contains(&variant.as_str()) {
            assert!(code == 2 && !err.is_empty(), "{variant}: {code} {err}");
            continue;
        }
        assert_eq!((code, err.as_str()), (0, ""), "{variant}");
        let small = folder.path().join("small.xml");
        for (name, role) in new_layers(&open(&model), &open(&small)) {
            if !matches!(role, Role::Parameter | Role::Const | Role::Result) {
                let _ = writeln!(wrong, "{variant}: `{name}` is not a layer of the original");
            }
        }
        fs::rename(&small, &model).unwrap();
        // The weights may be gone.
        let _ = fs::remove_file(model.with_extension("bin"));
        let _ = fs::rename(small.with_extension("bin"), model.with_extension("bin"));
        let after = findings(folder.path(), sample.arguments());
        let layers = |findings: &[Value]| -> BTreeSet<String> {
            findings.iter().filter(|one| one["rule"] == rule).map(|one| one["layer"]["name"].to_string()).collect()
        };
        if layers(&before).is_disjoint(&layers(&after)) {
            let _ = writeln!(wrong, "{variant}: {rule} at {:?}, was at {:?}", layers(&after), layers(&before));
        }
        if !errors(&after).is_subset(&errors(&before)) {
            let _ = writeln!(wrong, "{variant}: errors {:?}, were {:?}", errors(&after), errors(&before));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A model of many layers between an input and a product of matrices that do not fit, which a constant feeds.
fn long_model(constant: &str) -> tempfile::TempDir {
    let mut text = "x = f32[1,4,8]; v0 = ReLU-1(x); ".to_owned();
    for i in 0..200 {
        let _ = write!(text, "v{} = Add-1(v{i}, ReLU-1(v{i})); ", i + 1);
    }
    let graph = graph(&format!("{text} ReLU-1(MatMul-1(v200, {constant}))"), 1);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.xml"), graph.xml).unwrap();
    fs::write(folder.path().join("m.bin"), graph.weights).unwrap();
    folder
}

#[test]
fn a_layer_is_cut_off_with_the_shapes_that_it_has() {
    let folder = long_model("f32[9,3]");
    let (code, out, _) = reduce(folder.path(), &["m.xml", "--rule", "shape-conflict", "-o", "small.xml"]);
    assert_eq!(code, 0);
    let (first, second) = out.split_once('\n').unwrap();
    assert!(first.starts_with("wrote small.xml: 4 of 406 layers, ") && first.ends_with(" after 1 candidate"), "{out}");
    assert_eq!(second, "error[shape-conflict]: `MatMul_403`: `a` has 8 columns, but `b` has 9 rows\n");
    assert!(!folder.path().join("small.bin").exists(), "no constant stays");
    let small = open(&folder.path().join("small.xml"));
    let graph = &small.net().unwrap().graph;
    let shown = |layer: &Layer| {
        let place = graph.entries().find(|(_, other)| std::ptr::eq(*other, layer)).unwrap().0;
        format!(
            "{} {:?}",
            graph.name(small.source(), layer),
            small.facts().unwrap().outputs(place).first().map(ToString::to_string)
        )
    };
    let layers: Vec<String> = graph.layers.iter().take(2).map(shown).collect();
    assert_eq!(layers, ["Add_401 Some(\"f32[1,4,8]\")", "Parameter_402 Some(\"f32[9,3]\")"]);
}

#[test]
fn constants_stay_unless_they_are_large() {
    let numbers = |count: usize| (0..count).map(|i| i.to_string()).collect::<Vec<_>>().join(" ");
    for (rows, columns, is_input) in [(9, 3, false), (100, 20, true)] {
        let folder = long_model(&format!("f32[{rows},{columns}] = {}", numbers(rows * columns)));
        let run = |flags: &[&str], name: &str| {
            let arguments = [&["m.xml", "--rule", "shape-conflict", "-o", name][..], flags].concat();
            assert_eq!(reduce(folder.path(), &arguments).0, 0);
            fs::read(folder.path().join(name).with_extension("bin")).unwrap_or_default()
        };
        let all = fs::read(folder.path().join("m.bin")).unwrap();
        assert_eq!(run(&[], "small.xml").len(), if is_input { 0 } else { all.len() });
        assert!(run(&["--keep-weights"], "kept.xml") == all);
    }
}

#[test]
fn what_is_known_of_a_cut_stays_known() {
    // The target shape is computed; without its elements, the rank is all that is known of the output.
    let folder = tempfile::tempdir().unwrap();
    let graph = graph(
        "x = f32[2,6]; s = ShapeOf-3(x) {output_type=i64}; t = Concat-1(s, i64[1] = 5) {axis=0}; ReLU-1(Reshape-1(x, t) {special_zero=false})",
        1,
    );
    fs::write(folder.path().join("m.xml"), graph.xml).unwrap();
    fs::write(folder.path().join("m.bin"), graph.weights).unwrap();
    let (code, out, err) = reduce(folder.path(), &["m.xml", "--rule", "shape-conflict", "-o", "small.xml"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.ends_with(": 12 elements do not fit the shape [2,6,5], which has 60\n"), "{out}");
    let bytes = fs::read(folder.path().join("small.bin")).unwrap();
    assert_eq!(bytes, [2_i64, 6, 5].map(i64::to_le_bytes).concat());
}

#[test]
fn files_that_are_there_stay() {
    let folder = copy_of("bad/split-lengths-sum/model.xml");
    let rule = "split-lengths-sum";
    for name in ["small.xml", "small.bin"] {
        fs::write(folder.path().join(name), "mine").unwrap();
        let (code, _, err) = reduce(folder.path(), &["model.xml", "--rule", rule, "-o", "small.xml"]);
        assert_eq!(
            (code, err),
            (2, format!("ovlint: cannot write {name}: it already exists and was not overwritten\n"))
        );
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "mine");
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    let (code, _, err) = reduce(folder.path(), &["model.xml", "--rule", rule, "-o", "small"]);
    assert_eq!((code, err.as_str()), (2, "ovlint: small must end in .xml, as the weights go beside it\n"));
}

#[test]
fn without_a_rule_the_worst_finding_is_kept() {
    let folder = root().join("bad/declared-shape");
    let small = |flags: &[&str]| {
        let out = tempfile::tempdir().unwrap();
        let path = out.path().join("small.xml");
        let (code, said, _) = reduce(&folder, &[&["model.xml", "-o", path.to_str().unwrap()], flags].concat());
        assert_eq!(code, 0);
        (fs::read_to_string(&path).unwrap(), said.lines().last().unwrap().to_owned())
    };
    let (xml, said) = small(&[]);
    assert!(said.starts_with("error[declared-shape]: `split`: declared dimension"), "{said}");
    assert_eq!((&xml, &said), (&small(&["--rule", "declared-shape"]).0, &said));
    assert_eq!(xml, small(&["--layer", "split"]).0);
    let out = tempfile::tempdir().unwrap();
    let path = out.path().join("small.xml");
    let (code, _, err) = reduce(&root(), &["models/split.xml", "-o", path.to_str().unwrap()]);
    let wanted = "ovlint: models/split.xml: there is no finding to keep\n";
    assert_eq!((code, err.as_str(), path.exists()), (2, wanted, false));
}

#[test]
fn what_is_not_there_cannot_be_kept() {
    let folder = root().join("bad/split-lengths-sum");
    let run = |flags: &[&str]| {
        let out = tempfile::tempdir().unwrap();
        let path = out.path().join("small.xml");
        let (code, _, err) = reduce(&folder, &[&["model.xml", "-o", path.to_str().unwrap()], flags].concat());
        assert_eq!((code, path.exists()), (2, false));
        err
    };
    let wanted = "ovlint: model.xml: there is no finding of `axis-range`; run `ovlint check` to see what is reported\n";
    assert_eq!(run(&["--rule", "axis-range"]), wanted);
    let wanted = "ovlint: model.xml: there is no finding of `split-lengths-sum` at `data`, only at `vsplit`\n";
    assert_eq!(run(&["--rule", "split-lengths-sum", "--layer", "data"]), wanted);
    assert!(run(&["--rule", "axisrange"]).contains("there is no rule `axisrange`; did you mean `axis-range`?"));
}

#[test]
fn the_finding_at_a_layer_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let graph =
        graph("a = Add-1(f32[2], f32[3]); b = Add-1(f32[4], f32[5]); Concat-1(ReLU-1(a), ReLU-1(b)) {axis=0}", 1);
    fs::write(folder.path().join("m.xml"), graph.xml).unwrap();
    for (layer, message) in [("Add_2", "[2] and [3]"), ("Add_5", "[4] and [5]")] {
        let name = format!("{layer}.xml");
        let (code, out, _) =
            reduce(folder.path(), &["m.xml", "--rule", "shape-conflict", "--layer", layer, "-o", &name]);
        assert!(code == 0 && out.contains(&format!("`{layer}`: shapes {message}")), "{out}");
    }
}

#[test]
fn openvino_rejects_what_it_rejected() {
    // The wrong type is declared at the first layer, and refused at the last.
    let text = "a = LogicalNot-1(boolean[2]); b = Unsqueeze-1(a, i64[1] = 0); ReLU-1(MatMul-1(b, f32[2,3]))";
    let folder = tempfile::tempdir().unwrap();
    let xml = graph(text, 1).xml.replacen("precision=\"UNSPECIFIED\"", "precision=\"BOOL\"", 1);
    let at = xml.find("type=\"LogicalNot\"").unwrap();
    let xml = format!("{}{}", &xml[..at], xml[at..].replacen("UNSPECIFIED", "FP32", 1));
    fs::write(folder.path().join("m.xml"), xml).unwrap();
    fs::write(folder.path().join("m.bin"), [0; 64]).unwrap();
    let runtime = |name: &str| {
        let found = findings(folder.path(), ["check", name]);
        let found = found.iter().find(|finding| finding["rule"] == "declared-precision").unwrap();
        found["runtime"].as_str().unwrap().to_owned()
    };
    assert_eq!(runtime("m.xml"), "rejects");
    assert_eq!(reduce(folder.path(), &["m.xml", "--rule", "declared-precision", "-o", "small.xml"]).0, 0);
    assert_eq!(runtime("small.xml"), "rejects");
}

#[test]
fn layers_of_a_cycle_lead_to_a_result() {
    let folder = root().join("bad/cycle/redirected");
    let out = tempfile::tempdir().unwrap();
    let small = out.path().join("small.xml");
    assert_eq!(reduce(&folder, &["model.xml", "--rule", "cycle", "-o", small.to_str().unwrap()]).0, 0);
    let found = findings(out.path(), ["check", "small.xml"]);
    let rules: Vec<&str> = found.iter().map(|finding| finding["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["cycle"], "and not unreachable-layer");
}

#[cfg(unix)]
#[test]
fn bodies_keep_their_ends_and_what_the_fault_needs() {
    let folder = copy_of("models/control_flow.xml");
    let path = folder.path().join("control_flow.xml");
    let xml = fs::read_to_string(&path).unwrap();
    fs::write(&path, xml.replacen("num_splits=\"2\"", "num_splits=\"5\"", 1)).unwrap();
    let arguments = ["control_flow.xml", "--rule", "split-not-divisible", "-o", "small.xml"];
    let (code, out, err) = reduce(folder.path(), &arguments);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("error[split-not-divisible]: `then_split`: "), "{out}");
    let small = open(&folder.path().join("small.xml"));
    let net = small.net().unwrap();
    let around = net.graph.layers.iter().find(|layer| layer.bodies().next().is_some()).unwrap();
    let layers = around.bodies().map(|body| {
        let names = body.graph.layers.iter().map(|layer| body.graph.name(small.source(), layer).into_owned());
        names.collect::<Vec<_>>().join(" ")
    });
    let wanted = [
        "then_sum then_data then_axis then_split then_out then_split:0/sink_port_0",
        "else_split:1 else_data else_out",
    ];
    assert_eq!(layers.collect::<Vec<_>>(), wanted);
}
