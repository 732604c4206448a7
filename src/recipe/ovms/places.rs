//! Findings about files of the model server, spans of values in them, and the places that their paths name.

use super::OVMS_GRAPH;
use crate::diagnostic::{Rule, Severity};
use crate::input::Bounds;
use crate::source::Span;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// A finding about a file of a model repository.
#[derive(Debug)]
pub(crate) struct Fault {
    pub rule: &'static Rule,
    pub severity: Severity,
    pub span: Span,
    pub message: String,
}

/// Creates an error about what a graph or a pipeline says.
pub(super) fn wrong(span: Span, message: String) -> Fault {
    Fault { rule: &OVMS_GRAPH, severity: Severity::Error, span, message }
}

/// Creates an error about a file that cannot be read.
pub(super) fn broken(span: Span, why: &str) -> Fault {
    wrong(span, format!("the graph cannot be read: {why}"))
}

/// The maximum number of findings about one list of a configuration.
pub(super) const MANY: usize = 100;

/// A configuration of the server.
pub(super) struct Config {
    pub path: PathBuf,
    pub text: String,
    pub json: Value,
}

/// The place that a path in a file names.
pub(super) enum Spot {
    /// A place in the repository.
    Inside(PathBuf),
    /// A place on another system, such as the container that the server runs in: a URL, a path of Windows, or an absolute path
    /// outside of the repository.
    Elsewhere,
    /// A place outside of the repository, to which a relative path or a link leads.
    Outside,
}

/// The folder that no path may lead out of.
pub(super) struct Root {
    folder: PathBuf,
    bounds: Bounds,
}

impl Root {
    pub(super) fn new(folder: &Path, bounds: Option<&Bounds>) -> Self {
        let bounds = bounds.cloned().unwrap_or_else(|| Bounds::around(folder));
        Self { folder: plain(folder), bounds }
    }

    /// Finds the place that a path names; a relative one starts at `from`.
    pub(super) fn spot(&self, from: &Path, path: &str) -> Spot {
        if path.contains("://") || path.contains('\\') || path.get(1..2) == Some(":") {
            return Spot::Elsewhere;
        }
        let place = plain(&from.join(path));
        let is_inside = place.starts_with(&self.folder);
        match is_inside && self.bounds.holds(&place).unwrap_or(false) {
            true => Spot::Inside(place),
            false if Path::new(path).is_absolute() && !is_inside => Spot::Elsewhere,
            false => Spot::Outside,
        }
    }

    pub(super) fn holds(&self, path: &Path) -> bool {
        self.bounds.holds(path).unwrap_or(false)
    }
}

/// Returns an absolute path without `.` and `..`.
pub(super) fn plain(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
        plain
    })
}

/// A step on the way to a value in JSON.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'a> {
    Key(&'a str),
    At(usize),
}

/// Returns the span of a value within a part of a JSON text; if there is none, that of the nearest value around it.
pub(super) fn locate(text: &str, within: Span, steps: &[Step]) -> Span {
    let mut raw = text.get(within.range()).unwrap_or_default();
    for step in steps {
        let inner: Option<&RawValue> = match step {
            Step::Key(key) => {
                serde_json::from_str::<BTreeMap<String, &RawValue>>(raw).ok().and_then(|mut all| all.remove(*key))
            }
            Step::At(at) => serde_json::from_str::<Vec<&RawValue>>(raw).ok().and_then(|all| all.get(*at).copied()),
        };
        let Some(inner) = inner else { break };
        raw = inner.get();
    }
    span_of(text, raw)
}

/// Returns the spans of the elements of a list of a configuration, in one pass over its text.
pub(super) fn elements(text: &str, list: &str) -> Vec<Span> {
    let list = locate(text, Span::new(0, text.len()), &[Step::Key(list)]);
    let all: Vec<&RawValue> =
        text.get(list.range()).and_then(|list| serde_json::from_str(list).ok()).unwrap_or_default();
    all.into_iter().map(|element| span_of(text, element.get())).collect()
}

/// Returns the span of a part of a text.
fn span_of(text: &str, part: &str) -> Span {
    let start = part.as_ptr().addr().saturating_sub(text.as_ptr().addr());
    Span::new(start, start + part.len())
}
