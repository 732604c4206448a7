//! The requirements of an application on a model: inputs and outputs, forbidden operations, sizes.

mod ends;
mod ports;
pub(crate) mod rules;
mod wanted;

pub use wanted::{OpPattern, Size, Wanted};

use crate::analysis::Model;
use crate::diagnostic::{Diagnostic, Sink};
use crate::ir::walk::{Visit, layers};
use crate::ir::{Kind, Net};
use crate::policy::FileGlobs;
use crate::source::Span;
use crate::text::plural;
use rules::{CONTRACT_FORBIDDEN_OP, CONTRACT_SIZE};
use std::collections::BTreeMap;

/// A `[[contract]]`.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The file name of the configuration, and the line of the contract in it.
    pub place: (String, u32),
    /// The models that the contract applies to.
    pub files: FileGlobs,
    /// All inputs by tensor name or Parameter name; `None` allows any.
    pub inputs: Option<BTreeMap<String, Wanted>>,
    /// All outputs by tensor name, Result name or the name of the producer; `None` allows any.
    pub outputs: Option<BTreeMap<String, Wanted>>,
    /// Forbidden operations, bodies included.
    pub forbidden: Vec<OpPattern>,
    /// The maximum number of layers, bodies included.
    pub max_layers: Option<usize>,
    /// The maximum size of the weights file.
    pub max_bin_size: Option<Size>,
    /// The maximum size of the XML file.
    pub max_xml_size: Option<Size>,
}

impl Contract {
    /// Reports breaches of the contract; unreadable parts are not breaches.
    pub(crate) fn check(&self, model: &Model, sink: &mut Sink) {
        let Some(net) = model.net() else { return };
        let mut ends = ports::Check { model, net, contract: self, sink };
        if let Some(inputs) = &self.inputs {
            ends.check(inputs, "input", &ends::inputs(model, net));
        }
        if let Some(outputs) = &self.outputs {
            ends.check(outputs, "output", &ends::outputs(model, net));
        }
        self.check_operations(model, net, sink);
        self.check_sizes(model, net, sink);
    }

    /// Returns the note that names the line of the configuration: that of a port, or of the contract.
    fn asked_for(&self, wanted: Option<&Wanted>) -> String {
        let (file, line) = &self.place;
        format!("required by {file}:{}", wanted.map_or(*line, |wanted| wanted.line))
    }

    /// Reports every forbidden type and version once, at its first layer.
    fn check_operations(&self, model: &Model, net: &Net, sink: &mut Sink) {
        let mut first: BTreeMap<(String, String), (Diagnostic, usize)> = BTreeMap::new();
        let source = model.source();
        let is_forbidden = |kind: &Kind| self.forbidden.iter().any(|op| op.admits(&kind.ty, &kind.version));
        for visit in layers(&net.graph, ()).filter(|visit| is_forbidden(visit.kind())) {
            let Visit { place, layer, .. } = &visit;
            let kind = visit.kind();
            let entry = first.entry((kind.ty.clone(), kind.version.clone())).or_insert_with(|| {
                let name = place.graph.name(source, layer);
                let message = format!("contract: {} is not allowed (`{name}`)", kind.ty);
                let finding = Diagnostic::new(&CONTRACT_FORBIDDEN_OP, layer.tag, message);
                let mut finding = finding.layer(place.graph.layer_ref(source, layer));
                finding.body = place.refs(source);
                (finding, 0)
            });
            entry.1 += 1;
        }
        for (finding, count) in first.into_values() {
            let finding = finding.note(self.asked_for(None));
            sink.report(if count > 1 { finding.note(format!("{count} layers use it")) } else { finding });
        }
    }

    fn check_sizes(&self, model: &Model, net: &Net, sink: &mut Sink) {
        let finding = |span: Span, message: String| Diagnostic::new(&CONTRACT_SIZE, span, message);
        let mut report = |span, message| sink.report(finding(span, message).note(self.asked_for(None)));
        let layers = net.graph.layer_count();
        if let Some(most) = self.max_layers.filter(|most| layers > *most) {
            report(net.graph.tag, format!("contract: the model has {layers} layers, but the limit is {most}"));
        }
        let (xml, bin) = (model.source().bytes().len() as u64, model.weights().size());
        for (what, size, limit) in [(".xml", xml, &self.max_xml_size), (".bin", bin, &self.max_bin_size)] {
            if let Some(limit) = limit.as_ref().filter(|limit| size > limit.bytes) {
                report(
                    Span::default(),
                    format!("contract: the {what} has {size} byte{s}, but the limit is {limit}", s = plural(size)),
                );
            }
        }
    }
}
