//! Bodies inside bodies: as many as anybody needs are read, and more than the stack holds are a finding.

use super::{edge, net, parameter, result, rules_within};
use crate::program::{code, ovlint, utf8};
use ovlint::internal::Limits;
use ovlint::internal::limits::DEEPEST_BODIES;
use std::collections::BTreeMap;
use std::thread;

const PORT: &str = "precision='FP32'><dim>2</dim></port>";

/// So many Ifs, each in the `<then_body>` of the one before.
fn ifs(levels: usize) -> String {
    let ends = [parameter(0, "2").replace("/></output>", "><dim>2</dim></port></output>"), result(9)].concat();
    let condition = "<layer id='1' name='c' type='Parameter' version='opset1'><data shape='' element_type='boolean'/>\
                     <output><port id='0' precision='BOOL'/></output></layer>";
    let maps = |kind: &str, more: &str| {
        format!(
            "<{kind}_port_map><input external_port_id='1' internal_layer_id='0'/>{more}\
             <output external_port_id='3' internal_layer_id='9'/></{kind}_port_map>"
        )
    };
    let open = format!(
        "<layers>{ends}{condition}<layer id='2' name='i' type='If' version='opset8'>{}{}<input>\
         <port id='0' precision='BOOL'/><port id='1' {PORT}<port id='2' precision='BOOL'/></input>\
         <output><port id='3' {PORT}</output><then_body>",
        maps("then", "<input external_port_id='2' internal_layer_id='1'/>"),
        maps("else", "")
    );
    let passed = format!("<edges>{}</edges>", edge(0, 0, 9, 0));
    let close = format!(
        "</then_body><else_body><layers>{ends}</layers>{passed}</else_body></layer></layers><edges>{}</edges>",
        [edge(1, 0, 2, 0), edge(0, 0, 2, 1), edge(1, 0, 2, 2), edge(2, 3, 9, 0)].concat()
    );
    let inner = format!("<layers>{ends}{condition}</layers>{passed}");
    format!("<net name='deep' version='11'>{}{inner}{}</net>", open.repeat(levels), close.repeat(levels))
}

/// So many loops, each in the body of the one before.
fn loops(ty: &str, version: &str, levels: usize) -> String {
    let open = format!(
        "<layer id='2' name='l' type='{ty}' version='{version}'><port_map>\
         <input external_port_id='0' internal_layer_id='0'/><output external_port_id='1' internal_layer_id='9'/>\
         </port_map><input><port id='0'/></input><output><port id='1' {PORT}</output><body><layers>{}{}",
        parameter(0, "2"),
        result(9)
    );
    let edges = [edge(0, 0, 2, 0), edge(2, 1, 9, 0)].concat();
    let close = format!("</layers><edges>{edges}</edges></body></layer>");
    let ends = [parameter(0, "2"), result(9)].concat();
    net(&[&ends, &open.repeat(levels), &close.repeat(levels)].map(String::as_str).concat(), &edges)
}

/// The rules that speak, on a thread with as little stack as the smallest that checks files.
fn rules_on_a_small_stack(xml: String) -> BTreeMap<&'static str, usize> {
    let mut limits = Limits::default();
    (limits.bodies, limits.depth) = (usize::MAX, usize::MAX);
    let work = move || rules_within(limits, xml, Vec::new());
    thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap()
}

#[test]
fn a_hundred_nested_ifs_are_read() {
    assert_eq!(rules_within(Limits::default(), ifs(100), Vec::new()), BTreeMap::new());
}

#[test]
fn bodies_end_before_the_stack_does() {
    for levels in [DEEPEST_BODIES, DEEPEST_BODIES + 1, 2_000] {
        let is_deeper = usize::from(levels > DEEPEST_BODIES);
        for xml in [ifs(levels), loops("Loop", "opset5", levels), loops("TensorIterator", "opset1", levels)] {
            let found = rules_on_a_small_stack(xml);
            assert_eq!(found.get("limit-exceeded").copied().unwrap_or(0), is_deeper, "{levels} {found:?}");
        }
    }
}

#[test]
fn flags_do_not_raise_the_limit_beyond_the_stack() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("deep.xml"), loops("TensorIterator", "opset1", 20_000)).unwrap();
    let flags = ["--max-bodies", "1000000", "--max-depth", "1000000", "--isolated", "-q"];
    let limit = format!("bodies are nested more than {DEEPEST_BODIES} deep; those inside are not read\n");
    let out = ovlint(folder.path(), ["check", "deep.xml"].into_iter().chain(flags));
    for text in [&limit, "= help: no flag raises this limit\n"] {
        assert!(utf8(&out.stdout).contains(text), "{}", utf8(&out.stdout));
    }
    assert_eq!((code(&out), utf8(&out.stderr).as_str()), (1, ""));
}
