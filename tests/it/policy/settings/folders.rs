//! Every `.xml` in a folder is accounted for: checked, reported as what should have been a model, or counted.

use super::{models, reported, run};
use std::fs;

const LFS: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n";

#[test]
fn whatever_should_have_been_a_model_is_reported() {
    let folder = models();
    let path = folder.path();
    fs::remove_file(path.join("debug.xml")).unwrap();
    for (name, text) in [
        ("cut.xml", "<?xml version=\"1.0\"?>\n<!-- an export of"),
        ("empty.xml", ""),
        ("html.xml", "<!DOCTYPE html>\n<html><body>404</body></html>"),
        ("lfs.xml", LFS),
        ("other.xml", "<resources><a/></resources>"),
        ("paired.xml", "<resources/>"),
        ("paired.bin", ""),
        ("text.xml", "Entry not found"),
        ("voc.xml", "<annotation/>"),
    ] {
        fs::write(path.join(name), text).unwrap();
    }
    let wanted = [
        "./cut.xml warning[xml-malformed]",
        "./empty.xml warning[not-openvino-ir]",
        "./html.xml warning[not-openvino-ir]",
        "./lfs.xml error[not-openvino-ir]",
        "./model.xml error[declared-shape]",
        "./paired.xml error[not-openvino-ir]",
        "./text.xml warning[not-openvino-ir]",
    ];
    assert_eq!(reported(path, "."), (1, wanted.map(str::to_owned).to_vec()));
    let (_, out, _) = run(path, "check .");
    assert!(out.contains("\n3 errors, 4 warnings in 7 of 7 models"), "{out}");
    assert!(out.ends_with("\n  not checked: 2 other XML files\n"), "{out}");
    // Naming a file says that it is meant as a model.
    assert_eq!(reported(path, "empty.xml").1, ["empty.xml error[not-openvino-ir]"]);
    let (code, out, _) = run(path, "check . --exclude cut.xml --exclude voc.xml --format json");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let summary = &report["summary"];
    assert_eq!((code, summary["models"].as_u64(), summary["other_xml"].as_u64()), (1, Some(6), Some(1)));
    assert_eq!((&summary["excluded"], &summary["excluded_by"]), (&2.into(), &serde_json::json!([])));
    // Each file counts once, and a configuration that excludes some is named.
    fs::create_dir(path.join("sub")).unwrap();
    fs::rename(path.join("voc.xml"), path.join("sub/voc.xml")).unwrap();
    fs::write(path.join("ovlint.toml"), "exclude = ['*t*.xml']").unwrap();
    for paths in [".", ". sub ./sub"] {
        let (_, out, _) = run(path, &format!("check {paths}"));
        assert!(out.ends_with("\n  not checked: 1 other XML file, 5 excluded files; see ovlint.toml\n"), "{out}");
    }
}

#[test]
fn a_folder_without_models_says_what_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.xml"), "<resources/>").unwrap();
    fs::write(folder.path().join("b.xml"), "<net/>").unwrap();
    let (code, _, err) = run(folder.path(), "check . --exclude b.xml");
    let wanted = "ovlint: no OpenVINO IR found in the given paths (1 other XML file, 1 excluded file)\n";
    assert_eq!((code, err.as_str()), (3, wanted));
    fs::write(folder.path().join("ovlint.toml"), "include = ['b.xml']\nexclude = ['b.xml']").unwrap();
    let (_, _, err) = run(folder.path(), "check .");
    assert_eq!(err, "ovlint: no OpenVINO IR found in the given paths (2 excluded files; see ovlint.toml)\n");
}

#[test]
fn other_commands_account_for_files_as_well() {
    let folder = models();
    fs::write(folder.path().join("lfs.xml"), LFS).unwrap();
    fs::write(folder.path().join("empty.xml"), "").unwrap();
    let (code, _, err) = run(folder.path(), "info .");
    assert_eq!(code, 1);
    assert!(err.contains("lfs.xml: this is a Git LFS pointer"), "{err}");
    assert!(err.contains("ovlint: left out ./empty.xml, which is not an OpenVINO IR\n"), "{err}");
    fs::write(folder.path().join("pom.xml"), "<project/>").unwrap();
    for command in ["info", "snapshot update", "diff ."] {
        let (_, _, err) = run(folder.path(), &format!("{command} . --exclude empty.xml"));
        let files = if command == "diff ." {
            "2 other XML files, 2 excluded files"
        } else {
            "1 other XML file, 1 excluded file"
        };
        assert!(err.contains(&format!("ovlint: left out: {files}\n")), "{command}: {err}");
    }
}

#[cfg(unix)]
mod links {
    use super::super::{models, reported, run};
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    fn link(target: impl AsRef<Path>, at: impl AsRef<Path>) {
        fs::create_dir_all(at.as_ref().parent().unwrap()).unwrap();
        symlink(target, at).unwrap();
    }

    /// Files named by their digest, and revisions that link to them.
    #[test]
    fn a_cache_of_links_is_checked() {
        let folder = models();
        let path = folder.path();
        fs::create_dir(path.join("blobs")).unwrap();
        for (from, to) in [("model.xml", "blobs/aa"), ("model.bin", "blobs/bb"), ("debug.xml", "blobs/cc")] {
            fs::rename(path.join(from), path.join(to)).unwrap();
        }
        fs::write(path.join("blobs/dd"), "other weights").unwrap();
        for (revision, weights) in [("one", "bb"), ("two", "bb"), ("three", "dd")] {
            link("../../blobs/aa", path.join("snapshots").join(revision).join("model.xml"));
            link(format!("../../blobs/{weights}"), path.join("snapshots").join(revision).join("model.bin"));
        }
        let (code, found) = reported(path, ".");
        let models: Vec<&str> = found.iter().map(|line| line.split(' ').next().unwrap()).collect();
        // The first and the last have the same weights; those of the other are too short.
        assert_eq!(code, 1);
        assert_eq!(models[0], "./snapshots/one/model.xml");
        assert!(models.iter().all(|model| !model.contains("two")), "{models:?}");
        assert!(models.contains(&"./snapshots/three/model.xml"), "{models:?}");
    }

    #[test]
    fn links_are_followed_once() {
        let folder = models();
        let path = folder.path();
        fs::create_dir_all(path.join("in/real")).unwrap();
        for file in ["model.xml", "model.bin"] {
            fs::rename(path.join(file), path.join("in/real").join(file)).unwrap();
        }
        let elsewhere = path.join("in/.elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        fs::rename(path.join("debug.xml"), elsewhere.join("debug.xml")).unwrap();
        // Loops, links to what is there anyway, and folders elsewhere that link to each other.
        link(path, path.join("in/loop"));
        link("real", path.join("in/again"));
        link("real/model.xml", path.join("in/a.xml"));
        link("real/model.bin", path.join("in/a.bin"));
        for name in ["out", "out2"] {
            link(&elsewhere, path.join("in").join(name));
        }
        for number in 0..12 {
            link(&elsewhere, elsewhere.join(format!("to{number}")));
        }
        let wanted = ["in/out/debug.xml warning[unreachable-layer]", "in/real/model.xml error[declared-shape]"];
        assert_eq!(reported(path, "in"), (1, wanted.map(str::to_owned).to_vec()));
    }

    #[test]
    fn a_link_to_nothing_is_reported() {
        let folder = models();
        link("blobs/gone", folder.path().join("gone.xml"));
        let (code, out, _) = run(folder.path(), "check . --format concise");
        assert_eq!(code, 2);
        assert!(out.contains("./gone.xml: error[unreadable-file] cannot read ./gone.xml"), "{out}");
    }
}
