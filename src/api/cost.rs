//! The cost of a model, in the public API.

use super::error::{self, Error, ErrorKind};
use crate::analysis::Model;
use crate::query::{Sizes, cost};
use crate::report::document::about;
use crate::report::findings::text::TextOptions;
use crate::report::views::cost::text;
use std::fmt;
use std::path::Path;

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
    macs: Option<u128>,
    json: String,
    text: String,
}

impl Cost {
    pub(super) fn of(model: &Model, path: &Path) -> Result<Self, Error> {
        let model = model.with_symbols().map_err(error::of_model)?;
        let sizes = Sizes::default();
        let (Ok(exact), Ok(usual)) = (cost::Cost::for_programs(&model, &sizes), cost::Cost::for_people(&model, &sizes))
        else {
            return Err(Error::new(ErrorKind::Unreadable, format!("{}: no shapes were inferred", path.display())));
        };
        let json = about(path, &exact).map_err(|error| Error::new(ErrorKind::Unwritable, error))?;
        Ok(Self { macs: exact.macs(), json, text: text(&usual, TextOptions::default().width) })
    }

    /// Returns the multiply-accumulate operations of one run, without bodies; `None` if they depend on dynamic dimensions.
    pub fn macs(&self) -> Option<u128> {
        self.macs
    }

    /// Returns the JSON that `ovlint cost --format json` prints. `ovlint generate schema cost` prints its schema.
    ///
    /// # Errors
    /// None: the text was made together with the cost.
    pub fn to_json(&self) -> Result<String, Error> {
        Ok(self.json.clone())
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
