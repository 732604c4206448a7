//! A reader for sections in the `<rt_info>` of a net, in which NNCF, Model API and OpenVINO keep settings.

use crate::ir::{Net, find_attribute, levels, unescape};
use crate::source::{Source, Span};

/// An element of the `<rt_info>`.
pub(super) struct Entry {
    /// The name: `<info name="KEY">` is read as `<KEY>`.
    pub name: String,
    pub tag: Span,
    /// The value and its place.
    pub value: Option<(String, Span)>,
}

impl Entry {
    pub(super) fn of(source: &Source, element: &[u8], tag: Span) -> Self {
        let text = |key: &str| {
            let span = find_attribute(source, tag, key)?.value;
            Some((unescape(source.slice(span)).into_owned(), span))
        };
        let name = text("name").map_or_else(|| String::from_utf8_lossy(element).into_owned(), |(name, _)| name);
        Self { name, tag, value: text("value") }
    }

    /// The place of the value, or of the tag if there is none.
    pub(super) fn span(&self) -> Span {
        self.value.as_ref().map_or(self.tag, |(_, span)| *span)
    }
}

/// The entries of a section, in the order of the file.
pub(super) struct Section(Vec<Entry>);

impl Section {
    /// Reads the section at a path of names, such as `nncf` and `quantization`; `None` if there is none.
    pub(super) fn read(net: &Net, source: &Source, path: &[&str]) -> Option<Self> {
        let (mut known, mut entries, mut is_there) = (0, Vec::new(), false);
        for (level, element, tag) in levels(source, net.settings?).filter(|(level, ..)| *level > 0) {
            // The number of names of the path that the elements around have.
            known = known.min(level - 1);
            if level - 1 > known || level > path.len() + 1 {
                continue;
            }
            let entry = Entry::of(source, element, tag);
            match path.get(level - 1) {
                Some(name) if entry.name == *name => known = level,
                Some(_) => {}
                None => entries.push(entry),
            }
            is_there |= known == path.len();
        }
        is_there.then_some(Self(entries))
    }

    pub(super) fn get(&self, name: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.name == name)
    }

    pub(super) fn value(&self, name: &str) -> Option<&str> {
        Some(self.get(name)?.value.as_ref()?.0.trim())
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.0
    }
}
