//! `ovlint explain`: the rules, one by one or in a table.

use super::show::{width, width_of_lines};
use super::subject::print_json;
use super::{Run, answer};
use clap::{Args, ValueEnum};
use ovlint::internal::diagnostic::{Applicability, Rule};
use ovlint::internal::policy::Selector;
use ovlint::internal::policy::catalogue::{RULES, explained, find};
use ovlint::internal::report::hang;
use ovlint::internal::text::{did_you_mean, nearest};
use serde::Serialize;
use std::fmt::Write;

#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// Rule to explain, or group of rules to list; by default all rules are listed
    name: Option<String>,
    /// Explain every rule
    #[arg(long, conflicts_with_all = ["name", "format"])]
    all: bool,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table of rules, or the page of one
    Text,
    /// A JSON list
    Json,
}

pub(crate) fn explain(args: &ExplainArgs) -> Run {
    let (rules, is_page) = match args.name.as_deref().map(str::parse) {
        None => (RULES.to_vec(), args.all),
        Some(Ok(Selector::Rule(rule))) => (vec![rule], true),
        Some(Ok(selector)) => (RULES.iter().copied().filter(|rule| selector.covers(rule)).collect(), false),
        Some(Err(unknown)) => return Err(unknown),
    };
    match args.format {
        Format::Json => print_json(json(&rules)),
        Format::Text if is_page => Ok(answer(&rules.iter().map(|rule| page(rule)).collect::<Vec<_>>().join("\n"))),
        Format::Text => Ok(answer(&table(&rules))),
    }
}

/// Finds the rule that the command line names.
pub(crate) fn rule_of(name: &str) -> Result<&'static Rule, String> {
    find(name).ok_or_else(|| {
        let near = nearest(name, RULES.iter().map(|rule| rule.name));
        format!("there is no rule `{name}`{}", did_you_mean(near))
    })
}

/// The width of a page in columns.
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

fn table(rules: &[&Rule]) -> String {
    let (mut text, width) = (String::new(), width_of_lines());
    for rule in rules {
        let (name, group) = (rule.name, rule.group.name());
        let severity = if rule.is_opt_in { "off" } else { rule.severity.name() };
        let line = format!("{name:<26} {severity:<8} {group:<11} {}", rule.summary);
        let _ = writeln!(text, "{}", hang(&line, width, 48));
    }
    text
}

fn json(rules: &[&Rule]) -> serde_json::Result<String> {
    let entry = |rule: &&Rule| Entry {
        name: rule.name,
        group: rule.group.name(),
        severity: rule.severity.name(),
        opt_in: rule.is_opt_in,
        runtime: rule.runtime.name(),
        fix: rule.fix,
        summary: rule.summary,
    };
    serde_json::to_string_pretty(&rules.iter().map(entry).collect::<Vec<_>>())
}
