//! One number for all constants of a model, whatever their order in the file.

use crate::analysis::Model;
use crate::ir::{Constant, Graph, Weights};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ops::Range;

/// Bytes that are read at once.
const CHUNK: u64 = 1 << 20;

/// The SHA-256 over the constants of a model: types, shapes and bytes, in hexadecimal digits. Where they lie in the file
/// and what they are called does not count. `None` if the weights do not hold them all.
pub fn digest(model: &Model) -> Option<String> {
    let mut all = Vec::new();
    collect(&model.net()?.graph, model.weights(), &mut BTreeMap::new(), &mut all)?;
    all.sort_unstable();
    let mut whole = Sha256::new();
    for one in all {
        whole.update(one);
    }
    Some(hexadecimal(&whole.finalize()))
}

/// Digests by where the bytes lie, as constants may share them.
type Known = BTreeMap<(u64, u64, String), [u8; 32]>;

fn collect(graph: &Graph, weights: &Weights, known: &mut Known, all: &mut Vec<[u8; 32]>) -> Option<()> {
    for layer in &graph.layers {
        if let Some(constant) = graph.constant(layer) {
            let what = format!("{}{}", constant.ty, constant.shape());
            let key = (constant.offset, constant.size, what);
            let one = match known.get(&key) {
                Some(one) => *one,
                None => of_constant(constant, weights, &key.2)?,
            };
            known.insert(key, one);
            all.push(one);
        }
        for body in layer.bodies() {
            collect(&body.graph, weights, known, all)?;
        }
    }
    Some(())
}

fn of_constant(constant: &Constant, weights: &Weights, what: &str) -> Option<[u8; 32]> {
    let mut digest = Sha256::new();
    digest.update(what);
    // The bytes of the elements; what a constant has too many is ignored.
    let end = constant.offset.checked_add(constant.bytes_needed().unwrap_or(constant.size))?;
    add(weights, constant.offset..end, &mut digest)?;
    Some(digest.finalize().into())
}

/// The SHA-256 of a whole weights file in hexadecimal digits; `None` if it cannot be read.
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

/// Bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(|n| char::from_digit(n.into(), 16)).collect()
}
