//! The releases that read a file, and targets. The dates were measured with the wheels of 24 releases.

use crate::graph_notation::graph;
use crate::ir_builder::Ir;
use crate::program::{copy_of, findings, ovlint, root, utf8};
use ovlint::internal::{Model, Options, Weights};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The `read by` row of `ovlint info`, without its reason.
fn read_by(folder: &Path, model: &str) -> String {
    let out = utf8(&ovlint(folder, ["info", model]).stdout);
    let row = out.lines().find_map(|line| line.trim_start().strip_prefix("read by")).unwrap_or_else(|| panic!("{out}"));
    row.split("  (").next().unwrap().trim().to_owned()
}

/// The rules that `ovlint check --target` reports, with OpenVINO's reaction.
fn reported(folder: &Path, model: &str, target: &str) -> Vec<(String, String)> {
    let out = ovlint(folder, ["check", model, "--target", target, "--format", "json"]);
    let document: Value = serde_json::from_str(&utf8(&out.stdout)).unwrap();
    let findings = document["models"][0]["findings"].as_array().unwrap().clone();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    findings.iter().map(|finding| (text(finding, "rule"), text(finding, "runtime"))).collect()
}

#[test]
fn what_a_release_is_the_first_to_read_is_required() {
    let behind = |length: usize| format!("<!--{}--><net ", "x".repeat(length));
    let (far, near) = (behind(600), behind(300));
    // The sample, an edit of it, the first release that reads the result, and the one before.
    for (sample, from, to, first, before) in [
        ("models/split.xml", "name=\"out1\"", "name=\"split_3\"", "2022.1", "2021.4"),
        ("models/split.xml", "name=\"split_3\"", "name=\"data\"", "2024.1", "2024.0"),
        ("models/split.xml", "precision=\"FP32\"", "precision=\"UNSPECIFIED\"", "2023.0", "2022.3"),
        ("models/split.xml", "precision=\"FP32\"", "precision=\"undefined\"", "2022.1", "2021.4"),
        ("models/split.xml", " element_type=\"f32\"", "", "2025.1", "2025.0"),
        (
            "models/split.xml",
            "</output>\n\t\t</layer>",
            "</output><rt_info><attribute name=\"a\"/></rt_info>\n\t\t</layer>",
            "2024.5",
            "2024.4",
        ),
        (
            "models/split.xml",
            "</output>\n\t\t</layer>",
            "</output><rt_info>a</rt_info>\n\t\t</layer>",
            "2024.5",
            "2024.4",
        ),
        ("models/split.xml", "names=\"data\"", "names=\"data,,x\"", "2022.2", "2022.1"),
        ("models/split.xml", "names=\"data\"", "names=\"data,\"", "2022.1", "2021.4"),
        ("models/split.xml", "shape=\"6,12,10,24\"", "shape=\"[6,12,10,24]\"", "2022.3", "2022.2"),
        (
            "models/split.xml",
            "type=\"Parameter\" version=\"opset1\"",
            "type=\"Parameter\" version=\"opset16\"",
            "2025.0",
            "2024.6",
        ),
        ("models/split.xml", "<net ", far.as_str(), "2024.5", "2024.4"),
        ("models/split.xml", "<net ", near.as_str(), "2022.1", "2021.4"),
    ] {
        let folder = copy_of(sample);
        let path = folder.path().join("split.xml");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(&path, text.replace(from, to)).unwrap();
        assert_eq!(read_by(folder.path(), "split.xml"), format!("OpenVINO {first} to 2026.4"), "{to}");
        let is_new = |target: &str| {
            let found = reported(folder.path(), "split.xml", target);
            found.iter().any(|(rule, _)| ["needs-newer-openvino", "opset-too-new-for-target"].contains(&rule.as_str()))
        };
        assert_eq!((is_new(first), is_new(before)), (false, true), "{to}");
        assert!(is_new(&format!("{before}..2026.4")) && is_new(&format!("2026.4,{before}")), "{to}");
    }
}

#[test]
fn releases_before_a_check_accept_what_it_rejects() {
    let folder = Path::new("ir-samples/bad/state-init");
    assert_eq!(read_by(folder, "model.xml"), "OpenVINO 2022.1 to 2023.2");
    let reaction = |target: &str| {
        let found = reported(folder, "model.xml", target);
        found.iter().find(|(rule, _)| rule == "state-init").map(|(_, runtime)| runtime.clone()).unwrap()
    };
    assert_eq!(reaction("2023.3"), "rejects");
    assert_eq!(reaction("2022.3..2023.2"), "accepts");
    assert_eq!(reaction("2022.3,2026.4"), "rejects");
    for (targets, release, read) in [
        ("2026.3,2021.1..2024.0", "2021.1", "rejects"),
        ("2023.2..2026.4", "2023.3", "rejects"),
        ("2022.1,2023.0", "2023.0", "reads"),
    ] {
        let out = ovlint(folder, ["check", "--format", "json", "--target", targets, "model.xml"]);
        let document: Value = serde_json::from_str(&utf8(&out.stdout)).unwrap();
        let openvino = &document["models"][0]["openvino"];
        assert_eq!([&openvino["release"], &openvino["read"]], [release, read]);
    }
}

#[test]
fn json_of_check_says_what_info_says() {
    for sample in ["bad/state-init", "models"] {
        let folder = Path::new("ir-samples").join(sample);
        let of = |arguments: &[&str]| -> Vec<Value> {
            let out = ovlint(&folder, [arguments, &["--format", "json", "."]].concat());
            let document: Value = serde_json::from_str(&utf8(&out.stdout)).unwrap();
            document["models"].as_array().unwrap().iter().map(|model| model["openvino"].clone()).collect()
        };
        let said = of(&["info"]);
        assert!(!said.is_empty() && said.iter().all(Value::is_object));
        assert_eq!(of(&["check"]), said);
        for (one, said) in of(&["check", "--target", "2021.1"]).iter().zip(&said) {
            assert_eq!((&one["release"], &one["releases"]), (&"2021.1".into(), &said["releases"]));
        }
    }
}

#[test]
fn checks_have_dates() {
    let folder = copy_of("models/split.xml");
    let path = folder.path().join("split.xml");
    let text = fs::read_to_string(&path).unwrap();
    let part = "<rt_info><attribute name=\"old_api_map_order\" version=\"0\" value=\"x\"/></rt_info>\n\t\t</layer>";
    fs::write(&path, text.replacen("\n\t\t</layer>", part, 1)).unwrap();
    assert_eq!(read_by(folder.path(), "split.xml"), "OpenVINO 2022.1 to 2026.1");
}

#[test]
fn releases_before_2026_2_read_0_where_a_constant_has_no_number() {
    let folder = copy_of("models/split.xml");
    let path = folder.path().join("split.xml");
    let text = fs::read_to_string(&path).unwrap();
    for (shape, releases) in [
        ("x", "2022.1 to 2026.1"),
        ("...,", "2022.1 to 2026.1"),
        ("?,2", "2022.1 to 2026.1"),
        (",2", "2026.4 rejects it"),
        ("99999999999999999999", "2026.4 rejects it"),
    ] {
        let old = "element_type=\"i64\" shape=\"\"";
        fs::write(&path, text.replacen(old, &format!("element_type=\"i64\" shape=\"{shape}\""), 1)).unwrap();
        assert_eq!(read_by(folder.path(), "split.xml"), format!("OpenVINO {releases}"), "{shape}");
    }
    for (shape, releases) in
        [("6,12,10,24, ", "2022.1 to 2026.1"), ("...,", "2026.4 rejects it"), (",", "2026.4 rejects it")]
    {
        fs::write(&path, text.replacen("shape=\"6,12,10,24\"", &format!("shape=\"{shape}\""), 1)).unwrap();
        assert_eq!(read_by(folder.path(), "split.xml"), format!("OpenVINO {releases}"), "{shape}");
    }
}

#[test]
fn what_a_limit_leaves_unread_is_not_promised_to_be_read() {
    let read = |arguments: &str| {
        let out = ovlint(&root(), format!("check models/split.xml --format json {arguments}").split_whitespace());
        let document: Value = serde_json::from_str(&utf8(&out.stdout)).unwrap();
        let openvino = &document["models"][0]["openvino"];
        (openvino["read"].as_str().unwrap().to_owned(), openvino["because"].to_string())
    };
    assert_eq!(read(""), ("reads".to_owned(), "[]".to_owned()));
    assert_eq!(read("--max-outputs 2"), ("undecided".to_owned(), "[\"limit-exceeded\"]".to_owned()));
}

#[test]
fn layers_that_are_not_built_count_for_no_release() {
    let folder = tempfile::tempdir().unwrap();
    let of = |id: u8, data: &str| {
        let port = |id: u8| format!("<port id=\"{id}\" precision=\"FP32\"/>");
        let text = format!(
            "<net name=\"a\" version=\"11\"><!--{}--><layers><layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">\
             {data}<output>{}</output></layer><layer id=\"1\" name=\"y\" type=\"Convert\" version=\"opset1\"><data \
             destination_type=\"f8e4m3\"/><input>{}</input><output>{}</output></layer><layer id=\"{id}\" name=\"z\" \
             type=\"Resultat\" version=\"opset1\"><input>{}</input></layer></layers><edges><edge from-layer=\"0\" \
             from-port=\"0\" to-layer=\"1\" to-port=\"0\"/></edges></net>",
            "x".repeat(600),
            port(0),
            port(0),
            port(1),
            port(0),
        );
        fs::write(folder.path().join("m.xml"), text).unwrap();
        read_by(folder.path(), "m.xml")
    };
    let data = "<data shape=\"2\" element_type=\"f32\"/>";
    assert_eq!(of(2, data), "OpenVINO 2022.1 to 2026.4");
    // OpenVINO builds what has the id of a Parameter.
    assert_eq!(of(0, data), "OpenVINO 2026.4 rejects it");
    // The data of a Parameter that no layer reads is demanded since 2025.1.
    assert_eq!(of(2, ""), "OpenVINO 2022.1 to 2025.0");
}

/// The `read by` row of a graph.
fn graph_read_by(text: &str) -> String {
    let (folder, graph) = (tempfile::tempdir().unwrap(), graph(text, 1));
    fs::write(folder.path().join("m.xml"), graph.xml).unwrap();
    fs::write(folder.path().join("m.bin"), graph.weights).unwrap();
    read_by(folder.path(), "m.xml")
}

#[test]
fn uses_and_attributes_of_operations_have_dates() {
    let attention = |mask: &str, causal: bool| {
        let inputs = format!("f32[2,4,3,8], f32[2,4,9,8], f32[2,4,9,8], f32{mask}");
        graph_read_by(&format!("ScaledDotProductAttention-13({inputs}) {{causal={causal}}}"))
    };
    for (mask, causal, first) in [
        ("[2,1,3,9]", false, "2023.3"),
        ("[2,4,?,?]", false, "2023.3"),
        ("[2,1,1,9]", false, "2024.3"),
        ("[3,1]", false, "2024.3"),
        ("[2,1,1,9]", true, "2023.3"),
    ] {
        assert_eq!(attention(mask, causal), format!("OpenVINO {first} to 2026.4"), "{mask} {causal}");
    }
    for (text, releases) in [
        (
            "LSTMSequence-1(f32[2,5,2], f32[2,1,3], f32[2,1,3], i64[2], f32[1,12,2], f32[1,12,3], f32[1,12]) \
             {hidden_size=3 direction=forward} *3",
            "2023.1 to 2024.6",
        ),
        // 2025.0 reads a ReLU of an open type, and rejects an Add.
        ("c = Convert-1(f32[2]); Relu-1(c)", "2025.1 to 2026.4"),
        ("Squeeze-1(f32[2,3], i64[1] = -1)", "2024.3 to 2026.4"),
        ("Squeeze-1(f32[2,1], i64[1] = -1)", "2023.0 to 2026.4"),
        ("Squeeze-1(f32[2,?], i64[1] = -1)", "2023.0 to 2026.4"),
        ("Gather-8(f32[3], i64[1] = 0, i64[] = 0) {batch_dims=i64}", "2023.0 to 2026.1"),
        ("Einsum-7(f32[2,3,4]) {equation=ab->a}", "2023.0 to 2025.0"),
        ("Einsum-7(f32[2]) {equation=ab->a}", "2026.4 rejects it"),
        ("Abs-1(string[2])", "2023.3 to 2024.0"),
        ("Tanh-1(string[2])", "2023.3 to 2024.0"),
        ("SoftPlus-4(string[2])", "2026.4 rejects it"),
        ("Add-1(string[2], string[2])", "2026.4 rejects it"),
        ("Pad-1(string[2], i64[1] = 1, i64[1] = 1) {pad_mode=edge}", "2023.3 to 2026.1"),
        ("Gather-8(f32[2,2,4], i64[2], i64[] = 0) {batch_dims=-1}", "2023.0 to 2026.4"),
        ("Gather-8(f32[2,2,4], i64[2], i64[] = 0) {batch_dims=-2}", "2024.0 to 2026.4"),
        ("Maximum-1(f32[2,3], f32[2,1]) {auto_broadcast=pdpd}", "2023.0 to 2026.4"),
        ("Maximum-1(f32[2,3], f32[1,3]) {auto_broadcast=pdpd}", "2023.1 to 2026.4"),
        ("Maximum-1(f32[2,3], f32[]) {auto_broadcast=pdpd auto_broadcast.auto_broadcast_axis=5}", "2023.0"),
        ("NonMaxSuppression-5(f32[?,10,5], f32[1,2,10])", "2023.0"),
        ("NonMaxSuppression-5(f32[1,10,5], f32[1,2,10])", "2026.4 rejects it"),
        ("MulticlassNms-8(f32[2,10,?], f32[2,5,10])", "2023.1 to 2026.4"),
        ("ExperimentalDetectronTopKROIs-6(f32[9,4], f16[9]) {max_rois=3}", "2023.0"),
        ("ExperimentalDetectronTopKROIs-6(f32[9,5], f32[9]) {max_rois=3}", "2026.4 rejects it"),
        ("Range-4(f32[] = 1, f32[] = 5, f32[] = 0) {output_type=f32}", "2023.0 to 2026.3"),
        ("Range-1(f32[] = 1, f32[] = 5, f32[] = 0)", "2026.4 rejects it"),
        ("Reshape-1(f32[1], i64[] = 1) {special_zero=false}", "2023.0 to 2026.3"),
        ("Reshape-1(f32[2], i64[] = 2) {special_zero=false}", "2026.4 rejects it"),
        ("Einsum-7(f32[2,3], f32[]) {equation=ab,}", "2025.2 to 2026.4"),
        ("LogSoftmax-5(f32[2,3]) {axis=+1}", "2023.0 to 2026.1"),
        ("LogSoftmax-5(f32[2,3]) {axis=x}", "2023.0 to 2026.1"),
        ("LogSoftmax-5(f32[2,3]) {axis=+2}", "2026.4 rejects it"),
        ("Convolution-1(f32[1,1,5], f32[1,1,3]) {strides=+2 pads_begin=x pads_end=0 dilations=1}", "2023.0 to 2026.1"),
        ("Convolution-1(f32[1,1,5], f32[1,1,3]) {strides=x pads_begin=0 pads_end=0 dilations=1}", "2026.4 rejects it"),
        ("RandomUniform-8(i64[1] = 3, f32[] = 0, f32[] = 1) {output_type=f32 alignment=bogus}", "2023.0 to 2024.2"),
    ] {
        assert_eq!(graph_read_by(text), format!("OpenVINO {releases}"), "{text}");
    }
}

#[test]
fn what_only_new_releases_reject_hides_nothing_that_old_ones_reject() {
    let folder = copy_of("models/split.xml");
    let path = folder.path().join("split.xml");
    let text = fs::read_to_string(&path).unwrap();
    let written = text.replacen("shape=\"6,12,10,24\"", "shape=\"6,12,10,24,\"", 1);
    assert_ne!(text, written);
    fs::write(&path, &written).unwrap();
    assert_eq!(read_by(folder.path(), "split.xml"), "OpenVINO 2022.1 to 2026.1");
    fs::write(&path, written.replacen("shape=\"6,12,10,24,\"", "shape=\"7,7,7,7,\"", 1)).unwrap();
    assert_eq!(read_by(folder.path(), "split.xml"), "OpenVINO 2026.4 rejects it");
}

/// Operations of `openvino_tokenizers` need the library of the target release, in a folder as well, where they are no news.
#[test]
fn tokenizers_need_the_library_of_the_target() {
    for (folder, target, wanted) in [
        (
            "ir-samples/pipelines/reranker",
            "2025.1",
            &["Truncate needs openvino_tokenizers 2025.2, but the target is 2025.1"][..],
        ),
        ("ir-samples/pipelines/reranker", "2025.2..2026.4", &[]),
        ("ir-samples/pipelines/llm", "2024.6", &[]),
        (
            "ir-samples/bad/extension-required",
            "2023.2",
            &[
                "CaseFold needs openvino_tokenizers 2023.3, but the target is 2023.2",
                "CaseFold (extension) needs openvino_tokenizers",
            ],
        ),
    ] {
        let all = findings(Path::new(folder), ["check", ".", "--target", target, "--exclude", "library"]);
        let told: Vec<&str> = all.iter().map(|finding| finding["message"].as_str().unwrap()).collect();
        let about: Vec<&str> = told.into_iter().filter(|message| message.contains("openvino_tokenizers")).collect();
        assert_eq!(about, wanted, "{folder} {target}");
    }
}

/// The element types of inputs, outputs and constants that the compiler for the NPU imports.
#[test]
fn element_types_that_a_device_lacks_are_reported() {
    let told = |ty: &str, is_constant: bool, is_converted: bool, device: &str| {
        let mut ir = Ir::default();
        let input = ir.parameter("f32", "2");
        let of = if is_constant { ir.constant_of_bytes(ty, &[2], &[0, 0]) } else { ir.parameter(ty, "2") };
        let sum = if is_converted {
            let wide = ir.layer("Convert", "opset1", "<data destination_type=\"f32\"/>", &[of], 1);
            ir.layer("Add", "opset1", "", &[input, wide], 1)
        } else {
            ir.result(input);
            of
        };
        ir.result(sum);
        let (xml, weights) = ir.finish();
        let options = Options { device: Some(device.parse().unwrap()), ..Options::default() };
        let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &options).unwrap();
        let about = model.findings().iter().filter(|finding| finding.rule.name == "device-operation");
        about.map(|finding| finding.message.shown().to_owned()).collect::<Vec<_>>()
    };
    let lacks = |ty: &str| vec![format!("the compiler for the NPU does not import elements of type {ty}")];
    assert_eq!(told("u1", false, true, "npu"), lacks("u1"));
    assert_eq!(told("u1", false, true, "gpu"), [""; 0]);
    assert_eq!(told("u4", false, true, "npu"), [""; 0]);
    assert_eq!(told("u1", true, false, "npu"), lacks("u1"));
    // A constant that is only converted is folded; weights of such types are not.
    assert_eq!(told("u1", true, true, "npu"), [""; 0]);
    assert_eq!(told("f4e2m1", true, true, "npu"), lacks("f4e2m1"));
    assert_eq!(told("f8e8m0", true, true, "npu"), lacks("f8e8m0"));
}
