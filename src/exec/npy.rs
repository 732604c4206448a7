//! Tensors in the `.npy` files of `NumPy`.
//!
//! A tensor of a type that `NumPy` has no name for is stored as packed bytes of type `|u1`. A sidecar file gives its type and
//! shape: `part.npy.json` beside `part.npy` contains `{"type":"i4","shape":[2,3]}`.

mod header;

use super::bytes::SharedBytes;
use super::tensor::Tensor;
use crate::atomic::{Existing, NewFile};
use crate::input;
use crate::limits::TEXT_FILE;
use crate::types::ElementType;
use header::{Header, NO_NPY};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The sidecar file with the type and shape of packed bytes.
#[derive(Serialize, Deserialize)]
struct Sidecar {
    r#type: String,
    shape: Vec<usize>,
}

/// Reads a tensor from a file.
///
/// The file may have at most `limit` bytes. A one-dimensional `|u1` array gets its type and shape from the sidecar file, if
/// there is one.
pub fn read(path: &Path, limit: u64) -> Result<Tensor, String> {
    let file = input::read(path, limit).map_err(failed(path))?;
    let tensor = decode(&file.into()).map_err(failed(path))?;
    if tensor.ty() != ElementType::U8 || tensor.lengths().len() != 1 {
        return Ok(tensor);
    }
    let beside = beside(path);
    let text = match input::read(&beside, TEXT_FILE) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(tensor),
        Err(error) => return Err(failed(&beside)(error)),
    };
    let sidecar: Sidecar = serde_json::from_slice(&text).map_err(failed(&beside))?;
    let Some(ty) = ElementType::from_data_text(&sidecar.r#type) else {
        return Err(failed(&beside)(format!("no element type `{}`", sidecar.r#type)));
    };
    Tensor::new(ty, &sidecar.shape, tensor.bytes().clone()).map_err(failed(&beside))
}

/// Decodes the bytes of a file, without its sidecar file.
///
/// Little-endian elements are not copied.
pub fn decode(file: &SharedBytes) -> Result<Tensor, String> {
    let Header { ty, big_endian, lengths, data } = Header::read(file)?;
    let bytes = file.slice(data..file.len()).ok_or(NO_NPY)?;
    let tensor = Tensor::new(ty, &lengths, bytes)?;
    if !big_endian {
        return Ok(tensor);
    }
    let mut swapped = tensor.bytes().to_vec();
    swapped.chunks_exact_mut(ty.bits() as usize / 8).for_each(<[u8]>::reverse);
    Tensor::new(ty, &lengths, swapped)
}

/// Writes a tensor to a new file, with a sidecar file if `NumPy` has no name for the type; never overwrites files.
///
/// # Errors
/// If one of the files is there already or cannot be written.
pub fn write(path: &Path, tensor: &Tensor) -> Result<(), String> {
    let beside = beside(path);
    let begin = |path: &Path| NewFile::begin(path, Existing::Keep).map_err(failed(path));
    // Begin both, even if no sidecar is needed: an existing one would change the type of the bytes.
    let (file, sidecar) = (begin(path)?, begin(&beside)?);
    let plain = Header::write(tensor.ty(), tensor.lengths());
    let has_sidecar = plain.is_none();
    let header = if let Some(header) = plain {
        header
    } else {
        let text = serde_json::to_vec(&Sidecar { r#type: tensor.ty().name().into(), shape: tensor.lengths().into() });
        finish(sidecar, &[&text.map_err(failed(&beside))?]).map_err(failed(&beside))?;
        Header::write(ElementType::U8, &[tensor.bytes().len()]).unwrap_or_default()
    };
    let done = finish(file, &[&header, tensor.bytes()]);
    if done.is_err() && has_sidecar {
        // A sidecar file alone is useless, and would make the next run fail.
        let _ = fs::remove_file(&beside);
    }
    done.map_err(failed(path))
}

fn finish(mut file: NewFile, parts: &[&[u8]]) -> io::Result<()> {
    parts.iter().try_for_each(|part| file.write_all(part))?;
    file.finish()
}

/// Returns the path of the sidecar file: `part.npy.json` for `part.npy`.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

/// Wraps an error with the path of its file.
fn failed<E: Display>(path: &Path) -> impl Fn(E) -> String {
    move |error| format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::Generator;
    use ElementType as T;
    use proptest::prelude::*;
    use std::fs;

    #[test]
    fn every_type_comes_back() {
        let directory = tempfile::tempdir().unwrap();
        for ty in T::all().skip(1) {
            for (number, lengths) in [&[2, 3][..], &[], &[0, 5], &[7]].into_iter().enumerate() {
                let path = directory.path().join(format!("{ty}.{number}.npy"));
                let tensor = Generator::Arange.tensor(ty, lengths).unwrap();
                write(&path, &tensor).unwrap();
                let named = Header::write(ty, lengths).is_some();
                assert_eq!(beside(&path).exists(), !named, "{ty}");
                assert_eq!(read(&path, 1000).unwrap().first_difference(&tensor), None, "{ty}");
            }
        }
    }

    #[test]
    fn big_endian_is_turned_around() {
        let mut file = Header::write(T::F32, &[2]).unwrap();
        let at = file.iter().position(|byte| *byte == b'<').unwrap();
        file[at] = b'>';
        file.extend([1.5_f32.to_be_bytes(), (-2_f32).to_be_bytes()].concat());
        assert_eq!(decode(&file.into()).unwrap().preview(2), "[1.5, -2]");
    }

    #[test]
    fn elements_are_not_copied() {
        let file: SharedBytes = [Header::write(T::U8, &[3]).unwrap(), vec![1, 2, 3]].concat().into();
        assert_eq!(decode(&file).unwrap().bytes().as_ptr(), file[file.len() - 3..].as_ptr());
    }

    #[test]
    fn sizes_are_checked() {
        let message = |lengths: &[usize], bytes: usize| {
            let file = [Header::write(T::F32, lengths).unwrap(), vec![0; bytes]].concat();
            decode(&file.into()).unwrap_err()
        };
        assert_eq!(message(&[2, 3], 23), "23 bytes for f32[2,3], which takes 24");
        assert_eq!(message(&[1 << 40, 1 << 40], 8), "f32[1099511627776,1099511627776] is too large for memory");
        assert_eq!(message(&[1 << 60], 8), "8 bytes for f32[1152921504606846976], which takes 4611686018427387904");
    }

    #[test]
    fn what_is_beside_must_fit() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.npy");
        write(&path, &Generator::Arange.tensor(T::U8, &[4]).unwrap()).unwrap();
        let message = |text: &str| {
            fs::write(beside(&path), text).unwrap();
            let message = read(&path, 1000).unwrap_err();
            message.rsplit_once("a.npy.json: ").unwrap().1.to_owned()
        };
        assert_eq!(message(r#"{"type":"u4","shape":[9]}"#), "4 bytes for u4[9], which takes 5");
        assert_eq!(message(r#"{"type":"q4","shape":[8]}"#), "no element type `q4`");
        assert_eq!(message(r#"{"type":"u4"}"#), "missing field `shape` at line 1 column 13");
        assert_eq!(message(r#"{"type":"string","shape":[1]}"#), "50462976 strings where the shape holds 1");
        let missing = read(&directory.path().join("b.npy"), 1000).unwrap_err();
        assert!(missing.contains("b.npy: No such file"), "{missing}");
    }

    #[test]
    fn files_that_are_there_stay() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.npy");
        let [bytes, nibbles] = [T::U8, T::U4].map(|ty| Generator::Arange.tensor(ty, &[4]).unwrap());
        let refused = |tensor: &Tensor, name: &str| {
            let message = write(&path, tensor).unwrap_err();
            assert!(message.ends_with(&format!("{name}: it already exists and was not overwritten")), "{message}");
        };
        write(&path, &bytes).unwrap();
        refused(&bytes, "a.npy");
        refused(&nibbles, "a.npy");
        assert_eq!(read(&path, 1000).unwrap().first_difference(&bytes), None);
        // A sidecar file for bytes that need none.
        fs::rename(&path, beside(&path)).unwrap();
        refused(&bytes, "a.npy.json");
        assert!(!path.exists());
    }

    proptest! {
        #[test]
        fn no_file_makes_it_panic(
            text in r"(\{?('descr'|'shape'|'fortran_order'|[a-z]{0,3}): ?('[<>|=]?[a-z][0-9]{1,2}'|\([0-9L, ]{0,30}\)?|True|False|\[),? ?){0,5}\}?",
            version in 0..5_u8,
            length in proptest::option::of(any::<u16>()),
            data in proptest::collection::vec(any::<u8>(), 0..40),
        ) {
            let length = length.unwrap_or(u16::try_from(text.len()).unwrap());
            let wide = if matches!(version, 2 | 3) { vec![0, 0] } else { vec![] };
            let magic = [b"\x93NUMPY", &[version, 0][..]].concat();
            let file = [&magic, &length.to_le_bytes()[..], &wide, text.as_bytes(), &data].concat();
            if let Ok(tensor) = decode(&file.into()) {
                prop_assert!(tensor.bytes().len() <= text.len() + data.len());
            }
        }
    }
}
