//! Layers that repeat, as those of a network's blocks do: what was inferred of one holds for all that are written alike and
//! get the same.

use super::explain::Scope;
use super::facts::Facts;
use super::plan::Plan;
use crate::ir::{LayerId, Port};
use crate::memo::Table;
use crate::types::{Elements, Fact, Value};
use foldhash::fast::{FixedState, FoldHasher};
use std::hash::{BuildHasher, Hash, Hasher};

/// Layers inferred before.
pub(super) struct Memo {
    /// By what the outputs follow from: only layers that gave no finding.
    calls: Table<Seen>,
    /// The same for constants, most of which are unlike all others.
    constants: Table<Seen>,
    /// By the outputs.
    outputs: Table<Seen>,
}

/// What the outputs of a layer follow from, as a hash.
#[derive(Clone, Copy)]
pub(super) struct Call {
    hash: u64,
    is_constant: bool,
}

/// Places at most; a network has fewer kinds of layers, whatever its depth.
const PLACES: usize = 1 << 13;

/// Places for constants.
const CONSTANTS: usize = 1 << 10;

impl Memo {
    /// Room for the layers of a graph.
    pub(super) fn new(layers: usize) -> Self {
        let table = |most| Table::new((2 * layers).min(most));
        Self { calls: table(PLACES), constants: table(CONSTANTS), outputs: table(PLACES) }
    }

    /// Forgets all layers.
    pub(super) fn clear(&mut self) {
        for table in [&mut self.calls, &mut self.constants, &mut self.outputs] {
            table.clear();
        }
    }

    /// What counts for a layer: its kind, its attributes and its inputs, and what is wanted of it. Constants are alike if they
    /// hold the same bytes, as far as those matter.
    pub(super) fn call(scope: &Scope, plan: &Plan, facts: &Facts, index: LayerId) -> Option<Call> {
        let mut hasher = hasher();
        let wants_values = plan.wants_values(index);
        let layer = scope.graph.layer(index)?;
        hasher.write_u64((u64::from(layer.kind) << 1) | u64::from(wants_values));
        let constant = scope.graph.constant(layer);
        if let Some(constant) = constant {
            hasher.write_u64(if wants_values { constant.offset } else { constant.size });
        } else {
            hasher.write_u32(layer.data_like);
            for port in scope.graph.inputs(layer) {
                hasher.write_u32(place_of(facts, port).unwrap_or(u32::MAX));
            }
        }
        Some(Call { hash: hasher.finish(), is_constant: constant.is_some() })
    }

    /// An earlier layer of which all that counts is the same.
    pub(super) fn same_call(
        &self,
        call: Call,
        scope: &Scope,
        plan: &Plan,
        facts: &Facts,
        index: LayerId,
    ) -> Option<LayerId> {
        let graph = scope.graph;
        let table = if call.is_constant { &self.constants } else { &self.calls };
        let earlier = seen(table, call.hash)?;
        let (a, b) = (graph.layer(index)?, graph.layer(earlier)?);
        let inputs = |layer| graph.inputs(layer).iter().map(|port| place_of(facts, port));
        let wants_values = plan.wants_values(index);
        let is_same_data = match (graph.constant(a), graph.constant(b)) {
            (Some(a), Some(b)) => {
                (a.ty, a.size) == (b.ty, b.size) && a.lengths == b.lengths && (a.offset == b.offset || !wants_values)
            }
            _ => a.data_like == b.data_like,
        };
        let is_same = a.kind == b.kind
            && graph.outputs(a).len() == graph.outputs(b).len()
            && wants_values == plan.wants_values(earlier)
            && is_same_data
            && inputs(a).eq(inputs(b));
        is_same.then_some(earlier)
    }

    /// Remembers a layer that gave no finding.
    pub(super) fn add_call(&mut self, call: Call, index: LayerId) {
        let table = if call.is_constant { &mut self.constants } else { &mut self.calls };
        see(table, call.hash, index);
    }

    /// A layer with the same outputs; without one, this layer is remembered.
    pub(super) fn same_outputs(&mut self, facts: &Facts, index: LayerId, outputs: &[Fact]) -> Option<LayerId> {
        let mut hasher = hasher();
        for fact in outputs {
            digest(fact, &mut hasher);
        }
        let hash = hasher.finish();
        let earlier = seen(&self.outputs, hash).filter(|earlier| {
            let others = facts.outputs(*earlier);
            others.len() == outputs.len() && others.iter().zip(outputs).all(|(a, b)| is_same(a, b))
        });
        if earlier.is_none() {
            see(&mut self.outputs, hash, index);
        }
        earlier
    }
}

/// A layer, and more of its hash, so that most of those that differ need not be compared.
#[derive(Clone, Copy)]
struct Seen {
    hash: u32,
    layer: LayerId,
}

fn seen(table: &Table<Seen>, hash: u64) -> Option<LayerId> {
    table.get(hash).filter(|seen| seen.hash == upper(hash)).map(|seen| seen.layer)
}

fn see(table: &mut Table<Seen>, hash: u64, layer: LayerId) {
    table.put(hash, Seen { hash: upper(hash), layer });
}

/// The upper half of a hash.
fn upper(hash: u64) -> u32 {
    u32::try_from(hash >> u32::BITS).unwrap_or_default()
}

fn place_of(facts: &Facts, input: &Port) -> Option<u32> {
    facts.place(input.source()?)
}

fn hasher() -> FoldHasher<'static> {
    FixedState::with_seed(0).build_hasher()
}

/// Takes a part of a fact into a hash.
fn digest(fact: &Fact, hasher: &mut FoldHasher) {
    hasher.write_u8(u8::from(fact.assumed));
    fact.ty.hash(hasher);
    for dim in fact.shape.dims().unwrap_or_default() {
        hasher.write_i64(dim.lower());
        hasher.write_i64(dim.upper().unwrap_or(-1));
    }
    if let Some(Elements::Integers(all)) = fact.value.as_deref().map(Value::elements) {
        hasher.write_usize(all.len());
        for bounds in all.iter().take(8) {
            hasher.write_i64(bounds.lower);
            hasher.write_i64(bounds.upper);
        }
    }
}

/// Whether two facts say the same of every element; numbers with fractions are not compared.
fn is_same(a: &Fact, b: &Fact) -> bool {
    let values = match (a.value.as_deref(), b.value.as_deref()) {
        (None, None) => true,
        (Some(a), Some(b)) => matches!(a.elements(), Elements::Integers(_)) && a == b,
        _ => false,
    };
    values && (a.ty, a.assumed) == (b.ty, b.assumed) && a.shape == b.shape
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Model;
    use crate::analysis::Options;
    use crate::ir::Weights;

    #[test]
    fn layers_that_are_alike_share_their_outputs() {
        let port = |id| format!("<port id=\"{id}\" precision=\"FP32\"><dim>2</dim><dim>3</dim></port>");
        let (one, two) = (format!("<input>{}</input>", port(0)), format!("<input>{}{}</input>", port(0), port(1)));
        let joined = |rows, columns| {
            format!("<output><port id=\"2\" precision=\"FP32\"><dim>{rows}</dim><dim>{columns}</dim></port></output>")
        };
        let relu = format!("{one}<output>{}</output>", port(1));
        let layers = [
            ("Parameter", format!("<data shape=\"2,3\" element_type=\"f32\"/><output>{}</output>", port(0))),
            ("ReLU", relu.clone()),
            ("ReLU", relu),
            ("Concat", format!("<data axis=\"0\"/>{two}{}", joined(4, 3))),
            ("Concat", format!("<data axis=\"0\"/>{two}{}", joined(4, 3))),
            ("Concat", format!("<data axis=\"1\"/>{two}{}", joined(2, 6))),
        ];
        let edges = [(0, 0, 1, 0), (1, 1, 2, 0), (1, 1, 3, 0), (2, 1, 3, 1), (2, 1, 4, 0), (0, 0, 4, 1), (1, 1, 5, 0)];
        let edges = edges.into_iter().chain([(1, 1, 5, 1)]).map(|(a, b, c, d)| {
            format!("<edge from-layer=\"{a}\" from-port=\"{b}\" to-layer=\"{c}\" to-port=\"{d}\"/>")
        });
        let layers = layers.iter().enumerate().map(|(id, (ty, inside))| {
            format!("<layer id=\"{id}\" name=\"{id}\" type=\"{ty}\" version=\"opset1\">{inside}</layer>")
        });
        let (layers, edges) = (layers.collect::<Vec<_>>().concat(), edges.collect::<Vec<_>>().concat());
        let xml = format!("<net name=\"x\" version=\"11\"><layers>{layers}</layers><edges>{edges}</edges></net>");
        let model = Model::from_bytes("x.xml", xml.into_bytes(), Weights::default(), &Options::default()).unwrap();
        let facts = model.facts().unwrap();
        let shapes: Vec<_> = (0..6).map(|layer| facts.outputs(LayerId::new(layer))[0].to_string()).collect();
        assert_eq!(shapes, ["f32[2,3]", "f32[2,3]", "f32[2,3]", "f32[4,3]", "f32[4,3]", "f32[2,6]"]);
        let shared = |a, b| std::ptr::eq(facts.outputs(LayerId::new(a)), facts.outputs(LayerId::new(b)));
        assert!(shared(0, 1) && shared(1, 2) && shared(3, 4) && !shared(4, 5));
    }

    #[test]
    fn facts_are_the_same_if_all_of_them_is() {
        let same = |a: &str, b: &str| is_same(&a.parse().unwrap(), &b.parse().unwrap());
        assert!(same("i64[2] = 1,2..3", "i64[2] = 1,2..3"));
        assert!(!same("i64[2] = 1,2..3", "i64[2] = 1,2..4") && !same("i64[2] = 1,2", "i64[2]"));
        assert!(!same("i64[2]", "i32[2]") && !same("i64[2]", "i64[..2]") && !same("f32[...]", "f32[]"));
        assert!(!same("f32[1] = 0", "f32[1] = 0"), "-0 would be equal to 0");
        let assumed = Fact { assumed: true, ..Fact::unknown() };
        assert!(is_same(&assumed, &assumed) && !is_same(&assumed, &Fact::unknown()));
    }
}
