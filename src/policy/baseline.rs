//! Baselines: the findings accepted when a project starts, by fingerprints that survive a new export.

use super::globs::absolute;
use super::rules::UNUSED_IGNORE;
use crate::arrange::Fill;
use crate::atomic;
use crate::atomic::Existing;
use crate::diagnostic::{Diagnostic, Severity, Text, fingerprint, strength};
use crate::input;
use crate::limits::TEXT_FILE;
use crate::remote::is_remote;
use crate::source::Span;
use crate::text::path_text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The accepted findings per file. Paths are relative to the folder of the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    /// The path as shown.
    path: PathBuf,
    folder: PathBuf,
    models: BTreeMap<String, Vec<Known>>,
}

/// Findings with the same fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    fingerprint: String,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    count: usize,
    /// The layer and the message, which only help people who read the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    layer: Option<String>,
    #[serde(default)]
    message: Text,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    models: BTreeMap<String, Vec<Known>>,
}

const VERSION: u32 = 2;

impl File {
    fn read(path: &Path) -> Result<Self, String> {
        let text = input::read_text(path, TEXT_FILE).map_err(|error| format!("{}: {error}", path.display()))?;
        serde_json::from_str(&text).map_err(|error| {
            let what = if error.is_data() { "not as in a baseline" } else { "not JSON" };
            let (line, column) = (error.line(), error.column());
            format!("{}: this is not a baseline: line {line}, column {column}: {what}", path.display())
        })
    }
}

impl Baseline {
    /// Creates an empty baseline for a path.
    pub fn new(path: &Path) -> Self {
        let folder = absolute(path).parent().map(Path::to_owned).unwrap_or_default();
        Self { path: path.to_owned(), folder, models: BTreeMap::new() }
    }

    /// Reads a baseline.
    pub fn read(path: &Path) -> Result<Self, String> {
        let File { version, models } = File::read(path)?;
        if version != VERSION {
            let path = path.display();
            return Err(format!(
                "{path}: this baseline has version {version}, but ovlint needs version {VERSION}; use `--write-baseline FILE` to rewrite it"
            ));
        }
        Ok(Self { models, ..Self::new(path) })
    }

    /// Adds the findings of a file. Consequences need no entry, as they are accepted with their root cause, unless OpenVINO
    /// fails because of them.
    pub fn add(&mut self, path: &Path, findings: &[Diagnostic]) {
        let mut known: BTreeMap<String, Known> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| counts(finding)) {
            let print = fingerprint(finding);
            let entry = known.entry(print.clone()).or_insert_with(|| Known {
                fingerprint: print,
                count: 0,
                layer: finding.layer.as_ref().map(|layer| layer.name.clone()),
                message: finding.message.clone(),
            });
            entry.count += 1;
        }
        if !known.is_empty() {
            self.models.insert(self.key(path), known.into_values().collect());
        }
    }

    /// Returns the number of findings.
    pub fn len(&self) -> usize {
        self.models.values().flatten().map(|known| known.count).sum()
    }

    /// Whether no file has findings.
    pub fn is_empty(&self) -> bool {
        self.models.is_empty()
    }

    /// Returns the number of files with findings.
    pub fn models(&self) -> usize {
        self.models.len()
    }

    /// Writes the baseline to its path; replaces only another baseline.
    ///
    /// # Errors
    /// If there is another file, or the operating system refuses.
    pub fn write(&self) -> Result<(), String> {
        let fail = |reason: String| format!("{}: {reason}", self.path.display());
        let file = File { version: VERSION, models: self.models.clone() };
        let text = serde_json::to_string_pretty(&file).map_err(|error| fail(error.to_string()))?;
        if self.path.metadata().is_ok_and(|old| old.is_file() && old.len() > 0) {
            File::read(&self.path)?;
        }
        atomic::write(&self.path, Existing::Replace, (text + "\n").as_bytes()).map_err(|error| fail(error.to_string()))
    }

    /// Returns the accepted findings of a file.
    pub(super) fn of(&self, path: &Path) -> Expected {
        let known = self.models.get(&self.key(path)).into_iter().flatten();
        Expected {
            left: known.map(|known| (known.fingerprint.clone(), known.clone())).into_map(),
            following: Vec::new(),
        }
    }

    /// Reports entries that no finding matched; `counts` returns whether findings of a rule are reported in this run.
    pub(super) fn unused(&self, left: &Expected, counts: impl Fn(&str) -> bool) -> Option<Diagnostic> {
        let rule_of = |known: &Known| known.fingerprint.split('/').next().is_some_and(&counts);
        let gone: Vec<&Known> = left.left.values().filter(|known| known.count > 0 && rule_of(known)).collect();
        let count: usize = gone.iter().map(|known| known.count).sum();
        let (noun, verb) = if count == 1 { ("finding", "is") } else { ("findings", "are") };
        let message = format!("{count} {noun} in `{}` {verb} gone", path_text(&self.path));
        let finding =
            gone.iter().take(8).fold(Diagnostic::new(&UNUSED_IGNORE, Span::default(), message), |finding, known| {
                let rule = known.fingerprint.split('/').next().unwrap_or_default();
                let layer = known.layer.as_ref().map(|layer| format!(" on `{layer}`")).unwrap_or_default();
                finding.note(known.message.clone().after(&format!("{rule}{layer}: ")))
            });
        let more = gone.len().saturating_sub(8);
        let finding = if more > 0 { finding.note(format!("and {more} more")) } else { finding };
        (count > 0).then(|| {
            finding.help("remove stale entries with `--prune`, or regenerate the baseline with `--write-baseline FILE`")
        })
    }

    /// The models that no longer exist.
    fn gone(&self) -> Vec<String> {
        // An absolute path, which could name another host, was not written by ovlint.
        let is_ours = |key: &Path| !is_remote(key) && !key.has_root();
        let is_gone = |key: &&String| is_ours(Path::new(key)) && !self.folder.join(key).exists();
        self.models.keys().filter(is_gone).cloned().collect()
    }

    /// Reports models that no longer exist.
    pub(super) fn unused_models(&self) -> Option<Diagnostic> {
        let gone = self.gone();
        let (noun, verb) = if gone.len() == 1 { ("model", "is") } else { ("models", "are") };
        let message = format!("{} {noun} of `{}` {verb} gone", gone.len(), path_text(&self.path));
        let finding = Diagnostic::new(&UNUSED_IGNORE, Span::default(), message);
        let finding = gone.iter().take(8).fold(finding, |finding, model| finding.note(model.as_str()));
        let more = gone.len().saturating_sub(8);
        let finding = if more > 0 { finding.note(format!("and {more} more")) } else { finding };
        (!gone.is_empty()).then(|| finding.help("remove them with `--prune`"))
    }

    /// Removes some findings of a file.
    pub fn remove(&mut self, path: &Path, stale: &[(String, usize)]) {
        let key = self.key(path);
        let Some(known) = self.models.get_mut(&key) else { return };
        for entry in known.iter_mut() {
            let gone = stale.iter().find(|(print, _)| *print == entry.fingerprint).map_or(0, |(_, count)| *count);
            entry.count = entry.count.saturating_sub(gone);
        }
        known.retain(|entry| entry.count > 0);
        if known.is_empty() {
            self.models.remove(&key);
        }
    }

    /// Removes models that no longer exist; returns their number.
    pub fn remove_gone(&mut self) -> usize {
        let gone = self.gone();
        self.models.retain(|key, _| !gone.contains(key));
        gone.len()
    }

    /// Returns the path of the baseline.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn key(&self, path: &Path) -> String {
        let path = absolute(path);
        if is_remote(&path) { path_text(&path) } else { relative(&path, &self.folder) }
    }
}

/// The accepted findings of one file that were not found yet, by fingerprint.
#[derive(Debug)]
pub(super) struct Expected {
    left: BTreeMap<String, Known>,
    /// The fingerprints of consequences, which a baseline may list as well.
    following: Vec<String>,
}

impl Expected {
    /// Returns the entries without a finding, of rules for which `counts` is true.
    pub(super) fn gone(&self, counts: impl Fn(&str) -> bool) -> Vec<(String, usize)> {
        let is_left = |known: &&Known| known.count > 0 && known.fingerprint.split('/').next().is_some_and(&counts);
        self.left.values().filter(is_left).map(|known| (known.fingerprint.clone(), known.count)).collect()
    }

    /// Whether a finding is accepted; marks its entry as found.
    pub(super) fn mark_found(&mut self, finding: &Diagnostic) -> bool {
        if self.left.is_empty() {
            return false;
        }
        let print = fingerprint(finding);
        if !counts(finding) {
            self.following.push(print);
            return false;
        }
        self.mark_one_found(&print)
    }

    /// Marks the entries of consequences as found, after those of their root causes.
    pub(super) fn mark_consequences_found(&mut self) {
        for print in std::mem::take(&mut self.following) {
            self.mark_one_found(&print);
        }
    }

    fn mark_one_found(&mut self, print: &str) -> bool {
        let known = self.left.get_mut(print).filter(|known| known.count > 0);
        known.map(|known| known.count -= 1).is_some()
    }
}

/// Whether a finding belongs in a baseline: a consequence only if OpenVINO fails because of it, a finding about an unused
/// ignore never.
fn counts(finding: &Diagnostic) -> bool {
    let stands_alone = finding.consequence_of.is_none() || strength(finding).0 > 0;
    stands_alone && finding.severity != Severity::Off && finding.rule != &UNUSED_IGNORE
}

/// Makes an absolute path relative to an absolute folder, with forward slashes.
fn relative(path: &Path, folder: &Path) -> String {
    let common = path.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    path_text(&up.chain(path.components().skip(common)).collect::<PathBuf>())
}

fn one() -> usize {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_one(count: &usize) -> bool {
    *count == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Cause, FindingId};
    use crate::policy::catalogue::find;

    #[test]
    fn paths_are_seen_from_the_baseline() {
        let seen = |path: &str, folder: &str| relative(Path::new(path), Path::new(folder));
        assert_eq!(seen("/a/b/c.xml", "/a"), "b/c.xml");
        assert_eq!(seen("/a/b/c.xml", "/a/x/y"), "../../b/c.xml");
    }

    #[test]
    fn other_files_are_no_baselines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.json");
        for (text, wanted) in [
            ("{", "this is not a baseline: line 1, column 1: not JSON"),
            ("1", "this is not a baseline: line 1, column 1: not as in a baseline"),
            ("{}", "this is not a baseline: line 1, column 2: not as in a baseline"),
            (
                "{\"version\":1,\"models\":{}}",
                "this baseline has version 1, but ovlint needs version 2; use `--write-baseline FILE` to rewrite it",
            ),
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(Baseline::read(&path), Err(format!("{}: {wanted}", path.display())));
        }
        Baseline::new(&path).write().unwrap();
        assert_eq!(Baseline::read(&path), Ok(Baseline::new(&path)));
    }

    #[test]
    fn known_findings_are_counted() {
        let finding = Diagnostic::new(find("no-results").unwrap(), Span::default(), "no Result");
        let path = Path::new("demo.xml");
        let mut baseline = Baseline::new(Path::new("known.json"));
        baseline.add(path, &[finding.clone(), finding.clone()]);
        assert_eq!((baseline.len(), baseline.models()), (2, 1));
        let mut expected = baseline.of(path);
        assert!(expected.mark_found(&finding));
        let unused = baseline.unused(&expected, |_| true).unwrap();
        assert_eq!(unused.message, "1 finding in `known.json` is gone".into());
        assert!(baseline.unused(&expected, |rule| rule != "no-results").is_none());
        assert!(expected.mark_found(&finding) && !expected.mark_found(&finding));
        assert!(baseline.unused(&expected, |_| true).is_none());
        assert!(!baseline.of(Path::new("other.xml")).mark_found(&finding));
    }

    #[test]
    fn what_follows_from_another_finding_is_not_gone() {
        let of = |name: &str| Diagnostic::new(find(name).unwrap(), Span::default(), name);
        let (root, mut other) = (of("no-results"), of("unused-parameter"));
        let path = Path::new("demo.xml");
        let mut baseline = Baseline::new(Path::new("known.json"));
        baseline.add(path, &[root.clone(), other.clone()]);
        other.consequence_of = Some(Cause { finding: FindingId::nth(0), layer: "".into() });
        let mut expected = baseline.of(path);
        assert!(!expected.mark_found(&other) && expected.mark_found(&root));
        assert_eq!(baseline.unused(&expected, |_| true).unwrap().message, "1 finding in `known.json` is gone".into());
        expected.mark_consequences_found();
        assert!(baseline.unused(&expected, |_| true).is_none());
    }
}
