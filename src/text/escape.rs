//! Escaping of untrusted text, so that it contains no commands to a terminal or a CI service, and nothing invisible.
//!
//! CI services read commands from the output of programs. GitHub obeys `::` at the start of a line, even after blanks, and
//! `##[` anywhere in a line; other services obey `##vso[` and `##teamcity[` anywhere. A `::` at the start of a word is
//! written `\u{3a}:`, because a wrapped line may start there, and a `#` after another one is written `\u{23}`.

use std::fmt::Write;
use std::path::Path;

/// Whether a character is invisible, moves the cursor, changes the reading direction, or is for private use or a
/// noncharacter, some of which XML forbids.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || is_default_ignorable(character)
        || matches!(character,
            '\u{2028}'..='\u{2029}' | '\u{2800}' | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e1000}'..='\u{10ffff}')
        || u32::from(character) & 0xfffe == 0xfffe
}

/// Whether a character has Unicode's property `Default_Ignorable_Code_Point`: it is displayed as nothing.
fn is_default_ignorable(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character must be escaped because, with its neighbours, it starts a command to a CI service.
fn starts_command(before: Option<char>, character: char, behind: Option<char>) -> bool {
    match character {
        '#' => before == Some('#'),
        ':' => behind == Some(':') && before.is_none_or(char::is_whitespace),
        _ => false,
    }
}

/// Returns the position of the first character that must be escaped, and the character.
pub(crate) fn first_unsafe(text: &str) -> Option<(usize, char)> {
    let mut before = None;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let behind = characters.peek().map(|(_, next)| *next);
        if is_hidden(character) || starts_command(before, character, behind) {
            return Some((at, character));
        }
        before = Some(character);
    }
    None
}

/// Appends a character, escaped as `\n` or `\u{1b}` if it is hidden or starts a command.
fn push(out: &mut String, before: Option<char>, character: char, behind: Option<char>) {
    if starts_command(before, character, behind) {
        out.extend(character.escape_unicode());
    } else if is_hidden(character) {
        out.extend(character.escape_default());
    } else {
        out.push(character);
    }
}

/// Appends bytes, with invalid UTF-8 written as `\xff`. Calls `each` with the offset in `out` of every input byte.
pub(crate) fn push_bytes(out: &mut String, bytes: &[u8], mut each: impl FnMut(usize)) {
    let mut before = None;
    for chunk in bytes.utf8_chunks() {
        let mut characters = chunk.valid().chars().peekable();
        while let Some(character) = characters.next() {
            (0..character.len_utf8()).for_each(|_| each(out.len()));
            match character {
                '\t' => out.push_str("    "),
                _ => push(out, before, character, characters.peek().copied()),
            }
            before = Some(character);
        }
        for byte in chunk.invalid() {
            each(out.len());
            let _ = write!(out, "\\x{byte:02x}");
            before = Some('\\');
        }
    }
}

/// Whether a byte is a character that is safe next to any other.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'#' && byte != b':'
}

/// Whether a text is a safe line as it is. It looks at all bytes: without an early end, the compiler takes many at once.
fn is_safe_line(text: &str) -> bool {
    let (bytes, behind) = (text.as_bytes(), text.as_bytes().get(1..).unwrap_or_default());
    let is_unsafe = |(before, byte): (&u8, &u8)| !is_plain(*byte) && (*byte != b':' || *before == b' ');
    bytes.first().is_none_or(|first| is_plain(*first))
        && bytes.iter().zip(behind).fold(0, |any, pair| any | u8::from(is_unsafe(pair))) == 0
}

/// Escapes a text as one line, truncated after `limit` characters of the original.
pub(crate) fn line(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len().min(limit));
    push_line(&mut out, text, limit);
    out
}

/// Appends a text as [`line()`] escapes it.
pub(crate) fn push_line(out: &mut String, text: &str, limit: usize) {
    if text.len() <= limit && is_safe_line(text) {
        out.push_str(text);
        return;
    }
    let (mut before, mut characters) = (None, text.chars().peekable());
    for _ in 0..limit {
        let Some(character) = characters.next() else { return };
        push(out, before, character, characters.peek().copied());
        before = Some(character);
    }
    if characters.next().is_some() {
        out.push_str("...");
    }
}

/// Escapes the unsafe lines of a diff, but not their tabs and line breaks; `None` if all lines are safe.
pub(crate) fn diff(text: &str) -> Option<String> {
    let is_safe = |line: &str| line.split('\t').all(|part| first_unsafe(part).is_none());
    let mut out = String::new();
    let mut is_changed = false;
    for line in text.split_inclusive('\n') {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let content = content.strip_suffix('\r').unwrap_or(content);
        if is_safe(content) {
            out.push_str(line);
            continue;
        }
        is_changed = true;
        for (index, part) in content.split('\t').enumerate() {
            out.push_str(if index > 0 { "\t" } else { "" });
            out.push_str(&self::line(part, usize::MAX));
        }
        out.push_str(line.get(content.len()..).unwrap_or_default());
    }
    is_changed.then_some(out)
}

/// Formats a path with forward slashes on every system.
pub(crate) fn path_text(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

/// Escapes untrusted text as one line of at most 2,000 characters.
pub fn plain_text(text: &str) -> String {
    line(text, 2000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_diff_stay_unless_somebody_obeys_them() {
        assert_eq!(diff("--- a\n+++ a\n \tx\r\n-::y\n"), None);
        assert_eq!(
            diff(" ::a\r\n-::b\n+\t::c##[d\n \u{1b}[0m\te").as_deref(),
            Some(" \\u{3a}:a\r\n-::b\n+\t\\u{3a}:c#\\u{23}[d\n \\u{1b}[0m\te")
        );
        assert_eq!(diff("-a\r::b\r\n").as_deref(), Some("-a\\r\\u{3a}:b\r\n"));
    }

    #[test]
    fn the_property_is_that_of_unicode() {
        let parsed = regex_syntax::parse(r"\p{Default_Ignorable_Code_Point}").unwrap();
        let regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class)) = parsed.into_kind() else {
            panic!("it is no class");
        };
        let wanted = class.ranges().iter().flat_map(|range| range.start()..=range.end());
        let listed = ('\0'..=char::MAX).filter(|character| is_default_ignorable(*character));
        assert_eq!(listed.collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
    }

    #[test]
    fn hidden_characters_are_spelled_out() {
        assert_eq!(line("a\u{1b}[31mb\n\t\u{9b}\u{202e}ü", 99), r"a\u{1b}[31mb\n\t\u{9b}\u{202e}ü");
        assert_eq!(line("abcdef", 3), "abc...");
        assert_eq!(line("abc", 3), "abc");
    }

    #[test]
    fn commands_to_ci_services_are_spelled_out() {
        for (text, wanted) in [
            ("::error::x", r"\u{3a}:error::x"),
            ("a ::error::x", r"a \u{3a}:error::x"),
            ("a\u{a0}::error::x", "a\u{a0}\\u{3a}:error::x"),
            ("::::", r"\u{3a}:::"),
            ("##[error]x", r"#\u{23}[error]x"),
            ("a##vso[task.complete]", r"a#\u{23}vso[task.complete]"),
            ("###", r"#\u{23}\u{23}"),
            ("aten::add #1 a:b : c", "aten::add #1 a:b : c"),
        ] {
            assert_eq!(line(text, 99), wanted);
            assert_eq!(line(wanted, 99), wanted);
            let mut bytes = String::new();
            push_bytes(&mut bytes, text.as_bytes(), |_| ());
            assert_eq!(bytes, wanted);
            assert_eq!(first_unsafe(text).is_some(), text != wanted);
        }
    }

    #[test]
    fn every_byte_has_a_place() {
        let (mut out, mut places) = (String::new(), Vec::new());
        push_bytes(&mut out, b"\t\xff\xc3\xbcx\xe2\x82", |at| places.push(at));
        assert_eq!(out, r"    \xffüx\xe2\x82");
        assert_eq!(places, [0, 4, 8, 8, 10, 11, 15]);
    }
}
