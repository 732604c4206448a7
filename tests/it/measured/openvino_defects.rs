//! The models in `ir-samples/openvino-defects`, on which OpenVINO fails: what this tool makes of them, and the page about them.
//!
//! `.ci/defects` asserts what OpenVINO makes of them.

use super::measurement::{facts, text_of};
use crate::docs::assert_written;
use crate::program::root;
use ovlint::{Analysis, Finding, Options, Severity};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

/// `defects.toml`, whose head says what the fields are.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    openvino: String,
    measured: String,
    #[serde(rename = "defect")]
    defects: Vec<Defect>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Defect {
    model: String,
    title: String,
    kind: String,
    steps: Vec<(String, String)>,
    wanted: String,
    ovlint: String,
    specification: String,
    source: Option<String>,
}

impl Defect {
    fn open(&self, options: &Options) -> Analysis {
        Analysis::open(folder().join(&self.model).with_extension("xml"), options).unwrap()
    }

    /// The shapes of the inputs in the last step, as for `--shape`, where it gives them other shapes.
    fn inputs(&self, analysis: &Analysis) -> Option<String> {
        let (step, _) = self.steps.last().unwrap();
        let (_, given) = step.split_once(": ")?;
        let outputs = analysis.outputs().filter(|output| output.layer().type_name() == "Parameter");
        let names = outputs.filter(|output| output.body().is_empty()).map(|output| output.layer().name().to_owned());
        let lengths = given.split("; ").map(|input| input.split_once('[').unwrap().1.split_once(']').unwrap().0);
        Some(names.zip(lengths).map(|(name, lengths)| format!("{name}[{lengths}]")).collect::<Vec<_>>().join(","))
    }
}

fn folder() -> PathBuf {
    root().join("openvino-defects")
}

fn table() -> Table {
    toml::from_str(&std::fs::read_to_string(folder().join("defects.toml")).unwrap()).unwrap()
}

/// What the last layer gives, or the rule of the first error.
fn answer(analysis: &Analysis) -> String {
    if let Some(error) = analysis.findings().find(|finding| finding.severity() == Severity::Error) {
        return named(&error);
    }
    let outputs: Vec<_> = analysis.outputs().filter(|output| output.body().is_empty()).collect();
    let last = outputs.last().unwrap().layer().id();
    text_of(outputs.iter().filter(|output| output.layer().id() == last).map(ToString::to_string))
}

/// `error` or `warning`, and the rule.
fn named(finding: &Finding) -> String {
    format!("{} {}", finding.severity().name(), finding.rule().name())
}

#[test]
fn each_model_has_an_entry() {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let models = files.filter(|path| path.extension().is_some_and(|ending| ending == "xml"));
    let models: BTreeSet<String> = models.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(models, table().defects.into_iter().map(|defect| defect.model).collect());
}

#[test]
fn ovlint_says_what_the_entries_say() {
    for defect in table().defects {
        let analysis = defect.open(&Options::new());
        let is_found = analysis.findings().any(|finding| named(&finding) == defect.ovlint);
        assert!(is_found || answer(&analysis) == defect.ovlint, "{}: {}", defect.model, answer(&analysis));
    }
}

/// At the inputs of the last step, too, where the model is valid and OpenVINO reads it.
#[test]
fn ovlint_infers_what_the_specification_gives() {
    let mut compared = 0;
    for defect in table().defects.iter().filter(|defect| defect.wanted != "error") {
        let mut options = Options::new();
        if let Some(shapes) = defect.inputs(&defect.open(&options)) {
            options = options.input_shapes(&shapes).unwrap();
        }
        let found = answer(&defect.open(&options));
        if found.starts_with("error") {
            assert_eq!(found, defect.ovlint, "{}", defect.model);
            continue;
        }
        let (wanted, found) = (facts(&defect.wanted).unwrap(), facts(&found).unwrap());
        let contains =
            wanted.len() == found.len() && found.iter().zip(&wanted).all(|(found, wanted)| found.contains(wanted));
        assert!(contains, "{}: {found:?}, wanted {wanted:?}", defect.model);
        compared += 1;
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn the_page_of_defects_is_up_to_date() {
    assert_written("docs/openvino-defects.md", &page(&table()));
}

fn page(table: &Table) -> String {
    let Table { openvino, measured, defects } = table;
    let mut text = format!(
        "# Defects of OpenVINO\n\n\
        This page lists faults of OpenVINO {openvino} that comparisons with ovlint revealed. They were measured on {measured}\n\
        with the OpenVINO package from PyPI on x86-64 with AVX-512. Each has a model of a few layers,\n\
        `ir-samples/openvino-defects/MODEL.xml`, and can be reported as it is.\n\
        `.ci/defects` runs every step again, each in its own process, and fails if a result differs;\n\
        `.ci/defects.py ir-samples/openvino-defects MODEL` runs the steps of one model. [Differences from\n\
        OpenVINO](differences.md) lists where ovlint and OpenVINO disagree on purpose.\n\n\
        Steps are `Core.read_model`, `Model.reshape` to the input shapes shown, `Core.compile_model` for CPU, and `InferRequest.infer` with\n\
        inputs full of ones, on two threads. *Expected* is the result that the specification requires in the last step.\n\n\
        | model | kind | defect |\n|---|---|---|\n"
    );
    for Defect { model, kind, title, .. } in defects {
        let _ = writeln!(text, "| [{model}](openvino-defects.md#{model}) | {kind} | {title} |");
    }
    for defect in defects {
        section(&mut text, defect);
    }
    text
}

fn section(text: &mut String, defect: &Defect) {
    let Defect { model, title, steps, wanted, specification, source, .. } = defect;
    let _ = write!(text, "\n## {model}\n\n{title}.\n\n| step | result |\n|---|---|\n");
    for (step, result) in steps {
        let step =
            step.split_once(": ").map_or_else(|| step.clone(), |(action, inputs)| format!("{action} `{inputs}`"));
        let _ = writeln!(text, "| {step} | `{result}` |");
    }
    let _ = writeln!(text, "| *expected* | `{wanted}` |");
    let analysis = defect.open(&Options::new());
    let ovlint = match analysis.findings().find(|finding| named(finding) == defect.ovlint) {
        Some(finding) => {
            format!("{0} [{1}](rules/{1}.md): {2}", finding.severity().name(), finding.rule().name(), finding.message())
        }
        None => format!("`{}`", answer(&analysis)),
    };
    let _ = writeln!(text, "| *ovlint* | {ovlint} |\n\n{specification}");
    if let Some(source) = source {
        let (_, name) = source.split_once('/').unwrap();
        let specifications =
            "https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs";
        let _ = writeln!(text, "[Specification of {name}]({specifications}/{source}.html).");
    }
}
