//! Single operations as OpenVINO 2026.4.1 infers them: 15,492 measured vectors.
//!
//! `OVLINT_PROBES=Split,Gather cargo test measured::operations -- --nocapture` prints every disagreement of these operations.

use super::measurement::{Class, Measurement, assert_agreement, bare_text, text_of};
use flate2::read::GzDecoder;
use ovlint::internal::diagnostic::Runtime;
use ovlint::internal::limits::Limits;
use ovlint::internal::ops::apply::{Call, Extent};
use ovlint::internal::ops::attribute::{AttrValue, read};
use ovlint::internal::ops::{Kind, Meaning, meaning};
use ovlint::internal::types::{Bounds, ElementType, Fact, PartialShape, Value};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};

/// What OpenVINO says where the measured file declared more ports than the operation has, which a probe does not show.
const WIRING: &str = "node index is out of range";

/// Every probe of an operation that is modelled.
pub(crate) fn measurements() -> Vec<Measurement> {
    let file = std::fs::File::open("tests/data/probes.jsonl.gz").unwrap();
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    lines.filter_map(|line| measurement(&serde_json::from_str(&line.unwrap()).unwrap())).collect()
}

fn measurement(probe: &Json) -> Option<Measurement> {
    let [name, version, what] = ["op", "version", "probe"].map(|key| probe[key].as_str().unwrap());
    let Meaning::Modelled(spec) = meaning(name, version) else { return None };
    if probe["err"].as_str().is_some_and(|err| err.starts_with(WIRING)) {
        return None;
    }
    let inputs: Vec<Fact> = probe["inputs"].as_array().unwrap().iter().map(fact).collect();
    let inputs: Vec<&Fact> = inputs.iter().collect();
    let attrs: Vec<(_, _)> = probe["attrs"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, text)| (name.as_str().into(), text.as_str().unwrap().into()))
        .collect();
    let call =
        Call { spec, inputs: &inputs, attrs: &attrs, declared_outputs: None, wants_values: true, extent: Extent::Full };
    let result = call.apply(&Limits::default());
    // What was measured is whether OpenVINO reads a layer.
    let refused = result.faults.iter().filter(|fault| fault.is_error() && fault.verdict() != Runtime::NotCompiled);
    let rules: Vec<&str> = refused.map(|fault| fault.rule.name).collect();
    let found = match result.outputs.as_ref().filter(|_| rules.is_empty()) {
        Some(outputs) => text_of(outputs.iter().map(bare_text)),
        None => format!("error {}", rules.join(", ")),
    };
    let wanted = probe["out"].as_array().map_or("error".to_owned(), |outputs| {
        text_of(outputs.iter().map(|output| output.as_str().unwrap().to_owned()))
    });
    let inputs: Vec<String> = inputs.iter().map(ToString::to_string).collect();
    let situation = format!("{version} {what} of {} {}", inputs.join("; "), probe["attrs"]);
    Some(Measurement::new(name, &situation, &wanted, &found))
}

#[test]
fn probes_agree() {
    let mut all = measurements();
    if let Ok(only) = std::env::var("OVLINT_PROBES") {
        all.retain(|probe| only.split(',').any(|name| name == probe.operation));
        let mut table: BTreeMap<String, BTreeMap<Class, usize>> = BTreeMap::new();
        for probe in &all {
            let version = probe.situation.split(' ').next().unwrap();
            let classes = table.entry(format!("{} {version}", probe.operation)).or_default();
            *classes.entry(probe.class()).or_default() += 1;
        }
        for (operation, classes) in &table {
            println!("{operation}: {classes:?}");
        }
    }
    assert_agreement(&all);
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
    Fact::new(ty, shape).with_value(value.map(Value::stored))
}

fn flatten(value: &Json, into: &mut Vec<f64>) {
    match value {
        Json::Array(items) => items.iter().for_each(|item| flatten(item, into)),
        Json::Bool(flag) => into.push(f64::from(*flag)),
        Json::String(text) => into.push(text.parse().unwrap_or(0.0)),
        number => into.push(number.as_f64().unwrap()),
    }
}
