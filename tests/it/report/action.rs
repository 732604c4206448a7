//! The step of `action.yml` that checks models.

use crate::program::copy_of;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs the step in a folder as GitHub does; returns the exit code, the annotations and the outputs.
fn action(folder: &Path, paths: &str, args: &str, sarif: &str) -> (i32, String, String) {
    let action = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/action.yml")).unwrap();
    let (_, script) = action.rsplit_once("run: |\n").unwrap();
    let script: String =
        script.lines().map(|line| line.strip_prefix("        ").unwrap_or(line).to_owned() + "\n").collect();
    let commands = Path::new(env!("CARGO_BIN_EXE_ovlint")).parent().unwrap().to_owned();
    let others = std::env::var_os("PATH").unwrap();
    let places = std::iter::once(commands).chain(std::env::split_paths(&others));
    let outputs = folder.join("outputs");
    fs::write(&outputs, "").unwrap();
    let out = Command::new("bash")
        .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &script])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(places).unwrap())
        .env_remove("GITHUB_STEP_SUMMARY")
        .envs([("OVLINT_PATHS", paths), ("OVLINT_ARGS", args), ("OVLINT_SARIF", sarif)])
        .env("GITHUB_OUTPUT", &outputs)
        .output()
        .unwrap();
    (out.status.code().unwrap(), String::from_utf8(out.stdout).unwrap(), fs::read_to_string(outputs).unwrap())
}

#[test]
fn the_action_gives_numbers_of_findings_and_the_sarif_file() {
    let folder = copy_of("bad/declared-shape/model.xml");
    let (code, annotations, outputs) = action(folder.path(), ".\n", "--fail-on never", "found.sarif");
    assert!(annotations.contains("::error "), "{annotations}");
    assert_eq!((code, &*outputs), (0, "errors=1\nwarnings=0\nsarif=found.sarif\n"));
    assert!(fs::read_to_string(folder.path().join("found.sarif")).unwrap().contains("declared-shape"));
    let (code, _, outputs) = action(folder.path(), "model.xml", "", "");
    assert_eq!((code, &*outputs), (1, "errors=1\nwarnings=0\n"), "the outputs are there when the check fails");
    let (code, _, outputs) = action(folder.path(), "model.xml", "--no-such-flag", "");
    assert_eq!((code, &*outputs), (2, "errors=\nwarnings=\n"), "a run that failed has counted nothing");
}

#[test]
fn the_action_takes_paths_with_blanks() {
    let folder = copy_of("models/split.xml");
    let inside = folder.path().join("my exports");
    fs::create_dir(&inside).unwrap();
    for name in ["split.xml", "split.bin"] {
        fs::copy(folder.path().join(name), inside.join(name)).unwrap();
    }
    let (code, annotations, outputs) = action(folder.path(), "my exports\n\nsplit.xml\n", "", "");
    assert_eq!((code, &*outputs), (0, "errors=0\nwarnings=0\n"), "{annotations}");
    let (code, ..) = action(folder.path(), "my exports/other.xml", "", "");
    assert_eq!(code, 2);
}
