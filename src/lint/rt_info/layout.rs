//! The syntax of layouts as OpenVINO reads them, to say why a text is none: `NCHW`, `N...C`, `[batch,?,channels]`.

use std::collections::BTreeSet;

/// Aliases of dimension names.
const ALIASES: [(&str, &str); 7] =
    [("BATCH", "N"), ("B", "N"), ("CHANNELS", "C"), ("CHANNEL", "C"), ("HEIGHT", "H"), ("WIDTH", "W"), ("DEPTH", "D")];

/// The placeholder for any number of dimensions.
const ELLIPSIS: &str = "...";

/// The reason why a text is not a layout; `None` if it is one.
pub(super) fn fault(text: &str) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    let text = text.trim_matches(BLANKS);
    match text {
        "" => Some("it is blank".to_owned()),
        "**SCALAR**" => None,
        _ => {
            let names = &mut Names::new();
            match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
                Some(inside) => list(inside, names).err(),
                None => letters(text, names).err(),
            }
        }
    }
}

const BLANKS: [char; 6] = [' ', '\t', '\n', '\r', '\u{b}', '\u{c}'];

/// The names seen so far.
type Names = BTreeSet<String>;

/// Reads a layout of one letter per dimension.
fn letters(text: &str, names: &mut Names) -> Result<(), String> {
    let ellipsis = text.find(ELLIPSIS);
    let mut had_ellipsis = false;
    let mut rest = text.char_indices();
    while let Some((at, letter)) = rest.next() {
        match letter {
            '?' => {}
            '.' if had_ellipsis => return Err(format!("`{ELLIPSIS}` stands twice")),
            '.' if ellipsis != Some(at) => return Err(format!("`.` is not part of `{ELLIPSIS}`")),
            '.' => {
                had_ellipsis = true;
                rest.nth(1); // Skips the other two dots.
            }
            _ => name(letter.encode_utf8(&mut [0; 4]), names)?,
        }
    }
    Ok(())
}

/// Reads a layout of names in brackets.
fn list(text: &str, names: &mut Names) -> Result<(), String> {
    if text.is_empty() {
        return Err("it names no dimension".to_owned());
    }
    let Some((left, right)) = text.split_once(ELLIPSIS) else { return items(text, names) };
    let (left, right) = (left.trim_matches(BLANKS), right.trim_matches(BLANKS));
    let apart = || format!("`{ELLIPSIS}` is not between commas");
    if !left.is_empty() {
        items(left.strip_suffix(',').ok_or_else(apart)?, names)?;
    }
    if !right.is_empty() {
        items(right.strip_prefix(',').ok_or_else(apart)?, names)?;
    }
    Ok(())
}

/// Reads names between commas; the one after the last comma may be missing.
fn items(text: &str, names: &mut Names) -> Result<(), String> {
    if text.is_empty() {
        return Err("a name is missing".to_owned());
    }
    let mut items = text.strip_suffix(',').unwrap_or(text).split(',').map(|item| item.trim_matches(BLANKS));
    items.try_for_each(|item| if item == "?" { Ok(()) } else { name(item, names) })
}

fn name(text: &str, names: &mut Names) -> Result<(), String> {
    if text.is_empty() {
        return Err("a name is missing".to_owned());
    }
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !text.bytes().all(is_word) || !text.bytes().any(|byte| byte != b'_') {
        return Err(format!("`{text}` is not a name: names consist of letters, digits and `_`"));
    }
    let upper = text.to_ascii_uppercase();
    let meant = ALIASES.iter().find(|(alias, _)| *alias == upper).map_or(upper.as_str(), |(_, name)| name);
    if names.insert(meant.to_owned()) { Ok(()) } else { Err(format!("two dimensions are called `{meant}`")) }
}

#[cfg(test)]
mod tests {
    use super::fault;

    // Expected values: OpenVINO 2026.4.1.
    #[test]
    fn layouts_are_read() {
        for text in [
            "",
            "NCHW",
            "[N,C,H,W]",
            "N?C",
            "[?,C]",
            "[...]",
            "...",
            "N...C",
            "[N,...,C]",
            "[batch,channels]",
            "BATCH",
            "**SCALAR**",
            "[N,C,]",
            "[N,a_b]",
            "0312",
            "[0,3,1,2]",
            "?",
            "??",
            "[?,?]",
            "[N,C,H,W] ",
            "N...",
            "...N",
            "[N,... ,C]",
            "[ N , C ]",
            "[C,?, ...]",
            "[N , ... , C]",
        ] {
            assert_eq!(fault(text), None, "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_their_reason() {
        for (text, why) in [
            ("[N,C", "`[` is not a name: names consist of letters, digits and `_`"),
            ("N,C", "`,` is not a name: names consist of letters, digits and `_`"),
            ("N C", "` ` is not a name: names consist of letters, digits and `_`"),
            ("[**SCALAR**]", "`**SCALAR**` is not a name: names consist of letters, digits and `_`"),
            ("[N,_]", "`_` is not a name: names consist of letters, digits and `_`"),
            ("[é]", "`é` is not a name: names consist of letters, digits and `_`"),
            ("[N.,C]", "`N.` is not a name: names consist of letters, digits and `_`"),
            ("[N,...,...,C]", "`...` is not a name: names consist of letters, digits and `_`"),
            ("[N,,C]", "a name is missing"),
            ("[ ]", "a name is missing"),
            ("[,N]", "a name is missing"),
            ("[...,]", "a name is missing"),
            ("[,...]", "a name is missing"),
            ("[]", "it names no dimension"),
            (" ", "it is blank"),
            ("[N,N]", "two dimensions are called `N`"),
            ("BN", "two dimensions are called `N`"),
            ("CHANNEL", "two dimensions are called `N`"),
            ("[CHANNEL,C]", "two dimensions are called `C`"),
            ("[N...]", "`...` is not between commas"),
            ("[...C]", "`...` is not between commas"),
            ("N..C", "`.` is not part of `...`"),
            ("NC.", "`.` is not part of `...`"),
            ("N......C", "`...` stands twice"),
            ("....", "`...` stands twice"),
        ] {
            assert_eq!(fault(text).as_deref(), Some(why), "{text}");
        }
    }
}
