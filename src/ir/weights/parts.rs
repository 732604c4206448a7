//! Weights in memory: the bytes of constants where they are, without a file that holds them one after the other.

use std::fmt;
use std::sync::Arc;

/// Bytes of the weights, from an offset on. They stay where they are: cloning a part shares them.
///
/// ```
/// use ovlint::{Analysis, Options, Weights, WeightsPart};
///
/// let xml = std::fs::read("ir-samples/models/split.xml")?;
/// let bytes = std::fs::read("ir-samples/models/split.bin")?;
/// let parts = [WeightsPart::new(0, bytes)];
/// let analysis = Analysis::from_bytes("split.xml", xml, &Options::new().weights(Weights::Parts(parts.into())))?;
/// assert_eq!(analysis.findings().count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct WeightsPart {
    offset: u64,
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
}

impl WeightsPart {
    /// The bytes from `offset` on, owned by anything that gives them.
    pub fn new(offset: u64, bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self { offset, bytes: Arc::new(bytes) }
    }

    /// Where the bytes start in the weights.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// The byte after the last one in the weights.
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(self.bytes().len() as u64)
    }
}

impl fmt::Debug for WeightsPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WeightsPart({}..{})", self.offset, self.end())
    }
}

/// Parts are equal if they hold the same bytes at the same offset.
impl PartialEq for WeightsPart {
    fn eq(&self, other: &Self) -> bool {
        self.offset == other.offset && self.bytes() == other.bytes()
    }
}

impl Eq for WeightsPart {}

/// The bytes from `offset` on; `None` if they are not all in one part. The parts are in the order of their offsets.
pub(super) fn read(parts: &[WeightsPart], offset: u64, size: usize) -> Option<&[u8]> {
    if size == 0 {
        return Some(&[]);
    }
    let part = parts.partition_point(|part| part.offset <= offset).checked_sub(1).and_then(|at| parts.get(at))?;
    let start = usize::try_from(offset - part.offset).ok()?;
    part.bytes().get(start..start.checked_add(size)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_from_the_part_that_holds_them() {
        let parts = [WeightsPart::new(0, [1, 2, 3]), WeightsPart::new(64, vec![4, 5]), WeightsPart::new(66, [])];
        let found = |offset, size| read(&parts, offset, size);
        assert_eq!(
            (found(0, 3), found(1, 2), found(64, 2)),
            (Some(&[1, 2, 3][..]), Some(&[2, 3][..]), Some(&[4, 5][..]))
        );
        assert_eq!((found(0, 4), found(3, 1), found(65, 2), found(66, 1)), (None, None, None, None));
        assert_eq!((found(10, 0), found(u64::MAX, 1), read(&[], 0, 1)), (Some(&[][..]), None, None));
    }
}
