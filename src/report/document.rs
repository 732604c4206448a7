//! The JSON of answers: one object on one line with the version of the format, safe to show in a terminal or a log.

use crate::text::{escape, path_text};
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};
use std::io;
use std::path::Path;

/// The version of the formats, raised when a field is removed or redefined; new fields do not change it.
pub const SCHEMA_VERSION: &str = "1";

/// An answer with the version of its format.
#[derive(Serialize)]
struct Document<'a, T> {
    schema_version: &'static str,
    /// The path of the model as given; `None` if the answer itself names its models.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(flatten)]
    answer: &'a T,
}

/// Returns the document of an answer about one model; `path` is shown as given.
pub fn about(path: &Path, answer: &impl Serialize) -> serde_json::Result<String> {
    text(&Document { schema_version: SCHEMA_VERSION, path: Some(path_text(path)), answer })
}

/// Returns the document of an answer that itself names its models.
pub fn of_all(answer: &impl Serialize) -> serde_json::Result<String> {
    text(&Document { schema_version: SCHEMA_VERSION, path: None, answer })
}

/// Formats a value as one line of JSON, without the line break.
pub fn text(value: &impl Serialize) -> serde_json::Result<String> {
    let mut bytes = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, Plain))?;
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

/// A formatter of compact JSON that escapes characters unsafe to print as `\u202e`, so that a terminal or a CI log can show
/// it.
struct Plain;

impl Formatter for Plain {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, character)) = escape::first_unsafe(rest) {
            let (before, spelled) = rest.split_at(at);
            writer.write_all(before.as_bytes())?;
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = spelled.get(character.len_utf8()..).unwrap_or_default();
        }
        CompactFormatter.write_string_fragment(writer, rest)
    }
}
