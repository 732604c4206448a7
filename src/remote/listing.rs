//! Listings of remote files, with limits, because a server may send an endless one.

use crate::limits::Limits;
use std::io::{Error, ErrorKind, Result};

/// The fixed cost in bytes of a name, in addition to its length.
const PLACE: u64 = 128;

/// The divisor of the limit that gives the maximum size of one response, whose parsed form takes up to three times as much.
const ANSWER: u64 = 4;

/// The names in a listing.
#[derive(Debug)]
pub(super) struct Listing {
    /// Names without the scheme.
    pub(super) names: Vec<String>,
    /// Names that no URL can express.
    pub(super) odd: Vec<String>,
    /// The limit in bytes, and the bytes left of it.
    most: u64,
    left: u64,
}

impl Listing {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { names: Vec::new(), odd: Vec::new(), most: limits.fetched, left: limits.fetched }
    }

    /// Adds a file, unless no model and no pipeline has files with such an ending.
    pub(super) fn add(&mut self, name: String, is_odd: bool) -> Result<()> {
        let ends_with = |ending: &str| name.strip_suffix(ending).is_some();
        let is_model = ends_with(".xml");
        if is_odd && is_model {
            self.keep(&name)?;
            self.odd.push(name);
        } else if !is_odd && (is_model || [".bin", ".json", ".jinja"].into_iter().any(ends_with)) {
            self.keep(&name)?;
            self.names.push(name);
        }
        Ok(())
    }

    /// Charges the limit for a text that is stored until the listing ends.
    pub(super) fn keep(&mut self, text: &str) -> Result<()> {
        let size = PLACE.saturating_add(text.len() as u64);
        self.left =
            self.left.checked_sub(size).ok_or_else(|| too_long(&format!("names of more than {} bytes", self.most)))?;
        Ok(())
    }

    /// Returns the limit in bytes of one response.
    pub(super) fn answer(&self) -> u64 {
        self.most / ANSWER
    }

    /// Replaces the error for a response above that limit by one that explains it; returns other errors unchanged.
    pub(super) fn refusal(&self, error: Error) -> Error {
        match error.kind() {
            ErrorKind::FileTooLarge => too_long(&format!("more than {} bytes at once", self.answer())),
            _ => error,
        }
    }
}

fn too_long(what: &str) -> Error {
    Error::other(format!("the server lists {what}; name a folder or a file below, or allow more with --max-fetched"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_an_end() {
        let list = |fetched| Listing::new(&Limits { fetched, ..Limits::default() });
        let mut listing = list(u64::MAX);
        for (name, is_odd) in [
            ("a.xml", false),
            ("a.bin", false),
            ("a.txt", false),
            ("config.json", false),
            ("b//c.xml", true),
            ("b//c.json", true),
            ("b//", true),
        ] {
            listing.add(name.to_owned(), is_odd).unwrap();
        }
        assert_eq!(
            (listing.names.clone(), listing.odd.clone()),
            (["a.xml", "a.bin", "config.json"].map(str::to_owned).to_vec(), vec!["b//c.xml".to_owned()])
        );
        let added = |fetched, name: &str| {
            let mut listing = list(fetched);
            (0..1_000).find_map(|count| Some((count, listing.add(name.to_owned(), false).err()?)))
        };
        // Dropped names cost nothing.
        assert!(added(0, "a.txt").is_none());
        for (fetched, name, fit) in [(0, "a.xml", 0), (1_330, "a.xml", 10), (1_330, "longer.bin", 9)] {
            let (count, error) = added(fetched, name).unwrap();
            let message = format!(
                "the server lists names of more than {fetched} bytes; name a folder or a file below, or allow more with \
                 --max-fetched"
            );
            assert_eq!((count, error.to_string()), (fit, message));
        }
    }
}
