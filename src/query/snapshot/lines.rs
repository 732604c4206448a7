//! A line diff in near linear time.
//!
//! As in a patience diff, lines that are unique in both texts are matched first, then the lines between them. If no line is
//! unique, the n-th occurrence of each line matches the n-th occurrence in the other text. This keeps blocks together, and
//! the time does not grow with the number of differences.

use crate::diagnostic::Edit;
use crate::source::Span;
use std::collections::HashMap;
use std::ops::Range;

/// The maximum recursion depth into the gaps between matched lines; deeper gaps are replaced whole.
const ROUNDS: usize = 8;

/// Returns the edits that turn `old` into `new`, by lines, in order and disjoint.
pub(super) fn edits(old: &str, new: &str) -> Vec<Edit> {
    let gaps = gaps(old, new);
    let (old, new) = (Lines::new(old), Lines::new(new));
    let edit = |(gone, come): (Range<usize>, Range<usize>)| {
        let (gone, text) = (old.bytes(&gone), new.text.get(new.bytes(&come)).unwrap_or_default());
        Edit { span: Span::new(gone.start, gone.end), text: text.to_owned() }
    };
    gaps.into_iter().map(edit).collect()
}

/// Returns the ranges of lines in which `old` and `new` differ, in order and disjoint.
pub(super) fn gaps(old: &str, new: &str) -> Vec<Gap> {
    let (old, new) = (Lines::new(old), Lines::new(new));
    let mut gaps = Vec::new();
    let all = (0..old.lines.len(), 0..new.lines.len());
    Comparison { old: &old.lines, new: &new.lines }.compare(all.0, all.1, ROUNDS, &mut gaps);
    gaps
}

/// A text and its lines, including their line breaks.
struct Lines<'a> {
    text: &'a str,
    lines: Vec<&'a str>,
    /// The byte offset of each line, and of the end of the text.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let ends = lines.iter().scan(0, |at, line| {
            *at += line.len();
            Some(*at)
        });
        let starts = std::iter::once(0).chain(ends).collect();
        Self { text, lines, starts }
    }

    fn bytes(&self, lines: &Range<usize>) -> Range<usize> {
        let start = |line: usize| self.starts.get(line).copied().unwrap_or(self.text.len());
        start(lines.start)..start(lines.end)
    }
}

/// A range of removed lines in the old text, and the range of added lines in the new text that replace them.
pub(super) type Gap = (Range<usize>, Range<usize>);

struct Comparison<'a> {
    old: &'a [&'a str],
    new: &'a [&'a str],
}

impl Comparison<'_> {
    /// Compares parts of both texts, and adds the gaps between equal lines; `rounds` bounds the recursion.
    fn compare(&self, mut old: Range<usize>, mut new: Range<usize>, rounds: usize, gaps: &mut Vec<Gap>) {
        let is_same = |i: usize, j: usize| self.old.get(i) == self.new.get(j);
        while !old.is_empty() && !new.is_empty() && is_same(old.start, new.start) {
            (old.start, new.start) = (old.start + 1, new.start + 1);
        }
        while !old.is_empty() && !new.is_empty() && is_same(old.end - 1, new.end - 1) {
            (old.end, new.end) = (old.end - 1, new.end - 1);
        }
        let anchors =
            if old.is_empty() || new.is_empty() || rounds == 0 { Vec::new() } else { self.anchors(&old, &new) };
        if anchors.is_empty() {
            gaps.extend((!old.is_empty() || !new.is_empty()).then_some((old, new)));
            return;
        }
        let mut from = (old.start, new.start);
        for (i, j) in anchors {
            self.compare(from.0..i, from.1..j, rounds - 1, gaps);
            from = (i + 1, j + 1);
        }
        self.compare(from.0..old.end, from.1..new.end, rounds - 1, gaps);
    }

    /// Returns matching lines in an order common to both texts: unique lines, or else the n-th occurrence with the n-th.
    fn anchors(&self, old: &Range<usize>, new: &Range<usize>) -> Vec<(usize, usize)> {
        let mut indices: HashMap<&str, (Vec<usize>, Vec<usize>)> = HashMap::new();
        for (i, line) in old.clone().zip(self.old.get(old.clone()).into_iter().flatten()) {
            indices.entry(line).or_default().0.push(i);
        }
        let lines = || new.clone().zip(self.new.get(new.clone()).into_iter().flatten());
        for (j, line) in lines() {
            if let Some(known) = indices.get_mut(line) {
                known.1.push(j);
            }
        }
        let once = lines().filter_map(|(j, line)| match indices.get(line)? {
            (old, new) if old.len() == 1 && new.len() == 1 => Some((*old.first()?, j)),
            _ => None,
        });
        let once = ascending(&once.collect::<Vec<_>>());
        if !once.is_empty() {
            return once;
        }
        let mut next: HashMap<&str, usize> = HashMap::new();
        let numbered = lines().filter_map(|(j, line)| {
            let number = next.entry(line).or_default();
            *number += 1;
            Some((*indices.get(line)?.0.get(*number - 1)?, j))
        });
        ascending(&numbered.collect::<Vec<_>>())
    }
}

/// Returns the longest subsequence of pairs with increasing first parts; the pairs are sorted by their second parts.
fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair with the smallest first part that ends a subsequence of that length; and the predecessor of
    // each pair.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (index, (first, _)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end: &usize| pairs.get(*end).is_some_and(|pair| pair.0 < *first));
        before.push(length.checked_sub(1).and_then(|shorter| ends.get(shorter).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut at = ends.last().copied();
    let mut run = Vec::with_capacity(ends.len());
    while let Some(index) = at {
        run.extend(pairs.get(index));
        at = before.get(index).copied().flatten();
    }
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the edits turn the old text into the new one; returns the number of kept lines.
    fn compare(old: &[&str], new: &[&str]) -> usize {
        let [old, new] = [old, new].map(|lines| lines.iter().flat_map(|line| [*line, "\n"]).collect::<String>());
        let (mut text, mut kept) = (old.clone(), old.lines().count());
        for edit in edits(&old, &new).into_iter().rev() {
            kept -= old[edit.span.range()].lines().count();
            text.replace_range(edit.span.range(), &edit.text);
        }
        assert_eq!(text, new);
        kept
    }

    #[test]
    fn as_many_lines_stay_as_can() {
        assert_eq!(compare(&["a", "b", "c"], &["a", "b", "c"]), 3);
        assert_eq!(compare(&["a", "b", "c", "d"], &["a", "x", "c", "y", "d"]), 3);
        assert_eq!(compare(&["a", "b"], &[]), 0);
        assert_eq!(compare(&[], &["a"]), 0);
        // A block that moved, and lines that repeat.
        assert_eq!(compare(&["1", "2", "a", "b", "c"], &["a", "b", "c", "1", "2"]), 3);
        assert_eq!(compare(&["r", "s", "r", "s", "r"], &["r", "x", "r", "s", "y", "r"]), 4);
        assert_eq!(compare(&["x", "r", "s", "r", "s"], &["r", "s", "t", "r", "s", "u"]), 4);
    }

    #[test]
    fn hundreds_of_thousands_of_lines_take_no_time() {
        let text = |name: &dyn Fn(usize) -> usize| {
            (0..300_000).flat_map(|i| [name(i).to_string(), "\n".to_owned()]).collect::<String>()
        };
        let old = text(&|i| i);
        assert_eq!(edits(&old, &text(&|i| i + 300_000)).len(), 1);
        assert_eq!(edits(&old, &text(&|i| 299_999 - i)).len(), 2);
        assert!(edits(&text(&|i| i % 7), &text(&|i| i % 11)).len() < 300_000);
    }
}
