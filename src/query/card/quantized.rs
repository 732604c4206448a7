//! The layers with weights whose other input is quantized, counted by type.

use crate::arrange::Arrange;
use crate::ir::{Graph, LayerId, OutputRef, Port};
use crate::lint::forms::{Uses, Weighted, levels};
use crate::ops::Action;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The layers with quantized inputs among those that multiply weights.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quantized {
    /// The layers by type.
    pub operations: Vec<Uses>,
    /// The numbers of levels of the `FakeQuantize` layers in front of them.
    pub levels: BTreeSet<i64>,
}

/// The maximum number of layers between a `FakeQuantize` and a layer with weights.
const MOST: usize = 64;

/// Counts the layers with quantized inputs; `None` if there are none.
pub(super) fn quantized(weighted: &[Weighted]) -> Option<Quantized> {
    let (mut counts, mut levels): (BTreeMap<&'static str, (usize, usize)>, BTreeSet<i64>) = Default::default();
    let mut known: HashMap<(*const Graph, LayerId), bool> = HashMap::new();
    for one in weighted.iter().filter(|one| one.multiplies) {
        let (with, of) = counts.entry(one.ty).or_default();
        *of += 1;
        let mut is_quantized = |from: &OutputRef| leads_to(one, *from, &mut known, &mut levels, MOST);
        *with += usize::from(one.data.first().is_some_and(&mut is_quantized));
    }
    let uses = |(ty, (layers, of)): (&'static str, (usize, usize))| Uses { ty, layers, of };
    let mut operations: Vec<Uses> = counts.into_iter().map(uses).collect();
    operations.arrange_by_key(|uses| Reverse(uses.layers));
    operations.iter().any(|uses| uses.layers > 0).then_some(Quantized { operations, levels })
}

/// Whether a tensor comes from `FakeQuantize` layers, through layers that keep the levels of its elements.
fn leads_to(
    one: &Weighted,
    from: OutputRef,
    known: &mut HashMap<(*const Graph, LayerId), bool>,
    found: &mut BTreeSet<i64>,
    most: usize,
) -> bool {
    let key = (std::ptr::from_ref(one.graph), from.layer);
    if let Some(is) = known.get(&key) {
        return *is;
    }
    let (Some(layer), Some(most)) = (one.graph.layer(from.layer), most.checked_sub(1)) else { return false };
    let mut inputs = one.graph.inputs(layer).iter().map(Port::source);
    let leads = |input: Option<OutputRef>| input.is_some_and(|from| leads_to(one, from, known, found, most));
    let is = match one.graph.kind(layer).action() {
        Action::Quantizes => {
            found.extend(levels(one.source, layer));
            true
        }
        Action::Joins => inputs.all(leads),
        Action::Splits
        | Action::Slices
        | Action::Gathers
        | Action::Reshapes
        | Action::Permutes
        | Action::Repeats
        | Action::Selects
        | Action::Resizes => inputs.take(1).all(leads),
        _ => false,
    };
    known.insert(key, is);
    is
}
