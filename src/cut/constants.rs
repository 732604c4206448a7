//! The bytes of the kept constants, packed into a new weights file.

use super::original::Original;
use crate::ir::{Constant, Graph, Layer, find_attribute};
use crate::source::Span;
use std::collections::BTreeMap;
use std::ops::Range;

/// A new weights file. Bytes that constants share stay shared, and every offset keeps its alignment.
#[derive(Debug, Default)]
pub(crate) struct Packed {
    pub bytes: Vec<u8>,
    /// The new offset of each range, by its old offset.
    moved: BTreeMap<u64, u64>,
}

/// The number of bytes modulo which new offsets equal the old ones, because alignment itself may cause the fault.
const ALIGNMENT: u64 = 64;

impl Packed {
    /// Adds the bytes of constants. A constant that ends beyond the end of the file still does so, by the same number of bytes.
    pub(crate) fn add_all<'c>(&mut self, original: &Original, constants: impl Iterator<Item = &'c Constant>) {
        let weights = original.model.weights();
        let read = |start: u64, end: u64| weights.read(start, usize::try_from(end - start).ok()?);
        let mut beyond = Vec::new();
        for range in merged(constants.map(|constant| constant.offset..constant.end()).collect()) {
            // Only the last range can reach beyond the end of the file, as overlapping ones are merged.
            match read(range.start, range.end.min(weights.size()).max(range.start)) {
                Some(bytes) if range.start <= weights.size() => self.add(range.start, &bytes),
                _ => beyond.push(range.start),
            }
        }
        let has_constants = !(self.moved.is_empty() && beyond.is_empty());
        if self.bytes.is_empty() && has_constants && weights.size() > 0 {
            // OpenVINO reads nothing from an empty file, not even a constant without elements.
            self.bytes.push(0);
        }
        let end = self.bytes.len() as u64;
        self.moved.extend(beyond.into_iter().map(|start| (start, end + start.saturating_sub(weights.size()))));
    }

    fn add(&mut self, offset: u64, bytes: &[u8]) {
        let end = self.bytes.len() as u64;
        let gap = (ALIGNMENT + offset % ALIGNMENT - end % ALIGNMENT) % ALIGNMENT;
        self.bytes.resize(self.bytes.len() + usize::try_from(gap).unwrap_or_default(), 0);
        self.moved.insert(offset, self.bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    /// Adds the bytes of a new constant and returns their offset.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> u64 {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let offset = self.bytes.len() as u64;
        self.bytes.extend_from_slice(bytes);
        offset
    }

    pub(crate) fn offset(&self, old: u64) -> Option<u64> {
        let (start, new) = self.moved.range(..=old).next_back()?;
        Some(new + (old - start))
    }
}

/// Returns sorted ranges, with overlapping ones merged.
fn merged(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start < last.end || range == *last => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// Collects the constants of a layer and of its bodies, with the spans of their `offset` attributes.
pub(crate) fn constants<'g>(
    original: &Original<'g>,
    graph: &'g Graph,
    layer: &'g Layer,
    is_skipped: &dyn Fn(usize) -> bool,
    found: &mut Vec<(Span, &'g Constant)>,
) {
    if let Some(constant) = graph.constant(layer)
        && let Some(offset) = find_attribute(original.source, layer.data, "offset")
    {
        found.push((offset.value, constant));
    }
    for (_, body) in layer.bodies().enumerate().filter(|(body, _)| !is_skipped(*body)) {
        body.graph.layers.iter().for_each(|inner| constants(original, &body.graph, inner, &|_| false, found));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_ranges_are_one() {
        assert_eq!(merged(vec![8..16, 0..4, 0..4, 4..8, 12..20, 20..20]), [0..4, 4..8, 8..20, 20..20]);
    }
}
