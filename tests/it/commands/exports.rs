//! Two exports of a model: the changes that callers notice are seen and named, and nothing else is.

use crate::program::{code, copy_of, ovlint, utf8};
use std::fs;
use std::path::Path;

/// The exit code and the output of a command in a folder.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let out = ovlint(folder, arguments.iter().copied());
    (code(&out), utf8(&out.stdout))
}

/// A sample as `old.xml`, and with an edit as `new.xml`, whose snapshot is that of the old one.
fn edited(sample: &str, from: &str, to: &str) -> tempfile::TempDir {
    let folder = copy_of(sample);
    let path = folder.path().join(Path::new(sample).file_name().unwrap());
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    for (name, text) in [("old", text.clone()), ("new", text.replace(from, to))] {
        fs::write(folder.path().join(name).with_extension("xml"), text).unwrap();
        fs::copy(path.with_extension("bin"), folder.path().join(name).with_extension("bin")).unwrap();
    }
    assert_eq!(run(folder.path(), &["snapshot", "update", "old.xml"]).0, 0);
    fs::rename(folder.path().join("old.ovshapes"), folder.path().join("new.ovshapes")).unwrap();
    folder
}

const CACHE: &str = "models/kv_cache.xml";

#[test]
fn what_callers_notice_is_seen_and_named() {
    let net = "\t<rt_info>\n";
    for (from, to, first, line) in [
        (
            "names=\"head0\"",
            "names=\"first\"",
            "first change: output `out0`, \"head0\" -> \"first\"",
            "~ output head0  f32[batch, 1, d2 + past, 8]  (name lost: head0; new name: first)",
        ),
        (
            "variable_id=\"past_key\"",
            "variable_id=\"keys\"",
            "\n-state past_key  f32[past_key_batch, 2, past, 8]\n",
            "- past_key  f32[past_key_batch, 2, past, 8]",
        ),
        (
            "variable_shape=\"?,2,?,8\"",
            "variable_shape=\"?,2,5,8\"",
            "first change: state `past_key`, ",
            "~ past_key  ",
        ),
        (
            "shape=\"?,2,?,8\" element_type",
            "shape=\"?,2,..64,8\" element_type",
            "constraint `d2 <= 64` is new",
            "+ d2 <= 64",
        ),
        (
            "shape=\"?,2,?,8\" element_type",
            "shape=\"?,?,2,8\" element_type",
            "first change: input `new_key`",
            "axes 1 and 2",
        ),
        (
            net,
            "\t<rt_info><model_info><scale_values value=\"255\"/></model_info>\n",
            "metadata `model_info.scale_values` is new",
            "+ model_info.scale_values  255",
        ),
        (
            "<port id=\"0\" precision=\"FP32\" names=\"new_key\">",
            "<port id=\"0\" precision=\"FP32\" names=\"new_key\"><rt_info><attribute name=\"layout\" version=\"0\" \
             layout=\"[N,C,H,W]\"/></rt_info>",
            "first change: input `new_key`",
            "(layout=[N,C,H,W] new)",
        ),
    ] {
        let folder = edited(CACHE, from, to);
        let (code, out) = run(folder.path(), &["snapshot", "check", "new.xml"]);
        assert!(code == 1 && out.contains(first), "{to}: {out}");
        let (code, out) = run(folder.path(), &["diff", "old.xml", "new.xml", "--level", "interface"]);
        let line = line.replace("axes 1 and 2", "dimensions 1 and 2 exchanged");
        assert!(code == 1 && out.contains(&line), "{to}: {out}");
    }
}

#[test]
fn what_differs_between_exports_is_not_seen() {
    let net = "\t<rt_info>\n";
    for (from, to) in [
        (net, "\t<rt_info><Runtime_version value=\"2031.1\"/><legacy_frontend value=\"False\"/>\n"),
        (net, "\t<rt_info><conversion_parameters><input_model value=\"a.onnx\"/></conversion_parameters>\n"),
        (
            net,
            "\t<rt_info><info name=\"OpenVINO Runtime\" value=\"2031.1\"/><converted value=\"2026-11-26T20:24:21\"/>\n",
        ),
        (
            net,
            "\t<rt_info><source value=\"/home/me/model.pt\"/><optimum><transformers_version value=\"5\"/></optimum>\n",
        ),
    ] {
        let folder = edited(CACHE, from, to);
        assert_eq!(run(folder.path(), &["snapshot", "check", "new.xml"]), (0, String::new()), "{to}");
        assert_eq!(run(folder.path(), &["diff", "old.xml", "new.xml"]), (0, "no differences\n".to_owned()), "{to}");
    }
    // 1.0 is 1, and blanks do not matter.
    let scale = |value: &str| format!("\t<rt_info><model_info><scale_values value=\"{value}\"/></model_info>\n");
    let folder = edited(CACHE, net, &scale("255 1"));
    run(folder.path(), &["snapshot", "update", "new.xml"]);
    let text = fs::read_to_string(folder.path().join("new.xml")).unwrap();
    fs::write(folder.path().join("new.xml"), text.replace("\"255 1\"", "\" 255.0  1.00\"")).unwrap();
    assert_eq!(run(folder.path(), &["snapshot", "check", "new.xml"]), (0, String::new()));
}

#[test]
fn a_model_that_no_longer_loads_is_no_equal_export() {
    let folder = edited("models/split.xml", "num_splits=\"3\"", "num_splits=\"5\"");
    let (code, out) = run(folder.path(), &["snapshot", "check", "new.xml"]);
    assert!(code == 1 && out.contains("\n+fails split-not-divisible  split_3 (Split)\n"), "{out}");
}

/// Reverses the layers of a file, except for the order of inputs and outputs, which callers see.
fn reversed(text: &str) -> String {
    let (head, rest) = text.split_once("<layers>").unwrap();
    let (layers, tail) = rest.split_once("</layers>").unwrap();
    let layers: Vec<&str> = layers.split_inclusive("</layer>").filter(|layer| layer.contains("<layer ")).collect();
    let is_end = |layer: &&&str| layer.contains("type=\"Parameter\"") || layer.contains("type=\"Result\"");
    let mut ends = layers.iter().filter(is_end);
    let reversed = layers.iter().rev().map(|layer| if is_end(&layer) { *ends.next().unwrap() } else { *layer });
    format!("{head}<layers>{}</layers>{tail}", reversed.collect::<String>())
}

#[test]
fn the_order_of_the_file_does_not_matter() {
    for sample in
        [CACHE, "models/attention.xml", "models/feature_pyramid.xml", "dynamic/decoder.xml", "models/detector.xml"]
    {
        let folder = edited(sample, "<layers>", "<layers>");
        let path = folder.path().join("new.xml");
        fs::write(&path, reversed(&fs::read_to_string(&path).unwrap())).unwrap();
        assert_eq!(run(folder.path(), &["snapshot", "check", "new.xml"]), (0, String::new()), "{sample}");
        assert_eq!(run(folder.path(), &["diff", "old.xml", "new.xml"]), (0, "no differences\n".to_owned()), "{sample}");
    }
}

#[test]
fn a_long_line_ends_with_a_digest_of_the_whole() {
    let name = "n".repeat(185);
    let folder = edited("models/split.xml", "name=\"split_3\"", &format!("name=\"{name}\""));
    run(folder.path(), &["snapshot", "update", "new.xml"]);
    let text = fs::read_to_string(folder.path().join("new.ovshapes")).unwrap();
    assert!(text.lines().all(|line| line.len() <= 200), "{text}");
    let line = text.lines().find(|line| line.contains("nnn")).unwrap();
    assert!(line.rsplit_once(" .. #").is_some_and(|(_, digest)| digest.len() == 16), "{line}");
    let path = folder.path().join("new.xml");
    let model = fs::read_to_string(&path).unwrap().replace("num_splits=\"3\"", "num_splits=\"4\"");
    fs::write(&path, model).unwrap();
    assert_eq!(run(folder.path(), &["snapshot", "check", "new.xml"]).0, 1);
}

#[test]
fn long_entries_of_metadata_are_shown_with_both_values() {
    for (groups, is_cut) in [(40, false), (340, false), (400, true)] {
        let value = "group=128, ".repeat(groups);
        let entry = format!("<rt_info><nncf><settings value=\"{value}last=1\"/></nncf></rt_info></net>");
        let folder = edited("models/split.xml", "</net>", &entry);
        run(folder.path(), &["snapshot", "update", "new.xml"]);
        let path = folder.path().join("new.xml");
        fs::write(&path, fs::read_to_string(&path).unwrap().replace("last=1", "last=2")).unwrap();
        let (code, out) = run(folder.path(), &["snapshot", "check", "new.xml"]);
        let first = "first change: metadata `nncf.settings`, ...28, group=128, last=1 -> ...28, group=128, last=2\n";
        assert_eq!((code, out.contains(first)), (1, !is_cut), "{out}");
        for (sign, last) in [("-", "last=1\n"), ("+", "last=2\n")] {
            let head = format!("{sign}meta  nncf.settings = group=128, ");
            let line = out.split_inclusive('\n').find(|line| line.starts_with(&head)).unwrap();
            assert_eq!((line.ends_with(last), line.contains(" .. #")), (!is_cut, is_cut), "{line}");
            assert!(line.len() <= 4098, "{line}");
        }
    }
}
