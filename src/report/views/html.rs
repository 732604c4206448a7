//! Models as a page for a browser: findings beside the graph, all in one file that needs nothing else.

mod data;
mod finding;
mod graph;
mod steps;
mod strings;

pub use data::model;

use crate::report::Summary;
use crate::report::findings::xml;
use crate::text::{escape, path_text};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// How every report starts, by which one is known.
pub const START: &str = "<!DOCTYPE html>\n<!-- a report of ovlint -->\n";

/// Characters of a text that is shown, whatever names it quotes.
const SHOWN: usize = 300;

const STYLE: &str = concat!(include_str!("html/style.css"), include_str!("html/graph.css"));

const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("html/js/dom.js"),
    include_str!("html/js/model.js"),
    include_str!("html/js/why.js"),
    include_str!("html/js/frames.js"),
    include_str!("html/js/draw.js"),
    include_str!("html/js/view.js"),
    include_str!("html/js/findings.js"),
    include_str!("html/js/details.js"),
    include_str!("html/js/search.js"),
    include_str!("html/js/keys.js"),
    include_str!("html/js/main.js"),
);

/// What the first page says of a model.
#[derive(Debug, Serialize)]
pub struct Row {
    path: String,
    name: String,
    layers: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    /// Findings that are not shown: ignored, in the baseline, or of rules that are off.
    hidden: usize,
    /// Why there is nothing to open; `None` if there is.
    closed: Option<String>,
}

impl Row {
    /// The row of a model that was checked.
    pub fn new(path: &Path, name: Option<&str>, summary: &Summary) -> Self {
        let Summary { layers, errors, warnings, infos, in_baseline, ignored, turned_off, .. } = *summary;
        let hidden = in_baseline + ignored + turned_off;
        let name = escape::line(name.unwrap_or_default(), SHOWN);
        Self { path: shown_path(path), name, layers, errors, warnings, infos, hidden, closed: None }
    }

    /// Says why there is nothing to open.
    pub fn close(&mut self, why: &str) {
        self.closed = Some(escape::line(why, SHOWN));
    }

    /// Errors, then warnings.
    pub fn urgency(&self) -> (usize, usize) {
        (self.errors, self.warnings)
    }
}

/// What the page knows before a model is opened.
#[derive(Serialize)]
struct Index<'a> {
    version: &'static str,
    models: Vec<&'a Row>,
    note: Option<&'a str>,
}

/// The page. Every model comes as its row and what [`packed`] made of it; a note says what is left out.
pub fn page(models: &[(Row, Option<String>)], note: Option<&str>) -> serde_json::Result<String> {
    let rows = models.iter().map(|(row, _)| row).collect();
    let index = serde_json::to_vec(&Index { version: env!("CARGO_PKG_VERSION"), models: rows, note })?;
    let title = match models {
        [(row, _)] => format!("{} - ovlint", row.path),
        all => format!("{} models - ovlint", all.len()),
    };
    let title = xml::text(&title);
    let (style, script) = (hash(STYLE), hash(SCRIPT));
    let mut page = format!(
        "{START}<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{script}'; style-src '{style}'; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n{}",
        include_str!("html/body.html"),
    );
    data(&mut page, "index", &packed(&index).map_err(serde_json::Error::io)?);
    for (number, (_, packed)) in models.iter().enumerate() {
        if let Some(packed) = packed {
            data(&mut page, &format!("model-{number}"), packed);
        }
    }
    let _ = write!(page, "<script>{SCRIPT}</script>\n</body>\n</html>\n");
    Ok(page)
}

/// Data that the script finds by its name; base64 holds nothing that ends the element.
fn data(page: &mut String, name: &str, packed: &str) {
    let _ = writeln!(page, "<script type=\"application/octet-stream\" id=\"{name}\">{packed}</script>");
}

/// Bytes as the page holds them: compressed, in base64.
pub fn packed(bytes: &[u8]) -> std::io::Result<String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    Ok(STANDARD.encode(encoder.finish()?))
}

/// What the policy of the page admits a text by.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

fn shown_path(path: &Path) -> String {
    escape::line(&path_text(path), SHOWN)
}
