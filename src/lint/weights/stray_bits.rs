//! Constants with invalid booleans, padding bits that are set, or malformed strings.

use super::super::rules::weights_rule;
use super::super::{Checked, for_every_graph};
use super::about;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::ir::{Constant, Weights};
use crate::types::ElementType;
use std::collections::BTreeSet;

pub(crate) static STRAY_BITS: Rule = weights_rule(
    "stray-bits",
    "a constant has bits set that its element type does not use",
    "Booleans are bytes of 0 or 1. The bits after the last element of u1, u2, u3, u4, i4, u6, nf4 and f4e2m1 are 0. \
     In a constant of strings, the first string starts at 0, the last one ends at the end of the constant, and all are \
     UTF-8. If this does not hold, constants with equal values have different bytes, and Python cannot show strings \
     that are not UTF-8.\n\n\
     Often the offset, the shape or the type is wrong, or the `.bin` belongs to another `.xml`.",
)
.accepted(Severity::Warning)
.opt_in();

/// The size of a read, in bytes.
const BLOCK: u64 = 1 << 20;

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    let mut seen = BTreeSet::new();
    let mut strings = checked.scope.limits.work as u64;
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        for layer in &graph.layers {
            let Some(constant) = graph.constant(layer) else { continue };
            let Some(count) = constant.elements().filter(|count| *count > 0) else { continue };
            let fits = constant.bytes_needed().is_none_or(|need| need <= constant.size);
            if !fits || !seen.insert((constant.offset, constant.size, constant.ty, count)) {
                continue;
            }
            let weights = checked.scope.weights;
            let found = match constant.ty {
                ElementType::Boolean => boolean(weights, constant, count),
                ElementType::String => string(weights, constant, count, &mut strings),
                ty if ty.is_packed() => padding(weights, constant, count),
                _ => None,
            };
            let Some(what) = found else { continue };
            let message = format!("Const `{}` of {}: {what}", graph.name(checked.scope.source, layer), constant.ty);
            sink.report(about(checked, layer, Diagnostic::new(&STRAY_BITS, layer.data, message)));
        }
    });
}

fn boolean(weights: &Weights, constant: &Constant, count: u64) -> Option<String> {
    let mut start = 0;
    while start < count {
        let length = BLOCK.min(count - start);
        let bytes = weights.read(constant.offset.checked_add(start)?, usize::try_from(length).ok()?)?;
        if let Some(at) = bytes.iter().position(|byte| *byte > 1) {
            return Some(format!("element {} is {}, wanted 0 or 1", start + at as u64, bytes[at]));
        }
        start += length;
    }
    None
}

/// Finds set bits after the last element.
fn padding(weights: &Weights, constant: &Constant, count: u64) -> Option<String> {
    // The masks of the used bits in the last block of bytes.
    let left = |elements: u64, block: u64| u32::try_from((elements + block - 1) % block + 1).unwrap_or(1);
    let high = |bits: u32| u8::try_from((0xff00_u32 >> bits.min(8)) & 0xff).unwrap_or(0xff);
    let low = |bits: u32| u8::try_from((1_u32 << bits.min(8)) - 1).unwrap_or(0xff);
    let used: Vec<u8> = match constant.ty {
        ElementType::U1 => vec![high(left(count, 8))],
        ElementType::U2 => vec![low(2 * left(count, 4))],
        ElementType::U3 => {
            let left = left(count, 8);
            vec![high(2 * left.min(4)), high(2 * left.saturating_sub(4)), high(left)]
        }
        ElementType::U6 => {
            let left = left(count, 4);
            vec![high(4 * left.min(2)), high(4 * left.saturating_sub(2)), high(2 * left)]
        }
        _ => vec![low(4 * left(count, 2))],
    };
    let size = constant.bytes_needed()?;
    let start = size.checked_sub(used.len() as u64)?;
    let bytes = weights.read(constant.offset.checked_add(start)?, used.len())?;
    let offsets = start..;
    let (at, byte, stray) = offsets
        .zip(bytes.iter().zip(&used))
        .map(|(at, (byte, used))| (at, byte, byte & !used))
        .find(|(_, _, stray)| *stray != 0)?;
    Some(format!("byte {at} is {byte:#04x}, but the bits {stray:#04x} belong to no element and must be 0"))
}

/// Checks the table and the bytes of strings; `left` is the number of strings that may still be checked in this file.
fn string(weights: &Weights, constant: &Constant, count: u64, left: &mut u64) -> Option<String> {
    let table = |at: u64| {
        let bytes = weights.read(constant.offset.checked_add(at)?, 4)?;
        bytes.first_chunk().map(|four| i64::from(i32::from_le_bytes(*four)))
    };
    let header = count.checked_add(2)?.checked_mul(4)?;
    // Another rule reports a malformed table.
    if constant.size < header
        || constant.offset.checked_add(constant.size)? > weights.size()
        || table(0)? != i64::try_from(count).ok()?
    {
        return None;
    }
    let mut begin = table(4)?;
    if begin != 0 {
        return Some(format!("the first string starts at byte {begin}, wanted 0"));
    }
    let looked_at = count.min(*left);
    *left -= looked_at;
    for i in 0..looked_at {
        let end = table(8 + 4 * i)?;
        let length = usize::try_from(end.checked_sub(begin)?).ok()?;
        let at = constant.offset.checked_add(header)?.checked_add(u64::try_from(begin).ok()?)?;
        let bytes = weights.read(at, length)?;
        if let Err(error) = std::str::from_utf8(&bytes) {
            let byte = bytes.get(error.valid_up_to()).copied().unwrap_or(0);
            return Some(format!("string {i} is not UTF-8: its byte {} is {byte:#04x}", error.valid_up_to()));
        }
        begin = end;
    }
    let end = header.checked_add(u64::try_from(begin).ok()?)?;
    let is_short = looked_at == count && end < constant.size;
    is_short.then(|| format!("the last string ends at byte {end}, the constant has {}", constant.size))
}
