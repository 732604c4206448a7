//! Bounds: the folder that untrusted paths and links must not leave.
//!
//! The model in a cloned repository, the files beside it and the configuration above it come from the author of that
//! repository. Their links and paths must not give access to other files of the user.

use crate::remote::is_remote;
use std::ffi::OsStr;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder outside of which nothing may be read.
///
/// ```
/// use ovlint::internal::input::Bounds;
/// use std::path::Path;
///
/// let bounds = Bounds::of(Path::new("ir-samples/models"));
/// assert!(bounds.holds(Path::new("ir-samples/models/split.xml"))?);
/// assert!(!bounds.holds(Path::new("ir-samples/models/../../Cargo.toml"))?);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The canonical path; `None` if there is no such folder, so that every path is outside.
    root: Option<Arc<Path>>,
}

impl Bounds {
    /// Creates bounds from a folder.
    pub fn of(folder: &Path) -> Self {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        Self { root: folder.canonicalize().ok().map(Arc::from) }
    }

    /// Creates bounds from the Git work tree around a folder, or else from the folder. A home folder that is a work tree is
    /// ignored, because it contains more than a project.
    pub fn around(folder: &Path) -> Self {
        let Self { root } = Self::of(folder);
        let mut above = root.iter().flat_map(|root| root.ancestors());
        let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
        let tree = above.find(|above| above.join(GIT).symlink_metadata().is_ok());
        let tree = tree.filter(|tree| home.as_deref() != Some(*tree)).map(Arc::from);
        Self { root: tree.or_else(|| root.clone()) }
    }

    /// Returns whether a path lies within the bounds, after following links. Files of Git count as outside, and the targets of
    /// links in the cache of the Hugging Face hub as inside.
    ///
    /// # Errors
    /// If a link cannot be followed.
    pub fn holds(&self, path: &Path) -> Result<bool> {
        let path = std::path::absolute(path)?;
        let real = resolved(&path)?;
        let below = self.root.as_deref().and_then(|root| real.strip_prefix(root).ok());
        let is_inside = below.is_some_and(|below| !is_of_git(below));
        Ok(is_inside || is_of_hub(&path, &real))
    }

    /// Checks that a path, whose folder lies within the bounds, is not a link that leads out of them.
    ///
    /// # Errors
    /// If it is such a link, or a link that cannot be followed.
    pub fn check_link(&self, path: &Path) -> Result<()> {
        if !path.is_symlink() || self.holds(path)? { Ok(()) } else { Err(outside()) }
    }

    /// Checks that a path in a configuration lies within the bounds, after following links.
    ///
    /// # Errors
    /// If it does not, or if a link cannot be followed.
    pub fn check_configured(&self, path: &Path) -> Result<()> {
        let message = "it is outside of the folder of the configuration; `--config FILE` trusts a configuration";
        if self.holds(path)? { Ok(()) } else { Err(Error::new(ErrorKind::PermissionDenied, message)) }
    }
}

const GIT: &str = ".git";

/// Whether a path is relative and stays below its folder, on every system. This excludes URLs, drives and hosts.
pub fn stays_below(path: &str) -> bool {
    let is_separator = |character| matches!(character, '/' | '\\');
    let starts_elsewhere = path.starts_with(is_separator) || path.get(1..2) == Some(":") || is_remote(Path::new(path));
    let depth = path.split(is_separator).try_fold(0_usize, |depth, part| match part {
        "" | "." => Some(depth),
        ".." => depth.checked_sub(1),
        _ => depth.checked_add(1),
    });
    !starts_elsewhere && depth.is_some()
}

/// Resolves the links in an absolute path. Of a path that does not exist, resolves those of its nearest existing ancestor.
fn resolved(path: &Path) -> Result<PathBuf> {
    for above in path.ancestors() {
        match above.canonicalize() {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            real => return real,
        }
    }
    Err(ErrorKind::NotFound.into())
}

/// Whether a path below a work tree belongs to Git, whose files may hold credentials. The contents of git-annex are exempt.
fn is_of_git(below: &Path) -> bool {
    let is_git = |part: &OsStr| part.eq_ignore_ascii_case(GIT);
    below.iter().any(is_git) && !below.starts_with(".git/annex/objects")
}

/// Whether a link belongs to the cache of the Hugging Face hub, where `models--a--b/snapshots/REVISION/model.xml` links to
/// `models--a--b/blobs/HASH`.
fn is_of_hub(link: &Path, real: &Path) -> bool {
    let Some(folder) = link.parent().and_then(|folder| resolved(folder).ok()) else { return false };
    let is_repository = |above: &&Path| {
        let name = above.file_name().map(OsStr::as_encoded_bytes).unwrap_or_default();
        name.starts_with(b"models--") && folder.starts_with(above.join("snapshots"))
    };
    folder.ancestors().find(is_repository).is_some_and(|repository| real.starts_with(repository.join("blobs")))
}

fn outside() -> Error {
    Error::new(
        ErrorKind::PermissionDenied,
        "it is a link out of the folder to check and its work tree; name the model itself to follow it",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_elsewhere_on_any_system_do_not_stay_below() {
        for path in ["a.bin", "a/b.bin", "./a", "a/../b", "a//b", "{name}.bin", "..a/b..", "a\\b"] {
            assert!(stays_below(path), "{path}");
        }
        for path in [
            "/a",
            "..",
            "../a",
            "a/../../b",
            "a/./../../b",
            "//host/share/a",
            "\\\\host\\share\\a",
            "\\a",
            "..\\a",
            "a\\..\\..\\b",
            "C:\\a",
            "c:a",
            "https://host/a",
            "HF://org/model/a",
            "s3://bucket/a",
            "file:///a",
        ] {
            assert!(!stays_below(path), "{path}");
        }
    }

    #[test]
    fn a_folder_that_is_not_there_holds_nothing() {
        let here = |bounds: &Bounds| bounds.holds(Path::new("Cargo.toml")).unwrap();
        for folder in ["none", "none/../none", "Cargo.toml/x"] {
            assert!(!here(&Bounds::of(Path::new(folder))) && !here(&Bounds::around(Path::new(folder))), "{folder}");
        }
        assert!(here(&Bounds::of(Path::new(""))) && here(&Bounds::of(Path::new("."))));
        assert!(!Bounds::of(Path::new("")).holds(Path::new("..")).unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_their_end() {
        use std::fs::{create_dir_all, write};
        use std::os::unix::fs::symlink;
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (root, outer) = (folder.path(), other.path());
        create_dir_all(root.join("models/deep")).unwrap();
        write(root.join("in.bin"), "1").unwrap();
        write(outer.join("out.bin"), "1").unwrap();
        let link = |target: &Path, name: &str| symlink(target, root.join("models").join(name)).unwrap();
        link(Path::new("../in.bin"), "up.bin");
        link(&outer.join("out.bin"), "out.bin");
        link(Path::new("out.bin"), "twice.bin");
        link(outer, "folder");
        link(&outer.join("none.bin"), "none.bin");
        link(Path::new("loop.bin"), "loop.bin");
        let models = root.join("models");
        let inside = |bounds: &Bounds, name: &str| bounds.holds(&models.join(name)).unwrap_or(false);
        let bounds = Bounds::around(&models);
        for name in ["up.bin", "out.bin", "twice.bin", "folder/out.bin", "folder/none/x.bin", "loop.bin", "../in.bin"] {
            assert!(!inside(&bounds, name), "{name}");
        }
        for name in [".", "deep", "deep/none/x.bin", "deep/../x.bin"] {
            assert!(inside(&bounds, name), "{name}");
        }
        // Reading through a dangling link fails anyway.
        assert!(inside(&bounds, "none.bin"));
        create_dir_all(root.join(".git")).unwrap();
        write(root.join(".git/config"), "token").unwrap();
        link(Path::new("../.git/config"), "git.bin");
        let bounds = Bounds::around(&models);
        assert!(inside(&bounds, "up.bin") && inside(&bounds, "../in.bin"));
        assert!(!inside(&bounds, "twice.bin") && !inside(&bounds, "git.bin") && !inside(&bounds, "../../x"));
        assert_eq!(bounds.check_link(&models.join("none")).ok(), Some(()));
    }

    #[cfg(unix)]
    #[test]
    fn the_cache_of_the_hub_is_one_folder_per_model() {
        use std::fs::{create_dir_all, write};
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let snapshot = |model: &str| folder.path().join(model).join("snapshots/1");
        for model in ["models--a--b", "models--a--c", "other"] {
            create_dir_all(snapshot(model)).unwrap();
            create_dir_all(folder.path().join(model).join("blobs")).unwrap();
            write(folder.path().join(model).join("blobs/f00"), "1").unwrap();
            symlink("../../blobs/f00", snapshot(model).join("m.bin")).unwrap();
        }
        symlink("../../../models--a--c/blobs/f00", snapshot("models--a--b").join("stolen.bin")).unwrap();
        let inside = |model: &str, name: &str| {
            let folder = snapshot(model);
            Bounds::around(&folder).check_link(&folder.join(name)).is_ok()
        };
        assert!(inside("models--a--b", "m.bin"));
        assert!(!inside("models--a--b", "stolen.bin") && !inside("other", "m.bin"));
    }
}
