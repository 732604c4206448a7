//! Domains say what the demands say that they are made of.

use super::{Assumption, Demanded, Domain, Symbols};
use crate::ir::LayerId;
use crate::types::Dim;
use crate::types::Interval;
use crate::types::symbol::demand::taken;
use crate::types::symbol::{Atom, Length, Reader, atom, recording};

/// Sets of demands that are tried; `OVLINT_FUZZ_ROUNDS` sets another number.
const SETS: u64 = 400;

/// Numbers without pattern, the same in every run (xorshift).
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
    Dim::ANY.named(atom(Atom::Input(Length { layer, output: 0, axis: 0 }, (0, i64::MAX))))
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
            let extreme = if random.below(2) == 0 { one.least(other) } else { one.greatest(other) };
            Dim::ANY.named(extreme.symbol())
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
        taken()
    });
    let said = demands.all.clone();
    let symbols = Symbols { expressions: all.unwrap(), demanded: vec![Demanded { layer: LayerId::new(0), demands }] };
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
            // What is usual is a part of what works.
            let is_right = found == wanted || domain.assumption == Assumption::Usual && wanted;
            assert!(is_right, "seed {seed} at {lengths:?}: {texts:?} became {shown:?}");
            met += u32::from(wanted);
            failed += u32::from(!wanted);
        }
    }
    (met, failed)
}

#[test]
fn constraints_hold_just_where_all_demands_hold() {
    let (mut met, mut failed) = (0, 0);
    let sets = std::env::var("OVLINT_FUZZ_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(SETS);
    for seed in 1..=sets {
        let (more, fewer) = compare(seed);
        (met, failed) = (met + more, failed + fewer);
    }
    assert!(met > 5_000 && failed > 5_000, "{met} met, {failed} failed");
}
