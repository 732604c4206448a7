//! The fast path for the `<rt_info>` of a layer: skipped where OpenVINO certainly accepts it.

use super::text::{HoleKind, Text};
use crate::ir::rt_info::RtKind;
use crate::ir::xml::attributes::name_length;

/// Skips the element if it comes next; `None` if it is in another form than OpenVINO writes, or if OpenVINO may reject it.
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

/// Adds the bit of the next attribute's name to `seen`; `None` if the name repeats or OpenVINO may reject the attribute.
fn attribute(text: &mut Text, seen: u8) -> Option<u8> {
    let name = text.value(b" name=\"")?;
    let kind = RtKind::of(name);
    // OpenVINO knows version 0 only.
    if name.contains(&b'&') || kind.is_some() && !text.word(b" version=\"0\"") {
        return None;
    }
    let (mut has_value, is_names) = (false, kind == Some(RtKind::Names));
    while !text.word(b" />") && !text.word(b"/>") {
        text.word(b" ").then_some(())?;
        let rest = text.rest();
        let key = rest.get(..name_length(rest)).filter(|name| !name.is_empty() && name.is_ascii())?;
        text.at += key.len();
        if key == b"value" && !std::mem::replace(&mut has_value, true) {
            text.hole(b"=\"", if is_names { HoleKind::Names } else { HoleKind::Text })?;
        } else {
            text.value(b"=\"")?;
        }
    }
    let shift = match kind {
        None => return Some(seen),
        Some(RtKind::Names) => 0,
        Some(RtKind::Free(number)) => u32::from(number).saturating_add(1),
        Some(_) => return None,
    };
    // An attribute without a bit of its own is left to the XML events.
    let bit = 1_u8.checked_shl(shift)?;
    (seen & bit == 0).then_some(seen | bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_notes_are_passed_over() {
        let notes = "\n<rt_info>\n\t<attribute name=\"fused_names\" version=\"0\" value=\"a, b\" />\n\
                     <attribute name=\"x\"/></rt_info>";
        for (text, end) in [(notes.to_owned(), notes.len()), ("\n <input>".to_owned(), 2), (String::new(), 0)] {
            let mut cursor = Text::new(text.as_bytes(), 0);
            assert_eq!((rt_info(&mut cursor), cursor.at), (Some(()), end), "{text}");
        }
    }

    #[test]
    fn no_kind_of_note_is_taken_for_another() {
        let names = ["decompression", "DisablePrecisionConversion", "precise", "preprocessing", "primitives_priority"];
        let note = |name: &str| format!("<attribute name=\"{name}\" version=\"0\"/>");
        let passes = |notes: &[String]| {
            let text = format!("<rt_info>{}</rt_info>", notes.concat());
            rt_info(&mut Text::new(text.as_bytes(), 0)).is_some()
        };
        let all: Vec<String> = names.into_iter().chain(["memory_type", "fused_names"]).map(note).collect();
        assert!(passes(&all));
        for one in &all {
            assert!(!passes(&[one.clone(), one.clone()]), "{one}");
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
            // The XML events may report these.
            "<attribute name=\"decompression\"/>",
            "<attribute name=\"decompression\" version=\"1\"/>",
            "<attribute name=\"precise\" version=\"0\"/><attribute name=\"precise\" version=\"0\"/>",
            "<attribute name=\"fused&#95;names\" version=\"0\"/>",
            "<attribute name=\"fused_names\" version=\"0\" value=\"a,,b\"/>",
            "<attribute name=\"layout\" version=\"0\" layout=\"NCHW\"/>",
        ] {
            let text = format!("<rt_info>{inside}</rt_info>");
            assert_eq!(rt_info(&mut Text::new(text.as_bytes(), 0)), None, "{inside}");
        }
    }
}
