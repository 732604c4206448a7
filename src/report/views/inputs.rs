//! The input shapes for which a model works, as text: one screen, and the answer for given shapes.

mod json;

pub use json::json;

use super::stops::{self, MEANING, mark};
use super::what_if::breaks;
use crate::diagnostic::Direction;
use crate::domain::{Assumption, Constraint, Form};
use crate::ir::LayerId;
use crate::query::inputs::{Answer, Inputs, Nearest};
use crate::query::records::LayerRecords;
use crate::query::states::states;
use crate::query::stops::Stops;
use crate::query::{End, ends};
use crate::report::page::{Page, Row};
use crate::text::escape::line as clean;
use crate::text::{counted, grouped};
use std::collections::HashMap;

/// The minimum number of similar inputs, states or outputs that share a row.
const ALIKE: usize = 4;

/// The maximum number of layers that are named where several impose constraints.
const NAMED: usize = 3;

/// The maximum number of equal dimensions that are named.
const LISTED: usize = 3;

/// The maximum number of dimensions that are listed with a violated constraint.
const GIVEN: usize = 6;

/// Formats the inputs, their constraints, and the outputs as functions of the inputs, in lines of this width.
pub fn text(inputs: &mut Inputs, width: usize) -> String {
    let (mut page, records) = (Page::default(), LayerRecords::of(inputs.model));
    let states = states(inputs.model);
    let (ins, outs) = (inputs.ends(Direction::Input), inputs.ends(Direction::Output));
    let is_assumed = |end: &End| end.fact.as_ref().is_some_and(|fact| fact.assumed);
    page.section("inputs", rows(inputs, &ins, "inputs", false));
    page.section("states", rows(inputs, &states, "states", false));
    page.section("constraints", constraints(inputs, records.as_ref()));
    page.section("outputs", rows(inputs, &outs, "outputs", true));
    let unnamed = inputs.unnamed();
    if !unnamed.is_empty() {
        let names = unnamed.iter().take(GIVEN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let more = if unnamed.len() > GIVEN { ", ..." } else { "" };
        page.line(format!(
            "names of the sizes shown as `?`, for `ovlint reshape --set` and `ovlint cost --set`: {names}{more}"
        ));
    }
    if outs.iter().any(is_assumed) {
        page.line(MEANING);
        for line in stops::lines(&Stops::of(inputs.model)) {
            page.line(line);
        }
    }
    if !inputs.are_fixed() {
        match inputs.domain.assumption {
            Assumption::Usual => {
                page.line(
                    "assumes that every dimension is at least 1 and that dimensions that broadcast together are equal",
                );
            }
            Assumption::Present => page.line("assumes that every dimension is at least 1"),
            Assumption::Nothing => {}
        }
    }
    page.line(conclusion(inputs, records.as_ref()));
    page.text(width)
}

/// Formats whether the model works for given shapes, and the reason if not.
pub fn answer(inputs: &mut Inputs, answer: &Answer, shapes: &str, width: usize) -> String {
    let (mut page, records) = (Page::default(), LayerRecords::of(inputs.model));
    let shapes = shown(shapes);
    let mut left = answer.conditions(inputs);
    let rows: Vec<Row> = match &left {
        Some(left) => constraints(left, records.as_ref()),
        None if answer.is_refused => Vec::new(),
        None => failing(inputs, answer, records.as_ref()),
    };
    match (answer.works, rows.is_empty()) {
        (None, _) => {
            page.line(format!(
                "unknown: whether the model works for {shapes} depends on the weights, which are missing"
            ));
            for line in stops::lines(&Stops::of(&answer.model)) {
                page.line(line);
            }
        }
        (Some(true), true) => page.line(format!("yes: OpenVINO accepts {shapes}")),
        (Some(true), false) => page.section(format!("yes, OpenVINO accepts {shapes} if"), rows),
        (Some(false), false) => page.section(format!("no: the model does not work for {shapes}"), rows),
        (Some(false), true) => {
            page.line(format!("no: the model does not work for {shapes}"));
            for line in breaks(&answer.model).iter().flatten() {
                page.line(format!("  {}", clean(line, 400)));
            }
        }
    }
    for one in &answer.nearest {
        page.line(nearest(one));
    }
    if answer.works == Some(true) {
        let outputs = match &mut left {
            Some(left) => self::rows(left, &left.ends(Direction::Output), "outputs", true),
            None => self::rows(inputs, &ends(&answer.model, Direction::Output), "outputs", true),
        };
        page.section("outputs", outputs);
    }
    page.text(width)
}

/// Returns the rows of all constraints; many that differ only in the numbers of names share a row.
fn constraints(inputs: &Inputs, records: Option<&LayerRecords>) -> Vec<Row> {
    let (kinds, mut groups) = (kinds(inputs), Vec::<(String, Vec<(String, &Constraint)>)>::new());
    let mut known: HashMap<String, usize> = HashMap::new();
    for constraint in &inputs.domain.constraints {
        let text = expression(inputs, constraint);
        let general = with_names(&kinds, &text, |name, _| without_numbers(name));
        let place = *known.entry(general.clone()).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, all)) => all.push((text, constraint)),
            None => groups.push((general, vec![(text, constraint)])),
        }
    }
    let row = |(text, constraint): (String, &Constraint)| Row::new(text, demanded_by(records, constraint));
    let rows = |(general, all): (String, Vec<(String, &Constraint)>)| match all.as_slice() {
        [(_, first), others @ ..] if all.len() >= ALIKE => {
            let more = counted(others.len(), "more such constraint");
            vec![Row::new(general, format!("{}, and {more}", demanded_by(records, first)))]
        }
        _ => all.into_iter().map(row).collect(),
    };
    groups.into_iter().flat_map(rows).collect()
}

/// The kinds of lengths by name, such as `past` of `past_key_values_1_key_past`.
type Kinds = HashMap<String, String>;

fn kinds(inputs: &Inputs) -> Kinds {
    inputs.names.inputs().map(|one| (one.name.clone(), one.kind.clone())).collect()
}

/// Replaces the names of lengths in a text by what `by` makes of the name and its kind.
fn with_names(names: &Kinds, text: &str, by: impl Fn(&str, &str) -> String) -> String {
    let (mut replaced, mut word) = (String::new(), String::new());
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        replaced += &names.get(word.as_str()).map_or_else(|| word.clone(), |kind| by(&word, kind));
        replaced.push(c);
        word.clear();
    }
    replaced.truncate(replaced.len() - 1);
    replaced
}

/// Replaces each number in a name by `*`.
fn without_numbers(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c.is_ascii_digit() {
            true if text.ends_with('*') => {}
            true => text.push('*'),
            false => text.push(c),
        }
    }
    text
}

/// Returns the rows of all violated constraints, with the values of their dimensions.
fn failing(inputs: &Inputs, answer: &Answer, records: Option<&LayerRecords>) -> Vec<Row> {
    let row = |constraint: &Constraint| {
        let expression = match &constraint.form {
            Form::In(..) => answer.unmet(inputs, constraint).join(" and "),
            _ => expression(inputs, constraint),
        };
        let lengths = lengths(inputs, answer, constraint);
        let separator = if lengths.is_empty() { "" } else { ", " };
        Row::new(format!("{expression}{separator}{lengths}"), demanded_by(records, constraint))
    };
    answer.failing.iter().filter_map(|place| inputs.domain.constraints.get(*place)).map(row).collect()
}

/// Returns the rows of inputs, states or outputs; many similar ones share a row.
fn rows(inputs: &mut Inputs, ends: &[End], what: &str, follows: bool) -> Vec<Row> {
    let (kinds, mut groups) = (kinds(inputs), Vec::<(&str, String, Vec<(String, String)>)>::new());
    let mut known: HashMap<(&str, String), usize> = HashMap::new();
    for end in ends {
        let fact = end.fact.as_ref().map(|fact| (inputs.fact(fact, follows), mark(fact.basis())));
        let (fact, mark) = fact.unwrap_or_else(|| ("not connected".to_owned(), ""));
        let fact = format!("{}{mark}", shown(&fact));
        let start = name(end).split(|c: char| c.is_ascii_digit()).next().unwrap_or_default();
        let general = with_names(&kinds, &fact, |_, kind| kind.to_owned());
        let place = *known.entry((start, general.clone())).or_insert(groups.len());
        let one = (shown(name(end)), fact);
        match groups.get_mut(place) {
            Some((.., all)) => all.push(one),
            None => groups.push((start, general, vec![one])),
        }
    }
    let row = |(start, general, all): (&str, String, Vec<(String, String)>)| match all.len() {
        ..ALIKE => all.into_iter().map(|(name, fact)| Row::new(name, fact)).collect(),
        count => {
            let first = all.first().map(|(_, fact)| fact).filter(|first| all.iter().all(|(_, fact)| fact == *first));
            let (fact, own) = first.map_or((&general, ", some with sizes of their own"), |first| (first, ""));
            vec![Row::new(format!("{}*", shown(start)), format!("{fact}  {count} {what}{own}"))]
        }
    };
    groups.into_iter().flat_map(row).collect()
}

/// Returns the name for users: the first tensor name, unless a tensor name equals the layer's name.
fn name(end: &End) -> &str {
    let tensor = end.tensors.first().filter(|_| !end.tensors.contains(&end.layer));
    tensor.unwrap_or(&end.layer)
}

/// Formats a constraint for people.
fn expression(inputs: &Inputs, constraint: &Constraint) -> String {
    let name = |length| inputs.names.name(length);
    let expressions = &inputs.domain.expressions;
    match &constraint.form {
        Form::Equal(lengths) if lengths.len() > LISTED => {
            let (inputs, states) = inputs.owners(lengths);
            let of = match (inputs, states) {
                (inputs, 0) => counted(inputs, "input"),
                (0, states) => counted(states, "state"),
                _ => format!("{} inputs and states", grouped(inputs + states)),
            };
            format!("{}: the same in {of}", lengths.first().map(|first| name(*first)).unwrap_or_default())
        }
        Form::Equal(lengths) => lengths.iter().map(|length| name(*length)).collect::<Vec<_>>().join(" == "),
        Form::Solved(length, symbol) => expressions.equation_text(*length, *symbol, inputs.domain.reader(), &name),
        Form::In(length, lengths) => lengths.conditions(&name(*length)).join(" and "),
        Form::Demand(demand) if demand.0.is_empty() => "contradiction".to_owned(),
        Form::Demand(demand) => expressions.demand_text(demand, inputs.domain.reader(), &name),
    }
}

/// Names the layers that impose a constraint: ``by `cat` (Concat, line 203) and 2 more layers``
fn demanded_by(records: Option<&LayerRecords>, constraint: &Constraint) -> String {
    layers(records, &constraint.layers, 1)
}

/// Names the first layers of a list and counts the rest.
fn layers(records: Option<&LayerRecords>, all: &[LayerId], named: usize) -> String {
    let one = |index: &LayerId| Some(records?.layer(*index)?.to_string());
    let text = all.iter().take(named).filter_map(one).collect::<Vec<_>>().join(", ");
    match all.len().saturating_sub(named) {
        0 => text,
        more => format!("{text} and {}", counted(more, "more layer")),
    }
}

/// Formats the values of a constraint's dimensions: `width is 650, 650 % 32 == 10`, `batch is 2, beam_idx_batch is 3`.
fn lengths(inputs: &Inputs, answer: &Answer, constraint: &Constraint) -> String {
    let all = inputs.lengths(constraint);
    let lengths = if let Form::Equal(_) = constraint.form { &answer.given } else { &answer.lengths };
    let known = all.iter().filter_map(|length| Some((inputs.names.name(*length), *lengths.get(length)?)));
    let known: Vec<(String, i64)> = known.collect();
    match (known.as_slice(), &constraint.form) {
        ([(name, given)], Form::In(_, lengths)) => {
            let (count, period) = lengths.share();
            match i64::try_from(period).ok().filter(|period| count < lengths.remainders.len() && *period > 1) {
                Some(period) => format!("{name} is {given}, {given} % {period} == {}", given.rem_euclid(period)),
                None => format!("{name} is {given}"),
            }
        }
        (known, _) => {
            let one = |(name, given): &(String, i64)| format!("{name} is {given}");
            let more = if known.len() > GIVEN { ", ..." } else { "" };
            known.iter().take(GIVEN).map(one).collect::<Vec<_>>().join(", ") + more
        }
    }
}

fn nearest(one: &Nearest) -> String {
    let name = &one.name;
    match (one.below, one.above) {
        (Some(below), Some(above)) => format!("the nearest sizes of {name} that work are {below} and {above}"),
        (below, above) => {
            let only = below.or(above).unwrap_or(one.given);
            format!("the nearest size of {name} that works is {only}")
        }
    }
}

/// Formats the closing line: whether the constraints are complete, and the reason if not.
fn conclusion(inputs: &Inputs, records: Option<&LayerRecords>) -> String {
    if !inputs.model.shapes().is_empty()
        && let Some(first) = breaks(inputs.model).and_then(|lines| lines.into_iter().next())
    {
        return format!("none of these shapes work: {}", clean(&first, 400));
    }
    if inputs.are_refused() {
        return "no shapes work: the file has errors (run `ovlint check` for details)".to_owned();
    }
    if let Some(constraint) = inputs.contradiction() {
        let layers = layers(records, &constraint.layers, NAMED);
        return format!("no shapes work: no sizes satisfy {layers} and all other layers at once");
    }
    if inputs.ends(Direction::Input).is_empty() && states(inputs.model).is_empty() {
        return "the model has no inputs".to_owned();
    }
    if inputs.are_fixed() {
        return "all input shapes are fixed; use `--shape` to test other shapes".to_owned();
    }
    let domain = &inputs.domain;
    match (domain.is_complete(), domain.constraints.is_empty()) {
        (true, true) => "complete: every shape check of OpenVINO passes for all sizes".to_owned(),
        (true, false) => {
            "complete: every shape check of OpenVINO passes for all sizes that satisfy these constraints".to_owned()
        }
        (false, _) => {
            let vain = inputs.vain();
            if !vain.is_empty() {
                let verb = if vain.len() == 1 { "squeezes" } else { "squeeze" };
                let layers = layers(records, &vain, NAMED);
                return format!("not complete: {layers} {verb} a dimension that is never 1");
            }
            let verb = if domain.open.len() == 1 { "imposes" } else { "impose" };
            let count = counted(domain.open.len(), "layer");
            let open = layers(records, &domain.open, NAMED);
            let needs = Stops::of(inputs.model).constants.is_some();
            let why = if needs { "is unknown without the weights" } else { "cannot be expressed" };
            format!("not complete: {count} {verb} a constraint that {why}: {open}")
        }
    }
}

/// Escapes text from the model, so that it is safe to print.
fn shown(text: &str) -> String {
    clean(text, 200)
}
