//! Tests of expressions against plain arithmetic.

use super::*;
use crate::types::interval;

/// Records expressions over `count` lengths of 0 or more.
fn with_lengths<R>(count: u32, work: impl FnOnce(&[Operand]) -> R) -> (R, Box<Expressions>) {
    let (result, all) = recording(true, || {
        let length = |layer| atom(Atom::Input(Length { layer, output: 0, axis: 0 }, (0, i64::MAX)));
        let lengths: Vec<Operand> = (0..count).map(|layer| Operand::Of(length(layer))).collect();
        work(&lengths)
    });
    (result, all.unwrap())
}

fn text(all: &Expressions, symbol: Symbol) -> String {
    all.text(symbol, Reader::Program, &|length| ["a", "b", "c", "d"][length.layer as usize].to_owned())
}

fn of(symbol: Symbol) -> Operand {
    Operand::new(None, symbol)
}

/// A deterministic pseudo-random generator.
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn number(&mut self, end: u64) -> i64 {
        i64::try_from(self.below(end)).unwrap()
    }
}

#[test]
fn equal_expressions_have_one_form() {
    let (symbols, all) = with_lengths(3, |lengths| {
        let [a, b, c] = lengths else { unreachable!() };
        let (two, three, four, six) = (Operand::Known(2), Operand::Known(3), Operand::Known(4), Operand::Known(6));
        let up = |n, by| floor_div(of(plus(n, Operand::Known(by - 1))), Operand::Known(by));
        let one = Operand::Known(1);
        let is_any = |n: &Operand| of(min(*n, one));
        let none = Operand::Known(0);
        let down = |by| of(minus(none, of(floor_div(of(minus(none, *a)), by))));
        [
            (plus(*a, *b), plus(*b, *a), "a + b"),
            (times(of(plus(*a, *b)), *c), plus(of(times(*a, *c)), of(times(*c, *b))), "a*c + b*c"),
            (floor_div(of(floor_div(*a, two)), three), floor_div(*a, six), "a//6"),
            (floor_div(of(times(*a, six)), two), times(*a, three), "3*a"),
            (floor_div(of(plus(of(times(*a, four)), *b)), four), plus(*a, of(floor_div(*b, four))), "a + b//4"),
            (plus(down(four), none), up(*a, 4), "(a + 3)//4"),
            (plus(down(two), none), up(*a, 2), "(a + 1)//2"),
            (floor_div(of(times(*a, *b)), *b), plus(*a, Operand::Known(0)), "a"),
            (floor_div(of(times(of(plus(*a, *b)), *c)), of(plus(*a, *b))), plus(*c, Operand::Known(0)), "c"),
            (
                floor_div(of(times(*a, of(times(*b, six)))), of(times(*b, four))),
                floor_div(of(times(*a, three)), two),
                "a + a//2",
            ),
            (floor_div(of(times(*a, *c)), of(times(*b, *c))), floor_div(*a, *b), "a//max(1, b)"),
            (up(of(up(of(up(*a, 2)), 2)), 2), up(*a, 8), "(a + 7)//8"),
            (min(of(broadcast(*a, *b)), one), times(is_any(a), is_any(b)), "min(a, 1)*min(b, 1)"),
            (times(of(broadcast(*a, *b)), is_any(a)), broadcast(*a, *b), "max(a, b)*min(1, a, b)"),
            (
                broadcast(of(quotient_or_1(of(times(*a, *b)), *b)), of(times(*a, is_any(b)))),
                times(*a, is_any(b)),
                "a*min(b, 1)",
            ),
            (
                max(of(minus(of(times(*a, two)), six)), none),
                times(of(max(of(minus(*a, three)), none)), two),
                "2*max(a - 3, 0)",
            ),
            (broadcast(of(min(*a, six)), *a), plus(*a, Operand::Known(0)), "a"),
            (broadcast(of(broadcast(*a, of(min(*b, two)))), *b), broadcast(*b, *a), "max(a, b)*min(1, a, b)"),
            (max(*a, Operand::Known(0)), plus(*a, Operand::Known(0)), "a"),
            (min(of(plus(*a, two)), *a), plus(*a, Operand::Known(0)), "a"),
            (times(*a, of(min(*a, Operand::Known(1)))), plus(*a, Operand::Known(0)), "a"),
            (broadcast(*a, Operand::Known(1)), broadcast(*a, *a), "a"),
            (broadcast(*a, *b), broadcast(*b, *a), "max(a, b)*min(1, a, b)"),
            (minus(Operand::Known(3), of(floor_div(*a, four))), minus(three, of(floor_div(*a, four))), "-(a//4) + 3"),
            (minus(of(plus(*a, *b)), *b), plus(*a, Operand::Known(0)), "a"),
            (broadcast(of(broadcast(*a, *b)), *a), broadcast(*a, *b), "max(a, b)*min(1, a, b)"),
            (max(of(max(*c, *a)), of(max(*b, *c))), max(*a, of(max(*b, *c))), "max(a, b, c)"),
        ]
    });
    for (one, other, wanted) in symbols {
        assert_eq!((text(&all, one), one), (wanted.to_owned(), other));
    }
}

/// An operation on two results of earlier steps; the first results are the lengths.
#[derive(Clone, Copy)]
struct Step {
    function: u64,
    x: usize,
    y: Result<usize, i64>,
}

/// A random program on `lengths` lengths.
fn program(draws: &mut Draws, lengths: usize, count: usize) -> Vec<Step> {
    let one = |draws: &mut Draws, end: usize| usize::try_from(draws.below(end as u64)).unwrap();
    let steps = lengths..lengths + count;
    let step = |end| Step {
        function: draws.below(9),
        x: one(draws, end),
        y: if draws.below(3) == 0 { Err(draws.number(9) - 2) } else { Ok(one(draws, end)) },
    };
    steps.map(step).collect()
}

/// The result in plain arithmetic, if there is one.
fn result(function: u64, a: i64, b: i64) -> Option<i64> {
    let number = match function {
        0 | 1 => a.checked_add(b),
        2 => a.checked_sub(b),
        3 => a.checked_mul(b),
        4 => Some(a.min(b)),
        5 => Some(a.max(b)),
        6 => (a >= 0 && b >= 0 && (a == 1 || b == 1 || a == b)).then_some(if a == 1 { b } else { a }),
        7 => i64::try_from(interval::floor_div(a.into(), if b == 0 { return None } else { b.into() })).ok(),
        _ => (a >= 0 && b >= 0).then(|| if b == 0 { 1 } else { a / b }),
    };
    number.filter(|number| number.abs() < 1 << 40)
}

fn expression(function: u64, x: Operand, y: Operand) -> Operand {
    if let (Operand::Known(a), Operand::Known(b)) = (x, y) {
        return result(function, a, b).map_or(Operand::Unknown, Operand::Known);
    }
    let apply = [plus, plus, minus, times, min, max, broadcast, floor_div, quotient_or_1];
    of(apply[usize::try_from(function).unwrap()](x, y))
}

/// The results of all steps.
fn run<T: Copy>(program: &[Step], lengths: &[T], known: fn(i64) -> T, apply: fn(u64, T, T) -> T) -> Vec<T> {
    let mut all = lengths.to_vec();
    for step in program {
        let y = step.y.map_or_else(known, |y| all[y]);
        all.push(apply(step.function, all[step.x], y));
    }
    all
}

#[test]
fn expressions_are_what_arithmetic_gives() {
    let mut draws = Draws(7);
    let mut compared = 0;
    for _ in 0..300 {
        let program = program(&mut draws, 4, 8);
        // Once with all lengths as symbols, once with some of them exact.
        let ((open, partly), all) = with_lengths(4, |lengths| {
            let few = [lengths[0], Operand::Known(draws.number(4)), lengths[2], Operand::Known(draws.number(4))];
            let of = |lengths: &[Operand]| run(&program, lengths, Operand::Known, expression);
            (of(lengths), of(&few))
        });
        for _ in 0..50 {
            let mut numbers: Vec<i64> = (0..4).map(|_| draws.number(9)).collect();
            if draws.below(2) == 0 {
                numbers = (0..4).map(|_| numbers[usize::try_from(draws.below(2)).unwrap()]).collect();
            }
            for (found, is_partly) in [(&open, false), (&partly, true)] {
                if is_partly {
                    for (number, length) in numbers.iter_mut().zip(&partly) {
                        *number = if let Operand::Known(known) = length { *known } else { *number };
                    }
                }
                let lengths: Vec<Option<i64>> = numbers.iter().copied().map(Some).collect();
                let wanted = run(&program, &lengths, Some, |function, a, b| result(function, a?, b?));
                for (operand, wanted) in found.iter().zip(&wanted) {
                    let (Some(wanted), false) = (*wanted, *operand == Operand::Unknown) else { continue };
                    let Operand::Of(symbol) = *operand else {
                        assert_eq!(*operand, Operand::Known(wanted));
                        continue;
                    };
                    compared += 1;
                    let length = |length: Length| Some(numbers[length.layer as usize]);
                    let text = text(&all, symbol);
                    assert_eq!(all.evaluate(symbol, &length), Some(wanted), "{text} at {numbers:?}");
                    let (lower, upper) = all.bounds(symbol);
                    assert!(lower <= wanted.into() && i128::from(wanted) <= upper, "{text} in {lower}..{upper}");
                }
            }
        }
    }
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn extreme_numbers_are_calculated_with_or_not_at_all() {
    const EXTREMES: [i64; 9] = [i64::MIN, i64::MIN + 1, -1 << 62, -1, 0, 1, 1 << 62, i64::MAX - 1, i64::MAX];
    let exact = |function: u64, a: i64, b: i64| match function {
        0 => a.checked_add(b),
        1 => a.checked_sub(b),
        2 => a.checked_mul(b),
        3 => Some(a.min(b)),
        4 => Some(a.max(b)),
        _ => i64::try_from(interval::floor_div(a.into(), if b == 0 { return None } else { b.into() })).ok(),
    };
    let functions = [plus, minus, times, min, max, floor_div];
    let mut compared = 0;
    // An operation of a length and a number, and one of its result and another number, in both orders.
    let cases =
        (0..6_u64).flat_map(|one| (0..6_u64).flat_map(move |other| [false, true].map(|turned| (one, other, turned))));
    for (one, other, turned) in cases {
        let pairs = EXTREMES.into_iter().flat_map(|a| EXTREMES.map(|b| (a, b)));
        for (a, b) in pairs.filter(|(a, b)| (one < 5 || *a != 0) && (other < 5 || turned || *b != 0)) {
            let (symbol, all) = with_lengths(1, |lengths| {
                let apply = |function: u64| functions[usize::try_from(function).unwrap()];
                let inner = of(apply(one)(lengths[0], Operand::Known(a)));
                if turned { apply(other)(Operand::Known(b), inner) } else { apply(other)(inner, Operand::Known(b)) }
            });
            for length in [0, 1, 2, 3, i64::MAX] {
                let inner = exact(one, length, a);
                let wanted =
                    inner.and_then(|inner| if turned { exact(other, b, inner) } else { exact(other, inner, b) });
                let (Some(wanted), false) = (wanted, symbol.is_none()) else { continue };
                let (lower, upper) = all.bounds(symbol);
                let text = text(&all, symbol);
                assert!(lower <= wanted.into() && i128::from(wanted) <= upper, "{text} in {lower}..{upper}");
                if let Some(found) = all.evaluate(symbol, &|_| Some(length)) {
                    assert_eq!(found, wanted, "{text} at {length}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 5_000, "{compared}");
}

#[test]
fn what_grows_too_large_has_no_symbol() {
    let (symbols, _) = with_lengths(1, |lengths| {
        let [a] = lengths else { unreachable!() };
        let power = (0..20).fold(*a, |power, _| of(times(power, *a)));
        let large = of(times(*a, Operand::Known(i64::MAX)));
        [times(power, *a), times(large, Operand::Known(2)), plus(Operand::Unknown, *a)]
    });
    assert!(symbols.iter().all(|symbol| symbol.is_none()));
}

#[test]
fn nothing_is_recorded_unless_it_is_wanted() {
    let length = Atom::Input(Length { layer: 0, output: 0, axis: 0 }, (0, 9));
    let (inner, outer) = recording(true, || {
        let outer = atom(length);
        let (inner, none) = recording(false, || atom(length));
        assert!(none.is_none() && !outer.is_none());
        inner
    });
    assert!(inner.is_none() && outer.is_some());
    assert!(atom(length).is_none());
}

#[test]
fn people_read_expressions_without_lengths_of_0() {
    let (symbols, all) = with_lengths(2, |lengths| {
        let [a, b] = lengths else { unreachable!() };
        [quotient_or_1(of(times(*a, of(times(*b, Operand::Known(8))))), *b), broadcast(*a, *b)]
    });
    let both = |symbol| {
        let name = |length: Length| ["a", "b"][length.layer as usize].to_owned();
        [Reader::Program, Reader::Person].map(|reader| all.text(symbol, reader, &name))
    };
    assert_eq!(both(symbols[0]), ["8*a*min(b, 1) - min(b, 1) + 1", "8*a"]);
    assert_eq!(both(symbols[1]), ["max(a, b)*min(1, a, b)", "max(a, b)"]);
}

#[test]
fn nested_expressions_stay_small() {
    let (symbols, _) = with_lengths(4, |lengths| {
        let met = |deep: Operand, n: usize| of(broadcast(of(plus(deep, Operand::Known(1))), lengths[n % 4]));
        let halved = |deep: Operand, _| of(floor_div(of(times(deep, Operand::Known(2))), Operand::Known(3)));
        let cut = |deep: Operand, n| of(min(of(times(halved(deep, n), Operand::Known(5))), Operand::Known(100)));
        let nested = |depth: usize| {
            let of = |nest: &dyn Fn(Operand, usize) -> Operand| (0..depth).fold(lengths[0], nest);
            [of(&met), of(&halved), of(&cut)]
        };
        (nested(4), nested(100_000))
    });
    assert!(symbols.0.iter().all(|one| *one != Operand::Unknown), "{symbols:?}");
    assert_eq!(symbols.1, [Operand::Unknown; 3]);
}
