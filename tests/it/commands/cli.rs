//! The command line: exit codes, folders, flags, and what goes to stdout and what to stderr.

mod files;
mod records;
mod rules;
mod shapes;

use crate::program::{code, copy_of, findings, ovlint, root, utf8};
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
    assert!(out.ends_with("s: no problems\n"), "{out}");
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
    assert_eq!(
        (code, out.as_str(), err.as_str()),
        (3, "", "ovlint: no OpenVINO IR found in the given paths (1 other XML file)\n")
    );
    // Of files alone, all may be skipped.
    assert_eq!(run_in(folder.path(), &["check", "pom.xml", "--skip-others"]).0, 0);
    assert_eq!(run_in(folder.path(), &["check", "pom.xml", ".", "--skip-others"]).0, 3);
}

#[test]
fn old_names_are_errors_that_say_the_new_ones() {
    for (arguments, told) in [
        (&["check", "--strict"] as &[&str], "`--strict` is now `--fail-on warning`"),
        (&["--exit-zero"], "`--exit-zero` is now `--fail-on never`"),
        (&["check", "-s"], "`-s` is now `-qq`"),
        (
            &["check", "--extend-select", "stray-bits"],
            "`--extend-select` is now `--select default,RULES`, or `--severity RULE=LEVEL` for one rule",
        ),
        (&["check", "--chain=9"], "`--chain` is now `--verbose`"),
        (&["check", "--output-file", "x"], "`--output-file` is now `--output`"),
        (&["info", SPLIT, "--format", "table"], "format `table` is now `concise`"),
        (&["shapes", SPLIT, "--format=table"], "format `table` is now `text`"),
        (&["rules"], "`rules` is now `ovlint explain`"),
        (&["schema", "report"], "`schema` is now `ovlint generate schema`"),
    ] {
        assert_eq!(run(arguments), (2, String::new(), format!("ovlint: {told}\n")));
    }
    for (arguments, message) in [
        (&["check", SPLIT, "--format", "markdown"], "format `markdown` is now `md`"),
        (&["check", SPLIT, "--format", "checkstyle=x"], "format `checkstyle` is gone: `sarif` serves its readers"),
        (&["check", SPLIT, "--for", "genai-npu"], "recipe `genai-npu` is now `genai` with the device `npu`"),
    ] {
        let (code, out, err) = run(arguments);
        assert!(code == 2 && out.is_empty() && err.contains(message), "{err}");
    }
}

#[test]
fn unknown_flags_give_2_and_help_gives_0() {
    for arguments in [&["--no-such-flag"] as &[&str], &["check", SPLIT, "--frobnicate"], &["why"]] {
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
fn threads_do_not_change_a_byte() {
    for format in ["text", "concise", "json"] {
        let with = |jobs: &str| run(&["check", "bad", "models", "--format", format, "-j", jobs]);
        let (one, two) = (with("1"), with("2"));
        assert_eq!(one.0, 1);
        assert!(one == two, "{format}");
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
    assert!(out.ends_with(
        "2 errors in 1 of 1 model. OpenVINO 2026.4 rejects it.\n1 model was checked without its weights.\n"
    ));
}

#[test]
fn what_follows_from_a_finding_is_counted_under_it() {
    let folder = copy_of("models/detector.xml");
    let path = folder.path().join("detector.xml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("shape=\"?,3,32,32\"", "shape=\"?,3,64,64\"")).unwrap();
    let (_, out, _) = run_in(folder.path(), &["detector.xml", "--format", "concise"]);
    let wanted = "detector.xml:10:11: error[declared-shape] `images` (Parameter): declared dimension disagrees with the inferred shape: declared 32, \
                  inferred 64 (dim 2 of output port 0) (42 more findings follow from this one)";
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

#[test]
fn the_current_folder_is_checked_where_nothing_is_named() {
    let folder = copy_of("bad/declared-shape/model.xml");
    let (code, out, _) = run_in(folder.path(), &["check", "--format", "concise"]);
    assert_eq!(code, 1);
    assert!(out.starts_with("./model.xml:35:11: error[declared-shape] "), "{out}");
    assert_eq!(run_in(folder.path(), &["check"]).0, 1);
    assert_eq!(run_in(folder.path(), &["--exclude", "model.xml"]).0, 3);
    assert_eq!(run_in(folder.path(), &[]).0, 1);
}

#[test]
fn names_of_the_command_are_understood() {
    for word in ["lint", "validate", "chekc"] {
        let (code, _, err) = run(&[word, SPLIT]);
        let wanted = format!("ovlint: there is no command and no file `{word}`; did you mean `check`?\n");
        assert_eq!((code, err), (2, wanted));
    }
    let (_, out, _) = run(&["--version"]);
    assert_eq!(out, format!("ovlint {} (models OpenVINO 2026.4.1)\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_layer_is_inspected_by_its_name_alone() {
    let by_flag = run(&["inspect", SPLIT, "--layer", "split_3"]);
    assert_eq!(run(&["inspect", SPLIT, "split_3"]), by_flag);
    assert_eq!(by_flag.0, 0);
    assert_eq!(run(&["inspect", SPLIT]).0, 2);
}

#[test]
fn completions_know_the_rules() {
    for shell in ["bash", "zsh", "fish"] {
        let (_, out, _) = run(&["generate", "completions", shell]);
        assert!(out.contains("declared-shape") && out.contains("hygiene"), "{shell}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_system_that_gives_no_threads_loses_no_file() {
    // No address space holds such a stack.
    let run = |arguments: &[&str], stack: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ovlint"));
        command.args(arguments).current_dir(root()).env_remove("OVLINT_UPDATE").env("RUST_MIN_STACK", stack);
        let out = command.output().unwrap();
        (code(&out), utf8(&out.stdout), utf8(&out.stderr))
    };
    for arguments in [
        &["check", "models", "bad/stray-bits", "--deep", "-j8", "--format", "json"][..],
        &["check", "models", "-j2", "--format", "concise"],
        &["snapshot", "check", "models"],
        &["report", "models", "-j8", "-o", "/dev/null"],
    ] {
        let with = run(arguments, "2097152");
        assert_eq!(run(arguments, "140737488355328"), with, "{arguments:?}");
        assert!(with.0 < 2, "{with:?}");
    }
}
