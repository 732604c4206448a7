//! `ovlint explain`: rules, operations, and the rules that find the cause of a message of OpenVINO.

mod message;

use super::show::{width, width_of_lines};
use super::subject::print_json;
use super::{Run, answer, shown};
use clap::{Args, ValueEnum};
use ovlint::internal::diagnostic::{Applicability, Rule};
use ovlint::internal::ops::revisions::named;
use ovlint::internal::ops::similar_name;
use ovlint::internal::policy::Selector;
use ovlint::internal::policy::catalogue::{RULES, explained, find};
use ovlint::internal::report::document::of_all;
use ovlint::internal::report::hang;
use ovlint::internal::report::views::operations::{self, Operations};
use ovlint::internal::text::{did_you_mean, nearest};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// Rule or operation to explain, group of rules to list, or message of OpenVINO (`-` reads it from stdin); by default all
    /// rules are listed
    name: Option<String>,
    /// Model (.xml) that OpenVINO rejects with this message; ovlint looks for the cause in it
    model: Option<PathBuf>,
    /// Explain every rule
    #[arg(long, conflicts_with_all = ["name", "model", "format"])]
    all: bool,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table of rules, the page of a rule or an operation, or the answer to a message
    Text,
    /// A JSON list of rules, or one JSON object about an operation or a message
    Json,
}

pub(crate) fn explain(args: &ExplainArgs) -> Run {
    let (rules, is_page) = match args.name.as_deref().map(str::parse) {
        None => (RULES.to_vec(), args.all),
        Some(Ok(Selector::Rule(rule))) => (vec![rule], true),
        Some(Ok(selector)) => (RULES.iter().copied().filter(|rule| selector.covers(rule)).collect(), false),
        Some(Err(unknown)) => return operation(args, unknown),
    };
    if let (Some(name), Some(model)) = (&args.name, &args.model) {
        let check = format!("`ovlint check {} --select {name}`", shown(model));
        return Err(format!(
            "a model can only be passed with a message of OpenVINO, and `{name}` is none; did you mean {check}?"
        ));
    }
    match args.format {
        Format::Json => print_json(json(&rules)),
        Format::Text if is_page => Ok(answer(&rules.iter().map(|rule| page(rule)).collect::<Vec<_>>().join("\n"))),
        Format::Text => Ok(answer(&table(&rules))),
    }
}

/// Explains an operation or a message; `no_rule` is the error for a name that is none of them.
fn operation(args: &ExplainArgs, no_rule: String) -> Run {
    let name = args.name.as_deref().unwrap_or_default();
    let revisions = named(name);
    if revisions.is_empty() {
        let rule = || nearest(name, RULES.iter().map(|rule| rule.name));
        let is_nearer = |operation| rule().is_none_or(|rule| nearest(name, [rule, operation]) == Some(operation));
        let is_named = name.starts_with(|first: char| first.is_ascii_uppercase());
        let no_operation = similar_name(name).filter(|operation| is_named || is_nearer(operation));
        let error = no_operation.map(|near| format!("there is no operation `{name}`{}", did_you_mean(Some(near))));
        return message::explain(args, error.unwrap_or(no_rule));
    }
    if args.model.is_some() {
        return Err(format!("a model can only be passed with a message of OpenVINO, and `{name}` is an operation"));
    }
    match args.format {
        Format::Json => print_json(of_all(&Operations::of(&revisions))),
        Format::Text => Ok(answer(&operations::text(&revisions, width().min(PAGE)))),
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
    serde_json::to_string_pretty(&entries(rules))
}

fn entries(rules: &[&Rule]) -> Vec<Entry> {
    let entry = |rule: &&Rule| Entry {
        name: rule.name,
        group: rule.group.name(),
        severity: rule.severity.name(),
        opt_in: rule.is_opt_in,
        runtime: rule.runtime.name(),
        fix: rule.fix,
        summary: rule.summary,
    };
    rules.iter().map(entry).collect()
}
