//! Files that have no name until they are complete, on Linux: the system deletes them if the process that writes them is
//! killed.

use std::fs::File;
use std::io;
use std::path::Path;

/// Creates a nameless file in a folder; `None` if that is not supported.
#[cfg(target_os = "linux")]
pub(super) fn create(folder: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    // `link` uses this folder.
    if !Path::new("/proc/self/fd").exists() {
        return None;
    }
    File::options().read(true).write(true).custom_flags(libc::O_TMPFILE).open(folder).ok()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn create(_: &Path) -> Option<File> {
    None
}

/// Gives a nameless file a name that is not taken.
#[cfg(target_os = "linux")]
pub(super) fn link(file: &File, name: &Path) -> io::Result<File> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let own = format!("/proc/self/fd/{}", file.as_raw_fd());
    linkat(CWD, own, CWD, name, AtFlags::SYMLINK_FOLLOW)?;
    file.try_clone()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn link(_: &File, _: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}
