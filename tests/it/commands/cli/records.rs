//! What every finding says in JSON.

use super::{DECLARED_SHAPE, run};
use crate::program::{findings, root};
use ovlint::internal::policy::catalogue::RULES;
use serde_json::Value;
use std::fs;

#[test]
fn json_has_the_fields_of_its_contract() {
    let (code, out, err) = run(&["check", DECLARED_SHAPE, "--format", "json"]);
    assert_eq!((code, err.as_str()), (1, ""));
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["schema_version"], "1");
    assert_eq!(report["tool"]["name"], "ovlint");
    assert_eq!(report["summary"]["errors"], 1);
    assert_eq!(report["models"][0]["path"], DECLARED_SHAPE);
    let found = &report["models"][0]["findings"][0];
    let wanted = serde_json::json!({
        "schema_version": "1", "rule": "declared-shape", "group": "declared", "severity": "error", "runtime": "accepts",
        "message": "declared dimension disagrees with the inferred shape: declared 5, inferred 4 (dim 1 of output port 3)",
        "file": DECLARED_SHAPE, "model": "split", "body": [],
        "layer": {"id": "2", "name": "split", "type": "Split", "version": "opset1", "line": 19},
        "port": {"dir": "output", "id": "3", "index": 1, "dim": 1},
        "declared": "f32[6,5]", "inferred": "f32[6,4]", "basis": "inferred", "chain": ["data:0"],
    });
    for (field, value) in wanted.as_object().unwrap() {
        assert_eq!(&found[field], value, "{field}");
    }
    // Places are bytes of the file: the number itself, and what the fix puts there.
    let text = fs::read_to_string(root().join(DECLARED_SHAPE)).unwrap();
    let byte = |place: &Value| usize::try_from(place.as_u64().unwrap()).unwrap();
    let range = &found["range"];
    assert_eq!(&text[byte(&range["start"]["byte"])..byte(&range["end"]["byte"])], "5");
    let line = text.lines().nth(byte(&range["start"]["line"]) - 1).unwrap();
    assert_eq!(&line[byte(&range["start"]["column"]) - 1..], "5</dim>");
    let edit = &found["fix"]["edits"][0];
    assert_eq!((&text[byte(&edit["start"])..byte(&edit["end"])], &edit["text"]), ("5", &Value::from("4")));
    assert_eq!(found["fix"]["applicability"], "safe");
    let related = found["related"].as_array().unwrap();
    let axis = related.iter().find(|place| place["layer"] == "axis").expect("the constant behind the axis");
    assert_eq!(axis["value"], serde_json::json!([1]));
    assert_eq!(axis["weights"]["offset"], 0);
    assert_eq!(axis["weights"]["size"], 8);
    assert_eq!(axis["weights"]["file"], "bad/declared-shape/model.bin");
    assert!(found["fingerprint"].as_str().unwrap().starts_with("declared-shape/"));
}

#[test]
fn every_json_record_says_what_and_where() {
    let found = findings(&root(), ["check", "bad"]);
    assert!(found.len() >= RULES.len());
    for record in found {
        for field in ["rule", "group", "severity", "runtime", "message", "file", "fingerprint"] {
            assert!(record[field].is_string(), "{field} of {record}");
        }
        assert!(record["related"].is_array() && record["body"].is_array() && record["chain"].is_array(), "{record}");
        let message = record["message"].as_str().unwrap();
        assert!(!message.ends_with('.'), "{message}");
        assert!(message.chars().count() <= 120, "{message}");
        let fix = &record["fix"];
        let known = ["safe", "unsafe"].iter().any(|known| fix["applicability"] == *known);
        assert!(fix.is_null() || (known && fix["edits"].is_array()), "{record}");
    }
}
