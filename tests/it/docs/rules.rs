//! `docs/rules.md`: one table of all rules, and a section for each with what its first sample shows.

use super::assert_written;
use ovlint::diagnostic::{Applicability, Group, Rule, Runtime};
use ovlint::rules::RULES;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Rules that one might look for here, and why there are none.
const NONE: &[(&str, &str)] = &[
    (
        "basename-mismatch",
        "weights under another name are only read where `--weights` names them, and then the user knows; without the flag \
         `weights-file-missing` lists the `.bin` files beside the model",
    ),
    (
        "deprecated-op",
        "current converters write older revisions on purpose (Squeeze of opset1, not of opset15), OpenVINO reads them all, and \
         nobody who has the file can do anything about it",
    ),
    ("duplicate-output-name", "part of `duplicate-tensor-name`: names in `names` and in `output_names` collide alike"),
    ("unmodelled-op", "every operation of every opset has a model here, so no file could show it"),
    (
        "weightless-cache-range",
        "`WeightlessCacheAttribute` is read from compiled blobs only; in a file, OpenVINO replaces it, whatever it says",
    ),
];

#[test]
fn the_page_of_rules_is_up_to_date() {
    assert_written("docs/rules.md", &page());
}

fn page() -> String {
    let mut text = format!(
        "# Rules\n\n\
         {} rules. *OpenVINO* is what 2026.4 does with such a file: rejects it, misleads (rejects it with a message that points\n\
         elsewhere) or accepts it without a word. A rule that is *off* is computed only when it is asked for by\n\
         `--extend-select RULE`.\n\n\
         | rule | severity | OpenVINO | fix | summary |\n|---|---|---|---|---|\n",
        RULES.len()
    );
    for rule in RULES {
        let severity = if rule.is_opt_in { "off" } else { rule.severity.name() };
        let (name, runtime, fix) = (rule.name, rule.runtime.name(), fix(rule));
        let _ = writeln!(text, "| [`{name}`](#{name}) | {severity} | {runtime} | {fix} | {} |", rule.summary);
    }
    let mut groups: Vec<Group> = RULES.iter().map(|rule| rule.group).collect();
    groups.sort();
    groups.dedup();
    for group in groups {
        let _ = write!(text, "\n## Group {}\n", group.name());
        RULES.iter().filter(|rule| rule.group == group).for_each(|rule| section(rule, &mut text));
    }
    text.push_str("\n## No rules\n\n");
    for (name, why) in NONE {
        let _ = writeln!(text, "- `{name}`: {why}.");
    }
    text
}

fn section(rule: &Rule, text: &mut String) {
    let off = if rule.is_opt_in { ", off unless it is asked for" } else { "" };
    let runtime = match rule.runtime {
        Runtime::Rejects => "OpenVINO rejects the file.",
        Runtime::Misleads => "OpenVINO rejects the file with a message that points elsewhere.",
        Runtime::Accepts => "OpenVINO accepts the file without a word.",
        Runtime::None => "OpenVINO does not meet the situation.",
    };
    let severity = rule.severity.name();
    let _ = write!(
        text,
        "\n### {}\n\n{} ({severity}{off}). {runtime}\n\n{}\n",
        rule.name,
        capital(rule.summary),
        rule.explain
    );
    let Some(sample) = sample(rule.name) else { return };
    let read = |name: &str| fs::read_to_string(sample.join(name)).unwrap();
    let (command, shown) = (read("cmd"), read("expected.txt"));
    let shown: Vec<&str> = shown.lines().filter(|line| !line.starts_with("exit code ")).collect();
    let (command, shown) = (command.lines().next().unwrap_or_default(), shown.join("\n"));
    let _ = write!(text, "\n```\n$ ovlint {command}\n{}\n```\n", shown.trim_end());
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().into_iter().flat_map(char::to_uppercase).chain(characters).collect()
}

/// The first sample of a rule.
fn sample(rule: &str) -> Option<PathBuf> {
    let folder = Path::new("ir-samples/bad").join(rule);
    if folder.join("cmd").is_file() {
        return Some(folder);
    }
    let mut inner: Vec<PathBuf> = fs::read_dir(folder).ok()?.map(|entry| entry.unwrap().path()).collect();
    inner.sort();
    inner.into_iter().find(|folder| folder.join("cmd").is_file())
}

fn fix(rule: &Rule) -> &'static str {
    match rule.fix {
        Some(Applicability::Safe) => "safe",
        Some(Applicability::Unsafe) => "unsafe",
        None => "",
    }
}
