//! Arithmetic on dimensions and shapes as OpenVINO 2026.4.1 does it: 207 measured lines such as `D(7,13)/3 = 3..4`.

use super::chains::table;
use super::measurement::{Measurement, assert_agreement};
use crate::graph_notation::graph;
use crate::ir_builder::infer;
use ovlint::internal::ops::Kind;
use ovlint::internal::ops::attribute::{AttrValue, read};
use ovlint::internal::types::{Dim, PartialShape};

/// Lines that nothing here corresponds to: a part of the line, how many there are, why.
const ELSEWHERE: &[(&str, usize, &str)] = &[
    (".same_scheme(", 4, "nothing here requires it"),
    (r#"D("") "#, 1, "a dimension is never written as nothing; an empty shape is a scalar"),
    ("pd(", 18, "an IR does not say another axis than 0"),
];

/// Every line that there is something to compare with.
pub(crate) fn measurements() -> Vec<Measurement> {
    let table = table();
    let lines = table["dimension_arithmetic"].as_array().unwrap();
    assert_eq!(lines.len(), 207);
    let (mut compared, mut left) = (Vec::new(), vec![0; ELSEWHERE.len()]);
    for line in lines.iter().map(|line| line.as_str().unwrap()) {
        match measurement(line) {
            Some(one) => compared.push(one),
            None => left[ELSEWHERE.iter().position(|(part, ..)| line.contains(part)).expect(line)] += 1,
        }
    }
    assert_eq!(left, ELSEWHERE.iter().map(|(_, count, _)| *count).collect::<Vec<_>>(), "no line is passed over");
    compared
}

#[test]
fn lines_hold() {
    assert_agreement(&measurements());
}

fn measurement(line: &str) -> Option<Measurement> {
    let (expression, result) = line.split_once(" = ").unwrap();
    let result = match result {
        _ if result.starts_with("EXC") => "error",
        _ if result.starts_with("false") => "false",
        _ => result,
    };
    let found = evaluate(expression)?;
    Some(Measurement { exactly: true, ..Measurement::new("(dimensions)", expression, result, &found) })
}

/// What this crate makes of an expression.
fn evaluate(expression: &str) -> Option<String> {
    if expression.contains(".same_scheme(") {
        return None;
    }
    let text = |claim: bool| Some(i64::from(claim).to_string());
    if let Some(inner) = call(expression, "iv(") {
        let dim = dims(inner.strip_suffix(".get_interval()")?);
        return Some(dim.map_or("[9223372036854775807,9223372036854775807] empty=1".to_owned(), |dim| {
            format!("[{},{}] empty=0", dim.lower(), dim.upper().unwrap_or(i64::MAX))
        }));
    }
    if let Some(inner) = call(expression, "mrg(") {
        return Some(outcome(pair(inner).and_then(|(a, b)| a.merge(b))));
    }
    if let Some(inner) = call(expression, "bmrg(") {
        return Some(outcome(pair(inner).and_then(|(a, b)| a.broadcast(b))));
    }
    if let Some(inner) = call(expression, "mi(") {
        let [a, b] = quoted(inner)?;
        return Some(shape(a)?.merge(&shape(b)?).map_or("false".to_owned(), |shape| format!("true {shape}")));
    }
    if let Some(inner) = call(expression, "bm(") {
        return met(quoted(inner)?, "numpy");
    }
    if let Some(inner) = call(expression, "pd(") {
        return met(quoted(inner.strip_suffix(",0")?)?, "pdpd");
    }
    for (name, holds) in
        [(".compatible(", meets as fn(Dim, Dim) -> bool), (".relaxes(", Dim::contains), (".refines(", within)]
    {
        if let Some((a, b)) = expression.split_once(name) {
            return text(holds(dims(a)?, dims(b.strip_suffix(')')?)?));
        }
    }
    if let Some((a, b)) = expression.split_once("==") {
        return text(dims(a) == dims(b));
    }
    if let Some(inner) = expression.strip_suffix(".is_static()") {
        return match inner.strip_prefix("PartialShape(") {
            Some(inner) => text(shape(inner.trim_matches(['"', ')']))?.is_static()),
            None => text(dims(inner).is_some_and(Dim::is_exact)),
        };
    }
    match expression {
        "p.get_max_shape()" => return Some(ends(|dim| dim.upper().unwrap_or(i64::MAX))),
        "p.get_min_shape()" => return Some(ends(Dim::lower)),
        "PartialShape::dynamic(Rank(2,4))" => return Some(PartialShape::UNKNOWN.to_string()),
        "PartialShape::dynamic(3)" => return Some(PartialShape::of_rank(3).to_string()),
        r#"PartialShape("...").rank()"# => {
            return Some(shape("...")?.rank().map_or("?".to_owned(), |rank| rank.to_string()));
        }
        _ => {}
    }
    if let Some(inner) = expression.strip_prefix("PartialShape(\"") {
        let inner = inner.strip_suffix(".to_string()").unwrap_or(inner).strip_suffix("\")")?;
        return Some(shape(inner).map_or("error".to_owned(), |shape| shape.to_string()));
    }
    if expression.starts_with("D(\"") {
        let inner = expression.strip_prefix("D(\"")?.strip_suffix("\")").filter(|inner| !inner.is_empty())?;
        let dim = shape(inner).filter(|shape| shape.rank() == Some(1)).map(|shape| shape.dim(0));
        return Some(dim.map_or("error".to_owned(), |dim| dim.to_string()));
    }
    if expression.ends_with("/-1") {
        return Some(dims(expression).map_or("error".to_owned(), |dim| dim.to_string()));
    }
    // OpenVINO shows an interval without lengths as one of all lengths.
    Some(dims(expression).unwrap_or(Dim::ANY).to_string())
}

/// What stands in the parentheses of a call of `name`, the whole expression being one.
fn call<'a>(expression: &'a str, name: &str) -> Option<&'a str> {
    expression.strip_prefix(name)?.strip_suffix(')')
}

fn outcome(dim: Option<Dim>) -> String {
    dim.map_or("false".to_owned(), |dim| format!("true {dim}"))
}

fn meets(a: Dim, b: Dim) -> bool {
    a.merge(b).is_some()
}

fn within(a: Dim, b: Dim) -> bool {
    b.contains(a)
}

fn ends(end: fn(Dim) -> i64) -> String {
    let p = PartialShape::of([Dim::exact(2), Dim::ANY]);
    format!("[{}]", p.dims().unwrap().iter().map(|dim| end(*dim).to_string()).collect::<Vec<_>>().join(","))
}

/// The shape in which two shapes meet under Add.
fn met([a, b]: [&str; 2], mode: &str) -> Option<String> {
    let graph = graph(&format!("Add-1(f32[{a}], f32[{b}]) {{auto_broadcast={mode}}}"), 1);
    let found = infer(graph.xml.into_bytes(), graph.weights, graph.layer);
    Some(found.strip_prefix("f32").map_or("false".to_owned(), |shape| format!("true {shape}")))
}

/// The shape that an attribute of this text means.
fn shape(text: &str) -> Option<PartialShape> {
    match read(Kind::Shape, text).ok()?.value? {
        AttrValue::Shape(shape) => Some(shape),
        _ => None,
    }
}

/// The texts of two arguments, whatever follows them.
fn quoted(arguments: &str) -> Option<[&str; 2]> {
    let mut texts = arguments.split('"').skip(1).step_by(2);
    Some([texts.next()?, texts.next()?])
}

fn pair(arguments: &str) -> Option<(Dim, Dim)> {
    let (a, b) = arguments.split_once("),")?;
    Some((dims(&format!("{a})"))?, dims(b)?))
}

/// The dimension that an expression gives, if any is left.
fn dims(expression: &str) -> Option<Dim> {
    let expression = expression.strip_prefix('(').map_or(expression, |inner| inner.strip_suffix(')').unwrap());
    let (a, rest) = expression.split_at(expression.find(')').unwrap() + 1);
    let a = dim(a)?;
    let Some(operator) = rest.chars().next() else { return Some(a) };
    match (operator, &rest[1..]) {
        ('/', parts) => a.divide(number(parts)),
        ('+', b) => Some(a.plus(dim(b)?)),
        ('-', b) => Some(a.minus(dim(b)?)),
        ('*', b) => Some(a.times(dim(b)?)),
        ('&', b) => a.merge(dim(b)?),
        _ => panic!("{expression}"),
    }
}

/// `D(2)` or `D(2,5)`, where -1 means no bound and M is the largest number.
fn dim(text: &str) -> Option<Dim> {
    let arguments = call(text, "D(").unwrap();
    match arguments.split_once(',') {
        None if matches!(arguments, "" | "-1" | "M") => Some(Dim::ANY),
        None => Some(Dim::exact(number(arguments))),
        Some((lower, "-1")) => Some(Dim::at_least(number(lower))),
        Some((lower, upper)) => Dim::between(number(lower), number(upper).max(0)),
    }
}

fn number(text: &str) -> i64 {
    match text {
        "M" => i64::MAX,
        "M-1" => i64::MAX - 1,
        _ => text.strip_prefix("1LL<<").map_or_else(|| text.parse().unwrap(), |bits| 1 << bits.parse::<u32>().unwrap()),
    }
}

#[test]
fn ends_of_64_bits_do_not_overflow() {
    let ends = [0, 1, 2, i64::MAX - 1, i64::MAX];
    for (a, b) in ends.into_iter().flat_map(|a| ends.map(|b| (a, b))) {
        let (one, other) = (Dim::at_least(a), Dim::exact(b));
        for dim in [one.plus(other), one.minus(other), one.times(other), other.plus(one), other.minus(one)] {
            assert!(dim.lower() >= 0 && dim.upper().is_none_or(|upper| dim.lower() <= upper), "{dim}");
        }
        assert!(Dim::exact(a).plus(other).admits(a.saturating_add(b)));
        assert!(Dim::exact(a).times(other).admits(a.saturating_mul(b)));
        assert!(Dim::exact(a).minus(other).admits((a - b).max(0)));
        assert_eq!(one.divide(i64::MIN), None);
        assert!(one.divide(i64::MAX).is_some_and(|part| part.admits(i64::from(a > 0))));
    }
}
