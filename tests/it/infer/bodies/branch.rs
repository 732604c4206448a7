//! If.

use super::{branch_map, declared_wrongly, findings, input, inside, model, outcome, output};
use crate::ir_builder::{Ir, Output};
use ovlint::internal::ir::BodyKind;
use ovlint::internal::{Model, Options, Weights};

/// The condition of an If: a constant, or a Parameter of a type and shape.
type Condition<'a> = Result<&'a [f64], (&'a str, &'a str)>;

/// An If whose bodies hand on an input each; `declared` are the Parameters of the bodies.
fn choice(condition: Condition, then: (&str, &str), other: (&str, &str), declared: [(&str, &str); 2]) -> Ir {
    let mut ir = Ir::default();
    let condition = match condition {
        Ok([one]) => ir.constant("boolean", &[], &[*one]),
        Ok(all) => ir.constant("boolean", &[all.len()], all),
        Err((ty, shape)) => ir.parameter(ty, shape),
    };
    let host = chosen(&mut ir, condition, then, other, declared);
    ir.result(host);
    ir
}

/// The output of the If of [`choice`].
fn chosen(
    ir: &mut Ir,
    condition: Output,
    then: (&str, &str),
    other: (&str, &str),
    declared: [(&str, &str); 2],
) -> Output {
    let (a, b) = (ir.parameter(then.0, then.1), ir.parameter(other.0, other.1));
    let mut parts = String::new();
    for (i, (kind, declared)) in (1..).zip(["then", "else"].into_iter().zip(declared)) {
        let mut body = ir.body();
        let data = body.parameter(declared.0, declared.1);
        let relu = body.layer("ReLU", "opset1", "", &[data], 1);
        let end = body.result(relu);
        parts += &branch_map(kind, &[input(i, data.0, ""), output(3, end, "")]);
        parts += &ir.close(&format!("{kind}_body"), body);
    }
    ir.layer("If", "opset8", &parts, &[condition, a, b], 1)
}

const ANY: [(&str, &str); 2] = [("dynamic", "..."); 2];

fn either(then: (&str, &str), other: (&str, &str)) -> String {
    outcome(choice(Err(("boolean", "")), then, other, ANY))
}

#[test]
fn outputs_are_one_or_the_other() {
    let rows = [
        ("2,3", "2,5", "f32[2,3..5]"),
        ("2,2..5", "2,4..9", "f32[2,2..9]"),
        ("2,3", "2,3,4", "f32[...]"),
        ("", "4", "f32[1..4]"),
        ("", "?", "f32[?]"),
        ("", "1", "f32[1]"),
        ("...", "1", "f32[...]"),
        ("2,3", "2,3", "f32[2,3]"),
    ];
    for (then, other, want) in rows {
        assert_eq!(either(("f32", then), ("f32", other)), want, "{then} {other}");
    }
    assert_eq!(either(("dynamic", "2"), ("f32", "2")), "f32[2]");
    let want = "type-conflict: <then_body> gives f16, <else_body> gives f32 @ port";
    assert_eq!(either(("f16", "2"), ("f32", "2")), want);
}

/// Where OpenVINO was seen to work out a condition, to unroll a loop or to drop an output, nothing is said of `compile_model`.
#[test]
fn branches_of_different_ranks_are_not_compiled_if_a_run_chooses() {
    let found = |ir: Ir| {
        let model = model(ir);
        let all = model.findings().iter().filter(|finding| finding.rule.name == "dynamic-rank");
        all.map(|finding| (finding.severity.name(), finding.runtime.name())).collect::<Vec<_>>()
    };
    let either = |condition: Condition, then: &str, other: &str| choice(condition, ("f32", then), ("f32", other), ANY);
    let open: Condition = Err(("boolean", ""));
    for (then, other) in [("2,3", "2,3,4"), ("2,3", ""), ("?", "?,?")] {
        assert_eq!(found(either(open, then, other)), [("warning", "not-compiled")], "{then} {other}");
    }
    for (condition, then, other) in [
        (open, "2,3", "?,?"),
        (open, "", "3"),
        (open, "?", ""),
        (Ok(&[1.0][..]), "2,3", "2,3,4"),
        (Ok(&[0.0]), "2,3", ""),
    ] {
        assert_eq!(found(either(condition, then, other)), [], "{then} {other}");
    }

    let mut ir = Ir::default();
    let data = ir.parameter("f32", "?");
    let shape = ir.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[data], 1);
    let three = ir.constant("i64", &[1], &[3.0]);
    let is_three = ir.layer("Equal", "opset1", "", &[shape, three], 1);
    let host = chosen(&mut ir, is_three, ("f32", "2,3"), ("f32", "2,3,4"), ANY);
    ir.result(host);
    assert_eq!(found(ir), [("warning", "accepts")], "a shape is the condition");

    let mut ir = Ir::default();
    let condition = ir.parameter("boolean", "");
    let host = chosen(&mut ir, condition, ("f32", "2,3"), ("f32", "2,3,4"), ANY);
    let lengths = ir.constant("i64", &[2], &[2.0, 3.0]);
    let data = ir.layer("Reshape", "opset1", "<data special_zero=\"false\"/>", &[host, lengths], 1);
    let shape = ir.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[data], 1);
    ir.result(shape);
    assert_eq!(found(ir), [("warning", "accepts")], "no output is what the If gives");
}

#[test]
fn a_known_condition_takes_one_body_and_leaves_the_other_alone() {
    let known =
        |condition: f64| model(choice(Ok(&[condition]), ("f16", "2,3"), ("f32", "2,5"), [("f32", "7"), ("f32", "9")]));
    let (yes, no) = (known(1.0), known(0.0));
    assert_eq!(inside(&yes, BodyKind::Then, 1), "f16[2,3]");
    assert_eq!(inside(&yes, BodyKind::Else, 1), "f32[9]");
    assert_eq!(inside(&no, BodyKind::Then, 1), "f32[7]");
    assert_eq!(inside(&no, BodyKind::Else, 1), "f32[2,5]");
    let found = findings(&yes, "error");
    assert_eq!(found.len(), 1, "only the body that is taken gets something else: {found:?}");
    assert_eq!(outcome(choice(Ok(&[1.0]), ("f16", "2,3"), ("f32", "2,5"), ANY)), "f16[2,3]");
    assert_eq!(outcome(choice(Ok(&[0.0]), ("f16", "2,3"), ("f32", "2,5"), ANY)), "f32[2,5]");
}

#[test]
fn a_condition_that_nobody_could_read_makes_nothing_certain() {
    let (xml, _) = choice(Ok(&[1.0]), ("f16", "2,3"), ("f32", "2,5"), ANY).finish();
    let model = Model::from_bytes("m.xml", xml, Weights::default(), &Options::default()).unwrap();
    assert!(!findings(&model, "error").iter().any(|finding| finding.starts_with("type-conflict")));
}

#[test]
fn conditions_are_single() {
    let condition = |condition| outcome(choice(condition, ("f32", "2"), ("f32", "2"), ANY));
    assert_eq!(condition(Ok(&[1.0, 1.0])), "input-value: `cond` holds 2 values, wanted one @ data");
    assert_eq!(condition(Err(("boolean", "2"))), "f32[2]");
    assert_eq!(condition(Err(("i32", ""))), "f32[2]");
    let want = "input-rank: `cond` of If must be a scalar or a list, but is boolean[1,1] @ port";
    assert_eq!(condition(Err(("boolean", "1,1"))), want);
}

/// An If that gives the numbers of outputs `counts`, of which `mapped` lead to a Result of their own.
fn outputs(counts: [i64; 2], same_result: bool, condition: Option<f64>) -> String {
    outputs_if(counts, same_result, |ir| match condition {
        Some(value) => ir.constant("boolean", &[], &[value]),
        None => ir.parameter("boolean", ""),
    })
}

fn outputs_if(counts: [i64; 2], same_result: bool, condition: impl FnOnce(&mut Ir) -> Output) -> String {
    let mut ir = Ir::default();
    let condition = condition(&mut ir);
    let data = ir.parameter("f32", "2");
    let mut parts = String::new();
    for (kind, count) in ["then", "else"].into_iter().zip(counts) {
        let mut body = ir.body();
        let data = body.parameter("f32", "2");
        let first = body.result(data);
        let mut entries = vec![input(1, data.0, ""), output(2, first, "")];
        for i in 1..count {
            let result = if same_result { first } else { body.result(data) };
            entries.push(output(2 + i, result, ""));
        }
        parts += &branch_map(kind, &entries);
        parts += &ir.close(&format!("{kind}_body"), body);
    }
    let host = ir.layer("If", "opset8", &parts, &[condition, data], usize::try_from(counts[0].max(counts[1])).unwrap());
    for i in 0..counts[0].max(counts[1]) {
        ir.result(Output(host.0, usize::try_from(i).unwrap()));
    }
    outcome(ir)
}

#[test]
fn bodies_give_the_same_outputs() {
    assert_eq!(outputs([2, 2], false, None), "f32[2]; f32[2]");
    assert_eq!(outputs([2, 1], false, None), "bad-port-map: the bodies of `If_2` give 2 and 1 outputs @ layer");
    assert_eq!(outputs([1, 2], false, None), "wrong-output-count: `If_2` declares 2 outputs, If produces 1 @ port");
    assert_eq!(outputs([1, 2], false, Some(0.0)), "f32[2]; f32[2]");
    assert_eq!(outputs([2, 1], false, Some(0.0)), "f32[2]; dynamic[...]");
    let computed = |ir: &mut Ir| {
        let holds = ir.constant("boolean", &[], &[1.0]);
        ir.layer("LogicalNot", "opset1", "", &[holds], 1)
    };
    let want = "bad-port-map: the bodies of `If_3` give 1 and 2 outputs @ layer";
    assert_eq!(outputs_if([1, 2], false, computed), want);
    let want = "bad-port-map: a Result of the <then_body> is mapped to two outputs @ output";
    assert_eq!(outputs([2, 2], true, None), want);
    assert_eq!(outputs([2, 2], true, Some(1.0)), "f32[2]; f32[2]");
}

#[test]
fn shapes_decide_inside_of_bodies() {
    // A body asks for the number of its dimensions, and goes by it.
    let mut ir = Ir::default();
    let (flag, data) = (ir.parameter("boolean", ""), ir.parameter("f32", "4,5,6"));
    let mut parts = String::new();
    for kind in ["then", "else"] {
        let mut body = ir.body();
        let data = body.parameter("f32", "...");
        let shape = body.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[data], 1);
        let rank = body.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[shape], 1);
        let three = body.constant("i64", &[1], &[3.0]);
        let is_three = body.layer("Equal", "opset1", "", &[rank, three], 1);
        let mut inner = String::new();
        for (kind, op) in [("then", "ReLU"), ("else", "ShapeOf")] {
            let mut innermost = body.body();
            let data = innermost.parameter("f32", "...");
            let done = innermost.layer(op, "opset1", "", &[data], 1);
            let end = innermost.result(done);
            inner += &branch_map(kind, &[input(1, data.0, ""), output(2, end, "")]);
            inner += &body.close(&format!("{kind}_body"), innermost);
        }
        let choice = body.layer("If", "opset8", &inner, &[is_three, data], 1);
        let end = body.result(choice);
        parts += &branch_map(kind, &[input(1, data.0, ""), output(2, end, "")]);
        parts += &ir.close(&format!("{kind}_body"), body);
    }
    let host = ir.layer("If", "opset8", &parts, &[flag, data], 1);
    ir.result(host);
    assert_eq!(outcome(ir), "f32[4,5,6]");
}

#[test]
fn elements_come_out_of_bodies() {
    let chosen = |condition: Option<f64>| {
        let mut ir = Ir::default();
        let condition = match condition {
            Some(value) => ir.constant("boolean", &[], &[value]),
            None => ir.parameter("boolean", ""),
        };
        let data = ir.parameter("f32", "12");
        let mut parts = String::new();
        for (kind, lengths) in [("then", [3.0, 4.0]), ("else", [2.0, 6.0])] {
            let mut body = ir.body();
            let lengths = body.constant("i64", &[2], &lengths);
            let end = body.result(lengths);
            parts += &branch_map(kind, &[output(1, end, "")]);
            parts += &ir.close(&format!("{kind}_body"), body);
        }
        let lengths = ir.layer("If", "opset8", &parts, &[condition], 1);
        let reshaped = ir.layer("Reshape", "opset1", "<data special_zero=\"false\"/>", &[data, lengths], 1);
        ir.result(reshaped);
        outcome(ir)
    };
    assert_eq!(chosen(Some(1.0)), "f32[3,4]");
    assert_eq!(chosen(None), "f32[2..3,4..6]");
}

#[test]
fn a_condition_that_cannot_be_read_may_leave_out_the_body_that_declares_otherwise() {
    let then = ("f32", "2");
    let of = |condition, other| choice(condition, then, ("f32", "3"), [then, other]);
    let unread = |other| {
        let (xml, _) = of(Ok(&[1.0]), other).finish();
        Model::from_bytes("m.xml", xml, Weights::default(), &Options::default()).unwrap()
    };
    for other in [("i32", "3"), ("f32", "3,4"), ("dynamic", "...")] {
        assert_eq!(outcome(of(Ok(&[1.0]), other)), "f32[2]");
        assert_eq!(findings(&unread(other), "error"), [""; 0], "{other:?}");
    }
    let want = "body-shape-mismatch: Parameter `Parameter_0` of the body declares i32, but `If_3` gives it f32 @ i32";
    assert_eq!(outcome(of(Err(("boolean", "")), ("i32", "3"))), want);
}

#[test]
fn no_producers_are_named_behind_a_wrong_output() {
    let (notes, chain) = declared_wrongly(choice(Ok(&[1.0]), ("f32", "2"), ("f32", "2"), [("f32", "2"); 2]));
    assert!(!notes.contains("<-") && chain.is_empty(), "{notes} {chain:?}");
}

#[test]
fn a_condition_is_no_float() {
    let rules = |ty: &str| findings(&model(choice(Err((ty, "")), ("f32", "2"), ("f32", "2"), ANY)), "error");
    let wanted = "input-type: the condition of If must be boolean, but is f32";
    assert_eq!(rules("f32").iter().filter(|one| one.starts_with(wanted)).count(), 1, "{:?}", rules("f32"));
    for ty in ["boolean", "i32", "u8", "dynamic"] {
        assert_eq!(rules(ty), [""; 0], "{ty}");
    }
}
