//! The user's command that decides whether a candidate shows the fault.

use ovlint::internal::Model;
use ovlint::internal::reduce::{Bytes, Candidate};
use ovlint::internal::text::plain_text;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Error, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use wait_timeout::ChildExt;

/// The placeholder for the path of the model.
const PATH: &str = "{}";

/// The number of bytes at the end of a command's output that are shown.
const SHOWN: u64 = 2_000;

/// A runner of the command on candidates, each in a new folder.
pub(super) struct Runner<'a> {
    command: &'a str,
    limit: Duration,
    model: &'a Model,
    /// The file name of the model, which candidates get too.
    name: OsString,
    folder: TempDir,
    /// The weights files of candidates that use the original weights, by the number of bytes appended to these.
    shared: BTreeMap<usize, PathBuf>,
}

/// The way in which a command ended.
enum End {
    Exit(ExitStatus),
    TimeOut,
}

impl<'a> Runner<'a> {
    pub(super) fn new(command: &'a str, limit: Duration, model: &'a Model) -> Result<Self, String> {
        let mut name = model.source().path().file_stem().unwrap_or_default().to_owned();
        name.push(".xml");
        let folder = tempfile::Builder::new().prefix("ovlint-reduce-").tempdir();
        let folder = folder.map_err(|error| format!("cannot make a temporary folder: {error}"))?;
        Ok(Self { command, limit, model, name, folder, shared: BTreeMap::new() })
    }

    /// Fails unless the command accepts the model itself.
    pub(super) fn check_original(&self) -> Result<(), String> {
        let path = self.model.source().path();
        let mut output = tempfile::tempfile().map_err(|error| self.failed(&error))?;
        let end = self.run(path, Some(&output)).map_err(|error| self.failed(&error))?;
        let why = match end {
            End::Exit(status) if status.success() => return Ok(()),
            End::Exit(status) => format!("the command failed with {status}"),
            End::TimeOut => format!("the command does not end within {} s (--run-timeout)", self.limit.as_secs()),
        };
        let printed = tail(&mut output);
        let printed: Vec<String> = printed.lines().map(plain_text).collect();
        let why = format!("{}: {why}, but it must exit with 0 for a model that shows the fault", path.display());
        Err(if printed.is_empty() { why } else { format!("{why}; it printed: {}", printed.join(" / ")) })
    }

    pub(super) fn accepts(&mut self, candidate: &Candidate) -> Result<bool, String> {
        let tried = tempfile::tempdir_in(self.folder.path()).and_then(|folder| {
            let path = folder.path().join(&self.name);
            fs::write(&path, &candidate.xml)?;
            self.add_weights(candidate, &path.with_extension("bin"))?;
            self.run(&path, None)
        });
        match tried.map_err(|error| self.failed(&error))? {
            End::Exit(status) => Ok(status.success()),
            End::TimeOut => Ok(false),
        }
    }

    /// Writes the weights of a candidate; shared ones are written once.
    fn add_weights(&mut self, candidate: &Candidate, path: &Path) -> Result<(), Error> {
        if !candidate.weights.is_written(self.model.weights()) {
            return Ok(());
        }
        let write = |path: &Path| candidate.weights.write(self.model.weights(), &mut File::create_new(path)?);
        let Bytes::Original(more) = &candidate.weights else { return write(path) };
        if let Some(shared) = self.shared.get(&more.len()) {
            return fs::hard_link(shared, path);
        }
        let shared = self.folder.path().join(format!("weights-{}", more.len()));
        write(&shared)?;
        fs::hard_link(&shared, path)?;
        self.shared.insert(more.len(), shared);
        Ok(())
    }

    fn failed(&self, error: &Error) -> String {
        format!("cannot run `{}`: {error}", self.command)
    }

    /// Runs the command on the model at a path; its output goes to a file.
    fn run(&self, path: &Path, output: Option<&File>) -> Result<End, Error> {
        let mut command = shell(&with_path(self.command, path));
        let stream = || Ok::<_, Error>(output.map(File::try_clone).transpose()?.map_or_else(Stdio::null, Stdio::from));
        let mut child = command.stdin(Stdio::null()).stdout(stream()?).stderr(stream()?).spawn()?;
        if let Some(status) = child.wait_timeout(self.limit)? {
            return Ok(End::Exit(status));
        }
        stop(&mut child);
        child.wait()?;
        Ok(End::TimeOut)
    }
}

/// Inserts the path into the command, or appends it.
fn with_path(command: &str, path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/\\:._-+".contains(c);
    let path = match path.chars().all(is_plain) {
        true => path,
        false if cfg!(windows) => format!("\"{path}\""),
        false => format!("'{}'", path.replace('\'', "'\\''")),
    };
    if command.contains(PATH) { command.replace(PATH, &path) } else { format!("{command} {path}") }
}

#[cfg(unix)]
fn shell(line: &str) -> Command {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new("sh");
    // A process group of its own, so that all of it can be stopped.
    command.args(["-c", line]).process_group(0);
    command
}

#[cfg(windows)]
fn shell(line: &str) -> Command {
    use std::os::windows::process::CommandExt;
    let mut command = Command::new("cmd");
    command.arg("/C").raw_arg(line);
    command
}

/// Kills a command that takes too long, with its children.
fn stop(child: &mut Child) {
    if cfg!(unix) {
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
    }
    let _ = child.kill();
}

/// Returns the end of a command's output.
fn tail(output: &mut File) -> String {
    let mut bytes = Vec::new();
    let length = output.metadata().map_or(0, |file| file.len());
    let _ = output.seek(SeekFrom::Start(length.saturating_sub(SHOWN)));
    let _ = output.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    // A truncated first line is dropped.
    if length > SHOWN { text.split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or(text) } else { text }
}
