//! The files of a new model, the XML and the weights beside it: both are written, or neither.

use crate::atomic::{self, Existing, NewFile};
use crate::ir::Weights;
use crate::remote::is_remote;
use std::fs::{self, File};
use std::io::{self, Error, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The bytes of a weights file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Bytes {
    /// The original file, with these bytes appended.
    Original(Arc<[u8]>),
    /// A file of its own.
    New(Vec<u8>),
}

impl Default for Bytes {
    fn default() -> Self {
        Self::Original(Arc::default())
    }
}

impl Bytes {
    /// Returns the size of the file, for an original of the given size.
    pub fn size(&self, original: u64) -> u64 {
        match self {
            Self::Original(more) => original.saturating_add(more.len() as u64),
            Self::New(bytes) => bytes.len() as u64,
        }
    }

    /// Whether there is a file to write.
    pub fn is_written(&self, original: &Weights) -> bool {
        match self {
            Self::Original(more) => original.is_available() || !more.is_empty(),
            Self::New(bytes) => !bytes.is_empty(),
        }
    }

    /// Writes the bytes of the file.
    pub fn write(&self, original: &Weights, to: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Original(more) => {
                match original.path.as_deref().filter(|_| original.is_available()) {
                    Some(path) => _ = io::copy(&mut File::open(path)?, to)?,
                    None => write_memory(original, to)?,
                }
                to.write_all(more)
            }
            Self::New(bytes) => to.write_all(bytes),
        }
    }
}

/// The way in which the weights get beside a new model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bin {
    /// A copy, which shares its blocks with the original where the file system has that.
    #[default]
    Copy,
    /// A further hard link to the original.
    Link,
    /// Not at all.
    None,
}

/// The number of bytes that are copied between two calls for progress.
const STEP: u64 = 64 << 20;

/// The paths of a new model.
#[derive(Debug)]
pub struct Target<'a> {
    model: &'a Path,
    weights: PathBuf,
    existing: Existing<'static>,
}

impl<'a> Target<'a> {
    /// Returns the path of the model and of the weights beside it; fails if they cannot be written, or if a file that is
    /// `read` would be overwritten.
    pub fn of(model: &'a Path, existing: Existing<'static>, bin: Bin, read: &[&Path]) -> Result<Self, String> {
        if model.extension().is_none_or(|ending| ending != "xml") {
            return Err(format!("{} must end in .xml, as the weights go beside it", model.display()));
        }
        let weights = model.with_extension("bin");
        for path in [model, &weights].into_iter().take(if bin == Bin::None { 1 } else { 2 }) {
            let full = path.canonicalize();
            if let Ok(full) = full
                && read.iter().any(|read| read.canonicalize().is_ok_and(|read| read == full))
            {
                return Err(format!("{} is read by this command; name another file", path.display()));
            }
            NewFile::begin(path, existing).map_err(|error| refused(path, &error))?;
        }
        Ok(Self { model, weights, existing })
    }

    /// Returns the path of the weights.
    pub fn weights(&self) -> &Path {
        &self.weights
    }

    /// Writes a model and its weights, if it has any: both as a whole, or neither. `progress` gets the bytes copied so far.
    pub fn write(
        &self,
        xml: &[u8],
        bytes: &Bytes,
        original: &Weights,
        bin: Bin,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), String> {
        let of_weights = |error: Error| refused(&self.weights, &error);
        let is_written = bin != Bin::None && bytes.is_written(original);
        let weights = match bin {
            _ if !is_written => None,
            Bin::Copy | Bin::None => Some(self.copied(bytes, original, progress).map_err(of_weights)?),
            Bin::Link => None,
        };
        let of_model = |error: Error| refused(self.model, &error);
        let begun = NewFile::begin(self.model, self.existing).and_then(|mut file| {
            file.write_all(xml)?;
            file.prepare()
        });
        let model = begun.map_err(of_model)?;
        match (weights, &original.path) {
            (Some(weights), _) => weights.commit().map_err(of_weights)?,
            (None, Some(path)) if is_written => {
                atomic::link(&path.canonicalize().map_err(of_weights)?, &self.weights, self.existing)
                    .map_err(of_weights)?;
            }
            (None, _) => {}
        }
        let done = model.commit();
        if done.is_err() && is_written && self.existing == Existing::Keep {
            // Weights alone are useless, and would make the next run fail.
            let _ = fs::remove_file(&self.weights);
        }
        done.map_err(of_model)
    }

    fn copied(
        &self,
        bytes: &Bytes,
        original: &Weights,
        progress: &mut dyn FnMut(u64),
    ) -> io::Result<atomic::Ready<'static>> {
        let mut file = NewFile::begin(&self.weights, self.existing)?;
        match (bytes, original.path.as_deref().filter(|_| original.is_available())) {
            (Bytes::Original(_), Some(path)) if is_remote(path) => {
                return Err(Error::new(ErrorKind::Unsupported, "the weights are on a server; download them first"));
            }
            (Bytes::Original(more), Some(path)) => {
                let (from, mut done) = (File::open(path)?, 0);
                loop {
                    let copied = file.copy(&mut (&from).take(STEP))?;
                    done += copied;
                    progress(done);
                    if copied < STEP {
                        break;
                    }
                }
                file.write_all(more)?;
            }
            _ => bytes.write(original, &mut file)?,
        }
        file.prepare()
    }
}

/// Writes weights that are no file.
fn write_memory(original: &Weights, to: &mut impl Write) -> io::Result<()> {
    let mut at = 0;
    while at < original.size() {
        let size = STEP.min(original.size() - at);
        let bytes = usize::try_from(size).ok().and_then(|size| original.read(at, size));
        to.write_all(&bytes.ok_or_else(|| Error::other("the weights cannot be read"))?)?;
        at += size;
    }
    Ok(())
}

fn refused(path: &Path, error: &Error) -> String {
    format!("cannot write {}: {error}", path.display())
}
