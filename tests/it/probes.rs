//! Single operations as OpenVINO 2026.4.1 infers them: 15,492 measured vectors.
//!
//! `OVLINT_PROBES=Split,Gather cargo test probes -- --nocapture` prints every disagreement of these operations.

use crate::documented::DOCUMENTED;
use flate2::read::GzDecoder;
use ovlint::limits::Limits;
use ovlint::ops::apply::Call;
use ovlint::ops::attribute::{AttrValue, read};
use ovlint::ops::spec::Kind;
use ovlint::ops::{Meaning, meaning};
use ovlint::types::{Bounds, Dim, ElementType, Fact, PartialShape, Value};
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

/// What OpenVINO says where the measured file declared more ports than the operation has, which a probe does not tell.
const WIRING: &str = "node index is out of range";

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
    if probe["err"].as_str().is_some_and(|err| err.starts_with(WIRING)) {
        return None;
    }
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
    if bare(want) == bare(found) {
        Class::Exact
    } else if bare(want).contains(&bare(found)) {
        Class::Tighter
    } else if bare(found).contains(&bare(want)) {
        Class::Looser
    } else {
        Class::Wrong
    }
}

/// Type and shape. A length beyond any memory is no bound: OpenVINO divides the largest integer where it has none.
fn bare(fact: &Fact) -> Fact {
    let plain = |dim: &Dim| match dim.upper() {
        Some(upper) if upper >= 1 << 56 && !dim.is_exact() => Dim::at_least(dim.lower()),
        _ => *dim,
    };
    let shape = fact.shape.dims().map_or(PartialShape::UNKNOWN, |dims| PartialShape::of(dims.iter().map(plain)));
    Fact::new(fact.ty, shape)
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
        let whole = |n: &f64| format!("{n:.0}").parse().unwrap_or(i64::MAX);
        Value::integers(&shape, numbers.iter().map(|n| Bounds::exact(whole(n))))
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
