//! A panic in one file is a finding about that file; everything else is reported as if nothing had happened.
//!
//! Panics are brought about in builds with debug assertions only.
#![cfg(debug_assertions)]

use crate::program::{code, copy_of, utf8};
use ovlint::internal::report::Format;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Exit code, stdout and stderr of a run in which a file makes ovlint panic.
fn run(folder: &Path, file: &str, arguments: &str) -> (i32, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_ovlint"))
        .args(arguments.split(' '))
        .current_dir(folder)
        .env("OVLINT_TEST_FAULT", format!("panic {file}"))
        .env("NO_COLOR", "1")
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap();
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

/// Three models, the last of which has an error.
fn models() -> tempfile::TempDir {
    let folder = copy_of("bad/declared-shape/model.xml");
    for name in ["a", "b", "c"] {
        for ending in ["xml", "bin"] {
            let from = folder.path().join("model").with_extension(ending);
            fs::copy(from, folder.path().join(name).with_extension(ending)).unwrap();
        }
    }
    for ending in ["xml", "bin"] {
        fs::remove_file(folder.path().join("model").with_extension(ending)).unwrap();
    }
    folder
}

/// What is said of the panic; the line of the source may change.
fn without_line(text: &str) -> String {
    let Some((before, after)) = text.split_once("(src/fault.rs:") else { return text.to_owned() };
    let (_, after) = after.split_once(')').unwrap();
    format!("{before}(src/fault.rs:N){}", without_line(after))
}

const MESSAGE: &str = "ovlint 0.1.0 failed on this file: a fault that a test asked for (src/fault.rs:N)";

#[test]
fn one_file_does_not_take_the_others_with_it() {
    let folder = models();
    for jobs in ["1", "2"] {
        let (code, out, err) = run(folder.path(), "b.xml", &format!("check . -j {jobs} --format concise"));
        let lines: Vec<String> = out.lines().map(without_line).collect();
        assert_eq!((code, err.as_str(), lines.len()), (2, "", 3), "{out}");
        assert!(lines[0].starts_with("./a.xml:35:11: error[declared-shape] "), "{out}");
        assert_eq!(lines[1], format!("./b.xml: error[internal-error] {MESSAGE}"));
        assert!(lines[2].starts_with("./c.xml:35:11: error[declared-shape] "), "{out}");
    }
}

#[test]
fn every_report_is_whole() {
    let folder = models();
    for format in Format::ALL {
        let (code, out, err) = run(folder.path(), "b.xml", &format!("check . --format {}", format.name()));
        assert_eq!((code, err.as_str()), (2, ""), "{}", format.name());
        for part in ["a.xml", "b.xml", "c.xml", "internal-error", "a fault that a test asked for"] {
            assert!(out.contains(part), "{} lacks {part}: {out}", format.name());
        }
        match format.name() {
            "json" | "sarif" | "gitlab" => {
                serde_json::from_str::<Value>(&out).expect("one JSON object");
            }
            "junit" => assert!(out.trim_end().ends_with('>') && out.starts_with("<?xml"), "{out}"),
            _ => {}
        }
    }
}

#[test]
fn a_single_file_is_reported_as_well() {
    let folder = models();
    let (code, out, err) = run(folder.path(), "b.xml", "check b.xml");
    let wanted = format!(
        "error[internal-error]: {MESSAGE}\n  --> b.xml\n   |\n   = help: this is a bug in ovlint: report it with this \
         message and, if you can, the file\n\n1 error in 1 of 1 model. See `ovlint explain internal-error` for details.\n"
    );
    assert_eq!((code, without_line(&out), err.as_str()), (2, wanted, ""));
}

#[test]
fn other_commands_go_on_with_the_other_files() {
    let folder = models();
    assert_eq!(run(folder.path(), "none.xml", "snapshot update .").0, 0);
    for command in ["info .", "snapshot check .", "diff . .", "shapes b.xml", "info b.xml"] {
        let (code, out, err) = run(folder.path(), "b.xml", command);
        assert!(code == 2 && err.contains("ovlint 0.1.0 failed on this file: a fault"), "{command}: {code} {err}");
        assert!(err.contains("this is a bug in ovlint") && !err.contains("panicked"), "{command}: {err}");
        match command {
            "info ." => assert!(out.contains("a.xml") && out.contains("c.xml"), "{out}"),
            "snapshot check ." => assert!(err.ends_with("3 models: 1 unreadable\n"), "{err}"),
            "diff . ." => assert!(out.contains("2 the same"), "{out}"),
            _ => assert_eq!(out, "", "{command}"),
        }
    }
}

#[test]
fn backtraces_are_printed_where_they_are_asked_for() {
    let folder = models();
    let out = Command::new(env!("CARGO_BIN_EXE_ovlint"))
        .args(["check", "b.xml"])
        .current_dir(folder.path())
        .env("OVLINT_TEST_FAULT", "panic b.xml")
        .env("RUST_BACKTRACE", "1")
        .output()
        .unwrap();
    let err = utf8(&out.stderr);
    assert!(err.contains("panicked at src/fault.rs") && err.contains("stack backtrace"), "{err}");
}
