//! The statements of a file about itself, in the `<rt_info>` of its net: tools, compression, task and runtime options. Those
//! about compression are compared with the graph.

use crate::analysis::Model;
use crate::ir::values;
use crate::lint::compression::{self, Claim, type_of, unsigned};
use crate::lint::forms::Scheme;
use serde::{Serialize, Serializer};

/// A tool that made a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the fields are called what they are")]
pub struct Tool {
    pub name: String,
    pub version: String,
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the fields are called what they are")]
pub struct Entry {
    pub key: String,
    pub value: String,
}

/// A section of metadata that says how a model was compressed, or what it is for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Declared {
    /// The name, such as `nncf.weight_compression`.
    pub section: &'static str,
    /// The entries in the order of the file.
    #[serde(serialize_with = "as_map")]
    pub entries: Vec<Entry>,
    /// The entries that the graph contradicts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradicted: Vec<Contradiction>,
}

/// An entry that the graph contradicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// The key.
    pub key: &'static str,
    /// The values in the graph.
    pub found: Vec<String>,
}

/// The sections that say how a model was compressed or what it is for.
const SECTIONS: [&str; 3] = ["nncf.weight_compression", "nncf.quantization", "model_info"];

/// The maximum number of tools.
const TOOLS: usize = 32;

/// The section with the options of the runtime.
const OPTIONS: &str = "runtime_options.";

/// Versions that are no tool, or that `Runtime_version` states as well.
const NO_TOOLS: [&str; 4] = ["Runtime", "openvino", "ir", "opset"];

/// The names by which tools are known, of those that metadata calls otherwise.
const NAMES: [(&str, &str); 2] = [("pytorch", "torch"), ("MO", "Model Optimizer")];

fn as_map<S: Serializer>(entries: &[Entry], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|entry| (&entry.key, &entry.value)))
}

/// Returns the metadata of the net. `<info name="KEY">` is read as `<KEY>`.
pub(super) fn entries(model: &Model) -> Vec<Entry> {
    let notes = model.net().into_iter().flat_map(|net| &net.notes);
    let all = notes.flat_map(|note| values(model.source(), *note));
    let entry = |(key, value): (String, String)| {
        let key = key.strip_prefix("info.").unwrap_or(&key).replace(".info.", ".");
        Entry { key, value: value.trim().to_owned() }
    };
    all.map(entry).collect()
}

/// Returns the tools, each once: of the keys `optimum.optimum_intel_version` and `nncf.version`, the last word names them.
pub(super) fn made_by(entries: &[Entry]) -> Vec<Tool> {
    let mut tools: Vec<Tool> = Vec::new();
    for Entry { key, value } in entries {
        let (section, last) = key.rsplit_once('.').unwrap_or(("", key));
        let name = if last == "version" { Some(section) } else { last.strip_suffix("_version") };
        let Some(name) = name.filter(|name| !name.is_empty() && !name.contains('.')) else { continue };
        if NO_TOOLS.contains(&name) || value.is_empty() || section.starts_with("conversion_parameters") {
            continue;
        }
        let known = NAMES.iter().find(|(own, _)| *own == name);
        let name = known.map_or_else(|| name.replace('_', "-"), |(_, known)| (*known).to_owned());
        if tools.len() < TOOLS && tools.iter().all(|tool| tool.name != name) {
            tools.push(Tool { name, version: value.clone() });
        }
    }
    tools
}

/// Returns the sections that the file has.
pub(super) fn declared(model: &Model, entries: &[Entry], schemes: &[Scheme]) -> Vec<Declared> {
    let of = |section: &'static str| {
        let inner = |entry: &Entry| {
            let key = entry.key.strip_prefix(section)?.strip_prefix('.')?;
            let is_shown = !key.starts_with("advanced_parameters") && !entry.value.is_empty();
            is_shown.then(|| Entry { key: key.to_owned(), value: entry.value.clone() })
        };
        let own: Vec<Entry> = entries.iter().filter_map(inner).collect();
        let is_compression = section != SECTIONS[2] && !own.is_empty();
        let contradicted = is_compression.then(|| contradicted(model, section, entries, schemes)).flatten();
        (!own.is_empty()).then(|| Declared { section, entries: own, contradicted: contradicted.into_iter().collect() })
    };
    SECTIONS.into_iter().filter_map(of).collect()
}

/// Returns the options of the runtime.
pub(super) fn options(entries: &[Entry]) -> Vec<Entry> {
    let option = |entry: &Entry| {
        let key = entry.key.strip_prefix(OPTIONS)?.to_owned();
        Some(Entry { key, value: entry.value.clone() })
    };
    entries.iter().filter_map(option).collect()
}

/// Returns the entry that the graph contradicts.
fn contradicted(model: &Model, section: &str, entries: &[Entry], schemes: &[Scheme]) -> Option<Contradiction> {
    let all = |key: &str| entries.iter().find(|entry| entry.key == format!("{section}.{key}"));
    let value = |key: &str| all(key).map(|entry| entry.value.as_str());
    let layers = || model.layers();
    let types = || schemes.iter().map(|scheme| scheme.form.ty.to_string()).collect();
    if section == SECTIONS[1] {
        let is_wrong = compression::lacks_quantization(layers(), model.source());
        return is_wrong.then(|| Contradiction { key: "preset", found: Vec::new() });
    }
    let (ty, is_signed) = (type_of(value("mode")?)?, value("mode")?.ends_with("_sym"));
    match compression::contradicted(value, layers, model.source()) {
        Some(Claim::Mode(_)) => Some(Contradiction { key: "mode", found: types() }),
        Some(Claim::GroupSize { found, .. }) => {
            Some(Contradiction { key: "group_size", found: found.iter().map(ToString::to_string).collect() })
        }
        None => {
            // Older releases of NNCF wrote symmetric weights with a zero point in the middle.
            let forms = || schemes.iter().map(|scheme| &scheme.form);
            let twins = || forms().filter(|form| Some(form.ty) == unsigned(ty));
            let is_asymmetric = is_signed
                && forms().all(|form| form.ty != ty)
                && twins().next().is_some()
                && twins().all(|form| form.symmetric == Some(false));
            is_asymmetric.then(|| Contradiction { key: "mode", found: types() })
        }
    }
}
