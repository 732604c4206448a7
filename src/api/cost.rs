//! The cost of a model, in the public API.

use super::error::{self, Error, ErrorKind};
use crate::analysis::Model;
use crate::query::cost;
use crate::report::findings::text::TextOptions;
use crate::report::views::cost::{json, text};
use std::fmt;
use std::path::{Path, PathBuf};

/// The cost of a model: weights, multiplications, and the memory of tensors and states, for the input shapes of the options.
/// Its text is the output of `ovlint cost`.
///
/// ```
/// use ovlint::{Analysis, Options};
///
/// let options = Options::new().input_shapes("images[1,3,32,32]")?;
/// let cost = Analysis::open("ir-samples/models/detector.xml", &options)?.cost()?;
/// assert_eq!(cost.macs(), Some(296_960));
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Debug)]
pub struct Cost {
    model: Model,
    path: PathBuf,
}

impl Cost {
    pub(super) fn of(model: &Model, path: &Path) -> Result<Self, Error> {
        let model = model.with_symbols().map_err(error::of_model)?;
        if cost::Cost::for_programs(&model).is_none() {
            return Err(Error::new(ErrorKind::Unreadable, format!("{}: no shapes were inferred", path.display())));
        }
        Ok(Self { model, path: path.to_owned() })
    }

    /// Returns the multiply-accumulate operations of one run, without bodies; `None` if that depends on open dimensions.
    pub fn macs(&self) -> Option<u128> {
        cost::Cost::for_programs(&self.model)?.macs()
    }

    /// The JSON that `ovlint cost --format json` prints; `ovlint generate schema cost` describes it.
    ///
    /// # Errors
    /// [`ErrorKind::Unwritable`] if the data cannot be serialised.
    pub fn to_json(&self) -> Result<String, Error> {
        let unwritable = |error| Error::new(ErrorKind::Unwritable, error);
        let cost = cost::Cost::for_programs(&self.model);
        cost.map_or(Ok(String::new()), |cost| json(&cost, &self.path).map_err(unwritable))
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cost = cost::Cost::for_people(&self.model).ok_or(fmt::Error)?;
        f.write_str(&text(&cost, TextOptions::default().width))
    }
}
