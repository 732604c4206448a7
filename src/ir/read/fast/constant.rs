//! The `<data>` of a Const layer, read without a list of attributes.

use super::text::Text;
use crate::ir::constant::{Constant, element_type, plain_list};

/// Reads the next tag if it has the four attributes in the order in which OpenVINO writes them.
pub(super) fn constant(text: &mut Text) -> Option<Constant> {
    let start = text.at;
    let found = read_constant(text);
    if found.is_none() {
        text.at = start;
    }
    found
}

fn read_constant(text: &mut Text) -> Option<Constant> {
    let ty = text.word(b"<data element_type=\"").then(|| text.quoted())??;
    let shape = text.word(b" shape=\"").then(|| text.quoted())??;
    let offset = text.attribute(b" offset=\"")?;
    let size = text.attribute(b" size=\"")?;
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
        let mut cursor = Text { text, at: 0 };
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
            let mut cursor = Text { text: text.as_bytes(), at: 0 };
            assert!(constant(&mut cursor).is_none() && cursor.at == 0, "{text}");
        }
    }
}
