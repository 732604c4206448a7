//! One layer with all known facts, as text and as JSON.

use super::stops::{self, MEANING, mark};
use crate::analysis::Model;
use crate::query::inspect::{Body, Inspection};
use crate::report::wrap::{KEPT, hang, wrap};
use crate::report::{WIDTH, document};
use crate::text::escape::line as clean;
use crate::text::{grouped, path_text, plural};
use crate::types::Basis;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The maximum number of inputs, of outputs, of consumers of an output, and of attributes in the text.
const SHOWN: usize = 32;

/// Formats the layer for people.
pub fn text(found: &Inspection, model: &Model, path: &Path) -> String {
    let mut text = String::new();
    let id = found.id.map(|id| format!("id {id}, ")).unwrap_or_default();
    let (first, last) = (found.first_line, found.last_line);
    let lines = if first == last { first.to_string() } else { format!("{first}-{last}") };
    let kind = format!("{} {}", shown(&found.ty), shown(&found.version));
    let _ = writeln!(text, "{}  {kind}  ({id}{}:{lines})", shown(&found.name), shown(&path_text(path)));
    section(&mut text, "attributes", found.attributes.len());
    for attr in found.attributes.iter().take(SHOWN) {
        let default = if attr.is_default { "  (default)" } else { "" };
        let value = if attr.value.is_empty() { "\"\"".to_owned() } else { shown(&attr.value) };
        let _ = writeln!(text, "    {} = {value}{default}", shown(&attr.name));
    }
    section(&mut text, "inputs", found.inputs.len());
    for (i, input) in found.inputs.iter().enumerate().take(SHOWN) {
        let role = input.role.map(|role| format!(" {role}")).unwrap_or_default();
        let port = port_text(input.port, i);
        let known = fact_text(input.inferred.as_deref(), Some(&input.declared), input.value.as_deref());
        let from = input.from.as_ref().map_or_else(
            || "not connected".to_owned(),
            |from| format!("<-{KEPT}{} ({})", shown(&from.tensor), shown(&from.ty)),
        );
        row(&mut text, &format!("{i}{role}{port}  {known}"), &[from]);
    }
    section(&mut text, "outputs", found.outputs.len());
    for (i, output) in found.outputs.iter().enumerate().take(SHOWN) {
        let port = port_text(output.port, i);
        let mut known = fact_text(output.inferred.as_deref(), output.declared.as_deref(), output.value.as_deref());
        known.push_str(mark(output.basis));
        let names: Vec<String> = output.names.iter().map(|name| shown(name)).collect();
        let names = (!names.is_empty()).then(|| format!("names {}", names.join(", ")));
        let to: Vec<String> =
            output.to.iter().take(SHOWN).map(|to| format!("{}:{}", shown(&to.layer), to.input)).collect();
        let more = output.to.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let to = if to.is_empty() { "-> nothing".to_owned() } else { format!("->{KEPT}{}{more}", to.join(", ")) };
        let parts: Vec<String> = names.into_iter().chain([to]).collect();
        row(&mut text, &format!("{i}{port}  {known}"), &parts);
    }
    let meaning = found.outputs.iter().any(|output| output.basis != Basis::Inferred).then(|| MEANING.to_owned());
    for line in meaning.into_iter().chain(stops::lines(&found.stops)) {
        let _ = writeln!(text, "{}", hang(&format!("  {line}"), WIDTH, 4));
    }
    for Body { body, layers } in &found.bodies {
        let _ = writeln!(text, "  {body}: {layers} layer{}", plural(*layers));
    }
    if let Some(bytes) = &found.constant {
        let file = model.weights().path.as_deref().and_then(Path::file_name);
        let file = file.map(|name| format!("{} ", shown(&name.to_string_lossy()))).unwrap_or_default();
        let end = bytes.offset.saturating_add(bytes.size);
        let size = grouped(usize::try_from(bytes.size).unwrap_or(usize::MAX));
        let _ = writeln!(text, "  bytes      {file}{}..{end} ({size})", bytes.offset);
        let _ = writeln!(text, "  values     {}", bytes.values.as_deref().map_or("cannot be read".to_owned(), shown));
    }
    text
}

/// Writes one line, or one per part if it is too wide.
fn row(text: &mut String, head: &str, parts: &[String]) {
    let line = format!("    {head}  {}", parts.join("  ")).replace(KEPT, " ");
    if line.chars().count() <= WIDTH {
        let _ = writeln!(text, "{line}");
        return;
    }
    let _ = writeln!(text, "    {head}");
    for part in parts {
        let wrapped = wrap(part, WIDTH - 10).replace(KEPT, " ");
        for (i, line) in wrapped.lines().enumerate() {
            let indent = if i == 0 { 6 } else { 9 };
            let _ = writeln!(text, "{:indent$}{line}", "");
        }
    }
}

fn section(text: &mut String, title: &str, count: usize) {
    if count > SHOWN {
        let _ = writeln!(text, "  {title} (the first {SHOWN} of {})", grouped(count));
    } else if count > 0 {
        let _ = writeln!(text, "  {title}");
    }
}

/// Formats the id of a port: ` (port 3)`; empty if it equals the index.
fn port_text(id: Option<u64>, position: usize) -> String {
    match id {
        Some(id) if usize::try_from(id) != Ok(position) => format!(" (port {id})"),
        _ => String::new(),
    }
}

/// Formats the inferred fact, with the declared one if it differs.
fn fact_text(inferred: Option<&str>, declared: Option<&str>, value: Option<&str>) -> String {
    let value = value.map(|value| format!(" = {}", shown(value))).unwrap_or_default();
    let inferred = inferred.unwrap_or("unknown");
    // A port without dimensions declares no shape.
    let says = declared.filter(|declared| *declared != inferred && !declared.ends_with("[...]"));
    let says = says.map(|declared| format!(" (declared {declared})")).unwrap_or_default();
    format!("{inferred}{value}{says}")
}

/// Escapes text from the model, so that it is safe to print.
fn shown(text: &str) -> String {
    clean(text, 500)
}

/// Returns the layer as one line of JSON.
pub fn json(found: &Inspection, path: &Path) -> serde_json::Result<String> {
    document::about(path, &BTreeMap::from([("layer", found)]))
}
