//! `VariadicSplit`: cuts a tensor into parts of given lengths along one axis.
//!
//! - Spec: `movement/variadic-split-1`
//! - Shape: output `i` is `data` with `split_lengths[i]` at `axis`; a single -1 takes what the others leave. An unknown `axis`
//!   keeps only the rank. Bounds of lengths are used. If the number of lengths is unknown, there is one unknown output.
//! - Errors: `axis-range`; `input-rank`, `index-type` of axis and lengths; `input-value` for two -1 or a length below -1;
//!   `split-lengths-sum`, also if the lengths fit no dimension that `axis` may mean; `split-lengths-overrun` if the other lengths
//!   leave a negative length for the -1.
//! - Differs from OpenVINO: a negative rest is an error (OpenVINO gives 0 or `?`); the rest of a bounded dimension is bounded,
//!   and bounds of lengths are used (OpenVINO gives `?`); lengths are checked against interval bounds, for overflow and with an
//!   unknown rank of the data (OpenVINO does none of these).

use super::split::part_of_rows;
use crate::ops::Untyped;
use crate::ops::prelude::*;
use smallvec::SmallVec;

pub(super) static VARIADIC_SPLIT_1: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::any("axis").read(),
        Input::any("split_lengths").reads_value().followed().untyped(Untyped::ReadByKnownSplit).ranks(&[1]),
    ],
    outputs: Outputs::Inferred,
    demands: Some(&SPLIT_LENGTHS_SUM),
    action: Action::Splits,
    eval: Eval::Move(Bounding::Moved, mover),
    defers: Some(&INPUT_RANK),
    ..OpSpec::new("VariadicSplit", 1, infer)
};

/// The types of constants that OpenVINO truncates to integers.
const TRUNCATED: TypeSet = TypeSet::of(&[ElementType::F16, ElementType::Bf16, ElementType::F32, ElementType::F64]);

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    warn_of_type(cx, 1);
    warn_of_type(cx, 2);
    // OpenVINO reads the lengths once it knows the axis and the rank of the data.
    if cx.constant(1).is_some() && data.rank().is_some() {
        // It may not know an axis that is computed.
        let is_read = cx.value(1).is_some_and(Value::is_stored);
        check_reading(cx, 2).map_err(|fault| fault.decided_if(is_read))?;
        refuse_booleans(cx)?;
    }
    check_axis_shape(cx)?;
    let lengths = cx.constant(2);
    if let Some(lengths) = &lengths {
        check_lengths(lengths)?;
    }
    let axis = cx.axis(1, 0)?;
    if let Some(most) = axis.and_then(|axis| cx.dim(0, axis).upper()) {
        cx.check_misread(2, |bytes| {
            // Bytes of 128 or more may be negative lengths.
            let sum: i64 = bytes.iter().filter(|byte| **byte < 128).map(|byte| i64::from(*byte)).sum();
            (sum > most).then(|| format!("lengths of {sum} in a dimension of {}", Dim::at_most(most)))
        })?;
    }
    let Some(count) = count(cx, lengths.as_deref()).filter(|count| *count > 0) else {
        if let (Some(axis), Some(lengths)) = (axis, &lengths) {
            // Only for faults of the lengths.
            parts(cx, axis, lengths)?;
        }
        return Ok(vec![Fact::unknown()]);
    };
    let Some(axis) = axis else {
        if let Some(lengths) = &lengths
            && !cx.may_be_axis_of(1, 0, |whole| fits(whole, total(lengths), lengths.contains(&-1)))
        {
            let message = format!("no dimension that `axis` may mean fits the lengths {}", list(lengths));
            let fault = Fault::at(At::Input(2), &SPLIT_LENGTHS_SUM, message).label(At::Input(0), cx.shown(0));
            cx.warn(fault.runtime(Runtime::Unknown));
        }
        return Ok(vec![Fact::new(data.ty, data.shape.forget_dims()); count]);
    };
    let parts = match lengths {
        Some(lengths) => parts(cx, axis, &lengths)?,
        None => match cx.bounds(2).filter(|lengths| lengths.len() == count) {
            Some(lengths) => bounded(cx.dim(0, axis), &lengths),
            None => {
                demand::leave_open();
                vec![Dim::ANY; count]
            }
        },
    };
    Ok(parts.into_iter().map(|part| Fact::new(data.ty, data.shape.with(axis, part))).collect())
}

/// The number of parts, if known.
fn count(cx: &InferCtx, lengths: Option<&[i64]>) -> Option<usize> {
    match lengths {
        Some(lengths) => Some(lengths.len()),
        None => cx.input(2).shape.dims()?.first()?.size(),
    }
}

/// Warns of an axis or lengths of another type than specified.
fn warn_of_type(cx: &InferCtx, i: usize) {
    let (name, ty) = (cx.input_name(i), cx.input(i).ty);
    if cx.value(i).is_some() {
        if TRUNCATED.has(ty) {
            let message = format!("`{name}` of VariadicSplit is {ty}; OpenVINO truncates its values to integers");
            cx.warn(Fault::at(At::Input(i), &FLOAT_INDEX, message).help("store the constant as i64"));
        }
    } else if ty != ElementType::Dynamic && !TypeSet::INTEGER.has(ty) {
        let message = format!("`{name}` of VariadicSplit should be of an integer type, but is {ty}");
        cx.warn(Fault::at(At::Input(i), &FLOAT_INDEX, message));
    }
}

/// Rejects a boolean axis or boolean lengths; OpenVINO accepts numbers of any type.
fn refuse_booleans(cx: &InferCtx) -> Result<(), Fault> {
    let is_boolean = |i: &usize| cx.value(*i).is_some() && cx.input(*i).ty == ElementType::Boolean;
    let Some(i) = [1, 2].into_iter().find(is_boolean) else { return Ok(()) };
    let message = format!("`{}` of VariadicSplit must be of an integer type, but is boolean", cx.input_name(i));
    Err(Fault::at(At::Input(i), &INDEX_TYPE, message).primary("boolean"))
}

/// Checks that the axis is a scalar or a list of one element.
fn check_axis_shape(cx: &InferCtx) -> Result<(), Fault> {
    let Fact { ty, shape, .. } = cx.input(1);
    if matches!(shape.dims(), None | Some([])) || matches!(shape.dims(), Some([length]) if length.admits(1)) {
        return Ok(());
    }
    let message = format!("`axis` of VariadicSplit must be a scalar or a list of one, but is {ty}{shape}");
    Err(Fault::at(At::Input(1), &INPUT_RANK, message).primary(format!("shape {shape}")))
}

/// Checks the lengths independently of the data.
fn check_lengths(lengths: &[i64]) -> Result<(), Fault> {
    let fault = |message: String| Err(Fault::at(At::Input(2), &INPUT_VALUE, message));
    if let Some(i) = lengths.iter().position(|length| *length < -1) {
        return fault(format!("`split_lengths[{i}]` is {}, wanted -1 or more", lengths[i]));
    }
    let mut rests = lengths.iter().enumerate().filter(|(_, length)| **length == -1).map(|(i, _)| i);
    if let (Some(first), Some(second)) = (rests.next(), rests.next()) {
        return fault(format!("`split_lengths` has -1 at indices {first} and {second}, but only one -1 is allowed"));
    }
    Ok(())
}

/// The length of every part at `axis`.
fn parts(cx: &InferCtx, axis: usize, lengths: &[i64]) -> Result<Vec<Dim>, Fault> {
    let whole = cx.dim(0, axis);
    let (sum, rest) = (total(lengths), lengths.contains(&-1));
    match i64::try_from(sum).map(Dim::exact) {
        Ok(sum) if rest => whole.demand_at_least(sum),
        Ok(sum) => whole.demand_equal(sum),
        Err(_) => demand::leave_open(),
    }
    let taken = match i64::try_from(sum) {
        Ok(taken) if fits(whole, sum, rest) => taken,
        Ok(taken) if rest => {
            cx.pass(overrun(axis, whole, lengths, sum))?;
            // OpenVINO subtracts anyway: a rest of -1 becomes an unknown length, a smaller one 0.
            let is_0 = whole.length().is_some_and(|whole| taken.saturating_sub(whole) > 1);
            return Ok(misfitting(lengths, if is_0 { Dim::exact(0) } else { Dim::ANY }));
        }
        _ if rest => return Err(overrun(axis, whole, lengths, sum)),
        _ => {
            // At rank 1 the axis is known without its input; OpenVINO checks the sum only if it reads the axis.
            cx.pass(wrong_sum(axis, whole, lengths, sum).late_unless(cx.constant(1).is_some()))?;
            return Ok(misfitting(lengths, Dim::ANY));
        }
    };
    Ok(with_rest(lengths, whole.minus(Dim::exact(taken))))
}

/// The sum of the lengths beside a -1.
fn total(lengths: &[i64]) -> i128 {
    lengths.iter().filter(|length| **length >= 0).map(|length| i128::from(*length)).sum()
}

/// Whether a dimension may be as long as this sum, or longer if there is a rest.
fn fits(whole: Dim, sum: i128, rest: bool) -> bool {
    sum <= whole.upper().map_or(i128::MAX, i128::from) && (rest || sum >= i128::from(whole.lower()))
}

/// The lengths with `rest` instead of a -1.
fn with_rest(lengths: &[i64], rest: Dim) -> Vec<Dim> {
    lengths.iter().map(|length| if *length == -1 { rest } else { Dim::exact(*length) }).collect()
}

/// The lengths with `rest` instead of a -1, where they do not fit: OpenVINO then takes the largest `i64` for an unknown length.
fn misfitting(lengths: &[i64], rest: Dim) -> Vec<Dim> {
    let mut parts = with_rest(lengths, rest);
    parts.iter_mut().filter(|part| **part == Dim::exact(i64::MAX)).for_each(|part| *part = Dim::ANY);
    parts
}

/// The length of every part for bounded lengths; a length that may be -1 can take the whole dimension.
fn bounded(whole: Dim, lengths: &[Bounds<i64>]) -> Vec<Dim> {
    match lengths.iter().map(|length| length.to_dim().filter(|_| length.lower >= 0)).collect::<Option<Vec<Dim>>>() {
        Some(parts) => whole.demand_equal(parts.into_iter().fold(Dim::exact(0), Dim::plus)),
        None => demand::leave_open(),
    }
    let most = whole.upper().unwrap_or(i64::MAX);
    let part = |length: &Bounds<i64>| {
        let upper = if length.admits(-1) { most } else { length.upper.min(most) };
        let part = Dim::between(length.lower, upper).unwrap_or(Dim::ANY);
        match length.value() {
            Some(-1) => part.equal(|| rest(whole, lengths)),
            _ if length.lower >= 0 => part.with_symbol(length.symbol),
            _ => part,
        }
    };
    lengths.iter().map(part).collect()
}

/// The rest of the whole that a -1 takes; only one length may be negative.
fn rest(whole: Dim, lengths: &[Bounds<i64>]) -> Option<Interval> {
    let others = lengths.iter().filter(|length| length.value() != Some(-1));
    let taken = others.map(|length| Some(Interval::from((*length).to_dim().filter(|_| length.lower >= 0)?)));
    let left = taken.into_iter().try_fold(Interval::from(whole), |left, taken| Some(left.plus(taken?.negated())))?;
    Some(left.max(Interval::exact(0)))
}

fn overrun(axis: usize, whole: Dim, lengths: &[i64], sum: i128) -> Fault {
    let message = format!("the lengths other than the -1 add up to {sum}, but axis {axis} of the input is {whole}");
    let fault = Fault::at(At::Layer, &SPLIT_LENGTHS_OVERRUN, message)
        .primary(format!("split_lengths {} leave {whole} minus {sum} for the -1", list(lengths)))
        .label(At::Input(0), format!("axis {axis} = {whole}"))
        .note("OpenVINO infers length 0 or `?` for the -1");
    fault.runtime(Runtime::Accepts)
}

fn wrong_sum(axis: usize, whole: Dim, lengths: &[i64], sum: i128) -> Fault {
    let message = format!("split lengths add up to {sum}, but axis {axis} of the input is {whole}");
    let fault = Fault::at(At::Layer, &SPLIT_LENGTHS_SUM, message)
        .primary(format!("split_lengths {} sum to {sum}", list(lengths)))
        .label(At::Input(0), format!("axis {axis} = {whole}"));
    if whole.is_exact() {
        return fault;
    }
    fault.runtime(Runtime::Accepts).severity(Severity::Error).note("no size of the dimension makes them fit")
}

fn list(lengths: &[i64]) -> String {
    let shown: Vec<String> = lengths.iter().take(8).map(i64::to_string).collect();
    let more = if lengths.len() > 8 { ", ..." } else { "" };
    format!("[{}{more}]", shown.join(", "))
}

fn mover<'a>(cx: &'a InferCtx, output: usize) -> Option<Mover<'a>> {
    let axis = cx.axis(1, 0).ok()??;
    let parts = parts(cx, axis, &cx.constant(2)?).ok()?;
    let parts: SmallVec<[usize; 8]> = parts.iter().map(|part| part.size()).collect::<Option<_>>()?;
    part_of_rows(cx, axis, parts.get(..output)?.iter().sum(), *parts.get(output)?)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let split = |data, axis, lengths| op("VariadicSplit", 1, [data, axis, lengths]);
        split("f32[6,12]", "i64[] = 1", "i64[3] = 3,4,5").gives(["f32[6,3]", "f32[6,4]", "f32[6,5]"]);
        split("f32[6,12]", "i64[1] = -1", "i64[3] = 3,-1,5").gives(["f32[6,3]", "f32[6,4]", "f32[6,5]"]);
        split("f32[6,12]", "i32[] = 1", "i64[3] = 4,8,-1").gives(["f32[6,4]", "f32[6,8]", "f32[6,0]"]);
        split("f32[6,?]", "i64[] = 1", "i64[2] = 3,4").gives(["f32[6,3]", "f32[6,4]"]);
        split("f32[6,5..9]", "i64[] = 1", "i64[2] = 3,-1").gives(["f32[6,3]", "f32[6,2..6]"]);
        split("f32[6,2..]", "i64[] = 1", "i64[2] = 3,-1").gives(["f32[6,3]", "f32[6,?]"]);
        split("f32[6,12]", "i64[]", "i64[2] = 3,9").gives(["f32[?,?]"; 2]);
        split("f32[6,12]", "i64[] = 0..1", "i64[2] = 3,9").gives(["f32[?,?]"; 2]);
        split("f32[12]", "i64[] = -1..0", "i64[2] = 3,9").gives(["f32[3]", "f32[9]"]);
        split("f32[6,12]", "i64[] = 1", "i64[2]").gives(["f32[6,?]"; 2]);
        split("f32[?]", "i64[] = 0", "i64[2] = -2..-1,3").gives(["f32[?]", "f32[3]"]);
        split("f32[12]", "i64[] = 0", "i64[3] = -1..2,3..4,1..").gives(["f32[..12]", "f32[3..4]", "f32[1..12]"]);
        split("f32[12..20]", "i64[] = 0", "i64[3] = 0..2,3,4..6").gives(["f32[..2]", "f32[3]", "f32[4..6]"]);
        split("f32[7..9]", "i64[] = 0", "i64[2] = 2..3,?").gives(["f32[2..3]", "f32[..9]"]);
        split("f32[6,12]", "i64[] = 1", "i64[1..3]").gives(["dynamic[...]"]);
        split("f32[...]", "i64[] = 1", "i64[2] = 3,9").gives(["f32[...]"; 2]);
        split("i64[3] = 7,8..9,5", "i64[] = 0", "i64[2] = 1,2").gives(["i64[1] = 7", "i64[2] = 8..9,5"]);
        split("i64[2,2] = 1,2,3,4", "i64[] = 1", "i64[2] = 1,1").gives(["i64[2,1] = 1,3", "i64[2,1] = 2,4"]);
        split("f32[6,12]", "i4[] = 1", "i4[2] = 3,-1").passes(["f32[6,?]", "f32[6,?]"]);
        split("f32[6,12]", "u64[] = 1", "u64[2] = 3,-1").gives(["f32[6,3]", "f32[6,9]"]);
    }

    #[test]
    fn openvino_goes_on_behind_an_overrun() {
        let split = |data, lengths| op("VariadicSplit", 1, [data, "i64[] = 1", lengths]);
        split("f32[6,12]", "i64[3] = 12,100,-1").passes(["f32[6,12]", "f32[6,100]", "f32[6,0]"]);
        // What does not fit 64 bits becomes the largest or the smallest number, depending on the type.
        let below = "`split_lengths[0]` is -9223372036854775808, wanted -1 or more";
        split("f32[6,12]", "f32[3] = -inf,12,0").fails("input-value", below);
        split("f32[6,12]", "f16[3] = inf,12,0").fails("input-value", below);
        split("f32[6,12]", "bf16[3] = NaN,12,0").fails("input-value", below);
        split("f32[6,12]", "f32[3] = inf,-1,0").passes(["f32[6,?]", "f32[6,0]", "f32[6,0]"]);
        split("f32[6,12]", "f64[3] = NaN,-1,0").passes(["f32[6,?]", "f32[6,0]", "f32[6,0]"]);
        split("f32[6,12]", "i64[3] = 5,8,-1").passes(["f32[6,5]", "f32[6,8]", "f32[6,?]"]);
        split("f32[6,5..9]", "i64[3] = 12,-1,100").passes(["f32[6,12]", "f32[6,?]", "f32[6,100]"]);
        split("f32[6,5..30]", "i64[3] = 2,100,200").passes(["f32[6,2]", "f32[6,100]", "f32[6,200]"]);
    }

    #[test]
    fn errors() {
        op("VariadicSplit", 1, ["f32[2,5]", "i64[] = 1"]).stored("i4[2] = 2,3").fails(
            "index-type",
            "`split_lengths` of VariadicSplit holds constants of type i4, of which OpenVINO reads whole bytes: \
             lengths of 50 in a dimension of ..5",
        );
        let split = |data, axis, lengths| op("VariadicSplit", 1, [data, axis, lengths]);
        split("u3[1,5,4]", "i64[] = 0..1", "i64[2] = 2,2")
            .fails("split-lengths-sum", "no dimension that `axis` may mean fits the lengths [2, 2]");
        split("f32[..3,2]", "i64[]", "i64[3] = 2,-1,2")
            .fails("split-lengths-sum", "no dimension that `axis` may mean fits the lengths [2, -1, 2]");
        split("f32[6,4]", "i64[] = 0", "i64[3] = 1,2,4")
            .fails("split-lengths-sum", "split lengths add up to 7, but axis 0 of the input is 6");
        split("f32[6,5..9]", "i64[] = 1", "i64[2] = 1,1")
            .fails("split-lengths-sum", "split lengths add up to 2, but axis 1 of the input is 5..9");
        split("f32[6,12]", "i64[] = 1", "i64[3] = 9223372036854775807,9223372036854775807,14")
            .fails("split-lengths-sum", "split lengths add up to 18446744073709551628, but axis 1 of the input is 12");
        split("f32[6,12]", "i64[] = 1", "i64[3] = 5,8,-1").fails(
            "split-lengths-overrun",
            "the lengths other than the -1 add up to 13, but axis 1 of the input is 12",
        );
        split("f32[...]", "i64[] = 1", "i64[2] = -1,-1")
            .fails("input-value", "`split_lengths` has -1 at indices 0 and 1, but only one -1 is allowed");
        split("f32[6,12]", "i64[] = 1", "i64[2] = 3,-5")
            .fails("input-value", "`split_lengths[1]` is -5, wanted -1 or more");
        split("f32[6,12]", "i64[] = 2", "i64[1] = 12").fails("axis-range", "axis 2 is outside -2..1");
        split("f32[6,12]", "i64[] = 2..5", "i64[1] = 12").fails("axis-range", "axis 2 is outside -2..1");
        split("f32[6,12]", "i64[2]", "i64[1] = 12")
            .fails("input-rank", "`axis` of VariadicSplit must be a scalar or a list of one, but is i64[2]");
        split("f32[6,12]", "i64[] = 1", "i64[] = 12")
            .fails("input-rank", "`split_lengths` of VariadicSplit must be a list (rank 1), but is i64[]");
        split("f32[6,12]", "boolean[] = 1", "i64[1] = 12")
            .fails("index-type", "`axis` of VariadicSplit holds constants of type boolean, which OpenVINO cannot read");
        split("f32[6,12]", "i64[] = 1", "string[1] = *").fails(
            "index-type",
            "`split_lengths` of VariadicSplit holds constants of type string, which OpenVINO cannot read",
        );
        split("f32[?,?]", "i64[]", "u1[2] = 1,1").gives(["f32[?,?]"; 2]);
        split("f32[6,12]", "i64[] = 1", "nf4[2] = 1,1").passes(["f32[6,?]"; 2]);
        split("f32[6,12]", "f32[] = 1.7", "i64[2] = 3,9")
            .warns("float-index", "`axis` of VariadicSplit is f32; OpenVINO truncates its values to integers");
        split("f32[6,12]", "i64[] = 1", "f32[2]")
            .warns("float-index", "`split_lengths` of VariadicSplit should be of an integer type, but is f32")
            .gives(["f32[6,?]"; 2]);
        split("f32[6,12]", "i64[] = 1", "i64[0] = ")
            .fails("split-lengths-sum", "split lengths add up to 0, but axis 1 of the input is 12");
    }
}
