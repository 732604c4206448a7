//! The findings of several models in the formats of `ovlint check`, or as the page of `ovlint report`, in the public API.

use super::analysis::Analysis;
use super::error::{Error, ErrorKind};
use crate::diagnostic::{Diagnostic, Severity};
use crate::pipeline::Overview;
use crate::report::findings::text::TextOptions;
use crate::report::views::{assumed, html};
use crate::report::{Brevity, End, Format, ModelReport, PieceOptions, Stream, Summary};
use std::path::Path;

/// The findings of some models, to be written in any [`Format`].
///
/// ```
/// use ovlint::{Analysis, Format, Options, Report, Severity};
///
/// let analyses = ["axis-range", "declared-shape"]
///     .map(|rule| Analysis::open(format!("ir-samples/bad/{rule}/model.xml"), &Options::new()));
/// let analyses = analyses.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let report = Report::from_iter(&analyses);
/// assert_eq!(report.count(Severity::Error), 2);
/// assert!(report.render(Format::Concise)?.contains("declared-shape/model.xml:35:11: error[declared-shape]"));
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Report<'a> {
    analyses: Vec<&'a Analysis>,
}

impl<'a> Report<'a> {
    /// Creates a report without models.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a model.
    pub fn push(&mut self, analysis: &'a Analysis) {
        self.analyses.push(analysis);
    }

    /// Returns the number of findings of a severity. A finding that follows from another one is not counted.
    pub fn count(&self, severity: Severity) -> usize {
        let summary = self.summary();
        match severity {
            Severity::Error => summary.errors,
            Severity::Warning => summary.warnings,
            Severity::Info => summary.infos,
            Severity::Off => 0,
        }
    }

    /// Renders the report as `ovlint check --format` prints it. Text has no colours and a fixed width.
    ///
    /// # Errors
    /// [`ErrorKind::Unwritable`] if the data cannot be serialised.
    pub fn render(&self, format: Format) -> Result<String, Error> {
        self.rendered(format).map_err(|error| Error::new(ErrorKind::Unwritable, error))
    }

    fn rendered(&self, format: Format) -> serde_json::Result<String> {
        rendered(format, self.analyses.iter().map(|analysis| of(analysis)), &self.summary())
    }

    /// Renders the page that `ovlint report` writes: the findings beside the graphs, for a browser.
    ///
    /// ```
    /// use ovlint::{Analysis, Options, Report};
    ///
    /// let analysis = Analysis::open("ir-samples/models/split.xml", &Options::new())?;
    /// let page = Report::from_iter([&analysis]).to_html()?;
    /// assert!(page.starts_with("<!DOCTYPE html>"));
    /// # Ok::<(), ovlint::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Unwritable`] if the data cannot be serialised.
    pub fn to_html(&self) -> Result<String, Error> {
        self.page([], &[])
    }

    /// Renders the page, with the pipelines that the models belong to and the findings about files that are no models.
    pub(super) fn page<'p>(
        &self,
        pipelines: impl IntoIterator<Item = &'p Overview>,
        asides: &[(&Path, &Diagnostic)],
    ) -> Result<String, Error> {
        let folder = html::Folder::of(self.analyses.iter().map(|analysis| of(analysis).path));
        let entry = |analysis: &&Analysis| html::Entry::of(&of(analysis), &analysis.model, &summary(analysis), &folder);
        let models = self.analyses.iter().map(entry);
        let page = models.collect::<serde_json::Result<Vec<_>>>();
        let faults = asides.iter().filter(|(_, finding)| finding.severity == Severity::Error).count();
        let notes: Vec<String> = asides.iter().map(|(path, finding)| html::aside(path, finding)).collect();
        let note = Some(folder.hide(&notes.join("\n"))).filter(|note| !note.is_empty());
        let page = page.and_then(|models| {
            html::page(&models, &html::pipelines(pipelines, &models, &folder), note.as_deref(), faults)
        });
        page.map_err(|error| Error::new(ErrorKind::Unwritable, error))
    }

    fn summary(&self) -> Summary {
        let mut all = Summary::default();
        for analysis in &self.analyses {
            all.merge(summary(analysis));
            all.elapsed += analysis.elapsed();
        }
        all
    }
}

impl<'a> FromIterator<&'a Analysis> for Report<'a> {
    fn from_iter<I: IntoIterator<Item = &'a Analysis>>(analyses: I) -> Self {
        Self { analyses: analyses.into_iter().collect() }
    }
}

/// Renders reports between the head and the tail of a format, such as `[` and `]`.
pub(super) fn rendered<'a>(
    format: Format,
    reports: impl Iterator<Item = ModelReport<'a>>,
    summary: &Summary,
) -> serde_json::Result<String> {
    let mut stream = Stream::new(format, Brevity::default());
    let mut text = stream.head()?;
    for report in reports {
        let piece = format.piece(&report, &PieceOptions::default())?;
        text.push_str(&stream.add(piece));
    }
    let exit_code = u8::from(summary.errors > 0);
    text.push_str(&stream.tail(End { summary, exit_code, width: TextOptions::default().width })?);
    Ok(text)
}

/// The counts of one model.
pub(super) fn summary(analysis: &Analysis) -> Summary {
    let mut summary = Summary::default();
    summary.add(&of(analysis));
    (summary.layers, summary.tensors) = analysis.model.size();
    assumed::count(&analysis.model, &mut summary);
    summary
}

/// The findings of an analysis, as formats render them.
pub(super) fn of(analysis: &Analysis) -> ModelReport<'_> {
    ModelReport::of(analysis.path(), &analysis.model, analysis.diagnostics())
}
