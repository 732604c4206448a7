//! Tests of writes to links, devices and read-only files, and of the permissions and owners of new files.

use super::*;
use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt, symlink};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Checks the error of a write in every mode, and that of a trial.
fn assert_refused(path: &Path, wanted: &str) {
    let all = [Existing::Replace, Existing::Same(b"old"), Existing::Keep];
    let errors = all.map(|existing| write(path, existing, b"new").unwrap_err().to_string());
    assert_eq!(errors, [wanted; 3]);
    assert_eq!(probe(path).unwrap_err().to_string(), wanted);
}

#[test]
fn links_are_not_followed() {
    let (folder, path) = folder_and_path();
    let link = folder.path().join("b.txt");
    symlink("a.txt", &link).unwrap();
    let wanted = "it is a link to a.txt, and links are not followed; name the file itself";
    assert_refused(&link, wanted);
    assert_eq!(names(folder.path()), ["b.txt"], "the target of a link to nothing is not made");
    fs::write(&path, "old").unwrap();
    assert_refused(&link, wanted);
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    // A link that appears during the write is replaced; its target is kept.
    fs::remove_file(&link).unwrap();
    let late = NewFile::begin(&link, Existing::Replace).unwrap();
    symlink("a.txt", &link).unwrap();
    late.finish().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_file());
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    // A folder on the path may be a link.
    let inner = tempfile::tempdir().unwrap();
    symlink(inner.path(), folder.path().join("inner")).unwrap();
    write(&folder.path().join("inner/c.txt"), Existing::Keep, b"new").unwrap();
    assert_eq!(names(inner.path()), ["c.txt"]);
}

#[test]
fn permissions_stay() {
    let (_folder, path) = folder_and_path();
    for permissions in [0o644, 0o640, 0o755, 0o600] {
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(permissions)).unwrap();
        write(&path, Existing::Replace, b"new").unwrap();
        assert_eq!((mode(&path), fs::read_to_string(&path).unwrap().as_str()), (permissions, "new"));
    }
}

#[test]
fn hard_links_are_not_parted() {
    let (folder, path) = folder_and_path();
    fs::write(&path, "old").unwrap();
    fs::hard_link(&path, folder.path().join("b.txt")).unwrap();
    let wanted = "it has 2 hard links, of which only one would change; copy it first";
    for existing in [Existing::Replace, Existing::Same(b"old")] {
        assert_eq!(write(&path, existing, b"new").unwrap_err().to_string(), wanted);
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    fs::remove_file(folder.path().join("b.txt")).unwrap();
    write(&path, Existing::Same(b"old"), b"new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
}

#[test]
fn owners_stay() {
    use std::os::unix::fs::{MetadataExt, chown};
    let (_folder, path) = folder_and_path();
    fs::write(&path, "old").unwrap();
    if chown(&path, Some(1234), Some(4321)).is_err() {
        return; // Only the superuser may give files away.
    }
    write(&path, Existing::Replace, b"new").unwrap();
    let new = fs::metadata(&path).unwrap();
    assert_eq!((new.uid(), new.gid(), fs::read_to_string(&path).unwrap().as_str()), (1234, 4321, "new"));
}

#[cfg(target_os = "linux")]
#[test]
fn extended_attributes_stay() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    let (_folder, path) = folder_and_path();
    fs::write(&path, "old").unwrap();
    if setxattr(&path, "user.origin", b"export 7", XattrFlags::empty()).is_err() {
        return; // Not every file system has them.
    }
    write(&path, Existing::Replace, b"new").unwrap();
    let mut value = [0; 20];
    let length = getxattr(&path, "user.origin", &mut value[..]).unwrap();
    assert_eq!((&value[..length], fs::read(&path).unwrap().as_slice()), (&b"export 7"[..], &b"new"[..]));
}

#[test]
fn what_cannot_be_named_is_copied() {
    let (_folder, path) = folder_and_path();
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(b"new").unwrap();
    unfinished::copied(file, &path).unwrap().persist(&path).unwrap();
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("new", 0o640));
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_of_a_process_that_is_killed() {
    let (folder, path) = folder_and_path();
    if nameless::create(folder.path()).is_none() {
        return; // Not every file system has nameless files.
    }
    fs::write(&path, "old").unwrap();
    let mut killed = NewFile::begin(&path, Existing::Replace).unwrap();
    killed.write_all(b"begun").unwrap();
    std::mem::forget(killed);
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[test]
fn read_only_files_stay() {
    let (folder, path) = folder_and_path();
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    for error in [probe(&path).unwrap_err(), write(&path, Existing::Replace, b"new").unwrap_err()] {
        assert_eq!((error.kind(), error.to_string().as_str()), (io::ErrorKind::PermissionDenied, "it is read-only"));
    }
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("old", 0o444));
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[test]
fn folders_that_take_no_files_are_reported() {
    let (folder, path) = folder_and_path();
    fs::write(&path, "old").unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o555)).unwrap();
    let written = write(&path, Existing::Replace, b"new").map_err(|error| error.to_string());
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    // Privileged users, as in containers, are not refused.
    let wanted = "permission denied: its folder takes no new files";
    match written {
        Ok(()) => assert_eq!(fs::read_to_string(&path).unwrap(), "new"),
        Err(error) => assert_eq!((error.as_str(), fs::read_to_string(&path).unwrap().as_str()), (wanted, "old")),
    }
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[test]
fn what_is_no_file_is_written_to() {
    for file in ["/dev/null", "/dev/stderr"] {
        if Path::new(file).exists() {
            probe(Path::new(file)).unwrap();
        }
    }
    write(Path::new("/dev/null"), Existing::Replace, b"x").unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}
