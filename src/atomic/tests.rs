//! Files appear completely or not at all, whatever happens meanwhile.

#[cfg(unix)]
mod unix;

use super::*;

/// Returns a folder and a path in it.
fn folder_and_path() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    (folder, path)
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[test]
fn a_file_takes_the_place_of_the_old_one() {
    let (folder, path) = folder_and_path();
    for text in ["first", "second, and longer", "third"] {
        write(&path, Existing::Replace, text.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[test]
fn what_is_there_can_be_kept() {
    let (folder, path) = folder_and_path();
    let wanted = "it already exists and was not overwritten";
    // A file that appears during the write is kept as well.
    let late = NewFile::begin(&path, Existing::Keep).unwrap();
    write(&path, Existing::Keep, b"old").unwrap();
    assert_eq!(late.finish().unwrap_err().to_string(), wanted);
    assert_eq!(write(&path, Existing::Keep, b"new").unwrap_err().to_string(), wanted);
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[test]
fn what_somebody_else_writes_meanwhile_stays() {
    let (folder, path) = folder_and_path();
    fs::write(&path, "old").unwrap();
    let late = NewFile::begin(&path, Existing::Same(b"old")).unwrap();
    fs::write(&path, "edit").unwrap();
    assert_eq!(late.finish().unwrap_err().to_string(), "it changed in the meantime and was not overwritten");
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("edit", 1));
    let late = NewFile::begin(&path, Existing::Same(b"edit")).unwrap();
    fs::remove_file(&path).unwrap();
    late.finish().unwrap_err();
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_file_that_is_not_finished_leaves_the_old_one() {
    let (folder, path) = folder_and_path();
    fs::write(&path, "old").unwrap();
    let mut begun = NewFile::begin(&path, Existing::Replace).unwrap();
    begun.write_all(b"begun").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    drop(begun);
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("old", 1));

    // A crash leaves a temporary file that no run reads as a model and that blocks nothing.
    let mut crashed = NewFile::begin(&path, Existing::Replace).unwrap();
    crashed.write_all(b"begun").unwrap();
    std::mem::forget(crashed);
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert!(names(folder.path()).iter().all(|name| name == "a.txt" || name.starts_with(".ovlint-")));
    write(&path, Existing::Replace, b"new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
}

#[test]
fn a_folder_that_is_not_there_is_named_as_the_cause() {
    let (folder, _) = folder_and_path();
    let error = probe(&folder.path().join("none/a.txt")).unwrap_err().to_string();
    assert_eq!(error, "cannot create a file in its folder: No such file or directory (os error 2)");
}

#[test]
fn a_file_is_compared_before_its_replacement_has_a_name() {
    let (folder, path) = folder_and_path();
    fs::write(&path, "old").unwrap();
    let new = NewFile::begin(&path, Existing::Same(b"old")).unwrap();
    // Both fail now; the first error is reported.
    drop(folder);
    assert_eq!(new.finish().unwrap_err().to_string(), changed().to_string());
}
