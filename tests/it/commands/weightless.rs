//! Models whose weights are not there: declared shapes stand in for those that a value decides, many such models take one line,
//! and nothing that only the weights can say is said.

use crate::program::{code, copy_folder, ovlint, root, utf8};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Exit code, stdout and stderr.
fn run(folder: &Path, arguments: &str) -> (i32, String, String) {
    let out = ovlint(folder, arguments.split_whitespace());
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

fn json(folder: &Path, arguments: &str) -> Value {
    serde_json::from_str(&run(folder, arguments).1).unwrap()
}

/// The samples of whole models, with their weights.
fn models() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy_folder(&root().join("models"), folder.path());
    folder
}

fn without_weights(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.path().extension().is_some_and(|ending| ending == "bin") {
            fs::remove_file(entry.path()).unwrap();
        }
    }
}

/// The outputs of a model by bodies, layer and port.
fn outputs(page: &Value, prefix: &str, all: &mut BTreeMap<String, Value>) {
    for layer in page["layers"].as_array().unwrap() {
        for output in layer["outputs"].as_array().unwrap() {
            all.insert(format!("{prefix}{}:{}", layer["id"], output["port"]), output.clone());
        }
    }
    for body in page["bodies"].as_array().into_iter().flatten() {
        outputs(body, &format!("{prefix}{}/{}/", body["layer"], body["body"]), all);
    }
}

#[test]
fn no_static_shape_is_lost_and_nothing_is_reported() {
    let folder = models();
    for entry in fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_none_or(|ending| ending != "xml") {
            continue;
        }
        let name = entry.file_name().unwrap().to_str().unwrap();
        let known = |flags: &str| {
            let mut all = BTreeMap::new();
            outputs(&json(folder.path(), &format!("shapes {name} --format json {flags}")), "", &mut all);
            all
        };
        let (with, without) = (known(""), known("--weights skip"));
        for (place, output) in &with {
            let (shape, left) = (output["shape"].as_str().unwrap(), &without[place]);
            assert_eq!((&output["basis"], output.get("missing")), (&"inferred".into(), None));
            if !shape.contains(['?', '.']) {
                assert_eq!(left["shape"], shape, "{name} {place}");
            }
            assert_eq!(left["basis"] == "inferred", left["verified"] == true);
            assert_eq!(left["basis"] == "inferred", left.get("missing").is_none(), "{name} {place} {left}");
        }
        let report = json(folder.path(), &format!("check {name} --weights skip --format json"));
        assert_eq!(
            (&report["models"][0]["findings"], &report["summary"]["without_weights"]),
            (&json_list(), &1.into())
        );
    }
}

fn json_list() -> Value {
    Value::Array(Vec::new())
}

#[test]
fn one_snapshot_serves_checkouts_with_and_without_weights() {
    let folder = models();
    let count = 12;
    assert_eq!(run(folder.path(), "snapshot update .").0, 0);
    without_weights(folder.path());
    let (code, out, err) = run(folder.path(), "snapshot check . --assume");
    assert!(code == 0 && out.is_empty(), "{out}");
    assert!(err.starts_with(&format!("ovlint: {count} models: all as committed; ")), "{err}");
    fs::write(folder.path().join("ovlint.toml"), "assume = true").unwrap();
    assert_eq!(run(folder.path(), "snapshot check ."), (code, out, err));
    // A change that the file alone shows is one without weights, too.
    let path = folder.path().join("variadic_split.xml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("shape=\"", "shape=\"1,", 1)).unwrap();
    let (code, out, _) = run(folder.path(), "snapshot check .");
    assert!(code == 1 && out.starts_with("./variadic_split.ovshapes: first change: input `"), "{out}");
}

#[test]
fn many_models_without_weights_take_one_line() {
    let folder = models();
    without_weights(folder.path());
    let (code, out, err) = run(folder.path(), "check .");
    let line = "error[weights-file-missing]: 12 models have no .bin file: put it beside the model, or pass it with\n\
                `--weights FILE`; `--weights skip` checks the rest alone\n  --> ./attention.xml\n  --> ./control_flow.xml\n  --> \
                ./detector.xml\n  ... and 9 more (`-v` shows them)\n\n";
    let end = "12 errors in 12 of 12 models.\n12 models were checked without their weights.\n  not shown: 1 ignored\n";
    assert_eq!((code, out.replace('\n', " "), err.as_str()), (1, format!("{line}{end}").replace('\n', " "), ""));
    let (_, out, _) = run(folder.path(), "check . --severity weights-file-missing=warning");
    assert!(out.starts_with("warning[weights-file-missing]: 12 models have no .bin file: "), "{out}");
    let (_, out, _) = run(folder.path(), "check . -v");
    assert_eq!(out.matches("error[weights-file-missing]").count(), 12);
    let report = json(folder.path(), "check . --format json");
    assert!(report["models"].as_array().unwrap().iter().all(|model| model["findings"].as_array().unwrap().len() == 1));
    // A single one is shown in full, and a pointer has its own remedy.
    let alone = tempfile::tempdir().unwrap();
    for name in ["split", "detector", "attention"] {
        fs::copy(folder.path().join(format!("{name}.xml")), alone.path().join(format!("{name}.xml"))).unwrap();
        fs::write(
            alone.path().join(format!("{name}.bin")),
            format!("version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 8\n", "0".repeat(64)),
        )
        .unwrap();
    }
    fs::remove_file(alone.path().join("split.bin")).unwrap();
    let (_, out, _) = run(alone.path(), "check .");
    assert!(
        out.starts_with("error[git-lfs-pointer]: 2 models have a Git LFS pointer for weights: `git lfs pull`"),
        "{out}"
    );
    assert!(out.contains("error[weights-file-missing]: ./split.bin is missing, and 1 constant needs it"), "{out}");
    assert!(out.ends_with("\n3 models were checked without their weights.\n"), "{out}");
}

#[test]
fn many_files_that_are_no_models_take_one_line_per_reason() {
    let folder = tempfile::tempdir().unwrap();
    let pointer = |size: usize| {
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize {size}\n", "0".repeat(64))
    };
    for i in 0..300 {
        fs::write(folder.path().join(format!("{i:03}.xml")), pointer(i)).unwrap();
        fs::write(folder.path().join(format!("{i:03}.bin")), pointer(1000 * i)).unwrap();
    }
    for (name, text) in [("a", "{}"), ("b", "{}"), ("c", "gone")] {
        fs::write(folder.path().join(format!("{name}.xml")), text).unwrap();
        fs::write(folder.path().join(format!("{name}.bin")), "").unwrap();
    }
    let (code, out, err) = run(folder.path(), "check .");
    let wanted = "error[not-openvino-ir]: 300 files: this is a Git LFS pointer (run `git lfs pull`), not an OpenVINO IR\n  \
                  --> ./000.xml\n  --> ./001.xml\n  --> ./002.xml\n  ... and 297 more (`-v` shows them)\n\n\
                  error[not-openvino-ir]: 2 files: this is a JSON file, not an OpenVINO IR\n  --> ./a.xml\n  --> ./b.xml\n\n\
                  error[not-openvino-ir]: this is a text file, not an OpenVINO IR\n  --> ./c.xml\n\n\
                  303 errors in 303 of 303 models. See `ovlint explain not-openvino-ir` for details.\n";
    assert_eq!((code, out.as_str(), err.as_str()), (1, wanted, ""));
    let (_, out, _) = run(folder.path(), "check . -v");
    assert_eq!(out.matches("error[not-openvino-ir]").count(), 303);
    for format in ["json", "sarif"] {
        let (_, out, _) = run(folder.path(), &format!("check . --format {format}"));
        assert_eq!(out.matches("this is a Git LFS pointer").count(), 300, "{format}");
    }
}

#[test]
fn what_the_weights_decide_is_not_said() {
    let folder = models();
    without_weights(folder.path());
    let (code, out, _) = run(folder.path(), "inputs attention.xml --weights skip");
    assert!(code == 0 && out.contains("is unknown without the weights"), "{out}");
    for flags in ["", "--weights skip"] {
        let (_, out, _) = run(folder.path(), &format!("cost attention.xml {flags}"));
        assert!(!out.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_made_up), "{out}");
    }
    let asked = "inputs attention.xml --shape tokens[3,4,16],mask[3,1,1,4]";
    let (code, out, _) = run(folder.path(), asked);
    assert!(code == 2 && out.starts_with("unknown: whether the model works for "), "{out}");
    assert_eq!(json(folder.path(), &format!("{asked} --format json"))["answer"]["works"], Value::Null);
}

#[test]
fn warnings_of_many_models_are_shown_in_full_only_if_they_fail_the_run() {
    let folder = tempfile::tempdir().unwrap();
    for i in 0..7 {
        fs::copy(root().join("bad/unreachable-layer/model.xml"), folder.path().join(format!("{i}.xml"))).unwrap();
    }
    let (code, out, _) = run(folder.path(), "check .");
    assert_eq!((code, out.matches("warning[unreachable-layer]: layer").count()), (0, 5));
    assert!(out.contains("\n... and 2 more of warning[unreachable-layer] (`-v` shows them)\n"), "{out}");
    for (flags, wanted) in [("--fail-on warning", 1), ("-v", 0)] {
        let (code, out, _) = run(folder.path(), &format!("check . {flags}"));
        assert_eq!((code, out.matches("warning[unreachable-layer]: layer").count()), (wanted, 7), "{out}");
        assert!(!out.contains("more of warning"), "{out}");
    }
}

/// Whether a word is the name of a length that nothing is known of, as `u12_0_1`.
fn is_made_up(word: &str) -> bool {
    word.strip_prefix('u')
        .is_some_and(|rest| rest.split('_').count() == 3 && rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[test]
fn a_baseline_and_a_configuration_do_not_hide_that_shapes_were_not_checked() {
    let folder = models();
    without_weights(folder.path());
    run(folder.path(), "check . --write-baseline known.json");
    let said = "no new problems (12 in the baseline, 1 ignored); 12 models were checked without their weights\n";
    let is_said = |out: &str| out.replace('\n', " ").ends_with(&said.replace('\n', " "));
    let (code, out, _) = run(folder.path(), "check . --baseline known.json");
    assert!(code == 0 && is_said(&out), "{out}");
    fs::write(folder.path().join("ovlint.toml"), "baseline = 'known.json'").unwrap();
    let (code, out, _) = run(folder.path(), "check .");
    assert!(code == 0 && is_said(&out), "{out}");
    fs::remove_file(folder.path().join("split.xml")).unwrap();
    let (_, out, _) = run(folder.path(), "check . --format concise");
    assert!(out.contains("known.json: "), "what is gone is said: {out}");
    // One outside of the folder is not read.
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::copy(folder.path().join("v10.xml"), folder.path().join("sub/v10.xml")).unwrap();
    fs::write(folder.path().join("sub/ovlint.toml"), "baseline = '../known.json'").unwrap();
    let (code, _, err) = run(folder.path(), "check sub");
    assert!(code == 2 && err.contains("`baseline` names `../known.json`, wanted a file below this folder"), "{err}");
    fs::write(folder.path().join("ovlint.toml"), "[[per-file]]\nfiles = '*'\nweights = 'skip'").unwrap();
    let (code, out, _) = run(folder.path(), "check v10.xml");
    assert!(code == 0 && out.ends_with("no problems; 1 model was checked without its weights\n"), "{out}");
}

#[test]
fn a_wrong_dimension_of_an_output_port_is_found_without_weights() {
    let folder = models();
    let text = fs::read_to_string(folder.path().join("attention.xml")).unwrap();
    let places = text.match_indices("<output>").step_by(3).filter_map(|(at, _)| {
        let layer = text[..at].rfind("<layer ")?;
        let end = at + text[at..].find("</output>")?;
        let dim = at + text[at..end].find("<dim>")? + "<dim>".len();
        let is_inferred = !["Const", "Parameter"].iter().any(|ty| text[layer..at].contains(&format!("type=\"{ty}\"")));
        let number: i64 = text[dim..].split('<').next()?.parse().ok().filter(|number| *number > 0)?;
        is_inferred.then_some((dim, number))
    });
    let mut count = 0;
    for (dim, number) in places {
        let rest = text[dim..].find('<').unwrap() + dim;
        fs::write(folder.path().join("changed.xml"), format!("{}{}{}", &text[..dim], number + 1, &text[rest..]))
            .unwrap();
        let (code, out, _) = run(folder.path(), "check changed.xml --weights skip --format concise");
        assert!(code == 1 && out.contains("error["), "dimension {number} at byte {dim}: {out}");
        count += 1;
    }
    assert!(count >= 5, "only {count} dimensions changed");
}
