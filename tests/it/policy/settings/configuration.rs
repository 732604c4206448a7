//! Configurations: which one counts, what it may say, and how it is shown and begun.

use super::{DEAD, WRONG, models, reported, run};
use crate::program::{findings, root};
use std::fs;

#[test]
fn the_nearest_configuration_counts() {
    let folder = models();
    let path = folder.path();
    fs::create_dir_all(path.join("a/b")).unwrap();
    fs::copy(path.join("debug.xml"), path.join("a/b/debug.xml")).unwrap();
    fs::write(path.join("ovlint.toml"), "[rules]\nunreachable-layer = 'off'\n").unwrap();
    let rules = |arguments: &str| reported(path, arguments).1;
    assert_eq!(rules("."), [WRONG]);
    assert_eq!(rules("a"), [""; 0]);
    assert_eq!(rules(". --isolated"), ["./a/b/debug.xml warning[unreachable-layer]", DEAD, WRONG]);
    // Nothing is merged: the nearest one says nothing about this rule.
    fs::write(path.join("a/pyproject.toml"), "[tool.ovlint]\nfail-on = 'warning'\n").unwrap();
    assert_eq!(reported(path, "a"), (1, vec!["a/b/debug.xml warning[unreachable-layer]".to_owned()]));
    // A pyproject.toml without a part for ovlint is none, and ovlint.toml comes before it.
    fs::write(path.join("a/b/pyproject.toml"), "[tool.black]\nline-length = 100 # as in ovlint\n").unwrap();
    assert_eq!(reported(path, "a").0, 1);
    fs::write(path.join("a/.ovlint.toml"), "fail-on = 'never'\n").unwrap();
    assert_eq!(reported(path, "a").0, 0);
    // Flags beat it, and so does another file.
    assert_eq!(reported(path, "a --fail-on warning").0, 1);
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
    assert_eq!(reported(&folder.path().join("sub"), "debug.xml").1, ["debug.xml info[unreachable-layer]"]);
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
        assert_eq!(reported(folder.path(), "model.xml").1.len(), count, "{allowed}");
    }
    // One finding stands for all types of a library; what is allowed of them hides no other.
    fs::copy(root().join("bad/extension-required/library/model.xml"), folder.path().join("model.xml")).unwrap();
    for (allowed, left) in [("vision_ops", ""), ("Blur", "`second`"), ("Sharpen", "`first`"), ("other", "`first`")] {
        let config = format!("[[per-file]]\nfiles = '*.xml'\nallow-extensions = ['{allowed}']\n");
        fs::write(folder.path().join("ovlint.toml"), config).unwrap();
        let (_, out, _) = run(folder.path(), "check model.xml --format concise");
        assert_eq!(out.split(' ').nth(2).unwrap_or_default(), left, "{out}");
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
    let is_listed = |rule: &&ovlint::internal::diagnostic::Rule| shown.contains(&format!("\n{} = \"", rule.name));
    assert!(ovlint::internal::policy::catalogue::RULES.iter().all(is_listed), "{shown}");
    // What is shown can be used.
    fs::write(path.join("ovlint.toml"), shown).unwrap();
    assert_eq!(run(path, "check . --show-settings").1.matches("cycle = \"off\"").count(), 1);
}

#[test]
fn init_writes_a_configuration_once() {
    let folder = models();
    let path = folder.path();
    assert_eq!(run(path, "init"), (0, "wrote ovlint.toml\n".to_owned(), String::new()));
    let (template, written) =
        (ovlint::internal::policy::TEMPLATE, fs::read_to_string(path.join("ovlint.toml")).unwrap());
    let reason = "# Models found here: 2; without weights: 1, with a Git LFS pointer instead: 0\nassume = true\n";
    assert_eq!(written, template.replace("# assume = true\n", reason));
    // This one needs none.
    let (code, out, err) = run(path, "check debug.xml");
    assert!(code == 0 && err.is_empty() && out.ends_with(" for details.\n"), "{out}{err}");
    let empty = tempfile::tempdir().unwrap();
    run(empty.path(), "init");
    assert_eq!(fs::read_to_string(empty.path().join("ovlint.toml")).unwrap(), template);
    // A tokenizer needs a library in every language model.
    fs::copy(root().join("bad/extension-required/model.xml"), empty.path().join("openvino_tokenizer.xml")).unwrap();
    fs::remove_file(empty.path().join("ovlint.toml")).unwrap();
    run(empty.path(), "init");
    assert_eq!(run(empty.path(), "check . -q"), (0, String::new(), String::new()));
    let mine = "fail-on = 'never'\n";
    fs::write(path.join("ovlint.toml"), mine).unwrap();
    let (code, out, err) = run(path, "init");
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(err, "ovlint: cannot write ovlint.toml: it already exists and was not overwritten\n");
    assert_eq!(fs::read_to_string(path.join("ovlint.toml")).unwrap(), mine);
}

#[test]
fn weights_are_where_the_configuration_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for sub in ["exports", "weights"] {
        fs::create_dir(path.join(sub)).unwrap();
    }
    for name in ["split", "variadic_split"] {
        let model = root().join(format!("models/{name}.xml"));
        fs::copy(&model, path.join(format!("exports/{name}.xml"))).unwrap();
        fs::copy(model.with_extension("bin"), path.join(format!("weights/{name}.bin"))).unwrap();
    }
    let codes = |flags: &str| {
        let commands = ["check", "info", "snapshot check", "diff exports"];
        commands.map(|command| run(path, &format!("{command} exports {flags}")).0)
    };
    let configure = |text: &str| fs::write(path.join("ovlint.toml"), text).unwrap();
    let stated = "[[per-file]]\nfiles = 'exports/*.xml'\nweights = 'weights/{name}.bin'\n";
    configure(stated);
    assert_eq!(run(path, "snapshot update exports").0, 0);
    assert_eq!(codes(""), [0, 0, 0, 0]);
    // Without it, shapes of the snapshots are unknown, and constants cannot be compared.
    assert_eq!(codes("--isolated"), [1, 0, 2, 2]);
    assert_eq!(run(path, "diff exports/split.xml exports/split.xml").0, 0);
    // Paths are relative to the configuration, whatever the current folder is.
    assert_eq!(run(&path.join("exports"), "check .").0, 0);
    fs::write(path.join("weights/its.toml"), stated.replace("weights/", "")).unwrap();
    assert_eq!(run(path, "check exports --config weights/its.toml").0, 0);
    // The flag takes precedence, and `auto` is what happens without it.
    let rules = |arguments: &str| reported(path, arguments).1;
    let missing =
        ["exports/split.xml error[weights-file-missing]", "exports/variadic_split.xml error[weights-file-missing]"];
    assert_eq!(rules("exports --weights elsewhere.bin"), missing);
    assert_eq!(rules("exports --weights auto"), [""; 0]);
    assert_eq!(run(path, "check exports --weights skip").0, 0);
    // The last entry counts; what it names must exist.
    let with = |more: &str| configure(&format!("{stated}[[per-file]]\nfiles = 'exports/split.xml'\n{more}\n"));
    with("weights = 'skip'");
    assert_eq!(rules("exports"), [""; 0]);
    with("weights = 'auto'");
    assert_eq!(rules("exports"), missing[..1]);
    with("weights = 'gone/{name}.bin'");
    let (_, out, _) = run(path, "check exports --format concise");
    assert!(out.contains("gone/split.bin is missing, and 1 constant needs it"), "{out}");
    with("rules.split-lengths-sum = 'off'");
    assert_eq!(rules("exports"), [""; 0]);
    let (_, shown, _) = run(path, "check exports --show-settings");
    assert!(shown.contains("\nweights = \"weights/{name}.bin\"\n"), "{shown}");
    // A glob that matches nothing is reported, and a value of another kind refused with its place.
    configure("[[per-file]]\nfiles = 'export/*.xml'\nweights = 'skip'\n");
    assert!(rules(".").contains(&"ovlint.toml warning[unmatched-glob]".to_owned()), "{:?}", rules("."));
    configure("[[per-file]]\nfiles = '*.xml'\nweights = true\n");
    let (code, _, err) = run(path, "info exports");
    assert_eq!(code, 2);
    assert!(err.ends_with("ovlint.toml:3:11: `true` is a boolean, wanted a string\n"), "{err}");
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
    assert_eq!(breaches("inputs.X = 'f32[2,6]'"), ["contract: the input is called `x`, but should be called `X`"]);
    let renamed = [
        "contract: the input is called `x`, but should be called `a`",
        "contract: input `a` must be i32, but is f32[2,6]",
    ];
    let found = breaches("inputs.a = 'i32'");
    assert!(found.len() == 2 && renamed.iter().all(|message| found.iter().any(|other| other == message)), "{found:?}");
    let found = breaches("inputs = { a = 'f32', b = 'f32' }");
    let missing = ["contract: no input `a`", "contract: no input `b`", "contract: unexpected input `x`"];
    assert!(found.len() == 3 && missing.iter().all(|message| found.iter().any(|other| other == message)), "{found:?}");
    let found = breaches("inputs = { a = 'f32', xx = 'f32' }");
    let one = ["contract: no input `a`", "contract: the input is called `x`, but should be called `xx`"];
    assert!(found.len() == 2 && one.iter().all(|message| found.iter().any(|other| other == message)), "{found:?}");
    assert_eq!(breaches("inputs.x = 'i32[2,7]'"), ["contract: input `x` must be i32[2,7], but is f32[2,6]"; 2]);
    assert_eq!(breaches("outputs = {}"), ["contract: unexpected output `relu`"]);
    assert_eq!(breaches("forbid-ops = ['opset1:S*']"), ["contract: Sigmoid is not allowed (`debug`)"]);
    assert_eq!(breaches("max-layers = 3"), ["contract: the model has 4 layers, but the limit is 3"]);
    assert_eq!(breaches("max-bin-size = '0'"), [""; 0]);
}

#[test]
fn documented_configurations_are_understood() {
    let folder = models();
    let mut count = 0;
    let text = fs::read_to_string(root().join("../docs/configuration.md")).unwrap();
    for block in text.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()) {
        let name = if block.contains("[op.") { "extension-ops.toml" } else { "ovlint.toml" };
        fs::write(folder.path().join("extension-ops.toml"), "").unwrap();
        fs::write(folder.path().join("baseline.json"), "{\"version\": 2, \"models\": {}}").unwrap();
        fs::write(folder.path().join("ovlint.toml"), "extension-ops = 'extension-ops.toml'").unwrap();
        fs::write(folder.path().join(name), block).unwrap();
        let (code, _, err) = run(folder.path(), "check . --show-settings");
        assert_eq!((code, err.as_str()), (0, ""), "{block}");
        count += 1;
    }
    assert_eq!(count, 5);
}
