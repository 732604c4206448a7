//! What the operations that write updates into a tensor share: `data` is input 0, `updates` is input 2.

use crate::ops::context::InferCtx;
use crate::ops::fault::{At, Fault};
use crate::ops::rules::{SHAPE_CONFLICT, TYPE_CONFLICT};
use crate::ops::spec::Mover;
use crate::types::{Bounds, ElementType, Fact, Value};

/// The element type of `data` and `updates` together.
pub(crate) fn merged_type(cx: &InferCtx) -> Result<ElementType, Fault> {
    let [data, updates] = [0, 2].map(|i| cx.input(i).ty);
    data.merge(updates).ok_or_else(|| {
        Fault::at(At::Input(2), &TYPE_CONFLICT, format!("`updates` is {updates}, `data` is {data}"))
            .primary(updates.to_string())
            .label(At::Input(0), format!("data is {data}"))
    })
}

/// The fault of `updates` not fitting the other two inputs.
pub(crate) fn conflict(cx: &InferCtx, message: String) -> Fault {
    let label = |i: usize| format!("{} = {}{}", cx.input_name(i), cx.input(i).ty, cx.input(i).shape);
    let fault = Fault::at(At::Input(2), &SHAPE_CONFLICT, message);
    fault.primary(label(2)).label(At::Input(0), label(0)).label(At::Input(1), label(1))
}

/// The element that index `value` names among `length`, counted from the end if it is negative.
pub(crate) fn element(value: i64, length: usize) -> Option<usize> {
    let from_front = if value < 0 { value.checked_add(i64::try_from(length).ok()?)? } else { value };
    usize::try_from(from_front).ok().filter(|element| *element < length)
}

/// Where the updates go: each slice of them to a slice of as many elements of `data`.
pub(crate) struct Targets {
    /// For every slice of the updates the number of the slice of `data`.
    pub slices: Vec<usize>,
    /// Elements of a slice.
    pub length: usize,
}

/// Takes every element from the last update written to it, or else from `data`, which has `count` elements.
pub(crate) fn replacing<'a>(targets: &Targets, count: usize) -> Mover<'a> {
    let length = targets.length.max(1);
    let mut writer = vec![None; count / length];
    for (update, target) in targets.slices.iter().enumerate() {
        if let Some(place) = writer.get_mut(*target) {
            *place = Some(update);
        }
    }
    Box::new(move |i| match writer.get(i / length).copied().flatten() {
        Some(update) => (2, update * length + i % length),
        None => (0, i),
    })
}

/// The elements of `data` after all updates, each combined with what was there. Without `initial` the first update of
/// an element replaces it.
pub(crate) fn reduced(cx: &InferCtx, output: &Fact, targets: &Targets, initial: bool) -> Option<Value> {
    let reduction = cx.choice("reduction");
    let (data, updates) = (cx.value(0), cx.value(2));
    if data.or(updates)?.as_floats().is_some() {
        let floats = |value: &Value| value.as_floats().map(<[_]>::to_vec);
        let all = written(
            output,
            [data.map(floats), updates.map(floats)],
            targets,
            initial,
            |old, new| float(reduction, old, new).unwrap_or(Bounds::<f64>::ANY),
            Bounds::<f64>::ANY,
        )?;
        return Value::floats(&output.shape, all);
    }
    let integers = |value: &Value| value.as_integers().map(<[_]>::to_vec);
    let number = output.ty != ElementType::Boolean;
    let all = written(
        output,
        [data.map(integers), updates.map(integers)],
        targets,
        initial,
        |old, new| integer(reduction, old, new).filter(|_| number || reduction == "none").unwrap_or(Bounds::<i64>::ANY),
        Bounds::<i64>::ANY,
    )?;
    Value::integers(&output.shape, all)
}

/// More updates of small integer tensors are not followed one by one.
const MOST_UPDATES: usize = 1 << 24;

/// The elements after all updates; an input that is not known holds `any`, one of another kind gives nothing.
fn written<T: Copy>(
    output: &Fact,
    inputs: [Option<Option<Vec<T>>>; 2],
    targets: &Targets,
    initial: bool,
    reduce: impl Fn(T, T) -> T,
    any: T,
) -> Option<Vec<T>> {
    let count = usize::try_from(output.shape.elements().length()?).ok()?;
    let [data, updates] = inputs;
    let mut all = data.map_or_else(|| Some(vec![any; count]), |known| known)?;
    let total = targets.slices.len().checked_mul(targets.length).filter(|total| *total <= MOST_UPDATES)?;
    let updates = updates.map_or_else(|| Some(vec![any; total]), |known| known)?;
    let mut fresh = vec![!initial; count];
    let elements = targets.slices.iter().flat_map(|slice| slice * targets.length..(slice + 1) * targets.length);
    for (target, update) in elements.zip(updates) {
        let (place, fresh) = (all.get_mut(target)?, fresh.get_mut(target)?);
        *place = if *fresh { update } else { reduce(*place, update) };
        *fresh = false;
    }
    Some(all)
}

fn integer(reduction: &str, old: Bounds<i64>, new: Bounds<i64>) -> Option<Bounds<i64>> {
    let open = |bound: i64| bound == i64::MIN || bound == i64::MAX;
    let each = |lower: Option<i64>, upper: Option<i64>| Some(Bounds { lower: lower?, upper: upper? });
    match reduction {
        "none" => Some(new),
        "min" => Some(Bounds { lower: old.lower.min(new.lower), upper: old.upper.min(new.upper) }),
        "max" => Some(Bounds { lower: old.lower.max(new.lower), upper: old.upper.max(new.upper) }),
        "sum" => {
            let lower =
                if open(old.lower) || open(new.lower) { Some(i64::MIN) } else { old.lower.checked_add(new.lower) };
            let upper =
                if open(old.upper) || open(new.upper) { Some(i64::MAX) } else { old.upper.checked_add(new.upper) };
            each(lower, upper)
        }
        "sub" => {
            let lower =
                if open(old.lower) || open(new.upper) { Some(i64::MIN) } else { old.lower.checked_sub(new.upper) };
            let upper =
                if open(old.upper) || open(new.lower) { Some(i64::MAX) } else { old.upper.checked_sub(new.lower) };
            each(lower, upper)
        }
        "prod" if [old.lower, old.upper, new.lower, new.upper].into_iter().any(open) => None,
        "prod" => {
            let corner = |a: i64, b: i64| a.checked_mul(b);
            let corners = [
                corner(old.lower, new.lower)?,
                corner(old.lower, new.upper)?,
                corner(old.upper, new.lower)?,
                corner(old.upper, new.upper)?,
            ];
            each(corners.into_iter().min(), corners.into_iter().max())
        }
        _ => None,
    }
}

/// Sums and products round as the runtime does, which is not worked out here.
fn float(reduction: &str, old: Bounds<f64>, new: Bounds<f64>) -> Option<Bounds<f64>> {
    let numbers = [old.lower, old.upper, new.lower, new.upper].iter().all(|bound| !bound.is_nan());
    match reduction {
        "none" => Some(new),
        "min" if numbers => Some(Bounds { lower: old.lower.min(new.lower), upper: old.upper.min(new.upper) }),
        "max" if numbers => Some(Bounds { lower: old.lower.max(new.lower), upper: old.upper.max(new.upper) }),
        _ => None,
    }
}
