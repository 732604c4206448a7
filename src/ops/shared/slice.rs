//! The slicing of `Slice` and `StridedSlice`: from a begin to an end by steps. Begin and end may be only bounded.

use super::prelude::*;
use super::strides::{View, strides};
use crate::types::symbol::Symbol;

/// An index past all others. It is twice the length of an unbounded dimension, so that a negative infinity stays negative
/// when the length is added.
const INFINITY: i128 = 1 << 126;
const UNBOUNDED: i128 = 1 << 125;

/// The bounds of a begin or an end, as written: negative indices count from the end of the dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Endpoint {
    lower: i128,
    upper: i128,
    symbol: Symbol,
}

impl Endpoint {
    /// Any index.
    pub(crate) const ANY: Self = Self::between(-INFINITY, INFINITY);
    /// Before the first element.
    pub(crate) const LOWEST: Self = Self::between(-INFINITY, -INFINITY);
    /// Past the last element.
    pub(crate) const HIGHEST: Self = Self::between(INFINITY, INFINITY);
    /// At the first element.
    pub(crate) const FIRST: Self = Self::between(0, 0);

    const fn between(lower: i128, upper: i128) -> Self {
        Self { lower, upper, symbol: Symbol::NONE }
    }

    /// The index counted from the front and clamped to `first..=last`; `None` if it may be negative or not.
    fn clamped(self, dim: Dim, first: Interval, last: Interval) -> Option<Interval> {
        match self.exact() {
            Some(INFINITY..) => Some(last),
            Some(index) if index <= -INFINITY => Some(first),
            Some(index @ 0..) => Some(Interval::exact(index).min(last)),
            Some(index) => Some(Interval::from(dim).plus(Interval::exact(index)).max(first)),
            None if self.lower >= 0 => {
                Some(Interval::between(self.lower, self.upper).with_symbol(self.symbol).min(last))
            }
            None => None,
        }
    }

    /// The endpoint in an input of type `ty`. The extremes of i32 and i64 mean infinity, those of other types do not.
    pub(crate) fn of(bounds: Bounds<i64>, ty: ElementType) -> Self {
        let index = |value: i64| match ty {
            ElementType::I32 if value <= i64::from(i32::MIN) => -INFINITY,
            ElementType::I32 if value >= i64::from(i32::MAX) => INFINITY,
            ElementType::U64 if value < 0 => INFINITY,
            _ if value == i64::MIN => -INFINITY,
            _ if value == i64::MAX => INFINITY,
            _ => i128::from(value),
        };
        if ty == ElementType::U64 && bounds.lower < 0 && bounds.value().is_none() {
            return Self::between(0, INFINITY);
        }
        Self { symbol: bounds.symbol, ..Self::between(index(bounds.lower), index(bounds.upper)) }
    }

    /// The endpoint in element `i` of input `input`; any index if it is unknown.
    pub(crate) fn at(cx: &InferCtx, input: usize, i: usize) -> Self {
        let element = cx.value(input).and_then(Value::as_integers).and_then(|all| all.get(i));
        let ty = cx.input(input).ty;
        // OpenVINO reads such a number in one way for shapes and in another for elements.
        let is_read = |bounds: &&Bounds<i64>| !cx.is_openvino() || ty != ElementType::U64 || bounds.lower >= 0;
        element.filter(is_read).map_or(Self::ANY, |bounds| Self::of(*bounds, ty))
    }

    /// The exact index, if there is one.
    fn exact(self) -> Option<i128> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The exact index in a dimension of `length`, if it is in range.
    fn index_in(self, length: i64) -> Option<i64> {
        let index = from_front(self.exact()?, i128::from(length));
        i64::try_from(index).ok().filter(|index| (0..length).contains(index))
    }

    /// Splits the indices into negative ones and others.
    fn halves(self) -> impl Iterator<Item = Self> {
        let negative = Self { upper: self.upper.min(-1), ..self };
        let positive = Self { lower: self.lower.max(0), ..self };
        [negative, positive].into_iter().filter(|half| half.lower <= half.upper)
    }
}

/// A slice of one dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The first index.
    pub(crate) begin: Endpoint,
    /// The index past the last one.
    pub(crate) end: Endpoint,
    /// The step, never 0; `None` if it is unknown.
    pub(crate) step: Option<i64>,
}

impl Cut {
    /// The whole dimension.
    pub(crate) const WHOLE: Self = Self { begin: Endpoint::FIRST, end: Endpoint::HIGHEST, step: Some(1) };

    /// The exact range of lengths that the slice of a dimension can have.
    pub(crate) fn length(self, dim: Dim) -> Dim {
        let whole = dim.upper().map_or(Dim::ANY, Dim::at_most);
        let Some(step) = self.step else { return whole };
        if self == Self::WHOLE {
            return dim;
        }
        let mut all: Option<Dim> = None;
        for begin in self.begin.halves() {
            for end in self.end.halves() {
                // For endpoints of one sign, the count is monotone in each endpoint.
                let (least, most) = if step > 0 {
                    ((begin.upper, end.lower), (begin.lower, end.upper))
                } else {
                    ((begin.lower, end.upper), (begin.upper, end.lower))
                };
                let lower = counts(dim, least, step).min().unwrap_or(0);
                let upper = counts(dim, most, step).max().unwrap_or(0);
                let lengths = Dim::between(saturated(lower), saturated(upper)).unwrap_or(Dim::ANY);
                all = Some(all.map_or(lengths, |all| all.hull(lengths)));
            }
        }
        all.map_or(whole, |all| all.equal(|| self.number(dim)))
    }

    /// The number of elements as an expression.
    fn number(self, dim: Dim) -> Option<Interval> {
        let (none, length) = (Interval::exact(0), Interval::from(dim));
        let step = self.step?;
        let distance = if step > 0 {
            self.end.clamped(dim, none, length)?.plus(self.begin.clamped(dim, none, length)?.negated())
        } else {
            // With a negative step, a begin before the first element is the first element, if there is one.
            let (before, last) = (Interval::exact(-1), length.plus(Interval::exact(-1)));
            let first = last.min(none);
            self.begin.clamped(dim, first, last)?.plus(self.end.clamped(dim, before, last)?.negated())
        };
        Some(distance.max(none).div_ceil(Interval::exact(step.unsigned_abs().into())))
    }

    /// The index of the first element in a dimension of `length`, if it is known.
    fn first(self, length: i64) -> Option<i64> {
        i64::try_from(begin_at(self.begin.exact()?, i128::from(length), self.step? > 0)).ok()
    }
}

/// The numbers of elements at the lengths of the dimension between which the number is monotone.
fn counts(dim: Dim, (begin, end): (i128, i128), step: i64) -> impl Iterator<Item = i128> {
    let lower = i128::from(dim.lower());
    let upper = dim.upper().map_or(UNBOUNDED, i128::from);
    let turns = [0, begin, end].into_iter().flat_map(|index| [-1, 0, 1].map(|near| index.abs() + near));
    let lengths = turns.filter(move |length| lower < *length && *length < upper).chain([lower, upper]);
    lengths.map(move |length| count(length, begin, end, step))
}

/// The number of elements of a slice with exact endpoints.
fn count(length: i128, begin: i128, end: i128, step: i64) -> i128 {
    let forward = step > 0;
    let (begin, end) = (begin_at(begin, length, forward), end_at(end, length, forward));
    let (distance, step) = if forward { (end - begin, i128::from(step)) } else { (begin - end, -i128::from(step)) };
    if distance <= 0 || length == 0 { 0 } else { (distance - 1) / step + 1 }
}

/// A begin counted from the front and clamped to the dimension. With a negative step, a begin before the first element is the
/// first element.
fn begin_at(index: i128, length: i128, forward: bool) -> i128 {
    let last = if forward { length } else { length - 1 };
    from_front(index, length).min(last).max(0)
}

/// An end counted from the front and clamped to the dimension, or to one step outside it.
fn end_at(index: i128, length: i128, forward: bool) -> i128 {
    let index = from_front(index, length);
    if forward { index.clamp(0, length) } else { index.clamp(-1, length - 1) }
}

fn from_front(index: i128, length: i128) -> i128 {
    if index < 0 { index + length } else { index }
}

fn saturated(count: i128) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The common length of the lists from input `first` on, or the fault of one that differs.
pub(crate) fn list_length(cx: &InferCtx, first: usize) -> Result<Dim, Fault> {
    let mut length = cx.dim(first, 0);
    for i in first + 1..cx.inputs().len() {
        let own = cx.dim(i, 0);
        length = length.agree(own).ok_or_else(|| {
            let message = format!("`{}` has {own} elements, the lists before it have {length}", cx.input_name(i));
            (first..i).fold(Fault::at(At::Input(i), &SHAPE_CONFLICT, message), |fault, other| {
                fault.label(At::Input(other), cx.input(other).to_string())
            })
        })?;
    }
    Ok(length)
}

/// The treatment of one dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// A slice along this axis of the data.
    Cut(usize, Cut),
    /// One element along this axis; the dimension is removed.
    Drop(usize, Endpoint),
    /// A new dimension of length 1.
    New,
}

pub(crate) fn shape(data: &PartialShape, parts: &[Part]) -> PartialShape {
    PartialShape::of(parts.iter().filter_map(|part| match part {
        Part::Cut(axis, cut) => Some(cut.length(data.dim(*axis))),
        Part::Drop(..) => None,
        Part::New => Some(Dim::exact(1)),
    }))
}

/// The view of the slice in the data; `None` unless shape and endpoints are exact.
pub(crate) fn view(data: &PartialShape, parts: &[Part]) -> Option<View> {
    let (lengths, distances) = (data.lengths()?, strides(&data.sizes()?));
    let mut view = View::new(0);
    for part in parts {
        match part {
            Part::New => view.push(1, 0),
            Part::Cut(axis, cut) => {
                let (length, distance) = (*lengths.get(*axis)?, i64::try_from(*distances.get(*axis)?).ok()?);
                view.advance(cut.first(length)?.checked_mul(distance)?);
                let count = cut.length(Dim::exact(length)).length()?;
                view.push(usize::try_from(count).ok()?, cut.step?.saturating_mul(distance));
            }
            Part::Drop(axis, at) => {
                let (length, distance) = (*lengths.get(*axis)?, i64::try_from(*distances.get(*axis)?).ok()?);
                view.advance(at.index_in(length)?.checked_mul(distance)?);
            }
        }
    }
    Some(view)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::symbol::{Atom, Length, atom, recording};

    fn length(dim: Dim, begin: Endpoint, end: Endpoint, step: i64) -> String {
        Cut { begin, end, step: Some(step) }.length(dim).to_string()
    }

    fn at(index: i64) -> Endpoint {
        Endpoint::of(Bounds::exact(index), ElementType::I64)
    }

    /// Compares dimensions in 0..=5 and intervals of endpoints with the hull of all exact answers.
    #[test]
    fn lengths_are_exact() {
        let intervals: Vec<(i64, i64)> = (-6..=6).flat_map(|low| (low..=6).map(move |high| (low, high))).collect();
        let span = |(lower, upper): (i64, i64)| Endpoint::between(lower.into(), upper.into());
        for step in [-2, -1, 1, 3] {
            let one = |length: i64, b: i64, e: i64| saturated(count(length.into(), b.into(), e.into(), step));
            for begin in intervals.iter().step_by(3) {
                for end in intervals.iter().step_by(2) {
                    for dim in [(0, 0), (0, 5), (1, 1), (2, 4), (3, 5), (5, 5)] {
                        let all = (dim.0..=dim.1).flat_map(|length| {
                            (begin.0..=begin.1).flat_map(move |b| (end.0..=end.1).map(move |e| one(length, b, e)))
                        });
                        let (lower, upper) = all.fold((i64::MAX, 0), |(l, u), n| (l.min(n), u.max(n)));
                        let dim = Dim::between(dim.0, dim.1).unwrap_or(Dim::ANY);
                        let found = Cut { begin: span(*begin), end: span(*end), step: Some(step) }.length(dim);
                        assert_eq!(Some(found), Dim::between(lower, upper), "{dim} {begin:?} {end:?} {step}");
                    }
                }
            }
        }
    }

    /// Compares all lengths in 0..=7 and pairs of endpoints.
    #[test]
    fn expressions_are_exact() {
        let endpoints = || (-8..=8).map(at).chain([Endpoint::LOWEST, Endpoint::HIGHEST]);
        for step in [-3, -2, -1, 1, 2, 3] {
            for (begin, end) in endpoints().flat_map(|begin| endpoints().map(move |end| (begin, end))) {
                let (cut, all) = recording(true, || {
                    let length = Length { layer: 0, output: 0, axis: 0 };
                    Cut { begin, end, step: Some(step) }
                        .length(Dim::ANY.with_symbol(atom(Atom::Input(length, (0, i64::MAX)))))
                });
                for length in 0..=7 {
                    let found = match cut.length() {
                        Some(known) => Some(known),
                        None => all.as_ref().unwrap().evaluate(cut.symbol(), &|_| Some(length)),
                    };
                    let wanted = saturated(count(length.into(), begin.lower, end.lower, step));
                    assert_eq!(found, Some(wanted), "{length} {begin:?} {end:?} {step}");
                }
            }
        }
    }

    #[test]
    fn unbounded_dimensions_stay_so_where_the_slice_does() {
        assert_eq!(length(Dim::ANY, at(1), Endpoint::HIGHEST, 1), "?");
        assert_eq!(length(Dim::at_least(3), at(1), Endpoint::HIGHEST, 1), "2..");
        assert_eq!(length(Dim::at_least(3), at(0), at(-1), 1), "2..");
        assert_eq!(length(Dim::ANY, at(-3), Endpoint::HIGHEST, 1), "..3");
        assert_eq!(length(Dim::ANY, at(0), at(4), 1), "..4");
        assert_eq!(length(Dim::ANY, at(-1), Endpoint::LOWEST, -1), "?");
        assert_eq!(length(Dim::at_least(3), at(0), Endpoint::HIGHEST, 2), "2..");
        assert_eq!(length(Dim::exact(10), Endpoint::ANY, at(4), 1), "..4");
        assert_eq!(length(Dim::ANY, at(1), at(i64::from(i32::MAX)), 1), "..2147483646");
    }

    #[test]
    fn only_the_extremes_of_i32_and_i64_are_infinite() {
        let of = |value, ty| Endpoint::of(Bounds::exact(value), ty);
        assert_eq!(of(i64::from(i32::MAX), ElementType::I32), Endpoint::HIGHEST);
        assert_eq!(of(i64::MAX, ElementType::I64), Endpoint::HIGHEST);
        assert_eq!(of(-1, ElementType::U64), Endpoint::HIGHEST);
        assert_eq!(Endpoint::of(Bounds::<i64>::ANY, ElementType::U64), Endpoint::between(0, INFINITY));
        assert_eq!(of(127, ElementType::I8).exact(), Some(127));
        assert_eq!(of(i64::from(i32::MAX), ElementType::I64).exact(), Some(i128::from(i32::MAX)));
    }
}
