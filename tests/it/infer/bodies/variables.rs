//! State variables: `ReadValue` and `Assign`.

use super::{findings, input, model, outcome, output, port_map};
use crate::ir_builder::{Ir, Output};
use ovlint::internal::Model;
use ovlint::internal::diagnostic::body_text;

const READ: &str = "<data variable_id=\"v\" variable_type=\"f32\" variable_shape=\"2,3\"/>";
const WRITE: &str = "<data variable_id=\"v\"/>";

/// A net with a Parameter and whatever `make` adds; the Results are of what it returns.
fn net(make: impl FnOnce(&mut Ir, Output) -> Output) -> Ir {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "2,3");
    let end = make(&mut ir, data);
    ir.result(end);
    ir
}

fn read(ir: &mut Ir, from: Output) -> Output {
    ir.layer("ReadValue", "opset6", READ, &[from], 1)
}

fn write(ir: &mut Ir, from: Output) -> Output {
    ir.layer("Assign", "opset6", WRITE, &[from], 1)
}

#[test]
fn writers_have_readers_in_any_order() {
    let pair = net(|ir, data| {
        let value = read(ir, data);
        write(ir, data);
        value
    });
    assert_eq!(outcome(pair), "f32[2,3]");
    let reverse = net(|ir, data| {
        write(ir, data);
        read(ir, data)
    });
    assert_eq!(outcome(reverse), "f32[2,3]");
    let upstream = net(|ir, data| {
        let value = read(ir, data);
        write(ir, value);
        data
    });
    assert_eq!(outcome(upstream), "f32[2,3]");
}

#[test]
fn an_old_writer_of_a_newer_variable_is_told_its_version() {
    let old = net(|ir, data| {
        let value = read(ir, data);
        ir.layer("Assign", "opset5", WRITE, &[value], 1);
        value
    });
    let model = model(old);
    let finding = model.findings().iter().find(|finding| finding.rule.name == "unpaired-state").unwrap();
    assert_eq!(crate::help(finding), ["a ReadValue of opset6 reads it: should this be an Assign of opset6?"]);
}

#[test]
fn writers_without_readers_are_refused() {
    let alone = net(|ir, data| {
        write(ir, data);
        data
    });
    let want = "unpaired-state: Assign `Assign_1` writes variable `v`, which no ReadValue of this graph reads @ variable_id=\"v\"";
    assert_eq!(outcome(alone), want);
    let dead = net(|ir, data| {
        read(ir, data);
        write(ir, data);
        data
    });
    assert!(outcome(dead).starts_with("unpaired-state: "));
    // A reader of opset3 without an identifier reads no variable of a newer writer.
    let nameless = net(|ir, data| {
        let value = ir.layer("ReadValue", "opset3", "<data/>", &[data], 1);
        write(ir, value);
        value
    });
    assert_eq!(outcome(nameless), want.replace("Assign_1", "Assign_2"));
}

const READ_ONLY: &str =
    "unpaired-state: variable `v` is read, and no Assign of this graph writes it @ variable_id=\"v\"";

/// OpenVINO compiles such a model, and no inference succeeds: whether there is an initial value or not, in opset3 and opset6.
#[test]
fn readers_alone_are_a_warning() {
    let from_nothing = |ir: &mut Ir, _: Output| ir.layer("ReadValue", "opset6", READ, &[], 1);
    let old = |ir: &mut Ir, data: Output| ir.layer("ReadValue", "opset3", WRITE, &[data], 1);
    for model in [model(net(read)), model(net(from_nothing)), model(net(old))] {
        assert_eq!(findings(&model, "error"), [""; 0]);
        assert!(findings(&model, "warning").contains(&READ_ONLY.to_owned()));
    }
}

#[test]
fn old_writers_rest_on_their_readers() {
    let connected = |upstream: bool, ty: &str| {
        outcome(net(|ir, data| {
            let data_read = match ty {
                "opset3" => ir.layer("ReadValue", "opset3", WRITE, &[data], 1),
                _ => read(ir, data),
            };
            ir.layer("Assign", "opset3", WRITE, &[if upstream { data_read } else { data }], 1);
            data_read
        }))
    };
    assert_eq!(connected(true, "opset3"), "f32[2,3]");
    assert!(connected(false, "opset3").contains("which no ReadValue of opset3 before it reads"));
    assert!(connected(true, "opset6").contains("which no ReadValue of opset3 before it reads"));
}

#[test]
fn bodies_have_variables_of_their_own() {
    let looped = |outside: bool, inside: bool| {
        let mut ir = Ir::default();
        let (trips, runs) = (ir.constant("i64", &[], &[10.0]), ir.constant("boolean", &[], &[1.0]));
        let data = ir.parameter("f32", "2,3");
        let data = if outside { read(&mut ir, data) } else { data };
        let mut body = ir.body();
        let part = body.parameter("f32", "2,3");
        let value = if inside { read(&mut body, part) } else { part };
        write(&mut body, value);
        let end = body.result(value);
        let goes_on = body.constant("boolean", &[], &[1.0]);
        let goes_on = body.result(goes_on);
        let body = ir.close("body", body);
        let decides = output(-1, goes_on, "purpose=\"execution_condition\"");
        let map = port_map(&[input(2, part.0, ""), output(3, end, ""), decides]);
        let host = ir.layer("Loop", "opset5", &(map + &body), &[trips, runs, data], 1);
        ir.result(host);
        model(ir)
    };
    assert_eq!(findings(&looped(false, true), "error"), [""; 0]);
    let is_read_only = |model: &Model| findings(model, "warning").contains(&READ_ONLY.to_owned());
    assert!(!is_read_only(&looped(false, true)));
    // A variable is not written where only a body writes one of that name.
    assert!(is_read_only(&looped(true, true)));
    let model = looped(true, false);
    let errors: Vec<_> = model.findings().iter().filter(|finding| finding.severity.name() == "error").collect();
    let [finding] = errors[..] else { panic!("{:?}", findings(&model, "error")) };
    assert_eq!((finding.rule.name, body_text(&finding.body).as_str()), ("unpaired-state", "Loop_4/body"));
    assert_eq!(crate::notes(finding), ["a ReadValue in the net reads it", "OpenVINO 2026.4 rejects this file"]);
}

/// A variable of opset6 and what is written to it, by type and shape.
fn written(variable: (&str, &str), given: (&str, &str)) -> Ir {
    let mut ir = Ir::default();
    let (start, new) = (ir.parameter(variable.0, variable.1), ir.parameter(given.0, given.1));
    let (ty, shape) = variable;
    let data = format!("<data variable_id=\"v\" variable_type=\"{ty}\" variable_shape=\"{shape}\"/>");
    let value = ir.layer("ReadValue", "opset6", &data, &[start], 1);
    write(&mut ir, new);
    ir.result(value);
    ir
}

#[test]
fn variables_take_what_is_written() {
    for given in ["2,3", "?,3", "2..4,3", "..."] {
        assert_eq!(findings(&model(written(("f32", "2,3"), ("f32", given))), "error"), [""; 0], "{given}");
    }
    for (variable, given) in
        [(("f32", "?,3"), ("f32", "7,3")), (("dynamic", "..."), ("i32", "4")), (("f32", "2"), ("dynamic", "2"))]
    {
        assert_eq!(findings(&model(written(variable, given)), "error"), [""; 0], "{variable:?} {given:?}");
    }
    let wrong = |variable, given| outcome(written(variable, given));
    assert_eq!(
        wrong(("f32", "2,3"), ("f32", "2,4")),
        "shape-conflict: `Assign_3` writes f32[2,4] to variable `v`, which is f32[2,3] @ port"
    );
    assert_eq!(
        wrong(("f32", "2..5,3"), ("f32", "7,3")),
        "shape-conflict: `Assign_3` writes f32[7,3] to variable `v`, which is f32[2..5,3] @ port"
    );
    assert_eq!(
        wrong(("f32", "..."), ("i32", "7,3")),
        "type-conflict: `Assign_3` writes i32[7,3] to variable `v`, which is f32[...] @ port"
    );
    let model = model(written(("f32", "2,3"), ("f32", "6")));
    let found = model.findings().iter().find(|finding| finding.severity.name() == "error").unwrap();
    assert_eq!(crate::notes(found), ["OpenVINO 2026.4 may reject this file"]);
}

#[test]
fn old_variables_take_what_is_written_where_all_is_static() {
    let changed = |data: &str, change: fn(&mut Ir, Output) -> Output| {
        let mut ir = Ir::default();
        let data = ir.parameter("f32", data);
        let value = ir.layer("ReadValue", "opset3", WRITE, &[data], 1);
        let new = change(&mut ir, value);
        ir.layer("Assign", "opset3", WRITE, &[new], 1);
        ir.result(value);
        outcome(ir)
    };
    let twice = |ir: &mut Ir, value| ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &[value, value], 1);
    let cast = |ir: &mut Ir, value| ir.layer("Convert", "opset1", "<data destination_type=\"i32\"/>", &[value], 1);
    assert_eq!(changed("2,3", |_, value| value), "f32[2,3]");
    let want = "shape-conflict: `Assign_3` writes f32[4,3] to variable `v`, which is f32[2,3] @ port";
    assert_eq!(changed("2,3", twice), want);
    assert_eq!(changed("?,3", twice), "f32[?,3]");
    let want = "type-conflict: `Assign_3` writes i32[?,3] to variable `v`, which is f32[?,3] @ port";
    assert_eq!(changed("?,3", cast), want);
}

#[test]
fn a_reader_without_an_identifier_is_one_finding() {
    let with = |opset: &str, attributes: &str| {
        net(|ir, data| {
            let value = ir.layer("ReadValue", opset, attributes, &[data], 1);
            ir.layer("Assign", opset, WRITE, &[value], 1);
            value
        })
    };
    let new = with("opset6", "<data variable_type=\"f32\" variable_shape=\"2,3\"/>");
    assert_eq!(outcome(new), "missing-attribute: ReadValue has no `variable_id` @ layer");
    let old = model(with("opset3", ""));
    let error = old.findings().iter().find(|finding| finding.severity.name() == "error").unwrap();
    assert_eq!(error.rule.name, "unpaired-state");
    assert!(
        error.labels.iter().any(|label| label.message == "this ReadValue has no `variable_id`".into()),
        "{error:?}"
    );
}

#[test]
fn exchanged_writers_are_named_where_all_others_keep_to_their_variable() {
    // Each state is appended to; `order` says which state an Assign writes.
    let warned = |order: &[usize]| {
        let mut ir = Ir::default();
        let data = ir.parameter("f32", "2,3");
        let variable =
            |state: usize| format!("<data variable_id=\"v{state}\" variable_type=\"f32\" variable_shape=\"?,3\"/>");
        let pasts: Vec<Output> =
            (0..order.len()).map(|state| ir.layer("ReadValue", "opset6", &variable(state), &[data], 1)).collect();
        for (past, state) in pasts.iter().zip(order) {
            let whole = ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &[*past, data], 1);
            ir.layer("Assign", "opset6", &format!("<data variable_id=\"v{state}\"/>"), &[whole], 1);
            ir.result(whole);
        }
        let model = model(ir);
        let all = model.findings().iter().filter(|finding| finding.rule.name == "unpaired-state");
        all.map(|finding| finding.message.shown().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(warned(&[0, 2, 1, 3]), ["variable `v2` is written from `v1`, and `v1` from `v2`"]);
    // Without others to go by, or with several, the model may mean it.
    let silent: [&[usize]; 5] = [&[0, 1, 2, 3], &[1, 0], &[1, 0, 2], &[1, 2, 0, 3, 4], &[1, 0, 3, 2, 4, 5]];
    for order in silent {
        assert!(warned(order).is_empty(), "{order:?}");
    }
}
