//! Ports that declare just what is known: most do, and there is no more to compare.

use crate::infer::Facts;
use crate::ir::{Graph, OutputRef, Port};
use crate::types::{Dim, ElementType, Fact};

/// Pairs of a fact and what a port declares that were found to agree, by where they are kept.
pub(super) struct Exact {
    known: Vec<Option<Pair>>,
}

/// The place of a fact, and the dimensions and the type of a port.
type Pair = (u32, (u32, u32), Option<ElementType>);

/// Pairs that are known at a time.
const PAIRS: usize = 1024;

impl Exact {
    /// Room for the ports of a graph.
    pub(super) fn new(graph: &Graph) -> Self {
        Self { known: vec![None; graph.layers.len().next_power_of_two().min(PAIRS)] }
    }

    /// Whether a port of `graph` declares just what is known of an output.
    pub(super) fn is_declared(&mut self, graph: &Graph, facts: &Facts, output: OutputRef, port: &Port) -> bool {
        let Some((place, fact)) = facts.place(output).and_then(|place| Some((place, facts.at(place)?))) else {
            return false;
        };
        let pair = (place, port.dims, port.precision);
        let slot = (place.wrapping_mul(31) ^ port.dims.0) as usize & (self.known.len() - 1);
        match self.known.get_mut(slot) {
            Some(Some(known)) if *known == pair => true,
            Some(known) if declares(graph, port, fact) => {
                *known = Some(pair);
                true
            }
            _ => false,
        }
    }
}

fn declares(graph: &Graph, port: &Port, fact: &Fact) -> bool {
    let declared = graph.dims(port);
    let is_same = |inferred: &[Dim]| {
        declared.len() == inferred.len()
            && declared.iter().zip(inferred).all(|(declared, inferred)| inferred.length().unwrap_or(-1) == *declared)
    };
    port.precision == Some(fact.ty) && fact.shape.dims().is_some_and(is_same)
}
