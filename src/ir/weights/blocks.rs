//! A cache of recently read blocks of a large file. The constants that determine shapes are small and close together, and
//! many layers read the same ones.

use std::collections::BTreeMap;
use std::sync::Mutex;

/// The size of a block in bytes.
const BLOCK: u64 = 4096;

/// The maximum number of cached blocks; the cache is cleared when it is full.
const KEPT: usize = 64;

/// The cached blocks by number.
#[derive(Debug, Default)]
pub(super) struct Blocks(Mutex<BTreeMap<u64, Vec<u8>>>);

impl Blocks {
    /// Reads bytes at an offset of a file of `length` bytes, by `read_at` if the block is not cached. `None` if they cannot
    /// be read or span several blocks.
    pub(super) fn read(
        &self,
        length: u64,
        offset: u64,
        size: usize,
        read_at: impl FnOnce(u64, usize) -> Option<Vec<u8>>,
    ) -> Option<Vec<u8>> {
        let (block, start) = (offset / BLOCK, usize::try_from(offset % BLOCK).ok()?);
        let part = |bytes: &Vec<u8>| bytes.get(start..start.checked_add(size)?).map(<[u8]>::to_vec);
        if start + size > usize::try_from(BLOCK).ok()? {
            return None;
        }
        let mut kept = self.0.lock().ok()?;
        if let Some(bytes) = kept.get(&block) {
            return part(bytes);
        }
        let begin = block * BLOCK;
        let bytes = read_at(begin, usize::try_from(BLOCK.min(length.checked_sub(begin)?)).ok()?)?;
        let found = part(&bytes);
        if kept.len() == KEPT {
            kept.clear();
        }
        kept.insert(block, bytes);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_blocks_are_those_of_the_file() {
        let all: Vec<u8> = (0..BLOCK * 100 + 7).map(|n| (n % 251) as u8).collect();
        let read_at = |at: u64, size: usize| {
            let at = usize::try_from(at).ok()?;
            all.get(at..at + size).map(<[u8]>::to_vec)
        };
        let (blocks, length) = (Blocks::default(), all.len() as u64);
        for round in 0..2 {
            for at in (0..length).step_by(1021) {
                for size in [0, 1, 8, 100] {
                    let wanted = usize::try_from(at).ok().and_then(|at| all.get(at..at + size));
                    let found = blocks.read(length, at, size, read_at);
                    let is_whole = at % BLOCK + size as u64 <= BLOCK && wanted.is_some();
                    assert_eq!(found.as_deref(), wanted.filter(|_| is_whole), "{round} {at} {size}");
                    assert!(blocks.0.lock().unwrap().len() <= KEPT);
                }
            }
        }
    }

    #[test]
    fn what_is_gone_is_not_read() {
        assert_eq!(Blocks::default().read(8192, 4096, 8, |_, _| None), None);
        assert_eq!(Blocks::default().read(0, 4096, 8, |_, _| None), None);
    }
}
