//! Snapshots: shape reports committed beside models, `model.ovshapes` for `model.xml`, and their comparison with the model.

mod agreement;
mod digest;
mod first_change;
mod lines;
pub mod text;

pub(in crate::query) use digest::of_file;
pub use digest::{digest, hexadecimal};

use crate::analysis::{Error, Model, Options};
use crate::atomic;
use crate::atomic::Existing;
use crate::diagnostic;
use crate::diagnostic::Text;
use crate::input::{self, Bounds};
use crate::limits::TEXT_FILE;
use crate::query::missing_weights;
use crate::source::Source;
use crate::text::plain_text;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The result of comparing a model with its snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// They are equal. With the reason why the weights cannot be read, if declared shapes were compared for that.
    Same(Option<String>),
    /// They differ: a description of the first changed layer, if any, and the unified diff from the snapshot to the model. Both
    /// are empty if an update only added a digest.
    Differs(Option<String>, String),
    /// There is no snapshot.
    Missing,
    /// The model cannot be read, or the weights for a digest are incomplete; with the reason.
    Broken(Text),
    /// The weights cannot be read, so that some shapes would only be declared ones; with the reason.
    NoWeights(String),
}

/// The reason why a snapshot cannot be compared or written.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The model cannot be read.
    #[error(transparent)]
    Model(#[from] Error),
    /// The snapshot cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The snapshot.
        path: PathBuf,
        /// The cause.
        #[source]
        error: std::io::Error,
    },
    /// The snapshot has another version of the format.
    #[error("{} has a different format version; run `ovlint snapshot update` to rewrite it", path.display())]
    Version {
        /// The snapshot.
        path: PathBuf,
    },
    /// The snapshot cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The snapshot.
        path: PathBuf,
        /// The cause.
        #[source]
        error: std::io::Error,
    },
}

/// The file extension of snapshots.
pub const ENDING: &str = "ovshapes";

/// Returns the path of a model's snapshot.
pub fn snapshot_path(model: &Path) -> PathBuf {
    model.with_extension(ENDING)
}

/// The start of the line with the digest of the weights.
const WEIGHTS: &str = "weights sha256:";

/// The options of a comparison or an update.
#[derive(Debug)]
pub struct Request<'a> {
    /// The options for reading the model.
    pub options: &'a Options,
    /// Set if declared shapes are accepted where inference would need missing weights.
    pub assume: bool,
    /// Set to write a digest of the weights. An existing digest is updated in any case.
    pub weights: bool,
}

/// Compares a model with its snapshot, and the weights too if the snapshot has a digest of them.
///
/// # Errors
/// [`SnapshotError`] where a file cannot be read.
pub fn check(path: &Path, request: &Request) -> Result<Comparison, SnapshotError> {
    let old = read_snapshot(path, request)?;
    if old.as_ref().is_some_and(|old| old.starts_with(text::NAME) && !old.starts_with(text::HEADER)) {
        return Err(SnapshotError::Version { path: snapshot_path(path) });
    }
    let model = open(path, request)?;
    compare(path, old.as_deref(), &model, text::lines(&model), request)
}

/// Writes the snapshot of a model if it differs from the model, and returns the comparison before.
///
/// # Errors
/// [`SnapshotError`] where a file cannot be read or written.
pub fn update(path: &Path, request: &Request) -> Result<Comparison, SnapshotError> {
    let (old, model) = (read_snapshot(path, request)?, open(path, request)?);
    let lines = text::lines(&model);
    let new: String = lines.iter().map(|line| line.text.as_str()).collect();
    let before = compare(path, old.as_deref(), &model, lines, request)?;
    // A snapshot that was written with the weights says more than one that is written without them.
    if matches!(before, Comparison::Broken(_) | Comparison::NoWeights(_) | Comparison::Same(Some(_))) {
        return Ok(before);
    }
    let new = match with_digest(new, &model, request.weights || old.as_deref().and_then(digest_line).is_some())? {
        Ok(new) => new,
        Err(broken) => return Ok(broken),
    };
    if old.as_deref() == Some(&new) {
        return Ok(Comparison::Same(None));
    }
    let path = snapshot_path(path);
    atomic::write(&path, Existing::Replace, new.as_bytes()).map_err(|error| SnapshotError::Write { path, error })?;
    Ok(if before == Comparison::Same(None) { Comparison::Differs(None, String::new()) } else { before })
}

/// Compares a text with the file in which it was committed and, if `writes`, writes it there. The first line of both is a name
/// and a version. `about` names the text in a diff.
///
/// # Errors
/// [`SnapshotError`] where the file cannot be read or written, or has another version.
pub fn committed(
    (path, about): (&Path, &Path),
    text: &str,
    bounds: Option<&Bounds>,
    writes: bool,
) -> Result<Comparison, SnapshotError> {
    let old = read(path, bounds)?;
    let name = |text: &str| text.lines().next().and_then(|line| line.rsplit_once(' ')).map(|(name, _)| name.to_owned());
    let is_other = |old: &String| name(old) == name(text) && old.lines().next() != text.lines().next();
    if !writes && old.as_ref().is_some_and(is_other) {
        return Err(SnapshotError::Version { path: path.to_owned() });
    }
    if writes && old.as_deref() != Some(text) {
        let error = |error| SnapshotError::Write { path: path.to_owned(), error };
        atomic::write(path, Existing::Replace, text.as_bytes()).map_err(error)?;
    }
    Ok(match old {
        None => Comparison::Missing,
        Some(old) if old == text => Comparison::Same(None),
        Some(old) => Comparison::Differs(None, unified_diff(path, &old, about, text)),
    })
}

/// Reads the model with names for its dimensions.
fn open(path: &Path, request: &Request) -> Result<Model, Error> {
    Model::open(path, &Options { symbolic: true, stable: true, ..request.options.clone() })
}

fn read_snapshot(model: &Path, request: &Request) -> Result<Option<String>, SnapshotError> {
    read(&snapshot_path(model), request.options.bounds.as_ref())
}

fn read(path: &Path, bounds: Option<&Bounds>) -> Result<Option<String>, SnapshotError> {
    let is_inside = bounds.map_or(Ok(()), |bounds| bounds.check_link(path));
    match is_inside.and_then(|()| input::read(path, TEXT_FILE)) {
        Ok(bytes) => {
            let text =
                String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
            Ok(Some(if text.contains('\r') { text.replace("\r\n", "\n") } else { text }))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(SnapshotError::Read { path: path.to_owned(), error }),
    }
}

fn compare(
    path: &Path,
    old: Option<&str>,
    model: &Model,
    lines: Vec<text::Line>,
    request: &Request,
) -> Result<Comparison, SnapshotError> {
    if model.net().is_none() {
        let reason = model.findings().first().map(|finding| finding.message.clone());
        return Ok(Comparison::Broken(reason.unwrap_or_default()));
    }
    let missing = if lines.iter().any(|line| line.is_declared) { missing_weights(model) } else { None };
    if let Some(reason) = missing.clone().filter(|_| !request.assume) {
        return Ok(Comparison::NoWeights(reason));
    }
    let Some(old) = old else { return Ok(Comparison::Missing) };
    let mut new = match &missing {
        Some(_) => agreement::settled(old, &agreement::with_needs_of(old, lines)),
        None => lines.into_iter().map(|line| line.text).collect(),
    };
    let digest = digest_line(old);
    if let Some(digest) = digest.filter(|_| request.assume && missing_weights(model).is_some()) {
        new.extend([digest, "\n"]);
    } else {
        new = match with_digest(new, model, digest.is_some() || request.weights)? {
            Ok(new) => new,
            Err(broken) => return Ok(broken),
        };
    }
    if old == new {
        return Ok(Comparison::Same(missing));
    }
    let first = first_change::first_change(old, &lines::edits(old, &new));
    Ok(Comparison::Differs(first, unified_diff(&snapshot_path(path), old, path, &new)))
}

/// Returns the line with the digest of the weights.
fn digest_line(text: &str) -> Option<&str> {
    let is_start = |at: &usize| text.get(..*at).is_some_and(|before| before.ends_with('\n'));
    let start = memchr::memmem::find_iter(text.as_bytes(), WEIGHTS).find(is_start)?;
    text.get(start..)?.lines().next()
}

/// Appends a digest of the weights to a text, if wanted. The inner `Err` is the result of the comparison if the weights
/// cannot be digested.
fn with_digest(mut text: String, model: &Model, wanted: bool) -> Result<Result<String, Comparison>, Error> {
    if wanted {
        if let Some(reason) = missing_weights(model) {
            return Ok(Err(Comparison::NoWeights(reason)));
        }
        let digest = digest(model);
        model.intact()?;
        match digest {
            Some(digest) => text.extend([WEIGHTS, &digest, "\n"]),
            None => return Ok(Err(Comparison::Broken("its weights do not hold all constants".into()))),
        }
    }
    Ok(Ok(text))
}

/// Returns the unified diff between the texts of two files; empty if they are the same.
pub fn unified_diff(old_path: &Path, old: &str, new_path: &Path, new: &str) -> String {
    let edits = lines::edits(old, new);
    let [old_shown, new_shown] = [old_path, new_path].map(|path| plain_text(&path.display().to_string()));
    diagnostic::diff([&old_shown, &new_shown], &Source::new(old_path, old.as_bytes().to_vec()), &edits, usize::MAX)
}
