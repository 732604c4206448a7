//! The parts of a pipeline, for reports: its members, the tensors that meet, and the files that it lacks.

use crate::source::Span;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The members and links of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Overview {
    /// The folder.
    #[serde(serialize_with = "path")]
    pub path: PathBuf,
    /// The kind, such as "text generation".
    pub kind: &'static str,
    /// The models.
    pub members: Vec<Part>,
    /// The JSON files that were read.
    pub files: Vec<String>,
    /// The outputs of one member that are inputs of another.
    pub links: Vec<Met>,
    /// The files that some loader wants and the folder lacks.
    pub missing: Vec<String>,
}

/// The pipelines of a folder.
#[derive(Debug, Serialize)]
pub struct Overviews<'a> {
    /// The pipelines.
    pub pipelines: Vec<&'a Overview>,
}

/// A model of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The role, such as "unet".
    pub role: String,
    /// The file, from the folder.
    pub file: String,
    /// The index among the files in which the folder was found.
    #[serde(skip)]
    pub model: usize,
}

/// An output and the input that it feeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Met {
    /// The role of the member that gives.
    pub from: String,
    /// The output.
    pub output: String,
    /// Its type and shape.
    pub gives: String,
    /// The role of the member that takes.
    pub to: String,
    /// The input.
    pub input: String,
    /// Its type and shape.
    pub takes: String,
    /// Whether some tensor fits both.
    pub fits: bool,
    /// The place of the finding in one of the two models, if they do not fit.
    #[serde(skip)]
    pub(crate) finding: Option<Span>,
}

fn path<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&crate::text::path_text(path))
}
