//! TensorIterator.

use super::{back_edges, branch_map, findings, input, inside, model, outcome, output, port_map, results};
use crate::ir_builder::Ir;
use crate::program::show_openvino;
use ovlint::internal::diagnostic::{Runtime, Severity};
use ovlint::internal::ir::BodyKind;
use ovlint::internal::{Model, Options, Weights};

/// A TensorIterator whose body hands its only input on.
fn over(data: (&str, &str), inner: (&str, &str), slice: &str, concat: &str) -> Ir {
    let mut ir = Ir::default();
    let data = ir.parameter(data.0, data.1);
    let mut body = ir.body();
    let part = body.parameter(inner.0, inner.1);
    let relu = body.layer("ReLU", "opset1", "", &[part], 1);
    let end = body.result(relu);
    let body = ir.close("body", body);
    let map = port_map(&[input(0, part.0, slice), output(1, end, concat)]);
    let host = ir.layer("TensorIterator", "opset1", &(map + &body), &[data], 1);
    ir.result(host);
    ir
}

fn slices(data: &str, slice: &str, concat: &str) -> String {
    outcome(over(("f32", data), ("f32", "..."), slice, concat))
}

#[test]
fn slices_make_iterations() {
    let rows = [
        ("2,7,4", "axis=\"1\"", "axis=\"1\"", "f32[2,7,4]"),
        ("2,7,4", "axis=\"1\" stride=\"2\" part_size=\"2\"", "axis=\"1\" part_size=\"2\"", "f32[2,6,4]"),
        ("2,7,4", "axis=\"1\" start=\"-1\" end=\"0\" stride=\"-1\"", "axis=\"1\"", "f32[2,7,4]"),
        ("2,7,4", "axis=\"1\" start=\"2\"", "axis=\"1\"", "f32[2,5,4]"),
        ("2,7,4", "axis=\"1\" start=\"100\"", "axis=\"1\"", "f32[2,95,4]"),
        ("2,7,4", "axis=\"1\" start=\"-100\"", "axis=\"1\"", "f32[2,100,4]"),
        ("2,7,4", "axis=\"1\" end=\"7\"", "axis=\"1\"", "f32[2,8,4]"),
        ("2,7,4", "axis=\"1\"", "axis=\"-2\"", "f32[2,7,4]"),
        ("2,7,4", "axis=\"1\"", "axis=\"0\"", "f32[7,1,4]"),
        ("2,7,4", "axis=\"1\"", "", "f32[2,1,4]"),
        ("?,7,4", "axis=\"1\"", "axis=\"1\"", "f32[?,7,4]"),
        ("2,3..9,4", "axis=\"1\"", "axis=\"1\"", "f32[2,?,4]"),
        ("...", "axis=\"1\"", "axis=\"1\"", "f32[...]"),
        ("2,7", "", "axis=\"0\" end=\"5\" part_size=\"2\"", "f32[4,7]"),
        ("2,7", "", "axis=\"0\"", "f32[1,7]"),
        ("", "", "axis=\"0\" end=\"3\"", "f32[3]"),
        ("2,7", "", "", "f32[2,7]"),
        ("2,7", "axis=\"1\"", "axis=\"1\" part_size=\"9223372036854775807\"", "f32[2,?]"),
    ];
    for (data, slice, concat, want) in rows {
        let model = model(over(("f32", data), ("f32", "..."), slice, concat));
        assert_eq!(results(&model), want, "{data} {slice} {concat}");
    }
}

#[test]
fn axes_must_exist() {
    let rows = [
        ("2,7,4", "axis=\"3\"", "axis=\"1\"", "axis-range: axis 3 does not exist in [2,7,4] @ axis=\"3\""),
        ("", "axis=\"0\"", "axis=\"0\"", "axis-range: axis 0 does not exist in [] @ axis=\"0\""),
        ("2,7,4", "axis=\"1\"", "axis=\"3\"", "axis-range: axis 3 does not exist in [2,1,4] @ axis=\"3\""),
        ("2,7,4", "axis=\"1\"", "axis=\"-4\"", "axis-range: axis -4 does not exist in [2,1,4] @ axis=\"-4\""),
        ("", "", "axis=\"-1\"", "axis-range: axis -1 does not exist in [] @ axis=\"-1\""),
        ("2,7,4", "axis=\"-1\"", "", "invalid-attribute: `axis=\"-1\"` is not an unsigned integer @ -1"),
    ];
    for (data, slice, concat, want) in rows {
        assert_eq!(slices(data, slice, concat), want, "{data} {slice} {concat}");
    }
}

#[test]
fn parts_have_elements() {
    let part = |size: i64| slices("2,7,4", &format!("axis=\"1\" part_size=\"{size}\""), "axis=\"1\"");
    assert_eq!(part(0), "bad-port-map: `part_size` is 0, expected at least 1 @ part_size=\"0\"");
    assert_eq!(part(-1), "bad-port-map: `part_size` is -1, expected at least 1 @ part_size=\"-1\"");
    let concat = "axis=\"0\" part_size=\"0\"";
    assert_eq!(slices("2,7", "", concat), "bad-port-map: `part_size` is 0, expected at least 1 @ part_size=\"0\"");
}

#[test]
fn slices_stay_inside() {
    let warnings =
        |slice: &str, concat: &str| findings(&model(over(("f32", "2,7"), ("f32", "2,1"), slice, concat)), "warning");
    let found = warnings("axis=\"1\" end=\"7\"", "");
    let want = "bad-port-map: `end` 7 is outside axis 1 of 7 elements, which makes 8 iterations @ end=\"7\"";
    assert_eq!(found, [want]);
    let dynamic =
        |slice: &str, concat: &str| findings(&model(over(("f32", "2,?"), ("f32", "2,1"), slice, concat)), "warning");
    let found = dynamic("axis=\"1\" stride=\"0\"", "axis=\"1\"");
    assert_eq!(found, ["bad-port-map: a `stride` of 0 never moves on @ stride=\"0\""]);
    let found = dynamic("axis=\"1\"", "axis=\"1\" part_size=\"3\"");
    assert_eq!(found, ["bad-port-map: `part_size` is 3, the body gives 1 along axis 1 @ part_size=\"3\""]);
}

/// What OpenVINO 2026.4.1 compiles. `OVLINT_VERDICTS=DIR` writes the models there, to be shown to OpenVINO.
#[test]
fn all_entries_have_as_many_slices() {
    let (none, whole) = ("start=0 end=-1", "start=0 end=-1 stride=1");
    let rows = [
        ("6", whole, whole, None),
        ("6", "start=-1 end=0 stride=-1", whole, None),
        ("6", whole, "start=-1 end=0 stride=-1", None),
        ("6", "start=1", whole, None),
        ("6", "start=2 end=4", "", None),
        ("6", "start=0 end=6", "", None),
        ("6", "stride=2 part_size=2", "stride=2 part_size=2", None),
        ("6", "stride=2", "", None),
        ("?", "stride=2", whole, None),
        ("?", "start=0 end=-1 stride=-1", whole, None),
        ("6", "stride=2", whole, Some("this entry cuts 6 elements into 6 slices, but another entry has 3 slices")),
        ("6", none, "stride=2", Some("this entry cuts 6 elements into 3 slices, but another entry has 6 slices")),
        ("6", none, "start=2", Some("this entry cuts 6 elements into 4 slices, but another entry has 6 slices")),
        ("6", none, "part_size=2", Some("this entry cuts 12 elements into 12 slices, but another entry has 6 slices")),
        ("6", "start=0 end=6", whole, Some("this entry cuts 7 elements into 7 slices, but another entry has 6 slices")),
        ("6", none, "stride=0", Some("a `stride` of 0 never moves on")),
        ("6", "stride=0", none, Some("a `stride` of 0 never moves on")),
        ("6", "stride=-1", none, Some("`start` 0, `end` -1 and `stride` -1 select no slice of the 6 elements")),
        ("6", "end=7", "", Some("`start` 0, `end` 7 and `stride` 1 select no slice of the 6 elements")),
        ("6", "stride=7", "", Some("`start` 0, `end` -1 and `stride` 7 select no slice of the 6 elements")),
        ("6", "stride=4", "", Some("a `stride` of 4 does not divide 6 elements")),
    ];
    for (i, (length, slice, concat, want)) in rows.into_iter().enumerate() {
        let quoted = |text: &str| text.split(' ').map(|one| one.replacen('=', "=\"", 1) + "\"").collect::<Vec<_>>();
        let along = |text: &str| {
            if text.is_empty() { String::new() } else { "axis=\"1\" ".to_owned() + &quoted(text).join(" ") }
        };
        let ir = || over(("f32", &format!("2,{length}")), ("f32", "..."), &along(slice), &along(concat));
        let (xml, weights) = ir().finish();
        let verdict = if want.is_some() { Runtime::NotCompiled } else { Runtime::Accepts };
        show_openvino("OVLINT_VERDICTS", &format!("slices{i:02}.{}", verdict.name()), &xml, &weights);
        let model = model(ir());
        let found = model.findings().iter().filter(|one| one.severity == Severity::Error);
        let found: Vec<_> = found.map(|one| (one.message.shown().to_string(), one.runtime)).collect();
        let want: Vec<_> = want.iter().map(|text| ((*text).to_owned(), Runtime::NotCompiled)).collect();
        assert_eq!(found, want, "{length} {slice} {concat}");
        assert!(!model.findings().iter().any(|one| one.severity == Severity::Warning && !want.is_empty()));
    }
}

#[test]
fn bodies_keep_their_types_and_take_shapes() {
    let model = model(over(("i32", "2,7"), ("f32", "2,1"), "axis=\"1\"", "axis=\"1\""));
    let want = "body-shape-mismatch: Parameter `Parameter_0` of the body declares f32, but `TensorIterator_1` gives it i32 @ f32";
    assert_eq!(findings(&model, "error"), [want]);
    assert_eq!(inside(&model, BodyKind::Body, 0), "f32[2,1]");
    let found = outcome(over(("f32", "2,7"), ("f32", "2,3"), "axis=\"1\"", "axis=\"1\""));
    let want = "body-shape-mismatch: Parameter `Parameter_0` of the body declares [2,3], but `TensorIterator_1` gives it [2,1] @ 2,3";
    assert_eq!(found, want);
}

#[test]
fn parameters_that_nothing_takes_stay_as_they_are() {
    for (is_used, want) in [(false, "f32[1,3,?]"), (true, "f32[1,2,6]")] {
        let mut ir = Ir::default();
        let (data, state) = (ir.parameter("f32", "6,2,6"), ir.parameter("f32", "2,7"));
        let mut body = ir.body();
        let (part, state_in) = (body.parameter("f32", "1,3,?"), body.parameter("f32", "2,7"));
        let relu = body.layer("ReLU", "opset1", "", &[if is_used { part } else { state_in }], 1);
        let end = body.result(relu);
        let body = ir.close("body", body);
        let map = port_map(&[input(0, part.0, "axis=\"0\""), input(1, state_in.0, ""), output(2, end, "")]);
        let host = ir.layer("TensorIterator", "opset1", &(map + &body), &[data, state], 1);
        ir.result(host);
        let model = model(ir);
        assert_eq!(inside(&model, BodyKind::Body, 0), want);
        assert_eq!(findings(&model, "error").is_empty(), !is_used);
    }
}

/// A TensorIterator over `slices`, with a state that the body doubles along axis 0, converted to a type.
fn growing(ty: &str, shape: &str, slices: &str) -> Ir {
    let mut ir = Ir::default();
    let (state, data) = (ir.parameter("f32", shape), ir.parameter("f32", slices));
    let mut body = ir.body();
    let (state_in, part) = (body.parameter("f32", shape), body.parameter("f32", "1"));
    body.result(part);
    let twice = body.layer("Concat", "opset1", "<data axis=\"0\"/>", &[state_in, state_in], 1);
    let ty = format!("<data destination_type=\"{ty}\"/>");
    let converted = body.layer("Convert", "opset1", &ty, &[twice], 1);
    let end = body.result(converted);
    let body = ir.close("body", body);
    let map = port_map(&[input(0, state_in.0, ""), input(1, part.0, "axis=\"0\""), output(2, end, "")]);
    let map = map + &back_edges(&[(end, state_in.0)]);
    let host = ir.layer("TensorIterator", "opset1", &(map + &body), &[state, data], 1);
    ir.result(host);
    ir
}

#[test]
fn states_are_followed_as_far_as_they_fit() {
    let followed = |state: &str, slices: &str| {
        let model = model(growing("f32", state, slices));
        let inner = inside(&model, BodyKind::Body, 0);
        assert_eq!(findings(&model, "warning"), [""; 0], "{state} {slices}");
        (inner, outcome(growing("f32", state, slices)))
    };
    let both = |inner: &str, outer: &str| (inner.to_owned(), outer.to_owned());
    assert_eq!(followed("2..,3", "3"), both("f32[2..,3]", "f32[4..,3]"));
    assert_eq!(followed("1..2,3", "?"), both("f32[1..,3]", "f32[2..,3]"));
    assert_eq!(followed("..2,3", "3"), both("f32[?,3]", "f32[?,3]"));
    assert_eq!(followed("2,3", "1"), both("f32[2,3]", "f32[4,3]"), "a first iteration that is the last one");
    for slices in ["3", "?"] {
        let model = model(growing("f32", "2,3", slices));
        assert_eq!(inside(&model, BodyKind::Body, 0), "f32[2,3]");
        let want = "bad-back-edge: `Parameter_0` is [2,3], `Result_5` hands it [4,3] @ edge";
        assert_eq!(findings(&model, "warning"), [want]);
        assert_eq!(outcome(growing("f32", "2,3", slices)), "f32[4,3]");
    }
    let want = "bad-back-edge: `Parameter_0` is f32, `Result_5` hands it i32 @ edge";
    assert_eq!(outcome(growing("i32", "2,3", "3")), want);
}

#[test]
fn an_output_that_no_entry_maps_is_named() {
    let (xml, weights) = over(("f32", "2,7"), ("f32", "2,1"), "axis=\"1\"", "axis=\"1\"").finish();
    let port = "<port id=\"1\" precision=\"UNSPECIFIED\"/>";
    let xml = String::from_utf8(xml).unwrap();
    let (before, after) = xml.rsplit_once(port).unwrap();
    for ports in
        [format!("{port}<port id=\"7\" precision=\"FP32\"/>"), format!("<port id=\"7\" precision=\"FP32\"/>{port}")]
    {
        let xml = format!("{before}{ports}{after}").into_bytes();
        show_openvino("OVLINT_VERDICTS", &format!("unmapped{}.rejects", ports.len()), &xml, &weights);
        let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights.clone()), &Options::default()).unwrap();
        let want = "bad-port-map: output port 7 of `TensorIterator_1` is in no <output> of the port map @ port";
        assert_eq!(findings(&model, "error"), [want]);
    }
}

/// A TensorIterator in the body of another one, or of an If in it.
fn nested(in_branch: bool) -> Ir {
    let mut ir = Ir::default();
    let (data, flag) = (ir.parameter("f32", "2,7"), ir.parameter("boolean", ""));
    let mut body = ir.body();
    let (part, go) = (body.parameter("f32", "2,7"), body.parameter("boolean", ""));
    let mut host = if in_branch { body.body() } else { body };
    let data_in = if in_branch { host.parameter("f32", "2,7") } else { part };
    let mut inner = host.body();
    let row = inner.parameter("f32", "2,1");
    let end = inner.result(row);
    let inner = host.close("body", inner);
    let map = port_map(&[input(0, row.0, "axis=\"1\""), output(1, end, "axis=\"1\"")]);
    let rows = host.layer("TensorIterator", "opset1", &(map + &inner), &[data_in], 1);
    let (mut body, last) = if in_branch {
        let end = host.result(rows);
        let mut outer = Ir::default();
        let (part, go) = (outer.parameter("f32", "2,7"), outer.parameter("boolean", ""));
        let then = outer.close("then_body", host);
        let mut other = outer.body();
        let copy = other.parameter("f32", "2,7");
        let copied = other.result(copy);
        let other = outer.close("else_body", other);
        let maps = branch_map("then", &[input(1, data_in.0, ""), output(2, end, "")])
            + &branch_map("else", &[input(1, copy.0, ""), output(2, copied, "")]);
        let choice = outer.layer("If", "opset8", &(maps + &then + &other), &[go, part], 1);
        (outer, choice)
    } else {
        (host, rows)
    };
    let end = body.result(last);
    let body = ir.close("body", body);
    let map = port_map(&[input(0, part.0, ""), input(1, go.0, ""), output(2, end, "")]);
    let host = ir.layer("TensorIterator", "opset1", &(map + &body), &[data, flag], 1);
    ir.result(host);
    ir
}

#[test]
fn tensor_iterators_do_not_nest() {
    let want = "nested-tensor-iterator: TensorIterator `TensorIterator_2` is directly inside the body of TensorIterator `TensorIterator_2` @ layer";
    assert_eq!(outcome(nested(false)), want);
    assert_eq!(outcome(nested(true)), "f32[2,7]");
}
