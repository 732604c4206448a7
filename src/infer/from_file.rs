//! Facts that are read from the file instead of inferred: constants, whose bytes inference asks for, and the declared ports of
//! layers that cannot be inferred.

use super::{Plan, Scope};
use crate::diagnostic::{Diagnostic, LIMIT_EXCEEDED, Sink};
use crate::ir::walk::{Visit, layers};
use crate::ir::{Constant, Graph, Layer, Port};
use crate::text::plural;
use crate::types::{Dim, ElementType, Fact, PartialShape};
use std::ops::Range;

/// Returns the fact of a constant, with its value if wanted and small enough; `None` if its bytes are too few for its shape.
pub(super) fn constant_fact(scope: &Scope, layer: &Layer, wants_value: bool, sink: &mut Sink) -> Option<Fact> {
    // A shape that needs more bytes than there are may be wrong.
    let holds = |constant: &&Constant| constant.bytes_of_bits().is_none_or(|need| need <= constant.size);
    let constant = scope.graph.constant(layer).filter(holds)?;
    let (rank, most) = (constant.lengths.len(), scope.limits.rank);
    if rank > most {
        let message = format!("the constant has {rank} dimension{s}, more than {most}", s = plural(rank));
        let finding = Diagnostic::new(&LIMIT_EXCEEDED, layer.data, message).help("raise the limit with --max-rank");
        sink.report(scope.about(layer, finding));
        return Some(Fact { assumed: true, ..Fact::new(constant.ty, PartialShape::UNKNOWN) });
    }
    let small = is_small(scope, constant);
    let value = if wants_value && small { scope.weights.value(constant) } else { None };
    let fact = Fact::new(constant.ty, constant.shape()).with_value(value);
    // An unreadable value leaves the shapes that depend on it wider than they could be.
    Some(Fact { assumed: wants_value && small && fact.value.is_none(), ..fact })
}

/// Whether a constant has few enough elements for inference to read them.
fn is_small(scope: &Scope, constant: &Constant) -> bool {
    constant.elements().is_some_and(|count| count <= scope.limits.value_elements as u64)
}

/// Collects the byte ranges of the weights that inference reads, those of bodies included, and the offset tables of strings,
/// which are checked.
pub(super) fn wanted(scope: &Scope, plan: &Plan) -> Vec<Range<u64>> {
    let mut ranges = Vec::new();
    for Visit { place, id, layer } in layers(scope.graph, plan) {
        if let Some(constant) = place.graph.constant(layer) {
            let is_wanted = place.beside.wants_values(id) && is_small(scope, constant);
            let size = match constant.ty {
                ElementType::String => constant.elements().map(|count| count.saturating_add(2).saturating_mul(4)),
                _ => constant.bytes_needed().filter(|_| is_wanted),
            };
            ranges.extend(size.map(|size| constant.offset..constant.offset.saturating_add(size.min(constant.size))));
        }
    }
    ranges
}

/// Returns the fact that an output port declares; without dimensions, its rank is unknown.
pub(crate) fn declared_output(graph: &Graph, layer: &Layer, output: usize) -> Fact {
    match graph.outputs(layer).get(output) {
        Some(port) => declared(graph, port),
        None => Fact { assumed: true, ..Fact::unknown() },
    }
}

/// Returns the fact that a port declares.
pub(crate) fn declared(graph: &Graph, port: &Port) -> Fact {
    let dims = graph.dims(port);
    let shape = if dims.is_empty() {
        PartialShape::UNKNOWN
    } else {
        PartialShape::of(dims.iter().map(|dim| if *dim < 0 { Dim::ANY } else { Dim::exact(*dim) }))
    };
    Fact { assumed: true, ..Fact::new(port.precision.unwrap_or(ElementType::Dynamic), shape) }
}
