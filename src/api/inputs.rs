//! The input shapes for which a model works, in the public API.

use super::error::{self, Error, ErrorKind};
use crate::analysis::{InputShapes, Model};
use crate::query::inputs::{self, Answer, answer};
use crate::report::findings::text::TextOptions;
use crate::report::views::inputs::{self as views, json};
use std::fmt;
use std::path::{Path, PathBuf};

/// The input shapes for which a model works: the constraints on dynamic dimensions, and the layers that impose them. Its
/// text is the output of `ovlint inputs`. Dynamic input shapes of the options replace the declared ones; of static
/// ones, [`works`](Self::works) says whether the model accepts them.
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
/// assert!(inputs.to_string().contains("the nearest lengths of width that work are 640 and 672"));
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Debug)]
pub struct Inputs {
    model: Model,
    path: PathBuf,
    /// The shapes in question.
    asked: Option<InputShapes>,
}

impl Inputs {
    pub(super) fn of(model: &Model, path: &Path) -> Result<Self, Error> {
        let asked = Some(model.shapes()).filter(|shapes| !shapes.is_empty() && shapes.are_static()).cloned();
        let model = model.symbolic().map_err(error::of_model)?;
        if inputs::Inputs::for_programs(&model).is_none() {
            return Err(Error::new(ErrorKind::Unreadable, format!("{}: no shapes were inferred", path.display())));
        }
        Ok(Self { model, path: path.to_owned(), asked })
    }

    /// Whether shapes that meet all constraints pass every shape check; otherwise some layers have further constraints.
    pub fn is_complete(&self) -> bool {
        inputs::Inputs::for_programs(&self.model).is_some_and(|inputs| inputs.is_complete())
    }

    /// Returns whether the model works for [`Options::input_shapes`](crate::Options::input_shapes); `None` without any, or
    /// if they leave dimensions open.
    pub fn works(&self) -> Option<bool> {
        Some(self.answer(&inputs::Inputs::for_people(&self.model)?)?.works)
    }

    fn answer(&self, inputs: &inputs::Inputs) -> Option<Answer> {
        answer(inputs, self.asked.as_ref()?).ok()
    }

    /// The JSON that `ovlint inputs --format json` prints; `ovlint generate schema inputs` describes it.
    ///
    /// # Errors
    /// [`ErrorKind::Unwritable`] if the data cannot be serialised.
    pub fn to_json(&self) -> Result<String, Error> {
        let unwritable = |error| Error::new(ErrorKind::Unwritable, error);
        let Some(inputs) = inputs::Inputs::for_programs(&self.model) else { return Ok(String::new()) };
        let (answer, shapes) = (self.answer(&inputs), self.asked.as_ref().map(ToString::to_string).unwrap_or_default());
        json(&inputs, answer.as_ref().map(|answer| (answer, shapes.as_str())), &self.path).map_err(unwritable)
    }
}

impl fmt::Display for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = TextOptions::default().width;
        if let Some(asked) = &self.asked {
            let mut inputs = inputs::Inputs::for_people(&self.model).ok_or(fmt::Error)?;
            let answer = self.answer(&inputs).ok_or(fmt::Error)?;
            return f.write_str(&views::answer(&mut inputs, &answer, &asked.to_string(), width));
        }
        let mut inputs = inputs::Inputs::for_screen(&self.model).ok_or(fmt::Error)?;
        f.write_str(&views::text(&mut inputs, width))
    }
}
