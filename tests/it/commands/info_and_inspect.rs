//! `ovlint info`, `ovlint inspect` and `ovlint graph` on the samples: whole outputs, and names that are none.

use crate::ir_builder::Ir;
use crate::program::{code, ovlint, root, utf8};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// Exit code, stdout and stderr.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let out = ovlint(&root(), arguments.iter().copied());
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

fn clean(arguments: &[&str]) -> String {
    let (code, out, err) = run(arguments);
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
    out
}

#[test]
fn pages_of_models_and_layers() {
    let out = clean(&["info", "models/detector.xml", "models/control_flow.xml", "bad/git-lfs-pointer/model.xml"]);
    insta::assert_snapshot!("info", out);
    insta::assert_snapshot!("info.json", clean(&["info", "models/split.xml", "--format", "json"]));
}

#[test]
fn digests_are_those_of_the_files() {
    let out = clean(&["info", "models/split.xml", "--sha256", "--format", "json"]);
    let page: Value = serde_json::from_str(&out).unwrap();
    // The one constant, 1, as eight bytes.
    let wanted = "7c9fa136d4413fa6173637e883b6998d32e1d675f88cddff9dcbcf331820f4b8";
    assert_eq!(page["models"][0]["weights_sha256"], wanted);
    assert_eq!(page["models"][0]["xml_sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn the_writer_is_named_as_the_file_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(root().join("models/split.xml")).unwrap();
    let end = "<rt_info><Runtime_version value=\"a\u{1b}b\"/><conversion_parameters><framework value=\"pytorch\"/>\
               </conversion_parameters></rt_info></net>";
    std::fs::write(folder.path().join("m.xml"), text.replace("</net>", &end.replace('\u{1b}', "&amp;"))).unwrap();
    let out = ovlint(folder.path(), ["info", "m.xml", "--weights", "skip"]);
    assert!(utf8(&out.stdout).contains("\n  made by     OpenVINO a&b, from pytorch\n"), "{}", utf8(&out.stdout));
    assert!(utf8(&out.stdout).contains(", no bin\n"));
}

#[test]
fn files_that_are_no_models_have_no_page() {
    let (code, out, err) = run(&["info", "models/split.xml", "no-such.xml"]);
    assert_eq!((code, out.lines().next()), (2, Some("models/split.xml  split")));
    assert!(err.starts_with("ovlint: no-such.xml: "), "{err}");
    assert_eq!(run(&["info", "bad/xml-malformed/model.xml"]).0, 1);
}

#[test]
fn layers() {
    for (name, arguments) in [
        ("interpolate", &["models/detector.xml", "--layer", "up"] as &[&str]),
        ("const", &["models/detector.xml", "--const", "head.weight_compressed", "--print", "4"]),
        ("loop", &["models/control_flow.xml", "--layer", "loop"]),
        ("body", &["models/control_flow.xml", "--layer", "if/then_body/then_split"]),
        ("by_id", &["models/split.xml", "--layer", "3"]),
        ("declared", &["bad/declared-shape/model.xml", "--layer", "split"]),
    ] {
        let arguments: Vec<&str> = std::iter::once("inspect").chain(arguments.iter().copied()).collect();
        insta::assert_snapshot!(format!("inspect.{name}"), clean(&arguments));
    }
    insta::assert_snapshot!(
        "inspect.json",
        clean(&["inspect", "models/split.xml", "--layer", "split_3", "--format", "json"])
    );
}

#[test]
fn unknown_layers_are_guessed() {
    let (code, out, err) = run(&["inspect", "models/split.xml", "--const", "axs"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(err, "ovlint: the model has no constant `axs`; did you mean `axis`?\n");
    let (code, _, err) = run(&["inspect", "models/split.xml", "--const", "split_3"]);
    assert_eq!((code, err.as_str()), (2, "ovlint: no constant is called `split_3`; that is a layer of type Split\n"));
    assert_eq!(run(&["inspect", "models/split.xml"]).0, 2);
}

#[test]
fn graphs_are_drawn_for_graphviz_and_mermaid() {
    insta::assert_snapshot!("graph.dot", clean(&["graph", "models/split.xml", "--consts"]));
    let near = ["graph", "models/detector.xml", "--around", "flat", "--hops", "1", "--format", "mermaid"];
    insta::assert_snapshot!("graph.mermaid", clean(&near));
    let body = clean(&["graph", "models/control_flow.xml", "--around", "if/then_body/then_sum", "--hops", "9"]);
    insta::assert_snapshot!("graph.body", body);
}

#[test]
fn svg_has_a_box_for_every_layer_that_is_drawn() {
    insta::assert_snapshot!("graph.svg", clean(&["graph", "bad/split-lengths-sum/model.xml", "--format", "svg"]));
    for model in ["detector", "attention", "feature_pyramid", "control_flow"] {
        let model = format!("models/{model}.xml");
        let nodes =
            clean(&["graph", &model]).lines().filter(|line| line.starts_with("  n") && !line.contains(" -> ")).count();
        let drawn = clean(&["graph", &model, "--format", "svg"]);
        // The first line of the other language says how nodes look.
        assert_eq!(drawn.matches("<rect class=\"box").count(), nodes - 1, "{model}");
        let mut reader = quick_xml::Reader::from_str(&drawn);
        while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
    }
    let near = clean(&["graph", "models/detector.xml", "--around", "flat", "--hops", "1", "--format", "svg"]);
    assert_eq!(near.matches("<rect class=\"box").count(), 3);
    assert_eq!(near.matches("<rect class=\"box center\"").count(), 1);
}

#[test]
fn large_drawings_are_refused() {
    let (code, out, err) = run(&["graph", "models/detector.xml", "--max-nodes", "10"]);
    assert_eq!((code, out.as_str()), (2, ""));
    let wanted = "ovlint: the drawing would have 46 layers, more than the limit of 10; \
                  draw fewer with --around LAYER --hops N or raise --max-nodes\n";
    assert_eq!(err, wanted);
}

#[test]
fn names_mean_nothing_to_drawings() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(root().join("models/split.xml")).unwrap();
    let hostile = "name=\"a&quot;];\\n&lt;b&gt;#x&#27;`&#x202e;\"";
    std::fs::write(folder.path().join("m.xml"), text.replace("name=\"split_3\"", hostile)).unwrap();
    let graph = |format: &str| {
        let out = ovlint(folder.path(), ["graph", "m.xml", "--weights", "skip", "--format", format]);
        let text = utf8(&out.stdout);
        let line = |line: &&str| line.contains(if format == "svg" { "#x" } else { "Split" });
        text.lines().find(line).unwrap().to_owned()
    };
    let name = graph("svg");
    assert!(name.ends_with(r#"">a&quot;];\n&lt;b&gt;#x\u{1b}`\u{202e}</text>"#), "{name}");
    assert_eq!(graph("dot"), r#"  n2 [label="a\"];\\n<b>#x\\u{1b}`\\u{202e}\nSplit"];"#);
    assert_eq!(
        graph("mermaid"),
        r#"  n2["a#34;]#59;#92;n#60;b#62;#35;x#92;u#123;1b#125;#96;#92;u#123;202e#125;<br/>Split"]"#
    );
}

#[test]
fn what_is_commented_out_is_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(root().join("models/split.xml")).unwrap();
    let said = "<Runtime_version value=\"1.0\"/><framework value=\"tf\"/>";
    for end in [
        format!("<!-- {said} <Runtime_version value=5> --></net>"),
        format!("<x><![CDATA[{said}]]></x></net>"),
        format!("<rt_info><!-- {said} --><![CDATA[{said}]]></rt_info></net>"),
        format!("<rt_info x='{}'/></net>", said.replace('"', "&quot;")),
        format!("</net><!-- {said} -->"),
    ] {
        std::fs::write(folder.path().join("m.xml"), text.replace("</net>", &end)).unwrap();
        let out = ovlint(folder.path(), ["info", "m.xml", "--weights", "skip"]);
        assert!(!utf8(&out.stdout).contains("made by"), "{end}: {}", utf8(&out.stdout));
    }
    let end = format!("<!-- {said} --><rt_info><!-- {said} --><Runtime_version value='2'/></rt_info></net>");
    std::fs::write(folder.path().join("m.xml"), text.replace("</net>", &end)).unwrap();
    let out = ovlint(folder.path(), ["info", "m.xml", "--weights", "skip"]);
    assert!(utf8(&out.stdout).contains("\n  made by     OpenVINO 2\n"), "{}", utf8(&out.stdout));
}

#[test]
fn ends_of_ir_version_10_are_as_callers_see_them() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(root().join("models/v10.xml")).unwrap();
    std::fs::write(folder.path().join("m.xml"), text.replace("names=\"data\"", "names=\"x\"")).unwrap();
    std::fs::copy(root().join("models/v10.bin"), folder.path().join("m.bin")).unwrap();
    let info = |name: &str| {
        let out = ovlint(folder.path(), ["info", name, "--format", "json"]);
        serde_json::from_str::<Value>(&utf8(&out.stdout)).unwrap()["models"][0].take()
    };
    let model = info("m.xml");
    assert_eq!(model["inputs"][0]["tensors"], serde_json::json!(["x", "data"]));
    assert_eq!(model["outputs"][0]["tensors"], serde_json::json!(["gate/sink_port_0", "gate"]));
    // An f16 input is given as f32, and an integer output is an i32.
    let xml = "<net name=\"m\" version=\"10\"><layers><layer id=\"0\" name=\"a\" type=\"Parameter\" version=\"opset1\">\
        <data shape=\"2\" element_type=\"f16\"/><output><port id=\"0\" precision=\"FP16\"><dim>2</dim></port></output></layer>\
        <layer id=\"1\" name=\"s\" type=\"ShapeOf\" version=\"opset3\"><data output_type=\"i64\"/><input><port id=\"0\"><dim>2</dim>\
        </port></input><output><port id=\"1\" precision=\"I64\"><dim>1</dim></port></output></layer>\
        <layer id=\"2\" name=\"r\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"><dim>1</dim></port></input></layer>\
        </layers><edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>\
        <edge from-layer=\"1\" from-port=\"1\" to-layer=\"2\" to-port=\"0\"/></edges></net>";
    std::fs::write(folder.path().join("old.xml"), xml).unwrap();
    std::fs::write(folder.path().join("new.xml"), xml.replace("version=\"10\"", "version=\"11\"")).unwrap();
    let (old, new) = (info("old.xml"), info("new.xml"));
    assert_eq!((&old["inputs"][0]["type"], &old["outputs"][0]["type"]), (&"f32".into(), &"i32".into()));
    assert_eq!((&new["inputs"][0]["type"], &new["outputs"][0]["type"]), (&"f16".into(), &"i64".into()));
    let out = utf8(&ovlint(folder.path(), ["diff", "old.xml", "new.xml"]).stdout);
    let wanted =
        "interface\n  ~ input  a  f32[2] -> f16[2]  (name lost: a)\n  ~ output s  i32[1] -> i64[1]  (name lost: s)\n";
    assert!(out.starts_with(wanted), "{out}");
}

#[test]
fn many_models_have_a_row_each() {
    let arguments = ["info", "models/detector.xml", "models/dynamic.xml", "--format"];
    let rows = |format| clean(&[&arguments[..], &[format]].concat());
    insta::assert_snapshot!("info.concise", rows("concise"));
    insta::assert_snapshot!("info.csv", rows("csv"));
    insta::assert_snapshot!("info.md", rows("md"));
    let narrow = Command::new(env!("CARGO_BIN_EXE_ovlint"))
        .args([&arguments[..], &["concise"]].concat())
        .env("COLUMNS", "80")
        .current_dir(root())
        .output()
        .unwrap();
    insta::assert_snapshot!("info.table.narrow", utf8(&narrow.stdout));
    // What cannot be read is named, and the others keep their rows.
    let (code, out, err) = run(&["info", "models/split.xml", "bad/xml-malformed/model.xml", "--format", "csv"]);
    assert_eq!((code, out.lines().count()), (1, 2));
    assert!(err.starts_with("ovlint: bad/xml-malformed/model.xml: "), "{err}");
    // Digests are two columns more.
    let out = clean(&["info", "models/split.xml", "--format", "csv", "--sha256"]);
    assert!(out.starts_with("path,") && out.contains(",outputs,xml_sha256,weights_sha256\n"), "{out}");
    assert!(out.ends_with(",7c9fa136d4413fa6173637e883b6998d32e1d675f88cddff9dcbcf331820f4b8\n"), "{out}");
}

#[test]
fn rows_run_nothing_in_spreadsheets_and_are_no_markup() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(root().join("models/split.xml")).unwrap();
    let text = text.replace("<net name=\"split\"", "<net name=\"=1+2,&quot;|&lt;b&gt;&#10;\u{202e}x\"");
    std::fs::write(folder.path().join("=m,.xml"), text).unwrap();
    std::fs::copy(root().join("models/split.bin"), folder.path().join("=m,.bin")).unwrap();
    let row = |format| {
        let out = ovlint(folder.path(), ["info", "=m,.xml", "--format", format]);
        utf8(&out.stdout).lines().last().unwrap().to_owned()
    };
    let csv = row("csv");
    assert!(csv.starts_with("\"'=m,.xml\",11,6,"), "{csv}");
    assert!(csv.contains(r#","'=1+2,""|<b>\n\u{202e}x","data f32[6,12,10,24]","out0 f32[6,4,10,24]; out1"#), "{csv}");
    assert!(row("concise").contains(r#"  =1+2,"|<b>\n\u{202e}x  data f32[6,12,10,24]  "#), "{}", row("concise"));
    let card = utf8(&ovlint(folder.path(), ["info", "=m,.xml", "--format", "md"]).stdout);
    let head = r#"### =m,.xml =1+2,"\|\<b\>\\n\\u{202e}x"#;
    assert!(card.starts_with(&format!("{head}\n\n| | |\n|---|---|\n| IR | v11, ")), "{card}");
    let ends = [r"| inputs | data: f32\[6,12,10,24\] |", r"| outputs | out\* (part\*) f32\[6,4,10,24\] x 3 |"];
    assert!(card.contains(&ends.join("\n")), "{card}");
}

/// An IR of version 7 as Model Optimizer wrote it: types stand at layers, inputs are layers, and outputs are ports without an
/// edge.
const VERSION_7: &str = r#"<?xml version="1.0" ?>
<net batch="1" name="classifier" version="7">
    <layers>
        <layer id="0" name="data" precision="FP16" type="Input">
            <output><port id="0"><dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port></output>
        </layer>
        <layer id="1" name="conv" precision="FP16" type="Convolution">
            <data dilations="1,1" group="1" kernel="1,1" output="4" pads_begin="0,0" pads_end="0,0" strides="1,1"/>
            <input><port id="0"><dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port></input>
            <output><port id="3"><dim>1</dim><dim>4</dim><dim>8</dim><dim>8</dim></port></output>
            <blobs><weights offset="0" size="24"/><biases offset="24" size="8"/></blobs>
        </layer>
        <layer id="2" name="split" precision="FP16" type="Split">
            <data axis="1"/>
            <input><port id="0"><dim>1</dim><dim>4</dim><dim>8</dim><dim>8</dim></port></input>
            <output>
                <port id="1"><dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port>
                <port id="2"><dim>1</dim><dim>1</dim><dim>8</dim><dim>8</dim></port>
            </output>
        </layer>
        <layer id="3" name="prob" precision="FP32" type="SoftMax">
            <data axis="1"/>
            <input><port id="0"><dim>1</dim><dim>1</dim><dim>8</dim><dim>8</dim></port></input>
            <output><port id="1"><dim>1</dim><dim>1</dim><dim>8</dim><dim>8</dim></port></output>
        </layer>
    </layers>
    <edges>
        <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
        <edge from-layer="1" from-port="3" to-layer="2" to-port="0"/>
        <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
    </edges>
    <meta_data><MO_version value="2019.3"/></meta_data>
</net>
"#;

#[test]
fn inputs_and_outputs_of_older_ir_versions_are_those_declared() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("old.xml"), VERSION_7).unwrap();
    let run = |arguments: &str| {
        let out = ovlint(folder.path(), arguments.split(' '));
        (code(&out), utf8(&out.stdout), utf8(&out.stderr))
    };
    let (exit, page, err) = run("info old.xml");
    assert_eq!((exit, err.as_str()), (0, ""));
    insta::assert_snapshot!("info.older", &page);
    let info: Value = serde_json::from_str(&run("info old.xml --format json").1).unwrap();
    let model = &info["models"][0];
    assert_eq!((&model["ir_version"], &model["needs"], &model["errors"]), (&7.into(), &Value::Null, &1.into()));
    assert_eq!(model["inputs"][0]["shape"], "[1,3,8,8]");
    assert!(run("info old.xml --format csv").1.ends_with(
        "old.xml,7,4,1789,,,,,,,classifier,\"data f16[1,3,8,8] (declared)\",\
         \"split.0 f16[1,3,8,8] (declared); prob f32[1,1,8,8] (declared)\"\n"
    ));
    let refusal = "ovlint: old.xml: IR version 7; OpenVINO reads 10 and 11\n";
    assert_eq!(run("inputs old.xml"), (1, page, refusal.to_owned()));
    assert_eq!(run("inputs old.xml --format json"), (1, String::new(), refusal.to_owned()));
    assert_eq!(run("shapes old.xml"), (1, String::new(), refusal.to_owned()));
    // Newer versions than those that OpenVINO reads may mean anything.
    std::fs::write(folder.path().join("old.xml"), VERSION_7.replace("version=\"7\"", "version=\"12\"")).unwrap();
    assert_eq!(run("inputs old.xml").1, "");
    assert_eq!(run("info old.xml").0, 1);
}

#[test]
fn a_page_has_twenty_lines_and_counts_bytes_as_cost_does() {
    for name in ["models/kv_cache.xml", "models/attention.xml", "pipelines/llm/openvino_model.xml"] {
        let page = clean(&["info", name]);
        assert!(page.lines().count() <= 20, "{page}");
        assert_eq!(page.lines().filter(|line| line.contains(" more types")).count(), 1, "{page}");
        let json = |command| serde_json::from_str::<Value>(&clean(&[command, name, "--format", "json"])).unwrap();
        let bytes = |all: &Value| -> BTreeMap<String, u64> {
            let all = all.as_array().unwrap().iter();
            all.map(|one| (one["type"].to_string(), one["bytes"].as_u64().unwrap())).collect()
        };
        assert_eq!(bytes(&json("info")["models"][0]["constants"]), bytes(&json("cost")["weights"]), "{name}");
    }
}

#[test]
fn the_library_of_extension_operations_is_named() {
    let info = |ir: Ir| {
        let folder = tempfile::tempdir().unwrap();
        let (xml, weights) = ir.finish();
        fs::write(folder.path().join("m.xml"), xml).unwrap();
        fs::write(folder.path().join("m.bin"), weights).unwrap();
        utf8(&ovlint(folder.path(), ["info", "m.xml"]).stdout)
    };
    let chain = |types: &[(&str, &str)]| {
        let mut ir = Ir::default();
        let mut last = ir.parameter("string", "2");
        for (ty, version) in types {
            last = ir.layer(ty, version, "", &[last], 1);
        }
        ir.result(last);
        info(ir)
    };
    let text = chain(&[("CaseFold", "extension"), ("CaseFold", "extension"), ("RegexNormalization", "extension")]);
    for line in [
        "  read by     OpenVINO 2026.4 rejects it without openvino_tokenizers\n",
        "  extensions  CaseFold 2, RegexNormalization 1\n",
        "(CaseFold, line 4): CaseFold\n              (extension) needs openvino_tokenizers\n              and at 2 more layers\n",
    ] {
        assert!(text.contains(line), "{line} is not in:\n{text}");
    }
    let text = chain(&[("CaseFold", "extension"), ("Mine", "com.acme")]);
    for line in ["rejects it without its extension libraries\n", "  extensions  CaseFold 1, Mine (com.acme) 1\n"] {
        assert!(text.contains(line), "{line} is not in:\n{text}");
    }
}
