//! What OpenVINO itself knows of the outputs of a file, for what the file declares.

use super::Checked;
use crate::infer::{Facts, as_openvino};
use crate::ir::{Net, OutputRef, Weights};
use crate::options::Options;
use crate::source::Source;
use crate::types::Fact;
use std::sync::OnceLock;

/// An inference that knows no more than OpenVINO, made once it is asked for.
pub(crate) struct OpenVino<'a> {
    net: &'a Net,
    source: &'a Source,
    weights: &'a Weights,
    options: &'a Options,
    known: OnceLock<Facts>,
}

impl<'a> OpenVino<'a> {
    pub(super) fn new(net: &'a Net, source: &'a Source, weights: &'a Weights, options: &'a Options) -> Self {
        Self { net, source, weights, options, known: OnceLock::new() }
    }

    /// What it knows; `None` where the inputs have other shapes than those that the file was written for.
    fn known(&self) -> Option<&Facts> {
        let (options, stated) = (self.options, self.options.extension_ops.as_ref());
        let infer = || as_openvino(self.net, self.source, self.weights, &options.limits, stated);
        options.shapes.is_empty().then(|| self.known.get_or_init(infer))
    }
}

impl Checked<'_> {
    /// What OpenVINO knows of an output, if that is not all that is true.
    pub(super) fn known_to_openvino(&self, output: OutputRef) -> Option<&Fact> {
        // What is only declared is held against itself.
        if self.facts.is_assumed(output.layer) {
            return None;
        }
        let known = self.openvino_facts()?.output(output)?;
        let truth = self.facts.output(output)?;
        (known.shape != truth.shape).then_some(known)
    }

    fn openvino_facts(&self) -> Option<&Facts> {
        match self.around {
            Some(around) => around.checked.openvino_facts()?.body(around.index, around.kind),
            None => self.openvino.known(),
        }
    }
}
