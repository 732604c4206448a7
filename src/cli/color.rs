//! Colours on stdout: the flag, and the colours of diffs.

use super::{complain, print};
use clap::builder::styling::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use ovlint::internal::report::plain_diff;
use std::fmt::Write;

// The use of colours.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct ColorArgs {
    /// When to colour the text
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    color: Color,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Color {
    /// When stdout is a terminal that supports it
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorArgs {
    /// Applies the choice to all further output.
    pub(crate) fn apply(self) {
        let choice = match self.color {
            Color::Auto => return,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// Colours each line of a diff, or of a list of differences, by its sign. Stdout removes the colours if they are off.
pub(crate) fn signs(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let style = style(line);
        let _ = write!(out, "{style}{line}{style:#}{end}");
    }
    out
}

/// Returns the colour of a line: those of reports, which are readable on dark and on light terminals.
fn style(line: &str) -> Style {
    if ["--- ", "+++ "].iter().any(|head| line.starts_with(head)) {
        return Style::new().bold();
    }
    match line.strip_prefix("  ").unwrap_or(line).as_bytes().first() {
        Some(b'+') => AnsiColor::Green.on_default(),
        Some(b'-') => AnsiColor::BrightRed.on_default(),
        Some(b'~' | b'?') => AnsiColor::Magenta.on_default(),
        Some(b'@') if line.starts_with("@@ ") => AnsiColor::BrightBlue.on_default(),
        _ => Style::new(),
    }
}

/// Writes a diff to stdout: unchanged if stdout is a file, so that it can be applied; otherwise escaped, because terminals
/// and CI services obey control characters.
pub(crate) fn print_diff(diff: &str) {
    match plain_diff(diff).filter(|_| !is_stdout_file()) {
        Some(plain) => {
            print(&signs(&plain));
            complain("the diff spells out what a terminal or a CI service would obey; `> FILE` gives one that applies");
        }
        None if is_stdout_file() => print(diff),
        None => print(&signs(diff)),
    }
}

fn is_stdout_file() -> bool {
    #[cfg(unix)]
    let copy = std::os::fd::AsFd::as_fd(&std::io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let copy = std::os::windows::io::AsHandle::as_handle(&std::io::stdout()).try_clone_to_owned();
    copy.and_then(|copy| std::fs::File::from(copy).metadata()).is_ok_and(|stdout| stdout.is_file())
}

#[cfg(test)]
mod tests {
    use super::signs;

    #[test]
    fn signs_have_colours() {
        let red = "\u{1b}[91m-a\u{1b}[0m\n";
        assert_eq!(signs("-a\n"), red);
        assert_eq!(signs(" a\n  b\nc"), " a\n  b\nc");
        assert_eq!(signs("--- a\n@@ -1 +1 @@\n"), "\u{1b}[1m--- a\u{1b}[0m\n\u{1b}[94m@@ -1 +1 @@\u{1b}[0m\n");
        assert_eq!(signs("  ~ x\n  + y"), "\u{1b}[35m  ~ x\u{1b}[0m\n\u{1b}[32m  + y\u{1b}[0m");
    }
}
