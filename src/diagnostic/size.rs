//! The memory that a finding uses, and the bounds on its texts and lists.

use super::text::shorten;
use super::{BodyRef, Diagnostic, Edit, Hint, Label, Note};
use crate::limits::{EDITS, PARTS};

impl Diagnostic {
    /// Shortens texts and lists that are too long.
    pub(super) fn shorten(&mut self) {
        self.labels.truncate(PARTS);
        self.notes.truncate(PARTS);
        self.help.truncate(PARTS);
        if let Some(fix) = &mut self.fix {
            fix.message.shorten();
        }
        if self.fix.as_ref().is_some_and(|fix| fix.edits.len() > EDITS) {
            self.fix = None;
        }
        self.message.shorten();
        self.notes.iter_mut().for_each(Note::shorten);
        self.help.iter_mut().for_each(Hint::shorten);
        let texts = self.declared.iter_mut().chain(&mut self.inferred);
        texts.chain(self.body.iter_mut().map(|body| &mut body.layer)).chain(&mut self.chain).for_each(shorten);
        for label in std::iter::once(&mut self.primary).chain(&mut self.labels) {
            label.message.shorten();
            label.layer.iter_mut().for_each(shorten);
        }
        if let Some(layer) = &mut self.layer {
            [&mut layer.id, &mut layer.name, &mut layer.ty, &mut layer.version].into_iter().for_each(shorten);
        }
        self.port.iter_mut().for_each(|port| shorten(&mut port.id));
    }

    /// Returns the approximate memory use in bytes.
    pub(crate) fn size(&self) -> usize {
        let label = |label: &Label| {
            size_of::<Label>() + label.message.size() + label.value.as_ref().map_or(0, |value| value.len()) * 8
        };
        let texts = self.chain.iter().chain(&self.declared).chain(&self.inferred);
        let lines = self.notes.iter().map(|note| size_of::<Note>() + note.size());
        let lines = lines.chain(self.help.iter().map(|hint| size_of::<Hint>() + hint.size()));
        size_of::<Self>()
            + self.message.size()
            + lines.sum::<usize>()
            + self.body.iter().map(|body| size_of::<BodyRef>() + body.layer.len()).sum::<usize>()
            + texts.map(|text| size_of::<String>() + text.len()).sum::<usize>()
            + self.labels.iter().chain([&self.primary]).map(label).sum::<usize>()
            + self
                .layer
                .as_ref()
                .map_or(0, |layer| layer.id.len() + layer.name.len() + layer.ty.len() + layer.version.len())
            + self.fix.as_ref().map_or(0, |fix| fix.edits.len() * (size_of::<Edit>() + 16))
    }
}
