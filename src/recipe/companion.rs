//! The file that configures a server for a model: the one that the user names, or the one found beside the model.

use super::view::View;
use crate::input::{self, Bounds};
use crate::limits::TEXT_FILE;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A file that configures a server for a model.
pub(super) struct Companion {
    /// The name, without folders.
    pub name: String,
    pub path: PathBuf,
    pub text: String,
}

impl Companion {
    /// Reads the file that the user names, or else the one beside the model; `None` if there is none.
    pub(super) fn find(view: &View, folders: &[&str], name: &str) -> Result<Option<Self>, String> {
        let Some(path) = view.chosen.and_then(|chosen| chosen.file.as_ref()) else {
            return Self::beside(view, folders, name);
        };
        let text =
            input::read_text(path, TEXT_FILE).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Some(Self { name, path: path.clone(), text }))
    }

    /// Reads the first file of this name in these folders, given relative to the model's folder. For a model found in a folder,
    /// the file must not be a link out of that folder. For a recipe that the user did not name, both must lie within the bounds
    /// of the recipe.
    pub(super) fn beside(view: &View, folders: &[&str], name: &str) -> Result<Option<Self>, String> {
        let folder = view.model.source().path().parent().unwrap_or(Path::new(""));
        for above in folders {
            let folder = folder.join(above);
            let file = folder.join(name);
            let is_inside = match view.chosen.and_then(|chosen| chosen.bounds.as_ref()) {
                Some(bounds) if !bounds.holds(&folder.join(".")).unwrap_or(false) => continue,
                Some(bounds) => bounds.check_configured(&file),
                None if view.model.is_found() => Bounds::around(&folder).check_link(&file),
                None => Ok(()),
            };
            match is_inside.and_then(|()| input::read_text(&file, TEXT_FILE)) {
                Ok(text) => return Ok(Some(Self { name: name.to_owned(), path: file, text })),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(format!("cannot read {name}: {error}")),
            }
        }
        Ok(None)
    }
}
