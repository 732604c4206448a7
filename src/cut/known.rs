//! Computed tensors whose elements are all known from inference, such as target shapes. They can become constants where a
//! cut removes their producers.

use crate::infer::Facts;
use crate::ir::{Graph, OutputRef, Role};
use crate::types::{Fact, codec};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of elements of a tensor that becomes a constant.
const ELEMENTS: usize = 1 << 10;

/// All known tensors of a model, as bytes to append to its weights. All candidates share them, so offsets never change.
#[derive(Debug)]
pub(crate) struct Known {
    pub bytes: Arc<[u8]>,
    /// The offset and the size of every output.
    pub locations: BTreeMap<OutputRef, (u64, usize)>,
}

impl Known {
    /// Lays out the known tensors of a graph after weights of `start` bytes.
    pub(crate) fn of(graph: &Graph, facts: &Facts, start: u64) -> Self {
        let mut bytes = Vec::new();
        let mut locations = BTreeMap::new();
        for (layer, _) in graph.entries().filter(|(_, layer)| graph.kind(layer).role == Role::Inner) {
            for (output, fact) in (0..).zip(facts.outputs(layer)) {
                let Some(known) = known_bytes(fact) else { continue };
                let end = start + bytes.len() as u64;
                let gap = usize::try_from(end.next_multiple_of(8) - end).unwrap_or_default();
                bytes.resize(bytes.len() + gap, 0);
                locations.insert(OutputRef { layer, output }, (start + bytes.len() as u64, known.len()));
                bytes.extend_from_slice(&known);
            }
        }
        Self { bytes: bytes.into(), locations }
    }
}

/// Returns the bytes of a tensor if every element is known.
pub(crate) fn known_bytes(fact: &Fact) -> Option<Vec<u8>> {
    let value = fact.value.as_deref().filter(|value| value.len() <= ELEMENTS)?;
    let codes = codec::codes(fact.ty, value)?;
    let size = fact.ty.storage(codes.len() as u64).and_then(|size| usize::try_from(size).ok())?;
    let mut bytes = vec![0; size];
    codec::fill(fact.ty, codes.len(), &mut bytes, |index| codes.get(index).copied().unwrap_or_default());
    Some(bytes)
}
