//! `ovlint explain RULE` and `ovlint rules`.

use super::{complain, exit, print};
use clap::{Args, ValueEnum};
use ovlint::diagnostic::{Applicability, Rule, Runtime};
use ovlint::rules::{RULES, find};
use serde::Serialize;
use std::fmt::Write;

#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// The rule's name
    #[arg(required_unless_present = "all")]
    rule: Option<String>,
    /// Every rule
    #[arg(long, conflicts_with = "rule")]
    all: bool,
}

#[derive(Args)]
pub(crate) struct RulesArgs {
    /// How the rules are written
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A table
    Table,
    /// A JSON list
    Json,
}

pub(crate) fn explain(args: &ExplainArgs) -> u8 {
    let rules: Vec<&Rule> = match &args.rule {
        None => RULES.to_vec(),
        Some(name) => {
            if let Some(rule) = find(name) {
                vec![rule]
            } else {
                let near = RULES
                    .iter()
                    .map(|rule| (strsim::jaro_winkler(name, rule.name), rule.name))
                    .max_by(|a, b| a.0.total_cmp(&b.0))
                    .map(|(_, near)| format!("; did you mean `{near}`?"))
                    .unwrap_or_default();
                complain(&format!("there is no rule `{name}`{near}"));
                return exit::BROKEN;
            }
        }
    };
    let pages: Vec<String> = rules.iter().map(|rule| page(rule)).collect();
    print(&pages.join("\n"));
    exit::CLEAN
}

fn page(rule: &Rule) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{} ({}, group {})", rule.name, rule.severity.name(), rule.group.name());
    let _ = writeln!(text, "{}\n", rule.summary);
    for paragraph in rule.explain.split("\n\n") {
        wrap(paragraph, &mut text);
        text.push('\n');
    }
    let _ = writeln!(text, "OpenVINO: {}", runtime(rule.runtime));
    let _ = writeln!(text, "Fix: {}", fix(rule.fix));
    text
}

fn runtime(runtime: Runtime) -> &'static str {
    match runtime {
        Runtime::Rejects => "rejects the file",
        Runtime::Misleads => "rejects the file with a message that points elsewhere",
        Runtime::Accepts => "accepts the file without a word",
        Runtime::None => "does not meet the situation",
    }
}

fn fix(fix: Option<Applicability>) -> &'static str {
    match fix {
        Some(Applicability::Safe) => "safe, touches only text that OpenVINO ignores",
        Some(Applicability::Unsafe) => "may change what runs, so it is never applied by itself",
        None => "none",
    }
}

/// A paragraph broken into lines of at most 80 columns.
fn wrap(paragraph: &str, text: &mut String) {
    let mut column = 0;
    for word in paragraph.split_whitespace() {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > 80 {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
    text.push('\n');
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    group: &'static str,
    severity: &'static str,
    runtime: &'static str,
    fix: Option<Applicability>,
    summary: &'static str,
}

pub(crate) fn rules(args: &RulesArgs) -> u8 {
    match args.format {
        Format::Table => {
            let mut text = String::new();
            for rule in RULES {
                let (name, severity, group) = (rule.name, rule.severity.name(), rule.group.name());
                let _ = writeln!(text, "{name:<26} {severity:<8} {group:<11} {}", rule.summary);
            }
            print(&text);
        }
        Format::Json => {
            let entries: Vec<Entry> = RULES
                .iter()
                .map(|rule| Entry {
                    name: rule.name,
                    group: rule.group.name(),
                    severity: rule.severity.name(),
                    runtime: rule.runtime.name(),
                    fix: rule.fix,
                    summary: rule.summary,
                })
                .collect();
            match serde_json::to_string_pretty(&entries) {
                Ok(text) => {
                    print(&(text + "\n"));
                }
                Err(error) => {
                    complain(&error.to_string());
                    return exit::BROKEN;
                }
            }
        }
    }
    exit::CLEAN
}
