//! The options of checks, in the public API.

use super::error::{Error, ErrorKind};
use crate::analysis;
use crate::diagnostic::Severity;
use crate::ir::WeightsOption;
use crate::limits::Limits;
use crate::ops::devices::Device;
use crate::policy::{Profile, Selector, Settings};
use crate::remote::Store;
use crate::remote::named_path;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options of checks.
///
/// ```
/// use ovlint::{Analysis, Device, Options, Profile, Severity};
///
/// let options = Options::new()
///     .profile(Profile::Pedantic)
///     .disable("hygiene")?
///     .severity("declared-shape", Severity::Warning)?
///     .target("2024.6")?
///     .device(Device::Npu);
/// let analysis = Analysis::open("ir-samples/bad/declared-shape/model.xml", &options)?;
/// assert!(!analysis.has_errors());
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Options {
    /// How a model is opened and inferred: target, device, limits, input shapes and so on.
    pub(super) reading: analysis::Options,
    pub(super) weights: Weights,
    /// What is reported: rules, severities, ignores, as in an `ovlint.toml`.
    pub(super) settings: Arc<Settings>,
}

/// The source of constant data.
///
/// ```
/// use ovlint::{Analysis, Options, Weights};
///
/// let xml = std::fs::read("ir-samples/models/split.xml")?;
/// let weights = std::fs::read("ir-samples/models/split.bin")?;
/// let options = Options::new().weights(Weights::Bytes(weights.into()));
/// let analysis = Analysis::from_bytes("split.xml", xml, &options)?;
/// assert_eq!(analysis.findings().count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Weights {
    /// The file beside the model whose name ends in `.bin`; none for a model in memory.
    #[default]
    Auto,
    /// No weights. Checks that need none still run.
    Skip,
    /// A file, by its path or its URL.
    File(PathBuf),
    /// Bytes as in a `.bin` file.
    Bytes(Arc<[u8]>),
    /// A `.bin` in foreign memory that its owner may change at any time, so ovlint copies every range that it reads.
    Memory(Arc<dyn Store>),
    /// A `.bin` file behind an interface that reads parts of it: only the bytes of constants that decide shapes are read.
    Store {
        /// The name in reports.
        path: PathBuf,
        /// The file; `None` stands for a missing `.bin`.
        store: Option<Arc<dyn Store>>,
    },
}

impl Options {
    /// Creates the options of `ovlint check` without flags and without a configuration.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads rules, severities, ignores, contracts, weights and the target from an `ovlint.toml` or `pyproject.toml`. Replaces
    /// the target, profile, rules, severities and recipes set before, even those that the file does not mention: call it first.
    /// Paths in the file are relative to its folder, and may lead out of it.
    ///
    /// # Errors
    /// [`ErrorKind::Config`] with the line and column of the problem.
    pub fn config(mut self, path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let folder = path.parent().unwrap_or(Path::new(""));
        let settings = Settings::read(path, folder).map_err(|error| Error::new(ErrorKind::Config, error))?;
        self.reading.target = settings.target;
        self.reading.extension_ops.clone_from(&settings.extension_ops);
        self.settings = Arc::new(settings);
        Ok(self)
    }

    /// Sets the source of constant data.
    pub fn weights(mut self, weights: Weights) -> Self {
        self.reading.weights = match &weights {
            Weights::Auto => WeightsOption::Auto,
            Weights::File(path) => WeightsOption::File(named_path(path)),
            // The constructors of `Analysis` hand bytes and stores over themselves.
            Weights::Skip | Weights::Bytes(_) | Weights::Memory(_) | Weights::Store { .. } => WeightsOption::Skip,
        };
        self.weights = weights;
        self
    }

    /// Sets the limits for one file.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.reading.limits = limits;
        self
    }

    /// Sets input shapes that replace the declared ones, such as `images[1,3,640,640],mask[1,?]`, or `[1,2..8]` for a single
    /// input. Declared ports are then not checked, as they hold for the declared input shapes.
    ///
    /// The names are checked when a model is opened.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] if this is not a list of shapes.
    pub fn input_shapes(mut self, shapes: &str) -> Result<Self, Error> {
        self.reading.shapes = shapes.parse().map_err(argument)?;
        Ok(self)
    }

    /// Sets the releases of OpenVINO that must read the models: `2024.6`, `2023.3..2026.4`, or a list with commas.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] if there is no such release.
    pub fn target(mut self, release: &str) -> Result<Self, Error> {
        self.reading.target = Some(release.parse().map_err(argument::<String>)?);
        Ok(self)
    }

    /// Sets the device on which the models must run.
    pub fn device(mut self, device: Device) -> Self {
        self.reading.device = Some(device);
        self
    }

    /// Adds a recipe that the models must follow: `genai`, `optimum`, `ovms` or `triton`. `ovms=FILE` and `triton=FILE` name
    /// the configuration of the server.
    ///
    /// ```
    /// use ovlint::{Analysis, Options};
    ///
    /// let options = Options::new().recipe("genai")?;
    /// let analysis = Analysis::open("ir-samples/bad/genai-stateless/model.xml", &options)?;
    /// assert!(analysis.has_errors());
    /// # Ok::<(), ovlint::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] if there is no such recipe.
    pub fn recipe(mut self, recipe: &str) -> Result<Self, Error> {
        let recipe = recipe.parse().map_err(argument::<String>)?;
        self.settings_mut().recipes.push(recipe);
        Ok(self)
    }

    /// Turns inference of shapes and types on, as by default, or off. Without it only the structure is checked.
    pub fn infer(mut self, infer: bool) -> Self {
        self.reading.no_infer = !infer;
        self
    }

    /// Names dynamic dimensions by symbols in [`Analysis::shapes_json`](crate::Analysis::shapes_json), or not, as is the
    /// default.
    pub fn symbolic(mut self, symbolic: bool) -> Self {
        self.reading.symbolic = symbolic;
        self
    }

    /// Sets the profile: the set of rules that [`enable`](Self::enable) and [`disable`](Self::disable) then change.
    pub fn profile(mut self, profile: Profile) -> Self {
        self.settings_mut().selection.profile = profile;
        self
    }

    /// Turns a rule or a group on.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] if nothing has this name.
    pub fn enable(mut self, name: &str) -> Result<Self, Error> {
        let selector = selector(name)?;
        self.settings_mut().selection.extend_select.push(selector);
        Ok(self)
    }

    /// Turns a rule or a group off.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] if nothing has this name.
    pub fn disable(mut self, name: &str) -> Result<Self, Error> {
        let selector = selector(name)?;
        self.settings_mut().selection.ignore.push(selector);
        Ok(self)
    }

    /// Restricts the check to the rules and groups that this method names, plus those that [`enable`](Self::enable) adds.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] if nothing has this name.
    pub fn only(mut self, name: &str) -> Result<Self, Error> {
        let selector = selector(name)?;
        self.settings_mut().selection.select.push(selector);
        Ok(self)
    }

    /// Sets the severity of the findings of a rule or group; [`Severity::Off`] turns it off.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] if nothing has this name.
    pub fn severity(mut self, name: &str, severity: Severity) -> Result<Self, Error> {
        let selector = selector(name)?;
        self.settings_mut().selection.severity.push((selector, severity));
        Ok(self)
    }

    fn settings_mut(&mut self) -> &mut Settings {
        Arc::make_mut(&mut self.settings)
    }

    /// The options for one file: these, with the per-file settings of the configuration applied.
    pub(super) fn for_file(&self, path: &Path) -> analysis::Options {
        self.settings.selection_for(path).options(self.settings.with_weights(path, &self.reading).into_owned())
    }
}

fn selector(name: &str) -> Result<Selector, Error> {
    name.parse().map_err(argument)
}

/// The error of a wrong argument.
fn argument<E: Into<Box<dyn std::error::Error + Send + Sync>>>(error: E) -> Error {
    Error::new(ErrorKind::Argument, error)
}
