//! Line wrapping to the width of a terminal.

/// A placeholder for a space at which lines do not break.
pub(super) const KEPT: char = '\u{a0}';

/// The minimum width of a column of wrapped text.
pub(super) const NARROW: usize = 28;

/// Wraps a text at spaces to the width `room`.
pub(super) fn wrap(text: &str, room: usize) -> String {
    hang(text, room, 0)
}

/// Wraps a text that starts at `column`; further lines start at that column too, and kept spaces become plain ones.
pub(super) fn wrapped(text: &str, width: usize, column: usize) -> String {
    let room = width.saturating_sub(column).max(NARROW);
    wrap(text, room).replace('\n', &format!("\n{:column$}", "")).replace(KEPT, " ")
}

/// Wraps a line at spaces to `width`; further lines are indented to `column`.
pub fn hang(line: &str, width: usize, column: usize) -> String {
    let mut out = String::with_capacity(line.len());
    let (mut at, mut is_blank) = (0, true);
    for word in line.split_inclusive(' ') {
        let bare = word.trim_end();
        let wide = columns(bare);
        if !is_blank && at + wide > width {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', column));
            (at, is_blank) = (column, true);
        }
        out.push_str(word);
        at += wide + (word.len() - bare.len());
        is_blank &= bare.is_empty();
    }
    out
}

/// Returns the width of a text in terminal columns.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// Returns an upper bound of the width of a character in terminal columns: 2 from U+1100 on, where wide scripts begin.
pub(super) fn width(character: char) -> usize {
    if character < '\u{1100}' { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_go_on_in_a_column() {
        assert_eq!(hang("  ~ input x  f32[1]", 14, 6), "  ~ input x\n      f32[1]");
        assert_eq!(hang("    longer-than-that and more", 10, 2), "    longer-than-that\n  and more");
        assert_eq!(wrap("one two three", 7), "one two\nthree");
        assert_eq!(wrapped(&format!("one two{KEPT}three four {}", "x".repeat(20)), 32, 4).lines().count(), 2);
    }

    #[test]
    fn wide_scripts_take_two_columns() {
        assert_eq!(wrap("\u{5f62}\u{72b6} \u{5f62}\u{72b6}", 8), "\u{5f62}\u{72b6}\n\u{5f62}\u{72b6}");
    }
}
