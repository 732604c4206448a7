//! The steps of `ovlint why`, from which the HTML page builds its answers.

use super::numbered::Numbered;
use crate::ir::Layer;
use crate::query::why::{Aspect, How, SingleStep, Source};
use serde::Serialize;

/// The steps of all layers; equal ones are stored once.
#[derive(Default, Serialize)]
pub(super) struct StepTable {
    /// The steps of a layer: output, aspect and step.
    layers: Numbered<Vec<(u32, AspectData, usize)>>,
    steps: Numbered<StepData>,
}

/// The aspect that a step explains: `dim`, `element`, `rank` or `type`, and the index of the dimension or element.
type AspectData = (&'static str, usize);

/// The source of a step: `(0, input, 0)` for an input of the layer, `(1, layer, output)` for an output in the graph around
/// the body, and `(2 + i, layer, output)` for an output in body `i` of the layer.
type SourceData = (usize, usize, u32);

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct StepData {
    /// The word for [`How`]; empty if the value is passed on unchanged from its source.
    how: &'static str,
    /// The relevant attributes, and the calculation.
    note: String,
    from: Vec<(SourceData, AspectData)>,
}

impl StepTable {
    /// Returns the number of a layer's steps.
    pub(super) fn number(&mut self, layer: &Layer, said: &[SingleStep]) -> usize {
        let said: Vec<(u32, AspectData, usize)> =
            said.iter().map(|step| (step.output, aspect(step.aspect), self.step(layer, step))).collect();
        self.layers.number(&said)
    }

    fn step(&mut self, layer: &Layer, step: &SingleStep) -> usize {
        let attributes = step.attributes.iter().map(|(name, value)| format!("{name}={value}"));
        let note: Vec<String> = attributes.chain(step.arithmetic.clone()).collect();
        let note = crate::text::escape::line(&note.join(", "), super::SHOWN);
        let from = step.from.iter().map(|(from, of)| (source(layer, *from), aspect(*of))).collect();
        self.steps.number(&StepData { how: step.how.map_or("", How::name), note, from })
    }
}

fn aspect(aspect: Aspect) -> AspectData {
    match aspect {
        Aspect::Dim(at) => ("dim", at),
        Aspect::Element(at) => ("element", at),
        Aspect::Rank => ("rank", 0),
        Aspect::Type => ("type", 0),
    }
}

fn source(layer: &Layer, source: Source) -> SourceData {
    match source {
        Source::Input(at) => (0, at, 0),
        Source::Outside(output) => (1, output.layer.index(), output.output),
        Source::Body(kind, output) => {
            let at = layer.bodies().position(|body| body.kind == kind).unwrap_or(0);
            (2 + at, output.layer.index(), output.output)
        }
    }
}
