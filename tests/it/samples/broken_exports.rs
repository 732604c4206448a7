//! What goes wrong in a pipeline: one model broken in many ways. Every one is one finding at the right line, and `--fix`
//! brings back what was there where that is known.

use crate::program::{code, copy_of, findings, ovlint, root, utf8};
use std::fs;
use std::path::Path;

/// A way to break the model.
struct Breakage {
    name: &'static str,
    /// What stands in the XML, once, and what stands there instead.
    xml: Option<(&'static str, &'static str)>,
    /// What the weights become.
    weights: fn(Vec<u8>) -> Vec<u8>,
    /// The finding, as `concise` shows it.
    reported: &'static str,
    /// The flag that restores the file.
    cure: Option<&'static str>,
}

const WHOLE: Breakage = Breakage { name: "", xml: None, weights: |bytes| bytes, reported: "", cure: None };

const BREAKAGES: [Breakage; 15] = [
    Breakage {
        name: "a wrong dimension",
        xml: Some(("names=\"part1\">\n\t\t\t\t\t<dim>2<", "names=\"part1\">\n\t\t\t\t\t<dim>5<")),
        reported: "model.xml:50:11: error[declared-shape] `vsplit` (VariadicSplit): declared dimension disagrees with the inferred shape: declared 5, \
               inferred 2 (dim 0 of output port 4)",
        cure: Some("--fix"),
        ..WHOLE
    },
    Breakage {
        name: "a wrong precision",
        xml: Some(("precision=\"FP32\" names=\"part1\"", "precision=\"FP16\" names=\"part1\"")),
        reported: "model.xml:49:29: error[declared-precision] `vsplit` (VariadicSplit): output port 4 declares FP16, but FP32 is inferred",
        cure: Some("--fix"),
        ..WHOLE
    },
    Breakage {
        name: "a precision that does not exist",
        xml: Some(("precision=\"FP32\" names=\"part1\"", "precision=\"float\" names=\"part1\"")),
        reported: "model.xml:49:29: error[unknown-precision] `float` is not a precision",
        cure: Some("--fix=all"),
        ..WHOLE
    },
    Breakage {
        name: "swapped edges",
        xml: Some((
            "from-layer=\"1\" from-port=\"0\" to-layer=\"3\" to-port=\"1\" />\n\t\t<edge from-layer=\"2\"",
            "from-layer=\"2\" from-port=\"0\" to-layer=\"3\" to-port=\"1\" />\n\t\t<edge from-layer=\"1\"",
        )),
        reported: "model.xml:38:5: error[input-port-mismatch] input port 2 of `vsplit` declares i64[3], but its producer `axis` outputs \
               i64[] (1 more finding follows from this one)",
        ..WHOLE
    },
    Breakage {
        name: "a missing edge",
        xml: Some(("<edge from-layer=\"0\" from-port=\"0\" to-layer=\"3\" to-port=\"0\" />", "")),
        reported: "model.xml:31:5: error[input-not-connected] input port 0 of `vsplit` (VariadicSplit) has no incoming edge",
        ..WHOLE
    },
    Breakage {
        name: "an edge of a layer that does not exist",
        xml: Some(("to-layer=\"5\"", "to-layer=\"55\"")),
        reported: "model.xml:99:38: error[edge-unknown-layer] edge ends at layer 55, which does not exist",
        cure: Some("--fix=all"),
        ..WHOLE
    },
    Breakage {
        name: "truncated weights",
        weights: |bytes| bytes[..20].to_vec(),
        reported: "model.xml:22:4: error[weights-out-of-range] Const `split_lengths` needs bytes 8..32, but the weights have only 20 bytes",
        ..WHOLE
    },
    Breakage {
        name: "the weights of another model",
        weights: |_| (0..4096).map(|at| u8::try_from(at * 37 % 251).unwrap()).collect(),
        reported: "model.xml:16:4: error[suspicious-shape-constant] `axis` (Const): the axes, lengths or shapes at all 2 places in \
               model.bin are implausible (2 more findings follow from this one)",
        ..WHOLE
    },
    Breakage {
        name: "a Git LFS pointer",
        weights: |_| b"version https://git-lfs.github.com/spec/v1\noid sha256:12ab\nsize 32\n".to_vec(),
        reported: "model.xml: error[git-lfs-pointer] model.bin is a Git LFS pointer, not weights",
        ..WHOLE
    },
    Breakage {
        name: "wrong split lengths",
        weights: |mut bytes| {
            bytes[24] = 4;
            bytes
        },
        reported: "model.xml:29:3: error[split-lengths-sum] `vsplit` (VariadicSplit): split lengths add up to 7, but axis 0 of the input is 6",
        ..WHOLE
    },
    Breakage {
        name: "a misspelled operation",
        xml: Some(("type=\"VariadicSplit\"", "type=\"VaradicSplit\"")),
        reported: "model.xml:29:37: error[unknown-op] `vsplit` (VaradicSplit): `VaradicSplit` is not an operation of opset1, nor of any other opset",
        cure: Some("--fix=all"),
        ..WHOLE
    },
    Breakage {
        name: "a conflict mark",
        xml: Some(("\t\t<layer id=\"3\"", "<<<<<<< HEAD\n\t\t<layer id=\"3\"")),
        reported: "model.xml:29:1: error[conflict-marker] a Git merge conflict was left in the file",
        ..WHOLE
    },
    Breakage {
        name: "an id twice",
        xml: Some(("<layer id=\"5\"", "<layer id=\"4\"")),
        reported: "model.xml:73:3: error[duplicate-layer-id] layer id 4 is used by `out0` and `out1`",
        cure: Some("--fix=all"),
        ..WHOLE
    },
    Breakage {
        name: "an attribute twice",
        xml: Some(("name=\"vsplit\"", "name=\"vsplit\" name=\"vsplit\"")),
        reported: "model.xml:29:31: error[xml-duplicate-attribute] attribute `name` appears twice; OpenVINO uses the first one",
        cure: Some("--fix=all"),
        ..WHOLE
    },
    Breakage {
        name: "a file that was cut off",
        xml: Some((
            "\n\t</edges>\n\t<rt_info>\n\t\t<info name=\"OpenVINO Runtime\" value=\"2026.4.1-22982-e213a147257-releases/2026/4\" />\n\t</rt_info>\n</net>\n",
            "",
        )),
        reported: "model.xml:100:64: error[xml-malformed] XML is not well formed: the file ends inside <edges>; is the download \
               complete?",
        ..WHOLE
    },
];

const XML: &str = "model.xml";

fn read(folder: &Path) -> (String, Vec<u8>) {
    (fs::read_to_string(folder.join(XML)).unwrap(), fs::read(folder.join("model.bin")).unwrap())
}

#[test]
fn every_breakage_is_reported_once_where_it_is_and_fixed_where_it_can_be() {
    let mut wrong: Vec<String> = Vec::new();
    for Breakage { name, xml, weights, reported, cure } in BREAKAGES {
        let folder = copy_of("models/variadic_split.xml");
        let path = folder.path();
        let rename = |from: &str, to: &str| fs::rename(path.join(from), path.join(to)).unwrap();
        rename("variadic_split.xml", XML);
        rename("variadic_split.bin", "model.bin");
        let (whole, bytes) = read(path);
        let mut broken = whole.clone();
        if let Some((old, new)) = xml {
            assert_eq!(whole.matches(old).count(), 1, "{name}");
            broken = whole.replace(old, new);
        }
        fs::write(path.join(XML), &broken).unwrap();
        fs::write(path.join("model.bin"), weights(bytes)).unwrap();
        let out = ovlint(path, ["check", XML, "--format", "concise"]);
        if (code(&out), utf8(&out.stdout).trim_end()) != (1, reported) {
            wrong.push(format!("{name}:\n{}", utf8(&out.stdout)));
        }
        for flag in ["--fix", "--fix=all"] {
            fs::write(path.join(XML), &broken).unwrap();
            let out = ovlint(path, ["check", XML, "-q", flag]);
            let restored = cure.is_some_and(|cure| flag.starts_with(cure));
            let expected = if restored { (0, &whole) } else { (1, &broken) };
            if (code(&out), &read(path).0) != expected {
                wrong.push(format!("{name}: {flag} gives\n{}", read(path).0));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(findings(&root(), ["check", "models/variadic_split.xml"]), [] as [serde_json::Value; 0]);
}
