//! `ovlint explain RULE` and `ovlint rules`.

use super::show::{width, width_of_lines};
use super::{complain, exit, print};
use clap::{Args, ValueEnum};
use ovlint::internal::diagnostic::{Applicability, Rule};
use ovlint::internal::policy::catalogue::{RULES, explained, find};
use ovlint::internal::report::hang;
use ovlint::internal::text::{did_you_mean, nearest};
use serde::Serialize;
use std::fmt::Write;

#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// Name of the rule
    #[arg(required_unless_present = "all")]
    rule: Option<String>,
    /// Explain every rule
    #[arg(long, conflicts_with = "rule")]
    all: bool,
}

#[derive(Args)]
pub(crate) struct RulesArgs {
    /// Output format
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
        Some(name) => match rule_of(name) {
            Ok(rule) => vec![rule],
            Err(unknown) => {
                complain(&unknown);
                return exit::BROKEN;
            }
        },
    };
    let pages: Vec<String> = rules.iter().map(|rule| page(rule)).collect();
    print(&pages.join("\n"));
    exit::CLEAN
}

/// The rule of a name given on the command line.
pub(crate) fn rule_of(name: &str) -> Result<&'static Rule, String> {
    find(name).ok_or_else(|| {
        let near = nearest(name, RULES.iter().map(|rule| rule.name));
        format!("there is no rule `{name}`{}", did_you_mean(near))
    })
}

/// The columns of a page to read.
const PAGE: usize = 80;

fn page(rule: &Rule) -> String {
    let width = width().min(PAGE);
    let mut text = format!("{}\n", rule.name);
    for paragraph in explained(rule).split("\n\n") {
        let _ = writeln!(text, "\n{}", hang(paragraph.trim_end(), width, 0));
    }
    text
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    group: &'static str,
    severity: &'static str,
    opt_in: bool,
    runtime: &'static str,
    fix: Option<Applicability>,
    summary: &'static str,
}

pub(crate) fn rules(args: &RulesArgs) -> u8 {
    match args.format {
        Format::Table => {
            let (mut text, width) = (String::new(), width_of_lines());
            for rule in RULES {
                let (name, group) = (rule.name, rule.group.name());
                let severity = if rule.is_opt_in { "off" } else { rule.severity.name() };
                let line = format!("{name:<26} {severity:<8} {group:<11} {}", rule.summary);
                let _ = writeln!(text, "{}", hang(&line, width, 48));
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
                    opt_in: rule.is_opt_in,
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
