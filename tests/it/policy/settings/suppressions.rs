//! Suppressed findings: ignores of the configuration, comments and baselines.

use super::{DEAD, WRONG, models, reported, run};
use crate::program::{copy_of, findings, root};
use ovlint::internal::policy::{Selection, Settings};
use ovlint::internal::{Model, Options, Weights};
use std::fs;
use std::path::Path;

#[test]
fn ignores_of_the_configuration_are_precise_and_needed() {
    let folder = models();
    let path = folder.path();
    let reported = |ignore: &str, arguments: &str| {
        fs::write(path.join("ovlint.toml"), format!("[[ignore]]\n{ignore}\nreason = 'kept'\n")).unwrap();
        reported(path, arguments).1
    };
    assert_eq!(reported("rule = 'unreachable-layer'\nlayer = 'deb*'", "."), [WRONG]);
    assert_eq!(reported("rule = 'graph,declared'", "."), [""; 0]);
    assert_eq!(reported("rule = 'graph'\nbody = ''", "."), [WRONG]);
    assert_eq!(reported("rule = 'graph'\nfiles = 'debug.xml'", "."), [WRONG]);
    assert_eq!(reported("rule = 'graph'", ". --no-suppressions"), [DEAD, WRONG]);
    let unused = "ovlint.toml warning[unused-ignore]";
    assert_eq!(reported("rule = 'graph'\nlayer = 'other'", "."), [DEAD, WRONG, unused]);
    assert_eq!(reported("rule = 'graph'\nbody = 'loop/body'", "."), [DEAD, WRONG, unused]);
    // Other files may need it, or rules that are left out now.
    assert_eq!(reported("rule = 'graph'", "model.xml"), ["model.xml error[declared-shape]"]);
    assert_eq!(reported("rule = 'graph'", ". --select declared"), [WRONG]);
    assert_eq!(reported("rule = 'cycle'", ". --exclude debug.xml"), [WRONG]);
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
        assert_eq!(reported(folder.path(), "model.xml"), (0, vec![]), "{with}");
        assert_eq!(reported(folder.path(), "model.xml --no-suppressions").1, ["model.xml error[declared-shape]"]);
    }
    for (at, with) in [
        ("<layer id=\"3\"", "<!-- ovlint: ignore[declared-shape] the next layer is clean -->\n<layer id=\"3\""),
        ("<layer id=\"2\"", "<!-- ovlint: ignore[axis-range] another rule -->\n<layer id=\"2\""),
        ("</layers>", "<!-- ovlint: ignore[declared-shape] nothing follows -->\n</layers>"),
    ] {
        let folder = models();
        commented(folder.path(), "model.xml", at, with);
        let mut rules = reported(folder.path(), "model.xml").1;
        rules.sort();
        assert_eq!(rules, ["model.xml error[declared-shape]", "model.xml warning[unused-ignore]"], "{with}");
        // A comment on rules that are left out may be needed in another run.
        assert_eq!(reported(folder.path(), "model.xml --select weights,unused-ignore").1, [""; 0]);
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
    // A finding that is off is not suppressed: what follows from it is reported on its own.
    let rest = reported(folder.path(), "detector.xml --isolated --ignore declared-shape").1;
    assert_eq!(rest, ["detector.xml error[input-port-mismatch]"]);
}

#[test]
fn what_openvino_rejects_is_not_accepted_with_its_cause() {
    let folder = copy_of("models/detector.xml");
    let path = folder.path();
    let text = fs::read_to_string(path.join("detector.xml")).unwrap();
    fs::write(path.join("detector.xml"), text.replace("shape=\"?,3,32,32\"", "shape=\"?,4,32,32\"")).unwrap();
    let cause = "detector.xml error[contradicted-value]";
    let rejected = "detector.xml error[shape-conflict]";
    assert_eq!(reported(path, "detector.xml"), (1, vec![cause.to_owned()]));
    let says = |arguments: &str, rejects: bool| {
        let (code, out, _) = run(path, &format!("check detector.xml {arguments}"));
        assert_eq!((code, out.contains("OpenVINO 2026.4 rejects this file")), (1, rejects), "{arguments}: {out}");
        assert!(!out.contains("reads this file"), "{arguments}: {out}");
        out.lines().last().unwrap_or_default().trim_start().to_owned()
    };

    fs::write(path.join("ovlint.toml"), "[[ignore]]\nrule = 'contradicted-value'\nreason = 'known'\n").unwrap();
    assert_eq!(reported(path, "detector.xml"), (1, vec![rejected.to_owned()]));
    assert_eq!(says("", true), "not shown: 1 ignored; see ovlint.toml");
    let both = "[[ignore]]\nrule = 'contradicted-value,shape-conflict'\nreason = 'known'\n";
    fs::write(path.join("ovlint.toml"), both).unwrap();
    assert_eq!(reported(path, "detector.xml"), (0, vec![]));
    assert_eq!(closing(path, "detector.xml"), "no new problems (1 ignored; see ovlint.toml)");
    fs::remove_file(path.join("ovlint.toml")).unwrap();

    // A baseline lists both; one that lists the cause alone was written before the layer failed.
    run(path, "check detector.xml --write-baseline known.json");
    assert_eq!(reported(path, "detector.xml --baseline known.json"), (0, vec![]));
    assert_eq!(closing(path, "detector.xml --baseline known.json"), "no new problems (1 in the baseline)");
    let mut known: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(path.join("known.json")).unwrap()).unwrap();
    let entries = known["models"]["detector.xml"].as_array_mut().unwrap();
    assert_eq!(entries.len(), 2);
    entries.retain(|entry| entry["fingerprint"].as_str().unwrap().starts_with("contradicted-value/"));
    fs::write(path.join("cause.json"), known.to_string()).unwrap();
    assert_eq!(reported(path, "detector.xml --baseline cause.json"), (1, vec![rejected.to_owned()]));
    assert_eq!(says("--baseline cause.json", true), "not shown: 1 in the baseline");

    // What is turned off leaves its consequences, and the file is rejected all the same.
    assert_eq!(reported(path, "detector.xml --ignore contradicted-value"), (1, vec![rejected.to_owned()]));
    assert_eq!(says("--ignore contradicted-value,shape-conflict", false), "not shown: 1 turned off");
}

#[test]
fn a_baseline_survives_a_new_export() {
    let folder = models();
    let path = folder.path();
    let (code, out, err) = run(path, "check . --write-baseline known.json");
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", "ovlint: wrote known.json: 2 findings in 2 files\n"));
    assert_eq!(reported(path, ". --baseline known.json --fail-on warning"), (0, vec![]));
    assert_eq!(reported(path, ". --baseline known.json --no-suppressions").1, [DEAD, WRONG]);
    // Ids and lines move, and the paths are written in another way.
    let text = fs::read_to_string(path.join("debug.xml")).unwrap();
    let moved = text.replace("<layers>", "<layers>\n\n").replace("id=\"3\" name", "id=\"30\" name");
    fs::write(path.join("debug.xml"), moved.replace("to-layer=\"3\"", "to-layer=\"30\"")).unwrap();
    let absolute = path.join("debug.xml").display().to_string();
    assert_eq!(reported(path, &format!("./debug.xml {absolute} --baseline ./known.json")), (0, vec![]));
    // Another layer is another finding, and the known one is gone.
    commented(path, "debug.xml", "name=\"debug\"", "name=\"dead\"");
    let reported = reported(path, "debug.xml --baseline known.json").1;
    assert_eq!(reported, ["debug.xml warning[unused-ignore]", "debug.xml warning[unreachable-layer]"]);
}

/// A model of two chains that have the same faults, with its layers in the order written or the other way round.
fn twins(folder: &Path, is_reversed: bool) {
    let port = |tag: &str| format!("<{tag}><port id='0' precision='FP32'><dim>1</dim></port></{tag}>");
    let chain = |(first, name): (usize, &str)| {
        let layer = |id: usize, ty: &str, version: &str, rest: &str| {
            format!("<layer id='{}' name='{name}.{ty}' type='{ty}' version='{version}'>{rest}</layer>", first + id)
        };
        let data = format!("<data element_type='f32' shape='1' offset='{}' size='4'/>", first + 1);
        let (input, output) = (port("input"), port("output").replace("id='0'", "id='1'"));
        [
            layer(0, "Const", "opset1", &format!("{data}{}", port("output"))),
            layer(1, "ReLU", "opset1", &format!("<data exponent='1'/>{input}{output}")),
            layer(2, "Frobnicate", "opset1", &format!("{input}{output}")),
            layer(3, "Scale", "mine", &format!("{input}{output}")),
            layer(
                4,
                "ShapeOf",
                "opset1",
                &format!("<data output_type='i64'/>{input}{}", output.replace("FP32", "I64")),
            ),
            layer(5, "Result", "opset1", &input.replace("FP32", "I64")),
        ]
    };
    let mut layers: Vec<String> = [(0, "left"), (8, "right")].into_iter().flat_map(chain).collect();
    if is_reversed {
        layers.reverse();
    }
    let edge = |from: usize| {
        let port = usize::from(!from.is_multiple_of(8));
        format!("<edge from-layer='{from}' from-port='{port}' to-layer='{}' to-port='0'/>", from + 1)
    };
    let edges: String = [0, 8].into_iter().flat_map(|first| first..first + 5).map(edge).collect();
    let (layers, head) = (layers.concat(), "<net name='twins' version='11'>");
    fs::write(folder.join("m.xml"), format!("{head}<layers>{layers}</layers><edges>{edges}</edges></net>")).unwrap();
    fs::write(folder.join("m.bin"), [1; 13]).unwrap();
}

#[test]
fn a_baseline_survives_layers_in_another_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    twins(path, false);
    let found = reported(path, "m.xml --profile pedantic --ignore names").1;
    let of_a_kind = [
        "warning[unknown-op-attribute]",
        "error[unknown-op]",
        "warning[extension-required]",
        "info[unknown-op-attribute]",
    ];
    assert_eq!(found, of_a_kind.map(|rule| format!("m.xml {rule}")));
    run(path, "check . --profile pedantic --write-baseline known.json");
    twins(path, true);
    assert_eq!(reported(path, ". --profile pedantic --baseline known.json"), (0, vec![]));
}

#[test]
fn a_wrong_baseline_ends_the_run() {
    let folder = models();
    fs::write(folder.path().join("known.json"), "{}").unwrap();
    let (code, out, err) = run(folder.path(), "check . --baseline known.json");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        err.starts_with("ovlint: known.json: this is not a baseline: line 1, column 2: not as in a baseline"),
        "{err}"
    );
}

#[test]
fn a_baseline_is_written_over_nothing_else_and_as_a_whole() {
    let folder = models();
    let path = folder.path();
    let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    let model = read("model.xml");
    let (code, out, err) = run(path, "check debug.xml --write-baseline model.xml");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.starts_with("ovlint: model.xml: this is not a baseline: "), "{err}");
    assert_eq!(read("model.xml"), model);

    // What a run that failed did not see would be new in the next one.
    run(path, "check . --write-baseline known.json");
    let known = read("known.json");
    let (code, out, err) = run(path, "check debug.xml none.xml --write-baseline known.json");
    assert_eq!((code, out.as_str(), err.as_str()), (2, "", "ovlint: known.json is not written, as the run failed\n"));
    assert_eq!(read("known.json"), known);
    run(path, "check debug.xml --write-baseline known.json");
    assert_ne!(read("known.json"), known);
}

#[test]
fn endless_comments_are_no_endless_work() {
    let comment = "<!-- ovlint: ignore[declared-shape] -->\n".repeat(200_000);
    let layers = format!("<layers>{comment}<layer id='0' name='x' type='Parameter' version='opset1'/></layers>");
    let xml = format!("<net name='m' version='11'>{layers}<edges/></net>");
    let model = Model::from_bytes("m.xml", xml.into(), Weights::default(), &Options::default()).unwrap();
    let settings = Settings {
        selection: Selection { select: vec!["unused-ignore".parse().unwrap()], ..Selection::default() },
        ..Settings::default()
    };
    let findings = settings.judge(Path::new("m.xml"), &model).findings;
    // None of them is used by anything; the rest is one finding.
    let message = "more than 1000 ovlint comments; the rest is ignored";
    assert_eq!(findings.iter().map(|finding| finding.message.shown()).collect::<Vec<_>>(), [message]);
}

/// The verdict at the end of a check.
fn closing(folder: &Path, arguments: &str) -> String {
    let (_, out, _) = run(folder, &format!("check {arguments}"));
    let line = out.lines().last().unwrap_or_default();
    line.split_once("s: ").map_or(line, |(_, verdict)| verdict).trim_start().to_owned()
}

#[test]
fn the_closing_line_counts_what_is_not_shown() {
    let folder = models();
    let path = folder.path();
    assert_eq!(closing(path, ". --ignore graph,declared"), "no problems shown (2 turned off)");
    assert_eq!(closing(path, "debug.xml --profile runtime"), "no problems shown (1 turned off)");
    assert_eq!(closing(path, ". --ignore graph"), "not shown: 1 turned off");
    run(path, "check . --write-baseline known.json");
    assert_eq!(closing(path, ". --baseline known.json"), "no new problems (2 in the baseline)");
    // A configuration above the folder is named.
    fs::create_dir_all(path.join("a/b")).unwrap();
    fs::copy(path.join("debug.xml"), path.join("a/b/debug.xml")).unwrap();
    for (config, wanted) in [
        ("rules.graph = 'off'", "no problems shown (1 turned off; see ../../ovlint.toml)"),
        ("rules.weights = 'off'", "not shown: rules are off, see ../../ovlint.toml"),
        ("profile = 'runtime'", "no problems shown (1 turned off; see ../../ovlint.toml)"),
        ("[[ignore]]\nrule = 'graph'\nreason = 'x'", "no new problems (1 ignored; see ../../ovlint.toml)"),
        ("[[per-file]]\nfiles = 'b/'\nrules.graph = 'off'", "no problems shown (1 turned off; see ../../ovlint.toml)"),
        ("fail-on = 'never'", "1 warning in 1 of 1 model. See `ovlint explain unreachable-layer` for details."),
    ] {
        fs::write(path.join("ovlint.toml"), config).unwrap();
        assert_eq!(closing(&path.join("a/b"), "."), wanted, "{config}");
    }
    // What keeps errors from failing is named, unless a flag does.
    let wanted = "`fail-on` is \"never\" in ../ovlint.toml";
    fs::write(path.join("ovlint.toml"), "fail-on = 'never'").unwrap();
    assert_eq!(closing(&path.join("a"), "../model.xml"), wanted);
    let (code, out, _) = run(&path.join("a"), "check ../model.xml --fail-on never");
    assert!(code == 0 && !out.contains("not failing"), "{out}");
    assert_eq!(run(&path.join("a"), "check ../model.xml").0, 0);
    fs::copy(root().join("models/split.xml"), path.join("a/b/debug.xml")).unwrap();
    fs::copy(root().join("models/split.bin"), path.join("a/b/debug.bin")).unwrap();
    fs::write(path.join("ovlint.toml"), "rules.graph = 'off'").unwrap();
    assert_eq!(closing(&path.join("a/b"), "."), "no problems (rules are off, see ../../ovlint.toml)");
    assert_eq!(closing(&path.join("a/b"), ". --isolated"), "no problems");
}

#[test]
fn sarif_carries_what_is_suppressed() {
    let folder = models();
    let path = folder.path();
    commented(path, "debug.xml", "<net ", "<!-- ovlint: ignore[unreachable-layer] -->\n<net ");
    fs::write(path.join("ovlint.toml"), "[[ignore]]\nrule = 'declared-shape'\nreason = 'known'\n").unwrap();
    let suppressed = |arguments: &str| -> Vec<String> {
        let (_, out, _) = run(path, &format!("check . --format sarif {arguments}"));
        let report: serde_json::Value = serde_json::from_str(&out).unwrap();
        let results = report["runs"][0]["results"].as_array().unwrap().iter();
        results.map(|result| format!("{} {}", result["ruleId"].as_str().unwrap(), result["suppressions"])).collect()
    };
    assert_eq!(
        suppressed(""),
        [
            "unreachable-layer [{\"kind\":\"inSource\"}]",
            "declared-shape [{\"justification\":\"known\",\"kind\":\"external\"}]"
        ]
    );
    assert_eq!(suppressed("--no-suppressions"), ["unreachable-layer null", "declared-shape null"]);
}

#[test]
fn stale_entries_of_a_baseline_are_reported_and_pruned() {
    let folder = models();
    let path = folder.path();
    let known = || fs::read_to_string(path.join("known.json")).unwrap();
    run(path, "check . --write-baseline known.json");
    fs::copy(root().join("models/split.xml"), path.join("debug.xml")).unwrap();
    fs::copy(root().join("models/split.bin"), path.join("debug.bin")).unwrap();
    fs::remove_file(path.join("model.xml")).unwrap();
    let stale = ["./debug.xml warning[unused-ignore]", "known.json warning[unused-ignore]"];
    assert_eq!(reported(path, ". --baseline known.json").1, stale);
    let (_, out, _) = run(path, "check . --baseline known.json");
    assert!(out.contains("1 model of `known.json` is gone") && out.contains("= note: model.xml"), "{out}");
    // A model that is not checked in full, and rules that are left out, keep what they have.
    for flags in ["--select weights", "--weights skip", "--no-infer"] {
        assert_eq!(reported(path, &format!("debug.xml --baseline known.json {flags}")).1, [""; 0], "{flags}");
    }
    fs::copy(path.join("known.json"), path.join("partly.json")).unwrap();
    let (_, _, err) = run(path, "check debug.xml --baseline partly.json --weights skip --prune");
    assert_eq!(err, "ovlint: partly.json: removed 1 finding; 1 model gone\n");
    assert!(fs::read_to_string(path.join("partly.json")).unwrap().contains("unreachable-layer/"));
    let target = known().replace("unreachable-layer/", "opset-too-new-for-target/");
    fs::write(path.join("target.json"), target).unwrap();
    assert_eq!(reported(path, "debug.xml --baseline target.json").1, [""; 0]);
    assert_eq!(
        reported(path, "debug.xml --baseline target.json --target 2026.4").1,
        ["debug.xml warning[unused-ignore]"]
    );
    let (code, _, err) = run(path, "check debug.xml --baseline known.json --prune -q");
    assert_eq!((code, err.as_str()), (0, "ovlint: known.json: removed 2 findings; 1 model gone\n"));
    assert!(!known().contains("fingerprint"), "{}", known());
    let (code, _, err) = run(path, "check . --baseline known.json --prune -q");
    assert_eq!((code, err.as_str()), (0, "ovlint: known.json: removed 0 findings\n"));
    assert_eq!(run(path, "check . --prune").0, 2);
}

#[test]
fn globs_that_match_nothing_are_reported() {
    let folder = models();
    let path = folder.path();
    let rules = |config: &str, arguments: &str| {
        fs::write(path.join("ovlint.toml"), config).unwrap();
        reported(path, &format!("{arguments} --ignore declared,graph")).1
    };
    let unmatched = ["ovlint.toml warning[unmatched-glob]"];
    assert_eq!(rules("[[contract]]\nfiles = 'detector/*.xml'\nmax-layers = 9", "."), unmatched);
    assert_eq!(rules("[[per-file]]\nfiles = 'old/'\nrules.graph = 'info'", "."), unmatched);
    assert_eq!(rules("include = ['model.xml', 'modle.xml']", "."), unmatched);
    assert_eq!(rules("include = ['*.xml', '!debug.xml']", "."), [""; 0]);
    // Other files may match.
    assert_eq!(rules("[[per-file]]\nfiles = 'old/'\nrules.graph = 'info'", "model.xml"), [""; 0]);
    fs::create_dir(path.join("sub")).unwrap();
    fs::write(path.join("sub/other.xml"), "<x/>").unwrap();
    let (code, _, err) = run(path, "check sub");
    assert_eq!((code, err.as_str()), (3, "ovlint: no OpenVINO IR found in the given paths (1 other XML file)\n"));
    fs::remove_dir_all(path.join("sub")).unwrap();
    fs::write(path.join("ovlint.toml"), "include = ['modle.xml']").unwrap();
    let (code, _, err) = run(path, "check .");
    let wanted = "ovlint: no OpenVINO IR found in the given paths (2 excluded files; see ovlint.toml)\n\
                  ovlint: ovlint.toml: `modle.xml` of `include` matches no file\n";
    assert_eq!((code, err.as_str()), (3, wanted));
}
