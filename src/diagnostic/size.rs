//! The memory that a finding uses, and the bounds on its texts and lists.

use super::{Diagnostic, Edit, Label};
use crate::limits::{EDITS, PARTS, TEXT};

impl Diagnostic {
    /// Shortens texts and lists that are too long.
    pub(super) fn shorten(&mut self) {
        self.labels.truncate(PARTS);
        self.notes.truncate(PARTS);
        self.help.truncate(PARTS);
        if let Some(fix) = &mut self.fix {
            cut(&mut fix.message);
        }
        if self.fix.as_ref().is_some_and(|fix| fix.edits.len() > EDITS) {
            self.fix = None;
        }
        let texts = [Some(&mut self.message), self.declared.as_mut(), self.inferred.as_mut()].into_iter().flatten();
        texts.chain(&mut self.notes).chain(&mut self.help).chain(&mut self.body).chain(&mut self.chain).for_each(cut);
        for label in std::iter::once(&mut self.primary).chain(&mut self.labels) {
            cut(&mut label.message);
            label.layer.iter_mut().for_each(cut);
        }
        if let Some(layer) = &mut self.layer {
            [&mut layer.id, &mut layer.name, &mut layer.ty, &mut layer.version].into_iter().for_each(cut);
        }
        self.port.iter_mut().for_each(|port| cut(&mut port.id));
    }

    /// About how many bytes of memory it uses.
    pub(crate) fn size(&self) -> usize {
        let label = |label: &Label| {
            size_of::<Label>() + label.message.len() + label.value.as_ref().map_or(0, |value| value.len()) * 8
        };
        let texts = self.notes.iter().chain(&self.help).chain(&self.body).chain(&self.chain);
        let texts = texts.chain(&self.declared).chain(&self.inferred);
        size_of::<Self>()
            + self.message.len()
            + texts.map(|text| size_of::<String>() + text.len()).sum::<usize>()
            + self.labels.iter().chain([&self.primary]).map(label).sum::<usize>()
            + self
                .layer
                .as_ref()
                .map_or(0, |layer| layer.id.len() + layer.name.len() + layer.ty.len() + layer.version.len())
            + self.fix.as_ref().map_or(0, |fix| fix.edits.len() * (size_of::<Edit>() + 16))
    }
}

/// Cuts a text off where it is too long.
fn cut(text: &mut String) {
    if text.len() > TEXT {
        let end = (0..=TEXT).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.push_str("...");
        text.shrink_to_fit();
    }
}
