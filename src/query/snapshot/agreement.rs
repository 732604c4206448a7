//! The comparison of a model without its weights with a snapshot that was written with them: lines that may mean the same
//! count as equal.

use super::lines;
use super::text::{CUT, FAILS, Line, NEEDS};
use crate::arrange::Arrange;
use crate::types::Fact;
use std::collections::HashMap;

/// The maximum number of lines with which one line is compared.
const NEAR: usize = 256;

/// Returns the lines with the constraints of a snapshot instead of their own, and with its errors besides their own: those of
/// layers that compute with the weights are not known without them.
pub(super) fn with_needs_of(old: &str, mut new: Vec<Line>) -> Vec<Line> {
    let is_one = |line: &Line| line.text.starts_with(NEEDS) || line.text.starts_with(FAILS);
    let place = new.iter().position(is_one).or_else(|| new.iter().position(|line| line.text.starts_with("      ")));
    let mut fails: Vec<String> = new.extract_if(.., |line| is_one(line)).map(|line| line.text).collect();
    fails.retain(|line| line.starts_with(FAILS));
    let of_old = |head: &'static str| old.split_inclusive('\n').filter(move |line| line.starts_with(head));
    let unknown: Vec<&str> = of_old(FAILS).filter(|line| !fails.iter().any(|one| one == line)).collect();
    fails.extend(unknown.into_iter().map(str::to_owned));
    fails.arrange();
    let place = place.unwrap_or(new.len());
    let lines: Vec<&str> = of_old(NEEDS).chain(fails.iter().map(String::as_str)).collect();
    new.splice(place..place, lines.into_iter().map(Line::of_text));
    new
}

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
    new.arrange_by_key(|line| line.text.matches(['?', '.']).count());
    let is_taken = |line: &Line| {
        let Some(others) = open.get_mut(&head(&line.text)) else { return false };
        let place = others.iter().take(NEAR).position(|other| agrees(line, other));
        place.map(|place| others.swap_remove(place)).is_some()
    };
    new.into_iter().all(is_taken) && open.values().all(Vec::is_empty)
}

/// Returns the parts of a line that are no shapes.
fn head(line: &str) -> String {
    parts(line).0.join("  ")
}

/// Returns the parts of a line that are no shapes, and its shapes, one per output. The last one of a truncated line lacks its
/// bracket.
fn parts(line: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut head, mut facts) = (Vec::new(), Vec::new());
    let (line, is_cut) = line.trim_end().split_once(CUT).map_or((line.trim_end(), false), |(line, _)| (line, true));
    for part in line.split("  ") {
        let (outputs, fact) = match part.split_once(' ').filter(|_| part.starts_with(':')) {
            Some((outputs, fact)) => (outputs.get(1..).unwrap_or_default(), fact),
            None => ("", part),
        };
        if !fact.split_once('[').is_some_and(|(ty, rest)| is_type(ty) && (is_cut || rest.ends_with(']'))) {
            head.push(part);
            continue;
        }
        let range = outputs.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
        let count = range.map_or(1, |(from, to): (usize, usize)| to.saturating_sub(from).saturating_add(1));
        facts.extend(std::iter::repeat_n(fact, count.min(NEAR)));
    }
    (head, facts)
}

fn is_type(text: &str) -> bool {
    format!("{text}[]").parse::<Fact>().is_ok()
}

fn agrees(new: &Line, old: &str) -> bool {
    new.text == old
        || new.is_declared && lies_within(&new.text, old)
        || new.may_be_left_out && lies_within(old, &new.text)
}

/// Whether two lines are of the same layer, and the shapes of `narrow` lie within those of `wide`.
fn lies_within(wide: &str, narrow: &str) -> bool {
    let ((head, wide), (other, narrow)) = (parts(wide), parts(narrow));
    let is_cut = |facts: &[&str]| facts.last().is_none_or(|last| !last.ends_with(']'));
    let are_as_many = wide.len() == narrow.len() || is_cut(&wide) || is_cut(&narrow);
    head == other && are_as_many && wide.iter().zip(&narrow).all(|(wide, narrow)| contains(wide, narrow))
}

/// Whether two facts are of the same type, and the first allows every tensor that the second allows. An expression may have any
/// length that is not fixed.
fn contains(wide: &str, narrow: &str) -> bool {
    let is_cut = [wide, narrow].iter().any(|fact| !fact.ends_with(']'));
    let (Some((ty, wide)), Some((other, narrow))) = (wide.split_once('['), narrow.split_once('[')) else {
        return false;
    };
    let (wide, narrow) = (dims(wide), dims(narrow));
    let is_within = |(wide, narrow): (&&str, &&str)| {
        let Some(allowed) = lengths(wide) else { return wide == narrow };
        lengths(narrow).map_or(!allowed.shape.is_static(), |inner| allowed.contains(&inner))
    };
    let all = || (is_cut || wide.len() == narrow.len()) && wide.iter().zip(&narrow).all(is_within);
    ty == other && (wide == ["..."] || all())
}

/// Returns the dimensions of a shape without its first bracket. A function such as `min(a, b)` is one dimension.
fn dims(shape: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let dims = shape.strip_suffix(']').unwrap_or(shape).split(move |character| {
        depth = match character {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => depth,
        };
        character == ',' && depth == 0
    });
    dims.map(str::trim).collect()
}

/// The lengths that a dimension without a name allows.
fn lengths(dim: &str) -> Option<Fact> {
    format!("u8[{dim}]").parse().ok()
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
        let (wide, equal) = ("a  Split  :0 f32[?,?]  :1 f32[?,4]", "a  Split  :0..1 f32[min(batch, 8), 4]");
        assert_eq!(settled(true, equal, wide), format!("head\n{equal}\nend\n"));
        for (old, new) in [
            ("a  Split  f32[min(batch, 8), 4]", "a  Split  f32[..8, 4]"),
            ("a  Split  f32[batch, 4 .. #0123456789abcdef", "a  Split  f32[?, 4, 6]  :1 f32[2]"),
        ] {
            assert_eq!(settled(true, old, new), format!("head\n{old}\nend\n"));
        }
        for (is_declared, old, new) in [
            (false, narrow, wide),
            (true, wide, narrow),
            (true, "a  Split  f32[2,5]", "a  Split  f32[?,4]"),
            (true, "a  Split  f16[2,4]", "a  Split  f32[?,4]"),
            (true, "b  Split  f32[2,4]", "a  Split  f32[?,4]"),
            (true, "a  Split  f32[min(batch, 8),4]", "a  Split  f32[batch,4]"),
            (true, "a  Split  f32[batch, 4]", "a  Split  f32[8, 4]"),
            (true, "a  Split  f32[batch, 4 .. #0123456789abcdef", "a  Split  f32[?, 5, 6]"),
        ] {
            assert_eq!(settled(is_declared, old, new), format!("head\n{new}\nend\n"));
        }
    }
}
