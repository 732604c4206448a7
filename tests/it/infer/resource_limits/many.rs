//! Many findings, bodies and names: what looks at all of them must not do so for each.

use super::{chain, concat, each, edge, net, parameter, rules, rules_within};
use ovlint::internal::diagnostic::{Applicability, Severity};
use ovlint::internal::fix::{everything, fix};
use ovlint::internal::ir::LayerId;
use ovlint::internal::policy::Settings;
use ovlint::internal::query::names::Tensor;
use ovlint::internal::query::why::{How, why};
use ovlint::internal::{Limits, Model, Options, Weights};
use std::path::Path;

#[test]
fn swapped_edges_of_every_layer() {
    const LAYERS: usize = 10_000;
    let input = |id: usize, ty: &str, precision: &str, length: usize| {
        format!(
            "<layer id='{id}' name='x' type='Parameter' version='opset1'><data shape='{length}' element_type='{ty}'/>\
             <output><port id='0' precision='{precision}'><dim>{length}</dim></port></output></layer>"
        )
    };
    let (mut layers, mut edges) = (input(0, "f32", "FP32", 5) + &input(1, "i64", "I64", 2), String::new());
    for id in 2..LAYERS + 2 {
        let result = LAYERS + id;
        let layer = format!(
            "<layer id='{id}' name='g{id}' type='GatherND' version='opset8'><data batch_dims='0'/><input>\
             <port id='0' precision='FP32'><dim>5</dim></port><port id='1' precision='I64'><dim>2</dim></port></input>\
             <output><port id='2' precision='FP32'/></output></layer>\
             <layer id='{result}' name='r' type='Result' version='opset1'><input><port id='0'/></input></layer>"
        );
        layers += &layer;
        edges += &[edge(1, 0, id, 0), edge(0, 0, id, 1), edge(id, 2, result, 0)].concat();
    }
    let model =
        Model::from_bytes("m.xml", net(&layers, &edges).into(), Weights::default(), &Options::default()).unwrap();
    let roots = model.findings().iter().filter(|finding| finding.consequence_of.is_none());
    assert!(roots.clone().all(|root| root.rule.name == "input-port-mismatch" && root.consequences == 2));
    assert_eq!(roots.count(), LAYERS);
}

#[test]
fn consequences_among_layers_of_one_name() {
    const LAYERS: usize = 10_000;
    let mut layers = String::from(
        "<layer id='0' name='x' type='Parameter' version='opset1'><data shape='2' element_type='f32'/>\
         <output><port id='0' precision='FP32'><dim>2</dim></port></output></layer>",
    );
    let mut edges = String::new();
    for id in 1..=LAYERS {
        let layer = format!(
            "<layer id='{id}' name='r' type='ReLU' version='opset1'><input><port id='0' precision='FP32'><dim>3</dim>\
             </port></input><output><port id='1' precision='FP32'><dim>3</dim></port></output></layer>"
        );
        layers += &layer;
        edges += &edge(0, 0, id, 0);
    }
    let mut wide = Limits::default();
    wide.findings = 1 << 30;
    let found = rules_within(wide, net(&layers, &edges), Vec::new());
    assert_eq!((found["input-port-mismatch"], found["declared-shape"]), (LAYERS, LAYERS));
    let options = Options::default();
    let model = Model::from_bytes("m.xml", net(&layers, &edges).into(), Weights::default(), &options).unwrap();
    let judged = Settings::default().judge(Path::new("m.xml"), &model);
    let roots = judged.findings.iter().filter(|finding| finding.consequence_of.is_none());
    assert!(roots.clone().all(|root| root.rule.name != "declared-shape"));
    assert_eq!(roots.filter(|root| root.rule.name == "input-port-mismatch").count(), LAYERS);
}

#[test]
fn one_wrong_length_in_many_layers() {
    const LAYERS: usize = 10_000;
    // The input is 2 long; it and every layer declare 3.
    let model = || {
        let (open, said) =
            ("<output><port id='0' precision='FP32'/>", "<output><port id='0' precision='FP32'><dim>3</dim></port>");
        let xml = chain(LAYERS, 3).replacen(open, said, 1);
        Model::from_bytes("m.xml", xml.into(), Weights::default(), &Options::default()).unwrap()
    };
    let checked = model();
    let (first, last) = (&checked.findings()[0], checked.findings().last().unwrap());
    assert_eq!((first.rule.name, first.consequences), ("declared-shape", LAYERS));
    assert_eq!(first.layer.as_ref().map(|layer| layer.ty.as_str()), Some("Parameter"));
    // Only a few of the others are reported one by one; the rest are counted.
    let reported = checked.findings().len() - 1;
    assert!(reported < LAYERS / 2, "{reported}");
    assert_eq!((last.rule.name, last.severity), ("limit-exceeded", Severity::Info));
    assert_eq!(last.message, format!("{} more findings are left out", LAYERS + 1 - reported).into());
    // All of them can be fixed all the same.
    let fixed = fix(model(), Applicability::Safe, &everything).unwrap();
    assert!(!fixed.is_cut_off && fixed.model.findings().is_empty(), "{:?}", fixed.model.findings().first());
    assert_eq!(fixed.edits.len(), LAYERS + 1);
}

/// The value that would fit is looked for among few numbers: with all of these, lists of them would take gigabytes.
#[test]
fn a_split_into_many_parts_that_disagree() {
    for parts in [1_000, 20_000] {
        let (xml, weights) = disagreeing_split(parts);
        let model = Model::from_bytes("m.xml", xml.into(), weights, &Options::default()).unwrap();
        let roots = model.findings().iter().filter(|finding| finding.consequence_of.is_none());
        let wrong = roots.filter(|finding| finding.rule.name == "declared-shape");
        assert_eq!(wrong.map(|finding| 1 + finding.consequences).sum::<usize>(), parts / 2);
    }
}

/// A `VariadicSplit` into parts of 1, 2, 3, …, of which every second port declares one more.
fn disagreeing_split(parts: usize) -> (String, Weights) {
    let port = |id: usize, length: usize| format!("<port id='{id}' precision='FP32'><dim>{length}</dim></port>");
    let whole: usize = (1..=parts).sum();
    let constant = |id: usize, shape: &str, offset: usize, size: usize| {
        format!(
            "<layer id='{id}' name='c{id}' type='Const' version='opset1'><data element_type='i64' shape='{shape}' \
             offset='{offset}' size='{size}'/><output><port id='0' precision='I64'/></output></layer>"
        )
    };
    let ports: String = (0..parts).map(|part| port(part + 3, part + 1 + part % 2)).collect();
    let layers = [
        format!("<layer id='0' name='d' type='Parameter' version='opset1'><data shape='{whole}' element_type='f32'/>"),
        format!("<output>{}</output></layer>", port(0, whole)),
        constant(1, "", 0, 8),
        constant(2, &parts.to_string(), 8, 8 * parts),
        "<layer id='3' name='s' type='VariadicSplit' version='opset1'><input><port id='0'/><port id='1'/>".to_owned(),
        format!("<port id='2'/></input><output>{ports}</output></layer>"),
        "<layer id='4' name='r' type='Result' version='opset1'><input><port id='0'/></input></layer>".to_owned(),
    ];
    let edges = [edge(0, 0, 3, 0), edge(1, 0, 3, 1), edge(2, 0, 3, 2), edge(3, 3, 4, 0)].concat();
    let bytes = std::iter::once(0).chain(1..=parts as u64).flat_map(u64::to_le_bytes).collect();
    (net(&layers.concat(), &edges), Weights::in_memory(bytes))
}

#[test]
fn other_inputs_break_many_layers_of_one_id() {
    const LAYERS: usize = 20_000;
    let layer = |i: usize| {
        format!(
            "<layer id='1' name='r{i}' type='Reshape' version='opset1'><input><port id='0'/></input>\
             <output><port id='1'/></output></layer>"
        )
    };
    let layers: Vec<String> = (1..=LAYERS).map(layer).collect();
    let xml = net(&[parameter(0, "2"), layers.concat()].concat(), "");
    let options = Options { shapes: "[3]".parse().unwrap(), ..Options::default() };
    let model = Model::from_bytes("m.xml", xml.into(), Weights::default(), &options).unwrap();
    assert!(model.findings().iter().filter(|finding| finding.severity == Severity::Error).count() > 1_000);
}

#[test]
fn shapes_of_many_inputs() {
    const INPUTS: usize = 20_000;
    let input = |i| parameter(i, "2").replace("name='x'", &format!("name='x{i}'"));
    let xml = net(&(0..INPUTS).map(input).collect::<String>(), "");
    let shapes: Vec<String> = (0..INPUTS).map(|i| format!("x{i}[{i}]")).collect();
    let options = Options { shapes: shapes.join(",").parse().unwrap(), ..Options::default() };
    let model = Model::from_bytes("m.xml", xml.into(), Weights::default(), &options).unwrap();
    assert_eq!(model.facts().unwrap().outputs(LayerId::new(7))[0].to_string(), "f32[7]");
}

/// The model of a Concat of many inputs, all of them `[2,3]` but one, and the Concat.
fn joined(inputs: usize, one: usize, shape: &str) -> (Model, Tensor) {
    let input = |i| parameter(i, if i == one { shape } else { "2,3" }).replace("name='x'", &format!("name='x{i}'"));
    let layers = each(inputs, input) + &concat(inputs, inputs);
    let xml = net(&layers, &each(inputs, |i| edge(i, 0, inputs, i)));
    let model = Model::from_bytes("m.xml", xml.into(), Weights::default(), &Options::default()).unwrap();
    let tensor = Tensor::find(&model, "c").unwrap();
    (model, tensor)
}

#[test]
fn many_inputs_that_decide() {
    let (model, tensor) = joined(4_000, 0, "2,3");
    let why = why(&model, &tensor, 5).unwrap();
    let reasons: Vec<_> = why.reasons.iter().map(|reason| (reason.how, &*reason.value, reason.from.len())).collect();
    assert_eq!(reasons, [(How::Computed, "8000", 16), (How::Agreed, "3", 16), (How::Parameter, "f32", 0)]);
    assert_eq!(why.reasons[2].tensor, "x0");
    assert!(!why.is_complete);
}

#[test]
fn one_of_many_inputs_that_decides() {
    let (model, tensor) = joined(4_000, 2_500, "2,4");
    let failure = why(&model, &tensor, 5).unwrap().failure.unwrap();
    let pins: Vec<_> = failure.pins.iter().map(|pin| (&*pin.tensor, &*pin.value)).collect();
    assert_eq!(pins, [("x2500", "4")]);
}

/// A net of conditions without anything in them.
fn conditions(count: usize) -> String {
    let body = "<layers><layer id='0' name='k' type='Parameter' version='opset1'><data shape='2' element_type='f32'/>\
                <output><port id='0' precision='FP32'><dim>2</dim></port></output></layer></layers><edges/>";
    let one = |id: usize| {
        format!(
            "<layer id='{id}' name='if{id}' type='If' version='opset8'><then_body>{body}</then_body>\
             <else_body>{body}</else_body></layer>"
        )
    };
    net(&(0..count).map(one).collect::<String>(), "")
}

#[test]
fn findings_in_every_body() {
    let found = rules(conditions(5_000), Vec::new());
    assert_eq!(found["wrong-input-count"], 5_000);
}

#[test]
fn names_are_looked_for_in_every_body() {
    let options = Options::default();
    let model = Model::from_bytes("m.xml", conditions(3_000).into(), Weights::default(), &options).unwrap();
    let error = Tensor::find(&model, "k").unwrap_err();
    let (first, last) = ("`if0/then_body/k`, `if0/else_body/k`, `if1/then_body/k`", "`if2/then_body/k`");
    assert_eq!(
        error,
        format!("the model has no layer or tensor `k`; did you mean {first}, `if1/else_body/k` or {last}?")
    );
    let error = Tensor::find(&model, "zzz").unwrap_err();
    assert_eq!(error, "the model has no layer or tensor `zzz`; `ovlint shapes --consts` lists all");
}

/// A net in which `count` layers read and as many write one variable, each of another shape than it has.
fn shared_state(count: usize) -> String {
    let port = |id: usize, length: usize| format!("<port id='{id}' precision='FP32'><dim>{length}</dim></port>");
    let mut layers = format!(
        "<layer id='0' name='x' type='Parameter' version='opset1'><data shape='3' element_type='f32'/>\
         <output>{}</output></layer>",
        port(0, 3)
    );
    let mut edges = String::new();
    for read in 1..=count {
        let (result, write) = (count + read, 2 * count + read);
        let block = format!(
            "<layer id='{read}' name='r{read}' type='ReadValue' version='opset6'>\
             <data variable_id='v' variable_type='f32' variable_shape='2'/><output>{}</output></layer>\
             <layer id='{result}' name='o{read}' type='Result' version='opset1'><input>{}</input></layer>\
             <layer id='{write}' name='w{read}' type='Assign' version='opset6'>\
             <data variable_id='v'/><input>{}</input><output>{}</output></layer>",
            port(0, 2),
            port(0, 2),
            port(0, 3),
            port(1, 3)
        );
        layers += &block;
        edges += &[edge(read, 0, result, 0), edge(0, 0, write, 0)].concat();
    }
    net(&layers, &edges)
}

#[test]
fn readers_of_one_variable() {
    assert_eq!(rules(shared_state(3), Vec::new())["shape-conflict"], 3);
    assert_eq!(rules(shared_state(10_000), Vec::new())["shape-conflict"], 10_000);
}
