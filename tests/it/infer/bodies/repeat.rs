//! Loop.

use super::{back_edges, findings, input, inside, keeping, model, outcome, output, port_map, results};
use crate::ir_builder::{Ir, Output};
use crate::program::show_openvino;
use ovlint::internal::diagnostic::{Runtime, Severity, body_text};
use ovlint::internal::ir::BodyKind;
use ovlint::internal::{Model, Options, Weights};

/// A Loop in the making: the data, what its body does to it, and what it counts.
struct Over<'a> {
    data: &'a str,
    /// A constant, or a Parameter of a shape.
    trips: Result<&'a [f64], &'a str>,
    runs: Result<&'a [f64], &'a str>,
    goes_on: Result<&'a [f64], &'a str>,
    slice: &'a str,
    concat: &'a str,
}

impl Default for Over<'_> {
    fn default() -> Self {
        Self { data: "2,7", trips: Ok(&[10.0]), runs: Ok(&[1.0]), goes_on: Ok(&[1.0]), slice: "", concat: "" }
    }
}

fn given(ir: &mut Ir, ty: &str, what: Result<&[f64], &str>) -> Output {
    match what {
        Ok([one]) => ir.constant(ty, &[], &[*one]),
        Ok(all) => ir.constant(ty, &[all.len()], all),
        Err(shape) => ir.parameter(ty, shape),
    }
}

impl Over<'_> {
    fn ir(&self) -> Ir {
        let mut ir = Ir::default();
        let trips = given(&mut ir, "i64", self.trips);
        let runs = given(&mut ir, "boolean", self.runs);
        let data = ir.parameter("f32", self.data);
        let mut body = ir.body();
        let part = body.parameter("f32", "...");
        let relu = body.layer("ReLU", "opset1", "", &[part], 1);
        let end = body.result(relu);
        let goes_on = given(&mut body, "boolean", self.goes_on);
        let goes_on = body.result(goes_on);
        let body = ir.close("body", body);
        let decides = output(-1, goes_on, "purpose=\"execution_condition\"");
        let map = port_map(&[input(2, part.0, self.slice), output(3, end, self.concat), decides]);
        let host = ir.layer("Loop", "opset5", &(map + &body), &[trips, runs, data], 1);
        ir.result(host);
        ir
    }

    fn outcome(&self) -> String {
        outcome(self.ir())
    }
}

/// A Loop that keeps its data and concatenates it, as often as `trips` says.
fn as_often_as(mut ir: Ir, trips: Output, data: &str) -> String {
    let (runs, data) = (ir.constant("boolean", &[], &[1.0]), ir.parameter("f32", data));
    results(&model(keeping(ir, [trips, runs, data], "axis=\"1\"")))
}

/// A Loop that runs up to ten times over some inputs; `fill` makes its body, and gives its port map and back edges.
fn ten_times(ir: &mut Ir, inputs: &[Output], outputs: usize, fill: impl FnOnce(&mut Ir) -> (Vec<String>, String)) {
    let (trips, runs) = (ir.constant("i64", &[], &[10.0]), ir.constant("boolean", &[], &[1.0]));
    let mut body = ir.body();
    let (mut map, back) = fill(&mut body);
    let goes_on = body.constant("boolean", &[], &[1.0]);
    let goes_on = body.result(goes_on);
    let body = ir.close("body", body);
    map.push(output(-1, goes_on, "purpose=\"execution_condition\""));
    let taken = [&[trips, runs], inputs].concat();
    let host = ir.layer("Loop", "opset5", &(port_map(&map) + &back + &body), &taken, outputs);
    ir.result(host);
}

#[test]
fn bounds_of_trips_make_iterations() {
    let per_row = |rows| {
        let mut ir = Ir::default();
        let counted = ir.parameter("f32", rows);
        let shape = ir.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[counted], 1);
        let zero = ir.constant("i64", &[], &[0.0]);
        let trips = ir.layer("Gather", "opset8", "<data batch_dims=\"0\"/>", &[shape, zero, zero], 1);
        as_often_as(ir, trips, "2..4,7")
    };
    assert_eq!(per_row("3..5,6"), "f32[2..4,21..35]");
    assert_eq!(per_row("1..,6"), "f32[2..4,7..]");
    // Of no iteration, the CPU plugin gives a length of 0 for what is dynamic.
    assert_eq!(per_row("..5,6"), "f32[..4,..35]");
}

#[test]
fn trips_make_iterations() {
    let cat = Over { concat: "axis=\"1\"", ..Over::default() };
    let trips = |trips| Over { trips, ..cat }.outcome();
    assert_eq!(trips(Ok(&[10.0])), "f32[2,70]");
    assert_eq!(trips(Ok(&[0.0])), "f32[2,0]");
    assert_eq!(trips(Ok(&[-1.0])), "f32[2,7..]");
    assert_eq!(trips(Ok(&[-7.0])), "f32[2,0]");
    assert_eq!(trips(Err("")), "f32[2,?]");
    assert_eq!(trips(Err("2")), "f32[2,?]");
    assert_eq!(trips(Ok(&[4_611_686_018_427_387_904.0])), "f32[2,?]");
    assert_eq!(trips(Ok(&[1.0, 2.0])), "input-value: `trip_count` holds 2 values, wanted one @ data");
    assert_eq!(
        trips(Err("1,1")),
        "input-rank: `trip_count` of Loop must be a scalar or a list, but is i64[1,1] @ port"
    );
    let found = findings(&model(Over { trips: Ok(&[-7.0]), ..Over::default() }.ir()), "warning");
    assert_eq!(found, ["input-value: a trip count of -7, wanted at least 0, or -1 for no limit @ data"]);
    let last = Over { trips: Ok(&[0.0]), ..Over::default() };
    assert_eq!(last.outcome(), "f32[2,7]");
}

#[test]
fn concatenation_ignores_part_size() {
    let concat = |data, concat| Over { data, concat, ..Over::default() }.outcome();
    assert_eq!(concat("2,7", "axis=\"-1\" part_size=\"5\""), "f32[2,70]");
    assert_eq!(concat("?,7", "axis=\"0\""), "f32[?,7]");
    assert_eq!(concat("...", "axis=\"0\""), "f32[...]");
    assert_eq!(concat("", "axis=\"0\""), "f32[10]");
    assert_eq!(concat("", "axis=\"-1\""), "f32[10]");
    assert_eq!(concat("", "axis=\"1\""), "axis-range: axis 1 does not exist in [] @ axis=\"1\"");
    assert_eq!(concat("2,7", "axis=\"2\""), "axis-range: axis 2 does not exist in [2,7] @ axis=\"2\"");
    let slice = |slice| Over { slice, concat: "axis=\"1\"", ..Over::default() }.outcome();
    assert_eq!(slice("axis=\"1\""), "f32[2,10]");
    assert_eq!(slice("axis=\"1\" part_size=\"3\""), "f32[2,30]");
    assert_eq!(slice("axis=\"2\""), "axis-range: axis 2 does not exist in [2,7] @ axis=\"2\"");
    let want = "bad-port-map: `part_size` is 0, expected at least 1 @ part_size=\"0\"";
    assert_eq!(slice("axis=\"1\" part_size=\"0\""), want);
}

#[test]
fn every_iteration_needs_a_slice() {
    let found = |data, trips, runs, goes_on| {
        let over = Over { data, trips, runs, goes_on, slice: "axis=\"1\"", concat: "axis=\"1\"" };
        let found = findings(&model(over.ir()), "warning").into_iter();
        found.filter(|finding| finding.contains("slices")).collect::<String>()
    };
    let (always, ten) = (Ok(&[1.0][..]), Ok(&[10.0][..]));
    let want = |length| format!("bad-port-map: axis 1 of this input has {length} slices for 10 iterations @ input");
    assert_eq!(found("2,7", ten, always, always), want("7"));
    assert_eq!(found("2,3..9", ten, always, always), want("3..9"));
    let slice = "axis=\"1\" start=\"-1\" end=\"0\" stride=\"-1\"";
    let backwards = Over { slice, concat: "axis=\"1\"", ..Over::default() };
    assert_eq!(findings(&model(backwards.ir()), "warning"), [want("7")]);
    for (data, trips, runs, goes_on) in [
        ("2,10", ten, always, always),
        ("2,7..12", ten, always, always),
        ("2,?", ten, always, always),
        ("2,7", ten, Err(""), always),
        ("2,7", ten, always, Err("")),
        ("2,7", Ok(&[-1.0][..]), always, always),
        ("2,7", Ok(&[0.0][..]), always, always),
    ] {
        assert_eq!(found(data, trips, runs, goes_on), "");
    }
}

/// OpenVINO's CPU plugin fails with these when it runs the model, and ignores `start`, `end` and `part_size`.
#[test]
fn strides_are_as_long_as_what_the_body_gives() {
    let found = |slice, concat| {
        let over = Over { data: "2,10", slice, concat, ..Over::default() };
        findings(&model(over.ir()), "warning").join("; ")
    };
    let whole = "axis=\"1\"";
    let want = "bad-port-map: axis 1 of this input has 5 slices for 10 iterations @ input";
    assert_eq!(found("axis=\"1\" stride=\"-2\"", whole), want);
    let want = "bad-port-map: `stride` is 2, the body gives 1 along axis 1 @ stride=\"2\"";
    assert_eq!(found(whole, "axis=\"1\" stride=\"2\""), want);
    let want = "bad-port-map: a `stride` of 0 never moves on @ stride=\"0\"";
    assert_eq!(found(whole, "axis=\"1\" stride=\"0\""), want);
    assert_eq!(found("axis=\"1\" stride=\"0\"", whole), want);
    assert_eq!(found("axis=\"1\" start=\"1\"", "axis=\"1\" start=\"-1\" end=\"0\" stride=\"-1\" part_size=\"2\""), "");
    assert_eq!(found("axis=\"1\" stride=\"-1\"", whole), "");
}

/// What OpenVINO 2026.4.1 compiles. `OVLINT_VERDICTS=DIR` writes the models there, to be shown to OpenVINO.
#[test]
fn counts_and_conditions_are_of_types_that_are_compiled() {
    let errors = |types: [&str; 3], data: &str| {
        let mut ir = Ir::default();
        let (trips, runs) = (ir.constant(types[0], &[], &[1.0]), ir.constant(types[1], &[], &[1.0]));
        let data = ir.parameter("f32", data);
        let mut body = ir.body();
        let part = body.parameter("f32", "...");
        let (kept, goes_on) = (body.layer("ReLU", "opset1", "", &[part], 1), body.constant(types[2], &[], &[1.0]));
        let (kept, goes_on) = (body.result(kept), body.result(goes_on));
        let body = ir.close("body", body);
        let decides = output(-1, goes_on, "purpose=\"execution_condition\"");
        let map = port_map(&[input(2, part.0, ""), output(3, kept, ""), decides]);
        let host = ir.layer("Loop", "opset5", &(map + &body), &[trips, runs, data], 1);
        ir.result(host);
        let (xml, weights) = ir.finish();
        let model =
            Model::from_bytes("m.xml", xml.clone(), Weights::in_memory(weights.clone()), &Options::default()).unwrap();
        let found = model.findings().iter().filter(|finding| finding.severity == Severity::Error);
        let found: Vec<_> = found.map(|one| (one.rule.name, one.message.shown().to_string(), one.runtime)).collect();
        let verdict = found.first().map_or(Runtime::Accepts, |one| one.2).name();
        show_openvino("OVLINT_VERDICTS", &format!("loop-{}.{verdict}", types.join("-")), &xml, &weights);
        found
    };
    let usual = ["i64", "boolean", "boolean"];
    for (input, ty) in [(0, "i32"), (0, "i16"), (0, "u64"), (1, "u8"), (1, "u4"), (2, "u8"), (2, "u4")] {
        let mut types = usual;
        types[input] = ty;
        assert_eq!(errors(types, "2"), []);
    }
    let wanted =
        ["`trip_count` of Loop is f32, wanted i32 or i64", "`execution_condition` of Loop is f32, wanted boolean"];
    let wanted = [wanted[0], wanted[1], "the condition of the body is f32, wanted boolean"];
    for (input, ty) in [(0, "f32"), (0, "u8"), (0, "i8"), (1, "i32"), (1, "f32"), (1, "i8"), (2, "i32"), (2, "f16")] {
        let mut types = usual;
        types[input] = ty;
        let want = |runtime| [("input-type", wanted[input].replace("f32", ty), runtime)];
        assert_eq!(errors(types, "?"), want(Runtime::MayNotCompile));
        assert_eq!(errors(types, "2"), want(Runtime::NotCompiled));
    }
}

/// OpenVINO counts the values of constants, not those that it computes.
#[test]
fn computed_conditions_without_a_value_may_be_rejected() {
    let verdict = |is_stored: bool| {
        let mut ir = Ir::default();
        let (trips, runs) = (ir.constant("i64", &[], &[10.0]), ir.constant("boolean", &[], &[1.0]));
        let data = ir.parameter("f32", "2");
        let mut body = ir.body();
        let part = body.parameter("f32", "2");
        let goes_on = if is_stored {
            body.constant("boolean", &[0], &[])
        } else {
            let scalar = body.parameter("f32", "");
            let shape = body.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[scalar], 1);
            body.layer("Convert", "opset1", "<data destination_type=\"boolean\"/>", &[shape], 1)
        };
        let (kept, goes_on) = (body.result(part), body.result(goes_on));
        let body = ir.close("body", body);
        let decides = output(-1, goes_on, "purpose=\"execution_condition\"");
        let map = port_map(&[input(2, part.0, ""), output(3, kept, ""), decides]);
        let host = ir.layer("Loop", "opset5", &(map + &body), &[trips, runs, data], 1);
        ir.result(host);
        let model = model(ir);
        let finding = model.findings().iter().find(|finding| finding.rule.name == "input-value").unwrap();
        assert_eq!(finding.message, "the condition of the body holds 0 values, wanted one".into());
        finding.runtime
    };
    assert_eq!([true, false].map(verdict), [Runtime::Rejects, Runtime::Unknown]);
}

#[test]
fn conditions_end_it() {
    let cat = Over { concat: "axis=\"1\"", ..Over::default() };
    let goes_on = |goes_on| Over { goes_on, ..cat }.outcome();
    assert_eq!(goes_on(Ok(&[0.0])), "f32[2,7]");
    assert_eq!(goes_on(Err("")), "f32[2,7..70]");
    assert_eq!(goes_on(Ok(&[1.0, 1.0])), "input-value: the condition of the body holds 2 values, wanted one @ layer");
    let want = "bad-port-map: `Result_4` is the condition and is [1,1], wanted a scalar or a list @ layer";
    assert_eq!(goes_on(Err("1,1")), want);
    let runs = |data, concat, runs| Over { data, runs, concat, ..Over::default() }.outcome();
    assert_eq!(runs("2,7", "axis=\"1\"", Err("2")), "f32[2,70]");
    assert_eq!(runs("2,7", "axis=\"1\"", Ok(&[0.0])), "f32[0]");
    assert_eq!(runs("2,7", "", Ok(&[0.0])), "f32[0,7]");
    assert_eq!(runs("?,7", "", Ok(&[0.0])), "f32[?,7]");
    assert_eq!(Over { trips: Ok(&[0.0]), goes_on: Ok(&[0.0]), ..cat }.outcome(), "f32[2,..7]");
    let want = "axis-range: the execution condition never holds, and a scalar has no dimension to become 0 @ output";
    assert_eq!(runs("", "", Ok(&[0.0])), want);
    let want = "input-value: `execution_condition` holds 2 values, wanted one @ data";
    assert_eq!(runs("2,7", "", Ok(&[1.0, 1.0])), want);
}

/// A Loop whose state becomes what another input is; the state and what it becomes.
fn handing_on(taken: &str, handed: &str, trips: f64, concat: &str) -> (String, String) {
    let mut ir = Ir::default();
    let (trips, runs) = (ir.constant("i64", &[], &[trips]), ir.constant("boolean", &[], &[1.0]));
    let (a, b) = (ir.parameter("f32", taken), ir.parameter("f32", handed));
    let mut body = ir.body();
    let (state, other) = (body.parameter("f32", "..."), body.parameter("f32", "..."));
    let (next, now) = (body.result(other), body.result(state));
    let goes_on = body.constant("boolean", &[], &[1.0]);
    let goes_on = body.result(goes_on);
    let body = ir.close("body", body);
    let map = port_map(&[
        input(2, state.0, ""),
        input(3, other.0, ""),
        output(4, next, concat),
        output(5, now, ""),
        output(-1, goes_on, "purpose=\"execution_condition\""),
    ]) + &back_edges(&[(next, state.0)]);
    let host = ir.layer("Loop", "opset5", &(map + &body), &[trips, runs, a, b], 2);
    ir.result(host);
    let model = model(ir);
    assert_eq!(findings(&model, "error"), [""; 0]);
    (inside(&model, BodyKind::Body, 0), inside(&model, BodyKind::Body, 1))
}

#[test]
fn dimensions_open_where_they_leave_their_bounds() {
    let rows = [
        ("1", "?", 10.0, "", "f32[?]"),
        ("?", "1", 10.0, "", "f32[?]"),
        ("1..3", "..6", 10.0, "", "f32[..6]"),
        ("..6", "1..3", 10.0, "", "f32[..6]"),
        ("3", "2", 10.0, "", "f32[2..3]"),
        ("2", "3", 10.0, "", "f32[2..3]"),
        ("2,?", "?,2", 10.0, "", "f32[?,?]"),
        ("2,3", "2,?", 10.0, "", "f32[2,?]"),
        ("...", "2", 10.0, "", "f32[...]"),
        ("2", "2,2", 10.0, "", "f32[...]"),
        ("2", "3", -1.0, "", "f32[2..3]"),
        // A first iteration that is the last one hands nothing on.
        ("2", "3", 1.0, "", "f32[2]"),
        ("2", "3", 0.0, "", "f32[2]"),
        // OpenVINO does not follow what no output gives out in the end, and does not run what does not fit.
        ("2", "3", 10.0, "axis=\"0\"", "f32[2]"),
        ("2", "2..3", 10.0, "axis=\"0\"", "f32[2..3]"),
    ];
    for (taken, handed, trips, concat, want) in rows {
        assert_eq!(handing_on(taken, handed, trips, concat).0, want, "{taken} {handed} {trips}");
    }
}

#[test]
fn trips_may_be_of_any_type() {
    let trips = |ty: &str, bits: u8| {
        let mut ir = Ir::default();
        let trips = ir.constant_of_bytes(ty, &[], &[bits]);
        as_often_as(ir, trips, "2,7")
    };
    assert_eq!(trips("u8", 5), "f32[2,35]");
    assert_eq!(trips("f4e2m1", 7), "f32[2,42]");
    assert_eq!(trips("f8e4m3", 0x4A), "f32[2,35]");
    assert_eq!(trips("f8e5m2", 0x45), "f32[2,35]");
    assert_eq!(trips("f8e8m0", 0x81), "f32[2,28]");
    // OpenVINO takes the bits of an nf4 for the number, which is -1 here.
    assert_eq!(trips("nf4", 0), "f32[2,?]");
}

#[test]
fn a_condition_that_shapes_decide_holds_for_all_iterations() {
    // The state has 2 rows at first and may grow; the body goes on while it has 2.
    let mut ir = Ir::default();
    let (trips, runs) = (ir.constant("i64", &[], &[10.0]), ir.constant("boolean", &[], &[1.0]));
    let (data, more) = (ir.parameter("f32", "2"), ir.parameter("f32", "..2"));
    let mut body = ir.body();
    let (state, more_in) = (body.parameter("f32", "..."), body.parameter("f32", "..."));
    let grown = body.layer("Concat", "opset1", "<data axis=\"0\"/>", &[state, more_in], 1);
    let end = body.result(grown);
    let shape = body.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[state], 1);
    let two = body.constant("i64", &[1], &[2.0]);
    let goes_on = body.layer("Equal", "opset1", "", &[shape, two], 1);
    let goes_on = body.result(goes_on);
    let body = ir.close("body", body);
    let map = port_map(&[
        input(2, state.0, ""),
        input(3, more_in.0, ""),
        output(4, end, "axis=\"0\""),
        output(-1, goes_on, "purpose=\"execution_condition\""),
    ]) + &back_edges(&[(end, state.0)]);
    let host = ir.layer("Loop", "opset5", &(map + &body), &[trips, runs, data, more], 1);
    ir.result(host);
    assert_eq!(outcome(ir), "f32[2..]");
}

#[test]
fn a_condition_from_outside_is_as_constant_as_that() {
    let from = |value: Option<f64>| {
        let mut ir = Ir::default();
        let (trips, runs) = (ir.constant("i64", &[], &[10.0]), ir.constant("boolean", &[], &[1.0]));
        let data = ir.parameter("f32", "2,7");
        let flag = match value {
            Some(value) => ir.constant("boolean", &[], &[value]),
            None => ir.parameter("boolean", ""),
        };
        let mut body = ir.body();
        let (part, goes_on) = (body.parameter("f32", "2,7"), body.parameter("boolean", ""));
        let (end, goes_on_end) = (body.result(part), body.result(goes_on));
        let body = ir.close("body", body);
        let map = port_map(&[
            input(2, part.0, ""),
            input(3, goes_on.0, ""),
            output(4, end, "axis=\"0\""),
            output(-1, goes_on_end, "purpose=\"execution_condition\""),
        ]);
        let host = ir.layer("Loop", "opset5", &(map + &body), &[trips, runs, data, flag], 1);
        ir.result(host);
        outcome(ir)
    };
    assert_eq!(from(Some(1.0)), "f32[20,7]");
    assert_eq!(from(Some(0.0)), "f32[2,7]");
    assert_eq!(from(None), "f32[2..20,7]");
}

/// A Loop whose body reshapes its data by what comes from outside, or by its own shape, and adds 3 elements.
fn reshaping(data: &str, target: &[f64]) -> Ir {
    let mut ir = Ir::default();
    let inputs = [ir.parameter("f32", data), ir.constant("i64", &[target.len()], target)];
    ten_times(&mut ir, &inputs, 1, |body| {
        let (part, lengths) = (body.parameter("f32", "..."), body.parameter("i64", "..."));
        let reshaped = body.layer("Reshape", "opset1", "<data special_zero=\"false\"/>", &[part, lengths], 1);
        let end = body.result(reshaped);
        (vec![input(2, part.0, ""), input(3, lengths.0, ""), output(4, end, "")], String::new())
    });
    ir
}

#[test]
fn elements_reach_into_bodies() {
    assert_eq!(outcome(reshaping("2,6", &[3.0, 4.0])), "f32[3,4]");
    // OpenVINO does not see the elements, and the Loop may never run.
    assert_eq!(outcome(reshaping("2,6", &[3.0, 5.0])), "f32[?,?]");
}

#[test]
fn what_is_wrong_in_a_body_is_reported_once() {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "2,7");
    ten_times(&mut ir, &[data], 2, |body| {
        let part = body.parameter("f32", "3,7");
        let twice = body.layer("Concat", "opset1", "<data axis=\"0\"/>", &[part, part], 1);
        let axis = body.constant("i64", &[], &[5.0]);
        let split = body.layer("Split", "opset1", "<data num_splits=\"2\"/>", &[twice, axis], 2);
        let (end, half) = (body.result(twice), body.result(split));
        let map = vec![input(2, part.0, ""), output(3, end, ""), output(4, half, "")];
        (map, back_edges(&[(end, part.0)]))
    });
    let model = model(ir);
    let wrong: Vec<_> = model.findings().iter().filter(|finding| finding.rule.name == "axis-range").collect();
    assert_eq!(wrong.len(), 1);
    assert_eq!(body_text(&wrong[0].body), "Loop_3/body");
    assert!(findings(&model, "warning").is_empty());
}

#[test]
fn bodies_must_hold_with_what_they_declare_too() {
    let declared = |shape: &str| {
        let mut ir = Ir::default();
        let data = ir.parameter("f32", "2,3");
        ten_times(&mut ir, &[data], 1, |body| {
            let part = body.parameter("f32", shape);
            let three = body.constant("f32", &[3], &[1.0, 2.0, 3.0]);
            let sum = body.layer("Add", "opset1", "", &[part, three], 1);
            let end = body.result(sum);
            (vec![input(2, part.0, ""), output(3, end, "")], String::new())
        });
        outcome(ir)
    };
    assert_eq!(declared("2,3"), "f32[2,3]");
    assert_eq!(declared("?,?"), "f32[2,3]");
    assert!(declared("2,4").contains("shape-conflict: "), "{}", declared("2,4"));
}
