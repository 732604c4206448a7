//! The folder to which the HTML page names files relatively, so that it shows no path of the machine.

use crate::text::path_text;
use std::path::{Path, PathBuf};

/// The innermost folder that contains all models of a page.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Returns the folder of some models.
    pub fn of<'a>(models: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut folders = models.into_iter().map(|path| path.parent().unwrap_or(Path::new("")));
        let first = folders.next().unwrap_or(Path::new(""));
        let shared = |one: &'a Path, other| one.ancestors().find(|own| Path::starts_with(other, own)).unwrap_or(one);
        Self(folders.fold(first, shared).to_owned())
    }

    pub(super) fn relative<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.0).unwrap_or(path)
    }

    /// Returns the path of a folder below this one.
    pub(super) fn below<'a>(&self, path: &'a Path) -> Option<&'a Path> {
        path.strip_prefix(&self.0).ok().filter(|path| !path.as_os_str().is_empty() && *path != Path::new("."))
    }

    /// Returns a text with relative paths. Its lines may have been broken within the name of the folder.
    pub fn hide(&self, text: &str) -> String {
        let folder = format!("{}/", path_text(&self.0));
        let mut words = folder.split(' ');
        let (Some(first), false) = (words.next(), self.0.as_os_str().is_empty()) else { return text.to_owned() };
        let (mut shown, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once(first) {
            let end = words.clone().try_fold(after, next_word);
            shown += before;
            shown += if end.is_some() { "" } else { first };
            rest = end.unwrap_or(after);
        }
        shown + rest
    }
}

/// Returns the text after spaces and a word, if it starts with these.
fn next_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    Some(text.trim_start()).filter(|rest| rest.len() < text.len())?.strip_prefix(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(models: &[&str]) -> Folder {
        Folder::of(models.iter().map(|path| Path::new(*path)))
    }

    #[test]
    fn names_are_relative_to_the_innermost_folder_of_all() {
        let all = folder(&["/home/me/x/unet/model.xml", "/home/me/x/model.xml", "/home/me/x/vae/model.xml"]);
        assert_eq!(all.relative(Path::new("/home/me/x/unet/model.xml")), Path::new("unet/model.xml"));
        assert_eq!(folder(&["/a/b.xml"]).relative(Path::new("/a/b.xml")), Path::new("b.xml"));
        assert_eq!(folder(&["b.xml"]).hide("b.xml: a/b"), "b.xml: a/b");
        assert_eq!(folder(&["a/x.xml", "b/x.xml"]).hide("a/x.xml"), "a/x.xml");
    }

    #[test]
    fn paths_in_texts_are_relative_even_if_they_are_broken_over_lines() {
        let own = folder(&["/home/my own files/x.xml"]);
        let text = "no /home/my\n     own\n     files/x.bin, nor /home/my own files/x.bin, but /home/my other";
        assert_eq!(own.hide(text), "no x.bin, nor x.bin, but /home/my other");
    }
}
