//! The `<rt_info>` of a layer, as far as OpenVINO reads it without a fault.

use super::text::Text;
use crate::ir::attributes::name_length;
use crate::ir::rt_info::{RtKind, is_list_of_names};

/// Passes over the element if it comes next; `None` if it is not written as OpenVINO writes it, or if OpenVINO may find
/// fault with it.
pub(super) fn rt_info(text: &mut Text) -> Option<()> {
    text.blanks();
    if !text.word(b"<rt_info>") {
        return Some(());
    }
    let mut seen = 0;
    loop {
        text.blanks();
        if text.word(b"</rt_info>") {
            return Some(());
        }
        text.word(b"<attribute").then_some(())?;
        seen = attribute(text, seen)?;
    }
}

/// The names that OpenVINO knows so far, a bit for each, with that of this attribute.
fn attribute(text: &mut Text, seen: u8) -> Option<u8> {
    let (mut name, mut version, mut value) = (None, None, None);
    while !text.word(b" />") && !text.word(b"/>") {
        text.word(b" ").then_some(())?;
        let rest = text.rest();
        let key = rest.get(..name_length(rest)).filter(|name| !name.is_empty() && name.is_ascii())?;
        text.at += key.len();
        let found = text.word(b"=\"").then(|| text.quoted())??;
        // The first of each counts.
        match key {
            b"name" => _ = name.get_or_insert(found),
            b"version" => _ = version.get_or_insert(found),
            b"value" => _ = value.get_or_insert(found),
            _ => {}
        }
    }
    let (name, value) = (name.unwrap_or_default(), value.unwrap_or_default());
    let bit = match RtKind::of(name) {
        None => return (!name.contains(&b'&')).then_some(seen),
        Some(RtKind::Free(number)) => 1 << number,
        Some(RtKind::Names) if is_list_of_names(value) && !value.contains(&b'&') => 1 << 7,
        Some(_) => return None,
    };
    (version == Some(b"0") && seen & bit == 0).then_some(seen | bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_notes_are_passed_over() {
        let notes =
            "\n<rt_info>\n\t<attribute name=\"fused_names\" version=\"0\" value=\"a, b\" />\n<attribute/></rt_info>";
        for (text, end) in [(notes.to_owned(), notes.len()), ("\n <input>".to_owned(), 2), (String::new(), 0)] {
            let mut place = Text { text: text.as_bytes(), at: 0 };
            assert_eq!((rt_info(&mut place), place.at), (Some(()), end), "{text}");
        }
    }

    #[test]
    fn other_notes_are_left_alone() {
        for inside in [
            "<a/>",
            "x",
            "<!-- -->",
            "<attribute a=\"1\"b=\"2\"/>",
            "<attribute a='1'/>",
            "<attribute a=\"\0\"/>",
            "<attribute a=\"1\"></attribute>",
            "<attribute",
            // These there may be more to.
            "<attribute name=\"decompression\"/>",
            "<attribute name=\"decompression\" version=\"1\"/>",
            "<attribute name=\"precise\" version=\"0\"/><attribute name=\"precise\" version=\"0\"/>",
            "<attribute name=\"fused&#95;names\" version=\"0\"/>",
            "<attribute name=\"fused_names\" version=\"0\" value=\"a,,b\"/>",
            "<attribute name=\"layout\" version=\"0\" layout=\"NCHW\"/>",
        ] {
            let text = format!("<rt_info>{inside}</rt_info>");
            assert_eq!(rt_info(&mut Text { text: text.as_bytes(), at: 0 }), None, "{inside}");
        }
    }
}
