//! Files that are written as a whole or not at all, the only way in which ovlint writes one.
//!
//! A new file takes the place of an old one, with its owner, permissions and extended attributes. What such a file cannot
//! be given is not lost but refused: links are not followed, as they lead out of the folder that was meant, and a file with
//! several hard links is left as it is, as only one of them would change.
//!
//! ```
//! use ovlint::internal::atomic::{Existing, NewFile};
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

mod marks;
mod nameless;

use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What becomes of a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing<'a> {
    /// It gives way, unless it is read-only.
    Replace,
    /// It gives way if it still holds these bytes once the new one is on the disk.
    Same(&'a [u8]),
    /// It stays, and the new one is not written.
    Keep,
}

/// A file that is not there before it is finished; until then, and for good if it never is, the old one stays.
///
/// On Linux it has no name until then, so nothing is left of it whatever ends the process. Elsewhere, and where the file
/// system has no nameless files, it grows beside its place, named `.ovlint-` and something. What is no ordinary file, such
/// as a pipe or a terminal, is written to directly.
#[derive(Debug)]
pub struct NewFile<'a> {
    place: Place<'a>,
}

#[derive(Debug)]
enum Place<'a> {
    Beside { file: Growing, path: PathBuf, existing: Existing<'a> },
    Direct(File),
}

/// A file that is not finished.
#[derive(Debug)]
enum Growing {
    Nameless(File),
    Named(NamedTempFile),
}

impl<'a> NewFile<'a> {
    /// Starts the file that is to be at `path`.
    ///
    /// # Errors
    /// If it could not be written there, so that a long run need not begin.
    pub fn begin(path: &Path, existing: Existing<'a>) -> io::Result<Self> {
        let old = fs::metadata(path).ok();
        if let Some(link) = fs::read_link(path).ok().filter(|_| !old.as_ref().is_some_and(is_device)) {
            if !is_of_system(path) {
                return Err(linked(&link));
            }
            return Ok(Self { place: Place::Direct(File::options().append(true).open(path)?) });
        }
        match &old {
            Some(_) if existing == Existing::Keep => Err(there_already()),
            Some(old) if !old.is_file() => Ok(Self { place: Place::Direct(File::options().write(true).open(path)?) }),
            old => {
                old.as_ref().map_or(Ok(()), marks::can_be_replaced)?;
                let file = Growing::beside(path)?;
                old.as_ref().map_or(Ok(()), |old| marks::copy(path, old, file.file()))?;
                Ok(Self { place: Place::Beside { file, path: path.to_owned(), existing } })
            }
        }
    }

    /// Puts the file in its place, once it is on the disk.
    ///
    /// # Errors
    /// If the operating system refuses, or somebody else wrote there meanwhile; the old file is then untouched.
    pub fn finish(self) -> io::Result<()> {
        let (file, path, existing) = match self.place {
            Place::Direct(mut file) => return file.flush(),
            Place::Beside { file, path, existing } => (file, path, existing),
        };
        file.file().sync_all()?;
        let file = file.named(&path)?;
        if let Existing::Same(bytes) = existing
            && fs::read(&path).ok().is_none_or(|now| now != bytes)
        {
            return Err(changed());
        }
        let done = match existing {
            Existing::Replace | Existing::Same(_) => file.persist(&path),
            Existing::Keep => file.persist_noclobber(&path),
        };
        done.map(drop).map_err(|failed| match failed.error.kind() {
            io::ErrorKind::AlreadyExists => there_already(),
            _ => failed.error,
        })
    }
}

impl Write for NewFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Place::Beside { file: Growing::Nameless(file), .. } | Place::Direct(file) => file.write(bytes),
            Place::Beside { file: Growing::Named(file), .. } => file.write(bytes),
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
        Ok(old) if is_device(&old) => Ok(()),
        _ => NewFile::begin(path, Existing::Replace).map(drop),
    }
}

/// Whether it is something to write to that keeps nothing, as a pipe or a terminal.
fn is_device(file: &fs::Metadata) -> bool {
    !file.is_file() && !file.is_dir()
}

/// Whether a link is one that the system keeps, as `/dev/stdout`.
fn is_of_system(path: &Path) -> bool {
    path.starts_with("/dev") || path.starts_with("/proc")
}

impl Growing {
    /// A new file in the folder of `path`, with the permissions of any new file, which is gone unless it is finished.
    fn beside(path: &Path) -> io::Result<Self> {
        let folder = folder(path);
        if let Some(file) = nameless::create(folder) {
            return Ok(Self::Nameless(file));
        }
        named(folder, create).map(Self::Named).map_err(|error| {
            let reason = match error.kind() {
                io::ErrorKind::PermissionDenied => "permission denied: its folder takes no new files".to_owned(),
                _ => format!("no new file can be made in its folder: {error}"),
            };
            io::Error::new(error.kind(), reason)
        })
    }

    fn file(&self) -> &File {
        match self {
            Self::Nameless(file) => file,
            Self::Named(file) => file.as_file(),
        }
    }

    /// The file with a name in the folder of `path`, which it has for the moment only before it takes its place.
    fn named(self, path: &Path) -> io::Result<NamedTempFile> {
        match self {
            Self::Named(file) => Ok(file),
            Self::Nameless(file) => {
                named(folder(path), |name| nameless::link(&file, name)).or_else(|_| copied(file, path))
            }
        }
    }
}

/// A copy of a file that cannot be given a name, as some sandboxes forbid it.
fn copied(mut file: File, path: &Path) -> io::Result<NamedTempFile> {
    let mut copy = named(folder(path), create)?;
    file.rewind()?;
    io::copy(&mut file, copy.as_file_mut())?;
    if let Ok(old) = fs::symlink_metadata(path) {
        marks::copy(path, &old, copy.as_file())?;
    }
    copy.as_file().sync_all()?;
    Ok(copy)
}

fn create(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create_new(true).open(path)
}

fn named(folder: &Path, make: impl FnMut(&Path) -> io::Result<File>) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(".ovlint-").make_in(folder, make)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn linked(target: &Path) -> io::Error {
    let target = target.display();
    io::Error::other(format!("it is a link to {target}, and links are not followed; name the file itself"))
}

/// Why a file is left as it is that is not what it was.
pub(crate) fn changed() -> io::Error {
    io::Error::other("it was changed meanwhile and is left as it is")
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
    fn what_somebody_else_writes_meanwhile_stays() {
        let (folder, path) = place();
        fs::write(&path, "old").unwrap();
        let late = NewFile::begin(&path, Existing::Same(b"old")).unwrap();
        fs::write(&path, "edit").unwrap();
        assert_eq!(late.finish().unwrap_err().to_string(), "it was changed meanwhile and is left as it is");
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("edit", 1));
        let late = NewFile::begin(&path, Existing::Same(b"edit")).unwrap();
        fs::remove_file(&path).unwrap();
        late.finish().unwrap_err();
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_the_old_one() {
        let (folder, path) = place();
        fs::write(&path, "old").unwrap();
        let mut begun = NewFile::begin(&path, Existing::Replace).unwrap();
        begun.write_all(b"begun").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
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
        use std::fs::Permissions;
        use std::os::unix::fs::{PermissionsExt, symlink};

        fn mode(path: &Path) -> u32 {
            fs::metadata(path).unwrap().permissions().mode() & 0o777
        }

        /// The old file and a link to it are as they were.
        fn assert_refused(path: &Path, told: &str) {
            let all = [Existing::Replace, Existing::Same(b"old"), Existing::Keep];
            let errors = all.map(|existing| write(path, existing, b"new").unwrap_err().to_string());
            assert_eq!(errors, [told; 3]);
            assert_eq!(probe(path).unwrap_err().to_string(), told);
        }

        #[test]
        fn links_are_not_followed() {
            let (folder, path) = place();
            let link = folder.path().join("b.txt");
            symlink("a.txt", &link).unwrap();
            let told = "it is a link to a.txt, and links are not followed; name the file itself";
            assert_refused(&link, told);
            assert_eq!(names(folder.path()), ["b.txt"], "the target of a link to nothing is not made");
            fs::write(&path, "old").unwrap();
            assert_refused(&link, told);
            assert_eq!(fs::read_to_string(&path).unwrap(), "old");
            // One that comes while the file is written gives way, and its target stays.
            fs::remove_file(&link).unwrap();
            let late = NewFile::begin(&link, Existing::Replace).unwrap();
            symlink("a.txt", &link).unwrap();
            late.finish().unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_file());
            assert_eq!(fs::read_to_string(&path).unwrap(), "old");
            // A folder on the way may be a link, as nothing else could be meant.
            let inner = tempfile::tempdir().unwrap();
            symlink(inner.path(), folder.path().join("inner")).unwrap();
            write(&folder.path().join("inner/c.txt"), Existing::Keep, b"new").unwrap();
            assert_eq!(names(inner.path()), ["c.txt"]);
        }

        #[test]
        fn permissions_stay() {
            let (_folder, path) = place();
            for permissions in [0o644, 0o640, 0o755, 0o600] {
                fs::write(&path, "old").unwrap();
                fs::set_permissions(&path, Permissions::from_mode(permissions)).unwrap();
                write(&path, Existing::Replace, b"new").unwrap();
                assert_eq!((mode(&path), fs::read_to_string(&path).unwrap().as_str()), (permissions, "new"));
            }
        }

        #[test]
        fn hard_links_are_not_parted() {
            let (folder, path) = place();
            fs::write(&path, "old").unwrap();
            fs::hard_link(&path, folder.path().join("b.txt")).unwrap();
            let told = "it has 2 hard links, of which only one would change; copy it first";
            for existing in [Existing::Replace, Existing::Same(b"old")] {
                assert_eq!(write(&path, existing, b"new").unwrap_err().to_string(), told);
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), "old");
            fs::remove_file(folder.path().join("b.txt")).unwrap();
            write(&path, Existing::Same(b"old"), b"new").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        }

        #[test]
        fn owners_stay() {
            use std::os::unix::fs::{MetadataExt, chown};
            let (_folder, path) = place();
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
            let (_folder, path) = place();
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
            let (_folder, path) = place();
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(b"new").unwrap();
            copied(file, &path).unwrap().persist(&path).unwrap();
            assert_eq!((fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("new", 0o640));
        }

        #[cfg(target_os = "linux")]
        #[test]
        fn nothing_is_left_of_a_process_that_is_killed() {
            let (folder, path) = place();
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
            let told = "permission denied: its folder takes no new files";
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
