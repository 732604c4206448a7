//! The metadata of a file that is replaced: the new one gets its owner, permissions and extended attributes; one that is
//! read-only or has further hard links is refused.

use crate::text::plural;
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Checks that a file may be replaced: it is not read-only, and has no further hard links.
pub(super) fn check_replaceable(old: &Metadata) -> io::Result<()> {
    if old.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
    }
    #[cfg(unix)]
    if let links @ 2.. = std::os::unix::fs::MetadataExt::nlink(old) {
        let reason =
            format!("it has {links} hard link{s}, of which only one would change; copy it first", s = plural(links));
        return Err(io::Error::other(reason));
    }
    Ok(())
}

/// Copies the metadata of the old file at `path` to a new one.
pub(super) fn copy(path: &Path, old: &Metadata, new: &File) -> io::Result<()> {
    owner(old, new)?;
    new.set_permissions(old.permissions())?;
    attributes(path, new)
}

#[cfg(unix)]
fn owner(old: &Metadata, new: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let is = new.metadata()?;
    let (user, group) = (old.uid(), old.gid());
    if (is.uid(), is.gid()) == (user, group) {
        return Ok(());
    }
    let refused = |error: io::Error| {
        let reason = format!("it belongs to user {user} and group {group}, as a new file would not: {error}");
        io::Error::new(error.kind(), reason)
    };
    fchown(new, Some(user), Some(group)).map_err(refused)
}

#[cfg(not(unix))]
fn owner(_: &Metadata, _: &File) -> io::Result<()> {
    Ok(())
}

/// The maximum size on Linux of the names of all extended attributes, and of one value, in bytes.
#[cfg(target_os = "linux")]
const LONGEST: usize = 1 << 16;

/// Copies extended attributes, including access control lists, but not signatures of the old bytes.
#[cfg(target_os = "linux")]
fn attributes(path: &Path, new: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fgetxattr, fsetxattr, lgetxattr, llistxattr};
    let (mut names, mut value, mut now) = (vec![0; LONGEST], vec![0; LONGEST], vec![0; LONGEST]);
    let length = llistxattr(path, &mut names[..]).unwrap_or(0);
    let names = names.get(..length).unwrap_or_default();
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        if matches!(name, b"security.ima" | b"security.evm") {
            continue;
        }
        let length = lgetxattr(path, name, &mut value[..])?;
        let value = value.get(..length).unwrap_or_default();
        if fgetxattr(new, name, &mut now[..]).is_ok_and(|length| now.get(..length) == Some(value)) {
            continue;
        }
        fsetxattr(new, name, value, XattrFlags::empty()).map_err(|error| {
            let (name, error) = (String::from_utf8_lossy(name), io::Error::from(error));
            let reason = format!("its extended attribute `{name}` cannot be given to a new file: {error}");
            io::Error::new(error.kind(), reason)
        })?;
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn attributes(_: &Path, _: &File) -> io::Result<()> {
    Ok(())
}
