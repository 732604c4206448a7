//! Runs the program on the samples, for all tests of the command.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of the samples.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ir-samples")
}

/// Writes a model to the folder that an environment variable names, if it does, to be shown to OpenVINO.
pub(crate) fn show_openvino(variable: &str, name: &str, xml: &[u8], weights: &[u8]) {
    let Ok(folder) = std::env::var(variable) else { return };
    fs::create_dir_all(&folder).unwrap();
    fs::write(format!("{folder}/{name}.xml"), xml).unwrap();
    fs::write(format!("{folder}/{name}.bin"), weights).unwrap();
}

/// A folder with a copy of a sample and its weights.
pub(crate) fn copy_of(sample: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for path in [root().join(sample), root().join(sample).with_extension("bin")] {
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    folder
}

/// Copies a folder with all that is in it.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_folder(&from, &to);
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}

/// Runs the program in a folder.
pub(crate) fn ovlint<'a>(folder: &Path, arguments: impl IntoIterator<Item = &'a str>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ovlint"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("COLUMNS")
        .env_remove("OVLINT_UPDATE")
        .env_remove("CLICOLOR_FORCE")
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

/// The findings of a run as JSON records.
pub(crate) fn findings<'a>(folder: &Path, arguments: impl IntoIterator<Item = &'a str>) -> Vec<Value> {
    let out = ovlint(folder, arguments.into_iter().chain(["--format", "json"]));
    let report: Value = serde_json::from_slice(&out.stdout).expect("one JSON object");
    let models = report["models"].as_array().expect("models").iter();
    models.flat_map(|model| model["findings"].as_array().expect("findings").clone()).collect()
}

pub(crate) fn code(out: &Output) -> i32 {
    out.status.code().expect("no signal")
}

pub(crate) fn utf8(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8 output")
}

/// Whether generated files are written anew: with `OVLINT_UPDATE=1`, or with `INSTA_UPDATE=always`, which snapshots obey.
pub(crate) fn is_updating() -> bool {
    std::env::var_os("OVLINT_UPDATE").is_some() || std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always")
}
