//! The answer for given input shapes: whether the model works, the constraints that fail, and the nearest values that work.

use super::Inputs;
use crate::analysis::{Error, InputShapes, Model};
use crate::arrange::Fill;
use crate::domain::{Assumption, Constraint, Domain, Form};
use crate::ir::LayerId;
use crate::query::stops::Stops;
use crate::query::what_if::Obstacles;
use crate::types::symbol::Length;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of values to test against the constraints, in each direction.
const MAX_TESTED: i64 = 10_000;

/// The maximum number of values in each direction that inference confirms, of those that meet the constraints.
const MAX_CONFIRMED: usize = 4;

/// The answer for given shapes.
#[derive(Debug)]
pub struct Answer {
    /// Whether the model works, as far as the dimensions are known; `None` if that depends on weights that cannot be read.
    pub works: Option<bool>,
    /// Set if OpenVINO rejects the file for any shapes.
    pub is_refused: bool,
    /// The model with these shapes.
    pub model: Model,
    /// The dimensions that the shapes fix.
    pub(crate) given: BTreeMap<Length, i64>,
    /// The given dimensions, and those that must equal them.
    pub(crate) lengths: BTreeMap<Length, i64>,
    /// The indices of the constraints that fail.
    pub(crate) failing: Vec<usize>,
    /// The model with these shapes and with symbols, if the answer depends on dimensions that the shapes leave dynamic.
    open: Option<Model>,
    /// Dimensions whose values do not work, with the nearest that do.
    pub(crate) nearest: Vec<Nearest>,
}

/// The nearest values of a dimension that work.
#[derive(Debug, Clone, Serialize)]
pub struct Nearest {
    /// The name of the dimension.
    pub(crate) name: String,
    pub(crate) given: i64,
    /// The nearest smaller value that works.
    pub(crate) below: Option<i64>,
    /// The nearest larger value that works.
    pub(crate) above: Option<i64>,
}

impl Answer {
    /// Whether the answer is no, and neither the file nor a constraint says why: all dimensions of the model are fixed.
    fn is_unexplained(&self) -> bool {
        self.works == Some(false) && !self.is_refused && self.failing.is_empty()
    }

    /// Returns the constraints on the dimensions that the shapes leave dynamic, with the same names.
    pub(crate) fn conditions(&self, inputs: &Inputs<'_>) -> Option<Inputs<'_>> {
        let model = self.open.as_ref()?;
        let domain = |assumption| Domain::of(model.facts()?, assumption);
        // A state may be empty at first.
        let left = domain(inputs.domain.assumption).filter(|left| left.contradiction.is_none());
        let left = Inputs::new(model, left.or_else(|| domain(Assumption::Nothing))?)?;
        Some(Inputs { names: left.names.with_names_of(&inputs.names), ..left })
    }

    /// Returns the expressions of a constraint that are not known to hold: for `h >= 64` and `h % 32 == 0`, a size of 100 meets
    /// the first one, so only the second one is returned.
    pub(crate) fn unmet(&self, inputs: &Inputs, constraint: &Constraint) -> Vec<String> {
        match &constraint.form {
            Form::In(length, lengths) => {
                lengths.conditions_beyond(self.lengths.get(length).copied(), &inputs.names.name(*length))
            }
            _ => inputs.domain.expressions_of(constraint, &inputs.names),
        }
    }
}

/// Checks the model with these shapes, and finds the constraints that explain a failure.
pub fn answer(inputs: &Inputs, shapes: &InputShapes) -> Result<Answer, Error> {
    let model = inputs.model.reshaped(shapes.clone())?;
    let given = given(inputs, &model);
    let lengths = with_equal(inputs, &given);
    let (mut failing, mut open) = (Vec::new(), Vec::new());
    for (index, constraint) in inputs.domain.constraints.iter().enumerate() {
        let is_equal = matches!(constraint.form, Form::Equal(_));
        let is_known =
            |length: &Length| if is_equal { given.contains_key(length) } else { lengths.contains_key(length) };
        match holds(inputs, constraint, &lengths) {
            Some(false) => failing.push(index),
            _ if inputs.lengths(constraint).iter().all(is_known) => {}
            _ => open.push(index),
        }
    }
    // With all dimensions known, inference alone decides. Constraints may assume dimensions of 1 or more, so inference also
    // decides if one is smaller.
    let is_exact =
        inputs.names.lengths().all(|length| given.contains_key(&length)) || lengths.values().any(|one| *one < 1);
    let obstacles = Obstacles::beside(&model, inputs.model.findings());
    let is_refused = !obstacles.of_file.is_empty();
    let works = obstacles.is_empty() && (is_exact || failing.is_empty());
    let symbolic = (works && !open.is_empty()).then(|| model.with_symbols()).transpose()?;
    let is_unread = || Stops::of(&model).constants.is_some();
    let certain = if works && is_unread() { None } else { Some(works) };
    let mut answer =
        Answer { works: certain, is_refused, model, given, lengths, failing, open: symbolic, nearest: Vec::new() };
    if answer.conditions(inputs).is_some_and(|left| left.contradiction().is_some()) {
        (answer.works, answer.failing) = (Some(false), open);
    } else if works {
        answer.failing.clear();
    } else if !is_refused {
        answer.nearest = nearest(inputs, &answer, shapes);
    }
    Ok(answer)
}

/// Opens the fixed dimensions that `shapes` changes, where the answer for `model` does not say why they do not work, and the
/// constraints on these dimensions do.
pub fn explaining(model: &Model, found: &Answer, shapes: &InputShapes) -> Option<Model> {
    let opened = Some(model).filter(|_| found.is_unexplained())?.opened(shapes)?;
    let again = Inputs::for_people(&opened).and_then(|inputs| answer(&inputs, shapes).ok());
    again.is_some_and(|again| again.works == Some(false) && !again.failing.is_empty()).then_some(opened)
}

/// Returns the known dimensions of inputs and states in a model.
fn given(inputs: &Inputs, model: &Model) -> BTreeMap<Length, i64> {
    let length = |length: Length| {
        let layer = LayerId::new(usize::try_from(length.layer).ok()?);
        let fact = model.facts()?.outputs(layer).get(usize::try_from(length.output).ok()?)?;
        fact.shape.dims()?.get(usize::try_from(length.axis).ok()?)?.length()
    };
    let all = inputs.names.lengths();
    all.filter_map(|dim| Some((dim, length(dim)?))).into_map()
}

/// Adds the dimensions that must equal a known one.
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

/// Returns the classes of equal dimensions.
fn classes<'a>(inputs: &'a Inputs) -> impl Iterator<Item = &'a Vec<Length>> {
    inputs.domain.constraints.iter().filter_map(|constraint| match &constraint.form {
        Form::Equal(lengths) => Some(lengths),
        _ => None,
    })
}

/// Evaluates a constraint; `None` if that depends on unknown dimensions.
fn holds(inputs: &Inputs, constraint: &Constraint, lengths: &BTreeMap<Length, i64>) -> Option<bool> {
    inputs.domain.holds(constraint, &|length| lengths.get(&length).copied())
}

/// Finds the nearest values that work. Dimensions that violate a constraint on their own (`h % 32 == 0`) are all changed
/// together. Of those that violate one only in combination (`a + b == 10`), one at a time is changed.
fn nearest(inputs: &Inputs, answer: &Answer, shapes: &InputShapes) -> Vec<Nearest> {
    let (mut wrong, mut together): (BTreeSet<Length>, BTreeSet<Length>) = Default::default();
    for constraint in answer.failing.iter().filter_map(|index| inputs.domain.constraints.get(*index)) {
        match (inputs.lengths(constraint), &constraint.form) {
            (lengths, _) if lengths.len() == 1 => wrong.extend(lengths),
            // An equation between dimensions needs no suggestion.
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
    // While values of one dimension are tried, the other wrong ones have their nearest values that meet the constraints.
    let others: BTreeMap<Length, i64> = candidates
        .iter()
        .filter(|(length, ..)| wrong.contains(length))
        .filter_map(|(length, given, sides)| {
            let first = sides.iter().filter_map(|side| side.first());
            Some((*length, *first.min_by_key(|one| given.abs_diff(**one))?))
        })
        .into_map();
    let works = |length: Length, tried: i64| {
        let mut changed = others.clone();
        changed.insert(length, tried);
        works(inputs, shapes, &changed)
    };
    let found = candidates.iter().map(|(length, given, [below, above])| {
        let first = |side: &[i64]| side.iter().copied().find(|tried| works(*length, *tried));
        Nearest { name: inputs.names.name(*length), given: *given, below: first(below), above: first(above) }
    });
    found.filter(|one| one.below.is_some() || one.above.is_some()).collect()
}

/// Returns the values of a dimension below and above the given one that meet the constraints, nearest first. Constraints that
/// involve another `wrong` dimension are ignored.
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
    let first = lower.max(1).max(given.saturating_sub(MAX_TESTED));
    let below = (first..given).rev().filter(&mut meets).take(MAX_CONFIRMED).collect();
    let last = upper.min(given.saturating_add(MAX_TESTED));
    let above = (given.saturating_add(1)..=last).filter(&mut meets).take(MAX_CONFIRMED).collect();
    [below, above]
}

/// Whether the model works with some dimensions changed, together with all that must equal them.
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
