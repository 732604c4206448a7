//! The files that `ovlint reshape` writes, and those that it keeps.

use super::{MODEL, folder, reshape};
use crate::program::copy_of;
use std::fs;
use std::path::Path;

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

const SHAPE: [&str; 2] = ["--shape", "data[6,12,5,24]"];

fn split(arguments: &[&str]) -> (tempfile::TempDir, (i32, String, String)) {
    let folder = copy_of("models/variadic_split.xml");
    let result = reshape(folder.path(), &[&["variadic_split.xml"], &SHAPE[..], arguments].concat());
    (folder, result)
}

#[test]
fn weights_are_copied_linked_or_left() {
    let (folder, (code, out, err)) = split(&["-o", "n.xml"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("; n.bin copied ("), "{out}");
    let weights = fs::read(folder.path().join("variadic_split.bin")).unwrap();
    assert_eq!(fs::read(folder.path().join("n.bin")).unwrap(), weights);

    let (folder, (code, out, err)) = split(&["-o", "n.xml", "--bin", "link"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("; n.bin linked ("), "{out}");
    assert!(err.contains("a change to it affects both"), "{err}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let inode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().ino();
        assert_eq!(inode("n.bin"), inode("variadic_split.bin"));
    }
    assert_eq!(fs::read(folder.path().join("n.bin")).unwrap(), weights);

    let (folder, (code, _, err)) = split(&["-o", "n.xml", "--bin", "none"]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("read_model(\"n.xml\", \"variadic_split.bin\")"), "{err}");
    assert_eq!(names(folder.path()), ["n.xml", "variadic_split.bin", "variadic_split.xml"]);
}

#[test]
fn existing_files_are_kept_unless_forced() {
    for kept in ["n.xml", "n.bin"] {
        let folder = copy_of("models/variadic_split.xml");
        fs::write(folder.path().join(kept), "old").unwrap();
        let arguments = [&["variadic_split.xml"], &SHAPE[..], &["-o", "n.xml"]].concat();
        let (code, _, err) = reshape(folder.path(), &arguments);
        assert_eq!(code, 2);
        assert!(err.contains("it already exists and was not overwritten; --force replaces it"), "{err}");
        assert_eq!(fs::read(folder.path().join(kept)).unwrap(), b"old");
        assert_eq!(names(folder.path()).len(), 3);
        let (code, _, err) = reshape(folder.path(), &[&arguments[..], &["--force"]].concat());
        assert_eq!((code, err.as_str()), (0, ""));
        assert_ne!(fs::read(folder.path().join(kept)).unwrap(), b"old");
        let (code, _, err) = reshape(folder.path(), &[&arguments[..], &["--force", "--bin", "link"]].concat());
        assert_eq!(code, 0, "{err}");
        assert_eq!(names(folder.path()).len(), 4);
    }
}

#[test]
fn files_that_cannot_be_written_are_refused() {
    let folder = folder();
    fs::create_dir(folder.path().join("d.xml")).unwrap();
    for (output, wanted) in [
        ("m.xml", "is read by this command"),
        ("./m.xml", "is read by this command"),
        ("d.xml", "Is a directory"),
        ("none/n.xml", "No such file or directory"),
        ("n.txt", "must end in .xml"),
    ] {
        let (code, out, err) = reshape(folder.path(), &["m.xml", "--set", "seq=5", "--force", "-o", output]);
        assert_eq!((code, out.as_str()), (2, ""), "{output}");
        assert!(err.contains(wanted), "{output}: {err}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("m.xml", folder.path().join("link.xml")).unwrap();
        let (code, _, err) = reshape(folder.path(), &["link.xml", "--set", "seq=5", "--in-place"]);
        assert!(code == 2 && err.contains("it is a link"), "{err}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("m.xml")).unwrap(), MODEL);
}

#[test]
fn a_failed_write_leaves_neither_file() {
    let folder = copy_of("models/variadic_split.xml");
    for file in ["n.xml", "n.bin"] {
        let out = std::process::Command::new(env!("CARGO_BIN_EXE_ovlint"))
            .args(["reshape", "variadic_split.xml", "--shape", "data[6,12,5,24]", "-o", "n.xml"])
            .current_dir(folder.path())
            .env("OVLINT_TEST_FAULT", format!("finish {file}"))
            .output()
            .unwrap();
        assert_eq!(out.status.code(), Some(2));
        assert_eq!(names(folder.path()), ["variadic_split.bin", "variadic_split.xml"]);
    }
}
