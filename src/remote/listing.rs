//! Names of files that a server lists, within limits: it may list without end.

use crate::limits::{LISTED, LISTING};
use std::io::{Error, Result};

/// The names that a server lists.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// After the scheme.
    pub(super) names: Vec<String>,
    /// Those of files that cannot be asked for.
    pub(super) odd: Vec<String>,
    files: usize,
    bytes: u64,
}

impl Listing {
    /// Adds a file; its name is kept if it may be a part of a model.
    pub(super) fn add(&mut self, name: String, is_odd: bool) -> Result<()> {
        self.files += 1;
        if self.files > LISTED {
            return Err(too_long(&format!("more than {LISTED} files")));
        }
        let ends_with = |ending: &str| name.strip_suffix(ending).is_some();
        let is_model = ends_with(".xml");
        if is_odd && is_model {
            self.grow(&name)?;
            self.odd.push(name);
        } else if !is_odd && (is_model || ends_with(".bin")) {
            self.grow(&name)?;
            self.names.push(name);
        }
        Ok(())
    }

    fn grow(&mut self, name: &str) -> Result<()> {
        self.bytes = self.bytes.saturating_add(name.len() as u64);
        if self.bytes > LISTING { Err(too_long(&format!("names of more than {LISTING} bytes"))) } else { Ok(()) }
    }
}

/// Why a list is not read to its end.
pub(super) fn too_long(what: &str) -> Error {
    Error::other(format!("the server lists {what}; name a folder or a file below"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_an_end() {
        let mut listing = Listing::default();
        for (name, is_odd) in [("a.xml", false), ("a.bin", false), ("a.txt", false), ("b//c.xml", true), ("b//", true)]
        {
            listing.add(name.to_owned(), is_odd).unwrap();
        }
        assert_eq!(
            (listing.names.clone(), listing.odd.clone()),
            (vec!["a.xml".to_owned(), "a.bin".to_owned()], vec!["b//c.xml".to_owned()])
        );
        let add = |listing: &mut Listing, name: &str| listing.add(name.to_owned(), false);
        let full = (5..LISTED).try_for_each(|_| add(&mut listing, "a.txt")).and_then(|()| add(&mut listing, "a.txt"));
        let message = "the server lists more than 1048576 files; name a folder or a file below";
        assert_eq!(full.unwrap_err().to_string(), message);
        let (mut listing, long) = (Listing::default(), "a".repeat(1 << 23) + ".xml");
        let full = (0..8).try_for_each(|_| add(&mut listing, &long));
        let message = "the server lists names of more than 67108864 bytes; name a folder or a file below";
        assert_eq!(full.unwrap_err().to_string(), message);
    }
}
