//! The models at a path or a URL, found as `ovlint check` finds them, in the public API.

use super::analysis::Analysis;
use super::error::{self, Error, ErrorKind};
use super::options::Options;
use crate::analysis::{self, Model};
use crate::input::Bounds;
use crate::policy::absolute;
use crate::remote::{self, Listed, Listings, is_remote, named_path};
use crate::search::{Kind, Tracked, below, model_of};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A file that is checked as a model: one that was named, or one found in a folder or on a server.
#[derive(Clone, Debug)]
pub struct Found {
    path: PathBuf,
    kind: Kind,
    /// The folder bounds that links may not leave; `None` for a named file and for a file on a server.
    bounds: Option<Bounds>,
    /// The files that its server lists.
    pub(super) listings: Arc<Listings>,
}

impl Found {
    /// Finds the models at a path as `ovlint check` does. A folder or server prefix gives all models below it, sorted by path;
    /// a `.bin` gives the `.xml` beside it; any other file gives itself. Files are excluded only by a configuration that was
    /// loaded with [`Options::config`]. A part of the folder that cannot be searched is an error among the results.
    ///
    /// ```
    /// use ovlint::{Found, Options};
    ///
    /// let options = Options::new();
    /// for found in Found::at("ir-samples/bad/declared-shape", &options)? {
    ///     assert!(found?.open(&options)?.has_errors());
    /// }
    /// # Ok::<(), ovlint::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Unreadable`] if nothing can be searched.
    pub fn at(path: impl AsRef<Path>, options: &Options) -> Result<Vec<Result<Self, Error>>, Error> {
        let path = named_path(path.as_ref());
        if is_remote(&path) {
            return Self::on_server(&path, options);
        }
        if !path.is_dir() {
            return Ok(vec![Ok(Self::named(model_of(&path)))]);
        }
        let bounds = Bounds::around(&path);
        let mut walked = below(&path, &bounds, "xml", false, &mut Tracked::default()).map_err(unreadable)?;
        // Links out of the bounds are listed too, so that opening them reports why they are not followed.
        walked.files.append(&mut walked.outside);
        let limits = &options.reading.limits;
        let files = walked.files.into_iter().filter(|path| is_included(path, options)).map(|path| {
            let kind = Kind::of(&path, Some(&bounds), limits);
            Self { kind, bounds: Some(bounds.clone()), ..Self::named(path) }
        });
        let files = files.filter(|found| found.kind != Kind::OtherXml).map(Ok);
        let errors = walked.unread.into_iter().chain(walked.warnings).map(|why| Err(unreadable(why)));
        Ok(files.chain(errors).collect())
    }

    fn on_server(path: &Path, options: &Options) -> Result<Vec<Result<Self, Error>>, Error> {
        let limits = &options.reading.limits;
        let listed =
            remote::listed(path, limits).map_err(|error| unreadable(format!("{}: {error}", path.display())))?;
        let Some(listed) = listed else { return Ok(vec![Ok(Self::named(path.to_owned()))]) };
        // A file with weights beside it counts as a model without being read.
        let is_model = |file: &Listed| {
            file.has_weights || matches!(Kind::of(&file.path, None, limits), Kind::Model | Kind::MeantAsModel)
        };
        let files = listed.models.into_iter().filter(|file| is_included(&file.path, options) && is_model(file));
        let listings = Arc::new(Listings { names: listed.names, limits: *limits });
        let files = files.map(|file| Ok(Self { listings: Arc::clone(&listings), ..Self::named(file.path) }));
        let odd =
            listed.odd.into_iter().map(|name| Err(unreadable(format!("{name}: this is not the name of an object"))));
        Ok(files.chain(odd).collect())
    }

    fn named(path: PathBuf) -> Self {
        Self { path, kind: Kind::MeantAsModel, bounds: None, listings: Arc::default() }
    }

    /// Returns the path of the file, or its URL without credentials.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens and checks the model. Links in a folder are not followed out of the folder, or out of the git work tree around
    /// it. Errors become warnings for a file of a folder that does not look like a model.
    ///
    /// # Errors
    /// As [`Analysis::open`].
    pub fn open(&self, options: &Options) -> Result<Analysis, Error> {
        if self.bounds.is_none() {
            return Analysis::open(&self.path, options);
        }
        let start = Instant::now();
        Analysis::new(self.model(options)?, &self.path, options, start, None)
    }

    /// Opens the model with its findings unfiltered: rule selection and severities are not applied yet.
    pub(super) fn model(&self, options: &Options) -> Result<Model, Error> {
        let reading = analysis::Options { bounds: self.bounds.clone(), ..options.for_file(&self.path) };
        let model = Model::open(&self.path, &reading).map_err(error::of_model)?;
        Ok(if self.kind == Kind::Damaged { model.in_doubt() } else { model })
    }
}

/// Whether the configuration includes a file of a folder.
fn is_included(path: &Path, options: &Options) -> bool {
    let path = absolute(path);
    options.settings.takes(&path) && !options.settings.excludes(&path)
}

fn unreadable(why: String) -> Error {
    Error::new(ErrorKind::Unreadable, why)
}
