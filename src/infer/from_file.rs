//! What the file itself says of an output: the bytes of a constant, and what ports declare.

use super::Scope;
use crate::diagnostic::{Diagnostic, LIMIT_EXCEEDED, Sink};
use crate::ir::{Constant, Graph, Layer, Port};
use crate::text::plural;
use crate::types::{Dim, ElementType, Fact, PartialShape};

/// What a constant is, with its elements if they are wanted and few enough; `None` if its bytes do not hold it.
pub(super) fn constant_fact(scope: &Scope, layer: &Layer, wants_value: bool, sink: &mut Sink) -> Option<Fact> {
    // A shape that its bytes cannot hold is not to be trusted.
    let holds = |constant: &&Constant| constant.bytes_needed().is_none_or(|need| need <= constant.size);
    let constant = scope.graph.constant(layer).filter(holds)?;
    let (rank, most) = (constant.lengths.len(), scope.limits.rank);
    if rank > most {
        let message = format!("the constant has {rank} dimension{s}, more than {most}", s = plural(rank));
        let mut finding = Diagnostic::new(&LIMIT_EXCEEDED, layer.data, message).help("raise the limit with --max-rank");
        finding.body = scope.body.to_vec();
        sink.report(finding.layer(scope.graph.layer_ref(scope.source, layer)));
        return Some(Fact { assumed: true, ..Fact::new(constant.ty, PartialShape::UNKNOWN) });
    }
    let small = constant.elements().is_some_and(|count| count <= scope.limits.value_elements as u64);
    let value = if wants_value && small { scope.weights.value(constant) } else { None };
    let fact = Fact::new(constant.ty, constant.shape()).with_value(value);
    // Shapes that depend on unreadable bytes are known less well than they could be.
    Some(Fact { assumed: wants_value && small && fact.value.is_none(), ..fact })
}

/// What a layer declares of an output; a port without dimensions says nothing of the rank.
pub(crate) fn declared_output(graph: &Graph, layer: &Layer, output: usize) -> Fact {
    match graph.outputs(layer).get(output) {
        Some(port) => declared(graph, port),
        None => Fact { assumed: true, ..Fact::unknown() },
    }
}

/// What a port declares.
pub(crate) fn declared(graph: &Graph, port: &Port) -> Fact {
    let dims = graph.dims(port);
    let shape = if dims.is_empty() {
        PartialShape::UNKNOWN
    } else {
        PartialShape::of(dims.iter().map(|dim| if *dim < 0 { Dim::ANY } else { Dim::exact(*dim) }))
    };
    Fact { assumed: true, ..Fact::new(port.precision.unwrap_or(ElementType::Dynamic), shape) }
}
