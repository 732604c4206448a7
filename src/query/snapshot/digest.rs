//! The digest of all constants of a model, independent of their order in the file, for snapshots; and that of a whole
//! weights file.

use crate::analysis::Model;
use crate::ir::walk::layers;
use crate::ir::{Constant, Weights};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ops::Range;

/// The number of bytes read at once.
const CHUNK: u64 = 1 << 20;

/// Computes the SHA-256 over the types, shapes and bytes of all constants, in hexadecimal digits. Offsets and names are
/// ignored. `None` if the weights do not contain all constants.
pub fn digest(model: &Model) -> Option<String> {
    let (weights, mut all) = (model.weights(), Vec::new());
    // Hash bytes only once that several constants share.
    let mut known: BTreeMap<(u64, u64, String), [u8; 32]> = BTreeMap::new();
    for constant in layers(&model.net()?.graph, ()).filter_map(|visit| visit.place.graph.constant(visit.layer)) {
        let what = format!("{}{}", constant.ty, constant.shape());
        let key = (constant.offset, constant.size, what);
        let one = match known.get(&key) {
            Some(one) => *one,
            None => of_constant(constant, weights, &key.2)?,
        };
        known.insert(key, one);
        all.push(one);
    }
    all.sort_unstable();
    let mut whole = Sha256::new();
    for one in all {
        whole.update(one);
    }
    Some(hexadecimal(&whole.finalize()))
}

fn of_constant(constant: &Constant, weights: &Weights, what: &str) -> Option<[u8; 32]> {
    let mut digest = Sha256::new();
    digest.update(what);
    // Ignore bytes beyond the elements.
    let end = constant.offset.checked_add(constant.bytes_needed().unwrap_or(constant.size))?;
    add(weights, constant.offset..end, &mut digest)?;
    Some(digest.finalize().into())
}

/// Computes the SHA-256 of a whole weights file, in hexadecimal digits; `None` if it cannot be read.
pub(in crate::query) fn of_file(weights: &Weights) -> Option<String> {
    let mut digest = Sha256::new();
    add(weights, 0..weights.size(), &mut digest)?;
    Some(hexadecimal(&digest.finalize()))
}

fn add(weights: &Weights, bytes: Range<u64>, digest: &mut Sha256) -> Option<()> {
    let mut at = bytes.start;
    while at < bytes.end {
        let size = (bytes.end - at).min(CHUNK);
        digest.update(weights.read(at, usize::try_from(size).ok()?)?);
        at += size;
    }
    Some(())
}

/// Formats bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(|n| char::from_digit(n.into(), 16)).collect()
}
