//! Checks that inputs agree in element type, in a dimension, or in a product, and the usual faults of shapes, ranks and
//! attributes.

use super::prelude::*;
use crate::diagnostic::{Refusal, Text};
use crate::ops::LateCheck;
use crate::types::release;
use smallvec::SmallVec;

/// Whole and floating-point numbers by the classification of OpenVINO, which includes `string`.
pub(crate) const NUMBERS: TypeSet = TypeSet::NUMERIC.with(&[ElementType::String]);

/// The check of the types of `ExperimentalDetectron` operations.
pub(crate) const CHECK_OF_TYPES: LateCheck =
    LateCheck { first: release(2023, 1), finds: |rule, _| rule == &INPUT_TYPE || rule == &TYPE_CONFLICT };

/// The floating-point types that OpenVINO calls real.
pub(crate) const REALS: TypeSet = TypeSet::REAL;

/// The common element type of these inputs; skips inputs that the layer omits.
pub(crate) fn agreed_type(cx: &InferCtx, inputs: &[usize]) -> Result<ElementType, Fault> {
    agreed_type_named(cx, inputs, name_of)
}

/// As [`agreed_type`], with the inputs named by their indices in messages.
pub(crate) fn same_type(cx: &InferCtx, inputs: &[usize]) -> Result<ElementType, Fault> {
    agreed_type_named(cx, inputs, |_, i| format!("input {i}"))
}

fn agreed_type_named(
    cx: &InferCtx,
    inputs: &[usize],
    name: fn(&InferCtx, usize) -> String,
) -> Result<ElementType, Fault> {
    let mut known: Option<(usize, ElementType)> = None;
    for &i in inputs {
        let ty = cx.input(i).ty;
        match known {
            _ if ty == ElementType::Dynamic => {}
            None => known = Some((i, ty)),
            Some((_, wanted)) if wanted == ty => {}
            Some((first, wanted)) => {
                let message = format!("{} is {ty}, {} is {wanted}", name(cx, i), name(cx, first));
                return Err(Fault::at(At::Input(i), &TYPE_CONFLICT, message)
                    .primary(format!("{ty}, not {wanted}"))
                    .label(At::Input(first), cx.shown(first))
                    .help("insert a Convert before one of them to make the types equal"));
            }
        }
    }
    Ok(known.map_or(ElementType::Dynamic, |(_, ty)| ty))
}

pub(crate) fn every_input(cx: &InferCtx) -> SmallVec<[usize; 6]> {
    (0..cx.inputs().len()).collect()
}

/// The name of input `i` in a message; variadic inputs have none of their own.
fn name_of(cx: &InferCtx, i: usize) -> String {
    match cx.spec.input(i) {
        Some(input) if !input.variadic => format!("`{}`", input.name),
        _ => format!("input {i}"),
    }
}

/// The common length of dimensions, given as input and axis; skips inputs that the layer omits.
pub(crate) fn agreed_dim(cx: &InferCtx, dims: &[(usize, usize)]) -> Result<Dim, Fault> {
    let mut agreed: Option<Dim> = None;
    for (n, &(input, axis)) in dims.iter().enumerate() {
        let dim = cx.dim(input, axis);
        let Some(both) = agreed.map_or(Some(dim), |agreed| agreed.agree(dim)) else {
            let clash = |(input, axis): &&(usize, usize)| cx.dim(*input, *axis).agree(dim).is_none();
            let (first, at) = dims.iter().take(n).find(clash).or(dims.first()).copied().unwrap_or((input, axis));
            let message = format!(
                "dimension {axis} of `{}` is {dim}, dimension {at} of `{}` is {}",
                cx.input_name(input),
                cx.input_name(first),
                cx.dim(first, at)
            );
            return Err(conflict(cx, input, message).label(At::Input(first), cx.input(first).shape.to_string()));
        };
        agreed = Some(both);
    }
    Ok(agreed.unwrap_or(Dim::ANY))
}

/// Dimension `axis` of input `i`, which must be `wanted`; `why` is the reason for the message.
pub(crate) fn wanted_dim(cx: &InferCtx, i: usize, axis: usize, wanted: Dim, why: &str) -> Result<Dim, Fault> {
    let found = cx.dim(i, axis);
    found.agree(wanted).ok_or_else(|| {
        let name = cx.input_name(i);
        conflict(cx, i, format!("dimension {axis} of `{name}` is {found}, wanted {wanted}: {why}"))
    })
}

/// Dimension `axis` of input `i` divided by `parts`, which `what` names; a fault if no length is a multiple of them.
pub(crate) fn divided(cx: &InferCtx, i: usize, axis: usize, parts: i64, what: &str) -> Result<Dim, Fault> {
    let dim = cx.dim(i, axis);
    dim.cut(parts).ok_or_else(|| {
        let name = cx.input_name(i);
        conflict(cx, i, format!("dimension {axis} of `{name}` is {dim}, not a multiple of {what}{parts}"))
    })
}

/// The fault of a shape of input `i` that does not fit.
pub(crate) fn conflict(cx: &InferCtx, i: usize, message: impl Into<Text>) -> Fault {
    Fault::at(At::Input(i), &SHAPE_CONFLICT, message).primary(format!("shape {}", cx.input(i).shape))
}

/// The fault of input `i` with fewer dimensions than `least`.
pub(crate) fn few_dims(cx: &InferCtx, i: usize, least: usize) -> Fault {
    let (name, op, input) = (cx.input_name(i), cx.spec.name, cx.input(i));
    let message = format!("`{name}` of {op} must have at least {least} dimensions, but is {}{}", input.ty, input.shape);
    Fault::at(At::Input(i), &INPUT_RANK, message)
}

/// The fault of what stands at `at` and does not fit the shape of input 0.
pub(crate) fn unfit(cx: &InferCtx, at: At, message: String) -> Fault {
    Fault::at(at, &SHAPE_CONFLICT, message).label(At::Input(0), cx.shown(0))
}

/// The fault of a shape of input `i` that does not fit the shapes of `others`.
pub(crate) fn misfit(cx: &InferCtx, i: usize, others: &[usize], message: impl Into<Text>) -> Fault {
    let fault = Fault::at(At::Input(i), &SHAPE_CONFLICT, message).primary(cx.shown(i));
    others.iter().fold(fault, |fault, other| fault.label(At::Input(*other), cx.shown(*other)))
}

/// The fault of a wrong rank of input `i`.
pub(crate) fn wrong_rank(cx: &InferCtx, i: usize, wanted: &str) -> Fault {
    refused_rank(cx.spec, i, cx.input_name(i), cx.input(i), wanted, 1)
}

/// The fault of a wrong rank of the input of this name, which must have `least` dimensions or more.
pub(crate) fn refused_rank(spec: &OpSpec, i: usize, name: &str, fact: &Fact, wanted: &str, least: usize) -> Fault {
    let message = format!("`{name}` of {} must be {wanted}, but is {}{}", spec.name, fact.ty, fact.shape);
    let fault = Fault::at(At::Input(i), &INPUT_RANK, message).primary(format!("shape {}", fact.shape));
    // OpenVINO uses the missing dimensions before it checks their number.
    if fact.rank().is_some_and(|rank| rank < least.min(2)) { fault.refused(Refusal::Unnamed) } else { fault }
}

/// Rejects fewer than `least` dimensions of input `i`.
pub(crate) fn least_rank(cx: &InferCtx, i: usize, least: usize) -> Result<(), Fault> {
    match cx.input(i).rank() {
        Some(rank) if rank < least => Err(wrong_rank(cx, i, &format!("of rank {least} or more"))),
        _ => Ok(()),
    }
}

/// The fault of a value of an attribute that does not fit.
pub(crate) fn wrong_attr(name: &'static str, message: impl Into<Text>) -> Fault {
    Fault::at(At::Attr(name), &ATTRIBUTE_VALUE, message)
}

/// Attribute `name`, which must be one of `words` in exactly this case.
pub(crate) fn exact_word(cx: &InferCtx, name: &'static str, words: &[&'static str]) -> Result<&'static str, Fault> {
    let found = cx.text(name);
    words.iter().find(|word| **word == found).copied().ok_or_else(|| {
        wrong_attr(name, format!("`{name}=\"{found}\"` of {} must be one of {}", cx.spec.name, words.join(", ")))
    })
}

/// Checks that attribute `name` is above 0.
pub(crate) fn positive(cx: &InferCtx, name: &'static str) -> Result<(), Fault> {
    let found = cx.float(name);
    if found > 0.0 && found.is_finite() {
        return Ok(());
    }
    let wanted = if found.is_finite() { "more than 0" } else { "a number above 0" };
    Err(wrong_attr(name, format!("`{name}` is {found}, wanted {wanted}")))
}

/// The exact quotients of `product` by `factor`; `None` if there are none.
pub(crate) fn quotient(product: Dim, factor: Dim) -> Option<Dim> {
    if product.admits(0) && factor.admits(0) {
        return Some(Dim::ANY);
    }
    let least = product.lower();
    let lower = match factor.upper() {
        Some(0) => return None,
        Some(most) => least / most + i64::from(least % most != 0),
        None => i64::from(least > 0),
    };
    let upper = product.upper().map_or(i64::MAX, |most| most / factor.lower().max(1));
    Dim::between(lower, upper).map(|dim| dim.with_symbol(product.exact_quotient(factor).symbol()))
}

#[cfg(test)]
mod tests {
    use super::quotient;
    use crate::types::Dim;

    #[test]
    fn quotients_are_intervals_of_whole_numbers() {
        let dim = |lower, upper| Dim::between(lower, upper).unwrap_or(Dim::ANY);
        assert_eq!(quotient(Dim::exact(12), Dim::exact(3)), Some(Dim::exact(4)));
        assert_eq!(quotient(Dim::exact(13), Dim::exact(3)), None);
        assert_eq!(quotient(Dim::exact(12), dim(4, 6)), Some(dim(2, 3)));
        assert_eq!(quotient(Dim::exact(12), Dim::ANY), Some(dim(1, 12)));
        assert_eq!(quotient(Dim::at_least(12), dim(2, 5)), Some(Dim::at_least(3)));
        assert_eq!(quotient(Dim::exact(0), dim(2, 5)), Some(Dim::exact(0)));
        assert_eq!(quotient(Dim::exact(0), Dim::ANY), Some(Dim::ANY));
        assert_eq!(quotient(Dim::exact(3), Dim::exact(0)), None);
    }
}
