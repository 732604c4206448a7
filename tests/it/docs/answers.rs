//! What the documents say of OpenVINO is in `tests/data/answers.toml`, of which `.ci/answers.py` asks OpenVINO.

use crate::samples::bad_samples::samples;
use ovlint::internal::diagnostic::Group;
use ovlint::internal::policy::catalogue::RULES;
use serde::Deserialize;
use std::collections::BTreeSet;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(rename = "answer")]
    answers: Vec<Answer>,
}

/// One row; the head of the file says what the fields are.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    page: String,
    says: String,
    model: Option<String>,
    #[serde(default)]
    edits: Vec<(String, String)>,
    #[serde(default)]
    steps: Vec<(String, String)>,
    by: Option<String>,
}

/// What `.ci/messages.py` and `.ci/old_releases.py` ask OpenVINO about each sample, and names of other things.
const ELSEWHERE: &[&str] = &[
    "OpenVINO 2026.4 rejects this file",
    "and newer reject this file",
    "OpenVINO 2026.4 reads this file",
    "compile_model would fail as well",
    "OpenVINO says: \"",
    "an OpenVINO IR",
];

fn answers() -> Vec<Answer> {
    toml::from_str::<Table>(&std::fs::read_to_string("tests/data/answers.toml").unwrap()).unwrap().answers
}

fn text_of(page: &str) -> String {
    let path = if page.contains('.') { page.to_owned() } else { format!("docs/rules/{page}.md") };
    std::fs::read_to_string(path).unwrap()
}

/// The sentences of a page, and the lines of the output that it quotes.
fn sentences(text: &str) -> Vec<&str> {
    let mut is_output = false;
    let mut found = Vec::new();
    for line in text.lines() {
        is_output ^= line.starts_with("```");
        if is_output {
            found.push(line);
        } else {
            found.extend(line.split(". "));
        }
    }
    found
}

#[test]
fn every_answer_stands_on_its_page() {
    for Answer { page, says, model, edits, steps, by } in answers() {
        assert!(text_of(&page).split_whitespace().collect::<Vec<_>>().join(" ").contains(&says), "{page}: {says}");
        assert_eq!((model.is_some(), by.is_some()), (!steps.is_empty(), steps.is_empty()), "{page}: {says}");
        let path = model.map(|model| format!("ir-samples/{model}")).or(by).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        for (old, _) in edits {
            assert!(text.contains(&old), "{path}: {old}");
        }
    }
}

#[test]
fn every_sentence_about_openvino_has_an_answer() {
    let answers = answers();
    let mut missing = Vec::new();
    // The pages of recipes and pipelines end with the sources that were read or measured.
    for rule in RULES.iter().filter(|rule| ![Group::Recipe, Group::Pipeline].contains(&rule.group)) {
        let text = text_of(rule.name);
        let verdict = text.lines().nth(4).unwrap();
        let rest = text.replacen(verdict, "", 1);
        let about = sentences(&rest).into_iter().filter(|sentence| is_about_openvino(sentence));
        let is_held = |said: &str| answers.iter().any(|row| row.page == rule.name && said.contains(&row.says));
        missing.extend(about.filter(|said| !is_held(said)).map(|said| format!("{}: {said}", rule.name)));
    }
    assert!(missing.is_empty(), "without a row in tests/data/answers.toml:\n{}", missing.join("\n"));
}

#[test]
fn every_finding_of_a_sample_about_openvino_has_an_answer() {
    let answers = answers();
    let mut missing = BTreeSet::new();
    for sample in samples() {
        let text = std::fs::read_to_string(sample.folder.join("expected.txt")).unwrap();
        let about = text.lines().filter(|line| is_about_openvino(line));
        missing.extend(about.filter(|line| !answers.iter().any(|row| line.contains(&row.says))).map(str::to_owned));
    }
    assert!(missing.is_empty(), "without a row in tests/data/answers.toml: {missing:#?}");
}

fn is_about_openvino(sentence: &str) -> bool {
    let is_named = ["OpenVINO", "plugin", "compile_model"].iter().any(|name| sentence.contains(name));
    is_named && !ELSEWHERE.iter().any(|held| sentence.contains(held))
}
