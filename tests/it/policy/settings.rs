//! Which findings are reported and how: flags here; files, configurations and suppressions below.

mod configuration;
mod files;
mod folders;
mod git;
mod links;
mod suppressions;

use crate::ir_builder::Ir;
use crate::program::{code, copy_of, ovlint, root, utf8};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A folder with a model that has a wrong declared shape (line 35) and a layer that reaches no Result, under two names.
fn models() -> TempDir {
    let folder = copy_of("bad/declared-shape/model.xml");
    fs::copy(root().join("bad/unreachable-layer/model.xml"), folder.path().join("debug.xml")).unwrap();
    folder
}

/// Exit code, stdout and stderr of a run; findings are a line each.
fn run(folder: &Path, arguments: &str) -> (i32, String, String) {
    let out = ovlint(folder, arguments.split_whitespace());
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

/// Exit code and `path severity[rule]` of every line.
fn reported(folder: &Path, arguments: &str) -> (i32, Vec<String>) {
    let (code, out, err) = run(folder, &format!("check {arguments} --format concise"));
    assert_eq!(err, "", "{arguments}");
    let short = |line: &str| {
        let (place, rest) = line.split_once(": ").unwrap();
        format!("{} {}", place.split(':').next().unwrap(), rest.split(' ').next().unwrap())
    };
    (code, out.lines().map(short).collect())
}

const WRONG: &str = "./model.xml error[declared-shape]";
const DEAD: &str = "./debug.xml warning[unreachable-layer]";

#[test]
fn flags_choose_rules_and_groups() {
    let folder = models();
    let reported = |flags: &str| reported(folder.path(), &format!(". {flags}"));
    let both = vec![DEAD.to_owned(), WRONG.to_owned()];
    let (dead, wrong) = (vec![DEAD.to_owned()], vec![WRONG.to_owned()]);
    assert_eq!(reported(""), (1, both.clone()));
    assert_eq!(reported("--select declared"), (1, wrong.clone()));
    assert_eq!(reported("--select shapes,declared-shape"), (1, wrong.clone()));
    assert_eq!(reported("--select shapes --select graph"), (0, dead.clone()));
    assert_eq!(reported("--select shapes,graph"), (0, dead.clone()));
    assert_eq!(reported("--ignore graph"), (1, wrong.clone()));
    assert_eq!(reported("--ignore declared"), (0, dead.clone()));
    assert_eq!(reported("--ignore declared --select default,declared-shape"), (1, both.clone()));
    assert_eq!(reported("--select default"), (1, both.clone()));
    assert_eq!(reported("--select default --ignore graph"), (1, wrong.clone()));
    assert_eq!(reported("--ignore default"), (0, vec![]));
    assert_eq!(reported("--profile runtime"), (0, vec![]));
    assert_eq!(reported("--profile pedantic"), (1, both.clone()));
    assert_eq!(reported("--severity declared=off"), (0, dead.clone()));
    let lower = vec![DEAD.to_owned(), "./model.xml info[declared-shape]".to_owned()];
    assert_eq!(reported("--severity declared=info"), (0, lower));
}

#[test]
fn flags_say_what_fails() {
    let folder = models();
    let code = |arguments: &str| run(folder.path(), &format!("check {arguments}")).0;
    assert_eq!([code("model.xml"), code("model.xml --fail-on never")], [1, 0]);
    assert_eq!([code("debug.xml"), code("debug.xml --fail-on warning")], [0, 1]);
    assert_eq!(code("debug.xml --severity unreachable-layer=info --fail-on info"), 1);
    assert_eq!(code("debug.xml --severity unreachable-layer=error"), 1);
    assert_eq!(code("no-such.xml --fail-on never"), 2);
    assert_eq!(code("debug.xml --fail-on warning --fail-on error"), 2);
}

#[test]
fn misspelled_names_are_guessed() {
    let folder = models();
    for (flag, wanted) in [
        ("--select declared-shapes", "there is no rule or group `declared-shapes`; did you mean `declared-shape`?"),
        ("--ignore hygeine", "there is no rule or group `hygeine`; did you mean `hygiene`?"),
        ("--severity declared=warn", "`warn` is not a severity; use error, warning, info or off"),
        ("--severity declared", "this is not RULE=LEVEL, such as declared=warning"),
        ("--profile runtim", "a similar value exists: 'runtime'"),
    ] {
        let (code, out, err) = run(folder.path(), &format!("check . {flag}"));
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(err.contains(wanted), "{err}");
    }
}

#[test]
fn opt_in_rules_are_looked_for_when_asked_for() {
    let sample = root().join("bad/stray-bits");
    let rules = |flags: &str| reported(&sample, &format!("model.xml {flags}")).1.len();
    assert_eq!((rules(""), rules("--select default,stray-bits"), rules("--profile pedantic")), (0, 1, 2));
    assert_eq!((rules("--select weights"), rules("--severity stray-bits=info")), (1, 1));
}

#[test]
fn output_can_be_less() {
    let folder = models();
    let (code, out, err) = run(folder.path(), "check . -qq");
    assert_eq!((code, out.as_str(), err.as_str()), (1, "", ""));
    let (_, out, _) = run(folder.path(), "check debug.xml -q");
    assert!(out.starts_with("warning[unreachable-layer]") && !out.contains("1 warning in"), "{out}");
    let (code, out, _) = run(folder.path(), "check . --statistics");
    let wanted = "severity  findings  models  rule               summary\n\
                  error            1       1  declared-shape     declared dimension disagrees with the inferred shape\n\
                  warning          1       1  unreachable-layer  a layer reaches no Result\n\
                  1 error, 1 warning in 2 of 2 models (1 fixable with --fix).\n";
    assert_eq!((code, out.as_str()), (1, wanted));
    let colored = |when: &str| run(folder.path(), &format!("check . --color {when}")).1.contains("\u{1b}[");
    assert_eq!((colored("auto"), colored("never"), colored("always")), (false, false, true));
}

#[test]
fn chains_are_longer_with_verbose() {
    let mut ir = Ir::default();
    let mut data = ir.parameter("f32", "2,3");
    for _ in 0..5 {
        data = ir.layer("Relu", "opset1", "", &[data], 1);
    }
    let axis = ir.constant("i64", &[], &[1.0]);
    let split = ir.layer("Split", "opset1", "<data num_splits=\"2\"/>", &[data, axis], 2);
    ir.result(split);
    let (xml, weights) = ir.finish();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.xml"), xml).unwrap();
    fs::write(folder.path().join("m.bin"), weights).unwrap();
    let longest = |flags: &str| {
        let (_, text, _) = run(folder.path(), &format!("check m.xml {flags}"));
        text.lines().map(|line| line.matches(" <- ").count()).max().unwrap()
    };
    assert_eq!((longest(""), longest("-v")), (3, 5));
}

#[test]
fn assumed_layers_are_listed() {
    let (_, out, _) = run(&root(), "check bad/extension-required/model.xml --verbose -q");
    let list = "bad/extension-required/model.xml: outputs of 1 layer taken from the file\n    13  casefold  CaseFold (extension)  f32[2,6]\n\n";
    assert!(out.ends_with(list), "{out}");
}
