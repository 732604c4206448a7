//! The command line: exit codes, folders, flags, and what goes to stdout and what to stderr.

use crate::bad::{code, copy_of, findings, ovlint, root, utf8};
use ovlint::rules::{RULES, explained};
use serde_json::Value;
use std::fs;
use std::path::Path;

const DECLARED_SHAPE: &str = "bad/declared-shape/model.xml";
const LENIENT_NUMBER: &str = "bad/lenient-number/model.xml";
const SPLIT: &str = "models/split.xml";

/// Exit code, stdout and stderr of a run in the folder of the samples.
fn run(arguments: &[&str]) -> (i32, String, String) {
    run_in(&root(), arguments)
}

fn run_in(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let out = ovlint(folder, arguments.iter().copied());
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

#[test]
fn clean_files_give_0() {
    let (code, out, err) = run(&["check", SPLIT]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("checked 1 model (6 layers, 5 tensors) in "), "{out}");
    assert!(out.ends_with(" s: no problems\n"), "{out}");
}

#[test]
fn warnings_give_0() {
    assert_eq!(run(&["check", LENIENT_NUMBER]).0, 0);
}

#[test]
fn errors_give_1() {
    let (code, out, err) = run(&["check", DECLARED_SHAPE]);
    assert_eq!((code, err.as_str()), (1, ""));
    assert!(out.starts_with("error[declared-shape]"), "{out}");
}

#[test]
fn files_that_cannot_be_read_give_2() {
    let (code, out, err) = run(&["check", "no-such.xml", DECLARED_SHAPE, "--format", "concise"]);
    assert_eq!((code, err.as_str()), (2, ""));
    let rules: Vec<&str> = out.lines().filter_map(|line| line.split(['[', ']']).nth(1)).collect();
    assert_eq!(rules, ["unreadable-file", "declared-shape"]);
}

#[test]
fn folders_without_an_ir_give_3() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pom.xml"), "<project/>").unwrap();
    let (code, out, err) = run_in(folder.path(), &["check", "."]);
    assert_eq!((code, out.as_str(), err.as_str()), (3, "", "ovlint: no OpenVINO IR among the inputs\n"));
    assert_eq!(run_in(folder.path(), &["check", ".", "--allow-empty"]).0, 0);
}

#[test]
fn unknown_flags_give_2_and_help_gives_0() {
    for arguments in [&["--no-such-flag"] as &[&str], &["check", SPLIT, "--frobnicate"], &["explain"], &[]] {
        let (code, out, err) = run(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(!err.is_empty());
    }
    for arguments in [["--help"], ["--version"]] {
        let (code, out, err) = run(&arguments);
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(out.contains("ovlint"), "{out}");
    }
}

#[test]
fn check_is_the_default_command() {
    let (named, default) = (run(&["check", DECLARED_SHAPE]), run(&[DECLARED_SHAPE]));
    assert_eq!(named, default);
    assert_eq!(run(&[SPLIT, "--weights", "skip"]).0, 0);
}

#[test]
fn folders_are_searched_for_files_whose_root_is_net() {
    let folder = copy_of(SPLIT);
    let inner = folder.path().join("b/c");
    fs::create_dir_all(&inner).unwrap();
    let text = fs::read(folder.path().join("split.xml")).unwrap();
    for name in ["b/c/z.xml", "b/c/upper.XML", "b/a.xml"] {
        fs::write(folder.path().join(name), &text).unwrap();
    }
    fs::write(inner.join("pom.xml"), "<?xml version=\"1.0\"?>\n<!-- <net> --><project/>").unwrap();
    fs::write(inner.join("network.xml"), "<network/>").unwrap();
    fs::write(inner.join("split.txt"), &text).unwrap();
    let (_, out, _) = run_in(folder.path(), &["check", ".", "--format", "json"]);
    assert_eq!(paths(&out), ["./b/a.xml", "./b/c/upper.XML", "./b/c/z.xml", "./split.xml"]);
}

#[test]
fn ignored_files_are_not_searched_for() {
    let folder = copy_of(SPLIT);
    fs::write(folder.path().join(".gitignore"), "split.xml\n").unwrap();
    assert_eq!(run_in(folder.path(), &["check", "."]).0, 3);
    assert_eq!(run_in(folder.path(), &["check", "split.xml"]).0, 0);
}

#[test]
fn files_named_are_checked_whatever_they_are_and_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("readme.md"), "# no model").unwrap();
    let (code, out, _) = run_in(folder.path(), &["readme.md", "readme.md", "--format", "concise"]);
    let wanted = "readme.md: error[not-openvino-ir] this is a text file, not an OpenVINO IR\n";
    assert_eq!((code, out.as_str()), (1, wanted));
}

#[test]
fn threads_do_not_change_a_byte() {
    for format in ["text", "concise", "json"] {
        let with = |jobs: &str| run(&["check", "bad", "models", "--format", format, "-j", jobs]);
        let (one, two) = (with("1"), with("2"));
        assert_eq!(one.0, 1);
        assert!(one == two, "{format}");
    }
}

#[test]
fn several_files_are_reported_in_the_order_given() {
    let (_, out, _) = run(&["check", SPLIT, "models/v10.xml", DECLARED_SHAPE, "--format", "json"]);
    assert_eq!(paths(&out), [SPLIT, "models/v10.xml", DECLARED_SHAPE]);
}

#[test]
fn every_rule_is_explained() {
    for rule in RULES {
        let (code, out, err) = run(&["explain", rule.name]);
        assert_eq!((code, err.as_str()), (0, ""), "{}", rule.name);
        assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
        let paragraphs = out.trim_end().split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
        let text = paragraphs.collect::<Vec<_>>().join("\n\n");
        assert_eq!(text, format!("{}\n\n{}", rule.name, explained(rule).trim_end()));
        assert!(rule.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", rule.name);
    }
    let (_, all, _) = run(&["explain", "--all"]);
    assert!(RULES.iter().all(|rule| all.contains(&format!("{}\n\n", rule.name))));
}

#[test]
fn misspelled_rules_are_guessed() {
    let (code, out, err) = run(&["explain", "declared-shapes"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(err, "ovlint: there is no rule `declared-shapes`; did you mean `declared-shape`?\n");
}

#[test]
fn rules_are_listed() {
    let (code, out, _) = run(&["rules", "--format", "json"]);
    assert_eq!(code, 0);
    let listed: Vec<Value> = serde_json::from_str(&out).unwrap();
    assert_eq!(listed.len(), RULES.len());
    for (entry, rule) in listed.iter().zip(RULES) {
        assert_eq!(entry["name"], rule.name);
        for field in ["group", "severity", "runtime", "summary"] {
            assert!(entry[field].is_string(), "{entry}");
        }
        assert!(entry.get("fix").is_some(), "{entry}");
    }
    let (_, table, _) = run(&["rules"]);
    assert_eq!(table.lines().count(), RULES.len());
}

#[test]
fn weights_are_taken_from_where_the_flag_says() {
    let folder = copy_of(SPLIT);
    let path = folder.path();
    fs::rename(path.join("split.bin"), path.join("other.weights")).unwrap();
    let rules = |flags: &[&str]| -> Vec<String> {
        let arguments = ["check", "split.xml"].into_iter().chain(flags.iter().copied());
        findings(path, arguments).iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(rules(&[]), ["weights-file-missing"]);
    assert_eq!(rules(&["--weights", "auto"]), ["weights-file-missing"]);
    assert!(rules(&["--weights", "skip"]).is_empty());
    assert!(rules(&["--weights", "other.weights"]).is_empty());
    assert_eq!(rules(&["--weights", "no-such.bin"]), ["weights-file-missing"]);
    // The axis is read from the file: another one cuts another dimension.
    fs::write(path.join("wrong.bin"), 0_i64.to_le_bytes()).unwrap();
    assert_eq!(rules(&["--weights", "wrong.bin"])[0], "declared-shape");
}

#[test]
fn other_weights_beside_the_model_are_named() {
    let folder = copy_of(SPLIT);
    fs::rename(folder.path().join("split.bin"), folder.path().join("split_v2.bin")).unwrap();
    let (_, out, _) = run_in(folder.path(), &["split.xml"]);
    assert!(out.contains("note: beside it there is split_v2.bin"), "{out}");
}

#[test]
fn json_has_the_fields_of_its_contract() {
    let (code, out, err) = run(&["check", DECLARED_SHAPE, "--format", "json"]);
    assert_eq!((code, err.as_str()), (1, ""));
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["schema_version"], "1");
    assert_eq!(report["tool"]["name"], "ovlint");
    assert_eq!(report["summary"]["errors"], 1);
    assert_eq!(report["models"][0]["path"], DECLARED_SHAPE);
    let found = &report["models"][0]["findings"][0];
    let wanted = serde_json::json!({
        "schema_version": "1", "rule": "declared-shape", "group": "declared", "severity": "error", "runtime": "accepts",
        "message": "declared dimension disagrees with the inferred shape: declared 5, inferred 4 (dim 1 of output port 3)",
        "file": DECLARED_SHAPE, "model": "split", "body": [],
        "layer": {"id": "2", "name": "split", "type": "Split", "version": "opset1", "line": 19},
        "port": {"dir": "output", "id": "3", "index": 1, "dim": 1},
        "declared": "f32[6,5]", "inferred": "f32[6,4]", "assumed": false, "chain": ["data:0"],
    });
    for (field, value) in wanted.as_object().unwrap() {
        assert_eq!(&found[field], value, "{field}");
    }
    // Places are bytes of the file: the number itself, and what the fix puts there.
    let text = fs::read_to_string(root().join(DECLARED_SHAPE)).unwrap();
    let byte = |place: &Value| usize::try_from(place.as_u64().unwrap()).unwrap();
    let range = &found["range"];
    assert_eq!(&text[byte(&range["start"]["byte"])..byte(&range["end"]["byte"])], "5");
    let line = text.lines().nth(byte(&range["start"]["line"]) - 1).unwrap();
    assert_eq!(&line[byte(&range["start"]["column"]) - 1..], "5</dim>");
    let edit = &found["fix"]["edits"][0];
    assert_eq!((&text[byte(&edit["start"])..byte(&edit["end"])], &edit["text"]), ("5", &Value::from("4")));
    assert_eq!(found["fix"]["applicability"], "safe");
    let related = found["related"].as_array().unwrap();
    let axis = related.iter().find(|place| place["layer"] == "axis").expect("the constant behind the axis");
    assert_eq!(axis["value"], serde_json::json!([1]));
    assert_eq!(axis["weights"]["offset"], 0);
    assert_eq!(axis["weights"]["size"], 8);
    assert_eq!(axis["weights"]["file"], "bad/declared-shape/model.bin");
    assert!(found["fingerprint"].as_str().unwrap().starts_with("declared-shape/"));
}

#[test]
fn every_json_record_says_what_and_where() {
    let found = findings(&root(), ["check", "bad"]);
    assert!(found.len() >= RULES.len());
    for record in found {
        for field in ["rule", "group", "severity", "runtime", "message", "file", "fingerprint"] {
            assert!(record[field].is_string(), "{field} of {record}");
        }
        assert!(record["related"].is_array() && record["body"].is_array() && record["chain"].is_array(), "{record}");
        let message = record["message"].as_str().unwrap();
        assert!(!message.ends_with('.'), "{message}");
        assert!(message.chars().count() <= 120, "{message}");
        let fix = &record["fix"];
        let known = ["safe", "unsafe"].iter().any(|known| fix["applicability"] == *known);
        assert!(fix.is_null() || (known && fix["edits"].is_array()), "{record}");
    }
}

#[test]
fn hidden_characters_are_spelled_out() {
    let folder = copy_of(SPLIT);
    let path = folder.path().join("split.xml");
    let text = fs::read_to_string(&path).unwrap();
    let hostile = "split\u{1b}[31m\u{202e}\u{7}";
    let text = text
        .replace("name=\"split_3\"", &format!("name=\"{hostile}\""))
        .replace("opset1\">\n\t\t\t<data num", "opset99\">\n\t\t\t<data num");
    fs::write(&path, text).unwrap();
    for format in ["text", "concise", "json"] {
        let (code, out, err) = run_in(folder.path(), &["check", "split.xml", "--format", format]);
        assert_eq!(code, 1);
        let hidden = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!out.chars().chain(err.chars()).any(hidden), "{format}: {out:?}");
    }
    let (_, out, _) = run_in(folder.path(), &["shapes", "split.xml"]);
    assert!(out.contains(r"split\u{1b}[31m\u{202e}\u{7}"), "{out}");
}

#[test]
fn shapes_are_shown_in_three_forms() {
    let (code, table, err) = run(&["shapes", "models/variadic_split.xml"]);
    assert_eq!((code, err.as_str()), (0, ""));
    insta::assert_snapshot!("shapes.table", table);
    let (_, snapshot, _) = run(&["shapes", "models/variadic_split.xml", "--format", "snapshot"]);
    assert_eq!(snapshot, ovlint::shapes(root().join("models/variadic_split.xml")).unwrap());
    let (_, json, _) = run(&["shapes", "models/variadic_split.xml", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert!(json.is_object());
}

#[test]
fn shapes_can_be_chosen() {
    let rows = |flags: &[&str]| -> Vec<String> {
        let arguments: Vec<&str> = ["shapes", DECLARED_SHAPE].iter().chain(flags).copied().collect();
        let (_, out, _) = run(&arguments);
        out.lines().filter(|line| line.contains("f32[") || line.contains("i64[")).map(str::to_owned).collect()
    };
    assert_eq!(rows(&[]).len(), 4);
    assert_eq!(rows(&["--consts"]).len(), 5);
    assert_eq!(rows(&["--op", "split"]).len(), 3);
    assert_eq!(rows(&["--only-mismatch"]).len(), 1);
    assert_eq!(rows(&["--only-dynamic"]).len(), 0);
}

#[test]
fn shapes_are_tables_of_other_programs() {
    let (_, csv, _) = run(&["shapes", DECLARED_SHAPE, "--format", "csv", "--op", "split"]);
    let wanted = "line,layer,op,output,inferred,declared,differs,assumed,from\n\
                  19,split,Split,2,\"f32[6,4]\",\"f32[6,4]\",false,false,axis=1 num_splits=3\n\
                  19,split,Split,3,\"f32[6,4]\",\"f32[6,5]\",true,false,axis=1 num_splits=3\n\
                  19,split,Split,4,\"f32[6,4]\",\"f32[6,4]\",false,false,axis=1 num_splits=3\n";
    assert_eq!(csv, wanted);
    let (_, md, _) = run(&["shapes", DECLARED_SHAPE, "--format", "md", "--op", "split"]);
    let wanted = "| layer | op | output | inferred | declared | from |\n\
                  |---|---|---|---|---|---|\n\
                  | split | Split | 2 | `f32[6,4]` | = | axis=1 num\\_splits=3 |\n\
                  |  |  | 3 | `f32[6,4]` | **`f32[6,5]`** |  |\n\
                  |  |  | 4 | `f32[6,4]` | = |  |\n\
                  \n1 of 4 outputs differ from what the file declares\n";
    assert_eq!(md, wanted);
}

#[test]
fn shapes_of_no_ir_are_told_on_stderr() {
    let (code, out, err) = run(&["shapes", "bad/not-openvino-ir/model.xml"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert_eq!(err, "ovlint: bad/not-openvino-ir/model.xml: this is an HTML page, not an OpenVINO IR\n");
    let (code, out, err) = run(&["shapes", "no-such.xml"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.starts_with("ovlint: no-such.xml: "), "{err}");
}

#[test]
fn independent_faults_are_found_in_one_run() {
    let folder = copy_of(SPLIT);
    let path = folder.path().join("split.xml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("from-port=\"4\"", "from-port=\"9\"")).unwrap();
    fs::write(folder.path().join("split.bin"), "version https://git-lfs.github.com/spec/v1\n").unwrap();
    let found = findings(folder.path(), ["split.xml"]);
    let rules: Vec<&str> = found.iter().map(|finding| finding["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["git-lfs-pointer", "edge-unknown-port"]);
    let (code, out, _) = run_in(folder.path(), &["split.xml"]);
    assert_eq!(code, 1);
    assert!(
        out.ends_with("2 errors in 1 of 1 model.\nShape checks that need weights were skipped (git-lfs-pointer).\n")
    );
}

#[test]
fn what_follows_from_a_finding_is_counted_under_it() {
    let folder = copy_of("models/detector.xml");
    let path = folder.path().join("detector.xml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("shape=\"?,3,32,32\"", "shape=\"?,3,64,64\"")).unwrap();
    let (_, out, _) = run_in(folder.path(), &["detector.xml", "--format", "concise"]);
    let wanted = "detector.xml:10:11: error[declared-shape] declared dimension disagrees with the inferred shape: declared 32, \
                  inferred 64 (dim 2 of output port 0) (and ";
    assert!(out.starts_with(wanted) && out.lines().count() == 1, "{out}");
    let found = findings(folder.path(), ["detector.xml"]);
    let (roots, rest): (Vec<_>, Vec<_>) = found.iter().partition(|finding| finding["consequence_of"].is_null());
    assert_eq!(roots.len(), 1);
    assert!(rest.len() > 40 && rest.iter().all(|finding| finding["consequence_of"] == "images"));
}

#[test]
fn many_findings_of_a_rule_are_folded() {
    let folder = copy_of(SPLIT);
    let path = folder.path().join("split.xml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("<edges>", &format!("<edges>{}", "<Edge />".repeat(25)))).unwrap();
    let count = |flags: &[&str]| {
        let arguments: Vec<&str> = ["check", "split.xml"].iter().chain(flags).copied().collect();
        run_in(folder.path(), &arguments).1.matches("warning[unknown-element]").count()
    };
    assert_eq!((count(&[]), count(&["--max-findings", "0"]), count(&["--max-findings", "3"])), (5, 25, 3));
    assert_eq!(findings(folder.path(), ["check", "split.xml"]).len(), 25);
}

/// The paths of the models in a JSON report.
fn paths(report: &str) -> Vec<String> {
    let report: Value = serde_json::from_str(report).unwrap();
    let models = report["models"].as_array().unwrap().iter();
    models.map(|model| model["path"].as_str().unwrap().to_owned()).collect()
}
