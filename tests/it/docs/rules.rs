//! `docs/rules.md`, a table of all rules, and a page for each of them with what its first sample shows.

use super::{assert_holds, assert_written, shell};
use crate::program::{ovlint, root};
use crate::samples::bad_samples::{WITHOUT_SAMPLE, samples};
use ovlint::internal::policy::catalogue::{RULES, explained};
use serde_json::Value;
use std::fmt::Write;

/// Rules that one might look for here, and why there are none.
const NONE: &[(&str, &str)] = &[
    (
        "basename-mismatch",
        "ovlint reads weights under another name only with `--weights FILE` or the key `weights`, a deliberate choice; \
         otherwise, `weights-file-missing` lists the `.bin` files beside the model",
    ),
    (
        "deprecated-op",
        "current converters write older revisions on purpose (Squeeze of opset1, not of opset15), and the \
         owner of the file cannot change that",
    ),
    (
        "duplicate-output-name",
        "part of `duplicate-tensor-name`, because names in `names` and in `output_names` collide in the same way",
    ),
    ("unmodelled-op", "ovlint models every operation of every opset, so no file could show it"),
];

#[test]
fn the_table_of_rules_is_what_the_program_lists() {
    let listed = ovlint(&root(), ["explain", "--format", "json"]).stdout;
    assert_written("docs/rules.md", &index(&serde_json::from_slice::<Vec<Value>>(&listed).unwrap()));
}

#[test]
fn every_rule_has_a_page() {
    for rule in RULES {
        let name = rule.name;
        if WITHOUT_SAMPLE.contains(&name) {
            assert_written(&format!("docs/rules/{name}.md"), &format!("# {name}\n\n{}", explained(rule)));
            continue;
        }
        let sample = samples().into_iter().find(|sample| sample.rule == name).unwrap();
        let folder = sample.folder.strip_prefix(root()).unwrap().display();
        let configuration = ["ovlint.toml", ".ovlint.toml", "pyproject.toml"]
            .into_iter()
            .find(|name| sample.folder.join(name).exists());
        let configuration = configuration.map(|name| format!("$ cat {name}\n")).unwrap_or_default();
        let arguments = sample.arguments().collect::<Vec<_>>().join(" ");
        let commands = format!("$ cd ir-samples/{folder}\n{configuration}$ ovlint {arguments}\n");
        let page = format!("# {name}\n\n{}\n## Example\n\n```console\n{commands}```\n", explained(rule));
        assert_written(&format!("docs/rules/{name}.md"), &shell::run(&page));
    }
    assert_holds("docs/rules", RULES.iter().map(|rule| rule.name));
}

fn index(rules: &[Value]) -> String {
    let mut text = format!(
        "# Rules\n\n\
         {} rules in groups. Flags and the configuration accept the names of rules and groups.\n\n\
         | column | shows |\n|---|---|\n\
         | severity | the severity of a finding by default. ovlint runs a rule that is *off* only if `--select`, `--severity`, \
         `--profile`, `--deep` or the configuration turns it on |\n\
         | OpenVINO | what OpenVINO 2026.4 usually does with such a file: it rejects the file, reads it but does not compile it \
         (not-compiled), or accepts it. If it does something else with your file, the finding says so. `none` marks a rule \
         that is not about OpenVINO |\n\
         | fix | `safe` if `--fix` can repair the problem; it does so only where the repair does not change the model. `unsafe` if only `--fix=all` repairs it |\n",
        rules.len()
    );
    for group in rules.chunk_by(|a, b| a["group"] == b["group"]) {
        let name = group[0]["group"].as_str().unwrap();
        let _ = write!(text, "\n## {name}\n\n| rule | severity | OpenVINO | fix | summary |\n|---|---|---|---|---|\n");
        for rule in group {
            let cell = |field: &str| rule[field].as_str().unwrap_or_default();
            let severity = if rule["opt_in"] == true { "off" } else { cell("severity") };
            let (name, runtime, fix, summary) = (cell("name"), cell("runtime"), cell("fix"), cell("summary"));
            let _ = writeln!(text, "| [`{name}`](rules/{name}.md) | {severity} | {runtime} | {fix} | {summary} |");
        }
    }
    text.push_str("\n## Rules that do not exist\n\nThese rules do not exist, for the following reasons:\n\n");
    for (name, why) in NONE {
        let _ = writeln!(text, "- `{name}`: {why}.");
    }
    text
}
