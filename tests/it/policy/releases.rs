//! The releases that read a file, and targets. The dates were measured with the wheels of 24 releases.

use crate::graph_notation::graph;
use crate::program::{copy_of, ovlint, utf8};
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
}

#[test]
fn json_of_check_says_what_info_says_whatever_the_target() {
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
        assert_eq!(of(&["check", "--target", "2021.1"]), said);
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
        ("Squeeze-1(f32[2,3], i64[1] = -1)", "2024.3 to 2026.4"),
        ("Squeeze-1(f32[2,1], i64[1] = -1)", "2023.0 to 2026.4"),
        ("Squeeze-1(f32[2,?], i64[1] = -1)", "2023.0 to 2026.4"),
        ("Gather-8(f32[3], i64[1] = 0, i64[] = 0) {batch_dims=i64}", "2023.0 to 2026.1"),
        ("Einsum-7(f32[2,3,4]) {equation=ab->a}", "2023.0 to 2025.0"),
        ("Einsum-7(f32[2]) {equation=ab->a}", "2026.4 rejects it"),
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
