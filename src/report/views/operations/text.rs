//! The page of an operation, for people.

use super::{Accepted, NotOn, accepted, not_on};
use crate::ops::rules::SHAPE_CONFLICT;
use crate::ops::{Attr, Example, Input, Missing, OpSpec, Outputs};
use crate::report::page::{Page, Row};
use crate::types::{ElementType, Release, TypeSet};

/// Formats the pages of revisions of one operation, in lines of this width.
pub fn text(revisions: &[&'static OpSpec], width: usize) -> String {
    let mut page = Page::default();
    if let Some(first) = revisions.first() {
        page.line(format!("{}: {}", first.name, first.summary()));
    }
    for spec in revisions {
        page.line("");
        describe(&mut page, spec);
    }
    page.text(width)
}

fn describe(page: &mut Page, spec: &'static OpSpec) {
    let last = if spec.last() == spec.opset { String::new() } else { format!(" to opset{}", spec.last()) };
    let since =
        Release::of_operation(spec.name, spec.opset, spec.opset).map(|first| format!(", since OpenVINO {first}"));
    page.line(format!("opset{}{last}{}", spec.opset, since.unwrap_or_default()));
    page.section("inputs", spec.inputs.iter().map(input).collect());
    page.section("attributes", spec.attrs.iter().map(attribute).collect());
    page.line(format!("outputs: {}", outputs(spec)));
    page.section("example", spec.example().map_or_else(Vec::new, |example| rows(spec, &example)));
    let rule = spec.demands.filter(|rule| **rule != SHAPE_CONFLICT);
    page.section("rules", rule.iter().map(|rule| Row::new(rule.name, rule.summary.to_owned())).collect());
    page.section("devices", not_on(spec).into_iter().map(device).collect());
    page.line(spec.page());
}

fn input(input: &Input) -> Row {
    let parts = [
        Some(types(input.types)),
        match *input.ranks {
            [] => None,
            [0] => Some("scalar".to_owned()),
            [rank] => Some(format!("rank {rank}")),
            [one, other] => Some(format!("rank {one} or {other}")),
            [first, .., last] => Some(format!("rank {first} to {last}")),
        },
        input.optional.then(|| "optional".to_owned()),
        input.variadic.then(|| "any number of inputs".to_owned()),
        input.reads_value.then(|| "its value decides the output shapes".to_owned()),
    ];
    Row::new(input.name, parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
}

/// Formats the types that an input may have.
fn types(set: TypeSet) -> String {
    if set == TypeSet::ANY {
        return "any type".to_owned();
    }
    let (mut parts, mut others) = (Vec::new(), set.without(&[ElementType::Dynamic]));
    for (group, name) in [(TypeSet::INTEGER, "integer"), (TypeSet::FLOAT, "floating point")] {
        let lacking: Vec<&str> = group.iter().filter(|ty| !set.has(*ty)).map(ElementType::name).collect();
        // A group with few exceptions is easier to read than a list.
        if lacking.len() > 3 {
            continue;
        }
        let except = if lacking.is_empty() { String::new() } else { format!(" but {}", lacking.join(", ")) };
        parts.push(format!("{name}{except}"));
        others = group.iter().fold(others, |rest, ty| rest.without(&[ty]));
    }
    parts.extend(others.iter().map(|ty| ty.name().to_owned()));
    parts.join(", ")
}

fn attribute(attr: &Attr) -> Row {
    let quoted = |text: &str| if text.is_empty() { "empty".to_owned() } else { text.to_owned() };
    let missing = match attr.missing {
        Missing::Default(text) => format!("default {}", quoted(text)),
        Missing::Refused => "required".to_owned(),
        Missing::Accepted { note, .. } => format!("required: without it, {note}"),
        Missing::NotCompiled(text) => format!("required to compile; a missing one is read as {}", quoted(text)),
    };
    Row::new(attr.name, format!("{}; {missing}", texts(&accepted(attr.kind))))
}

/// Formats the texts that an attribute may have.
fn texts(accepted: &Accepted) -> String {
    let bounds = match (accepted.min, accepted.max) {
        (None, None) => String::new(),
        (Some(min), None) => format!(", {min} or more"),
        (None, Some(max)) => format!(", {max} or less"),
        (Some(min), Some(max)) => format!(", {min} to {max}"),
    };
    let words = || accepted.values.iter().map(|word| if word.is_empty() { "\"\"" } else { *word }).collect::<Vec<_>>();
    match accepted.kind {
        "int" => format!("integer{bounds}"),
        "ints" => format!("integers{bounds}"),
        "float" => "number".to_owned(),
        "floats" => "numbers".to_owned(),
        "bool" => "true or false".to_owned(),
        "texts" => "words".to_owned(),
        "type" => "element type".to_owned(),
        "choice" => words().join(" | "),
        "word" => format!("{} (in this case)", words().join(" | ")),
        kind => kind.to_owned(),
    }
}

fn outputs(spec: &OpSpec) -> String {
    match spec.outputs {
        Outputs::Exactly(2..) => spec.output_names().collect::<Vec<_>>().join(", "),
        Outputs::Exactly(count) => count.to_string(),
        Outputs::FromAttr(name) => format!("as many as `{name}` says"),
        Outputs::Inferred => "as many as the inputs and attributes decide".to_owned(),
        Outputs::FromBodies(_) => "as many as the bodies decide".to_owned(),
    }
}

fn rows(spec: &OpSpec, example: &Example) -> Vec<Row> {
    let name = |i: usize| spec.input(i).map_or("", |input| input.name);
    let inputs = example.inputs.iter().enumerate().map(|(i, fact)| Row::new(name(i), fact.to_string()));
    let attrs = example.attrs.iter().map(|(name, text)| Row::new(name.as_ref(), text.to_string()));
    let outputs: Vec<String> = example.outputs.iter().map(ToString::to_string).collect();
    let gives = (!outputs.is_empty()).then(|| Row::new("gives", outputs.join(", ")));
    inputs.chain(attrs).chain(gives).collect()
}

fn device(lack: NotOn) -> Row {
    let reason = match lack.until {
        Some(until) if until == Release::NEWEST.to_string() => format!("the plugin of {until} does not implement it"),
        Some(until) => format!("the plugins of {until} and older do not implement it"),
        None => "the compiler does not import it".to_owned(),
    };
    let except =
        if lack.except.is_empty() { String::new() } else { format!(" (except for {})", lack.except.join(", ")) };
    Row::new(lack.device, reason + &except)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::operations;

    #[test]
    fn several_ranks_have_no_gaps() {
        for input in operations().flat_map(|spec| spec.inputs) {
            assert!(input.ranks.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{}", input.name);
        }
    }

    #[test]
    fn types_are_grouped() {
        let all = TypeSet::ANY.without(&[ElementType::Dynamic]);
        assert_eq!(types(TypeSet::ANY), "any type");
        assert_eq!(types(all), "integer, floating point, boolean, string");
        assert_eq!(types(TypeSet::INTEGRAL), "integer, nf4, string");
        assert_eq!(types(TypeSet::REAL), "floating point but nf4");
        assert_eq!(types(TypeSet::I32_OR_I64), "i32, i64");
    }
}
