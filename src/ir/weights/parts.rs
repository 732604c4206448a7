//! The parts of remote weights that have been fetched, and reading from them.

/// Contiguous bytes of the weights at an offset.
#[derive(Debug)]
pub(super) struct WeightsPart {
    offset: u64,
    bytes: Vec<u8>,
}

impl WeightsPart {
    pub(super) fn new(offset: u64, bytes: Vec<u8>) -> Self {
        Self { offset, bytes }
    }

    /// Returns the offset in the weights.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the end in the weights.
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(self.bytes.len() as u64)
    }
}

/// Reads bytes at an offset; `None` if no single part contains them. The parts must be sorted by offset.
pub(super) fn read(parts: &[WeightsPart], offset: u64, size: usize) -> Option<&[u8]> {
    if size == 0 {
        return Some(&[]);
    }
    let part = parts.partition_point(|part| part.offset <= offset).checked_sub(1).and_then(|at| parts.get(at))?;
    let start = usize::try_from(offset - part.offset).ok()?;
    part.bytes.get(start..start.checked_add(size)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_from_the_part_that_holds_them() {
        let parts =
            [WeightsPart::new(0, vec![1, 2, 3]), WeightsPart::new(64, vec![4, 5]), WeightsPart::new(66, Vec::new())];
        let found = |offset, size| read(&parts, offset, size);
        assert_eq!(
            (found(0, 3), found(1, 2), found(64, 2)),
            (Some(&[1, 2, 3][..]), Some(&[2, 3][..]), Some(&[4, 5][..]))
        );
        assert_eq!((found(0, 4), found(3, 1), found(65, 2), found(66, 1)), (None, None, None, None));
        assert_eq!((found(10, 0), found(u64::MAX, 1), read(&[], 0, 1)), (Some(&[][..]), None, None));
    }
}
