//! NaN and infinity among the weights.

use super::super::rules::weights_rule;
use super::super::{Checked, for_every_graph};
use super::about;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::ir::{Constant, Weights};
use crate::types::ElementType;
use crate::types::codec::{float::float, word};
use std::collections::BTreeSet;

pub(crate) static NON_FINITE_WEIGHTS: Rule = weights_rule(
    "non-finite-weights",
    "a constant holds NaN or infinity",
    "Checked with `--deep` only, which reads all weights. One NaN among the weights makes every result NaN sooner \
     or later. Usually the training diverged, a conversion to f16 overflowed, or the `.bin` belongs to another \
     `.xml`.\n\n\
     Infinity is sometimes intended: attention masks and initial values of a maximum hold -Inf, so a constant that \
     contains only 0 and infinities of one sign is not reported.",
)
.accepted(Severity::Warning)
.opt_in();

/// Bytes that are read at once; a multiple of every element's size.
const BLOCK: u64 = 1 << 20;

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    let mut seen = BTreeSet::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        for layer in &graph.layers {
            let Some(constant) = graph.constant(layer) else { continue };
            if !seen.insert((constant.offset, constant.size, constant.ty)) {
                continue;
            }
            let Some(Census { nan, infinite, first, .. }) = census(checked.scope.weights, constant) else { continue };
            let name = graph.name(checked.scope.source, layer);
            let counts = match (nan, infinite) {
                (nan, 0) => format!("{nan} NaN"),
                (0, infinite) => format!("{infinite} Inf"),
                (nan, infinite) => format!("{nan} NaN and {infinite} Inf"),
            };
            let all = constant.elements().unwrap_or_default();
            let message = format!("Const `{name}` holds {counts} among {all}, the first at index {first}");
            sink.report(about(checked, layer, Diagnostic::new(&NON_FINITE_WEIGHTS, layer.data, message)));
        }
    });
}

/// The numbers of a constant that are not finite.
#[derive(Default)]
struct Census {
    nan: u64,
    infinite: u64,
    first: u64,
    /// Which kinds of other numbers there are: negative infinity, positive infinity, finite but 0.
    kinds: [bool; 3],
}

/// `None` if all are finite, or if the type has no other numbers.
fn census(weights: &Weights, constant: &Constant) -> Option<Census> {
    if !matches!(constant.ty, ElementType::F64 | ElementType::F32 | ElementType::F16 | ElementType::Bf16) {
        return None;
    }
    // Nearly all weights are finite, and checking that is much faster than counting.
    if !blocks(weights, constant)?.any(|(_, block)| is_suspect(constant.ty, &block)) {
        return None;
    }
    let width = constant.ty.bits() as usize / 8;
    let mut census = Census::default();
    for (start, block) in blocks(weights, constant)? {
        for (bytes, place) in block.chunks_exact(width).zip(start / width as u64..) {
            let class = class(float(constant.ty, word(bytes)));
            if matches!(class, Class::Nan | Class::Infinite { .. }) && census.nan + census.infinite == 0 {
                census.first = place;
            }
            match class {
                Class::Zero => {}
                Class::Finite => census.kinds[2] = true,
                Class::Nan => census.nan += 1,
                Class::Infinite { negative } => {
                    census.infinite += 1;
                    census.kinds[usize::from(!negative)] = true;
                }
            }
        }
    }
    let is_mask = census.nan == 0 && census.kinds.iter().filter(|kind| **kind).count() == 1;
    (!is_mask).then_some(census)
}

/// The bytes of a constant by blocks, each with its place in the constant.
fn blocks(weights: &Weights, constant: &Constant) -> Option<impl Iterator<Item = (u64, Vec<u8>)>> {
    let size = constant.bytes_needed()?.min(constant.size);
    let offset = constant.offset;
    let starts = (0..size.div_ceil(BLOCK)).map(|block| block * BLOCK);
    Some(starts.map_while(move |start| {
        let length = usize::try_from(BLOCK.min(size - start)).ok()?;
        Some((start, weights.read(offset.checked_add(start)?, length)?))
    }))
}

/// Whether an element has an exponent of ones only, as NaN and infinity have.
fn is_suspect(ty: ElementType, block: &[u8]) -> bool {
    match ty {
        ElementType::F64 => any(block, |bytes| u64::from_le_bytes(bytes) & 0x7ff0 << 48 == 0x7ff0 << 48),
        ElementType::F32 => any(block, |bytes| u32::from_le_bytes(bytes) & 0x7f80 << 16 == 0x7f80 << 16),
        ElementType::F16 => any(block, |bytes| u16::from_le_bytes(bytes) & 0x7c00 == 0x7c00),
        _ => any(block, |bytes| u16::from_le_bytes(bytes) & 0x7f80 == 0x7f80),
    }
}

/// Whether any element of a block is like that; reads all of them, which is faster than stopping early.
fn any<const N: usize>(block: &[u8], is_so: impl Fn([u8; N]) -> bool) -> bool {
    block.as_chunks::<N>().0.iter().fold(false, |found, bytes| found | is_so(*bytes))
}

enum Class {
    Zero,
    Finite,
    Nan,
    Infinite { negative: bool },
}

fn class(number: f64) -> Class {
    if number == 0.0 {
        Class::Zero
    } else if number.is_nan() {
        Class::Nan
    } else if number.is_infinite() {
        Class::Infinite { negative: number < 0.0 }
    } else {
        Class::Finite
    }
}
