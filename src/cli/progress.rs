//! How far a long run is, as a line on a terminal. A crate for this would load a library of the system at every start.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How long a run is silent before it shows its progress.
const PATIENCE: Duration = Duration::from_secs(2);

/// A line with the number of models done so far; it is there only between two outputs.
pub(crate) struct Progress<W> {
    terminal: Option<W>,
    start: Instant,
    done: usize,
    total: usize,
    /// How many columns the line takes; 0 while there is none.
    drawn: usize,
}

impl Progress<std::io::Stderr> {
    /// Shows progress on standard error if that is a terminal and it is wanted.
    pub(crate) fn on_terminal(total: usize, start: Instant, is_wanted: bool) -> Self {
        let stderr = std::io::stderr();
        Self::new((is_wanted && total > 1 && stderr.is_terminal()).then_some(stderr), total, start)
    }
}

impl<W: Write> Progress<W> {
    fn new(terminal: Option<W>, total: usize, start: Instant) -> Self {
        Self { terminal, start, done: 0, total, drawn: 0 }
    }

    /// Counts one model, whose findings `output` writes.
    pub(crate) fn step(&mut self, output: impl FnOnce()) {
        self.clear();
        output();
        self.done += 1;
        if self.done < self.total && self.start.elapsed() > PATIENCE {
            let line = format!("{} of {} models", self.done, self.total);
            self.drawn = line.len();
            self.write(&line);
        }
    }

    /// Takes the line away, by blanks, as not every terminal knows sequences that erase.
    pub(crate) fn clear(&mut self) {
        if self.drawn > 0 {
            let blanks = " ".repeat(std::mem::take(&mut self.drawn));
            self.write(&format!("\r{blanks}\r"));
        }
    }

    fn write(&mut self, text: &str) {
        // A terminal that is gone is no reason to end.
        let _ =
            self.terminal.as_mut().map(|terminal| terminal.write_all(text.as_bytes()).and_then(|()| terminal.flush()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_gone_while_findings_are_written_and_at_the_end() {
        let long_ago = Instant::now().checked_sub(PATIENCE * 2).unwrap();
        let mut progress = Progress::new(Some(Vec::new()), 3, long_ago);
        progress.step(|| {});
        assert_eq!(progress.terminal.as_deref(), Some(&b"1 of 3 models"[..]));
        progress.step(|| {});
        assert_eq!(progress.terminal.as_deref(), Some(&b"1 of 3 models\r             \r2 of 3 models"[..]));
        progress.step(|| {});
        assert!(progress.terminal.unwrap().ends_with(b"2 of 3 models\r             \r"));
    }

    #[test]
    fn short_runs_show_nothing() {
        let mut progress = Progress::new(Some(Vec::new()), 3, Instant::now());
        progress.step(|| {});
        progress.clear();
        assert_eq!(progress.terminal, Some(Vec::new()));
    }
}
