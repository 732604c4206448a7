//! The formula behind a number: `1 + 256 = 257`.
//!
//! No operation states its formula. Common ones are tried; the first one that also predicts the result of the layer for other
//! values of its factors is used. `2 + 2 = 4` and `2 * 2 = 4` differ once a factor is doubled.

use super::Question;
use crate::query::why::Aspect;
use crate::query::why::probe::{Answer, Factor, set};

/// Maximum number of factors in a formula.
const TERMS: usize = 8;

/// The result of a formula and its text; `None` if the formula does not apply.
type Calculation = Option<(i64, String)>;

/// Finds the formula that gives the answer from its factors; `attribute` returns the numbers of an attribute of the layer.
pub(super) fn arithmetic(
    ask: &Question,
    factors: &[Factor],
    attribute: &dyn Fn(&str) -> Option<Vec<i64>>,
    depends_on: &[&str],
) -> Option<String> {
    let result = ask.base.number()?;
    let numbers: Vec<i64> = factors.iter().map(|factor| ask.probe.known(*factor).number()).collect::<Option<_>>()?;
    let is_number = |factor: &Factor| matches!(factor.aspect, Aspect::Dim(_) | Aspect::Element(_));
    if numbers.is_empty() || numbers.len() > TERMS || !factors.iter().all(is_number) {
        return None;
    }
    let terms = Terms { ask, factors, attribute, depends_on };
    FORMULAS.iter().find_map(|formula| {
        let (found, text) = formula(&terms, &numbers)?;
        (found == result && terms.predicts(*formula, &numbers)).then(|| format!("{text} = {result}"))
    })
}

/// The context of a formula, in addition to the values of the factors.
struct Terms<'a, 'q, 'p> {
    ask: &'a Question<'q, 'p>,
    factors: &'a [Factor],
    attribute: &'a dyn Fn(&str) -> Option<Vec<i64>>,
    /// The attributes that the number depends on.
    depends_on: &'a [&'a str],
}

type Formula = fn(&Terms, &[i64]) -> Calculation;

const FORMULAS: &[Formula] =
    &[sum, product, slice, difference, quotient, reshape, by_attribute, window, transposed_window];

impl Terms<'_, '_, '_> {
    /// Whether a formula predicts the layer for other values of each factor, and at least one such prediction was possible.
    fn predicts(&self, formula: Formula, numbers: &[i64]) -> bool {
        let mut was_tried = false;
        for (index, factor) in self.factors.iter().enumerate() {
            let Some(number) = numbers.get(index).copied() else { continue };
            for other in [number.saturating_mul(2), number.saturating_add(1), number.saturating_mul(3)] {
                let given = self.ask.changed(|inputs| set(inputs, *factor, other)).and_then(Answer::number);
                let mut changed = numbers.to_vec();
                if let Some(number) = changed.get_mut(index) {
                    *number = other;
                }
                match (given, formula(self, &changed)) {
                    (Some(given), Some((found, _))) if given == found => was_tried |= other != number,
                    (None, _) => {}
                    _ => return false,
                }
            }
        }
        was_tried
    }

    /// Returns the number of an attribute for the explained spatial dimension; `or` if the attribute is empty or missing.
    fn spatial(&self, name: &str, or: i64) -> Option<i64> {
        let Aspect::Dim(axis) = self.ask.aspect else { return None };
        (self.attribute)("strides")?; // Only an operation with strides has windows.
        let all = (self.attribute)(name).unwrap_or_default();
        if all.is_empty() { Some(or) } else { all.get(axis.checked_sub(2)?).copied() }
    }

    /// Returns the size of the dilated kernel.
    fn extent(&self, numbers: &[i64]) -> Option<i64> {
        let length = match numbers.get(1) {
            Some(length) => *length,
            None => self.spatial("kernel", 0).filter(|length| *length > 0)?,
        };
        self.spatial("dilations", 1)?.checked_mul(length.checked_sub(1)?)?.checked_add(1)
    }

    /// Returns the element of the input with one of these names.
    fn input(&self, numbers: &[i64], names: &[&str]) -> Option<i64> {
        let is_it = |factor: &Factor| {
            let input = self.ask.probe.spec.input(factor.input);
            matches!(factor.aspect, Aspect::Element(_)) && input.is_some_and(|input| names.contains(&input.name))
        };
        numbers.get(self.factors.iter().position(is_it)?).copied()
    }
}

fn sum(_: &Terms, numbers: &[i64]) -> Calculation {
    chained(numbers, "+", 0, i64::checked_add)
}

fn product(_: &Terms, numbers: &[i64]) -> Calculation {
    chained(numbers, "*", 1, i64::checked_mul)
}

/// Joins numbers by an operator; the text leaves out neutral ones.
fn chained(numbers: &[i64], operator: &str, neutral: i64, join: fn(i64, i64) -> Option<i64>) -> Calculation {
    let total = numbers.iter().try_fold(neutral, |total, number| join(total, *number))?;
    let shown: Vec<String> = numbers.iter().filter(|number| **number != neutral).map(i64::to_string).collect();
    let text = shown.join(&format!(" {operator} ")).replace("+ -", "- ");
    (shown.len() > 1).then_some((total, text))
}

fn difference(_: &Terms, numbers: &[i64]) -> Calculation {
    let [a, b] = numbers else { return None };
    Some((a.checked_sub(*b)?, format!("{a} - {b}")))
}

fn quotient(_: &Terms, numbers: &[i64]) -> Calculation {
    let [a, b] = numbers else { return None };
    divided(*a, *b)
}

fn divided(a: i64, b: i64) -> Calculation {
    Some((a.checked_div_euclid(b)?, format!("{a} {} {b}", division(a, b))))
}

/// The operator of a division: `//` if it is rounded down.
fn division(a: i64, b: i64) -> &'static str {
    if a.checked_rem(b) == Some(0) { "/" } else { "//" }
}

/// The `-1` of a Reshape: the number of elements, divided by the other dimensions.
fn reshape(terms: &Terms, numbers: &[i64]) -> Calculation {
    let pairs = || terms.factors.iter().zip(numbers);
    let lengths: Vec<i64> =
        pairs().filter(|(factor, _)| matches!(factor.aspect, Aspect::Dim(_))).map(|(_, n)| *n).collect();
    let others = pairs().filter(|(factor, number)| matches!(factor.aspect, Aspect::Element(_)) && **number > 0);
    let others: Vec<i64> = others.map(|(_, number)| *number).collect();
    let written = |numbers: &[i64]| {
        let mut proper = numbers.iter().filter(|number| **number != 1);
        match (proper.next(), proper.next()) {
            (Some(only), None) => Some((*only, only.to_string())),
            _ => chained(numbers, "*", 1, i64::checked_mul),
        }
    };
    let (all, text) = written(&lengths)?;
    let Some((rest, by)) = written(&others) else { return (lengths.len() > 1).then_some((all, text)) };
    let by = if by.contains(' ') { format!("({by})") } else { by };
    (all.checked_rem(rest)? == 0).then(|| (all / rest, format!("{text} / {by}")))
}

/// The number of steps from a start to a stop.
fn slice(terms: &Terms, numbers: &[i64]) -> Calculation {
    let length = terms.factors.iter().zip(numbers).find(|(factor, _)| matches!(factor.aspect, Aspect::Dim(_)));
    let length = length.map_or(i64::MAX, |(_, length)| *length);
    let from_front = |index: i64| if index < 0 { index.checked_add(length) } else { Some(index.min(length)) };
    let start = from_front(terms.input(numbers, &["start", "begin"]).unwrap_or(0))?;
    let stop = from_front(terms.input(numbers, &["stop", "end"])?)?;
    let step = terms.input(numbers, &["step", "stride", "strides"]).unwrap_or(1);
    let span = stop.checked_sub(start)?;
    match step {
        1 => Some((span, format!("{stop} - {start}"))),
        2.. => Some((span.checked_add(step - 1)?.checked_div(step)?, format!("ceil(({stop} - {start}) / {step})"))),
        _ => None,
    }
}

/// A formula of one factor and one attribute.
fn by_attribute(terms: &Terms, numbers: &[i64]) -> Calculation {
    let ([number], [attribute]) = (numbers, terms.depends_on) else { return None };
    let by = match (terms.attribute)(attribute)?.as_slice() {
        [only] => *only,
        _ => return None,
    };
    let base = terms.ask.base.number()?;
    let ways = [
        divided(*number, by),
        number.checked_mul(by).map(|product| (product, format!("{number} * {by}"))),
        number.checked_add(by).map(|sum| (sum, format!("{number} + {by}"))),
    ];
    // Use the operator that fits the values in the file for other values as well, so that these test it.
    let own = terms.ask.probe.known(*terms.factors.first()?).number()?;
    let way = [own.checked_div_euclid(by), own.checked_mul(by), own.checked_add(by)];
    let way = way.iter().position(|found| *found == Some(base))?;
    ways.into_iter().nth(way)?
}

/// The output dimension of a convolution or pooling.
fn window(terms: &Terms, numbers: &[i64]) -> Calculation {
    let (length, extent) = (*numbers.first()?, terms.extent(numbers)?);
    let (begin, end) = (terms.spatial("pads_begin", 0)?, terms.spatial("pads_end", 0)?);
    let stride = terms.spatial("strides", 1).filter(|stride| *stride > 0)?;
    let room = length.checked_add(begin)?.checked_add(end)?.checked_sub(extent)?;
    let pads = signed('+', begin) + &signed('+', end);
    let text = match stride {
        1 => format!("{length}{pads} - {extent} + 1"),
        _ => format!("({length}{pads} - {extent}) {} {stride} + 1", division(room, stride)),
    };
    Some((room.checked_div_euclid(stride)?.checked_add(1)?, text))
}

/// The output dimension of a transposed convolution.
fn transposed_window(terms: &Terms, numbers: &[i64]) -> Calculation {
    let (length, extent) = (*numbers.first()?, terms.extent(numbers)?);
    let (begin, end) = (terms.spatial("pads_begin", 0)?, terms.spatial("pads_end", 0)?);
    let (stride, more) = (terms.spatial("strides", 1)?, terms.spatial("output_padding", 0)?);
    let steps = length.checked_sub(1)?.checked_mul(stride)?;
    let total = steps.checked_add(extent)?.checked_sub(begin)?.checked_sub(end)?.checked_add(more)?;
    let (begin, end, more) = (signed('-', begin), signed('-', end), signed('+', more));
    Some((total, format!("({length} - 1) * {stride} + {extent}{begin}{end}{more}")))
}

/// Formats a term; empty for 0.
fn signed(sign: char, number: i64) -> String {
    if number == 0 { String::new() } else { format!(" {sign} {number}") }
}
