//! Makes text of unknown origin safe to print: nothing a terminal obeys, nothing a reader cannot see.

use std::fmt::Write;

/// Whether a character is invisible, moves the cursor or turns the reading direction.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{e000}'..='\u{f8ff}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{10ffff}')
}

/// Adds a character, written as `\n` or `\u{1b}` if it is hidden.
pub(crate) fn push(out: &mut String, character: char) {
    if is_hidden(character) {
        out.extend(character.escape_default());
    } else {
        out.push(character);
    }
}

/// Adds bytes, those that are not UTF-8 written as `\xff`; `each` is told where every byte went.
pub(crate) fn push_bytes(out: &mut String, bytes: &[u8], mut each: impl FnMut(usize)) {
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            (0..character.len_utf8()).for_each(|_| each(out.len()));
            match character {
                '\t' => out.push_str("    "),
                _ => push(out, character),
            }
        }
        for byte in chunk.invalid() {
            each(out.len());
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
}

/// One line of text, cut after `limit` characters.
pub(crate) fn line(text: &str, limit: usize) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    for character in characters.by_ref().take(limit) {
        push(&mut out, character);
    }
    if characters.next().is_some() {
        out.push_str("...");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_spelled_out() {
        assert_eq!(line("a\u{1b}[31mb\n\t\u{9b}\u{202e}ü", 99), r"a\u{1b}[31mb\n\t\u{9b}\u{202e}ü");
        assert_eq!(line("abcdef", 3), "abc...");
        assert_eq!(line("abc", 3), "abc");
    }

    #[test]
    fn every_byte_has_a_place() {
        let (mut out, mut places) = (String::new(), Vec::new());
        push_bytes(&mut out, b"\t\xff\xc3\xbcx\xe2\x82", |at| places.push(at));
        assert_eq!(out, r"    \xffüx\xe2\x82");
        assert_eq!(places, [0, 4, 8, 8, 10, 11, 15]);
    }
}
