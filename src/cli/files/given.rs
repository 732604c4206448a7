//! Errors about the paths that the user gives: one does not exist, is on a server where a file is needed, or is stdin; or
//! none is a model.

use super::Input;
use crate::cli::{complain, exit, shown};
use ovlint::internal::remote::is_remote;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Fails for the first path that does not exist; servers are not asked.
pub(crate) fn all_exist<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), String> {
    let missing = |path: &&PathBuf| path.metadata().err().filter(|_| !is_remote(path));
    let first = paths.into_iter().find_map(|path| Some((path, missing(&path)?)));
    first.map_or(Ok(()), |(path, error)| match error.kind() {
        ErrorKind::NotFound => Err(format!("`{}` does not exist", path.display())),
        _ => Err(cannot_read(path, &error)),
    })
}

/// Formats the message about an unreadable path.
pub(super) fn cannot_read(path: &Path, error: &std::io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}

/// Fails for the first path on a server, because `what` needs local files.
pub(crate) fn all_local<'a>(what: &str, paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), String> {
    let first = paths.into_iter().find(|path| is_remote(path));
    first.map_or(Ok(()), |path| Err(format!("{what}, and {} is on a server; download it first", path.display())))
}

/// Says that there is no model among the inputs, and returns the exit code.
pub(crate) fn no_input() -> u8 {
    complain("no OpenVINO IR found in the given paths");
    exit::NO_INPUT
}

/// Names each given folder with the configuration of a pipeline below which no model was found; returns whether there is one.
pub(crate) fn names_bare(given: &[PathBuf], inputs: &[Input]) -> bool {
    let has = |path: &Path| {
        let file = ["model_index.json", "config.json"].into_iter().find(|name| path.join(name).is_file())?;
        (!inputs.iter().any(|input| input.path.starts_with(path))).then_some(file)
    };
    let bare: Vec<_> = given.iter().filter_map(|path| Some((path, has(path)?))).collect();
    for (path, file) in &bare {
        complain(&format!(
            "{} has a {file}, but no OpenVINO IR: export the model with `optimum-cli export openvino`",
            shown(path)
        ));
    }
    !bare.is_empty()
}

/// Fails for stdin: models are files, with weights beside them.
pub(crate) fn refuse_stdin(path: &Path) -> Result<(), String> {
    if path == Path::new("-") && !path.exists() {
        return Err("models are not read from stdin; `check --files-from -` reads their paths from it".to_owned());
    }
    Ok(())
}

/// Fails for a folder.
pub(crate) fn refuse_folder(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Err(format!("{} is a folder, but this command needs a model (.xml)", path.display()));
    }
    Ok(())
}
