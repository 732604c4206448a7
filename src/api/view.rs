//! The views of a model for people, in the public API: its card, one layer, a drawing.

use super::error::{Error, ErrorKind};
use crate::analysis::Model;
use crate::query::info::info;
use crate::query::inspect::inspect;
use crate::query::names::{Place, Wanted};
use crate::report::views::graph::{self, dot, mermaid, svg};
use crate::report::views::{info as card, inspect as layer};
use std::fmt;
use std::path::Path;

/// What a command says of a model, as text and as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    text: String,
    json: String,
}

impl View {
    pub(super) fn of_model(model: &Model, path: &Path) -> Result<Self, Error> {
        let info = info(model).ok_or_else(|| unread(model, path))?;
        Self::new(card::text(&info, path), card::json(&[(path, info)], &[]))
    }

    pub(super) fn of_layer(model: &Model, path: &Path, name: &str, elements: usize) -> Result<Self, Error> {
        let found = inspect(model, &place(model, path, name)?, elements);
        Self::new(layer::text(&found, model, path), layer::json(&found, path))
    }

    fn new(text: String, json: serde_json::Result<String>) -> Result<Self, Error> {
        let json = json.map_err(|error| Error::new(ErrorKind::Unwritable, error))?;
        Ok(Self { text, json })
    }

    /// Returns the JSON that the command prints with `--format json`. `ovlint generate schema` prints its schema.
    pub fn to_json(&self) -> &str {
        &self.json
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A drawing of a model, or of the neighbourhood of a layer.
///
/// ```
/// use ovlint::{Analysis, Drawing, Options};
///
/// let analysis = Analysis::open("ir-samples/models/split.xml", &Options::new())?;
/// let drawing = Drawing { around: Some("split_3".into()), hops: 1, ..Drawing::default() };
/// assert!(analysis.graph(&drawing)?.starts_with("digraph"));
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The language of the drawing.
    pub language: Language,
    /// The layer whose neighbourhood is drawn, by name or id; `None` for the whole model.
    pub around: Option<String>,
    /// The number of edges that the neighbourhood spans.
    pub hops: usize,
    /// Set if constants are drawn.
    pub consts: bool,
    /// The maximum number of layers.
    pub max_nodes: usize,
}

/// A language of drawings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// Graphviz.
    Dot,
    /// Mermaid.
    Mermaid,
    /// SVG.
    Svg,
}

/// A drawing of the whole model for Graphviz, as `ovlint graph` prints it.
impl Default for Drawing {
    fn default() -> Self {
        Self { language: Language::Dot, around: None, hops: 2, consts: false, max_nodes: 500 }
    }
}

impl Drawing {
    pub(super) fn draw(&self, model: &Model, path: &Path) -> Result<String, Error> {
        let drawing = match &self.around {
            Some(name) => graph::Drawing::around(&place(model, path, name)?, self.hops, self.consts),
            None => graph::Drawing::whole(model, self.consts).ok_or_else(|| unread(model, path))?,
        };
        let drawing = drawing.within(self.max_nodes).map_err(|error| {
            let help = "draw fewer with `around` and `hops` or raise `max_nodes`";
            Error::new(ErrorKind::Argument, format!("{}: {error}; {help}", path.display()))
        })?;
        Ok(match self.language {
            Language::Dot => dot(&drawing, model),
            Language::Mermaid => mermaid(&drawing, model),
            Language::Svg => svg(&drawing, model),
        })
    }
}

fn place<'a>(model: &'a Model, path: &Path, name: &str) -> Result<Place<'a>, Error> {
    if model.facts().is_none() {
        return Err(unread(model, path));
    }
    Place::find(model, name, Wanted::Layer).map_err(|error| Error::new(ErrorKind::Argument, error))
}

/// The error for a model that was not read or not inferred.
fn unread(model: &Model, path: &Path) -> Error {
    let finding = model.findings().first().filter(|_| model.net().is_none());
    let why = finding.map_or("no shapes were inferred", |finding| finding.message.shown());
    Error::new(ErrorKind::Unreadable, format!("{}: {why}", path.display()))
}
