//! The page of `ovlint report`: findings beside the graph, in one self-contained HTML file.

mod data;
mod entry;
mod finding;
mod folder;
mod graph;
mod numbered;
mod pipeline;
mod steps;

pub use entry::Entry;
pub use folder::Folder;
pub use pipeline::pipelines;

use crate::diagnostic::Diagnostic;
use crate::query::layout::PORT;
use crate::query::picture::{CONSTANTS, LINE, OUTPUTS};
use crate::report::findings::xml;
use crate::text::escape::plain_text;
use crate::text::path_text;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// The first lines of every report, by which ovlint recognises one.
pub const START: &str = "<!DOCTYPE html>\n<!-- a report of ovlint -->\n";

/// The maximum number of characters of a text.
const SHOWN: usize = 300;

const STYLE: &str = concat!(include_str!("html/style.css"), include_str!("html/graph.css"));

/// The style of the pipelines.
const PIPELINE_STYLE: &str = include_str!("html/pipeline.css");

/// The start of the list of models, which the pipelines follow.
const LIST: &str = "<main id=\"list\" hidden>";

const SCRIPT: &str = concat!(
    include_str!("html/js/dom.js"),
    include_str!("html/js/model.js"),
    include_str!("html/js/why.js"),
    include_str!("html/js/frames.js"),
    include_str!("html/js/draw.js"),
    include_str!("html/js/view.js"),
    include_str!("html/js/pointer.js"),
    include_str!("html/js/findings.js"),
    include_str!("html/js/about.js"),
    include_str!("html/js/address.js"),
    include_str!("html/js/layers.js"),
    include_str!("html/js/details.js"),
    include_str!("html/js/search.js"),
    include_str!("html/js/keys.js"),
    include_str!("html/js/list.js"),
    include_str!("html/js/main.js"),
);

/// The data that the page needs before a model is opened.
#[derive(Serialize)]
struct Index<'a> {
    version: &'static str,
    models: &'a [Entry],
    note: Option<&'a str>,
    /// Whether the page opens at the list of models.
    lists: bool,
    /// The number of errors that are about no model.
    faults: usize,
}

/// Formats a finding about a file that is no model, for the notes of a page.
pub fn aside(path: &Path, finding: &Diagnostic) -> String {
    let (severity, rule) = (finding.severity.name(), finding.rule.name);
    format!("{}: {severity}[{rule}]: {}", plain_text(&path_text(path)), finding.message.shown())
}

/// Renders the page; `pipelines` is drawn above the list of models, and `note` has omissions and findings about no model, `faults`
/// of which are errors.
pub fn page(models: &[Entry], pipelines: &str, note: Option<&str>, faults: usize) -> serde_json::Result<String> {
    let lists = models.len() != 1 || !pipelines.is_empty() || note.is_some();
    let index = serde_json::to_vec(&Index { version: env!("CARGO_PKG_VERSION"), models, note, lists, faults })?;
    let title = match models {
        [only] => format!("{} - ovlint", only.path),
        all => format!("{} models - ovlint", all.len()),
    };
    let title = xml::text(&title);
    let script = format!(
        "\"use strict\";\nconst [LINE_HEIGHT, PORT, SHOWN_CONSTANTS, SHOWN_OUTPUTS] = [{LINE}, {PORT}, {CONSTANTS}, {OUTPUTS}];\n{SCRIPT}"
    );
    let style = [STYLE, if pipelines.is_empty() { "" } else { PIPELINE_STYLE }].concat();
    let (style_hash, script_hash) = (hash(&style), hash(&script));
    let mut page = format!(
        "{START}<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{script_hash}'; style-src '{style_hash}'; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n{}",
        include_str!("html/body.html").replacen(LIST, &format!("{LIST}{pipelines}"), 1),
    );
    write_data(&mut page, "index", &packed(&index).map_err(serde_json::Error::io)?);
    for (number, model) in models.iter().enumerate() {
        if let Some(packed) = &model.data {
            write_data(&mut page, &format!("model-{number}"), packed);
        }
    }
    let _ = write!(page, "<script>{script}</script>\n</body>\n</html>\n");
    Ok(page)
}

/// Writes data for the script under a name. Base64 cannot contain the end tag of the element.
fn write_data(page: &mut String, name: &str, packed: &str) {
    let _ = writeln!(page, "<script type=\"application/octet-stream\" id=\"{name}\">{packed}</script>");
}

/// Packs bytes for the page: compressed, in base64.
fn packed(bytes: &[u8]) -> std::io::Result<String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    Ok(STANDARD.encode(encoder.finish()?))
}

/// Returns the hash by which the page's content security policy admits a script or style.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}
