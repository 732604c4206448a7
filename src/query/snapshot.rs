//! Shape reports committed beside the models, `model.ovshapes` for `model.xml`, and how a model compares with its own.

mod digest;
mod lines;
pub mod text;

pub use digest::{digest, hexadecimal};

use crate::analysis::{Error, Model, Options};
use crate::atomic;
use crate::atomic::Existing;
use crate::diagnostic;
use crate::input;
use crate::limits::TEXT_FILE;
use crate::source::Source;
use crate::text::plain_text;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What a model's snapshot has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// It is what it was.
    Same,
    /// It is something else: the unified diff from the snapshot to the model.
    Differs(String),
    /// There is no snapshot.
    Missing,
    /// The XML of the model cannot be read; why.
    Broken(String),
}

/// Why a snapshot cannot be compared or written.
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
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// The snapshot cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The snapshot.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
}

/// The ending of snapshots.
pub const ENDING: &str = "ovshapes";

/// The snapshot that belongs to a model.
pub fn snapshot_path(model: &Path) -> PathBuf {
    model.with_extension(ENDING)
}

/// The line that holds the digest of the weights.
const WEIGHTS: &str = "weights sha256:";

/// Compares a model with its snapshot. If the snapshot holds a digest of the weights, they are compared as well.
///
/// # Errors
/// [`SnapshotError`] where a file cannot be read.
pub fn check(model: &Path, options: &Options) -> Result<Comparison, SnapshotError> {
    let path = snapshot_path(model);
    let old = match input::read(&path, TEXT_FILE) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).replace("\r\n", "\n")),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(SnapshotError::Read { path, error }),
    };
    let weights = old.as_ref().is_some_and(|old| old.lines().any(|line| line.starts_with(WEIGHTS)));
    let new = match text(model, options, weights)? {
        Ok(new) => new,
        Err(reason) => return Ok(Comparison::Broken(reason)),
    };
    Ok(match old {
        None => Comparison::Missing,
        Some(old) if old == new => Comparison::Same,
        Some(old) => Comparison::Differs(unified_diff(&path, &old, model, &new)),
    })
}

/// The unified diff from the text of one file to that of another; empty if they are the same.
pub fn unified_diff(old_path: &Path, old: &str, new_path: &Path, new: &str) -> String {
    let edits = lines::edits(old, new);
    let [old_shown, new_shown] = [old_path, new_path].map(|path| plain_text(&path.display().to_string()));
    diagnostic::diff([&old_shown, &new_shown], &Source::new(old_path, old.as_bytes().to_vec()), &edits, usize::MAX)
}

/// Writes the snapshot of a model where it is not what the model gives, and returns what it was before. A digest of the
/// weights is written if it is asked for, or if the snapshot held one.
///
/// # Errors
/// [`SnapshotError`] where a file cannot be read or written.
pub fn update(model: &Path, options: &Options, weights: bool) -> Result<Comparison, SnapshotError> {
    let mut before = check(model, options)?;
    let path = snapshot_path(model);
    let failed = |error| SnapshotError::Write { path: path.clone(), error };
    let old = input::read(&path, TEXT_FILE).unwrap_or_default(); // As `check` has read it, there is none.
    let old = String::from_utf8_lossy(&old);
    let had_weights = old.lines().any(|line| line.starts_with(WEIGHTS));
    if matches!(before, Comparison::Broken(_)) || before == Comparison::Same && (had_weights || !weights) {
        return Ok(before);
    }
    match text(model, options, weights || had_weights)? {
        Ok(new) => {
            atomic::write(&path, Existing::Replace, new.as_bytes()).map_err(failed)?;
            if before == Comparison::Same {
                before = Comparison::Differs(String::new());
            }
        }
        Err(reason) => return Ok(Comparison::Broken(reason)),
    }
    Ok(before)
}

/// The snapshot of a model as it is now, or why there is none.
fn text(path: &Path, options: &Options, weights: bool) -> Result<Result<String, String>, Error> {
    let model = Model::open(path, options)?;
    if model.net().is_none() {
        return Ok(Err(model.findings().first().map(|finding| finding.message.clone()).unwrap_or_default()));
    }
    let mut text = text::snapshot(&model);
    if weights {
        let digest = digest(&model);
        model.intact()?;
        match digest {
            Some(digest) => text.extend([WEIGHTS, &digest, "\n"]),
            None => return Ok(Err("its weights do not hold all constants".to_owned())),
        }
    }
    Ok(Ok(text))
}
