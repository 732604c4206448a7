//! Whether a model works for certain shapes of its inputs, what keeps it from that, and which lengths near by it takes.

use super::Inputs;
use crate::analysis::{Error, InputShapes, Model};
use crate::domain::{Assumption, Constraint, Domain, Form};
use crate::ir::LayerId;
use crate::query::what_if::Obstacles;
use crate::types::symbol::Length;
use std::collections::{BTreeMap, BTreeSet};

/// Lengths that are held against the constraints, in each direction.
const TRIED: i64 = 10_000;

/// Lengths that meet the constraints and are tried in full, in each direction.
const CONFIRMED: usize = 4;

/// Whether a model works for certain shapes.
#[derive(Debug)]
pub struct Answer {
    /// Whether it does, as far as the lengths are known.
    pub works: bool,
    /// Whether OpenVINO refuses the file whatever the shapes.
    pub is_refused: bool,
    /// The model with these shapes.
    pub model: Model,
    /// The lengths that the shapes give.
    pub(crate) given: BTreeMap<Length, i64>,
    /// The same and those that are to equal them.
    pub(crate) lengths: BTreeMap<Length, i64>,
    /// The places of the constraints that fail.
    pub(crate) failing: Vec<usize>,
    /// The model with these shapes and symbols, if there are lengths left that decide whether it works.
    open: Option<Model>,
    /// Lengths that the model does not work for, with others near by.
    pub(crate) nearest: Vec<Nearest>,
}

/// The nearest lengths that a model works for instead of another.
#[derive(Debug, Clone, Copy)]
pub struct Nearest {
    pub(crate) length: Length,
    pub(crate) given: i64,
    /// The longest of those that are shorter.
    pub(crate) below: Option<i64>,
    /// The shortest of those that are longer.
    pub(crate) above: Option<i64>,
}

impl Answer {
    /// What must hold of the lengths that the shapes leave open, under the same names.
    pub(crate) fn conditions(&self, inputs: &Inputs<'_>) -> Option<Inputs<'_>> {
        let model = self.open.as_ref()?;
        let domain = |assumption| Domain::of(model.facts()?, assumption);
        // A state may be empty at first.
        let left = domain(inputs.domain.assumption).filter(|left| left.contradiction.is_none());
        let left = Inputs::new(model, left.or_else(|| domain(Assumption::Nothing))?)?;
        Some(Inputs { names: left.names.called_as(&inputs.names), ..left })
    }

    /// The expressions of a constraint that are not known to hold: a length may be large enough, and have a remainder.
    pub(crate) fn unmet(&self, inputs: &Inputs, constraint: &Constraint) -> Vec<String> {
        let mut all = inputs.domain.expressions_of(constraint, &inputs.names);
        if let Form::In(length, _) = &constraint.form {
            let start = format!("{} >= ", inputs.names.name(*length));
            let least = |one: &String| one.strip_prefix(&start)?.parse::<i64>().ok();
            let given = self.lengths.get(length);
            all.retain(|one| least(one).zip(given).is_none_or(|(least, given)| *given < least));
        }
        all
    }
}

/// Checks the model with these shapes, and looks for the constraints that explain what fails.
pub fn answer(inputs: &Inputs, shapes: &InputShapes) -> Result<Answer, Error> {
    let model = inputs.model.reshaped(shapes.clone())?;
    let given = given(inputs, &model);
    let lengths = with_equal(inputs, &given);
    let (mut failing, mut open) = (Vec::new(), Vec::new());
    for (place, constraint) in inputs.domain.constraints.iter().enumerate() {
        let is_equal = matches!(constraint.form, Form::Equal(_));
        let is_known =
            |length: &Length| if is_equal { given.contains_key(length) } else { lengths.contains_key(length) };
        match holds(inputs, constraint, &lengths) {
            Some(false) => failing.push(place),
            _ if inputs.lengths(constraint).iter().all(is_known) => {}
            _ => open.push(place),
        }
    }
    // With all lengths known, inference is exact; constraints may take lengths to be 1 or more.
    let is_exact =
        inputs.names.lengths().all(|length| given.contains_key(&length)) || lengths.values().any(|one| *one < 1);
    let obstacles = Obstacles::beside(&model, inputs.model.findings());
    let is_refused = !obstacles.of_file.is_empty();
    let works = obstacles.is_empty() && (is_exact || failing.is_empty());
    let symbolic = (works && !open.is_empty()).then(|| model.with_symbols()).transpose()?;
    let mut answer = Answer { works, is_refused, model, given, lengths, failing, open: symbolic, nearest: Vec::new() };
    if answer.conditions(inputs).is_some_and(|left| left.contradiction().is_some()) {
        (answer.works, answer.failing) = (false, open);
    } else if works {
        answer.failing.clear();
    } else if !is_refused {
        answer.nearest = nearest(inputs, &answer, shapes);
    }
    Ok(answer)
}

/// The lengths of inputs and states in a model.
fn given(inputs: &Inputs, model: &Model) -> BTreeMap<Length, i64> {
    let length = |length: Length| {
        let layer = LayerId::new(usize::try_from(length.layer).ok()?);
        let fact = model.facts()?.outputs(layer).get(usize::try_from(length.output).ok()?)?;
        fact.shape.dims()?.get(usize::try_from(length.axis).ok()?)?.length()
    };
    let all = inputs.names.lengths();
    all.filter_map(|place| Some((place, length(place)?))).collect()
}

/// These lengths, and those that are to equal one of them.
fn with_equal(inputs: &Inputs, given: &BTreeMap<Length, i64>) -> BTreeMap<Length, i64> {
    let mut known = given.clone();
    for class in classes(inputs) {
        if let Some(one) = class.iter().find_map(|member| given.get(member)) {
            for member in class {
                known.entry(*member).or_insert(*one);
            }
        }
    }
    known
}

fn classes<'a>(inputs: &'a Inputs) -> impl Iterator<Item = &'a Vec<Length>> {
    inputs.domain.constraints.iter().filter_map(|constraint| match &constraint.form {
        Form::Equal(lengths) => Some(lengths),
        _ => None,
    })
}

/// Whether a constraint is met; `None` if that depends on lengths that are not known.
fn holds(inputs: &Inputs, constraint: &Constraint, lengths: &BTreeMap<Length, i64>) -> Option<bool> {
    inputs.domain.holds(constraint, &|length| lengths.get(&length).copied())
}

/// The nearest lengths that the model works for: for all lengths that are wrong on their own, and for each of several that are
/// wrong together, where another one of them alone would do.
fn nearest(inputs: &Inputs, answer: &Answer, shapes: &InputShapes) -> Vec<Nearest> {
    let (mut wrong, mut together): (BTreeSet<Length>, BTreeSet<Length>) = Default::default();
    for constraint in answer.failing.iter().filter_map(|place| inputs.domain.constraints.get(*place)) {
        match (inputs.lengths(constraint), &constraint.form) {
            (lengths, _) if lengths.len() == 1 => wrong.extend(lengths),
            // What is to be equal says it all.
            (_, Form::Equal(_)) => return Vec::new(),
            (lengths, _) => together.extend(lengths),
        }
    }
    let candidates: Vec<(Length, i64, [Vec<i64>; 2])> = wrong
        .iter()
        .chain(together.difference(&wrong))
        .filter_map(|length| {
            let given = *answer.lengths.get(length)?;
            Some((*length, given, candidates(inputs, &answer.lengths, &wrong, *length, given)))
        })
        .collect();
    // While one length is tried, the others are as near as the constraints allow.
    let others: BTreeMap<Length, i64> = candidates
        .iter()
        .filter(|(length, ..)| wrong.contains(length))
        .filter_map(|(length, given, sides)| {
            let first = sides.iter().filter_map(|side| side.first());
            Some((*length, *first.min_by_key(|one| given.abs_diff(**one))?))
        })
        .collect();
    let works = |length: Length, tried: i64| {
        let mut changed = others.clone();
        changed.insert(length, tried);
        works(inputs, shapes, &changed)
    };
    let found = candidates.iter().map(|(length, given, [below, above])| {
        let first = |side: &[i64]| side.iter().copied().find(|tried| works(*length, *tried));
        Nearest { length: *length, given: *given, below: first(below), above: first(above) }
    });
    found.filter(|one| one.below.is_some() || one.above.is_some()).collect()
}

/// The lengths below and above one that meet the constraints where the others, unless they are `wrong`, are as they are,
/// nearest first.
fn candidates(
    inputs: &Inputs,
    lengths: &BTreeMap<Length, i64>,
    wrong: &BTreeSet<Length>,
    length: Length,
    given: i64,
) -> [Vec<i64>; 2] {
    let decides = |constraint: &&Constraint| {
        let mut all = inputs.lengths(constraint);
        let is_about = !matches!(constraint.form, Form::Equal(_)) && all.remove(&length);
        is_about && all.is_disjoint(wrong)
    };
    let constraints: Vec<&Constraint> = inputs.domain.constraints.iter().filter(decides).collect();
    let (lower, upper) = inputs.domain.expressions.range(length);
    let mut lengths = lengths.clone();
    let mut meets = |tried: &i64| {
        lengths.insert(length, *tried);
        constraints.iter().all(|constraint| holds(inputs, constraint, &lengths) != Some(false))
    };
    let first = lower.max(1).max(given.saturating_sub(TRIED));
    let below = (first..given).rev().filter(&mut meets).take(CONFIRMED).collect();
    let last = upper.min(given.saturating_add(TRIED));
    let above = (given.saturating_add(1)..=last).filter(&mut meets).take(CONFIRMED).collect();
    [below, above]
}

/// Whether the model works with some lengths changed, and with them all that have to equal them.
fn works(inputs: &Inputs, shapes: &InputShapes, changed: &BTreeMap<Length, i64>) -> bool {
    let mut lengths = Vec::new();
    for (length, tried) in changed {
        let class = classes(inputs).find(|class| class.contains(length));
        for member in class.map_or(std::slice::from_ref(length), Vec::as_slice) {
            let (Ok(layer), Ok(axis)) = (usize::try_from(member.layer), usize::try_from(member.axis)) else {
                return false;
            };
            lengths.push((LayerId::new(layer), axis, *tried));
        }
    }
    let changed = shapes.with_lengths(inputs.model, &lengths);
    let model = changed.and_then(|shapes| inputs.model.reshaped(shapes).ok());
    model.is_some_and(|model| Obstacles::beside(&model, inputs.model.findings()).is_empty())
}
