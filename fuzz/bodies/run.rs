//! Running the layers that only move data, with made-up inputs. The input is the XML, a NUL, and the weights.

use ovlint::internal::exec::{Feed, Generator, run as run_model};
use ovlint::internal::ir::Role;
use ovlint::internal::{Limits, Model, Options, Weights};

/// One input.
pub fn run(data: &[u8]) {
    let (xml, weights) = super::parts(data);
    let weights = Weights::in_memory(weights.to_vec());
    let mut limits = Limits::default();
    (limits.tensors, limits.inferred, limits.work, limits.outputs) = (1 << 22, 1 << 18, 1 << 18, 1_000);
    let model =
        Model::from_bytes("fuzz.xml", xml.to_vec(), weights, &Options { limits, ..Options::default() }).unwrap();
    let Some(net) = model.net() else { return };
    let parameters = net.graph.layers.iter().filter(|layer| net.graph.kind(layer).role == Role::Parameter);
    let feed = |layer| (net.graph.full_name(model.source(), layer).into_owned(), Feed::Generated(Generator::Arange));
    let feeds: Vec<(String, Feed)> = parameters.map(feed).collect();
    // Inputs of unknown shape cannot be made up; then constants are all there is.
    for feeds in [feeds, Vec::new()] {
        let Ok(steps) = run_model(&model, &feeds, None) else { continue };
        for tensor in steps.iter().filter_map(|step| step.outputs.as_ref().ok()).flatten() {
            assert_eq!(tensor.elements(), tensor.lengths().iter().product::<usize>());
            tensor.preview(8);
            tensor.element(tensor.elements());
        }
    }
}
