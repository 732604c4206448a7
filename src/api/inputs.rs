//! The input shapes for which a model works, in the public API.

use super::error::{self, Error, ErrorKind};
use crate::analysis::Model;
use crate::query::inputs::{self, answer};
use crate::report::findings::text::TextOptions;
use crate::report::views::inputs::{self as views, json};
use std::fmt;
use std::path::Path;

/// The input shapes for which a model works: the constraints on dynamic dimensions, and the layers that impose them. Its
/// text is the output of `ovlint inputs`. If the options have dynamic input shapes, these replace the declared ones. If the
/// options have static ones, [`works`](Self::works) says whether the model works for them.
///
/// ```
/// use ovlint::{Analysis, Options};
///
/// let analysis = Analysis::open("ir-samples/models/feature_pyramid.xml", &Options::new())?;
/// let inputs = analysis.inputs()?;
/// assert!(inputs.is_complete());
/// assert!(inputs.to_string().contains("height % 32 == 0"));
///
/// let options = Options::new().input_shapes("images[2,3,640,650]")?;
/// let inputs = Analysis::open("ir-samples/models/feature_pyramid.xml", &options)?.inputs()?;
/// assert_eq!(inputs.works(), Some(false));
/// assert!(inputs.to_string().contains("the nearest sizes of width that work are 640 and 672"));
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Debug)]
pub struct Inputs {
    is_complete: bool,
    works: Option<bool>,
    json: String,
    text: String,
}

impl Inputs {
    pub(super) fn of(model: &Model, path: &Path) -> Result<Self, Error> {
        let asked = Some(model.shapes()).filter(|shapes| !shapes.is_empty() && shapes.are_static()).cloned();
        let model = model.symbolic().map_err(error::of_model)?;
        let unread = || Error::new(ErrorKind::Unreadable, format!("{}: no shapes were inferred", path.display()));
        let exact = inputs::Inputs::for_programs(&model).ok_or_else(unread)?;
        let mut screen = inputs::Inputs::for_screen(&model).ok_or_else(unread)?;
        let is_complete = screen.is_complete();
        let shapes = asked.as_ref().map(ToString::to_string).unwrap_or_default();
        let found = asked.as_ref().map(|asked| answer(&exact, asked)).transpose().map_err(error::of_model)?;
        let json = json(&exact, found.as_ref().map(|found| (found, shapes.as_str())), path);
        let json = json.map_err(|error| Error::new(ErrorKind::Unwritable, error))?;
        let width = TextOptions::default().width;
        let (works, text) = match &asked {
            Some(asked) => {
                let mut usual = inputs::Inputs::for_people(&model).ok_or_else(unread)?;
                let found = answer(&usual, asked).map_err(error::of_model)?;
                (found.works, views::answer(&mut usual, &found, &shapes, width))
            }
            None => (None, views::text(&mut screen, width)),
        };
        Ok(Self { is_complete, works, json, text })
    }

    /// Whether shapes that meet all constraints, the expected ones included, pass every shape check. If not, some layers have
    /// further constraints.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns whether the model works for [`Options::input_shapes`](crate::Options::input_shapes); `None` without any, if they
    /// have dynamic dimensions, or if that depends on weights that cannot be read.
    pub fn works(&self) -> Option<bool> {
        self.works
    }

    /// Returns the JSON that `ovlint inputs --format json` prints. `ovlint generate schema inputs` prints its schema.
    ///
    /// # Errors
    /// None: the text was made together with the answer.
    pub fn to_json(&self) -> Result<String, Error> {
        Ok(self.json.clone())
    }
}

impl fmt::Display for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
