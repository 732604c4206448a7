//! `ovlint reshape`: other input shapes, written into the text of a model.

mod files;
mod promises;

use crate::graph_notation::graph;
use crate::program::{code, copy_of, ovlint, root, utf8};
use std::fs;
use std::path::Path;

/// Exit code, stdout and stderr.
pub(super) fn reshape(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let out = ovlint(folder, [&["reshape"], arguments].concat());
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

/// A folder with a model of two inputs that are added, and one that is given to a Reshape of 6 elements.
pub(super) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.xml"), MODEL).unwrap();
    folder
}

/// Odd spelling that has to stay: CRLF, a comment, quotes, entities, blanks in numbers.
pub(super) const MODEL: &str = "\u{feff}<?xml version=\"1.0\"?>\r\n<net name='m' version=\"11\">\r\n\t<layers>\r\n\
    \t\t<layer id=\"0\" name=\"a&amp;b\" type=\"Parameter\" version=\"opset1\">\r\n\
    \t\t\t<data element_type='f32' shape=' ?, -1' /><!-- kept -->\r\n\
    \t\t\t<output><port id=\"0\" precision=\"FP32\" names=\"a\"><dim>-1</dim><dim> -1 </dim></port></output>\r\n\
    \t\t</layer>\r\n\
    \t\t<layer id=\"1\" name=\"mask\" type=\"Parameter\" version=\"opset1\">\r\n\
    \t\t\t<data shape=\"?,?\" element_type=\"f32\"/>\r\n\
    \t\t\t<output><port id=\"0\" precision=\"FP32\"><dim>-1</dim><dim>-1</dim></port></output>\r\n\
    \t\t</layer>\r\n\
    \t\t<layer id=\"2\" name=\"add\" type=\"Add\" version=\"opset1\"><data auto_broadcast=\"numpy\"/>\r\n\
    \t\t\t<input><port id=\"0\" precision=\"FP32\"><dim>-1</dim><dim>-1</dim></port>\r\n\
    \t\t\t<port id=\"1\" precision=\"FP32\"><dim>-1</dim><dim>-1</dim></port></input>\r\n\
    \t\t\t<output><port id=\"2\" precision=\"FP32\"><dim>-1</dim><dim>-1</dim></port></output>\r\n\
    \t\t</layer>\r\n\
    \t\t<layer id=\"3\" name=\"out\" type=\"Result\" version=\"opset1\">\r\n\
    \t\t\t<input><port id=\"0\" precision=\"FP32\"><dim>-1</dim><dim>-1</dim></port></input>\r\n\
    \t\t</layer>\r\n\t</layers>\r\n\t<edges>\r\n\
    \t\t<edge from-layer=\"0\" from-port=\"0\" to-layer=\"2\" to-port=\"0\"/>\r\n\
    \t\t<edge from-layer=\"1\" from-port=\"0\" to-layer=\"2\" to-port=\"1\"/>\r\n\
    \t\t<edge from-layer=\"2\" from-port=\"2\" to-layer=\"3\" to-port=\"0\"/>\r\n\
    \t</edges>\r\n\t<rt_info><x value=\"&lt;dim>-1&lt;/dim>\"/></rt_info>\r\n</net>\r\n";

#[test]
fn only_shapes_and_dimensions_change() {
    let folder = folder();
    let wanted = MODEL
        .replace(" ?, -1", "2,5")
        .replace("\"?,?\"", "\"2,5\"")
        .replace("<dim>-1</dim><dim>-1</dim>", "<dim>2</dim><dim>5</dim>")
        .replace("<dim>-1</dim><dim> -1 </dim>", "<dim>2</dim><dim> 5 </dim>");
    let (code, out, err) = reshape(folder.path(), &["m.xml", "--set", "batch=2,seq=5", "-o", "n.xml"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out, "wrote n.xml: 2 inputs are now static, 3 of 3 tensors static\n");
    assert_eq!(fs::read_to_string(folder.path().join("n.xml")).unwrap(), wanted);
    // The same by --shape, and for a part of the dimensions.
    let shapes = "a&b[2,5],mask[2,5]";
    let (code, ..) = reshape(folder.path(), &["m.xml", "--shape", shapes, "--in-place", "-q"]);
    assert_eq!(code, 0);
    assert_eq!(fs::read_to_string(folder.path().join("m.xml")).unwrap(), wanted);
    let again = reshape(folder.path(), &["m.xml", "--shape", shapes, "--in-place"]);
    assert_eq!(again, (0, "m.xml is as wanted already\n".to_owned(), String::new()));
}

#[test]
fn dimensions_that_stay_keep_their_spelling() {
    let folder = folder();
    let (code, ..) = reshape(folder.path(), &["m.xml", "--set", "seq=1..8", "-o", "n.xml"]);
    assert_eq!(code, 0);
    let text = fs::read_to_string(folder.path().join("n.xml")).unwrap();
    // Ports cannot express bounds.
    assert_eq!(text, MODEL.replace(" ?, -1", " ?,1..8").replace("\"?,?\"", "\"?,1..8\""));
}

#[test]
fn static_inputs_are_opened() {
    let folder = folder();
    reshape(folder.path(), &["m.xml", "--set", "batch=2,seq=5", "--in-place"]);
    let (code, out, _) = reshape(folder.path(), &["m.xml", "--shape", "a[?,5],mask[?,5]", "-o", "n.xml"]);
    assert_eq!((code, out.as_str()), (0, "wrote n.xml: 2 inputs are now dynamic, 0 of 3 tensors static\n"));
    let text = fs::read_to_string(folder.path().join("n.xml")).unwrap();
    assert_eq!(text.matches("<dim>-1</dim><dim>5</dim>").count(), 5);
}

#[test]
fn a_diff_writes_nothing() {
    let folder = folder();
    let (code, out, err) = reshape(folder.path(), &["m.xml", "--set", "seq=5", "--diff"]);
    assert_eq!((code, err.as_str()), (1, ""));
    assert_eq!(out.matches("\n+").count(), 9, "{out}");
    assert_eq!(fs::read_to_string(folder.path().join("m.xml")).unwrap(), MODEL);
    assert_eq!(reshape(folder.path(), &["m.xml", "--set", "seq=?", "--diff"]), (0, String::new(), String::new()));
}

#[test]
fn refusals_name_the_layer_the_constant_and_the_nearest_sizes() {
    let folder = tempfile::tempdir().unwrap();
    let model = graph("x = f32[?,4]; Reshape-1(x, i64[2] = -1 6) {special_zero=false}", 1);
    fs::write(folder.path().join("m.xml"), &model.xml).unwrap();
    fs::write(folder.path().join("m.bin"), &model.weights).unwrap();
    let (code, out, err) = reshape(folder.path(), &["m.xml", "--shape", "[7,4]", "-o", "n.xml"]);
    assert_eq!((code, err.as_str()), (1, ""));
    for part in ["no: ", "Reshape_", "bytes 8..16", "that work are 6 and 9"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(!folder.path().join("n.xml").exists());
    assert_eq!(reshape(folder.path(), &["m.xml", "--shape", "[9,4]", "--in-place"]).0, 0);
}

#[test]
fn what_cannot_be_asked_for_is_an_error() {
    let folder = folder();
    for (arguments, wanted) in [
        (&["--set", "sek=1"][..], "the inputs and states have no dimension `sek`; did you mean `seq`?"),
        (&["--set", "batch"], "`batch` is not a list of sizes such as `batch=1,seq=128`"),
        (&["--set", "batch=1,batch=2"], "`batch` is given two sizes"),
        (&["--shape", "c[1]"], "the model has no input `c`"),
        (&[], "give the new shapes with --shape or --set; `ovlint inputs` shows the names of the dimensions"),
    ] {
        let (code, out, err) = reshape(folder.path(), &[&["m.xml", "--diff"], arguments].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.contains(wanted), "{err}");
    }
    let (code, _, err) = reshape(folder.path(), &["m.xml", "--set", "seq=1"]);
    assert!(code == 2 && err.contains("name the destination with --output"), "{err}");
    let no_model = root().join("bad/not-openvino-ir/model.xml");
    let (code, _, err) = reshape(folder.path(), &[no_model.to_str().unwrap(), "--set", "seq=1", "--diff"]);
    assert!(code == 2 && err.contains("could not be read as an IR"), "{err}");
}

#[test]
fn bodies_are_declared_anew() {
    let folder = copy_of("models/control_flow.xml");
    let before = fs::read_to_string(folder.path().join("control_flow.xml")).unwrap();
    let (code, out, err) = reshape(folder.path(), &["control_flow.xml", "--shape", "data[?,6,4]", "-o", "n.xml"]);
    assert_eq!(code, 0, "{out}{err}");
    let after = fs::read_to_string(folder.path().join("n.xml")).unwrap();
    let body = |text: &str| text[text.find("<body>").unwrap()..text.find("</body>").unwrap()].to_owned();
    assert_ne!(body(&before), body(&after));
    let check = ovlint(folder.path(), ["check", "n.xml"]);
    assert_eq!(code_of(&check), 0, "{}", utf8(&check.stdout));
}

fn code_of(out: &std::process::Output) -> i32 {
    code(out)
}

#[test]
fn states_change_only_if_they_are_named() {
    let folder = copy_of("models/kv_cache.xml");
    let inputs = utf8(&ovlint(folder.path(), ["inputs", "kv_cache.xml"]).stdout);
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let states = |text: &str| -> Vec<String> {
        text.split("variable_shape=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let (code, out, err) = reshape(folder.path(), &["kv_cache.xml", "--set", "batch=1", "-o", "n.xml"]);
    assert_eq!(code, 0, "{inputs}{out}{err}");
    assert_eq!(states(&text("n.xml")), states(&text("kv_cache.xml")));
    assert!(out.contains("dynamic"), "{out}");
}

#[test]
fn sizes_that_would_read_past_a_table_are_not_proposed() {
    let text = "x = i64[1,?]; s = ShapeOf-3(x) {output_type=i64}; n = Gather-8(s, i64[] = 1, i64[] = 0) {batch_dims=0}; \
                r = Range-4(i64[] = 0, n, i64[] = 1) {output_type=i64}; \
                Gather-8(f32[64,2], r, i64[] = 0) {batch_dims=0}";
    let (folder, graph) = (tempfile::tempdir().unwrap(), crate::graph_notation::graph(text, 1));
    fs::write(folder.path().join("m.xml"), graph.xml).unwrap();
    fs::write(folder.path().join("m.bin"), graph.weights).unwrap();
    let out = ovlint(folder.path(), ["check", "m.xml", "--device", "npu"]);
    let said = utf8(&out.stdout);
    assert!(said.contains("`ovlint reshape m.xml --set seq=64 -o static.xml`"), "{said}");
}
