use super::*;
use crate::types::symbol::{Atom, Length, atom, recording};
use ElementType as T;

fn spans() -> impl Iterator<Item = Interval> {
    (-4..=4).flat_map(|lower| (lower..=4).map(move |upper| Interval::between(lower, upper)))
}

fn sound(of: impl Fn(Interval, Interval) -> Option<Interval>, exact: impl Fn(i128, i128) -> Option<i128>) {
    for (a, b) in spans().flat_map(|a| spans().map(move |b| (a, b))) {
        let found = of(a, b);
        let results = (a.lower..=a.upper).flat_map(|x| (b.lower..=b.upper).map(move |y| (x, y)));
        for result in results.filter_map(|(x, y)| exact(x, y)) {
            let found = found.unwrap();
            assert!(found.lower <= result && result <= found.upper, "{a:?} {b:?} {found:?} {result}");
        }
    }
}

#[test]
fn every_result_lies_in_the_span() {
    sound(|a, b| Some(a.plus(b)), |x, y| Some(x + y));
    sound(|a, b| Some(a.times(b)), |x, y| Some(x * y));
    sound(|a, b| Some(a.divided(b, floor_div)), |x, y| (y != 0).then(|| floor_div(x, y)));
    sound(|a, b| Some(a.divided(b, |x, y| x / y)), i128::checked_div);
    sound(|a, _| Some(a.magnitude()), |x, _| Some(x.abs()));
}

#[test]
fn ends_of_64_bits_do_not_overflow() {
    let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX].map(i128::from);
    for (a, b) in ends.into_iter().flat_map(|a| ends.map(|b| (a, b))) {
        let (one, other) = (Interval::exact(a), Interval::exact(b));
        assert_eq!((one.plus(other), one.times(other)), (Interval::exact(a + b), Interval::exact(a * b)));
        assert_eq!((one.negated(), one.magnitude()), (Interval::exact(-a), Interval::exact(a.abs())));
        if b != 0 {
            assert_eq!(one.divided(other, floor_div), Interval::exact(floor_div(a, b)));
        }
        for open in [Interval::between(a, INFINITE), Interval::between(-INFINITE, a), Interval::ANY] {
            let all = [open.plus(other), open.times(other), open.divided(other, floor_div), open.div_ceil(other)];
            assert!(all.iter().all(|one| one.lower <= one.upper && one.bounds(T::I64).is_some()), "{all:?}");
        }
    }
}

#[test]
fn unbounded_ends_stay_unbounded() {
    let from = |lower| Interval::between(lower, INFINITE);
    assert_eq!(from(3).plus(Interval::exact(2)).bounds(T::I64), Some(Bounds::between(5, i64::MAX)));
    assert_eq!(from(3).times(Interval::exact(2)).bounds(T::I32), Some(Bounds::between(6, i32::MAX.into())));
    assert_eq!(from(3).divided(Interval::exact(2), floor_div), from(1));
    assert_eq!(Interval::exact(3).divided(from(2), floor_div), Interval::between(0, 1));
    assert_eq!(Interval::of(T::I32, Bounds::between(2, i32::MAX.into())), from(2));
    assert_eq!(Interval::of(T::U8, Bounds::between(2, 255)), Interval::between(2, 255));
}

#[test]
fn what_may_have_wrapped_around_in_u64_is_any_number() {
    let wrapped = Interval::between(-3, 5).bounds(T::U64).unwrap();
    assert_eq!(wrapped, Bounds::<i64>::ANY);
    let span = Interval::of(T::U64, wrapped);
    assert_eq!(span.plus(Interval::exact(3)).bounds(T::U64), Some(Bounds::<i64>::ANY));
    assert_eq!(span.bounds(T::I64), Some(Bounds::<i64>::ANY));
    assert_eq!(Interval::of(T::U64, Bounds::between(2, i64::MAX)), Interval::between(2, INFINITE));
}

#[test]
fn what_overflows_or_divides_by_0_equals_nothing() {
    let (found, _) = recording(true, || {
        let length = Length { layer: 0, output: 0, axis: 0 };
        let from = |least| Interval::between(least, 9).with_symbol(atom(Atom::Input(length, (0, 9))));
        let lowest = Interval::exact(i32::MIN.into());
        let has_name = |of: Interval| of.bounds(T::I32).is_some_and(|of| !of.symbol.is_none());
        let remainder = |by| Interval::between(0, 5).as_remainder(Interval::exact(5), by);
        let names = [lowest.plus(from(1).negated()), lowest.plus(from(0)), remainder(from(0)), remainder(from(1))];
        names.map(has_name)
    });
    assert_eq!(found, [false, true, false, true]);
}

#[test]
fn numbers_wrap_and_bounds_do_not() {
    assert_eq!(Interval::exact(450).wrapped(T::U8), Interval::exact(194));
    assert_eq!(Interval::exact(1 << 63).wrapped(T::I64), Interval::exact(i64::MIN.into()));
    assert_eq!(Interval::between(0, 300).bounds(T::U8), Some(Bounds::between(0, 255)));
    assert_eq!(Interval::between(0, 1 << 63).bounds(T::I64), Some(Bounds::<i64>::ANY));
}
