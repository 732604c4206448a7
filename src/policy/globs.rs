//! Globs over files, as in `.gitignore`, and over names.

use crate::remote::is_remote;
use globset::{GlobBuilder, GlobMatcher};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::path::{Component, Path, PathBuf};

/// Globs over files as in `.gitignore`, relative to a folder. One with a slash starts there, one without matches at any
/// depth; a folder stands for everything below it, and `!` excludes files again.
#[derive(Clone, Debug)]
pub struct FileGlobs {
    patterns: Vec<String>,
    root: PathBuf,
    matcher: Gitignore,
}

impl FileGlobs {
    /// Creates globs relative to a folder.
    pub fn new(root: &Path, patterns: &[impl AsRef<str>]) -> Result<Self, String> {
        let root = absolute(root);
        let mut builder = GitignoreBuilder::new(&root);
        builder.allow_unclosed_class(false);
        for pattern in patterns.iter().map(AsRef::as_ref) {
            // A pattern that starts with `./` starts at the folder.
            let line = pattern.strip_prefix("./").map_or(pattern.to_owned(), |rest| format!("/{rest}"));
            builder.add_line(None, &line).map_err(|error| bad_glob(pattern, &error))?;
        }
        let matcher = builder.build().map_err(|error| bad_glob("", &error))?;
        Ok(Self { patterns: patterns.iter().map(|pattern| pattern.as_ref().to_owned()).collect(), root, matcher })
    }

    /// Whether a file matches; the path must be absolute.
    pub fn admit(&self, path: &Path) -> bool {
        // Other files are matched from the root of the file system.
        let local = path.strip_prefix(&self.root).ok().map(Path::to_owned);
        let local =
            local.unwrap_or_else(|| path.components().filter(|part| matches!(part, Component::Normal(_))).collect());
        self.matcher.matched_path_or_any_parents(local, false).is_ignore()
    }

    /// Whether any glob matches a file, even one that excludes it again; the path must be absolute.
    pub(super) fn mentions(&self, path: &Path) -> bool {
        path.strip_prefix(&self.root)
            .is_ok_and(|local| !self.matcher.matched_path_or_any_parents(local, false).is_none())
    }

    /// Returns the folder, as an absolute path.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the globs as written.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }
}

fn bad_glob(glob: &str, error: &ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => format!("`{glob}` is not a glob: {err}"),
        other => format!("`{glob}` is not a glob: {other}"),
    }
}

/// Makes a path absolute, without `.` and `..`; does not resolve links. A URL is absolute already.
pub fn absolute(path: &Path) -> PathBuf {
    // The parent of a bare file name is the working folder.
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    if is_remote(path) {
        path.to_owned()
    } else {
        clean(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
    }
}

/// Makes a path absolute as [`absolute`] does, from a folder that is absolute already: the working folder, asked for once.
pub fn absolute_from(folder: &Path, path: &Path) -> PathBuf {
    if is_remote(path) { path.to_owned() } else { clean(&folder.join(path)) }
}

fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            part => clean.push(part),
        }
    }
    clean
}

/// Formats the path of a configuration, relative to the current folder if it is in that folder, below or above it.
pub fn from_here(path: &Path) -> String {
    let here = absolute(Path::new("."));
    let above = || {
        let (folder, name) = (path.parent()?, path.file_name()?);
        let up = here.strip_prefix(folder).ok()?;
        Some(up.components().map(|_| Path::new("..")).chain([Path::new(name)]).collect())
    };
    let below = path.strip_prefix(&here).ok().map(Path::to_owned);
    below.or_else(above).unwrap_or_else(|| path.to_owned()).display().to_string()
}

/// A name, or a glob over names in which `*` matches any text.
#[derive(Clone, Debug)]
pub struct NameGlob {
    pattern: String,
    matcher: GlobMatcher,
}

impl NameGlob {
    /// Parses a glob.
    pub fn new(pattern: &str) -> Result<Self, String> {
        let glob = GlobBuilder::new(pattern).backslash_escape(true).build();
        let glob = glob.map_err(|error| format!("`{pattern}` is not a glob: {}", error.kind()))?;
        Ok(Self { pattern: pattern.to_owned(), matcher: glob.compile_matcher() })
    }

    /// Whether a name matches.
    pub fn admits(&self, name: &str) -> bool {
        self.pattern == name || self.matcher.is_match(name)
    }

    /// Returns the glob as written.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_seen_from_a_folder() {
        let admits =
            |glob: &str, path: &str| FileGlobs::new(Path::new("/a/b"), &[glob]).unwrap().admit(Path::new(path));
        for (glob, path) in [
            ("*.xml", "/a/b/c/d.xml"),
            ("exports/*.xml", "/a/b/exports/d.xml"),
            ("exports/**/*.xml", "/a/b/exports/c/d.xml"),
            ("exports/", "/a/b/exports/c/d.xml"),
            ("./d.xml", "/a/b/d.xml"),
            ("**/d.xml", "/a/b/x/y/d.xml"),
            ("*.xml", "/elsewhere/d.xml"),
            ("**/a/*.xml", "https://host/a/d.xml"),
        ] {
            assert!(admits(glob, path), "{glob} {path}");
        }
        for (glob, path) in [
            ("exports/*.xml", "/a/b/exports/c/d.xml"),
            ("exports/*.xml", "/a/b/old/exports/d.xml"),
            ("./d.xml", "/a/b/c/d.xml"),
            ("exports/*.xml", "/elsewhere/exports/d.xml"),
        ] {
            assert!(!admits(glob, path), "{glob} {path}");
        }
        let but = FileGlobs::new(Path::new("/a"), &["*.xml", "!keep.xml"]).unwrap();
        assert!(but.admit(Path::new("/a/x.xml")) && !but.admit(Path::new("/a/keep.xml")));
    }

    #[test]
    fn names_have_no_folders() {
        let admits = |glob: &str, name: &str| NameGlob::new(glob).unwrap().admits(name);
        assert!(admits("debug/*", "debug/a/b") && !admits("debug/*", "x/debug/a"));
        assert!(admits("split[0]", "split[0]") && admits("split[01]", "split1") && admits("a/?", "a/b"));
    }

    #[test]
    fn bad_globs_say_what_is_wrong() {
        let message = FileGlobs::new(Path::new("/"), &["a[x"]).unwrap_err();
        assert_eq!(message, "`a[x` is not a glob: unclosed character class; missing ']'");
        assert_eq!(NameGlob::new("a[x").unwrap_err(), message);
    }

    #[test]
    fn paths_are_cleaned() {
        assert_eq!(absolute(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert!(absolute(Path::new("x")).is_absolute());
        assert_eq!(absolute(Path::new("hf://a/b/c.xml")).to_str(), Some("hf://a/b/c.xml"));
    }
}
