//! Memoization of layers: the repeated blocks of a network are inferred once. Layers of one kind, with the same attributes
//! and the same input facts, share one result.

use super::facts::Facts;
use super::plan::Plan;
use super::scope::Scope;
use crate::ir::{LayerId, Port};
use crate::memo::Table;
use crate::types::{Elements, Fact, Value};
use foldhash::fast::{FixedState, FoldHasher};
use std::hash::{BuildHasher, Hash, Hasher};

/// The layers inferred so far, by hash.
pub(super) struct Memo {
    /// Keyed by the inputs of inference. Only layers without findings are stored, as a finding must be reported per layer.
    layers: Table<Entry>,
    /// The same for constants, in a table of their own: most are unique and would evict the rest.
    constants: Table<Entry>,
    /// Keyed by the inferred outputs. Layers with findings are stored as well.
    outputs: Table<Entry>,
}

/// The memo key of a layer, hashed.
#[derive(Clone, Copy)]
pub(super) struct Key {
    hash: u64,
    is_constant: bool,
}

/// The maximum number of slots. A repeated layer is inferred again if another one took the slot of the first.
const SLOTS: usize = 1 << 13;

/// The maximum number of slots for constants.
const CONSTANT_SLOTS: usize = 1 << 10;

impl Memo {
    /// Creates tables for a graph of `layers` layers.
    pub(super) fn new(layers: usize) -> Self {
        let table = |most| Table::new((2 * layers).min(most));
        Self { layers: table(SLOTS), constants: table(CONSTANT_SLOTS), outputs: table(SLOTS) }
    }

    pub(super) fn clear(&mut self) {
        for table in [&mut self.layers, &mut self.constants, &mut self.outputs] {
            table.clear();
        }
    }

    /// Computes the memo key of a layer: kind, attributes, input facts, and whether a shape depends on its values. The key of a
    /// constant includes its offset if one does, else only its size.
    pub(super) fn key(scope: &Scope, plan: &Plan, facts: &Facts, index: LayerId) -> Option<Key> {
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
                hasher.write_u32(slot_of(facts, port).unwrap_or(u32::MAX));
            }
        }
        Some(Key { hash: hasher.finish(), is_constant: constant.is_some() })
    }

    /// Finds an earlier layer with the same memo key; compares the layers themselves, as hashes can collide.
    pub(super) fn find(&self, key: Key, scope: &Scope, plan: &Plan, facts: &Facts, index: LayerId) -> Option<LayerId> {
        let graph = scope.graph;
        let table = if key.is_constant { &self.constants } else { &self.layers };
        let earlier = get(table, key.hash)?;
        let (a, b) = (graph.layer(index)?, graph.layer(earlier)?);
        let inputs = |layer| graph.inputs(layer).iter().map(|port| slot_of(facts, port));
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

    /// Remembers a layer that has no finding.
    pub(super) fn add(&mut self, key: Key, index: LayerId) {
        let table = if key.is_constant { &mut self.constants } else { &mut self.layers };
        put(table, key.hash, index);
    }

    /// Finds an earlier layer with the same outputs, or remembers this one.
    pub(super) fn find_outputs(&mut self, facts: &Facts, index: LayerId, outputs: &[Fact]) -> Option<LayerId> {
        let mut hasher = hasher();
        for fact in outputs {
            digest(fact, &mut hasher);
        }
        let hash = hasher.finish();
        let earlier = get(&self.outputs, hash).filter(|earlier| {
            let others = facts.outputs(*earlier);
            others.len() == outputs.len() && others.iter().zip(outputs).all(|(a, b)| is_same(a, b))
        });
        if earlier.is_none() {
            put(&mut self.outputs, hash, index);
        }
        earlier
    }
}

/// A layer, and the upper half of its hash, which detects most collisions without a comparison of the layers.
#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    layer: LayerId,
}

fn get(table: &Table<Entry>, hash: u64) -> Option<LayerId> {
    table.get(hash).filter(|entry| entry.hash == upper(hash)).map(|entry| entry.layer)
}

fn put(table: &mut Table<Entry>, hash: u64, layer: LayerId) {
    table.put(hash, Entry { hash: upper(hash), layer });
}

fn upper(hash: u64) -> u32 {
    u32::try_from(hash >> u32::BITS).unwrap_or_default()
}

fn slot_of(facts: &Facts, input: &Port) -> Option<u32> {
    facts.place(input.source()?)
}

fn hasher() -> FoldHasher<'static> {
    FixedState::with_seed(0).build_hasher()
}

/// Hashes a fact, with at most eight of its elements.
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

/// Whether two facts are equal, elements included. Values other than integers are always treated as different: `-0.0 == 0.0`,
/// for instance, but they are not the same value.
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
