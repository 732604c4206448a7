//! JSON files beside the models of a pipeline, with the place of each value.

use super::folder::Folder;
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Elsewhere, Rule};
use crate::input::{self, Bounds};
use crate::limits::{REMOTE_JSON, TEXT_FILE};
use crate::remote::is_remote;
use crate::source::{Source, Span};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::PathBuf;

/// A JSON file.
pub(super) struct Companion {
    pub path: PathBuf,
    pub text: String,
    /// Set if the file could not be read or parsed, so that nothing is known of its values.
    pub is_broken: bool,
    /// Set if the file is on a server, and too long to be fetched.
    pub is_too_long: bool,
    /// The values of the object by key; empty if the file holds something else, or is broken.
    values: BTreeMap<String, (Span, Value)>,
}

/// Reads a JSON file of a folder; `None` if there is none. The second value says what is wrong with it, and where.
pub(super) fn read(
    folder: &Folder,
    name: &str,
    bounds: Option<&Bounds>,
) -> (Option<Companion>, Option<(Span, String)>) {
    let path = folder.file(name);
    let is_remote = is_remote(&path);
    if is_remote && !folder.has(name) {
        return (None, None);
    }
    let may_read = bounds.map_or(Ok(()), |bounds| bounds.check_link(&path));
    let text = if is_remote {
        input::read_remote_text(&path, REMOTE_JSON, &folder.listings.limits)
    } else {
        may_read.and_then(|()| input::read_text(&path, TEXT_FILE))
    };
    let text = match text {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound && !is_remote => return (None, None),
        Err(error) => {
            let is_too_long = is_remote && error.kind() == ErrorKind::FileTooLarge;
            let companion = Companion { is_broken: true, is_too_long, ..Companion::of_text(path, String::new()) };
            let what = if is_too_long { "the file is not fetched" } else { "cannot read the file" };
            return (Some(companion), Some((Span::default(), format!("{what}: {error}"))));
        }
    };
    let (values, wrong) = match values(&text) {
        Ok(values) => (values, None),
        Err(error) => (BTreeMap::new(), Some((place(&text, &error), format!("the file is not valid JSON: {error}")))),
    };
    (Some(Companion { is_broken: wrong.is_some(), values, ..Companion::of_text(path, text) }), wrong)
}

/// Parses the members of an object, each with its place; none for any other value.
fn values(text: &str) -> serde_json::Result<BTreeMap<String, (Span, Value)>> {
    let json = text.trim_start_matches('\u{feff}');
    let Value::Object(mut all) = serde_json::from_str(json)? else { return Ok(BTreeMap::new()) };
    let raw: BTreeMap<String, &RawValue> = serde_json::from_str(json)?;
    let placed = raw.into_iter().map(|(key, raw)| {
        let start = raw.get().as_ptr().addr().saturating_sub(text.as_ptr().addr());
        let value = all.remove(&key).unwrap_or_default();
        (key, (Span::new(start, start + raw.get().len()), value))
    });
    Ok(placed.into_map())
}

/// The place of a syntax error.
fn place(text: &str, error: &serde_json::Error) -> Span {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let at = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
    let at = at.min(text.len().saturating_sub(1));
    Span::new(at, text.len().min(at + 1))
}

impl Companion {
    /// Creates the companion of a file that is no JSON, or whose values were read elsewhere.
    pub(super) fn of_text(path: PathBuf, text: String) -> Self {
        Self { path, text, is_broken: false, is_too_long: false, values: BTreeMap::new() }
    }

    /// Returns the value of a key that is not null; `a.b` stands for b in a.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        let mut parts = key.split('.');
        let (_, value) = self.values.get(parts.next()?)?;
        parts.try_fold(value, |value, part| value.get(part)).filter(|value| !value.is_null())
    }

    /// Whether the file is known to have no value of a key.
    pub(super) fn lacks(&self, key: &str) -> bool {
        !self.is_broken && self.get(key).is_none()
    }

    /// Returns the place of the value of a key; the file as a whole if it has none.
    pub(super) fn span(&self, key: &str) -> Span {
        let outer = key.split('.').next().unwrap_or(key);
        self.values.get(outer).map(|(span, _)| *span).unwrap_or_default()
    }

    /// Returns a text of a key.
    pub(super) fn text_of(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Value::as_str)
    }

    /// Creates a finding at the value of a key.
    pub(super) fn about(&self, rule: &'static Rule, key: &str, message: String) -> Diagnostic {
        Diagnostic { kind: Some(key.into()), ..Diagnostic::new(rule, self.span(key), message) }
    }

    /// Creates the note at the value of a key, for a finding about another file.
    pub(super) fn elsewhere(&self, key: &str, message: String) -> Elsewhere {
        let (span, source) = (self.span(key), Source::new(&self.path, self.text.as_bytes().to_vec()));
        let place = (span, source.position(span.start), source.position(span.end));
        Elsewhere { path: self.path.clone(), place: Some(place), message: message.into() }
    }
}

/// Returns a number as integer, as openvino.genai takes it.
pub(super) fn integer(value: &Value) -> Option<i64> {
    #[allow(clippy::cast_possible_truncation, reason = "a number outside of i64 is outside of every limit, too")]
    value.as_i64().or_else(|| value.as_f64().map(|number| number as i64))
}

/// The kind of a JSON value, for messages.
pub(super) fn called(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
