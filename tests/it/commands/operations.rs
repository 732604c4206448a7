//! `ovlint generate operations` and `ovlint explain OPERATION`: the specifications that check files, as data and for people.

use crate::program::{code, ovlint, root, utf8};
use ovlint::internal::ops::{CATEGORIES, Kind, Missing, OpSpec, operations};
use serde_json::{Value, json};

/// Stdout of a run that succeeds.
fn stdout(arguments: &[&str]) -> String {
    let out = ovlint(&root(), arguments.iter().copied());
    assert_eq!((code(&out), utf8(&out.stderr).as_str()), (0, ""), "{arguments:?}");
    utf8(&out.stdout)
}

fn all() -> Vec<Value> {
    let document: Value = serde_json::from_str(&stdout(&["generate", "operations"])).unwrap();
    document["operations"].as_array().unwrap().clone()
}

/// The revision that an object is about.
fn spec(object: &Value) -> &'static OpSpec {
    let is = |spec: &&OpSpec| object["name"] == spec.name && object["opset"] == spec.opset;
    operations().find(is).unwrap_or_else(|| panic!("{object}"))
}

#[test]
fn every_revision_is_there_once() {
    let found: Vec<(Value, Value, Value)> =
        all().iter().map(|one| (one["name"].clone(), one["opset"].clone(), one["last_opset"].clone())).collect();
    let wanted: Vec<_> = operations().map(|spec| (spec.name.into(), spec.opset.into(), spec.last().into())).collect();
    assert_eq!(found, wanted);
    assert_eq!(found.len(), 245);
}

#[test]
fn the_objects_hold_the_specifications() {
    for object in all() {
        let spec = spec(&object);
        let names = |list: &Value| -> Vec<String> {
            list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(names(&object["inputs"]), spec.inputs.iter().map(|input| input.name).collect::<Vec<_>>());
        assert_eq!(names(&object["attributes"]), spec.attrs.iter().map(|attr| attr.name).collect::<Vec<_>>());
        for (one, attr) in object["attributes"].as_array().unwrap().iter().zip(spec.attrs) {
            let default = attr.missing.text().map_or(Value::Null, Value::from);
            assert_eq!(one["default"], default, "{object}");
            assert_eq!(one["without"] == "default", matches!(attr.missing, Missing::Default(_)), "{object}");
            if let Kind::Choice(words) | Kind::Word(words) = attr.kind {
                assert_eq!(one["values"], json!(words), "{object}");
            }
            if let Kind::Int(min, _) | Kind::Ints(min, _) = attr.kind {
                assert_eq!(one["min"].as_i64().unwrap_or(i64::MIN), min, "{object}");
            }
        }
        for (one, input) in object["inputs"].as_array().unwrap().iter().zip(spec.inputs) {
            assert_eq!([&one["optional"], &one["variadic"]], [input.optional, input.variadic]);
            assert_eq!(one["decides"] == "shape", input.reads_value);
        }
        let category = CATEGORIES.iter().find(|category| object["category"] == category.name).unwrap();
        assert!(category.operations.iter().any(|one| std::ptr::eq(*one, spec)), "{object}");
        assert!(object["url"].as_str().unwrap().starts_with("https://docs.openvino.ai/"), "{object}");
    }
}

#[test]
fn releases_and_devices_are_those_of_findings() {
    let all = all();
    let find = |name: &str| all.iter().rfind(|one| one["name"] == name).unwrap();
    assert_eq!(find("Split")["since"], "2020.1");
    assert_eq!(find("RGBtoNV12")["since"], "2026.4");
    assert_eq!(find("Split")["not_on"], json!([]));
    assert_eq!(find("Col2Im")["not_on"], json!([{"device": "GPU", "until": "2025.0"}, {"device": "NPU"}]));
    assert_eq!(find("BitwiseNot")["not_on"], json!([{"device": "GPU", "until": "2026.4", "except": ["boolean"]}]));
    assert_eq!(find("TopK")["outputs"], json!({"decided_by": "operation", "count": 2, "names": ["values", "indices"]}));
    assert_eq!(find("Split")["outputs"], json!({"decided_by": "attribute", "attribute": "num_splits"}));
}

#[test]
fn a_page_shows_an_operation() {
    let page = "\
Split: cuts a tensor into equal parts along one axis

opset1 to opset16, since OpenVINO 2020.1
inputs
  data  any type
  axis  integer, nf4, string; scalar; its value decides the output shapes
attributes
  num_splits  integer, 1 or more; required
outputs: as many as `num_splits` says
example
  data        f32[6,12]
  axis        i64[] = 1
  num_splits  3
  gives       f32[6,4], f32[6,4], f32[6,4]
rules
  split-not-divisible  the dimension does not divide into equal parts
https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/movement/split-1.html
";
    for name in ["Split", "split", "SPLIT", "Split-1", "opset13.Split", "opset1::Split"] {
        assert_eq!(stdout(&["explain", name]), page, "{name}");
    }
}

#[test]
fn a_page_shows_every_revision_or_the_one_in_an_opset() {
    let pages = ["Interpolate", "Interpolate-4"].map(|name| stdout(&["explain", name]));
    let heads =
        pages.map(|page| page.lines().filter(|line| line.starts_with("opset")).map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(heads[0].len(), 3);
    assert_eq!(heads[1], ["opset4 to opset10, since OpenVINO 2021.1"]);
    let json = stdout(&["explain", "Interpolate", "--format", "json"]);
    let wanted: Vec<Value> = all().into_iter().filter(|one| one["name"] == "Interpolate").collect();
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), json!({"schema_version": "1", "operations": wanted}));
}

#[test]
fn names_that_are_no_operation_have_a_hint() {
    for (arguments, wanted) in [
        (&["Spilt"] as &[&str], "there is no operation `Spilt`; did you mean `Split`?"),
        (&["SiLU"], "there is no operation `SiLU`; did you mean `Swish`?"),
        (&["splt"], "there is no operation `splt`; did you mean `Split`?"),
        (&["spilt"], "there is no operation `spilt`; did you mean `Split`?"),
        (&["split-lengths-sun"], "there is no rule or group `split-lengths-sun`; did you mean `split-lengths-sum`?"),
        (&["Frobnicate"], "there is no rule or group `Frobnicate`; `ovlint explain` lists all"),
        (&["Split-17"], "there is no operation `Split-17`; did you mean `Split`?"),
        (
            &["Split", "models/split.xml"],
            "a model can only be passed with a message of OpenVINO, and `Split` is an operation",
        ),
    ] {
        let out = ovlint(&root(), ["explain"].into_iter().chain(arguments.iter().copied()));
        assert_eq!((code(&out), utf8(&out.stderr)), (2, format!("ovlint: {wanted}\n")), "{arguments:?}");
    }
}

/// The first line of the file of an operation says what its summary does.
#[test]
fn summaries_are_those_of_the_sources() {
    let mut held = 0;
    for entry in ignore::Walk::new("src/ops").map(Result::unwrap).filter(|entry| entry.path().is_file()) {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let Some((name, summary)) = text.lines().next().and_then(|line| line.strip_prefix("//! `")?.split_once("`: "))
        else {
            continue;
        };
        for spec in operations().filter(|spec| spec.name == name) {
            assert_eq!(format!("{}.", spec.summary()), summary, "{name}");
            held += 1;
        }
    }
    assert!(held > 150, "{held}");
}
