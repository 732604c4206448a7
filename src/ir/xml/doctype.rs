//! The end of document type declarations, whose content is ignored.

use memchr::{memchr, memmem};

/// Returns the number of bytes after `<!DOCTYPE`, including the closing `>`; `None` if it is not closed.
pub(in crate::ir) fn length(text: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        at += match rest {
            [b'<', b'!', b'[', ..] => ignored(rest)?,
            [b'<', b'!', b'-', b'-', comment @ ..] => 4 + memmem::find(comment, b"-->")? + 3,
            [b'<', b'!', b'-', ..] => return None,
            [b'<', b'!', ..] => {
                depth += 1;
                2
            }
            [b'<', b'?', inside @ ..] => 2 + memmem::find(inside, b"?>")? + 2,
            [b'<', ..] => return None,
            [quote @ (b'"' | b'\''), inside @ ..] => 1 + memchr(*quote, inside)? + 1,
            [b'>', ..] if depth == 0 => return Some(at + 1),
            [b'>', ..] => {
                depth -= 1;
                1
            }
            _ => 1,
        };
    }
}

/// Returns the length of a section that starts with `<![`, with nested ones.
fn ignored(text: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (3, 0_usize);
    loop {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        match rest {
            [b'<', b'!', b'[', ..] => {
                at += 3;
                depth += 1;
            }
            [b']', b']', b'>', ..] if depth == 0 => return Some(at + 3),
            [b']', b']', b'>', ..] => {
                at += 3;
                depth -= 1;
            }
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn declarations_end_where_all_that_they_hold_does() {
        for text in [
            " net>",
            " net SYSTEM 'a>b'>",
            " net [<!ENTITY a \"]>\"><!ELEMENT b (c)>]>",
            " net [<!-- ' > --><?p > ' ?>]>",
            " net [<![IGNORE[ ' <![ > ]]> ' ]]>]>",
            ">",
        ] {
            assert_eq!(length(format!("{text}<net/>").as_bytes()), Some(text.len()), "{text}");
        }
    }

    #[test]
    fn those_that_do_not_end_are_refused() {
        for text in ["", " net", " net '>", " [<!ENTITY>", " [<a>]>", " [<!-a>]>", " <!-- >", " <? >", " <![ > ]]"] {
            assert_eq!(length(text.as_bytes()), None, "{text}");
        }
    }
}
