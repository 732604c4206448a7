//! Slicing as `Slice` and `StridedSlice` do it: from a begin to an end by steps, each of them perhaps only bounded.

use super::strides::{View, strides};
use crate::ops::rules::SHAPE_CONFLICT;
use crate::ops::{At, Fault, InferCtx};
use crate::types::interval::Interval;
use crate::types::symbol::Symbol;
use crate::types::{Bounds, Dim, ElementType, PartialShape, Value};

/// Past every place and length; twice the length of an unbounded dimension, so that a negative infinity stays negative
/// when it is counted from the end.
const INFINITY: i128 = 1 << 126;
const UNBOUNDED: i128 = 1 << 125;

/// Where a begin or an end may lie, as written: negative places count from the end of the dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Places {
    lower: i128,
    upper: i128,
    symbol: Symbol,
}

impl Places {
    /// Anywhere.
    pub(crate) const ANY: Self = Self::between(-INFINITY, INFINITY);
    /// Before the first element.
    pub(crate) const LOWEST: Self = Self::between(-INFINITY, -INFINITY);
    /// Behind the last element.
    pub(crate) const HIGHEST: Self = Self::between(INFINITY, INFINITY);
    /// At the first element.
    pub(crate) const FIRST: Self = Self::between(0, 0);

    const fn between(lower: i128, upper: i128) -> Self {
        Self { lower, upper, symbol: Symbol::NONE }
    }

    /// The place counted from the front and brought into `first..=last`, which is around a dimension; `None` where it may be
    /// counted from either side.
    fn within(self, dim: Dim, first: Interval, last: Interval) -> Option<Interval> {
        match self.place() {
            Some(INFINITY..) => Some(last),
            Some(place) if place <= -INFINITY => Some(first),
            Some(place @ 0..) => Some(Interval::exact(place).least(last)),
            Some(place) => Some(Interval::from(dim).plus(Interval::exact(place)).greatest(first)),
            None if self.lower >= 0 => Some(Interval::between(self.lower, self.upper).named(self.symbol).least(last)),
            None => None,
        }
    }

    /// The places in an input of type `ty`: the extremes of i32 and i64 stand for infinity, those of other types do not.
    pub(crate) fn of(bounds: Bounds<i64>, ty: ElementType) -> Self {
        let place = |value: i64| match ty {
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
        Self { symbol: bounds.symbol, ..Self::between(place(bounds.lower), place(bounds.upper)) }
    }

    /// Element `i` of input `input`; anywhere where nothing is known of it.
    pub(crate) fn at(cx: &InferCtx, input: usize, i: usize) -> Self {
        let element = cx.value(input).and_then(Value::as_integers).and_then(|all| all.get(i));
        element.map_or(Self::ANY, |bounds| Self::of(*bounds, cx.input(input).ty))
    }

    /// The only place, if there is one.
    fn place(self) -> Option<i128> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The place in a dimension of `length`, if there is just one and it lies inside.
    fn inside(self, length: i64) -> Option<i64> {
        let place = from_front(self.place()?, i128::from(length));
        i64::try_from(place).ok().filter(|place| (0..length).contains(place))
    }

    /// The places counted from the end and those counted from the front.
    fn halves(self) -> impl Iterator<Item = Self> {
        let negative = Self { upper: self.upper.min(-1), ..self };
        let positive = Self { lower: self.lower.max(0), ..self };
        [negative, positive].into_iter().filter(|half| half.lower <= half.upper)
    }
}

/// The part of one dimension that a slice takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Where it begins.
    pub(crate) begin: Places,
    /// Where it ends, that place left out.
    pub(crate) end: Places,
    /// The distance of the elements taken, never 0; `None` if it is not known.
    pub(crate) step: Option<i64>,
}

impl Cut {
    /// All of the dimension.
    pub(crate) const WHOLE: Self = Self { begin: Places::FIRST, end: Places::HIGHEST, step: Some(1) };

    /// The lengths that the cut of a dimension can have, exactly.
    pub(crate) fn length(self, dim: Dim) -> Dim {
        let whole = dim.upper().map_or(Dim::ANY, Dim::at_most);
        let Some(step) = self.step else { return whole };
        if self == Self::WHOLE {
            return dim;
        }
        let mut all: Option<Dim> = None;
        for begin in self.begin.halves() {
            for end in self.end.halves() {
                // Within a half the count rises or falls steadily with either place.
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

    /// The number of elements that the steps take.
    fn number(self, dim: Dim) -> Option<Interval> {
        let (none, length) = (Interval::exact(0), Interval::from(dim));
        let step = self.step?;
        let way = if step > 0 {
            self.end.within(dim, none, length)?.plus(self.begin.within(dim, none, length)?.negated())
        } else {
            // On the way back, a begin before the first element is the first element, if there is one.
            let (before, last) = (Interval::exact(-1), length.plus(Interval::exact(-1)));
            let first = last.least(none);
            self.begin.within(dim, first, last)?.plus(self.end.within(dim, before, last)?.negated())
        };
        Some(way.greatest(none).steps(Interval::exact(step.unsigned_abs().into())))
    }

    /// The place of the first element taken from a dimension of `length`, if it is known.
    fn first(self, length: i64) -> Option<i64> {
        i64::try_from(begin_at(self.begin.place()?, i128::from(length), self.step? > 0)).ok()
    }
}

/// The numbers of elements taken, for the lengths of the dimension between which the number changes steadily.
fn counts(dim: Dim, (begin, end): (i128, i128), step: i64) -> impl Iterator<Item = i128> {
    let lower = i128::from(dim.lower());
    let upper = dim.upper().map_or(UNBOUNDED, i128::from);
    let turns = [0, begin, end].into_iter().flat_map(|place| [-1, 0, 1].map(|near| place.abs() + near));
    let lengths = turns.filter(move |length| lower < *length && *length < upper).chain([lower, upper]);
    lengths.map(move |length| count(length, begin, end, step))
}

/// The number of elements between two places of a dimension.
fn count(length: i128, begin: i128, end: i128, step: i64) -> i128 {
    let forward = step > 0;
    let (begin, end) = (begin_at(begin, length, forward), end_at(end, length, forward));
    let (way, step) = if forward { (end - begin, i128::from(step)) } else { (begin - end, -i128::from(step)) };
    if way <= 0 || length == 0 { 0 } else { (way - 1) / step + 1 }
}

/// A begin counted from the front and brought into the dimension; on the way back, a begin before the first element is
/// the first element.
fn begin_at(place: i128, length: i128, forward: bool) -> i128 {
    let last = if forward { length } else { length - 1 };
    from_front(place, length).min(last).max(0)
}

/// An end counted from the front and brought into the dimension, or one step outside it.
fn end_at(place: i128, length: i128, forward: bool) -> i128 {
    let place = from_front(place, length);
    if forward { place.clamp(0, length) } else { place.clamp(-1, length - 1) }
}

fn from_front(place: i128, length: i128) -> i128 {
    if place < 0 { place + length } else { place }
}

fn saturated(count: i128) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The length of the lists from input `first` on; the fault of one that differs from those before it.
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

/// What becomes of one dimension, or a dimension that comes in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The dimension `axis` of the data is cut.
    Cut(usize, Cut),
    /// One element along `axis` is taken, and the dimension goes.
    Drop(usize, Places),
    /// A dimension of length 1 comes in.
    New,
}

/// The shape of the parts.
pub(crate) fn shape(data: &PartialShape, parts: &[Part]) -> PartialShape {
    PartialShape::of(parts.iter().filter_map(|part| match part {
        Part::Cut(axis, cut) => Some(cut.length(data.dim(*axis))),
        Part::Drop(..) => None,
        Part::New => Some(Dim::exact(1)),
    }))
}

/// Where the elements of the parts lie in the data; `None` unless shape and places are known.
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
                view.advance(at.inside(length)?.checked_mul(distance)?);
            }
        }
    }
    Some(view)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::symbol::{Atom, Length, atom, recording};

    fn length(dim: Dim, begin: Places, end: Places, step: i64) -> String {
        Cut { begin, end, step: Some(step) }.length(dim).to_string()
    }

    fn at(place: i64) -> Places {
        Places::of(Bounds::exact(place), ElementType::I64)
    }

    /// Every dimension in 0..=5, every pair of intervals of places: the hull of all exact answers, and nothing more.
    #[test]
    fn lengths_are_exact() {
        let intervals: Vec<(i64, i64)> = (-6..=6).flat_map(|low| (low..=6).map(move |high| (low, high))).collect();
        let span = |(lower, upper): (i64, i64)| Places::between(lower.into(), upper.into());
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

    /// Every length in 0..=7, cut between every two places.
    #[test]
    fn expressions_are_exact() {
        let places = || (-8..=8).map(at).chain([Places::LOWEST, Places::HIGHEST]);
        for step in [-3, -2, -1, 1, 2, 3] {
            for (begin, end) in places().flat_map(|begin| places().map(move |end| (begin, end))) {
                let (cut, all) = recording(true, || {
                    let length = Length { layer: 0, output: 0, axis: 0 };
                    Cut { begin, end, step: Some(step) }
                        .length(Dim::ANY.named(atom(Atom::Input(length, (0, i64::MAX)))))
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
        assert_eq!(length(Dim::ANY, at(1), Places::HIGHEST, 1), "?");
        assert_eq!(length(Dim::at_least(3), at(1), Places::HIGHEST, 1), "2..");
        assert_eq!(length(Dim::at_least(3), at(0), at(-1), 1), "2..");
        assert_eq!(length(Dim::ANY, at(-3), Places::HIGHEST, 1), "..3");
        assert_eq!(length(Dim::ANY, at(0), at(4), 1), "..4");
        assert_eq!(length(Dim::ANY, at(-1), Places::LOWEST, -1), "?");
        assert_eq!(length(Dim::at_least(3), at(0), Places::HIGHEST, 2), "2..");
        assert_eq!(length(Dim::exact(10), Places::ANY, at(4), 1), "..4");
        assert_eq!(length(Dim::ANY, at(1), at(i64::from(i32::MAX)), 1), "..2147483646");
    }

    #[test]
    fn only_the_extremes_of_i32_and_i64_are_infinite() {
        let of = |value, ty| Places::of(Bounds::exact(value), ty);
        assert_eq!(of(i64::from(i32::MAX), ElementType::I32), Places::HIGHEST);
        assert_eq!(of(i64::MAX, ElementType::I64), Places::HIGHEST);
        assert_eq!(of(-1, ElementType::U64), Places::HIGHEST);
        assert_eq!(Places::of(Bounds::<i64>::ANY, ElementType::U64), Places::between(0, INFINITY));
        assert_eq!(of(127, ElementType::I8).place(), Some(127));
        assert_eq!(of(i64::from(i32::MAX), ElementType::I64).place(), Some(i128::from(i32::MAX)));
    }
}
