//! The reduced model, in the public API.

use super::error::{Error, ErrorKind};
use super::rule::Rule;
use crate::analysis::Model;
use crate::policy::Settings;
use crate::reduce::{self, Bytes, Task};

/// The smallest model found that still has a finding of another one; `ovlint reduce` writes it to files.
///
/// ```
/// use ovlint::{Analysis, Options, Rule, Weights};
///
/// let analysis = Analysis::open("ir-samples/bad/split-lengths-sum/model.xml", &Options::new())?;
/// let rule = Rule::find("split-lengths-sum").expect("a rule");
/// let reduced = analysis.reduce(rule, None)?;
/// assert_eq!(reduced.layers(), 5);
/// let options = Options::new().weights(Weights::Bytes(reduced.weights().unwrap_or_default().into()));
/// assert!(Analysis::from_bytes("small.xml", reduced.xml(), &options)?.has_errors());
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Debug)]
pub struct Reduced(reduce::Reduced);

impl Reduced {
    pub(super) fn of(model: &Model, settings: &Settings, rule: Rule, layer: Option<&str>) -> Result<Self, Error> {
        let mut task = Task {
            model,
            keep_weights: false,
            is_anonymous: false,
            most_candidates: reduce::CANDIDATES,
            progress: &mut |_, _| {},
        };
        let reduced = reduce::by_rule(&mut task, settings, Some(rule.0), layer);
        reduced.map(Self).map_err(|error| Error::new(ErrorKind::Argument, error))
    }

    /// Returns the XML.
    pub fn xml(&self) -> &[u8] {
        &self.0.model.xml
    }

    /// Returns the weights; `None` if they are those of the original model.
    pub fn weights(&self) -> Option<&[u8]> {
        match &self.0.model.weights {
            Bytes::New(bytes) => Some(bytes),
            Bytes::Original(_) => None,
        }
    }

    /// Returns the number of layers, without those of bodies.
    pub fn layers(&self) -> usize {
        self.0.model.layers
    }
}
