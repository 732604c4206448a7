//! Single operations as OpenVINO 2026.4.1 infers them: 15,492 measured vectors.
//!
//! `OVLINT_PROBES=Split,Gather cargo test probes -- --nocapture` prints every disagreement of these operations.

use flate2::read::GzDecoder;
use ovlint::limits::Limits;
use ovlint::ops::apply::Call;
use ovlint::ops::attribute::{AttrValue, read};
use ovlint::ops::spec::Kind;
use ovlint::ops::{Meaning, meaning};
use ovlint::types::{Bounds, ElementType, Fact, PartialShape, Value};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};

/// How an answer stands to the measured one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Exact,
    Tighter,
    Looser,
    Wrong,
    Missed,
    FalseAlarm,
}

const DYNAMIC: &str = "what is dynamic to us may have a type by the time OpenVINO asks";

/// Disagreements on purpose: operation, a part of the probe's text, why.
const DOCUMENTED: &[(&str, &str, &str)] = &[
    ("BGRtoNV12", r#""in0:d..""#, "OpenVINO divides an unbounded length to a bounded one"),
    ("CTCLoss", r#"=dynamic""#, DYNAMIC),
    ("Col2Im", r#"=dynamic""#, DYNAMIC),
    ("DetectionOutput", r#"=dynamic""#, DYNAMIC),
    ("GroupConvolutionBackpropData", r#"{"param":"i64","shape":"..."}"#, "OpenVINO drops spatial dimensions"),
    ("GroupConvolutionBackpropData", r#"{"param":"i64","shape":"[2..3]"}"#, "OpenVINO drops spatial dimensions"),
    ("I420toBGR", r#""in0:d..""#, "OpenVINO divides an unbounded length to a bounded one"),
    ("I420toRGB", r#""in0:d..""#, "OpenVINO divides an unbounded length to a bounded one"),
    ("IRDFT", r#""in2:"#, "OpenVINO forgets all axes but the last where sizes are unknown"),
    ("Interpolate", r#"=dynamic""#, DYNAMIC),
    ("LSTMCell", r#""in6:rank?""#, "OpenVINO reads a dimension of an unknown rank"),
    ("MatrixNms", r#"=dynamic""#, DYNAMIC),
    ("MulticlassNms", r#"=dynamic""#, DYNAMIC),
    ("MulticlassNms", r#""in1:rank?""#, "OpenVINO reads a dimension of an unknown rank"),
    ("NV12toBGR", r#""in0:d..""#, "OpenVINO divides an unbounded length to a bounded one"),
    ("NV12toRGB", r#""in0:d..""#, "OpenVINO divides an unbounded length to a bounded one"),
    ("NonMaxSuppression", r#""in1:rank?""#, "OpenVINO counts one class where the number of classes is unknown"),
    ("NonMaxSuppression", r#""in1:..d""#, "OpenVINO takes the upper bounds of scores for their lengths"),
    ("NonMaxSuppression", r#""in1.d0:itv""#, "OpenVINO takes the upper bounds of scores for their lengths"),
    ("NonMaxSuppression", r#""in1.d1:itv""#, "OpenVINO takes the upper bounds of scores for their lengths"),
    ("PSROIPooling", r#"=dynamic""#, DYNAMIC),
    ("Proposal", r#"=dynamic""#, DYNAMIC),
    ("RDFT", r#""in2:"#, "OpenVINO forgets all axes but the last where sizes are unknown"),
    ("RGBtoNV12", r#""in0:d..""#, "OpenVINO divides an unbounded length to a bounded one"),
    ("RGBtoNV12", "attr-missing single_plane", "measured with an output too many; OpenVINO loads it"),
    ("ROIAlign", r#"=dynamic""#, DYNAMIC),
    ("ROIAlignRotated", r#"=dynamic""#, DYNAMIC),
    ("ROIPooling", r#"=dynamic""#, DYNAMIC),
];

#[test]
fn probes_agree() {
    let only = std::env::var("OVLINT_PROBES").ok();
    let only: Option<Vec<&str>> = only.as_deref().map(|list| list.split(',').collect());
    let file = std::fs::File::open("tests/data/probes.jsonl.gz").unwrap();
    let mut table: BTreeMap<String, BTreeMap<Class, usize>> = BTreeMap::new();
    let mut bad = Vec::new();
    for line in BufReader::new(GzDecoder::new(file)).lines() {
        let probe: Json = serde_json::from_str(&line.unwrap()).unwrap();
        let name = probe["op"].as_str().unwrap();
        if only.as_ref().is_some_and(|only| !only.contains(&name)) {
            continue;
        }
        let version = probe["version"].as_str().unwrap();
        let Some((class, found)) = judge(name, version, &probe) else { continue };
        *table.entry(format!("{name} {version}")).or_default().entry(class).or_default() += 1;
        let documented = DOCUMENTED
            .iter()
            .any(|(op, part, _)| *op == name && format!("{} {}", probe["probe"], probe["inputs"]).contains(part));
        if class > Class::Tighter && !documented {
            bad.push(format!(
                "{class:?} {name} {version} {} {} {}\n    want {}\n    got  {found}",
                probe["probe"],
                probe["inputs"],
                probe["attrs"],
                probe.get("out").unwrap_or(&probe["err"])
            ));
        }
    }
    if only.is_some() {
        for (op, classes) in &table {
            println!("{op}: {classes:?}");
        }
    }
    assert!(bad.is_empty(), "{} probes disagree:\n{}", bad.len(), bad.join("\n"));
}

fn judge(name: &str, version: &str, probe: &Json) -> Option<(Class, String)> {
    let Meaning::Modelled(spec) = meaning(name, version) else { return None };
    let inputs: Vec<Fact> = probe["inputs"].as_array().unwrap().iter().map(fact).collect();
    let inputs: Vec<&Fact> = inputs.iter().collect();
    let attrs: Vec<(_, _)> = probe["attrs"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, text)| (name.as_str().into(), text.as_str().unwrap().into()))
        .collect();
    let call = Call { spec, inputs: &inputs, attrs: &attrs, declared_outputs: None, wants_values: true };
    let result = call.apply(&Limits::default());
    let errors: Vec<String> = result
        .faults
        .iter()
        .filter(|fault| fault.is_error())
        .map(|f| format!("{}: {}", f.rule.name, f.message))
        .collect();
    let Some(want) = probe["out"].as_array() else {
        let class = if errors.is_empty() { Class::Missed } else { Class::Exact };
        return Some((class, format!("{:?}", result.outputs)));
    };
    let Some(found) = result.outputs else {
        return Some((Class::FalseAlarm, errors.join("; ")));
    };
    let text = format!("{:?}", found.iter().map(|f| format!("{}{}", f.ty, f.shape)).collect::<Vec<_>>());
    // A layer may leave its last outputs unwired, so there can be more than were measured.
    let mut class = if found.len() < want.len() { Class::Missed } else { Class::Exact };
    for (want, found) in want.iter().zip(&found) {
        let want: Fact = want.as_str().unwrap().parse().unwrap();
        class = class.max(compare(&want, found));
    }
    Some((class, text))
}

fn compare(want: &Fact, found: &Fact) -> Class {
    if want.ty == found.ty && want.shape == found.shape {
        Class::Exact
    } else if bare(want).contains(&bare(found)) {
        Class::Tighter
    } else if bare(found).contains(&bare(want)) {
        Class::Looser
    } else {
        Class::Wrong
    }
}

fn bare(fact: &Fact) -> Fact {
    Fact::new(fact.ty, fact.shape.clone())
}

fn fact(input: &Json) -> Fact {
    if let Some(ty) = input["param"].as_str() {
        let Some(AttrValue::Shape(shape)) = read(Kind::Shape, input["shape"].as_str().unwrap()).unwrap().value else {
            panic!("{input} has no shape")
        };
        return Fact::new(ElementType::from_data_text(ty).unwrap(), shape);
    }
    let ty = ElementType::from_data_text(input["const"].as_str().unwrap()).unwrap();
    let lengths: Vec<i64> = input["shape"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect();
    let shape = PartialShape::exact(&lengths);
    let mut numbers = Vec::new();
    flatten(&input["value"], &mut numbers);
    let value = if ty.is_float() {
        Value::floats(&shape, numbers.iter().map(|n| Bounds::exact(*n)))
    } else {
        Value::integers(&shape, numbers.iter().map(|n| Bounds::exact(*n as i64)))
    };
    Fact::new(ty, shape).with_value(value)
}

fn flatten(value: &Json, into: &mut Vec<f64>) {
    match value {
        Json::Array(items) => items.iter().for_each(|item| flatten(item, into)),
        Json::Bool(flag) => into.push(f64::from(*flag)),
        Json::String(text) => into.push(text.parse().unwrap_or(0.0)),
        number => into.push(number.as_f64().unwrap()),
    }
}
