//! Runs the commands that documents show, each page in its own copy of the samples, without a network.

use crate::program::{copy_folder, root};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Commands that are shown and not run, as they build or install something.
pub(super) const NOT_RUN: &[&str] = &["cargo test", "pre-commit install"];

/// A page with every command in its `console` blocks followed by what it prints now. Each block starts in a checkout,
/// which has the samples that the page names; `$ cd` goes to another folder of it.
pub(super) fn run(page: &str) -> String {
    let checkout = checkout(page);
    let (mut text, mut block) = (String::new(), None);
    for line in page.lines() {
        match (&mut block, line) {
            (None, "```console") => block = Some(checkout.path().to_owned()),
            (Some(_), "```") => block = None,
            (Some(folder), _) => {
                let Some(command) = line.strip_prefix("$ ") else { continue }; // What it printed before.
                let printed = match command.strip_prefix("cd ") {
                    Some(inner) => {
                        folder.push(inner);
                        String::new()
                    }
                    None if NOT_RUN.contains(&command) => String::new(),
                    None => output(command, folder),
                };
                text.extend([line, "\n", &printed]);
                continue;
            }
            (None, _) => {}
        }
        text.extend([line, "\n"]);
    }
    text
}

/// A folder with a copy of the samples that a page names: those of a rule, or all beside a model.
fn checkout(page: &str) -> TempDir {
    let checkout = tempfile::tempdir().unwrap();
    let named = page.split("ir-samples/").skip(1).map(|rest| rest.split([' ', '/', '\n']));
    let folders: BTreeSet<PathBuf> = named.map(|path| path.take(2).collect::<PathBuf>()).collect();
    for folder in folders {
        let folder = if root().join(&folder).is_dir() { &folder } else { folder.parent().unwrap() };
        let copied = checkout.path().join("ir-samples").join(folder);
        if !copied.exists() {
            copy_folder(&root().join(folder), &copied);
        }
    }
    checkout
}

/// What a command prints to stdout and stderr, in whole lines.
fn output(command: &str, folder: &Path) -> String {
    let built = Path::new(env!("CARGO_BIN_EXE_ovlint"));
    let line = command.replace("cargo run -- ", "ovlint ");
    let mut path = vec![built.parent().unwrap().to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let out = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{line}")])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(path).unwrap())
        .env("NO_COLOR", "1")
        .env_remove("COLUMNS")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("OVLINT_UPDATE")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let is_understood = out.status.code().is_some_and(|code| code < 126) && !text.starts_with("error: ");
    assert!(is_understood, "`{command}` in {}: {text}", folder.display());
    // A blank line at the end is left out as well, and so is how long it took.
    let lines = text.trim_end().lines().map(|line| match line.split_once(") in ") {
        Some((before, rest)) if line.starts_with("checked ") => {
            let (_, after) = rest.split_once("s: ").unwrap();
            format!("{before}) in 4 ms: {after}\n")
        }
        _ if line.contains(", configuration: ") && line.ends_with(" s") => {
            let (before, _) = line.rsplit_once(", ").unwrap();
            format!("{before}, 0.000 s\n")
        }
        _ => format!("{}\n", line.trim_end()),
    });
    lines.collect()
}
