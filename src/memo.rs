//! A cache of bounded size for results that repeat all over a model: every hash has one possible slot (direct-mapped), where a
//! newer entry replaces the older one.

/// Entries indexed by the lowest bits of a hash; a newer entry replaces the older one in its slot.
///
/// Different hashes can share a slot, so the caller must check that the entry is the right one.
#[derive(Debug)]
pub(crate) struct Table<T> {
    places: Vec<Option<T>>,
    size: usize,
}

impl<T: Copy> Table<T> {
    /// Creates a table with this number of slots, rounded up to a power of two. The first entry allocates them.
    pub(crate) const fn new(places: usize) -> Self {
        Self { places: Vec::new(), size: places.next_power_of_two() }
    }

    /// Returns the entry in the slot of a hash.
    pub(crate) fn get(&self, hash: u64) -> Option<T> {
        *self.places.get(self.place(hash))?
    }

    /// Stores an entry in the slot of its hash.
    pub(crate) fn put(&mut self, hash: u64, entry: T) {
        if self.places.is_empty() {
            self.places.resize(self.size, None);
        }
        let place = self.place(hash);
        if let Some(place) = self.places.get_mut(place) {
            *place = Some(entry);
        }
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        self.places.clear();
    }

    fn place(&self, hash: u64) -> usize {
        usize::try_from(hash & (self.size as u64 - 1)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_entries_replace_older_ones() {
        let mut table = Table::new(3);
        assert_eq!(table.get(1), None);
        table.put(1, 'a');
        table.put(2, 'b');
        assert_eq!((table.get(1), table.get(2), table.get(3)), (Some('a'), Some('b'), None));
        // There are four slots, so 5 shares that of 1.
        table.put(5, 'c');
        assert_eq!((table.get(1), table.get(2)), (Some('c'), Some('b')));
        table.clear();
        assert_eq!(table.get(2), None);
        table.put(2, 'd');
        assert_eq!((table.get(1), table.get(2)), (None, Some('d')));
    }
}
