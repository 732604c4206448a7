//! Which findings count: flags, configuration, comments and baselines.

use crate::bad::{code, copy_of, findings, ovlint, root, utf8};
use ovlint::settings::{Selection, Settings};
use ovlint::{Model, Options, Weights};
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
fn told(folder: &Path, arguments: &str) -> (i32, Vec<String>) {
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
    let told = |flags: &str| told(folder.path(), &format!(". {flags}"));
    let both = vec![DEAD.to_owned(), WRONG.to_owned()];
    let (dead, wrong) = (vec![DEAD.to_owned()], vec![WRONG.to_owned()]);
    assert_eq!(told(""), (1, both.clone()));
    assert_eq!(told("--select declared"), (1, wrong.clone()));
    assert_eq!(told("--select shapes,declared-shape"), (1, wrong.clone()));
    assert_eq!(told("--select shapes --select graph"), (0, dead.clone()));
    assert_eq!(told("--select shapes --extend-select graph"), (0, dead.clone()));
    assert_eq!(told("--ignore graph"), (1, wrong.clone()));
    assert_eq!(told("--ignore declared"), (0, dead.clone()));
    assert_eq!(told("--ignore declared --extend-select declared-shape"), (1, both.clone()));
    assert_eq!(told("--profile runtime"), (0, vec![]));
    assert_eq!(told("--profile pedantic"), (1, both.clone()));
    assert_eq!(told("--severity declared=off"), (0, dead.clone()));
    let lower = vec![DEAD.to_owned(), "./model.xml info[declared-shape]".to_owned()];
    assert_eq!(told("--severity declared=info"), (0, lower));
}

#[test]
fn flags_say_what_fails() {
    let folder = models();
    let code = |arguments: &str| run(folder.path(), &format!("check {arguments}")).0;
    assert_eq!([code("model.xml"), code("model.xml --fail-on never"), code("model.xml --exit-zero")], [1, 0, 0]);
    assert_eq!([code("debug.xml"), code("debug.xml --fail-on warning"), code("debug.xml --strict")], [0, 1, 1]);
    assert_eq!(code("debug.xml --severity unreachable-layer=info --fail-on info"), 1);
    assert_eq!(code("debug.xml --severity unreachable-layer=error"), 1);
    assert_eq!(code("no-such.xml --exit-zero"), 2);
    assert_eq!(code("debug.xml --strict --fail-on error"), 2);
}

#[test]
fn misspelled_names_are_guessed() {
    let folder = models();
    for (flag, wanted) in [
        ("--select declared-shapes", "there is no rule or group `declared-shapes`; did you mean `declared-shape`?"),
        ("--ignore hygeine", "there is no rule or group `hygeine`; did you mean `hygiene`?"),
        ("--severity declared=warn", "`warn` is none of error, warning, info and off"),
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
    let sample = root().join("bad/weights-misaligned");
    let rules = |flags: &str| told(&sample, &format!("model.xml {flags}")).1.len();
    assert_eq!((rules(""), rules("--extend-select weights-misaligned"), rules("--profile pedantic")), (0, 1, 1));
    assert_eq!((rules("--select weights"), rules("--severity weights-misaligned=info")), (1, 1));
}

#[test]
fn files_are_chosen_by_globs_and_lists() {
    let folder = models();
    let path = folder.path();
    fs::create_dir_all(path.join("old/er")).unwrap();
    fs::rename(path.join("debug.xml"), path.join("old/er/debug.xml")).unwrap();
    let paths = |arguments: &str| -> (i32, Vec<String>) {
        let (code, told) = told(path, arguments);
        (code, told.iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect())
    };
    let (wrong, dead) = ("./model.xml".to_owned(), "./old/er/debug.xml".to_owned());
    assert_eq!(paths("."), (1, vec![wrong.clone(), dead.clone()]));
    for glob in ["old/", "old/**", "debug.xml", "**/er", "old/er/*.xml"] {
        assert_eq!(paths(&format!(". --exclude {glob}")), (1, vec![wrong.clone()]), "{glob}");
    }
    assert_eq!(paths(". --exclude model.xml --exclude debug.xml --allow-empty"), (0, vec![]));
    // What is named is checked, unless excluding is forced.
    assert_eq!(paths("model.xml --exclude *.xml").0, 1);
    assert_eq!(paths("model.xml --exclude *.xml --force-exclude --allow-empty"), (0, vec![]));
    // Hooks pass every XML file there is.
    fs::write(path.join("strings.xml"), "<resources/>").unwrap();
    assert_eq!(paths("model.xml strings.xml").1, ["model.xml", "strings.xml"]);
    assert_eq!(paths("model.xml strings.xml --skip-others"), (1, vec!["model.xml".to_owned()]));
    assert_eq!(paths("strings.xml --skip-others --allow-empty"), (0, vec![]));
    fs::write(path.join(".gitignore"), "old\n").unwrap();
    assert_eq!(paths("."), (1, vec![wrong.clone()]));
    assert_eq!(paths(". --no-ignore"), (1, vec![wrong, dead]));
    fs::write(path.join("list"), "model.xml\r\n\nold/er/debug.xml").unwrap();
    let named = vec!["model.xml".to_owned(), "old/er/debug.xml".to_owned()];
    assert_eq!(paths("--files-from list"), (1, named.clone()));
    fs::write(path.join("list"), "model.xml\0old/er/debug.xml\0").unwrap();
    assert_eq!(paths("--files-from list"), (1, named));
    let (code, _, err) = run(path, "check --files-from no-list");
    assert_eq!(code, 2);
    assert!(err.starts_with("ovlint: --files-from no-list: "), "{err}");
}

#[test]
fn output_can_be_less() {
    let folder = models();
    let (code, out, err) = run(folder.path(), "check . --silent");
    assert_eq!((code, out.as_str(), err.as_str()), (1, "", ""));
    let (_, out, _) = run(folder.path(), "check debug.xml -q");
    assert!(out.starts_with("warning[unreachable-layer]") && !out.contains("1 warning in"), "{out}");
    let (code, out, _) = run(folder.path(), "check . --statistics");
    let wanted = "1  declared-shape     declared dimension disagrees with the inferred shape\n\
                  1  unreachable-layer  a layer reaches no Result\n\
                  1 error, 1 warning in 2 of 2 models (1 fixable with --fix).\n";
    assert_eq!((code, out.as_str()), (1, wanted));
    let colored = |when: &str| run(folder.path(), &format!("check . --color {when}")).1.contains("\u{1b}[");
    assert_eq!((colored("auto"), colored("never"), colored("always")), (false, false, true));
}

#[test]
fn chains_are_as_long_as_asked_for() {
    let (_, all, _) = run(&root(), "check bad/contract-shape/model.xml --chain 9");
    let (_, one, _) = run(&root(), "check bad/contract-shape/model.xml --chain 1");
    let longest = |text: &str| text.lines().map(|line| line.matches(" <- ").count()).max().unwrap();
    assert_eq!((longest(&all), longest(&one)), (2, 1), "{all}");
}

#[test]
fn assumed_layers_are_listed() {
    let (_, out, _) = run(&root(), "check bad/extension-required/model.xml --show-assumed -q");
    let list = "bad/extension-required/model.xml: outputs of 1 layer taken from the file\n    13  casefold  CaseFold (extension)  f32[2,6]\n\n";
    assert!(out.ends_with(list), "{out}");
}

#[test]
fn the_nearest_configuration_counts() {
    let folder = models();
    let path = folder.path();
    fs::create_dir_all(path.join("a/b")).unwrap();
    fs::copy(path.join("debug.xml"), path.join("a/b/debug.xml")).unwrap();
    fs::write(path.join("ovlint.toml"), "[rules]\nunreachable-layer = 'off'\n").unwrap();
    let rules = |arguments: &str| told(path, arguments).1;
    assert_eq!(rules("."), [WRONG]);
    assert_eq!(rules("a"), [""; 0]);
    assert_eq!(rules(". --isolated"), ["./a/b/debug.xml warning[unreachable-layer]", DEAD, WRONG]);
    // Nothing is merged: the nearest one says nothing about this rule.
    fs::write(path.join("a/pyproject.toml"), "[tool.ovlint]\nfail-on = 'warning'\n").unwrap();
    assert_eq!(told(path, "a"), (1, vec!["a/b/debug.xml warning[unreachable-layer]".to_owned()]));
    // A pyproject.toml without a part for ovlint is none, and ovlint.toml comes before it.
    fs::write(path.join("a/b/pyproject.toml"), "[tool.black]\nline-length = 100 # as in ovlint\n").unwrap();
    assert_eq!(told(path, "a").0, 1);
    fs::write(path.join("a/.ovlint.toml"), "fail-on = 'never'\n").unwrap();
    assert_eq!(told(path, "a").0, 0);
    // Flags beat it, and so does another file.
    assert_eq!(told(path, "a --strict").0, 1);
    assert_eq!(rules("debug.xml --severity unreachable-layer=warning"), ["debug.xml warning[unreachable-layer]"]);
    assert_eq!(rules("a --config ovlint.toml"), [""; 0]);
    assert_eq!(rules("debug.xml --config a/.ovlint.toml"), ["debug.xml warning[unreachable-layer]"]);
}

#[test]
fn files_without_a_folder_have_configurations_above() {
    let folder = models();
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::rename(folder.path().join("debug.xml"), folder.path().join("sub/debug.xml")).unwrap();
    fs::write(folder.path().join("ovlint.toml"), "[rules]\nunreachable-layer = 'info'\n").unwrap();
    assert_eq!(told(&folder.path().join("sub"), "debug.xml").1, ["debug.xml info[unreachable-layer]"]);
}

#[test]
fn a_configuration_chooses_files() {
    let folder = models();
    let path = folder.path();
    let told = |config: &str, arguments: &str| {
        fs::write(path.join("ovlint.toml"), config).unwrap();
        told(path, arguments)
    };
    assert_eq!(told("include = ['model.*']", "."), (1, vec![WRONG.to_owned()]));
    assert_eq!(told("exclude = ['model.*']", "."), (0, vec![DEAD.to_owned()]));
    assert_eq!(told("exclude = ['model.*']", "model.xml").0, 1);
    assert_eq!(told("exclude = ['model.*']", "model.xml --force-exclude --allow-empty"), (0, vec![]));
    assert_eq!(told("exclude = ['*.xml', '!debug.xml']", "."), (0, vec![DEAD.to_owned()]));
    let per_file = "[[per-file]]\nfiles = 'debug*'\nrules.graph = 'error'\n";
    let dead = "./debug.xml error[unreachable-layer]".to_owned();
    assert_eq!(told(per_file, "."), (1, vec![dead, WRONG.to_owned()]));
}

#[test]
fn extensions_can_be_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let sample = root().join("bad/extension-required/model.xml");
    fs::copy(sample, folder.path().join("model.xml")).unwrap();
    for (allowed, count) in [("openvino_tokenizers", 0), ("CaseFold", 0), ("extension", 0), ("Case*", 0), ("other", 1)]
    {
        let config = format!("[[per-file]]\nfiles = '*.xml'\nallow-extensions = ['{allowed}']\n");
        fs::write(folder.path().join("ovlint.toml"), config).unwrap();
        assert_eq!(told(folder.path(), "model.xml").1.len(), count, "{allowed}");
    }
}

#[test]
fn a_wrong_configuration_ends_the_run() {
    let folder = models();
    let path = folder.path();
    fs::write(path.join("ovlint.toml"), "[rules]\n\nshape = 'off'\n").unwrap();
    let (code, out, err) = run(path, "check .");
    assert_eq!((code, out.as_str()), (2, ""));
    let end = "ovlint.toml:3:1: there is no rule or group `shape`; did you mean `shapes`?\n";
    assert!(err.starts_with("ovlint: ") && err.ends_with(end), "{err}");
    assert_eq!(run(path, "check . --isolated").0, 1);
    let (code, _, err) = run(path, "check . --config no.toml");
    assert_eq!(code, 2);
    assert!(err.starts_with("ovlint: no.toml: "), "{err}");
}

#[test]
fn settings_are_shown_as_a_configuration() {
    let folder = models();
    let path = folder.path();
    let config = "target = '2024.6'\ninclude = ['*.xml']\n[rules]\nhygiene = 'info'\n\
                  [[ignore]]\nrule = 'cycle'\nlayer = 'a\"b'\nreason = 'x'\n\
                  [[per-file]]\nfiles = 'a'\nrules.shapes = 'off'\n\
                  [[contract]]\nfiles = 'a'\ninputs.'a b' = 'f32[1]'\noutputs = {}\nforbid-ops = ['Loop']\nmax-bin-size = '1MB'\n";
    fs::write(path.join("ovlint.toml"), config).unwrap();
    let (code, shown, err) = run(path, "check . --show-settings --ignore cycle");
    assert_eq!((code, err.as_str()), (0, ""));
    let (head, rest) = shown.split_once("unreadable-file").unwrap();
    insta::assert_snapshot!("settings.shown", format!("{head}...\n{}", rest.split_once("\n\n").unwrap().1));
    assert!(shown.contains("\ncycle = \"off\"\n") && shown.contains("\nunused-ignore = \"info\"\n"), "{shown}");
    let is_listed = |rule: &&ovlint::diagnostic::Rule| shown.contains(&format!("\n{} = \"", rule.name));
    assert!(ovlint::rules::RULES.iter().all(is_listed), "{shown}");
    // What is shown can be used.
    fs::write(path.join("ovlint.toml"), shown).unwrap();
    assert_eq!(run(path, "check . --show-settings").1.matches("cycle = \"off\"").count(), 1);
}

#[test]
fn init_writes_a_configuration_once() {
    let folder = models();
    let path = folder.path();
    assert_eq!(run(path, "init"), (0, "wrote ovlint.toml\n".to_owned(), String::new()));
    assert_eq!(fs::read_to_string(path.join("ovlint.toml")).unwrap(), ovlint::settings::TEMPLATE);
    let mine = "fail-on = 'never'\n";
    fs::write(path.join("ovlint.toml"), mine).unwrap();
    let (code, out, err) = run(path, "init");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.starts_with("ovlint: ovlint.toml is not written: "), "{err}");
    assert_eq!(fs::read_to_string(path.join("ovlint.toml")).unwrap(), mine);
}

#[test]
fn ignores_of_the_configuration_are_precise_and_needed() {
    let folder = models();
    let path = folder.path();
    let told = |ignore: &str, arguments: &str| {
        fs::write(path.join("ovlint.toml"), format!("[[ignore]]\n{ignore}\nreason = 'kept'\n")).unwrap();
        told(path, arguments).1
    };
    assert_eq!(told("rule = 'unreachable-layer'\nlayer = 'deb*'", "."), [WRONG]);
    assert_eq!(told("rule = 'graph,declared'", "."), [""; 0]);
    assert_eq!(told("rule = 'graph'\nbody = ''", "."), [WRONG]);
    assert_eq!(told("rule = 'graph'\nfiles = 'debug.xml'", "."), [WRONG]);
    assert_eq!(told("rule = 'graph'", ". --no-suppressions"), [DEAD, WRONG]);
    let unused = "ovlint.toml warning[unused-ignore]";
    assert_eq!(told("rule = 'graph'\nlayer = 'other'", "."), [DEAD, WRONG, unused]);
    assert_eq!(told("rule = 'graph'\nbody = 'loop/body'", "."), [DEAD, WRONG, unused]);
    // Other files may need it, or rules that are left out now.
    assert_eq!(told("rule = 'graph'", "model.xml"), ["model.xml error[declared-shape]"]);
    assert_eq!(told("rule = 'graph'", ". --select declared"), [WRONG]);
    assert_eq!(told("rule = 'cycle'", ". --exclude debug.xml"), [WRONG]);
}

/// The text of a sample with a comment before or after some text.
fn commented(folder: &Path, model: &str, at: &str, with: &str) {
    let text = fs::read_to_string(folder.join(model)).unwrap();
    assert_eq!(text.matches(at).count(), 1);
    fs::write(folder.join(model), text.replace(at, with)).unwrap();
}

#[test]
fn comments_ignore_what_is_in_their_element() {
    for (at, with) in [
        ("<layer id=\"2\"", "<!-- ovlint: ignore[declared-shape] stale -->\n<layer id=\"2\""),
        ("<layer id=\"2\"", "<!-- ovlint: ignore[declared] -->\n<!-- see issue 3 --><layer id=\"2\""),
        ("<dim>5</dim>", "<!-- ovlint: ignore[declared-shape] --><dim>5</dim>"),
        ("<dim>5</dim>", "<dim>5</dim> <!--ovlint: ignore[declared-shape]-->"),
        (
            "type=\"Split\" version=\"opset1\">",
            "type=\"Split\" version=\"opset1\"> <!-- ovlint: ignore[declared-shape] -->",
        ),
        ("<net ", "<!-- ovlint: ignore[declared-shape] all of it -->\n<net "),
    ] {
        let folder = models();
        commented(folder.path(), "model.xml", at, with);
        assert_eq!(told(folder.path(), "model.xml"), (0, vec![]), "{with}");
        assert_eq!(told(folder.path(), "model.xml --no-suppressions").1, ["model.xml error[declared-shape]"]);
    }
    for (at, with) in [
        ("<layer id=\"3\"", "<!-- ovlint: ignore[declared-shape] the next layer is clean -->\n<layer id=\"3\""),
        ("<layer id=\"2\"", "<!-- ovlint: ignore[axis-range] another rule -->\n<layer id=\"2\""),
        ("</layers>", "<!-- ovlint: ignore[declared-shape] nothing follows -->\n</layers>"),
    ] {
        let folder = models();
        commented(folder.path(), "model.xml", at, with);
        let mut rules = told(folder.path(), "model.xml").1;
        rules.sort();
        assert_eq!(rules, ["model.xml error[declared-shape]", "model.xml warning[unused-ignore]"], "{with}");
        // A comment on rules that are left out may be needed in another run.
        assert_eq!(told(folder.path(), "model.xml --select weights,unused-ignore").1, [""; 0]);
    }
}

#[test]
fn what_follows_from_what_is_ignored_is_ignored() {
    let folder = copy_of("models/detector.xml");
    let path = folder.path().join("detector.xml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("shape=\"?,3,32,32\"", "shape=\"?,3,64,64\"")).unwrap();
    let count =
        |arguments: &str| findings(folder.path(), format!("check detector.xml {arguments}").split_whitespace()).len();
    assert!(count("") > 40);
    let ignore = "[[ignore]]\nrule = 'declared-shape'\nlayer = 'images'\nreason = 'reshaped on purpose'\n";
    fs::write(folder.path().join("ovlint.toml"), ignore).unwrap();
    assert_eq!(count(""), 0);
    // A finding that is off is not known: what follows from it is told on its own.
    let rest = told(folder.path(), "detector.xml --isolated --ignore declared-shape").1;
    assert_eq!(rest, ["detector.xml error[input-port-mismatch]"]);
}

#[test]
fn a_baseline_survives_a_new_export() {
    let folder = models();
    let path = folder.path();
    let (code, out, err) = run(path, "check . --write-baseline known.json");
    assert_eq!(
        (code, out.as_str(), err.as_str()),
        (0, "", "ovlint: known.json: findings: 2, models with findings: 2\n")
    );
    assert_eq!(told(path, ". --baseline known.json --strict"), (0, vec![]));
    assert_eq!(told(path, ". --baseline known.json --no-suppressions").1, [DEAD, WRONG]);
    // Ids and lines move, and the paths are written in another way.
    let text = fs::read_to_string(path.join("debug.xml")).unwrap();
    let moved = text.replace("<layers>", "<layers>\n\n").replace("id=\"3\" name", "id=\"30\" name");
    fs::write(path.join("debug.xml"), moved.replace("to-layer=\"3\"", "to-layer=\"30\"")).unwrap();
    let absolute = path.join("debug.xml").display().to_string();
    assert_eq!(told(path, &format!("./debug.xml {absolute} --baseline ./known.json")), (0, vec![]));
    // Another layer is another finding, and the known one is gone.
    commented(path, "debug.xml", "name=\"debug\"", "name=\"dead\"");
    let told = told(path, "debug.xml --baseline known.json").1;
    assert_eq!(told, ["debug.xml warning[unused-ignore]", "debug.xml warning[unreachable-layer]"]);
}

#[test]
fn a_wrong_baseline_ends_the_run() {
    let folder = models();
    fs::write(folder.path().join("known.json"), "{}").unwrap();
    let (code, out, err) = run(folder.path(), "check . --baseline known.json");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.starts_with("ovlint: known.json: this is no baseline: missing field `version`"), "{err}");
}

#[test]
fn contracts_know_every_name_of_an_end() {
    let folder = models();
    let path = folder.path();
    let breaches = |contract: &str| {
        fs::write(path.join("ovlint.toml"), format!("[[contract]]\nfiles = 'debug.xml'\n{contract}\n")).unwrap();
        let found = findings(path, ["check", "debug.xml", "--select", "contract"]);
        found.iter().map(|finding| finding["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for kept in [
        "inputs.x = 'f32[2,6]'",
        "inputs.x = '[?,1..8]'",
        "inputs.x = 'f32'",
        "outputs.relu = 'f32[2,6]'",
        "outputs.out0 = 'f32[2,6]'",
        "forbid-ops = ['Loop', 'extension:*']",
        "max-layers = 4",
    ] {
        assert_eq!(breaches(kept), [""; 0], "{kept}");
    }
    assert_eq!(breaches("inputs.X = 'f32[2,6]'"), ["contract: the input is called `x`, wanted `X`"]);
    let renamed = ["contract: the input is called `x`, wanted `a`", "contract: input `a` must be i32, is f32[2,6]"];
    let found = breaches("inputs.a = 'i32'");
    assert!(found.len() == 2 && renamed.iter().all(|message| found.iter().any(|other| other == message)), "{found:?}");
    let found = breaches("inputs = { a = 'f32', b = 'f32' }");
    let missing = ["contract: no input `a`", "contract: no input `b`", "contract: unexpected input `x`"];
    assert!(found.len() == 3 && missing.iter().all(|message| found.iter().any(|other| other == message)), "{found:?}");
    let found = breaches("inputs = { a = 'f32', xx = 'f32' }");
    let one = ["contract: no input `a`", "contract: the input is called `x`, wanted `xx`"];
    assert!(found.len() == 2 && one.iter().all(|message| found.iter().any(|other| other == message)), "{found:?}");
    assert_eq!(breaches("inputs.x = 'i32[2,7]'"), ["contract: input `x` must be i32[2,7], is f32[2,6]"; 2]);
    assert_eq!(breaches("outputs = {}"), ["contract: unexpected output `relu`"]);
    assert_eq!(breaches("forbid-ops = ['opset1:S*']"), ["contract: Sigmoid is not allowed (`debug`)"]);
    assert_eq!(breaches("max-layers = 3"), ["contract: the model has 4 layers, limit 3"]);
    assert_eq!(breaches("max-bin-size = '0'"), [""; 0]);
}

#[test]
fn endless_comments_are_no_endless_work() {
    let comment = "<!-- ovlint: ignore[declared-shape] -->\n".repeat(200_000);
    let layers = format!("<layers>{comment}<layer id='0' name='x' type='Parameter' version='opset1'/></layers>");
    let xml = format!("<net name='m' version='11'>{layers}<edges/></net>");
    let model = Model::from_bytes("m.xml", xml.into(), Weights::default(), &Options::default());
    let settings = Settings {
        selection: Selection { select: vec!["unused-ignore".parse().unwrap()], ..Selection::default() },
        ..Settings::default()
    };
    let findings = settings.judge(Path::new("m.xml"), &model).findings;
    // None of them is used by anything; the rest is one finding.
    let message = "more than 1000 comments to ovlint; those from here on are passed over";
    assert_eq!(findings.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>(), [message]);
}

#[test]
fn documented_configurations_are_understood() {
    let folder = models();
    let mut count = 0;
    let text = fs::read_to_string(root().join("../docs/configuration.md")).unwrap();
    for block in text
        .split(
            "```toml
",
        )
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
    {
        let name = if block.contains("[op.") { "extension-ops.toml" } else { "ovlint.toml" };
        fs::write(folder.path().join("extension-ops.toml"), "").unwrap();
        fs::write(folder.path().join("ovlint.toml"), "extension-ops = 'extension-ops.toml'").unwrap();
        fs::write(folder.path().join(name), block).unwrap();
        let (code, _, err) = run(folder.path(), "check . --show-settings");
        assert_eq!((code, err.as_str()), (0, ""), "{block}");
        count += 1;
    }
    assert_eq!(count, 4);
}
