//! The reports of `ovlint check`, in one or more formats: the flags that choose them, and their destinations, stdout and
//! files.

use super::files::Input;
use super::show::{ShowArgs, width};
use super::{complain, exit, renamed};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command};
use ovlint::internal::atomic;
use ovlint::internal::atomic::{Existing, NewFile};
use ovlint::internal::diagnostic::Severity;
use ovlint::internal::report::findings::text::{Infos, TextOptions};
use ovlint::internal::report::{Brevity, End, Format, ModelReport, PieceOptions, Stream, Summary};
use ovlint::internal::text::{did_you_mean, nearest};
use std::ffi::OsStr;
use std::io::{self, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};
use tempfile::SpooledTempFile;

#[derive(Args, Debug, Default)]
pub(crate) struct OutputArgs {
    /// Output format; append =FILE to write to a file (repeatable) [default: text]
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = FormatParser)]
    format: Vec<Wanted>,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A format with its file, if any.
#[derive(Clone, Debug)]
struct Wanted {
    format: Format,
    file: Option<PathBuf>,
}

/// A parser that lists the formats in help and completions, and accepts files as well.
#[derive(Clone)]
struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = Wanted;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<Wanted, clap::Error> {
        TypedValueParser::parse_ref(&parse, command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Format::ALL.into_iter().map(|format| PossibleValue::new(format.name()).help(format.summary()))))
    }
}

fn parse(text: &str) -> Result<Wanted, String> {
    let (name, file) = text.split_once('=').map_or((text, None), |(name, file)| (name, Some(file)));
    if file == Some("") {
        return Err("no file after `=`".to_owned());
    }
    if let Some(format) = Format::ALL.into_iter().find(|format| format.name() == name) {
        return Ok(Wanted { format, file: file.map(PathBuf::from) });
    }
    let near = nearest(name, Format::ALL.map(Format::name));
    Err(renamed::format("check", name).unwrap_or_else(|| format!("there is no such format{}", did_you_mean(near))))
}

/// The maximum size in bytes of a report in memory; a longer one goes to an unnamed temporary file.
const IN_MEMORY: usize = 1 << 20;

/// All reports of a run.
#[derive(Default)]
pub(crate) struct Outputs {
    all: Vec<Output>,
    brevity: Brevity,
    /// Set if the summary goes to stderr: no report goes to stdout, and the run is not quiet.
    is_elsewhere: bool,
}

/// A renderer for single models, usable on any thread.
#[derive(Clone)]
pub(crate) struct Maker(Vec<(Format, TextOptions)>, Brevity);

/// Returns `infos`, or all infos if they make the run fail.
fn shown(infos: Infos, fail_on: Option<Severity>) -> Infos {
    if fail_on == Some(Severity::Info) { Infos::All } else { infos }
}

impl Maker {
    /// Renders a model for every report, for [`Outputs::take`]. Findings of severity `fail_on` or above fail.
    pub(crate) fn pieces(&self, model: &ModelReport, fail_on: Option<Severity>) -> Pieces {
        let pieces = self.0.iter().map(|(format, text)| {
            let text = TextOptions { infos: shown(text.infos, fail_on), ..*text };
            format.piece(model, &PieceOptions { text, fail_on, brevity: self.1 })
        });
        pieces.collect()
    }

    /// Returns which infos are shown. `fail_on` is the lowest severity that fails the run. Without a text report, or with one of
    /// statistics only, all are.
    pub(crate) fn infos(&self, fail_on: Option<Severity>) -> Infos {
        let text = self.0.iter().find(|(format, _)| *format == Format::Text && !self.1.statistics);
        text.map_or(Infos::All, |(_, text)| shown(text.infos, fail_on))
    }

    pub(crate) fn append(&self, pieces: &mut Pieces, more: impl Fn() -> String) {
        for ((format, _), piece) in self.0.iter().zip(pieces) {
            if let (Format::Text, Ok(piece)) = (format, piece) {
                piece.push_str(&more());
            }
        }
    }
}

/// One report.
struct Output {
    format: Format,
    text: TextOptions,
    stream: Stream,
    target: Target,
    /// The error after which nothing more is written. A closed pipe is no failure.
    closed: Option<io::Error>,
}

enum Target {
    /// Stdout, coloured if the terminal supports it.
    Stdout { color: bool },
    /// A file that is written at the end of the run.
    File { path: PathBuf, content: SpooledTempFile },
    /// A file that the report is appended to.
    Appended { path: PathBuf, content: SpooledTempFile },
}

/// The parts of one model, one per report.
pub(crate) type Pieces = Vec<serde_json::Result<String>>;

impl Outputs {
    /// Opens the reports that the flags request; never overwrites one of the `inputs`.
    pub(crate) fn open(
        args: &OutputArgs,
        show: &ShowArgs,
        text: TextOptions,
        inputs: &[Input],
    ) -> Result<Self, String> {
        let mut wanted = args.format.clone();
        if wanted.is_empty() {
            wanted.push(Wanted { format: Format::Text, file: None });
        }
        if let Some(path) = &args.output {
            let mut open = wanted.iter_mut().filter(|wanted| wanted.file.is_none());
            match (open.next(), open.next()) {
                (Some(only), None) => only.file = Some(path.clone()),
                (None, _) => return Err("--output, but every format has a file of its own".to_owned()),
                (Some(_), Some(_)) => {
                    return Err("--output takes one format: give each a file, --format FORMAT=FILE".to_owned());
                }
            }
        }
        check_targets(&wanted, inputs)?;
        let brevity = Brevity { statistics: show.statistics, quiet: show.is_quiet() };
        let mut all = Vec::new();
        for Wanted { format, file } in wanted {
            if format == Format::Github
                && let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty())
            {
                let target = Target::Appended { path: path.into(), content: SpooledTempFile::new(IN_MEMORY) };
                all.push(Output::new(Format::Markdown, text, brevity, target));
            }
            let target = match file {
                Some(path) => Target::File { path, content: SpooledTempFile::new(IN_MEMORY) },
                None => Target::Stdout { color: text.color },
            };
            all.push(Output::new(format, text, brevity, target));
        }
        if show.is_silent() {
            all.retain(|output| !output.is_on_stdout());
        }
        all.iter_mut().for_each(Output::begin);
        let is_elsewhere = !show.is_quiet() && !all.iter().any(Output::is_on_stdout);
        Ok(Self { all, brevity, is_elsewhere })
    }

    /// Returns the renderer for these reports.
    pub(crate) fn maker(&self) -> Maker {
        Maker(self.all.iter().map(|output| (output.format, output.text)).collect(), self.brevity)
    }

    /// Writes the parts of a model.
    pub(crate) fn take(&mut self, pieces: Pieces) {
        for (output, piece) in self.all.iter_mut().zip(pieces) {
            if output.closed.is_none() {
                let piece = piece.map(|piece| output.stream.add(piece));
                output.write(piece);
            }
        }
    }

    /// Whether no report can be written any more, as when all readers are gone.
    pub(crate) fn are_closed(&self) -> bool {
        !self.all.is_empty() && self.all.iter().all(|output| output.closed.is_some())
    }

    /// Ends all reports; returns `code`, or `exit::BROKEN` if a write failed.
    pub(crate) fn finish(mut self, summary: &Summary, code: u8) -> u8 {
        let mut worst = code;
        if self.is_elsewhere {
            summary.text(width()).lines().for_each(complain);
        }
        for output in &mut self.all {
            if output.closed.is_none() {
                let tail = output.stream.tail(End { summary, exit_code: code, width: output.text.width });
                output.write(tail);
            }
            if output.closed.is_none() && (code < exit::BROKEN || matches!(output.target, Target::Appended { .. })) {
                output.closed = output.target.finish().err();
            } else if let (None, Target::File { path, .. }) = (&output.closed, &output.target) {
                complain(&format!("{} is not written, as the run failed", path.display()));
            }
            if let Some(error) = output.closed.take().filter(|error| error.kind() != ErrorKind::BrokenPipe) {
                complain(&format!("cannot write {}: {error}", output.target.name()));
                worst = exit::BROKEN;
            }
        }
        worst
    }
}

/// Fails if a document shares stdout, two reports share a file, or a report would overwrite an input.
fn check_targets(wanted: &[Wanted], inputs: &[Input]) -> Result<(), String> {
    let on_stdout: Vec<Format> = wanted.iter().filter(|one| one.file.is_none()).map(|one| one.format).collect();
    if let (true, Some(format)) = (on_stdout.len() > 1, on_stdout.iter().find(|format| format.is_document())) {
        let name = format.name();
        return Err(format!("{name} cannot share stdout with another format: --format {name}=FILE"));
    }
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in wanted.iter().filter_map(|one| one.file.as_deref()) {
        let shown = path.display();
        let full_path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if seen.contains(&full_path) {
            return Err(format!("two reports cannot both go to {shown}"));
        }
        seen.push(full_path);
        if is_among(path, inputs) {
            return Err(format!("{shown} is checked in this run; a report there would write over it"));
        }
        atomic::probe(path).map_err(|error| format!("cannot write {shown}: {error}"))?;
    }
    Ok(())
}

/// Whether a path is one of the inputs or their weights, after links are resolved.
fn is_among(path: &Path, inputs: &[Input]) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let is_same = |input: &Path| input.canonicalize().is_ok_and(|canonical| canonical == path);
    inputs.iter().any(|input| is_same(&input.path) || is_same(&input.path.with_extension("bin")))
}

impl Output {
    fn new(format: Format, mut text: TextOptions, brevity: Brevity, target: Target) -> Self {
        text.color &= matches!(target, Target::Stdout { .. });
        let target = match target {
            Target::Stdout { color } => Target::Stdout { color: color && format == Format::Text },
            target => target,
        };
        Self { format, text, stream: Stream::new(format, brevity), target, closed: None }
    }

    fn begin(&mut self) {
        let head = self.stream.head();
        self.write(head);
    }

    fn is_on_stdout(&self) -> bool {
        matches!(self.target, Target::Stdout { .. })
    }

    fn write(&mut self, text: serde_json::Result<String>) {
        let written = text.map_err(io::Error::from).and_then(|text| self.target.write(&text));
        self.closed = written.err();
    }
}

impl Target {
    fn write(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let bytes = text.as_bytes();
        match self {
            Self::Stdout { color: true } => {
                let mut out = anstream::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
            Self::Stdout { color: false } => {
                let mut out = io::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
            Self::File { content, .. } | Self::Appended { content, .. } => content.write_all(bytes),
        }
    }

    /// Moves the content to its destination.
    fn finish(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout { .. } => Ok(()),
            Self::File { path, content } => {
                content.rewind()?;
                let mut file = NewFile::begin(path, Existing::Replace)?;
                io::copy(content, &mut file)?;
                file.finish()
            }
            Self::Appended { path, content } => {
                content.rewind()?;
                let mut file = std::fs::File::options().append(true).create(true).open(path)?;
                io::copy(content, &mut file).map(drop)
            }
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Stdout { .. } => "the report".to_owned(),
            Self::File { path, .. } | Self::Appended { path, .. } => path.display().to_string(),
        }
    }
}
