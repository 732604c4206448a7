//! A property test of recorded demands: at exact lengths, an operation must reject exactly what its demands exclude.

use super::draws::draws;
use super::fuzz::{attrs, small_text};
use super::random::Random;
use crate::limits::Limits;
use crate::ops::apply::{Call, Extent};
use crate::ops::{Fault, Input, Kind, OpSpec};
use crate::types::symbol::demand::{Demands, drain};
use crate::types::symbol::{Atom, Expressions, Length, Reader, atom, recording};
use crate::types::{Bounds, Dim, ElementType, Fact, PartialShape, Value};

/// The calls per operation.
const ROUNDS: u64 = 300;

/// The assignments of lengths tried per call.
const TRIES: usize = 6;

/// A number in a call: exact, or a variable.
#[derive(Clone, Copy, Debug)]
enum Number {
    Known(i64),
    Chosen(usize),
}

impl Number {
    fn any(random: &mut Random, numbers: &[i64]) -> Self {
        if random.once_in(2) { Self::Known(random.of(numbers)) } else { Self::Chosen(random.below(CHOSEN)) }
    }

    fn dim(self) -> Dim {
        match self {
            Self::Known(number) => Dim::exact(number),
            Self::Chosen(i) => {
                let layer = u32::try_from(i).unwrap();
                Dim::ANY.with_symbol(atom(Atom::Input(Length { layer, output: 0, axis: 0 }, (0, i64::MAX))))
            }
        }
    }

    fn at(self, lengths: &[i64]) -> i64 {
        match self {
            Self::Known(number) => number,
            Self::Chosen(i) => lengths[i],
        }
    }
}

/// A random input.
#[derive(Clone, Debug)]
struct Drawn {
    ty: ElementType,
    dims: Vec<Number>,
    elements: Option<Vec<Number>>,
}

/// The number of variables in a call.
const CHOSEN: usize = 3;

/// The factor by which more calls are tried if few are accepted.
const PATIENCE: u64 = 20;

/// The accepted calls needed to count the demands of an operation as complete.
const LEAST: usize = 12;

const LENGTHS: &[i64] = &[0, 1, 1, 2, 2, 3, 4, 6, 8, 12];

impl Drawn {
    fn any(random: &mut Random, input: &Input, usual: usize, lengths: &[i64]) -> Self {
        let types: Vec<ElementType> = ElementType::all().filter(|ty| input.types.has(*ty)).collect();
        let common = [ElementType::I64, ElementType::F32].into_iter().find(|ty| input.types.has(*ty));
        let ty = if random.once_in(12) { random.of(&types) } else { common.unwrap_or(types[0]) };
        let rank = match input.ranks {
            [] if random.once_in(6) => 1 + random.below(4),
            ranks if ranks.is_empty() || ranks.contains(&usual) => usual,
            ranks => random.of(ranks),
        };
        let is_whole = ty == ElementType::I64 || ty == ElementType::I32;
        if is_whole && (input.reads_value || random.once_in(6)) {
            let lengths: Vec<i64> =
                (0..rank).map(|_| random.of(&[0, 1, 1, 2, 3, 4, i64::try_from(usual).unwrap()])).collect();
            let count = lengths.iter().product::<i64>();
            if count <= 16 {
                let numbers = &[-1, 0, 0, 1, 1, 2, 3, 4, 6, 8];
                let one = |random: &mut Random| Number::any(random, numbers);
                let elements = (0..count)
                    .map(|_| if random.once_in(2) { one(random) } else { Number::Known(random.of(numbers)) })
                    .collect();
                return Self { ty, dims: lengths.into_iter().map(Number::Known).collect(), elements: Some(elements) };
            }
        }
        let dims = (0..rank).map(|_| Number::any(random, lengths)).collect();
        Self { ty, dims, elements: None }
    }

    fn open(&self) -> Fact {
        let shape = PartialShape::of(self.dims.iter().map(|number| number.dim()));
        let bounds = |number: &Number| match number {
            Number::Known(number) => Bounds::exact(*number),
            Number::Chosen(_) => Bounds::from(number.dim()),
        };
        let value = self.elements.as_ref().and_then(|all| Value::integers(&shape, all.iter().map(bounds)));
        Fact::new(self.ty, shape).with_value(value)
    }

    fn at(&self, lengths: &[i64]) -> Fact {
        let shape = PartialShape::of(self.dims.iter().map(|number| Dim::exact(number.at(lengths))));
        let exact = |number: &Number| Bounds::exact(number.at(lengths));
        let value = self.elements.as_ref().and_then(|all| Value::integers(&shape, all.iter().map(exact)));
        Fact::new(self.ty, shape).with_value(value)
    }
}

/// The counts of compared calls, and the first differences between demands and operation.
#[derive(Default)]
struct Compared {
    accepted: usize,
    refused: usize,
    alarm: Option<String>,
    promise: Option<String>,
}

/// The attributes, and the lengths and elements of the inputs, of a call that random lengths rarely produce.
type Plan = (&'static [(&'static str, &'static str)], &'static [(&'static [i64], &'static [i64])]);

/// A valid call of an operation whose inputs depend on each other in many ways.
fn plan(name: &str) -> Option<Plan> {
    const RECURRENT: &[(&str, &str)] =
        &[("hidden_size", "2"), ("direction", "forward"), ("activations", "sigmoid,tanh,tanh")];
    Some(match name {
        "GRUSequence" => (
            RECURRENT,
            &[(&[3, 4, 5], &[]), (&[3, 1, 2], &[]), (&[3], &[]), (&[1, 6, 5], &[]), (&[1, 6, 2], &[]), (&[1, 6], &[])],
        ),
        "LSTMSequence" => (
            RECURRENT,
            &[
                (&[3, 4, 5], &[]),
                (&[3, 1, 2], &[]),
                (&[3, 1, 2], &[]),
                (&[3], &[]),
                (&[1, 8, 5], &[]),
                (&[1, 8, 2], &[]),
                (&[1, 8], &[]),
            ],
        ),
        "Col2Im" => (
            &[("strides", "1,1"), ("dilations", "1,1"), ("pads_begin", "0,0"), ("pads_end", "0,0")],
            &[(&[3, 8, 12], &[]), (&[2], &[4, 5]), (&[2], &[2, 2])],
        ),
        "BatchToSpace" => (&[], &[(&[8, 3, 4], &[]), (&[3], &[1, 2, 2]), (&[3], &[0, 1, 0]), (&[3], &[0, 0, 2])]),
        "SpaceToBatch" => (&[], &[(&[2, 4, 7], &[]), (&[3], &[1, 2, 3]), (&[3], &[0, 1, 0]), (&[3], &[0, 1, 2])]),
        "STFT" => (&[], &[(&[3, 12], &[]), (&[4], &[]), (&[], &[4]), (&[], &[2])]),
        "Pad" => (&[("pad_mode", "reflect")], &[(&[3, 4], &[]), (&[2], &[1, 2]), (&[2], &[3, 1])]),
        _ => return None,
    })
}

impl Drawn {
    /// An input of a plan, with some of the lengths that are among `base` as variables.
    fn planned(random: &mut Random, input: &Input, (lengths, elements): (&[i64], &[i64]), base: &[i64]) -> Self {
        let ty = [ElementType::F32, ElementType::I64].into_iter().find(|ty| input.types.has(*ty)).unwrap();
        let ty = if elements.is_empty() { ty } else { ElementType::I64 };
        let mut dim = |length: &i64| match base.iter().position(|one| one == length) {
            Some(i) if elements.is_empty() && random.once_in(2) => Number::Chosen(i),
            _ => Number::Known(*length),
        };
        let dims = lengths.iter().map(&mut dim).collect();
        let elements = (!elements.is_empty()).then(|| elements.iter().map(|one| Number::Known(*one)).collect());
        Self { ty, dims, elements }
    }
}

fn compare(spec: &'static OpSpec, seed: u64, limits: &Limits, compared: &mut Compared) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let least = spec.inputs.iter().filter(|input| !input.optional).count();
    let most = if spec.inputs.last().is_some_and(|input| input.variadic) { least + 2 } else { spec.inputs.len() };
    let count = least + random.below(most - least + 1);
    let usual = 1 + random.below(5);
    let few = [random.of(LENGTHS), random.of(LENGTHS)];
    let pool = if random.once_in(4) { LENGTHS } else { &few };
    let mut attrs = attrs(&mut random, spec, |random, kind| match kind {
        Kind::Ints(..) | Kind::Unsigned if usual > 2 && !random.once_in(4) => {
            vec![random.of(&["0", "1", "1", "2"]); usual - 2].join(",")
        }
        kind => small_text(random, kind),
    });
    let plan = plan(spec.name).filter(|_| !random.once_in(3));
    let mut base: Vec<i64> = Vec::new();
    let drawn: Vec<Drawn> = match plan {
        Some((planned, inputs)) => {
            attrs = planned.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect();
            base = inputs.iter().flat_map(|(lengths, _)| *lengths).copied().collect();
            base.sort_unstable();
            base.dedup();
            while base.len() > CHOSEN {
                base.remove(random.below(base.len()));
            }
            let input =
                |(i, one): (usize, &(&[i64], &[i64]))| Some(Drawn::planned(&mut random, spec.input(i)?, *one, &base));
            inputs.iter().enumerate().filter_map(input).collect()
        }
        None => (0..count).filter_map(|i| Some(Drawn::any(&mut random, spec.input(i)?, usual, pool))).collect(),
    };
    let faults = |inputs: &[Fact]| {
        let inputs: Vec<&Fact> = inputs.iter().collect();
        let call = Call {
            spec,
            inputs: &inputs,
            attrs: &attrs,
            declared_outputs: None,
            wants_values: true,
            extent: Extent::Full,
        };
        call.apply(limits).faults
    };
    let is_error = |faults: &[Fault]| faults.iter().any(Fault::is_error);
    let ((is_refused, demands), all) = recording(true, || {
        let inputs: Vec<Fact> = drawn.iter().map(Drawn::open).collect();
        let is_refused = is_error(&faults(&inputs));
        let mut demands = drain();
        demands.is_open |= inputs.iter().enumerate().any(|(i, fact)| !spec.follows(i, fact));
        (is_refused, demands)
    });
    let Some(all) = all.filter(|_| !is_refused) else { return };
    for _ in 0..TRIES {
        let lengths: Vec<i64> = (0..CHOSEN)
            .map(|i| match base.get(i) {
                Some(length) if !random.once_in(4) => *length,
                _ => {
                    let from = if random.once_in(4) { LENGTHS } else { pool };
                    random.of(from)
                }
            })
            .collect();
        let inputs: Vec<Fact> = drawn.iter().map(|drawn| drawn.at(&lengths)).collect();
        let refused = faults(&inputs).into_iter().find(Fault::is_error);
        let shown = || {
            let refusal = refused.as_ref().map(|fault| fault.message.shown().to_owned()).unwrap_or_default();
            format!(
                "{}-{} seed {seed} at {lengths:?}: {drawn:?} {attrs:?}; {}; {refusal}",
                spec.name,
                spec.opset,
                said(&all, &demands)
            )
        };
        match (refused.is_some(), holds(&all, &demands, &lengths)) {
            (false, true) => compared.accepted += 1,
            (true, false) => compared.refused += 1,
            (false, false) => compared.alarm = Some(compared.alarm.take().unwrap_or_else(shown)),
            (true, true) if !demands.is_open => compared.promise = Some(compared.promise.take().unwrap_or_else(shown)),
            (true, true) => {}
        }
    }
}

fn holds(all: &Expressions, demands: &Demands, lengths: &[i64]) -> bool {
    let length = |length: Length| lengths.get(length.layer as usize).copied();
    demands.all.iter().all(|demand| all.holds(demand, &length).unwrap_or(true))
}

fn said(all: &Expressions, demands: &Demands) -> String {
    let name = |length: Length| format!("x{}", length.layer);
    demands.all.iter().map(|demand| all.demand_text(demand, Reader::Program, &name)).collect::<Vec<_>>().join(", ")
}

#[test]
fn demands_are_what_operations_refuse() {
    let rounds = draws(ROUNDS);
    let only = std::env::var("OVLINT_FUZZ_ONLY").ok();
    let limits = Limits { value_elements: 4_096, ..Limits::default() };
    let (mut refused, mut failed) = (0, Vec::new());
    for spec in crate::ops::operations()
        .filter(|spec| !spec.inputs.is_empty() && only.as_deref().is_none_or(|only| only == spec.name))
    {
        let mut compared = Compared::default();
        for seed in 1..=rounds * PATIENCE {
            if seed > rounds && (spec.demands.is_none() || compared.accepted >= LEAST) {
                break;
            }
            compare(spec, seed, &limits, &mut compared);
        }
        refused += compared.refused;
        failed.extend(compared.alarm.map(|alarm| format!("ALARM {alarm}")));
        failed.extend(compared.promise.map(|promise| format!("PROMISE {promise}")));
        if spec.demands.is_some() && compared.accepted < LEAST {
            failed.push(format!(
                "{}-{}: only {} calls accepted, {} refused, too few to say so",
                spec.name, spec.opset, compared.accepted, compared.refused
            ));
        }
    }
    assert!(failed.is_empty(), "{} operations:\n{}", failed.len(), failed.join("\n"));
    assert!(refused > 1_000, "only {refused} refusals compared");
}
