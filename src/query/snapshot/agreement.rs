//! The agreement of declared lines with a snapshot that was written with the weights.

use super::lines;
use super::text::Line;
use crate::types::Fact;
use std::collections::HashMap;

/// The maximum number of lines with which one line is compared.
const NEAR: usize = 256;

/// Returns the text of `new` in which every line that agrees with its line of `old` is replaced by that line.
pub(super) fn settled(old: &str, new: &[Line]) -> String {
    let text: String = new.iter().map(|line| line.text.as_str()).collect();
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let mut settled: Vec<&str> = new.iter().map(|line| line.text.as_str()).collect();
    let gaps = lines::gaps(old, &text);
    let gone = gaps.iter().flat_map(|(gone, _)| old_lines.get(gone.clone()).unwrap_or_default());
    let come = gaps.iter().flat_map(|(_, come)| new.get(come.clone()).unwrap_or_default());
    if are_reordered(gone, come) {
        return old.to_owned();
    }
    for (mut gone, come) in gaps {
        for (line, of) in settled.iter_mut().zip(new).take(come.end).skip(come.start) {
            let is_like = |at: &usize| old_lines.get(*at).is_some_and(|old| agrees(of, old));
            if let Some(at) = gone.clone().take(NEAR).find(is_like) {
                gone.start = at + 1;
                *line = old_lines.get(at).copied().unwrap_or_default();
            }
        }
    }
    settled.concat()
}

/// Whether each line agrees with another one, in any order: shapes order the layers whose names differ in their numbers only.
fn are_reordered<'a>(old: impl Iterator<Item = &'a &'a str>, new: impl Iterator<Item = &'a Line>) -> bool {
    let mut open: HashMap<String, Vec<&str>> = HashMap::new();
    for line in old {
        open.entry(head(line)).or_default().push(line);
    }
    let mut new: Vec<&Line> = new.collect();
    // Lines with fewer open dimensions agree with fewer others.
    new.sort_by_key(|line| line.text.matches(['?', '.']).count());
    let is_taken = |line: &Line| {
        let Some(others) = open.get_mut(&head(&line.text)) else { return false };
        let place = others.iter().take(NEAR).position(|other| agrees(line, other));
        place.map(|place| others.swap_remove(place)).is_some()
    };
    new.into_iter().all(is_taken) && open.values().all(Vec::is_empty)
}

/// The words of a line that are no shapes.
fn head(line: &str) -> String {
    line.split_whitespace().filter(|word| word.parse::<Fact>().is_err()).collect::<Vec<_>>().join(" ")
}

/// Whether a line agrees with one of the snapshot.
fn agrees(new: &Line, old: &str) -> bool {
    new.text == old
        || new.is_declared && lies_within(&new.text, old)
        || new.may_be_left_out && lies_within(old, &new.text)
}

/// Whether two lines are of the same layer, and the shapes of `narrow` lie within those of `wide`.
fn lies_within(wide: &str, narrow: &str) -> bool {
    let (mut wide, mut narrow) = (wide.split_whitespace(), narrow.split_whitespace());
    loop {
        match (wide.next(), narrow.next()) {
            (None, None) => return true,
            (Some(wide), Some(narrow)) if wide == narrow || contains(wide, narrow) => {}
            _ => return false,
        }
    }
}

/// Whether two words are facts of the same type, and the first allows every tensor that the second allows.
fn contains(wide: &str, narrow: &str) -> bool {
    let (Ok(wide), Ok(narrow)) = (wide.parse::<Fact>(), narrow.parse::<Fact>()) else { return false };
    wide.ty == narrow.ty && wide.contains(&narrow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_lines_agree_with_what_lies_within_them() {
        let line = |text: &str, is_declared| Line { text: format!("{text}\n"), is_declared, may_be_left_out: false };
        let settled = |is_declared, old: &str, new: &str| {
            settled(&format!("head\n{old}\nend\n"), &[line("head", false), line(new, is_declared), line("end", false)])
        };
        let (wide, narrow) =
            ("     a b  Split  :0 f32[?,4]  :1 f32[?,4]", "     a b  Split  :0 f32[?,4]  :1 f32[1..8,4]");
        assert_eq!(settled(true, narrow, wide), format!("head\n{narrow}\nend\n"));
        for (is_declared, old, new) in [
            (false, narrow, wide),
            (true, wide, narrow),
            (true, "a  Split  f32[2,5]", "a  Split  f32[?,4]"),
            (true, "a  Split  f16[2,4]", "a  Split  f32[?,4]"),
            (true, "b  Split  f32[2,4]", "a  Split  f32[?,4]"),
        ] {
            assert_eq!(settled(is_declared, old, new), format!("head\n{new}\nend\n"));
        }
    }
}
