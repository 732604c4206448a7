//! Baselines: the findings that a project starts with, by fingerprints that survive a new export.

use super::globs::absolute;
use super::rules::UNUSED_IGNORE;
use super::wording::plain;
use crate::atomic;
use crate::atomic::Existing;
use crate::diagnostic::{Diagnostic, Severity, Text, fingerprint, fingerprint_by_name, strength};
use crate::input;
use crate::limits::TEXT_FILE;
use crate::remote::is_remote;
use crate::source::Span;
use crate::text::path_text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The findings that are known, per file. Paths are kept relative to the folder of the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    /// How it is shown.
    path: PathBuf,
    folder: PathBuf,
    version: u32,
    models: BTreeMap<String, Vec<Known>>,
}

/// Findings with the same fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    fingerprint: String,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    count: usize,
    /// Their message and layer, for readers of the file.
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

/// The version whose fingerprints are over names as they are; only a file that has it keeps it when it is pruned.
const BY_NAME: u32 = 1;

impl Baseline {
    /// An empty baseline that belongs to a path.
    pub fn new(path: &Path) -> Self {
        let folder = absolute(path).parent().map(Path::to_owned).unwrap_or_default();
        Self { path: path.to_owned(), folder, version: VERSION, models: BTreeMap::new() }
    }

    /// Reads a baseline.
    pub fn read(path: &Path) -> Result<Self, String> {
        let fail = |reason: String| format!("{}: {reason}", path.display());
        let text = input::read_text(path, TEXT_FILE).map_err(|error| fail(error.to_string()))?;
        let file: File = serde_json::from_str(&text).map_err(|error| fail(wrong(&error)))?;
        if !(BY_NAME..=VERSION).contains(&file.version) {
            return Err(fail(format!("version {} of baselines is not known, only 1 to {VERSION}", file.version)));
        }
        Ok(Self { version: file.version, models: file.models, ..Self::new(path) })
    }

    /// Adds the findings of a file; those that follow from others are known with them, unless OpenVINO fails for them.
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

    /// The number of findings.
    pub fn len(&self) -> usize {
        self.models.values().flatten().map(|known| known.count).sum()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.models.is_empty()
    }

    /// The number of files with findings.
    pub fn models(&self) -> usize {
        self.models.len()
    }

    /// Writes it to its path. An existing baseline is replaced; any other file is not.
    ///
    /// # Errors
    /// If there is another file, or the operating system refuses.
    pub fn write(&self) -> Result<(), String> {
        let fail = |reason: String| format!("{}: {reason}", self.path.display());
        let file = File { version: self.version, models: self.models.clone() };
        let text = serde_json::to_string_pretty(&file).map_err(|error| fail(error.to_string()))?;
        if self.path.metadata().is_ok_and(|old| old.is_file() && old.len() > 0) {
            Self::read(&self.path)?;
        }
        atomic::write(&self.path, Existing::Replace, (text + "\n").as_bytes()).map_err(|error| fail(error.to_string()))
    }

    /// The known findings of a file.
    pub(super) fn of(&self, path: &Path) -> Expected {
        let known = self.models.get(&self.key(path)).into_iter().flatten();
        Expected {
            left: known.map(|known| (known.fingerprint.clone(), known.clone())).collect(),
            following: Vec::new(),
            print: if self.version == BY_NAME { fingerprint_by_name } else { fingerprint },
        }
    }

    /// The finding about entries that are gone; `counts` says whether a rule counts in this run.
    pub(super) fn unused(&self, left: &Expected, counts: impl Fn(&str) -> bool) -> Option<Diagnostic> {
        let rule_of = |known: &Known| known.fingerprint.split('/').next().is_some_and(&counts);
        let gone: Vec<&Known> = left.left.values().filter(|known| known.count > 0 && rule_of(known)).collect();
        let count: usize = gone.iter().map(|known| known.count).sum();
        let (noun, verb) = if count == 1 { ("finding", "is") } else { ("findings", "are") };
        let message = format!("{count} {noun} of `{}` {verb} gone", path_text(&self.path));
        let finding =
            gone.iter().take(8).fold(Diagnostic::new(&UNUSED_IGNORE, Span::default(), message), |finding, known| {
                let rule = known.fingerprint.split('/').next().unwrap_or_default();
                let layer = known.layer.as_ref().map(|layer| format!(" on `{layer}`")).unwrap_or_default();
                finding.note(known.message.clone().after(&format!("{rule}{layer}: ")))
            });
        let more = gone.len().saturating_sub(8);
        let finding = if more > 0 { finding.note(format!("and {more} more")) } else { finding };
        (count > 0).then(|| finding.help("remove them with `--prune`, or regenerate it with `--write-baseline FILE`"))
    }

    /// The models that are no longer there.
    fn gone(&self) -> Vec<String> {
        // A path from a root, which could name another host, is none that was written here.
        let is_ours = |key: &Path| !is_remote(key) && !key.has_root();
        let is_gone = |key: &&String| is_ours(Path::new(key)) && !self.folder.join(key).exists();
        self.models.keys().filter(is_gone).cloned().collect()
    }

    /// The finding about models that are no longer there.
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

    /// Removes these findings of a file.
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

    /// Removes models that are no longer there, and says how many.
    pub fn remove_gone(&mut self) -> usize {
        let gone = self.gone();
        self.models.retain(|key, _| !gone.contains(key));
        gone.len()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn key(&self, path: &Path) -> String {
        let path = absolute(path);
        if is_remote(&path) { path_text(&path) } else { relative(&path, &self.folder) }
    }
}

/// The known findings of one file that are not found yet, by fingerprint.
#[derive(Debug)]
pub(super) struct Expected {
    left: BTreeMap<String, Known>,
    /// The fingerprints of what follows from other findings: the baseline may list it one by one.
    following: Vec<String>,
    /// The fingerprint of the version of the baseline.
    print: fn(&Diagnostic) -> String,
}

impl Expected {
    /// Those that were not found, of rules that count in this run.
    pub(super) fn gone(&self, counts: impl Fn(&str) -> bool) -> Vec<(String, usize)> {
        let is_left = |known: &&Known| known.count > 0 && known.fingerprint.split('/').next().is_some_and(&counts);
        self.left.values().filter(is_left).map(|known| (known.fingerprint.clone(), known.count)).collect()
    }

    /// Whether a finding is known; it is then found.
    pub(super) fn take(&mut self, finding: &Diagnostic) -> bool {
        if self.left.is_empty() {
            return false;
        }
        let print = (self.print)(finding);
        if !counts(finding) {
            self.following.push(print);
            return false;
        }
        self.take_one(&print)
    }

    /// Takes what follows from other findings, once those are taken: it is not gone.
    pub(super) fn take_following(&mut self) {
        for print in std::mem::take(&mut self.following) {
            self.take_one(&print);
        }
    }

    fn take_one(&mut self, print: &str) -> bool {
        let known = self.left.get_mut(print).filter(|known| known.count > 0);
        known.map(|known| known.count -= 1).is_some()
    }
}

/// Whether a finding belongs in a baseline: what follows from another one does if OpenVINO fails for it; findings about
/// ignores do not.
fn counts(finding: &Diagnostic) -> bool {
    let stands_alone = finding.consequence_of.is_none() || strength(finding).0 > 0;
    stands_alone && finding.severity != Severity::Off && finding.rule != &UNUSED_IGNORE
}

/// A path seen from a folder, with forward slashes. Both must be absolute.
fn relative(path: &Path, folder: &Path) -> String {
    let common = path.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    path_text(&up.chain(path.components().skip(common)).collect::<PathBuf>())
}

/// Why a text is not a baseline.
fn wrong(error: &serde_json::Error) -> String {
    let (line, column, message) = (error.line(), error.column(), error.to_string());
    let place = format!(" at line {line} column {column}");
    let message = plain(message.strip_suffix(&place).unwrap_or(&message));
    format!("this is not a baseline: line {line}, column {column}: {message}")
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
        let reason = |text: &str| wrong(&serde_json::from_str::<File>(text).err().unwrap());
        for (text, wanted) in [
            ("1", "column 1: `1` is a number, wanted a table"),
            ("{}", "column 2: `version` is missing"),
            ("{\"version\": \"1\"}", "column 15: \"1\" is a string, wanted an integer >= 0"),
            ("{\"version\": 1, \"models\": []}", "column 25: this is a list, wanted a table"),
        ] {
            assert_eq!(reason(text), format!("this is not a baseline: line 1, {wanted}"));
        }
    }

    #[test]
    fn known_findings_are_counted() {
        let finding = Diagnostic::new(find("no-results").unwrap(), Span::default(), "no Result");
        let path = Path::new("demo.xml");
        let mut baseline = Baseline::new(Path::new("known.json"));
        baseline.add(path, &[finding.clone(), finding.clone()]);
        assert_eq!((baseline.len(), baseline.models()), (2, 1));
        let mut expected = baseline.of(path);
        assert!(expected.take(&finding));
        let unused = baseline.unused(&expected, |_| true).unwrap();
        assert_eq!(unused.message, "1 finding of `known.json` is gone".into());
        assert!(baseline.unused(&expected, |rule| rule != "no-results").is_none());
        assert!(expected.take(&finding) && !expected.take(&finding));
        assert!(baseline.unused(&expected, |_| true).is_none());
        assert!(!baseline.of(Path::new("other.xml")).take(&finding));
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
        assert!(!expected.take(&other) && expected.take(&root));
        assert_eq!(baseline.unused(&expected, |_| true).unwrap().message, "1 finding of `known.json` is gone".into());
        expected.take_following();
        assert!(baseline.unused(&expected, |_| true).is_none());
    }
}
