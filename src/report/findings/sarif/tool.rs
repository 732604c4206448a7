//! The description of ovlint and of its rules in a SARIF report.

use crate::diagnostic::{Rule, Severity};
use crate::policy::catalogue::RULES;
use crate::report::home::{repository, rule_page};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    information_uri: Option<&'static str>,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    name: String,
    short_description: Message<'static>,
    full_description: Message<'static>,
    help: Message<'static>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
    default_configuration: Configuration,
    properties: Properties,
}

/// A text, with a Markdown version if it contains Markdown.
#[derive(Serialize)]
pub(super) struct Message<'a> {
    pub(super) text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) markdown: Option<&'a str>,
}

#[derive(Serialize)]
struct Configuration {
    enabled: bool,
    level: &'static str,
}

#[derive(Serialize)]
struct Properties {
    tags: Vec<&'static str>,
    /// The usual reaction of OpenVINO.
    runtime: &'static str,
}

pub(super) fn tool() -> Tool {
    Tool {
        driver: Driver {
            name: env!("CARGO_PKG_NAME"),
            semantic_version: env!("CARGO_PKG_VERSION"),
            information_uri: repository(),
            rules: RULES.iter().map(|rule| descriptor(rule)).collect(),
        },
    }
}

fn descriptor(rule: &Rule) -> Descriptor {
    let plain = |text| Message { text, markdown: None };
    let fixable = rule.fix.map(|_| "fixable");
    Descriptor {
        id: rule.name,
        name: pascal_case(rule.name),
        short_description: plain(rule.summary),
        full_description: plain(rule.summary),
        help: Message { text: rule.explain, markdown: Some(rule.explain) },
        help_uri: rule_page(rule.name),
        default_configuration: Configuration { enabled: !rule.is_opt_in, level: level(rule.severity) },
        properties: Properties {
            tags: std::iter::once(rule.group.name()).chain(fixable).collect(),
            runtime: rule.runtime.name(),
        },
    }
}

/// The level of a severity; SARIF has no "info".
pub(super) fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Off => "note",
    }
}

/// Converts `declared-shape` to `DeclaredShape`.
fn pascal_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for word in name.split('-') {
        let mut letters = word.chars();
        out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out
}
