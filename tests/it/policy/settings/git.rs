//! Models in git repositories: `.gitignore` leaves out only what git does not track, and what it leaves out is counted.

use super::run;
use crate::program::copy_of;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

fn git(folder: &Path, arguments: &str) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=tester", "-c", "user.email=tester@example.com", "-c", "protocol.file.allow=always"]);
    git.args(arguments.split_whitespace()).current_dir(folder);
    // Not the repository of a hook that runs the tests.
    git.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE").env_remove("GIT_WORK_TREE");
    let out = git.env("GIT_CONFIG_GLOBAL", "").env("GIT_CONFIG_NOSYSTEM", "1").output().unwrap();
    assert!(out.status.success(), "git {arguments}: {}", String::from_utf8_lossy(&out.stderr));
}

/// A repository whose `.gitignore` matches two models that are committed, one of them deleted since, and three that are not.
fn repository(init: &str) -> TempDir {
    let folder = copy_of("models/split.xml");
    let path = folder.path();
    for inner in ["out/deep", "scratch"] {
        fs::create_dir_all(path.join(inner)).unwrap();
    }
    for copy in ["out/deep/model.xml", "out/gone.xml", "out/other.xml", "scratch/other.xml", "lost.xml"] {
        fs::copy(path.join("split.xml"), path.join(copy)).unwrap();
    }
    fs::copy(path.join("split.bin"), path.join("out/deep/model.bin")).unwrap();
    fs::write(path.join(".gitignore"), "out/\nscratch/\nlost.xml\n").unwrap();
    git(path, init);
    git(path, "add .");
    git(path, "add --force out/deep/model.xml out/gone.xml");
    git(path, "commit --quiet -m models");
    fs::remove_file(path.join("out/gone.xml")).unwrap();
    folder
}

/// The models that a check of the current folder finds, and the files and folders that it leaves out.
fn found(folder: &Path) -> (Vec<String>, u64, u64) {
    let (_, out, err) = run(folder, "check . --format json");
    assert_eq!(err, "");
    let report: Value = serde_json::from_str(&out).unwrap();
    let models = report["models"].as_array().unwrap().iter();
    let models = models.map(|model| model["path"].as_str().unwrap().to_owned()).collect();
    let count = |name: &str| report["summary"][name].as_u64().unwrap();
    (models, count("gitignored"), count("gitignored_folders"))
}

fn all() -> (Vec<String>, u64, u64) {
    (vec!["./out/deep/model.xml".to_owned(), "./split.xml".to_owned()], 2, 1)
}

#[test]
fn models_that_git_tracks_are_not_ignored_whatever_the_form_of_the_index() {
    for (init, then) in [
        ("init", "update-index --index-version 2"),
        ("init", "update-index --index-version 4"),
        ("init", "update-index --split-index"),
        ("init --object-format=sha256", "status"),
        ("init --object-format=sha256", "update-index --split-index --index-version 4"),
        ("init", "sparse-checkout set --cone --sparse-index out/deep"),
    ] {
        let folder = repository(init);
        git(folder.path(), then);
        let (models, ..) = found(folder.path());
        assert_eq!(models, all().0, "{init}, {then}");
    }
    let folder = repository("init");
    assert_eq!(found(folder.path()), all());
    let (_, out, _) = run(folder.path(), "check .");
    assert!(out.ends_with("\n  not checked: 2 gitignored files, 1 gitignored folder\n"), "{out}");
    // From a folder within the repository, which is wanted as it is named.
    fs::write(folder.path().join("out/.gitignore"), "*.xml").unwrap();
    assert_eq!(found(&folder.path().join("out")), (vec!["./deep/model.xml".to_owned()], 1, 0));
    fs::remove_file(folder.path().join("out/.gitignore")).unwrap();
    // A part of the index is in another file, and changes to it are in the first.
    git(folder.path(), "update-index --split-index");
    git(folder.path(), "add --force lost.xml");
    git(folder.path(), "rm --quiet --cached out/deep/model.xml");
    assert_eq!(found(folder.path()), (vec!["./lost.xml".to_owned(), "./split.xml".to_owned()], 1, 2));
}

#[test]
fn each_worktree_and_each_submodule_has_its_own_index() {
    let folder = repository("init");
    let path = folder.path();
    git(path, "worktree add --quiet inner-tree");
    assert_eq!(found(&path.join("inner-tree")).0, ["./out/deep/model.xml", "./out/gone.xml", "./split.xml"]);
    let outer = tempfile::tempdir().unwrap();
    git(outer.path(), "init");
    fs::write(outer.path().join(".gitignore"), "*.xml\nmodels/\n").unwrap();
    git(outer.path(), &format!("submodule add --quiet --force {} models", path.display()));
    let (models, ..) = found(outer.path());
    assert_eq!(models, ["./models/out/deep/model.xml", "./models/out/gone.xml", "./models/split.xml"]);
}

#[test]
fn other_rules_hold_for_files_that_git_tracks() {
    let folder = repository("init");
    fs::write(folder.path().join(".ignore"), "out/\n").unwrap();
    assert_eq!(found(folder.path()), (vec!["./split.xml".to_owned()], 1, 2));
    fs::remove_file(folder.path().join(".ignore")).unwrap();
    fs::write(folder.path().join("ovlint.toml"), "exclude = ['out/']\n").unwrap();
    assert_eq!(found(folder.path()), (vec!["./split.xml".to_owned()], 2, 1));
}

#[test]
fn every_command_finds_what_git_tracks() {
    let folder = repository("init");
    let once = "ovlint: left out: 2 gitignored files, 1 gitignored folder\n";
    let twice = "ovlint: left out: 4 gitignored files, 2 gitignored folders\n";
    for (command, left_out) in [
        ("info .", once),
        ("report . -o page.html", once),
        ("snapshot update .", once),
        ("snapshot check .", once),
        ("diff . .", twice),
    ] {
        let (code, _, err) = run(folder.path(), command);
        assert!(code == 0 && err.starts_with(left_out), "{command}: {code} {err}");
    }
    assert!(folder.path().join("out/deep/model.ovshapes").exists());
}

#[test]
fn an_index_that_cannot_be_read_is_a_warning() {
    // Each entry of version 4 repeats the path before it: 1.5 MB for 288 MB.
    let entry = [&[0; 63][..], b"a\0"].concat();
    let large = [&b"DIRC\0\0\0\x04"[..], &24_000_u32.to_be_bytes(), &entry.repeat(24_000), &[0; 20]].concat();
    for index in [b"".to_vec(), b"DIRC\0\0\0\x02\0\0\0\x01".to_vec(), vec![7; 1_000], large] {
        let folder = repository("init");
        fs::write(folder.path().join(".git/index"), index).unwrap();
        let (code, out, err) = run(folder.path(), "check .");
        assert_eq!(code, 0, "{out}");
        assert!(out.ends_with("\n  not checked: 1 gitignored file, 2 gitignored folders\n"), "{out}");
        assert!(err.starts_with("ovlint: cannot read the git index of ") && err.lines().count() == 1, "{err}");
    }
}

#[test]
fn weights_stand_for_the_model_beside_them() {
    let folder = copy_of("models/split.xml");
    let path = folder.path();
    let checked = |arguments: &str| {
        let (code, out, err) = run(path, &format!("check {arguments} --format json"));
        let report: Value = serde_json::from_str(&out).unwrap_or_default();
        let summary = &report["summary"];
        (code, err, summary["models"].as_u64(), summary["orphaned_weights"].as_u64())
    };
    let none = String::new;
    assert_eq!(checked("split.bin"), (0, none(), Some(1), Some(0)));
    assert_eq!(checked("split.xml split.bin --skip-others"), (0, none(), Some(1), Some(0)));
    fs::write(path.join("alone.bin"), [0; 64]).unwrap();
    fs::write(path.join("pytorch_model.bin"), b"PK\x03\x04\x14\0\0\0").unwrap();
    assert_eq!(checked("alone.bin --skip-others"), (0, none(), Some(0), Some(1)));
    assert_eq!(checked("pytorch_model.bin --skip-others"), (0, none(), Some(0), Some(0)));
    assert_eq!(checked("pytorch_model.bin split.bin --skip-others"), (0, none(), Some(1), Some(0)));
    let (code, out, _) = run(path, "check alone.bin --format concise");
    let wanted =
        "alone.bin: error[not-openvino-ir] this is a weights file; use the .xml that was written with it instead";
    assert!(code == 1 && out.contains(wanted), "{code} {out}");
    // Only weights that were retrained: a shape that they decide is wrong now.
    fs::write(path.join("split.bin"), 0_i64.to_le_bytes()).unwrap();
    assert_eq!(run(path, "check split.bin --skip-others").0, 1);
}
