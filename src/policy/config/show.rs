//! The settings as the text of a configuration, for `--show-settings`.

use crate::policy::catalogue::RULES;
use crate::policy::contract::{Contract, Wanted};
use crate::policy::{FileGlobs, Ignore, Link, NameGlob, PerFile, Settings};
use crate::remote::named;
use crate::text::escape::first_unsafe;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use toml::Value;

impl Settings {
    /// Formats all settings, with the severity of every rule, as a configuration.
    pub fn show(&self) -> String {
        let mut out = Out::default();
        out.line("profile", word(self.selection.profile));
        out.text("target", self.target.as_ref());
        out.line("fail-on", word(self.fail_on));
        out.globs("include", self.include.as_ref());
        out.globs("exclude", self.exclude.as_ref());
        out.text("extension-ops", self.extension_ops.as_ref().map(|stated| stated.path().display()));
        out.text("baseline", self.baseline.as_ref().map(|known| known.path().display()));
        out.line("assume", self.assume);
        out.list("for", self.recipes.iter().map(ToString::to_string));
        out.table("rules");
        for rule in RULES {
            out.line(rule.name, quoted(self.selection.severity_of(rule).name()));
        }
        self.per_file.iter().for_each(|entry| out.per_file(entry));
        self.ignores.iter().for_each(|entry| out.ignore(entry));
        self.contracts.iter().for_each(|entry| out.contract(entry));
        self.links.iter().for_each(|entry| out.link(entry));
        out.text
    }
}

#[derive(Default)]
struct Out {
    text: String,
}

impl Out {
    fn line(&mut self, key: &str, value: impl Display) {
        let _ = writeln!(self.text, "{key} = {value}");
    }

    fn text(&mut self, key: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.line(key, quoted(value));
        }
    }

    fn table(&mut self, name: &str) {
        let _ = writeln!(self.text, "\n[{name}]");
    }

    fn list(&mut self, key: &str, values: impl Iterator<Item = String>) {
        let values: Vec<String> = values.map(quoted).collect();
        if !values.is_empty() {
            self.line(key, format!("[{}]", values.join(", ")));
        }
    }

    fn globs(&mut self, key: &str, globs: Option<&FileGlobs>) {
        self.list(key, globs.into_iter().flat_map(FileGlobs::patterns).cloned());
    }

    fn files(&mut self, globs: &FileGlobs) {
        self.text("files", globs.patterns().first());
    }

    fn per_file(&mut self, entry: &PerFile) {
        self.table("[per-file]");
        self.files(&entry.files);
        self.list("allow-extensions", entry.extensions.iter().map(|glob| glob.pattern().to_owned()));
        self.text("weights", entry.weights.as_deref().map(named));
        self.list("for", entry.recipes.iter().map(ToString::to_string));
        for (selector, severity) in &entry.severities {
            self.line(&format!("rules.{selector}"), quoted(severity.name()));
        }
    }

    fn ignore(&mut self, entry: &Ignore) {
        self.table("[ignore]");
        let rules: Vec<String> = entry.rules.iter().map(ToString::to_string).collect();
        self.line("rule", quoted(rules.join(",")));
        entry.files.iter().for_each(|globs| self.files(globs));
        self.text("layer", entry.layer.as_ref().map(NameGlob::pattern));
        self.text("body", entry.body.as_ref().map(NameGlob::pattern));
        self.line("reason", quoted(&entry.reason));
    }

    fn contract(&mut self, entry: &Contract) {
        self.table("[contract]");
        self.files(&entry.files);
        self.ports("inputs", entry.inputs.as_ref());
        self.ports("outputs", entry.outputs.as_ref());
        self.list("forbid-ops", entry.forbidden.iter().map(ToString::to_string));
        entry.max_layers.iter().for_each(|most| self.line("max-layers", most));
        self.text("max-bin-size", entry.max_bin_size.as_ref());
        self.text("max-xml-size", entry.max_xml_size.as_ref());
    }

    fn link(&mut self, entry: &Link) {
        self.table("[link]");
        for (key, end) in [("from", &entry.from), ("to", &entry.to)] {
            let file = end.files.patterns().first().map_or("", String::as_str);
            self.line(key, quoted(format!("{file}:{}", end.tensor)));
        }
    }

    fn ports(&mut self, side: &str, ports: Option<&BTreeMap<String, Wanted>>) {
        match ports {
            Some(ports) if ports.is_empty() => self.line(side, "{}"),
            ports => ports.into_iter().flatten().for_each(|(name, wanted)| {
                self.line(&format!("{side}.{}", quoted(name)), quoted(wanted));
            }),
        }
    }
}

/// Quotes a string on one line; characters that are unsafe to print become escapes such as `\U0000202e`.
fn quoted(text: impl Display) -> String {
    let text = text.to_string();
    if first_unsafe(&text).is_none() {
        return Value::String(text).to_string();
    }
    let (mut out, mut rest) = (String::from('"'), text.as_str());
    let push = |out: &mut String, text: &str| out.push_str(&text.replace('\\', "\\\\").replace('"', "\\\""));
    while let Some((at, character)) = first_unsafe(rest) {
        let (before, spelled) = rest.split_at(at);
        push(&mut out, before);
        let _ = write!(out, "\\U{:08x}", u32::from(character));
        rest = spelled.get(character.len_utf8()..).unwrap_or_default();
    }
    push(&mut out, rest);
    out.push('"');
    out
}

/// The configuration word of an enum value.
fn word(value: impl Serialize) -> String {
    Value::try_from(value).map_or(String::new(), |value| value.to_string())
}
