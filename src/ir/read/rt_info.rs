//! Reading of the `<rt_info>` of a layer or a port: only the attributes that OpenVINO knows are kept, to be checked by `lint`.

use super::super::rt_info::{RtAttribute, RtKind};
use super::super::xml::attributes::{find_attribute, resolved};
use super::super::xml::broken::Broken;
use super::super::xml::cursor::{Tag, Token};
use super::Reader;
use crate::ir::LayerId;

impl<'a> Reader<'a, '_> {
    /// Keeps the attributes that OpenVINO knows and skips the rest.
    pub(super) fn rt_info(&mut self, list: Tag<'a>, layer: usize, known: &mut Vec<RtAttribute>) -> Result<(), Broken> {
        if list.closes {
            return Ok(());
        }
        let layer = LayerId::new(layer);
        loop {
            let tag = match self.cursor.next()? {
                Token::Start(tag) => tag,
                Token::Close(_) => return Ok(()),
                Token::End => return Err(self.cursor.cut_short(list)),
                Token::Text(_) | Token::Doctype(_) | Token::Declaration(_) => continue,
            };
            let name = || find_attribute(self.source, tag.span, "name").map(|name| resolved(self.text(name.value)));
            if tag.name == b"attribute" && name().is_some_and(|name| RtKind::of(&name).is_some()) {
                known.push(RtAttribute { layer, list: list.span.start, tag: tag.span });
            }
            self.cursor.skip_content(tag, self.limits.depth)?;
        }
    }
}
