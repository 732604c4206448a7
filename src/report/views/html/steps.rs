//! The steps of `ovlint why`, from which the page puts answers together.

use crate::ir::Layer;
use crate::query::why::{Aspect, How, SingleStep, Source};
use serde::Serialize;
use std::collections::HashMap;

/// All that layers say, each text once.
#[derive(Default, Serialize)]
pub(super) struct StepTable {
    /// What a layer says: of an output and an aspect of it, the step.
    pub(super) layers: Vec<Vec<(u32, AspectData, usize)>>,
    pub(super) steps: Vec<StepData>,
    #[serde(skip)]
    numbers: HashMap<String, usize>,
    #[serde(skip)]
    layer_numbers: HashMap<Vec<(u32, AspectData, usize)>, usize>,
}

/// What is asked, and of which dimension or element.
type AspectData = (&'static str, usize);

/// 0 for an input, by its number; 1 for an output outside; from 2 on one in a body. Then the layer and the output.
type SourceData = (usize, usize, u32);

#[derive(Serialize)]
pub(super) struct StepData {
    /// Empty if it is what its source is.
    how: &'static str,
    /// The attributes that matter, and the calculation.
    note: String,
    from: Vec<(SourceData, AspectData)>,
}

impl StepTable {
    /// The number of what a layer says.
    pub(super) fn number(&mut self, layer: &Layer, said: &[SingleStep]) -> usize {
        let said: Vec<(u32, AspectData, usize)> =
            said.iter().map(|step| (step.output, aspect(step.aspect), self.step(layer, step))).collect();
        if let Some(number) = self.layer_numbers.get(&said) {
            return *number;
        }
        let number = self.layers.len();
        self.layers.push(said.clone());
        self.layer_numbers.insert(said, number);
        number
    }

    fn step(&mut self, layer: &Layer, step: &SingleStep) -> usize {
        let attributes = step.attributes.iter().map(|(name, value)| format!("{name}={value}"));
        let note: Vec<String> = attributes.chain(step.arithmetic.clone()).collect();
        let from = step.from.iter().map(|(from, of)| (source(layer, *from), aspect(*of)));
        let note = crate::text::escape::line(&note.join(", "), super::SHOWN);
        let data = StepData { how: step.how.map_or("", How::name), note, from: from.collect() };
        let key = format!("{} {} {:?}", data.how, data.note, data.from);
        let next = self.steps.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.steps.push(data);
        }
        number
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
