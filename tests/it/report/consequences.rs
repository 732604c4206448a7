//! One mistake is one finding: what follows from it is folded under it.

use crate::ir_builder::{Ir, Output};
use crate::program::{copy_of, ovlint, root, utf8};
use ovlint::internal::diagnostic::{Applicability, Diagnostic, Severity};
use ovlint::internal::fix::{everything, fix};
use ovlint::internal::policy::Settings;
use ovlint::internal::{Model, Options, Weights};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The lines of a concise report on the detector with an edit, without the path.
fn lines(from: &str, to: &str) -> Vec<String> {
    lines_of("default", from, to)
}

fn lines_of(selected: &str, from: &str, to: &str) -> Vec<String> {
    let folder = copy_of("models/detector.xml");
    let path = folder.path().join("detector.xml");
    let text = fs::read_to_string(root().join("models/detector.xml")).unwrap();
    assert_eq!(text.matches(from).count(), 1);
    fs::write(&path, text.replace(from, to)).unwrap();
    let out = ovlint(folder.path(), ["check", "detector.xml", "--format", "concise", "--select", selected]);
    utf8(&out.stdout).lines().map(|line| line.trim_start_matches("detector.xml:").to_owned()).collect()
}

fn errors(model: &Model) -> impl Iterator<Item = &Diagnostic> {
    model.findings().iter().filter(|finding| finding.severity == Severity::Error)
}

/// Rule, layer, number of consequences and cause of every error.
fn reported(model: &Model) -> Vec<(&str, &str, usize, Option<&str>)> {
    fn tell(finding: &Diagnostic) -> (&str, &str, usize, Option<&str>) {
        let layer = finding.layer.as_ref().map_or("", |layer| &layer.name);
        (finding.rule.name, layer, finding.consequences, finding.consequence_of.as_ref().map(|cause| &*cause.layer))
    }
    errors(model).map(tell).collect()
}

#[test]
fn a_wrong_length_is_one_finding() {
    assert_eq!(
        lines("shape=\"?,3,32,32\"", "shape=\"?,3,64,64\""),
        [
            "10:11: error[declared-shape] `images` (Parameter): declared dimension disagrees with the inferred shape: declared 32, inferred 64 (dim 2 \
         of output port 0) (42 more findings follow from this one)"
        ]
    );
}

#[test]
fn a_static_input_is_one_hint_where_it_is_asked_for() {
    let (from, to) = ("shape=\"?,3,32,32\"", "shape=\"2,3,32,32\"");
    assert!(lines(from, to).is_empty());
    assert_eq!(
        lines_of("default,declared-dynamic", from, to),
        [
            "8:11: info[declared-dynamic] `images` (Parameter): a port declares -1 for a static dimension: declared -1, inferred 2 (dim 0 \
         of output port 0) (31 more findings follow from this one)"
        ]
    );
}

#[test]
fn a_dynamic_input_is_one_warning() {
    assert_eq!(
        lines("shape=\"?,3,32,32\"", "shape=\"?,3,?,?\""),
        [
            "10:11: warning[declared-static] `images` (Parameter): a port declares a fixed size for a dynamic dimension: declared 32, inferred ? \
         (dim 2 of output port 0) (20 more findings follow from this one)"
        ]
    );
}

#[test]
fn what_openvino_rejects_shows_at_its_cause() {
    let found = lines("shape=\"?,3,32,32\"", "shape=\"?,4,32,32\"");
    assert_eq!(
        found,
        [
            "5:17: error[contradicted-value] `shape` of `images` is ?,4,32,32, but all declared ports fit ?,3,32,32 (7 more \
         findings follow from this one)"
        ]
    );
}

#[test]
fn the_same_fault_of_every_block_is_one() {
    let port =
        |id: u8, a: &str, b: &str| format!("<port id=\"{id}\" precision=\"FP32\"><dim>{a}</dim><dim>{b}</dim></port>");
    let parameter = |id: u8, shape: &str, output: &str| {
        format!(
            "<layer id=\"{id}\" name=\"p{id}\" type=\"Parameter\" version=\"opset1\">\
             <data shape=\"{shape}\" element_type=\"f32\"/><output>{output}</output></layer>\n"
        )
    };
    let mut layers = parameter(0, "2,5", &port(0, "2", "4")) + &parameter(1, "4,3", &port(0, "4", "3"));
    let mut edges = String::new();
    for block in 0..3 {
        let (multiply, result) = (2 + 2 * block, 3 + 2 * block);
        let (a, b, y) = (port(0, "2", "4"), port(1, "4", "3"), port(2, "2", "3"));
        let _ = writeln!(
            layers,
            "<layer id=\"{multiply}\" name=\"m{multiply}\" type=\"MatMul\" version=\"opset1\">\
             <data transpose_a=\"false\" transpose_b=\"false\"/><input>{a}{b}</input><output>{y}</output></layer>\n\
             <layer id=\"{result}\" name=\"r{result}\" type=\"Result\" version=\"opset1\">\
             <input>{}</input></layer>",
            port(0, "2", "3")
        );
        for (from, output, to, input) in [(0, 0, multiply, 0), (1, 0, multiply, 1), (multiply, 2, result, 0)] {
            let _ = writeln!(
                edges,
                "<edge from-layer=\"{from}\" from-port=\"{output}\" to-layer=\"{to}\" to-port=\"{input}\"/>"
            );
        }
    }
    let xml = format!("<net name=\"n\" version=\"11\"><layers>\n{layers}</layers><edges>\n{edges}</edges></net>\n");
    let model = Model::from_bytes("m.xml", xml.into(), Weights::default(), &Options::default()).unwrap();
    assert_eq!(
        reported(&model),
        [
            ("contradicted-value", "p0", 7, None),
            ("declared-shape", "p0", 6, Some("p0")),
            ("input-port-mismatch", "m2", 0, Some("p0")),
            ("shape-conflict", "m2", 2, Some("p0")),
            ("input-port-mismatch", "m4", 0, Some("p0")),
            ("shape-conflict", "m4", 0, Some("m2")),
            ("input-port-mismatch", "m6", 0, Some("p0")),
            ("shape-conflict", "m6", 0, Some("m2")),
        ]
    );
}

/// Two inputs of length 2, each followed by a `ReLU` called `r` and two more that declare 3; the first `r` stands after a
/// comment. Then some more layers and edges.
fn two_of_one_name(comment: &str, layers: &str, edges: &str) -> Model {
    let port = |id: u8| format!("<port id='{id}' precision='FP32'><dim>3</dim></port>");
    let mut xml = String::from("<net name='n' version='11'><layers>");
    let mut wires = String::new();
    for (i, first) in [0, 10].into_iter().enumerate() {
        let said = if i == 0 { comment } else { "" };
        let _ = write!(
            xml,
            "<layer id='{first}' name='x{first}' type='Parameter' version='opset1'><data shape='2' element_type='f32'/>\
             <output><port id='0' precision='FP32'><dim>2</dim></port></output></layer>"
        );
        for id in first + 1..first + 4 {
            let name = if id == first + 1 { "r".to_owned() } else { format!("r{id}") };
            let said = if id == first + 1 { said } else { "" };
            let _ = write!(
                xml,
                "{said}<layer id='{id}' name='{name}' type='ReLU' version='opset1'><input><port id='0'/></input>\
                 <output>{}</output></layer>",
                port(1)
            );
            let from_port = u8::from(id > first + 1);
            let _ =
                write!(wires, "<edge from-layer='{}' from-port='{from_port}' to-layer='{id}' to-port='0'/>", id - 1);
        }
        let (last, result) = (first + 3, first + 4);
        let _ = write!(
            xml,
            "<layer id='{result}' name='y{result}' type='Result' version='opset1'><input><port id='0'/></input></layer>"
        );
        let _ = write!(wires, "<edge from-layer='{last}' from-port='1' to-layer='{result}' to-port='0'/>");
    }
    let xml = format!("{xml}{layers}</layers><edges>{wires}{edges}</edges></net>");
    Model::from_bytes("m.xml", xml.into(), Weights::default(), &Options::default()).unwrap()
}

#[test]
fn a_finding_follows_from_one_of_two_layers_of_one_name() {
    let model = two_of_one_name("<!-- ovlint: ignore[declared-shape] known -->", "", "");
    let family = |ids: [&str; 3]| -> Vec<_> {
        let is_here = |finding: &&Diagnostic| {
            finding.rule.name == "declared-shape"
                && finding.layer.as_ref().is_some_and(|layer| ids.contains(&layer.id.as_str()))
        };
        model.findings().iter().filter(is_here).collect()
    };
    for ids in [["1", "2", "3"], ["11", "12", "13"]] {
        let found = family(ids);
        let [root, rest @ ..] = found.as_slice() else { panic!() };
        assert_eq!((root.consequences, rest.len()), (2, 2));
        assert!(rest.iter().all(|finding| finding.consequence_of.as_ref().map(|cause| cause.finding) == root.id));
    }
    // The first is ignored, and what follows from it, but not the second.
    let judged = Settings::default().judge(Path::new("m.xml"), &model);
    let left: Vec<_> = judged.findings.iter().filter(|finding| finding.rule.name == "declared-shape").collect();
    assert_eq!(left, family(["11", "12", "13"]));
}

#[test]
fn what_follows_is_folded_beside_a_cycle() {
    let relu = |id: u8| {
        format!(
            "<layer id='{id}' name='c{id}' type='ReLU' version='opset1'><input><port id='0'/></input>\
             <output><port id='1' precision='FP32'><dim>2</dim></port></output></layer>"
        )
    };
    let edge = |from: u8, to: u8| format!("<edge from-layer='{from}' from-port='1' to-layer='{to}' to-port='0'/>");
    let model = two_of_one_name("", &[relu(20), relu(21)].concat(), &[edge(20, 21), edge(21, 20)].concat());
    assert!(model.findings().iter().any(|finding| finding.rule.name == "cycle"));
    let roots = model.findings().iter().filter(|finding| {
        finding.rule.name == "declared-shape" && finding.consequence_of.is_none() && finding.consequences == 2
    });
    assert_eq!(roots.count(), 2);
}

#[test]
fn equal_wrong_bytes_are_one_finding_beside_a_cycle() {
    let with_cycle = |xml: &str| {
        let relu = |id: u16| {
            format!(
                "<layer id='{id}' name='c{id}' type='ReLU' version='opset1'><input><port id='0'/></input>\
                 <output><port id='1' precision='FP32'/></output></layer>"
            )
        };
        let edge =
            |from: u16, to: u16| format!("<edge from-layer='{from}' from-port='1' to-layer='{to}' to-port='0'/>");
        let layers = [relu(900), relu(901), "</layers>".to_owned()].concat();
        let edges = [edge(900, 901), edge(901, 900), "</edges>".to_owned()].concat();
        xml.replace("</layers>", &layers).replace("</edges>", &edges)
    };
    let model = with_shared_bytes(3, 1, &with_cycle);
    let found: Vec<_> = reported(&model).into_iter().filter(|(rule, ..)| *rule != "cycle").collect();
    assert_eq!(found[0], ("axis-range", "Split_5", 4, None));
    assert!(found[1..].iter().all(|(.., cause)| *cause == Some("Split_5")));
    assert_eq!(found, reported(&with_shared_bytes(3, 1, &str::to_owned)));
}

/// Splits along an axis 5 that equal constants hold, and shapes that others of them are part of.
fn with_shared_bytes(splits: usize, shapes: usize, edit: &dyn Fn(&str) -> String) -> Model {
    let mut ir = Ir::default();
    let (data, scalar) = (ir.parameter("f32", "4,6"), ir.parameter("f32", ""));
    let two = ir.constant("i64", &[1], &[2.0]);
    let offset = 8;
    ir.constant("i64", &[], &[5.0]);
    let number = |ir: &mut Ir, shape: &str| {
        let data = format!("<data element_type=\"i64\" shape=\"{shape}\" offset=\"{offset}\" size=\"8\"/>");
        ir.layer("Const", "opset1", &data, &[], 1)
    };
    for _ in 0..splits {
        let axis = number(&mut ir, "");
        let split = ir.layer("Split", "opset1", "<data num_splits=\"2\"/>", &[data, axis], 2);
        for part in 0..2 {
            ir.layer("Result", "opset1", "", &[Output(split.0, part)], 0);
        }
    }
    let open = "<port id=\"2\" precision=\"UNSPECIFIED\"/></output></layer>\n<layer id=\"@\"";
    let declared =
        "<port id=\"2\" precision=\"FP32\"><dim>1</dim><dim>2</dim></port></output></layer>\n<layer id=\"@\"";
    let mut relus = Vec::new();
    for _ in 0..shapes {
        let length = number(&mut ir, "1");
        let target = ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &[length, two], 1);
        let wide = ir.layer("Broadcast", "opset3", "<data mode=\"numpy\"/>", &[scalar, target], 1);
        let relu = ir.layer("ReLU", "opset1", "", &[wide], 1);
        ir.layer("Result", "opset1", "", &[relu], 0);
        relus.push(relu.0.to_string());
    }
    let (xml, weights) = ir.finish();
    let mut xml = String::from_utf8(xml).unwrap();
    for relu in &relus {
        assert_eq!(xml.matches(&open.replace('@', relu)).count(), 1);
        xml = xml.replace(&open.replace('@', relu), &declared.replace('@', relu));
    }
    Model::from_bytes("m.xml", edit(&xml).into_bytes(), Weights::in_memory(weights), &Options::default()).unwrap()
}

fn assert_note(finding: &Diagnostic, note: &str) {
    assert!(crate::notes(finding).iter().any(|found| found == note), "{finding:?}");
}

#[test]
fn bytes_that_several_layers_refuse_are_one_finding() {
    let model = with_shared_bytes(3, 1, &str::to_owned);
    assert_eq!(
        reported(&model),
        [
            ("axis-range", "Split_5", 4, None),
            ("axis-range", "Split_9", 0, Some("Split_5")),
            ("axis-range", "Split_13", 0, Some("Split_5")),
            ("declared-shape", "Broadcast_18", 1, Some("Split_5")),
        ]
    );
    assert_note(errors(&model).next().unwrap(), "5 constants read these bytes; at least 3 layers fail because of them");
    assert!(errors(&model).last().unwrap().fix.is_none(), "the declared shape is the right one");
}

#[test]
fn bytes_that_make_several_ports_lie_are_one_finding() {
    let model = with_shared_bytes(0, 3, &str::to_owned);
    assert_eq!(
        reported(&model),
        [
            ("contradicted-value", "Const_4", 6, None),
            ("declared-shape", "Broadcast_6", 5, Some("Const_4")),
            ("declared-shape", "Broadcast_11", 1, Some("Broadcast_6")),
            ("declared-shape", "Broadcast_16", 1, Some("Broadcast_6")),
        ]
    );
    let first = errors(&model).next().unwrap();
    assert_eq!(first.message, "`target_shape` of `Broadcast_6` is [5, 2], but all declared ports fit [1, 2]".into());
    assert_eq!(first.primary.message, "holds 5; 1 would fit".into());
    let shared = errors(&model).find(|finding| finding.rule.name == "declared-shape").unwrap();
    assert_note(shared, "3 of the layers that use the bytes at 0 or 8 have errors");
    assert!(errors(&model).all(|finding| finding.fix.is_none()), "the bytes are the wrong ones");
}

#[test]
fn a_layer_that_openvino_computes_does_not_fail() {
    let model = with_shared_bytes(1, 2, &str::to_owned);
    let shared = errors(&model).find(|finding| finding.rule.name == "axis-range").unwrap();
    assert_note(shared, "4 constants read the bytes at 8; 3 of the layers that use them have errors");
}

#[test]
fn bytes_that_one_layer_refuses_are_its_own_affair() {
    let model = with_shared_bytes(1, 0, &str::to_owned);
    assert_eq!(reported(&model), [("axis-range", "Split_5", 0, None)]);
    assert!(!crate::notes(errors(&model).next().unwrap()).iter().any(|note| note.contains("layers")));
}

/// What is wrong, and whether it is fixed, in `x -> a -> b -> result`, where `b` declares another length than it has.
fn fixes(a: &str, lost: &str) -> Vec<(&'static str, bool)> {
    let port =
        |id: u32, length: u32| format!("<port id='{id}' precision='FP32'><dim>2</dim><dim>{length}</dim></port>");
    let xml = format!(
        "<net name='m' version='11'><layers>\
         <layer id='0' name='x' type='Parameter' version='opset1'><data shape='2,3' element_type='f32'/><output>{out}</output></layer>\
         <layer id='1' name='a' {a}><input>{out}</input><output>{given}</output></layer>\
         <layer id='2' name='b' type='Tanh' version='opset1'><input>{out}</input><output>{wrong}</output></layer>\
         <layer id='3' name='r' type='Result' version='opset1'><input>{out}</input></layer>{lost}</layers>\
         <edges><edge from-layer='0' from-port='0' to-layer='1' to-port='0'/><edge from-layer='1' from-port='1' to-layer='2' \
         to-port='0'/><edge from-layer='2' from-port='1' to-layer='3' to-port='0'/></edges></net>",
        out = port(0, 3),
        given = port(1, 3),
        wrong = port(1, 9),
    );
    let model =
        Model::from_bytes("m.xml", xml.into_bytes(), Weights::in_memory(Vec::new()), &Options::default()).unwrap();
    let roots = model.findings().iter().filter(|finding| finding.consequence_of.is_none());
    roots.map(|finding| (finding.rule.name, finding.fix.is_some())).collect()
}

#[test]
fn what_would_hide_another_fault_is_not_fixed() {
    let relu = "type='ReLU' version='opset1'";
    assert_eq!(fixes(relu, ""), [("declared-shape", true)]);
    assert_eq!(fixes("type='ReLU' version='opset99'", ""), [("unknown-opset", false), ("declared-shape", false)]);
    let dead = "<layer id='4' name='p' type='Const' version='opset1'><data element_type='f32' shape='0' offset='0' size='0'/>\
                <output><port id='0' precision='FP32'><dim>0</dim></port></output></layer>";
    assert_eq!(fixes(relu, dead), [("declared-shape", true), ("unreachable-layer", false)]);
}

#[test]
fn two_ports_that_are_wrong_by_themselves_are_two_findings() {
    let port =
        |id: u32, length: u32| format!("<port id='{id}' precision='FP32'><dim>2</dim><dim>{length}</dim></port>");
    let reported = |parameter: u32, taken: u32, given: u32| {
        let xml = format!(
            "<net name='m' version='11'><layers>\
             <layer id='0' name='x' type='Parameter' version='opset1'><data shape='2,3' element_type='f32'/><output>{}</output>\
             </layer><layer id='1' name='a' type='ReLU' version='opset1'><input>{}</input><output>{}</output></layer>\
             <layer id='2' name='r' type='Result' version='opset1'><input>{}</input></layer></layers>\
             <edges><edge from-layer='0' from-port='0' to-layer='1' to-port='0'/>\
             <edge from-layer='1' from-port='1' to-layer='2' to-port='0'/></edges></net>",
            port(0, parameter),
            port(0, taken),
            port(1, given),
            port(0, given),
        );
        let weights = Weights::in_memory(Vec::new());
        let model = Model::from_bytes("m.xml", xml.into_bytes(), weights, &Options::default()).unwrap();
        let roots = model.findings().iter().filter(|finding| finding.consequence_of.is_none());
        roots.map(|finding| (finding.layer.as_ref().unwrap().name.clone(), finding.consequences)).collect::<Vec<_>>()
    };
    let of = |layer: &str, consequences: usize| (layer.to_owned(), consequences);
    assert_eq!(reported(9, 9, 9), [of("x", 3)], "the Parameter was edited");
    assert_eq!(reported(9, 3, 7), [of("x", 0), of("a", 1)]);
    assert_eq!(reported(9, 8, 3), [of("x", 0), of("a", 0)], "the input fits neither");
}

/// A product of two Parameters, with the shapes that its inputs and its output declare; `edges` are the inputs that the
/// Parameters lead to.
fn product([first, second, output]: [&str; 3], b: &str, edges: [usize; 2]) -> Model {
    let port = |id: usize, dims: &str| {
        let dims: Vec<String> = dims.split(',').map(|dim| format!("<dim>{dim}</dim>")).collect();
        format!("<port id='{id}' precision='FP32'>{}</port>", dims.concat())
    };
    let parameter = |id: usize, shape: &str| {
        let data = format!("<data shape='{shape}' element_type='f32'/>");
        let dims: Vec<&str> = shape.split(',').map(|dim| if dim.contains('.') { "-1" } else { dim }).collect();
        let output = port(0, &dims.join(","));
        format!(
            "<layer id='{id}' name='p{id}' type='Parameter' version='opset1'>{data}<output>{output}</output></layer>"
        )
    };
    let inputs = port(0, first) + &port(1, second);
    let matmul = format!(
        "<layer id='2' name='product' type='MatMul' version='opset1'><data transpose_a='false' transpose_b='false'/>\
         <input>{inputs}</input><output>{}</output></layer>",
        port(2, output)
    );
    let result =
        format!("<layer id='3' name='y' type='Result' version='opset1'><input>{}</input></layer>", port(0, output));
    let [to_a, to_b] = edges;
    let edges = format!(
        "<edge from-layer='0' from-port='0' to-layer='2' to-port='{to_a}'/>\
         <edge from-layer='1' from-port='0' to-layer='2' to-port='{to_b}'/>\
         <edge from-layer='2' from-port='2' to-layer='3' to-port='0'/>"
    );
    let layers = parameter(0, "2,3") + &parameter(1, b) + &matmul + &result;
    let xml = format!("<net name='m' version='11'><layers>{layers}</layers><edges>{edges}</edges></net>");
    Model::from_bytes("m.xml", xml.into(), Weights::default(), &Options::default()).unwrap()
}

#[test]
fn swapped_edges_that_one_port_shows_are_one_finding() {
    let roots = |model: &Model| -> Vec<String> {
        let roots = reported(model).into_iter().filter(|(.., cause)| cause.is_none());
        roots.map(|(rule, ..)| rule.to_owned()).collect()
    };
    assert_eq!(roots(&product(["2,3", "-1,-1", "2,-1"], "1..,7..", [0, 1])), [""; 0]);
    assert_eq!(roots(&product(["2,3", "-1,-1", "2,-1"], "1..,7..", [1, 0])), ["input-port-mismatch"]);
    // A port that is wrong does not explain that the inputs do not fit.
    assert_eq!(roots(&product(["2,9", "-1,-1", "2,-1"], "5,7", [0, 1])), ["input-port-mismatch", "shape-conflict"]);
}

#[test]
fn what_follows_from_a_finding_without_a_fix_is_not_fixed() {
    let model = product(["2,3", "3,2", "2,2"], "3,2", [1, 0]);
    let fixable = |is_root: bool| {
        let all = model.findings().iter().filter(move |finding| finding.consequence_of.is_none() == is_root);
        all.filter(|finding| finding.fix.is_some()).count()
    };
    assert_eq!(fixable(true), 0);
    assert!(fixable(false) > 0, "{:?}", reported(&model));
    assert_eq!(fix(model, Applicability::Unsafe, &everything).unwrap().edits, []);
}

#[test]
fn the_declared_type_of_an_input_stays_where_the_given_one_fails() {
    let is_fixed = |other: &str| {
        let mut ir = Ir::default();
        let half = ir.constant_of_bytes("f16", &[3], &[0; 6]);
        let other = ir.parameter(other, "3");
        let sum = ir.layer("Add", "opset1", "<data auto_broadcast=\"numpy\"/>", &[half, other], 1);
        ir.result(sum);
        let (xml, weights) = ir.finish();
        let port = "<port id=\"0\" precision=\"FP32\"><dim>3</dim></port><port id=\"1\"/>";
        let xml = String::from_utf8(xml).unwrap().replace("<port id=\"0\"/><port id=\"1\"/>", port);
        let model = Model::from_bytes("m.xml", xml.into(), Weights::in_memory(weights), &Options::default()).unwrap();
        model.findings().iter().find(|finding| finding.rule.name == "input-port-mismatch").unwrap().fix.is_some()
    };
    assert!(is_fixed("f16"));
    assert!(!is_fixed("f32"), "the declared type is right, and a Convert is missing");
}

#[test]
fn a_port_with_two_edges_is_held_against_neither() {
    let model = product(["2,9", "-1,-1", "2,-1"], "5,7", [0, 0]);
    let mut rules: Vec<&str> = model.findings().iter().map(|finding| finding.rule.name).collect();
    rules.sort_unstable();
    assert_eq!(rules, ["input-connected-twice", "input-not-connected"]);
}

/// The rules of the errors about a Const that a Broadcast takes for its target, that follow from no other.
fn with_target(data: &str, weights: Weights) -> Vec<String> {
    let mut ir = Ir::default();
    let x = ir.parameter("f32", "...");
    let target = ir.layer("Const", "opset1", data, &[], 1);
    let axes = ir.layer("Broadcast", "opset3", "<data mode=\"numpy\"/>", &[x, target], 1);
    ir.result(axes);
    let (xml, _) = ir.finish();
    let model = Model::from_bytes("m.xml", xml, weights, &Options::default()).unwrap();
    let roots = reported(&model).into_iter().filter(|(.., cause)| cause.is_none());
    roots.map(|(rule, ..)| rule.to_owned()).collect()
}

#[test]
fn a_constant_that_cannot_be_read_is_one_finding() {
    let good = "<data element_type=\"i16\" shape=\"2\" offset=\"0\" size=\"4\"/>";
    assert_eq!(with_target(good, Weights::default()), [""; 0]);
    let eight = || Weights::in_memory(vec![1; 8]);
    assert_eq!(with_target(&good.replace("offset=\"0\"", "offset=\"8\""), eight()), ["weights-out-of-range"]);
    assert_eq!(with_target(&good.replace("size=\"4\"", "size=\"3\""), eight()), ["const-size-mismatch"]);
    let empty = "<data element_type=\"i16\" shape=\"0\" offset=\"0\" size=\"1000000\"/>";
    assert_eq!(with_target(empty, eight()), ["const-size-excess"]);
}

#[test]
fn an_edge_of_a_body_that_hands_out_something_else_is_one_finding() {
    let text = fs::read_to_string(root().join("models/control_flow.xml")).unwrap();
    let weights = || Weights::in_memory(fs::read(root().join("models/control_flow.bin")).unwrap());
    let edge = |from: usize, port: usize| {
        format!("<edge from-layer=\"{from}\" from-port=\"{port}\" to-layer=\"7\" to-port=\"0\" />")
    };
    assert_eq!(text.matches(&edge(3, 2)).count(), 1);
    for (from, port) in [(2, 0), (4, 0), (6, 4)] {
        let text = text.replace(&edge(3, 2), &edge(from, port));
        let model = Model::from_bytes("m.xml", text.into(), weights(), &Options::default()).unwrap();
        let found = reported(&model);
        let roots: Vec<_> =
            found.iter().filter(|(.., cause)| cause.is_none()).map(|(rule, layer, ..)| (*rule, *layer)).collect();
        assert_eq!(roots, [("input-port-mismatch", "body_sum")], "{from}: {found:?}");
        assert!(found.len() > 1, "{from}: {found:?}");
    }
}
