//! States of Loop and TensorIterator against what OpenVINO 2026.4.1 was measured to infer.

use super::{back_edges, input, output, port_map};
use crate::ir_builder::{Ir, Output, infer};
use crate::measured::measurement::{Measurement, assert_agreement};
use ovlint::internal::diagnostic::Severity;
use ovlint::internal::{Model, Options, Weights};

/// A Loop, and what OpenVINO makes of it.
struct Looped {
    /// `None` is a Parameter.
    trips: Option<f64>,
    runs: Option<f64>,
    data: &'static str,
    /// Whether the body gives twice the rows that it takes.
    grows: bool,
    /// Whether the state is an output in the end; what is twice its columns, and all of its values side by side, are.
    gives_out: bool,
    openvino: &'static str,
}

const fn looped(
    trips: Option<f64>,
    runs: Option<f64>,
    data: &'static str,
    grows: bool,
    gives_out: bool,
    openvino: &'static str,
) -> Looped {
    Looped { trips, runs, data, grows, gives_out, openvino }
}

const YES: Option<f64> = Some(1.0);
const NO: Option<f64> = Some(0.0);

#[rustfmt::skip]
const LOOPS: &[Looped] = &[
    looped(Some(3.0), YES, "2,7", false, true, "f32[2,7]; f32[2,14]; f32[2,21]"),
    looped(Some(3.0), None, "2,7", false, true, "f32[2,7]; f32[2,14]; f32[2,21]"),
    looped(None, YES, "2,7", false, true, "f32[2,7]; f32[2,14]; f32[2,?]"),
    looped(None, None, "2..4,7", false, true, "f32[2..4,7]; f32[2..4,14]; f32[2..4,?]"),
    looped(Some(3.0), YES, "2,7", true, true, "f32[?,7]; f32[?,14]; f32[?,21]"),
    looped(Some(3.0), None, "2,7", true, true, "f32[?,7]; f32[?,14]; f32[?,21]"),
    looped(None, YES, "2,7", true, true, "f32[?,7]; f32[?,14]; f32[?,?]"),
    looped(Some(1.0), YES, "2,7", true, true, "f32[?,7]; f32[?,14]; f32[?,7]"),
    looped(Some(1.0), None, "2,7", true, true, "f32[?,7]; f32[?,14]; f32[?,7]"),
    looped(Some(0.0), YES, "2,7", true, true, "f32[4,7]; f32[2,14]; f32[2,0]"),
    looped(Some(3.0), NO, "2,7", false, true, "f32[0,7]; f32[0,14]; f32[0]"),
    looped(Some(3.0), NO, "2,7", true, true, "f32[?,7]; f32[?,14]; f32[0]"),
    looped(Some(3.0), NO, "2..4,7", true, true, "f32[?,7]; f32[?,14]; f32[0]"),
    looped(Some(3.0), YES, "2,7", true, false, "f32[2,14]; f32[2,21]"),
    looped(Some(3.0), YES, "2,7", false, false, "f32[2,14]; f32[2,21]"),
    looped(None, YES, "2..4,7", false, false, "f32[2..4,14]; f32[2..4,?]"),
];

/// What a body makes of its state.
#[derive(Clone, Copy)]
enum Change {
    Kept,
    /// It has twice the rows.
    Doubled,
    /// It lacks the last column.
    Shortened,
}

use Change::{Doubled, Kept, Shortened};

/// Of a `TensorIterator` the slices, the state, how it changes, and what OpenVINO makes of it.
const ITERATED: &[(&str, &str, Change, &str)] = &[
    ("3,4", "2,7", Doubled, "f32[4,7]; f32[3,4]"),
    ("3,4", "2,7", Kept, "f32[2,7]; f32[3,4]"),
    ("?,4", "2,7", Doubled, "f32[4,7]; f32[?,4]"),
    ("1,4", "2,7", Doubled, "f32[4,7]; f32[1,4]"),
    ("3,4", "?,7", Doubled, "f32[?,7]; f32[3,4]"),
    ("3,4", "1..2,7", Doubled, "f32[2..4,7]; f32[3,4]"),
    ("3,4", "2,?", Doubled, "f32[4,?]; f32[3,4]"),
    ("3,4", "?,2", Shortened, "f32[?,1]; f32[3,4]"),
];

/// What is measured here.
pub(crate) fn measurements() -> Vec<Measurement> {
    let number = |number: Option<f64>| number.map_or("?".to_owned(), |number| number.to_string());
    let changed = |change: Change| match change {
        Kept => "kept",
        Doubled => "doubled",
        Shortened => "shortened",
    };
    let loops = LOOPS.iter().map(|one| {
        let Looped { trips, runs, data, grows, gives_out, openvino } = one;
        let kept = if *gives_out { "" } else { " inside" };
        let situation =
            format!("trips {} runs {} [{data}] {}{kept}", number(*trips), number(*runs), changed(change(*grows)));
        let (ir, layer) = one.ir();
        let (xml, weights) = ir.finish();
        Measurement::new("Loop", &situation, openvino, &infer(xml, weights, layer))
    });
    let iterated = ITERATED.iter().map(|(slices, state, change, openvino)| {
        let situation = format!("slices of [{slices}] [{state}] {}", changed(*change));
        let (ir, layer) = iterated(slices, state, *change);
        let (xml, weights) = ir.finish();
        Measurement::new("TensorIterator", &situation, openvino, &infer(xml, weights, layer))
    });
    loops.chain(iterated).collect()
}

#[test]
fn states_hold_what_every_iteration_gives() {
    assert_agreement(&measurements());
}

#[test]
fn states_are_as_narrow_as_that() {
    let found: Vec<String> = measurements().into_iter().map(|one| one.ovlint).collect();
    let want = [
        "f32[2,7]; f32[2,14]; f32[2,21]",
        "f32[2,7]; f32[2,14]; f32[2,21]",
        "f32[2,7]; f32[2,14]; f32[2,?]",
        "f32[2..4,7]; f32[..4,14]; f32[..4,?]",
        "f32[4..,7]; f32[2..,14]; f32[2..,21]",
        "f32[2..,7]; f32[?,14]; f32[?,21]",
        "f32[2..,7]; f32[?,14]; f32[?,?]",
        "f32[4,7]; f32[2,14]; f32[2,7]",
        "f32[2..4,7]; f32[2,14]; f32[2,7]",
        "f32[2..4,7]; f32[2,14]; f32[2,0]",
        "f32[..2,7]; f32[0,14]; f32[0]",
        "f32[..2,7]; f32[0,14]; f32[0]",
        "f32[2..8,7]; f32[..4,14]; f32[0]",
        "f32[2,14]; f32[2,21]",
        "f32[2,14]; f32[2,21]",
        "f32[..4,14]; f32[..4,?]",
        "f32[4,7]; f32[3,4]",
        "f32[2,7]; f32[3,4]",
        "f32[4,7]; f32[?,4]",
        "f32[4,7]; f32[1,4]",
        "f32[?,7]; f32[3,4]",
        "f32[2..,7]; f32[3,4]",
        "f32[4,?]; f32[3,4]",
        "f32[?,..1]; f32[3,4]",
    ];
    assert_eq!(found, want);
}

/// A model whose ports declare what OpenVINO infers.
fn declaring(ir: Ir, openvino: &str) -> Model {
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap();
    let (head, mut tail) = xml.split_once("</body>").map(|(head, tail)| (head, tail.to_owned())).unwrap();
    for output in openvino.split("; ") {
        let dims = output.trim_start_matches("f32[").trim_end_matches(']').split(',');
        let dims = dims.map(|dim| format!("<dim>{}</dim>", dim.parse::<i64>().unwrap_or(-1)));
        let port = format!("precision=\"FP32\">{}</port>", dims.collect::<String>());
        tail = tail.replacen("precision=\"UNSPECIFIED\"/>", &port, 1);
    }
    let xml = format!("{head}</body>{tail}").into_bytes();
    Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap()
}

#[test]
fn ports_that_declare_what_openvino_infers_are_no_faults() {
    let loops = LOOPS.iter().map(|one| (one.ir().0, one.openvino));
    let iterated =
        ITERATED.iter().map(|(slices, state, change, openvino)| (iterated(slices, state, *change).0, *openvino));
    for (ir, openvino) in loops.chain(iterated) {
        let model = declaring(ir, openvino);
        let reported = model.findings().iter().filter(|finding| finding.severity != Severity::Info);
        let declared = reported.filter(|finding| finding.rule.name.starts_with("declared"));
        assert_eq!(declared.count(), 0, "{openvino}");
    }
}

/// OpenVINO infers nothing from a back edge whose Result is no output, so that the state of this body has 5 elements there.
#[test]
fn ports_behind_a_state_that_is_no_output_are_no_faults() {
    let mut ir = Ir::default();
    let (trips, runs) = (ir.parameter("i64", ""), ir.parameter("boolean", ""));
    let data = ir.parameter("f32", "5");
    let mut body = ir.body();
    let state = body.parameter("f32", "5");
    let [axis, first] = [(); 2].map(|()| body.constant("i64", &[], &[0.0]));
    let [start, stop, along] = [1.0, 2_147_483_647.0, 0.0].map(|number| body.constant("i64", &[1], &[number]));
    let rest = body.layer("Slice", "opset8", "", &[state, start, stop, start, along], 1);
    let places = body.layer("NonZero", "opset3", "<data output_type=\"i64\"/>", &[rest], 1);
    let places = body.layer("Squeeze", "opset1", "", &[places, axis], 1);
    let left = body.layer("Gather", "opset8", "", &[rest, places, first], 1);
    let (left, rest) = (body.result(left), body.result(rest));
    let goes_on = body.constant("boolean", &[], &[1.0]);
    let goes_on = body.result(goes_on);
    let body = ir.close("body", body);
    let map =
        port_map(&[input(2, state.0, ""), output(3, rest, ""), output(-1, goes_on, "purpose=\"execution_condition\"")])
            + &back_edges(&[(left, state.0)]);
    let host = ir.layer("Loop", "opset5", &(map + &body), &[trips, runs, data], 1);
    ir.result(host);
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap();
    let (head, tail) = xml.split_once("type=\"Slice\"").unwrap();
    let (inputs, outputs) = tail.split_once("<output>").unwrap();
    let declared = |outputs: String, (ty, dims): (&str, &[i32])| {
        let dims = dims.iter().map(|dim| format!("<dim>{dim}</dim>")).collect::<Vec<_>>().concat();
        outputs.replacen("precision=\"UNSPECIFIED\"/>", &format!("precision=\"{ty}\">{dims}</port>"), 1)
    };
    let ports: [(&str, &[i32]); 4] = [("FP32", &[4]), ("I64", &[1, -1]), ("I64", &[-1]), ("FP32", &[-1])];
    let outputs = ports.into_iter().fold(outputs.to_owned(), declared);
    let xml = format!("{head}type=\"Slice\"{inputs}<output>{outputs}").into_bytes();
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
    let declared: Vec<_> = model.findings().iter().filter(|finding| finding.rule.name == "declared-static").collect();
    assert_eq!(declared.iter().map(|finding| finding.severity).collect::<Vec<_>>(), [Severity::Info], "{declared:?}");
}

#[test]
fn what_openvino_infers_of_a_body_is_no_matter_of_values() {
    let notes = |ir: Ir, openvino: &str| {
        let model = declaring(ir, openvino);
        let infos = model.findings().iter().filter(|finding| finding.severity == Severity::Info);
        let declared = infos.filter(|finding| finding.rule.name.starts_with("declared"));
        declared.flat_map(crate::notes).filter(|note| note.contains("OpenVINO")).collect::<Vec<_>>()
    };
    let of_loop = "this is what OpenVINO infers: it does not consider that the Loop may run 0 times";
    assert_eq!(notes(widened(), "f32[3,7]"), [of_loop]);
    let (ir, _) = iterated("3,4", "1..2,7", Doubled);
    assert_eq!(notes(ir, "f32[4,7]; f32[3,4]"), ["this may be what OpenVINO infers"]);
}

fn change(grows: bool) -> Change {
    if grows { Doubled } else { Kept }
}

fn next(body: &mut Ir, state: Output, change: Change) -> Output {
    match change {
        Kept => body.layer("ReLU", "opset1", "", &[state], 1),
        Doubled => body.layer("Concat", "opset1", "<data axis=\"0\"/>", &[state, state], 1),
        Shortened => {
            let [start, stop, step] = [0.0, -1.0, 1.0].map(|number| body.constant("i64", &[1], &[number]));
            body.layer("Slice", "opset8", "", &[state, start, stop, step, step], 1)
        }
    }
}

impl Looped {
    /// The IR and the place of the Loop.
    fn ir(&self) -> (Ir, usize) {
        let mut ir = Ir::default();
        let given = |ir: &mut Ir, ty: &str, number: Option<f64>| match number {
            Some(number) => ir.constant(ty, &[], &[number]),
            None => ir.parameter(ty, ""),
        };
        let (trips, runs) = (given(&mut ir, "i64", self.trips), given(&mut ir, "boolean", self.runs));
        let data = ir.parameter("f32", self.data);
        let mut body = ir.body();
        let state = body.parameter("f32", "...");
        let next = next(&mut body, state, change(self.grows));
        let double = body.layer("Concat", "opset1", "<data axis=\"1\"/>", &[state, state], 1);
        let (next, double, now) = (body.result(next), body.result(double), body.result(state));
        let goes_on = body.constant("boolean", &[], &[1.0]);
        let goes_on = body.result(goes_on);
        let body = ir.close("body", body);
        let first = if self.gives_out { output(3, next, "") } else { String::new() };
        let outputs = if self.gives_out { 3 } else { 2 };
        let map = port_map(&[
            input(2, state.0, ""),
            first,
            output(outputs + 1, double, ""),
            output(outputs + 2, now, "axis=\"1\""),
            output(-1, goes_on, "purpose=\"execution_condition\""),
        ]) + &back_edges(&[(next, state.0)]);
        let outputs = usize::try_from(outputs).unwrap();
        let host = ir.layer("Loop", "opset5", &(map + &body), &[trips, runs, data], outputs);
        for i in 0..outputs {
            ir.result(Output(host.0, i));
        }
        (ir, host.0)
    }
}

/// A Loop that makes three rows of one, if it runs.
fn widened() -> Ir {
    let mut ir = Ir::default();
    let (trips, runs) = (ir.parameter("i64", ""), ir.parameter("boolean", ""));
    let data = ir.parameter("f32", "1,7");
    let mut body = ir.body();
    let state = body.parameter("f32", "...");
    let rows = body.constant("f32", &[3, 1], &[0.0; 3]);
    let sum = body.layer("Add", "opset1", "<data auto_broadcast=\"numpy\"/>", &[state, rows], 1);
    let next = body.result(sum);
    let goes_on = body.constant("boolean", &[], &[1.0]);
    let goes_on = body.result(goes_on);
    let body = ir.close("body", body);
    let decides = output(-1, goes_on, "purpose=\"execution_condition\"");
    let map = port_map(&[input(2, state.0, ""), output(3, next, ""), decides]) + &back_edges(&[(next, state.0)]);
    let host = ir.layer("Loop", "opset5", &(map + &body), &[trips, runs, data], 1);
    ir.result(host);
    ir
}

/// A TensorIterator over slices along axis 0, with a state that changes; the IR and its place.
fn iterated(slices: &str, state: &str, change: Change) -> (Ir, usize) {
    let mut ir = Ir::default();
    let (data, start) = (ir.parameter("f32", slices), ir.parameter("f32", state));
    let mut body = ir.body();
    let (part, state) = (body.parameter("f32", "..."), body.parameter("f32", "..."));
    let next = next(&mut body, state, change);
    let (next, part_end) = (body.result(next), body.result(part));
    let body = ir.close("body", body);
    let map = port_map(&[
        input(0, part.0, "axis=\"0\""),
        input(1, state.0, ""),
        output(2, next, ""),
        output(3, part_end, "axis=\"0\""),
    ]) + &back_edges(&[(next, state.0)]);
    let host = ir.layer("TensorIterator", "opset1", &(map + &body), &[data, start], 2);
    ir.result(host);
    ir.result(Output(host.0, 1));
    (ir, host.0)
}
