//! The files of a reduced model.

use ovlint::internal::Model;
use ovlint::internal::atomic::{self, Existing, NewFile};
use ovlint::internal::reduce::{Bytes, Candidate};
use std::fs::{self, File};
use std::io::{self, Error, Write};
use std::path::{Path, PathBuf};

/// The paths to write to.
pub(super) struct Target<'a> {
    model: &'a Path,
    weights: PathBuf,
}

impl<'a> Target<'a> {
    /// Returns the path of the model and of the weights beside it; fails if they cannot be written.
    pub(super) fn of(model: &'a Path) -> Result<Self, String> {
        if model.extension().is_none_or(|ending| ending != "xml") {
            return Err(format!("{} must end in .xml, as the weights go beside it", model.display()));
        }
        let weights = model.with_extension("bin");
        for path in [model, &weights] {
            NewFile::begin(path, Existing::Keep).map_err(|error| refused(path, &error))?;
        }
        Ok(Self { model, weights })
    }

    /// Writes a model, and its weights if it has any.
    pub(super) fn write(&self, reduced: &Candidate, original: &Model) -> Result<(), String> {
        let has_weights = has_weights(reduced, original);
        if has_weights {
            let written = NewFile::begin(&self.weights, Existing::Keep).and_then(|mut file| {
                write_weights(reduced, original, &mut file)?;
                file.finish()
            });
            written.map_err(|error| refused(&self.weights, &error))?;
        }
        let done = atomic::write(self.model, Existing::Keep, &reduced.xml);
        if done.is_err() && has_weights {
            // Weights alone are useless, and would make the next run fail.
            let _ = fs::remove_file(&self.weights);
        }
        done.map_err(|error| refused(self.model, &error))
    }
}

fn refused(path: &Path, error: &Error) -> String {
    format!("cannot write {}: {error}", path.display())
}

pub(super) fn has_weights(reduced: &Candidate, original: &Model) -> bool {
    match &reduced.weights {
        Bytes::Original(more) => original.weights().is_available() || !more.is_empty(),
        Bytes::New(bytes) => !bytes.is_empty(),
    }
}

pub(super) fn write_weights(reduced: &Candidate, original: &Model, to: &mut impl Write) -> io::Result<()> {
    match &reduced.weights {
        Bytes::Original(more) => {
            if let Some(path) = original.weights().path.as_deref().filter(|_| original.weights().is_available()) {
                io::copy(&mut File::open(path)?, to)?;
            }
            to.write_all(more)
        }
        Bytes::New(bytes) => to.write_all(bytes),
    }
}
