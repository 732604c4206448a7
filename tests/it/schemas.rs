//! What ovlint writes, held against the schemas that it publishes, over all samples.
//!
//! SARIF is held against `sarif.schema.json`, which describes the part of it that is written; with the official schema in
//! a file that `OVLINT_SARIF_SCHEMA` names, against that as well.

use crate::bad::{code, ovlint, root, utf8};
use jsonschema::Validator;
use serde_json::Value;
use std::fs;

/// Stdout of a run in the folder of the samples.
fn stdout(arguments: &[&str]) -> String {
    utf8(&ovlint(&root(), arguments.iter().copied()).stdout)
}

fn schema(name: &str) -> Value {
    serde_json::from_str(&stdout(&["schema", name])).unwrap()
}

fn validator(schema: &Value) -> Validator {
    jsonschema::options().should_validate_formats(true).build(schema).unwrap()
}

/// Says every fault of a document.
fn hold(validator: &Validator, document: &Value) {
    let faults: Vec<String> = validator
        .iter_errors(document)
        .take(10)
        .map(|fault| format!("{}: {}", fault.instance_path(), fault.to_string().chars().take(300).collect::<String>()))
        .collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Holds a JSON report against its schema.
pub(crate) fn follows_report_schema(report: &Value) {
    hold(&validator(&schema("report")), report);
}

/// The samples without faults and those of every rule.
const EVERYTHING: [&str; 3] = ["check", "bad", "models"];

#[test]
fn json_reports_follow_their_schema() {
    let schema = schema("report");
    let report: Value = serde_json::from_str(&stdout(&[&EVERYTHING[..], &["--format", "json"]].concat())).unwrap();
    hold(&validator(&schema), &report);
    assert!(!validator(&schema).is_valid(&serde_json::json!({"schema_version": "1"})));

    // A field that nobody described is noticed.
    let mut more = report.clone();
    more["summary"]["more"] = 1.into();
    assert!(!validator(&schema).is_valid(&more));

    let mut record = schema["$defs"]["finding"].clone();
    record["$defs"] = schema["$defs"].clone();
    let record = validator(&record);
    let lines = stdout(&[&EVERYTHING[..], &["--format", "ndjson"]].concat());
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in &lines {
        hold(&record, line);
    }
    let models = report["models"].as_array().unwrap().iter();
    let findings: Vec<&Value> = models.flat_map(|model| model["findings"].as_array().unwrap()).collect();
    assert!(lines.iter().eq(findings));
}

#[test]
fn empty_reports_follow_their_schema() {
    let folder = tempfile::tempdir().unwrap();
    let out = ovlint(folder.path(), ["check", ".", "--allow-empty", "--format", "json"]);
    assert_eq!(code(&out), 0);
    hold(&validator(&schema("report")), &serde_json::from_slice(&out.stdout).unwrap());
}

#[test]
fn shapes_follow_their_schema() {
    let (shapes, snapshot) = (validator(&schema("shapes")), validator(&schema("snapshot")));
    for model in models() {
        let document: Value = serde_json::from_str(&stdout(&["shapes", &model, "--format", "json"])).unwrap();
        hold(&shapes, &document);
        hold(&snapshot, &stdout(&["shapes", &model, "--format", "snapshot"]).into());
    }
    assert!(!snapshot.is_valid(&"# ovlint shapes v1\nmodel x\n\n".into()));
    let mut wrong: Value = serde_json::from_str(&stdout(&["shapes", "models/split.xml", "--format", "json"])).unwrap();
    wrong["layers"][0]["outputs"][0]["shape"] = "6,12".into();
    assert!(!shapes.is_valid(&wrong));
}

/// All sample models without faults.
fn models() -> Vec<String> {
    let entries = fs::read_dir(root().join("models")).unwrap().map(|entry| entry.unwrap().path());
    let names = entries.filter(|path| path.extension().is_some_and(|ending| ending == "xml"));
    let mut models: Vec<String> =
        names.map(|path| format!("models/{}", path.file_name().unwrap().to_str().unwrap())).collect();
    models.sort();
    assert!(models.len() > 5);
    models
}

#[test]
fn sarif_follows_its_schema() {
    let ours: Value = serde_json::from_str(include_str!("sarif.schema.json")).unwrap();
    let ours = validator(&ours);
    let official = std::env::var_os("OVLINT_SARIF_SCHEMA").map(|path| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        validator(&serde_json::from_str(&text).unwrap())
    });
    let empty = tempfile::tempdir().unwrap();
    let runs = [
        ovlint(&root(), [&EVERYTHING[..], &["--format", "sarif"]].concat()),
        ovlint(&root(), ["check", "no such file.xml", "models/split.xml", "--format", "sarif"]),
        ovlint(empty.path(), ["check", ".", "--allow-empty", "--format", "sarif"]),
    ];
    for run in runs {
        let document: Value = serde_json::from_slice(&run.stdout).unwrap();
        hold(&ours, &document);
        if let Some(official) = &official {
            hold(official, &document);
        }
        assert_eq!(document["runs"][0]["invocations"][0]["exitCode"], code(&run));
        let rules = &document["runs"][0]["tool"]["driver"]["rules"];
        for result in document["runs"][0]["results"].as_array().unwrap() {
            assert_eq!(rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()]["id"], result["ruleId"]);
        }
    }
}

#[test]
fn sarif_has_what_json_has() {
    let run = |format: &str| -> Value {
        serde_json::from_str(&stdout(&[&EVERYTHING[..], &["--format", format]].concat())).unwrap()
    };
    let (json, sarif) = (run("json"), run("sarif"));
    let models = json["models"].as_array().unwrap().iter();
    let findings: Vec<&Value> = models.flat_map(|model| model["findings"].as_array().unwrap()).collect();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), findings.len());
    for (finding, result) in findings.into_iter().zip(results) {
        assert_eq!(result["ruleId"], finding["rule"]);
        assert_eq!(result["properties"]["consequence_of"], finding["consequence_of"]);
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"], finding["range"]["start"]["line"]);
        assert_eq!(region["endColumn"], finding["range"]["end"]["column"]);
        let print = format!("{}/{}", result["ruleId"].as_str().unwrap(), {
            result["partialFingerprints"]["ovlint/v1"].as_str().unwrap()
        });
        assert_eq!(finding["fingerprint"], print);
    }
}
