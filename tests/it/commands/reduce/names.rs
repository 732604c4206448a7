//! Names of a reduced model that are replaced.

use super::reduce;
use crate::graph_notation::graph;
use crate::program::root;
use std::fs;

#[test]
fn names_are_replaced_unless_they_are_the_fault() {
    let run = |sample: &str, rule: &str| {
        let out = tempfile::tempdir().unwrap();
        let path = out.path().join("small.xml");
        let arguments = ["model.xml", "--rule", rule, "--anonymize", "-o", path.to_str().unwrap()];
        let (code, _, err) = reduce(&root().join(sample), &arguments);
        assert_eq!(code, 0);
        (fs::read_to_string(path).unwrap(), err)
    };
    let (xml, err) = run("bad/split-lengths-sum", "split-lengths-sum");
    assert_eq!(err, "");
    let values: Vec<&str> = xml.split("name").skip(1).filter_map(|rest| rest.split('"').nth(1)).collect();
    let wanted = [
        "model",
        "Parameter_0",
        "tensor_1",
        "Const_2",
        "Const_3",
        "VariadicSplit_4",
        "tensor_5",
        "tensor_6",
        "tensor_7",
        "Result_8",
    ];
    assert_eq!(values, wanted);
    // What was equal still is, in pairs of states and in layers of one name.
    let (xml, err) = run("bad/state-init", "state-init");
    assert_eq!((xml.matches("variable_id=\"variable_").count(), err.as_str()), (2, ""));
    assert_eq!(run("bad/names", "names").1, "");
    let (xml, err) = run("bad/names/odd", "names");
    assert!(xml.contains("fuse&add"));
    assert_eq!(err, "ovlint: the names were kept, because the fault disappears when they are replaced\n");
}

#[test]
fn notes_of_layers_go_with_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let xml = graph("ReLU-1(Add-1(f32[2], f32[3]))", 1).xml;
    let note = "\n<rt_info><attribute name=\"fused_names\" version=\"0\" value=\"secret\"/></rt_info><input>";
    fs::write(folder.path().join("m.xml"), xml.replace("<input>", note)).unwrap();
    let arguments = ["m.xml", "--rule", "shape-conflict", "-o"];
    for (flags, is_there) in [(&["small.xml"][..], true), (&["other.xml", "--anonymize"], false)] {
        assert_eq!(reduce(folder.path(), &[&arguments[..], flags].concat()).0, 0);
        let small = fs::read_to_string(folder.path().join(flags[0])).unwrap();
        assert_eq!((small.contains("secret"), small.contains("<rt_info")), (is_there, is_there));
    }
}
