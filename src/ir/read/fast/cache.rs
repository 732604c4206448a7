//! A cache of parsed texts for the fast path of the reader, as most texts in a file repeat.

use crate::memo::Table;

/// Parsed texts, at most [`TEXTS`], hashed by their first bytes. Two frequent texts with one hash replace each other.
pub(in crate::ir) struct TextCache<'a, T> {
    texts: Table<(&'a [u8], T)>,
}

const TEXTS: usize = 256;

/// The number of bytes that are hashed: most of a list of three or four dimensions fits.
pub(super) const HASHED: usize = 64;

/// Odd multipliers without a pattern, one for each eight bytes: digits of pi.
const ODD: [u64; HASHED / 8] = [
    0x243F_6A88_85A3_08D3,
    0x1319_8A2E_0370_7345,
    0xA409_3822_299F_31D1,
    0x082E_FA98_EC4E_6C89,
    0x4528_21E6_38D0_1377,
    0xBE54_66CF_34E9_0C6D,
    0xC0AC_29B7_C97C_50DD,
    0x3F84_D5B5_B547_0917,
];

/// The slot for a text that is not cached, which may replace another text there.
pub(super) struct Slot(u64);

impl<T: Copy> Default for TextCache<'_, T> {
    fn default() -> Self {
        Self { texts: Table::new(TEXTS) }
    }
}

impl<'a, T: Copy> TextCache<'a, T> {
    /// Finds the cached text that `text` starts with; returns its parsed value and length. Otherwise returns the slot for it;
    /// `None` near the end of the file, where there are too few bytes to hash.
    pub(super) fn find(&self, text: &[u8]) -> Result<(T, usize), Option<Slot>> {
        let slot = hash_of(text).ok_or(None)? >> (u64::BITS - TEXTS.ilog2());
        match self.texts.get(slot) {
            Some((cached, value)) if text.starts_with(cached) => Ok((value, cached.len())),
            _ => Err(Some(Slot(slot))),
        }
    }

    /// Caches a text.
    pub(super) fn add(&mut self, slot: &Slot, text: &'a [u8], value: T) {
        self.texts.put(slot.0, (text, value));
    }
}

/// The hash of a text, whose first bits are its slot.
fn hash_of(text: &[u8]) -> Option<u64> {
    let (words, _) = text.get(..HASHED)?.as_chunks();
    let terms = words.iter().zip(&ODD).map(|(word, odd)| u64::from_le_bytes(*word).wrapping_mul(*odd));
    Some(terms.fold(0, u64::wrapping_add))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_all_of_their_bytes() {
        let text = |end: &str| format!("{}{end}{}", "x".repeat(80), "y".repeat(80));
        let (a, b, short) = (text("a"), text("b"), "x".repeat(63));
        let mut cache: TextCache<_> = TextCache::default();
        let Err(Some(slot)) = cache.find(a.as_bytes()) else { unreachable!() };
        cache.add(&slot, &a.as_bytes()[..81], 7);
        assert_eq!(cache.find(a.as_bytes()).ok(), Some((7, 81)));
        assert!(matches!(cache.find(b.as_bytes()), Err(Some(_))));
        assert!(matches!(cache.find(short.as_bytes()), Err(None)));
    }
}
