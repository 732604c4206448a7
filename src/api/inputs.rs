//! For which shapes of its inputs a model works, as the public API shows it.

use super::error::{self, Error, ErrorKind};
use crate::analysis::Model;
use crate::query::inputs;
use crate::report::findings::text::TextOptions;
use crate::report::views::inputs::{json, text};
use std::fmt;
use std::path::{Path, PathBuf};

/// For which shapes of its inputs a model works: what it demands of dimensions that are not fixed, and which layers do. Its
/// text is the screen that `ovlint inputs` prints. Input shapes of the options that leave lengths open take the place of those
/// that the file declares.
///
/// ```
/// use ovlint::{Analysis, Options};
///
/// let analysis = Analysis::open("ir-samples/models/feature_pyramid.xml", &Options::new())?;
/// let inputs = analysis.inputs()?;
/// assert!(inputs.is_complete());
/// assert!(inputs.to_string().contains("height % 32 == 0"));
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Debug)]
pub struct Inputs {
    model: Model,
    path: PathBuf,
}

impl Inputs {
    pub(super) fn of(model: &Model, path: &Path) -> Result<Self, Error> {
        let model = model.symbolic().map_err(error::of_model)?;
        if inputs::Inputs::for_programs(&model).is_none() {
            return Err(Error::new(ErrorKind::Unreadable, format!("{}: no shapes were inferred", path.display())));
        }
        Ok(Self { model, path: path.to_owned() })
    }

    /// Whether shapes that meet all constraints pass every check of shapes; otherwise there are layers that demand more.
    pub fn is_complete(&self) -> bool {
        inputs::Inputs::for_programs(&self.model).is_some_and(|inputs| inputs.is_complete())
    }

    /// The JSON that `ovlint inputs --format json` prints; `ovlint schema inputs` describes it.
    ///
    /// # Errors
    /// [`ErrorKind::Unwritable`] if the data cannot be serialised.
    pub fn to_json(&self) -> Result<String, Error> {
        let unwritable = |error| Error::new(ErrorKind::Unwritable, error);
        let inputs = inputs::Inputs::for_programs(&self.model);
        inputs.map_or(Ok(String::new()), |inputs| json(&inputs, None, &self.path).map_err(unwritable))
    }
}

impl fmt::Display for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut inputs = inputs::Inputs::for_screen(&self.model).ok_or(fmt::Error)?;
        f.write_str(&text(&mut inputs, TextOptions::default().width))
    }
}
