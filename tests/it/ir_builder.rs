//! Writes small IRs for tests: layers in order, constants in a weights blob, everything wired by position.

use crate::measured::measurement::{bare_text, text_of};
use ovlint::internal::diagnostic::Severity;
use ovlint::internal::ir::LayerId;
use ovlint::internal::types::ElementType;
use ovlint::internal::{Model, Options, Weights};
use std::fmt::Write;

/// An output of a layer that was added.
#[derive(Clone, Copy)]
pub(crate) struct Output(pub(crate) usize, pub(crate) usize);

/// An IR in the making.
#[derive(Default)]
pub(crate) struct Ir {
    layers: String,
    edges: String,
    weights: Vec<u8>,
    /// Per layer: the number of its input ports, after which its output ports are numbered.
    inputs: Vec<usize>,
    outputs: Vec<usize>,
}

impl Ir {
    /// Adds a Parameter with a shape as its attribute writes it.
    pub(crate) fn parameter(&mut self, ty: &str, shape: &str) -> Output {
        let data = format!("<data shape=\"{shape}\" element_type=\"{ty}\"/>");
        self.layer("Parameter", "opset1", &data, &[], 1)
    }

    /// Adds a Const of numbers; floats are rounded to the type.
    pub(crate) fn constant(&mut self, ty: &str, lengths: &[usize], numbers: &[f64]) -> Output {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| encode(ty, *number)).collect();
        self.constant_of_bytes(ty, lengths, &bytes)
    }

    /// Adds a Const of elements as they are stored.
    pub(crate) fn constant_of_bytes(&mut self, ty: &str, lengths: &[usize], bytes: &[u8]) -> Output {
        let lengths: Vec<String> = lengths.iter().map(ToString::to_string).collect();
        let (offset, size) = (self.weights.len(), bytes.len().max(1));
        self.weights.extend(bytes);
        self.weights.resize(offset + size, 0);
        let shape = lengths.join(", ");
        let data = format!("<data element_type=\"{ty}\" shape=\"{shape}\" offset=\"{offset}\" size=\"{size}\"/>");
        self.layer("Const", "opset1", &data, &[], 1)
    }

    /// Adds any layer; its outputs declare neither type nor shape.
    pub(crate) fn layer(&mut self, ty: &str, version: &str, data: &str, inputs: &[Output], outputs: usize) -> Output {
        let id = self.inputs.len();
        let _ = write!(self.layers, "<layer id=\"{id}\" name=\"{ty}_{id}\" type=\"{ty}\" version=\"{version}\">{data}");
        if !inputs.is_empty() {
            self.layers.push_str("<input>");
            for (port, Output(from, output)) in inputs.iter().enumerate() {
                let _ = write!(self.layers, "<port id=\"{port}\"/>");
                let from_port = self.inputs[*from] + output;
                let _ = write!(
                    self.edges,
                    "<edge from-layer=\"{from}\" from-port=\"{from_port}\" to-layer=\"{id}\" to-port=\"{port}\"/>"
                );
            }
            self.layers.push_str("</input>");
        }
        if outputs > 0 {
            self.layers.push_str("<output>");
            for port in 0..outputs {
                let _ = write!(self.layers, "<port id=\"{}\" precision=\"UNSPECIFIED\"/>", inputs.len() + port);
            }
            self.layers.push_str("</output>");
        }
        self.layers.push_str("</layer>\n");
        self.inputs.push(inputs.len());
        self.outputs.push(outputs);
        Output(id, 0)
    }

    /// The number of outputs of the layer of `output`.
    pub(crate) fn outputs(&self, output: Output) -> usize {
        self.outputs[output.0]
    }

    /// Adds a Result.
    pub(crate) fn result(&mut self, of: Output) -> usize {
        self.layer("Result", "opset1", "", &[of], 0).0
    }

    /// Starts a body, which borrows the weights until `close` takes it in.
    pub(crate) fn body(&mut self) -> Self {
        Self { weights: std::mem::take(&mut self.weights), ..Self::default() }
    }

    /// The element of a body: `body`, `then_body` or `else_body`.
    pub(crate) fn close(&mut self, element: &str, body: Self) -> String {
        self.weights = body.weights;
        let (layers, edges) = (body.layers, body.edges);
        format!("<{element}><layers>\n{layers}</layers><edges>{edges}</edges></{element}>")
    }

    /// The XML and the weights.
    pub(crate) fn finish(self) -> (Vec<u8>, Vec<u8>) {
        let Self { layers, edges, weights, .. } = self;
        let xml =
            format!("<net name=\"m\" version=\"11\">\n<layers>\n{layers}</layers>\n<edges>{edges}</edges>\n</net>\n");
        (xml.into_bytes(), weights)
    }
}

/// The outputs of layer `layer`, or `error` with the rules broken.
pub(crate) fn infer(xml: Vec<u8>, weights: Vec<u8>, layer: usize) -> String {
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
    let errors = model.findings().iter().filter(|finding| finding.severity == Severity::Error);
    let rules: Vec<&str> = errors.map(|finding| finding.rule.name).collect();
    if !rules.is_empty() {
        return format!("error {}", rules.join(", "));
    }
    let facts = model.facts().unwrap().outputs(LayerId::new(layer));
    assert!(facts.iter().all(|fact| !fact.assumed), "nothing is assumed");
    text_of(facts.iter().map(bare_text))
}

#[allow(clippy::cast_possible_truncation, reason = "numbers of tests fit their types")]
pub(crate) fn encode(ty: &str, number: f64) -> Vec<u8> {
    let ty = ElementType::from_data_text(ty).unwrap();
    match ty {
        ElementType::F32 => (number as f32).to_le_bytes().to_vec(),
        ElementType::F64 => number.to_le_bytes().to_vec(),
        ElementType::F16 => half::f16::from_f64(number).to_le_bytes().to_vec(),
        // 2^64 - 1 is not an f64; the next larger one stands for it.
        _ => (number as i128).min(u64::MAX.into()).to_le_bytes()[..(ty.bits() / 8).max(1) as usize].to_vec(),
    }
}
