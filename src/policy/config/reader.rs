//! The reader that turns the text of a configuration into settings, with the line of every problem.

use super::entries::{ContractEntry, File, IgnoreEntry, PerFileEntry, Pyproject, Severities, Text};
use crate::diagnostic::Severity;
use crate::input::{self, Bounds, stays_below};
use crate::limits::TEXT_FILE;
use crate::ops::extension::ExtensionOps;
use crate::policy::contract::{Contract, OpPattern, Size, Wanted};
use crate::policy::globs::{FileGlobs, NameGlob, from_here};
use crate::policy::wording::plain;
use crate::policy::{Baseline, Ignore, Link, NeededGlob, PerFile, Profile, Selection, Selector, Settings};
use crate::recipe::Chosen;
use crate::remote::named;
use crate::source::{Position, Source, Span};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, IntoDeserializer};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use toml::Spanned;

/// A configuration that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {message}", path.display(), place.map(|at| format!(":{}:{}", at.line, at.column)).unwrap_or_default())]
pub struct ConfigError {
    /// The file.
    pub path: PathBuf,
    /// The line and column; `None` if the error is about the whole file.
    pub place: Option<Position>,
    /// The problem.
    pub message: String,
}

impl ConfigError {
    /// An error about the whole file.
    pub(super) fn unusable(path: &Path, reason: impl Display) -> Self {
        Self { path: path.to_owned(), place: None, message: reason.to_string() }
    }

    /// An error about a part of the text.
    pub(super) fn at(path: &Path, text: &str, part: Range<usize>, reason: impl Display) -> Self {
        let source = Source::new(path, text.as_bytes().to_vec());
        let place = Some(source.position(Span::new(part.start, part.end).start));
        Self { path: path.to_owned(), place, message: reason.to_string() }
    }
}

/// The text of a configuration, with the paths it refers to.
pub(super) struct Reader<'a> {
    pub path: &'a Path,
    pub text: &'a str,
    /// The folder that globs are relative to.
    pub folder: &'a Path,
    /// The folder that named files must lie in; `None` for a configuration that the user trusts.
    pub bounds: Option<&'a Bounds>,
}

impl Reader<'_> {
    /// Reads the settings; `None` if a `pyproject.toml` has none.
    pub(super) fn settings(&self, is_pyproject: bool) -> Result<Option<Settings>, ConfigError> {
        let file = if is_pyproject {
            toml::from_str::<Pyproject>(self.text).map(|file| file.tool.and_then(|tool| tool.ovlint))
        } else {
            toml::from_str::<File>(self.text).map(Some)
        };
        let file = file.map_err(|error| self.fail(error.span().unwrap_or_default(), plain(error.message())))?;
        file.map(|file| self.check(file)).transpose()
    }

    fn check(&self, file: File) -> Result<Settings, ConfigError> {
        let needed_globs = file.include.iter().map(|glob| ("include", glob));
        let needed_globs = needed_globs.chain(file.per_file.iter().map(|entry| ("[[per-file]]", &entry.files)));
        let needed_globs = needed_globs.chain(file.contract.iter().map(|entry| ("[[contract]]", &entry.files)));
        let mut globs = needed_globs.map(|(key, glob)| self.needed(key, glob)).collect::<Result<Vec<_>, _>>()?;
        let links = self.links(&file.link)?;
        globs.extend(links.iter().flat_map(Link::needed));
        let selection = Selection {
            profile: file.profile.map(|profile| self.word(&profile)).transpose()?.unwrap_or_default(),
            configured: self.severities(file.rules)?,
            ..Selection::default()
        };
        Ok(Settings {
            globs,
            links,
            is_narrowed: selection.profile == Profile::Runtime,
            selection,
            fail_on: file.fail_on.map(|level| self.word(&level)).transpose()?.unwrap_or_default(),
            target: file.target.map(|target| self.read(&target)).transpose()?,
            recipes: self.recipes(&file.recipes)?,
            include: self.files(&file.include)?,
            exclude: self.files(&file.exclude)?,
            extension_ops: file.extension_ops.map(|path| self.extension_ops(&path)).transpose()?,
            baseline: file.baseline.map(|path| self.baseline(&path)).transpose()?,
            assume: file.assume,
            per_file: file.per_file.into_iter().map(|entry| self.per_file(entry)).collect::<Result<_, _>>()?,
            ignores: file.ignore.into_iter().map(|entry| self.ignore(entry)).collect::<Result<_, _>>()?,
            contracts: file.contract.into_iter().map(|entry| self.contract(entry)).collect::<Result<_, _>>()?,
            ..Settings::default()
        })
    }

    /// Reads the `extension-ops` file at a path relative to the configuration.
    fn extension_ops(&self, path: &Text) -> Result<ExtensionOps, ConfigError> {
        self.may_name("extension-ops", path.span(), path.as_ref())?;
        let file = self.path.parent().unwrap_or(Path::new("")).join(path.as_ref());
        let text = input::read_text(&file, TEXT_FILE);
        let text = text.map_err(|error| self.fail(path.span(), format!("cannot read {}: {error}", file.display())))?;
        ExtensionOps::parse(&file, &text)
    }

    /// Reads the baseline at a path relative to the configuration.
    fn baseline(&self, path: &Text) -> Result<Arc<Baseline>, ConfigError> {
        self.may_name("baseline", path.span(), path.as_ref())?;
        let file = self.path.parent().unwrap_or(Path::new("")).join(path.as_ref());
        Baseline::read(&file).map(Arc::new).map_err(|why| self.fail(path.span(), why))
    }

    fn per_file(&self, entry: PerFileEntry) -> Result<PerFile, ConfigError> {
        Ok(PerFile {
            files: self.file(&entry.files)?,
            severities: self.severities(entry.rules)?,
            extensions: self.names(&entry.allow_extensions)?,
            weights: entry.weights.map(|weights| self.weights(weights)).transpose()?,
            recipes: self.recipes(&entry.recipes)?,
        })
    }

    fn weights(&self, text: Text) -> Result<String, ConfigError> {
        if text.as_ref().is_empty() {
            return Err(self.fail(text.span(), "`weights` is empty; write a file, \"skip\" or \"auto\""));
        }
        self.may_name("weights", text.span(), text.as_ref())?;
        Ok(text.into_inner())
    }

    /// Fails if a configuration that the user did not name refers to a file outside of its folder.
    fn may_name(&self, key: &str, span: Range<usize>, file: &str) -> Result<(), ConfigError> {
        let Some(bounds) = self.bounds else { return Ok(()) };
        let folder = self.path.parent().unwrap_or(Path::new(""));
        if stays_below(file) && bounds.holds(&folder.join(file)).map_err(|error| self.fail(span.clone(), error))? {
            return Ok(());
        }
        let file = named(file);
        let wanted = "wanted a file below this folder; `--config FILE` trusts a configuration";
        Err(self.fail(span, format!("`{key}` names `{file}`, {wanted}")))
    }

    fn ignore(&self, entry: Spanned<IgnoreEntry>) -> Result<Ignore, ConfigError> {
        let span = entry.span();
        let entry = entry.into_inner();
        if entry.reason.trim().is_empty() {
            return Err(self.fail(span, "an [[ignore]] needs a `reason`"));
        }
        let rules = entry.rule.as_ref().split(',').map(|name| name.trim().parse::<Selector>());
        let rules = rules.collect::<Result<_, _>>().map_err(|unknown| self.fail(entry.rule.span(), unknown))?;
        let name = |text: &Option<Text>| text.as_ref().map(|text| self.name(text)).transpose();
        Ok(Ignore {
            rules,
            files: entry.files.as_ref().map(|files| self.file(files)).transpose()?,
            layer: name(&entry.layer)?,
            body: name(&entry.body)?,
            reason: entry.reason,
            span: Span::new(span.start, span.end),
        })
    }

    fn contract(&self, entry: ContractEntry) -> Result<Contract, ConfigError> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Contract {
            place: (name, self.line(entry.files.span().start)),
            files: self.file(&entry.files)?,
            inputs: entry.inputs.map(|ports| self.ports(ports)).transpose()?,
            outputs: entry.outputs.map(|ports| self.ports(ports)).transpose()?,
            forbidden: entry.forbid_ops.iter().map(|op| self.read::<OpPattern>(op)).collect::<Result<_, _>>()?,
            max_layers: entry.max_layers,
            max_bin_size: entry.max_bin_size.map(|size| self.read::<Size>(&size)).transpose()?,
            max_xml_size: entry.max_xml_size.map(|size| self.read::<Size>(&size)).transpose()?,
        })
    }

    fn ports(&self, ports: BTreeMap<String, Text>) -> Result<BTreeMap<String, Wanted>, ConfigError> {
        let port = |(name, text): (String, Text)| {
            let mut wanted: Wanted = self.read(&text)?;
            wanted.line = self.line(text.span().start);
            Ok((name, wanted))
        };
        ports.into_iter().map(port).collect()
    }

    fn line(&self, at: usize) -> u32 {
        let before = self.text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count();
        u32::try_from(before).map_or(u32::MAX, |lines| lines.saturating_add(1))
    }

    fn severities(&self, rules: Severities) -> Result<Vec<(Selector, Severity)>, ConfigError> {
        rules.into_iter().map(|(name, severity)| Ok((self.read(&name)?, self.word(&severity)?))).collect()
    }

    fn file(&self, glob: &Text) -> Result<FileGlobs, ConfigError> {
        FileGlobs::new(self.folder, &[glob.as_ref()]).map_err(|error| self.fail(glob.span(), error))
    }

    /// Reads a glob that should match a file.
    fn needed(&self, key: &'static str, glob: &Text) -> Result<NeededGlob, ConfigError> {
        let span = glob.span();
        Ok(NeededGlob { key, files: self.file(glob)?, span: Span::new(span.start, span.end) })
    }

    fn files(&self, globs: &[Text]) -> Result<Option<FileGlobs>, ConfigError> {
        for glob in globs {
            self.file(glob)?; // Only single globs show which one is wrong.
        }
        let all: Vec<&String> = globs.iter().map(AsRef::as_ref).collect();
        let bad = |error: String| self.fail(Range::default(), error);
        (!all.is_empty()).then(|| FileGlobs::new(self.folder, &all).map_err(bad)).transpose()
    }

    fn name(&self, glob: &Text) -> Result<NameGlob, ConfigError> {
        NameGlob::new(glob.as_ref()).map_err(|error| self.fail(glob.span(), error))
    }

    fn recipes(&self, names: &[Text]) -> Result<Vec<Chosen>, ConfigError> {
        let recipe = |name: &Text| {
            let chosen = self.read::<Chosen>(name)?;
            let file = chosen.file.as_deref().and_then(Path::to_str);
            file.map_or(Ok(()), |file| self.may_name("for", name.span(), file))?;
            let bounds = self.bounds.map(|_| Bounds::around(self.folder));
            let asked_in = Some((from_here(self.path), self.line(name.span().start)));
            Ok(Chosen { bounds, asked_in, ..chosen.within(self.folder) })
        };
        names.iter().map(recipe).collect()
    }

    fn names(&self, globs: &[Text]) -> Result<Vec<NameGlob>, ConfigError> {
        globs.iter().map(|glob| self.name(glob)).collect()
    }

    fn read<T: FromStr<Err: Display>>(&self, text: &Text) -> Result<T, ConfigError> {
        text.as_ref().parse().map_err(|error: T::Err| self.fail(text.span(), error))
    }

    /// Reads one of several words.
    fn word<T: DeserializeOwned>(&self, text: &Text) -> Result<T, ConfigError> {
        let word: StrDeserializer<'_, toml::de::Error> = text.as_ref().as_str().into_deserializer();
        T::deserialize(word).map_err(|error| self.fail(text.span(), plain(error.message())))
    }

    pub(super) fn fail(&self, span: Range<usize>, message: impl Display) -> ConfigError {
        ConfigError::at(self.path, self.text, span, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings, String> {
        let reader = Reader { path: Path::new("ovlint.toml"), text, folder: Path::new("/a"), bounds: None };
        reader.settings(false).map(Option::unwrap).map_err(|error| error.to_string())
    }

    #[test]
    fn whatever_is_wrong_has_a_line_and_a_suggestion() {
        for (text, message) in [
            ("fail_on = 'error'", "1:1: unknown key `fail_on`; did you mean `fail-on`?"),
            (
                "\nzzz = 1",
                "2:1: unknown key `zzz`; known are profile, target, fail-on, include, exclude, extension-ops, baseline, assume, for, rules, per-file, ignore, contract, link",
            ),
            ("fail-on = 'warn'", "1:11: unknown value `warn`; did you mean `warning`?"),
            ("[rules]\nshape = 'off'", "2:1: there is no rule or group `shape`; did you mean `shapes`?"),
            ("[rules]\nshapes = 'warn'", "2:10: unknown value `warn`; did you mean `warning`?"),
            ("target = 2024.6", "1:10: `2024.6` is a number, wanted a string: \"2024.6\""),
            ("target = 'latest'", "1:10: `latest` is not a release of OpenVINO such as 2024.6"),
            ("include = ['a[']", "1:12: `a[` is not a glob: unclosed character class; missing ']'"),
            ("[[ignore]]\nrule = 'cycle'", "1:1: `reason` is missing"),
            ("[[per-file]]\nfiles = '*'\nweights = ''", "3:11: `weights` is empty; write a file, \"skip\" or \"auto\""),
            ("[[ignore]]\nrule = 'cycle'\nreason = ' '", "1:1: an [[ignore]] needs a `reason`"),
            (
                "[[ignore]]\nrule = 'cycle'\nreason = 'x'\nlayers = 'x'",
                "4:1: unknown key `layers`; did you mean `layer`?",
            ),
            (
                "[[contract]]\nfiles = '*'\ninputs.x = 'f32[1'",
                "3:12: `f32[1` is not a type and a shape such as `f32[1,3,?,?]`",
            ),
            ("[[contract]]\nfiles = '*'\nmax-bin-size = '1 lb'", "3:16: `1 lb` is not a size such as 120MB"),
            ("profile = 1", "1:11: `1` is a number, wanted a string: \"1\""),
            ("include = 'x'", "1:11: \"x\" is a string, wanted a list"),
            ("rules = 1979-05-27", "1:9: this is a date, wanted a table"),
            ("ignore = ['x']", "1:11: \"x\" is a string, wanted a table: [[ignore]] with `rule` and `reason`"),
            ("[ignore]\nrule = 'x'", "1:1: this is a table, wanted a list; a list of tables is written [[name]]"),
            ("[[contract]]\nfiles = '*'\nmax-layers = -1", "3:14: `-1` is a number, wanted an integer >= 0"),
            ("for = ['genia']", "1:8: there is no recipe `genia`; did you mean `genai`?"),
            ("[rules", "1:7: unclosed table, expected `]`"),
        ] {
            assert_eq!(read(text).unwrap_err(), format!("ovlint.toml:{message}"), "{text}");
        }
    }

    /// Tries every key with every kind of value: no message may contain the words of the parser.
    #[test]
    fn errors_name_the_kind_of_value_that_is_wanted() {
        let keys =
            |table: &str, keys: &str| -> Vec<String> { keys.split(' ').map(|key| format!("{table}{key}")).collect() };
        let all = [
            keys("", "profile target fail-on include exclude extension-ops for rules per-file ignore contract"),
            keys("[[per-file]]\n", "files rules allow-extensions weights for"),
            keys("[[ignore]]\n", "rule files layer body reason"),
            keys("[[contract]]\n", "files inputs outputs forbid-ops max-layers max-bin-size max-xml-size"),
        ];
        let values = "1 1.5 -1 true 'x' ['x'] [1] [[1]] {} {a=1} {a='x'} 1979-05-27 [{}] [{a=1}]";
        let foreign = [
            "expected", "invalid", "struct", "Entry", "sequence", "variant", "field", "usize", "map", "spanned", "$",
            "element",
        ];
        for key in all.iter().flatten() {
            for value in values.split(' ') {
                let text = format!("{key} = {value}");
                let message = read(&text).err().unwrap_or_default();
                let word = foreign.iter().find(|word| message.contains(**word));
                assert_eq!(word, None, "{text}: {message}");
            }
        }
    }

    #[test]
    fn the_template_is_a_configuration_with_and_without_its_comments() {
        read(super::super::TEMPLATE).unwrap();
        let all = super::super::TEMPLATE.lines().map(|line| line.strip_prefix("# ").unwrap_or(line));
        let is_key = |line: &&str| line.starts_with('[') || (line.contains(" = ") && !line.starts_with(' '));
        // These files do not exist.
        let is_file = |line: &&str| line.starts_with("extension-ops") || line.starts_with("baseline");
        let keys: Vec<&str> = all.filter(is_key).filter(|line| !is_file(line)).collect();
        let settings = read(&keys.join("\n")).unwrap();
        assert_eq!((settings.ignores.len(), settings.contracts.len(), settings.per_file.len()), (1, 1, 1));
        assert_eq!(settings.links.len(), 1);
        assert_eq!(settings.target, "2024.6".parse().ok());
    }
}
