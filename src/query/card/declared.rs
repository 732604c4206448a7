//! The statements of a file about itself, in the `<rt_info>` of its net.

use super::schemes::{Scale, Scheme};
use crate::analysis::Model;
use crate::ir::values;
use crate::types::ElementType;
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
pub(super) fn declared(entries: &[Entry], schemes: &[Scheme]) -> Vec<Declared> {
    let of = |section: &'static str| {
        let inner = |entry: &Entry| {
            let key = entry.key.strip_prefix(section)?.strip_prefix('.')?;
            let is_shown = !key.starts_with("advanced_parameters") && !entry.value.is_empty();
            is_shown.then(|| Entry { key: key.to_owned(), value: entry.value.clone() })
        };
        let entries: Vec<Entry> = entries.iter().filter_map(inner).collect();
        let contradicted = if section == SECTIONS[0] { contradicted(&entries, schemes) } else { Vec::new() };
        (!entries.is_empty()).then_some(Declared { section, entries, contradicted })
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

/// Returns the element type of the weights in a mode of NNCF; `None` if it is not known.
fn type_of(mode: &str) -> Option<ElementType> {
    Some(match mode {
        "int4_asym" => ElementType::U4,
        "int4_sym" => ElementType::I4,
        "int8_asym" => ElementType::U8,
        "int8_sym" => ElementType::I8,
        "nf4" => ElementType::Nf4,
        "fp4" | "mxfp4" | "nvfp4" => ElementType::F4e2m1,
        "fp8_e4m3" | "mxfp8_e4m3" => ElementType::F8e4m3,
        _ => return None,
    })
}

/// Returns the mode and the group size, if no weight has them.
fn contradicted(entries: &[Entry], schemes: &[Scheme]) -> Vec<Contradiction> {
    let value = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| entry.value.as_str());
    let Some(ty) = value("mode").and_then(type_of) else { return Vec::new() };
    let of_mode = || schemes.iter().map(|scheme| &scheme.form).filter(|form| form.ty == ty);
    if of_mode().next().is_none() {
        let found = schemes.iter().map(|scheme| scheme.form.ty.to_string()).collect();
        return vec![Contradiction { key: "mode", found }];
    }
    let Some(size) = value("group_size").and_then(|size| size.parse::<i64>().ok()) else { return Vec::new() };
    let fits = |scale: Option<Scale>, group: Option<i64>| match scale {
        Some(Scale::Group) => group == Some(size),
        _ => size < 0,
    };
    if of_mode().any(|form| fits(form.scale, form.group)) {
        return Vec::new();
    }
    let group = |group: Option<i64>| group.unwrap_or(-1).to_string();
    vec![Contradiction { key: "group_size", found: of_mode().map(|form| group(form.group)).collect() }]
}
