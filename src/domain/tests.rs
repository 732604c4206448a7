//! Tests that domains are equivalent to the demands from which they are made.

use super::lengths::{Lengths, Pattern};
use super::{Assumption, Demanded, Domain, Symbols};
use crate::ir::LayerId;
use crate::ops::testing::draws::draws;
use crate::types::Dim;
use crate::types::Interval;
use crate::types::interval::floor_div;
use crate::types::symbol::demand::drain;
use crate::types::symbol::{Atom, Length, Reader, atom, recording};

/// The number of random sets of demands.
const SETS: u64 = 400;

/// Reproducible pseudorandom numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % count
    }

    fn number(&mut self, count: u64) -> i64 {
        i64::try_from(self.below(count)).unwrap()
    }
}

const LENGTHS: u32 = 3;

fn length(random: &mut Random) -> Dim {
    let layer = u32::try_from(random.below(u64::from(LENGTHS))).unwrap();
    Dim::ANY.with_symbol(atom(Atom::Input(Length { layer, output: 0, axis: 0 }, (0, i64::MAX))))
}

fn dim(random: &mut Random, depth: u32) -> Dim {
    if depth == 0 {
        return if random.below(5) == 0 { Dim::exact(random.number(6)) } else { length(random) };
    }
    let one = dim(random, depth - 1);
    match random.below(8) {
        0 => one.plus(dim(random, depth - 1)),
        1 => one.minus(Dim::exact(random.number(4))),
        2 => one.times(Dim::exact(1 + random.number(3))),
        3 => one.times(dim(random, depth - 1)),
        4 => one.divide(2 + random.number(3)).unwrap_or(one),
        5 => one.meet(dim(random, depth - 1)).unwrap_or(one),
        6 => {
            let other = if random.below(2) == 0 { Dim::exact(random.number(9)) } else { dim(random, depth - 1) };
            let (one, other) = (Interval::from(one), Interval::from(other));
            let extreme = if random.below(2) == 0 { one.min(other) } else { one.max(other) };
            Dim::ANY.with_symbol(extreme.symbol())
        }
        _ => one,
    }
}

fn demand(random: &mut Random) {
    let depth = u32::try_from(random.below(3)).unwrap();
    let (a, b) = (dim(random, depth), dim(random, depth));
    match random.below(5) {
        0 => {
            a.agree(b);
        }
        1 => {
            a.meet(b);
        }
        2 => a.demand_multiple(Dim::exact(2 + random.number(4))),
        3 => a.demand_multiple(b),
        _ => a.demand_at_least(b),
    }
}

fn compare(seed: u64) -> (u32, u32) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (demands, all) = recording(true, || {
        (0..=random.below(4)).for_each(|_| demand(&mut random));
        drain()
    });
    let said = demands.all.clone();
    let symbols = Symbols {
        expressions: all.unwrap(),
        demanded: vec![Demanded { layer: LayerId::new(0), demands }],
        shared: Vec::new(),
    };
    let all = &symbols.expressions;
    let (mut met, mut failed) = (0, 0);
    for (assumption, least) in [(Assumption::Nothing, 0), (Assumption::Present, 1), (Assumption::Usual, 1)] {
        let domain = Domain::new(&symbols, &symbols.demanded, assumption);
        for _ in 0..60 {
            let lengths: Vec<i64> = (0..LENGTHS).map(|_| least + random.number(10)).collect();
            let at = |length: Length| lengths.get(length.layer as usize).copied();
            let wanted = said.iter().all(|demand| all.holds(demand, &at).unwrap_or(false));
            let found = domain.constraints.iter().all(|one| domain.holds(one, &at).unwrap_or(false));
            let name = |length: Length| format!("x{}", length.layer);
            let texts: Vec<String> =
                said.iter().map(|demand| all.demand_text(demand, Reader::Program, &name)).collect();
            let shown: Vec<String> =
                domain.constraints.iter().map(|one| domain.text_of(one, &name).join(" and ")).collect();
            // `Usual` excludes some dimensions that work.
            let is_right = found == wanted || domain.assumption == Assumption::Usual && wanted;
            assert!(is_right, "seed {seed} at {lengths:?}: {texts:?} became {shown:?}");
            met += u32::from(wanted);
            failed += u32::from(!wanted);
        }
    }
    (met, failed)
}

/// Numbers near the limits of 64 bits, and small ones of each sign.
const EXTREMES: [i64; 9] = [i64::MIN, i64::MIN + 1, -1 << 62, -1, 0, 1, 1 << 62, i64::MAX - 1, i64::MAX];

/// Returns a dimension made of a free one and of extreme numbers.
fn far(random: &mut Random) -> Dim {
    let one = |random: &mut Random| Interval::exact(EXTREMES[usize::try_from(random.below(9)).unwrap()].into());
    (0..=random.below(3)).fold(length(random), |dim, _| {
        let (all, number) = (Interval::from(dim), one(random));
        let made = match random.below(7) {
            0 => all.plus(number),
            1 => number.plus(all.negated()),
            2 => all.times(number),
            3 => all.divided(number, floor_div),
            4 => all.min(number),
            5 => all.max(number),
            _ => all.plus(length(random).into()),
        };
        Dim::ANY.with_symbol(made.symbol())
    })
}

#[test]
fn extreme_numbers_make_no_constraint_wrong() {
    let (mut met, mut failed) = (0, 0);
    for seed in 1..=3 * SETS {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let (demands, all) = recording(true, || {
            for _ in 0..=random.below(2) {
                let (a, b) = (far(&mut random), far(&mut random));
                match random.below(4) {
                    0 => _ = a.agree(b),
                    1 => _ = a.meet(b),
                    2 => a.demand_multiple(b),
                    _ => a.demand_at_least(b),
                }
            }
            drain()
        });
        let said = demands.all.clone();
        let symbols = Symbols {
            expressions: all.unwrap(),
            demanded: vec![Demanded { layer: LayerId::new(0), demands }],
            shared: Vec::new(),
        };
        let all = &symbols.expressions;
        for (assumption, least) in [(Assumption::Nothing, 0), (Assumption::Present, 1), (Assumption::Usual, 1)] {
            let domain = Domain::new(&symbols, &symbols.demanded, assumption);
            let name = |length: Length| format!("x{}", length.layer);
            let shown: Vec<String> =
                domain.constraints.iter().map(|one| domain.text_of(one, &name).join(" and ")).collect();
            for _ in 0..40 {
                let some = [0, 1, 2, 3, 7, 1 << 32, 1 << 62, i64::MAX - 1, i64::MAX];
                let lengths = [(); 3].map(|()| some[usize::try_from(random.below(9)).unwrap()].max(least));
                let at = |length: Length| lengths.get(length.layer as usize).copied();
                // Overflow of 64 bits has no answer.
                let wanted: Option<Vec<bool>> = said.iter().map(|demand| all.holds(demand, &at)).collect();
                let found: Option<Vec<bool>> = domain.constraints.iter().map(|one| domain.holds(one, &at)).collect();
                let (Some(wanted), Some(found)) = (wanted, found) else { continue };
                let (wanted, found) = (wanted.iter().all(|one| *one), found.iter().all(|one| *one));
                let is_right = found == wanted || domain.assumption == Assumption::Usual && wanted;
                assert!(is_right, "seed {seed} at {lengths:?}: {said:?} became {shown:?}");
                met += u32::from(wanted);
                failed += u32::from(!wanted);
            }
        }
    }
    assert!(met > 5_000 && failed > 5_000, "{met} met, {failed} failed");
}

#[test]
fn constraints_hold_just_where_all_demands_hold() {
    let (mut met, mut failed) = (0, 0);
    for seed in 1..=draws(SETS) {
        let (more, fewer) = compare(seed);
        (met, failed) = (met + more, failed + fewer);
    }
    assert!(met > 5_000 && failed > 5_000, "{met} met, {failed} failed");
}

#[test]
fn a_pattern_admits_the_lengths_for_which_its_clause_holds() {
    let mut compared = 0;
    for seed in 1..=draws(SETS) {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let (demands, all) = recording(true, || {
            (0..4).for_each(|_| demand(&mut random));
            drain()
        });
        let all = all.unwrap();
        for (one, lower) in demands.all.iter().flat_map(|one| [0, 1, 7].map(|lower| (one, lower))) {
            let pattern = Pattern::of(&all, one, lower, 1);
            let Some(lengths) = Lengths::of(std::iter::once(&pattern), lower) else { continue };
            for length in lower..150 {
                assert_eq!(Some(lengths.admits(length)), all.holds(one, &|_| Some(length)), "{one:?} at {length}");
                compared += 1;
            }
        }
    }
    assert!(compared > 50_000, "{compared} compared");
}
