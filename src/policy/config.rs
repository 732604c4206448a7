//! The configuration: `ovlint.toml`, `.ovlint.toml`, or `[tool.ovlint]` in `pyproject.toml`.

mod entries;
mod extension_ops;
mod links;
mod reader;
mod show;

pub use reader::ConfigError;

use super::Settings;
use crate::input::{self, Bounds};
use crate::limits::TEXT_FILE;
use reader::Reader;
use std::path::Path;

/// File names of configurations, by precedence within a folder.
const NAMES: [&str; 3] = ["ovlint.toml", ".ovlint.toml", PYPROJECT];
const PYPROJECT: &str = "pyproject.toml";

/// The configuration that `ovlint init` writes.
pub const TEMPLATE: &str = include_str!("template.toml");

impl Settings {
    /// Reads a configuration; its globs are relative to `folder`.
    pub fn read(path: &Path, folder: &Path) -> Result<Self, ConfigError> {
        let text = input::read_text(path, TEXT_FILE).map_err(|error| ConfigError::unusable(path, error))?;
        let nothing = || ConfigError::unusable(path, "there is no [tool.ovlint]");
        Self::parse(path, folder, None, text)?.ok_or_else(nothing)
    }

    /// Reads the configuration in a folder, if there is one. As the user did not name it, it may name no files outside of
    /// the folder.
    pub fn of_folder(folder: &Path) -> Result<Option<Self>, ConfigError> {
        for name in NAMES {
            let path = folder.join(name);
            if !path.metadata().is_ok_and(|found| !found.is_dir()) {
                continue;
            }
            let text = Bounds::around(folder).check_link(&path).and_then(|()| input::read_text(&path, TEXT_FILE));
            let text = text.map_err(|error| ConfigError::unusable(&path, error))?;
            if name == PYPROJECT && !text.contains("ovlint") {
                continue;
            }
            if let Some(settings) = Self::parse(&path, folder, Some(Bounds::of(folder)), text)? {
                return Ok(Some(settings));
            }
        }
        Ok(None)
    }

    /// Parses a configuration; `None` if it is a `pyproject.toml` without settings for ovlint. Files that it names must lie
    /// in the bounds, if there are any.
    pub fn parse(
        path: &Path,
        folder: &Path,
        bounds: Option<Bounds>,
        text: String,
    ) -> Result<Option<Self>, ConfigError> {
        let is_pyproject = path.file_name().is_some_and(|name| name == PYPROJECT);
        let settings = Reader { path, text: &text, folder, bounds: bounds.as_ref() }.settings(is_pyproject)?;
        Ok(settings.map(|settings| Self { path: Some(path.to_owned()), text, bounds, ..settings }))
    }
}
