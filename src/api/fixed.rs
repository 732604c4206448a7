//! A model with its fixes applied, in the public API.

use super::analysis::Analysis;
use super::error::{Error, ErrorKind};
use super::rule::Rule;
use crate::diagnostic::{Diagnostic, Edit};
use crate::fix::{unified_diff, write};
use crate::source::Source;
use crate::text::plain_text;

/// A model with its fixes applied in memory.
///
/// ```
/// use ovlint::{Analysis, Applicability, Options};
///
/// let analysis = Analysis::open("ir-samples/bad/declared-shape/model.xml", &Options::new())?;
/// let fixed = analysis.fix(Applicability::Safe)?;
/// assert!(fixed.diff().contains("-\t\t\t\t\t<dim>5</dim>\n+\t\t\t\t\t<dim>4</dim>\n"));
/// assert_eq!(fixed.applied().collect::<Vec<_>>(), ovlint::Rule::find("declared-shape").as_slice());
/// assert!(!fixed.analysis().has_errors());
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Debug)]
pub struct Fixed {
    pub(super) analysis: Analysis,
    pub(super) original: Option<Source>,
    pub(super) edits: Vec<Edit>,
    pub(super) applied: Vec<Diagnostic>,
    pub(super) refused: Vec<(Diagnostic, String)>,
    pub(super) is_complete: bool,
}

impl Fixed {
    /// Returns the fixed model.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Returns the fixed model by value.
    pub fn into_analysis(self) -> Analysis {
        self.analysis
    }

    /// Returns the fixed XML.
    pub fn xml(&self) -> &[u8] {
        self.analysis.model.source().bytes()
    }

    /// Returns the unified diff from the file to [`xml`](Self::xml); empty if nothing changed.
    pub fn diff(&self) -> String {
        let shown = plain_text(&self.analysis.path().display().to_string());
        self.original.as_ref().map_or_else(String::new, |original| unified_diff(&shown, original, &self.edits))
    }

    /// Returns the rule of every fixed finding.
    pub fn applied(&self) -> impl ExactSizeIterator<Item = Rule> {
        self.applied.iter().map(|finding| Rule(finding.rule))
    }

    /// Returns the rule of every finding whose fix was refused, with the reason.
    pub fn refused(&self) -> impl ExactSizeIterator<Item = (Rule, String)> {
        self.refused.iter().map(|(finding, refusal)| (Rule(finding.rule), refusal.clone()))
    }

    /// Whether every fix was tried. If not, because of the limit on attempts, fix the result once more.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Replaces the file atomically, if it did not change since it was read; does nothing without edits.
    ///
    /// # Errors
    /// [`ErrorKind::Unwritable`]; the file is then unchanged.
    pub fn write(&self) -> Result<(), Error> {
        if self.edits.is_empty() {
            return Ok(());
        }
        let written = write(self.analysis.path(), &self.edits, self.xml());
        written.map_err(|error| Error::new(ErrorKind::Unwritable, error))
    }
}
