//! The progress of a long run, as a line on a terminal. No crate is used, because it would load a system library at every
//! start.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// The time before a run shows its progress.
const PATIENCE: Duration = Duration::from_secs(2);

/// A line on a terminal that shows the progress.
pub(crate) struct Line<W> {
    terminal: Option<W>,
    /// The width of the drawn line in columns; 0 if there is none.
    drawn: usize,
}

impl Line<std::io::Stderr> {
    /// Creates a line on stderr, if that is a terminal and the line is wanted.
    pub(crate) fn on_terminal(is_wanted: bool) -> Self {
        let stderr = std::io::stderr();
        Self { terminal: (is_wanted && stderr.is_terminal()).then_some(stderr), drawn: 0 }
    }
}

impl<W: Write> Line<W> {
    /// Replaces the text of the line.
    pub(crate) fn draw(&mut self, text: &str) {
        self.clear();
        self.drawn = text.len();
        self.write(text);
    }

    /// Removes the line by overwriting it with blanks, because not every terminal supports erase sequences.
    pub(crate) fn clear(&mut self) {
        if self.drawn > 0 {
            let blanks = " ".repeat(std::mem::take(&mut self.drawn));
            self.write(&format!("\r{blanks}\r"));
        }
    }

    fn write(&mut self, text: &str) {
        // A failed write, as to a closed terminal, does not end the run.
        let _ =
            self.terminal.as_mut().map(|terminal| terminal.write_all(text.as_bytes()).and_then(|()| terminal.flush()));
    }
}

/// A line with the number of models done so far, which is removed before other output and then drawn again.
pub(crate) struct Progress<W> {
    line: Line<W>,
    start: Instant,
    done: usize,
    total: usize,
}

impl Progress<std::io::Stderr> {
    /// Shows progress on stderr, if that is a terminal and progress is wanted.
    pub(crate) fn on_terminal(total: usize, start: Instant, is_wanted: bool) -> Self {
        Self::new(Line::on_terminal(is_wanted && total > 1), total, start)
    }
}

impl<W: Write> Progress<W> {
    fn new(line: Line<W>, total: usize, start: Instant) -> Self {
        Self { line, start, done: 0, total }
    }

    /// Counts one model, and calls `output`, which writes its findings.
    pub(crate) fn step(&mut self, output: impl FnOnce()) {
        self.clear();
        output();
        self.done += 1;
        if self.done < self.total && self.start.elapsed() > PATIENCE {
            self.line.draw(&format!("{} of {} models", self.done, self.total));
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&mut self) {
        self.line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Line<Vec<u8>> {
        Line { terminal: Some(Vec::new()), drawn: 0 }
    }

    #[test]
    fn the_line_is_gone_while_findings_are_written_and_at_the_end() {
        let long_ago = Instant::now().checked_sub(PATIENCE * 2).unwrap();
        let mut progress = Progress::new(line(), 3, long_ago);
        progress.step(|| {});
        assert_eq!(progress.line.terminal.as_deref(), Some(&b"1 of 3 models"[..]));
        progress.step(|| {});
        assert_eq!(progress.line.terminal.as_deref(), Some(&b"1 of 3 models\r             \r2 of 3 models"[..]));
        progress.step(|| {});
        assert!(progress.line.terminal.unwrap().ends_with(b"2 of 3 models\r             \r"));
    }

    #[test]
    fn short_runs_show_nothing() {
        let mut progress = Progress::new(line(), 3, Instant::now());
        progress.step(|| {});
        progress.clear();
        assert_eq!(progress.line.terminal, Some(Vec::new()));
    }
}
