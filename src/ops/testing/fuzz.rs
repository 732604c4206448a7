//! A fuzzer of every operation with extreme inputs and attributes: nothing panics, values fit their shapes, and symbols
//! evaluate to the right numbers.

use super::draws::draws;
use super::random::Random;
use crate::limits::Limits;
use crate::ops::apply::{Call, Extent, Texts};
use crate::ops::{Input, Kind, Missing, OpSpec};
use crate::types::symbol::{Atom, Expressions, Length, atom, recording};
use crate::types::{Bounds, Dim, ElementType, Elements, Fact, PartialShape, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The rounds per operation.
const ROUNDS: u64 = 300;

const SMALL: &[i64] = &[0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 16];
const EXTREME: &[i64] = &[
    i64::MAX,
    i64::MAX - 1,
    i64::MIN,
    i64::MIN + 1,
    -1,
    -2,
    1 << 32,
    (1 << 32) - 1,
    1 << 31,
    -(1 << 31),
    1 << 62,
    1_000_000_000_000,
    65_537,
    1 << 20,
];

fn integer(random: &mut Random) -> i64 {
    if random.once_in(4) { random.of(EXTREME) } else { random.of(SMALL) * random.of(&[1, 1, 1, -1]) }
}

fn dim(random: &mut Random) -> Dim {
    let length = if random.once_in(4) { random.of(EXTREME).max(0) } else { random.of(SMALL) };
    match random.below(8) {
        0 => Dim::ANY,
        1 => Dim::at_least(length),
        2 => Dim::at_most(length),
        3 => Dim::between(length, integer(random)).unwrap_or(Dim::exact(length)),
        _ => Dim::exact(length),
    }
}

fn float(random: &mut Random) -> f64 {
    random.of(&[
        0.0,
        -0.0,
        1.0,
        2.0,
        -1.0,
        0.5,
        1.5,
        1e300,
        -1e300,
        1e-300,
        9e18,
        f64::INFINITY,
        f64::NAN,
        -f64::INFINITY,
    ])
}

fn value(random: &mut Random, ty: ElementType, lengths: &[usize]) -> Option<Value> {
    let count: usize = lengths.iter().product();
    let elements = if ty == ElementType::String {
        Elements::Opaque(count, None)
    } else if ty.is_float() {
        let one = |random: &mut Random| match random.below(4) {
            0 => Bounds::<f64>::ANY,
            1 => {
                let (a, b) = (float(random), float(random));
                if a <= b { Bounds::between(a, b) } else { Bounds::exact(a) }
            }
            _ => Bounds::exact(float(random)),
        };
        Elements::Floats((0..count).map(|_| one(random)).collect())
    } else {
        let (least, most) = ty.integer_range().unwrap_or((0, 1));
        let one = |random: &mut Random| match random.below(5) {
            0 => Bounds::between(least, most),
            1 => {
                let (a, b) = (integer(random).clamp(least, most), integer(random).clamp(least, most));
                Bounds::between(a.min(b), a.max(b))
            }
            _ => Bounds::exact(integer(random).clamp(least, most)),
        };
        Elements::Integers((0..count).map(|_| one(random)).collect())
    };
    Value::new(lengths, elements)
}

fn fact(random: &mut Random, input: &Input) -> Fact {
    let types: Vec<ElementType> = input.types.iter().collect();
    let ty = match random.below(12) {
        0 => ElementType::Dynamic,
        1 => random.of(&ElementType::all().collect::<Vec<_>>()),
        2..6 => [ElementType::I64, ElementType::F32].into_iter().find(|ty| input.types.has(*ty)).unwrap_or(types[0]),
        _ => random.of(&types),
    };
    if random.once_in(12) {
        return Fact::new(ty, PartialShape::UNKNOWN);
    }
    let rank = if input.ranks.is_empty() || random.once_in(20) { random.below(7) } else { random.of(input.ranks) };
    if !random.once_in(if input.reads_value { 4 } else { 2 }) {
        let lengths: Vec<usize> = (0..rank).map(|_| random.of(&[0, 1, 1, 2, 2, 3, 4])).collect();
        if let Some(value) = value(random, ty, &lengths).filter(|value| value.len() <= 64) {
            let shape = PartialShape::exact(&lengths.iter().map(|n| i64::try_from(*n).unwrap()).collect::<Vec<_>>());
            return Fact::new(ty, shape).with_value(Some(value));
        }
    }
    Fact::new(ty, PartialShape::of((0..rank).map(|_| dim(random))))
}

/// Attributes of an operation: all that it needs, and most others.
pub(super) fn attrs<'a>(random: &mut Random, spec: &OpSpec, text: impl Fn(&mut Random, Kind) -> String) -> Texts<'a> {
    let mut attrs = Texts::new();
    for attr in spec.attrs {
        if attr.missing == Missing::Refused || !random.once_in(3) {
            attrs.push((attr.name.into(), text(random, attr.kind).into()));
        }
    }
    attrs
}

/// The text of an attribute whose numbers are small.
pub(super) fn small_text(random: &mut Random, kind: Kind) -> String {
    match kind {
        Kind::Int(..) | Kind::Int32(_) => random.of(&["0", "1", "1", "2", "3", "-1"]).to_owned(),
        Kind::Ints(..) | Kind::Unsigned => {
            random.of(&["0", "1", "2", "1,1", "2,1", "0,0", "1,2", "3,2", "0,1"]).to_owned()
        }
        kind => text(random, kind),
    }
}

fn text(random: &mut Random, kind: Kind) -> String {
    let list = |random: &mut Random, one: &mut dyn FnMut(&mut Random) -> String| {
        (0..random.below(5)).map(|_| one(random)).collect::<Vec<_>>().join(",")
    };
    match kind {
        _ if random.once_in(30) => {
            random.of(&["", "x", "-", "1;2", ",", "nan", "..", "9999999999999999999999"]).to_owned()
        }
        Kind::Int(..) | Kind::Int32(_) => integer(random).to_string(),
        Kind::Float => float(random).to_string(),
        Kind::Flag => random.of(&["true", "false"]).to_owned(),
        Kind::Choice(words) | Kind::Word(words) => random.of(words).to_owned(),
        Kind::Ints(..) | Kind::Unsigned => list(random, &mut |random| integer(random).to_string()),
        Kind::Floats => list(random, &mut |random| float(random).to_string()),
        Kind::Texts => list(random, &mut |random| random.of(&["tanh", "relu", "", "sigmoid"]).to_owned()),
        Kind::Type => random.of(&ElementType::all().collect::<Vec<_>>()).name().to_owned(),
        Kind::Shape => list(random, &mut |random| {
            random.of(&["1", "?", "2..", "..3", "1..4", "0", "9223372036854775806"]).to_owned()
        }),
        Kind::Text => {
            random.of(&["", "ij,jk->ik", "...,a->...", "i", "->", "aabb->ba", "A,b", "....", "-1", "sum"]).to_owned()
        }
    }
}

fn round(spec: &'static OpSpec, seed: u64, limits: &Limits) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let least = spec.inputs.iter().filter(|input| !input.optional).count();
    let most = if spec.inputs.last().is_some_and(|input| input.variadic) { least + 3 } else { spec.inputs.len() };
    let count = least + random.below(most - least + 1);
    let inputs: Vec<Fact> = (0..count).filter_map(|i| Some(fact(&mut random, spec.input(i)?))).collect();
    let attrs = attrs(&mut random, spec, text);
    let borrowed: Vec<&Fact> = inputs.iter().collect();
    let declared_outputs = random.once_in(2).then(|| random.below(4));
    let extent = if random.once_in(4) { Extent::OpenVino } else { Extent::Full };
    let wants_values = !random.once_in(4);
    let call = Call { spec, inputs: &borrowed, attrs: &attrs, declared_outputs, wants_values, extent };
    let shown = format!("{}-{} seed {seed}: {inputs:?} {attrs:?}", spec.name, spec.opset);
    let applied = catch_unwind(AssertUnwindSafe(|| call.apply(limits)));
    let Ok(applied) = applied else { return shown };
    for output in applied.outputs.iter().flatten() {
        let fits = |value: &Value| {
            let lengths = output.shape.lengths().unwrap_or_default();
            value.lengths().iter().map(|n| i64::try_from(*n).unwrap()).eq(lengths) && output.shape.is_static()
        };
        assert!(output.value.as_deref().is_none_or(fits), "{shown} gives {output}");
        assert!(output.rank().is_none_or(|rank| rank <= limits.rank), "{shown} gives {output}");
    }
    let faults: Vec<_> = applied.faults.iter().map(|fault| fault.message.shown()).collect();
    assert!(faults.iter().all(|message| message.len() < 100_000), "{shown} says {faults:?}");
    String::new()
}

#[test]
fn no_operation_panics() {
    let rounds = draws(ROUNDS);
    let limits = Limits { value_elements: 4_096, ..Limits::default() };
    let specs = crate::ops::operations();
    let failed: Vec<String> = specs
        .filter_map(|spec| (1..=rounds).map(|seed| round(spec, seed, &limits)).find(|failed| !failed.is_empty()))
        .collect();
    assert!(failed.is_empty(), "{} operations panic:\n{}", failed.len(), failed.join("\n"));
}

/// The numbers hidden behind symbols, by the layer numbers of their atoms.
pub(super) type Hidden = Vec<i64>;

/// Replaces `number` by a symbol, one time in two; perhaps by the symbol of an equal number.
pub(super) fn hide(random: &mut Random, number: i64, hidden: &mut Hidden) -> Option<Dim> {
    if number < 0 || random.once_in(2) {
        return None;
    }
    let equal = hidden.iter().position(|other| *other == number).filter(|_| random.once_in(2));
    let index = equal.unwrap_or(hidden.len());
    if equal.is_none() {
        hidden.push(number);
    }
    // The bounds depend only on the index, so that every use of the symbol has the same bounds.
    let bounds = [(0, i64::MAX), (number.min(1), i64::MAX), (number / 2, number + 8)][index % 3];
    let length = Length { layer: u32::try_from(index).unwrap(), output: 0, axis: 0 };
    Some(Dim::between(bounds.0, bounds.1).unwrap_or(Dim::ANY).with_symbol(atom(Atom::Input(length, bounds))))
}

/// A random input of small lengths and elements, and the same input with some of them hidden behind symbols.
pub(super) fn known_and_hidden(random: &mut Random, input: &Input, hidden: &mut Hidden) -> (Fact, Fact) {
    let types: Vec<ElementType> = ElementType::all().filter(|ty| input.types.has(*ty)).collect();
    let usual = [ElementType::I64, ElementType::F32].into_iter().find(|ty| input.types.has(*ty));
    let ty = if random.once_in(6) { random.of(&types) } else { usual.unwrap_or(types[0]) };
    let rank = if input.ranks.is_empty() { 1 + random.below(4) } else { random.of(input.ranks) };
    let lengths: Vec<i64> = (0..rank).map(|_| random.of(&[0, 1, 1, 2, 3, 4, 6, 8])).collect();
    let known = Fact::new(ty, PartialShape::exact(&lengths));
    let count = usize::try_from(lengths.iter().product::<i64>()).unwrap();
    if (ty == ElementType::I64 || ty == ElementType::I32) && count <= 16 && (input.reads_value || random.once_in(3)) {
        let numbers: Vec<i64> = (0..count).map(|_| random.of(&[-1, 0, 0, 1, 1, 2, 3, 4, 6, 8])).collect();
        let exact = numbers.iter().map(|number| Bounds::exact(*number));
        let value = Value::integers(&known.shape, exact);
        let open: Vec<Bounds<i64>> = numbers
            .iter()
            .map(|number| hide(random, *number, hidden).map_or(Bounds::exact(*number), Bounds::from))
            .collect();
        let open = Value::integers(&known.shape, open);
        return (known.clone().with_value(value), known.with_value(open));
    }
    let dims = lengths.iter().map(|length| hide(random, *length, hidden).unwrap_or(Dim::exact(*length)));
    let open = PartialShape::of(dims);
    (known, Fact::new(ty, open))
}

/// Compares the symbols of the outputs of an operation with its outputs for exact inputs.
fn symbols_hold(spec: &'static OpSpec, seed: u64, limits: &Limits) -> Result<usize, String> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let least = spec.inputs.iter().filter(|input| !input.optional).count();
    let most = if spec.inputs.last().is_some_and(|input| input.variadic) { least + 2 } else { spec.inputs.len() };
    let count = least + random.below(most - least + 1);
    let mut hidden = Hidden::new();
    let attrs = attrs(&mut random, spec, small_text);
    let apply = |inputs: &[Fact]| {
        let borrowed: Vec<&Fact> = inputs.iter().collect();
        let call = Call {
            spec,
            inputs: &borrowed,
            attrs: &attrs,
            declared_outputs: None,
            wants_values: true,
            extent: Extent::Full,
        };
        call.apply(limits)
    };
    let ((known, open, outputs), all) = recording(true, || {
        let inputs = (0..count).filter_map(|i| Some(known_and_hidden(&mut random, spec.input(i)?, &mut hidden)));
        let (known, open): (Vec<Fact>, Vec<Fact>) = inputs.unzip();
        let outputs = apply(&open).outputs;
        (known, open, outputs)
    });
    let applied = apply(&known);
    let (Some(wanted), Some(found), Some(all)) = (applied.outputs, outputs, all) else { return Ok(0) };
    // Behind a warning, less information may give other outputs.
    if !applied.faults.is_empty() {
        return Ok(0);
    }
    let shown = format!("{}-{} seed {seed}: {open:?} {attrs:?} with {hidden:?}", spec.name, spec.opset);
    let mut compared = 0;
    for (output, (wanted, found)) in wanted.iter().zip(&found).enumerate() {
        let dims = wanted.shape.dims().unwrap_or_default().iter().zip(found.shape.dims().unwrap_or_default());
        for (axis, (wanted, found)) in dims.enumerate() {
            let symbol = found.symbol();
            let Some(wanted) = wanted.length().filter(|_| !symbol.is_none()) else { continue };
            compared += 1;
            let found = at(&all, symbol, &hidden);
            if found != Some(wanted) {
                return Err(format!("{shown}: dimension {axis} of output {output} is {found:?}, not {wanted}"));
            }
        }
        let elements = |fact: &Fact| fact.value.as_deref().and_then(|value| Some(value.as_integers()?.to_vec()));
        let elements = elements(wanted).unwrap_or_default().into_iter().zip(elements(found).unwrap_or_default());
        for (i, (wanted, found)) in elements.enumerate() {
            let Some(wanted) = wanted.value().filter(|_| !found.symbol.is_none()) else { continue };
            compared += 1;
            let found = at(&all, found.symbol, &hidden);
            if found != Some(wanted) {
                return Err(format!("{shown}: element {i} of output {output} is {found:?}, not {wanted}"));
            }
        }
    }
    Ok(compared)
}

fn at(all: &Expressions, symbol: crate::types::symbol::Symbol, hidden: &Hidden) -> Option<i64> {
    all.evaluate(symbol, &|length| hidden.get(length.layer as usize).copied())
}

#[test]
fn symbols_are_what_is_inferred_where_all_is_known() {
    let rounds = draws(ROUNDS);
    let limits = Limits { value_elements: 4_096, ..Limits::default() };
    let (mut compared, mut failed) = (0, Vec::new());
    for spec in crate::ops::operations().filter(|spec| !spec.inputs.is_empty()) {
        for seed in 1..=rounds {
            match symbols_hold(spec, seed, &limits) {
                Ok(count) => compared += count,
                Err(message) => {
                    failed.push(message);
                    break;
                }
            }
        }
    }
    assert!(failed.is_empty(), "{} operations:\n{}", failed.len(), failed.join("\n"));
    assert!(compared > 10_000, "only {compared} symbols compared");
}
