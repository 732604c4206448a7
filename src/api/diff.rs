//! The differences between two models, in the public API.

use super::analysis::Analysis;
use super::error::{self, Error, ErrorKind};
use crate::query::diff::{Level, diff};
use crate::report::views::diff::{Pair, json, renamed, text, uncompared};
use std::fmt;

/// The differences between two models. Its text is that of `ovlint diff`.
///
/// ```
/// use ovlint::{Analysis, DiffLevel, Options};
///
/// let open = |path| Analysis::open(path, &Options::new());
/// let (old, new) = (open("ir-samples/models/split.xml")?, open("ir-samples/models/detector.xml")?);
/// assert!(old.diff(&old, DiffLevel::Bytes)?.is_empty());
/// assert!(old.diff(&new, DiffLevel::Interface)?.to_string().starts_with("interface\n"));
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Debug)]
pub struct Diff {
    pair: Pair,
    level: Level,
}

impl Diff {
    pub(super) fn of(old: &Analysis, new: &Analysis, level: Level) -> Result<Self, Error> {
        for analysis in [old, new] {
            if analysis.model.net().is_none() {
                let reason = analysis.model.findings().first().map_or("no model", |finding| finding.message.shown());
                let message = format!("{}: {reason}", analysis.path().display());
                return Err(Error::new(ErrorKind::Unreadable, message));
            }
        }
        let cannot = || Error::new(ErrorKind::Unreadable, format!("{} cannot be compared", new.path().display()));
        let diff = diff(&old.model, &new.model, level).ok_or_else(cannot)?;
        for analysis in [old, new] {
            analysis.model.intact().map_err(error::of_model)?;
        }
        Ok(Self { pair: Pair::compared(new.path().display().to_string(), None, diff), level })
    }

    /// Whether the models are equal, and everything could be compared.
    pub fn is_empty(&self) -> bool {
        self.pair.is_same()
    }

    /// Returns the number of constants that could not be compared and the reason; `None` if all could.
    pub fn unread(&self) -> Option<(usize, &str)> {
        self.pair.diff().and_then(|diff| diff.unread())
    }

    /// Returns the JSON that `ovlint diff --format json` prints. `ovlint generate schema diff` prints its schema.
    ///
    /// # Errors
    /// [`ErrorKind::Unwritable`] if the data cannot be serialised.
    pub fn to_json(&self) -> Result<String, Error> {
        let json = json(std::slice::from_ref(&self.pair), self.level);
        json.map_err(|error| Error::new(ErrorKind::Unwritable, error))
    }
}

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pair.diff() {
            Some(diff) if !self.is_empty() => f.write_str(&text(diff, usize::MAX)),
            diff => {
                let renamed = diff.map(renamed).unwrap_or_default();
                writeln!(f, "no differences{}{renamed}", uncompared(self.level, false))
            }
        }
    }
}
