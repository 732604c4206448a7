//! Links between models: `[[link]]`.

use super::{reported, run};
use crate::program::{copy_folder, findings, root};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The folder of a detector in two sizes, whose features go to a classifier.
fn linked() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy_folder(&root().join("pipelines/configured"), folder.path());
    folder
}

fn replace(folder: &Path, file: &str, old: &str, new: &str) {
    let text = fs::read_to_string(folder.join(file)).unwrap();
    assert!(text.contains(old), "{file}: {old}");
    fs::write(folder.join(file), text.replace(old, new)).unwrap();
}

/// File, message and related places of each finding.
fn found(folder: &Path) -> Vec<(String, String, Vec<String>)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let place = |value: &Value| {
        let start = &value["range"]["start"];
        format!("{}:{}:{}", text(&value["file"]), start["line"], start["column"])
    };
    let one = |finding: &Value| {
        let related = finding["related"].as_array().into_iter().flatten().map(place).collect();
        (place(finding), text(&finding["message"]), related)
    };
    findings(folder, ["check", "."]).iter().map(one).collect()
}

#[test]
fn models_that_fit_have_no_findings() {
    let folder = linked();
    let line = "this folder is a configured pipeline: classifier/model, detector/large, detector/small, ovlint.toml\n";
    let (code, out, err) = run(folder.path(), "check .");
    assert!(code == 0 && out.contains("no problems\n") && out.ends_with(line) && err.is_empty(), "{out}{err}");
    for arguments in ["check . --isolated", "check classifier/model.xml", "check detector/large.xml detector/small.xml"]
    {
        let (code, out, _) = run(folder.path(), arguments);
        assert!(code == 0 && !out.contains("pipeline"), "{arguments}: {out}");
    }
    let (_, out, _) = run(folder.path(), "info .");
    assert!(out.contains(". configured pipeline") || out.contains(".  configured pipeline"), "{out}");
    assert!(out.contains("detector/large `features` f32[?,64] -> classifier/model `x` f32[?,64]\n"), "{out}");
    // Any length fits one that is open, and any type one that is not known.
    replace(folder.path(), "classifier/model.xml", "<dim>64</dim>", "<dim>-1</dim>");
    replace(folder.path(), "classifier/model.xml", "shape=\"?,64\"", "shape=\"?,?\"");
    assert_eq!(found(folder.path()), []);
}

#[test]
fn models_that_do_not_fit_are_reported_at_the_input() {
    let large = ("detector/large.xml", "classifier/model.xml:7:54", "detector/large.xml:27:9", "ovlint.toml:2:8");
    for (edits, gives) in [
        (&[("<dim>64</dim>", "<dim>96</dim>"), ("?,64", "?,96")][..], "f32[?,96]"),
        (&[("<dim>64</dim>", "<dim>64</dim><dim>1</dim>"), ("?,64", "?,64,1")], "f32[?,64,1]"),
        (&[("FP32", "I64"), ("f32", "i64")], "i64[?,64]"),
    ] {
        let folder = linked();
        for (old, new) in edits {
            replace(folder.path(), large.0, old, new);
        }
        let message = format!("`x` of `classifier/model.xml` is f32[?,64], but `detector/large.xml` outputs {gives}");
        let all = found(folder.path());
        let [(place, said, related)] = &all[..] else { panic!("{all:?}") };
        assert_eq!((place.trim_start_matches("./"), said), (large.1, &message));
        let related: Vec<&str> = related.iter().map(|place| place.trim_start_matches("./")).collect();
        assert_eq!(related, [large.2, large.3]);
    }
}

#[test]
fn tensors_that_models_lack_are_reported_in_the_configuration() {
    let folder = linked();
    replace(folder.path(), "ovlint.toml", ":x\"", ":pixels\"");
    replace(folder.path(), "detector/large.xml", "names=\"features\"", "names=\"boxes\"");
    let message = |place: &str, message: &str| (place.to_owned(), message.to_owned(), vec![]);
    let missing = [
        message("ovlint.toml:2:8", "no output of `detector/large.xml` has the tensor name `features`"),
        message("ovlint.toml:3:6", "no input of `classifier/model.xml` has the tensor name `pixels`"),
    ];
    assert_eq!(found(folder.path()), missing);
    let (_, out, _) = run(folder.path(), "check .");
    assert!(
        out.contains("2 | from = \"detector/*.xml:features\"\n") && out.contains("the only output is `boxes`"),
        "{out}"
    );
    // Two Results of one tensor are one output for a link.
    let folder = linked();
    let result = |id, name: &str, port: &str| {
        let dims = "<dim>-1</dim><dim>64</dim>";
        format!(
            "<layer id=\"{id}\" name=\"{name}\" type=\"Result\" version=\"opset1\">\
             <input><port id=\"0\" precision=\"FP32\">{dims}</port></input>{port}</layer></layers>"
        )
    };
    replace(folder.path(), "detector/small.xml", "</layers>", &result(3, "again", ""));
    let edge = "<edge from-layer=\"1\" from-port=\"1\" to-layer=\"3\" to-port=\"0\" /></edges>";
    replace(folder.path(), "detector/small.xml", "</edges>", edge);
    assert_eq!(found(folder.path()), []);
    // Two inputs of one name are none.
    let input = "<layer id=\"3\" name=\"z\" type=\"Parameter\" version=\"opset1\"><data shape=\"?,64\" element_type=\"f32\" />\
                 <output><port id=\"0\" precision=\"FP32\" names=\"x\"><dim>-1</dim><dim>64</dim></port></output></layer></layers>";
    replace(folder.path(), "classifier/model.xml", "</layers>", input);
    let all = found(folder.path());
    let message = "2 inputs of `classifier/model.xml` have the tensor name `x`, wanted one";
    assert!(all.iter().any(|(place, said, _)| place == "ovlint.toml:3:6" && said == message), "{all:?}");
}

#[test]
fn wrong_links_have_a_place() {
    let folder = linked();
    let place = folder.path().join("ovlint.toml");
    for (text, message) in [
        ("[[link]]\nfrom = \"a.xml:x\"\n", "1:1: `to` is missing"),
        ("[[link]]\nfrom = \"a.xml:x\"\nto = \"b.xml:y\"\nvia = 1\n", "4:1: unknown key `via`; known are from, to"),
        (
            "[[link]]\nfrom = \"a:x\"\nto = \"b.xml:y\"\n",
            "2:8: `from` is `a:x`, wanted FILE.xml:TENSOR, such as `detector/*.xml:features`",
        ),
        (
            "[[link]]\nfrom = \"a.xml:x\"\nto = \"b.xml:\"\n",
            "3:6: `to` is `b.xml:`, wanted FILE.xml:TENSOR, such as `detector/*.xml:features`",
        ),
        (
            "[[link]]\nfrom = \"../a.xml:x\"\nto = \"b.xml:y\"\n",
            "2:8: `from` is `../a.xml:x`, wanted a file below the folder of the configuration",
        ),
        (
            "[[link]]\nfrom = \"/a.xml:x\"\nto = \"b.xml:y\"\n",
            "2:8: `from` is `/a.xml:x`, wanted a file below the folder of the configuration",
        ),
        (
            "[[link]]\nfrom = \"a.xml:x\"\nto = \"https://me:secret@host/b.xml:y\"\n",
            "3:6: `to` is `https://host/b.xml:y`, wanted a file below the folder of the configuration",
        ),
        (
            "[[link]]\nfrom = \"a[.xml:x\"\nto = \"b.xml:y\"\n",
            "2:8: `a[.xml` is not a glob: unclosed character class; missing ']'",
        ),
    ] {
        fs::write(&place, text).unwrap();
        let (code, out, err) = run(folder.path(), "check .");
        assert_eq!((code, out.as_str()), (2, ""), "{text}");
        assert!(err.contains(&format!("ovlint.toml:{message}")), "{text}{err}");
    }
    fs::write(&place, "[[link]]\nfrom = \"detector/*.xml:features\"\nto = \"none.xml:x\"\n").unwrap();
    let (_, out, _) = run(folder.path(), "check . --format concise");
    assert_eq!(out, "ovlint.toml:3:6: warning[unmatched-glob] `none.xml` of `[[link]]` matches no file\n");
    let (_, shown, _) = run(folder.path(), "check . --show-settings");
    assert!(shown.ends_with("\n[[link]]\nfrom = \"detector/*.xml:features\"\nto = \"none.xml:x\"\n"), "{shown}");
    for copy in 0..15 {
        for name in ["detector", "classifier"] {
            fs::copy(folder.path().join("classifier/model.xml"), folder.path().join(format!("{name}/{copy}.xml")))
                .unwrap();
        }
    }
    fs::write(&place, "[[link]]\nfrom = \"detector/*.xml:y\"\nto = \"classifier/*.xml:x\"\n").unwrap();
    let (code, _, err) = run(folder.path(), "check .");
    let message = "ovlint.toml:2:8: the [[link]]s connect more than 256 pairs of models; name fewer files\n";
    assert!(code == 2 && err.ends_with(message), "{err}");
}

#[test]
fn a_model_is_in_a_known_pipeline_and_in_a_configured_one() {
    let folder = linked();
    copy_folder(&root().join("bad/pipeline-token"), &folder.path().join("llm"));
    let link = "[[link]]\nfrom = \"llm/openvino_model.xml:logits\"\nto = \"classifier/model.xml:x\"\n";
    fs::write(folder.path().join("ovlint.toml"), link).unwrap();
    let both = [
        "./classifier/model.xml error[pipeline-link]".to_owned(),
        "./llm/generation_config.json warning[pipeline-token]".to_owned(),
    ];
    let (code, mut all) = reported(folder.path(), ".");
    all.sort();
    assert_eq!((code, &all[..]), (1, &both[..]));
    // Findings about files that are no models are ignored as others are.
    assert_eq!(reported(folder.path(), ". --ignore pipeline-token").1, both[..1]);
    let ignore = "[[ignore]]\nrule = \"pipeline-token\"\nfiles = \"*.json\"\nreason = \"known\"\n";
    fs::write(folder.path().join("ovlint.toml"), link.to_owned() + ignore).unwrap();
    assert_eq!(reported(folder.path(), ".").1, both[..1]);
    assert_eq!(reported(folder.path(), ". --no-suppressions").1.len(), 2);
}
