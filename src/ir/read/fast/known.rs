//! Texts that were read before, with what they say: most of a file repeats.

use crate::memo::Table;

/// Texts by a hash of the bytes each starts with.
pub(in crate::ir) struct Known<'a, T> {
    texts: Table<(&'a [u8], T)>,
}

/// Texts that are known at a time, and how many of their bytes the hash takes: most of three or four lengths.
const TEXTS: usize = 256;
pub(super) const HASHED: usize = 64;

/// Odd numbers without a pattern, one for each eight bytes: the start of the digits of pi, a word apart.
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

/// The place of a text that is not known.
pub(super) struct Place(u64);

impl<T: Copy> Default for Known<'_, T> {
    fn default() -> Self {
        Self { texts: Table::new(TEXTS) }
    }
}

impl<'a, T: Copy> Known<'a, T> {
    /// What the known text says that `text` starts with, and its length; otherwise the place for it, but for the very end of
    /// a file.
    pub(super) fn find(&self, text: &[u8]) -> Result<(T, usize), Option<Place>> {
        let place = place(text).ok_or(None)?;
        match self.texts.get(place) {
            Some((known, says)) if text.starts_with(known) => Ok((says, known.len())),
            _ => Err(Some(Place(place))),
        }
    }

    /// Remembers a text.
    pub(super) fn add(&mut self, place: &Place, text: &'a [u8], says: T) {
        self.texts.put(place.0, (text, says));
    }

    /// Forgets all texts.
    pub(super) fn forget(&mut self) {
        self.texts.clear();
    }
}

fn place(text: &[u8]) -> Option<u64> {
    let (words, _) = text.get(..HASHED)?.as_chunks();
    let terms = words.iter().zip(ODD).map(|(word, odd)| u64::from_le_bytes(*word).wrapping_mul(odd));
    Some(terms.fold(0, u64::wrapping_add) >> (u64::BITS - TEXTS.ilog2()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_all_of_their_bytes() {
        let text = |end: &str| format!("{}{end}{}", "x".repeat(80), "y".repeat(80));
        let (a, b, short) = (text("a"), text("b"), "x".repeat(63));
        let mut known = Known::default();
        let Err(Some(place)) = known.find(a.as_bytes()) else { unreachable!() };
        known.add(&place, &a.as_bytes()[..81], 7);
        assert_eq!(known.find(a.as_bytes()).ok(), Some((7, 81)));
        assert!(matches!(known.find(b.as_bytes()), Err(Some(_))));
        assert!(matches!(known.find(short.as_bytes()), Err(None)));
        known.forget();
        assert!(known.find(a.as_bytes()).is_err());
    }
}
