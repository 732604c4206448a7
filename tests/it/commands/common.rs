//! What commands have in common: their names, the files they take, and how they report a file that is not a model.

use crate::program::{code, copy_of, ovlint, root, utf8};
use std::fs;
use std::path::Path;

/// Exit code, stdout and stderr.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let out = ovlint(folder, arguments.iter().copied());
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

#[test]
fn mistyped_commands_are_guessed() {
    for (arguments, wanted) in [
        (&["chek", "models/split.xml"] as &[&str], "there is no command and no file `chek`; did you mean `check`?"),
        (&["shape", "models/split.xml"], "there is no command and no file `shape`; did you mean `shapes`?"),
        (&["wy", "models/split.xml", "x"], "there is no command and no file `wy`; did you mean `why`?"),
        // Not a complaint about a flag that `check` does not have.
        (&["grahp", "x.xml", "--around", "y"], "there is no command and no file `grahp`; did you mean `graph`?"),
        (&["hlep"], "there is no command and no file `hlep`; did you mean `help`?"),
    ] {
        assert_eq!(run(&root(), arguments), (2, String::new(), format!("ovlint: {wanted}\n")), "{arguments:?}");
    }
}

#[test]
fn files_and_folders_that_are_called_like_a_mistyped_command_are_checked() {
    let folder = copy_of("models/split.xml");
    for name in ["shape", "chek.xml"] {
        fs::copy(folder.path().join("split.xml"), folder.path().join(name)).unwrap();
    }
    fs::create_dir(folder.path().join("chek")).unwrap();
    assert_eq!(run(folder.path(), &["shape", "--weights", "skip"]).0, 0);
    assert_eq!(run(folder.path(), &["chek.xml", "--weights", "skip"]).0, 0);
    assert_eq!(run(folder.path(), &["chek"]).2, "ovlint: no OpenVINO IR found in the given paths\n");
    // What is like no command is a file that is not there.
    let (code, out, err) = run(folder.path(), &["models", "--format", "concise"]);
    assert_eq!((code, err.as_str()), (2, ""));
    assert!(out.starts_with("models: error[unreadable-file] cannot read models: "), "{out}");
}

#[test]
fn every_command_reports_alike_what_is_not_a_model() {
    let model = "bad/not-openvino-ir/model.xml";
    let commands: [&[&str]; 7] = [
        &["shapes", model],
        &["shapes", model, "--format", "json"],
        &["inputs", model],
        &["why", model, "x"],
        &["inspect", model, "--layer", "x"],
        &["graph", model],
        &["info", model],
    ];
    for arguments in commands {
        let (code, out, err) = run(&root(), arguments);
        assert_eq!((code, err.lines().count()), (1, 1), "{arguments:?} {err}");
        assert!(err.starts_with(&format!("ovlint: {model}: ")), "{err}");
        let is_empty_list = out.starts_with("{\"schema_version\":\"1\",\"models\":[]");
        assert!(out.is_empty() || is_empty_list, "{out}");
    }
    for arguments in [
        &["shapes", "no.xml"] as &[&str],
        &["inputs", "no.xml"],
        &["why", "no.xml", "x"],
        &["run", "no.xml"],
        &["info", "no.xml"],
    ] {
        let (code, out, err) = run(&root(), arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.starts_with("ovlint: no.xml: "), "{err}");
    }
}

#[test]
fn stdin_and_folders_are_no_models() {
    let stdin = "ovlint: models are not read from stdin; `check --files-from -` reads their paths from it\n";
    for arguments in [&["check", "-"] as &[&str], &["info", "-"], &["shapes", "-"], &["snapshot", "check", "-"]] {
        assert_eq!(run(&root(), arguments), (2, String::new(), stdin.to_owned()), "{arguments:?}");
    }
    for arguments in [
        &["shapes", "models"] as &[&str],
        &["inputs", "models"],
        &["why", "models", "x"],
        &["run", "models"],
        &["reduce", "models", "--rule", "cycle", "-o", "small.xml"],
    ] {
        let folder = "ovlint: models is a folder, but this command needs a model (.xml)\n";
        assert_eq!(run(&root(), arguments), (2, String::new(), folder.to_owned()), "{arguments:?}");
    }
}

/// A folder with a model, a copy of it in `drafts` and one in `ignored`, which git leaves out.
fn three_models() -> tempfile::TempDir {
    let folder = copy_of("models/split.xml");
    for inner in ["drafts", "ignored"] {
        fs::create_dir(folder.path().join(inner)).unwrap();
        for name in ["split.xml", "split.bin"] {
            fs::copy(folder.path().join(name), folder.path().join(inner).join(name)).unwrap();
        }
    }
    fs::write(folder.path().join(".gitignore"), "ignored/\n").unwrap();
    folder
}

/// The models that a command names, by the folder they are in.
fn named(folder: &Path, arguments: &[&str]) -> Vec<&'static str> {
    let (_, out, err) = run(folder, arguments);
    let has = |path: &str| out.contains(path) || err.contains(path);
    let folders = [("drafts", has("drafts/split")), ("ignored", has("ignored/split")), (".", has("./split"))];
    folders.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect()
}

#[test]
fn commands_take_the_files_that_check_takes() {
    let folder = three_models();
    let path = folder.path();
    let commands: [&[&str]; 3] = [&["check", ".", "--format", "json"], &["info", "."], &["snapshot", "check", "."]];
    let with = |command: &[&str], flags: &[&'static str]| {
        let arguments: Vec<&str> = command.iter().chain(flags).copied().collect();
        named(path, &arguments)
    };
    for command in commands {
        assert_eq!(with(command, &[]), ["drafts", "."], "{command:?}");
        assert_eq!(with(command, &["--exclude", "drafts/"]), ["."], "{command:?}");
        assert_eq!(with(command, &["--no-ignore"]), ["drafts", "ignored", "."], "{command:?}");
        assert_eq!(
            with(command, &["drafts/split.xml", "--exclude", "drafts/", "--force-exclude"]),
            ["."],
            "{command:?}"
        );
    }
    fs::write(path.join("ovlint.toml"), "include = [\"*.xml\"]\nexclude = [\"drafts/\"]\n").unwrap();
    fs::write(path.join("other.toml"), "include = [\"drafts/*.xml\"]\n").unwrap();
    for command in commands {
        assert_eq!(with(command, &[]), ["."], "{command:?}");
        assert_eq!(with(command, &["--isolated"]), ["drafts", "."], "{command:?}");
        assert_eq!(with(command, &["--config", "other.toml"]), ["drafts"], "{command:?}");
        assert_eq!(with(command, &["drafts/split.xml"]), ["drafts", "."], "{command:?}");
    }
    fs::write(path.join("ovlint.toml"), "excludes = []\n").unwrap();
    for command in commands {
        let (code, out, err) = run(path, command);
        assert_eq!((code, out.as_str()), (2, ""), "{command:?}");
        assert!(err.contains("unknown key `excludes`; did you mean `exclude`?"), "{err}");
    }
}

#[test]
fn snapshots_of_files_that_are_left_out_are_none_of_our_business() {
    let folder = three_models();
    let path = folder.path();
    assert_eq!(run(path, &["snapshot", "update"]).0, 0);
    assert!(path.join("drafts/split.ovshapes").exists());
    fs::remove_file(path.join("drafts/split.xml")).unwrap();
    assert_eq!(run(path, &["snapshot", "check"]).0, 1);
    assert_eq!(run(path, &["snapshot", "check", "--exclude", "drafts/"]).0, 0);
    run(path, &["snapshot", "update", "--prune", "--exclude", "drafts/"]);
    assert!(path.join("drafts/split.ovshapes").exists());
}

#[test]
fn what_is_left_out_of_one_folder_is_compared_with_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let sample = fs::read(root().join("models/split.xml")).unwrap();
    for name in ["old/a.xml", "old/draft.xml", "new/a.xml", "new/draft.xml", "new/b.xml"] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &sample).unwrap();
    }
    let last = |flags: &[&str]| {
        let arguments: Vec<&str> = ["diff", "old", "new", "--weights", "skip"].iter().chain(flags).copied().collect();
        run(folder.path(), &arguments).1.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(last(&[]), "3 models: 2 the same, 0 changed, 1 added, 0 removed; weights were not compared");
    assert_eq!(
        last(&["--exclude", "draft.xml"]),
        "2 models: 1 the same, 0 changed, 1 added, 0 removed; weights were not compared"
    );
    // The configuration of the new folder says nothing of the old one.
    fs::write(folder.path().join("new/ovlint.toml"), "exclude = [\"draft.xml\"]").unwrap();
    assert_eq!(last(&[]), "2 models: 1 the same, 0 changed, 1 added, 0 removed; weights were not compared");
    assert_eq!(last(&["--isolated"]), "3 models: 2 the same, 0 changed, 1 added, 0 removed; weights were not compared");
}

#[test]
fn paths_that_are_not_there_are_named() {
    let folder = copy_of("models/split.xml");
    fs::create_dir(folder.path().join("old")).unwrap();
    for (arguments, wanted) in [
        (&["diff", "old", "nope"] as &[&str], "`nope` does not exist"),
        (&["diff", "split.xml", "nope.xml"], "`nope.xml` does not exist"),
        (&["diff", "old", "split.xml"], "old is a folder, but split.xml is not; give two folders or two models"),
    ] {
        assert_eq!(run(folder.path(), arguments), (2, String::new(), format!("ovlint: {wanted}\n")), "{arguments:?}");
    }
}

#[test]
fn one_thing_is_counted_in_the_singular() {
    let folder = tempfile::tempdir().unwrap();
    let sample = fs::read(root().join("models/split.xml")).unwrap();
    for name in ["old/a.xml", "new/a.xml"] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &sample).unwrap();
    }
    let (_, out, _) = run(folder.path(), &["diff", "old", "new", "--weights", "skip"]);
    assert_eq!(out, "1 model: 1 the same, 0 changed, 0 added, 0 removed; weights were not compared\n");
    let (_, out, _) = run(&root(), &["shapes", "bad/extension-required/model.xml"]);
    assert!(out.contains("\n1 output marked; (declared) means that "), "{out}");
    let (_, _, err) = run(folder.path(), &["check", "old", "--weights", "skip", "--write-baseline", "known.json"]);
    assert!(err.ends_with("0 findings in 0 files\n"), "{err}");
}

#[test]
fn the_oldest_openvino_is_named_with_the_reason() {
    for (model, wanted) in [
        ("models/v10.xml", "OpenVINO 2020.1 to 2026.4"),
        ("models/split.xml", "OpenVINO 2022.1 to 2026.4  (IR version 11)"),
        ("models/kv_cache.xml", "OpenVINO 2022.1 to 2026.4  (Gather of opset8, IR version 11)"),
        ("models/detector.xml", "OpenVINO 2023.0 to 2026.4  (Interpolate of opset11)"),
        ("bad/opset-too-new-for-target/model.xml", "OpenVINO 2023.3 to 2026.4  (ScaledDotProductAttention of opset13)"),
        ("bad/type-too-new-for-target/model.xml", "OpenVINO 2023.2 to 2026.4  (element type nf4)"),
        ("bad/needs-newer-openvino/zero-input/model.xml", "OpenVINO 2023.2 to 2026.4  (an empty input `x`)"),
    ] {
        let (code, out, _) = run(&root(), &["info", model]);
        assert_eq!(code, 0, "{model}");
        assert!(out.contains(&format!("\n  read by     {wanted}\n")), "{model}: {out}");
    }
    let (_, out, _) = run(&root(), &["info", "models/v10.xml", "models/detector.xml", "models/split.xml"]);
    let wanted = "\n3 models need OpenVINO 2023.0 or newer (models/detector.xml: Interpolate of opset11)\n";
    assert!(out.ends_with(wanted), "{out}");
    let (_, out, _) = run(&root(), &["diff", "models/split.xml", "bad/opset-too-new-for-target/model.xml"]);
    let wanted = "\n  ~ oldest OpenVINO  2022.1 -> 2023.3  (ScaledDotProductAttention of opset13)\n";
    assert!(out.contains(wanted), "{out}");
}

#[test]
fn pages_fit_the_terminal() {
    let long = "models/detector.xml";
    let pages = [
        vec!["shapes", long],
        vec!["shapes", "bad/split-lengths-sum/model.xml"],
        vec!["shapes", "--symbolic", "models/dynamic.xml"],
        vec!["inputs", "models/dynamic.xml"],
        vec!["diff", long, "models/split.xml"],
        vec!["explain"],
        vec!["explain", "declared-shape"],
        vec!["check", "bad/declared-shape/model.xml"],
        vec!["check", "bad/extension-required/model.xml", "bad/git-lfs-pointer/model.xml"],
    ];
    for arguments in pages {
        let page = |columns: Option<&str>| {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ovlint"));
            command.args(&arguments).current_dir(root()).env("NO_COLOR", "1").env_remove("COLUMNS");
            command.envs(columns.map(|columns| ("COLUMNS", columns)));
            utf8(&command.output().unwrap().stdout)
        };
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let whole = page(None);
        assert!(whole.lines().count() > 3, "{arguments:?}: {whole}");
        // Words are not cut, and paths are words.
        let narrow = if arguments[0] == "check" { 60 } else { 50 };
        for columns in [narrow, 80, 100] {
            let text = page(Some(&columns.to_string()));
            let is_wide = |line: &&str| line.chars().count() > columns && line.trim().contains(' ');
            let is_excerpt = |line: &&str| line.contains(" | ") || line.contains("--> ");
            let wide = text.lines().filter(|line| is_wide(line) && !is_excerpt(line));
            assert_eq!(wide.collect::<Vec<_>>(), [""; 0], "{columns} {arguments:?}");
            if arguments[0] != "check" {
                assert_eq!(words(&text), words(&whole), "{columns} {arguments:?}");
            }
        }
    }
}

#[test]
fn reports_fit_a_narrow_screen() {
    let folder = root();
    for columns in ["80", "100"] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ovlint"));
        command.args(["check", "bad", "models", "--max-findings", "0"]).current_dir(&folder);
        let out = command.env("COLUMNS", columns).env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE").output().unwrap();
        let text = utf8(&out.stdout);
        let width: usize = columns.parse().unwrap();
        // Words are not cut, and paths are words.
        let wide = |line: &&str| line.chars().count() > width && !line.trim().starts_with("bad/");
        assert_eq!(text.lines().filter(wide).collect::<Vec<_>>(), [""; 0], "{columns}");
        assert!(text.contains("error[split-lengths-overrun]: the lengths other than the -1 add up to 7"));
    }
}
