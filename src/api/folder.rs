//! Folders in the public API: models, each checked alone and as a member of its pipeline, if any.

use super::analysis::Analysis;
use super::error::{Error, ErrorKind};
use super::found::Found;
use super::options::Options;
use super::report::{Report, of, summary};
use crate::diagnostic::{Diagnostic, Severity};
use crate::input::Bounds;
use crate::pipeline::{self, Aside, InPipeline, Opened, Overview, check, folders};
use crate::remote::is_remote;
use crate::report::document::of_all;
use crate::report::{Format, ModelReport, Pipeline, Summary};
use crate::source::Source;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A checked folder: its models, and what they demand of each other where they make a pipeline, such as a language model and
/// its tokenizer.
///
/// ```
/// use ovlint::{Folder, Options};
///
/// let folder = Folder::open("ir-samples/pipelines/llm", &Options::new())?;
/// assert_eq!(folder.kinds().collect::<Vec<_>>(), ["text generation"]);
/// assert_eq!((folder.analyses().len(), folder.has_errors()), (3, false));
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Debug)]
pub struct Folder {
    analyses: Vec<Arc<Analysis>>,
    others: Vec<Other>,
    pipelines: Vec<Pipeline>,
}

/// A JSON file of a pipeline, or its folder, with the findings about it.
#[derive(Debug)]
struct Other {
    path: PathBuf,
    source: Option<Source>,
    findings: Vec<Diagnostic>,
}

impl Folder {
    /// Reads, infers and checks all models of a folder, as `ovlint check` does.
    ///
    /// # Errors
    /// The first error of [`Found::at`] or [`Analysis::open`]; [`ErrorKind::Unreadable`] for a folder without models.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Self, Error> {
        let path = path.as_ref();
        let (start, found) = (Instant::now(), Found::at(path, options)?.into_iter().collect::<Result<Vec<_>, _>>()?);
        if found.is_empty() {
            return Err(Error::new(ErrorKind::Unreadable, format!("{}: no OpenVINO IR in the folder", path.display())));
        }
        let models = found.iter().map(|found| found.model(options)).collect::<Result<Vec<_>, _>>()?;
        let files: Vec<&Path> = found.iter().map(Found::path).collect();
        let mut folder = Self { analyses: Vec::new(), others: Vec::new(), pipelines: Vec::new() };
        let mut roles: Vec<Option<InPipeline>> = found.iter().map(|_| None).collect();
        let listings = found.first().map(|found| (*found.listings).clone()).unwrap_or_default();
        let linked = options.settings.linked(files.iter().copied().enumerate());
        let linked = linked.map_err(|why| Error::new(ErrorKind::Config, why))?;
        for one in folders(&files, &[path.to_owned()], listings).into_iter().chain(linked) {
            let members: Vec<_> = one.members.iter().map(|(_, file)| models.get(*file)).collect();
            let loaders = options.settings.loaders_for(&one.path, options.reading.device);
            let bounds = (!is_remote(&one.path)).then(|| Bounds::around(&one.path));
            let checked = check(Opened { folder: &one, models: &members }, &loaders, bounds.as_ref(), None);
            for ((_, file), role) in one.members.iter().zip(checked.members) {
                roles.get_mut(*file).into_iter().for_each(|place| place.get_or_insert_default().join(role.clone()));
            }
            folder.others.extend(checked.others.into_iter().map(|aside| Other::of(aside, options)));
            let is_loaded = !loaders.is_empty() || one.configured.is_some();
            folder.pipelines.extend(checked.overview.map(|overview| Pipeline { overview, is_loaded }));
        }
        for ((found, model), role) in found.iter().zip(models).zip(roles) {
            folder.analyses.push(Analysis::new(model, found.path(), options, start, role.as_ref())?.into());
        }
        Ok(folder)
    }

    /// Returns the models, sorted by path.
    pub fn analyses(&self) -> &[Arc<Analysis>] {
        &self.analyses
    }

    /// Returns the kinds of the pipelines that the folder holds, such as `text generation`.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.pipelines.iter().map(|pipeline| pipeline.overview.kind)
    }

    fn report(&self) -> Report<'_> {
        self.analyses.iter().map(|analysis| &**analysis).collect()
    }

    /// Whether any finding is an error.
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// Returns the number of findings of a severity. A finding that follows from another one is not counted.
    pub fn count(&self, severity: Severity) -> usize {
        let others =
            self.others.iter().flat_map(|other| &other.findings).filter(|finding| finding.severity == severity);
        self.report().count(severity) + others.count()
    }

    /// Renders the findings as `ovlint check --format` prints them.
    ///
    /// # Errors
    /// [`ErrorKind::Unwritable`] if the data cannot be serialised.
    pub fn render(&self, format: Format) -> Result<String, Error> {
        let mut all = Summary::default();
        for analysis in &self.analyses {
            all.merge(summary(analysis));
        }
        for other in &self.others {
            all.merge(other.summary());
        }
        all.pipelines.clone_from(&self.pipelines);
        let models = self.analyses.iter().map(|analysis| of(analysis));
        let reports = self.others.iter().map(Other::report).chain(models);
        super::report::rendered(format, reports, &all).map_err(|error| Error::new(ErrorKind::Unwritable, error))
    }

    /// Renders the page that `ovlint report` writes.
    ///
    /// # Errors
    /// [`ErrorKind::Unwritable`] if the data cannot be serialised.
    pub fn to_html(&self) -> Result<String, Error> {
        let asides: Vec<(&Path, &Diagnostic)> =
            self.others.iter().flat_map(|other| other.findings.iter().map(|finding| (&*other.path, finding))).collect();
        self.report().page(self.pipelines.iter().map(|pipeline| &pipeline.overview), &asides)
    }

    /// Renders the members, links and missing files of the pipelines as JSON.
    ///
    /// # Errors
    /// [`ErrorKind::Unwritable`] if the data cannot be serialised.
    pub fn pipelines_json(&self) -> Result<String, Error> {
        let all: Vec<&Overview> = self.pipelines.iter().map(|pipeline| &pipeline.overview).collect();
        of_all(&pipeline::Overviews { pipelines: all }).map_err(|error| Error::new(ErrorKind::Unwritable, error))
    }
}

impl Other {
    fn of(Aside { path, text, findings }: Aside, options: &Options) -> Self {
        let source = text.map(|text| Source::new(&path, text.into_bytes()));
        let (findings, ..) = options.settings.judge_aside(&path, findings);
        Self { path, source, findings }
    }

    /// The counts of the findings; the file is no model.
    fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        summary.add(&self.report());
        Summary { models: 0, models_with_findings: 0, ..summary }
    }

    fn report(&self) -> ModelReport<'_> {
        ModelReport { source: self.source.as_ref(), ..ModelReport::unread(&self.path, &self.findings) }
    }
}
