//! What layers demand together: dimensions that can have one length only, and demands that no lengths meet; and findings
//! that express dynamic dimensions.

use crate::graph_notation::graph;
use ovlint::internal::diagnostic::Diagnostic;
use ovlint::internal::{Model, Options, Weights};

fn model(text: &str) -> Model {
    let graph = graph(text, 1);
    let weights = Weights::in_memory(graph.weights);
    Model::from_bytes("m.xml", graph.xml.into_bytes(), weights, &Options::default()).unwrap()
}

/// The findings about demands: rule and message, then labels and notes.
fn findings(text: &str) -> Vec<String> {
    let model = model(text);
    let is_about_demands = |rule: &str| ["contradictory-dimensions", "pinned-dimension"].contains(&rule);
    let found = model.findings().iter().filter(|one| is_about_demands(one.rule.name));
    found
        .map(|one| {
            let first = format!("{}: {}", one.severity.name(), one.message.shown());
            let labels = one.labels.iter().map(|label| label.message.shown().to_owned());
            std::iter::once(first).chain(labels).chain(crate::notes(one)).collect::<Vec<_>>().join("; ")
        })
        .collect()
}

/// The parts of `x` along axis 0, which add up to 1 and some more.
fn parts(of: &str, rest: i64) -> String {
    format!("VariadicSplit-1({of}, i64[] = 0, i64[2] = 1 {rest})*2")
}

#[test]
fn contradictions_name_the_layers_and_what_they_need() {
    let text = format!("x = f32[?]; a = ReLU-1({}); Concat-1(a, {}) {{axis=0}}", parts("x", 2), parts("x", 3));
    let [found] = &findings(&text)[..] else { panic!("{:?}", findings(&text)) };
    assert!(found.starts_with("error: no input shape works: `VariadicSplit_"), "{found}");
    assert!(found.contains("(VariadicSplit) needs `batch == 4`, `VariadicSplit_"), "{found}");
    assert!(found.contains("(VariadicSplit) needs `batch == 3`; needs `batch == 3`; "), "{found}");
    assert!(found.ends_with("; `batch`: dimension 0 of input `Parameter_0` is declared `?`"), "{found}");
}

#[test]
fn contradictions_are_found_behind_equal_lengths_and_remainders() {
    let one = |last: &str| format!("x = f32[?]; a = ReLU-1({}); {last}", parts("x", 2));
    let split = |count: i64| format!("Concat-1(a, Split-1(x, i64[] = 0) {{num_splits={count}}}*{count}) {{axis=0}}");
    let [found] = &findings(&one(&split(2)))[..] else { panic!() };
    assert!(found.contains("needs `batch % 2 == 0`") && found.contains("needs `batch == 3`"), "{found}");
    assert!(!findings(&one(&split(3))).iter().any(|found| found.starts_with("error")));
    // Two layers at the ends, and one between them that makes their lengths equal.
    let text = "x = f32[?]; y = f32[?]; s = Add-1(x, y) {auto_broadcast=none}; ";
    let text =
        format!("{text} a = ReLU-1({}); b = ReLU-1({}); Concat-1(s, a, b) {{axis=0}}", parts("x", 2), parts("y", 4));
    let [found] = &findings(&text)[..] else { panic!("{:?}", findings(&text)) };
    for needed in ["needs `batch == 3`", "(Add) needs `batch == Parameter_1_batch`", "needs `Parameter_1_batch == 5`"] {
        assert!(found.contains(needed), "{needed}: {found}");
    }
}

#[test]
fn a_layer_that_contradicts_itself_is_named_alone() {
    let shape = "g = Gather-8(ShapeOf-3(x) {output_type=i64}, i64[1] = 0, i64[] = 0) {batch_dims=0}";
    let found = findings(&format!(
        "x = f32[?,3,4]; {shape}; Reshape-1(x, Concat-1(g, i64[2] = 5 -1) {{axis=0}}) {{special_zero=true}}"
    ));
    let [found] = &found[..] else { panic!("{found:?}") };
    assert!(found.starts_with("error: no input shape works: `Reshape_"), "{found}");
    assert!(found.contains("` (Reshape) accepts none; "), "{found}");
}

#[test]
fn layers_that_fail_on_their_own_are_no_contradiction() {
    let text = format!("x = f32[?]; a = ReLU-1({}); y = Add-1(f32[2], f32[3]); ", parts("x", 2));
    assert!(findings(&format!("{text} Concat-1(a, y, {}) {{axis=0}}", parts("x", 3))).is_empty());
}

#[test]
fn pinned_dimensions_name_the_layer_and_what_must_equal_them() {
    let found = findings("Reshape-1(f32[?,3], i64[2] = 1 3) {special_zero=false}");
    let wanted = "info: dimension 0 of input `Parameter_0` is declared `?`, but the model works with 1 only; needs 1";
    assert_eq!(found, [wanted]);
    let text = format!(
        "x = f32[?]; y = f32[2..8]; Concat-1(ReLU-1({}), Add-1(x, y) {{auto_broadcast=none}}) {{axis=0}}",
        parts("x", 2)
    );
    let wanted = "info: dimension 0 of input `Parameter_0` is declared `?`, but the model works with 3 only; needs 3; \
                  dimension 0 of input `Parameter_1` is declared `2..8`, and must equal it";
    assert_eq!(findings(&text), [wanted]);
}

#[test]
fn dimensions_that_may_vary_are_not_pinned() {
    for text in [
        "Reshape-1(f32[?,3], i64[2] = 0 3) {special_zero=true}",
        "Reshape-1(f32[?,3], i64[2] = -1 3) {special_zero=false}",
        // 1 or 4.
        "Add-1(f32[?], f32[4])",
        "MatMul-1(f32[2,3], f32[3,?]) {transpose_a=false transpose_b=false}",
        "MatMul-1(f32[2,?], f32[?,3]) {transpose_a=false transpose_b=false}",
    ] {
        assert_eq!(findings(text), [""; 0], "{text}");
    }
}

/// The notes of all findings that express shapes.
fn expressed(text: &str) -> Vec<String> {
    let model = model(text);
    let notes = model.findings().iter().flat_map(crate::notes);
    notes.filter(|note| note.starts_with("with symbols, ")).collect()
}

#[test]
fn findings_express_the_dynamic_shapes_that_they_show() {
    let matmul = |shape: &str| {
        let joined = format!("x = {shape}; y = {shape}; w = f32[3,2]; c = Concat-1(x, y) {{axis=0}}");
        expressed(&format!("{joined}; MatMul-1(c, w) {{transpose_a=false transpose_b=false}}"))
    };
    assert_eq!(matmul("f32[?,4]"), ["with symbols, input 0 is f32[batch + Parameter_1_batch, 4]"]);
    assert!(matmul("f32[5,4]").is_empty(), "there is nothing to express");
    let twice = "x = f32[?,4]; y = f32[3,5]; Concat-1(x, x, y) {axis=0}";
    assert_eq!(expressed(twice), ["with symbols, input 0 is f32[batch, 4]"], "once what two inputs are");
    let of_data = "x = f32[9]; w = f32[5,2]; n = NonZero-3(x) {output_type=i64}; \
                   MatMul-1(n, w) {transpose_a=true transpose_b=false}";
    let shown = |finding: &Diagnostic| finding.labels.iter().any(|label| label.message == "a = i64[1,..9]".into());
    assert!(model(of_data).findings().iter().any(shown));
    assert!(expressed(of_data).is_empty(), "data decides the length");
}
