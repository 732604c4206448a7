//! Files beside a model that say what a server makes of it.

use super::view::View;
use crate::input;
use crate::limits::TEXT_FILE;
use std::io::ErrorKind;
use std::path::Path;

/// Such a file.
pub(super) struct Companion {
    /// Its name, without folders.
    pub name: String,
    pub text: String,
}

impl Companion {
    /// The file that the user names, or else the first of this name in some folders seen from that of the model; `None` if
    /// there is none.
    pub(super) fn find(view: &View, folders: &[&str], name: &str) -> Result<Option<Self>, String> {
        if let Some(path) = view.companion {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = input::read_text(path, TEXT_FILE);
            return text
                .map(|text| Some(Self { name, text }))
                .map_err(|error| format!("cannot read {}: {error}", path.display()));
        }
        let folder = view.model.source().path().parent().unwrap_or(Path::new(""));
        for above in folders {
            match input::read_text(&folder.join(above).join(name), TEXT_FILE) {
                Ok(text) => return Ok(Some(Self { name: name.to_owned(), text })),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(format!("cannot read {name}: {error}")),
            }
        }
        Ok(None)
    }
}
