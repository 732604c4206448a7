//! What ovlint writes, held against the schemas that it publishes, over all samples.
//!
//! SARIF is held against `sarif.schema.json`, which describes the part of it that is written; with the official schema in
//! a file that `OVLINT_SARIF_SCHEMA` names, against that as well.

mod config;
mod info_and_inspect;

use crate::commands::cost::{UNCOUNTED, cost, cost_of_a_body};
use crate::program::{code, copy_of, ovlint, root, utf8};
use jsonschema::Validator;
use ovlint::internal::policy::catalogue::RULES;
use serde_json::Value;
use std::fs;

/// Stdout of a run in the folder of the samples.
fn stdout(arguments: &[&str]) -> String {
    utf8(&ovlint(&root(), arguments.iter().copied()).stdout)
}

/// What a command prints as JSON.
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[arguments, &["--format", "json"]].concat())).unwrap()
}

fn schema(name: &str) -> Value {
    serde_json::from_str(&stdout(&["generate", "schema", name])).unwrap()
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

/// Fields that no sample shows: the project has no home yet.
const UNSEEN: &[&str] = &["url"];

/// Holds documents against a schema of which each field occurs in one of them.
fn shows(name: &str, documents: &[Value]) {
    let whole = schema(name);
    let all = validator(&whole);
    for document in documents {
        hold(&all, document);
    }
    let mut fields = Vec::new();
    described(&whole, "", &mut fields);
    assert!(fields.len() > 5);
    for (object, field) in fields.into_iter().filter(|(_, field)| !UNSEEN.contains(&field.as_str())) {
        let mut less = whole.clone();
        less.pointer_mut(&object).unwrap().as_object_mut().unwrap().remove(&field);
        let less = validator(&less);
        assert!(documents.iter().any(|document| !less.is_valid(document)), "no {name} shows {object}/{field}");
    }
}

/// The fields that a schema describes, by the path of what describes them.
fn described(schema: &Value, path: &str, fields: &mut Vec<(String, String)>) {
    for (key, inner) in schema.as_object().into_iter().flatten() {
        let path = format!("{path}/{key}");
        if key == "properties" {
            fields.extend(inner.as_object().unwrap().keys().map(|field| (path.clone(), field.clone())));
        }
        described(inner, &path, fields);
    }
}

/// Holds a JSON report against its schema.
pub(crate) fn follows_report_schema(report: &Value) {
    hold(&validator(&schema("report")), report);
}

/// The samples without faults and those of every rule.
const EVERYTHING: [&str; 3] = ["check", "bad", "models"];

#[test]
fn json_reports_follow_their_schema() {
    let (schema, report) = (schema("report"), json(&EVERYTHING));
    shows("report", &[report.clone(), repaired()]);
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

/// The report on a file that `--fix` changed.
fn repaired() -> Value {
    let folder = copy_of("bad/declared-shape/model.xml");
    let out = ovlint(folder.path(), ["check", "model.xml", "--fix", "--format", "json"]);
    serde_json::from_slice(&out.stdout).unwrap()
}

#[test]
fn empty_reports_follow_their_schema() {
    let folder = tempfile::tempdir().unwrap();
    let out = ovlint(folder.path(), ["check", "--files-from", "/dev/null", "--format", "json"]);
    assert_eq!(code(&out), 0);
    hold(&validator(&schema("report")), &serde_json::from_slice(&out.stdout).unwrap());
}

#[test]
fn shapes_follow_their_schema() {
    let (shapes, snapshot) = (validator(&schema("shapes")), validator(&schema("snapshot")));
    let mut all: Vec<Value> = models().iter().map(|model| json(&["shapes", model])).collect();
    all.push(json(&["shapes", "bad/split-lengths-sum/model.xml"]));
    all.push(json(&["shapes", "models/split.xml", "--weights", "skip"]));
    all.push(json(&["shapes", "models/kv_cache.xml", "--symbolic"]));
    shows("shapes", &all);
    for model in models() {
        hold(&snapshot, &stdout(&["shapes", &model, "--format", "snapshot"]).into());
    }
    assert!(!snapshot.is_valid(&"# ovlint shapes v2\nmodel x\n\n".into()));
    let mut wrong = json(&["shapes", "models/split.xml"]);
    wrong["layers"][0]["outputs"][0]["shape"] = "6,12".into();
    assert!(!shapes.is_valid(&wrong));
}

#[test]
fn inputs_follow_their_schema() {
    let mut all: Vec<Value> = models().iter().map(|model| json(&["inputs", model])).collect();
    let of = |model: &str, shapes: &str| json(&["inputs", model, "--shape", shapes]);
    all.push(of("models/feature_pyramid.xml", "[1,3,650,64]"));
    all.push(of("models/kv_cache.xml", "new_key[2,2,1,8]"));
    all.push(json(&["inputs", "bad/split-lengths-sum/model.xml"]));
    shows("inputs", &all);
}

#[test]
fn costs_follow_their_schema() {
    let mut all: Vec<Value> = models().iter().map(|model| json(&["cost", model])).collect();
    all.push(json(&["cost", "models/kv_cache.xml", "--shape", "new_key[2,2,1,8]"]));
    all.extend([cost_of_a_body(), cost(UNCOUNTED)]);
    shows("cost", &all);
}

#[test]
fn operations_follow_their_schema() {
    shows("operations", &[serde_json::from_str(&stdout(&["generate", "operations"])).unwrap()]);
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
        // The pattern of languages, of which none is written, has a bracket too many for some engines.
        validator(&serde_json::from_str(&text.replace("{2}]?$", "{2}?$")).unwrap())
    });
    let empty = tempfile::tempdir().unwrap();
    let runs = [
        ovlint(&root(), [&EVERYTHING[..], &["--format", "sarif"]].concat()),
        ovlint(&root(), ["check", "no such file.xml", "models/split.xml", "--format", "sarif"]),
        ovlint(empty.path(), ["check", "--files-from", "/dev/null", "--format", "sarif"]),
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
    let results: Vec<&Value> = results.iter().filter(|result| result["suppressions"].is_null()).collect();
    let roots: Vec<&Value> = findings.into_iter().filter(|finding| finding["cause"].is_null()).collect();
    assert_eq!(results.len(), roots.len());
    for (finding, result) in roots.into_iter().zip(&results) {
        assert_eq!(result["ruleId"], finding["rule"]);
        let properties = &result["properties"];
        assert_eq!(list(&properties["notes"]), list(&finding["notes"]));
        for field in ["label", "consequences", "declared", "inferred"] {
            assert_eq!(properties[field], finding[field], "{finding}");
        }
        assert_eq!(list(&properties["help"]).is_empty(), finding["help"].is_null());
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"], finding["range"]["start"]["line"]);
        assert_eq!(region["endColumn"], finding["range"]["end"]["column"]);
        let print = format!("{}/{}", result["ruleId"].as_str().unwrap(), {
            result["partialFingerprints"]["ovlint/v1"].as_str().unwrap()
        });
        assert_eq!(finding["fingerprint"], print);
        let [related, places] = [&finding["related"], &result["relatedLocations"]].map(|all| list(all).len());
        assert!(related <= places, "{finding}");
        assert!(places == related || finding["consequences"] != 0, "{finding}");
        let edits = list(&finding["fix"]["edits"]);
        let replacements = list(&result["fixes"][0]["artifactChanges"][0]["replacements"]);
        assert_eq!(edits.len(), replacements.len(), "{finding}");
        for (edit, replacement) in edits.iter().zip(replacements) {
            let region = &replacement["deletedRegion"];
            assert_eq!(
                (&region["byteOffset"], &replacement["insertedContent"]["text"]),
                (&edit["start"], &edit["text"])
            );
        }
    }
    let has = |field: &str| results.iter().filter(|result| !list(&result[field]).is_empty()).count();
    assert!(has("relatedLocations") > 50 && has("fixes") > 20);
    let rules = list(&sarif["runs"][0]["tool"]["driver"]["rules"]);
    for (listed, rule) in rules.iter().zip(RULES) {
        assert_eq!((&listed["id"], &listed["help"]["markdown"]), (&rule.name.into(), &rule.explain.into()));
        assert_eq!(listed["defaultConfiguration"]["enabled"], !rule.is_opt_in);
        assert_eq!(list(&listed["properties"]["tags"]).contains(&"fixable".into()), rule.fix.is_some());
    }
    assert_eq!(rules.len(), RULES.len());
}

/// The elements of an array, none where there is no array.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
