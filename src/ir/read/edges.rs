//! Reading of `<edges>`: each edge as written, which `ir::edges` resolves to ports.

use super::super::edges::resolve::{PartialEdge, RawEdge, WrittenEdge};
use super::super::xml::broken::Broken;
use super::super::xml::cursor::Tag;
use super::Reader;
use super::fast;
use crate::diagnostic::{Diagnostic, Refusal};
use crate::ops::rules::MISSING_ATTRIBUTE;

impl<'a> Reader<'a, '_> {
    /// Passes every edge to `take`.
    pub(super) fn edges(&mut self, parent: Tag<'a>, mut take: impl FnMut(WrittenEdge)) -> Result<(), Broken> {
        if parent.closes {
            return Ok(());
        }
        loop {
            self.cursor.skip_plain(|bytes, mut at| {
                while let Some(edge) = fast::edge(bytes, at) {
                    take(WrittenEdge::Whole(edge));
                    at = edge.tag.end as usize;
                }
                at
            });
            let Some(tag) = self.child(parent)? else { return Ok(()) };
            if tag.name == b"edge" {
                take(self.edge(tag));
            } else {
                self.report_ignored(tag, parent, &[]);
            }
            self.cursor.skip_content(tag, self.limits.depth)?;
        }
    }

    pub(super) fn edge(&mut self, tag: Tag<'a>) -> WrittenEdge {
        const NAMES: [&str; 4] = ["from-layer", "from-port", "to-layer", "to-port"];
        let mut spans = [None; 4];
        self.attributes(tag, |key, attribute| {
            if let Some(i) = NAMES.iter().position(|name| name.as_bytes() == key) {
                spans[i] = Some(attribute.value);
            }
        });
        let mut numbers = [None; 4];
        for ((name, span), number) in NAMES.iter().zip(spans).zip(&mut numbers) {
            match span {
                Some(span) => *number = self.unsigned(name, span),
                None => {
                    let finding = Diagnostic::new(&MISSING_ATTRIBUTE, tag.span, format!("<edge> has no `{name}`"));
                    self.sink.report(finding.refused(Refusal::NoAttribute("edge", name)));
                }
            }
        }
        match numbers {
            [Some(from_layer), Some(from_port), Some(to_layer), Some(to_port)] => {
                WrittenEdge::Whole(RawEdge { from_layer, from_port, to_layer, to_port, tag: tag.span })
            }
            [from_layer, _, to_layer, to_port] => WrittenEdge::Partial(PartialEdge { from_layer, to_layer, to_port }),
        }
    }
}
