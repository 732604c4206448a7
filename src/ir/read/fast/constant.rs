//! The `<data>` of a Const layer, read into a constant without a list of attributes.

use super::text::{HoleKind, Text};
use crate::ir::constant::{Constant, element_type, plain_list};

/// Reads the next tag if it is a `<data>` with type, shape, offset and size as OpenVINO writes it; else it stays unread.
pub(super) fn constant(text: &mut Text) -> Option<Constant> {
    let (start, holes) = (text.at, text.holes.len());
    let found = read_constant(text);
    if found.is_none() {
        text.at = start;
        text.holes.truncate(holes);
    }
    found
}

fn read_constant(text: &mut Text) -> Option<Constant> {
    let ty = text.value(b"<data element_type=\"")?;
    let shape = text.value(b" shape=\"")?;
    let offset = text.hole(b" offset=\"", HoleKind::Number)?.number;
    let size = text.hole(b" size=\"", HoleKind::Number)?.number;
    (text.word(b" />") || text.word(b"/>")).then_some(())?;
    Some(Constant { ty: element_type(ty)?, lengths: plain_list(shape)?, offset, size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ElementType;

    #[test]
    fn plain_constants_are_read() {
        let text = b"<data element_type=\"i64\" shape=\"2, 3\" offset=\"16\" size=\"48\" />...";
        let mut cursor = Text::new(text, 0);
        let Constant { ty, lengths, offset, size } = constant(&mut cursor).unwrap();
        assert_eq!(
            (ty, &lengths[..], offset, size, cursor.at),
            (ElementType::I64, &[2, 3][..], 16, 48, text.len() - 3)
        );
    }

    #[test]
    fn other_constants_are_left_alone() {
        for text in [
            "<data element_type=\"i63\" shape=\"2\" offset=\"0\" size=\"16\"/>",
            "<data element_type=\"i64\" shape=\"2x\" offset=\"0\" size=\"16\"/>",
            "<data element_type=\"i64\" shape=\"&#50;\" offset=\"0\" size=\"16\"/>",
            "<data element_type=\"i64\" shape=\"2\" offset=\"+0\" size=\"16\"/>",
            "<data element_type=\"i64\" shape=\"2\" offset=\"0\" size=\"16\" x=\"1\"/>",
            "<data element_type=\"i64\" shape=\"2\" offset=\"0\" size=\"16\"></data>",
            "<data shape=\"2\" element_type=\"i64\" offset=\"0\" size=\"16\"/>",
        ] {
            let mut cursor = Text::new(text.as_bytes(), 0);
            assert!(constant(&mut cursor).is_none() && cursor.at == 0, "{text}");
        }
    }
}
