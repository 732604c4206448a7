//! Broadcasting of shapes and elements.

use super::prelude::*;
use crate::diagnostic::Refusal;
use crate::ops::shared::agreement::misfit;
use crate::ops::shared::strides::{View, strides};
use crate::types::release;
use smallvec::SmallVec;

/// The broadcast mode of elementwise operations.
pub(crate) const AUTO_BROADCAST: Attr = Attr::optional("auto_broadcast", Kind::BROADCAST, "numpy");

/// The axis at which `pdpd` aligns the second input.
pub(crate) const BROADCAST_AXIS: Attr = Attr::optional("auto_broadcast.auto_broadcast_axis", Kind::INT, "0");

/// A broadcast mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Aligned at the last dimension; dimensions of 1 stretch in both shapes.
    Numpy,
    /// No broadcasting: the shapes are equal.
    None,
    /// The second shape is aligned at this dimension of the first, or at the last one for -1. Only its dimensions of 1 and
    /// missing dimensions stretch.
    Pdpd(i64),
}

impl Mode {
    /// The mode in `auto_broadcast`. OpenVINO treats `explicit` as `none`.
    pub(crate) fn of(cx: &InferCtx) -> Self {
        match cx.choice(AUTO_BROADCAST.name) {
            "numpy" => Self::Numpy,
            "pdpd" => Self::Pdpd(cx.int(BROADCAST_AXIS.name)),
            _ => Self::None,
        }
    }

    /// The broadcast of `a` and `b`, or the reason why they do not broadcast.
    pub(crate) fn meet(self, a: &PartialShape, b: &PartialShape) -> Result<PartialShape, String> {
        match self {
            Self::Numpy => numpy(a, b),
            Self::None => a.agree(b).ok_or_else(|| format!("shapes {a} and {b} differ, without broadcasting")),
            Self::Pdpd(axis) => {
                if !a.is_static() || !b.is_static() {
                    demand::leave_open();
                }
                pdpd(a, b, axis)
            }
        }
    }
}

/// The broadcast of inputs `a` and `b` in the mode of `auto_broadcast`.
pub(crate) fn inputs(cx: &InferCtx, a: usize, b: usize) -> Result<PartialShape, Fault> {
    let (mode, one, other) = (Mode::of(cx), &cx.input(a).shape, &cx.input(b).shape);
    mode.meet(one, other).or_else(|message| {
        let fault = misfit(cx, b, &[a], message);
        // The place after such an axis wraps around, and no check of the operation meets it.
        let wraps = matches!(mode, Mode::Pdpd(axis) if axis > i64::from(i32::MAX));
        let fault = if wraps { fault.refused(Refusal::Unnamed) } else { fault };
        let is_ones = |dims: &[Dim]| dims.iter().all(|dim| *dim == Dim::exact(1));
        let was_read = matches!(mode, Mode::Pdpd(_)) && other.rank() <= one.rank() && other.dims().is_some_and(is_ones);
        let fault = if was_read { fault.since(release(2023, 1)) } else { fault };
        // With `pdpd`, OpenVINO broadcasts a 1 and unknown lengths, and rejects them once it knows them.
        let is_late = matches!(mode, Mode::Pdpd(_)) && mode.meet(one, &with_inexact_unknown(other)).is_ok();
        let Some(late) = is_late.then(|| mode.meet(&with_ones_unknown(one), other).ok()).flatten() else {
            return Err(fault);
        };
        cx.pass(fault.runtime(Runtime::Accepts))?;
        Ok(late)
    })
}

/// The shape with every dimension of 1 unknown.
fn with_ones_unknown(shape: &PartialShape) -> PartialShape {
    let loose = |dim: &Dim| if *dim == Dim::exact(1) { Dim::ANY } else { *dim };
    shape.dims().map_or(PartialShape::UNKNOWN, |dims| PartialShape::of(dims.iter().map(loose)))
}

/// The shape with every inexact dimension unknown.
fn with_inexact_unknown(shape: &PartialShape) -> PartialShape {
    let loose = |dim: &Dim| if dim.is_exact() { *dim } else { Dim::ANY };
    shape.dims().map_or(PartialShape::UNKNOWN, |dims| PartialShape::of(dims.iter().map(loose)))
}

/// The NumPy broadcast of two lists of dimensions, or the axis, counted from the front, and two dimensions that never
/// broadcast.
pub(crate) fn dims(a: &[Dim], b: &[Dim]) -> Result<SmallVec<[Dim; 4]>, (usize, Dim, Dim)> {
    let rank = a.len().max(b.len());
    let dim = |dims: &[Dim], i: usize| {
        let index = (i + dims.len()).checked_sub(rank);
        index.and_then(|index| dims.get(index).copied()).unwrap_or(Dim::exact(1))
    };
    (0..rank).map(|i| (i, dim(a, i), dim(b, i))).map(|(i, a, b)| a.meet(b).ok_or((i, a, b))).collect()
}

fn numpy(a: &PartialShape, b: &PartialShape) -> Result<PartialShape, String> {
    let (Some(left), Some(right)) = (a.dims(), b.dims()) else {
        return Ok(PartialShape::UNKNOWN);
    };
    dims(left, right).map(PartialShape::of).map_err(|(i, one, other)| {
        let axis = left.len().max(right.len()) - i;
        format!("shapes {a} and {b} do not broadcast: {one} meets {other} at axis -{axis}")
    })
}

fn pdpd(a: &PartialShape, b: &PartialShape, axis: i64) -> Result<PartialShape, String> {
    let (Some(rank), Some(own)) = (a.rank(), b.rank()) else { return Ok(a.clone()) };
    let Some(missing) = rank.checked_sub(own) else {
        return Err(format!("pdpd does not broadcast {b} to {a}, which has fewer dimensions"));
    };
    let offset = if axis == -1 { Some(missing) } else { usize::try_from(axis).ok() };
    let Some(offset) = offset.filter(|offset| *offset <= missing) else {
        return Err(format!("pdpd does not broadcast {b} to {a} from axis {axis} on, wanted -1..{missing}"));
    };
    // OpenVINO also stretches a length of the first shape that may be 1, unless it is exactly 1; that one may become 0.
    let can_stretch = |whole: Dim, part: Dim| whole.admits(1) && (!whole.is_exact() || part == Dim::exact(0));
    let stretching = |whole: Dim, part: Dim| can_stretch(whole, part).then_some(part);
    // It stretches no 1 to 0.
    let mut pairs = a.dims().into_iter().flatten().skip(offset).zip(b.dims().into_iter().flatten());
    if let Some(i) = pairs.position(|(whole, part)| (whole, part) == (&Dim::exact(0), &Dim::exact(1))) {
        return Err(format!("pdpd does not broadcast {b} to {a}: 1 meets 0 at axis {}", offset + i));
    }
    let shape = stretched(a, b, "pdpd does not broadcast", offset, stretching)?;
    // A 1 may become 0.
    let bare = |dim: &Dim| if dim.admits(1) { dim.bare() } else { *dim };
    Ok(shape.dims().map_or(PartialShape::UNKNOWN, |dims| PartialShape::of(dims.iter().map(bare))))
}

/// The shape `whole` after `part` is broadcast to it, aligned at the last dimension.
pub(crate) fn broadcast_to(whole: &PartialShape, part: &PartialShape) -> Result<PartialShape, String> {
    let missing = whole.rank().unwrap_or(0).saturating_sub(part.rank().unwrap_or(0));
    let own = whole.dims().unwrap_or_default().iter().skip(missing);
    own.zip(part.dims().unwrap_or_default()).for_each(|(whole, part)| whole.demand_stretch(*part));
    stretched(whole, part, "cannot stretch", missing, |_, _| None)
}

/// The shape `whole` after `part` is broadcast to it from axis `offset` on; `otherwise` replaces lengths that do not fit.
fn stretched(
    whole: &PartialShape,
    part: &PartialShape,
    refusal: &str,
    offset: usize,
    otherwise: impl Fn(Dim, Dim) -> Option<Dim>,
) -> Result<PartialShape, String> {
    let (Some(dims), Some(others)) = (whole.dims(), part.dims()) else {
        return Ok(whole.clone());
    };
    if others.len() > dims.len() {
        return Err(format!("{refusal} {part} to {whole}, which has fewer dimensions"));
    }
    let meet = |(i, dim): (usize, &Dim)| match i.checked_sub(offset).and_then(|i| others.get(i)) {
        Some(other) if !other.admits(1) => dim
            .merge(*other)
            .or_else(|| otherwise(*dim, *other))
            .ok_or_else(|| format!("{refusal} {part} to {whole}: {other} meets {dim} at axis {i}")),
        _ => Ok(*dim),
    };
    dims.iter().enumerate().map(meet).collect::<Result<SmallVec<[Dim; 4]>, _>>().map(PartialShape::of)
}

/// The view of a tensor of lengths `own` broadcast to `whole`; `None` if it does not broadcast.
pub(crate) fn broadcast_view(mode: Mode, own: &[usize], whole: &[usize]) -> Option<View> {
    let missing = whole.len().checked_sub(own.len())?;
    let offset = match mode {
        // The first tensor has all dimensions and so starts at axis 0.
        Mode::Pdpd(axis) => usize::try_from(axis).map_or(missing, |axis| axis.min(missing)),
        _ => missing,
    };
    let strides = strides(own);
    let mut view = View::new(0);
    for (axis, length) in whole.iter().enumerate() {
        let index = axis.checked_sub(offset);
        let distance = match index.and_then(|index| own.get(index).zip(strides.get(index))) {
            None | Some((1, _)) => 0,
            Some((same, stride)) if same == length => i64::try_from(*stride).ok()?,
            Some(_) => return None,
        };
        view.push(*length, distance);
    }
    Some(view)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(mode: Mode, a: &str, b: &str) -> Result<String, String> {
        mode.meet(&a.parse().unwrap(), &b.parse().unwrap()).map(|shape| shape.to_string())
    }

    #[test]
    fn numpy_stretches_both() {
        for (a, b, whole) in [
            ("[2,1,4]", "[3,1]", "[2,3,4]"),
            ("[]", "[2,3]", "[2,3]"),
            ("[?]", "[1]", "[?]"),
            ("[?]", "[4]", "[4]"),
            ("[1..5,3]", "[7,1]", "[7,3]"),
            ("[2..5]", "[1]", "[2..5]"),
            ("[2..5]", "[3..9]", "[3..5]"),
            ("[1..5]", "[3..9]", "[3..9]"),
            ("[0]", "[?]", "[0]"),
            ("[2..]", "[?]", "[2..]"),
            ("[...]", "[3]", "[...]"),
        ] {
            assert_eq!(meet(Mode::Numpy, a, b), Ok(whole.to_owned()), "{a} {b}");
            assert_eq!(meet(Mode::Numpy, b, a), Ok(whole.to_owned()), "{b} {a}");
        }
        let message = "shapes [2,3] and [4,3] do not broadcast: 2 meets 4 at axis -2";
        assert_eq!(meet(Mode::Numpy, "[2,3]", "[4,3]"), Err(message.to_owned()));
        assert!(meet(Mode::Numpy, "[2..5]", "[7..9]").is_err());
        assert!(meet(Mode::Numpy, "[0]", "[4]").is_err());
    }

    #[test]
    fn pdpd_stretches_the_second() {
        for (a, b, whole) in [
            ("[2,3,4,5]", "[2,3]", "[2,3,4,5]"),
            ("[2,3,4,5]", "[2,1]", "[2,3,4,5]"),
            ("[?,3]", "[5]", "[5,3]"),
            ("[1..4,3]", "[3..9]", "[3..4,3]"),
            ("[1,3]", "[?]", "[1,3]"),
            ("[1,3]", "[0]", "[0,3]"),
            ("[2,3]", "[]", "[2,3]"),
            ("[2,3]", "[...]", "[2,3]"),
            ("[...]", "[3]", "[...]"),
        ] {
            assert_eq!(meet(Mode::Pdpd(0), a, b), Ok(whole.to_owned()), "{a} {b}");
        }
        let message = "pdpd does not broadcast [2] to [1,3]: 2 meets 1 at axis 0";
        assert_eq!(meet(Mode::Pdpd(0), "[1,3]", "[2]"), Err(message.to_owned()));
        let message = "pdpd does not broadcast [2,1] to [2,0]: 1 meets 0 at axis 1";
        assert_eq!(meet(Mode::Pdpd(0), "[2,0]", "[2,1]"), Err(message.to_owned()));
        assert_eq!(meet(Mode::Pdpd(0), "[1,0]", "[0,0]"), Ok("[0,0]".to_owned()));
        assert_eq!(meet(Mode::Pdpd(0), "[2,?]", "[2,1]"), Ok("[2,?]".to_owned()));
        let message = "pdpd does not broadcast [2,3] to [3], which has fewer dimensions";
        assert_eq!(meet(Mode::Pdpd(0), "[3]", "[2,3]"), Err(message.to_owned()));
    }

    #[test]
    fn pdpd_aligns_at_an_axis() {
        assert_eq!(meet(Mode::Pdpd(1), "[2,3,4]", "[3]"), Ok("[2,3,4]".to_owned()));
        assert_eq!(meet(Mode::Pdpd(1), "[2,?,4]", "[3,1]"), Ok("[2,3,4]".to_owned()));
        assert_eq!(meet(Mode::Pdpd(-1), "[2,3,4]", "[4]"), Ok("[2,3,4]".to_owned()));
        assert_eq!(meet(Mode::Pdpd(100), "[2,3]", "[...]"), Ok("[2,3]".to_owned()));
        let message = "pdpd does not broadcast [3] to [2,3] from axis 2 on, wanted -1..1";
        assert_eq!(meet(Mode::Pdpd(2), "[2,3]", "[3]"), Err(message.to_owned()));
        assert!(meet(Mode::Pdpd(-2), "[2,3]", "[3]").is_err());
        assert!(meet(Mode::Pdpd(1), "[]", "[]").is_err());
    }

    #[test]
    fn a_part_stretches_to_the_whole() {
        let broadcast_to = |whole: &str, part: &str| {
            broadcast_to(&whole.parse().unwrap(), &part.parse().unwrap()).map(|shape| shape.to_string())
        };
        assert_eq!(broadcast_to("[?,3]", "[2,1]"), Ok("[2,3]".to_owned()));
        assert_eq!(broadcast_to("[2,3]", "[..5]"), Ok("[2,3]".to_owned()));
        assert_eq!(broadcast_to("[2..9]", "[...]"), Ok("[2..9]".to_owned()));
        assert_eq!(
            broadcast_to("[1,3]", "[2,1]"),
            Err("cannot stretch [2,1] to [1,3]: 2 meets 1 at axis 0".to_owned())
        );
        let message = "cannot stretch [1,2,3] to [2,3], which has fewer dimensions";
        assert_eq!(broadcast_to("[2,3]", "[1,2,3]"), Err(message.to_owned()));
    }

    #[test]
    fn no_broadcasting_wants_equal_shapes() {
        assert_eq!(meet(Mode::None, "[?,3]", "[2,..4]"), Ok("[2,3]".to_owned()));
        assert_eq!(meet(Mode::None, "[...]", "[2]"), Ok("[2]".to_owned()));
        assert!(meet(Mode::None, "[2,3]", "[3]").is_err());
    }

    #[test]
    fn elements_repeat_where_they_are_stretched() {
        let offsets = |mode, own: &[usize], whole: &[usize]| {
            let view = broadcast_view(mode, own, whole)?;
            Some((0..whole.iter().product()).map(|i| view.offset(i)).collect::<Vec<_>>())
        };
        assert_eq!(offsets(Mode::Numpy, &[3], &[2, 3]), Some(vec![0, 1, 2, 0, 1, 2]));
        assert_eq!(offsets(Mode::Numpy, &[2, 1], &[2, 3]), Some(vec![0, 0, 0, 1, 1, 1]));
        assert_eq!(offsets(Mode::Pdpd(0), &[2], &[2, 3]), Some(vec![0, 0, 0, 1, 1, 1]));
        assert_eq!(offsets(Mode::Pdpd(1), &[2], &[2, 2, 1]), Some(vec![0, 1, 0, 1]));
        assert_eq!(offsets(Mode::Pdpd(1), &[2, 2, 1], &[2, 2, 1]), Some(vec![0, 1, 2, 3]));
        assert_eq!(offsets(Mode::Pdpd(-1), &[3], &[2, 3]), Some(vec![0, 1, 2, 0, 1, 2]));
        assert_eq!(offsets(Mode::Numpy, &[], &[2]), Some(vec![0, 0]));
        assert_eq!(offsets(Mode::Numpy, &[3], &[2, 2]), None);
    }
}
