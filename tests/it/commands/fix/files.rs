//! `check --fix` on files: what is written, what is refused, what is said.

use super::{PORT, relu};
use crate::program::{code, copy_of, findings, ovlint, root, utf8};
use std::fs;
use std::path::Path;

const WRONG: &str = "bad/declared-shape/model.xml";

/// Exit code, stdout and stderr of a run.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let out = ovlint(folder, arguments.iter().copied());
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

/// A folder with a wrong model and what it should be.
fn wrong() -> (tempfile::TempDir, String) {
    let folder = copy_of(WRONG);
    let text = fs::read_to_string(folder.path().join("model.xml")).unwrap();
    (folder, text.replace("<dim>5</dim>", "<dim>4</dim>"))
}

fn text(folder: &Path) -> String {
    fs::read_to_string(folder.join("model.xml")).unwrap()
}

#[test]
fn files_are_fixed_in_place_and_once() {
    let (folder, right) = wrong();
    let (code, out, err) = run(folder.path(), &["check", "model.xml", "--fix", "--format", "concise"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", "ovlint: fixed 1 finding in 1 model\n"));
    assert_eq!(text(folder.path()), right);
    let (code, _, err) = run(folder.path(), &["check", "model.xml", "--fix=all", "--format", "concise"]);
    assert_eq!((code, err.as_str()), (0, "ovlint: fixed 0 findings in 0 models\n"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left behind");
}

#[test]
fn fixes_are_named_on_request() {
    let (folder, _) = wrong();
    let (_, _, err) = run(folder.path(), &["check", "model.xml", "--fix", "--verbose", "--format", "concise"]);
    let named =
        "ovlint: model.xml:35: declared-shape: change the declared dimension\novlint: fixed 1 finding in 1 model\n";
    assert!(err.ends_with(named), "{err}");
}

#[test]
fn json_has_what_was_fixed() {
    let (folder, _) = wrong();
    let at = text(folder.path()).find("<dim>5</dim>").unwrap() + 5;
    let (code, out, _) = run(folder.path(), &["check", "model.xml", "--fix", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let model = &report["models"][0];
    assert_eq!((code, &model["findings"]), (0, &serde_json::json!([])));
    assert_eq!(model["fixed"]["edits"], serde_json::json!([{"start": at, "end": at + 1, "text": "4"}]));
    let fixed = &model["fixed"]["findings"][0];
    assert_eq!((&fixed["rule"], &fixed["applicability"]), (&"declared-shape".into(), &"safe".into()));
    crate::report::schemas::follows_report_schema(&report);
    let (_, out, _) = run(folder.path(), &["check", "model.xml", "--fix", "--format", "json"]);
    assert!(!out.contains("\"fixed\""), "{out}");
}

#[test]
fn a_diff_changes_nothing_and_gives_1() {
    let (folder, _) = wrong();
    let before = text(folder.path());
    for arguments in [&["check", "model.xml", "--diff"] as &[&str], &["check", "model.xml", "--fix", "--diff"]] {
        let (code, out, err) = run(folder.path(), arguments);
        assert_eq!((code, err.as_str()), (1, "ovlint: would fix 1 finding in 1 model\n"));
        assert!(out.starts_with("--- model.xml\n+++ model.xml\n@@ -32,7 +32,7 @@\n \t\t\t\t</port>\n"), "{out}");
        assert!(out.contains("\n-\t\t\t\t\t<dim>5</dim>\n+\t\t\t\t\t<dim>4</dim>\n"), "{out}");
    }
    assert_eq!(text(folder.path()), before);
    let clean = run(&root(), &["check", "models/split.xml", "--diff"]);
    assert_eq!(clean, (0, String::new(), "ovlint: would fix 0 findings in 0 models\n".to_owned()));
}

#[test]
fn what_is_left_decides_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = relu(&PORT.replace("<dim>2", "<dim>3"))
        .replace("<edge from-layer=\"1\" from-port=\"1\"", "<edge from-layer=\"1\" from-port=\"9\"");
    fs::write(folder.path().join("model.xml"), wrong).unwrap();
    let (code, out, _) = run(folder.path(), &["check", "model.xml", "--fix", "--format", "concise"]);
    assert_eq!(code, 1);
    assert!(out.contains("edge-unknown-port"), "{out}");
    let (code, out, _) = run(folder.path(), &["check", "model.xml", "--fix=all", "--format", "concise"]);
    assert_eq!((code, out.as_str()), (0, ""));
    assert_eq!(text(folder.path()), relu(PORT));
}

#[test]
fn every_file_of_a_folder_is_fixed() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.xml", "b.xml", "c.xml"] {
        fs::write(folder.path().join(name), relu(&PORT.replace("<dim>6", "<dim>7"))).unwrap();
    }
    let (code, out, err) = run(folder.path(), &["check", ".", "--fix", "--format", "concise"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", "ovlint: fixed 3 findings in 3 models\n"));
    assert_eq!(findings(folder.path(), ["check", "."]), [] as [serde_json::Value; 0]);
}

#[test]
fn only_what_is_reported_is_fixed() {
    let (folder, _) = wrong();
    let before = text(folder.path());
    let (code, _, err) = run(folder.path(), &["check", "model.xml", "--fix", "--ignore", "declared-shape"]);
    assert_eq!((code, err.as_str()), (0, "ovlint: fixed 0 findings in 0 models\n"));
    let comment = "<!-- ovlint: ignore[declared-shape] on purpose --><dim>5</dim>";
    fs::write(folder.path().join("model.xml"), before.replace("<dim>5</dim>", comment)).unwrap();
    let (code, _, err) = run(folder.path(), &["check", "model.xml", "--fix"]);
    assert_eq!((code, err.as_str()), (0, "ovlint: fixed 0 findings in 0 models\n"));
    // Without the comment in force it is fixed, and the comment stays.
    run(folder.path(), &["check", "model.xml", "--fix", "--no-suppressions"]);
    assert_eq!(text(folder.path()), before.replace("<dim>5</dim>", &comment.replace("<dim>5", "<dim>4")));
}

#[test]
fn other_encodings_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = relu(&PORT.replace("<dim>6", "<dim>7")).encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(folder.path().join("model.xml"), &bytes).unwrap();
    let (code, out, err) = run(folder.path(), &["check", "model.xml", "--fix", "--format", "concise"]);
    assert_eq!(code, 2);
    assert!(out.contains("declared-shape"), "{out}");
    let said = "ovlint: model.xml is not fixed: the file is in UTF-16; only UTF-8 is edited\novlint: fixed 0 findings in 0 models\n";
    assert_eq!(err, said);
    assert_eq!(fs::read(folder.path().join("model.xml")).unwrap(), bytes);
}

#[cfg(unix)]
#[test]
fn read_only_files_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, _) = wrong();
    let path = folder.path().join("model.xml");
    let before = text(folder.path());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let (code, out, err) = run(folder.path(), &["check", "model.xml", "--fix", "--format", "concise"]);
    assert_eq!(code, 2);
    assert!(out.contains("declared-shape"), "{out}");
    let said = "ovlint: cannot write model.xml: it is read-only\novlint: fixed 0 findings in 0 models\n";
    assert_eq!(err, said);
    assert_eq!(text(folder.path()), before);
}

#[cfg(unix)]
#[test]
fn links_are_refused_and_modes_kept() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let (folder, right) = wrong();
    let other = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.xml");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let link = other.path().join("link.xml");
    symlink(&path, &link).unwrap();
    let weights = folder.path().join("model.bin");
    let weights = weights.to_str().unwrap();
    let before = text(folder.path());
    let (code, _, err) = run(other.path(), &["check", "link.xml", "--fix", "--weights", weights]);
    let told = format!("it is a link to {}, and links are not followed; name the file itself", path.display());
    assert_eq!((code, err.lines().next().unwrap()), (2, format!("ovlint: cannot write link.xml: {told}").as_str()));
    assert_eq!(text(folder.path()), before);
    assert_eq!(run(folder.path(), &["check", "model.xml", "--fix"]).0, 0);
    assert_eq!(text(folder.path()), right);
    assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o640);
}

#[test]
fn nothing_is_written_where_a_path_is_wrong() {
    let (folder, _) = wrong();
    let before = text(folder.path());
    for (arguments, told) in [
        (
            &["check", "--fix", "safe", "model.xml"] as &[&str],
            "`safe` does not exist, so nothing is changed; did you mean `--fix=safe`?",
        ),
        (
            &["check", "--fix", "model.xml", "all"],
            "`all` does not exist, so nothing is changed; did you mean `--fix=all`?",
        ),
        (&["check", "--fix=all", "model.xml", "b.xml"], "`b.xml` does not exist, so nothing is changed"),
        (&["snapshot", "update", "model.xml", "b.xml"], "`b.xml` does not exist, so nothing was written"),
    ] {
        assert_eq!(run(folder.path(), arguments), (2, String::new(), format!("ovlint: {told}\n")));
        assert_eq!(text(folder.path()), before);
        assert!(!folder.path().join("model.ovshapes").exists());
    }
}

/// What OpenVINO refuses to read is not called ignored, and the fix is what it reads.
#[test]
fn dimensions_that_openvino_rejects_become_numbers() {
    let folder = tempfile::tempdir().unwrap();
    for (written, shape, fixed) in
        [("?", "2,6", "2"), ("?", "?,6", "-1"), ("-2", "2,6", "2"), ("", "1..4,6", "-1"), ("a", "?,6", "-1")]
    {
        let right = relu(PORT).replace("\"2,6\"", &format!("{shape:?}")).replace("<dim>2<", &format!("<dim>{fixed}<"));
        let text = right.replacen(&format!("<dim>{fixed}<"), &format!("<dim>{written}<"), 1);
        fs::write(folder.path().join("model.xml"), text).unwrap();
        let (code, out, _) = run(folder.path(), &["check", "model.xml"]);
        assert_eq!(code, 1);
        assert!(out.contains("(safe: no shape or type changes)") && !out.contains("OpenVINO ignores it"), "{out}");
        let (code, out, _) = run(folder.path(), &["check", "model.xml", "--fix"]);
        assert_eq!((code, self::text(folder.path())), (0, right), "{out}");
    }
}
