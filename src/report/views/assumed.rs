//! The layers whose outputs are not inferred, but declared by the file or stated by the user: the list that `check -v`
//! prints, and their number for the summary, with that of models checked without their weights.

use crate::analysis::Model;
use crate::ir::Kind;
use crate::ir::walk::Visit;
use crate::lint::rules::EXTENSION_REQUIRED;
use crate::ops::Meaning;
use crate::query::missing_weights;
use crate::report::Summary;
use crate::source::Lines;
use crate::text::{escape, path_text, plural};
use crate::types::bare_fact;
use std::fmt::Write;
use std::path::Path;

const NAME: usize = 60;

/// Lists the layers with declared outputs: line in the file, name, type and version, outputs. Then lists those with stated
/// outputs. Empty if every output is inferred.
pub fn render(path: &Path, model: &Model) -> String {
    let lines = Lines::new(model.source());
    let (mut assumed, mut stated) = (Listed::default(), Listed::default());
    for visit in model.layers() {
        let (kind, Visit { place, id, layer }) = (visit.kind(), &visit);
        let by_file = model.stated(kind).map(|(_, by_file)| format!("  by {}", escape::line(&by_file, NAME)));
        let listed = match &by_file {
            _ if place.beside.is_assumed(*id) => &mut assumed,
            Some(_) => &mut stated,
            None => continue,
        };
        listed.count += 1;
        let name = escape::line(&place.graph.name(model.source(), layer), NAME);
        let ty = escape::line(&format!("{} ({})", kind.ty, kind.version), NAME);
        let outputs: Vec<String> = place.beside.outputs(*id).iter().take(8).map(bare_fact).collect();
        let line = lines.position(layer.tag.start).line;
        let by = by_file.filter(|_| !place.beside.is_assumed(*id)).unwrap_or_default();
        let _ = writeln!(listed.rows, "{line:>6}  {name}  {ty}  {}{by}", outputs.join(" "));
    }
    let path = escape::line(&path_text(path), usize::MAX);
    assumed.listing(&path, "taken from the file") + &stated.listing(&path, "stated by the user")
}

/// Layers, one per line.
#[derive(Default)]
struct Listed {
    rows: String,
    count: usize,
}

impl Listed {
    fn listing(self, path: &str, how: &str) -> String {
        match self.count {
            0 => String::new(),
            count => format!("{path}: outputs of {count} layer{} {how}\n{}\n", plural(count), self.rows),
        }
    }
}

/// Counts the models whose weights are not read, the layers of operations that need an extension library, and those with
/// stated outputs.
pub fn count(model: &Model, summary: &mut Summary) {
    summary.without_weights += usize::from(missing_weights(model).is_some());
    if !model.is_inferred() {
        return;
    }
    if let Some(stated) = model.extension_ops() {
        let is_stated = |kind: &Kind| kind.stated(stated).is_some();
        let before = summary.stated_layers;
        let all = model.layers().filter(|visit| is_stated(visit.kind()) && !visit.place.beside.is_assumed(visit.id));
        summary.stated_layers += all.count();
        if summary.stated_layers > before {
            summary.stated_by.insert(stated.name());
        }
    }
    if !model.findings().iter().any(|finding| finding.rule == &EXTENSION_REQUIRED) {
        return; // Every unknown operation causes a finding, and most files have none.
    }
    for kind in model.layers().map(|visit| visit.kind()) {
        if let Some(library) = library(kind).filter(|_| model.stated(kind).is_none()) {
            summary.assumed_layers += 1;
            if !summary.assumed_opsets.contains(library) {
                summary.assumed_opsets.insert(library.to_owned());
            }
        }
    }
}

/// Returns the extension library of an operation, or the version of the operation if the library is unknown.
fn library(kind: &Kind) -> Option<&str> {
    match kind.meaning {
        Meaning::Extension { library } => Some(library.unwrap_or(&kind.version)),
        _ => None,
    }
}
