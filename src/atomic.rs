//! Files that are written as a whole or not at all.
//!
//! ```
//! use ovlint::atomic::{Existing, NewFile};
//! use std::io::Write;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("report.txt");
//! let mut file = NewFile::begin(&path, Existing::Replace)?;
//! file.write_all(b"all of it")?;
//! assert!(!path.exists());
//! file.finish()?;
//! assert_eq!(std::fs::read(&path)?, b"all of it");
//! assert!(NewFile::begin(&path, Existing::Keep).is_err());
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What becomes of a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It gives way, unless it is read-only; the new one has its permissions.
    Replace,
    /// It stays, and the new one is not written.
    Keep,
}

/// A file that is not there before it is finished; until then, and for good if it never is, the old one stays.
///
/// It grows beside its place, named `.ovlint-` and something. Links are followed. What is no ordinary file, such as a pipe
/// or a terminal, is written to directly.
#[derive(Debug)]
pub struct NewFile {
    place: Place,
}

#[derive(Debug)]
enum Place {
    Beside { file: NamedTempFile, path: PathBuf, permissions: Option<Permissions>, existing: Existing },
    Direct(File),
}

impl NewFile {
    /// Starts the file that is to be at `path`.
    ///
    /// # Errors
    /// If it could not be written there, so that a long run need not begin.
    pub fn begin(path: &Path, existing: Existing) -> io::Result<Self> {
        let old = fs::metadata(path).ok();
        if old.is_some() && existing == Existing::Keep {
            return Err(there_already());
        }
        let permissions = match &old {
            Some(old) if !old.is_file() => {
                return Ok(Self { place: Place::Direct(File::options().write(true).open(path)?) });
            }
            Some(old) if old.permissions().readonly() => {
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
            }
            old => old.as_ref().map(fs::Metadata::permissions),
        };
        let path = if old.is_some() { fs::canonicalize(path)? } else { target(path)? };
        Ok(Self { place: Place::Beside { file: beside(&path)?, path, permissions, existing } })
    }

    /// Puts the file in its place, once it is on the disk.
    ///
    /// # Errors
    /// If the operating system refuses; the old file is then untouched.
    pub fn finish(self) -> io::Result<()> {
        match self.place {
            Place::Direct(mut file) => file.flush(),
            Place::Beside { file, path, permissions, existing } => {
                if let Some(permissions) = permissions {
                    file.as_file().set_permissions(permissions)?;
                }
                file.as_file().sync_all()?;
                let done = match existing {
                    Existing::Replace => file.persist(&path),
                    Existing::Keep => file.persist_noclobber(&path),
                };
                done.map(drop).map_err(|failed| match failed.error.kind() {
                    io::ErrorKind::AlreadyExists => there_already(),
                    _ => failed.error,
                })
            }
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Place::Beside { file, .. } => file.as_file_mut().write(bytes),
            Place::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Puts bytes into the file at `path`, as a whole or not at all.
///
/// # Errors
/// As [`NewFile`]; the old file is then untouched.
pub fn write(path: &Path, existing: Existing, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::begin(path, existing)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Whether a file could be replaced or made at `path`. Pipes are not touched, as their readers would take note.
///
/// # Errors
/// Why not.
pub fn probe(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(old) if !old.is_file() => Ok(()),
        _ => NewFile::begin(path, Existing::Replace).map(drop),
    }
}

/// Where links lead that lead to nothing yet.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // As many as Linux follows.
    for _ in 0..40 {
        let Ok(next) = fs::read_link(&path) else { return Ok(path) };
        path = folder(&path).join(next);
    }
    Err(io::Error::other("its links lead in a circle"))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A new file beside `path`, with the permissions of any new file, which is gone unless it takes its place.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let new = |path: &Path| File::options().write(true).create_new(true).open(path);
    let made = tempfile::Builder::new().prefix(".ovlint-").make_in(folder(path), new);
    made.map_err(|error| io::Error::new(error.kind(), format!("no new file can be made in its folder: {error}")))
}

fn there_already() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "it exists already and is left as it is")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder, and a path in it.
    fn place() -> (tempfile::TempDir, PathBuf) {
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
        let (folder, path) = place();
        for text in ["first", "second, and longer", "third"] {
            write(&path, Existing::Replace, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn what_is_there_can_be_kept() {
        let (folder, path) = place();
        let told = "it exists already and is left as it is";
        // One that comes while this one is written is no different.
        let late = NewFile::begin(&path, Existing::Keep).unwrap();
        write(&path, Existing::Keep, b"old").unwrap();
        assert_eq!(late.finish().unwrap_err().to_string(), told);
        assert_eq!(write(&path, Existing::Keep, b"new").unwrap_err().to_string(), told);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_the_old_one() {
        let (folder, path) = place();
        fs::write(&path, "old").unwrap();
        let mut begun = NewFile::begin(&path, Existing::Replace).unwrap();
        begun.write_all(b"begun").unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("old", 2));
        drop(begun);
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("old", 1));

        // A crash leaves a file beside it that no run takes for a model, and that is in nobody's way.
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
        let (folder, _) = place();
        let error = probe(&folder.path().join("none/a.txt")).unwrap_err().to_string();
        assert_eq!(error, "no new file can be made in its folder: No such file or directory (os error 2)");
    }

    #[cfg(unix)]
    mod unix {
        use super::*;
        use std::os::unix::fs::{PermissionsExt, symlink};

        fn mode(path: &Path) -> u32 {
            fs::metadata(path).unwrap().permissions().mode() & 0o777
        }

        #[test]
        fn links_and_permissions_stay() {
            let (folder, path) = place();
            let (link, second) = (folder.path().join("b.txt"), folder.path().join("c.txt"));
            symlink("a.txt", &link).unwrap();
            symlink(&link, &second).unwrap();
            // The first time, the links lead to nothing yet.
            for (text, permissions) in [("first", 0o644), ("second", 0o640), ("third", 0o755)] {
                write(&second, Existing::Replace, text.as_bytes()).unwrap();
                assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
                assert!(fs::symlink_metadata(&second).unwrap().is_symlink());
                assert_eq!(fs::read_to_string(&path).unwrap(), text);
                fs::set_permissions(&path, Permissions::from_mode(permissions)).unwrap();
                write(&second, Existing::Replace, text.as_bytes()).unwrap();
                assert_eq!(mode(&path), permissions);
            }
            assert_eq!(write(&second, Existing::Keep, b"").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        }

        #[test]
        fn a_circle_of_links_is_refused() {
            let (_folder, path) = place();
            symlink("a.txt", &path).unwrap();
            let error = write(&path, Existing::Replace, b"x").unwrap_err();
            assert_eq!(error.to_string(), "its links lead in a circle");
            assert!(fs::symlink_metadata(&path).unwrap().is_symlink());
        }

        #[test]
        fn read_only_files_stay() {
            let (folder, path) = place();
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
            for error in [probe(&path).unwrap_err(), write(&path, Existing::Replace, b"new").unwrap_err()] {
                assert_eq!(
                    (error.kind(), error.to_string().as_str()),
                    (io::ErrorKind::PermissionDenied, "it is read-only")
                );
            }
            assert_eq!((fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("old", 0o444));
            assert_eq!(names(folder.path()), ["a.txt"]);
        }

        #[test]
        fn folders_that_take_no_files_are_told() {
            let (folder, path) = place();
            fs::write(&path, "old").unwrap();
            fs::set_permissions(folder.path(), Permissions::from_mode(0o555)).unwrap();
            let written = write(&path, Existing::Replace, b"new").map_err(|error| error.to_string());
            fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
            // Those who may do everything, as in containers, are not refused.
            let told = "no new file can be made in its folder: Permission denied (os error 13)";
            match written {
                Ok(()) => assert_eq!(fs::read_to_string(&path).unwrap(), "new"),
                Err(error) => assert_eq!((error.as_str(), fs::read_to_string(&path).unwrap().as_str()), (told, "old")),
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
    }
}
