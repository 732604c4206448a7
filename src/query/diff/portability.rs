//! The differences of two models in what decides which OpenVINO releases can read them.

use crate::analysis::Model;
use crate::ir::walk::layers;
use crate::ir::{Graph, Net, Role};
use crate::ops::Meaning;
use crate::ops::releases::opset;
use crate::query::Oldest;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A difference in a property that decides which OpenVINO releases can read a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Portability {
    /// The property: the oldest OpenVINO that can read the model, the IR version, the newest opset, or the extensions.
    pub what: &'static str,
    /// In the old model.
    pub old: String,
    /// In the new one.
    pub new: String,
    /// The layers that cause the difference.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub because: String,
}

pub(super) fn changes(old: &Model, new: &Model) -> Vec<Portability> {
    let mut changes = Vec::new();
    if let (Some(was), Some(is)) = (Oldest::of(old), Oldest::of(new))
        && was.release != is.release
    {
        let because = if was.release < is.release { is.reason() } else { String::new() };
        let (old, new) = (was.release.to_string(), is.release.to_string());
        changes.push(Portability { what: "oldest OpenVINO", old, new, because });
    }
    let (Some(old), Some(new)) = (old.net(), new.net()) else { return changes };
    let (was, is) = (needs(&old.graph), needs(&new.graph));
    if old.version != new.version {
        let version = |net: &Net| net.version.to_string();
        changes.push(Portability { what: "IR version", old: version(old), new: version(new), because: String::new() });
    }
    let newest = |needs: &Needs| needs.opsets.last_key_value().map(|(opset, _)| *opset).unwrap_or_default();
    if newest(&was) != newest(&is) {
        let named = |opset: u8| if opset == 0 { "none".to_owned() } else { format!("opset{opset}") };
        let types = is.opsets.last_key_value().map(|(_, types)| types.iter());
        let types = types.into_iter().flatten().take(4).map(|(ty, count)| format!("{ty} x {count}"));
        let because = types.collect::<Vec<_>>().join(", ");
        changes.push(Portability { what: "newest opset", old: named(newest(&was)), new: named(newest(&is)), because });
    }
    if was.others != is.others {
        let list = |all: &BTreeSet<String>| {
            let names: Vec<&str> = all.iter().map(String::as_str).collect();
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        };
        let (old, new) = (list(&was.others), list(&is.others));
        changes.push(Portability { what: "extensions", old, new, because: String::new() });
    }
    changes
}

#[derive(Default)]
struct Needs {
    /// The number of layers per opset and type.
    opsets: BTreeMap<u8, BTreeMap<String, usize>>,
    /// The operation types that belong to no opset.
    others: BTreeSet<String>,
}

fn needs(graph: &Graph) -> Needs {
    let mut needs = Needs::default();
    for kind in layers(graph, ()).map(|visit| visit.kind()).filter(|kind| kind.role != Role::Const) {
        match opset(&kind.version) {
            Some(opset) => *needs.opsets.entry(opset).or_default().entry(kind.ty.clone()).or_default() += 1,
            None if matches!(kind.meaning, Meaning::Modelled(_)) => {}
            None => {
                needs.others.insert(format!("{} ({})", kind.ty, kind.version));
            }
        }
    }
    needs
}
