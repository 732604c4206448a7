//! The `<rt_info>` of a layer, of which nothing is read.

use super::text::Text;
use crate::ir::attributes::name_length;

/// Passes over the element if it comes next; `None` if it is not written as OpenVINO writes it.
pub(super) fn rt_info(text: &mut Text) -> Option<()> {
    text.blanks();
    if !text.word(b"<rt_info>") {
        return Some(());
    }
    loop {
        text.blanks();
        if text.word(b"</rt_info>") {
            return Some(());
        }
        text.word(b"<attribute").then_some(())?;
        while !text.word(b" />") && !text.word(b"/>") {
            text.word(b" ").then_some(())?;
            let rest = text.rest();
            let name = rest.get(..name_length(rest)).filter(|name| !name.is_empty() && name.is_ascii())?;
            text.at += name.len();
            text.word(b"=\"").then(|| text.quoted())??;
        }
    }
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
        ] {
            let text = format!("<rt_info>{inside}</rt_info>");
            assert_eq!(rt_info(&mut Text { text: text.as_bytes(), at: 0 }), None, "{inside}");
        }
    }
}
