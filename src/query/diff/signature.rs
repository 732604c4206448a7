//! Weisfeiler-Lehman hashes of layers: the hash of a layer itself, refined by the hashes of its producers and consumers.
//!
//! Two layers with the same hashes without names have the same position in the graph, so renamed layers can be matched. The
//! hashes of all layers make one of the model, by which renamed files are matched.

use crate::analysis::Model;
use crate::infer::Plan;
use crate::ir::refinement::{at, consumers, in_order, in_rounds, mixed};
use crate::ir::walk::graphs;
use crate::ir::{Constant, Graph, Layer, LayerId, OutputRef, Port, Role, Weights, resolved};
use crate::ops::Action;
use crate::source::Source;
use crate::text::stable_name;
use crate::types::ElementType;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The number of bytes of a constant that are hashed, from its start.
const HEAD: u64 = 256;

/// The maximum size in bytes of an integer constant that is hashed as structure, such as an axis or a shape, not as weights.
const SMALL: u64 = 128;

/// The number of Weisfeiler-Lehman rounds, and so the radius of the neighborhood.
const NEAR: usize = 3;

/// Hashes of a layer over five sets of layers, the most specific first: with all ancestors and descendants, with descendants,
/// with the neighborhood, with ancestors, and of the layer alone. Each is present twice: in full, then without names and
/// weights.
pub(super) type Signature = [u64; 10];

/// The number of first hashes that identify a layer if they are unique. The last two cover the layer alone, which does not
/// suffice.
pub(super) const IDENTIFYING: usize = 8;

pub(super) fn signatures(graph: &Graph, plan: &Plan, source: &Source, weights: &Weights) -> Vec<Signature> {
    let [full, bare] = [true, false].map(|is_full| {
        let own: Vec<u64> = graph.layers.iter().map(|layer| own(graph, layer, source, weights, is_full)).collect();
        let above = in_order(plan.order.iter(), own.clone(), |index, above| {
            mixed(at(&own, index), producers(graph, index, above))
        });
        let below = in_order(plan.order.iter().rev(), own.clone(), |index, below| {
            mixed(at(&own, index), consumers(graph, index, below))
        });
        let near = in_rounds(graph, NEAR, own.clone(), |index, near| {
            mixed(mixed(at(&own, index), producers(graph, index, near)), consumers(graph, index, near))
        });
        (own, above, below, near)
    });
    let signature = |(index, _): (LayerId, &Layer)| {
        let [full, bare] =
            [&full, &bare].map(|(own, above, below, near)| [own, above, below, near].map(|all| at(all, index)));
        let both = [&full, &bare].map(|[own, above, below, _]| mixed(mixed(*own, *above), *below));
        [both[0], both[1], full[2], bare[2], full[3], bare[3], full[1], bare[1], full[0], bare[0]]
    };
    graph.entries().map(signature).collect()
}

/// Hashes the producers of a layer in the order of the inputs: for each the consumed output and its hash.
fn producers(graph: &Graph, index: LayerId, hashes: &[u64]) -> u64 {
    let inputs = graph.layer(index).map(|layer| graph.inputs(layer)).unwrap_or_default();
    let sources = inputs.iter().filter_map(Port::source);
    sources.fold(1, |hash, from| mixed(mixed(hash, from.output.into()), at(hashes, from.layer)))
}

/// Computes two hashes of a whole model, independent of the order of layers: one with names and the first `HEAD` bytes of
/// each constant, one without.
pub fn structure(model: &Model) -> Option<[u64; 2]> {
    let mut all = [Vec::new(), Vec::new()];
    for place in graphs(&model.net()?.graph, &**model.facts()?.plan()) {
        for [full, bare, ..] in signatures(place.graph, place.beside, model.source(), model.weights()) {
            all[0].push(full);
            all[1].push(bare);
        }
    }
    Some(all.map(|mut all| {
        all.sort_unstable();
        hash(&all)
    }))
}

/// Hashes a layer itself: its type, its attributes, and the types, shapes and small integer values of the constants that it
/// consumes; in full also its name and the other constants.
fn own(graph: &Graph, layer: &Layer, source: &Source, weights: &Weights, is_full: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    let ty = &graph.kind(layer).ty;
    ty.hash(&mut hasher);
    if is_full {
        stable_name(&graph.full_name(source, layer), ty).hash(&mut hasher);
    }
    let attrs = graph.attrs(layer).iter();
    let mut attrs: Vec<_> = attrs.map(|attr| (source.slice(attr.name), resolved(source.slice(attr.value)))).collect();
    attrs.sort_unstable();
    attrs.hash(&mut hasher);
    let given = graph.inputs(layer).iter().map(|port| {
        let constant = weight_behind(graph, port.source()?)?;
        graph.constant(graph.layer(constant)?)
    });
    for (place, constant) in given.chain([graph.constant(layer)]).enumerate() {
        let Some(Constant { ty, lengths, offset, size }) = constant else { continue };
        (place, ty, lengths).hash(&mut hasher);
        if is_full || *size <= SMALL && matches!(ty, ElementType::I32 | ElementType::I64) {
            let size = usize::try_from(HEAD.min(*size)).ok().filter(|_| weights.foreign_format().is_none());
            let head = size.and_then(|size| weights.read(*offset, size));
            head.hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Returns the constant that produces an output, directly or through a Convert: weights are often stored in a smaller type.
pub(super) fn weight_behind(graph: &Graph, output: OutputRef) -> Option<LayerId> {
    let layer = graph.layer(output.layer)?;
    let kind = graph.kind(layer);
    if kind.role == Role::Const {
        return Some(output.layer);
    }
    let source = graph.inputs(layer).first().filter(|_| kind.action() == Action::Converts)?.source()?;
    let is_constant = graph.layer(source.layer).is_some_and(|layer| graph.kind(layer).role == Role::Const);
    is_constant.then_some(source.layer)
}

fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}
